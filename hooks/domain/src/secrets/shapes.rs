//! The shapes of secrets.

use std::ops::Range;

use super::identifiers::{is_identifier, is_of_identifiers, parts};
use super::words::ODD;
use crate::words::Words;
pub(super) use crate::words::is_listed as holds;

/// The shape that a secret must have at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Any text.
    Any,
    /// Text made up by a person or a machine, with at least this many characters: neither a word nor a number.
    Made(usize),
    /// A word as people choose it for a password, where the sentence says that a secret comes: `Lemon.105Cp`.
    Chosen,
    /// The same, but not where a name in code may stand: neither `camelCase` nor `snake_case`.
    ChosenNotName,
    /// The same, where the sentence only names a password: neither an identifier nor the number of something.
    Lone,
    /// At least this many digits, with signs between them.
    Digits(usize),
}

impl Shape {
    /// The shape in a table column: `any`, `made 12`, `digits 3`.
    pub(super) fn of(column: &str) -> Self {
        let (name, least) = column.split_once(' ').unwrap_or((column, ""));
        let least = least.parse().unwrap_or_default();
        match name {
            "made" => Self::Made(least),
            "digits" => Self::Digits(least),
            _ => Self::Any,
        }
    }

    /// This shape, or any text if `is_told`.
    pub(super) fn or_any(self, is_told: bool) -> Self {
        if is_told { Self::Any } else { self }
    }

    /// True if `text` has this shape.
    pub(super) fn fits(self, text: &str) -> bool {
        let is_number = |byte: u8| byte.is_ascii_digit() || b" -".contains(&byte);
        match self {
            Self::Any => true,
            Self::Made(least) => text.len() >= least && is_made_up(text),
            Self::Chosen => is_chosen(text, true),
            Self::ChosenNotName => is_chosen(text, false),
            Self::Lone => is_lone(text),
            Self::Digits(least) => text.len() >= least && text.bytes().all(is_number),
        }
    }
}

pub(super) fn is_of_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '+' | '=' | '~' | '/')
}

pub(super) fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// True if `text` has only hexadecimal digits.
pub(super) fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The pieces of `text` between its signs.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric())
}

/// The character entropy of `text`, in tenths of a bit per character.
pub(super) fn entropy(text: &str) -> f32 {
    let mut counts = [0u8; 128];
    for byte in text.bytes().take(255) {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let length = text.len().min(255) as f32;
    let part = |count: &u8| match f32::from(*count) / length {
        share if share > 0.0 => -share * share.log2(),
        _ => 0.0,
    };
    counts.iter().map(part).sum::<f32>() * 10.0
}

/// The numbers of lower-case letters, capitals and digits in `text`.
fn classes(text: &str) -> [usize; 3] {
    let [mut small, mut capitals, mut digits] = [0; 3];
    for byte in text.bytes() {
        small += usize::from(byte.is_ascii_lowercase());
        capitals += usize::from(byte.is_ascii_uppercase());
        digits += usize::from(byte.is_ascii_digit());
    }
    [small, capitals, digits]
}

/// True if `text` has lower-case letters, capitals and digits.
pub(super) fn is_varied(text: &str) -> bool {
    !classes(text).contains(&0)
}

/// The number of chunks of letters, digits and capitalised words in `text`: `UserId42` has three, `x7Kq` has four.
fn chunks(text: &str) -> usize {
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 1,
        b'A'..=b'Z' => 2,
        b'a'..=b'z' => 3,
        _ => 0,
    };
    let (mut chunks, mut last, mut capitals) = (0, 0, 0);
    for byte in text.bytes() {
        let class = class(byte);
        let goes_on = class == last || (class == 3 && last == 2 && capitals == 1);
        chunks += usize::from(!goes_on && class != 0);
        capitals = if class == 2 { capitals + 1 } else { 0 };
        last = class;
    }
    chunks
}

/// True for at least `least` letters and digits that change kind as often as random ones, unlike words and compound
/// identifiers. Hexadecimal numbers count only if they are long and `names_hashes` is false.
pub(super) fn is_random(text: &str, least: usize, names_hashes: bool) -> bool {
    if text.len() < least {
        return false;
    }
    let (length, [small, capitals, digits]) = (text.len(), classes(text));
    // The most characters per chunk in a random text, in hundredths.
    let most = match (small, capitals, digits) {
        // Many names contain one digit: `E2ETestEnv`.
        (1.., 1.., 1) if length < 14 => 190,
        (_, _, 4..) if length >= 32 && !is_hex(text) => 400,
        (_, _, 4..) if length >= 32 && !is_digits(text) && !names_hashes => 10_000,
        (1.., 1.., 1..) => 240 - 20 * usize::from(length < 11),
        (1.., 1.., 0) if length >= 14 => 220,
        (_, _, 4..) if length >= 16 && !is_hex(text) => 200 + 70 * usize::from(length > 23),
        _ => 0,
    };
    !text.starts_with("0x") && length * 100 <= chunks(text) * most
}

