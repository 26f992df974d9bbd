//! Whether what plantune writes to can be written.

use std::io::{Error, ErrorKind};
use std::path::Path;

use super::check::{Findings, word};
use crate::platform::may_write;

/// Reports that new files cannot be made in `folder`, if so; `fact` says what that means. A folder that is
/// not there yet is made when it is needed. True when it was reported.
pub(super) fn folder(name: &'static str, folder: &Path, fact: &str, found: &mut Findings) -> bool {
    may_write(folder).is_err_and(|error| judge(name, folder, (fact, &error), "700", found))
}

/// Reports that the file in `path` cannot be written, if it is there. True when it was reported.
pub(super) fn file(name: &'static str, path: &Path, fact: &str, found: &mut Findings) -> bool {
    may_write(path).is_err_and(|error| judge(name, path, (fact, &error), "600", found))
}

fn judge(
    name: &'static str,
    path: &Path,
    (fact, error): (&str, &Error),
    mode: &str,
    found: &mut Findings,
) -> bool {
    if error.kind() == ErrorKind::NotFound {
        return false;
    }
    let failed = found.failed(name, format!("{fact}: {error}"));
    let path = word(path);
    match error.kind() {
        ErrorKind::ReadOnlyFilesystem => failed.remedy(format!(
            "mount it for writing (`findmnt -T {path}` shows it), or set PLANTUNE_HOME to a folder elsewhere"
        )),
        _ => failed
            .remedy(format!("run `chmod {mode} {path}`"))
            .remedy(format!("or, if it is somebody else's, `chown \"$USER\" {path}`")),
    };
    true
}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn remedy_for_each_error() {
        let path = Path::new("/d/a b");
        let mut found = Findings::default();
        for error in [Errno::NOENT, Errno::ROFS, Errno::ACCESS] {
            let fact = ("nothing can be logged", &error.into());
            judge("spool", path, fact, "700", &mut found);
        }
        insta::assert_snapshot!(super::super::render::text(&found), @r#"
        FAILED   spool: nothing can be logged: Read-only file system (os error 30)
                 mount it for writing (`findmnt -T '/d/a b'` shows it), or set PLANTUNE_HOME to a folder elsewhere
        FAILED   spool: nothing can be logged: Permission denied (os error 13)
                 run `chmod 700 '/d/a b'`
                 or, if it is somebody else's, `chown "$USER" '/d/a b'`
        "#);
        let here = tempfile::tempdir().unwrap();
        assert!(!folder("spool", here.path(), "no", &mut found));
        assert!(!file(
            "spool",
            &here.path().join("absent"),
            "no",
            &mut found
        ));
    }
}
