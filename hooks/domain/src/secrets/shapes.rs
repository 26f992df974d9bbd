//! What secrets look like, whatever they are called.

use std::ops::Range;

use super::rules::TOKENS;
use super::words::holds;

/// What a secret looks like at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Like anything.
    Any,
    /// Letters with digits among them, at least so many characters, or many of any kind.
    Likely(u8),
    /// What somebody or a machine made up, at least so many characters: no word and no number.
    Made(u8),
    /// At least so many letters, digits and signs of base64.
    Text(u8),
    /// At least so many capitals and digits.
    Upper(u8),
    /// At least so many hexadecimal digits.
    Hex(u8),
    /// At least so many digits, and signs between them.
    Digits(u8),
}

impl Shape {
    /// True when `text` looks like this.
    pub(super) fn fits(self, text: &str) -> bool {
        let length = |is: fn(&u8) -> bool| text.bytes().take_while(is).count();
        let enough = |length: usize, least: u8| length >= usize::from(least);
        match self {
            Self::Any => true,
            Self::Likely(least) => is_likely(text, usize::from(least)),
            Self::Made(least) => enough(text.len(), least) && is_made_up(text),
            Self::Text(least) => enough(length(|byte| is_of_token(char::from(*byte))), least),
            Self::Upper(least) => enough(
                length(|b| b.is_ascii_uppercase() || b.is_ascii_digit()),
                least,
            ),
            Self::Hex(least) => enough(length(u8::is_ascii_hexdigit), least),
            Self::Digits(least) => {
                let is_of_number = |byte: &u8| byte.is_ascii_digit() || b" -".contains(byte);
                enough(text.len(), least) && length(is_of_number) == text.len()
            }
        }
    }
}

/// What stands between the signs of `text`.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric())
}

/// True where all of `text` are hexadecimal digits.
fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// What is shorter is no token, and not random.
const SHORTEST: usize = 10;

fn is_of_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-.+=~/".contains(c)
}

/// The secrets in `word`. Long hexadecimal numbers are left where they are likely to be hashes.
pub(super) fn secrets(word: &str, names_hashes: bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if word.len() < SHORTEST {
        return found;
    }
    // Base64 with slashes in it, which paths have as well.
    let is_path = word.starts_with(['/', '.', '~']) || word.contains("~/");
    if !is_path && !word.contains(['=', ':']) && is_base64(word) {
        found.push(0..word.len());
        return found;
    }
    let mut at = 0;
    for run in word.split_inclusive(|c: char| !is_of_token(c) || c == '/' || c == '=') {
        let bare = run.trim_end_matches(|c: char| !is_of_token(c) || c == '/' || c == '=');
        let before = word.get(..at).unwrap_or_default();
        if bare.len() >= SHORTEST
            && !is_named_hash(before, bare)
            && is_secret(bare, names_hashes, is_path)
        {
            found.push(at..at + bare.len());
        }
        at += run.len();
    }
    found
}

/// True for what stands behind the name of its algorithm: `sha256:…`, `sha512-…`.
fn is_named_hash(before: &str, run: &str) -> bool {
    const NAMES: [&str; 5] = ["sha1", "sha256", "sha384", "sha512", "md5"];
    let ends = |name: &&str| {
        let before = before.strip_suffix(':');
        before.is_some_and(|text| text.ends_with(*name))
    };
    let starts = |name: &&str| {
        let rest = run.strip_prefix(*name);
        rest.is_some_and(|rest| rest.starts_with('-'))
    };
    NAMES.iter().any(|name| ends(name) || starts(name))
}

fn is_secret(run: &str, names_hashes: bool, is_path: bool) -> bool {
    let is_token = |row: &super::rules::Token| {
        let mut bodies = row
            .starts
            .split(' ')
            .filter_map(|start| run.strip_prefix(start));
        bodies.any(|body| row.shape.fits(body) && entropy(body) >= f32::from(row.entropy))
    };
    // A JSON web token: three parts, the first of which is a JSON object.
    let is_web_token = run.starts_with("eyJ") && run.len() >= 30 && run.contains('.');
    if is_web_token || TOKENS.iter().any(is_token) {
        return true;
    }
    let is_long = |piece: &str| {
        let is_hex = is_hex(piece);
        let digits = piece.bytes().filter(u8::is_ascii_digit).count();
        let is_mixed = digits >= 4 && digits < piece.len();
        piece.len() >= 32
            && is_mixed
            && !(is_hex && names_hashes)
            && (is_hex || chunks(piece) * 4 >= piece.len())
    };
    let mut pieces = pieces(run);
    pieces.any(|piece| is_long(piece) || (!is_path && is_random(piece, SHORTEST))) || is_base64(run)
}

