//! Keys: the identity of a question over time.

use crate::agreement::text::Reading;
use crate::hash;
use crate::named::named_enum;
use crate::recommended::{fold_numbers, option_text};
use crate::words::WordList;

static GENERAL: WordList = WordList::of(include_str!("../agreement/labels.txt"), "general");

named_enum! {
    /// How a question's key was found.
    pub enum KeySource {
        /// A marker in the text.
        Marker = "marker",
        /// A rule of the registry.
        Registry = "registry",
        /// Its options, which say what is asked.
        Options = "options",
        /// The reading of its text, with its options.
        Text = "text",
    }
}

/// The id in a marker of `text`, and the text without the marker.
///
/// Markers are `<gstack-qid:some-id>` and `<plantune:some-id>`, ids `[a-z0-9-]{1,64}`, at the text's start or end.
/// Anything else that looks like a marker is ordinary text: the asker did not put a quoted one there. The first of
/// several markers counts, and all are removed. [`take_markers`] returns whether they agree.
pub fn take_marker(text: &str) -> (Option<String>, String) {
    let (id, _, shown) = take_markers(text);
    (id, shown)
}

/// Like [`take_marker`]. The second value is true if another marker has a different id.
pub(crate) fn take_markers(text: &str) -> (Option<String>, bool, String) {
    let mut id: Option<&str> = None;
    let mut is_contradicted = false;
    let mut rest = text.trim();
    while let Some((found, after)) = marker_in_front(rest) {
        is_contradicted |= *id.get_or_insert(found) != found;
        rest = after.trim_start();
    }
    while let Some((before, found)) = marker_behind(rest) {
        is_contradicted |= *id.get_or_insert(found) != found;
        rest = before.trim_end();
    }
    (id.map(str::to_owned), is_contradicted, rest.to_owned())
}

/// The id of the marker at the start of `text`, and the text after it.
fn marker_in_front(text: &str) -> Option<(&str, &str)> {
    let tag = text.strip_prefix('<')?;
    let tag = tag
        .strip_prefix("gstack-qid:")
        .or_else(|| tag.strip_prefix("plantune:"))?;
    tag.split_once('>').filter(|(id, _)| is_id(id))
}

/// The text before a marker at the end of `text`, after white space, and its id.
fn marker_behind(text: &str) -> Option<(&str, &str)> {
    let (before, _) = text.rsplit_once('<')?;
    let (id, after) = marker_in_front(text.get(before.len()..)?)?;
    let stands_apart = before.is_empty() || before.ends_with(char::is_whitespace);
    (after.is_empty() && stands_apart).then_some((before, id))
}

