//! Texts in tokens: words, punctuation, and quoted texts as a whole.

use plantune_domain::binding::file;

/// Marks that open a quoted text, and those that close it.
const QUOTES: [(char, char); 6] = [
    ('"', '"'),
    ('`', '`'),
    ('\'', '\''),
    ('“', '”'),
    ('«', '»'),
    ('「', '」'),
];

/// The tokens of `text`, whose white space is folded; each begins with the space in front of it, so that
/// they make up the text when put together.
///
/// A quoted text is one token: code, a command or a value holds as a whole. A quoted file is one between
/// its marks.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let after = rest.strip_prefix(' ').unwrap_or(rest);
        let space = rest.len() - after.len();
        let length = length_of_token(after, space == 0 && !found.is_empty());
        let Some((token, next)) = rest.split_at_checked(space + length) else {
            break;
        };
        push(token, space, &mut found);
        rest = next;
    }
    found
}

/// Adds `token`, which begins with `space` bytes of white space.
fn push<'t>(token: &'t str, space: usize, found: &mut Vec<&'t str>) {
    let mut chars = token.get(space..).unwrap_or_default().chars();
    let marks = chars.next().zip(chars.next_back());
    let inside = chars.as_str();
    let quoted = marks.filter(|marks| QUOTES.contains(marks) && file(inside).is_some());
    let parts = quoted.and_then(|(open, _)| {
        let (open, rest) = token.split_at_checked(space + open.len_utf8())?;
        let (inside, close) = rest.split_at_checked(inside.len())?;
        Some([open, inside, close])
    });
    match parts {
        Some(parts) => found.extend(parts),
        None => found.push(token),
    }
}

/// How long the token is that `text` begins with, in bytes; `joined` to what stands before it.
fn length_of_token(text: &str, joined: bool) -> usize {
    let Some(first) = text.chars().next() else {
        return 0;
    };
    let quote = QUOTES.iter().find(|(open, _)| *open == first);
    // An apostrophe inside a word opens nothing.
    if let Some((open, close)) = quote.filter(|_| first != '\'' || !joined)
        && let Some(end) = text
            .get(open.len_utf8()..)
            .and_then(|inside| inside.find(*close))
    {
        return open.len_utf8() + end + close.len_utf8();
    }
    if !is_of_word(first) {
        return first.len_utf8();
    }
    let chunk = text.split(' ').next().unwrap_or_default();
    let until = chunk.find(|c| QUOTES.iter().any(|(open, _)| *open == c && c != '\''));
    let chunk = chunk.get(..until.unwrap_or(chunk.len())).unwrap_or(chunk);
    // Inside a word, punctuation belongs to it: paths, addresses, versions, `don't`.
    chunk.trim_end_matches(|c| !is_of_word(c)).len()
}

/// True for what a word, a path or an address begins and ends with.
fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || "/~_@$%&\\<>=-+*|".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_quotes_and_files() {
        for (text, expected) in [
            (
                "billing: shall I?",
                &["billing", ":", " shall", " I", "?"] as &[&str],
            ),
            (
                "Run `make lint`, now?",
                &["Run", " `make lint`", ",", " now", "?"],
            ),
            (
                "Plan at `plans/a.md`.",
                &["Plan", " at", " `", "plans/a.md", "`", "."],
            ),
            (
                "See src/a.rs, or not",
                &["See", " src/a.rs", ",", " or", " not"],
            ),
            ("don't (v1.2)", &["don't", " (", "v1.2", ")"]),
            ("the \"old\" one", &["the", " \"old\"", " one"]),
            ("a `b", &["a", " `", "b"]),
            ("", &[]),
        ] {
            let found = tokens(text);
            assert_eq!(found, expected, "{text}");
            assert_eq!(found.concat(), text);
        }
    }
}
