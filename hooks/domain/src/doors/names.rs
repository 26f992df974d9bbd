//! Identifiers and labels that a line only speaks about: what a function or a button is called does nothing.

use std::borrow::Cow;

/// Words of a line that speaks about names, in English and in other languages.
const NAMING: [&str; 2] = [
    " name|naming|called|rename|derive|signature|spelled",
    "nommer|nom | llam|nombre|chiam|chamar|nenn|heißen|nazw|назва|命名|이름",
];

/// Words of a line that speaks about a part of the screen.
const SCREEN: &str = "icon button label menu bouton botón botão bottone pulsante ícone knopf schaltfläche кнопк tooltip";

/// What such a line begins with when it asks how the part should be, and not that it be pressed.
const ASKING: &str = "which what where how che quale come dove quel quelle comment qué cuál cómo dónde qual onde que welche \
    welches welcher welchen wie wo какой как";

/// Marks of quotation, and what ends each.
const QUOTES: [(char, char); 4] = [('«', '»'), ('“', '”'), ('„', '“'), ('"', '"')];

/// `line` without the identifiers, where it speaks about names, and without quoted labels, where it asks what
/// a part of the screen should be like.
pub(super) fn without_names(line: &str) -> Cow<'_, str> {
    let has = |words: &str| words.split('|').any(|word| line.contains(word));
    let mut seen = Cow::Borrowed(line);
    if line.contains('`') && has(NAMING[0]) {
        seen = Cow::Owned(without_code(line));
    }
    if line.contains('_') && line.contains(' ') && NAMING.into_iter().any(has) {
        let words = seen.split(' ').filter(|word| !is_identifier(word));
        seen = Cow::Owned(words.collect::<Vec<_>>().join(" "));
    }
    if QUOTES.iter().any(|(opening, _)| line.contains(*opening)) && is_about_screen(line) {
        seen = Cow::Owned(without_quotes(&seen));
    }
    seen
}

/// `line` without the identifiers between backticks.
fn without_code(line: &str) -> String {
    let is_identifier = |code: &str| {
        code.chars()
            .all(|c| c.is_alphanumeric() || "_:<>()".contains(c))
    };
    let parts = line.split('`').enumerate();
    let kept = parts.filter(|(at, part)| at % 2 == 0 || !is_identifier(part));
    kept.map(|(_, part)| part).collect::<Vec<_>>().join("`")
}

/// True for `drop_row`, and not for a sentence whose blanks are underscores.
fn is_identifier(word: &str) -> bool {
    const PARTS: usize = 3;
    let underscores = word.bytes().filter(|byte| *byte == b'_').count();
    let is_name = word
        .chars()
        .all(|c| c.is_alphanumeric() || "_(),?.".contains(c));
    (1..=PARTS).contains(&underscores) && is_name
}

fn is_about_screen(line: &str) -> bool {
    let lower = line.to_lowercase();
    let first = lower
        .split(|c: char| !c.is_alphabetic())
        .find(|word| !word.is_empty());
    first.is_some_and(|first| ASKING.split(' ').any(|one| one == first))
        && SCREEN.split(' ').any(|word| lower.contains(word))
}

/// `line` without quotations of one or two words.
fn without_quotes(line: &str) -> String {
    const WORDS: usize = 2;
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(|c| QUOTES.iter().any(|(opening, _)| *opening == c)) {
        let (before, quoted) = rest.split_at(at);
        kept.push_str(before);
        let mut inside = quoted.chars();
        let opening = inside.next().unwrap_or_default();
        let closing = QUOTES
            .iter()
            .find(|(one, _)| *one == opening)
            .map_or('"', |(_, closing)| *closing);
        let Some((label, after)) = inside.as_str().split_once(closing) else {
            rest = quoted;
            break;
        };
        if label.split_whitespace().count() > WORDS {
            kept.push_str(label);
        }
        rest = after;
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_left_out_where_a_line_speaks_of_them() {
        for (line, seen) in [
            ("Is `drop_user` a good name?", "Is ` a good name?"),
            ("Is it called drop_row or cut_row?", "Is it called or"),
            ("Drop user_rows?", "Drop user_rows?"),
            ("Call_it_by_the_name_drop", "Call_it_by_the_name_drop"),
            (
                "Che icona per «Elimina» nel menu?",
                "Che icona per  nel menu?",
            ),
            ("Press the button «Elimina»?", "Press the button «Elimina»?"),
            (
                "Which icon for “Delete all user data”?",
                "Which icon for Delete all user data?",
            ),
            ("Which icon for “Delete?", "Which icon for “Delete?"),
        ] {
            assert_eq!(without_names(line), seen, "{line}");
        }
    }
}
