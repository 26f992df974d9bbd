//! Masking of secrets in logged texts: passwords, tokens and keys become [`MASK`], everything else is unchanged. The
//! rules are in files, one per line: names (`names.tsv`), arguments of programs (`programs.tsv`), prefixes of tokens
//! (`tokens.tsv`). A text that is named as a secret is always masked; a text that is only near such a name must also
//! look like a secret. A mask is one plain word, never covers a shell operator, and leaves substitutions alone, so that
//! the rest still shows what a command does. A question that only mentions passwords stays whole, but a typed reply to
//! it does not.

use std::borrow::Cow;
use std::ops::Range;

pub(crate) use self::asked::SecretAsked;
pub use self::found::MASK;

use self::fields::names_login;
use self::found::FoundSecrets;
use self::shapes::{
    Shape, begins, behind_last, entropy, has, holds, is_base64, is_digits, is_hex, is_of_token,
    is_random, is_varied, pieces, spaced, until, words,
};
use crate::tsv::{TsvFile, lines, starts};
use crate::words::Words;

mod asked;
mod fields;
mod found;
mod identifiers;
mod programs;
mod prose;
mod shapes;
mod words;

/// `text` with its secrets masked. Masking again changes nothing.
pub fn masked(text: &str) -> Cow<'_, str> {
    all_in(text).replaced()
}

/// The secrets in `text`.
fn all_in(text: &str) -> FoundSecrets<'_> {
    let mut found = FoundSecrets::new(text);
    found.programs();
    found.names();
    found.addresses();
    found.tokens();
    found.cards();
    found.phrases();
    found
}

/// `typed`, a reply to a question with this `text`, without its secrets. It is masked completely if it may be the secret
/// that the question is about.
pub fn masked_reply<'t>(text: &str, typed: &'t str) -> Cow<'t, str> {
    if SecretAsked::by_text(text).is_answered_by(typed) {
        return MASK.into();
    }
    let mut found = all_in(typed);
    if names_login(text) {
        found.reply();
    }
    found.replaced()
}

/// `path` with the tokens of services in the names of its folders masked. Other long names stay: two folders are one
/// project if their masked paths are equal.
pub fn masked_path(path: &str) -> Cow<'_, str> {
    let mut found = FoundSecrets::new(path);
    found.folders();
    found.replaced()
}

// Secrets recognised by their form or position alone: tokens of services, random strings, private keys, passwords in
// addresses, card numbers, and recovery phrases of wallets.

const FILE: &str = include_str!("tokens.tsv");

/// Prefixes of tokens; the minimum length of the rest, or `public` for ids that are no secrets; the minimum entropy of
/// the rest in tenths of a bit per character (default 20; examples have less); the service, once.
static TOKENS: TsvFile = TsvFile::new(FILE, &starts::<{ lines(FILE) }>(FILE));

/// The minimum length of a token or a random string.
const SHORTEST: usize = 10;

/// Programs and words whose operands are hashes.
static HASHES: Words = Words::of(
    "git gh glab jj hg commit revision digest md5sum sha1sum sha256sum sha384sum sha512sum cksum b2sum shasum",
);

/// Words beside which a hash stands, before it or behind it.
const HASHED: [&str; 11] = [
    "commit",
    "head",
    "checkout",
    "merge-base",
    "bisect",
    "cherry-pick",
    "rebase",
    "revert",
    "md5",
    "sha1",
    "sha256",
];

/// The second column of ids that are no secrets.
const PUBLIC: &str = "public";

/// What is before the contents of a file in a text.
const MEDIA: &str = "data:image/ data:font/ data:audio/ data:video/ data:application/font";

/// What is before an id that everybody may see.
const PUBLIC_PLACES: &str = "/commit/ /commits/ /blob/ /tree/ /raw/ /document/d/ /spreadsheets/d/ /presentation/d/ /file/d/ figma.com/file/ figma.com/design/ \
    /watch?v= youtu.be/";

