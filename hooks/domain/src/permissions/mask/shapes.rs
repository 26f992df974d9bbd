//! Texts that look like secrets, whatever they are called.

use std::ops::Range;

/// How the tokens of services begin, and how long what follows is at least.
const PREFIXES: [(&str, usize); 67] = [
    ("AKIA", 16),
    ("ASIA", 16),
    ("ABIA", 16),
    ("ACCA", 16),
    ("ghp_", 16),
    ("gho_", 16),
    ("ghu_", 16),
    ("ghs_", 16),
    ("ghr_", 16),
    ("github_pat_", 16),
    ("glpat-", 16),
    ("gldt-", 16),
    ("glrt-", 16),
    ("glptt-", 16),
    ("glsa_", 16),
    ("glcbt-", 16),
    ("xoxb-", 10),
    ("xoxp-", 10),
    ("xoxa-", 10),
    ("xoxr-", 10),
    ("xoxs-", 10),
    ("xoxe-", 10),
    ("xoxe.", 10),
    ("xapp-", 10),
    ("npm_", 20),
    ("pypi-", 16),
    ("rubygems_", 16),
    ("sk-ant-", 8),
    ("sk-proj-", 8),
    ("sk-or-", 8),
    ("sk-svcacct-", 8),
    ("sk-", 20),
    ("sk_live_", 8),
    ("sk_test_", 8),
    ("rk_live_", 8),
    ("rk_test_", 8),
    ("whsec_", 16),
    ("AIza", 30),
    ("ya29.", 16),
    ("GOCSPX-", 16),
    ("1//0", 20),
    ("SG.", 30),
    ("hf_", 20),
    ("gsk_", 20),
    ("xai-", 20),
    ("r8_", 20),
    ("nvapi-", 20),
    ("dop_v1_", 20),
    ("doo_v1_", 20),
    ("shpat_", 16),
    ("shpss_", 16),
    ("shpca_", 16),
    ("dckr_pat_", 10),
    ("hvs.", 16),
    ("hvb.", 16),
    ("AGE-SECRET-KEY-1", 20),
    ("tskey-", 10),
    ("lin_api_", 16),
    ("figd_", 16),
    ("ntn_", 20),
    ("PMAK-", 16),
    ("dapi", 32),
    ("sntrys_", 16),
    ("pul-", 32),
    ("key-", 32),
    ("EAACEdEose0cBA", 1),
    ("phx_", 16),
];

/// Addresses whose path is the secret.
const WEBHOOKS: [&str; 3] = [
    "hooks.slack.com/services/",
    "discord.com/api/webhooks/",
    "webhook.office.com/webhookb2/",
];

/// The secrets in `word`. Long hexadecimal numbers are left where they are likely to be hashes.
pub(super) fn secrets(word: &str, names_hashes: bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for place in WEBHOOKS {
        if let Some(at) = word.find(place) {
            found.push(at + place.len()..word.len());
        }
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
    // Base64 with slashes in it, which paths have as well.
    let is_path = word.starts_with(['/', '.', '~']) || word.contains("://");
    if found.is_empty() && !is_path && !word.contains('=') && is_random(word, 36) {
        found.push(0..word.len());
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
    let is_token = |(prefix, length): &(&str, usize)| {
        let rest = run.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.len() >= *length && !rest.contains(' '))
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
    pieces.into_iter().any(is_long) || is_random(run, 24)
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
        && count(u8::is_ascii_digit) >= 2
        && count(u8::is_ascii_uppercase) >= 3
        && count(u8::is_ascii_lowercase) >= 3
        && changes(text) * 100 >= text.len() * 38
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

/// Where keys stand that are written as text: from `-----BEGIN` to `-----END`.
pub(super) fn armour(text: &str) -> Vec<Range<usize>> {
    let begins = text.match_indices("-----BEGIN ");
    let range = |(at, _): (usize, &str)| {
        let rest = text.get(at..).unwrap_or_default();
        at..at + rest.find("-----END").unwrap_or(rest.len())
    };
    begins.map(range).collect()
}
