//! Markdown: untrusted texts stay texts, and tables stay tables.

use plantune_domain::sanitize;

use crate::report::Section;
use crate::table::Column;
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

/// A table with its heading and notes; its cells are escaped here.
pub(crate) fn section(section: &Section) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let columns = section.columns.iter();
    let rule = |column: &Column<'_>| match column.is_number() {
        true => "---:".to_owned(),
        false => "---".to_owned(),
    };
    let rules = columns.clone().map(rule).collect();
    let titles = columns.map(|column| column.title().to_owned()).collect();
    let rows = section.rows.iter();
    let rows = rows.map(|row| row.iter().map(|one| cell(one)).collect());
    let table: String = [titles, rules].into_iter().chain(rows).map(line).collect();
    let notes: String = (section.notes.iter())
        .map(|note| format!("{note}\n\n"))
        .collect();
    format!("## {}\n\n{table}\n{notes}", section.title)
}

/// `text` escaped. Markdown drops leading spaces; what belongs to what survives as entities.
fn cell(text: &str) -> String {
    let words = text.trim_start_matches("  ");
    "&emsp;".repeat((text.len() - words.len()) / 2) + &escape(words)
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
