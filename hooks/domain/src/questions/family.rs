//! Families: questions whose texts follow one pattern and whose options stay the same.
//!
//! A family's key identifies its option set, and its template if the set alone is too common (yes or no, go on or
//! stop). A preference for a family contains the template's words. It applies to a question only if the options are the
//! same and its text has all these words, in order.

use crate::hash;
use crate::keys::{normalise, option_set};

/// The prefix of every family's key.
pub const PREFIX: &str = "fam-";

/// The length of a key for an option set without a template.
const SET_KEY: usize = 20;

/// The key of the family of all questions with these options: `fam-` and 16 hexadecimal digits over
/// [`option_set`]. The keys of its templates begin with it.
pub fn set_key(options: &[String]) -> String {
    key_of(option_set(options).iter())
}

/// The key of the families of a sorted set of normalised labels.
fn key_of<'a>(set: impl Iterator<Item = &'a String>) -> String {
    let mut parts = vec!["family"];
    parts.extend(set.map(String::as_str));
    let mut key = hash::hex(&parts);
    key.truncate(SET_KEY - PREFIX.len());
    key.insert_str(0, PREFIX);
    key
}

/// The key of the questions of the option set `set` with the words of `template`: the set's key, `-`, and eight
/// hexadecimal digits.
pub fn template_key(set: &str, template: &[String]) -> String {
    let parts: Vec<&str> = template.iter().map(String::as_str).collect();
    let mut digits = hash::hex(&parts);
    digits.truncate(8);
    [set, "-", &digits].concat()
}

/// True for the key of a whole option set, which is also the prefix of its templates' keys.
pub(crate) fn is_set_key(key: &str) -> bool {
    key.len() == SET_KEY && key.starts_with(PREFIX)
}

/// True when `key` is `wanted`, or the key of a template of the option set `wanted`.
pub fn is_named(key: &str, wanted: &str) -> bool {
    key.strip_prefix(wanted)
        .is_some_and(|rest| rest.is_empty() || (rest.starts_with('-') && is_set_key(wanted)))
}

/// The words of `text`, normalised: lower case, without punctuation and without parts that vary each time (quoted
/// strings, paths, numbers).
pub fn words(text: &str) -> Vec<String> {
    normalise(text)
        .split(' ')
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The asking part of `text`: from its last paragraph with a question mark on, if there are paragraphs of context
/// before it; otherwise its last paragraph, or all of it.
pub fn asking_part(text: &str) -> &str {
    const FEWEST_WORDS: usize = 2;
    // Without a question mark, the last paragraph must have enough words.
    const FEWEST_UNMARKED: usize = 6;
    let mut at = 0;
    let mut asking = text;
    if !text.contains('?')
        && let Some((_, last)) = text.trim_end().rsplit_once("\n\n")
        && words(last).len() >= FEWEST_UNMARKED
    {
        return last.trim_start();
    }
    while let Some(gap) = text.get(at..).and_then(|rest| rest.find("\n\n")) {
        at += gap + 2;
        let rest = text.get(at..).unwrap_or_default();
        let paragraph = rest.split("\n\n").next().unwrap_or_default();
        if paragraph.contains('?') && words(paragraph).len() >= FEWEST_WORDS {
            asking = rest.trim_start();
        }
    }
    asking
}

/// True if `text` contains all words of `template`, in order.
pub fn fits(template: &[String], text: &str) -> bool {
    let words = words(text);
    let mut rest = words.iter();
    template.iter().all(|word| rest.any(|other| other == word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::is_id;

    fn owned(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn keys_name_the_option_set_and_the_template() {
        let key = set_key(&owned(&["Next area (Recommended)", "more questions"]));
        assert_eq!(key, set_key(&owned(&["More questions", "Next area"])));
        assert_ne!(key, set_key(&owned(&["More questions", "Next"])));
        assert!(is_id(&key) && is_set_key(&key));
        let of_template = template_key(&key, &owned(&["run", "linter"]));
        assert!(is_id(&of_template) && !is_set_key(&of_template));
        assert!(is_named(&of_template, &key) && is_named(&key, &key));
        assert!(!is_named(&key, &of_template) && !is_named("fam-1", "fam-"));
        assert!(!is_named("next-area", "next"));
    }

    #[test]
    fn keys_are_frozen() {
        // Preferences are stored under these keys: if this fails, none of them is found.
        let key = set_key(&owned(&["More questions", "Next area"]));
        assert_eq!(key, "fam-e3aa205c73c057f4");
        assert_eq!(
            template_key(&key, &owned(&["next"])),
            "fam-e3aa205c73c057f4-161ebef5"
        );
    }

    #[test]
    fn context_in_front_is_no_part_of_what_asks() {
        for (text, asking) in [
            ("Proceed?", "Proceed?"),
            ("Is it so?\n\nWe looked.", "Is it so?\n\nWe looked."),
            (
                "On main.\n\nA is quick.\n\nWhich version bump?",
                "Which version bump?",
            ),
            (
                "Ready?\n\nWhich area next?\n\nA: one",
                "Which area next?\n\nA: one",
            ),
            ("Bump the version.\n\nOK?", "Bump the version.\n\nOK?"),
            (
                "We are on main.\n\nThe notes differ from what was planned.",
                "The notes differ from what was planned.",
            ),
            (
                "We are on main.\n\nPick one.",
                "We are on main.\n\nPick one.",
            ),
        ] {
            assert_eq!(asking_part(text), asking);
        }
    }

    #[test]
    fn template_words_must_stand_in_order() {
        let template = owned(&["shall", "i", "format", "the", "draft"]);
        assert!(fits(&template, "billing: shall I format the draft?"));
        assert!(fits(&template, "Shall I now format  the `x` draft of 3?"));
        assert!(!fits(&template, "the draft: shall I format it?"));
        assert!(!fits(&template, "shall I format the drafts?"));
        assert!(fits(&[], "anything"));
    }
}
