//! For other programs: JSON, Markdown, HTML, CSV and a shell.

use super::characters::is_dangerous;
use super::terminal::line;

/// `json`, a serialised document, with dangerous characters as `\u` escapes: it means the same to a
/// program, and a terminal has nothing to obey. The line ends of the indentation stay.
pub fn json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        // Outside strings JSON has no dangerous character but the line feed.
        if is_dangerous(c) && c != '\n' {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// `text` on one line, such that Markdown, HTML and spreadsheets find nothing to act on: no
/// emphasis, code, link, image, tag, mention, table border, or formula.
pub fn markdown(text: &str) -> String {
    let text = line(text);
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

/// `text` on one line, as the content of an HTML element or of a quoted attribute.
pub fn html(text: &str) -> String {
    let text = line(text);
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// `text` on one line for a spreadsheet's cell, whatever quotes it there. What would be taken for a formula
/// begins with `'`, which makes it text.
pub fn spreadsheet_text(text: &str) -> String {
    let mut cell = line(text);
    if cell.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
        cell.insert(0, '\'');
    }
    cell
}

/// `word` as a shell reads it: as it is, in single quotes, or, with dangerous characters, as
/// `$'…'` with escapes (bash, zsh).
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._/-:@+,".contains(c);
    if word.contains(is_dangerous) {
        let mut quoted = "$'".to_owned();
        for c in word.chars() {
            match c {
                '\'' | '\\' => quoted.extend(['\\', c]),
                _ if is_dangerous(c) => quoted.push_str(&format!("\\U{:08x}", u32::from(c))),
                _ => quoted.push(c),
            }
        }
        quoted.push('\'');
        quoted
    } else if !word.is_empty() && !word.starts_with('-') && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
