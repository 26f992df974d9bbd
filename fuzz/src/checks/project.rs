//! The project key of a repository with any configuration.
//!
//! Input: the repository's `config`, and behind the byte 1E, where there is one, what the file `.git` of
//! a linked worktree holds.
#![allow(clippy::unwrap_used, reason = "a check is there to panic")]

use std::fs;
use std::io::Write as _;
use std::path::Path;

use plantune_domain::project::{project_key, worktree_root};

/// Checks the repository in `data`; `scratch` is a folder to make it in.
pub(crate) fn check(data: &[u8], scratch: &Path) {
    let scratch = fs::canonicalize(scratch).unwrap();
    let (main, linked) = (scratch.join("main"), scratch.join("linked"));
    let mut sections = data.split(|byte| *byte == 0x1e);
    put(&main.join(".git/HEAD"), b"ref: refs/heads/main\n");
    put(
        &main.join(".git/config"),
        sections.next().unwrap_or_default(),
    );
    fs::create_dir_all(main.join("src/deep")).unwrap();
    let key = project_key(&main);
    assert_eq!(
        project_key(&main.join("src/deep")),
        key,
        "a folder of the repository"
    );
    assert_eq!(worktree_root(&main.join("src/deep")), Some(main.clone()));
    assert!(!key.is_empty() && !key.contains('\n'));
    if key != main.to_string_lossy() {
        let (host, path) = key.split_once('/').unwrap();
        assert!(
            !host.contains(['@', ':']) && host == host.to_lowercase(),
            "{key:?}"
        );
        assert!(!path.is_empty() && !path.ends_with('/'), "{key:?}");
    }
    // A worktree of the same repository is the same project.
    put(&main.join(".git/worktrees/linked/commondir"), b"../..\n");
    let link = format!("gitdir: {}\n", main.join(".git/worktrees/linked").display());
    put(&linked.join(".git"), link.as_bytes());
    assert_eq!(project_key(&linked), key, "a linked worktree");
    if let Some(link) = sections.next() {
        put(&linked.join(".git"), link);
        assert_eq!(project_key(&linked), project_key(&linked.join(".")));
    }
}

fn put(path: &Path, content: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::File::create(path).unwrap().write_all(content).unwrap();
}
