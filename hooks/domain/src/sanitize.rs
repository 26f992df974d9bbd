//! Text from outside, made safe to show. Questions and labels are written by a model, projects and
//! paths by whoever made the repository.
//!
//! [`is_dangerous`] is the one list of dangerous characters; each place where text is shown
//! has a rendering, and no dangerous character survives in any of them.

use std::iter::Peekable;
use std::str::Chars;

#[cfg(test)]
mod tests;

// Which characters are dangerous.

/// True for characters that steer a terminal, reorder or hide what stands beside them, or show
/// nothing of their own but are read by a program or a model.
///
/// Control characters (C0, C1), line and paragraph separators, Unicode's Default_Ignorable_Code_Point
/// (bidirectional controls, zero-width characters, fillers, variation selectors, tags), annotation
/// characters, and format controls of single scripts.
pub fn is_dangerous(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{13430}'..='\u{1343f}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

// For other programs: JSON, Markdown, HTML, CSV and a shell.

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

// For a terminal: one line, several lines, or with everything made visible.

/// `text` on one line, without escape sequences and without dangerous characters. White space is
/// folded.
pub fn line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut space = false;
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => skip_sequence(&mut chars),
            '\u{9b}' => skip_control_sequence(&mut chars),
            _ if c.is_whitespace() => space = true,
            _ if is_dangerous(c) => {}
            _ => {
                if space && !line.is_empty() {
                    line.push(' ');
                }
                space = false;
                line.push(c);
            }
        }
    }
    line
}

/// `text` with its line ends (`\n`) and tabs; every other dangerous character becomes U+FFFD.
pub fn block(text: &str) -> String {
    let dangerous = |c: char| is_dangerous(c) && c != '\n' && c != '\t';
    text.replace("\r\n", "\n").replace(dangerous, "\u{fffd}")
}

/// `bytes` as text in which everything can be seen: what is no text is written as `\xff`, dangerous
/// characters as `\u{202e}`.
pub fn visible(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if is_dangerous(c) {
                text.extend(c.escape_default());
            } else {
                text.push(c);
            }
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

/// What stands after an escape character: a control sequence (colours, cursor) or a string
/// (window titles, links) up to its end. Of anything else only the escape character goes.
fn skip_sequence(chars: &mut Peekable<Chars<'_>>) {
    match chars.peek() {
        Some('[') => {
            chars.next();
            skip_control_sequence(chars);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => skip_string(chars),
        _ => {}
    }
}

/// Parameters and intermediates, then one final character (ECMA-48, 5.4).
fn skip_control_sequence(chars: &mut Peekable<Chars<'_>>) {
    while chars.next_if(|c| matches!(c, ' '..='?')).is_some() {}
    chars.next_if(|c| matches!(c, '@'..='~'));
}

/// A string up to BEL or ST. One without an end stays, so that it cannot hide the text after it.
fn skip_string(chars: &mut Peekable<Chars<'_>>) {
    let mut ahead = chars.clone();
    while let Some(c) = ahead.next() {
        let end = match c {
            '\u{7}' | '\u{9c}' => true,
            '\u{1b}' => ahead.next_if_eq(&'\\').is_some(),
            _ => false,
        };
        if end {
            *chars = ahead;
            return;
        }
    }
}
