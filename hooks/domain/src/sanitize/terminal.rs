//! For a terminal: one line, several lines, or with everything made visible.

use std::iter::Peekable;
use std::str::Chars;

use super::characters::is_dangerous;

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
