//! Preferences and their spot checks, made up.

use super::*;

fn day(day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 1, 1).unwrap() + chrono::Days::new(u64::from(day))
}

/// Spot checks, one a day from the second on: `y` agrees, `n` does not, `-` was not answered.
fn history(checks: &str) -> History {
    let checks = (1..).zip(checks.chars()).map(|(number, said)| {
        let labels = match said {
            'y' => vec!["grid".to_owned()],
            _ => vec!["List (Recommended)".to_owned()],
        };
        SpotCheck {
            project: "p".to_owned(),
            question_key: "k".to_owned(),
            scope: "project".to_owned(),
            asked_at: day(number).and_hms_opt(12, 0, 0).unwrap(),
            day: day(number),
            preferred: vec!["Grid (Recommended)".to_owned()],
            answered: said != '-',
            labels,
            said_more: false,
        }
    });
    History {
        checks: checks.collect(),
        decided: vec![("p".to_owned(), "k".to_owned(), day(3), 7)],
        asked_as_new: Vec::new(),
    }
}

fn preference() -> PreferenceRecord<'static> {
    PreferenceRecord {
        question_key: "k",
        project: Some("p"),
        set_at: day(0).and_hms_opt(9, 0, 0),
        set_on: Some(day(0)),
        on_trial: false,
    }
}

#[test]
fn a_preference_says_since_when_and_why_it_stands_so() {
    for (on_trial, checks, state, reason, since) in [
        (false, "", State::On, Cause::Set, 0),
        (false, "yyy", State::On, Cause::Set, 0),
        (false, "ny-yyyyn", State::On, Cause::Set, 0),
        (false, "y-nyn", State::Stopped, Cause::TwoDisagreed, 5),
        (true, "yyy-yyyy", State::OnTrial, Cause::Set, 0),
        (true, "yyyy-yyyy", State::On, Cause::TrialAgreed, 9),
        (true, "yyyyyyyyn", State::On, Cause::TrialAgreed, 8),
        (true, "y-nyyy", State::Stopped, Cause::TrialDisagreed, 3),
    ] {
        let record = PreferenceRecord {
            on_trial,
            ..preference()
        };
        let standing = history(checks).standing(&record);
        let found = (standing.state, standing.reason, standing.since);
        assert_eq!(found, (state, reason, Some(day(since))), "{checks}");
    }
    let standing = history("yn-y").standing(&preference());
    assert_eq!(
        (standing.decided, standing.spot_checks, standing.agreed),
        (7, 3, 2)
    );
    assert_eq!(standing.would_answer.as_deref(), Some("Grid"));
    assert_eq!(standing.chosen_instead.as_deref(), Some("List"));
    assert_eq!(standing.last_confirmed, Some(day(4)));
    // One that does not say when it was set does not say since when.
    let unknown = PreferenceRecord {
        set_at: None,
        set_on: None,
        ..preference()
    };
    let standing = history("").standing(&unknown);
    assert_eq!((standing.state, standing.since), (State::On, None));
}

#[test]
fn what_was_new_is_counted_since_it_was_set() {
    let asked = |key: &str, number: u32, detail: &str| AskedAsNew {
        project: "p".to_owned(),
        question_key: key.to_owned(),
        asked_at: day(number).and_hms_opt(8, 0, 0).unwrap(),
        detail: detail.to_owned(),
    };
    let (public, text) = ("new_in_description: public", "text_differs");
    let history = History {
        asked_as_new: vec![
            asked("k", 0, text),
            asked("k", 1, public),
            asked("other", 2, text),
            asked("k", 3, text),
            asked("k", 4, public),
        ],
        ..History::default()
    };
    let found = history.standing(&preference()).asked_as_new;
    let found: Vec<(&str, u64)> = found.iter().map(|new| (&*new.reason, new.times)).collect();
    assert_eq!(found, [(public, 2), (text, 1)]);
}

#[test]
fn only_what_was_behind_it_counts() {
    let history = history("nn");
    let of = |preference: PreferenceRecord<'_>| history.standing(&preference).spot_checks;
    assert_eq!(of(preference()), 2);
    assert_eq!(
        of(PreferenceRecord {
            project: None,
            ..preference()
        }),
        0
    );
    assert_eq!(
        of(PreferenceRecord {
            project: Some("q"),
            ..preference()
        }),
        0
    );
    assert_eq!(
        of(PreferenceRecord {
            question_key: "j",
            ..preference()
        }),
        0
    );
    assert_eq!(
        of(PreferenceRecord {
            set_at: day(2).and_hms_opt(9, 0, 0),
            ..preference()
        }),
        1
    );
}

#[test]
fn typed_answers_and_several_labels_are_no_agreement() {
    let check = || history("y").checks.remove(0);
    let of = |labels: &[&str], said_more| {
        let check = SpotCheck {
            preferred: vec!["Grid".to_owned()],
            labels: labels.iter().map(|&label| label.to_owned()).collect(),
            said_more,
            ..check()
        };
        (check.agreed(), check.chose())
    };
    assert_eq!(
        of(&["Grid (Recommended)"], false),
        (true, "Grid".to_owned())
    );
    assert_eq!(of(&["Grid"], true), (false, "Grid".to_owned()));
    assert_eq!(
        of(&["Grid", "List"], false),
        (false, "Grid, List".to_owned())
    );
    assert_eq!(of(&[], true), (false, "(typed)".to_owned()));
}
