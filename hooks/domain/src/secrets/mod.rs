//! Masking of secrets in logged texts: passwords, tokens and keys become [`MASK`], everything else is unchanged. The
//! rules are in files, one per line: names (`names.tsv`), arguments of programs (`programs.tsv`), prefixes of tokens
//! (`tokens.tsv`). A text that is named as a secret is masked whatever it looks like; a text that is only near a name
//! must also look like a secret. A mask is one plain word, never covers a shell operator, and leaves substitutions
//! alone, so that the rest still shows what a command does. A question that only mentions passwords stays whole, but a
//! typed reply to it does not.

use std::borrow::Cow;
use std::ops::Range;

pub use crate::hash::Key;

use self::programs::{Table, lines, starts};
use self::shapes::{
    Shape, begins, behind_last, ends_value, entropy, has, holds, is_base64, is_digits, is_end,
    is_of_token, is_random, is_varied, pieces, spaced, until, without_start, words,
};
use crate::wire::SentQuestion;

mod fields;
mod programs;
mod shapes;

/// The replacement for a secret.
pub const MASK: &str = "MASKED";

/// `text` with its secrets masked. Masking again changes nothing.
pub fn masked(text: &str) -> Cow<'_, str> {
    let mut found = Found::new(text);
    found.programs();
    found.names();
    found.addresses();
    found.tokens();
    found.cards();
    found.phrases();
    found.replaced()
}

/// `typed`, a reply to a question with this `text`, without its secrets. It is masked completely if the question names
/// a secret.
pub fn masked_reply<'t>(text: &str, typed: &'t str) -> Cow<'t, str> {
    match fields::names_secret(text) {
        true => MASK.into(),
        false => masked(typed),
    }
}

/// True if the text, the header or a label of `question` names a secret. A typed answer may then be the secret.
pub(crate) fn asks_for_secret(question: &SentQuestion) -> bool {
    let texts = [&question.text, &question.context].into_iter();
    let texts = texts.chain(&question.header).chain(&question.options);
    texts.map(String::as_str).any(fields::names_secret)
}

// Secrets recognised by their form or position alone: tokens of services, random strings, private keys, passwords in
// addresses, card numbers, and recovery phrases of wallets.

const FILE: &str = include_str!("tokens.tsv");

/// Prefixes of tokens; the minimum length of the rest, and its minimum entropy in tenths of a bit per character
/// (default 20; examples have less); the service, once.
static TOKENS: Table = Table::new(FILE, &starts::<{ lines(FILE) }>(FILE));

/// The minimum length of a token or a random string.
const SHORTEST: usize = 10;

/// Programs and words whose operands are hashes.
const HASHES: &str = "git gh glab jj hg commit revision digest md5sum sha1sum sha256sum sha384sum sha512sum cksum b2sum shasum";

