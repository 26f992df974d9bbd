//! A day as a person names it: `2026-11-20`, `yesterday`, `monday`, `2 weeks ago`, `7d`.

use chrono::{Datelike as _, Days, Months, NaiveDate, Weekday};
use plantune_reports::text::clean;

use super::{before, has_four_digits};
use crate::failure::Failure;

/// The day that `text`, the value of `option`, means today: a date, `today`, `yesterday`, a day of the week (the last
/// one before today), or so long ago (`3 days ago`, `2.weeks.ago`). In short (`7d`, `3w`) it is the first of so many
/// days up to today.
///
/// # Errors
/// Usage (exit code 2) for anything else, and for a date that does not exist.
pub(crate) fn date(option: &str, text: &str, today: NaiveDate) -> Result<NaiveDate, Failure> {
    let word = text.trim().to_ascii_lowercase();
    let day = match word.as_str() {
        "today" | "now" => Some(today),
        "yesterday" => Some(before(today, 1)),
        _ => iso(&word)
            .or_else(|| weekday(&word, today))
            .or_else(|| ago(&word, today)),
    };
    let day = day.filter(|day| has_four_digits(day.year()));
    day.ok_or_else(|| {
        let message = format!("{option} \"{}\" is no day that is known", clean(text));
        Failure::usage(message)
            .hint("days are written 2026-11-20, yesterday, monday, 7d, 3w, \"2 weeks ago\" or \"3 months ago\"")
    })
}

fn iso(word: &str) -> Option<NaiveDate> {
    let day: NaiveDate = word.parse().ok()?;
    (day.to_string() == word).then_some(day)
}

/// The last day of that name before today, as git has it.
fn weekday(word: &str, today: NaiveDate) -> Option<NaiveDate> {
    let name = word.strip_prefix("last ").unwrap_or(word);
    let weekday: Weekday = name.parse().ok()?;
    (1..=7)
        .map(|days| before(today, days))
        .find(|day| day.weekday() == weekday)
}

fn ago(word: &str, today: NaiveDate) -> Option<NaiveDate> {
    let end = word.find(|c: char| !c.is_ascii_digit())?;
    let (number, rest) = word.split_at_checked(end)?;
    let count: u32 = number.parse().ok()?;
    let mut words = rest.split([' ', '.']).filter(|part| !part.is_empty());
    let unit = words.next()?;
    let days = |days: u32| today.checked_sub_days(Days::new(u64::from(days)));
    let months = |months: u32| today.checked_sub_months(Months::new(months));
    match (unit, words.next(), words.next()) {
        ("d", None, None) => days(count.checked_sub(1)?),
        ("w", None, None) => days(count.checked_mul(7)?.checked_sub(1)?),
        (unit, Some("ago"), None) => match unit.strip_suffix('s').unwrap_or(unit) {
            "day" => days(count),
            "week" => days(count.checked_mul(7)?),
            "month" => months(count),
            "year" => months(count.checked_mul(12)?),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Friday.
    fn at(text: &str) -> Option<String> {
        let today = "2026-11-20".parse().unwrap();
        let day = date("--since", text, today).ok();
        day.map(|day| day.to_string())
    }

    #[test]
    fn days_as_people_name_them() {
        for (text, day) in [
            ("2026-11-01", "2026-11-01"),
            ("today", "2026-11-20"),
            ("Yesterday", "2026-11-19"),
            ("monday", "2026-11-16"),
            ("last thu", "2026-11-19"),
            ("friday", "2026-11-13"),
            ("1d", "2026-11-20"),
            ("7d", "2026-11-14"),
            ("3w", "2026-10-31"),
            ("3 days ago", "2026-11-17"),
            ("2 weeks ago", "2026-11-06"),
            ("2.weeks.ago", "2026-11-06"),
            ("1 month ago", "2026-10-20"),
            ("1 year ago", "2025-11-20"),
        ] {
            assert_eq!(at(text).as_deref(), Some(day), "{text}");
        }
    }

    #[test]
    fn what_is_no_day() {
        for text in [
            "",
            "0d",
            "d",
            "7",
            "7x",
            "7d ago ago",
            "2 weeks",
            "99999999999d",
            "9999 years ago",
            "2026-02-30",
            "2026-2-3",
            "20261101",
            "someday",
            "monday morning",
            "7 \u{1b}[31m",
        ] {
            let failure = date("--since", text, "2026-11-20".parse().unwrap()).unwrap_err();
            assert_eq!(failure.exit_code(), 2, "{text}");
            assert!(!failure.to_string().contains('\u{1b}'));
        }
    }
}
