//! Secrets in running text: said in a sentence, part of an address, or known by their look alone.

use std::ops::Range;

use super::names::{Strength, is_plain, strength};
use super::rules::{ADDRESSES, FILLERS, NOUNS, PASSWORDS, PREPOSITIONS, TIES, TIES_BEHIND};
use super::shapes::{Shape, is_made_up, is_random, secrets};
use super::values::Found;
use super::words::{begins, behind_last, ends, has, holds, places, until, without_start, words};

/// How many words before and behind a noun are looked at.
const WORDS_NEAR: usize = 9;

/// Nouns that only a sign ties to a secret: `root / …`.
const SIGNED: &str = "login account root admin user zugang";

impl Found<'_> {
    /// Masks what sentences say to be a secret, in the languages of [`NOUNS`]: what is tied to the noun and is no
    /// word, and what is near it and random.
    pub(super) fn sentences(&mut self) {
        let lower = self.text.to_ascii_lowercase();
        let mut has_byte = [false; 256];
        for byte in lower.bytes() {
            if let Some(has) = has_byte.get_mut(usize::from(byte)) {
                *has = true;
            }
        }
        // Most nouns have a letter that the text has not.
        let may_be_there = |noun: &&str| {
            let mut bytes = noun.bytes();
            bytes.all(|byte| has_byte.get(usize::from(byte)) == Some(&true))
        };
        let nouns = PASSWORDS.split('|').chain(NOUNS.split('|'));
        for noun in nouns.filter(may_be_there) {
            for at in places(&lower, noun) {
                let before = lower.get(..at).unwrap_or_default();
                let is_start = !noun.is_ascii() || !before.ends_with(|c: char| c.is_alphanumeric());
                let rest = self.near(at + noun.len());
                // Its ending, in any language.
                let is_latin = noun.contains(|c: char| c.is_ascii());
                let is_ending = |c: char| c.is_alphabetic() && (is_latin || !c.is_ascii());
                let ending = rest.len() - rest.trim_start_matches(is_ending).len();
                let is_word = ending <= if noun.len() < 5 { 1 } else { 4 } || !noun.is_ascii();
                let is_code = rest
                    .get(ending..)
                    .is_some_and(|rest| begins(rest, "_-([/="));
                let is_said = |near: &str| {
                    near.bytes()
                        .any(|byte| byte.is_ascii_digit() || b"!#%^*~$@&\"'".contains(&byte))
                };
                if is_start && is_word && !is_code && (is_said(rest) || is_said(self.before(at))) {
                    self.behind_noun(at + noun.len() + ending, noun);
                    self.before_noun(at);
                }
            }
        }
    }

    fn behind_noun(&mut self, end: usize, noun: &str) {
        let rest = until(self.near(end), "\n");
        // `pass` and `key` are words of everything.
        let is_login = noun == "pass"
            && ["login", "user"]
                .iter()
                .any(|word| has(self.before(end), word));
        let mut is_tied = is_login
            || (noun.len() > 4 && !holds(SIGNED, noun))
            || matches!(noun, "pw" | "pwd" | "mdp");
        let mut was_preposition = false;
        let mut is_named = begins(rest, ":=");
        for (place, range) in spaced(rest, end).take(WORDS_NEAR).enumerate() {
            let (word, bare) = (self.slice(&range), self.bare(range.clone()));
            let text = self.slice(&bare);
            // `the password is "two words"`
            let is_quoted = word.len() > 1 && begins(word, "\"'");
            let is_of_password = PASSWORDS.split('|').any(|one| one == noun);
            let is_told = is_named || (place == 0 && noun == "passphrase");
            if is_quoted && is_of_password && is_told && (place > 0 || !is_named) {
                let (quoted, _, _) = self.bounds(range.start);
                if quoted.len() >= 4 && !is_plain(self.slice(&quoted)) {
                    return self.pieces(quoted, false);
                }
            }
            let is_number = matches!(noun, "pin" | "otp" | "passcode") && is_digits(text);
            if (is_named || place == 0) && is_number && (3..9).contains(&text.len()) {
                return self.pieces(bare, false);
            }
            if is_tied && self.said(&bare) {
                return;
            }
            if is_random(text, 8) {
                return self.pieces(bare, false);
            }
            let is_sign = ends(word, ":=：/");
            is_named = is_sign || (holds(TIES, word) && !holds(SIGNED, noun));
            if was_preposition && !is_named && !holds(FILLERS, word) {
                (is_tied, was_preposition) = (true, false);
            } else if holds(PREPOSITIONS, word) && is_tied {
                (is_tied, was_preposition) = (false, true);
            } else if !was_preposition || is_named {
                let goes_on = is_tied && (text.is_empty() || holds(FILLERS, word));
                (is_tied, was_preposition) = (is_named || goes_on, false);
            }
            if ends(word, ".?!;") {
                return;
            }
        }
    }

    fn before_noun(&mut self, at: usize) {
        let before = self.before(at);
        let line = behind_last(before, "\n");
        let all: Vec<_> = spaced(line, at - line.len()).collect();
        let mut is_tied = false;
        for range in all.into_iter().rev().take(WORDS_NEAR) {
            let bare = self.bare(range.clone());
            let word = self.slice(&range);
            if ends(word, ".?!;") || (is_tied && self.said(&bare)) {
                return;
            }
            is_tied = holds(TIES_BEHIND, word) || (is_tied && holds(FILLERS, &word.to_lowercase()));
        }
    }

    /// `range` without the quotes and stops around it.
    fn bare(&self, range: Range<usize>) -> Range<usize> {
        let word = self.slice(&range);
        let is_around = |c: char| "\"'`*„“”«»‘’「」『』()[]{}<>,.:;?!：。，、？！".contains(c);
        let start = word.trim_start_matches(is_around);
        let end = start.trim_end_matches(is_around);
        let start = range.end - start.len();
        start..start + end.len()
    }

    /// Masks the word at `range`, or of `user:password` the password, if nobody writes such a word.
    fn said(&mut self, range: &Range<usize>) -> bool {
        let word = self.slice(range);
        let password = word.find([':', '/', '=']).map_or(0, |sign| sign + 1);
        for start in [password, 0] {
            let text = word.get(start..).unwrap_or_default();
            // `apiKey2` is what one is called.
            let is_name = text.starts_with(|c: char| c.is_ascii_lowercase())
                && text.contains(|c: char| c.is_ascii_uppercase() || c == '_')
                && strength(text.trim_end_matches(|c: char| c.is_ascii_digit())) != Strength::None;
            if is_made_up(text) && !is_plain(text) && !is_name {
                self.pieces(range.start + start..range.end, false);
                return true;
            }
        }
        false
    }

    /// The passwords of `scheme://user:password@host`, Oracle's of `jdbc:oracle:thin:user/password@host`, and paths
    /// that whoever knows them may use.
    pub(super) fn addresses(&mut self) {
        for at in places(self.text, "://") {
            let start = at + 3;
            let address = until(self.near(start), " \"'`<>\\");
            let authority = until(address, "/?");
            let user = match (authority.rsplit_once('@'), authority.split_once(':')) {
                (Some((user, _)), _) => user,
                // A password with a slash in it; behind a host stands the number of a port.
                (None, Some((_, port))) if port.is_empty() || !is_digits(port) => {
                    let Some((user, _)) = address.rsplit_once('@') else {
                        continue;
                    };
                    user
                }
                _ => continue,
            };
            let end = start + user.len();
            let name = until(user, ":");
            // `git clone https://TOKEN:x-oauth-basic@…`, and a token alone.
            if Shape::Likely(if name.len() < user.len() { 20 } else { 12 }).fits(name) {
                self.pieces(start..start + name.len(), true);
            }
            self.pieces((start + name.len() + 1).min(end)..end, true);
        }
        for at in places(self.text, "jdbc:oracle:") {
            let start = at + "jdbc:oracle:".len();
            self.login(start + self.near(start).find(':').map_or(0, |sign| sign + 1));
        }
        for place in ADDRESSES {
            for at in places(self.text, place) {
                let start = at + place.len();
                let path = until(self.near(start), " \"'`<>\\)],");
                self.pieces(start..start + path.len(), true);
            }
        }
        // The name of a stream, which whoever knows it may send to.
        for at in places(self.text, "rtmp") {
            let address = until(self.near(at), " \"'`");
            if let Some((before, name)) = address.rsplit_once('/').filter(|_| has(address, "://")) {
                let start = at + before.len() + 1;
                self.pieces(start..start + name.len(), true);
            }
        }
    }

    /// Masks tokens by how they begin, what is random, private keys and the numbers of cards.
    pub(super) fn tokens(&mut self) {
        let mut names_hashes = has(self.text, "sum -c") || has(self.text, "sum --check");
        let mut armour_end = 0;
        for range in words(self.text) {
            let word = self.slice(&range);
            names_hashes |= names_hash(word);
            if range.start >= armour_end
                && (word.starts_with("-----BEGIN")
                    || (word == "BEGIN" && self.before(range.start).ends_with("-----")))
            {
                let rest = self.from(range.end);
                armour_end = range.end + rest.find("-----END").unwrap_or(rest.len());
            }
            let is_heading = word
                .bytes()
                .all(|byte| byte == b'-' || byte.is_ascii_uppercase());
            if range.start < armour_end && !is_heading && word.len() >= 8 {
                self.mask(range.clone());
            }
            for secret in secrets(word, names_hashes) {
                self.mask(range.start + secret.start..range.start + secret.end);
            }
        }
        let mut end = 0;
        for (at, byte) in self.text.bytes().enumerate() {
            if at < end || !byte.is_ascii_digit() {
                continue;
            }
            let rest = self.near(at);
            end = at + rest.len() - without_start(rest, "0123456789").len();
            let is_start = !self
                .before(at)
                .ends_with(|c: char| c.is_alphanumeric() || "_.".contains(c));
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

/// Where the words of `text` stand, which begins at `start`: between blanks, and letters of scripts without any.
fn spaced(text: &str, start: usize) -> impl Iterator<Item = Range<usize>> {
    let is_over = |c: char| c.is_whitespace() || ('\u{2E80}'..'\u{FF00}').contains(&c);
    let words = text.split(is_over).filter(|word| !word.is_empty());
    words.map(move |word| {
        let at = start + word.as_ptr() as usize - text.as_ptr() as usize;
        at..at + word.len()
    })
}

/// True for a program, or a word, whose operands are hashes, and no secrets.
fn names_hash(word: &str) -> bool {
    const WORDS: &str = "git gh glab jj hg commit revision digest";
    (word.ends_with("sum") && word.len() >= 5) || holds(WORDS, word)
}

/// The length of the number of a card that `text` begins with: 15 or 16 digits, of an issuer, the last of which checks
/// the others (Luhn).
fn card(text: &str) -> Option<usize> {
    let first = text.bytes().next().filter(|byte| b"23456".contains(byte))?;
    let count = if first == b'3' { 15 } else { 16 };
    let bytes = text
        .bytes()
        .enumerate()
        .filter(|(_, byte)| !b" -".contains(byte));
    let digits: Vec<(usize, u8)> = bytes.take(count).collect();
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

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}
