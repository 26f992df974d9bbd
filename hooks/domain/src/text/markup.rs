//! Markdown's emphasis and code.

/// `text` without backticks, and without pairs of `*`, `_` and `~` around words. A lone one stays: it
/// may be a glob (`rm *`) or part of a name (`snake_case`).
pub(super) fn without(text: String) -> String {
    if !text.bytes().any(|byte| b"`*_~".contains(&byte)) {
        return text;
    }
    let letters: Vec<char> = text.chars().filter(|c| *c != '`').collect();
    let mut shown: Vec<bool> = vec![true; letters.len()];
    // Where the last opening run of each mark begins and ends.
    let mut open: [Option<(usize, usize)>; 3] = [None; 3];
    let mut at = 0;
    while let Some(c) = letters.get(at) {
        let Some(mark) = ['*', '_', '~'].iter().position(|mark| mark == c) else {
            at += 1;
            continue;
        };
        let length = letters
            .iter()
            .skip(at)
            .take_while(|next| *next == c)
            .count();
        let run = (at, at + length);
        at = run.1;
        let before = run.0.checked_sub(1).and_then(|before| letters.get(before));
        let after = letters.get(run.1);
        let Some(slot) = open.get_mut(mark) else {
            continue;
        };
        // A star also emphasises part of a word; an underscore there belongs to a name.
        let inside = mark == 0 && is_letter(before);
        let closing = slot.filter(|opening| closes(*opening, run, before, after, inside));
        if let Some(opening) = closing {
            hide(&mut shown, opening);
            hide(&mut shown, run);
            *slot = None;
        } else if opens(before, after) || mark == 0 && inside && is_letter(after) {
            *slot = Some(run);
        }
    }
    let kept = letters.iter().zip(&shown).filter(|(_, shown)| **shown);
    kept.map(|(c, _)| *c).collect()
}

fn is_letter(c: Option<&char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric())
}

fn opens(before: Option<&char>, after: Option<&char>) -> bool {
    !is_letter(before) && after.is_some_and(|c| c.is_alphanumeric() || "*_~\"'(".contains(*c))
}

fn closes(
    opening: (usize, usize),
    run: (usize, usize),
    before: Option<&char>,
    after: Option<&char>,
    inside: bool,
) -> bool {
    let same_length = opening.1 - opening.0 == run.1 - run.0;
    same_length && (inside || !is_letter(after)) && before.is_some_and(|c| !c.is_whitespace())
}

fn hide(shown: &mut [bool], (from, to): (usize, usize)) {
    for one in shown.iter_mut().take(to).skip(from) {
        *one = false;
    }
}