/// True for a long base64 text with signs.
pub(super) fn is_base64(text: &str) -> bool {
    if text.len() < 36 {
        return false;
    }
    let [small, capitals, digits] = classes(text);
    let most = if digits == 1 { 200 } else { 278 };
    text.chars().all(|c| is_of_token(c) && c != '.')
        && small.min(capitals) >= 3
        && digits > 0
        && text.len() * 100 <= chunks(text) * most
}

/// True for a text that does not look like a word of a sentence: a password made up by a person or a machine.
fn is_made_up(value: &str) -> bool {
    const KNOWN: &str = "argon2id sha256 sha512 base64 oauth2 ed25519 pbkdf2 base58 hmac-sha256";
    let [small, capitals, digits] = classes(value);
    let has = |signs: &[u8]| value.bytes().any(|byte| signs.contains(&byte));
    let is_colour = value.strip_prefix('#').is_some_and(is_hex);
    let is_free = |byte: u8| byte.is_ascii_alphanumeric() || b"!#%^*~+?$@&-_.=,:;/".contains(&byte);
    let small_value = value.to_ascii_lowercase();
    let is_known = holds(KNOWN, &small_value) || holds(KNOWN, until(&small_value, "-w"));
    if is_known || is_colour || is_package(value) || !value.bytes().all(is_free) {
        return false;
    }
    let is_mixed = (digits > 0 || has(b"!#%^*~$@&")) && small + capitals > 0;
    let has_both = small > 0 && capitals > 0;
    // `T75V2-SEH60-KVJ50`, `123e4567-e89b-12d3-a456-426614174000`
    let is_group = |group: &str| {
        (4..=12).contains(&group.len())
            && (is_hex(group) || !group.bytes().any(|b| b.is_ascii_lowercase()))
    };
    let is_serial = value.matches('-').count() > 1 && value.split('-').all(is_group);
    // `SESSION#2024-05`
    let is_key = small == 0 && !pieces(value).any(has_digit_within);
    // `bob:Ember58`
    let is_word_with_number = |piece: &str| piece.len() >= 7 && is_varied(piece);
    match has(b"-_.=,:;/") {
        true => {
            (is_serial && (is_mixed || value.len() > 30))
                || (is_mixed && (has_both || digits > 0 && !is_key) && has(b"!#%^*~$@&+?"))
                || is_base64(value)
                || pieces(value)
                    .any(|piece| is_random(piece, 7, false) || is_word_with_number(piece))
        }
        false => {
            (is_mixed && (value.len() >= 7 || has_both && digits == 0))
                || (has_both && value.len() >= 8 && value.len() * 100 <= chunks(value) * 340)
        }
    }
}

/// Algorithms and standards.
static STANDARDS: Words = Words::of(
    "base64 base64url base32 base58 argon2 argon2i argon2id bcrypt scrypt pbkdf2 sha1 sha256 sha384 \
    sha512 md5 utf iso rfc ed25519 x25519 secp256k1 oauth2 saml2 http2 utf8 httponly aes rsa dsa ecdsa \
    eddsa hs rs es ps sha tls ssl fips nist cve pkcs http jwt",
);

