//! The commands that the documents show, and what they say is printed.

use std::fs;
use std::path::{Path, PathBuf};

/// The pages that users read, the README among them.
pub(crate) fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    pages.extend(markdown(&root().join("docs")));
    pages
}

/// Pages in `folder`, in the order of their names.
pub(crate) fn markdown(folder: &Path) -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect();
    pages.sort();
    pages
}

/// The project's folder.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// A command of a page, as it is typed.
pub(crate) struct Shown {
    /// The page's line.
    pub(crate) line: usize,
    pub(crate) command: String,
    /// `# exits with 4` behind the command.
    pub(crate) exit_code: i32,
    /// The lines below it; empty if the page does not show what is printed.
    pub(crate) output: Vec<String>,
}

/// The commands in the blocks ```` ```console ```` of `page`.
pub(crate) fn commands(page: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let mut inside = false;
    for (line, text) in page.lines().enumerate() {
        if let Some(kind) = text.strip_prefix("```") {
            inside = kind == "console";
        } else if let (true, Some(typed)) = (inside, text.strip_prefix("$ ")) {
            let (command, comment) = typed.split_once(" # ").unwrap_or((typed, ""));
            let exit_code = comment.trim().strip_prefix("exits with ");
            found.push(Shown {
                line: line + 1,
                command: command.trim_end().to_owned(),
                exit_code: exit_code.map_or(0, |code| code.parse().unwrap()),
                output: Vec::new(),
            });
        } else if inside {
            let shown = found.last_mut().unwrap();
            shown.output.push(text.trim_end().to_owned());
        }
    }
    for shown in &mut found {
        while shown.output.last().is_some_and(String::is_empty) {
            shown.output.pop();
        }
    }
    found
}

/// Whether `printed` is what a page shows, where `…` alone on a line stands for any lines, also none.
pub(crate) fn is_shown(shown: &[String], printed: &[&str]) -> bool {
    let Some((first, rest)) = shown.split_first() else {
        return printed.is_empty();
    };
    if first.trim() == "…" {
        return (0..=printed.len()).any(|skipped| is_shown(rest, &printed[skipped..]));
    }
    printed
        .split_first()
        .is_some_and(|(line, others)| line.trim_end() == first && is_shown(rest, others))
}
