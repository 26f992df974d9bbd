//! `plantune questions unmarked`.

use std::collections::BTreeSet;

use clap::Args;
use plantune_query::questions::{Unmarked, unmarked};
use plantune_reports::inert::one_line;
use plantune_reports::questions;

use super::register::{self, Addition, Consent};
use super::request::Request;
use super::rule::{Rule, rule};
use crate::failure::Failure;
use crate::workspace::Workspace;
use crate::workspace::store;

/// How much of a key is shown, in characters.
const SHOWN: usize = 100;

/// Propose rules for registry.toml that name unmarked questions
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Write the rule of this family to registry.toml, after showing the change and asking
    #[arg(long, value_name = "KEY")]
    register: Option<String>,
    /// Do not ask (not in an agent's session)
    #[arg(long, requires = "register")]
    yes: bool,
}

/// Lists the families worth a rule, or writes one's.
///
/// # Errors
/// Refused where the person cannot be asked; conflict for a registry that is not understood; failed
/// for a family that is not there.
pub(super) fn run(
    arguments: &Arguments,
    request: &Request,
    workspace: &Workspace,
) -> Result<(), Failure> {
    let registry = workspace.registry()?;
    let families = match &request.store {
        Some(store) => unmarked(store, registry, request.project.as_deref())
            .map_err(|error| store::failure(&workspace.paths, &error))?,
        None => Vec::new(),
    };
    // A key that something else goes by would mix up the answers of both.
    let keys: BTreeSet<String> = request
        .listed_everywhere(workspace)?
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
        let named = ruled
            .iter()
            .find(|(family, _)| family.listed.question_key == *key);
        let Some((family, rule)) = named else {
            return Err(Failure::failed(format!(
                "{}: no family of unmarked questions that a rule could name",
                one_line(key, SHOWN)
            ))
            .hint("`plantune questions unmarked` lists them"));
        };
        let addition = Addition {
            rule,
            listed: Some(&family.listed),
            command: format!(
                "plantune questions unmarked --register {}",
                family.listed.question_key
            ),
            reason: "questions register",
        };
        let consent = Consent::YesOrNo { yes: arguments.yes };
        return register::run(&addition, consent, workspace).map(|_| ());
    }
    let ruled = ruled.into_iter();
    let shown = ruled.map(|(family, rule)| (family, rule.text)).collect();
    request.show(&questions::Unmarked::new(shown), true, workspace)
}
