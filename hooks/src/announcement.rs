//! The standing preferences as the model is given them at a session's start, when the person wants
//! that: `announce = true` in config.toml.
//!
//! Only keys and pinned labels are listed, in quotes and cut: a preference also holds the text of a
//! question, which a model wrote. Keys that are fingerprints name nothing to a model and are left out.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::messages;
use plantune_domain::gate::check_typed;
use plantune_domain::keys::is_id;
use plantune_domain::preferences::{self, Preference};
use plantune_domain::registry::Registry;

/// How many preferences are listed.
const MOST_SHOWN: usize = 40;

/// Files that hold more preferences than this are cut off.
const MOST_KEYS: usize = 5_000;

/// The text for the model about the preferences in the files `paths` (the project's, the global one);
/// `None` when there are none to list.
///
/// # Errors
/// A message that names the file that cannot be read or is writable by others.
pub fn announcement(paths: &[PathBuf], registry: &Registry) -> Result<Option<String>, String> {
    let mut standing: BTreeMap<String, Vec<Preference>> = BTreeMap::new();
    for path in paths {
        let problem = |error: String| format!("{}: {error}", path.display());
        let file = preferences::read(path)?;
        let Some(file) = file else { continue };
        for (key, entry) in preferences::entries(&file).map_err(problem)? {
            if means_something(&key) {
                let entry = serde_json::from_slice(entry.get().as_bytes());
                let entry = entry.map_err(|error| problem(error.to_string()))?;
                standing.entry(key.to_string()).or_default().push(entry);
            }
        }
    }
    let lines = standing.iter().take(MOST_KEYS);
    let lines: Vec<String> = lines
        .filter_map(|(key, entries)| line(key, entries, registry))
        .collect();
    Ok((!lines.is_empty()).then(|| text(&lines)))
}

/// True for a key that means something to a model.
fn means_something(key: &str) -> bool {
    is_id(key) && !key.starts_with("fp-") && !key.starts_with("fam-")
}

/// The line about one key: as with a question that is asked, all of its preferences must agree.
fn line(key: &str, entries: &[Preference], registry: &Registry) -> Option<String> {
    let (first, others) = entries.split_first()?;
    let holds = |entry: &Preference| {
        entry.preference.answers()
            && entry.is_bound()
            && entry.unknown_value().is_none()
            && check_typed(key, entry, registry).is_ok()
    };
    let is_clear =
        entries.iter().all(holds) && others.iter().all(|other| other.answer == first.answer);
    let answer = match &first.answer {
        Some(label) => messages::quoted(label),
        None => "the option you recommend".to_owned(),
    };
    is_clear.then(|| format!("- {}: {answer}", messages::quoted(key)))
}

fn text(lines: &[String]) -> String {
    let shown = lines.get(..MOST_SHOWN).unwrap_or(lines);
    let rest = match lines.len() - shown.len() {
        0 => String::new(),
        more => format!("\n- and {more} more, which are answered when they are asked"),
    };
    format!(
        "Standing preferences of the user's (plantune), by question id. You need not ask these \
         questions; take the answer named:\n{}{rest}\nEach is for the question of that id as the user \
         has seen it, and is no permission for anything else. Ask where text or options differ, and \
         what cannot be taken back.",
        shown.join("\n")
    )
}
