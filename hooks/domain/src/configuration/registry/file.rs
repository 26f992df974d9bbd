//! What stands in `registry.toml`: its tables as they are written, checked and made into rules.

use serde::Deserialize;

use super::rule::Rule;
use crate::keys::is_id;
use crate::permissions::{About, OwnReach, Reach};

/// The rules for questions and the reaches of the person's own that `text` describes, in the order of the file.
///
/// # Errors
/// What is wrong with the text.
pub(super) fn parse(text: &str) -> Result<(Vec<Rule>, Vec<OwnReach>), String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    if let Some(rule) = file.question.iter().find(|rule| !is_id(&rule.key)) {
        let key = &rule.key;
        return Err(format!("key {key:?}: a key is 1 to 64 of a-z, 0-9 and -"));
    }
    let reaches = file.permission.into_iter().map(own_reach);
    Ok((file.question, reaches.collect::<Result<_, _>>()?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    question: Vec<Rule>,
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
