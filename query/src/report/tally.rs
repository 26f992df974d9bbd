//! Questions counted by day, and the sums of a report that follow from these counts.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde::Deserialize;

use super::rows::{ErrorKind, SessionKindCounts, Totals};
use super::timeline::Timeline;
use crate::period::Days;
use crate::seconds::to_milliseconds;

/// The questions of one day that have a session kind, what became of them and what went wrong in common.
#[derive(Deserialize)]
pub(super) struct Tally {
    pub(super) day: NaiveDate,
    pub(super) session_kind: String,
    /// The outcome, or what decided without the person (`tally.sql`).
    pub(super) became: String,
    pub(super) error_kind: Option<String>,
    pub(super) questions: u64,
    pub(super) calls: u64,
    pub(super) human_seconds: f64,
    pub(super) away_answers: u64,
    pub(super) away_seconds: f64,
}

/// Distinct sessions by what they are of, `previous`, `current` or a kind (`sessions.sql`).
type Sessions = BTreeMap<String, u64>;

/// All that is counted, and from when on an open question counts as open, not as dismissed.
pub(super) struct Tallies {
    pub(super) rows: Vec<Tally>,
    pub(super) open_from: NaiveDate,
}

impl Tallies {
    /// True when a question came up in `days`.
    pub(super) fn has_questions(&self, days: Days) -> bool {
        self.of(days).next().is_some()
    }

    /// The sums of `days`, but for sessions, waits and `seconds_saved`.
    pub(super) fn totals(&self, days: Days) -> Totals {
        let mut totals = self.count(days, |_| ()).remove(&()).unwrap_or_default();
        totals.human_seconds = to_milliseconds(totals.human_seconds);
        totals.away_seconds = to_milliseconds(totals.away_seconds);
        totals
    }

    /// The parts of `days` with their questions, and with as many prompts for permission as `prompts` has by day.
    pub(super) fn timeline(&self, days: Days, prompts: &BTreeMap<NaiveDate, u64>) -> Timeline {
        let by_day = self.count(days, |tally| tally.day);
        let active = by_day.keys().chain(prompts.keys()).copied();
        let active = active.clone().min().zip(active.max());
        let active = active.map(|(start, end)| Days { start, end });
        let mut timeline = Timeline::of(days, active);
        for (day, counts) in by_day {
            if let Some(part) = timeline.part(day) {
                part.questions += counts.questions;
                part.asked += counts.asked;
                part.answered += counts.answered;
                part.auto_decided += counts.auto_decided;
                part.failed += counts.failed;
                part.dismissed += counts.dismissed;
                part.open += counts.open;
                part.human_seconds += counts.human_seconds;
            }
        }
        for (day, prompts) in prompts {
            if let Some(part) = timeline.part(*day) {
                part.prompts += prompts;
            }
        }
        for part in &mut timeline.parts {
            part.human_seconds = to_milliseconds(part.human_seconds);
        }
        timeline
    }

    /// The session kinds of `days`, the most frequent first.
    pub(super) fn session_kinds(&self, days: Days, sessions: &Sessions) -> Vec<SessionKindCounts> {
        let kinds = self.count(days, |tally| tally.session_kind.as_str());
        let mut kinds: Vec<SessionKindCounts> = kinds
            .into_iter()
            .map(|(kind, counts)| SessionKindCounts {
                session_kind: kind.to_owned(),
                sessions: of(sessions, kind),
                questions: counts.questions,
                asked: counts.asked,
                answered: counts.answered,
                auto_decided: counts.auto_decided,
                failed: counts.failed,
                dismissed: counts.dismissed,
            })
            .collect();
        kinds.sort_by_key(|kind| std::cmp::Reverse(kind.questions));
        kinds
    }

    /// The failures of `days` by kind, `hook_errors` of them the hook's own, the most frequent first.
    pub(super) fn errors(&self, days: Days, hook_errors: u64) -> Vec<ErrorKind> {
        let mut times: BTreeMap<&str, u64> = BTreeMap::new();
        for tally in self.of(days) {
            if let Some(kind) = &tally.error_kind {
                *times.entry(kind).or_default() += tally.questions;
            }
        }
        if hook_errors > 0 {
            times.insert("hook", hook_errors);
        }
        let errors = times.into_iter().map(|(kind, times)| ErrorKind {
            error_kind: kind.to_owned(),
            times,
        });
        let mut errors: Vec<ErrorKind> = errors.collect();
        errors.sort_by_key(|error| std::cmp::Reverse(error.times));
        errors
    }

