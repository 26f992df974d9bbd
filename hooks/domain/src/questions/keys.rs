//! Keys: the identity of a question over time.

use crate::named::named_enum;
use crate::recommended::{fold_numbers, option_text};
use crate::{family, hash};

named_enum! {
    /// How a question's key was found.
    pub enum KeySource {
        /// A marker in the text.
        Marker = "marker",
        /// A rule of the registry.
        Registry = "registry",
        /// The fingerprint of header, text and options.
        Fingerprint = "fingerprint",
        /// A family that the person has decided about.
        Family = "family",
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
pub fn take_markers(text: &str) -> (Option<String>, bool, String) {
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

/// The prefix of the key of an unmarked question.
const FINGERPRINT: &str = "fp-";

/// True for a key that plantune computed from the question, which means nothing to a person.
pub fn is_made_up(key: &str) -> bool {
    key.starts_with(family::PREFIX) || key.starts_with(FINGERPRINT)
}

/// The text that a person types for the question `key`: the key if it is readable, otherwise the `name`.
pub fn typed<'a>(key: &'a str, name: &'a str) -> &'a str {
    match is_made_up(key) && !name.trim().is_empty() {
        true => name,
        false => key,
    }
}

/// The key of a question without marker or registry rule: `fp-` and 16 hexadecimal digits over
/// the normalised header, text and sorted option labels.
pub fn fingerprint(header: Option<&str>, text: &str, options: &[String]) -> String {
    let header = normalise(header.unwrap_or_default());
    let text = normalise(text);
    let options = option_set(options);
    let mut parts = vec!["fingerprint", header.as_str(), text.as_str()];
    parts.extend(options.iter().map(String::as_str));
    let digits: String = hash::hex(&parts).chars().take(16).collect();
    format!("{FINGERPRINT}{digits}")
}

/// The normalised option labels, sorted. The same choices give the same set in any order and letter case, and with any
/// option recommended.
pub fn option_set(options: &[String]) -> Vec<String> {
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

    #[test]
    fn fingerprints_ignore_marks_and_order() {
        let one = ["Yes (Recommended)".to_owned(), "No".to_owned()];
        let other = ["no".to_owned(), "Yes".to_owned()];
        let key = fingerprint(Some("Commit"), "Commit 3 files?", &one);
        assert_eq!(key, fingerprint(Some("commit "), "commit 4 files?", &other));
        assert_ne!(key, fingerprint(Some("Scope"), "Commit 3 files?", &one));
        assert_eq!(key.len(), 19);
        assert!(is_id(&key));
    }
}
