//! Normalising texts for comparison: texts that look the same to a reader become equal.
//!
//! [`fold`] undoes tricks that hide a word from a rule but not from a reader: letters of other scripts and styles that
//! look like Latin ones, invisible characters, spaced-out letters, markup. [`look_alike`] compares two labels as a
//! reader does. Plain ASCII needs no table.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_security::skeleton;

use crate::sanitize::is_dangerous;

/// `text` in lower case and NFKC, without invisible characters, emphasis and backticks, with look-alike letters
/// replaced, spaced-out letters joined (`d e l e t e`), and white space folded to single spaces. Folding again changes
/// only text that the first pass joined.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        let visible = without(text.to_ascii_lowercase());
        return fold_spacing(&visible);
    }
    let normal: String = text.chars().filter_map(visible).nfkc().collect();
    let letters = latin(&normal);
    fold_spacing(&without(letters))
}

/// `folded`, a text that [`fold`] returns, without accents: `löschen` becomes `loschen`, `ß` `ss`. Letters
/// of scripts that are composed of parts stay whole.
pub(crate) fn without_accents(folded: &str) -> Cow<'_, str> {
    if folded.is_ascii() {
        return Cow::Borrowed(folded);
    }
    let is_base = |c: &char| !matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}');
    let mut plain = String::with_capacity(folded.len());
    // Unlike an accent, the breve makes й a different letter.
    let mut previous = ' ';
    let kept = folded.nfkd().filter(|c| {
        let is_letter = *c == '\u{306}' && previous == 'и';
        previous = *c;
        is_letter || is_base(c)
    });
    for c in kept.nfc() {
        match base(c) {
            Some(letters) => plain.push_str(letters),
            None => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

/// True when the two look the same to a reader but are not equal: different letter case, look-alikes of other scripts
/// (Unicode Technical Standard 39), invisible characters, white space, markup.
pub(crate) fn look_alike(one: &str, other: &str) -> bool {
    if one == other {
        return false;
    }
    let same_shape = || {
        let (one, other) = (shape(one), shape(other));
        one == other || skeleton(&one.to_lowercase()).eq(skeleton(&other.to_lowercase()))
    };
    fold(one) == fold(other) || same_shape()
}

/// True when `pattern`, in which `*` matches any run of characters, matches the whole `text`.
pub fn wildcard(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(first) else {
        return false;
    };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return text.ends_with(part);
        }
        let Some((_, after)) = text.split_once(part) else {
            return part.is_empty();
        };
        text = if part.is_empty() { text } else { after };
    }
    true
}

/// The skeleton of `text`: equal for texts that look the same.
fn shape(text: &str) -> String {
    let visible: String = text.chars().filter(|c| !is_dangerous(*c)).nfkc().collect();
    let spaced: Vec<&str> = visible.split_whitespace().collect();
    skeleton(&spaced.join(" ")).collect()
}

// Letters of other scripts and styles that look like Latin ones.

/// The minimum length of a word entirely in another script to be read as a Latin word. Shorter ones are ordinary words
/// of that script ("со", "а").
const SHORTEST_WORD: usize = 3;

/// The visible form of `c`: `None` if it is invisible, a space if it looks blank, a letter for a letter in a box.
fn visible(c: char) -> Option<char> {
    let boxed = |first: u32| char::from_u32(u32::from('a') + u32::from(c) - first);
    match c {
        '\n' | '\t' | '\r' | '\u{2028}' | '\u{2029}' => Some('\n'),
        '\u{115f}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}' => Some(' '),
        '\u{1f150}'..='\u{1f169}' => boxed(0x1f150),
        '\u{1f170}'..='\u{1f189}' => boxed(0x1f170),
        '\u{1f1e6}'..='\u{1f1ff}' => boxed(0x1f1e6),
        // Strokes through letters.
        '\u{334}'..='\u{338}' | '\u{20d2}'..='\u{20d3}' | '\u{20e5}'..='\u{20eb}' => None,
        _ => (!is_dangerous(c)).then_some(c),
    }
}

/// `text` in lower case, with look-alikes of Latin letters replaced in words that mix them with Latin letters, and in
/// words of look-alikes only.
fn latin(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = first.is_alphanumeric();
        let end = rest
            .find(|c: char| c.is_alphanumeric() != is_word)
            .unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        if is_word && !run.is_ascii() {
            push_word(run, &mut folded);
        } else {
            push_lower(run, &mut folded);
        }
        rest = after;
    }
    folded
}

