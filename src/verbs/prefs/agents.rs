//! `plantune prefs set --agents NAME,… KEY`.

use plantune_agents::{claude_code, dialog_of, of_tool};
use plantune_domain::preferences::{Policy, Preference};
use plantune_reports::standing::agents_of;
use plantune_reports::text::one_line;

use super::key::SHOWN;
use super::selected::Selected;
use crate::failure::Failure;
use crate::preferences::scope::quoted;
use crate::workspace::Workspace;
use crate::workspace::environment::transcripts_root;
use crate::{agents, terminal};

/// Has the preference hold in the agents `wanted` and in no other, after showing the change and asking.
///
/// # Errors
/// Failed without such a preference; refused where the person cannot be asked; conflict for a file that is not
/// understood.
pub(super) fn run(
    selected: &Selected,
    wanted: &[String],
    workspace: &Workspace,
) -> Result<(), Failure> {
    let (scope, before) =
        selected.find(&format!("set --agents {}", wanted.join(",")), workspace)?;
    let key = one_line(&selected.key, SHOWN);
    if before.preference == Policy::AlwaysAsk {
        return terminal::print(&format!("{key} is always asked, in any agent\n"));
    }
    let tools: Vec<&str> = agents::names()
        .filter(|name| wanted.iter().any(|one| one == name))
        .filter_map(dialog_of)
        .collect();
    let preference = Preference {
        tool: Some(tools.join(" ")),
        ..before.clone()
    };
    let holds_in = agents_of(&preference);
    if preference == before {
        return terminal::print(&format!("{key} holds in {holds_in} already\n"));
    }
    let sentence = format!("From now on {key} holds in {holds_in}, and in no other agent.");
    selected.change(
        scope,
        (&before, Some(preference)),
        ("set --agents", "prefs agents"),
        (Some(sentence), "Set it?"),
        workspace,
    )
}

/// What can be typed to have `preference` of `key` hold in the other agents that are here, too; nothing where there is
/// none, or it holds in any.
pub(crate) fn elsewhere(key: &str, preference: &Preference) -> Option<String> {
    let own = of_tool(preference.tool.as_deref()?)?;
    let claude_code = transcripts_root().filter(|root| root.is_dir());
    let claude_code = claude_code.map(|_| claude_code::NAME);
    let here = claude_code
        .into_iter()
        .chain(agents::found().map(|one| one.agent.name()));
    let others: Vec<&str> = here.filter(|name| *name != own.name()).collect();
    (!others.is_empty()).then(|| {
        format!(
            "`plantune prefs set --agents {},{} {}` has it hold in other agents as well.",
            own.name(),
            others.join(","),
            quoted(key)
        )
    })
}
