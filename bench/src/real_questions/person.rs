//! A person who is asked the questions of some templates twice a week, and always answers alike.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::{NaiveDate, NaiveDateTime, TimeDelta, Timelike as _};
use plantune_domain::gate::decide;
use plantune_domain::preferences::{Level, Preference, Scope};
use plantune_domain::question::Question;
use plantune_domain::recommended::{same_label, strip_mark};
use plantune_domain::registry::Registry;
use plantune_domain::wire::SentQuestion;
use plantune_query::evidence::{HumanAnswer, KeyEvidence};
use plantune_query::suggest::{Inputs, LastAsked, PriorDecision, Suggest, Suggestions, evaluate};

use crate::chance::Chance;
use crate::templates::{Template, fill, paragraph, reworded, sentence};

const PROJECT: &str = "/home/dev/shop";

/// One question that the person was asked, of the habit with the number `habit`.
pub(crate) struct Asked {
    habit: usize,
    key_source: &'static str,
    answer: Arc<HumanAnswer>,
}

/// A template, and the option that is always chosen.
pub(crate) struct Habit<'a> {
    pub(crate) template: &'a Template,
    pub(crate) chosen: usize,
}

/// A person and all that they answered.
pub(crate) struct Person<'a> {
    pub(crate) habits: Vec<Habit<'a>>,
    asked: Vec<Asked>,
    chance: Chance,
}

/// The outcome of a habit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) level: Option<Level>,
    /// Why it does not stand.
    pub(crate) why: String,
}

impl<'a> Person<'a> {
    /// Somebody who was asked about each of `habits` twice a week for `weeks`, and chose that label each time.
    pub(crate) fn of(habits: Vec<Habit<'a>>, weeks: usize, seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let mut asked = Vec::new();
        for (number, habit) in habits.iter().enumerate() {
            for time in 0..2 * weeks {
                let hour = 9 + chance.below(8) as i64;
                let days = (time / 2 * 7 + time % 2 * 3 + chance.below(2)) as i64;
                let at = start() + TimeDelta::days(days) + TimeDelta::hours(hour);
                let at = at + TimeDelta::seconds(chance.below(3600) as i64);
                asked.push(answered(habit, number, at, &mut chance));
            }
        }
        asked.sort_by(|one, other| HumanAnswer::in_time(&one.answer, &other.answer));
        Self {
            habits,
            asked,
            chance,
        }
    }

    /// The suggestions after `weeks`.
    pub(crate) fn suggestions(&self, weeks: usize) -> Suggestions {
        let now = start() + TimeDelta::weeks(weeks as i64);
        let mut series: BTreeMap<&str, KeyEvidence> = BTreeMap::new();
        for one in self.asked.iter().filter(|one| one.answer.at < now) {
            let key = one.answer.question_key.as_str();
            let of = series.entry(key).or_insert_with(|| KeyEvidence {
                project: PROJECT.to_owned(),
                question_key: key.to_owned(),
                key_source: one.key_source.to_owned(),
                ..KeyEvidence::default()
            });
            of.answers.push(Arc::clone(&one.answer));
            of.recent_askings += 1;
        }
        let inputs = Inputs {
            settings: &Suggest::default(),
            registry: &Registry::default(),
            in_force: &|_, _| PriorDecision::None,
            hindsight: None,
            now: now.and_utc(),
        };
        evaluate(series.into_values().collect(), &inputs)
    }

    /// The outcome of each habit by `found`: the furthest level of a proposal about it.
    pub(crate) fn outcomes(&self, found: &Suggestions) -> Vec<Outcome> {
        let mut outcomes = vec![Outcome::default(); self.habits.len()];
        for one in &found.rejected {
            let why = one.reason.to_string();
            for at in self.habits_of(&one.asked) {
                outcomes[at].why.clone_from(&why);
            }
        }
        for one in &found.suggestions {
            for at in self.habits_of(&one.asked) {
                if Some(one.level) > outcomes[at].level {
                    outcomes[at].level = Some(one.level);
                    let lacks = one.lacks.as_ref().map(ToString::to_string);
                    outcomes[at].why = format!("{:?}, {}", one.level, lacks.unwrap_or_default());
                }
            }
        }
        outcomes
    }

    /// The habits whose latest askings are of the question `asked`.
    fn habits_of(&self, asked: &LastAsked) -> BTreeSet<usize> {
        let is_about = |one: &&Asked| one.answer.question_key == asked.question_key;
        let about = self.asked.iter().filter(is_about);
        about.map(|one| one.habit).collect()
    }

    /// How often each habit is answered, and answered wrongly, of the next `times` askings, by a hook with all
    /// of `found` that answers.
    pub(crate) fn answered(&mut self, found: &Suggestions, times: usize) -> Vec<(usize, usize)> {
        let proposed = found.suggestions.iter();
        let preferences = proposed.map(|one| (one.asked.question_key.clone(), one.preference()));
        let preferences: BTreeMap<String, Preference> = preferences.collect();
        let mut counts = Vec::new();
        for habit in &self.habits {
            let mut count = (0, 0);
            for _ in 0..times {
                let (sent, chosen) = habit.template.asked(habit.chosen, &mut self.chance);
                if let Some(label) = hook_answer(sent, &preferences) {
                    count.0 += 1;
                    count.1 += usize::from(!same_label(&label, &chosen));
                }
            }
            counts.push(count);
        }
        counts
    }
}