impl Found<'_> {
    /// Masks tokens by their prefixes, random strings, and private keys.
    fn tokens(&mut self) {
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

    /// Masks the secrets in the word at `range`. Long hexadecimal numbers stay if they are likely to be hashes.
    fn word(&mut self, range: &Range<usize>, names_hashes: bool) {
        let word = self.slice(range);
        // Base64 with slashes, which paths have as well.
        let is_path = word.starts_with(['/', '.', '~']) || has(word, "~/");
        if !is_path && !word.contains(['=', ':']) && is_base64(word) {
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

    /// Masks recovery phrases of wallets: 12 to 25 words of three to eight lower-case letters, without words that
    /// connect sentences.
    fn phrases(&mut self) {
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
    // Letters and digits of all kinds, with signs between them.
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

// The masked values in a text: their bounds, and the parts that stay.

/// How far from a name to search, in bytes. This keeps the work proportional to the text's length.
const NEAR: usize = 200;

/// The secrets found in a text.
struct Found<'a> {
    text: &'a str,
    /// One flag per byte; empty until something is found.
    is_secret: Vec<bool>,
    /// True if the text may contain a file that a command writes.
    writes: bool,
    /// The end of the last value. Anything that begins before it is part of that value.
    end: usize,
}

impl<'a> Found<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            is_secret: Vec::new(),
            writes: has(text, "<<"),
            end: 0,
        }
    }

    /// The text with the found secrets masked.
    fn replaced(self) -> Cow<'a, str> {
        if self.is_secret.is_empty() {
            return Cow::Borrowed(self.text);
        }
        let mut masked = String::with_capacity(self.text.len());
        let mut at = 0;
        for run in self.is_secret.chunk_by(PartialEq::eq) {
            let end = at + run.len();
            masked.push_str(match run.first() {
                Some(true) => MASK,
                _ => self.slice(&(at..end)),
            });
            at = end;
        }
        Cow::Owned(masked)
    }

    fn mask(&mut self, range: Range<usize>) {
        if self.is_secret.is_empty() && !range.is_empty() {
            self.is_secret = vec![false; self.text.len()];
        }
        if let Some(flags) = self.is_secret.get_mut(range) {
            flags.fill(true);
        }
    }

    /// The text from `at` on, as far as it needs to be searched.
    fn near(&self, at: usize) -> &'a str {
        let end = self.text.floor_char_boundary(at.saturating_add(NEAR));
        self.text.get(at..end).unwrap_or_default()
    }

    /// The text before `at`, as far as it needs to be searched.
    fn before(&self, at: usize) -> &'a str {
        let start = self.text.ceil_char_boundary(at.saturating_sub(NEAR));
        self.text.get(start..at).unwrap_or_default()
    }

    fn from(&self, at: usize) -> &'a str {
        self.text.get(at..).unwrap_or_default()
    }

    fn slice(&self, range: &Range<usize>) -> &'a str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// True if the byte at `at` is already masked.
    fn is_masked(&self, at: usize) -> bool {
        self.is_secret.get(at) == Some(&true)
    }

    /// The range of the value that begins at `at`, inside its quotes or up to the end of its word; its quote; and the
    /// start of the following text.
    fn bounds(&self, at: usize) -> (Range<usize>, Option<char>, usize) {
        let rest = self.from(at);
        // `$'…'` of the shell, `b'…'` of Python, `\"…\"` in a text that is itself quoted.
        let opening = rest.trim_start_matches('\\');
        let is_escaped = opening.len() < rest.len();
        let bare = opening.strip_prefix(['$', 'b', 'r', 'f', 'N', '@']);
        let opening = bare.filter(|rest| begins(rest, "\"'")).unwrap_or(opening);
        let quote = opening.chars().next().filter(|sign| "\"'`".contains(*sign));
        let Some(quote) = quote else {
            let value = rest.split(ends_value).next().unwrap_or_default();
            return (at..at + value.len(), None, at + value.len());
        };
        let mut triples = ["\"\"\"", "'''"].into_iter();
        let triple = triples.find(|signs| opening.starts_with(signs));
        let start = at + rest.len() - opening.len() + triple.map_or(1, str::len);
        let rest = self.from(start);
        let mut before = ' ';
        let is_over = |c| {
            let is_quoted = before == '\\' && quote == '"';
            before = c;
            (c == quote && !is_quoted) || c == '\n' || (is_escaped && c == '\\')
        };
        let end = match triple {
            Some(signs) => rest.find(signs),
            None => rest.find(is_over),
        };
        let end = start + end.unwrap_or(rest.len());
        (start..end, Some(quote), end + 1)
    }

    /// Masks the value that begins at `at`, quoted or not, if it has this shape. True if it has.
    fn value(&mut self, at: usize, shape: Shape) -> bool {
        let (mut range, quote, _) = self.bounds(at);
        let mut value = self.slice(&range);
        if quote.is_none() {
            value = value.trim_end_matches(['\\', ',', '}', ']']);
            // The name of a called function is not a secret.
            if self.from(at + value.len()).starts_with('(') {
                return false;
            }
        }
        // Escaped line ends in a text that is sent.
        for end in ["\\r", "\\n"] {
            value = value.strip_suffix(end).unwrap_or(value);
        }
        range.end = range.start + value.len();
        let bare = value.trim_start_matches("pass:").trim_start_matches('>');
        range.start = range.end - bare.len();
        if quote.is_some() && begins(bare, "{") && has(bare, ":") {
            self.entries(range, ',', shape);
            return true;
        }
        // In backticks, a shell runs commands, and some languages write strings.
        let is_code = quote == Some('`') && (has(bare, " ") || !Shape::Made(12).fits(bare));
        !is_code && self.mask_if(range, quote, shape)
    }

    /// Masks the value after `end`, after spaces or a quote, if it has this shape and is not a flag. True if it was
    /// masked.
    fn following(&mut self, end: usize, shape: Shape) -> bool {
        let rest = self.from(end);
        let value = without_start(rest, " \t");
        let is_apart = value.len() < rest.len() || begins(rest, "\"'");
        is_apart && !value.starts_with('-') && self.value(end + rest.len() - value.len(), shape)
    }

    /// Masks `range`, the inside of a text in these quotes, if it has this shape and is not a configuration keyword.
    /// True if it was masked.
    fn mask_if(&mut self, range: Range<usize>, quote: Option<char>, shape: Shape) -> bool {
        let value = self.slice(&range);
        let is_it = !is_plain(value) && shape.fits(value);
        if is_it {
            self.end = self.end.max(range.end);
            self.pieces(range, quote == Some('"'));
        }
        is_it
    }

    /// Masks the text between the operators in `range`. Shell expansions stay if `expands`.
    fn pieces(&mut self, range: Range<usize>, expands: bool) {
        let text = self.slice(&range);
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            if expands && (rest.starts_with("$(") || rest.starts_with('`')) {
                return;
            }
            if let Some(name) = rest.strip_prefix('$').filter(|_| expands) {
                let is_over = |c: char| !c.is_ascii_alphanumeric() && !"_{}".contains(c);
                at += 1 + name.find(is_over).unwrap_or(name.len());
                continue;
            }
            let is_over = |c: char| is_end(c) || "()<>`".contains(c) || (expands && c == '$');
            let length = rest.find(is_over).unwrap_or(rest.len());
            self.mask(range.start + at..range.start + at + length);
            let operator = rest.get(length..).unwrap_or_default();
            let is_expanded = expands && begins(operator, "$`");
            at += length + usize::from(!is_expanded && !operator.is_empty());
        }
    }
}

/// True if `value` is not a secret under any name: empty, a configuration keyword, or a path.
fn is_plain(value: &str) -> bool {
    const WORDS: &str = "true false null none nil yes no on off string required optional undefined str bytes number any await \
        lax strict stdin masked";
    // `docker build --secret id=…` names a secret but does not contain it.
    const STARTS: &str = "./ ../ .env ~/ @ { % id= type= file: env: fd: process.env os.environ";
    let word = value.trim_end_matches('?').to_ascii_lowercase();
    let is_small = |byte: u8| byte.is_ascii_lowercase() || b"/-".contains(&byte);
    let is_path = value.starts_with('/')
        && (value.bytes().all(is_small) || value.matches('/').count() > 1)
        && !value.contains(['+', '=']);
    value.is_empty()
        || has(value, MASK)
        || is_path
        || holds(WORDS, &word)
        || STARTS.split(' ').any(|start| value.starts_with(start))
}

#[cfg(test)]
mod tests;
