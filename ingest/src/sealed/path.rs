//! Paths in SQL.

use std::io;
use std::path::Path;

/// `path` as DuckDB takes it where it looks for files of a pattern: brackets, question marks and stars
/// stand for themselves.
///
/// # Errors
/// When the path is not UTF-8.
pub fn pattern(path: &Path) -> io::Result<String> {
    let mut pattern = String::new();
    for c in text(path)?.chars() {
        match c {
            '*' | '?' | '[' => pattern.extend(['[', c, ']']),
            c => pattern.push(c),
        }
    }
    Ok(pattern)
}

/// `path` as text.
pub(crate) fn text(path: &Path) -> io::Result<&str> {
    path.to_str().ok_or_else(|| {
        let message = format!("{}: not UTF-8", path.display());
        io::Error::new(io::ErrorKind::Unsupported, message)
    })
}
