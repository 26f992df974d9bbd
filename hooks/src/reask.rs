//! Answering a question again that the person answered in this session, with the same key and the
//! same options. Off unless `reask = "once_per_session"` stands in `config.toml` or on the
//! question's rule in `registry.toml`.
//!
//! What was asked leaves a mark that names where its answer belongs; PostToolUse, which looks for
//! the call's mark anyway, puts a person's answer there. So it costs nothing where it is off.

use std::fs;
use std::path::PathBuf;

use crate::marks;
use plantune_domain::answer::Answer;
use plantune_domain::config::Config;
use plantune_domain::hash;
use plantune_domain::keys::is_split;
use plantune_domain::paths::Paths;
use plantune_domain::question::{KeySource, Question};
use plantune_domain::recommended::{same_label, strip_mark};
use plantune_domain::registry::Registry;

/// A longer label is not remembered.
const LONGEST_LABEL: usize = 1024;

/// A session that holds more marks and answers than this remembers no further ones.
const MOST_KEPT: usize = 256;

/// Where the answer to `question` belongs: the same for the same key and options. `None` where an
/// answer does not hold for the rest of the session.
pub fn slot(question: &Question, config: &Config, registry: &Registry) -> Option<String> {
    let on = registry
        .reask_of(&question.key)
        .unwrap_or_else(|| config.reasks());
    // Several labels are not one answer, and what is always asked is asked.
    let several = question.sent.multi_select == Some(true);
    if !on || several || is_split(&question.key) || question.door_reason.is_some() {
        return None;
    }
    let mut labels: Vec<String> = question
        .sent
        .options
        .iter()
        .map(|label| strip_mark(label).0.to_owned())
        .collect();
    labels.sort_unstable();
    let mut parts = vec!["reask", question.key.as_str()];
    // A fingerprint folds names and numbers: "Rename `a`?" is not settled by "Rename `b`?".
    if question.key_source == KeySource::Fingerprint {
        parts.push(&question.text);
    }
    parts.extend(labels.iter().map(String::as_str));
    Some(hash::hex(&parts))
}

/// The label, as offered now, with which the person answered before in this session.
pub fn recall(paths: &Paths, session: &str, slot: &str, question: &Question) -> Option<String> {
    let kept = fs::read_to_string(place(paths, session, slot)).ok()?;
    // Without its end, what was written is half a label, and may read as another.
    let label = kept.strip_suffix('\n')?;
    let mut offered = question
        .sent
        .options
        .iter()
        .filter(|offered| same_label(offered, label));
    match (offered.next(), offered.next()) {
        (Some(label), None) => Some(label.clone()),
        _ => None,
    }
}

/// Remembers that the questions of a call were put, and where their answers belong (empty:
/// nowhere). A session that is full, or a folder that cannot be written, remembers nothing.
pub fn put(paths: &Paths, session: &str, tool_use_id: &str, slots: &[String]) {
    if has_room(paths, session) {
        let _ = marks::set_asked(paths, session, tool_use_id, slots);
    }
}

/// Remembers the person's answer to the question of `slot`: one label, nothing typed or noted.
/// Any other answer takes back what was remembered.
pub fn remember(paths: &Paths, session: &str, slot: &str, answer: &Answer) {
    if slot.is_empty() {
        return;
    }
    let place = place(paths, session, slot);
    let plain = answer.free_text.is_none() && answer.notes.is_none();
    match answer.labels.as_slice() {
        [label] if plain && label.len() <= LONGEST_LABEL && has_room(paths, session) => {
            // An answer that cannot be kept is asked for again.
            let _ = marks::write(&place, format!("{label}\n").as_bytes());
        }
        _ => {
            let _ = fs::remove_file(place);
        }
    }
}

fn has_room(paths: &Paths, session: &str) -> bool {
    // A folder that is not there yet is empty.
    fs::read_dir(marks::folder(paths, session))
        .map_or(true, |kept| kept.take(MOST_KEPT).count() < MOST_KEPT)
}

fn place(paths: &Paths, session: &str, slot: &str) -> PathBuf {
    // A slot may come from a mark on disk: hashed again, it is a file name whatever it says.
    marks::folder(paths, session).join(hash::hex(&["answer", slot]))
}
