//! What `reask` means in `config.toml` and in a rule of `registry.toml`.

/// What the two words of `reask` mean.
///
/// # Errors
/// A message, for any other word.
pub fn from_name(name: &str) -> Result<bool, String> {
    match name {
        "once_per_session" => Ok(true),
        "off" => Ok(false),
        _ => Err(format!(
            "reask {name:?}: it is \"once_per_session\" or \"off\""
        )),
    }
}
