//! Whether plantune's folders are the person's, and not brought by a repository.

use super::Seen;
use super::check::Findings;

const NAME: &str = "roots";

/// What settings of the project say about the folders: in sessions here the hook uses other ones than
/// a command does. And that the hook refuses the folders here, if it does.
pub(super) fn check(seen: &Seen<'_>, found: &mut Findings) {
    for (file, variable) in seen.settings.project_roots() {
        found
            .warning(NAME, format!("{file} sets {variable} for sessions here"))
            .remedy("take it out unless you put it there; what lies in the repository is refused");
    }
    if let Some(refusal) = seen.workspace.refusal() {
        found
            .failed(NAME, refusal.to_string())
            .remedy(refusal.remedy())
            .remedy("until then every question is asked; what lies there was not looked at");
    }
}
