//! Secrets in sentences: made-up words near the name of a secret, and the word that the sentence says to be one: after
//! the name and a copula, a sign or "with" (`the password is Lemon.105Cp`).

use std::ops::Range;

use super::fields::{SecretName, is_of_secret, names, names_secret};
use super::found::{FoundSecrets, MASK, is_plain};
use super::identifiers::{is_head, is_identifier};
use super::is_hash;
use super::shapes::{
    Shape, begins, behind_last, ends, groups, has, has_digit, holds, is_hex, is_serial, spaced,
    until, without_start,
};
use super::words::{
    AND, ARTICLES, COMMITS, ENTER, LONGEST_TIE, MACHINES, NAMES_NEXT, ODD, PREPOSITIONS, QUOTES,
    SIGNS, TIES, TIES_BEFORE, USE, USERS, WITH, is_pair,
};

/// How many words before and after a name are searched.
const WORDS_NEAR: usize = 10;

/// How a name stands in its sentence.
struct Mention<'s> {
    /// How it names a secret, as in `names.tsv`.
    kind: &'s str,
    /// Any text behind it and a sign is a secret.
    is_any: bool,
    /// It is a part of the name of something else: `password policy`.
    is_compound: bool,
    /// It names what machines make and commands take.
    is_machine: bool,
    /// It names a user together with a password.
    is_pair: bool,
    /// A sign follows it.
    is_signed: bool,
    /// It follows `with` or `use`.
    is_after_with: bool,
    /// It is no name of a function.
    is_word: bool,
    /// It is in capitals.
    is_capital: bool,
    /// The sentence may be code.
    is_code: bool,
}

/// How a word follows a name.
#[derive(Default)]
struct Following<'t> {
    /// How many words stand between.
    place: usize,
    /// How many more words are tied to the name; 2 for the first.
    tied: usize,
    /// How many words stand between it and the last tie, or the name.
    since_tie: usize,
    /// Another sentence begins between.
    is_apart: bool,
    /// A user may stand before it: `log in with bob and …`.
    is_with_user: bool,
    /// The word before it.
    last: &'t str,
    /// A comma is between it and the word before.
    is_listed: bool,
    /// An opening bracket is before it: `log into the wiki (bob, …)`.
    is_bracketed: bool,
    /// Letters of a script without spaces are between.
    is_glued: bool,
}

impl Mention<'_> {
    /// The shape of the words that the sentence says to be the secret, if the next one is said to be; `None` otherwise.
    fn said_shape(&self, at: &Following, word: &str) -> Option<Shape> {
        let is_direct = at.place == 0 && (!self.is_machine || self.is_after_with);
        // `compared with timing-safe-equal`
        let is_with = WITH.hold(at.last);
        let has_copula =
            at.tied > 1 && !is_with || at.place == 0 && (self.is_signed || at.is_glued);
        // `the password was once …`
        let is_near = || {
            let is_place = is_with || PREPOSITIONS.hold(at.last);
            at.since_tie < 3 && !self.is_machine && !is_place
        };
        if at.is_apart {
            return None;
        }
        let (shape, is_said) = match self.kind {
            _ if self.is_compound => return None,
            _ if self.is_pair && at.place > 1 && (at.last == "/" || AND.hold(at.last)) => {
                (Shape::Chosen, true)
            }
            _ if self.is_pair => (Shape::ChosenNotName, !PREPOSITIONS.hold(at.last)),
            "sign" if self.is_code => (Shape::ChosenNotName, at.last == "/"),
            "sign" if at.last == "/" || at.is_listed && at.is_bracketed => (Shape::Chosen, true),
            "sign" => {
                let is_user_named = is_with || at.is_with_user && AND.hold(at.last);
                (Shape::Chosen, at.place > 1 && is_user_named)
            }
            "tied" => (Shape::ChosenNotName, has_copula || is_direct),
            "loose" if self.is_any => (Shape::Chosen, has_copula && !is_identifier(word)),
            "loose" => {
                let digits = word.bytes().filter(u8::is_ascii_digit).count();
                let is_serial = digits > 0 && !word.contains(char::is_lowercase) && has(word, "-");
                (
                    Shape::ChosenNotName,
                    has_copula && (digits > 1 || is_serial),
                )
            }
            "capitals" => (Shape::Chosen, self.is_capital && has_copula),
            _ if self.is_code => (Shape::ChosenNotName, has_copula || is_direct),
            _ if has_copula || is_direct => (Shape::Chosen, true),
            _ => (Shape::ChosenNotName, is_near()),
        };
        is_said.then_some(shape)
    }

    /// True if secrets may stand in the lines below, as nothing stands in `rest` behind the name.
    fn takes_below(&self, rest: &str) -> bool {
        let is_last = rest.trim().is_empty() || ends(rest.trim_end(), ":：");
        is_last && self.kind == "asks" && !self.is_compound && !self.is_code
    }

    /// True if a word of the sentence may be the secret although the sentence does not say so.
    fn takes_lone(&self, at: &Following, word: &str) -> bool {
        let is_password = self.is_pair || self.kind == "asks" && !self.is_machine;
        // `fill in bob and …`
        let is_strong = word.bytes().filter(u8::is_ascii_digit).count() > 1
            || word.contains(|c| ODD.contains(c));
        let is_of_login = self.kind == "sign"
            && at.place > 0
            && (AND.hold(at.last) || WITH.hold(at.last) || is_strong && at.is_listed);
        // `the admin pass is …`
        let is_pass = self.kind == "loose" && self.is_any && at.tied > 1;
        let is_key = self.kind == "tied" && is_strong && self.is_word;
        let is_meant =
            is_of_login || (is_password || is_pass || is_key) && (is_strong || !self.is_compound);
        is_meant && !self.is_code
    }
}

