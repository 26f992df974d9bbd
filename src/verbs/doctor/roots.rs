//! Whether plantune's folders are the person's, and not brought by a repository.

use super::check::Check;
use super::registration::Settings;
use crate::workspace::Workspace;

const NAME: &str = "roots";

/// That the hook refuses the folders here, if it does.
pub(super) fn refused(workspace: &Workspace) -> Option<Check> {
    let refusal = workspace.refusal()?;
    Some(
        Check::failed(NAME, refusal.to_string())
            .remedy(refusal.remedy())
            .remedy("until then every question is asked; what lies there was not looked at"),
    )
}

/// What settings of the project say about the folders: in sessions here the hook uses other ones than
/// a command does.
pub(super) fn moved(settings: &Settings) -> Vec<Check> {
    let moved = settings.project_roots();
    let check = |(file, variable): (&str, &str)| {
        Check::warning(NAME, format!("{file} sets {variable} for sessions here"))
            .remedy("take it out unless you put it there; what lies in the repository is refused")
    };
    moved.map(check).collect()
}
