//! What happened to a prompt, in words.

use plantune_domain::permissions::Reach;
use plantune_query::permissions::near_miss::NearMiss;
use plantune_query::permissions::prompts::Prompt;

use crate::amount::duration;
use crate::inert::one_line;

/// How much of a subject, an input or a project is shown, in columns: enough to be copied.
pub(crate) const SHOWN: usize = 200;

/// How much of what was typed is shown in a sentence, in columns.
const SHOWN_WORDS: usize = 200;

/// How far calls reach, in a word or two; `–` when no event says.
pub fn reach_in_short(reach: Option<Reach>) -> &'static str {
    match reach {
        Some(Reach::Reads) => "reads",
        Some(Reach::Project) => "project",
        Some(Reach::Unknown) => "not known",
        Some(Reach::Beyond) => "beyond",
        None => "–",
    }
}

/// How far calls reach, as it follows "it".
pub fn reach_in_words(reach: Option<Reach>) -> &'static str {
    match reach {
        Some(Reach::Reads) => "reads, tests or builds",
        Some(Reach::Project) => "changes the project",
        Some(Reach::Unknown) => "does what plantune does not know",
        Some(Reach::Beyond) => "leaves the project or cannot be taken back",
        None => "reaches nobody knows how far: no event says",
    }
}

/// How a prompt was decided, in a word or two.
pub fn outcome(prompt: &Prompt) -> &'static str {
    let (grant, reason) = (prompt.grant.as_deref(), prompt.reason.as_deref());
    match (prompt.outcome.as_str(), grant, reason) {
        ("granted", Some("always"), _) => "allowed, always",
        ("granted", Some("session"), _) => "allowed, session",
        ("granted", ..) => "allowed",
        ("refused", _, Some("nobody")) => "nobody there",
        ("refused", ..) => "refused",
        ("ambiguous", ..) => "unclear",
        _ => "open",
    }
}

/// How a prompt was decided, in a sentence without its end.
pub fn what_happened(prompt: &Prompt) -> String {
    let waited = prompt.waited_seconds.map_or_else(String::new, |seconds| {
        format!(" after {}", duration(seconds))
    });
    let (how, then) = match prompt.grant.as_deref() {
        Some("once") => (" once", ""),
        Some("session") => (" for the session", ""),
        Some("always") => ("", ", not to be asked again"),
        _ => ("", ""),
    };
    let decided = match (prompt.outcome.as_str(), prompt.reason.as_deref()) {
        ("granted", _) => format!("you allowed it{how}{waited}{then}"),
        ("refused", Some("nobody")) => "refused, because nobody was there to ask".to_owned(),
        ("refused", _) => format!("you refused it{waited}{}", typed(prompt)),
        ("ambiguous", _) => {
            format!("decided{waited}; which way cannot be known: identical calls at once")
        }
        _ => "no decision is known".to_owned(),
    };
    match prompt.asked_again_after.as_deref() {
        Some("session") => format!("{decided}; you had allowed it for the session before"),
        Some(_) => format!("{decided}; you had said not to ask again before"),
        None => decided,
    }
}

/// Why a rule that seems to cover a prompt does not, and what would, in a sentence.
pub fn although_in_words(one: &NearMiss) -> String {
    match one.rules.as_slice() {
        [] => format!("{}.", one.why),
        rules => format!("{}. It would take {}.", one.why, rules.join(" and ")),
    }
}

fn typed(prompt: &Prompt) -> String {
    let words = prompt.free_text.as_deref();
    words.map_or_else(String::new, |words| {
        format!(": \"{}\"", one_line(words, SHOWN_WORDS))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_in_words() {
        let prompt = |outcome: &str, grant: Option<&str>, reason: Option<&str>| Prompt {
            outcome: outcome.to_owned(),
            grant: grant.map(str::to_owned),
            reason: reason.map(str::to_owned),
            waited_seconds: Some(65.0),
            free_text: (reason == Some("feedback")).then(|| "no\u{1b}[31m\nnever".to_owned()),
            ..Prompt::default()
        };
        for (shown, short, long) in [
            (
                prompt("granted", Some("once"), None),
                "allowed",
                "you allowed it once after 1 min 05 s",
            ),
            (
                prompt("granted", Some("always"), None),
                "allowed, always",
                "you allowed it after 1 min 05 s, not to be asked again",
            ),
            (
                prompt("refused", None, Some("feedback")),
                "refused",
                "you refused it after 1 min 05 s: \"no never\"",
            ),
            (
                prompt("refused", None, Some("nobody")),
                "nobody there",
                "refused, because nobody was there to ask",
            ),
            (prompt("open", None, None), "open", "no decision is known"),
        ] {
            assert_eq!(
                (outcome(&shown), what_happened(&shown).as_str()),
                (short, long)
            );
        }
        let again = Prompt {
            asked_again_after: Some("session".to_owned()),
            ..prompt("granted", Some("session"), None)
        };
        assert_eq!(
            what_happened(&again),
            "you allowed it for the session after 1 min 05 s; you had allowed it for the session before"
        );
    }
}