    fn of(&self, days: Days) -> impl Iterator<Item = &Tally> {
        self.rows
            .iter()
            .filter(move |tally| (days.start..=days.end).contains(&tally.day))
    }

    fn count<'t, K: Ord>(
        &'t self,
        days: Days,
        key: impl Fn(&'t Tally) -> K,
    ) -> BTreeMap<K, Totals> {
        let mut counts: BTreeMap<K, Totals> = BTreeMap::new();
        for tally in self.of(days) {
            let counts = counts.entry(key(tally)).or_default();
            counts.calls += tally.calls;
            counts.human_seconds += tally.human_seconds;
            counts.away_answers += tally.away_answers;
            counts.away_seconds += tally.away_seconds;
            counts.questions += tally.questions;
            let by = &mut counts.auto_decided_by;
            let (all, one) = match tally.became.as_str() {
                "answered" => (&mut counts.asked, &mut counts.answered),
                "failed" => (&mut counts.asked, &mut counts.failed),
                "open" if tally.day >= self.open_from => (&mut counts.asked, &mut counts.open),
                "open" | "dismissed" => (&mut counts.asked, &mut counts.dismissed),
                "session" => (&mut counts.auto_decided, &mut by.session),
                "reviewer" => (&mut counts.auto_decided, &mut by.reviewer),
                "turned_down" => (&mut counts.auto_decided, &mut by.turned_down),
                "away" => (&mut counts.auto_decided, &mut by.away),
                _ => (&mut counts.auto_decided, &mut by.preferences),
            };
            *all += tally.questions;
            *one += tally.questions;
        }
        counts
    }
}

/// How many sessions are of that.
pub(super) fn of(sessions: &Sessions, what: &str) -> u64 {
    sessions.get(what).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, day).unwrap()
    }

    fn tally(at: u32, session_kind: &str, became: &str, questions: u64) -> Tally {
        Tally {
            day: day(at),
            session_kind: session_kind.to_owned(),
            became: became.to_owned(),
            error_kind: (became == "failed").then(|| "timeout".to_owned()),
            questions,
            calls: 1,
            human_seconds: 0.0005,
            away_answers: 0,
            away_seconds: 0.0,
        }
    }

    fn tallies() -> Tallies {
        Tallies {
            rows: vec![
                tally(8, "interactive", "answered", 100),
                tally(16, "interactive", "answered", 4),
                tally(16, "headless", "failed", 5),
                tally(17, "interactive", "open", 1),
                tally(19, "interactive", "open", 2),
                tally(19, "interactive", "away", 3),
                tally(19, "interactive", "preference", 6),
            ],
            open_from: day(19),
        }
    }

    fn week() -> Days {
        Days {
            start: day(16),
            end: day(22),
        }
    }

    #[test]
    fn open_questions_are_dismissed_after_a_day() {
        let totals = tallies().totals(week());
        assert_eq!((totals.open, totals.dismissed), (2, 1));
        assert_eq!((totals.questions, totals.asked), (21, 12));
        assert_eq!((totals.auto_decided, totals.auto_decided_by.away), (9, 3));
        assert_eq!(totals.calls, 6);
        assert_eq!(totals.human_seconds, 0.003);
    }

    #[test]
    fn every_day_of_the_period_has_its_part() {
        let timeline = tallies().timeline(week(), &BTreeMap::from([(day(17), 3), (day(8), 9)]));
        let parts = timeline.parts.iter();
        let counts: Vec<_> = parts.map(|part| (part.questions, part.prompts)).collect();
        assert_eq!(
            counts,
            [(9, 0), (1, 3), (0, 0), (11, 0), (0, 0), (0, 0), (0, 0)]
        );
        assert_eq!(timeline.parts[0].human_seconds, 0.001);
    }

    #[test]
    fn kinds_and_errors_come_by_frequency_and_name() {
        let sessions = BTreeMap::from([("headless".to_owned(), 7)]);
        let kinds = tallies().session_kinds(week(), &sessions);
        let kinds: Vec<_> = kinds
            .iter()
            .map(|kind| (&*kind.session_kind, kind.questions, kind.sessions))
            .collect();
        assert_eq!(kinds, [("interactive", 16, 0), ("headless", 5, 7)]);
        for (hook_errors, expected) in [
            (0, vec![("timeout", 5)]),
            (5, vec![("hook", 5), ("timeout", 5)]),
            (4, vec![("timeout", 5), ("hook", 4)]),
        ] {
            let errors = tallies().errors(week(), hook_errors);
            let errors: Vec<_> = errors
                .iter()
                .map(|error| (&*error.error_kind, error.times))
                .collect();
            assert_eq!(errors, expected);
        }
    }
}
