//! Histories of made-up people whose habits are known.
//!
//! A question is of a kind; a mix says how many of each kind a person has. Whether a kind deserves a
//! proposal is the kind's own truth, not what any rule finds.

use std::sync::Arc;

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use plantune_domain::question::Question;
use plantune_domain::recommended::strip_mark;
use plantune_domain::registry::Registry;
use plantune_domain::wire::SentQuestion;
use plantune_query::backtest::PastAsking;
use plantune_query::evidence::HumanAnswer;

use super::mixes::Kind::*;
use super::mixes::{Deserves, Kind, Mix};
use crate::chance::Chance;

/// A question of a history, with the truth about it.
pub(crate) struct Truth {
    pub(crate) kind: Kind,
    pub(crate) deserves: Deserves,
    /// The label, or `None` for the recommended one; what counts is that of now.
    pub(crate) answer: Option<String>,
    /// Of a drift: the label of before.
    pub(crate) old: Option<String>,
    /// Every key that its askings were logged under.
    pub(crate) keys: Vec<String>,
    /// How its askings are worded: marked, alike, or with hardly a word in common.
    pub(crate) wording: &'static str,
    pub(crate) answered: usize,
}

/// A history: its askings in the order of time, and the truth.
pub(crate) struct History {
    pub(crate) askings: Vec<PastAsking>,
    pub(crate) truths: Vec<Truth>,
}

const DAYS: f64 = 120.0;

/// One question's way of being asked and answered.
struct Habit {
    kind: Kind,
    verb: &'static str,
    noun: &'static str,
    options: Vec<String>,
    favourite: usize,
    p: f64,
    marker: Option<String>,
    /// Texts that share hardly a word.
    is_loose: bool,
    turns_at: f64,
}

/// The history of the person `seed` of the kind `mix`.
pub(crate) fn history(mix: &Mix, seed: u64) -> History {
    let mut chance = Chance::new(seed);
    let mut askings = Vec::new();
    let mut truths = Vec::new();
    let mut number = chance.below(VERBS.len() * NOUNS.len());
    for (kind, count) in mix.kinds {
        for _ in 0..*count {
            // Coprime steps: no verb and noun come together twice.
            number = (number + 1) % (VERBS.len() * NOUNS.len());
            let verb = VERBS[number % VERBS.len()];
            let noun = NOUNS[(number / VERBS.len() + number % VERBS.len()) % NOUNS.len()];
            let habit = habit(*kind, verb, noun, truths.len(), mix, &mut chance);
            let from = askings.len();
            put(&habit, mix, truths.len(), &mut chance, &mut askings);
            truths.push(truth(&habit, &askings[from..]));
        }
    }
    askings.sort_by(|one, other| (one.answer.at, &one.call).cmp(&(other.answer.at, &other.call)));
    History { askings, truths }
}

fn habit(
    kind: Kind,
    verb: &'static str,
    noun: &'static str,
    number: usize,
    mix: &Mix,
    chance: &mut Chance,
) -> Habit {
    let mut options = vec![
        format!("{}{} {noun}", verb[..1].to_uppercase(), &verb[1..]),
        format!("Leave {noun} alone"),
    ];
    if chance.happens(0.7) {
        options.push(format!("Ask the team about {noun}"));
    }
    match kind {
        OneWay => options = vec!["Delete them".to_owned(), "Keep them".to_owned()],
        YesNo | Assorted => options = vec!["Yes".to_owned(), "No".to_owned()],
        NextStep | OptionsMoving => {
            options = vec![
                format!("Start to {verb} the {noun}"),
                "Open the plan in an editor".to_owned(),
                format!("Simplify the {noun} first"),
                format!("Run the {noun} review"),
            ];
        }
        _ => {}
    }
    let p = match kind {
        Tidy => 1.0,
        Coin => chance.within(0.4, 0.6),
        NextStep => 0.4,
        Lean => chance.within(0.7, 0.8),
        Assorted => chance.within(0.6, 0.8),
        Drift | FreeText | Noted | TimeoutHeavy | Adds => 0.99,
        Rare | OneWay => 1.0,
        Burst => 0.5,
        _ => chance.within(0.975, 1.0),
    };
    let is_marked = chance.below(10) < mix.marked_in_ten;
    Habit {
        kind,
        verb,
        noun,
        favourite: usize::from(matches!(kind, HabitOverride | PinMoving)),
        options,
        p,
        marker: is_marked.then(|| format!("{verb}-{}-{number}", noun.replace(' ', "-"))),
        is_loose: chance.happens(0.3),
        turns_at: DAYS * chance.within(0.55, 0.75),
    }
}

