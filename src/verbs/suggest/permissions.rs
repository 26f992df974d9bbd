//! The permission rules of `plantune suggest --apply`.

use std::path::PathBuf;

use plantune_agents::claude_code;
use plantune_query::permissions::propose::{Proposal, Settings};
use serde_json::{Value, json};

use crate::claude_settings::scope::SettingsScope;
use crate::failure::Failure;
use crate::permission_rules::writer::{Accepted, RuleTarget};
use crate::terminal;

/// Where `proposal` is written.
///
/// # Errors
/// Usage for a choice of settings that does not fit.
pub(super) fn place(
    proposal: &Proposal,
    choice: Option<SettingsScope>,
) -> Result<RuleTarget, Failure> {
    let scope = choice.unwrap_or(match proposal.settings {
        Settings::User => SettingsScope::User,
        Settings::Local => SettingsScope::Local,
    });
    let root = Some(&proposal.root).filter(|root| !root.is_empty() && scope != SettingsScope::User);
    let rule = terminal::sanitized(&proposal.name());
    if proposal.agent == claude_code::NAME {
        if scope == SettingsScope::User && proposal.rule.tool == "Edit" {
            return Err(
                Failure::usage(format!("{rule} names a path of one project"))
                    .hint("leave --settings out, or give --settings local"),
            );
        }
        if scope != SettingsScope::User && root.is_none() {
            return Err(
                Failure::usage(format!("{rule} is proposed for every project"))
                    .hint("leave --settings out, or choose one project with --project"),
            );
        }
    }
    Ok(RuleTarget::of(
        proposal.agent,
        scope,
        root.map(PathBuf::from),
    ))
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
        evidence.insert("level".to_owned(), json!(proposal.level.as_str()));
    }
    Ok(Accepted {
        rule: proposal.name(),
        evidence,
    })
}
