//! The seeds of the fuzz targets, each through its target's check once.

#[path = "../../../fuzz/src/checks/hook.rs"]
mod hook;
#[path = "../../../fuzz/src/checks/parts.rs"]
mod parts;
#[path = "../../../fuzz/src/checks/permissions.rs"]
mod permissions;
#[path = "../../../fuzz/src/checks/preferences.rs"]
mod preferences;
#[path = "../../../fuzz/src/checks/project.rs"]
mod project;
#[path = "../../../fuzz/src/checks/registry.rs"]
mod registry;
#[path = "../../../fuzz/src/checks/results.rs"]
mod results;
#[path = "../../../tests/shared/seeds.rs"]
mod seeds;
#[path = "../../../fuzz/src/checks/stretched.rs"]
mod stretched;

use self::seeds::seeds;
use crate::common::Home;

#[test]
fn calls_of_the_hook() {
    let home = tempfile::tempdir().unwrap();
    seeds("hook", |data| hook::check(data, home.path()));
}

/// The whole process this time: exit code 0, an empty standard error, nothing or JSON printed.
#[test]
fn calls_of_the_built_hook() {
    let home = Home::new();
    seeds("hook", |data| {
        let printed = home.run(data);
        assert!(printed.is_empty() || serde_json::from_str::<serde_json::Value>(&printed).is_ok());
    });
}

#[test]
fn prompts_for_permission() {
    seeds("permissions", permissions::check);
}

#[test]
fn parts_of_questions() {
    seeds("parts", parts::check);
}

#[test]
fn results_of_calls() {
    seeds("results", results::check);
}

#[test]
fn preference_files() {
    let folder = tempfile::tempdir().unwrap();
    seeds("preferences", |data| {
        preferences::check(data, folder.path());
    });
}

#[test]
fn projects() {
    let folder = tempfile::tempdir().unwrap();
    seeds("project", |data| project::check(data, folder.path()));
}

#[test]
fn registries() {
    let folder = tempfile::tempdir().unwrap();
    seeds("registry", |data| registry::check(data, folder.path()));
}

#[test]
fn stretched_texts() {
    seeds("stretched", |data| stretched::check(data, 64 * 1024));
}