/// True for a word with a digit, dashes, an underscore or mixed case that is neither a measure (`32-byte`), a version, an
/// algorithm, a file's name, nor a compound word (`case-sensitive`). `or_name`: also if it may be a name in code.
fn is_chosen(word: &str, or_name: bool) -> bool {
    // Words that stand inside compounds: `end-to-end`, `up-to-date`.
    const WITHIN: &str = "a an the of to on in at by up or and for end non per re one";
    let has_digit = has_digit(word);
    let is_free = |c: char| c.is_alphanumeric() || "!#%^*~?$@&-_.+=".contains(c);
    let least = if has_digit { 5 } else { 6 };
    if !(least..=64).contains(&word.len())
        || !word.chars().all(is_free)
        || !word.contains(char::is_alphabetic)
        || begins(word, "#-_.")
        || has(word, "..")
        || is_field(word)
    {
        return false;
    }
    let small = word.to_lowercase();
    let parts = || word.split(['-', '_', '.']);
    if is_standard(&small) || is_measure(word) || is_acronym(word) && !or_name || is_package(word) {
        return false;
    }
    let is_large = |part: &str| part.starts_with(char::is_uppercase);
    // Where a small letter is followed by a capital: `camelCase`.
    let mut last = ' ';
    let has_hump = word.chars().any(|c| {
        let is_hump = c.is_uppercase() && last.is_lowercase();
        last = c;
        is_hump
    });
    let has_odd_sign = has_inside(word, "!#%^*~?$@&+=");
    if word.trim_end_matches(['.', '!', '?']).contains('.') {
        // `db.example`, `report-2.pdf`, `config.db2`; not `Lemon.105Cp`.
        let end = behind_last(word, ".");
        let is_file =
            (2..=4).contains(&end.len()) && end.bytes().all(|byte| byte.is_ascii_lowercase());
        let parts = || word.split('.');
        let begins_number = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
        let has_number = parts().any(begins_number)
            || has_digit
                && (parts().all(is_large)
                    || or_name
                        && parts().any(|part| has_digit_within(part) || digits_at_end(part) > 1));
        return !is_file && (has_number || has_odd_sign || is_dotted(word));
    }
    let is_passphrase = word.matches('-').count() > 1
        && parts().all(|part| !part.is_empty() && !holds(WITHIN, &part.to_lowercase()));
    let is_name = (word.len() >= 8 || !is_identifier(word)) && has_hump && !word.contains('-')
        || has_inside(word, "_") && word.contains(char::is_lowercase) && word != small
        || word.contains('-') && parts().all(is_large);
    has_digit || is_passphrase || has_odd_sign || is_alternating(word) || or_name && is_name
}

/// True if `word`, in lower case, has an algorithm or a standard as a part.
pub(super) fn is_standard(word: &str) -> bool {
    word.split(['-', '_', '.', '+']).any(|part| {
        let name = part.trim_end_matches(|c: char| c.is_ascii_digit());
        STANDARDS.hold(part) || STANDARDS.hold(name)
    })
}

/// True for a word that people choose for a password, and that is hardly anything else in a sentence about one.
fn is_lone(word: &str) -> bool {
    if !is_chosen(word, true) || is_acronym(word) || is_identifier(word) || is_number_of(word) {
        return false;
    }
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let is_long = |part: &&str| part.len() > 3;
    match digits {
        0 if word.contains('-') => word.split('-').filter(is_long).count() > 2,
        0 => !is_dotted(word) || word.split('.').count() > 2,
        1 => {
            has_inside(word, ODD) || has_digit_within(word) && !word.contains('-') && word.len() > 5
        }
        _ => true,
    }
}

/// True for `lemon.violin`, words that no name in code has.
fn is_dotted(word: &str) -> bool {
    let is_word = |part: &str| part.chars().count() > 3 && part.chars().all(char::is_lowercase);
    has(word, ".") && word.split('.').all(is_word) && !is_identifier(word)
}

/// True for `mode=fast`: the name of a field and its value.
fn is_field(word: &str) -> bool {
    let Some((name, value)) = word.trim_end_matches('=').split_once('=') else {
        return false;
    };
    let has_sign = |text: &str| text.contains(|c: char| !c.is_alphanumeric());
    !has_sign(name) && (name.len() < 4 || parts(name).any(is_of_identifiers) || !has_digit(value))
}

/// True for `pElIcAn`.
fn is_alternating(word: &str) -> bool {
    word.chars().all(char::is_alphabetic)
        && parts(word).count() > 2
        && parts(word).all(|part| part.chars().count() < 3)
}

/// True for the number of an order, a commit or the like, the address of a user, and a date.
fn is_number_of(word: &str) -> bool {
    let is_small = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
    let is_commit = is_hex(word) && matches!(word.len(), 7..=12 | 40);
    let is_date = word.len() > 9 && word.starts_with("20") && word.split('-').count() > 2;
    let is_address = word.split_once('@').is_some_and(|(user, host)| {
        user.chars().chain(host.chars()).all(is_small)
            && !has_digit(host.get(..1).unwrap_or_default())
    });
    // `GDPR-Art32`
    let start = until(word, "-");
    let is_reference =
        start.len() < word.len().min(6) && start.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_uuid = word.len() == 36 && is_hex(&word.replace('-', ""));
    is_commit || is_uuid || is_serial(word) || is_date || is_address || is_reference
}

