//! Finding the transcripts.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::summary::Summary;
use crate::Error;

/// The transcripts at `root`, sorted by path. What cannot be read below `root` goes to `summary`.
pub(crate) fn transcripts(root: &Path, summary: &mut Summary) -> Result<Vec<PathBuf>, Error> {
    below(root, &|_| false, summary)
}

/// The same, and the files that `is_other` accepts.
pub(crate) fn below(
    root: &Path,
    is_other: &dyn Fn(&Path) -> bool,
    summary: &mut Summary,
) -> Result<Vec<PathBuf>, Error> {
    let kind = fs::metadata(root).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Error::Missing(root.to_owned()),
        _ => Error::Root(root.to_owned(), error),
    })?;
    if !kind.is_dir() {
        return Ok(vec![root.to_owned()]);
    }
    let projects = root.join("projects");
    let top = if projects.is_dir() {
        projects
    } else {
        root.to_owned()
    };
    fs::read_dir(&top).map_err(|error| Error::Root(top.clone(), error))?;
    let whole = fs::canonicalize(&top).unwrap_or_else(|_| top.clone());
    let mut found = Vec::new();
    let mut folders = vec![top];
    while let Some(folder) = folders.pop() {
        if let Err(error) = list(
            &folder,
            &whole,
            is_other,
            (&mut found, &mut folders),
            summary,
        ) {
            summary.unreadable(&folder, &error);
        }
    }
    found.sort();
    // In whatever order the file system lists them.
    (summary.unreadable_files).sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

/// Adds the files and the folders in `folder`, which lies in the folder `whole`.
fn list(
    folder: &Path,
    whole: &Path,
    is_other: &dyn Fn(&Path) -> bool,
    (files, folders): (&mut Vec<PathBuf>, &mut Vec<PathBuf>),
    summary: &mut Summary,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        let is_transcript = path.extension().is_some_and(|name| name == "jsonl") || is_other(&path);
        // The folder says what most entries are, without a look at each.
        let kind = entry.file_type().ok().filter(|kind| !kind.is_symlink());
        let of_target = || fs::metadata(&path).map(|found| found.file_type());
        let leads_out = || !fs::canonicalize(&path).is_ok_and(|place| place.starts_with(whole));
        match kind.map_or_else(of_target, Ok) {
            Ok(target) if target.is_dir() && kind.is_some() => folders.push(path),
            // What lies elsewhere was not named: it may be anything, and another person's.
            Ok(target) if target.is_dir() && leads_out() => {
                summary.unreadable(&path, &io::Error::other("a link out of the folder"));
            }
            // A link within the folder leads to what is found under its own name.
            Ok(target) if target.is_dir() => {}
            // Opening anything but a regular file could wait for ever.
            Ok(target) if is_transcript && target.is_file() => files.push(path),
            Err(error) if is_transcript => summary.unreadable(&path, &error),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_files_and_loops() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("projects/b/session/subagents");
        fs::create_dir_all(&folder).unwrap();
        for name in [
            "projects/b/2.jsonl",
            "projects/a.jsonl",
            "projects/b/session/subagents/agent-1.jsonl",
            "projects/b/notes.txt",
            "history.jsonl",
        ] {
            fs::File::create(root.path().join(name)).unwrap();
        }
        std::os::unix::fs::symlink(root.path(), folder.join("up")).unwrap();
        std::os::unix::fs::symlink("..", folder.join("around")).unwrap();
        std::os::unix::fs::symlink("/nowhere", folder.join("gone.jsonl")).unwrap();
        let mut summary = Summary::default();
        let mut names = |path: &Path| -> Vec<String> {
            let found = transcripts(path, &mut summary).unwrap();
            let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
            found.iter().map(name).collect()
        };
        assert_eq!(
            names(&root.path().join("projects/b")),
            ["2.jsonl", "agent-1.jsonl"]
        );
        assert_eq!(names(&folder.join("agent-1.jsonl")), ["agent-1.jsonl"]);
        let summary_of_root = {
            let mut summary = Summary::default();
            let found = transcripts(root.path(), &mut summary).unwrap();
            assert_eq!(found.len(), 3, "{found:?}");
            summary
        };
        let mut unread: Vec<&str> = summary_of_root
            .unreadable_files
            .iter()
            .map(|file| file.error.as_str())
            .collect();
        unread.sort_unstable();
        assert_eq!(unread.len(), 2, "{unread:?}");
        assert!(unread.contains(&"a link out of the folder"), "{unread:?}");
        assert!(matches!(
            transcripts(&root.path().join("none"), &mut summary),
            Err(Error::Missing(_))
        ));
    }
}
