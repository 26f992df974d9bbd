//! How a trial stands by the files that the hook keeps, without the store.

use plantune_domain::paths::Paths;
use plantune_domain::preferences::Preference;
use plantune_domain::spot_check::{count_file, trial_state};
use plantune_domain::trial::{HOLDS_AFTER, TrialState};
use plantune_reports::amount::counted;

use crate::preferences::called;
use crate::preferences::files::Found;
use crate::preferences::scope::PreferenceScope;

/// How the trial of `preference`, which stands under `key` in `scope`, stands, and how many checks agreed.
pub(crate) fn state(
    paths: &Paths,
    scope: &PreferenceScope,
    key: &str,
    preference: &Preference,
) -> (TrialState, u32) {
    let project = scope.project().unwrap_or_default();
    let set_at = preference.set_at.as_deref();
    trial_state(&count_file(paths, scope.kind(), project, key, set_at))
}

/// The same in a line, with what can be done about it.
pub(crate) fn in_words(paths: &Paths, file: &Found, key: &str, preference: &Preference) -> String {
    let scope = file.preference_scope();
    let word = called::word(key, preference);
    match state(paths, &scope, key, preference) {
        (TrialState::Running, agreed) => {
            format!("{agreed} of {HOLDS_AFTER} checks agreed so far")
        }
        (TrialState::Held, agreed) => {
            let renew = scope.prefs("set --renew", &word);
            let agreed = counted(agreed, "check", "checks");
            format!("{agreed} agreed; to make it automatic: `{renew}`")
        }
        (TrialState::Ended, _) => {
            let clear = scope.prefs("clear", &word);
            format!(
                "a check disagreed, so the trial has ended and you are asked; to clear it: `{clear}`"
            )
        }
    }
}