fn put(
    habit: &Habit,
    mix: &Mix,
    number: usize,
    chance: &mut Chance,
    askings: &mut Vec<PastAsking>,
) {
    let count = match habit.kind {
        Rare => 2 + chance.below(2),
        Burst => 5,
        _ => chance
            .normal(mix.askings, 5.0)
            .clamp(8.0, 55.0_f64.max(1.5 * mix.askings)) as usize,
    };
    let mut times: Vec<(f64, Option<usize>)> = if mix.in_sittings {
        sittings(count, chance)
    } else {
        (0..count).map(|_| (DAYS * chance.share(), None)).collect()
    };
    if habit.kind == Burst {
        let start = DAYS * chance.share();
        times.extend((0..25).map(|index| (start + index as f64 * 3.0 / 1440.0, Some(0))));
    }
    times.sort_by(|one, other| one.0.total_cmp(&other.0));
    for (index, (day, burst)) in times.into_iter().enumerate() {
        let id = format!("call-{number}-{index}");
        askings.push(asking(habit, mix, day, burst.is_some(), id, chance));
        // What was left unanswered is asked again in the same session now and then.
        let last = askings.last();
        if last.is_some_and(|last| last.answered_at.is_none()) && chance.happens(0.2) {
            let id = format!("call-{number}-{index}-again");
            askings.push(asking(
                habit,
                mix,
                day + 2.0 / 1440.0,
                burst.is_some(),
                id,
                chance,
            ));
        }
    }
}

/// The times of `count` askings, three to five in one sitting, some minutes apart.
fn sittings(count: usize, chance: &mut Chance) -> Vec<(f64, Option<usize>)> {
    let mut times = Vec::new();
    while times.len() < count {
        let start = DAYS * chance.share();
        let many = 3 + chance.below(3);
        times.extend((0..many).map(|index| (start + index as f64 * 4.0 / 1440.0, None)));
    }
    times.truncate(count);
    times
}

/// A number that is the same for equal texts.
fn seed_of(text: &str) -> u64 {
    text.bytes().fold(7, |sum: u64, byte| {
        sum.wrapping_mul(0x0100_0000_01B3) ^ u64::from(byte)
    })
}

fn asking(
    habit: &Habit,
    mix: &Mix,
    day: f64,
    is_burst: bool,
    call: String,
    chance: &mut Chance,
) -> PastAsking {
    // Apart from `chance`, so that histories of one project stay what they were.
    let project = Chance::new(seed_of(&call)).below(mix.projects);
    let session = (day * 4.4) as i64;
    let start = NaiveDate::from_ymd_opt(2026, 6, 1)
        .unwrap()
        .and_hms_opt(0, 0, 0)
        .unwrap();
    let at: NaiveDateTime = start + TimeDelta::milliseconds((day * 86_400_000.0) as i64);
    let mut options = habit.options.clone();
    if habit.kind == OptionsMoving {
        // One of the others is missing one time in four.
        if chance.happens(0.25) {
            let gone = 1 + chance.below(options.len() - 1);
            options.remove(gone);
        }
    }
    let recommended = match habit.kind {
        FollowMoving | PinMoving => Some(chance.below(options.len())),
        Lean => chance.happens(0.5).then_some(0),
        NextStep | Assorted => None,
        _ => Some(0),
    };
    let favourite = match habit.kind {
        FollowMoving => recommended.unwrap_or(0),
        Drift if day >= habit.turns_at => 1,
        PerProject => (project + habit.verb.len()) % 2,
        Moody => {
            let mood = seed_of(&format!("{} {} {session}", habit.verb, habit.noun));
            usize::from(Chance::new(mood).happens(0.3))
        }
        _ => habit.favourite,
    };
    let chosen = if is_burst || chance.happens(habit.p) {
        favourite
    } else {
        (favourite + 1 + chance.below(options.len() - 1)) % options.len()
    };
    if let Some(label) = recommended.and_then(|index| options.get_mut(index)) {
        label.push_str(" (Recommended)");
    }
    let (text, header) = wording(habit, chance);
    let sent = SentQuestion {
        text,
        header: Some(header),
        options,
        multi_select: Some(false),
        ..SentQuestion::default()
    };
    let question = Question::identify(sent, &Registry::default());
    let is_typed = habit.kind == FreeText && chance.happens(0.36);
    let adds = habit.kind == Adds && chance.happens(0.3);
    let is_noted = habit.kind == Noted && chance.happens(0.43);
    let is_lost = chance.happens(if habit.kind == TimeoutHeavy {
        0.5
    } else {
        0.03
    });
    let seconds = chance.normal(45.0, 20.0).max(3.0);
    let chosen = question
        .sent
        .options
        .get(chosen)
        .cloned()
        .filter(|_| !is_typed && !is_lost);
    let label = chosen.as_deref().map(|label| strip_mark(label).0);
    let typed = label
        .filter(|_| adds)
        .map(|label| format!("Yes, {}, and add a note about it", label.to_lowercase()));
    let chosen = chosen.filter(|_| !adds);
    PastAsking {
        project: match project {
            0 => "/home/dev/shop".to_owned(),
            other => format!("/home/dev/shop-{other}"),
        },
        key_source: question.key_source.as_str().to_owned(),
        call,
        answered_at: (!is_lost).then(|| at + TimeDelta::milliseconds((seconds * 1000.0) as i64)),
        answer: Arc::new(HumanAnswer {
            question_key: question.key.clone(),
            at,
            day: at.date(),
            // About four sessions a day.
            session_id: format!("session-{session}"),
            header: question.sent.header.clone(),
            recommended: question
                .recommended_name()
                .map(|label| strip_mark(label).0.to_owned()),
            one_way: question.door_reason.clone(),
            labels: chosen.into_iter().collect(),
            said_more: is_typed || is_noted || adds,
            typed: typed.or_else(|| is_typed.then(|| "something else".to_owned())),
            human_seconds: (!is_lost).then_some(seconds),
            question: question.text,
            options: question.sent.options,
            descriptions: Some(question.sent.descriptions),
            previews: Some(question.preview_digests),
            ..HumanAnswer::default()
        }),
    }
}

