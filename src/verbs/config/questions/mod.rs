//! `plantune config questions`: rules of registry.toml that name unmarked questions.

mod known;
pub(in crate::verbs) mod register;
pub(in crate::verbs) mod rule;

use std::collections::BTreeSet;

use clap::Args;
use plantune_query::families::is_called;
use plantune_query::questions::{Unmarked, unmarked};
use plantune_reports::questions;
use plantune_reports::text::one_line;

use crate::failure::Failure;
use crate::workspace::project::ProjectArguments;
use crate::workspace::{Workspace, default_registry};
use crate::{terminal, workspace};
use register::{Addition, Consent};
use rule::{Rule, rule};

/// How much of a key is shown, in characters.
const SHOWN: usize = 100;

/// Rules for registry.toml that give questions names of your own
///
/// A question without a marker is known by its text and options. A rule gives it a name, and says whether it may
/// be answered for you.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    project: ProjectArguments,
    /// The rules that plantune has for questions of widely used skills, in place of those made of your history
    #[arg(long)]
    known: bool,
    /// Of these only those of one skill or plugin
    #[arg(long, value_name = "NAME", requires = "known")]
    asker: Option<String>,
    /// Write the rule of this key to registry.toml, after showing the change and asking
    #[arg(long, value_name = "KEY")]
    register: Option<String>,
    /// Write a registry.toml of comments, unless there is one
    #[arg(long, conflicts_with_all = ["known", "register", "json"])]
    init: bool,
    /// Do not ask (not in an agent's session)
    #[arg(long, requires = "register")]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Lists the families worth a rule or the known questions, or writes the rule of one.
///
/// # Errors
/// Refused where the person cannot be asked; conflict for a registry that is not understood; failed
/// for a family that is not there.
pub(super) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    if arguments.init {
        return init(workspace);
    }
    let listed = workspace::questions(None, workspace)?;
    if arguments.known {
        return known::run(arguments, &listed, workspace);
    }
    let registry = workspace.registry()?;
    let project = arguments.project.resolve(workspace)?;
    let families = workspace.ask(|store| unmarked(store, registry, project.as_deref()))?;
    // A key that something else goes by would mix up the answers of both.
    let keys: BTreeSet<String> = listed
        .into_iter()
        .flat_map(|one| one.keys.into_iter().chain([one.question_key]))
        .collect();
    let taken = |key: &str| keys.contains(key) || registry.rules_of(key).next().is_some();
    let mut ruled: Vec<(Unmarked, Rule)> = Vec::new();
    for family in families {
        if let Some(rule) = rule(&family, &ruled, &taken) {
            ruled.push((family, rule));
        }
    }
    if let Some(key) = &arguments.register {
        let named = ruled.iter().find(|(Unmarked { listed, .. }, _)| {
            listed.question_key == *key || is_called(&listed.name, key)
        });
        let Some((family, rule)) = named else {
            return Err(Failure::failed(format!(
                "{}: no family of unmarked questions that a rule could name",
                one_line(key, SHOWN)
            ))
            .hint("`plantune config questions` lists them"));
        };
        let addition = Addition {
            rule,
            listed: Some(&family.listed),
            command: format!(
                "plantune config questions --register {}",
                family.listed.question_key
            ),
            reason: "questions register",
        };
        let consent = Consent::YesOrNo { yes: arguments.yes };
        return register::run(&addition, consent, workspace).map(|_| ());
    }
    let ruled = ruled.into_iter();
    let shown = ruled.map(|(family, rule)| (family, rule.text)).collect();
    let document = questions::Unmarked::new(shown);
    terminal::print_document(&document, arguments.json, workspace)
}

/// Writes the commented file, unless there is one.
fn init(workspace: &Workspace) -> Result<(), Failure> {
    let written = default_registry::write(workspace)?;
    let path = terminal::path(&workspace.paths.registry_file());
    terminal::print(&match written {
        true => format!("wrote {path}: all of it comments\n"),
        false => format!("{path} is there already; it was left as it is\n"),
    })
}