fn push_word(word: &str, folded: &mut String) {
    let letter = |c: char| exact(c).filter(|_| !c.is_ascii());
    if word.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        for c in word.chars() {
            match letter(c).or_else(|| close(c)) {
                Some(latin) => folded.push(latin),
                None => push_lower_char(c, folded),
            }
        }
        return;
    }
    let letters: Option<String> = word.chars().map(exact).collect();
    match letters.filter(|letters| letters.len() >= SHORTEST_WORD) {
        Some(letters) => folded.push_str(&letters),
        None => push_lower(word, folded),
    }
}

fn push_lower(text: &str, folded: &mut String) {
    for c in text.chars() {
        push_lower_char(c, folded);
    }
}

fn push_lower_char(c: char, folded: &mut String) {
    match c {
        'ς' => folded.push('σ'),
        'İ' => folded.push('i'),
        _ => folded.extend(c.to_lowercase()),
    }
}

/// The Latin letter or digit that `c` looks like, in lower case.
fn exact(c: char) -> Option<char> {
    if c.is_ascii() {
        return c.is_ascii_digit().then_some(c);
    }
    small_capital(c).or_else(|| ascii(&prototype(c)?, c))
}

/// Like [`exact`], and also for letters that look like a small version of a Latin capital.
fn close(c: char) -> Option<char> {
    let drawn = prototype(c)?;
    let mut drawn = drawn.chars();
    small_capital(drawn.next()?).filter(|_| drawn.next().is_none())
}

/// The prototype of `c` by Unicode Technical Standard 39; `None` for scripts that never mix with Latin letters in a
/// word, so that none of their strokes is taken for a letter.
fn prototype(c: char) -> Option<String> {
    let is_apart = matches!(c, '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7ff}' | '\u{20000}'..='\u{3ffff}');
    (!is_apart && !c.is_ascii()).then(|| skeleton(c.encode_utf8(&mut [0; 4])).collect())
}

fn ascii(drawn: &str, c: char) -> Option<char> {
    match *drawn.as_bytes() {
        // The prototype of the capital I is the small l.
        [b'l'] if c.is_uppercase() => Some('i'),
        [b'r', b'n'] => Some('m'),
        [byte] if byte.is_ascii_alphanumeric() => Some(char::from(byte.to_ascii_lowercase())),
        _ => None,
    }
}

fn small_capital(c: char) -> Option<char> {
    const CAPITALS: [char; 25] = [
        'ᴀ', 'ʙ', 'ᴄ', 'ᴅ', 'ᴇ', 'ꜰ', 'ɢ', 'ʜ', 'ɪ', 'ᴊ', 'ᴋ', 'ʟ', 'ᴍ', 'ɴ', 'ᴏ', 'ᴘ', 'ꞯ', 'ʀ',
        'ꜱ', 'ᴛ', 'ᴜ', 'ᴠ', 'ᴡ', 'ʏ', 'ᴢ',
    ];
    let at = CAPITALS.iter().position(|capital| *capital == c)?;
    b"abcdefghijklmnopqrstuvwyz"
        .get(at)
        .map(|byte| char::from(*byte))
}

/// The reading of Latin letters that are not a base letter with an accent.
fn base(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'ı' => "i",
        'þ' => "th",
        _ => return None,
    })
}

// Markdown's emphasis and code.

