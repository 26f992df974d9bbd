//! Secrets in what is logged of a prompt: passwords, tokens and keys become [`MASK`], everything else stays as
//! it was. Judged by their names (`TOKEN=…`, `--password …`), by their shapes (`ghp_…`) and, where they are
//! long and random, by that. A mask is one plain word, never covers an operator of the shell, and leaves
//! substitutions alone, so that what is left still says what the command does.

mod names;
mod shapes;
#[cfg(test)]
mod tests;
mod words;

use std::ops::Range;

use names::{Strength, has_scheme, strength};
use words::{Quotes, Tool, is_end, is_identifier, is_name, words};

/// What stands in place of a secret.
pub const MASK: &str = "MASKED";

/// The longest text that is logged, in bytes.
const LONGEST: usize = 2048;

/// The longest text that is looked at, in bytes: what is masked is shorter, but not by so much.
const LONGEST_READ: usize = 32 * 1024;

/// `text` with its secrets masked, cut to 2 KB afterwards.
pub fn masked(text: &str) -> String {
    let text = cut(text, LONGEST_READ);
    let mut found = Found {
        text,
        is_secret: vec![false; text.len()],
        end: 0,
    };
    found.assignments();
    found.end = 0;
    found.words();
    found.url_passwords();
    let mut masked = String::new();
    let mut at = 0;
    for run in found.is_secret.chunk_by(PartialEq::eq) {
        let end = at + run.len();
        masked.push_str(match run.first() {
            Some(true) => MASK,
            _ => text.get(at..end).unwrap_or_default(),
        });
        at = end;
    }
    masked.truncate(masked.floor_char_boundary(LONGEST));
    masked
}

fn cut(text: &str, length: usize) -> &str {
    text.get(..text.floor_char_boundary(length))
        .unwrap_or_default()
}

/// The secrets found in a text.
struct Found<'a> {
    text: &'a str,
    /// A flag a byte.
    is_secret: Vec<bool>,
    /// Where the last value ends: what begins before it is part of it.
    end: usize,
}

impl<'a> Found<'a> {
    fn mask(&mut self, range: Range<usize>) {
        if let Some(flags) = self.is_secret.get_mut(range) {
            flags.fill(true);
        }
    }

