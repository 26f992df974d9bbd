//! Untrusted text on a terminal: nothing that steers it, and as wide as there is room.

use std::iter::Peekable;
use std::str::Chars;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// `text` on one line without escape sequences, control characters, and characters that are not
/// seen but change what is (bidirectional controls, zero-width and invisible characters, tags).
/// White space is folded.
pub fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut space = false;
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => skip_sequence(&mut chars),
            '\u{9b}' => skip_control_sequence(&mut chars),
            _ if c.is_whitespace() => space = true,
            _ if c.is_control() || is_unseen(c) => {}
            _ => {
                if space && !clean.is_empty() {
                    clean.push(' ');
                }
                space = false;
                clean.push(c);
            }
        }
    }
    clean
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

/// True for characters that show nothing of their own and can mislead a reader or a program:
/// format controls, bidirectional controls, zero-width characters, fillers, variation selectors,
/// tags.
pub fn is_unseen(c: char) -> bool {
    matches!(
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
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// How many columns `text` takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// [`clean`] `text` in at most `columns` columns; what is left out is marked by `…`.
pub fn cut(text: &str, columns: usize) -> String {
    let text = clean(text);
    if width(&text) <= columns {
        return text;
    }
    let mut cut = String::new();
    // Character by character the width is never less than the text's, so this is on the safe side.
    let mut left = columns.saturating_sub(1);
    for c in text.chars() {
        match left.checked_sub(c.width().unwrap_or(0)) {
            Some(rest) => left = rest,
            None => break,
        }
        cut.push(c);
    }
    cut.truncate(cut.trim_end().len());
    if columns > 0 {
        cut.push('…');
    }
    cut
}

/// `text`, which is trusted, in lines of at most `columns` columns, broken at spaces; a word that
/// is longer than a line (a path, a text in a script without spaces) goes on in the next one.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ if width(word) <= columns => lines.push(word.to_owned()),
            _ => lines.extend(pieces(word, columns)),
        }
    }
    lines
}

/// `word` in pieces of at most `columns` columns, and at least a character.
fn pieces(word: &str, columns: usize) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for c in word.chars() {
        match pieces.last_mut() {
            Some(piece) if width(piece) + c.width().unwrap_or(0) <= columns => piece.push(c),
            _ => pieces.push(c.to_string()),
        }
    }
    pieces
}

/// `text`, which is trusted, as [`wrap`] breaks it: the first line behind `first`, the others behind
/// `rest`, none wider than `columns`, each with its end.
pub fn hanging(first: &str, rest: &str, text: &str, columns: usize) -> String {
    let room = columns.saturating_sub(width(first).max(width(rest)));
    let lines = wrap(text, room.max(1)).into_iter().enumerate();
    lines
        .map(|(number, line)| match number {
            0 => format!("{first}{line}\n"),
            _ => format!("{rest}{line}\n"),
        })
        .collect()
}

/// `word` as a shell reads it: as it is, or in single quotes.
pub fn shell_word(word: &str) -> String {
    let word = clean(word);
    let plain = |c: char| c.is_ascii_alphanumeric() || "._/-:@+,".contains(c);
    if !word.is_empty() && !word.starts_with('-') && word.chars().all(plain) {
        word
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_goes() {
        for (text, shown) in [
            (
                "plain, ünïcödé, 次はどうしますか",
                "plain, ünïcödé, 次はどうしますか",
            ),
            ("\u{1b}[31;1mred\u{1b}[0m \u{1b}[2Jcleared", "red cleared"),
            ("\u{9b}31mred", "red"),
            ("\u{1b}]0;title\u{7}after", "after"),
            ("\u{1b}]8;;https://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{1b}Pq#0\u{9c}sixel", "sixel"),
            ("hidden\u{1b}]0;never ended", "hidden]0;never ended"),
            ("a\u{1b}cb\u{0}\u{7}\u{8}\u{7f}\u{85}c", "acb c"),
            (" two\r\n\tlines \u{a0}\u{2028} here ", "two lines here"),
            ("abc\u{202e}txt.exe\u{202c}\u{2066}x\u{2069}", "abctxt.exex"),
            ("ze\u{200b}ro\u{feff}\u{ad}\u{2060}\u{e0041}", "zero"),
            ("\u{1b}", ""),
            ("\u{1b}[", ""),
        ] {
            assert_eq!(clean(text), shown, "{text:?}");
            assert_eq!(clean(shown), shown);
        }
    }

    #[test]
    fn texts_are_cut_by_width() {
        for (text, columns, shown) in [
            ("short", 5, "short"),
            ("longer", 5, "long…"),
            ("two words", 5, "two…"),
            ("次はどう", 8, "次はどう"),
            ("次はどう", 7, "次はど…"),
            ("次はどう", 6, "次は…"),
            ("🎉🎉🎉", 5, "🎉🎉…"),
            ("e\u{301}e\u{301}e\u{301}", 3, "e\u{301}e\u{301}e\u{301}"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
            ("any", 1, "…"),
            ("any", 0, ""),
        ] {
            assert_eq!(cut(text, columns), shown, "{text:?} in {columns}");
            assert!(width(&cut(text, columns)) <= columns);
        }
    }

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(
            wrap("an incomprehensible or", 8),
            ["an", "incompre", "hensible", "or"]
        );
        assert_eq!(wrap("次はどう", 5), ["次は", "どう"]);
        assert_eq!(wrap("", 8), Vec::<String>::new());
    }

    #[test]
    fn what_hangs_is_no_wider_than_there_is_room() {
        assert_eq!(
            hanging("- ", "    ", "one two three", 11),
            "- one two\n    three\n"
        );
        assert_eq!(hanging("- ", "  ", "", 11), "");
    }

    #[test]
    fn shell_words() {
        for (word, shown) in [
            ("github.com/acme/shop", "github.com/acme/shop"),
            ("/home/ann/my notes", "'/home/ann/my notes'"),
            ("x'; rm -rf ~", r"'x'\''; rm -rf ~'"),
            ("--all", "'--all'"),
            ("", "''"),
        ] {
            assert_eq!(shell_word(word), shown);
        }
    }
}
