//! Secrets that are known by their look or their place alone: tokens of services, what is random, private keys,
//! passwords in addresses, numbers of cards, and what a wallet is recovered by.

use std::ops::Range;

use super::shapes::{
    Shape, entropy, is_base64, is_digits, is_long, is_of_token, is_random, pieces,
};
use super::table::{Table, lines, starts};
use super::values::Found;
use super::words::{begins, behind_last, has, holds, spaced, until, without_start, words};

const FILE: &str = include_str!("tokens.tsv");

/// How tokens begin; the least length of what follows, and its least entropy in tenths of a bit a character, 20 where
/// nothing is said (examples have less); whose they are, once.
static TOKENS: Table = Table::new(FILE, &starts::<{ lines(FILE) }>(FILE));

/// What is shorter is no token, and not random.
const SHORTEST: usize = 10;

impl Found<'_> {
    /// Masks tokens by how they begin, what is random, and private keys.
    pub(super) fn tokens(&mut self) {
        let mut names_hashes = words(self.text).any(|word| is_sum(self.slice(&word)));
        let mut key_end = 0;
        for range in words(self.text) {
            let word = self.slice(&range);
            // Programs, and words, whose operands are hashes.
            names_hashes |= holds("git gh glab jj hg commit revision digest", word);
            if range.start >= key_end
                && word.ends_with("BEGIN")
                && has(self.near(range.start.saturating_sub(5)), "-----BEGIN")
            {
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
        // `user:password@host`, of which an address has more
        if let Some((login, host)) = word.rsplit_once('@')
            && let Some((user, password)) = login.split_once(':')
            && !begins(password, "/")
            && host.starts_with(char::is_alphabetic)
            && !has(host, ":")
            && Shape::Made(6).fits(password)
        {
            let start = range.start + user.len() + 1;
            self.pieces(start..start + password.len(), true);
        }
        // Base64 with slashes in it, which paths have as well.
        let is_path = word.starts_with(['/', '.', '~']) || has(word, "~/");
        if !is_path && !word.contains(['=', ':']) && is_base64(word) {
            return self.mask(range.clone());
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
                let end = rest.find(|c| !is_of_token(c)).unwrap_or(rest.len());
                self.mask(at..at + end);
            } else if bare.len() >= SHORTEST && !is_named && is_secret(bare, names_hashes, is_path)
            {
                self.mask(at..at + bare.len());
            }
            at += run.len();
        }
    }

    /// Masks the passwords of `scheme://user:password@host`, Oracle's of `jdbc:oracle:thin:user/password@host`, and
    /// paths that whoever knows them may use.
    pub(super) fn addresses(&mut self) {
        if !self.text.contains(':') {
            return;
        }
        for (at, _) in self.text.match_indices("://") {
            let start = at + 3;
            let address = until(self.near(start), " \"'`<>\\");
            let authority = until(address, "/?");
            let port = authority.split_once(':').map_or("0", |(_, port)| port);
            let user = match authority.rsplit_once('@') {
                Some((user, _)) => user,
                // A password with a slash in it; behind a host stands the number of a port.
                None if port.is_empty() || !is_digits(port) => {
                    address.rsplit_once('@').unwrap_or_default().0
                }
                None => "",
            };
            let (name, end) = (until(user, ":"), start + user.len());
            // `git clone https://TOKEN:x-oauth-basic@…`, and a token alone.
            if Shape::Made(if name.len() < user.len() { 20 } else { 12 }).fits(name) {
                self.pieces(start..start + name.len(), true);
            }
            self.pieces((start + name.len() + 1).min(end)..end, true);
            self.invitation(start, address);
        }
        for (at, scheme) in self.text.match_indices("jdbc:oracle:") {
            let start = at + scheme.len();
            self.login(start + self.near(start).find(':').map_or(0, |sign| sign + 1));
        }
    }

    /// Masks the path of an address at `start` that whoever knows it may use: webhooks, invitations, streams.
    fn invitation(&mut self, start: usize, address: &str) {
        let places = include_str!("addresses.txt").lines();
        let found = places
            .filter_map(|place| Some(address.find(place)? + place.len()))
            .next();
        let is_stream =
            self.before(start).ends_with("rtmp://") || self.before(start).ends_with("rtmps://");
        let stream = address
            .rfind('/')
            .filter(|_| is_stream)
            .map(|sign| sign + 1);
        if let Some(path) = found.or(stream) {
            let secret = until(address.get(path..).unwrap_or_default(), ")],");
            self.pieces(start + path..start + path + secret.len(), true);
        }
    }

    /// Masks the numbers of cards.
    pub(super) fn cards(&mut self) {
        let mut end = 0;
        for (at, byte) in self.text.bytes().enumerate() {
            if at < end || !byte.is_ascii_digit() {
                continue;
            }
            let rest = self.near(at);
            let is_start = !self
                .before(at)
                .ends_with(|c: char| c.is_alphanumeric() || "_.".contains(c));
            end = at + rest.len() - without_start(rest, "0123456789").len();
            if let Some(length) = card(rest).filter(|_| is_start) {
                end = at + length;
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
        if self.text.bytes().filter(|byte| *byte == b' ').count() < 11 {
            return;
        }
        let end = self.text.len();
        for range in spaced(self.text, 0).chain(std::iter::once(end..end)) {
            // `SEED='first …`
            let word = self.slice(&range);
            let start = word
                .rfind(['=', '"', '\''])
                .filter(|at| at + 2 < word.len());
            let bare = self.bare(range.start + start.map_or(0, |at| at + 1)..range.end);
            let word = self.slice(&bare);
            let is_small = word.bytes().all(|byte| byte.is_ascii_lowercase());
            let is_of_phrase = is_small && (3..=8).contains(&word.len()) && !holds(OTHERS, word);
            let after = self.slice(&(bare.end..range.end));
            if is_of_phrase {
                run.push(bare);
            }
            let is_number = !word.is_empty() && is_digits(word);
            if is_number || (is_of_phrase && matches!(after, "" | ",")) {
                continue;
            }
            if (12..=25).contains(&run.len()) {
                run.iter().for_each(|word| self.mask(word.clone()));
            }
            run.clear();
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
    let is_part = |piece| is_long(piece, names_hashes) || (!is_path && is_random(piece, SHORTEST));
    // A JSON web token: three parts, the first of which is a JSON object.
    let is_web_token = run.starts_with("eyJ") && run.len() >= 30 && has(run, ".");
    // Letters and digits of all kinds, and signs among them.
    let digits = run.bytes().filter(u8::is_ascii_digit).count();
    let is_mixed = run.len() >= 40 && digits * 6 >= run.len() && !is_path && entropy(run) >= 43.0;
    is_web_token || is_mixed || pieces(run).any(is_part) || is_base64(run)
}

/// True for a program that makes hashes.
fn is_sum(word: &str) -> bool {
    word.ends_with("sum") && word.len() >= 5
}

/// True for the name of an algorithm.
fn is_hash(name: &str) -> bool {
    holds("sha1 sha256 sha384 sha512 md5", name)
}

/// The length of the number of a card that `text` begins with: 15 or 16 digits, of an issuer, the last of which checks
/// the others (Luhn).
fn card(text: &str) -> Option<usize> {
    let first = text.bytes().next().filter(|byte| b"23456".contains(byte))?;
    let count = if first == b'3' { 15 } else { 16 };
    let signs = text
        .bytes()
        .enumerate()
        .filter(|(_, byte)| !b" -".contains(byte));
    let digits: Vec<(usize, u8)> = signs.take(count).collect();
    let length = digits.last()?.0 + 1;
    let is_over = !text
        .get(length..)?
        .starts_with(|c: char| c.is_alphanumeric());
    let mut sum = 0;
    for (place, (_, byte)) in digits.iter().rev().enumerate() {
        let digit = u32::from(byte.checked_sub(b'0').filter(|digit| *digit < 10)?);
        let doubled = digit << (place % 2);
        sum += if doubled > 9 { doubled - 9 } else { doubled };
    }
    (digits.len() == count && is_over && sum % 10 == 0).then_some(length)
}
