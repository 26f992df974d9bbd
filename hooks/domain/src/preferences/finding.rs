//! The entries of a few keys in the text of a whole file, which is not taken apart any further.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::preference::{Preference, VERSION};
use crate::event::Text;
use crate::family::{is_named, is_set_key};
use crate::wire::Members;

#[derive(Deserialize)]
struct File<'a> {
    version: u32,
    #[serde(borrow, default)]
    preferences: Members<'a>,
}

/// Every entry in the text of a whole file with its key, in their order; one that stands twice twice.
///
/// # Errors
/// What is wrong with the text.
pub fn entries(bytes: &[u8]) -> Result<Vec<(Text<'_>, &RawValue)>, String> {
    // A derived reader takes an array for the fields in their order.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err("no object".to_owned());
    }
    let file: File<'_> = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    match file.version {
        VERSION => Ok(file.preferences.0),
        other => Err(format!(
            "version {other} is not understood (this is {VERSION})"
        )),
    }
}

/// The entries for each of `keys` in the text of a whole file, each as `read` understands it; for the key of an option set,
/// those of its templates too.
///
/// # Errors
/// What is wrong with the text.
pub(super) fn find(
    bytes: &[u8],
    keys: &[&str],
    read: impl Fn(&RawValue) -> Result<Preference, String>,
) -> Result<Vec<Vec<Preference>>, String> {
    let mut found = vec![Vec::new(); keys.len()];
    for (name, entry) in entries(bytes)? {
        for (key, found) in keys.iter().zip(&mut found) {
            if is_named(&name, key) {
                let mut entry = read(entry)?;
                entry.key = is_set_key(key).then(|| name.to_string());
                found.push(entry);
            }
        }
    }
    Ok(found)
}
