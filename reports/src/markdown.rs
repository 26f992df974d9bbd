//! Markdown: untrusted texts stay texts, and tables stay tables.

use std::io;

use crate::text;

/// The longest text of a cell, in columns.
const CELL_COLUMNS: usize = 200;

/// `text` on one line, such that Markdown, HTML and spreadsheets find nothing to act on: no
/// emphasis, code, link, image, tag, mention, table border, or formula.
pub fn escape(text: &str) -> String {
    let text = text::cut(text, CELL_COLUMNS);
    let mut escaped = String::with_capacity(text.len() + 8);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '!' | '|' | '~'
            | '@' | '$' | '^' => {
                escaped.push('\\');
                escaped.push(c);
            }
            // At the start they begin a formula or a list.
            '=' | '+' | '-' if escaped.is_empty() => {
                escaped.push('\\');
                escaped.push(c);
            }
            // Bare addresses become links: `https://…`, `www.…`.
            ':' if rest.peek() == Some(&'/') => escaped.push_str("\\:"),
            '.' if ends_with_www(&escaped) => escaped.push_str("\\."),
            _ => escaped.push(c),
        }
    }
    escaped
}

fn ends_with_www(text: &str) -> bool {
    text.get(text.len().saturating_sub(3)..)
        .is_some_and(|end| end.eq_ignore_ascii_case("www"))
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
