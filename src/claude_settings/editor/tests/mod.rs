//! The editor on the shapes that settings have in the wild.

mod corpus;
mod properties;
mod repairs;
mod rules;
mod shapes;

use super::{Change, Edited, install, uninstall};
use plantune_agents::claude_code::REGISTRATION;

const HOOK: &str = "/opt/plantune/bin/plantune-hook";

fn installed(text: &str) -> String {
    let edited = install(text, HOOK).unwrap();
    let again = install(&edited.text, HOOK).unwrap();
    assert_eq!(
        (again.text.as_str(), again.changes.len()),
        (edited.text.as_str(), 0),
        "{text}"
    );
    edited.text
}

fn uninstalled(text: &str) -> String {
    let edited = uninstall(text).unwrap();
    assert!(
        uninstall(&edited.text).unwrap().changes.is_empty(),
        "{text}"
    );
    edited.text
}

fn changes(edited: &Edited) -> Vec<String> {
    let words = |change: &Change| match change {
        Change::Words(words) => words.clone(),
        Change::RuleAdded(_) => "add a rule".to_owned(),
        Change::RuleRemoved(_) => "remove a rule".to_owned(),
    };
    edited.changes.iter().map(words).collect()
}

/// One entry of ours as an array element, minified.
fn entry(command: &str) -> String {
    format!(r#"{{"type":"command","command":"{command}","args":[],"timeout":5}}"#)
}