impl<'t> FoundSecrets<'t> {
    /// Masks the secrets near `name`, in its sentence.
    pub(super) fn sentence(&mut self, name: &SecretName) {
        let Range { start, end } = name.range;
        // The ending of the word, in any language.
        let rest = self.near(end);
        let is_ending = |c: char| c.is_alphabetic() && c < '\u{2E80}';
        let has_endings = self.before(end).ends_with(is_ending);
        let ending = match has_endings {
            true => rest.len() - rest.trim_start_matches(is_ending).len(),
            false => 0,
        };
        let most = if end - start < 5 { 1 } else { 4 };
        let line = behind_last(self.before(start), "\n");
        let end = end + ending;
        let rest = until(self.near(end), "\n");
        // Most sentences have no word that could be a secret.
        let is_small = |byte: u8| matches!(byte, b'a'..=b'z' | b' ' | b'.' | b',' | b'-');
        let is_part = ending > most && self.slice(&name.range).is_ascii();
        let is_plain = line.bytes().all(is_small) && rest.bytes().all(is_small);
        let dashes = || line.matches('-').count() + rest.matches('-').count();
        let has_dot = |text: &str| {
            let mut dots = text.match_indices('.');
            dots.any(|(at, _)| {
                text.as_bytes()
                    .get(at + 1)
                    .is_some_and(u8::is_ascii_alphanumeric)
            })
        };
        let is_odd = || dashes() > 1 || has_dot(line) || has_dot(rest);
        // `/tokens?version=2`
        let is_glued = begins(rest, "?#&")
            && rest
                .as_bytes()
                .get(1)
                .is_some_and(u8::is_ascii_alphanumeric);
        if is_part
            || is_glued
            || begins(rest, "_-([/=@")
            || rest.starts_with("::")
            || is_plain && !self.from(end + rest.len()).starts_with('\n') && !is_odd()
        {
            return;
        }
        let mention = self.mention(name, line, rest);
        if mention.takes_below(rest) {
            self.below(end + rest.len() + 1);
        }
        let is_found = self.behind(name, &mention, end, rest);
        self.in_front(name, &mention, start - line.len(), line, is_found);
    }

    /// Masks the secrets in the lines at `at`, up to one that has several words.
    fn below(&mut self, mut at: usize) {
        let lines = self.near(at);
        for line in lines.split('\n') {
            let range = at..at + line.len();
            at = range.end + 1;
            let bare = without_start(line, " \t-*•`");
            let start = range.end - bare.len();
            let bare = bare.trim_end_matches(['`', ' ', '\r']);
            if !Shape::Chosen.fits(bare) {
                break;
            }
            self.said(start..start + bare.len(), Shape::Chosen, true);
        }
    }

    /// Masks the words of a reply to a question about a password that are hardly anything else.
    pub(super) fn reply(&mut self) {
        for range in spaced(self.text, 0) {
            let bare = self.bare(range);
            self.said(bare, Shape::Lone, false);
        }
    }

