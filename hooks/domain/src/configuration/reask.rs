//! What `reask` means in `config.toml` and in a rule of `registry.toml`.

use serde::{Deserialize, Deserializer};

use crate::named::named_enum;

named_enum! {
    /// Whether an answer of the person's holds for the rest of the session.
    pub enum Reask {
        /// It does: the question is asked once a session.
        OncePerSession = "once_per_session",
        /// It does not.
        Off = "off",
    }
}

impl<'de> Deserialize<'de> for Reask {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::parse(&name).ok_or_else(|| {
            serde::de::Error::custom(format!(
                "reask {name:?}: it is \"once_per_session\" or \"off\""
            ))
        })
    }
}
