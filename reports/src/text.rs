//! Untrusted text made safe: on a terminal, as wide as there is room, and in JSON.

use plantune_domain::sanitize;
pub use plantune_domain::sanitize::{line as clean, shell_word};
use serde::ser::Error;
use serde::{Serialize, Serializer};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Whole words are kept where they fill two thirds of the room.
const LEAST_WHOLE: (usize, usize) = (2, 3);

/// The space within a figure and its unit, such as `2 h 05 min`, at which no line breaks. [`wrap`] replaces it by an
/// ordinary space for a terminal; browsers and Markdown know it.
pub(crate) const TOGETHER: char = '\u{a0}';

/// `text` with ordinary spaces alone, for a terminal and for scripts.
pub fn with_plain_spaces(text: &str) -> String {
    text.replace(TOGETHER, " ")
}

/// `text` with its commands in backquotes kept together by [`wrap`], so that each can be copied whole.
pub fn unbroken(text: &str) -> String {
    if !text.matches('`').count().is_multiple_of(2) {
        return text.to_owned();
    }
    let parts = text.split('`').enumerate().map(|(at, part)| match at % 2 {
        0 => part.to_owned(),
        _ => part.replace(' ', &TOGETHER.to_string()),
    });
    parts.collect::<Vec<_>>().join("`")
}

/// How many columns `text` takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// [`clean`] `text` in at most `columns` columns; what is left out is marked by `…`.
pub fn one_line(text: &str, columns: usize) -> String {
    let text = clean(text);
    if width(&text) <= columns {
        return text;
    }
    let mut cut = String::new();
    // The sum of the characters' widths is never less than the text's width.
    let mut left = columns.saturating_sub(1);
    for c in text.chars() {
        match left.checked_sub(c.width().unwrap_or(0)) {
            Some(rest) => left = rest,
            None => break,
        }
        cut.push(c);
    }
    // Words stay whole, where that leaves enough of them.
    let in_word = text
        .get(cut.len()..)
        .is_some_and(|rest| !rest.starts_with(' '));
    if let Some(end) = cut.rfind(' ').filter(|_| in_word)
        && width(cut.get(..end).unwrap_or_default()) * LEAST_WHOLE.1 >= columns * LEAST_WHOLE.0
    {
        cut.truncate(end);
    }
    cut.truncate(cut.trim_end().len());
    if columns > 0 {
        cut.push('…');
    }
    cut
}

/// [`clean`] `text` in at most `columns` columns; what is left out of its middle is marked by `…`.
pub fn both_ends(text: &str, columns: usize) -> String {
    sanitize::both_ends(&clean(text), columns, |c| c.width().unwrap_or(0))
}

/// `text`, which is trusted, in lines of at most `columns` columns, broken at spaces except those that keep a figure
/// together. A word that is longer than a line goes on in the next line; but a path or an address stands whole on a line
/// of its own, so that it can be copied.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let words = text.split(|c: char| c.is_whitespace() && c != TOGETHER);
    for word in words.filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ if width(word) <= columns || word.contains('/') => lines.push(word.to_owned()),
            _ => lines.extend(pieces(word, columns)),
        }
    }
    lines.iter().map(|line| with_plain_spaces(line)).collect()
}

/// `word`, which is trusted, in pieces of at most `columns` columns, and at least a character.
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

/// `text`, which is trusted, as [`wrap`] breaks each of its lines, as far in as that line.
pub fn paragraph(text: &str, columns: usize) -> String {
    let lines = text.lines().map(|line| {
        let words = line.trim_start_matches(' ');
        let indent = line.get(..line.len() - words.len()).unwrap_or_default();
        match words.is_empty() {
            true => "\n".to_owned(),
            false => hanging(indent, indent, words, columns),
        }
    });
    lines.collect()
}

