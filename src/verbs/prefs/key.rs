//! Question keys in the arguments of the verbs.

use plantune_domain::keys::is_id;
use plantune_reports::text::one_line;

use crate::failure::Failure;
use crate::preferences::files;
use crate::preferences::scope::{PreferenceScope, ScopeArguments};
use crate::workspace::Workspace;

/// How much of a key or project is shown, in characters.
pub(super) const SHOWN: usize = 400;

/// Refuses what cannot be a question key.
pub(super) fn check(key: &str) -> Result<(), Failure> {
    if is_id(key) {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{key:?} is no question key: a key is 1 to 64 of a-z, 0-9 and -"
    ))
    .hint("`plantune report --all` lists the keys of the questions you were asked"))
}

/// That there is no preference for `key` where `scope` says.
pub(super) fn missing(key: &str, scope: &ScopeArguments, workspace: &Workspace) -> Failure {
    let word = key;
    let all = files::all(workspace);
    let keys = all.iter().flat_map(|file| file.preferences.keys());
    let key = one_line(key, SHOWN);
    let place = match scope.named(workspace) {
        Some(PreferenceScope::Project(project)) => {
            format!(" in project {}", one_line(&project, SHOWN))
        }
        Some(PreferenceScope::Global) => " among the global ones".to_owned(),
        None => String::new(),
    };
    Failure::failed(format!("there is no preference for {key}{place}"))
        .did_you_mean(
            word,
            keys.map(String::as_str).filter(|known| *known != word),
        )
        .hint("`plantune prefs list` shows all there are")
}
