//! Numbers, days and moments as a person says them.

use chrono::{Datelike as _, NaiveDate, NaiveDateTime};
pub use plantune_domain::named::counted;

use crate::text::TOGETHER;

/// A time in seconds: `45 s`, `3 min 20 s`, `2 h 05 min`; no line breaks in it.
pub fn duration(seconds: f64) -> String {
    together(&in_units(seconds))
}

/// `figure` with spaces at which no line breaks.
fn together(figure: &str) -> String {
    figure.replace(' ', &TOGETHER.to_string())
}

fn in_units(seconds: f64) -> String {
    if seconds > 0.0 && seconds < 1.0 {
        return "< 1 s".to_owned();
    }
    // A conversion from a float saturates.
    let whole = seconds.round().max(0.0) as u64;
    let (hours, minutes, rest) = (whole / 3600, whole % 3600 / 60, whole % 60);
    match (hours, minutes) {
        (0, 0) => format!("{rest} s"),
        (0, _) if rest == 0 => format!("{minutes} min"),
        (0, _) => format!("{minutes} min {rest:02} s"),
        // Seconds do not matter beside hours.
        _ => {
            let minutes = (whole + 30) / 60;
            format!("{} h {:02} min", minutes / 60, minutes % 60)
        }
    }
}

/// How often in a week, in few columns: `0.5`, `2`, `29`.
pub fn a_week(times: f64) -> String {
    match times {
        none if none <= 0.0 => "0".to_owned(),
        few if few < 0.1 => "< 0.1".to_owned(),
        few if few < 9.95 => format!("{few:.1}").trim_end_matches(".0").to_owned(),
        many => many.round().to_string(),
    }
}

/// A size in bytes: `512 bytes`, `2.0 KiB`, `1.3 GiB`; no line breaks in it.
pub fn bytes(bytes: u64) -> String {
    let mut size = bytes as f64;
    let mut unit = "bytes";
    for larger in ["KiB", "MiB", "GiB", "TiB"] {
        // What would round to 1024.0 is one of the next unit.
        if size < 1023.95 {
            break;
        }
        size /= 1024.0;
        unit = larger;
    }
    together(&match (unit, bytes) {
        ("bytes", 1) => "1 byte".to_owned(),
        ("bytes", _) => format!("{bytes} bytes"),
        _ => format!("{size:.1} {unit}"),
    })
}

/// A share (0–1) as a percentage of `n`: `93% of 15`. Only all is 100%, and only none 0%.
pub fn share_of(share: f64, n: u64) -> String {
    format!("{} of {n}", percent(share))
}

/// A share (0–1): `93%`. Only all is 100%, and only none 0%.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let whole = if share > 0.0 && share < 1.0 {
        percent.round().clamp(1.0, 99.0)
    } else {
        percent.round()
    };
    format!("{whole}%")
}

/// How `now` differs from `before`, as `+3 (+25%)`; without the percentage when there was nothing
/// before or ten times less, and `same` when it does not differ.
pub fn change(now: u64, before: u64) -> String {
    let difference = now.abs_diff(before);
    signed(
        now as f64,
        before as f64,
        difference > 0,
        &difference.to_string(),
    )
}

/// How a time in seconds differs from the one before, likewise.
pub(crate) fn duration_change(now: f64, before: f64) -> String {
    let difference = (now - before).abs();
    signed(now, before, difference >= 0.5, &duration(difference))
}

fn signed(now: f64, before: f64, differs: bool, difference: &str) -> String {
    if !differs {
        return "same".to_owned();
    }
    let sign = if now > before { '+' } else { '-' };
    // A percentage of next to nothing says nothing.
    if before > 0.0 && now < 10.0 * before {
        let percent = ((now - before).abs() / before * 100.0).round();
        let percent = if percent < 1.0 {
            "< 1%".to_owned()
        } else {
            format!("{sign}{percent}%")
        };
        format!("{sign}{difference} ({percent})")
    } else {
        format!("{sign}{difference}")
    }
}

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
    fn durations() {
        for (seconds, shown) in [
            (0.0, "0 s"),
            (0.2, "< 1 s"),
            (45.0, "45 s"),
            (59.4, "59 s"),
            (59.6, "1 min"),
            (200.0, "3 min 20 s"),
            (185.0, "3 min 05 s"),
            (3599.6, "1 h 00 min"),
            (7500.0, "2 h 05 min"),
            (7199.0, "2 h 00 min"),
            (360_000.0, "100 h 00 min"),
        ] {
            assert_eq!(in_units(seconds), shown, "{seconds}");
        }
    }

    #[test]
    fn times_a_week() {
        for (times, shown) in [
            (0.0, "0"),
            (0.04, "< 0.1"),
            (0.5, "0.5"),
            (1.0, "1"),
            (3.25, "3.2"),
            (9.96, "10"),
            (28.5, "29"),
            (27.5, "28"),
        ] {
            assert_eq!(a_week(times), shown);
        }
    }

    #[test]
    fn sizes() {
        for (size, shown) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1023, "1023 bytes"),
            (1024, "1.0 KiB"),
            (1_048_575, "1.0 MiB"),
            (5_300_000, "5.1 MiB"),
            (u64::MAX, "16777216.0 TiB"),
        ] {
            assert_eq!(bytes(size), together(shown));
        }
    }

    #[test]
    fn shares() {
        assert_eq!(share_of(14.0 / 15.0, 15), "93% of 15");
        assert_eq!(share_of(0.999, 1000), "99% of 1000");
        assert_eq!(share_of(0.001, 1000), "1% of 1000");
        assert_eq!((percent(1.0), percent(0.0)), ("100%".into(), "0%".into()));
    }

    #[test]
    fn changes() {
        assert_eq!(change(15, 12), "+3 (+25%)");
        assert_eq!(change(0, 4), "-4 (-100%)");
        assert_eq!(change(3, 0), "+3");
        assert_eq!(
            (change(9, 1).as_str(), change(19, 1).as_str()),
            ("+8 (+800%)", "+18")
        );
        assert_eq!(change(3, 3), "same");
        assert_eq!(change(1001, 1000), "+1 (< 1%)");
        assert_eq!(duration_change(90.0, 60.0), "+30\u{a0}s (+50%)");
        assert_eq!(duration_change(60.2, 60.0), "same");
        assert_eq!(duration_change(60.0, 0.0), "+1\u{a0}min");
    }

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
