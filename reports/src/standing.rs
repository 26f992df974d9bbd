//! Preferences in words: what they answer, at which level, and how they stand.

use std::cmp::Reverse;

use chrono::NaiveDate;
use plantune_agents::{Agent, claude_code, of_tool};
use plantune_domain::agreement::agreement::{Agreement, NoveltyKind};
use plantune_domain::keys::{KeySource, typed};
use plantune_domain::preferences::{Level, Policy, Preference, Scope};
use plantune_domain::recommended::option_text;
use plantune_domain::state::{Cause, ON_AFTER, State};
use plantune_query::standing::{NoveltyCount, Standing};
use serde::Serialize;

use crate::text::one_line;

/// How many new parts of questions are shown.
const MOST_NEW: usize = 3;

/// How much of a label or key is shown, in characters.
const SHOWN: usize = 60;

/// A preference as its file has it.
#[derive(Clone, Debug, Serialize)]
pub struct StoredPreference {
    /// Its question key.
    pub question_key: String,
    /// The name of its question.
    pub name: String,
    /// The word to type for it, which no other preference of its scope has.
    #[serde(skip)]
    pub word: String,
    /// Its policy.
    pub preference: Policy,
    /// Its level, of one that answers.
    pub level: Option<Level>,
    /// The pinned label; `None` for the recommended one.
    pub answer: Option<String>,
    /// Where it holds.
    pub scope: Scope,
    /// The project; `None` everywhere.
    pub project: Option<String>,
    /// A question that it was given for.
    pub question: Option<String>,
    /// How it stands, of one that answers; left out where its record is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// When it was set (RFC 3339), if its file says so.
    pub set_at: Option<String>,
    /// The command that set it, if its file names it.
    pub set_by: Option<String>,
    /// The evidence when it was set.
    pub evidence: Option<serde_json::Value>,
    /// Why the hook does not obey it, if it does not.
    pub inert: Option<String>,
    /// Its effect in words.
    #[serde(skip)]
    pub does: String,
    /// When it was set and by what, in words.
    #[serde(skip)]
    pub set: String,
    /// How it stands and why it is not obeyed, in words.
    #[serde(skip)]
    pub remarks: Vec<String>,
}

