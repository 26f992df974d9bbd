//! Pointing out to the person, once, that they always answer a question so.

use std::path::Path;

use plantune_domain::answer::Answer;
use plantune_domain::family::is_named;
use plantune_domain::keys::typed;
use plantune_domain::nudge::{Habit, day_mark, done_mark, habits_file};
use plantune_domain::preferences::Scope;
use plantune_domain::question::Question;
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;
use plantune_domain::{clock, gate, private_file};

use super::call::Call;
use super::pre_tool_use::standing_preferences;
use crate::messages;

/// How much of the file of habits is read: some hundred.
const MOST_BYTES: u64 = 256 * 1024;

/// What the user is shown after `answer`, if it is one that they always give to this question: at most once a
/// question, and once a day.
pub(super) fn hint(
    call: &Call<'_>,
    question: &Question,
    answer: &Answer,
    project: &str,
    registry: &Registry,
) -> Option<String> {
    let [label] = answer.labels.as_slice() else {
        return None;
    };
    let is_plain = answer.free_text.is_none() && answer.notes.is_none();
    let can_be_told = call.environment.agent.known().tells_person_afterwards;
    if !is_plain
        || !can_be_told
        || !call.is_in_dialog()
        || call.environment.disabled
        || call.refusal.is_some()
    {
        return None;
    }
    let paths = &call.environment.paths;
    let bytes = private_file::read(&habits_file(paths, project), MOST_BYTES)?;
    let habits: Vec<Habit> = serde_json::from_slice(&bytes).ok()?;
    let question = Question {
        tool: Some(call.sent.tool_name().to_owned()),
        ..question.clone()
    };
    let set = question.set_key();
    let is_so = |habit: &&Habit| {
        let is_of_family =
            !set.is_empty() && is_named(&habit.key, &set) && habit.preference.fits(&question.text);
        if habit.key != question.key && !is_of_family {
            return false;
        }
        let standing = [(Scope::Project, habit.preference.clone())];
        let choice = gate::answer(&question, &standing, registry);
        choice.is_ok_and(|choice| same_label(choice.label(), label))
    };
    let habit = habits.iter().find(is_so)?;
    // Set since the file was written: this was a check of it.
    let mut named = [question.clone()];
    let standing = standing_preferences(call, &mut named, project).ok()?;
    if standing.iter().any(|found| !found.is_empty()) {
        return None;
    }
    let config = call.config().ok()?;
    let done = done_mark(paths, project, &habit.key);
    if !config.nudge || !config.enabled || done.exists() {
        return None;
    }
    let now = clock::timestamp(call.environment.now);
    let day = now.split('T').next()?;
    // Of two hooks that are registered for one event, the one that makes the mark says it.
    if !make(&day_mark(paths, day)) || !make(&done) {
        return None;
    }
    // This answer came after the file was written.
    let times = habit.times.saturating_add(1);
    let name = habit.preference.name().unwrap_or_default();
    Some(messages::habit(typed(&habit.key, name), label, times))
}

/// Makes the mark; false when it is there, or cannot be made.
fn make(mark: &Path) -> bool {
    private_file::create_new(mark).is_ok()
}
