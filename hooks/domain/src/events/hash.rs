//! The hashes of the event log, which are stable forever and safe against crafted collisions.

use sha2::{Digest as _, Sha256};

/// 128 bits that identify `parts`: the first half of SHA-256 over each part's length (eight bytes,
/// little endian) and bytes, so that different lists of parts never have the same input.
///
/// The hash is cryptographic because the parts come from a model or a repository: nobody should be able to craft an
/// event that hides another one.
pub fn digest(parts: &[&str]) -> [u8; 16] {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().first_chunk().copied().unwrap_or_default()
}

/// [`digest`] as 32 lower-case hexadecimal digits.
pub fn hex(parts: &[&str]) -> String {
    to_hex(&digest(parts))
}

/// The usual SHA-256 of `text`: 64 lower-case hexadecimal digits.
pub fn sha256_hex(text: &str) -> String {
    to_hex(&Sha256::digest(text.as_bytes()))
}

/// `bytes` as lower-case hexadecimal digits.
pub fn to_hex(bytes: &[u8]) -> String {
    let nibbles = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let digits = nibbles.filter_map(|nibble| char::from_digit(nibble.into(), 16));
    digits.collect()
}

/// The FNV-1a hash of no bytes, 64 bits. It is quick, and nothing against crafted collisions.
pub const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// The FNV-1a hash of the bytes that gave `hash`, and `bytes` after them.
pub fn fnv1a(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_frozen() {
        // Stored ids depend on this: if it fails, every stored event would be duplicated.
        assert_eq!(
            hex(&["asked", "toolu_1", "0"]),
            "6a1d9e06b3c9f7f5a1c31b6e5d3c059f"
        );
        assert_ne!(hex(&["ab", "c"]), hex(&["a", "bc"]));
    }
}