fn wording(habit: &Habit, chance: &mut Chance) -> (String, String) {
    let topic = TOPICS[chance.below(TOPICS.len())];
    let text = match habit.kind {
        OneWay => format!("Delete the old {topic} tables before migrating?"),
        Assorted => SENTENCES[chance.below(SENTENCES.len())].to_owned(),
        YesNo => format!("{topic}: shall I {} the {}?", habit.verb, habit.noun),
        _ if habit.is_loose && habit.marker.is_none() => {
            SENTENCES[chance.below(SENTENCES.len())].to_owned()
        }
        _ => format!("{topic}: shall I {} the {}?", habit.verb, habit.noun),
    };
    let text = text
        .replace("{t}", topic)
        .replace("{v}", habit.verb)
        .replace("{n}", habit.noun);
    match &habit.marker {
        Some(id) => (format!("<gstack-qid:{id}> {text}"), topic.to_owned()),
        None => (text, topic.to_owned()),
    }
}

/// A verb of [`VERBS`] that is final by the door rules: what is squashed cannot be taken apart again. The
/// histories were made before acts were judged; a habit of such an act must not be answered.
const FINAL: &str = "squash";

fn truth(habit: &Habit, askings: &[PastAsking]) -> Truth {
    let is_final = habit.verb == FINAL && habit.favourite == 0;
    let deserves = match habit.kind {
        HabitRecommended | OptionsMoving | Tidy | YesNo if is_final => Deserves::No,
        HabitRecommended | HabitOverride | FollowMoving | PinMoving | OptionsMoving | Tidy
        | YesNo => Deserves::Yes,
        Drift | TimeoutHeavy | PerProject => Deserves::Either,
        _ => Deserves::No,
    };
    let label = |index: usize| habit.options.get(index).cloned();
    let mut keys: Vec<String> = askings
        .iter()
        .map(|one| one.answer.question_key.clone())
        .collect();
    keys.sort_unstable();
    keys.dedup();
    Truth {
        kind: habit.kind,
        deserves,
        answer: match habit.kind {
            FollowMoving => None,
            Drift => label(1),
            _ => label(habit.favourite),
        },
        wording: match (&habit.marker, habit.is_loose) {
            (Some(_), _) => "marked",
            (None, true) => "worded differently",
            (None, false) => "worded alike",
        },
        old: label(0).filter(|_| habit.kind == Drift),
        keys,
        answered: askings
            .iter()
            .filter(|one| one.answered_at.is_some())
            .count(),
    }
}

pub(crate) const VERBS: [&str; 14] = [
    "format",
    "annotate",
    "document",
    "split",
    "review",
    "squash",
    "rename",
    "update",
    "create",
    "sort",
    "inline",
    "translate",
    "illustrate",
    "summarise",
];
pub(crate) const NOUNS: [&str; 14] = [
    "draft",
    "style guide",
    "test plan",
    "todo list",
    "readme",
    "changelog",
    "fixture",
    "snapshot",
    "type hints",
    "release notes",
    "glossary",
    "diagram",
    "sample config",
    "error texts",
];
pub(crate) const TOPICS: [&str; 16] = [
    "themes",
    "billing",
    "upload",
    "search",
    "login",
    "charts",
    "cache",
    "export",
    "locale",
    "logging",
    "queues",
    "retries",
    "webhooks",
    "backups",
    "pagination",
    "widgets",
];
pub(crate) const SENTENCES: [&str; 12] = [
    "{t} has grown since yesterday; {v} it?",
    "While looking at {t} I noticed something about {n}. What now?",
    "How do you want {t} handled",
    "Before {t} goes on: {n}?",
    "There is a {n} in {t}.",
    "{n}, again ({t})",
    "Your call on {t}",
    "I could {v} this for {t}, or not",
    "Does {t} need it?",
    "{t} looks unfinished without a {n}",
    "Same as last time for {t}?",
    "What about {t}",
];
