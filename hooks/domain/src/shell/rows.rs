//! Judges one call by the row of its program.

use memchr::memmem;

use super::call::ProgramCall;
use super::judge::Judged;
use super::operand::{Place, inside, is_foreign, is_name, reach};
use super::parser::Word;
use super::programs::{Operands, Options, Row, rows_of};
use super::{judge, programs};
use crate::permissions::Reach;

/// The rows for `name` whose subcommand begins `arguments`, and the number of arguments that it takes.
fn candidates<'a>(
    name: &'a str,
    arguments: &'a [Word],
) -> impl Iterator<Item = (&'static Row, usize)> + 'a {
    rows_of(name).filter_map(move |(row, words)| {
        let mut count = 0;
        for word in words {
            let given = arguments.get(count)?;
            if word == b"*" {
                break;
            }
            if given.text.as_bytes() != word || given.is_open {
                return None;
            }
            count += 1;
        }
        Some((row, count))
    })
}

/// Options before a subcommand that change only the output.
const ALONE: &[(&str, &str)] = &[
    ("git", "--no-pager -P --no-optional-locks"),
    ("ip", "-4 -6 -s -o -br -j -d -c -h -p -brief"),
    ("npm pnpm yarn", "-s --silent"),
    (
        "cargo",
        "-q --quiet --offline --locked --frozen +nightly +stable +beta",
    ),
];

/// Options before a subcommand that name its folder.
const FOLDERS: &[(&str, &str)] = &[
    ("git", "-C"),
    ("npm", "--prefix -C"),
    ("pnpm", "-C --dir"),
    ("yarn", "--cwd"),
    ("make gmake", "-C --directory"),
    ("go", "-C"),
    ("uv", "--directory"),
];

/// Options before a subcommand that name a package of the project.
const PACKAGES: &[(&str, &str)] = &[
    ("npm", "-w --workspace"),
    ("pnpm", "--filter -F"),
    ("yarn", "workspace"),
    ("gh", "-R --repo"),
];

/// Settings allowed with `git -c`: for the output and the author.
const SHOWN_SETTINGS: &str =
    "color. advice. core.quotepath= core.pager=cat user.name= user.email= commit.gpgsign=false";

/// The number of words before the subcommand that belong to options that change only the output, or name a folder or a
/// package of the project.
fn globals(name: &str, arguments: &[Word], place: &Place<'_>) -> usize {
    let mut count = 0;
    loop {
        let text = |at: usize| {
            arguments
                .get(count + at)
                .map_or("", |word| word.text.as_str())
        };
        let next = arguments.get(count + 1);
        let has = |table: &[(&str, &str)]| {
            let mut rows = table.iter();
            rows.any(|(names, options)| is_listed(names, name) && is_listed(options, text(0)))
        };
        let is_folder = |word: &Word| {
            let is_option = word.text.starts_with('-') || is_foreign(&word.text);
            !is_option && !word.is_open && reach(word, place).is_none()
        };
        let is_package = |word: &Word| {
            let text = word.text.strip_prefix('@').unwrap_or(&word.text);
            !word.is_open && is_name(text)
        };
        let is_shown = |word: &Word| {
            let mut starts = SHOWN_SETTINGS.split(' ');
            !word.is_open
                && starts.any(|start| match start.ends_with(['.', '=']) {
                    true => word.text.starts_with(start),
                    false => word.text == start,
                })
        };
        count += match (name, text(0)) {
            ("git", "-c") if next.is_some_and(is_shown) => 2,
            _ if has(ALONE) => 1,
            _ if has(FOLDERS) && next.is_some_and(is_folder) => 2,
            _ if has(PACKAGES) && next.is_some_and(is_package) => 2,
            _ => return count,
        };
    }
}

/// Judges the call by the rows; `None` for a program or subcommand without a row.
pub(super) fn find(name: &str, arguments: &[Word], place: &Place<'_>) -> Option<Judged> {
    let skipped = globals(name, arguments, place);
    let rest = arguments.get(skipped..)?;
    let candidates: Vec<(&Row, usize)> = candidates(name, rest).collect();
    let longest = candidates.iter().map(|(_, count)| *count).max()?;
    let judged = candidates
        .into_iter()
        .filter(|(_, count)| *count == longest)
        .map(|(row, count)| judge_by_row(row, name, rest, count, place));
    let mut found = judged.min_by_key(|found| found.reach)?;
    found.fixed += skipped;
    let mut before = arguments.iter().take(skipped);
    if name == "git"
        && found.reach < Reach::Unknown
        && let Some(at) = before.position(|word| word.text == "-C")
        && !arguments
            .get(at + 1)
            .is_some_and(|word| place.is_project(&word.text))
    {
        found.reach = Reach::Unknown;
        found.reason = "git in another folder obeys the settings of that folder".to_owned();
    }
    Some(found)
}

fn judge_by_row(
    row: &Row,
    name: &str,
    arguments: &[Word],
    count: usize,
    place: &Place<'_>,
) -> Judged {
    let (subcommand, rest) = arguments.split_at(count);
    let mut call = ProgramCall {
        row,
        name,
        place,
        reach: row.reach,
        names: Vec::new(),
    };
    let mut raised = call.read(rest).err();
    if let Some(raised) = raised
        .as_mut()
        .filter(|raised| raised.reach == Reach::Unknown)
    {
        // An unknown call may reach the targets in its words.
        if let Some((word, reason)) = leads_beyond(rest, place) {
            (raised.reach, raised.reason) = (Reach::Beyond, reason);
            raised.word.clone_from(&word.text);
        }
    }
    let is_named = |word: &Word| call.names.contains(&word.text);
    let named_until = match row.operands {
        Operands::Targets => rest.iter().rposition(is_named),
        _ => rest.iter().position(is_named),
    };
    let (reach, reason) = match &raised {
        Some(raised) => (
            raised.reach.max(call.reach),
            format!("{}: {}", raised.word, raised.reason),
        ),
        None if row.reach == Reach::Beyond => (call.reach, "runs what others wrote".to_owned()),
        None => (call.reach, String::new()),
    };
    let raised_by = match raised {
        Some(raised) if !call.names.contains(&raised.word) => Some(raised.word),
        _ => changing(row, rest),
    };
    let names = subcommand.iter().map(|word| word.text.clone());
    let names: Vec<String> = names.chain(call.names).collect();
    let subject = judge::known_subject(name, &names, raised_by.as_deref());
    let fixed = count + named_until.map_or(0, |last| last + 1);
    Judged {
        only_shows: programs::only_shows(row),
        ..Judged::new(reach, reason, (subject, fixed))
    }
}

/// The word of an unknown call that leaves the project or shows a further reach, and why.
pub(super) fn leads_beyond<'w>(
    words: impl IntoIterator<Item = &'w Word>,
    place: &Place<'_>,
) -> Option<(&'w Word, &'static str)> {
    words.into_iter().find_map(|word| {
        let text = inside(&word.text, place.root).unwrap_or(&word.text);
        let says = || says_beyond(text).then_some("it says that it reaches further");
        let reason = match word.is_open && !word.is_spread && !word.has_variable {
            // The output of a substitution is one word, not a path in the line.
            true => None,
            false => reach(word, place),
        };
        Some((word, reason.or_else(says)?))
    })
}

