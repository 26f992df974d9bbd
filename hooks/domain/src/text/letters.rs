//! Letters of other scripts and styles that look like Latin ones.

use unicode_security::skeleton;

use crate::sanitize::is_dangerous;

/// The shortest word wholly in another script that is read as a Latin one: shorter ones are
/// ordinary words there ("со", "а").
const SHORTEST_WORD: usize = 3;

/// `c` as far as it is seen: `None` for what shows nothing, a blank for what shows a blank, letters
/// for letters in boxes.
pub(super) fn visible(c: char) -> Option<char> {
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

/// `text` in lower case, with look-alikes of Latin letters replaced in words that mix them with
/// Latin ones, and in words that consist of nothing else.
pub(super) fn latin(text: &str) -> String {
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

/// The Latin letter or digit that `c` is drawn like, in lower case.
fn exact(c: char) -> Option<char> {
    if c.is_ascii() {
        return c.is_ascii_digit().then_some(c);
    }
    small_capital(c).or_else(|| ascii(&prototype(c)?, c))
}

/// As [`exact`], and for letters that look like a Latin letter's capital, only smaller.
fn close(c: char) -> Option<char> {
    let drawn = prototype(c)?;
    let mut drawn = drawn.chars();
    small_capital(drawn.next()?).filter(|_| drawn.next().is_none())
}

/// What `c` is drawn like, by Unicode Technical Standard 39; `None` for scripts whose signs share
/// no words with Latin letters, so that a stroke of theirs is never taken for one.
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

/// Latin letters that no accent was added to, and what they are read as.
pub(super) fn base(c: char) -> Option<&'static str> {
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
