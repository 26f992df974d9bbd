//! One question is the same for the report, the list of questions and the suggestions.

use chrono::Utc;
use plantune_domain::config::Suggest;
use plantune_domain::registry::Registry;
use plantune_query::Store;
use plantune_query::decisions::Wanted;
use plantune_query::families::{Grouping, Habits};
use plantune_query::questions::list;
use plantune_query::report::Report;
use plantune_query::suggest::{InForce, Inputs, suggestions};
use tempfile::TempDir;

use crate::stores::{DEFAULTS, filled, week_47};

const TEMPLATE: &str = "More questions about …, or move to the next area?";

fn store() -> (TempDir, Store) {
    filled(&[DEFAULTS, include_str!("../families.sql")])
}

fn registry() -> Registry {
    let rule =
        "[[question]]\nkey = \"release\"\ntext = 'Release *'\noptions = [\"Now\", \"Later\"]\n";
    Registry::parse(rule).unwrap()
}

fn report(store: &Store, registry: &Registry) -> Report {
    store
        .report(&week_47(), || Grouping::read(store, registry))
        .unwrap()
}

#[test]
fn a_report_counts_families_and_what_rules_name() {
    let ((_folder, store), registry) = (store(), registry());
    let report = report(&store, &registry);
    let listed: Vec<_> = report
        .questions
        .iter()
        .map(|one| (one.key_source.as_str(), one.times()))
        .collect();
    assert_eq!(listed, [("family", 4), ("registry", 2), ("fingerprint", 1)]);
    assert_eq!((report.question_keys, report.asked_once), (3, 1));
    let family = &report.questions[0];
    assert_eq!(family.template_text.as_deref(), Some(TEMPLATE));
    assert_eq!((family.answered, family.dismissed), (3, 1));
    assert_eq!(family.median_seconds, Some(70.0));
    assert_eq!(family.top_answer.as_deref(), Some("Next area"));
    assert_eq!(
        family.question,
        "More questions about the docs, or move to the next area?"
    );
    assert_eq!(report.questions[1].question_key, "release");
}

#[test]
fn a_family_has_the_days_and_answers_of_all_its_wordings() {
    let ((_folder, store), registry) = (store(), registry());
    let report = report(&store, &registry);
    let details = store.report_details(&week_47(), &report.renamed, &report.timeline, &Utc);
    let details = details.unwrap();
    let family = &report.questions[0];
    let name = (family.question_key.clone(), family.project.clone());
    let found = &details.questions[&name];
    assert_eq!(found.over_time.len(), 7);
    assert_eq!(found.over_time.iter().sum::<u64>(), 4);
    assert_eq!(found.answers.len(), 1);
    assert_eq!(found.answers[0].times, 3);
}

#[test]
fn time_saved_is_the_median_of_the_family_as_it_was_logged() {
    // Answered for the person under the family's name, under a text of its own, and in another project; among
    // answers that take hours.
    let decided = |key: &str, source: &str, project: &str| {
        format!(
            "INSERT INTO questions BY NAME
             SELECT TIMESTAMP '2026-11-19 09:00:00' AS ts, DATE '2026-11-19' AS day, '{project}' AS project,
                 '{key}' AS question_key, '{source}'::key_source AS key_source, 'auto_decided' AS outcome,
                 'More questions about prices, or move to the next area?' AS question,
                 '[\"More questions\",\"Next area\"]' AS options;"
        )
    };
    let before_both_periods = "INSERT INTO questions BY NAME
         SELECT TIMESTAMP '2026-10-01 09:00:00' AS ts, DATE '2026-10-01' AS day, 'github.com/acme/shop' AS project,
             'fp-old' AS question_key, 'fingerprint' AS key_source, 'answered' AS outcome, 30.0 AS human_seconds,
             'More questions about taxes, or move to the next area?' AS question,
             '[\"Next area\"]' AS answer, '[\"More questions\",\"Next area\"]' AS options;";
    let others = "INSERT INTO questions BY NAME
         SELECT TIMESTAMP '2026-11-18 09:00:00' AS ts, DATE '2026-11-18' AS day, 'github.com/acme/shop' AS project,
             'slow' AS question_key, 'answered' AS outcome, 500.0 AS human_seconds
         FROM range(20);";
    let ((_folder, store), registry) = (store(), registry());
    let family = report(&store, &registry).questions[0].question_key.clone();
    let decisions = [
        decided(&family, "family", "github.com/acme/shop"),
        decided("fp-new", "fingerprint", "github.com/acme/shop"),
        decided(&family, "family", "github.com/acme/site"),
    ];
    let (_folder, store) = filled(&[
        DEFAULTS,
        include_str!("../families.sql"),
        before_both_periods,
        others,
        &decisions.concat(),
    ]);
    let report = report(&store, &registry);
    assert_eq!(report.totals.auto_decided, 3);
    // The median of 10, 30, 60, 70 and 80 s.
    assert_eq!(report.totals.seconds_saved, 3.0 * 60.0);
}

#[test]
fn the_list_the_log_and_the_suggestions_call_it_the_same() {
    let ((_folder, store), registry) = (store(), registry());
    let report = report(&store, &registry);
    let family = &report.questions[0];
    let listed = list(&store, &registry, None).unwrap();
    assert_eq!(listed[0].question_key, family.question_key);
    assert_eq!(listed[0].times(), 5);
    assert_eq!(listed[0].template_text().as_deref(), Some(TEMPLATE));
    let inputs = Inputs {
        settings: &Suggest::default(),
        registry: &registry,
        in_force: &|_, _| InForce::Nothing,
        now: "2026-11-20T12:00:00Z".parse().unwrap(),
        hindsight: 0,
    };
    let habits = Habits::read(&store, &registry, inputs.settings.across_projects).unwrap();
    let found = suggestions(habits, &inputs, None, true);
    let looked_at = found.suggestions.iter().map(|one| &one.asked);
    let looked_at: Vec<_> = looked_at
        .chain(found.rejected.iter().map(|one| &one.asked))
        .map(|asked| asked.question_key.as_str())
        .collect();
    assert_eq!(looked_at, [family.question_key.as_str()]);
    let wanted = Wanted {
        limit: 20,
        ..Wanted::default()
    };
    let grouping = Grouping::read(&store, &registry).unwrap();
    let mut families = 0;
    for mut decision in store.decisions(&wanted).unwrap() {
        decision.find_family(&grouping);
        if let Some(found) = &decision.family {
            assert_eq!(found.question_key, family.question_key);
            assert_eq!(found.template_text, TEMPLATE);
            families += 1;
        }
    }
    assert_eq!(families, 5);
}
