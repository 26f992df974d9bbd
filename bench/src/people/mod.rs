//! How much plantune answers for people as they are, and how much of that wrongly. Most questions come once; a habit
//! comes three to fifteen times in twelve weeks; models reword; people waver and change their minds.
//!
//! ```text
//! cargo build --bins && cargo run -p plantune-bench -- people FILE.jsonl [WORD …]
//! ```
//! The file is one of templates (`templates.rs`). The measurement runs the built programs beside it, or those that
//! `PLANTUNE` and `PLANTUNE_HOOK` name. They must be built with debug assertions, since released ones ignore
//! `PLANTUNE_NOW`.
//!
//! | word | |
//! | --- | --- |
//! | `--one-off 0.85` | the share of all questions that come once; 0.5 where it is missing |
//! | `--users 24` | how many people; 12 where it is missing |
//! | `--seed 2` | other people |
//! | `--half b` | the collections of one half (`a` or `b`) or `all`; `a` where it is missing. Make rules with one half, and judge them by the other |
//! | `--why` | lists what was answered wrongly, or should not have been, and what of steady habits was asked in week 13 |
//!
//! Each week every asking goes through the hook. What it does not answer, the person answers. At the end of the week
//! they import their transcripts and set whatever `suggest` proposes. In week 13 each habit is asked once more.
//! Two more measurements follow: one-way options that a person chose 24 times, and a mind that changed in week seven
//! while nobody runs anything.
//!
//! A habit counts by how often it came before week 13, whoever answered: a program that answers early does not move
//! it to another row.
mod home;
mod wording;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::thread;

use chrono::{DateTime, TimeDelta, Utc};

use self::home::{Home, Logged, is_wanted};
use self::wording::{Asking, Manner};
use crate::chance::Chance;
use crate::templates::{self, Door, Template};

const WEEKS: usize = 12;
/// The first week in which a changed mind chooses otherwise, counted from 0.
const CHANGE: usize = 6;
/// How many habits a person has, and how many questions that recur a framework needs to be used by one.
const HABITS: usize = 12;
const FRAMEWORK: usize = 8;
/// How often a habit comes in twelve weeks.
const FEWEST: usize = 3;
const MOST: usize = 15;
/// How often a one-way option is chosen before it is asked as often again.
const ONE_WAY: usize = 24;

/// What a person does with a question that recurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Always,
    NineOfTen,
    Changing,
    Depends,
    OneOff,
}

struct Habit<'a> {
    template: &'a Template,
    manner: Manner,
    kind: Kind,
    /// The option that is chosen, and the other one of whoever wavers or changes their mind.
    usual: usize,
    other: usize,
    times: usize,
}

/// What became of one asking.
struct Record {
    kind: Kind,
    /// How often the habit came before week 13.
    times: usize,
    /// Counted from 0.
    week: usize,
    /// Whether the hook's answer was the one that was wanted; `None` where it asked.
    right: Option<bool>,
    logged: Logged,
    /// Why `suggest` did not propose its question in the last week.
    not_proposed: String,
    /// The asking in a line, for `--why`.
    line: String,
}

struct Words {
    file: String,
    one_off: f64,
    users: usize,
    seed: u64,
    half: String,
    why: bool,
}

impl Words {
    fn read(words: impl Iterator<Item = String>) -> Self {
        let mut read = Self {
            file: String::new(),
            one_off: 0.5,
            users: 12,
            seed: 1,
            half: "a".to_owned(),
            why: false,
        };
        let mut words = words;
        while let Some(word) = words.next() {
            let mut value = || words.next().unwrap();
            match word.as_str() {
                "--one-off" => read.one_off = value().parse().unwrap(),
                "--users" => read.users = value().parse().unwrap(),
                "--seed" => read.seed = value().parse().unwrap(),
                "--half" => read.half = value(),
                "--why" => read.why = true,
                _ => read.file = word,
            }
        }
        read
    }

