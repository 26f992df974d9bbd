//! What a change would do, as a unified diff.

use std::fmt::Write as _;

use similar::TextDiff;

use crate::terminal;

/// Lines around a change.
const CONTEXT_LINES: usize = 3;

/// The unified diff of the file `name`, sanitized for a terminal; of one that is new where there is nothing `before`.
pub(crate) fn diff(name: &str, before: Option<&str>, after: &str, colour: bool) -> String {
    let old = before.map_or("/dev/null", |_| name);
    let before = before.unwrap_or_default();
    // Line ends are not what is being changed; shown, each would be a stray character.
    let (before, after) = (terminal::sanitized(before), terminal::sanitized(after));
    let diff = TextDiff::from_lines(&before, &after);
    let diff = diff
        .unified_diff()
        .context_radius(CONTEXT_LINES)
        .header(old, name)
        .to_string();
    if !colour {
        return diff;
    }
    diff.lines().fold(String::new(), |mut out, line| {
        let code = match line.as_bytes().first() {
            Some(b'+') => "32",
            Some(b'-') => "31",
            Some(b'@') => "36",
            _ => "0",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "\u{1b}[{code}m{line}\u{1b}[0m");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_change_and_nothing_else() {
        let before = "{\r\n  \"x\": \"\u{9b}31m\",\r\n  \"a\": 1\r\n}\r\n";
        let after = before.replace("1\r", "2\r");
        let wanted = "--- s\n+++ s\n@@ -1,4 +1,4 @@\n {\n   \"x\": \"\u{fffd}31m\",\n-  \"a\": 1\n+  \"a\": 2\n }\n";
        assert_eq!(diff("s", Some(before), &after, false), wanted);
        assert!(diff("s", Some(before), &after, true).contains("\u{1b}[32m+  \"a\": 2\u{1b}[0m\n"));
    }
}
