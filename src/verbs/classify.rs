//! `plantune classify`: how far a call reaches, and whether a question may be answered; for scripts.

mod lines;
mod question;

use clap::Args;
use plantune_domain::permissions::{
    OwnReaches, Reach, Rule, SimpleCommand, describe_with, exact_rule, main_field, narrowest_rules,
    parts,
};
use plantune_domain::sanitize;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;

/// How far a call reaches, as JSON; with --question whether it may be answered for you, and what decides that
///
/// Nothing is run or looked up. A call reads (or tests and builds), changes the project, is unknown, or goes
/// beyond: it leaves the project, cannot be taken back, or was not understood. The current folder counts as the
/// project. Programs of your own come from registry.toml.
///
/// With --stdin each line of standard input is a command as JSON: {"command": "npm test", "folder": "/home/dev/shop"}
/// (or "cwd"; without either the current folder), or a plain JSON string. Each gives a line of JSON, in order; a
/// line that is none gives one with `line` and `error`, the run goes on, and the exit code is 1.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The command; for another tool its path, address or query
    #[arg(
        value_name = "COMMAND",
        allow_hyphen_values = true,
        required_unless_present_any = ["stdin", "question"]
    )]
    command: Option<String>,
    /// Judge the commands on standard input, one a line
    #[arg(long, conflicts_with = "command")]
    stdin: bool,
    /// The tool, such as Bash, Edit, WebFetch or mcp__server__tool
    #[arg(long, value_name = "TOOL", default_value = "Bash")]
    tool: String,
    #[command(flatten)]
    question: question::QuestionArguments,
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
/// When registry.toml cannot be read, a line of standard input is no command, or standard output cannot be written.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    if let Some(explained) = question::explained(&arguments.question, workspace.registry()?) {
        return terminal::print(&explained);
    }
    let own = workspace.registry()?.own_reaches();
    let cwd = std::env::current_dir().unwrap_or_default();
    let cwd = cwd.to_string_lossy();
    match &arguments.command {
        None => lines::judge(&mut std::io::stdin().lock(), &arguments.tool, &cwd, own),
        Some(command) => {
            let document = judged(&arguments.tool, command, &cwd, own);
            let json = serde_json::to_string_pretty(&document)?;
            terminal::print_exactly(&format!("{}\n", sanitize::json(&json)))
        }
    }
}

/// How a call of `tool` with `text` in the folder `cwd` is judged.
fn judged<'a>(tool: &'a str, text: &str, cwd: &str, own: &OwnReaches) -> Document<'a> {
    let mut input = Map::new();
    if let Some(field) = main_field(tool) {
        input.insert(field.to_owned(), Value::from(text));
    }
    let input = Value::Object(input);
    let described = describe_with(tool, &input, cwd, own);
    let rules = narrowest_rules(tool, &input, cwd, own).unwrap_or_default();
    let parts = (tool == "Bash")
        .then(|| parts(text, cwd, own))
        .flatten()
        .unwrap_or_default();
    Document {
        schema_version: 1,
        tool,
        subject: described.subject,
        reach: described.reach,
        reason: described.reason,
        parts: parts.iter().map(part).collect(),
        rule: match rules.as_slice() {
            [only] => Some(only.to_string()),
            _ => None,
        },
        rules: rules.iter().map(Rule::to_string).collect(),
    }
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
