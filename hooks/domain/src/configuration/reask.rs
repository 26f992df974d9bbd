//! What `reask` means in `config.toml` and in a rule of `registry.toml`.

use serde::Deserialize;

use crate::named::named_enum;

named_enum! {
    /// Whether an answer of the person's holds for the rest of the session.
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Reask {
        /// It does: the question is asked once a session.
        OncePerSession = "once_per_session",
        /// It does not.
        Off = "off",
    }
}
