//! The secrets found in a text: the bounds of their values, and the parts that stay.

use std::borrow::Cow;
use std::ops::Range;

use super::is_public;
use super::shapes::{
    Shape, begins, ends, ends_value, has, has_digit, holds, is_end, until, without_start,
};

/// The replacement for a secret.
pub const MASK: &str = "MASKED";

/// How far from a name to search, in bytes. This keeps the work proportional to the text's length.
const NEAR: usize = 200;

/// The secrets found in a text.
pub(super) struct FoundSecrets<'a> {
    pub(super) text: &'a str,
    /// One flag per byte; empty until something is found.
    is_secret: Vec<bool>,
    /// True if the text may contain a file that a command writes.
    pub(super) writes: bool,
    /// True if a word of the text may name a command that runs its argument.
    pub(super) evaluates: bool,
    /// The end of the last value. Anything that begins before it is part of that value.
    pub(super) end: usize,
}

impl<'a> FoundSecrets<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            is_secret: Vec::new(),
            writes: has(text, "<<"),
            evaluates: has(text, "command") || has(text, "eval"),
            end: 0,
        }
    }

    /// The text with the found secrets masked.
    pub(super) fn replaced(self) -> Cow<'a, str> {
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

    pub(super) fn mask(&mut self, range: Range<usize>) {
        if self.is_secret.is_empty() && !range.is_empty() {
            self.is_secret = vec![false; self.text.len()];
        }
        if let Some(flags) = self.is_secret.get_mut(range) {
            flags.fill(true);
        }
    }

    /// The text from `at` on, as far as it needs to be searched.
    pub(super) fn near(&self, at: usize) -> &'a str {
        let end = self.text.floor_char_boundary(at.saturating_add(NEAR));
        self.text.get(at..end).unwrap_or_default()
    }

    /// The text before `at`, as far as it needs to be searched.
    pub(super) fn before(&self, at: usize) -> &'a str {
        let start = self.text.ceil_char_boundary(at.saturating_sub(NEAR));
        self.text.get(start..at).unwrap_or_default()
    }

    pub(super) fn from(&self, at: usize) -> &'a str {
        self.text.get(at..).unwrap_or_default()
    }

    pub(super) fn slice(&self, range: &Range<usize>) -> &'a str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// True if the byte at `at` is already masked.
    pub(super) fn is_masked(&self, at: usize) -> bool {
        self.is_secret.get(at) == Some(&true)
    }

    /// The range of the value that begins at `at`, inside its quotes or up to the end of its word; its quote; and the
    /// start of the following text.
    pub(super) fn bounds(&self, at: usize) -> (Range<usize>, Option<char>, usize) {
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
    pub(super) fn value(&mut self, at: usize, shape: Shape) -> bool {
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
    pub(super) fn following(&mut self, end: usize, shape: Shape) -> bool {
        let rest = self.from(end);
        let value = without_start(rest, " \t");
        let is_apart = value.len() < rest.len() || begins(rest, "\"'");
        is_apart && !value.starts_with('-') && self.value(end + rest.len() - value.len(), shape)
    }

    /// Masks `range`, the inside of a text in these quotes, if it has this shape and is not a configuration keyword.
    /// True if it was masked.
    pub(super) fn mask_if(
        &mut self,
        range: Range<usize>,
        quote: Option<char>,
        shape: Shape,
    ) -> bool {
        let value = self.slice(&range);
        let is_it = !is_plain(value) && shape.fits(value);
        if is_it {
            self.end = self.end.max(range.end);
            self.pieces(range, quote == Some('"'));
        }
        is_it
    }

    /// Masks the entries in `range` with this shape. In an entry with a name, masks the value after it.
    pub(super) fn entries(&mut self, range: Range<usize>, separator: char, shape: Shape) {
        let mut start = range.start;
        for entry in self.slice(&range).split(separator) {
            let value = entry
                .split_once([':', '='])
                .map_or(entry, |(_, value)| value);
            // A sign at the end of base64 does not assign anything.
            let is_all = value.trim_matches(['=', ' ']).is_empty() && !ends(entry, ":");
            let value = without_start(if is_all { entry } else { value }, " -=");
            let at = start + entry.len() - value.len();
            if separator != '\n' || begins(value, "\"'") {
                self.value(at, shape);
            } else {
                self.mask_if(at..at + value.trim_end().len(), Some('"'), shape);
            }
            start += entry.len() + 1;
        }
    }

    /// `range` without surrounding signs and punctuation.
    pub(super) fn bare(&self, range: Range<usize>) -> Range<usize> {
        let is_around = |c: char| !c.is_alphanumeric() && "*<>.:;?!：。，、？！".contains(c);
        let word = self.slice(&range).trim_start_matches(is_around);
        let start = range.end - word.len();
        start..start + word.trim_end_matches(is_around).len()
    }

    /// Masks the text between the operators in `range`. Shell expansions stay if `expands`.
    pub(super) fn pieces(&mut self, range: Range<usize>, expands: bool) {
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

/// The longest text that may be a keyword or stand for one, in bytes.
const LONGEST_WORD: usize = 64;

/// True if `value` is not a secret under any name: empty, a configuration keyword, or a path.
pub(super) fn is_plain(value: &str) -> bool {
    const WORDS: &str = "true false null none nil yes no on off string required optional undefined str bytes number any text await bool \
        lax strict stdin masked include inherit omit same-origin tbd todo n/a";
    // `%TEMP%` is a variable; `%Winter24%` is none.
    let is_made = value.ends_with('%') && has_digit(value) && value.contains(char::is_lowercase);
    // `docker build --secret id=…` names a secret but does not contain it.
    const STARTS: &str = "!secret !vault !env ${{ ./ ../ .env ~/ @ { % id= type= file: env: fd: process.env os.environ";
    // Only a short text can be one of these words; a value may go on to the end of the text.
    let start = value.get(..value.floor_char_boundary(LONGEST_WORD));
    let start = start.unwrap_or_default();
    let word = start.trim_end_matches('?').to_ascii_lowercase();
    let is_small = |byte: u8| byte.is_ascii_lowercase() || b"/-".contains(&byte);
    let is_path = value.starts_with('/')
        && (value.bytes().all(is_small) || value.matches('/').count() > 1)
        && !value.contains(['+', '=']);
    value.is_empty()
        || has(value, MASK)
        || is_path
        || holds(WORDS, until(&word, "|"))
        || value.chars().all(|c| "*•.…?_-".contains(c))
        || is_public(value)
        || value.len() < LONGEST_WORD && is_placeholder(value)
        || STARTS.split(' ').any(|start| value.starts_with(start)) && !is_made
}

/// True for a text that a person is to replace: `<your password>`, `YOUR_TOKEN`.
fn is_placeholder(value: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphabetic() || " _-".contains(c);
    let inner = value
        .strip_prefix('<')
        .and_then(|value| value.strip_suffix('>'));
    let small = value.to_ascii_lowercase();
    let start = small.strip_prefix("your").unwrap_or_default();
    inner.is_some_and(|inner| inner.chars().all(is_word))
        || begins(start, " _-") && small.chars().all(is_word)
}