/// The entropy of `text` by its characters, in tenths of a bit a character.
fn entropy(text: &str) -> f32 {
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

/// What `text` has of small letters, capitals and digits.
fn classes(text: &str) -> [usize; 3] {
    let count = |is: fn(&u8) -> bool| text.bytes().filter(is).count();
    [
        count(u8::is_ascii_lowercase),
        count(u8::is_ascii_uppercase),
        count(u8::is_ascii_digit),
    ]
}

/// How many pieces letters, digits and words with a capital `text` has: `UserId42` three, `x7Kq` four.
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

/// True for at least `least` letters and digits that change as often as chance would have it, which words and
/// identifiers put together do not.
pub(super) fn is_random(text: &str, least: usize) -> bool {
    let length = text.len();
    if length < least || text.starts_with("0x") || !text.bytes().all(|b| b.is_ascii_alphanumeric())
    {
        return false;
    }
    let [small, capitals, digits] = classes(text);
    let chunks = chunks(text);
    let most = |hundredths: usize| length * 100 <= chunks * hundredths;
    match (small, capitals, digits) {
        // One digit is in many a name: `E2ETestEnv`.
        (1.., 1.., 1) if length < 14 => most(190),
        (1.., 1.., 1..) => most(if length > SHORTEST { 240 } else { 220 }),
        (1.., 1.., 0) => length >= 14 && most(220),
        (1.., 0, 4..) | (0, 1.., 4..) => length >= 16 && most(200) && !is_hex(text),
        _ => false,
    }
}

/// True for a long text of base64, with signs.
fn is_base64(text: &str) -> bool {
    let [small, capitals, digits] = classes(text);
    text.len() >= 36
        && text.chars().all(is_of_token)
        && !text.contains('.')
        && small >= 3
        && capitals >= 3
        && match digits {
            0 => false,
            1 => chunks(text) * 2 >= text.len(),
            _ => chunks(text) * 100 >= text.len() * 36,
        }
}

fn is_likely(value: &str, least: usize) -> bool {
    let [small, capitals, digits] = classes(value);
    let is_mixed = digits > 0 && small + capitals > 0;
    let is_word = value.contains([' ', '/']);
    (!is_word && value.len() >= least && (is_mixed || value.len() >= 20)) || is_base64(value)
}

/// True for what no word of a sentence looks like: a password that somebody made up, or a machine.
pub(super) fn is_made_up(value: &str) -> bool {
    const KNOWN: &str = "argon2id sha256 sha512 base64 oauth2 ed25519 pbkdf2 base58 hmac-sha256";
    let [small, capitals, digits] = classes(value);
    let letters = small + capitals;
    let is_free = |byte: u8| byte.is_ascii_alphanumeric() || b"!#%^*~+?$@&".contains(&byte);
    let is_tied = |byte: u8| is_free(byte) || b"-_.=,:;/".contains(&byte);
    let mut pieces = pieces(value);
    if value.len() < 6 || holds(KNOWN, &value.to_ascii_lowercase()) {
        return false;
    }
    let has_sign = value.bytes().any(|byte| b"!#%^*~$@&".contains(&byte));
    let is_simple = value.bytes().all(is_free) && letters > 0;
    let is_colour = value.strip_prefix('#').is_some_and(is_hex);
    // `T75V2-SEH60-KVJ50`
    let is_group = |group: &str| {
        matches!(group.len(), 4..=6)
            && !group
                .bytes()
                .any(|b| !b.is_ascii_uppercase() && !b.is_ascii_digit())
    };
    let is_serial = value.split('-').count() > 2 && value.split('-').all(is_group);
    (is_serial && digits > 0 && letters > 0)
        || (is_simple
            && !is_colour
            && ((digits > 0 && value.len() >= 7) || (has_sign && capitals > 0 && small > 0)))
        || (value.bytes().all(is_tied) && pieces.any(|piece| is_random(piece, 7)))
}
