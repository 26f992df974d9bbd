//! Secrets that are known by their look or their place alone: tokens of services, what is random, private keys,
//! passwords in addresses, numbers of cards, and what a wallet is recovered by.

use std::ops::Range;

use super::shapes::{
    Shape, entropy, is_base64, is_digits, is_of_token, is_random, is_varied, pieces,
};
use super::table::{Table, lines, starts};
use super::values::Found;
use super::words::{begins, behind_last, has, holds, spaced, until, words};

const FILE: &str = include_str!("tokens.tsv");

/// How tokens begin; the least length of what follows, and its least entropy in tenths of a bit a character, 20 where
/// nothing is said (examples have less); whose they are, once.
static TOKENS: Table = Table::new(FILE, &starts::<{ lines(FILE) }>(FILE));

/// What is shorter is no token, and not random.
const SHORTEST: usize = 10;

/// Programs, and words, whose operands are hashes.
const HASHES: &str = "git gh glab jj hg commit revision digest md5sum sha1sum sha256sum sha384sum sha512sum cksum b2sum shasum";

impl Found<'_> {
    /// Masks tokens by how they begin, what is random, and private keys.
    pub(super) fn tokens(&mut self) {
        let mut words_before = words(self.text);
        let mut names_hashes = words_before.any(|word| self.slice(&word).ends_with("sum"));
        let mut key_end = 0;
        for range in words(self.text) {
            let word = self.slice(&range);
            names_hashes |= holds(HASHES, word);
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

    /// Masks the secrets in the word at `range`. Long hexadecimal numbers are left where they are likely to be hashes.
    fn word(&mut self, range: &Range<usize>, names_hashes: bool) {
        let word = self.slice(range);
        // Base64 with slashes in it, which paths have as well.
        let is_path = word.starts_with(['/', '.', '~']) || has(word, "~/");
        if !is_path && !word.contains(['=', ':']) && is_base64(word) {
            return self.mask(range.clone());
        }
        // `Blue!Horse77`; a sign at the end may be that of the sentence.
        let is_odd = has_sign(word.trim_end_matches('!'), "!#^*")
            && !has_sign(word, "/=.:@%~")
            && !begins(word, "!#^*");
        if is_odd && Shape::Made(8).fits(word) && is_varied(word) {
            return self.pieces(range.clone(), true);
        }
        let is_between = |c: char| !is_of_token(c) || c == '/' || c == '=';
        let mut at = range.start;
        for run in word.split_inclusive(is_between) {
            let (before, rest) = (self.before(at), self.slice(&(at..range.end)));
            let bare = run.trim_end_matches(is_between);
            // `sha256:…`, `sha512-…`
            let is_named = (before.ends_with(':')
                && is_hash(behind_last(before.trim_end_matches(':'), "=/@ ")))
                || (has(run, "-") && is_hash(until(run, "-")));
            if is_token(rest) {
                self.mask(at..at + rest.find(|c| !is_of_token(c)).unwrap_or(rest.len()));
            } else if bare.len() >= SHORTEST && !is_named && is_secret(bare, names_hashes, is_path)
            {
                self.mask(at..at + bare.len());
            }
            at += run.len();
        }
    }

    /// Masks the passwords of `scheme://user:password@host`, and of `user:password@host` if somebody made them up.
    pub(super) fn addresses(&mut self) {
        for (at, _) in self.text.match_indices('@') {
            let word = behind_last(self.before(at), " \t\n\"'`<>(),");
            let (scheme, login) = word.split_once("://").unwrap_or(("", word));
            let name = until(login, ":");
            let password = login.get(name.len() + 1..).unwrap_or_default();
            let port = password.find('/').and_then(|sign| password.get(..sign));
            // A password may have a slash in it; behind a host stands the number of a port.
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

    /// Masks the numbers of cards: 15 or 16 digits, of an issuer, the last of which checks the others (Luhn).
    pub(super) fn cards(&mut self) {
        let mut last = ' ';
        for (at, c) in self.text.char_indices() {
            let is_start = !last.is_alphanumeric() && !"_.".contains(last);
            last = c;
            if !is_start || !('2'..='6').contains(&c) {
                continue;
            }
            let count = if c == '3' { 15 } else { 16 };
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

    /// Masks the words that a wallet is recovered by: twelve to 25 of three to eight small letters, none of which is of
    /// those that hold sentences together.
    pub(super) fn phrases(&mut self) {
        const OTHERS: &str = "the and for are was not from with has its into should would which were been their them does did per \
            via each install";
        let mut run: Vec<Range<usize>> = Vec::new();
        let blanks = self.text.bytes().filter(|byte| b" \n,".contains(byte));
        if blanks.count() < 11 {
            return;
        }
        let (mut last, end) = (0, self.text.len());
        for range in spaced(self.text, 0).chain(std::iter::once(end..end)) {
            // `SEED=first …`, `1.ripple`
            let bare = self.bare(range.clone());
            let word = behind_last(self.slice(&bare), "=.:\\");
            let is_small = word.bytes().all(|byte| byte.is_ascii_lowercase());
            let is_of_phrase = is_small && (3..=8).contains(&word.len()) && !holds(OTHERS, word);
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

/// True for a token of a service.
fn is_token(text: &str) -> bool {
    let pair = text.as_bytes().first_chunk().copied().unwrap_or_default();
    let rows = TOKENS.rows(pair, &|start| text.starts_with(start));
    rows.iter().any(|[start, length, least, _]| {
        let body = text.strip_prefix(*start).unwrap_or_default();
        let body = body.split(|c| !is_of_token(c)).next().unwrap_or_default();
        body.len() >= length.parse().unwrap_or(20)
            && entropy(body) >= f32::from(least.parse::<u8>().unwrap_or(20))
    })
}

fn is_secret(run: &str, names_hashes: bool, is_path: bool) -> bool {
    let least = if is_path { 32 } else { SHORTEST };
    // Letters and digits of all kinds, and signs among them.
    let digits = run.bytes().filter(u8::is_ascii_digit).count();
    let is_mixed = run.len() >= 40 && digits * 6 >= run.len() && !is_path && entropy(run) >= 43.0;
    is_mixed || pieces(run).any(|piece| is_random(piece, least, names_hashes)) || is_base64(run)
}

fn has_sign(text: &str, signs: &str) -> bool {
    text.contains(|c| signs.contains(c))
}

/// True for the name of an algorithm.
fn is_hash(name: &str) -> bool {
    holds("sha1 sha256 sha384 sha512 md5", name)
}
