//! `plantune` without a verb, on a terminal: reads the transcripts, shows the report of the last weeks, and says
//! what to do next. Nothing is registered, and nothing written outside plantune's own folders.

use plantune_ingest::Import;
use plantune_reports::text::{clean, wrap};

use crate::failure::Failure;
use crate::installed_hook::registered::{Registered, registered};
use crate::installed_hook::release::CURRENT;
use crate::permission_rules::proposals as rule_proposals;
use crate::started_by::command;
use crate::terminal::{self, consent};
use crate::verbs::report;
use crate::workspace::period::Period;
use crate::workspace::{Workspace, transcripts};

/// Shows what the last weeks were like.
///
/// # Errors
/// When neither transcripts nor the store can be read.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Failure> {
    let read = read_transcripts(workspace);
    let today = Period::last_weeks(workspace.now, workspace.zone()?);
    let shown = report::overview(workspace, &today);
    let shown = match (read, shown) {
        // The one failure is why the other is.
        (Err(failure), Err(_)) => return Err(failure),
        (Err(failure), Ok(shown)) => {
            terminal::say(&failure.to_string());
            shown
        }
        (Ok(()), shown) => shown?,
    };
    terminal::print(&next(workspace, &shown)?)
}

/// Adds what is new in the transcripts, and says what was read, or why nothing was.
fn read_transcripts(workspace: &Workspace) -> Result<(), Failure> {
    consent::may_change_log(workspace, &command("import claude-code"))?;
    let Some(root) = transcripts::default_root() else {
        return terminal::print(
            "No transcripts of Claude Code: neither CLAUDE_CONFIG_DIR nor HOME is set.\n\n",
        );
    };
    let folder = root.join("projects");
    let shown = clean(&folder.to_string_lossy());
    let import = match folder.is_dir() {
        true => Some(transcripts::import(&root, workspace)?),
        false => None,
    };
    match import.filter(|import| import.found.files > 0) {
        Some(import) => {
            let lines = wrap(&summary(&import, &shown), usize::from(workspace.width));
            terminal::print(&format!("{}\n\n", lines.join("\n")))
        }
        None => terminal::print(&format!(
            "No transcripts of Claude Code in {shown}.\n\
             If it keeps them elsewhere, set CLAUDE_CONFIG_DIR, or name the folder:\n  {}\n\n",
            command("import claude-code FOLDER")
        )),
    }
}

/// What was read, in a line.
fn summary(import: &Import, folder: &str) -> String {
    let found = &import.found;
    let prompts = match found.granted + found.refused {
        0 => String::new(),
        1 => ", 1 prompt for permission".to_owned(),
        prompts => format!(", {prompts} prompts for permission"),
    };
    let new = match import.added {
        0 => "nothing new".to_owned(),
        _ if import.known == 0 => "all of it new".to_owned(),
        1 => "1 event new".to_owned(),
        added => format!("{added} events new"),
    };
    format!(
        "Read {} in {folder}: {}{prompts}; {new}.",
        counted(found.files, "transcript"),
        counted(found.questions, "question"),
    )
}

fn counted(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

/// What the person can do next: the commands, each with why.
fn next(workspace: &Workspace, shown: &report::Overview) -> Result<String, Failure> {
    let store = workspace.store()?;
    let rules = match store.as_deref() {
        Some(store) => rule_proposals::find(workspace, store, None)?
            .proposals
            .proposals
            .len() as u64,
        None => 0,
    };
    let mut steps = Vec::new();
    if let Some(line) = proposals(shown.proposals, rules) {
        steps.push(("suggest", line));
    }
    match registered(workspace) {
        Registered::Nowhere => steps.push((
            "install",
            "log from now on, and answer what you accept; it shows the change and asks".to_owned(),
        )),
        Registered::Badly(fault) => steps.push((
            "install",
            format!("{fault}: put that of {CURRENT} in its place"),
        )),
        Registered::Well if shown.is_empty => {
            return Ok(
                "The hook is installed: what you are asked from now on is logged.\n".to_owned(),
            );
        }
        Registered::Well => {}
    }
    if !shown.is_empty {
        steps.push((
            "report",
            "this week; --html --open shows it in your browser".to_owned(),
        ));
    }
    let steps = steps.into_iter().map(|(verb, why)| (command(verb), why));
    let steps: Vec<(String, String)> = steps.collect();
    let width = steps
        .iter()
        .map(|(line, _)| line.len())
        .max()
        .unwrap_or_default();
    let columns = usize::from(workspace.width)
        .saturating_sub(width + 4)
        .max(20);
    let indent = " ".repeat(width + 4);
    let mut text = String::from(if shown.is_empty {
        "Next:\n"
    } else {
        "\nNext:\n"
    });
    for (line, why) in steps {
        let why = wrap(&why, columns).join(&format!("\n{indent}"));
        text += &format!("  {line:width$}  {why}\n");
    }
    Ok(text)
}

/// What `suggest` lists, in words; `None` without anything. Proposals are those for questions, as everywhere.
fn proposals(questions: u64, rules: u64) -> Option<String> {
    let questions =
        (questions > 0).then(|| counted(questions, "proposal") + " for questions you answer alike");
    let rules = (rules > 0).then(|| counted(rules, "permission rule"));
    let parts: Vec<String> = questions.into_iter().chain(rules).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proposals_are_counted() {
        let said = [(0, 0), (1, 0), (0, 1), (2, 1), (1, 4)].map(|(questions, rules)| {
            proposals(questions, rules).unwrap_or_else(|| "nothing".to_owned())
        });
        insta::assert_snapshot!(said.join("\n"), @r"
        nothing
        1 proposal for questions you answer alike
        1 permission rule
        2 proposals for questions you answer alike, 1 permission rule
        1 proposal for questions you answer alike, 4 permission rules
        ");
    }
}