    /// Whether the collection called `name` belongs to the half that is measured, by FNV-1a of its name.
    fn measures(&self, name: &str) -> bool {
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        let half = if (hash >> 32).is_multiple_of(2) {
            "a"
        } else {
            "b"
        };
        self.half == "all" || self.half == half
    }
}

/// Runs the measurements and prints them.
pub(crate) fn measure(words: impl Iterator<Item = String>) {
    let words = Words::read(words);
    let mut all = templates::read(&words.file);
    all.retain(|one| words.measures(&one.collection));
    let mut frameworks: BTreeMap<&str, Vec<&Template>> = BTreeMap::new();
    for one in all
        .iter()
        .filter(|one| one.recurring && one.options_of(Door::TwoWay).len() > 1)
    {
        frameworks.entry(&one.collection).or_default().push(one);
    }
    frameworks.retain(|_, of| of.len() >= FRAMEWORK);
    let frameworks: Vec<&Vec<&Template>> = frameworks.values().collect();

    let mut records = Vec::new();
    let mut changed = Vec::new();
    let mut unset = Vec::new();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let users: Vec<usize> = (0..words.users).collect();
    for some in users.chunks(threads) {
        let lives = thread::scope(|scope| {
            let start = |user: &usize| {
                let framework = frameworks[user % frameworks.len()];
                let seed = 2 * (words.seed * 1000 + *user as u64);
                let (all, one_off) = (&all, words.one_off);
                scope.spawn(move || {
                    let (records, unset) = live(framework, all, one_off, &mut Chance::new(seed));
                    let changed = change_of_mind(framework, &mut Chance::new(seed + 1));
                    (records, unset, changed)
                })
            };
            let running: Vec<_> = some.iter().map(start).collect();
            running
                .into_iter()
                .map(|one| one.join().unwrap())
                .collect::<Vec<_>>()
        });
        for life in lives {
            records.extend(life.0);
            unset.extend(life.1);
            changed.extend(life.2);
        }
    }
    let one_way = one_way_acts(&all, &mut Chance::new(words.seed));

    let lived = records.iter().filter(|one| one.week < WEEKS);
    println!(
        "{} questions of half {}; {} people of {} frameworks, {:.0} % of their questions come once\n",
        all.len(),
        words.half,
        words.users,
        frameworks.len(),
        100.0 * share(lived, |one| one.kind == Kind::OneOff),
    );
    print_steady(&records);
    print_wrong(&records);
    print_changed(&changed);
    let answered = one_way.iter().filter(|one| one.answered > 0).count();
    println!("\n| never to be answered | answered | of |\n| --- | ---: | ---: |");
    let once: Vec<&Record> = records
        .iter()
        .filter(|one| one.kind == Kind::OneOff)
        .collect();
    let of_once = once.iter().filter(|one| one.right.is_some()).count();
    println!("| questions that came once | {of_once} | {} |", once.len());
    println!(
        "| one-way options, chosen {ONE_WAY} times | {answered} | {} |",
        one_way.len()
    );
    if !unset.is_empty() {
        println!(
            "\n{} proposals could not be set, such as {}",
            unset.len(),
            unset[0]
        );
    }
    if words.why {
        let of_records = records.iter().filter_map(Record::fault);
        let of_one_way = one_way.iter().filter(|one| one.answered > 0);
        let mut lines: Vec<String> = of_records.collect();
        lines.extend(of_one_way.map(|one| format!("ONE WAY {}\t{}", one.answered, one.line)));
        lines.sort_unstable();
        println!("\n{}", lines.join("\n"));
    }
    let is_answered = records.iter().any(|one| one.right.is_some());
    assert!(
        is_answered,
        "nothing was answered: silence is not what is measured here"
    );
}

// A person's thirteen weeks.

