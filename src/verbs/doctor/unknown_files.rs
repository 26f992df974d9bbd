//! Unknown files among the segments of the spool: nothing is read from them.

use std::fs;
use std::io;
use std::path::Path;

use plantune_ingest::SegmentName;

use super::check::Check;
use crate::platform;

const NAME: &str = "spool";

/// How many things that stand in a segment's place are named.
const NAMED: usize = 3;

/// What in the folder `events` has a segment's name and is no file, a finding each, and what has
/// another name, in one. A folder that cannot be read is reported elsewhere.
pub(super) fn check(events: &Path) -> Vec<Check> {
    let (mut in_place, mut others) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(events).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if SegmentName::parse(&name).is_some() {
            in_place.extend(kind(&entry.path()).map(|kind| (name, kind)));
        // A file that is being written right now.
        } else if !name.ends_with(".parquet.tmp") {
            others.push(name);
        }
    }
    in_place.sort();
    others.sort();
    let in_place = in_place.iter().take(NAMED).map(|(name, kind)| {
        Check::warning(NAME, format!("{name} is {kind}: nothing is read from it"))
            .remedy("move it away, so that the hook can log under that name")
    });
    let others = others.first().map(|first| {
        let message = match others.len() {
            1 => format!("1 thing lies among the segments and is not read: {first}"),
            many => {
                format!("{many} things lie among the segments and are not read, such as {first}")
            }
        };
        Check::note(NAME, message).remedy(
            "a segment is called 2026-11-20.jsonl, or 2026-11.parquet when its month is sealed",
        )
    });
    in_place.chain(others).collect()
}

/// What stands at `path`, in words; `None` for a file, and for what has gone meanwhile.
fn kind(path: &Path) -> Option<&'static str> {
    let is_link = fs::symlink_metadata(path).ok()?.is_symlink();
    let metadata = match fs::metadata(path) {
        Err(error) if is_link && error.kind() == io::ErrorKind::NotFound => {
            return Some("a symbolic link that leads nowhere");
        }
        metadata => metadata.ok()?,
    };
    let kind = metadata.file_type();
    if kind.is_file() {
        None
    } else if kind.is_dir() {
        Some("a folder")
    } else if platform::is_pipe(&metadata) {
        Some("a pipe")
    } else {
        Some("no ordinary file")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plantune_domain::spool;

    #[test]
    fn what_is_no_segment_is_named() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(check(&folder.path().join("absent")), []);
        let path = |name: &str| folder.path().join(name);
        for name in ["2026-11-20.jsonl", "2026-11.parquet.tmp"] {
            spool::append_to(&path(name), b"{}\n").unwrap();
        }
        std::os::unix::fs::symlink(path("2026-11-20.jsonl"), path("2026-11-16.jsonl")).unwrap();
        assert_eq!(check(folder.path()), []);
        spool::append_to(&path("2026-11-03.jsonl.zst"), b"x").unwrap();
        let one = check(folder.path());
        assert!(
            one[0]
                .message
                .ends_with("is not read: 2026-11-03.jsonl.zst")
        );
        spool::append_to(&path("notes\u{1b}[2J"), b"x").unwrap();
        fs::create_dir(path("2026-11-17.jsonl")).unwrap();
        std::os::unix::fs::symlink("/dev/null", path("2026-11-18.jsonl")).unwrap();
        std::os::unix::fs::symlink(path("gone"), path("2026-11-19.jsonl")).unwrap();
        insta::assert_snapshot!(super::super::render::text(&check(folder.path())), @r"
        warning  spool: 2026-11-17.jsonl is a folder: nothing is read from it
                 move it away, so that the hook can log under that name
        warning  spool: 2026-11-18.jsonl is no ordinary file: nothing is read from it
                 move it away, so that the hook can log under that name
        warning  spool: 2026-11-19.jsonl is a symbolic link that leads nowhere: nothing is read from it
                 move it away, so that the hook can log under that name
        note     spool: 2 things lie among the segments and are not read, such as 2026-11-03.jsonl.zst
                 a segment is called 2026-11-20.jsonl, or 2026-11.parquet when its month is sealed
        ");
    }
}
