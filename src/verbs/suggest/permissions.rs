//! The permission rules of `plantune suggest --apply`.

use std::path::PathBuf;

use clap::ValueEnum;
use plantune_query::permissions::propose::{Proposal, Settings};
use serde_json::{Value, json};

use crate::failure::{Failure, Kind};
use crate::permission_rules::writer::{Accepted, RuleTarget};
use crate::terminal;

/// Whose settings rules are written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SettingsChoice {
    /// Yours, in every project: ~/.claude/settings.json
    User,
    /// Yours, in the project: .claude/settings.local.json
    Local,
    /// Everybody's who works on the project: .claude/settings.json
    Project,
}

/// Where `proposal` is written.
///
/// # Errors
/// Usage for a choice of settings that does not fit.
pub(super) fn place(
    proposal: &Proposal,
    choice: Option<SettingsChoice>,
) -> Result<RuleTarget, Failure> {
    let choice = choice.unwrap_or(match proposal.settings {
        Settings::User => SettingsChoice::User,
        Settings::Local => SettingsChoice::Local,
    });
    let root = PathBuf::from(&proposal.root);
    let rule = terminal::sanitized(&proposal.name());
    let usage = |fact: String, hint: &str| Err(Failure::new(Kind::Usage, fact).hint(hint));
    let of_agent = match choice {
        SettingsChoice::User => RuleTarget::of(proposal.agent, ""),
        _ => RuleTarget::of(proposal.agent, &proposal.root),
    };
    if let Some(place) = of_agent {
        return Ok(place);
    }
    match choice {
        SettingsChoice::User if proposal.rule.tool == "Edit" => usage(
            format!("{rule} names a path of one project"),
            "leave --settings out, or give --settings local",
        ),
        SettingsChoice::User => Ok(RuleTarget::User),
        _ if proposal.root.is_empty() => usage(
            format!("{rule} is proposed for every project"),
            "leave --settings out, or choose one project with --project",
        ),
        SettingsChoice::Local => Ok(RuleTarget::Local(root)),
        SettingsChoice::Project => Ok(RuleTarget::Project(root)),
    }
}

/// `proposal` with what it rests on, as the record of it has it.
///
/// # Errors
/// Those of the serialiser; none is known.
pub(super) fn accepted(proposal: &Proposal) -> Result<Accepted, Failure> {
    let mut evidence = serde_json::to_value(&proposal.evidence)?;
    if let Value::Object(evidence) = &mut evidence {
        evidence.insert("prompts".to_owned(), json!(proposal.prompts));
        evidence.insert("refused".to_owned(), json!(proposal.refused));
        evidence.insert("subject".to_owned(), json!(proposal.subject));
        evidence.insert("reach".to_owned(), json!(proposal.reach));
        evidence.insert("level".to_owned(), json!(proposal.level.name()));
    }
    Ok(Accepted {
        rule: proposal.name(),
        evidence,
    })
}
