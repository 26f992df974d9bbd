//! From sums to statements: what each kind of statement takes to be made, and which five are shown.

use std::collections::BTreeMap;

use chrono::{Datelike as _, NaiveDate};

use super::burst::burst;
use super::chance::{at_least, beyond_chance, counts_differ, longer, number};
use super::facts::{Facts, Name, OfQuestion, Sums};
use super::finding::{Finding, LEAST_QUESTIONS, MOST, Question, Says};

/// The share of statements about questions that may be chance, and that of all others: there, one of many
/// hours, days or sessions is always the busiest.
const LEVEL: f64 = 0.05;
const LEVEL_OF_THE_MOST: f64 = 0.01;

/// How many times as much as on average what is busiest has, at least.
const BUSY: f64 = 1.5;

/// The share of answers that is typed where options fit as they usually do, at most.
const TYPED_USUALLY: f64 = 0.25;

/// How many times as long as others the answers take that are said to take longest, at least.
const LONG: f64 = 2.0;

/// The part of a change that its cause makes for, at least, and the part of what there was that it is.
const CAUSE: f64 = 0.25;
const CHANGE: f64 = 0.2;

/// How many statements of one kind are shown at most.
const MOST_OF_A_KIND: usize = 2;

/// What is said of `facts`: at most five statements, what is worth most first.
pub(super) fn findings(facts: &Facts) -> Vec<Finding> {
    let weeks = weeks(facts);
    let mut found: Vec<Finding> = [
        asks_most(facts),
        busiest_hour(facts),
        busiest_day(facts),
        most_stopped_session(facts),
        change(facts),
    ]
    .into_iter()
    .flatten()
    .chain(options_rarely_fit(facts))
    .chain(always_recommended(facts))
    .chain(longest_wait(facts))
    .collect();
    found.retain(|one| one.n >= LEAST_QUESTIONS);
    for one in &mut found {
        one.seconds_a_week = ((one.seconds_a_week / weeks) * 10.0).round() / 10.0;
    }
    // The sort is stable: of what is worth as much, what comes first above.
    found.sort_by(|one, other| {
        other
            .seconds_a_week
            .total_cmp(&one.seconds_a_week)
            .then(other.n.cmp(&one.n))
    });
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut questions: Vec<Question> = Vec::new();
    let mut bursts: Vec<NaiveDate> = Vec::new();
    let mut kept = Vec::new();
    for one in found {
        // One line a question: what is worth most says enough. What a change comes from may have one, too.
        let is_change = matches!(one.says, Says::Change { .. });
        let question = one.says.question().filter(|_| !is_change).cloned();
        if question
            .as_ref()
            .is_some_and(|question| questions.contains(question))
        {
            continue;
        }
        // One line a burst: an evening can be the busiest hour, the busiest day and the busiest session.
        let burst = burst(&one.says, facts);
        if burst.is_some_and(|day| bursts.contains(&day)) {
            continue;
        }
        let of_kind = kinds.entry(one.says.kind()).or_default();
        if *of_kind == MOST_OF_A_KIND || kept.len() == MOST {
            continue;
        }
        *of_kind += 1;
        questions.extend(question);
        bursts.extend(burst);
        kept.push(one);
    }
    kept
}

/// A statement; what it is worth is divided by the period's weeks later.
fn finding(n: u64, seconds: f64, says: Says) -> Finding {
    Finding {
        n,
        seconds_a_week: seconds,
        says,
    }
}

/// The weeks of the period from its first question to today, at least a week or, of a shorter period, its
/// days: a long period that begins before anything was logged is not longer for that.
fn weeks(facts: &Facts) -> f64 {
    let days =
        |days: chrono::TimeDelta| f64::from(i32::try_from(days.num_days() + 1).unwrap_or(i32::MAX));
    let whole = days(facts.period.end - facts.period.start);
    let first = facts
        .days
        .keys()
        .next()
        .copied()
        .unwrap_or(facts.period.start);
    let active = days(facts.period.end.min(facts.today) - first);
    active.max(whole.min(7.0)).max(1.0) / 7.0
}

/// All that was asked in the period.
fn all(facts: &Facts) -> Sums {
    sum(facts.days.values())
}

fn sum<'f>(parts: impl Iterator<Item = &'f Sums>) -> Sums {
    let mut all = Sums::default();
    parts.for_each(|sums| all.add(*sums));
    all
}

