//! Markdown: untrusted texts stay texts, and tables stay tables.

use std::io;

use plantune_domain::sanitize;

use crate::text;

/// The longest text of a cell, in columns.
const CELL_COLUMNS: usize = 200;

/// `text` on one line and cut, such that Markdown finds nothing to act on
/// ([`sanitize::markdown`]).
pub fn escape(text: &str) -> String {
    sanitize::markdown(&text::cut(text, CELL_COLUMNS))
}

/// `command`, which has one line, as code.
pub fn code(command: &str) -> String {
    if command.contains('`') {
        // No code span may hold it; HTML may.
        format!("<code>{}</code>", escape(command))
    } else {
        format!("`{command}`")
    }
}

/// Writes a table and an empty line after it; `right` says which columns hold numbers. The cells
/// are written as they are: [`escape`] what is not trusted.
///
/// # Errors
/// Those of `out`.
pub fn table(
    out: &mut dyn io::Write,
    titles: &[&str],
    right: &[bool],
    rows: &[Vec<String>],
) -> io::Result<()> {
    writeln!(out, "| {} |", titles.join(" | "))?;
    let rules: Vec<_> = right
        .iter()
        .map(|right| if *right { "---:" } else { "---" })
        .collect();
    writeln!(out, "| {} |", rules.join(" | "))?;
    for row in rows {
        writeln!(out, "| {} |", row.join(" | "))?;
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_texts_stay_texts() {
        for (text, shown) in [
            (
                "Plain? Yes, 3.5 (ok) - a+b=c",
                "Plain? Yes, 3.5 \\(ok\\) - a+b=c",
            ),
            ("a | b\nc", "a \\| b c"),
            (
                "`code` *b* _i_ ~~s~~",
                "\\`code\\` \\*b\\* \\_i\\_ \\~\\~s\\~\\~",
            ),
            ("<script>&amp;", "&lt;script&gt;&amp;amp;"),
            (
                "[x](javascript:alert(1))",
                "\\[x\\]\\(javascript:alert\\(1\\)\\)",
            ),
            (
                "![x](https://t.example/p.png)",
                "\\!\\[x\\]\\(https\\://t.example/p.png\\)",
            ),
            ("see WWW.example.com", "see WWW\\.example.com"),
            ("=HYPERLINK(1)", "\\=HYPERLINK\\(1\\)"),
            ("+1", "\\+1"),
            ("-1", "\\-1"),
            ("@team", "\\@team"),
            ("\\| already", "\\\\\\| already"),
            ("\u{1b}[31m# not a heading", "\\# not a heading"),
        ] {
            assert_eq!(escape(text), shown, "{text:?}");
        }
    }

    #[test]
    fn commands_stay_commands() {
        assert_eq!(code("plantune report"), "`plantune report`");
        assert_eq!(code("a `b` <i>"), "<code>a \\`b\\` &lt;i&gt;</code>");
    }

    #[test]
    fn long_texts_are_cut() {
        assert!(escape(&"x".repeat(10_000)).ends_with("x…"));
    }
}
