//! Bursts: an evening of many questions can be the busiest hour, the busiest day and the session that was stopped
//! most, and is said once.

use chrono::{Datelike as _, NaiveDate};

use super::facts::{Facts, Sums};
use super::finding::Says;

/// The day of the burst that a line is about: of a session its first; of an hour or a day of the week the one that
/// has more than half of its calls, if any has.
pub(super) fn burst(says: &Says, facts: &Facts) -> Option<NaiveDate> {
    match says {
        Says::BusiestDay { day, .. } | Says::MostStoppedSession { day, .. } => Some(*day),
        Says::BusiestHour { hour, .. } => has_most(facts.hours.get(hour)?.iter()),
        Says::BusiestWeekday { weekday, .. } => {
            let days = facts.days.iter();
            has_most(days.filter(|(day, _)| day.weekday().number_from_monday() == *weekday))
        }
        _ => None,
    }
}

/// The day with more than half of the calls of `days`.
fn has_most<'f>(
    days: impl Iterator<Item = (&'f NaiveDate, &'f Sums)> + Clone,
) -> Option<NaiveDate> {
    let calls: u64 = days.clone().map(|(_, sums)| sums.calls).sum();
    let mut days = days.filter(|(_, sums)| 2 * sums.calls > calls);
    days.next().map(|(day, _)| *day)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::choose::findings;
    use super::super::facts::Session;
    use super::super::tests::{day, empty, sums};

    /// The names of what stands out, in their order, of a week with three calls a day and 25 of one session on
    /// Tuesday: these at one o'clock and the others at any hour, or, where they `spread`, the other way round.
    fn names(of_session: u64, spread: bool) -> Vec<&'static str> {
        let mut facts = empty();
        for number in 0..7 {
            let more = if number == 1 { 25 } else { 0 };
            facts.days.insert(day(number), sums(3 + more, 10.0));
            for hour in 9..12 {
                let hour = if spread { 9 } else { hour };
                let of_hour = facts.hours.entry(hour).or_default();
                of_hour.entry(day(number)).or_default().add(sums(1, 3.0));
            }
        }
        for hour in 13..=17 {
            let hour = if spread { hour } else { 13 };
            let of_hour = facts.hours.entry(hour).or_default();
            of_hour.entry(day(1)).or_default().add(sums(5, 50.0));
        }
        facts.session = Some(Session {
            session_id: "s".to_owned(),
            project: "shop".to_owned(),
            day: day(of_session),
            sums: sums(25, 60.0),
            sessions: 12,
        });
        let names = findings(&facts).into_iter().map(|one| one.says.kind());
        let names: BTreeSet<&str> = names.collect();
        names.into_iter().collect()
    }

    #[test]
    fn one_burst_is_said_once() {
        assert_eq!(names(1, false), ["busiest_hour"]);
    }

    #[test]
    fn what_is_no_part_of_it_is_said_too() {
        // Nine o'clock is busy on every day, and another day's session is none of Tuesday's.
        assert_eq!(
            names(3, true),
            ["busiest_day", "busiest_hour", "most_stopped_session"]
        );
    }
}
