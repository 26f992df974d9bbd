//! Digests of inputs that are not stored. Equal inputs have equal digests in one data folder, but not across folders.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use crate::hash::{hex, to_hex};
use crate::paths::{Paths, create_private_dir};
use crate::private_file;

/// The number of hexadecimal digits in a key.
const DIGITS: usize = 64;

/// The key of a data folder. Without it, nobody can test guesses about the input of a digest.
#[derive(Clone, Debug)]
pub struct Key(String);

impl Key {
    /// The data folder's key, created at random when it is first needed. `None` if it can be neither read nor created;
    /// there is no digest then.
    pub fn of(paths: &Paths) -> Option<Self> {
        let path = paths.digest_key();
        read(&path).or_else(|| {
            // Another process may have been quicker; then its key counts.
            let _ = make(&path);
            read(&path)
        })
    }

    /// A digest of `parts`, 32 hexadecimal digits.
    pub fn digest(&self, parts: &[&str]) -> String {
        // The key comes first and only half of the hash is kept, which prevents length-extension attacks.
        let parts: Vec<&str> = [self.0.as_str()].iter().chain(parts).copied().collect();
        hex(&parts)
    }
}

fn read(path: &Path) -> Option<Key> {
    let bytes = private_file::read(path, DIGITS as u64)?;
    let is_whole = bytes.len() == DIGITS && bytes.iter().all(u8::is_ascii_hexdigit);
    String::from_utf8(bytes).ok().filter(|_| is_whole).map(Key)
}

/// Writes the key under a temporary name first, so that the key file is always complete and never replaced.
fn make(path: &Path) -> io::Result<()> {
    let key = to_hex(&random()?);
    let folder = path.parent().unwrap_or(path);
    create_private_dir(folder)?;
    let temporary = folder.join(format!("digest.key.plantune-{}", std::process::id()));
    let made = private_file::create_new(&temporary)
        .and_then(|mut file| {
            file.write_all(key.as_bytes())?;
            file.sync_all()
        })
        .and_then(|()| std::fs::hard_link(&temporary, path));
    // A file that a killed process left could only block a process with the same id.
    let _ = std::fs::remove_file(&temporary);
    made
}

/// Bytes that nobody can guess.
fn random() -> io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_who_come_at_once_have_one_key() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().join("data"));
        let digest = || Key::of(&paths).map(|key| key.digest(&["x"]));
        let found: Vec<_> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..8).map(|_| scope.spawn(digest)).collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        });
        // Threads share a temporary name, unlike processes. A thread that is too late gets the first one's key.
        assert!(
            found
                .iter()
                .flatten()
                .all(|one| Some(one) == digest().as_ref())
        );
        assert_ne!(digest(), None);
        assert_eq!(std::fs::read_dir(paths.data()).unwrap().count(), 1);
        assert_eq!(digest().unwrap().len(), 32);
        let other = Paths::below(folder.path().join("other"));
        assert_ne!(digest(), Key::of(&other).map(|key| key.digest(&["x"])));
    }

    #[test]
    fn without_a_key_there_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        crate::atomic_file::replace(&paths.digest_key(), b"damaged", 0o600).unwrap();
        assert!(Key::of(&paths).is_none());
        assert_eq!(std::fs::read(paths.digest_key()).unwrap(), b"damaged");
        let nowhere = Paths::below(folder.path().join("digest.key"));
        assert!(Key::of(&nowhere).is_none());
    }

    #[test]
    fn it_is_the_persons_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        Key::of(&paths).unwrap();
        let mode = std::fs::metadata(paths.digest_key()).unwrap().permissions();
        assert_eq!(mode.mode() & 0o777, 0o600);
    }
}
