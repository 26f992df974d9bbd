//! SQL: whether a text holds a statement that writes.

use super::listed::is_listed;

fn words(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
}

/// What a statement that writes begins with.
const BEGINNINGS: [&str; 11] = [
    "drop", "truncate", "alter", "create", "delete", "insert", "replace", "merge", "update",
    "grant", "revoke",
];

/// What such statements are about.
const THINGS: &str = "table database schema index column view user role constraint trigger sequence policy type \
    function extension materialized tablespace";

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
    let is_thing = is_listed(THINGS, &second);
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
