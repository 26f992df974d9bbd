//! White space, and letters that are spaced out.

/// How many single letters in a row are a spaced-out word.
const SHORTEST_RUN: usize = 3;

/// True for what may stand between the letters of a spaced-out word.
fn is_between(c: char) -> bool {
    matches!(c, ' ' | '-' | '.' | '_' | '·' | '•' | '/' | '|' | '+' | '*')
}

/// `text` trimmed, each run of white space as one blank, and words joined whose letters one blank,
/// hyphen or dot each stands between.
pub(super) fn fold_spacing(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut rest = text.trim();
    let mut previous = ' ';
    while let Some(c) = rest.chars().next() {
        if !previous.is_alphanumeric()
            && c.is_alphabetic()
            && let Some((word, after)) = spaced_out(rest)
        {
            folded.push_str(&word);
            previous = 'a';
            rest = after;
            continue;
        }
        if c.is_alphanumeric() {
            let end = rest.find(|c: char| !c.is_alphanumeric());
            let (run, after) = rest.split_at(end.unwrap_or(rest.len()));
            folded.push_str(run);
            previous = c;
            rest = after;
            continue;
        }
        rest = rest.split_at(c.len_utf8()).1;
        if !c.is_whitespace() {
            folded.push(c);
        } else if !folded.ends_with(' ') {
            folded.push(' ');
        }
        previous = c;
    }
    folded
}

/// The spaced-out word that `text` begins with, and what follows it.
fn spaced_out(text: &str) -> Option<(String, &str)> {
    let mut chars = text.chars();
    let mut word = String::from(chars.next()?);
    let between = chars.clone().next().filter(|c| is_between(*c))?;
    let mut after = chars.as_str();
    loop {
        let mut next = chars.clone();
        let letter = match (next.next(), next.next()) {
            (Some(gap), Some(letter)) if gap == between && letter.is_alphabetic() => letter,
            _ => break,
        };
        if next.clone().next().is_some_and(char::is_alphanumeric) {
            break;
        }
        word.push(letter);
        chars = next;
        after = chars.as_str();
    }
    (word.chars().count() >= SHORTEST_RUN).then_some((word, after))
}