fn start() -> NaiveDateTime {
    let day = NaiveDate::from_ymd_opt(2026, 6, 1).unwrap();
    day.and_hms_opt(0, 0, 0).unwrap()
}

fn answered(habit: &Habit<'_>, number: usize, at: NaiveDateTime, chance: &mut Chance) -> Asked {
    let (sent, chosen) = habit.template.asked(habit.chosen, chance);
    let question = Question::identify(sent, &Registry::default());
    // Morning and afternoon are a session each.
    let session = format!("{} {}", at.date(), u8::from(at.hour() >= 13));
    Asked {
        habit: number,
        key_source: question.key_source.as_str(),
        answer: Arc::new(HumanAnswer {
            question_key: question.key.clone(),
            at,
            day: at.date(),
            session_id: session,
            recommended: question
                .recommended_name()
                .map(|label| strip_mark(label).0.to_owned()),
            one_way: question.door_reason.clone(),
            labels: vec![chosen],
            human_seconds: Some(chance.within(8.0, 60.0)),
            question: question.text,
            header: question.sent.header,
            options: question.sent.options,
            descriptions: Some(question.sent.descriptions),
            previews: Some(question.preview_digests),
            ..HumanAnswer::default()
        }),
    }
}

/// The hook's answer to `sent` with `preferences`.
fn hook_answer(sent: SentQuestion, preferences: &BTreeMap<String, Preference>) -> Option<String> {
    let registry = Registry::default();
    let question = Question::identify(sent, &registry);
    let standing = preferences.get(&question.key).into_iter();
    let standing = standing.map(|one| (Scope::Project, one.clone())).collect();
    let choices = decide(&[question], &[standing], &registry).ok()?;
    choices.first().map(|choice| choice.label().to_owned())
}

/// The share of askings with something that models do now and then, for each.
const NOW_AND_THEN: f64 = 0.1;

/// The share of askings in which a model words the descriptions itself.
const REWORDED: f64 = 0.25;

impl Template {
    /// The template asked as a model asks it, and the label that stands for the option `chosen`: what varies is
    /// filled in again, descriptions are reworded one time in four; the order changes, the recommendation moves,
    /// a sentence stands in front or an option is added now and then.
    pub(crate) fn asked(&self, chosen: usize, chance: &mut Chance) -> (SentQuestion, String) {
        let mut text = fill(&self.question, chance);
        if self.lettered {
            let paragraph = fill(paragraph(chance), chance);
            text = format!("{paragraph}\n\n{text}");
        } else if chance.happens(NOW_AND_THEN) {
            text = format!("{} {text}", fill(sentence(chance), chance));
        }
        let is_reworded = chance.happens(REWORDED);
        let described = self.options.iter().any(|one| !one.description.is_empty());
        let mut options: Vec<(bool, String, String)> = Vec::new();
        for (at, one) in self.options.iter().enumerate() {
            let mut description = fill(&one.description, chance);
            if is_reworded {
                description = reworded(&description, chance);
            }
            options.push((at == chosen, fill(&one.label, chance), description));
        }
        if options.len() < 4 && chance.happens(NOW_AND_THEN / 2.0) {
            let added = ("Talk it over first", "Go through it together");
            options.push((false, added.0.to_owned(), added.1.to_owned()));
        }
        let is_marked = |label: &str| label.to_lowercase().contains("(recommended");
        if !options.iter().any(|(_, label, _)| is_marked(label)) && chance.happens(0.5) {
            let moves = chance.happens(NOW_AND_THEN);
            let at = if moves {
                chance.below(options.len())
            } else {
                0
            };
            options[at].1.push_str(" (Recommended)");
        }
        if chance.happens(NOW_AND_THEN) {
            options.rotate_left(1);
        }
        if self.lettered {
            for ((_, label, _), letter) in options.iter_mut().zip('A'..) {
                *label = format!("{letter}) {label}");
            }
        }
        let chosen = options.iter().find(|(is_chosen, ..)| *is_chosen);
        let chosen = chosen
            .map(|(_, label, _)| label.clone())
            .unwrap_or_default();
        let header: String = fill(&self.header, chance).chars().take(12).collect();
        let sent = SentQuestion {
            text,
            header: Some(header).filter(|header| !header.is_empty()),
            descriptions: match described {
                true => options.iter().map(|(_, _, text)| text.clone()).collect(),
                false => Vec::new(),
            },
            options: options.into_iter().map(|(_, label, _)| label).collect(),
            multi_select: Some(false),
            ..SentQuestion::default()
        };
        (sent, chosen)
    }
}
