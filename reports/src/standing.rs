//! How preferences stand, in words and as rows of a report.

use chrono::NaiveDate;
use plantune_domain::keys::typed;
use plantune_query::standing::{Standing, State};
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
    /// The command that settles it, when something is to be settled.
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
        State::Standing => "automatic",
        State::UnderReview => "under review",
        State::Drifted => "drifted",
        State::DueForRenewal => "due for renewal",
        State::OnTrial => "trial",
        State::TrialHeld => "trial held",
        State::TrialEnded => "trial ended",
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

/// What the person should know and can do; `None` for a preference that nothing speaks against.
pub fn note(preference: &StandingPreference) -> Option<String> {
    let standing = &preference.standing;
    let label = |label: &Option<String>| one_line(label.as_deref().unwrap_or("?"), SHOWN);
    let both = format!(
        "it would have answered \"{}\", you chose \"{}\"",
        label(&standing.would_answer),
        label(&standing.chosen_instead)
    );
    let differed = standing.spot_checks - standing.agreed.min(standing.spot_checks);
    let n = format!("{differed} of {} differed", standing.spot_checks);
    let what = match standing.state {
        State::Standing | State::OnTrial => return None,
        State::TrialHeld => format!(
            "{} of {} checks agreed, so it can become automatic",
            standing.agreed, standing.spot_checks
        ),
        State::TrialEnded => {
            format!("in a check {both} ({n}), so you are asked every time now")
        }
        State::UnderReview => format!("in a spot check {both} ({n})"),
        State::Drifted => {
            format!("in spot checks {both} ({n}), so you are asked every time now")
        }
        State::DueForRenewal => match (standing.last_confirmed, standing.last_used) {
            (None, _) => "when it was set is not known".to_owned(),
            (Some(confirmed), None) => {
                format!("not confirmed since {}, and not used", said(confirmed))
            }
            (Some(confirmed), Some(used)) => {
                format!(
                    "not confirmed since {}, last used on {}",
                    said(confirmed),
                    said(used)
                )
            }
        },
    };
    let key = one_line(typed(&preference.question_key, &preference.name), SHOWN);
    let state = state_in_words(standing.state);
    let doing = match standing.state {
        State::DueForRenewal => "If it is still right",
        State::TrialHeld => "To make it automatic",
        _ => "To take it back",
    };
    Some(match &preference.remedy {
        Some(remedy) => format!("{key}, {state}: {what}. {doing}: `{remedy}`"),
        None => format!("{key}, {state}: {what}."),
    })
}

/// A day as a person says it, seen from any other.
fn said(day: NaiveDate) -> String {
    day.format("%-d %b %Y").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preference(state: State) -> StandingPreference {
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
                would_answer: Some("Grid".to_owned()),
                chosen_instead: Some("Li\u{1b}[31mst".to_owned()),
                checks: Vec::new(),
            },
            remedy: Some("plantune prefs clear layout --project p".to_owned()),
        }
    }

    #[test]
    fn what_differs_is_shown_with_both_answers_and_n() {
        assert_eq!(note(&preference(State::Standing)), None);
        assert_eq!(
            note(&preference(State::UnderReview)).unwrap(),
            "layout, under review: in a spot check it would have answered \"Grid\", you chose \
             \"List\" (1 of 3 differed). To take it back: `plantune prefs clear layout \
             --project p`"
        );
        let due = note(&preference(State::DueForRenewal)).unwrap();
        assert!(due.contains("not confirmed since 1 Aug 2026, and not used. If it is still right"));
        assert_eq!(note(&preference(State::OnTrial)), None);
        let held = note(&preference(State::TrialHeld)).unwrap();
        assert!(
            held.contains("2 of 3 checks agreed, so it can become automatic. To make it automatic")
        );
        let ended = note(&preference(State::TrialEnded)).unwrap();
        assert!(ended.contains("in a check it would have answered \"Grid\", you chose"));
        let standing = preference(State::Drifted).standing;
        assert_eq!(
            record_in_words(&standing),
            "answered 12 times; 2 of 3 spot checks agreed"
        );
    }
}