/// `text` without backticks, and without pairs of `*`, `_` and `~` around words. A single mark stays: it may be a glob
/// (`rm *`) or part of a name (`snake_case`).
fn without(text: String) -> String {
    let text = match text.contains('`') {
        true => text.replace('`', ""),
        false => text,
    };
    if !text.bytes().any(|byte| matches!(byte, b'*' | b'_' | b'~')) {
        return text;
    }
    let letters: Vec<char> = text.chars().collect();
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
        // A star can also emphasise part of a word. An underscore there is part of a name.
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

// White space, and letters that are spaced out.

/// The minimum number of single letters in a row that form a spaced-out word.
const SHORTEST_RUN: usize = 3;

/// True for a character that may separate the letters of a spaced-out word.
fn is_between(c: char) -> bool {
    matches!(c, ' ' | '-' | '.' | '_' | '·' | '•' | '/' | '|' | '+' | '*')
}

/// `text` trimmed, with each run of white space as one space, and with spaced-out words joined (letters separated by
/// single spaces, hyphens or dots).
fn fold_spacing(text: &str) -> String {
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
            let plain = rest.bytes().position(|byte| !byte.is_ascii_alphanumeric());
            let end = match plain {
                Some(end) if rest.as_bytes().get(end).is_some_and(u8::is_ascii) => Some(end),
                Some(_) => rest.find(|c: char| !c.is_alphanumeric()),
                None => None,
            };
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
    let first = chars.next()?;
    let between = chars.clone().next().filter(|c| is_between(*c))?;
    let mut word = String::from(first);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, text, expected) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("a*", "ab", true),
            ("*b", "ab", true),
            ("a*c*e", "abcde", true),
            ("a*c*e", "abde", false),
            ("a*a", "a", false),
            ("*", "", true),
        ] {
            assert_eq!(wildcard(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn what_reads_the_same_folds_the_same() {
        for (written, folded) in [
            ("Delete  All\tFiles?", "delete all files?"),
            ("ＤＥＬＥＴＥ ａｌｌ", "delete all"),
            ("𝐝𝐞𝐥𝐞𝐭𝐞 𝓪𝓵𝓵", "delete all"),
            ("Ⓓⓔⓛⓔⓣⓔ", "delete"),
            ("🅳🅴🅻🅴🆃🅴", "delete"),
            ("ᴅᴇʟᴇᴛᴇ", "delete"),
            ("d\u{200b}el\u{ad}e\u{2060}te", "delete"),
            ("\u{202e}delete\u{202c} it", "delete it"),
            ("dеlеtе", "delete"),
            ("DЕLЕТЕ", "delete"),
            ("D\u{406}SK", "disk"),
            ("рush to рrоd", "push to prod"),
            ("ꓒꓰꓡꓰꓔꓰ", "delete"),
            ("d\u{336}e\u{336}l\u{336}", "del"),
            ("delete\u{3164}all", "delete all"),
            ("**Delete** `files`, _now_ ~~or~~", "delete files, now or"),
            ("**De**lete it", "delete it"),
            ("d e l e t e", "delete"),
            ("d-e-l-e-t-e it", "delete it"),
            ("D.E.L.E.T.E. it", "delete. it"),
            ("d e l e t e  a l l", "delete all"),
        ] {
            assert_eq!(fold(written), folded, "{written}");
        }
    }

    #[test]
    fn other_scripts_stay_themselves() {
        for text in [
            "удалить старые таблицы, стереть все?",
            "要删除旧表吗?",
            "古いテーブルを削除しますか?",
            "오래된 테이블을 삭제할까요?",
            "löschen, año, è, ñ, ø",
            "snake_case_name and *.rs and rm *",
            "a/b, 1.2.3, e.g. x-y",
        ] {
            assert_eq!(fold(text), text);
        }
    }

    #[test]
    fn accents_go() {
        for (written, plain) in [
            ("löschen, año, straße", "loschen, ano, strasse"),
            (
                "usunąć wysłać sıfırla œuvre",
                "usunac wyslac sifirla oeuvre",
            ),
            ("ещё й", "еще й"),
            ("データ 삭제 删除", "データ 삭제 删除"),
        ] {
            assert_eq!(without_accents(&fold(written)), plain, "{written}");
        }
    }

    #[test]
    fn look_alikes_are_told_from_equals() {
        for (one, other) in [
            ("Yes", "yes"),
            ("Yes", "Yеs"),
            ("Delete", "Delete\u{200b}"),
            ("Option 1", "Option l"),
            ("Keep", "ＫＥＥＰ"),
            ("Keep it", "Keep  it"),
            ("Да", "дa"),
            ("Modern", "Modem"),
            ("**Keep**", "Keep"),
        ] {
            assert!(look_alike(one, other), "{one} {other}");
            assert!(look_alike(other, one), "{one} {other}");
        }
        for (one, other) in [("Yes", "Yes"), ("Yes", "No"), ("Da", "Да нет"), ("1", "2")] {
            assert!(!look_alike(one, other), "{one} {other}");
        }
    }
}
