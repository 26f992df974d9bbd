//! What is mined from a template, and what it answers to the same question with something else in it.

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use plantune_domain::binding::Shown;
use plantune_domain::config::Suggest;
use plantune_domain::family::is_named;
use plantune_domain::gate::decide;
use plantune_domain::keys::take_markers;
use plantune_domain::preferences::{Coverage, Preference, Scope};
use plantune_domain::question::Question;
use plantune_domain::registry::Registry;
use plantune_domain::wire::SentQuestion;
use plantune_query::evidence::{GivenAnswer, HumanAnswer, KeyEvidence};
use plantune_query::suggest::{InForce, Inputs, Level, evaluate};

use super::templates::{Template, seen};

/// How often each of the six ways of asking was met.
const TIMES: usize = 3;

/// A template and the preferences that would answer it, by their keys.
pub(super) struct Mined {
    pub(super) template: Template,
    preferences: Vec<(String, Preference)>,
    registry: Registry,
}

impl Mined {
    pub(super) fn of(template: Template) -> Self {
        let registry = Registry::default();
        let askings = (0..6 * TIMES).map(|number| asking(&template, number, &registry));
        let mut series: Vec<KeyEvidence> = Vec::new();
        for (key_source, answer) in askings {
            let known = |one: &KeyEvidence| one.question_key == answer.question_key;
            let at = series.iter().position(known).unwrap_or_else(|| {
                series.push(KeyEvidence {
                    project: "p".to_owned(),
                    question_key: answer.question_key.clone(),
                    key_source,
                    ..KeyEvidence::default()
                });
                series.len() - 1
            });
            series[at].recent_askings += 1;
            series[at].answers.push(answer);
        }
        let inputs = Inputs {
            settings: &Suggest::default(),
            registry: &registry,
            in_force: &|_, _| InForce::Nothing,
            hindsight: 0,
            now: day(6 * TIMES).and_utc(),
        };
        let found = evaluate(series, &inputs);
        let answering = found.suggestions.iter();
        let answering = answering.filter(|one| one.level > Level::Assist);
        let preferences = answering.map(|one| (one.asked.question_key.clone(), one.preference()));
        let preferences: Vec<_> = preferences.collect();
        assert!(
            !preferences.is_empty(),
            "{template:?}: {:?}",
            found.rejected
        );
        Self {
            template,
            preferences,
            registry,
        }
    }

    /// Whether what it covers depends on the options alone, so that no text is compared.
    pub(super) fn is_for_any_text(&self) -> bool {
        let mut preferences = self.preferences.iter();
        preferences.any(|(_, one)| one.coverage == Some(Coverage::Options))
    }

    /// In words: the texts that are covered, the first form of each preference.
    pub(super) fn in_words(&self) -> String {
        let preferences = self.preferences.iter().map(|(_, one)| {
            let form = one.binding.first().map(|form| form.text.to_string());
            match one.coverage {
                Some(Coverage::Options) => "whatever the text".to_owned(),
                _ => form.unwrap_or_default(),
            }
        });
        preferences.collect::<Vec<_>>().join("; ")
    }

    /// Whether a preference covers the question with `filler` in the place `at`; what none covers is asked.
    pub(super) fn covers(&self, at: usize, filler: &str) -> bool {
        let sent = self.sent(at, filler);
        let (_, _, text) = take_markers(&sent.text);
        let shown = Shown {
            text: &text,
            header: sent.header.as_deref(),
            options: &sent.options,
            descriptions: Some(&sent.descriptions),
            previews: Some(&[]),
            ..Shown::default()
        };
        let mut preferences = self.preferences.iter();
        preferences.any(|(_, one)| one.covers(&shown).is_ok())
    }

    /// The label that the hook would answer with, were `filler` in the place `at`.
    pub(super) fn answer(&self, at: usize, filler: &str) -> Option<String> {
        let mut question = Question::identify(self.sent(at, filler), &self.registry);
        let set = question.set_key();
        let mut standing = self.entries(&question.key);
        if !set.is_empty() {
            standing.extend(question.take_family(self.entries(&set)));
        }
        let choices = decide(&[question], &[standing], &self.registry).ok()?;
        choices.first().map(|choice| choice.label().to_owned())
    }

    fn sent(&self, at: usize, filler: &str) -> SentQuestion {
        let places = self.template.places();
        let mut fillers: Vec<&str> = places.iter().map(|name| seen(name)[0]).collect();
        fillers[at] = filler;
        sent(&self.template, &fillers, 0)
    }

    /// The preferences for the question or option set `wanted`.
    fn entries(&self, wanted: &str) -> Vec<(Scope, Preference)> {
        let named = self.preferences.iter();
        let named = named.filter(|(key, _)| is_named(key, wanted));
        let entry = |(key, one): &(String, Preference)| Preference {
            key: Some(key.clone()),
            ..one.clone()
        };
        named.map(|one| (Scope::Project, entry(one))).collect()
    }
}

fn day(number: usize) -> NaiveDateTime {
    let first = NaiveDate::from_ymd_opt(2026, 10, 20)
        .unwrap()
        .and_hms_opt(9, 0, 0)
        .unwrap();
    first + TimeDelta::days(i64::try_from(number).unwrap())
}

/// The question with `fillers` in its places; the option `recommended` is that, where the template follows.
fn sent(template: &Template, fillers: &[&str], recommended: usize) -> SentQuestion {
    let mut fillers = template.places().into_iter().zip(fillers);
    let mut put = |text: &str| {
        let mut parts = text.split('{');
        let mut put = parts.next().unwrap().to_owned();
        for part in parts {
            let (name, after) = part.split_once('}').unwrap();
            let (_, filler) = fillers.next().filter(|(place, _)| *place == name).unwrap();
            put.push_str(filler);
            put.push_str(after);
        }
        put
    };
    let options = template.options.iter().enumerate();
    let options = options.map(|(at, label)| match template.answer {
        None if at == recommended => format!("{label} (Recommended)"),
        _ => (*label).to_owned(),
    });
    let (text, header) = (put(template.text), put(template.header));
    let description = put(template.description);
    let descriptions = match description.is_empty() {
        true => Vec::new(),
        false => vec![description, "Leaves it".to_owned()],
    };
    SentQuestion {
        text,
        context: String::new(),
        header: Some(header).filter(|header| !header.is_empty()),
        options: options.collect(),
        descriptions,
        previews: Vec::new(),
        multi_select: Some(false),
        unknown_field: None,
    }
}

/// The answer to the asking `number`, a day and a session each, and how its key was found.
fn asking(template: &Template, number: usize, registry: &Registry) -> (String, HumanAnswer) {
    let places = template.places();
    let fillers = places.iter().enumerate();
    let fillers: Vec<&str> = fillers
        .map(|(at, name)| seen(name)[(number + at) % 6])
        .collect();
    let recommended = number % 2;
    let question = Question::identify(sent(template, &fillers, recommended), registry);
    let chosen = match template.answer {
        Some(label) => label.to_owned(),
        None => question.sent.options[recommended].clone(),
    };
    let answer = HumanAnswer::from(GivenAnswer {
        at: day(number),
        day: day(number).date(),
        session_id: format!("s{number}"),
        recommended: question.recommended_name().map(str::to_owned),
        question_key: question.key,
        question: question.text,
        header: question.sent.header,
        options: question.sent.options,
        descriptions: Some(question.sent.descriptions),
        previews: Some(question.preview_digests),
        labels: vec![chosen],
        human_seconds: Some(30.0),
        ..GivenAnswer::default()
    });
    (question.key_source.as_str().to_owned(), answer)
}
