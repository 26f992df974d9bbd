//! Names that say that their value is a secret.

use super::programs::holds;

/// How surely a name says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strength {
    /// Not at all.
    None,
    /// Its value is one where it looks like one: `key`, `sig`.
    Weak,
    /// `password`, `GITHUB_TOKEN`, `apiKey`
    Strong,
    /// The same in a name that only a header of HTTP has: `X-Api-Key`.
    Header,
    /// A scheme and a secret.
    Authorization,
    /// A list of names and secrets.
    Cookie,
}

const STRONG: &str = "password passwd passphrase passcode pwd pass secret token apikey accesskey secretkey privatekey \
    authkey accountkey sharedkey signingkey encryptionkey masterkey credential credentials authtoken \
    accesskeyid secretid passwordeval";

/// Words that end like one and are none.
const OTHERS: &str = "bypass compass PWD OLDPWD nopass nopassword";

const WEAK: &str = "key sig signature auth pat pw sas hmac";

/// How surely `name` says that its value is a secret.
pub(super) fn strength(name: &str) -> Strength {
    // By its end, which few words have.
    let end = match name.as_bytes() {
        [.., one, other] if name.len() <= 100 => {
            [one.to_ascii_lowercase(), other.to_ascii_lowercase()]
        }
        _ => return Strength::None,
    };
    let ends: &[u8] = b"rdwdsedesseteneyallsidieonigrethatpwasac";
    if !ends.chunks_exact(2).any(|two| two == end) {
        return Strength::None;
    }
    let is_separator = |c: char| matches!(c, '_' | '-' | '.');
    let mut lower = name.to_ascii_lowercase();
    lower.retain(|c| !is_separator(c));
    let last = name.rsplit(is_separator).next().unwrap_or_default();
    if holds(OTHERS, name)
        || holds(OTHERS, &lower)
        || lower.starts_with("ask")
        || name.starts_with("no-")
    {
        return Strength::None;
    }
    if lower.ends_with("authorization") {
        return Strength::Authorization;
    }
    if lower.ends_with("cookie") {
        return Strength::Cookie;
    }
    let is_variable = !name.contains(|c: char| c.is_ascii_lowercase());
    let is_strong = STRONG.split(' ').any(|end| lower.ends_with(end));
    if is_strong || (is_variable && last == "KEY" && name != "KEY") {
        let is_header = name.contains('-') && name.starts_with(|c: char| c.is_ascii_uppercase());
        return if is_header || lower.starts_with('x') && name.contains('-') {
            Strength::Header
        } else {
            Strength::Strong
        };
    }
    let last = last.to_ascii_lowercase();
    if holds(WEAK, &last) || name.ends_with("Key") {
        return Strength::Weak;
    }
    Strength::None
}

/// The length of the scheme that `text` begins with (`Bearer `).
pub(super) fn has_scheme(text: &str) -> Option<usize> {
    const SCHEMES: &str = "Bearer Basic Token Digest ApiKey Key Bot Negotiate GenieKey";
    let (scheme, rest) = text.split_once(' ')?;
    let mut known = SCHEMES.split(' ');
    let is_known = known.any(|known| scheme.eq_ignore_ascii_case(known));
    let spaces = rest.len() - rest.trim_start_matches(' ').len();
    is_known.then_some(scheme.len() + 1 + spaces)
}

/// True when `value` is no secret whatever it is called: nothing, a word of a configuration, a path.
pub(super) fn is_plain(value: &str) -> bool {
    const WORDS: &str = "true false null none nil yes no on off string required optional undefined str bytes number any await \
    lax strict stdin MASKED";
    let word = value.trim_end_matches('?');
    let is_word = WORDS
        .split(' ')
        .any(|known| word.eq_ignore_ascii_case(known));
    // `docker build --secret id=…` names a secret, and tells none.
    const STARTS: &str = "./ ../ ~/ @ { % id= type= file: env: fd:";
    let is_path = STARTS.split(' ').any(|start| value.starts_with(start))
        || (value.starts_with('/')
            && value.matches('/').count() > 1
            && !value.contains(['+', '=']));
    // A variable of a program, `process.env.TOKEN`.
    let is_code = value.starts_with("process.env") || value.starts_with("os.environ");
    value.is_empty() || is_word || is_path || is_code
}