/// True for a well-formed question id: `[a-z0-9-]{1,64}`.
pub fn is_id(id: &str) -> bool {
    (1..=64).contains(&id.len())
        && id
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// True for the id of one option of a split question. These are always asked.
pub fn is_split(key: &str) -> bool {
    key.contains("-split-")
}

/// How the keys of unmarked questions begin.
const MADE_UP: [&str; 2] = ["opt-", "txt-"];

/// True for a key that plantune computed from the question, which means nothing to a person.
pub fn is_made_up(key: &str) -> bool {
    MADE_UP.iter().any(|prefix| key.starts_with(prefix))
}

/// True for a key that an early version computed.
pub fn is_of_early_version(key: &str) -> bool {
    key.starts_with("fam-") || key.starts_with("fp-")
}

/// The text that a person types for the question `key`: the key if it is readable, otherwise the `name`.
pub fn typed<'a>(key: &'a str, name: &'a str) -> &'a str {
    match is_made_up(key) && !name.trim().is_empty() {
        true => name,
        false => key,
    }
}

/// The key of a question without marker or registry rule, and how it was found: `opt-` or `txt-`, and 16 hexadecimal
/// digits over the option labels and, unless those say what is asked, over the reading of the sentences that ask.
pub fn key_of(text: &str, options: &[String]) -> (String, KeySource) {
    let set = option_set(options);
    let (prefix, source, form) = match is_specific(&set) {
        true => ("opt-", KeySource::Options, String::new()),
        false => ("txt-", KeySource::Text, Reading::of(text).asking_form()),
    };
    let mut parts = vec![form.as_str()];
    parts.extend(set.iter().map(String::as_str));
    let digits: String = hash::hex(&parts).chars().take(16).collect();
    ([prefix, &digits].concat(), source)
}

/// True when the labels of an [`option_set`] say what is asked: several different ones, of which one says something of
/// its own. Whether an earlier answer covers a question is decided by the agreement, not by the key.
fn is_specific(set: &[String]) -> bool {
    let are_distinct = set.windows(2).all(|pair| pair.first() != pair.last());
    let speaks = |label: &String| label.split(' ').any(says_something);
    are_distinct && set.len() > 1 && set.iter().any(speaks)
}

/// True for a word that is not one of those that any label could hold.
pub fn says_something(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    word.chars().filter(|c| c.is_alphabetic()).count() > 1 && !GENERAL.holds(word)
}

/// The normalised option labels, sorted. The same choices give the same set in any order and letter case, and with any
/// option recommended.
pub(crate) fn option_set(options: &[String]) -> Vec<String> {
    let mut set: Vec<String> = options
        .iter()
        .map(|label| normalise(option_text(label)))
        .collect();
    set.sort_unstable();
    set
}

/// `text` in lower case, with white space folded and varying parts replaced: quoted strings by `"`, paths by `/`,
/// numbers and hashes by `#`.
pub fn normalise(text: &str) -> String {
    let unquoted = fold_quotes(&text.to_lowercase());
    let mut normal = String::with_capacity(unquoted.len());
    for word in unquoted.split_whitespace() {
        if !normal.is_empty() {
            normal.push(' ');
        }
        fold_word(word, &mut normal);
    }
    normal
}

/// Replaces each quoted string by one `"`. A single quote opens only at a word's start and closes
/// only at a word's end, so apostrophes stay.
fn fold_quotes(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut rest = text;
    let mut previous = ' ';
    // Closing marks that do not occur any more, so that they are searched for only once, not after every opening mark.
    let mut missing = String::new();
    while let Some(c) = rest.chars().next() {
        let after = rest.split_at(c.len_utf8()).1;
        let close = match c {
            '"' => Some('"'),
            '`' => Some('`'),
            '“' => Some('”'),
            '«' => Some('»'),
            '「' => Some('」'),
            '\'' if !previous.is_alphanumeric() => Some('\''),
            _ => None,
        };
        let close = close.filter(|close| !missing.contains(*close));
        let next = close.and_then(|close| skip_quoted(after, close));
        if next.is_none() {
            missing.extend(close);
        }
        match next {
            Some(next) => {
                folded.push('"');
                rest = next;
                previous = '"';
            }
            None => {
                folded.push(c);
                rest = after;
                previous = c;
            }
        }
    }
    folded
}

fn skip_quoted(text: &str, close: char) -> Option<&str> {
    text.match_indices(close).find_map(|(at, _)| {
        let next = text.get(at + close.len_utf8()..)?;
        let closes = close != '\'' || next.chars().next().is_none_or(|c| !c.is_alphanumeric());
        (at > 0 && closes).then_some(next)
    })
}

fn fold_word(word: &str, normal: &mut String) {
    let core = word.trim_matches(|c: char| !c.is_alphanumeric() && !"/\\~.".contains(c));
    if is_path(core) {
        normal.push('/');
    } else if is_hash(core) {
        normal.push('#');
    } else {
        fold_numbers(word, normal);
    }
}

fn is_path(word: &str) -> bool {
    let separators = word.matches(['/', '\\']).count();
    let rooted = word.starts_with('/') || word.starts_with("~/") || word.starts_with("./");
    let extension = word.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && stem.chars().any(char::is_alphabetic)
            && (1..=5).contains(&extension.len())
            && extension.chars().all(|c| c.is_ascii_alphanumeric())
            && extension.chars().any(|c| c.is_ascii_alphabetic())
    });
    (rooted && word.len() > 1) || separators >= 2 || extension
}