    fn from(&self, at: usize) -> &'a str {
        self.text.get(at..).unwrap_or_default()
    }

    fn slice(&self, range: &Range<usize>) -> &'a str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// `name=value`, `name: value`, `"name": "value"`.
    fn assignments(&mut self) {
        let mut quotes = Quotes::default();
        for (at, sign) in self.text.bytes().enumerate() {
            quotes.pass(sign);
            if !matches!(sign, b'=' | b':') || quotes.close(self.from(at + 1)) {
                continue;
            }
            let before = self.text.get(..at).unwrap_or_default();
            let bare = before.trim_end_matches([' ', '"', '\'', '\\']);
            let name = bare.trim_end_matches(is_name);
            let name = bare.get(name.len()..).unwrap_or_default();
            let is_quoted = before.ends_with(['"', '\'']);
            let strength = strength(name);
            if strength == Strength::None {
                continue;
            }
            let value = self.from(at + 1);
            let value = value.trim_start_matches(['=', ':', '>', '~']);
            let value = self.text.len() - value.trim_start_matches(' ').len();
            // A shell assigns nothing with spaces around the sign, but what it is sent to may.
            match strength {
                Strength::Authorization => self.credentials(value),
                Strength::Cookie if sign == b':' => self.cookies(value),
                Strength::Header if sign == b':' => self.value(value, 0),
                Strength::Strong | Strength::Header if sign == b'=' || is_quoted => {
                    self.value(value, 0);
                }
                Strength::Strong | Strength::Header => {
                    self.value(value, 6);
                }
                Strength::Weak => self.value(value, 12),
                Strength::Cookie | Strength::None => {}
            }
        }
    }

    /// What follows `Authorization:`, but its scheme.
    fn credentials(&mut self, at: usize) {
        let start = at + usize::from(self.from(at).starts_with(['"', '\'']));
        match has_scheme(self.from(start)) {
            Some(length) => self.value(start + length, 0),
            None => self.value(at, 0),
        }
    }

    /// The values of `a=1; b=2`, up to the end of the quoted text.
    fn cookies(&mut self, at: usize) {
        if at < self.end {
            return;
        }
        let list = self.from(at);
        let end = list.find(['"', '\'', '\n']).unwrap_or(list.len());
        let list = cut(list, end);
        for (sign, _) in list.match_indices('=') {
            self.value(at + sign + 1, 0);
        }
        self.end = at + list.len();
    }

    /// The passwords of `scheme://user:password@host`.
    fn url_passwords(&mut self) {
        for (at, sign) in self.text.match_indices("://") {
            let start = at + sign.len();
            let authority = self.from(start);
            let is_over = |c: char| c.is_whitespace() || "/?#\"'`<>\\".contains(c);
            let authority = cut(
                authority,
                authority.find(is_over).unwrap_or(authority.len()),
            );
            let Some((user, _)) = authority.rsplit_once('@') else {
                continue;
            };
            let end = start + user.len();
            match user.split_once(':') {
                Some((name, _)) => self.pieces(start + name.len() + 1..end, true),
                // A token alone, as in `https://TOKEN@github.com`.
                None if shapes::is_likely(user, 12) => self.pieces(start..end, true),
                None => {}
            }
        }
    }

    /// The words: values of flags, and secrets by their shape.
    fn words(&mut self) {
        let mut tool = Tool::Other;
        let mut names_hashes = false;
        let mut last_end = 0;
        let in_armour = shapes::armour(self.text);
        for range in words(self.text) {
            let (word, between) = (self.slice(&range), self.slice(&(last_end..range.start)));
            last_end = range.end;
            if between.contains(is_end) {
                tool = Tool::Other;
            }
            tool = tool.after(word);
            names_hashes |= tool.names_hashes();
            self.flag(tool, word, &range);
            if word.eq_ignore_ascii_case("bearer") {
                self.following(range.end, 8);
            }
            let is_armoured = in_armour.iter().any(|armour| armour.contains(&range.start));
            let is_heading = word
                .bytes()
                .all(|byte| byte == b'-' || byte.is_ascii_uppercase());
            if is_armoured && !is_heading && word.len() >= 8 {
                self.mask(range.clone());
            }
            for secret in shapes::secrets(word, names_hashes) {
                self.mask(range.start + secret.start..range.start + secret.end);
            }
        }
    }

    /// The value of a flag, in this word or in the next.
    fn flag(&mut self, tool: Tool, word: &str, range: &Range<usize>) {
        if let Some(password) = tool.attached(word) {
            self.value(range.end - password.len(), 0);
        } else if tool.takes_password(word) {
            self.following(range.end, 0);
        } else if tool.takes_login(word) {
            let rest = self.from(range.end);
            let value = range.end + rest.len() - rest.trim_start_matches([' ', '"', '\'']).len();
            let login = cut(self.from(value), 256);
            let login = login.split(char::is_whitespace).next().unwrap_or_default();
            if let Some((user, _)) = login.split_once(':') {
                self.value(value + user.len() + 1, 0);
            }
        } else if let Some(name) = word.strip_prefix('-') {
            match strength(name.trim_start_matches('-')) {
                Strength::Strong | Strength::Header => {
                    self.following(range.end, 0);
                }
                Strength::Weak => self.following(range.end, 12),
                _ => {}
            }
        }
        // `aws configure set aws_secret_access_key …`, `npm config set //host/:_authToken …`
        if word.contains('_') && matches!(strength(word), Strength::Strong) {
            self.following(range.end, 12);
        }
    }

    /// Masks the value in the word after `end`, likewise, unless that is a flag.
    fn following(&mut self, end: usize, likely: usize) {
        let rest = self.from(end);
        let value = rest.trim_start_matches([' ', '\t']);
        if value.len() < rest.len() && !value.starts_with('-') {
            self.value(end + rest.len() - value.len(), likely);
        }
    }

    /// Masks the value that begins at `at`, quoted or not, if it is as [likely](shapes::is_likely) a secret.
    fn value(&mut self, at: usize, likely: usize) {
        if at < self.end {
            return;
        }
        let rest = self.from(at);
        let opening = rest.trim_start_matches('\\');
        let opened = at + rest.len() - opening.len();
        if let Some(quote) = opening.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            let start = opened + 1;
            let is_escaped = opened > at;
            let value = self.from(start);
            let ends = |c: char| c == quote || c == '\n' || (is_escaped && c == '\\');
            let range = start..start + value.find(ends).unwrap_or(value.len());
            let value = self.slice(&range);
            if !names::is_plain(value) && shapes::is_likely(value, likely) {
                self.end = range.end;
                self.pieces(range, quote == '"');
            }
            return;
        }
        let value = cut(rest, rest.find(words::ends_value).unwrap_or(rest.len()));
        let value = value.trim_end_matches(['\\', ',', '}', ']']);
        let is_call = rest
            .get(value.len()..)
            .is_some_and(|rest| rest.starts_with('('));
        if !is_call && !names::is_plain(value) && shapes::is_likely(value, likely) {
            self.end = at + value.len();
            self.mask(at..at + value.len());
        }
    }

    /// Masks what stands between the operators in `range`; what the shell would put in (`expands`) stays.
    fn pieces(&mut self, range: Range<usize>, expands: bool) {
        let text = self.slice(&range);
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            if expands && (rest.starts_with("$(") || rest.starts_with('`')) {
                return;
            }
            if let Some(name) = rest.strip_prefix('$').filter(|_| expands) {
                at += 1 + name.find(|c| !is_identifier(c)).unwrap_or(name.len());
                continue;
            }
            let is_over = |c: char| is_end(c) || "()<>`".contains(c) || (expands && c == '$');
            let length = rest.find(is_over).unwrap_or(rest.len());
            self.mask(range.start + at..range.start + at + length);
            let operator = rest.get(length..).unwrap_or_default();
            let is_expanded = expands && operator.starts_with(['$', '`']);
            at += length + usize::from(!is_expanded && !operator.is_empty());
        }
    }
}
