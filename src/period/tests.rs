use super::*;
use crate::cli::arguments::PeriodArguments;
use crate::request::period_on;

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

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn time(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn week(week: &str) -> PeriodArguments {
    PeriodArguments {
        week: Some(week.into()),
        ..PeriodArguments::default()
    }
}

fn range(since: &str, until: Option<&str>) -> PeriodArguments {
    PeriodArguments {
        since: Some(since.into()),
        until: until.map(Into::into),
        ..PeriodArguments::default()
    }
}

#[test]
fn periods_as_people_name_them() {
    let month = |month: &str| PeriodArguments {
        month: Some(month.into()),
        ..PeriodArguments::default()
    };
    let days = |days| PeriodArguments {
        days: Some(days),
        ..PeriodArguments::default()
    };
    let today = PeriodArguments {
        today: true,
        ..PeriodArguments::default()
    };
    for (arguments, start, end) in [
        (today, "2026-11-20", "2026-11-20"),
        (days(1), "2026-11-20", "2026-11-20"),
        (days(30), "2026-10-22", "2026-11-20"),
        (week("this"), "2026-11-16", "2026-11-22"),
        (week("last"), "2026-11-09", "2026-11-15"),
        (month("this"), "2026-11-01", "2026-11-30"),
        (month("last"), "2026-10-01", "2026-10-31"),
        (month("2024-02"), "2024-02-01", "2024-02-29"),
        (month("2026-12"), "2026-12-01", "2026-12-31"),
    ] {
        let found = resolved(&arguments, NOON, Tz::UTC);
        assert_eq!(found[..2], [start, end], "{arguments:?}");
    }
    for name in [
        "",
        "2026-13",
        "2026-1",
        "11",
        "november",
        "0000-01",
        "2026-11-20",
    ] {
        let failure = resolve(&month(name), NOON, Tz::UTC).unwrap_err();
        assert_eq!(failure.exit_code(), 2, "{name}");
    }
}

fn resolve(arguments: &PeriodArguments, now: &str, zone: Tz) -> Result<Period, Failure> {
    period_on(arguments, time(now).with_timezone(&zone).date_naive())
}

/// Friday noon.
const NOON: &str = "2026-11-20T12:00:00Z";

/// [first day, last day, first day before, last day before]
fn resolved(arguments: &PeriodArguments, now: &str, zone: Tz) -> [String; 4] {
    let period = resolve(arguments, now, zone).unwrap();
    let Period { days, previous, .. } = period;
    [days.start, days.end, previous.start, previous.end].map(|day| day.to_string())
}

#[test]
fn weeks() {
    let now = PeriodArguments::default();
    for (arguments, time, zone, days) in [
        (
            &now,
            NOON,
            Tz::Europe__Berlin,
            ["2026-11-14", "2026-11-20", "2026-11-07", "2026-11-13"],
        ),
        (
            &week("2026-W46"),
            NOON,
            Tz::UTC,
            ["2026-11-09", "2026-11-15", "2026-11-02", "2026-11-08"],
        ),
        // A week that begins in the old year, and the long year before it.
        (
            &week("2027-W01"),
            NOON,
            Tz::UTC,
            ["2027-01-04", "2027-01-10", "2026-12-28", "2027-01-03"],
        ),
        (
            &week("2026-W53"),
            NOON,
            Tz::UTC,
            ["2026-12-28", "2027-01-03", "2026-12-21", "2026-12-27"],
        ),
        (
            &week("2026-W01"),
            NOON,
            Tz::UTC,
            ["2025-12-29", "2026-01-04", "2025-12-22", "2025-12-28"],
        ),
        (
            &now,
            "2027-01-01T12:00:00Z",
            Tz::UTC,
            ["2026-12-26", "2027-01-01", "2026-12-19", "2026-12-25"],
        ),
        // The week in which the clocks change is as long as any.
        (
            &week("2026-W43"),
            NOON,
            Tz::Europe__Berlin,
            ["2026-10-19", "2026-10-25", "2026-10-12", "2026-10-18"],
        ),
    ] {
        assert_eq!(
            resolved(arguments, time, zone),
            days,
            "{arguments:?} {time}"
        );
    }
}

#[test]
fn midnight_is_the_persons() {
    let now = PeriodArguments::default();
    for (time, zone, today) in [
        ("2026-11-22T23:59:59Z", Tz::UTC, "2026-11-22"),
        ("2026-11-23T00:00:00Z", Tz::UTC, "2026-11-23"),
        ("2026-11-22T22:59:59Z", Tz::Europe__Berlin, "2026-11-22"),
        ("2026-11-22T23:00:00Z", Tz::Europe__Berlin, "2026-11-23"),
        (
            "2026-11-23T07:59:59Z",
            Tz::America__Los_Angeles,
            "2026-11-22",
        ),
        (
            "2026-11-22T10:00:00Z",
            Tz::Pacific__Kiritimati,
            "2026-11-23",
        ),
        // Summer time: an hour earlier in UTC.
        ("2026-10-18T21:59:59Z", Tz::Europe__Berlin, "2026-10-18"),
        ("2026-10-18T22:00:00Z", Tz::Europe__Berlin, "2026-10-19"),
    ] {
        assert_eq!(resolved(&now, time, zone)[1], today, "{time} {zone}");
    }
}

#[test]
fn ranges() {
    for (since, until, days) in [
        (
            "2026-11-18",
            None,
            ["2026-11-18", "2026-11-20", "2026-11-15", "2026-11-17"],
        ),
        (
            "2026-11-20",
            Some("2026-11-20"),
            ["2026-11-20", "2026-11-20", "2026-11-19", "2026-11-19"],
        ),
        (
            "2026-02-01",
            Some("2026-02-28"),
            ["2026-02-01", "2026-02-28", "2026-01-04", "2026-01-31"],
        ),
        (
            "2024-02-29",
            Some("2024-03-01"),
            ["2024-02-29", "2024-03-01", "2024-02-27", "2024-02-28"],
        ),
    ] {
        assert_eq!(
            resolved(&range(since, until), NOON, Tz::UTC),
            days,
            "{since}"
        );
    }
    assert_eq!(
        resolved(&range("2 weeks ago", Some("yesterday")), NOON, Tz::UTC)[..2],
        ["2026-11-06", "2026-11-19"]
    );
    // In short it is as many days, and three weeks are 21.
    let lately = PeriodArguments::default();
    assert_eq!(
        resolved(&range("7d", None), NOON, Tz::UTC),
        resolved(&lately, NOON, Tz::UTC)
    );
    // Today is the person's: already Saturday in Kiritimati.
    let ahead = resolved(&range("2026-11-20", None), NOON, Tz::Pacific__Kiritimati);
    assert_eq!(ahead[1], "2026-11-21");
}

#[test]
fn a_period_is_compared_with_as_many_days_as_are_over() {
    let month = |month: &str| PeriodArguments {
        month: Some(month.into()),
        ..PeriodArguments::default()
    };
    for (arguments, now, previous) in [
        (month("this"), NOON, ["2026-10-01", "2026-10-20"]),
        (month("2026-10"), NOON, ["2026-09-01", "2026-09-30"]),
        (month("2026-02"), NOON, ["2026-01-01", "2026-01-28"]),
        (
            month("this"),
            "2026-03-30T12:00:00Z",
            ["2026-02-01", "2026-02-28"],
        ),
        (
            month("this"),
            "2026-01-01T12:00:00Z",
            ["2025-12-01", "2025-12-01"],
        ),
        (month("2026-12"), NOON, ["2026-11-01", "2026-11-30"]),
        (week("this"), NOON, ["2026-11-09", "2026-11-13"]),
        (week("2026-W48"), NOON, ["2026-11-16", "2026-11-22"]),
    ] {
        let found = resolved(&arguments, now, Tz::UTC);
        assert_eq!(found[2..], previous, "{arguments:?} {now}");
    }
}

#[test]
fn a_period_runs_until_its_last_day_is_over() {
    for (arguments, running) in [
        (PeriodArguments::default(), true),
        (week("2026-W46"), false),
        (week("2026-W47"), true),
        (week("2026-W48"), false),
        (range("2026-11-01", None), true),
        (range("2026-11-01", Some("2026-11-19")), false),
    ] {
        let period = resolve(&arguments, NOON, Tz::UTC).unwrap();
        assert_eq!(period.running, running, "{arguments:?}");
        assert_eq!(period.today, day("2026-11-20"));
    }
}

#[test]
fn what_is_no_period_is_named() {
    for (arguments, value) in [
        (week("2026-W54"), "2026-W54"),
        (week("2027-W53"), "2027-W53"),
        (week("2026-W00"), "2026-W00"),
        (week("2026-46"), "2026-46"),
        (week("2026W46"), "2026W46"),
        (week("26-W46"), "26-W46"),
        (week("2026-W4"), "2026-W4"),
        (week("2026-W+4"), "2026-W+4"),
        (week("0000-W01"), "0000-W01"),
        (week(""), "\"\""),
        (range("2026-02-30", None), "2026-02-30"),
        (range("2026-2-3", None), "2026-2-3"),
        (range("someday", None), "someday"),
        (range("2026-11-01", Some("2026-11-31")), "2026-11-31"),
        (range("2026-11-01-01", None), "2026-11-01-01"),
        (range("2026-11-21", None), "2026-11-21"),
        (range("2026-11-02", Some("2026-11-01")), "2026-11-02"),
    ] {
        let failure = resolve(&arguments, NOON, Tz::UTC).unwrap_err();
        assert_eq!(failure.exit_code(), 2, "{arguments:?}");
        assert!(failure.to_string().contains(value), "{failure}");
    }
}

#[test]
fn days_begin_where_the_person_is() {
    for (zone, day, start) in [
        ("Europe/Berlin", "2026-11-20", "2026-11-19T23:00:00"),
        ("Asia/Kathmandu", "2026-11-20", "2026-11-19T18:15:00"),
        // Midnight is skipped: clocks go from 23:59 to 01:00.
        ("America/Santiago", "2026-09-06", "2026-09-06T04:00:00"),
    ] {
        let found = start_of(day.parse().unwrap(), zone.parse().unwrap());
        assert_eq!(found, start.parse().unwrap(), "{zone} {day}");
    }
}