fn is_hash(word: &str) -> bool {
    word.len() >= 7
        && word.bytes().all(|byte| byte.is_ascii_hexdigit())
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers() {
        assert_eq!(
            take_marker("<gstack-qid:ship-todos-create> No TODOS.md found."),
            (
                Some("ship-todos-create".into()),
                "No TODOS.md found.".into()
            )
        );
        for text in [
            "<gstack-qid:Bad>",
            "<gstack-qid:>",
            "<plantune:../../x>",
            "a < b",
            "<plantune:a",
            // A quoted marker, or one inside the text, is not the asker's.
            "a <plantune:b-1> c",
            "`<plantune:b-1>` c",
            "\"<plantune:b-1> c\"",
            "<plan<plantune:a>tune:b> x",
        ] {
            assert_eq!(take_marker(text), (None, text.into()));
        }
        let marker = |length| format!(" <gstack-qid:{}>é", "a".repeat(length));
        assert_eq!(take_marker(&marker(64)), (Some("a".repeat(64)), "é".into()));
        assert_eq!(take_marker(&marker(65)).0, None);
        let contradicted = |text| take_markers(text).1;
        assert!(contradicted("<plantune:a> <gstack-qid:b> x"));
        assert!(contradicted("<plantune:a> x <plantune:b>"));
        assert!(!contradicted("<plantune:a><gstack-qid:a> x <plantune:b> y"));
        // Some askers put it after the text.
        for text in [
            "Proceed?\n\n<gstack-qid:plan-exit>",
            "Proceed? <gstack-qid:plan-exit> ",
        ] {
            let found = (Some("plan-exit".to_owned()), "Proceed?".to_owned());
            assert_eq!(take_marker(text), found);
        }
        for text in [
            "Is it `<plantune:a>`",
            "Is it x<plantune:a>",
            "a\"<plantune:a>\"",
        ] {
            assert_eq!(take_marker(text).0, None, "{text}");
        }
    }

    #[test]
    fn variable_parts_are_folded() {
        assert_eq!(
            normalise("Plan ready at `plans/a.md`. There's 12 of  \"X\" in src/main.rs, abc1234f?"),
            "plan ready at \". there's # of \" in / #"
        );
        assert_eq!(
            normalise("Retry 1.5 or 2,000 times (v2)?"),
            "retry # or # times (v#)?"
        );
    }

    #[test]
    fn long_texts_take_linear_time() {
        // Searching after each of these for a missing mark would take quadratic time.
        let times = 1 << 18;
        assert_eq!(normalise(&"“".repeat(times)), "“".repeat(times));
        assert_eq!(normalise(&" 'a".repeat(times)).len(), 3 * times - 1);
        assert_eq!(take_marker(&"<plantune:a>".repeat(times)).1, "");
        assert_eq!(take_marker(&">".repeat(times)).0, None);
    }

    fn owned(labels: &[&str]) -> Vec<String> {
        labels.iter().map(|&label| label.to_owned()).collect()
    }

    #[test]
    fn specific_options_are_the_question() {
        let areas = owned(&["Next area (Recommended)", "more questions"]);
        let (key, source) = key_of("Is the login fine?", &areas);
        assert_eq!(source, KeySource::Options);
        assert!(is_id(&key) && is_made_up(&key));
        let others = owned(&["More questions", "Next area"]);
        assert_eq!(key_of("What about search?", &others).0, key);
        let other = owned(&["More questions", "Next file"]);
        assert_ne!(key_of("Is the login fine?", &other).0, key);
    }

    #[test]
    fn general_options_need_the_sentences_that_ask() {
        let yes = owned(&["Yes (Recommended)", "No"]);
        let (key, source) = key_of("The cart has 3 files. Run the tests?", &yes);
        assert_eq!(source, KeySource::Text);
        for same in [
            "Run the tests?",
            "The search works. Run the tests?",
            "run tests?",
        ] {
            assert_eq!(key_of(same, &owned(&["no", "Yes"])).0, key, "{same}");
        }
        for (other, options) in [
            ("Run the linter?", &yes),
            ("Run the tests?", &owned(&["Yes", "No", "Later"])),
        ] {
            assert_ne!(key_of(other, options).0, key, "{other}");
        }
    }

    #[test]
    fn keys_are_frozen() {
        // Preferences are stored under these keys: if this fails, none of them is found.
        let areas = owned(&["More questions", "Next area"]);
        assert_eq!(key_of("", &areas).0, "opt-41c614138602d8f3");
        assert_eq!(
            key_of("Run the tests?", &owned(&["Yes", "No"])).0,
            "txt-b614aa147201453f"
        );
    }

    #[test]
    fn options_that_say_what_is_asked() {
        let is_specific = |labels: &[&str]| is_specific(&option_set(&owned(labels)));
        for labels in [
            &["More questions", "Next area"][..],
            &["Format draft (Recommended)", "Leave draft alone"],
            &[
                "Open plan in editor",
                "Run /plan_review",
                "Simplify",
                "Start /workflows:work",
            ],
            &["Pre-built binaries", "Build from source"],
            &["Grid", "List"],
            &["Commit the files", "Later"],
        ] {
            assert!(is_specific(labels), "{labels:?}");
        }
        for labels in [
            &["Yes", "No"][..],
            &["Yes, go ahead", "No, cancel", "Something else"],
            &["Option 1", "Option 2"],
            &["Fix `a.rs` first", "Fix `b.rs` first"],
            &["승인", "수정 필요"],
            &["Minimal", "Full", "Custom"],
            &[],
        ] {
            assert!(!is_specific(labels), "{labels:?}");
        }
    }
}