/// The one of `parts` with the most calls, where that is more than chance gives when all `of` them are
/// alike; with how many seconds are beyond an even share.
fn most<'f, K>(
    parts: impl Iterator<Item = (K, &'f Sums)>,
    of: u64,
    all: Sums,
) -> Option<(K, Sums, f64)> {
    let (key, sums) = parts.max_by_key(|(_, sums)| (sums.calls, sums.asked))?;
    if of < 2 {
        return None;
    }
    let share = 1.0 / number(of);
    let is_busy = number(sums.calls) >= BUSY * share * number(all.calls);
    let chance = at_least(sums.calls, all.calls, share) * number(of);
    let beyond = (sums.seconds - share * all.seconds).max(0.0);
    (is_busy && chance <= LEVEL_OF_THE_MOST).then_some((key, *sums, beyond))
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

fn asks_most(facts: &Facts) -> Option<Finding> {
    let all = all(facts);
    let askers = facts.askers.values();
    let askers = askers.filter_map(|(name, sums)| Some((name.as_deref()?, sums)));
    let frameworks = facts.frameworks.iter();
    let frameworks = frameworks.filter_map(|(name, sums)| Some((name.as_deref()?, sums)));
    // Where all that is known is one that asks, nobody could be the other. A framework is named where none of its
    // commands stands out.
    let (asker, sums, _) = most(askers, count(facts.askers.len()).max(2), all)
        .or_else(|| most(frameworks, count(facts.frameworks.len()).max(2), all))?;
    let says = Says::AsksMost {
        asker: asker.to_owned(),
        asked: sums.asked,
        of: all.asked,
        seconds: sums.seconds,
    };
    Some(finding(sums.asked, sums.seconds, says))
}

fn busiest_hour(facts: &Facts) -> Option<Finding> {
    let by_hour = facts.hours.iter();
    let by_hour: Vec<(u32, Sums)> = by_hour
        .map(|(hour, days)| (*hour, sum(days.values())))
        .collect();
    let hours = count(by_hour.len());
    let all = all(facts);
    let parts = by_hour.iter().map(|(hour, sums)| (*hour, sums));
    let (hour, sums, beyond) = most(parts, hours, all)?;
    let says = Says::BusiestHour {
        hour,
        asked: sums.asked,
        of: all.asked,
        hours,
    };
    Some(finding(sums.asked, beyond, says))
}

/// The busiest day of a period of up to two weeks, the busiest day of the week of a longer one.
fn busiest_day(facts: &Facts) -> Option<Finding> {
    let all = all(facts);
    let of_days = count(facts.days.len());
    if (facts.period.end - facts.period.start).num_days() < 14 {
        let (day, sums, beyond) = most(facts.days.iter(), of_days, all)?;
        let says = Says::BusiestDay {
            day: *day,
            asked: sums.asked,
            of: all.asked,
            days: of_days,
        };
        return Some(finding(sums.asked, beyond, says));
    }
    let mut weekdays: BTreeMap<u32, (u64, Sums)> = BTreeMap::new();
    for (day, sums) in &facts.days {
        let (days, of_weekday) = weekdays
            .entry(day.weekday().number_from_monday())
            .or_default();
        *days += 1;
        of_weekday.add(*sums);
    }
    let tests = number(count(weekdays.len()));
    let busiest = weekdays
        .iter()
        .max_by_key(|(_, (_, sums))| (sums.calls, sums.asked));
    let (weekday, (days, sums)) = busiest?;
    // By chance it has as many as its days are among all on which anything was asked.
    let share = number(*days) / number(of_days);
    let is_busy = number(sums.calls) >= BUSY * share * number(all.calls);
    let chance = at_least(sums.calls, all.calls, share) * tests;
    let says = Says::BusiestWeekday {
        weekday: *weekday,
        asked: sums.asked,
        of: all.asked,
        days: *days,
        of_days,
    };
    let beyond = (sums.seconds - share * all.seconds).max(0.0);
    let stands = is_busy && chance <= LEVEL_OF_THE_MOST;
    stands.then(|| finding(sums.asked, beyond, says))
}

fn most_stopped_session(facts: &Facts) -> Option<Finding> {
    let session = facts.session.as_ref()?;
    let all = all(facts);
    let one = std::iter::once((session, &session.sums));
    let (session, sums, beyond) = most(one, session.sessions, all)?;
    let says = Says::MostStoppedSession {
        session_id: session.session_id.clone(),
        project: session.project.clone(),
        day: session.day,
        asked: sums.asked,
        of: all.asked,
        sessions: session.sessions,
    };
    Some(finding(sums.asked, beyond, says))
}

/// Statements about the questions for which `chance` says how often chance gives them; nothing for those that
/// cannot be judged.
fn about_questions(
    facts: &Facts,
    chance: impl Fn(&OfQuestion) -> Option<f64>,
    holds: impl Fn(&OfQuestion) -> bool,
    finding: impl Fn(Question, &OfQuestion) -> Finding,
) -> Vec<Finding> {
    let judged: Vec<(&Name, &OfQuestion, f64)> = facts
        .questions
        .iter()
        .filter_map(|(name, sums)| Some((name, sums, chance(sums)?)))
        .collect();
    let chances: Vec<f64> = judged.iter().map(|(_, _, chance)| *chance).collect();
    let stay = beyond_chance(&chances, LEVEL);
    let found = judged.into_iter().zip(stay);
    found
        .filter(|((_, sums, _), stays)| *stays && holds(sums))
        .map(|((name, sums, _), _)| finding(question(name, sums), sums))
        .collect()
}

fn question((project, question_key): &Name, sums: &OfQuestion) -> Question {
    Question {
        project: project.clone(),
        question_key: question_key.clone(),
        text: sums.text.clone(),
    }
}

/// At least half typed, where chance would type a quarter.
fn options_rarely_fit(facts: &Facts) -> Vec<Finding> {
    let chance = |sums: &OfQuestion| {
        let enough = sums.answered >= LEAST_QUESTIONS;
        enough.then(|| at_least(sums.typed, sums.answered, TYPED_USUALLY))
    };
    let holds = |sums: &OfQuestion| 2 * sums.typed >= sums.answered;
    about_questions(facts, chance, holds, |question, sums| {
        let says = Says::OptionsRarelyFit {
            question,
            typed: sums.typed,
            answered: sums.answered,
            seconds: sums.now.seconds,
        };
        finding(sums.answered, sums.now.seconds, says)
    })
}

/// Every answer as recommended, where chance would choose among the options.
fn always_recommended(facts: &Facts) -> Vec<Finding> {
    let chance = |sums: &OfQuestion| {
        let options = number(sums.options.max(2));
        let enough = sums.recommended >= LEAST_QUESTIONS;
        enough.then(|| at_least(sums.followed, sums.recommended, 1.0 / options))
    };
    // What may never be answered is no habit to point out.
    let holds = |sums: &OfQuestion| {
        sums.followed == sums.recommended
            && sums.recommended == sums.answered
            && sums.one_way < sums.answered
    };
    about_questions(facts, chance, holds, |question, sums| {
        let says = Says::AlwaysRecommended {
            question,
            answered: sums.answered,
            seconds: sums.now.seconds,
        };
        finding(sums.answered, sums.now.seconds, says)
    })
}

/// On average at least twice as long as all others, where chance would make them alike.
fn longest_wait(facts: &Facts) -> Vec<Finding> {
    let mut all = OfQuestion::default();
    for sums in facts.questions.values() {
        all.add(sums.clone());
    }
    let chance = |sums: &OfQuestion| {
        let enough = sums.timed >= LEAST_QUESTIONS;
        enough.then(|| longer(sums.logs, all.logs.minus(sums.logs)))
    };
    let mean = |seconds: f64, answers: u64| seconds / number(answers.max(1));
    let others = |sums: &OfQuestion| (all.timed - sums.timed, all.now.seconds - sums.now.seconds);
    let holds = |sums: &OfQuestion| {
        let (answers, seconds) = others(sums);
        answers >= LEAST_QUESTIONS
            && mean(sums.now.seconds, sums.timed) >= LONG * mean(seconds, answers)
    };
    about_questions(facts, chance, holds, |question, sums| {
        let (other_answers, other_seconds) = others(sums);
        let says = Says::LongestWait {
            question,
            answers: sums.timed,
            seconds: sums.now.seconds,
            other_answers,
            other_seconds,
        };
        // Worth what it takes beyond the others.
        let usual = mean(other_seconds, other_answers) * number(sums.timed);
        finding(sums.timed, sums.now.seconds - usual, says)
    })
}

/// More, or fewer, than the days before would let expect.
fn change(facts: &Facts) -> Option<Finding> {
    let (mut now, mut before) = (Sums::default(), Sums::default());
    for sums in facts.questions.values() {
        now.add(sums.now);
        before.add(sums.before);
    }
    if now.asked == 0 || before.asked == 0 || facts.begins_before {
        return None;
    }
    let length = |first: NaiveDate, last: NaiveDate| {
        u64::try_from((last - first).num_days() + 1).unwrap_or(0)
    };
    let days_before = length(facts.previous.start, facts.previous.end);
    let days = length(facts.period.start, facts.period.end.min(facts.today));
    let is_running = facts.today <= facts.period.end;
    let ratio = number(days) / number(days_before);
    let is_more = number(now.asked) > number(before.asked) * ratio;
    // Today is not over: it counts as a day for what is more, and as none for what is fewer.
    let over = if is_running && !is_more {
        days.saturating_sub(1)
    } else {
        days
    };
    if over == 0 {
        return None;
    }
    let ratio = number(over) / number(days_before);
    let expected = number(before.asked) * ratio;
    let difference = number(now.asked) - expected;
    let chance = counts_differ(
        [now.calls, before.calls],
        [number(over), number(days_before)],
    );
    let is_enough = difference.abs() >= number(LEAST_QUESTIONS)
        && difference.abs() >= CHANGE * expected
        && (difference > 0.0) == is_more;
    if chance > LEVEL_OF_THE_MOST || !is_enough {
        return None;
    }
    let part = |sums: &OfQuestion| {
        let change = number(sums.now.asked) - number(sums.before.asked) * ratio;
        change / difference
    };
    let parts = facts.questions.iter();
    let cause = parts.max_by(|(_, one), (_, other)| part(one).total_cmp(&part(other)));
    let cause = cause.filter(|(_, sums)| part(sums) >= CAUSE);
    let says = Says::Change {
        asked: now.asked,
        before: before.asked,
        days,
        days_before,
        cause: cause.map(|(name, sums)| (question(name, sums), sums.now.asked, sums.before.asked)),
    };
    let seconds = (now.seconds - before.seconds * ratio).abs();
    Some(finding(now.asked + before.asked, seconds, says))
}
