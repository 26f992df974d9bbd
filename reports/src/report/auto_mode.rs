//! The entries of `autoMode` in the settings of Claude Code that would have allowed what the person allowed by hand, to be
//! read and copied. Nothing writes them.

use plantune_domain::permissions::Reach;
use plantune_query::permissions::auto_mode::{AutoModeEntry, AutoModeList, Denied};
use serde_json::{Map, json};

use crate::prompts::{SHOWN, reach_in_words};
use crate::text::one_line;

/// What the classifier's lists are, and where they are read from (see [`AutoModeEntry`]).
pub(super) const EXPLANATION: &str = "You allowed by hand what auto mode had denied. These lines would have \
    allowed it, except for what the classifier always blocks. Claude Code reads them from your own settings (~/.claude/settings.json), never from a project's; \
    \"$defaults\" keeps its built-in entries. plantune does not write them.";

/// The entry that keeps the built-in ones of a list.
const DEFAULTS: &str = "$defaults";

/// The sentences for `denied`, as JSON that can stand in the settings; `None` without any.
pub(super) fn settings(denied: &[Denied]) -> Option<String> {
    let mut lists = Map::new();
    for list in [AutoModeList::Allow, AutoModeList::Environment] {
        let of_list = |entry: &&AutoModeEntry| entry.list == list;
        let sentences = denied.iter().filter_map(|one| one.entry.as_ref());
        let mut sentences: Vec<&str> = sentences
            .filter(of_list)
            .map(|entry| &*entry.sentence)
            .collect();
        if sentences.is_empty() {
            continue;
        }
        sentences.insert(0, DEFAULTS);
        lists.insert(list.name().to_owned(), json!(sentences));
    }
    (!lists.is_empty()).then(|| format!("{:#}", json!({ "autoMode": lists })))
}

/// A warning for each sentence about something that may do harm; `safe` makes a text from outside safe.
pub(super) fn warnings(denied: &[Denied], safe: fn(&str) -> String) -> Vec<String> {
    let goes_far = |one: &&Denied| {
        let known = matches!(one.reach, Some(Reach::Reads | Reach::Project));
        one.entry.is_some() && !known
    };
    let warning = |one: &Denied| {
        format!(
            "{} {}. Copy its line only if it may always run unasked.",
            safe(&one_line(&one.subject, SHOWN)),
            reach_in_words(one.reach)
        )
    };
    denied.iter().filter(goes_far).map(warning).collect()
}

/// That these were denied again and again, where the person decided nothing about them.
pub(super) fn undecided(denied: &[Denied], safe: fn(&str) -> String) -> Vec<String> {
    let undecided = denied.iter().filter(|one| one.is_undecided());
    let sentence = |one: &Denied| {
        format!(
            "{} was denied {} times, and you never decided about it.",
            safe(&one_line(&one.subject, SHOWN)),
            one.denied
        )
    };
    undecided.map(sentence).collect()
}
