//! `plantune prompts classify`: subject and reach of a call, for scripts.

use clap::Args;
use plantune_domain::permissions::{
    Reach, Rule, SimpleCommand, describe_with, exact_rule, main_field, narrowest_rules, parts,
};
use plantune_domain::sanitize;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;

/// Print the subject and the reach of a call as JSON: how plantune would judge a prompt for it
///
/// Nothing is run or looked up. A call reads (or tests and builds), changes the project, is unknown, or goes
/// beyond: it leaves the project, cannot be taken back, or was not understood. The current folder counts as the
/// project. Programs of your own come from registry.toml.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The command; for another tool its path, address or query
    #[arg(value_name = "COMMAND", allow_hyphen_values = true)]
    command: String,
    /// The tool, such as Bash, Edit, WebFetch or mcp__server__tool
    #[arg(long, value_name = "TOOL", default_value = "Bash")]
    tool: String,
}

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    tool: &'a str,
    subject: String,
    reach: Reach,
    /// Why; empty where the tables allow the call.
    reason: String,
    /// The simple commands of a shell command; empty for one that is not understood.
    parts: Vec<PartDocument>,
    /// The narrowest rule that would be proposed; null where none would, or several are needed.
    rule: Option<String>,
    /// All rules that the call needs.
    rules: Vec<String>,
}

#[derive(Serialize)]
struct PartDocument {
    command: String,
    subject: String,
    reach: Reach,
    reason: String,
    rule: Option<String>,
}

/// Prints the judgement.
///
/// # Errors
/// When registry.toml cannot be read, or standard output not be written.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let own = workspace.registry()?.own_reaches();
    let cwd = std::env::current_dir().unwrap_or_default();
    let cwd = cwd.to_string_lossy();
    let mut input = Map::new();
    if let Some(field) = main_field(&arguments.tool) {
        input.insert(field.to_owned(), Value::from(arguments.command.as_str()));
    }
    let input = Value::Object(input);
    let described = describe_with(&arguments.tool, &input, &cwd, own);
    let rules = narrowest_rules(&arguments.tool, &input, &cwd, own).unwrap_or_default();
    let parts = (arguments.tool == "Bash")
        .then(|| parts(&arguments.command, &cwd, own))
        .flatten()
        .unwrap_or_default();
    let document = Document {
        schema_version: 1,
        tool: &arguments.tool,
        subject: described.subject,
        reach: described.reach,
        reason: described.reason,
        parts: parts.iter().map(part).collect(),
        rule: match rules.as_slice() {
            [only] => Some(only.to_string()),
            _ => None,
        },
        rules: rules.iter().map(Rule::to_string).collect(),
    };
    let json = serde_json::to_string_pretty(&document)?;
    terminal::print_exactly(&format!("{}\n", sanitize::json(&json)))
}

fn part(part: &SimpleCommand) -> PartDocument {
    PartDocument {
        command: part.text(),
        subject: part.subject.clone(),
        reach: part.reach,
        reason: part.reason.clone(),
        rule: exact_rule(part).map(|rule| rule.to_string()),
    }
}
