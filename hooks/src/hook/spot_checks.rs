//! Which of the calls that could be answered are put to the person all the same.

use std::path::PathBuf;

use super::Hook;
use crate::spot_check::is_due;
use plantune_domain::decision::Choice;
use plantune_domain::question::Question;
use plantune_domain::spot_check::count_file;

impl Hook<'_> {
    /// True when the call is put to the person to see whether its preferences are still right.
    pub(super) fn is_spot_check(
        &self,
        questions: &[Question],
        choices: &[Choice],
        share: f64,
        project: &str,
    ) -> bool {
        let counts: Vec<(PathBuf, &str)> = questions
            .iter()
            .zip(choices)
            .map(|(question, choice)| {
                let set_at = choice.set_at.as_deref();
                let paths = &self.surroundings.paths;
                let key = question.key.as_str();
                (count_file(paths, choice.scope, project, key, set_at), key)
            })
            .collect();
        // Without a person, or an id to draw by, only what has lost its standing is asked.
        let id = self.call.tool_use_id();
        let is_drawn = self.surroundings.session_kind == "interactive" && !id.is_empty();
        is_due(&counts, if is_drawn { share } else { 0.0 }, id)
    }
}