/// One preference and how it stands. Serialised, it is an entry of `report --json` (docs/json.md), so its fields are
/// frozen.
#[derive(Clone, Debug, Serialize)]
pub struct StandingPreference {
    /// The question.
    pub question_key: String,
    /// Its name.
    pub name: String,
    /// Its policy, which answers.
    pub preference: Policy,
    /// Its level.
    pub level: Level,
    /// The pinned label; `None` for the recommended one.
    pub answer: Option<String>,
    /// Where it holds.
    pub scope: Scope,
    /// The project; `None` everywhere.
    pub project: Option<String>,
    /// When it was set (RFC 3339), if its file says so.
    pub set_at: Option<String>,
    /// Its record since then.
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
pub(crate) fn reason_in_words(standing: &Standing) -> String {
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
    let agreed = format!("{} of {ON_AFTER} checks agreed", standing.counted);
    match (standing.reason, standing.state) {
        (Cause::Set, State::OnTrial) => format!("{agreed} so far"),
        (Cause::Set, _) => "you set it".to_owned(),
        (Cause::TrialAgreed, _) => format!("{ON_AFTER} checks of its trial agreed"),
        (Cause::OneDisagreed, _) => format!("{agreed} since one disagreed{both}"),
        (Cause::TrialDisagreed, _) => format!("a check of its trial disagreed{both}"),
        (Cause::TwoDisagreed, _) => format!("two checks disagreed{both}"),
    }
}

/// How often the preference answered and what its checks said: `answered 12 times; 2 of 3 checks agreed`.
pub fn record_in_words(standing: &Standing) -> String {
    let answered = match standing.decided {
        0 => "no answer yet".to_owned(),
        1 => "answered once".to_owned(),
        times => format!("answered {times} times"),
    };
    match standing.spot_checks {
        0 => format!("{answered}; not checked yet"),
        1 => format!("{answered}; {} of 1 check agreed", standing.agreed),
        checks => format!("{answered}; {} of {checks} checks agreed", standing.agreed),
    }
}

/// What was new in the questions that `preference` left to the person since it was set, the most frequent first; `None` if
/// there were none.
pub fn asked_as_new(preference: &StandingPreference) -> Option<String> {
    let mut new: Vec<&NoveltyCount> = preference.standing.asked_as_new.iter().collect();
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
    (!words.is_empty()).then(|| format!("You were still asked {key}: {}.", words.join("; ")))
}

/// What was new, from the detail that an event has (`new_in_description: public`); `None` if it names no difference.
pub(crate) fn difference_in_words(detail: &str, label: Option<&str>) -> Option<String> {
    let (difference, new) = match detail.split_once(": ") {
        Some((difference, new)) => (difference, Some(format!("\"{}\"", one_line(new, SHOWN)))),
        None => (detail, None),
    };
    let does = match label {
        Some(label) => format!("what \"{}\" does", one_line(label, SHOWN)),
        None => "what the answer does".to_owned(),
    };
    let new_in = |place: &str| match &new {
        Some(word) => format!("{word} is new in {place}"),
        None => format!("something is new in {place}"),
    };
    let named = |words: &str| match &new {
        Some(new) => format!("{words}, {new}"),
        None => words.to_owned(),
    };
    Some(match NoveltyKind::parse(difference)? {
        NoveltyKind::Description => format!("{does} is described in new words"),
        NoveltyKind::Text => "you have not seen this text".to_owned(),
        NoveltyKind::Sign => new_in("it"),
        NoveltyKind::Missing => match &new {
            Some(word) => format!("{word} is missing, which was always there"),
            None => "a word is missing, which was always there".to_owned(),
        },
        NoveltyKind::Number => named("it has a new number"),
        NoveltyKind::Value => named("it has a new value"),
        NoveltyKind::Recommendation => named("another option is recommended"),
        NoveltyKind::Preview => format!("the preview of {does} is new"),
        NoveltyKind::Options => named("its options are different"),
        NoveltyKind::MultiSelect => "it lets you choose several, or no longer does".to_owned(),
        NoveltyKind::Host => "another program asked".to_owned(),
        NoveltyKind::Field => named("it has a field you are not shown"),
        NoveltyKind::NotBound => "the preference does not say which question it is for".to_owned(),
        NoveltyKind::Never => named("its answer can't be undone"),
    })
}

/// The advice to the person about a preference that is stopped.
pub fn note(preference: &StandingPreference) -> Option<String> {
    let remedy = preference.remedy.as_ref()?;
    let key = one_line(typed(&preference.question_key, &preference.name), SHOWN);
    let stands = since_in_words(&preference.standing);
    Some(format!(
        "{key}, {stands}. You are asked every time. To remove it: `{remedy}`"
    ))
}

/// A day as a person writes it.
fn said(day: NaiveDate) -> String {
    day.format("%-d %b %Y").to_string()
}

/// How much of a text is shown, in characters.
const SHOWN_TEXT: usize = 200;

/// How many texts are shown.
const MOST_TEXTS: usize = 3;

/// True if `agreement` covers any question with its options: the question is known by them, and the label does not refer to
/// the text.
fn is_by_options(agreement: &Agreement, key_source: Option<&str>) -> bool {
    !agreement.refers && key_source.and_then(KeySource::parse) == Some(KeySource::Options)
}

fn labels(options: &[String]) -> String {
    let labels = options.iter().map(|label| option_text(label));
    let labels: Vec<String> = labels.map(|label| format!("\"{label}\"")).collect();
    labels.join(", ")
}

/// The questions that `agreement` covers, the latest first: its texts, or any question with the `options` if it is known by
/// them.
pub fn covers(agreement: &Agreement, options: &[String], key_source: Option<&str>) -> Vec<String> {
    if is_by_options(agreement, key_source) {
        let text = format!("any question with the options {}", labels(options));
        return vec![one_line(&text, SHOWN_TEXT)];
    }
    let mut texts: Vec<String> = Vec::new();
    for known in agreement.texts.iter().rev() {
        let text = one_line(&known.text, SHOWN_TEXT);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

/// The questions that `agreement` covers, on one line: the latest text, or any question with the `options`; and how many
/// more texts it covers. `None` if the name of the question says as much, and if it covers none.
pub fn title(
    agreement: &Agreement,
    options: &[String],
    key_source: Option<&str>,
) -> Option<(String, usize)> {
    if is_by_options(agreement, key_source) {
        return Some((format!("any question with {}", labels(options)), 0));
    }
    if !agreement.refers {
        return None;
    }
    let texts = covers(agreement, options, key_source);
    let more = texts.len().saturating_sub(1);
    Some((texts.into_iter().next()?, more))
}

/// The same of `preference`.
pub fn title_of(preference: &Preference) -> Option<(String, usize)> {
    let options = preference.options.as_deref()?;
    title(
        &*preference.agreement()?,
        options,
        preference.key_source.as_deref(),
    )
}

/// True if `preference` covers any question with its options.
pub fn covers_any(preference: &Preference) -> bool {
    let agreement = preference.agreement();
    agreement.is_some_and(|agreement| is_by_options(&agreement, preference.key_source.as_deref()))
}

/// The questions that `preference` answers, as [`covers`] lists them; none if it is not known what it was given for.
pub fn covers_of(preference: &Preference) -> Vec<String> {
    let given_for = preference.agreement().zip(preference.options.as_deref());
    given_for.map_or_else(Vec::new, |(agreement, options)| {
        covers(&agreement, options, preference.key_source.as_deref())
    })
}

/// The questions that `agreement` covers, as a sentence with the texts below it, each indented by two spaces. `asked` is
/// the text that is shown above already and is not repeated.
pub fn holds_for(
    agreement: &Agreement,
    options: &[String],
    key_source: Option<&str>,
    asked: &str,
) -> String {
    let texts = covers(agreement, options, key_source);
    if is_by_options(agreement, key_source) {
        let text = texts.first().map_or("", String::as_str);
        return format!(
            "It covers {text}. If something in a question is new and matters, you are asked."
        );
    }
    let what = match (agreement.takes_others(), texts.len()) {
        _ if !agreement.refers => {
            "It covers this question, however it is worded. If something in it is new and matters, you are asked"
                .to_owned()
        }
        (true, several) => {
            format!(
                "It covers these {several} texts, and others that end in the same question. If something new in them matters, you are asked"
            )
        }
        (false, 1) => "It covers this text only, with other numbers and files".to_owned(),
        (false, several) => {
            format!("It covers these {several} texts only, with other numbers and files")
        }
    };
    let shown: Vec<&String> = texts
        .iter()
        .take(MOST_TEXTS)
        .filter(|text| texts.len() > 1 || *text != asked)
        .collect();
    if shown.is_empty() {
        return format!("{what}.");
    }
    let more = match texts.len().saturating_sub(MOST_TEXTS) {
        0 => String::new(),
        more => format!("\n  and {more} more"),
    };
    let lines: String = shown.iter().map(|text| format!("\n  {text}")).collect();
    format!("{what}:{lines}{more}")
}

/// The questions that `preference` covers, as [`holds_for`] says it; `None` if it is not known what it was given for.
pub fn preference_holds_for(preference: &Preference) -> Option<String> {
    let agreement = preference.agreement()?;
    let asked = one_line(preference.question.as_deref()?, SHOWN_TEXT);
    let holds_for = holds_for(
        &agreement,
        preference.options.as_deref()?,
        preference.key_source.as_deref(),
        &asked,
    );
    Some(match agents_of(preference) {
        agents if agents.is_empty() || agreement.host.as_deref() == Some(claude_code::TOOL) => {
            holds_for
        }
        agents => format!("Only in {agents}. {holds_for}"),
    })
}

/// The agents whose dialogs `preference` was set for; empty if it was for none in particular.
pub fn agents_of(preference: &Preference) -> String {
    let agreement = preference.agreement();
    let host = agreement
        .as_ref()
        .and_then(|agreement| agreement.host.as_deref());
    let tools = host.into_iter().flat_map(|tools| tools.split(' '));
    let titles: Vec<&str> = tools.filter_map(of_tool).map(Agent::title).collect();
    titles.join(" and ")
}

/// The effect of `preference`, in a word or two: `always asked`, `trial` or `automatic`.
pub fn policy_in_words(preference: &Preference) -> &'static str {
    word(preference.preference.as_str(), Some(preference.level()))
}

/// The same by the name of its policy and its level; a name that is no policy stays as it is.
pub fn word(preference: &str, level: Option<Level>) -> &str {
    match (Policy::parse(preference), level) {
        (Some(Policy::AlwaysAsk), _) => "always asked",
        (Some(_), Some(Level::Trial)) => "trial",
        (Some(_), _) => "automatic",
        (None, _) => preference,
    }
}

#[cfg(test)]
mod tests {
    use plantune_domain::agreement::agreement::{Asking, Given};

    use super::*;

    fn preference(state: State, reason: Cause) -> StandingPreference {
        StandingPreference {
            question_key: "layout".to_owned(),
            name: "Which layout?".to_owned(),
            preference: Policy::NeverAsk,
            level: Level::Standing,
            answer: Some("Grid".to_owned()),
            scope: Scope::Project,
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
                counted: 2,
                would_answer: Some("Grid".to_owned()),
                chosen_instead: Some("Li\u{1b}[31mst".to_owned()),
                checks: Vec::new(),
                asked_as_new: vec![
                    NoveltyCount {
                        reason: "text_differs".to_owned(),
                        times: 1,
                    },
                    NoveltyCount {
                        reason: "new_in_description".to_owned(),
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
            (State::On, Cause::Set, "on since 1 Aug 2026: you set it"),
            (
                State::On,
                Cause::TrialAgreed,
                "on since 1 Aug 2026: 8 checks of its trial agreed",
            ),
            (
                State::OnTrial,
                Cause::OneDisagreed,
                "on trial since 1 Aug 2026: 2 of 8 checks agreed since one disagreed: it would have answered \"Grid\", you chose \"List\"",
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
        assert_eq!(since_in_words(&on.standing), "on: you set it");
        on.remedy = None;
        assert_eq!(note(&on), None);
        assert_eq!(
            asked_as_new(&on).unwrap(),
            "You were still asked layout: what \"Grid\" does is described in new words (2 times); you have not \
             seen this text."
        );
        on.standing.asked_as_new.clear();
        assert_eq!(asked_as_new(&on), None);
        assert_eq!(
            note(&preference(State::Stopped, Cause::TwoDisagreed)).unwrap(),
            "layout, stopped since 1 Aug 2026: two checks disagreed: it would have answered \
             \"Grid\", you chose \"List\". You are asked every time. To remove it: `plantune prefs clear layout \
             --project p`"
        );
        assert_eq!(
            record_in_words(&on.standing),
            "answered 12 times; 2 of 3 checks agreed"
        );
    }

    /// The agreement to answer each of `texts` with the first of `options`.
    fn agreed(texts: &[&str], options: &[String]) -> Agreement {
        let given = texts.iter().map(|text| Given {
            asking: Asking {
                text,
                options,
                ..Asking::default()
            },
            label: &options[0],
            session: text,
        });
        Agreement::of(&given.collect::<Vec<_>>()).unwrap()
    }

    const BY_OPTIONS: Option<&str> = Some("options");

    #[test]
    fn a_title_says_what_is_covered_and_nothing_wider() {
        let yes = ["Yes", "No"].map(str::to_owned);
        let one = agreed(&["Cache: shall I go on?"], &yes);
        assert_eq!(
            title(&one, &yes, None),
            Some(("Cache: shall I go on?".to_owned(), 0))
        );
        let options = ["A) Next area (Recommended)", "B) More questions"].map(str::to_owned);
        let any = agreed(&["Enough of the login?", "And now?"], &options);
        assert_eq!(
            title(&any, &options, BY_OPTIONS),
            Some((
                "any question with \"Next area\", \"More questions\"".to_owned(),
                0
            ))
        );
        assert_eq!(
            holds_for(&any, &options, BY_OPTIONS, ""),
            "It covers any question with the options \"Next area\", \"More questions\". If something in a question is \
             new and matters, you are asked."
        );
        assert_eq!(
            title(&any, &options, Some("marker")),
            None,
            "the marker tells the question, which has a name"
        );
        assert_eq!(
            holds_for(&any, &options, Some("marker"), ""),
            "It covers this question, however it is worded. If something in it is new and matters, you are asked:\n  \
             And now?\n  Enough of the login?"
        );
    }

    #[test]
    fn texts_are_said_once_and_as_all_there_is() {
        let yes = ["Yes", "No"].map(str::to_owned);
        let both = agreed(
            &["Run `make test`?", "Run `make lint`?", "Run `make test`?"],
            &yes,
        );
        assert_eq!(
            covers(&both, &yes, None),
            ["Run `make test`?", "Run `make lint`?"]
        );
        assert_eq!(
            holds_for(&both, &yes, None, "Run `make lint`?"),
            "It covers these 2 texts only, with other numbers and files:\n  Run `make test`?\n  Run `make lint`?"
        );
    }

    #[test]
    fn levels_are_named() {
        let words = |policy, level| {
            policy_in_words(&Preference {
                level,
                ..Preference::of(policy)
            })
        };
        assert_eq!(words(Policy::NeverAsk, None), "automatic");
        let trial = Some(Level::Trial);
        assert_eq!(words(Policy::NeverAsk, trial), "trial");
        assert_eq!(words(Policy::AlwaysAsk, trial), "always asked");
    }
}