/// Thirteen weeks of a person who uses `framework`, and is asked the rest of `all` once each.
fn live(
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
    Manner::new(chance).ask(template, wanted, chance)
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
            manner: Manner::new(chance),
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
        self.manner.ask(self.template, wanted, chance)
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
struct Changed {
    /// The level at which it was answered before.
    level: String,
    asked: usize,
    wrong: usize,
    stopped: bool,
}

/// How many times a changed mind is asked at most, and after how many times without an answer it has stopped.
const AFTERWARDS: usize = 60;
const STOPPED: usize = 12;

/// Six weeks of steady habits, half of them asked once a week and half four times; then the person chooses otherwise.
fn change_of_mind(framework: &[&Template], chance: &mut Chance) -> Vec<Changed> {
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
    let logged = home.logged();
    let levels = calls
        .iter()
        .map(|(number, call)| (*number, logged[call].level.clone()));
    // The last one of each habit.
    let levels: BTreeMap<usize, String> = levels.collect();
    let mut found = Vec::new();
    for (number, level) in levels {
        let mut one = Changed {
            level,
            asked: 0,
            wrong: 0,
            stopped: false,
        };
        let mut silent = 0;
        while one.asked < AFTERWARDS && silent < STOPPED {
            // Three a day.
            let at = monday(CHANGE) + TimeDelta::days((one.asked / 3) as i64);
            let at = at + TimeDelta::hours(9 + 3 * (one.asked % 3) as i64);
            let asking = habits[number].ask(CHANGE, chance);
            let answer = home.ask(at, &project, &asking).answer;
            one.asked += 1;
            silent = if answer.is_none() { silent + 1 } else { 0 };
            one.wrong += usize::from(answer.is_some_and(|answer| !is_wanted(&answer, &asking)));
        }
        one.stopped = silent >= STOPPED;
        found.push(one);
    }
    found
}

// One-way acts.

/// A one-way option, and how often it was answered after it was chosen [`ONE_WAY`] times.
struct OneWay {
    answered: usize,
    line: String,
}

/// Each one-way option of `all`, in a project of its own where nothing else is asked.
fn one_way_acts(all: &[Template], chance: &mut Chance) -> Vec<OneWay> {
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
            let manner = Manner::new(chance);
            let project = home.project(&format!("project-{number}"));
            for time in 0..ONE_WAY {
                let asking = manner.ask(template, *option, chance);
                home.answer(moment(time / 2, chance), &project, &asking);
            }
            acts.push((template, *option, manner, project));
        }
        // Once for the trial, and once for what a first proposal may have hidden.
        for week in [WEEKS, WEEKS + 1] {
            home.end_week(monday(week) - TimeDelta::hours(4));
        }
        for (template, option, manner, project) in acts {
            let asked = || manner.ask(template, option, chance);
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

// What is printed.

impl Record {
    fn is_asked_in_week_13(&self) -> bool {
        self.week == WEEKS && self.right.is_none()
    }

    /// Why it was asked: the log's reason, without what is quoted in it; without a preference, why none was proposed.
    fn reason(&self) -> String {
        let asked = &self.logged.ask_reason;
        let reason = match asked.as_str() {
            "no_preference" => &self.not_proposed,
            _ => &self.logged.reason,
        };
        let end = reason.find(['"', '`', ':', '(']).unwrap_or(reason.len());
        format!("{asked} {}", &reason[..end]).trim().to_owned()
    }

    /// A line about what should have been otherwise.
    fn fault(&self) -> Option<String> {
        let what = match (self.kind, self.right) {
            (Kind::OneOff, Some(_)) => "ANSWERED ONCE".to_owned(),
            (kind, Some(false)) => format!("WRONG {kind}"),
            (Kind::Always, None) if self.week == WEEKS => {
                format!(
                    "ASKED {} {}: {}",
                    self.times,
                    self.reason(),
                    self.logged.reason
                )
            }
            _ => return None,
        };
        Some(format!("{what}\t{}", self.line))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Always => "always alike",
            Self::NineOfTen => "nine of ten",
            Self::Changing => "changed in week seven",
            Self::Depends => "depends",
            Self::OneOff => "came once",
        })
    }
}

