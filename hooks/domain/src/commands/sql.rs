//! SQL: whether a text holds a statement that writes.

/// Words that a reading statement begins with.
const READING: [&str; 8] = [
    "select", "show", "describe", "desc", "explain", "values", "table", "with",
];

/// Words that write, wherever in a statement they stand.
const WRITING: [&str; 24] = [
    "insert", "update", "delete", "drop", "truncate", "alter", "create", "grant", "revoke",
    "replace", "merge", "copy", "vacuum", "reindex", "rename", "into", "call", "do", "execute",
    "attach", "detach", "load", "install", "analyze",
];

/// True when every statement of `sql` only reads.
pub(super) fn only_reads(sql: &str) -> bool {
    let lower = sql.to_ascii_lowercase();
    let mut statements = lower
        .split(';')
        .map(str::trim)
        .filter(|one| !one.is_empty());
    let reads = |statement: &str| {
        if let Some(meta) = statement.strip_prefix(['\\', '.']) {
            return is_showing(meta);
        }
        let mut words = words(statement);
        words.next().is_some_and(|first| READING.contains(&first))
            && !words.any(|word| {
                WRITING.contains(&word) || word.starts_with("pg_") || word.starts_with("lo_")
            })
    };
    let mut any = false;
    statements.all(|one| {
        any = true;
        reads(one)
    }) && any
}

/// `\d` of psql and `.tables` of sqlite3.
fn is_showing(meta: &str) -> bool {
    let name = meta.split_whitespace().next().unwrap_or_default();
    matches!(
        name,
        "d" | "dt"
            | "d+"
            | "dt+"
            | "di"
            | "dn"
            | "du"
            | "dv"
            | "df"
            | "l"
            | "l+"
            | "tables"
            | "schema"
            | "databases"
            | "indexes"
    )
}

fn words(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
}

/// What a statement that writes begins with.
const BEGINNINGS: [&str; 11] = [
    "drop", "truncate", "alter", "create", "delete", "insert", "replace", "merge", "update",
    "grant", "revoke",
];

/// True when `text` holds a statement that writes, in the form that SQL has and prose has not. In
/// prose the words must be capitals where they could stand in a sentence.
pub(crate) fn writes(text: &str, is_code: bool) -> bool {
    let mut words = words(text);
    while let Some(word) = words.next() {
        let mut beginnings = BEGINNINGS.into_iter();
        let verb = beginnings.find(|one| one.eq_ignore_ascii_case(word));
        let capitals = || word.bytes().all(|byte| byte.is_ascii_uppercase());
        if verb.is_some_and(|verb| is_statement(verb, words.clone(), capitals(), is_code)) {
            return true;
        }
    }
    false
}

/// Whether a statement follows of which `verb` is the first word, and `words` the others.
fn is_statement<'t>(
    verb: &str,
    words: impl Iterator<Item = &'t str>,
    capitals: bool,
    is_code: bool,
) -> bool {
    let mut lower = words.map(str::to_ascii_lowercase);
    let [second, third, fourth] = [(); 3].map(|()| lower.next().unwrap_or_default());
    let is_thing = matches!(
        second.as_str(),
        "table"
            | "database"
            | "schema"
            | "index"
            | "column"
            | "view"
            | "user"
            | "role"
            | "constraint"
            | "trigger"
            | "sequence"
            | "policy"
            | "type"
            | "function"
            | "extension"
            | "materialized"
            | "tablespace"
    );
    match verb {
        "drop" => is_thing,
        "truncate" => second == "table" || (capitals || is_code) && !second.is_empty(),
        "alter" => is_thing && (capitals || is_code || !third.is_empty()),
        "create" => is_thing && capitals,
        "delete" => second == "from",
        "insert" | "replace" | "merge" => second == "into" && (capitals || is_code),
        "update" => (capitals || is_code) && (third == "set" || fourth == "set"),
        "grant" | "revoke" => (capitals || is_code) && !third.is_empty(),
        _ => false,
    }
}
