//! How much of the agreement is independent: thirty answers of one evening are no habit yet.

use std::collections::{HashMap, HashSet};

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};

use super::policy::Verdict;
use super::posterior::{Tally, age_weight};
use crate::evidence::HumanAnswer;

/// How many agreeing answers of one session count, one a day.
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
    /// How many disagreements count.
    pub(super) disagreeing: usize,
    /// The distinct sessions of the agreeing answers that count.
    pub(super) sessions: usize,
    /// Their distinct days.
    pub(super) days: usize,
}

/// One piece of evidence: what was answered on one occasion.
struct Piece<'a> {
    last: &'a HumanAnswer,
    verdict: Verdict,
}

/// The occasions in `answers`: what one session was asked again within ten minutes is one piece, and
/// one disagreement in it stands for all. Asking again after a decline, an error or a time-out is
/// such a repetition.
fn pieces<'a>(answers: &'a [HumanAnswer], verdicts: &[Verdict]) -> Vec<Piece<'a>> {
    let mut pieces: Vec<Piece<'a>> = Vec::new();
    let mut of_session: HashMap<&str, usize> = HashMap::new();
    for (answer, verdict) in answers.iter().zip(verdicts) {
        let session = answer.session_id.as_str();
        let before = of_session.get(session);
        let piece = before.and_then(|index| pieces.get_mut(*index));
        match piece.filter(|piece| answer.at - piece.last.at < OCCASION) {
            Some(piece) => {
                piece.last = answer;
                piece.verdict = piece.verdict.with(*verdict);
            }
            None => {
                of_session.insert(session, pieces.len());
                pieces.push(Piece {
                    last: answer,
                    verdict: *verdict,
                });
            }
        }
    }
    pieces
}

/// Weighs `answers`, which are in the order of time, by a policy's `verdicts` on them.
///
/// What one session was asked within ten minutes is one piece of evidence. A piece that disagrees
/// always counts; one that agrees counts unless its session counts already that day or on two days before,
/// or three of the day do: what is repeated in one sitting is one decision, whatever became of the askings in
/// between, and the caution is one-sided on purpose. Each piece weighs [`age_weight`] at the moment
/// `reference`.
pub(super) fn weigh(
    answers: &[HumanAnswer],
    verdicts: &[Verdict],
    reference: NaiveDateTime,
    half_life_days: f64,
) -> Weighed {
    let mut weighed = Weighed::default();
    let mut sittings: HashSet<(&str, NaiveDate)> = HashSet::new();
    let mut sessions: HashMap<&str, usize> = HashMap::new();
    let mut days: HashMap<NaiveDate, usize> = HashMap::new();
    for piece in pieces(answers, verdicts) {
        let answer = piece.last;
        let weight = age_weight(days_between(answer.at, reference), half_life_days);
        match piece.verdict {
            Verdict::Abstain => {}
            Verdict::Disagree => {
                weighed.disagreeing += 1;
                weighed.tally.disagreeing += weight;
            }
            Verdict::Agree => {
                let session = answer.session_id.as_str();
                let of_day = days.entry(answer.day).or_default();
                let of_session = sessions.entry(session).or_default();
                let is_free = *of_day < MOST_PER_DAY && *of_session < MOST_PER_SESSION;
                if is_free && sittings.insert((session, answer.day)) {
                    *of_day += 1;
                    *of_session += 1;
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

/// The days from one moment to another, negative when they are the other way round.
pub(super) fn days_between(from: NaiveDateTime, to: NaiveDateTime) -> f64 {
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
                // Hours later, after a decline or a time-out or whatever it was.
                ("s", "2026-11-01 15:28"),
            ]),
            (2, 2, 1)
        );
    }

    #[test]
    fn a_session_and_a_day_count_only_so_often() {
        let session = [
            ("s", "2026-11-01 10:00"),
            ("s", "2026-11-01 20:00"),
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
    fn an_occasion_disagrees_once_when_anything_in_it_does() {
        let answers = answers(&[
            ("s", "2026-11-20 00:00"),
            ("s", "2026-11-20 00:05"),
            ("s", "2026-11-20 00:10"),
            ("s", "2026-11-20 03:00"),
        ]);
        let verdicts = [
            Verdict::Agree,
            Verdict::Disagree,
            Verdict::Disagree,
            Verdict::Agree,
        ];
        let weighed = weigh(&answers, &verdicts, at("2026-11-20 03:00"), 60.0);
        assert_eq!((weighed.disagreeing, weighed.agreeing), (1, 1));
    }

    #[test]
    fn disagreements_always_count_and_age_halves_both() {
        let answers = answers(&[
            ("s", "2026-09-21 00:00"),
            ("t", "2026-09-21 00:00"),
            ("u", "2026-11-20 00:00"),
        ]);
        let verdicts = [Verdict::Disagree, Verdict::Disagree, Verdict::Agree];
        let weighed = weigh(&answers, &verdicts, at("2026-11-20 00:00"), 60.0);
        assert_eq!((weighed.disagreeing, weighed.agreeing), (2, 1));
        assert!((weighed.tally.disagreeing - 1.0).abs() < 1e-9);
        assert!((weighed.tally.agreeing - 1.0).abs() < 1e-9);
    }
}