/// True for `INV2024-0099`: capitals, and digits behind them.
pub(super) fn is_serial(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase())
        && !word.contains(char::is_lowercase)
        && !has_digit_within(word)
}

/// True for a number with a unit, and a version: `15min`, `256-bit`, `5GHz-only`, `16-byte-key`, `v2.1`, `UUIDv4`.
pub(super) fn is_measure(word: &str) -> bool {
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let rest = word.trim_start_matches(is_number);
    let (unit, tail) = rest.split_once('-').unwrap_or((rest, ""));
    let is_unit = unit.len() < 4
        && unit.bytes().all(|byte| byte.is_ascii_alphabetic())
        && (!unit.contains(char::is_uppercase) || ends(unit, "Bz"));
    let start = word.trim_end_matches(is_number);
    let is_version = start.len() < word.len()
        && start
            .strip_suffix('v')
            .is_some_and(|name| name.chars().all(char::is_alphabetic));
    rest.len() < word.len() && is_unit && !has_digit(tail) || is_version
}

/// True for a short name in capitals with a number, also in a compound: `AES-256`, `PR-118`, `RS256-signed`.
pub(super) fn is_acronym(word: &str) -> bool {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let number = rest.strip_prefix('-').unwrap_or(rest);
    let tail = number.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_tail = tail
        .strip_prefix('-')
        .unwrap_or(tail)
        .bytes()
        .all(|byte| byte.is_ascii_lowercase());
    (1..5).contains(&(word.len() - rest.len()))
        && (1..5).contains(&(number.len() - tail.len()))
        && is_tail
        && (tail.is_empty() || tail.starts_with('-'))
}

/// True for `next-auth@5.0.0`, `login-action@…` with a commit behind it, and `5.0.0-beta.19`.
fn is_package(word: &str) -> bool {
    let version = word.rsplit_once('@').map_or("", |(_, version)| version);
    let mut numbers = word.split('.');
    // `openssh-9.6p1`
    let begins_number = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
    let is_numbered = word.rsplit_once('-').is_some_and(|(name, version)| {
        let mut numbers = version.split('.');
        name.bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
            && numbers.clone().count() > 1
            && numbers.all(begins_number)
    });
    let is_version = numbers
        .by_ref()
        .take(2)
        .all(|part| !part.is_empty() && is_digits(part));
    has(version, ".")
        || version.len() == 40 && is_hex(version)
        || is_version && numbers.next().is_some()
        || is_numbered
}

fn digits_at_end(text: &str) -> usize {
    text.len() - text.trim_end_matches(|c: char| c.is_ascii_digit()).len()
}

/// True if a letter follows a digit.
fn has_digit_within(text: &str) -> bool {
    let pairs = text.bytes().zip(text.bytes().skip(1));
    let mut pairs = pairs.map(|(one, other)| one.is_ascii_digit() && other.is_ascii_alphabetic());
    pairs.any(|is_it| is_it)
}

pub(super) fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// True if one of `signs` is in `text`, and not only at its end.
fn has_inside(text: &str, signs: &str) -> bool {
    text.trim_end_matches(|c| signs.contains(c))
        .contains(|c| signs.contains(c))
}

/// The length of the secret with which `text` begins if it is written in groups of four: `rahc b2rt suk3 6wy6`.
pub(super) fn groups(text: &str) -> usize {
    let is_group = |word: &&str| word.len() == 4 && word.bytes().all(|b| b.is_ascii_alphanumeric());
    let words = || text.split(' ').take_while(is_group);
    let has_both = |word: &&str| has_digit(word) && !is_digits(word);
    match (words().count(), words().filter(has_both).count()) {
        (4.., 2..) => words().count() * 5 - 1,
        _ => 0,
    }
}

// The words of a text, for the search for secrets. Signs are passed as strings to functions that are not inlined, so
// that each exists only once: this keeps the hook small.

/// True for a character that ends a command.
pub(super) fn is_end(c: char) -> bool {
    matches!(c, ';' | '|' | '&' | '\n')
}

/// True for a character that ends an unquoted value.
pub(super) fn ends_value(c: char) -> bool {
    c.is_whitespace() || is_end(c) || matches!(c, '<' | '>' | '(' | ')' | '\'' | '"' | '`' | '$')
}

/// True for a character in names of variables, fields and headers.
pub(super) fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-.%".contains(c)
}

/// Signs to search for: those of ASCII as bits, because texts are long and signs are few.
struct Signs<'s> {
    ascii: u128,
    signs: &'s str,
}

