//! How much of the agreement is independent: thirty answers of one evening are no habit yet.

use std::collections::{HashMap, HashSet};

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};

use super::policy::Verdict;
use super::posterior::{Tally, age_weight};
use crate::evidence::HumanAnswer;

/// How many agreeing answers of one session count.
const MOST_PER_SESSION: usize = 2;

/// How many agreeing answers of one day count.
const MOST_PER_DAY: usize = 3;

/// Answers of one session closer together than this are one occasion.
const OCCASION: TimeDelta = TimeDelta::minutes(10);

/// The evidence for and against one policy.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Weighed {
    /// The weights of what counts.
    pub(super) tally: Tally,
    /// How many agreeing answers count.
    pub(super) agreeing: usize,
    /// How many answers disagree; all of them count.
    pub(super) disagreeing: usize,
    /// The distinct sessions of the agreeing answers that count.
    pub(super) sessions: usize,
    /// Their distinct days.
    pub(super) days: usize,
}

/// Weighs `answers`, which are in the order of time, by a policy's `verdicts` on them.
///
/// A disagreement always counts. An agreement counts unless its session was asked the same less
/// than ten minutes before, or two of its session or three of its day count already: what is
/// repeated in one sitting is one decision, and the caution is one-sided on purpose. Each counted
/// answer weighs [`age_weight`] at the moment `reference`.
pub(super) fn weigh(
    answers: &[HumanAnswer],
    verdicts: &[Verdict],
    reference: NaiveDateTime,
    half_life_days: f64,
) -> Weighed {
    let mut weighed = Weighed::default();
    let mut last_asked: HashMap<&str, NaiveDateTime> = HashMap::new();
    let mut sessions: HashMap<&str, usize> = HashMap::new();
    let mut days: HashMap<NaiveDate, usize> = HashMap::new();
    for (answer, verdict) in answers.iter().zip(verdicts) {
        let session = answer.session_id.as_str();
        let again = last_asked
            .insert(session, answer.at)
            .is_some_and(|before| answer.at - before < OCCASION);
        let weight = age_weight(days_between(answer.at, reference), half_life_days);
        match verdict {
            Verdict::Abstain => {}
            Verdict::Disagree => {
                weighed.disagreeing += 1;
                weighed.tally.disagreeing += weight;
            }
            Verdict::Agree => {
                let of_session = sessions.entry(session).or_default();
                let of_day = days.entry(answer.day).or_default();
                if !again && *of_session < MOST_PER_SESSION && *of_day < MOST_PER_DAY {
                    *of_session += 1;
                    *of_day += 1;
                    weighed.agreeing += 1;
                    weighed.tally.agreeing += weight;
                }
            }
        }
    }
    weighed.sessions = counted(&sessions);
    weighed.days = counted(&days);
    weighed
}

/// How many distinct sessions and days `answers` come from.
pub(super) fn distinct(answers: &[HumanAnswer]) -> (usize, usize) {
    let sessions: HashSet<&str> = answers
        .iter()
        .map(|answer| answer.session_id.as_str())
        .collect();
    let days: HashSet<NaiveDate> = answers.iter().map(|answer| answer.day).collect();
    (sessions.len(), days.len())
}

fn counted<K>(of: &HashMap<K, usize>) -> usize {
    of.values().filter(|count| **count > 0).count()
}

fn days_between(from: NaiveDateTime, to: NaiveDateTime) -> f64 {
    (to - from).as_seconds_f64() / 86_400.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::tests::{answer, at};

    fn answers(times: &[(&str, &str)]) -> Vec<HumanAnswer> {
        times
            .iter()
            .map(|(session, time)| {
                let mut answer = answer(&["A", "B"], &["A"]);
                answer.session_id = (*session).to_owned();
                answer.at = at(time);
                answer.day = answer.at.date();
                answer
            })
            .collect()
    }

    fn agreeing(times: &[(&str, &str)]) -> (usize, usize, usize) {
        let answers = answers(times);
        let verdicts = vec![Verdict::Agree; answers.len()];
        let weighed = weigh(&answers, &verdicts, at("2026-11-20 00:00"), 60.0);
        (weighed.agreeing, weighed.sessions, weighed.days)
    }

    #[test]
    fn what_is_repeated_in_one_sitting_counts_once() {
        assert_eq!(
            agreeing(&[
                ("s", "2026-11-01 10:00"),
                ("s", "2026-11-01 10:09"),
                ("s", "2026-11-01 10:18"),
                ("t", "2026-11-01 10:18"),
                ("s", "2026-11-01 10:28"),
            ]),
            (3, 2, 1)
        );
    }

    #[test]
    fn a_session_and_a_day_count_only_so_often() {
        let session = [
            ("s", "2026-11-01 10:00"),
            ("s", "2026-11-02 10:00"),
            ("s", "2026-11-03 10:00"),
        ];
        assert_eq!(agreeing(&session), (2, 1, 2));
        let day = [
            ("s", "2026-11-01 10:00"),
            ("t", "2026-11-01 11:00"),
            ("u", "2026-11-01 12:00"),
            ("v", "2026-11-01 13:00"),
        ];
        assert_eq!(agreeing(&day), (3, 3, 1));
    }

    #[test]
    fn disagreements_always_count_and_age_halves_both() {
        let answers = answers(&[
            ("s", "2026-09-21 00:00"),
            ("s", "2026-09-21 00:00"),
            ("t", "2026-11-20 00:00"),
        ]);
        let verdicts = [Verdict::Disagree, Verdict::Disagree, Verdict::Agree];
        let weighed = weigh(&answers, &verdicts, at("2026-11-20 00:00"), 60.0);
        assert_eq!((weighed.disagreeing, weighed.agreeing), (2, 1));
        assert!((weighed.tally.disagreeing - 1.0).abs() < 1e-9);
        assert!((weighed.tally.agreeing - 1.0).abs() < 1e-9);
    }
}
