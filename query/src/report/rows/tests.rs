use super::*;

fn asked(project: &str, asker: &str, asked: u64, rejected: u64) -> AskerCounts {
    AskerCounts {
        project: project.to_owned(),
        asker: (!asker.is_empty()).then(|| asker.to_owned()),
        asked,
        rejected,
    }
}

fn said(found: &[AskerCounts]) -> Option<String> {
    let one = asks_most(found)?;
    let project = one.project.unwrap_or_else(|| "all".to_owned());
    Some(format!(
        "{} of {} in {project}: {}",
        one.asked, one.of, one.asker
    ))
}

#[test]
fn who_asks_most_is_named_with_its_project_or_all() {
    let of_project = [
        asked("box", "/gsd:discuss", 121, 0),
        asked("box", "", 13, 0),
        asked("shop", "gsd:discuss", 2, 0),
        asked("shop", "", 400, 0),
    ];
    assert_eq!(
        said(&of_project).unwrap(),
        "121 of 134 in box: /gsd:discuss"
    );
    let spread = [
        asked("a", "plan", 20, 0),
        asked("b", "plan", 20, 0),
        asked("b", "", 90, 0),
    ];
    assert_eq!(said(&spread).unwrap(), "40 of 130 in all: plan");
    let one_project = [asked("a", "plan", 5, 0), asked("a", "", 1, 0)];
    assert_eq!(said(&one_project).unwrap(), "5 of 6 in all: plan");
    for too_little in [
        vec![asked("a", "plan", 4, 0)],
        vec![asked("a", "plan", 24, 0), asked("a", "", 100, 0)],
        vec![asked("a", "", 100, 0)],
        Vec::new(),
    ] {
        assert_eq!(said(&too_little), None, "{too_little:?}");
    }
}

#[test]
fn one_rejected_call_is_chance() {
    let rejected = |calls| rejected_most(&[asked("a", "plan", 9, calls)]);
    assert_eq!(rejected(1), None);
    assert_eq!(rejected(2).unwrap().calls, 2);
}

fn days(start: &str, end: &str) -> DayRange {
    DayRange {
        start: start.parse().unwrap(),
        end: end.parse().unwrap(),
    }
}

fn starts(timeline: &Timeline) -> Vec<String> {
    let starts = timeline.parts.iter().map(|part| part.start.to_string());
    starts.collect()
}

#[test]
fn a_part_is_as_long_as_the_period_asks_for() {
    let week = Timeline::of(days("2026-11-18", "2026-11-24"), None);
    assert_eq!((week.unit, week.parts.len()), (Unit::Day, 7));
    let weeks = Timeline::of(days("2026-10-01", "2026-11-08"), None);
    assert_eq!(weeks.unit, Unit::Week);
    assert_eq!(
        starts(&weeks),
        [
            "2026-10-01",
            "2026-10-05",
            "2026-10-12",
            "2026-10-19",
            "2026-10-26",
            "2026-11-02"
        ]
    );
    assert_eq!(weeks.place("2026-10-04".parse().unwrap()), Some(0));
    assert_eq!(weeks.place("2026-11-08".parse().unwrap()), Some(5));
    assert_eq!(weeks.place("2026-09-30".parse().unwrap()), None);
    let months = Timeline::of(days("2026-01-31", "2026-11-08"), None);
    assert_eq!((months.unit, months.parts.len()), (Unit::Month, 11));
    assert_eq!(months.parts[1].start.to_string(), "2026-02-01");
}

#[test]
fn a_long_period_begins_with_what_came_first() {
    let all = days("1000-01-01", "9999-12-31");
    let some = Timeline::of(all, Some(days("2026-10-05", "2026-10-07")));
    assert_eq!((some.unit, some.parts.len()), (Unit::Day, 3));
    assert_eq!(Timeline::of(all, None).unit, Unit::Year);
}