/// The option that makes the call change the project, unlike the row's other options.
fn changing(row: &Row, arguments: &[Word]) -> Option<String> {
    let mut texts = arguments.iter().map(|word| &word.text);
    let is_changing = |text: &str| {
        let mut options = row.options.iter();
        options.any(|one| matches!(one, Options::Changing(names) if is_listed(names, text)))
    };
    texts.find(|text| is_changing(text)).cloned()
}

// Lists of words separated by spaces, and words that show by themselves how far a command reaches.

/// True if `list` contains the word `word`.
pub(super) fn is_listed(list: &str, word: &str) -> bool {
    let list = list.as_bytes();
    let is_end = |at: Option<usize>| {
        at.and_then(|at| list.get(at))
            .is_none_or(|byte| *byte == b' ')
    };
    !word.is_empty()
        && !word.contains(' ')
        && memmem::find_iter(list, word)
            .any(|at| is_end(at.checked_sub(1)) && is_end(Some(at + word.len())))
}

/// Words in the name of a script or target, or in an operand of an unknown program, that show that it goes beyond the
/// project.
const BEYOND: &str = "push publish deploy deployment destroy delete drop release apply rm remove prune purge \
    reset login logout upload send prod production live staging force sudo migrate rollback seed kill uninstall \
    revoke grant install eval exec run-script post submit merge promote wipe truncate nuke dlx add create global link upgrade \
    import config set plugin allow trust clean cleanup distclean clobber mrproper preinstall postinstall shell share stash flush erase implode unregister";

/// True if a part of `text` is a word that shows a further reach: `deploy-all`, `deployAll`, `DEPLOY_ALL`.
pub(super) fn says_beyond(text: &str) -> bool {
    let says = |word: &str| is_listed(BEYOND, &word.to_ascii_lowercase());
    let mut parts = text.split(|c: char| !c.is_ascii_alphanumeric());
    parts.any(|part| {
        let capitals = part.match_indices(|c: char| c.is_ascii_uppercase());
        let ends = capitals.map(|(at, _)| at).chain([part.len()]);
        let mut start = 0;
        let mut words = ends.map(|end| part.get(std::mem::replace(&mut start, end)..end));
        // Options are not split at capitals: `--globalSetup` is not `--global`.
        says(part) || !text.starts_with('-') && words.any(|word| word.is_some_and(says))
    })
}

// SQL: finds statements that write.

fn words(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
}

/// The first words of statements that write.
const BEGINNINGS: [&str; 11] = [
    "drop", "truncate", "alter", "create", "delete", "insert", "replace", "merge", "update",
    "grant", "revoke",
];

/// The objects of such statements.
const THINGS: &str = "table database schema index column view user role constraint trigger sequence policy type \
    function extension materialized tablespace";

/// True if `text` contains a statement that writes, in a form that SQL has and prose does not. In prose, words that
/// could be part of a sentence must be in capitals.
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

/// True if `verb` and the following `words` form a statement.
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