impl FoundSecrets<'_> {
    /// Masks tokens by their prefixes, random strings, and private keys.
    fn tokens(&mut self) {
        let mut words_before = words(self.text);
        let mut names_hashes = words_before.any(|word| {
            let word = self.slice(&word).trim_end_matches(':');
            let is_it = |name: &&str| name.eq_ignore_ascii_case(word);
            // Most words begin with other letters.
            let first = word.as_bytes().first().map(u8::to_ascii_lowercase);
            let may_be_it = first.is_some_and(|first| b"bchmrs".contains(&first));
            word.len() > 2 && (word.ends_with("sum") || may_be_it && HASHED.iter().any(is_it))
        });
        let mut key_end = 0;
        for range in words(self.text) {
            let word = self.slice(&range);
            names_hashes = names_hashes || HASHES.hold(word);
            if range.start >= key_end && word.ends_with("-----BEGIN") {
                let rest = self.from(range.end);
                key_end = range.end + rest.find("-----END").unwrap_or(rest.len());
            }
            let is_heading = |byte: u8| byte == b'-' || byte.is_ascii_uppercase();
            if range.start < key_end && word.len() >= 8 && !word.bytes().all(is_heading) {
                self.mask(range.clone());
            }
            if word.len() >= SHORTEST {
                self.word(&range, names_hashes);
            }
        }
    }

    /// Masks the secrets in the word at `range`. Long hexadecimal numbers stay if they are likely to be hashes.
    fn word(&mut self, range: &Range<usize>, names_hashes: bool) {
        let word = self.slice(range);
        // Base64 with slashes, which paths have as well.
        let is_path = word.starts_with(['/', '.', '~']) || has(word, "~/");
        if self.is_media(range.start) {
            return;
        }
        if !is_path
            && !word.contains(['=', ':'])
            && is_base64(word)
            && !is_hash(until(word, "-"))
            && !is_public(word)
        {
            return self.mask(range.clone());
        }
        // `Blue!Horse77`; a sign at the end may belong to the sentence.
        let is_odd = has_sign(word.trim_end_matches('!'), "!#^*")
            && !has_sign(word, "/=.:@%~")
            && !begins(word, "!#^*");
        if is_odd && Shape::Made(8).fits(word) && is_varied(word) {
            return self.pieces(range.clone(), true);
        }
        let is_between = |c: char| !is_of_token(c) || c == '/' || c == '=';
        let (mut at, mut is_named) = (range.start, false);
        for run in word.split_inclusive(is_between) {
            let (before, rest) = (self.before(at), self.slice(&(at..range.end)));
            let bare = run.trim_end_matches(is_between);
            // `sha256:…`, `sha512-…` with all that follows, `etag: "…"`, `owner/name@…`, `…/commit/…`
            let label = before
                .trim_end_matches([':', '=', ' ', '"', '\''])
                .trim_end_matches(": W/");
            is_named |= (label.len() < before.len() && is_hash(behind_last(label, "=/@ ({")))
                || (has(run, "-") && is_hash(until(run, "-")));
            if is_token(rest) {
                self.mask(at..at + rest.find(|c| !is_of_token(c)).unwrap_or(rest.len()));
            } else if bare.len() >= SHORTEST
                && !is_named
                && is_secret(bare, names_hashes, is_path)
                && !is_shown(bare, before, word)
                && !self.is_traced(bare, range.start)
            {
                self.mask(at..at + bare.len());
            }
            at += run.len();
        }
    }

    /// True if the words before `at` say that the number `text` identifies a request or a build.
    fn is_traced(&self, text: &str, at: usize) -> bool {
        const TRACES: &str = "w/ etag trace traceparent span build fingerprint";
        let line = behind_last(self.before(at), "\n").to_lowercase();
        let mut before = spaced(&line, 0).rev().filter_map(|word| line.get(word));
        let mut last = || before.next().unwrap_or_default().trim_end_matches(':');
        text.bytes()
            .all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
            && match last() {
                "id" => holds(TRACES, last()),
                word => holds(TRACES, word),
            }
    }

    /// True if the word at `at` is the contents of an image, a font or the like.
    fn is_media(&self, at: usize) -> bool {
        let before = self.before(at);
        let kind = || behind_last(before, " \t\n\"'`(");
        before.ends_with(";base64,") && MEDIA.split(' ').any(|media| kind().starts_with(media))
    }

    /// Masks the tokens in the names of folders; in the names that agents make of paths, a token follows a dash.
    fn folders(&mut self) {
        let is_separator = |c: char| c == '/' || c == '\\';
        let mut last = '/';
        for (at, c) in self.text.char_indices() {
            let is_start = !last.is_alphanumeric() && !self.is_masked(at);
            last = c;
            if !is_start {
                continue;
            }
            let name = self.from(at).split(is_separator).next().unwrap_or_default();
            let digits = || name.bytes().filter(u8::is_ascii_digit).count();
            if is_token(name) && digits() > 2 {
                self.mask(at..at + name.len());
            }
        }
    }

    /// Masks the passwords of `scheme://user:password@host`, and of `user:password@host` if the password looks made up.
    fn addresses(&mut self) {
        for (at, _) in self.text.match_indices('@') {
            let word = behind_last(self.before(at), " \t\n\"'`<>(),");
            let (scheme, login) = word.split_once("://").unwrap_or(("", word));
            let name = until(login, ":");
            let password = login.get(name.len() + 1..).unwrap_or_default();
            let port = password.find('/').and_then(|sign| password.get(..sign));
            // A password may contain a slash. A host may be followed by a port number.
            let is_path = has(login, "/") && has(until(login, "/?"), "@");
            if is_path || has(name, "/") || port.is_some_and(is_digits) {
                continue;
            }
            // `git clone https://TOKEN:x-oauth-basic@…`, and a token alone.
            let least = Shape::Made(if password.is_empty() { 12 } else { 20 });
            if !scheme.is_empty() && least.fits(name) {
                self.pieces(at - login.len()..at - login.len() + name.len(), true);
            }
            if !scheme.is_empty() || Shape::Made(6).fits(password) {
                self.pieces(at - password.len()..at, true);
            }
        }
    }

    /// Masks card numbers: 15 or 16 digits with an issuer's prefix and a valid check digit (Luhn).
    fn cards(&mut self) {
        for (at, byte) in self.text.bytes().enumerate() {
            if !(b'2'..=b'6').contains(&byte) {
                continue;
            }
            let before = self.before(at).chars().next_back();
            if before.is_some_and(|last| last.is_alphanumeric() || "_.".contains(last)) {
                continue;
            }
            let count = if byte == b'3' { 15 } else { 16 };
            let signs = self.near(at).bytes().enumerate();
            let signs = signs.filter(|(_, byte)| !b" -".contains(byte)).take(count);
            let digits: Vec<_> = signs.filter(|(_, byte)| byte.is_ascii_digit()).collect();
            let end = at + digits.last().map_or(0, |(place, _)| place + 1);
            let doubled = |(place, (_, byte)): (usize, &(usize, u8))| {
                let digit = u32::from(byte - b'0') << (place % 2);
                digit / 10 + digit % 10
            };
            let sum: u32 = digits.iter().rev().enumerate().map(doubled).sum();
            let is_over = !self.from(end).starts_with(char::is_alphanumeric);
            if digits.len() == count && is_over && sum.is_multiple_of(10) {
                self.mask(at..end);
            }
        }
    }

    /// Masks recovery phrases of wallets: 12 to 25 words of three to eight lower-case letters, without words that
    /// connect sentences.
    fn phrases(&mut self) {
        static OTHERS: Words = Words::of(
            "the and for are was not from with has its into should which would were been their them does did per \
            via each install",
        );
        let mut run: Vec<Range<usize>> = Vec::new();
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\n' | b',');
        let blanks = self.text.bytes().filter(is_blank);
        if blanks.count() < 11 {
            return;
        }
        let (mut last, end) = (0, self.text.len());
        for range in spaced(self.text, 0).chain(std::iter::once(end..end)) {
            // `SEED=first …`, `1.ripple`
            let is_of_small = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase());
            let (mut bare, mut word) = (range.clone(), self.slice(&range));
            let is_small = is_of_small(word) || {
                bare = self.bare(range.clone());
                word = behind_last(self.slice(&bare), "=.:\\");
                is_of_small(word)
            };
            let is_of_phrase = is_small && (3..=8).contains(&word.len()) && !OTHERS.hold(word);
            let between = self.slice(&(last..range.start));
            let goes_on = !between.contains(['(', ')', '\n'])
                && (is_of_phrase || !word.is_empty() && is_digits(word));
            last = range.end;
            if !goes_on {
                if (12..=25).contains(&run.len()) {
                    run.iter().for_each(|word| self.mask(word.clone()));
                }
                run.clear();
            }
            if is_of_phrase {
                run.push(bare.end - word.len()..bare.end);
            }
        }
    }
}

