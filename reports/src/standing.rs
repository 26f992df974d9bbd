//! How preferences stand, in words and as rows of a report.

use std::cmp::Reverse;

use chrono::NaiveDate;
use plantune_domain::keys::typed;
use plantune_domain::state::{Cause, ON_AFTER, State};
use plantune_query::standing::{New, Standing};
use serde::Serialize;

use crate::decisions::difference_in_words;
use crate::inert::one_line;

/// How many of what was new is shown.
const MOST_NEW: usize = 3;

/// How much of a label or key is shown, in characters.
const SHOWN: usize = 60;

/// A preference as its file has it.
#[derive(Clone, Debug, Serialize)]
pub struct Stored {
    /// Its question key.
    pub question_key: String,
    /// What its question is called.
    pub name: String,
    /// Its policy.
    pub preference: &'static str,
    /// `trial` or `standing`, of one that answers.
    pub level: Option<&'static str>,
    /// `note` or `first`, of one that assists.
    pub assist: Option<&'static str>,
    /// The pinned label; `None` for the recommended one.
    pub answer: Option<String>,
    /// `project` or `global`.
    pub scope: &'static str,
    /// The project; `None` everywhere.
    pub project: Option<String>,
    /// A question that it was given for.
    pub question: Option<String>,
    /// How it stands, of one that answers and of which no more is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// When it was set (RFC 3339), if its file says so.
    pub set_at: Option<String>,
    /// What set it, if its file says so.
    pub set_by: Option<String>,
    /// The evidence when it was set.
    pub evidence: Option<serde_json::Value>,
    /// Why the hook does not obey it, if it does not.
    pub inert: Option<String>,
    /// What it does, in words.
    #[serde(skip)]
    pub does: String,
    /// When it was set and by what, in words.
    #[serde(skip)]
    pub set: String,
    /// How it stands and why it is not obeyed, in words.
    #[serde(skip)]
    pub remarks: Vec<String>,
}

/// One preference and how it stands. Serialised, it is an entry of `report --json`
/// (docs/json.md): its fields stay.
#[derive(Clone, Debug, Serialize)]
pub struct StandingPreference {
    /// The question.
    pub question_key: String,
    /// What it is called.
    pub name: String,
    /// `never-ask` or `ask-only-for-one-way`.
    pub preference: &'static str,
    /// `trial` or `standing`.
    pub level: &'static str,
    /// The pinned label; `None` for the recommended one.
    pub answer: Option<String>,
    /// `project` or `global`.
    pub scope: &'static str,
    /// The project; `None` everywhere.
    pub project: Option<String>,
    /// When it was set (RFC 3339), if its file says so.
    pub set_at: Option<String>,
    /// What became of it since.
    #[serde(flatten)]
    pub standing: Standing,
    /// The command that removes it, of one that is stopped.
    pub remedy: Option<String>,
}

impl StandingPreference {
    /// True for that of `key` in `project`, or everywhere.
    pub fn is_of(&self, key: &str, project: Option<&str>) -> bool {
        self.question_key == key && self.project.as_deref() == project
    }
}

/// The state as a word or two.
pub fn state_in_words(state: State) -> &'static str {
    match state {
        State::OnTrial => "on trial",
        State::On => "on",
        State::Stopped => "stopped",
    }
}

/// How a preference stands, since when, and why: `stopped since 3 Nov 2026: …`.
pub fn since_in_words(standing: &Standing) -> String {
    let state = state_in_words(standing.state);
    let since = since(standing).map_or_else(String::new, |day| format!(" since {day}"));
    format!("{state}{since}: {}", reason_in_words(standing))
}

/// The day since which a preference stands as it does, as a person says it.
pub fn since(standing: &Standing) -> Option<String> {
    standing.since.map(said)
}

/// Why a preference stands as it does, in words.
pub fn reason_in_words(standing: &Standing) -> String {
    let both = standing
        .would_answer
        .as_ref()
        .zip(standing.chosen_instead.as_ref());
    let both = both.map_or_else(String::new, |(would, chosen)| {
        format!(
            ": it would have answered \"{}\", you chose \"{}\"",
            one_line(would, SHOWN),
            one_line(chosen, SHOWN)
        )
    });
    match (standing.reason, standing.state) {
        (Cause::Set, State::OnTrial) => {
            format!("{} of {ON_AFTER} checks agreed so far", standing.agreed)
        }
        (Cause::Set, _) => "you set it so".to_owned(),
        (Cause::TrialAgreed, _) => format!("{ON_AFTER} checks of its trial agreed"),
        (Cause::TrialDisagreed, _) => format!("a check of its trial disagreed{both}"),
        (Cause::TwoDisagreed, _) => format!("two checks disagreed{both}"),
    }
}