fn share<'a>(of: impl Iterator<Item = &'a Record> + Clone, is: impl Fn(&Record) -> bool) -> f64 {
    let all = of.clone().count().max(1);
    of.filter(|one| is(one)).count() as f64 / all as f64
}

fn print_steady(records: &[Record]) {
    println!("| always alike, came | habits | answered in week 13 | | checked | asked, and why |");
    println!("| --- | ---: | ---: | ---: | ---: | --- |");
    for (name, from, to) in [
        ("3–5", 3, 5),
        ("6–14", 6, 14),
        ("15 and more", 15, usize::MAX),
        ("6 and more", 6, usize::MAX),
    ] {
        let is_it = |one: &&Record| {
            one.kind == Kind::Always && one.week == WEEKS && (from..=to).contains(&one.times)
        };
        let of = records.iter().filter(is_it);
        let answered = share(of.clone(), |one| one.right.is_some());
        let asked: Vec<String> = of
            .clone()
            .filter(|one| one.is_asked_in_week_13())
            .map(Record::reason)
            .collect();
        let checked = asked
            .iter()
            .filter(|reason| reason.starts_with("spot_check"))
            .count();
        let mut reasons: BTreeMap<&String, usize> = BTreeMap::new();
        for reason in asked
            .iter()
            .filter(|reason| !reason.starts_with("spot_check"))
        {
            *reasons.entry(reason).or_default() += 1;
        }
        let mut reasons: Vec<(usize, &String)> = reasons
            .into_iter()
            .map(|(reason, times)| (times, reason))
            .collect();
        reasons.sort_unstable_by(|one, other| other.cmp(one));
        let reasons: Vec<String> = reasons
            .iter()
            .map(|(times, reason)| format!("{times} {reason}"))
            .collect();
        let habits = of.clone().count();
        let count = of.filter(|one| one.right.is_some()).count();
        println!(
            "| {name} | {habits} | {count} | {:.0} % | {checked} | {} |",
            100.0 * answered,
            reasons.join("; ")
        );
    }
}

fn print_wrong(records: &[Record]) {
    println!(
        "\n| habit | asked in week 13 | answered | wrongly | asked in all weeks | answered | wrongly |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let cells = |name: &str, is: &dyn Fn(&Record) -> bool| {
        let count = |from: usize| {
            let of = records.iter().filter(|one| is(one) && one.week >= from);
            let answers: Vec<bool> = of.clone().filter_map(|one| one.right).collect();
            let wrong = answers.iter().filter(|right| !**right).count();
            let share = 100.0 * wrong as f64 / answers.len().max(1) as f64;
            format!(
                "{} | {} | {wrong} ({share:.1} %)",
                of.count(),
                answers.len()
            )
        };
        println!("| {name} | {} | {} |", count(WEEKS), count(0));
    };
    for kind in [Kind::Always, Kind::NineOfTen, Kind::Changing, Kind::Depends] {
        cells(&kind.to_string(), &|one| one.kind == kind);
    }
    cells("all habits", &|one| one.kind != Kind::OneOff);
}

fn print_changed(changed: &[Changed]) {
    println!(
        "\n| a changed mind, nobody running anything | habits | wrong answers, mean | most | did not stop |"
    );
    println!("| --- | ---: | ---: | ---: | ---: |");
    let mut levels: Vec<&str> = changed.iter().map(|one| one.level.as_str()).collect();
    levels.sort_unstable();
    levels.dedup();
    for level in levels {
        let of: Vec<&Changed> = changed.iter().filter(|one| one.level == level).collect();
        let wrong: usize = of.iter().map(|one| one.wrong).sum();
        let most = of.iter().map(|one| one.wrong).max().unwrap_or(0);
        let still = of.iter().filter(|one| !one.stopped).count();
        let mean = wrong as f64 / of.len() as f64;
        println!("| {level} | {} | {mean:.1} | {most} | {still} |", of.len());
    }
}
