//! What people live through: thirteen weeks, a change of mind, one-way acts chosen again and again.

use std::collections::BTreeMap;
use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};

use super::asking::{AskerStyle, Asking};
use super::home::{Home, Logged, Reply, is_wanted};
use crate::chance::Chance;
use crate::templates::{Door, Template};

pub(super) const WEEKS: usize = 12;
/// The first week in which a changed mind chooses otherwise, counted from 0.
const CHANGE: usize = 6;
/// How many habits a person has, and how many questions that recur a framework needs to be used by one.
const HABITS: usize = 12;
pub(super) const FRAMEWORK: usize = 8;
/// How often a habit comes in twelve weeks.
const FEWEST: usize = 3;
const MOST: usize = 15;
/// How often a one-way option is chosen before it is asked as often again.
pub(super) const ONE_WAY: usize = 24;

/// What a person does with a question that recurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Always,
    NineOfTen,
    Changing,
    Depends,
    OneOff,
}

struct Habit<'a> {
    template: &'a Template,
    style: AskerStyle,
    kind: Kind,
    /// The option that is chosen, and the other one of whoever wavers or changes their mind.
    usual: usize,
    other: usize,
    times: usize,
}

/// What became of one asking.
pub(super) struct Record {
    pub(super) kind: Kind,
    /// How often the habit came before week 13.
    pub(super) times: usize,
    /// Counted from 0.
    pub(super) week: usize,
    /// Whether the hook's answer was the one that was wanted; `None` where it asked.
    pub(super) right: Option<bool>,
    pub(super) logged: Logged,
    /// Why `suggest` did not propose its question in the last week.
    pub(super) not_proposed: String,
    /// The asking in a line, for `--why`.
    pub(super) line: String,
}

// A person's thirteen weeks.

/// Thirteen weeks of a person who uses `framework`, and is asked the rest of `all` once each.
pub(super) fn live(
    framework: &[&Template],
    all: &[Template],
    one_off: f64,
    chance: &mut Chance,
) -> (Vec<Record>, Vec<String>) {
    let mut home = Home::new(chance);
    let project = home.project("shop");
    let habits = habits(framework, chance);
    // Which habit is asked when; `None` is a question that comes once.
    let mut times: Vec<(DateTime<Utc>, Option<usize>)> = Vec::new();
    for (number, habit) in habits.iter().enumerate() {
        times.extend((0..habit.times).map(|_| (moment(chance.below(WEEKS), chance), Some(number))));
    }
    let is_free = |one: &&Template| {
        !habits
            .iter()
            .any(|habit| std::ptr::eq(habit.template, *one))
    };
    let mut once: Vec<&Template> = all.iter().filter(is_free).collect();
    let wanted = (times.len() as f64 * one_off / (1.0 - one_off)).round() as usize;
    for _ in 0..wanted.min(once.len()) {
        times.push((moment(chance.below(WEEKS), chance), None));
    }
    times.extend((0..habits.len()).map(|number| (moment(WEEKS, chance), Some(number))));
    times.sort_unstable();

    let mut records = Vec::new();
    let mut calls = Vec::new();
    let mut week = 0;
    for (at, number) in times {
        while at >= monday(week + 1) {
            home.end_week(monday(week + 1) - TimeDelta::hours(4));
            week += 1;
        }
        let (asking, kind, times) = match number {
            Some(number) => {
                let habit = &habits[number];
                (habit.ask(week, chance), habit.kind, habit.times)
            }
            None => (ask_once(&mut once, chance), Kind::OneOff, 1),
        };
        let reply = home.ask(at, &project, &asking);
        if calls.is_empty() {
            home.check_clock(at);
        }
        records.push(Record {
            kind,
            times,
            week,
            right: reply
                .answer
                .as_ref()
                .map(|answer| is_wanted(answer, &asking)),
            logged: Logged::default(),
            not_proposed: String::new(),
            line: line(&asking),
        });
        calls.push(reply.call);
    }
    let mut logged = home.logged();
    for (record, call) in records.iter_mut().zip(calls) {
        record.logged = logged.remove(&call).unwrap_or_default();
        let of_proposals = home.rejected.get(&record.logged.key).cloned();
        record.not_proposed = of_proposals.unwrap_or_default();
    }
    (records, home.unset)
}

