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
fn a_trial_holds_or_ends_by_its_checks() {
    for (checks, state) in [
        ("", State::OnTrial),
        ("yyy-yyyy", State::OnTrial),
        ("yyyy-yyyy", State::TrialHeld),
        ("yyyyyyyyyn", State::TrialEnded),
        ("nyyyyyyyyyyyy", State::TrialEnded),
    ] {
        let on_trial = PreferenceRecord {
            on_trial: true,
            ..preference()
        };
        let standing = history(checks).standing(&on_trial, day(300));
        assert_eq!(standing.state, state, "{checks}");
    }
}

#[test]
fn disagreement_puts_under_review_and_its_repetition_is_drift() {
    for (checks, state) in [
        ("", State::Standing),
        ("yyy", State::Standing),
        ("y-y", State::Standing),
        ("n", State::UnderReview),
        ("nyyyy", State::UnderReview),
        ("nyyyyy", State::Standing),
        ("nyyyyyn", State::UnderReview),
        ("nyyyyn", State::Drifted),
        ("nn", State::Drifted),
        ("nnyyyyyyyyyy", State::Drifted),
    ] {
        let standing = history(checks).standing(&preference(), day(20));
        assert_eq!(standing.state, state, "{checks}");
    }
    let standing = history("yn-y").standing(&preference(), day(20));
    assert_eq!(
        (standing.decided, standing.spot_checks, standing.agreed),
        (7, 3, 2)
    );
    assert_eq!(standing.would_answer.as_deref(), Some("Grid"));
    assert_eq!(standing.chosen_instead.as_deref(), Some("List"));
    assert_eq!(standing.last_confirmed, Some(day(4)));
}

#[test]
fn ninety_days_without_a_confirmation_are_too_many() {
    for (checks, today, state) in [
        ("", 89, State::Standing),
        ("", 90, State::DueForRenewal),
        ("yy", 91, State::Standing),
        ("yy", 92, State::DueForRenewal),
        ("n", 92, State::UnderReview),
    ] {
        let standing = history(checks).standing(&preference(), day(today));
        assert_eq!(standing.state, state, "{checks} {today}");
    }
    // One that does not say when it was set is to be renewed, so that it does.
    let unknown = PreferenceRecord {
        set_at: None,
        set_on: None,
        ..preference()
    };
    assert_eq!(
        history("").standing(&unknown, day(1)).state,
        State::DueForRenewal
    );
}

#[test]
fn only_what_was_behind_it_counts() {
    let history = history("nn");
    let of = |preference: PreferenceRecord<'_>| history.standing(&preference, day(20)).spot_checks;
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
