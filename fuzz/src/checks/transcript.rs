//! The transcript reader over a file of any bytes.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a check is there to panic"
)]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use plantune_domain::event::MAX_LINE_BYTES;
use plantune_domain::registry::Registry;

use crate::claude_code::{Prompts, Summary, read};
use crate::lines::decode;

/// Checks that the transcript in `data` gives events that the store takes, each once, the same every
/// time, and counts that add up; `scratch` is a folder to write it to.
pub(crate) fn check(data: &[u8], scratch: &Path) {
    // A resumed session repeats what it resumes, in a file of its own.
    let both = scratch.join("transcripts");
    fs::create_dir_all(&both).unwrap();
    let (path, copy) = (both.join("0b6f.jsonl"), both.join("1c70.jsonl"));
    for path in [&path, &copy] {
        fs::File::create(path).unwrap().write_all(data).unwrap();
    }
    let (found, lines) = events(&path);
    let of_question = found.answered + found.auto_decided + found.dismissed + found.failed;
    assert_eq!(found.questions, of_question + found.unanswered, "{found:?}");
    assert_eq!((found.files, found.unreadable_files.len()), (1, 0));
    let mut ids = BTreeSet::new();
    for line in &lines {
        let event = decode(&line[..line.len() - 1]).unwrap();
        assert!(line.len() <= MAX_LINE_BYTES + 1);
        assert!(ids.insert(event.id), "an event twice");
        assert_eq!(&*event.event.source, "import:claude-code");
    }
    let of_calls = found.granted + found.refused + found.denied + found.unasked;
    assert!(
        lines.len() as u64 <= 2 * found.questions + of_calls,
        "events of nothing"
    );
    // No question is shorter than `{},` in the file.
    assert!(found.questions <= data.len() as u64 / 2);
    let (found_twice, twice) = events(&both);
    assert_eq!(twice, lines, "a copy changes what is read");
    assert_eq!(
        (found_twice.calls, found_twice.questions),
        (found.calls, found.questions)
    );
}

fn events(path: &Path) -> (Summary, Vec<Vec<u8>>) {
    let mut lines = Vec::new();
    let found = read(
        path,
        &Registry::default(),
        Prompts::default(),
        &mut |event| {
            lines.push(event.to_line().unwrap());
            Ok(())
        },
    );
    (found.unwrap(), lines)
}