impl<'s> Signs<'s> {
    fn of(signs: &'s str) -> Self {
        let bytes = signs.bytes().filter(u8::is_ascii);
        let ascii = bytes.fold(0, |ascii, byte| ascii | 1 << byte);
        Self { ascii, signs }
    }

    #[inline]
    fn hold(&self, c: char) -> bool {
        match u8::try_from(c) {
            Ok(byte) if byte.is_ascii() => self.ascii >> byte & 1 == 1,
            _ => self.signs.contains(c),
        }
    }
}

/// The start of `text` up to one of `ends`. A space as the first of `ends` stands for any white space.
#[inline(never)]
pub(super) fn until<'t>(text: &'t str, ends: &str) -> &'t str {
    let (signs, is_at_space) = (Signs::of(ends), ends.starts_with(' '));
    let is_end = |c: char| signs.hold(c) || is_at_space && c.is_whitespace();
    let end = match ends.as_bytes() {
        [sign @ (1..=31 | 33..=127)] => text.find(char::from(*sign)),
        _ => text.find(is_end),
    };
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// The end of `text` after the last of `signs`.
#[inline(never)]
pub(super) fn behind_last<'t>(text: &'t str, signs: &str) -> &'t str {
    if let [sign @ 1..=127] = signs.as_bytes() {
        let start = text.rfind(char::from(*sign)).map_or(0, |at| at + 1);
        return text.get(start..).unwrap_or_default();
    }
    let signs = Signs::of(signs);
    let before = text.trim_end_matches(|c| !signs.hold(c));
    text.get(before.len()..).unwrap_or_default()
}

/// True for a text that begins with one of `signs`.
pub(super) fn begins(text: &str, signs: &str) -> bool {
    text.starts_with(|c| signs.contains(c))
}

/// True for a text that ends with one of `signs`.
pub(super) fn ends(text: &str, signs: &str) -> bool {
    text.ends_with(|c| signs.contains(c))
}

/// `text` without `signs` at its start.
pub(super) fn without_start<'t>(text: &'t str, signs: &str) -> &'t str {
    text.trim_start_matches(|c| signs.contains(c))
}

/// True if `text` contains `part`.
pub(super) fn has(text: &str, part: &str) -> bool {
    text.contains(part)
}

/// The ranges of the words of commands and code in `text`.
pub(super) fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut start = None;
        while let Some(byte) = bytes.get(at) {
            let (is_between, length) = match IS_BETWEEN.get(usize::from(*byte)) {
                Some(is_between) => (*is_between, 1),
                None => wide(text, at),
            };
            match start {
                Some(start) if is_between => return Some(start..at),
                None if !is_between => start = Some(at),
                _ => {}
            }
            at += length;
        }
        start.map(|start| start..at)
    })
}

/// Whether the character at `at` is white space, and its length.
fn wide(text: &str, at: usize) -> (bool, usize) {
    let c = text.get(at..).and_then(|rest| rest.chars().next());
    c.map_or((true, 1), |c| (c.is_whitespace(), c.len_utf8()))
}

/// For each character of ASCII, whether it is between words: white space, what ends a value, brackets of code.
#[allow(clippy::indexing_slicing, reason = "the compiler checks the bounds")]
static IS_BETWEEN: [bool; 128] = {
    let (signs, mut table) = (b"\t\n\x0b\x0c\r ;|&<>()'\"`$\\{}[],", [false; 128]);
    let mut at = 0;
    while at < signs.len() {
        table[signs[at] as usize] = true;
        at += 1;
    }
    table
};

/// The ranges of the words of sentences in `text`, which begins at `start`: separated by spaces, quotes, brackets, and
/// letters of scripts without spaces.
pub(super) fn spaced(text: &str, start: usize) -> impl DoubleEndedIterator<Item = Range<usize>> {
    split(text, start, |c| {
        c.is_whitespace()
            || ('\u{2E80}'..'\u{FF00}').contains(&c)
            || "\"'`„“”«»‘’()[]{},".contains(c)
    })
}

fn split(
    text: &str,
    start: usize,
    is_between: fn(char) -> bool,
) -> impl DoubleEndedIterator<Item = Range<usize>> {
    // Most characters are letters, so this quick check comes first.
    let is_between = move |c: char| !c.is_ascii_alphanumeric() && is_between(c);
    let words = text.split(is_between).filter(|word| !word.is_empty());
    words.map(move |word| {
        let at = start + word.as_ptr() as usize - text.as_ptr() as usize;
        at..at + word.len()
    })
}
