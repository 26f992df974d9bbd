//! Days and moments as a person says them.

use chrono::{Datelike as _, NaiveDate, NaiveDateTime};

/// From how many days on a day goes by its date.
const LONG_AGO: i64 = 14;

/// `day`, seen from `today`: `today`, `yesterday`, `3 days ago`, `5 Mar`, `5 Mar 2025`.
pub fn day(day: NaiveDate, today: NaiveDate) -> String {
    match (today - day).num_days() {
        -1 => "tomorrow".to_owned(),
        0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        days @ 2..LONG_AGO => format!("{days} days ago"),
        _ if day.year() == today.year() => day.format("%-d %b").to_string(),
        _ => day.format("%-d %b %Y").to_string(),
    }
}

/// The moment `at`, seen from `now`: the time beside the day, but for `3 days ago`.
pub fn moment(at: NaiveDateTime, now: NaiveDateTime) -> String {
    let day = day(at.date(), now.date());
    match day.ends_with("ago") {
        true => day,
        false => format!("{day} {}", at.format("%H:%M")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearer_the_plainer() {
        let now: NaiveDateTime = "2026-03-20T12:00:00".parse().unwrap();
        for (at, said) in [
            ("2026-03-21T07:00:00", "tomorrow 07:00"),
            ("2026-03-20T09:05:00", "today 09:05"),
            ("2026-03-19T23:59:00", "yesterday 23:59"),
            ("2026-03-18T00:00:00", "2 days ago"),
            ("2026-03-07T15:04:00", "13 days ago"),
            ("2026-03-06T15:04:00", "6 Mar 15:04"),
            ("2026-04-01T06:30:00", "1 Apr 06:30"),
            ("2025-12-31T15:04:00", "31 Dec 2025 15:04"),
        ] {
            assert_eq!(moment(at.parse().unwrap(), now), said);
        }
    }
}