/// The habits of somebody who uses `framework`.
fn habits<'a>(framework: &[&'a Template], chance: &mut Chance) -> Vec<Habit<'a>> {
    let mut left = framework.to_vec();
    let mut found = Vec::new();
    while found.len() < HABITS && !left.is_empty() {
        let template = left.swap_remove(chance.below(left.len()));
        let kind = match chance.share() {
            share if share < 0.5 => Kind::Always,
            share if share < 0.7 => Kind::NineOfTen,
            share if share < 0.85 => Kind::Changing,
            _ => Kind::Depends,
        };
        found.push(Habit::new(template, kind, chance));
    }
    found
}

/// A template that was not asked before, answered with any option.
fn ask_once(left: &mut Vec<&Template>, chance: &mut Chance) -> Asking {
    let template = left.swap_remove(chance.below(left.len()));
    let wanted = chance.below(template.options.len());
    AskerStyle::new(chance).ask(template, wanted, chance)
}

impl<'a> Habit<'a> {
    fn new(template: &'a Template, kind: Kind, chance: &mut Chance) -> Self {
        let mut open = template.options_of(Door::TwoWay);
        // The first one more often: it is what askers recommend.
        let first = if chance.happens(0.5) {
            0
        } else {
            chance.below(open.len())
        };
        let usual = open.remove(first);
        Self {
            template,
            style: AskerStyle::new(chance),
            kind,
            usual,
            other: open[chance.below(open.len())],
            times: how_often(chance),
        }
    }

    fn ask(&self, week: usize, chance: &mut Chance) -> Asking {
        let is_usual = match self.kind {
            Kind::Always | Kind::OneOff => true,
            Kind::NineOfTen => chance.happens(0.9),
            Kind::Changing => week < CHANGE,
            Kind::Depends => chance.happens(0.5),
        };
        let wanted = if is_usual { self.usual } else { self.other };
        self.style.ask(self.template, wanted, chance)
    }
}

/// Few times more often than many: n times as often as 1/n says.
fn how_often(chance: &mut Chance) -> usize {
    let whole: f64 = (FEWEST..=MOST).map(|times| 1.0 / times as f64).sum();
    let mut left = chance.within(0.0, whole);
    let is_it = |times: &usize| {
        left -= 1.0 / *times as f64;
        left < 0.0
    };
    (FEWEST..=MOST).find(is_it).unwrap_or(MOST)
}

fn monday(week: usize) -> DateTime<Utc> {
    let first: DateTime<Utc> = "2026-06-01T00:00:00Z".parse().unwrap();
    first + TimeDelta::weeks(week as i64)
}

/// A working hour of `week`.
fn moment(week: usize, chance: &mut Chance) -> DateTime<Utc> {
    let day = TimeDelta::days(chance.below(5) as i64);
    monday(week) + day + TimeDelta::seconds(9 * 3600 + chance.below(8 * 3600) as i64)
}

/// `asking` in a line: the label that was wanted, the text, the labels.
fn line(asking: &Asking) -> String {
    let question = &asking.question;
    let options = question["options"].as_array().unwrap().iter();
    let labels: Vec<&str> = options.filter_map(|one| one["label"].as_str()).collect();
    format!("{}\t{}\t{labels:?}", asking.wanted, question["question"])
}

// A changed mind.

/// A habit whose person changed their mind while nobody ran anything.
#[derive(Default)]
pub(super) struct Changed {
    /// The level at which it was answered when the mind had changed.
    pub(super) level: String,
    pub(super) asked: usize,
    pub(super) wrong: usize,
    pub(super) stopped: bool,
}

/// How many times a changed mind is asked at most, and after how many times without an answer it has stopped.
const AFTERWARDS: usize = 60;
const STOPPED: usize = 12;

