//! The hook in an agent's file: entries among others in a file of hooks, or a plugin, which is a file of its own.

use plantune_agents::Installed;

use crate::claude_settings::editor::{
    self, Change, Edited, Inspection, Matcher, Problem, Registration,
};

/// What stands for the hook in a plugin.
const PROGRAM: &str = "\"plantune-hook\"";

/// Registers the hook at `program` in the `text` of the file of `agent`.
///
/// # Errors
/// When the text cannot be edited safely, or is somebody else's.
pub(crate) fn install(agent: &dyn Installed, text: &str, program: &str) -> Result<Edited, Problem> {
    let Some(plugin) = agent.facts().plugin else {
        return editor::install_for(&agent.facts().registration, text, program);
    };
    let name = agent.facts().registration.file;
    let wanted = with_program(plugin, program);
    let changes = match text {
        _ if text == wanted => Vec::new(),
        "" => vec![Change::of("add", name)],
        _ if is_ours(plugin, text) => vec![Change::of("update", name)],
        _ => {
            let problem = Problem::at(text, 0, "this is not plantune's plugin");
            return Err(problem.remedy("move the file away, then run this again"));
        }
    };
    Ok(Edited {
        text: wanted,
        changes,
    })
}

/// Takes the hook out of the `text` of the file of `agent`; of a plugin of ours nothing is left.
///
/// # Errors
/// When the text cannot be edited safely.
pub(super) fn uninstall(agent: &dyn Installed, text: &str) -> Result<Edited, Problem> {
    match agent.facts().plugin {
        None => editor::uninstall(text),
        Some(plugin) if is_ours(plugin, text) => Ok(Edited {
            text: String::new(),
            changes: vec![Change::of("remove", agent.facts().registration.file)],
        }),
        Some(_) => Ok(Edited::unchanged(text)),
    }
}

/// What is registered in the `text` of the file of `agent`.
///
/// # Errors
/// When the text is not understood.
pub(crate) fn inspect(agent: &dyn Installed, text: &str) -> Result<Inspection, Problem> {
    let Some(plugin) = agent.facts().plugin else {
        return editor::inspect_for(&agent.facts().registration, text);
    };
    let mut found = Inspection::default();
    if is_ours(plugin, text) {
        let program = program(plugin, text).unwrap_or_default();
        found.registrations.push(Registration {
            event: agent.facts().registration.file.to_owned(),
            form_ok: with_program(plugin, &program) == text,
            program,
            matcher: Matcher::All,
            place_ok: true,
        });
    }
    Ok(found)
}

fn with_program(plugin: &str, program: &str) -> String {
    plugin.replacen(PROGRAM, &serde_json::Value::from(program).to_string(), 1)
}

/// True for what begins as our plugin does, of whatever release.
fn is_ours(plugin: &str, text: &str) -> bool {
    plugin.lines().next() == text.lines().next()
}

/// The program in the plugin `text`.
fn program(plugin: &str, text: &str) -> Option<String> {
    let (before, _) = plugin.split_once(PROGRAM)?;
    let start = before.lines().last()?;
    let mut lines = text.lines();
    let word = lines.find_map(|line| line.strip_prefix(start))?;
    serde_json::from_str(word).ok()
}