/// The rows of the tokens with which `text` begins.
fn rows(text: &str) -> Vec<[&'static str; 4]> {
    let pair = text.as_bytes().first_chunk().copied().unwrap_or_default();
    TOKENS.rows(pair, text.as_bytes(), &|start| text.starts_with(start))
}

/// True for a token of a service.
fn is_token(text: &str) -> bool {
    rows(text).iter().any(|[start, length, least, _]| {
        let body = text.strip_prefix(*start).unwrap_or_default();
        let body = body.split(|c| !is_of_token(c)).next().unwrap_or_default();
        *length != PUBLIC
            && body.len() >= length.parse().unwrap_or(20)
            && entropy(body) >= f32::from(least.parse::<u8>().unwrap_or(20))
    })
}

/// True for an id of a service that is no secret.
fn is_public(text: &str) -> bool {
    text.len() > 16
        && rows(text).iter().any(|[start, length, ..]| {
            let body = text.strip_prefix(*start).unwrap_or_default();
            *length == PUBLIC && body.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
        && !has(text, "secret")
}

fn is_secret(run: &str, names_hashes: bool, is_path: bool) -> bool {
    let least = if is_path { 32 } else { SHORTEST };
    // Letters and digits of all kinds, with signs between them.
    let digits = run.bytes().filter(u8::is_ascii_digit).count();
    let is_mixed = run.len() >= 40 && digits * 6 >= run.len() && !is_path && entropy(run) >= 43.0;
    // `20240611093015_add_password_changed_at`
    let has_both =
        |piece: &str| !is_digits(piece) && piece.bytes().any(|byte| byte.is_ascii_digit());
    let is_mixed = is_mixed && pieces(run).any(|piece| piece.len() > 3 && has_both(piece));
    // A licence: `IZUQ-BQEF-86Z7-8NEV`.
    let is_large = |group: &str| !group.bytes().any(|byte| byte.is_ascii_lowercase());
    let lengths = || run.split('-').map(str::len);
    let is_licence = (3..10).contains(&lengths().count())
        && lengths().all(|length| (4..9).contains(&length) && Some(length) == lengths().next())
        && pieces(run).all(is_large)
        && pieces(run).filter(|piece| has_both(piece)).count() > 1
        && !is_hex(&run.replace('-', ""));
    is_licence && !is_path
        || is_mixed
        || pieces(run).any(|piece| is_random(piece, least, names_hashes))
        || is_base64(run)
}

fn has_sign(text: &str, signs: &str) -> bool {
    text.contains(|c| signs.contains(c))
}

/// True if everybody may see `text`, which follows `before` in `word`: a commit, a document, an id.
fn is_shown(text: &str, before: &str, word: &str) -> bool {
    let is_hash = is_hex(text) && matches!(text.len(), 40 | 64) && before.ends_with(['@', '#']);
    let is_of_git = has(word, "://") && has(word, "git");
    is_hash
        || (is_of_git && before.ends_with('/') && is_commit(text))
        || PUBLIC_PLACES
            .split(' ')
            .any(|place| before.ends_with(place))
        || is_public(text)
}

/// True for a commit's hash, also with the ending of an archive.
fn is_commit(text: &str) -> bool {
    let hash = until(text, ".");
    hash.len() == 40 && is_hex(hash)
}

/// True for the name of an algorithm, or of its result.
fn is_hash(name: &str) -> bool {
    const KNOWN: &str = "h1 sha1 sha256 sha384 sha512 sha-1 sha-256 sha-384 sha-512 md5 etag checksum content-hash content_hash integrity";
    let small = |name: &str| holds(KNOWN, &name.to_ascii_lowercase());
    name.len() < 13 && (small(name) || name.strip_suffix("sum").is_some_and(small))
}

#[cfg(test)]
mod tests;
