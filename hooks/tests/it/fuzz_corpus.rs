//! The seeds of the fuzz targets, each through its target's check once.

#[path = "../../../fuzz/src/checks/files.rs"]
mod files;
#[path = "../../../fuzz/src/checks/hook.rs"]
mod hook;
#[path = "../../../fuzz/src/checks/questions.rs"]
mod questions;
#[path = "../../../tests/shared/seeds.rs"]
mod seeds;

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
    seeds("permissions", questions::check_permissions);
}

#[test]
fn parts_of_questions() {
    seeds("parts", questions::check_parts);
}

#[test]
fn results_of_calls() {
    seeds("results", questions::check_results);
}

#[test]
fn preference_files() {
    let folder = tempfile::tempdir().unwrap();
    seeds("preferences", |data| {
        files::check_preferences(data, folder.path());
    });
}

#[test]
fn projects() {
    let folder = tempfile::tempdir().unwrap();
    seeds("project", |data| files::check_project(data, folder.path()));
}

#[test]
fn registries() {
    let folder = tempfile::tempdir().unwrap();
    seeds("registry", |data| {
        files::check_registry(data, folder.path());
    });
}

#[test]
fn stretched_texts() {
    seeds("stretched", |data| {
        questions::check_stretched(data, 64 * 1024);
    });
}
