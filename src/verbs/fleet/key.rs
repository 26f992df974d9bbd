//! The organisation's key: what makes hashes that mean the same on all its machines, and nothing elsewhere.

use std::env;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use hmac::{Hmac, KeyInit as _, Mac as _};
use plantune_domain::hash::to_hex;
use plantune_domain::paths::create_private_dir;
use plantune_domain::private_file;
use sha2::Sha256;

use crate::failure::Failure;

/// The variable that holds the key; it wins over the file.
pub(super) const VARIABLE: &str = "PLANTUNE_FLEET_KEY";

/// How many bytes a key has; in its file and in the variable, as hexadecimal digits.
const BYTES: usize = 32;

/// The organisation's key.
#[derive(Clone)]
pub(super) struct OrganisationKey(Hmac<Sha256>);

impl OrganisationKey {
    /// The key from the variable, else from `file`; `None` when there is neither.
    ///
    /// # Errors
    /// Conflict when what is there is no key; those of the file system.
    pub(super) fn find(file: &Path) -> Result<Option<Self>, Failure> {
        let set = env::var(VARIABLE).ok().filter(|text| !text.is_empty());
        let (place, text) = match set {
            Some(text) => (VARIABLE.to_owned(), Some(text)),
            None => (file.display().to_string(), read_if_there(file)?),
        };
        let key = |text: String| Self::parse(&text).ok_or_else(|| no_key(&place));
        text.map(key).transpose()
    }

    /// A key that is nobody's, for examples.
    ///
    /// # Errors
    /// When the system has no random bytes.
    pub(super) fn for_examples() -> Result<Self, Failure> {
        Self::parse(&random_hex::<BYTES>()?).ok_or_else(|| no_key(&"a random key"))
    }

    /// Makes a key and writes it to `file`, which must not be there, readable by the person alone.
    ///
    /// # Errors
    /// Those of the file system.
    pub(super) fn make(file: &Path) -> Result<Self, Failure> {
        let text = random_hex::<BYTES>()?;
        let write = || {
            file.parent().map_or(Ok(()), create_private_dir)?;
            let mut file = private_file::create_new(file)?;
            writeln!(file, "{text}")?;
            file.sync_all()
        };
        write().map_err(|error| Failure::failed(format!("{}: {error}", file.display())))?;
        Self::parse(&text).ok_or_else(|| no_key(&file.display()))
    }

    fn parse(text: &str) -> Option<Self> {
        let digits = text.trim();
        let is_digit = |b: u8| b.is_ascii_hexdigit();
        if digits.len() != 2 * BYTES || !digits.bytes().all(is_digit) {
            return None;
        }
        let places = (0..digits.len()).step_by(2);
        let byte = |place| u8::from_str_radix(digits.get(place..place + 2)?, 16).ok();
        let bytes: Option<Vec<u8>> = places.map(byte).collect();
        Hmac::new_from_slice(&bytes?).ok().map(Self)
    }

    /// The keyed hash of `text` as a `what`, 32 hexadecimal digits: the first half of HMAC-SHA256 (RFC 2104).
    pub(super) fn hash(&self, what: &str, text: &str) -> String {
        let mut mac = self.0.clone();
        mac.update(what.as_bytes());
        mac.update(&[0]);
        mac.update(text.as_bytes());
        let mut digits = to_hex(&mac.finalize().into_bytes());
        digits.truncate(32);
        digits
    }
}

fn no_key(place: &impl std::fmt::Display) -> Failure {
    let words = format!("{place}: not a key of an organisation (64 hexadecimal digits)");
    Failure::conflict(words).hint("copy it again from another machine of the organisation")
}

/// The text of a file; `None` where there is none.
///
/// # Errors
/// The file system's.
pub(super) fn read_if_there(path: &Path) -> Result<Option<String>, Failure> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::failed(format!("{}: {error}", path.display()))),
    }
}

/// So many random bytes as hexadecimal digits.
///
/// # Errors
/// When the system has none.
pub(super) fn random_hex<const N: usize>() -> Result<String, Failure> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(to_hex(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_frozen() {
        // Lakes hold them: if this fails, every lake would be doubled.
        let key = OrganisationKey::parse(&"0f".repeat(32)).unwrap();
        assert_eq!(key.hash("label", "Yes"), "e09ca84b09bfc7551676406ed2a12eac");
        assert_ne!(key.hash("label", "Yes"), key.hash("project", "Yes"));
        let other = OrganisationKey::parse(&"0e".repeat(32)).unwrap();
        assert_ne!(key.hash("label", "Yes"), other.hash("label", "Yes"));
        for none in ["", "0f", &"0g".repeat(32), &"0f".repeat(33)] {
            assert!(OrganisationKey::parse(none).is_none(), "{none}");
        }
    }
}
