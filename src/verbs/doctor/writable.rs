//! Whether what plantune writes to can be written.

use std::io::{Error, ErrorKind};
use std::path::Path;

use super::check::{Check, word};
use crate::platform::may_write;

/// That new files cannot be made in `folder`, if so; `fact` says what that means. A folder that is
/// not there yet is made when it is needed.
pub(super) fn folder(name: &'static str, folder: &Path, fact: &str) -> Option<Check> {
    judge(name, folder, fact, &may_write(folder).err()?, "700")
}

/// That the file in `path` cannot be written, if it is there.
pub(super) fn file(name: &'static str, path: &Path, fact: &str) -> Option<Check> {
    judge(name, path, fact, &may_write(path).err()?, "600")
}

fn judge(name: &'static str, path: &Path, fact: &str, error: &Error, mode: &str) -> Option<Check> {
    let check = Check::failed(name, format!("{fact}: {error}"));
    let path = word(path);
    match error.kind() {
        ErrorKind::NotFound => None,
        ErrorKind::ReadOnlyFilesystem => Some(check.remedy(format!(
            "mount it for writing (`findmnt -T {path}` shows it), or set PLANTUNE_HOME to a folder elsewhere"
        ))),
        _ => Some(
            check
                .remedy(format!("run `chmod {mode} {path}`"))
                .remedy(format!("or, if it is somebody else's, `chown \"$USER\" {path}`")),
        ),
    }
}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn remedy_for_each_error() {
        let path = Path::new("/d/a b");
        let judged = |error: Error| judge("spool", path, "nothing can be logged", &error, "700");
        assert_eq!(judged(Errno::NOENT.into()), None);
        let found = [Errno::ROFS, Errno::ACCESS].map(|error| judged(error.into()).unwrap());
        insta::assert_snapshot!(super::super::render::text(&found), @r#"
        FAILED   spool: nothing can be logged: Read-only file system (os error 30)
                 mount it for writing (`findmnt -T '/d/a b'` shows it), or set PLANTUNE_HOME to a folder elsewhere
        FAILED   spool: nothing can be logged: Permission denied (os error 13)
                 run `chmod 700 '/d/a b'`
                 or, if it is somebody else's, `chown "$USER" '/d/a b'`
        "#);
        let here = tempfile::tempdir().unwrap();
        assert_eq!(folder("spool", here.path(), "no"), None);
        assert_eq!(file("spool", &here.path().join("absent"), "no"), None);
    }
}
