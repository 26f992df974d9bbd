//! Texts that look like secrets, whatever they are called.

use std::ops::Range;

/// How long what follows is at least, and how the tokens of services begin.
const PREFIXES: [(usize, &str); 7] = [
    (1, "EAACEdEose0cBA"),
    (
        8,
        "sk-ant- sk-proj- sk-or- sk-svcacct- sk_live_ sk_test_ rk_live_ rk_test_",
    ),
    (
        10,
        "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxe. xapp- dckr_pat_ tskey-",
    ),
    (
        16,
        "AKIA ASIA ABIA ACCA ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- gldt- glrt- glptt- glsa_ glcbt- \
         pypi- rubygems_ whsec_ ya29. GOCSPX- shpat_ shpss_ shpca_ hvs. hvb. lin_api_ figd_ PMAK- sntrys_ \
         phx_",
    ),
    (
        20,
        "npm_ sk- 1//0 hf_ gsk_ xai- r8_ nvapi- dop_v1_ doo_v1_ AGE-SECRET-KEY-1 ntn_",
    ),
    (30, "AIza SG."),
    (32, "dapi pul- key-"),
];

/// What is shorter has none of these shapes.
const SHORTEST: usize = 15;

/// Addresses whose path is the secret.
const WEBHOOKS: [&str; 3] = [
    "hooks.slack.com/services/",
    "discord.com/api/webhooks/",
    "webhook.office.com/webhookb2/",
];

/// The secrets in `word`. Long hexadecimal numbers are left where they are likely to be hashes.
pub(super) fn secrets(word: &str, names_hashes: bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if word.len() < SHORTEST {
        return found;
    }
    for place in WEBHOOKS {
        if let Some(at) = word.find(place) {
            found.push(at + place.len()..word.len());
        }
    }
    // Base64 with slashes in it, which paths have as well.
    let is_path = word.starts_with(['/', '.', '~']) || word.contains("://");
    if found.is_empty() && !is_path && !word.contains('=') && is_random(word, 36) {
        found.push(0..word.len());
        return found;
    }
    // The name of a stream, which whoever knows it may send to.
    if word.starts_with("rtmp") && word.contains("://") {
        let start = word.rfind('/').map_or(0, |at| at + 1);
        found.push(start..word.len());
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-.+=~".contains(c);
    let mut at = 0;
    for run in word.split(|c| !is_part(c)) {
        let before = word.get(..at).unwrap_or_default();
        // `name=value`: each by itself; what a base64 text is filled up with stays with it.
        let mut start = at;
        for part in run.split_inclusive('=') {
            let bare = part.trim_end_matches('=');
            let is_hash = is_named_hash(before, bare) || is_named_hash("", bare);
            if !is_hash && is_secret(bare, names_hashes) {
                found.push(start..start + bare.len());
            }
            start += part.len();
        }
        at += run.len();
        at += word
            .get(at..)
            .and_then(|rest| rest.chars().next())
            .map_or(0, char::len_utf8);
    }
    found
}

/// True for what stands behind the name of its algorithm: `sha256:…`, `sha512-…`.
fn is_named_hash(before: &str, run: &str) -> bool {
    const NAMES: [&str; 5] = ["sha1", "sha256", "sha384", "sha512", "md5"];
    let ends = |name: &&str| {
        before
            .strip_suffix(':')
            .is_some_and(|text| text.ends_with(*name))
    };
    let starts = |name: &&str| {
        run.strip_prefix(*name)
            .is_some_and(|rest| rest.starts_with('-'))
    };
    NAMES.iter().any(|name| ends(name) || starts(name))
}

fn is_secret(run: &str, names_hashes: bool) -> bool {
    let is_token = |(length, prefixes): &(usize, &str)| {
        let mut prefixes = prefixes.split_ascii_whitespace();
        prefixes.any(|prefix| run.len() >= prefix.len() + length && run.starts_with(prefix))
    };
    if PREFIXES.iter().any(is_token) || is_web_token(run) {
        return true;
    }
    let pieces = run.split(|c: char| !c.is_ascii_alphanumeric());
    let is_long = |piece: &str| {
        let is_hex = piece.bytes().all(|byte| byte.is_ascii_hexdigit());
        let digits = piece.bytes().filter(u8::is_ascii_digit).count();
        let is_mixed = digits >= 4 && digits < piece.len();
        piece.len() >= 32
            && is_mixed
            && !(is_hex && names_hashes)
            && (is_hex || changes(piece) * 4 >= piece.len())
    };
    pieces.into_iter().any(is_long) || is_random(run, 16)
}

/// A JSON web token: three parts, the first of which is a JSON object.
fn is_web_token(run: &str) -> bool {
    run.starts_with("eyJ") && run.len() >= 30 && run.contains('.')
}

/// True for at least `length` characters of three classes that change as often as chance would have it, which
/// words put together do not.
fn is_random(text: &str, length: usize) -> bool {
    let count = |is: fn(&u8) -> bool| text.bytes().filter(is).count();
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/_-=".contains(&byte);
    text.len() >= length
        && text.bytes().all(is_base64)
        && count(u8::is_ascii_uppercase) >= 3
        && count(u8::is_ascii_lowercase) >= 3
        && match count(u8::is_ascii_digit) {
            0 => false,
            1 => changes(text) * 2 >= text.len(),
            _ => changes(text) * 100 >= text.len() * 38,
        }
}

/// How often letters, capitals and digits follow each other.
fn changes(text: &str) -> usize {
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 1,
        b'A'..=b'Z' => 2,
        b'a'..=b'z' => 3,
        _ => 0,
    };
    let classes = text.bytes().map(class);
    let next = text.bytes().skip(1).map(class);
    let pairs = classes.zip(next);
    pairs
        .filter(|(one, other)| one != other && *one != 0 && *other != 0)
        .count()
}

/// True when `value`, of at least `length` characters, looks more like a secret than like a word; with 0,
/// for any.
pub(super) fn is_likely(value: &str, length: usize) -> bool {
    let has = |is: fn(&u8) -> bool| value.bytes().any(|byte| is(&byte));
    let is_mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
    let is_word = value.contains([' ', '/']);
    let is_long = value.len() >= length && (is_mixed || value.len() >= 20);
    length == 0 || (!is_word && is_long) || is_random(value, 36)
}

/// True for what no word of a sentence looks like: a password that somebody made up, or a machine.
pub(super) fn is_striking(value: &str) -> bool {
    let has = |is: fn(&u8) -> bool| value.bytes().any(|byte| is(&byte));
    let is_made_up = |byte: u8| byte.is_ascii_alphanumeric() || b"!#%^*~+?$@&".contains(&byte);
    let is_strange = (has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase))
        || has(u8::is_ascii_punctuation);
    value.len() >= 8
        && value.bytes().all(is_made_up)
        && has(u8::is_ascii_digit)
        && (is_strange || value.len() >= 16)
}