    /// How `name` stands between `line` and `rest`.
    fn mention<'n>(&self, name: &'n SecretName, line: &str, rest: &str) -> Mention<'n> {
        let text = self.slice(&name.range).to_lowercase();
        let mut before = spaced(line, 0).rev().filter_map(|word| line.get(word));
        let is_after_with = before.find(|word| !ARTICLES.hold(word));
        let is_name = |text: &str| text.ends_with(|c: char| c.is_ascii_alphanumeric());
        let calls = |text: &str| {
            let mut opened = text.match_indices('(');
            opened.any(|(at, _)| text.get(..at).is_some_and(is_name))
        };
        let is_call = calls(line) || calls(rest) || is_name(line) && rest.starts_with('(');
        Mention {
            kind: name.sentence,
            is_any: name.shape == "any",
            is_compound: is_compound(rest),
            is_machine: MACHINES.iter().any(|start| text.starts_with(start)),
            is_pair: is_pair(&text),
            is_signed: begins(without_start(rest, " "), SIGNS),
            is_after_with: is_after_with.is_some_and(|word| WITH.hold(word) || USE.hold(word)),
            is_word: !ends(&text, "("),
            is_capital: !self.slice(&name.range).contains(char::is_lowercase),
            is_code: is_call || is_code(line) || is_code(rest),
        }
    }

    /// Masks the secrets in `rest`, which follows `name` at `end`. True if there are any.
    fn behind(&mut self, name: &SecretName, mention: &Mention, end: usize, rest: &'t str) -> bool {
        let is_any = name.shape == "any";
        let is_loose = is_loose(name);
        let least = least(name);
        let (mut before, last) = (end, end + rest.trim_end_matches(['"', '\'', ' ']).len());
        // How many words are still tied to the name, and whether a sign ties them.
        let mut has_sign = begins(rest, SIGNS) || begins(without_start(rest, " "), ":：→⇒");
        let mut at = Following {
            place: 0,
            tied: usize::from(name.sentence != "sign") + usize::from(has_sign),
            since_tie: 0,
            is_apart: false,
            is_with_user: false,
            last: "",
            is_listed: false,
            is_bracketed: false,
            is_glued: false,
        };
        let mut is_found = false;
        let words = without_start(rest.strip_prefix('?').unwrap_or(rest), " :=：>→");
        let words = spaced(words, end + rest.len() - words.len()).take(WORDS_NEAR);
        for range in words {
            let word = self.slice(&range);
            let quoted = until(until(self.near(range.start), "\n"), QUOTES[1]).trim_end();
            let between = self.slice(&(before..range.start));
            let opening = between.trim_end();
            let is_open = opening.len() == between.len() || !ends(opening, "'\"");
            let is_quoted = is_open && ends(opening, QUOTES[0]) && !begins(between, QUOTES[1]);
            before = range.end;
            at.is_glued = !between.is_ascii();
            at.is_listed = begins(between, ",");
            at.is_bracketed |= ends(between, "(");
            let is_tied = at.tied > 1 || between.contains(char::is_alphabetic);
            let is_quoted = is_quoted
                && !at.is_apart
                && (is_tied || (between.starts_with(' ') && at.place == 0 && has(quoted, " ")));
            let is_last =
                has_sign && at.place > 0 && !at.is_apart && range.end == last && !has(rest, "}");
            let is_told = is_any && !mention.is_compound && (is_quoted || is_last);
            let text = if is_quoted { quoted } else { word };
            let bare = self.bare(range.clone());
            let is_type = is_plain(self.slice(&bare)) || is_plain(text);
            let is_number = name.shape.starts_with("digits") && at.tied > 0;
            let groups = usize::from(at.tied > 1) * groups(self.near(range.start));
            if groups > 0 {
                self.mask(range.start..range.start + groups);
                return true;
            } else if is_told && text.len() > 3 && !is_type && !names_secret(text) {
                self.pieces(range.start..range.start + text.len(), false);
                return true;
            } else if is_number && Shape::Digits(3).fits(self.slice(&bare)) {
                self.mask(bare);
                return true;
            }
            let user = word.split_once(['/', ':']).map(|(user, _)| user);
            let is_login = user.is_some_and(|user| user.chars().all(char::is_alphabetic));
            let is_meant = match name.sentence {
                "sign" => has_sign || is_login,
                _ => at.tied > 0 || !is_loose,
            };
            let is_word = word.bytes().all(|byte| byte.is_ascii_lowercase());
            // `login.form.password.title2`
            let is_attached = at.place == 0 && between.is_empty() && word.starts_with('.');
            let shape = match is_word || is_attached {
                true => None,
                false => mention.said_shape(&at, word),
            };
            let is_tied = at.place == 0;
            let takes_lone = !is_word && mention.takes_lone(&at, word);
            is_found |= is_meant && !at.is_apart && self.said(bare.clone(), least, is_tied)
                || shape.is_some_and(|shape| self.said(bare.clone(), shape, true))
                || takes_lone && self.said(bare, Shape::Lone, is_tied);
            has_sign = ends(word, ":=：→⇒")
                || matches!(word, "->" | "=>")
                || word == "/" && (mention.is_pair || name.sentence != "asks");
            let is_tie = has_sign || word.len() <= LONGEST_TIE && TIES.hold(&word.to_lowercase());
            let at_end = at.is_apart && ends(word, ".?!;");
            at = Following {
                place: at.place + 1,
                tied: at.tied.saturating_sub(1).max(2 * usize::from(is_tie)),
                since_tie: if is_tie { 0 } else { at.since_tie + 1 },
                is_apart: at.is_apart || ends(word, ".?!;"),
                is_with_user: at.is_with_user || WITH.hold(word),
                last: word,
                is_listed: false,
                is_bracketed: at.is_bracketed && !begins(self.from(range.end), ")"),
                is_glued: false,
            };
            if at_end {
                break;
            }
        }
        is_found
    }

    /// Masks the secrets in `line`, which begins at `start` and ends where `name` begins; if one `is_found` behind it,
    /// only what is hardly anything else.
    fn in_front(
        &mut self,
        name: &SecretName,
        mention: &Mention,
        start: usize,
        line: &'t str,
        mut is_found: bool,
    ) {
        // `use … to log in`
        let mut words = spaced(line, start).rev();
        if mention.kind == "sign"
            && words.next().is_some_and(|word| self.slice(&word) == "to")
            && let Some(word) = words.next()
            && self.follows(&word, ENTER)
        {
            let bare = self.bare(word);
            self.said(bare, Shape::Lone, false);
        }
        let most = if is_loose(name) { 0 } else { WORDS_NEAR };
        let last = line.trim_end();
        let mut is_tied = !last.is_ascii() && last.len() == line.len() || ends(last, "(");
        let mut is_apart = false;
        for range in spaced(line, start).rev().take(most) {
            let (word, bare) = (self.slice(&range), self.bare(range.clone()));
            if ends(word, ".?!;") {
                if is_apart {
                    break;
                }
                is_apart = last.len() > range.end - start;
                // What begins with a name does not say what the sentence before ends with.
                is_tied &= is_apart;
            }
            is_found |= is_tied
                && !mention.is_compound
                && !is_found
                && self.said(bare.clone(), Shape::Chosen, true)
                || !is_apart && !is_found && self.said(bare.clone(), least(name), false)
                || mention.takes_lone(&Following::default(), word)
                    && self.said(bare, Shape::Lone, false);
            is_tied = TIES_BEFORE.hold(word) || is_tied && ARTICLES.hold(word);
        }
    }

    /// Masks the word at `range`, or the password of `user:password`, if it has this shape and is not a name. Unless it
    /// `is_tied` to the name of the secret, the word before it may explain it.
    fn said(&mut self, range: Range<usize>, shape: Shape, is_tied: bool) -> bool {
        let word = self.slice(&range);
        // Found from another name.
        if self.is_masked(range.start) || has(word, MASK) {
            return true;
        }
        let user = until(word, ":");
        if has(word, "://")
            || is_hash(user)
            || user.len() == 40 && user.len() < word.len() && is_hex(user)
        {
            return false;
        }
        // In `CZve=5Iq#L` no name stands before the sign.
        let is_name = |start: &str| !start.contains(|c: char| c.is_ascii_uppercase());
        let sign = word.find([':', '/', '=']).filter(|sign| {
            let (start, rest) = word.split_at(*sign);
            !begins(rest, "=") || is_name(start)
        });
        let password = sign.map_or(0, |sign| sign + 1);
        let found = [password, 0].into_iter().find(|start| {
            let text = word.get(*start..).unwrap_or_default();
            let is_chosen = !matches!(shape, Shape::Made(_));
            // `src/app2` is a path, `root/Rain-2` a login.
            let user = word.get(..start.saturating_sub(1)).unwrap_or_default();
            let is_path = has(word.get(..*start).unwrap_or_default(), "/") && !holds(USERS, user);
            if is_chosen && is_path {
                return false;
            }
            // `enter GRAVEL-66`
            let is_entered =
                || Shape::Chosen.fits(text) && !is_identifier(text) && self.follows(&range, ENTER);
            let fits = shape.fits(text) || shape == Shape::Lone && is_entered();
            if !fits || is_plain(text) || begins(text, "$-") {
                return false;
            }
            // `apiKey2` and `bcrypt12` are names.
            let bare = text.trim_end_matches(|c: char| c.is_ascii_digit());
            let is_word = bare.chars().all(|c| c.is_ascii_lowercase());
            let digits = text.len() - bare.len();
            let is_numbered = text.bytes().filter(u8::is_ascii_digit).count() > 2;
            let is_name = (is_of_secret(bare) || names_secret(text)) && !(is_chosen && is_numbered);
            let is_explained = || {
                !is_chosen && !has(text, ":") && is_identifier(text)
                    || !is_tied && self.is_explained(&range)
                    || !is_tied && !is_chosen && is_serial(text) && !has(text, "-")
            };
            let is_name = is_name || is_explained();
            let is_call = self.from(range.end).starts_with('(') && !ends(text, ODD);
            !is_name && !is_call && (is_chosen || !is_word || text.len() > 9 || digits > 2)
        });
        if let Some(start) = found {
            // `Rain&*()64`
            let rest = self.near(range.end);
            let more = match without_start(rest, ODD).starts_with("()") {
                true => until(rest, " ,").len(),
                false => 0,
            };
            self.pieces(range.start + start..range.end + more, false);
        }
        found.is_some()
    }

    /// True if one of `words` stands before `range`.
    fn follows(&self, range: &Range<usize>, words: &str) -> bool {
        const FILL: &str = "fill in ";
        let line = behind_last(self.before(range.start), "\n");
        let end = line.get(line.len().saturating_sub(FILL.len())..);
        let last = spaced(line, 0).next_back().unwrap_or_default();
        end.is_some_and(|end| end.eq_ignore_ascii_case(FILL))
            || (line.get(last)).is_some_and(|word| holds(words, &word.to_lowercase()))
    }

    /// True if the words before `range` say that it is the name or the number of something.
    fn is_explained(&self, range: &Range<usize>) -> bool {
        let line = behind_last(self.before(range.start), "\n");
        // `on the ticket, Rain-2`
        if ends(line.trim_end(), ",") {
            return false;
        }
        let before = spaced(line, 0).rev().filter_map(|word| line.get(word));
        let mut before = before.map(str::to_lowercase);
        let last = before.next().unwrap_or_default();
        let word = self.slice(range);
        let is_weak = !has_digit(word) && !word.contains(|c| ODD.contains(c));
        is_weak && PREPOSITIONS.hold(&last)
            || NAMES_NEXT.hold(last.trim_end_matches(':'))
            || is_hex(word) && before.chain([last]).any(|word| COMMITS.hold(&word))
    }
}

