//! Which of the calls that could be answered are asked all the same.

use std::path::Path;

use plantune_domain::decision::{By, Choice};
use plantune_domain::preferences::{Level, Scope};
use plantune_domain::question::Question;
use plantune_domain::session_kind::SessionKind;
use plantune_domain::spot_check::{agreed, count_file};
use plantune_domain::state::share_on_trial;

use super::call::Call;
use crate::marks::TrialCheck;
use crate::spot_check::{Checked, is_due};

/// What is to be remembered of a call that is asked to see whether its preferences are still right: its
/// checks of preferences on trial. `None` for a call that is answered.
pub(super) fn spot_check(
    call: &Call<'_>,
    questions: &[Question],
    choices: &[Choice],
    share: Option<f64>,
    project: &str,
) -> Option<Vec<TrialCheck>> {
    let paths = &call.environment.paths;
    // Without a person, or an id to draw by, only what is stopped is asked.
    let id = call.sent.tool_use_id();
    let is_interactive = call.environment.session_kind == SessionKind::Interactive;
    let drawn = share.filter(|_| is_interactive && !id.is_empty());
    let mut preferences: Vec<Checked<'_>> = Vec::new();
    let mut checks: Vec<TrialCheck> = Vec::new();
    for (index, (question, choice)) in questions.iter().zip(choices).enumerate() {
        let By::Preference {
            scope,
            set_at,
            level,
            ..
        } = &choice.by
        else {
            continue;
        };
        let key = question.key.as_str();
        let count = count_file(paths, *scope, project, key, set_at.as_deref());
        let share = drawn.map_or(0.0, |share| match level {
            Level::Standing => share,
            Level::Trial => share_on_trial(agreed(&count), share),
        });
        if *level == Level::Trial {
            checks.push(TrialCheck {
                question: index,
                count: name_of(&count),
                key: key.to_owned(),
                is_global: *scope == Scope::Global,
                answer: choice.label.clone(),
                name: choice.called(&question.text).to_owned(),
            });
        }
        preferences.push(Checked { count, key, share });
    }
    is_due(&preferences, id).then_some(checks)
}

fn name_of(count: &Path) -> String {
    let name = count.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
