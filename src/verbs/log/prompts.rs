//! A prompt for permission: what was asked, how it was decided, and how that is known.

use plantune_query::Store;
use plantune_query::permissions::prompts::{Prompt, WantedPrompts};
use plantune_reports::explain::Document;
use plantune_reports::prompts::show_explanation;

use crate::failure::Failure;
use crate::permission_rules::known;
use crate::terminal;
use crate::workspace::Workspace;
use crate::workspace::names::ShortNames;

/// More questions than a call has.
pub(super) const OF_A_CALL: u32 = 64;

/// The prompts for permission of that id, or about the call of that id.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn found(
    store: Option<&Store>,
    id: &str,
    workspace: &Workspace,
) -> Result<Vec<Prompt>, Failure> {
    let Some(store) = store else {
        return Ok(Vec::new());
    };
    let wanted = WantedPrompts {
        id: Some(id),
        limit: Some(OF_A_CALL),
        ..WantedPrompts::default()
    };
    workspace.read(store.prompts(&wanted))
}

/// Explains the `prompts`.
///
/// # Errors
/// Conflict for a configuration that is not understood.
pub(super) fn write(
    mut prompts: Vec<Prompt>,
    json: bool,
    workspace: &Workspace,
) -> Result<(), Failure> {
    known::say_although(workspace, &mut prompts)?;
    if json {
        let document = Document {
            schema_version: 1,
            explanations: &[],
            prompts: &prompts,
        };
        return terminal::print_json(&document);
    }
    let names = ShortNames::new(workspace)?;
    prompts
        .iter_mut()
        .for_each(|one| names.shorten(&mut one.project));
    let mut out = workspace.terminal();
    for (number, one) in prompts.iter().enumerate() {
        if number > 0 {
            out.line("");
        }
        show_explanation(one, &mut out);
    }
    terminal::print(&out.into_text())
}
