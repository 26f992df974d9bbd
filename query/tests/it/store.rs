//! Evidence and suggestions from a store.

use chrono::{DateTime, Utc};
use plantune_domain::config::Suggest;
use plantune_domain::registry::Registry;
use plantune_query::Store;
use plantune_query::evidence::evidence;
use plantune_query::families::Habits;
use plantune_query::questions::known_question;
use plantune_query::suggest::{InForce, Inputs, Level, suggestions};
use tempfile::TempDir;

use crate::stores::{DEFAULTS, filled};

/// A store with the habits of `sql/habits.sql`.
fn store() -> (TempDir, Store) {
    filled(&[DEFAULTS, include_str!("../sql/habits.sql")])
}

fn now() -> DateTime<Utc> {
    "2026-11-20T10:00:00Z".parse().unwrap()
}

#[test]
fn only_a_persons_answers_are_evidence() {
    let (_folder, store) = store();
    let keys = evidence(&store, &Registry::default()).unwrap();
    let counts: Vec<(&str, &str, usize, u64)> = keys
        .iter()
        .map(|key| {
            (
                key.project.as_str(),
                key.question_key.as_str(),
                key.answers.len(),
                key.recent_askings,
            )
        })
        .collect();
    // Of six askings of the layout, a day apart, a preference answered one and one failed. The
    // newest forty of many are read; its last 28 days are 27 with three askings and one with one.
    // Sessions without a person give nothing, and two answers are too few to look at.
    assert_eq!(
        counts,
        [
            ("github.com/o/other", "layout", 3, 3),
            ("github.com/o/r", "hostile", 40, 28),
            ("github.com/o/r", "layout", 16, 24),
            ("github.com/o/r", "many", 40, 82),
            ("github.com/o/r", "tables", 40, 28),
        ]
    );
    let layout = keys.iter().find(|key| key.answers.len() == 16).unwrap();
    assert_eq!(layout.key_source, "marker");
    let newest = layout
        .answers
        .iter()
        .max_by_key(|answer| answer.at)
        .unwrap();
    assert_eq!(newest.question, "Which layout?");
    assert_eq!(newest.options, ["Grid (Recommended)", "List"]);
    assert_eq!(newest.labels, ["Grid (Recommended)"]);
    assert_eq!(newest.recommended.as_deref(), Some("Grid"));
    assert_eq!(newest.human_seconds, Some(30.0));
    assert!(layout.answers.iter().any(|answer| answer.said_more));
    assert!(layout.answers.iter().any(|answer| answer.one_way.is_some()));
}

#[test]
fn suggestions_are_of_one_project_when_asked_for_one() {
    let (_folder, store) = store();
    let registry = Registry::default();
    let inputs = Inputs {
        settings: &Suggest::default(),
        registry: &registry,
        in_force: &|_, _| InForce::Nothing,
        hindsight: 0,
        now: now(),
    };
    let habits = || Habits::read(&store, &registry, inputs.settings.across_projects).unwrap();
    let keys = |project| {
        let found = suggestions(habits(), &inputs, project, true);
        let mut keys: Vec<String> = found
            .suggestions
            .into_iter()
            .filter(|suggestion| suggestion.level == Level::Standing)
            .map(|suggestion| suggestion.asked.question_key)
            .collect();
        keys.sort();
        (keys, found.rejected.len())
    };
    assert_eq!(
        keys(None),
        (vec!["hostile".to_owned(), "many".to_owned()], 1)
    );
    // What is proposed for everywhere, to be shown, is so for this one.
    assert_eq!(keys(Some("github.com/o/other")), (Vec::new(), 0));
}

#[test]
fn a_question_is_known_by_its_last_asking_here_or_else_anywhere() {
    let (_folder, store) = store();
    let known = |key, project| known_question(&store, key, project, &Registry::default()).unwrap();
    let here = known("layout", Some("github.com/o/r")).unwrap();
    assert_eq!(here.options, ["Grid (Recommended)", "List"]);
    assert_eq!(
        (here.one_way, here.question.as_str()),
        (None, "Which layout?")
    );
    assert!(known("many", Some("github.com/o/other")).is_some());
    assert!(known("layout", None).is_some());
    assert_eq!(known("unheard-of", Some("github.com/o/r")), None);
}
