//! A small file system in memory, in a namespace of its own.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::skipped::skipped;
use crate::world::programs;

/// Names the mounted folder to a test that runs in its namespace.
const MOUNTED: &str = "PLANTUNE_TEST_MOUNTED";

/// Mebibytes of the small file system.
pub(crate) const MEBIBYTES: u32 = 24;

/// A small file system in memory.
pub(crate) struct Small(pub(crate) PathBuf);

impl Small {
    /// The small file system, inside its namespace. Outside of it, `test` is run inside, and there
    /// is `None` for what called it here.
    pub(crate) fn only_inside(test: &str) -> Option<Self> {
        if let Some(folder) = std::env::var_os(MOUNTED) {
            let small = Self(folder.into());
            small.mount(&["-t", "tmpfs", "-o", &format!("size={MEBIBYTES}m"), "none"]);
            return Some(small);
        }
        programs::hook();
        let folder = tempfile::tempdir().unwrap();
        let Some(flag) = namespace(folder.path()) else {
            skipped(test, "no file system can be mounted here");
            return None;
        };
        let ran = Command::new("unshare")
            .arg(flag)
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", test, "--nocapture", "--include-ignored"])
            .env(MOUNTED, folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stdout);
        let errors = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{said}{errors}");
        assert!(said.contains("1 passed"), "{said}");
        None
    }

    pub(crate) fn mount(&self, words: &[&str]) {
        let done = Command::new("mount").args(words).arg(&self.0).status();
        assert!(done.unwrap().success());
    }

    /// Leaves `bytes` of room, in whole pages.
    pub(crate) fn leave(&self, bytes: u64) {
        let mut file = File::create(self.0.join("filler")).unwrap();
        let mut length = 0;
        for piece in [1 << 20, 1 << 12] {
            let zeros = vec![0; piece];
            loop {
                match file.write(&zeros) {
                    Ok(written) => length += written as u64,
                    Err(error) if error.kind() == ErrorKind::StorageFull => break,
                    failed => assert!(failed.is_ok(), "{failed:?}"),
                }
            }
        }
        file.set_len(length - bytes).unwrap();
    }

    pub(crate) fn make_room(&self) {
        fs::remove_file(self.0.join("filler")).unwrap();
    }
}

/// The way to a namespace of our own in which something can be mounted at `folder`.
fn namespace(folder: &Path) -> Option<&'static str> {
    let mounts = |flag: &&str| {
        let mut probe = Command::new("unshare");
        probe
            .args([flag, "mount", "-t", "tmpfs", "none"])
            .arg(folder);
        let probe = probe.stdout(Stdio::null()).stderr(Stdio::null());
        probe.status().is_ok_and(|status| status.success())
    };
    ["-m", "-rm"].into_iter().find(mounts)
}
