//! Answering a question again that the person answered in this session, with the same key and the
//! same options. Off unless `reask = "once_per_session"` stands in `config.toml` or on the
//! question's rule in `registry.toml`.
//!
//! A question that is asked leaves a mark that names the slot of its answer; PostToolUse, which looks
//! for the call's mark anyway, writes the person's answer there. It costs nothing where it is off.

use std::fs;
use std::path::PathBuf;

use crate::marks;
use plantune_domain::answer::Answer;
use plantune_domain::config::Config;
use plantune_domain::hash;
use plantune_domain::keys::is_split;
use plantune_domain::paths::Paths;
use plantune_domain::question::Question;
use plantune_domain::reask::Reask;
use plantune_domain::recommended::{same_label, strip_mark};
use plantune_domain::registry::Registry;

/// A longer label is not remembered.
const LONGEST_LABEL: usize = 1024;

/// A session that holds more marks and answers than this remembers no more.
const MOST_FILES: usize = 256;

/// Where the answer to `question` belongs: the same for the same key and options. `None` where an
/// answer does not hold for the rest of the session.
pub fn slot(question: &Question, config: &Config, registry: &Registry) -> Option<String> {
    let on = match registry.reask_of(&question.key) {
        Some(reask) => reask == Reask::OncePerSession,
        None => config.reasks(),
    };
    // Several labels are not one answer, and what is always asked is asked.
    let several = question.sent.multi_select == Some(true);
    if !on || several || is_split(&question.key) || question.door_reason.is_some() {
        return None;
    }
    // An answer holds for what was read, and for nothing else: "Rename `a`?" does not settle "Rename
    // `b`?", whatever marker or rule gives both the same key.
    let header = question.sent.header.as_deref().unwrap_or_default();
    let tool = question.tool.as_deref().unwrap_or_default();
    let mut parts = vec!["reask", tool, &question.key, &question.text, header];
    // Each option with what stands beside it, in an order that does not matter.
    let mut options: Vec<[&str; 3]> = Vec::new();
    for (at, label) in question.sent.options.iter().enumerate() {
        options.push([
            strip_mark(label).0,
            question
                .sent
                .descriptions
                .get(at)
                .map_or("", String::as_str),
            question.preview_digests.get(at).map_or("", String::as_str),
        ]);
    }
    options.sort_unstable();
    parts.extend(options.iter().flatten().copied());
    Some(hash::hex(&parts))
}

/// The label, as offered now, with which the person answered before in this session.
pub fn recall(paths: &Paths, session: &str, slot: &str, question: &Question) -> Option<String> {
    let stored = fs::read_to_string(answer_file(paths, session, slot)).ok()?;
    // Without its end, what was written is half a label, and may read as another.
    let label = stored.strip_suffix('\n')?;
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

/// Remembers the person's answer to the question of `slot`: one label, nothing typed or noted.
/// Any other answer takes back what was remembered.
pub fn remember_answer(paths: &Paths, session: &str, slot: &str, answer: &Answer) {
    if slot.is_empty() {
        return;
    }
    let file = answer_file(paths, session, slot);
    let plain = answer.free_text.is_none() && answer.notes.is_none();
    match answer.labels.as_slice() {
        [label] if plain && label.len() <= LONGEST_LABEL && has_room(paths, session) => {
            // An answer that cannot be written is asked for again.
            let _ = marks::write(&file, format!("{label}\n").as_bytes());
        }
        _ => {
            let _ = fs::remove_file(file);
        }
    }
}

/// False for a session that is full: it remembers no more.
pub fn has_room(paths: &Paths, session: &str) -> bool {
    // A folder that is not there yet is empty.
    fs::read_dir(marks::folder(paths, session))
        .map_or(true, |files| files.take(MOST_FILES).count() < MOST_FILES)
}

fn answer_file(paths: &Paths, session: &str, slot: &str) -> PathBuf {
    // A slot may come from a mark on disk: hashed again, it is a safe file name.
    marks::folder(paths, session).join(hash::hex(&["answer", slot]))
}