/// True if `text` may be code.
fn is_code(text: &str) -> bool {
    const SIGNS: [&str; 8] = ["{", "}", " = ", "==", "=>", "</", "/>", "();"];
    let is_tag = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphabetic());
    SIGNS.iter().any(|sign| has(text, sign))
        || text.split('<').skip(1).any(is_tag)
        || ends(text, ";")
}

/// True if only the next word is tied to `name`.
fn is_loose(name: &SecretName) -> bool {
    matches!(name.sentence, "sign" | "loose" | "capitals")
}

/// The shape of a secret anywhere near `name`.
fn least(name: &SecretName) -> Shape {
    Shape::Made(if name.shape == "made 12" { 12 } else { 6 })
}

/// True if `text` names secrets only as parts of names of something else: `password policy`.
pub(super) fn names_only_parts(text: &str) -> bool {
    names(text).all(|name| is_compound(text.get(name.range.end..).unwrap_or_default()))
}

/// True if `rest`, what follows a name, makes it the name of something else: `policy` after `password`.
fn is_compound(rest: &str) -> bool {
    let rest = rest
        .strip_prefix("'s")
        .or(rest.strip_prefix("’s"))
        .unwrap_or(rest);
    let next = until(without_start(rest, " -"), " .,:;?!\"'`)=");
    is_head(&next.to_ascii_lowercase())
}
