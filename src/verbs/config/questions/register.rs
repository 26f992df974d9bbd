//! Writing a rule to registry.toml: shows the change, asks, replaces the file, logs the change.

use std::io;

use plantune_domain::atomic_file;
use plantune_domain::event::Event;
use plantune_domain::paths::create_private_dir;
use plantune_domain::registry::Registry;
use plantune_query::questions::Listed;
use plantune_reports::text::hanging;
use plantune_reports::text::one_line;

use super::rule::{Rule, appended};
use crate::failure::{Failure, not_written};
use crate::preferences::renamed::renamed;
use crate::preferences::{scope, writer};
use crate::terminal::{consent, sanitized};
use crate::workspace::{Workspace, conflict};
use crate::{preferences, terminal};

/// How much of a key is shown, in characters.
const SHOWN: usize = 400;

/// What a change that could not be made left as it was.
const UNCHANGED: &str = "no rule was added";

/// A rule to add, and what is recorded of it.
pub(in crate::verbs) struct Addition<'a> {
    pub(in crate::verbs) rule: &'a Rule,
    /// The questions that it was made of, if any.
    pub(in crate::verbs) listed: Option<&'a Listed>,
    /// What the person can run instead, where nobody can be asked.
    pub(in crate::verbs) command: String,
    /// Why, for the record.
    pub(in crate::verbs) reason: &'static str,
}

/// How the person says that a rule is to be added.
#[derive(Clone, Copy, Debug)]
pub(in crate::verbs) enum Consent {
    /// By yes or no; `yes` stands in for it.
    YesOrNo { yes: bool },
    /// By exactly this word, for which they are asked with this prompt. Nothing stands in for it.
    Word {
        word: &'static str,
        prompt: &'static str,
    },
}

impl Consent {
    /// Asks on the terminal.
    fn is_given(self, workspace: &Workspace, command: &str) -> Result<bool, Failure> {
        match self {
            Self::YesOrNo { yes } => {
                let confirmation = consent::Confirmation {
                    sentence: "",
                    question: "Add this rule?",
                    yes,
                    command,
                };
                confirmation.is_given(workspace, "")
            }
            Self::Word { word, prompt } => {
                consent::may_change(workspace, false, command)?;
                let is_given = terminal::ask_exactly(prompt)?.is_some_and(|typed| typed == word);
                if !is_given {
                    terminal::print("Nothing was changed.\n")?;
                }
                Ok(is_given)
            }
        }
    }
}

/// Appends a rule to the registry after the person has seen and confirmed it; everything that stands
/// in the file stays as it is. Returns whether it was added.
///
/// # Errors
/// Refused (exit code 4) inside an agent's session and where nobody can be asked; conflict (exit code
/// 3) for a registry that is not understood or changes meanwhile.
pub(in crate::verbs) fn run(
    addition: &Addition<'_>,
    consent: Consent,
    workspace: &Workspace,
) -> Result<bool, Failure> {
    let rule = addition.rule;
    let path = workspace.paths.registry_file();
    // Where nobody is asked, a command that runs at the same time is waited for.
    let lock = match matches!(consent, Consent::YesOrNo { yes: true })
        && workspace.agent_session.is_none()
    {
        true => Some(writer::hold(workspace, UNCHANGED)?),
        false => None,
    };
    let before = read(workspace)?;
    let after = appended(before.as_deref().unwrap_or_default(), rule);
    let parsed = |text: &str| {
        Registry::parse(text)
            .map_err(|error| conflict(&format!("{}: with the rule: {error}", path.display())))
    };
    let (known, with_rule) = (
        parsed(before.as_deref().unwrap_or_default())?,
        parsed(&after)?,
    );
    let added: String = rule.text.lines().map(|line| format!("+{line}\n")).collect();
    terminal::print_exactly(&sanitized(&format!("{}:\n{added}", path.display())))?;
    terminal::print(&left_behind(workspace, &known, &with_rule))?;
    if !consent.is_given(workspace, &addition.command)? {
        return Ok(false);
    }
    let _lock = match lock {
        Some(lock) => lock,
        None => writer::hold(workspace, UNCHANGED)?,
    };
    if read(workspace)? != before {
        return Err(conflict(&format!(
            "{}: changed while you were asked",
            path.display()
        )));
    }
    write(addition, &after, workspace)?;
    terminal::print(&format!(
        "added: questions like these are {} from now on, and your answers so far count for it\n  \
         undo: take the rule out of {}\n",
        rule.key,
        terminal::path(&path)
    ))?;
    Ok(true)
}

/// What the rule does to preferences that stand: those whose questions it gives another name.
fn left_behind(workspace: &Workspace, known: &Registry, with_rule: &Registry) -> String {
    let mut text = String::new();
    for file in preferences::all(workspace) {
        for (key, preference) in &file.preferences {
            let Some(new_name) = renamed(key, preference, with_rule) else {
                continue;
            };
            if file.problem.is_none() && renamed(key, preference, known).is_none() {
                let remedy = new_name.remedy(key, preference, &file.preference_scope());
                let line = format!(
                    "With this rule the preference {} is not obeyed: {}. If you add it, {remedy}",
                    one_line(&scope::word(key, preference), SHOWN),
                    new_name.reason()
                );
                text.push_str(&hanging("", "  ", &line, workspace.width));
            }
        }
    }
    text
}

/// Puts `after` in place, on record first.
fn write(addition: &Addition<'_>, after: &str, workspace: &Workspace) -> Result<(), Failure> {
    let path = workspace.paths.registry_file();
    let failure = |error: io::Error| not_written(&path, &error, UNCHANGED);
    if let Some(folder) = path.parent() {
        create_private_dir(folder).map_err(failure)?;
    }
    let staged = atomic_file::stage(&path, after.as_bytes(), 0o600).map_err(failure)?;
    log(addition, workspace)?;
    staged.put_in_place().map_err(failure)
}

/// The registry as it stands.
///
/// # Errors
/// Conflict (exit code 3) for one that cannot be read.
pub(in crate::verbs) fn read(workspace: &Workspace) -> Result<Option<String>, Failure> {
    Registry::text(&workspace.paths.registry_file()).map_err(|error| conflict(&error))
}

/// The change as an event: who else may have written a rule would be seen.
fn log(addition: &Addition<'_>, workspace: &Workspace) -> Result<(), Failure> {
    let Addition {
        rule,
        listed,
        reason,
        ..
    } = addition;
    let event = Event {
        project: listed.map_or("", |listed| &listed.project).into(),
        question_key: Some(rule.key.as_str().into()),
        key_source: Some("registry".into()),
        question: listed.map(|listed| listed.question.as_str().into()),
        header: listed.and_then(|listed| writer::text(&listed.header)),
        options: listed.map(|listed| writer::texts(&listed.options)),
        detail: Some(rule.text.as_str().into()),
        ..writer::event(workspace, reason, &["registry", &rule.key])
    };
    writer::log(workspace, &[event], UNCHANGED)
}
