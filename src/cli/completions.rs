//! What a shell is offered for a value: projects and question keys. Read from the preferences, the registry
//! and a small list that other commands leave; no store is opened while a person waits for a line to go on.

use std::collections::BTreeSet;

use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};

use crate::workspace::environment::Environment;
use crate::workspace::global_arguments::GlobalArguments;
use crate::workspace::names::{self, Names};

/// The arguments that take a question key.
const KEYS: [&str; 5] = ["key", "keys", "only", "except", "what"];

/// The ids of keys that programs make; nobody types them.
const MADE: [&str; 2] = ["fp-", "set-"];

/// `command` with candidates for every argument, of whatever verb, that takes a project or a question key.
pub(super) fn add(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|argument| {
        let id = argument.get_id().as_str();
        if id == "project" {
            argument.add(ArgValueCandidates::new(projects))
        } else if KEYS.contains(&id) {
            argument.add(ArgValueCandidates::new(keys))
        } else {
            argument
        }
    });
    command.mut_subcommands(add)
}

fn projects() -> Vec<CompletionCandidate> {
    let known = known().unwrap_or_default().projects;
    let shown = names::short_names(&known);
    let shown: BTreeSet<String> = known
        .iter()
        .filter_map(|key| shown.get(key).cloned())
        .collect();
    let here = CompletionCandidate::new(".").help(Some("the current directory's".into()));
    std::iter::once(here).chain(candidates(shown)).collect()
}

fn keys() -> Vec<CompletionCandidate> {
    let mut keys = known().unwrap_or_default().keys;
    keys.retain(|key| !MADE.iter().any(|made| key.starts_with(made)));
    candidates(keys).collect()
}

fn known() -> Option<Names> {
    let environment = Environment::from_process(&GlobalArguments::default()).ok()?;
    environment.check_roots().ok()?;
    Some(names::known(&environment.paths))
}

/// Those of `values` that a shell takes as they stand: they come from repositories.
fn candidates(values: BTreeSet<String>) -> impl Iterator<Item = CompletionCandidate> {
    let is_plain = |c: char| c.is_alphanumeric() || "._-+@/~".contains(c);
    let plain = values
        .into_iter()
        .filter(move |value| !value.is_empty() && value.chars().all(is_plain));
    plain.map(CompletionCandidate::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_shell_would_run_is_offered() {
        let values = [
            "acme/shop",
            "a b",
            "$(rm x)",
            "x;y",
            "`id`",
            "-é",
            "",
            "\u{1b}[31m",
        ];
        let offered = candidates(values.map(str::to_owned).into());
        let offered: Vec<_> = offered.map(|one| one.get_value().to_owned()).collect();
        assert_eq!(offered, ["-é", "acme/shop"]);
    }
}