/// What the preference did and how often it was checked, with every n:
/// `answered 12 times; 2 of 3 spot checks agreed`.
pub fn record_in_words(standing: &Standing) -> String {
    let answered = match standing.decided {
        0 => "answered nothing yet".to_owned(),
        1 => "answered once".to_owned(),
        times => format!("answered {times} times"),
    };
    match standing.spot_checks {
        0 => format!("{answered}; no spot check yet"),
        1 => format!("{answered}; {} of 1 spot check agreed", standing.agreed),
        checks => format!(
            "{answered}; {} of {checks} spot checks agreed",
            standing.agreed
        ),
    }
}

/// What was new in questions that `preference` left to the person since it was set, the most frequent first; `None`
/// where nothing was.
pub fn asked_as_new(preference: &StandingPreference) -> Option<String> {
    let mut new: Vec<&New> = preference.standing.asked_as_new.iter().collect();
    new.sort_by_key(|new| Reverse(new.times));
    let label = preference.answer.as_deref();
    let words = new.iter().filter_map(|new| {
        let words = difference_in_words(&new.reason, label)?;
        Some(match new.times {
            1 => words,
            times => format!("{words} ({times} times)"),
        })
    });
    let words: Vec<String> = words.take(MOST_NEW).collect();
    let key = one_line(typed(&preference.question_key, &preference.name), SHOWN);
    (!words.is_empty()).then(|| format!("{key} was asked all the same: {}.", words.join("; ")))
}

/// What the person should know and can do: of a preference that is stopped.
pub fn note(preference: &StandingPreference) -> Option<String> {
    let remedy = preference.remedy.as_ref()?;
    let key = one_line(typed(&preference.question_key, &preference.name), SHOWN);
    let stands = since_in_words(&preference.standing);
    Some(format!(
        "{key}, {stands}. You are asked every time. To take it back: `{remedy}`"
    ))
}

/// A day as a person says it, seen from any other.
fn said(day: NaiveDate) -> String {
    day.format("%-d %b %Y").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preference(state: State, reason: Cause) -> StandingPreference {
        StandingPreference {
            question_key: "layout".to_owned(),
            name: "Which layout?".to_owned(),
            preference: "never-ask",
            level: "standing",
            answer: Some("Grid".to_owned()),
            scope: "project",
            project: Some("p".to_owned()),
            set_at: None,
            standing: Standing {
                decided: 12,
                spot_checks: 3,
                agreed: 2,
                last_confirmed: "2026-08-01".parse().ok(),
                last_used: None,
                state,
                since: "2026-08-01".parse().ok(),
                reason,
                would_answer: Some("Grid".to_owned()),
                chosen_instead: Some("Li\u{1b}[31mst".to_owned()),
                checks: Vec::new(),
                asked_as_new: vec![
                    New {
                        reason: "text_differs".to_owned(),
                        times: 1,
                    },
                    New {
                        reason: "new_in_description: public".to_owned(),
                        times: 2,
                    },
                ],
            },
            remedy: Some("plantune prefs clear layout --project p".to_owned()),
        }
    }

    #[test]
    fn a_state_says_since_when_and_why() {
        let words = |state, reason| since_in_words(&preference(state, reason).standing);
        for (state, reason, expected) in [
            (
                State::OnTrial,
                Cause::Set,
                "on trial since 1 Aug 2026: 2 of 8 checks agreed so far",
            ),
            (State::On, Cause::Set, "on since 1 Aug 2026: you set it so"),
            (
                State::On,
                Cause::TrialAgreed,
                "on since 1 Aug 2026: 8 checks of its trial agreed",
            ),
            (
                State::Stopped,
                Cause::TrialDisagreed,
                "stopped since 1 Aug 2026: a check of its trial disagreed: it would have answered \"Grid\", you chose \"List\"",
            ),
        ] {
            assert_eq!(words(state, reason), expected);
        }
        let mut on = preference(State::On, Cause::Set);
        on.standing.since = None;
        assert_eq!(since_in_words(&on.standing), "on: you set it so");
        on.remedy = None;
        assert_eq!(note(&on), None);
        assert_eq!(
            asked_as_new(&on).unwrap(),
            "layout was asked all the same: \"public\" is new in what \"Grid\" does (2 times); its text is none that \
             you have seen."
        );
        on.standing.asked_as_new.clear();
        assert_eq!(asked_as_new(&on), None);
        assert_eq!(
            note(&preference(State::Stopped, Cause::TwoDisagreed)).unwrap(),
            "layout, stopped since 1 Aug 2026: two checks disagreed: it would have answered \
             \"Grid\", you chose \"List\". You are asked every time. To take it back: `plantune prefs clear layout \
             --project p`"
        );
        assert_eq!(
            record_in_words(&on.standing),
            "answered 12 times; 2 of 3 spot checks agreed"
        );
    }
}