/// [`clean`] `text` in at most two lines, the first behind `first` and the second behind `rest`, each with its
/// end and none wider than `columns`; what is left out of the second is cut by `cut`
/// ([`one_line`] or [`both_ends`]).
pub(crate) fn in_two_lines(
    (first, rest): (&str, &str),
    text: &str,
    columns: usize,
    cut: fn(&str, usize) -> String,
) -> String {
    let text = clean(text);
    let room = columns.saturating_sub(width(first)).max(1);
    let line = wrap(&text, room).into_iter().next().unwrap_or_default();
    let line = pieces(&line, room).into_iter().next().unwrap_or_default();
    // The line may end within a word, so the rest is found by the line's length.
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let left = folded.get(line.len()..).unwrap_or_default().trim_start();
    match left.is_empty() {
        true => format!("{first}{line}\n"),
        false => {
            let left = cut(left, columns.saturating_sub(width(rest)).max(1));
            format!("{first}{line}\n{rest}{left}\n")
        }
    }
}

/// `value` as JSON, indented, with a newline at the end, and without control characters ([`sanitize::json`]).
///
/// # Errors
/// The errors of the serialiser.
pub fn json(value: &impl Serialize) -> serde_json::Result<String> {
    let mut json = sanitize::json(&serde_json::to_string_pretty(value)?);
    json.push('\n');
    Ok(json)
}

/// The output of `--json` for `document`: [`json`] with `schema_version` 1 before its members.
///
/// # Errors
/// The errors of the serialiser.
pub fn json_document(document: &impl Serialize) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct VersionedDocument<'d, D> {
        schema_version: u32,
        #[serde(flatten)]
        document: &'d D,
    }
    json(&VersionedDocument {
        schema_version: 1,
        document,
    })
}

/// A field whose names stand in the order of the alphabet.
pub(crate) fn sorted<S: Serializer>(value: &impl Serialize, to: S) -> Result<S::Ok, S::Error> {
    let value = serde_json::to_value(value).map_err(Error::custom)?;
    value.serialize(to)
}

/// A field in four decimals. More of them would differ between machines.
#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands fields over so"
)]
pub(crate) fn rounded<S: Serializer>(number: &f64, to: S) -> Result<S::Ok, S::Error> {
    four_decimals(*number).serialize(to)
}

/// `number` in four decimals.
pub(crate) fn four_decimals(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(one_line(text, columns), shown, "{text:?} in {columns}");
            assert!(width(&one_line(text, columns)) <= columns);
        }
    }

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(
            wrap("in /a/long/path/of/a/file, it", 8),
            ["in", "/a/long/path/of/a/file,", "it"]
        );
        assert_eq!(
            wrap("an incomprehensible or", 8),
            ["an", "incompre", "hensible", "or"]
        );
        assert_eq!(wrap("次はどう", 5), ["次は", "どう"]);
        assert_eq!(wrap("", 8), Vec::<String>::new());
        let time = crate::humanize::duration(7500.0);
        assert_eq!(
            wrap(&format!("It took {time} in all."), 12),
            ["It took", "2 h 05 min", "in all."]
        );
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
    fn what_two_lines_do_not_hold_is_cut() {
        for (text, columns, shown) in [
            ("short", 10, "- short\n"),
            ("one two three", 10, "- one two\n  three\n"),
            ("one two three four five", 12, "- one two\n  three fou…\n"),
            ("次はどうしますか", 8, "- 次はど\n  うし…\n"),
            ("a\u{1b}[31mb\nc", 8, "- ab c\n"),
            ("", 8, "- \n"),
        ] {
            assert_eq!(
                in_two_lines(("- ", "  "), text, columns, one_line),
                shown,
                "{text:?}"
            );
        }
    }

    #[test]
    fn texts_are_whole_and_inert() {
        let text = "a\u{1b}[31m\u{9b}2J\u{7f}\n\u{202e}b\u{e0041}\"次\u{200b}";
        let json = json(&[text]).unwrap();
        assert_eq!(
            json,
            concat!(
                "[\n  \"a\\u001b[31m\\u009b2J\\u007f\\n\\u202eb",
                "\\udb40\\udc41\\\"次\\u200b\"\n]\n"
            )
        );
        assert_eq!(serde_json::from_str::<Vec<String>>(&json).unwrap(), [text]);
    }
}
