//! How preferences stand, in words and as rows of a report.

use chrono::NaiveDate;
use plantune_domain::state::{Cause, ON_AFTER, State};
use plantune_query::families::typed;
use plantune_query::standing::Standing;
use serde::Serialize;

use crate::inert::one_line;

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
    let label = |label: &Option<String>| one_line(label.as_deref().unwrap_or("?"), SHOWN);
    let both = format!(
        "it would have answered \"{}\", you chose \"{}\"",
        label(&standing.would_answer),
        label(&standing.chosen_instead)
    );
    match (standing.reason, standing.state) {
        (Cause::Set, State::OnTrial) => {
            format!("{} of {ON_AFTER} checks agreed so far", standing.agreed)
        }
        (Cause::Set, _) => "you set it so".to_owned(),
        (Cause::TrialAgreed, _) => format!("{ON_AFTER} checks of its trial agreed"),
        (Cause::TrialDisagreed, _) => format!("in a check of its trial {both}"),
        (Cause::TwoDisagreed, _) => format!("two checks disagreed; in the last one {both}"),
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
                "stopped since 1 Aug 2026: in a check of its trial it would have answered \"Grid\", you chose \"List\"",
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
            note(&preference(State::Stopped, Cause::TwoDisagreed)).unwrap(),
            "layout, stopped since 1 Aug 2026: two checks disagreed; in the last one it would have answered \
             \"Grid\", you chose \"List\". You are asked every time. To take it back: `plantune prefs clear layout \
             --project p`"
        );
        assert_eq!(
            record_in_words(&on.standing),
            "answered 12 times; 2 of 3 spot checks agreed"
        );
    }
}
