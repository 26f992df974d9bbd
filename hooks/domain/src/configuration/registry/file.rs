//! What stands in `registry.toml`: its tables as they are written, checked and made into rules.

use serde::Deserialize;

use super::rule::Rule;
use crate::configuration::pattern::{OptionPatterns, Pattern};
use crate::cost::QuestionKind;
use crate::doors::Door;
use crate::keys::is_id;
use crate::permissions::{About, OwnReach, Reach};
use crate::reask::Reask;

/// The rules for questions and the reaches of the person's own that `text` describes, in the order of the file.
///
/// # Errors
/// What is wrong with the text.
pub(super) fn parse(text: &str) -> Result<(Vec<Rule>, Vec<OwnReach>), String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    let rules = file.question.into_iter().map(rule);
    let reaches = file.permission.into_iter().map(own_reach);
    Ok((
        rules.collect::<Result<_, _>>()?,
        reaches.collect::<Result<_, _>>()?,
    ))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    question: Vec<Entry>,
    #[serde(default)]
    permission: Vec<Permission>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Permission {
    command: Option<String>,
    host: Option<String>,
    tool: Option<String>,
    reach: String,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    key: String,
    door: Option<String>,
    category: Option<String>,
    kind: Option<String>,
    reask: Option<Reask>,
    text: Option<String>,
    header: Option<String>,
    options: Option<Vec<String>>,
    /// A note of the owner's.
    #[serde(default, rename = "note")]
    _note: Option<String>,
}

fn own_reach(entry: Permission) -> Result<OwnReach, String> {
    let about = match (entry.command, entry.host, entry.tool) {
        (Some(command), None, None) => About::Command(command),
        (None, Some(host), None) => About::Host(host),
        (None, None, Some(tool)) => About::Tool(tool),
        _ => return Err("a permission has one of command, host and tool".to_owned()),
    };
    let named = Reach::ALL.into_iter().find(|one| one.name() == entry.reach);
    Ok(OwnReach {
        about,
        reach: named.ok_or_else(|| {
            let names = Reach::ALL.map(Reach::name).join(", ");
            format!("reach {:?} of a permission: one of {names}", entry.reach)
        })?,
        reason: entry.reason,
    })
}

fn rule(entry: Entry) -> Result<Rule, String> {
    if !is_id(&entry.key) {
        return Err(format!(
            "key {:?}: a key is 1 to 64 of a-z, 0-9 and -",
            entry.key
        ));
    }
    let door = match entry.door {
        None => None,
        Some(name) => Some(Door::parse(&name).ok_or_else(|| {
            format!(
                "door {name:?} of {}: a door is \"one-way\" or \"two-way\"",
                entry.key
            )
        })?),
    };
    let kind = match entry.kind {
        None => None,
        Some(name) => Some(QuestionKind::parse(&name).ok_or_else(|| {
            let kinds: Vec<&str> = QuestionKind::ALL.iter().map(|kind| kind.as_str()).collect();
            format!(
                "kind {name:?} of {}: one of {}",
                entry.key,
                kinds.join(", ")
            )
        })?),
    };
    Ok(Rule {
        key: entry.key,
        door,
        category: entry.category,
        kind,
        reask: entry.reask,
        text: entry.text.as_deref().map(Pattern::new),
        header: entry.header.as_deref().map(Pattern::new),
        options: entry.options.as_deref().map(OptionPatterns::new),
    })
}
