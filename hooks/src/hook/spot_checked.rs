//! Which of the calls that could be answered are asked all the same.

use std::path::PathBuf;

use plantune_domain::decision::Choice;
use plantune_domain::question::Question;
use plantune_domain::session_kind::SessionKind;
use plantune_domain::spot_check::count_file;

use super::call::Call;
use crate::spot_check::is_due;

/// True when the person is asked, to see whether the call's preferences are still right.
pub(super) fn is_spot_checked(
    call: &Call<'_>,
    questions: &[Question],
    choices: &[Choice],
    share: f64,
    project: &str,
) -> bool {
    let paths = &call.environment.paths;
    let counts: Vec<(PathBuf, &str)> = questions
        .iter()
        .zip(choices)
        .filter_map(|(question, choice)| match choice {
            Choice::Preference { scope, set_at, .. } => {
                let key = question.key.as_str();
                let count = count_file(paths, *scope, project, key, set_at.as_deref());
                Some((count, key))
            }
            Choice::Session { .. } | Choice::Reviewer { .. } | Choice::Away { .. } => None,
        })
        .collect();
    // Without a person, or an id to draw by, only what has lost its standing is asked.
    let id = call.sent.tool_use_id();
    let is_drawn = call.environment.session_kind == SessionKind::Interactive && !id.is_empty();
    is_due(&counts, if is_drawn { share } else { 0.0 }, id)
}