/// Six weeks of steady habits, half of them asked once a week and half four times; then the person chooses otherwise.
pub(super) fn change_of_mind(framework: &[&Template], chance: &mut Chance) -> Vec<Changed> {
    let mut home = Home::new(chance);
    let project = home.project("shop");
    let mut left = framework.to_vec();
    let mut habits = Vec::new();
    for _ in 0..FRAMEWORK {
        let template = left.swap_remove(chance.below(left.len()));
        habits.push(Habit::new(template, Kind::Changing, chance));
    }
    let mut calls = Vec::new();
    for week in 0..CHANGE {
        let mut times: Vec<(DateTime<Utc>, usize)> = Vec::new();
        for number in 0..habits.len() {
            let often = if number % 2 == 0 { 1 } else { 4 };
            times.extend((0..often).map(|_| (moment(week, chance), number)));
        }
        times.sort_unstable();
        for (at, number) in times {
            let asking = habits[number].ask(week, chance);
            let reply = home.ask(at, &project, &asking);
            calls.extend(reply.answer.map(|_| (number, reply.call)));
        }
        home.end_week(monday(week + 1) - TimeDelta::hours(4));
    }
    // The call that says at which level a habit is answered: the first one afterwards, else the last one before.
    let mut last: BTreeMap<usize, String> = calls.into_iter().collect();
    let mut found = Vec::new();
    let mut levels = Vec::new();
    for (number, habit) in habits.iter().enumerate() {
        let mut one = Changed::default();
        let mut first = None;
        let mut silent = 0;
        while one.asked < AFTERWARDS && silent < STOPPED {
            // Three a day.
            let at = monday(CHANGE) + TimeDelta::days((one.asked / 3) as i64);
            let at = at + TimeDelta::hours(9 + 3 * (one.asked % 3) as i64);
            let asking = habit.ask(CHANGE, chance);
            let Reply { call, answer } = home.ask(at, &project, &asking);
            one.asked += 1;
            silent = if answer.is_none() { silent + 1 } else { 0 };
            first = first.or(answer.as_ref().map(|_| call));
            one.wrong += usize::from(answer.is_some_and(|answer| !is_wanted(&answer, &asking)));
        }
        one.stopped = silent >= STOPPED;
        // What was never answered has nothing to stop.
        if let Some(call) = first.or(last.remove(&number)) {
            found.push(one);
            levels.push(call);
        }
    }
    let logged = home.logged();
    for (one, call) in found.iter_mut().zip(levels) {
        one.level.clone_from(&logged[&call].level);
    }
    found
}

// One-way acts.

/// A one-way option, and how often it was answered after it was chosen [`ONE_WAY`] times.
pub(super) struct OneWay {
    pub(super) answered: usize,
    pub(super) line: String,
}

/// Each one-way option of `all`, in a project of its own where nothing else is asked.
pub(super) fn one_way_acts(all: &[Template], chance: &mut Chance) -> Vec<OneWay> {
    let mut collections: BTreeMap<&str, Vec<(&Template, usize)>> = BTreeMap::new();
    for one in all {
        let options = one
            .options_of(Door::OneWay)
            .into_iter()
            .map(|option| (one, option));
        collections
            .entry(&one.collection)
            .or_default()
            .extend(options);
    }
    let mut found = Vec::new();
    for options in collections.values().filter(|options| !options.is_empty()) {
        let mut home = Home::new(chance);
        let mut acts = Vec::new();
        for (number, (template, option)) in options.iter().enumerate() {
            let style = AskerStyle::new(chance);
            let project = home.project(&format!("project-{number}"));
            for time in 0..ONE_WAY {
                let asking = style.ask(template, *option, chance);
                home.answer(moment(time / 2, chance), &project, &asking);
            }
            acts.push((template, *option, style, project));
        }
        // Once for the trial, and once for what a first proposal may have hidden.
        for week in [WEEKS, WEEKS + 1] {
            home.end_week(monday(week) - TimeDelta::hours(4));
        }
        for (template, option, style, project) in acts {
            let asked = || style.ask(template, option, chance);
            found.push(ask_again(&home, &project, asked));
        }
    }
    found
}

fn ask_again(home: &Home, project: &Path, mut asked: impl FnMut() -> Asking) -> OneWay {
    let mut one = OneWay {
        answered: 0,
        line: String::new(),
    };
    for time in 0..ONE_WAY {
        let asking = asked();
        let at = monday(WEEKS + 1)
            + TimeDelta::days(time as i64 / 4)
            + TimeDelta::hours(9 + time as i64 % 4);
        one.answered += usize::from(home.ask(at, project, &asking).answer.is_some());
        one.line = line(&asking);
    }
    one
}
