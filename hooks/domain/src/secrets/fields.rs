//! Secrets next to their names: `name=value`, `name: value`, `"name": "value"`, `<name>value</name>`, `--name value`.

use std::ops::Range;

use super::found::{FoundSecrets, MASK};
use super::shapes::{
    Shape, begins, behind_last, ends, has, holds, is_digits, is_name, until, without_start,
};
use super::words::is_pair;
use crate::text::without_accents;
use crate::tsv::{TsvFile, lines, starts};
use crate::words::Starts;

/// Words that may precede a secret in a header.
const SCHEMES: &str = "bearer basic token digest apikey key bot negotiate geniekey";

impl FoundSecrets<'_> {
    /// Masks the values next to all names of secrets.
    pub(super) fn names(&mut self) {
        self.end = 0;
        for name in names(self.text) {
            let start = name.range.start;
            if start >= self.end && !self.is_masked(start) && name.sentence != "none" {
                self.name(&name);
            }
        }
    }

    fn name(&mut self, name: &SecretName) {
        let Range { start, end } = name.range;
        let (before, behind) = (self.before(start), self.near(end));
        let word = start - before.len() + before.trim_end_matches(is_name).len();
        let prefix = self.slice(&(word..start));
        let suffix = behind.len() - behind.trim_start_matches(is_name).len();
        let suffix = self.slice(&(end..end + suffix));
        let suffix = suffix.trim_end_matches(['.', '-', '%']);
        let word = word..end + suffix.len();
        let is_whole = suffix.bytes().all(|b| b.is_ascii_digit() || b == b'_');
        let flag = without_start(prefix, "-");
        // `secretKeyRef: {…}` says where the secret is.
        if flag.starts_with("no-") || flag.starts_with("ask") || suffix.starts_with("Ref") {
            return;
        }
        let shape = Shape::of(if is_whole { name.shape } else { "made 12" });
        let path = until(behind, " \"'`<>\\)],");
        let is_flag = flag.len() < prefix.len();
        let is_done = match name.sentence {
            "path" => self.mask_if(end..end + path.len(), None, Shape::Any),
            "login" => self.login(end),
            _ if name.shape == "-" || !(is_whole || name.shape == "any") => false,
            _ => {
                self.assigned(name.shape, shape, &word)
                    || is_whole && is_flag && self.following(word.end, shape)
            }
        };
        // `credentials: bob / …`
        if (!is_done || is_pair(self.slice(&name.range))) && !is_flag && name.sentence != "field" {
            self.sentence(name);
        }
    }

    /// Masks the value that a sign assigns to `word`, a name with values of this kind and shape. True if there is one.
    fn assigned(&mut self, kind: &str, shape: Shape, word: &Range<usize>) -> bool {
        let (before, rest) = (self.before(word.start), self.near(word.end));
        let closed = without_start(rest, "\"'\\]}`*");
        let apart = without_start(closed, " ");
        let behind = without_start(apart.strip_prefix("->").unwrap_or(apart), "=:>~!?→⇒：＝");
        let sign = apart.get(..apart.len() - behind.len()).unwrap_or_default();
        let value = without_start(behind, if sign == ">" { " \t\r\n" } else { " \t" });
        let at = word.end + rest.len() - value.len();
        let (is_named, is_apart) = (closed.len() < rest.len(), apart.len() < closed.len());
        let has_spaces = value.len() < behind.len();
        let is_element = sign == ">" && (before.ends_with('<') || is_named) && has(value, "</");
        if sign.is_empty() || (sign == ">" && !is_element) {
            return kind == "any" && self.beside(word, is_named);
        }
        if matches!(sign, "::" | "~" | "!" | "?") {
            return false;
        }
        // `'PASSWORD='; rm x; echo ''`: the quote ends the text. `grep token= file`: nothing is assigned.
        let is_end = |quoted: &str| quoted.is_empty() || begins(quoted, " ;|&),\n");
        let is_closed = begins(value, "\"'") && value.get(1..).is_some_and(is_end);
        if !is_named && is_closed {
            return sign.starts_with('=');
        }
        let name = self.slice(word);
        let line = behind_last(before, "\n");
        let starts_line = without_start(line, " \t-").is_empty() || line == "export ";
        let is_document = (self.writes && begins(value, "\r\n")) || begins(value, "|>{");
        match kind {
            "list" if sign.starts_with(':') => {
                let start = at + value.len() - without_start(value, "\"'").len();
                self.entries(
                    start..start + until(self.near(start), "\"'\n").len(),
                    ';',
                    Shape::Any,
                );
                return true;
            }
            "map" if sign == ":" && (name != "data" || has(self.text, "kind: Secret")) => {
                self.block(line, at, true);
                return true;
            }
            "list" | "map" => return true,
            _ if kind == "any" && sign == ":" && is_document => {
                let is_map = name.eq_ignore_ascii_case("secrets");
                self.block(line, at, is_map);
                return true;
            }
            _ => {}
        }
        let is_last = !until(value, "\n)")
            .trim_end()
            .contains(|c| " (<[.?\"'{},".contains(c));
        let is_header = name.ends_with("uthorization")
            || before.trim_end_matches(['"', '\'', ' ']).ends_with(" -H")
            || (has(name, "-") && begins(name, "xABCDEFGHIJKLMNOPQRSTUVWXYZ"));
        let is_direct = sign.starts_with('=') && !is_apart && !has_spaces;
        let is_quoted = begins(without_start(value, "\\@"), "\"'`");
        let is_line = is_last && (starts_line || sign == ":");
        let is_told = is_named || is_quoted || is_line || is_header || is_direct || is_element;
        let shape = match shape {
            Shape::Any if !is_told => Shape::Made(6),
            Shape::Made(_) if is_told && (name.ends_with("_KEY") || name.ends_with("-Key")) => {
                Shape::Any
            }
            shape => shape,
        };
        let text = without_start(value, "\"'`");
        let scheme = until(self.near(at + value.len() - text.len()), " ");
        if holds(SCHEMES, &scheme.to_ascii_lowercase()) && has(text, " ") {
            return self.following(at + value.len() - text.len() + scheme.len(), shape);
        }
        // `token: AccessToken` is a type.
        let kind = until(self.near(at), " ,;)\n");
        let is_type = kind.bytes().all(|b| b.is_ascii_alphabetic()) && is_of_secret(kind);
        // `Token: short-lived` is a label.
        let is_label = begins(name, "TS") && is_compound_word(until(self.near(at), "\n"));
        if !is_quoted && !is_direct && (is_type || is_label) {
            return true;
        }
        if value.starts_with(MASK) {
            return true;
        }
        let is_masked = self.value(at, shape);
        // In a file of variables, a value ends with its line; in a shell, with its word.
        let next = self.bounds(at).2;
        let behind = self.from(next);
        let is_line = starts_line && self.writes && has(self.text, ".env");
        let is_more = begins(behind, "\"'") && !behind.get(1..).is_some_and(is_end);
        let goes_on = is_more || (is_quoted && !begins(behind, " ,;)}]\n&|"));
        if is_masked && is_line && !is_quoted {
            self.pieces(next..next + until(behind, "\n").len(), true);
        } else if is_masked && is_direct && goes_on {
            self.value(next, Shape::Any);
        }
        // `password: Winter&rain4`: where a space follows the sign, `&` begins no other field, and `$` hardly a variable.
        let rest = without_start(behind, "&$");
        let is_more = rest.len() + 1 == behind.len() && rest.starts_with(char::is_alphanumeric);
        let is_small = || until(rest, " \n").contains(|c: char| c.is_ascii_lowercase());
        if is_masked && has_spaces && !is_quoted && is_more && is_small() {
            self.value(next + 1, Shape::Any);
        }
        is_masked
    }

    /// Masks the value next to the name of a secret at `word`: `- name: TOKEN`, `value: …`,
    /// `variable "token" { default = "…" }`, `define('NAME', 'value')`, `password("value")`. True if there is one.
    fn beside(&mut self, word: &Range<usize>, is_named: bool) -> bool {
        let rest = self.near(word.end);
        let next = without_start(rest, "\"'\\{}],> \r\n\t");
        let name = next.trim_start_matches(is_name);
        let sign = without_start(name, "\"'\\ ");
        let argument = without_start(rest, "\"'],( \\");
        let argument = word.end + rest.len() - argument.len() - 1;
        let is_value = matches!(next.strip_suffix(name), Some("value" | "default" | "Value"));
        if is_value && begins(sign, ":=") {
            let value = without_start(sign, ": =");
            return self.value(word.end + rest.len() - value.len(), Shape::Any);
        }
        let is_constant = !self.slice(word).contains(char::is_lowercase);
        let is_call = begins(rest, "(") || (is_named && begins(without_start(rest, "\"'] "), ","));
        let shape = Shape::Made(6).or_any(is_constant);
        is_call && begins(self.from(argument), "\"'") && self.value(argument, shape)
    }

    /// Masks the contents of the braces at `at`, or the following lines that are indented more than `line`, up to the
    /// next name if they are not a map.
    fn block(&mut self, line: &str, at: usize, is_map: bool) {
        let rest = self.from(at);
        if let Some(map) = rest.strip_prefix('{') {
            let map = until(map, "}");
            // A schema says what a secret looks like.
            if !has(map, "\"type\":") {
                self.entries(at + 1..at + 1 + map.len(), ',', Shape::Any);
            }
            return;
        }
        let depth = |line: &str| line.len() - without_start(line, " -").len();
        let is_name = |text: &str| ends(text.trim_end(), ":") || has(text, ": ");
        let is_within = |text: &&str| {
            (depth(text) > depth(line) || text.trim().is_empty()) && (is_map || !is_name(text))
        };
        let start = at + until(rest, "\n").len() + 1;
        let lines = self.from(start).split('\n').take_while(is_within);
        let end = start + lines.map(|text| text.len() + 1).sum::<usize>();
        self.entries(start..end.min(self.text.len()), '\n', Shape::Any);
        self.end = self.end.max(end);
    }

    /// Masks the password of `user:password` at `at`. True if there is one.
    pub(super) fn login(&mut self, at: usize) -> bool {
        let (range, quote, _) = self.bounds(at);
        let login = self.slice(&range);
        // Oracle's form is `user/password@place`.
        let place = login.rfind('@').unwrap_or_default();
        let oracles = login.find('/').filter(|sign| (1..place).contains(sign));
        let sign = oracles.or_else(|| login.find([':', '%', ',']));
        let Some(sign) = sign.filter(|_| !has(login, "://") && !is_number(login)) else {
            return false;
        };
        let password = range.start + sign + 1;
        let end = oracles.map_or(range.end, |_| range.start + place);
        // `bob:'…'`
        if password == end && begins(self.from(end), "\"'") {
            return self.value(end, Shape::Any);
        }
        self.pieces(password..end, quote != Some('\''));
        true
    }
}

/// True for two words in small letters: `short-lived`.
fn is_compound_word(value: &str) -> bool {
    let is_word = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    value
        .split_once('-')
        .is_some_and(|(one, other)| is_word(one) && is_word(other))
}

/// True for ports, user ids and times: digits with signs between them.
fn is_number(value: &str) -> bool {
    let digits = value.replace(['"', '\'', ':', '.'], "");
    !digits.is_empty() && is_digits(&digits) && value.len() < 12
}

// Names of secrets, in the languages in which plantune reads questions.

const FILE: &str = include_str!("names.tsv");

/// Names in the form of [`letter`], with a space for any separator between their words; how they name a secret in a
/// sentence, its shape in a field (`any`, `list`: `a=1; b=2`, `map`: names and values, `-`: none), and whether the name
/// is the `start` or `end` of a word or a whole `word`. In a sentence, a name
///
/// - `asks`, the default: made-up words near it are secrets, and a question with it asks for one
/// - `capitals`: a question with it asks for one if it is in capitals
/// - `tied`: made-up words near it are secrets
/// - `loose`: only a word next to it
/// - `sign`: only a word next to it, with a sign between them
/// - `field`: has no effect
/// - `none`: is not the name of a secret: `compass`
///
/// After `path`, in an address, anything is a secret; after `login` come a user and a password.
static NAMES: TsvFile = TsvFile::new(FILE, &starts::<{ lines(FILE) }>(FILE));

/// A name in a text.
pub(super) struct SecretName {
    pub(super) range: Range<usize>,
    pub(super) shape: &'static str,
    pub(super) sentence: &'static str,
}

/// The names in `text`, in order.
pub(super) fn names(text: &str) -> impl Iterator<Item = SecretName> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let found = next(text, at)?;
        at = found.range.end;
        Some(found)
    })
}

/// The first name that begins at `at` or later. Not inlined, to keep the hook small.
#[inline(never)]
fn next(text: &str, at: usize) -> Option<SecretName> {
    let bytes = text.as_bytes();
    let mut places = (at..text.len()).filter(|at| may_begin(bytes, *at));
    places.find_map(|at| name_at(text, at))
}

static NAME_STARTS: Starts = Starts::of(FILE.as_bytes(), b'\n');

/// The three bytes at `at`, if each is a letter of its own in the form of a table.
fn three_letters(text: &[u8], at: usize) -> Option<[u8; 3]> {
    let [one, two, three]: [u8; 3] = *text.get(at..)?.first_chunk()?;
    let are_themselves =
        (one | two | three).is_ascii() && one != b'%' && two != b'%' && three != b'%';
    are_themselves.then_some([one, two, three])
}

/// False if no name begins at `at`, which most positions of a text show in three letters.
fn may_begin(text: &[u8], at: usize) -> bool {
    three_letters(text, at).is_none_or(|letters| NAME_STARTS.hold(letters))
}

/// The longest name that begins at `at`.
fn name_at(text: &str, at: usize) -> Option<SecretName> {
    let is_there = |name: &str| matched(name, text, at).is_some();
    let near = three_letters(text.as_bytes(), at).and(text.as_bytes().get(at..));
    let rows = NAMES.rows(pair(text, at)?, near.unwrap_or_default(), &is_there);
    let found = rows
        .into_iter()
        .filter_map(|[name, sentence, shape, edges]| {
            let end = matched(name, text, at)?;
            let starts_word = matches!(edges, "start" | "word");
            let ends_word = matches!(edges, "end" | "word");
            let is_it = (!starts_word || is_edge(text, at)) && (!ends_word || is_edge(text, end));
            // A flag ends at a space: what follows `--password` is its value, not a part of `password manager`.
            let is_flag = text.get(..at).is_some_and(|before| before.ends_with('-'));
            let is_it =
                is_it && !(is_flag && text.get(at..end).is_some_and(|name| name.contains(' ')));
            let or = |column: &'static str, usual| if column.is_empty() { usual } else { column };
            is_it.then_some(SecretName {
                range: at..end,
                shape: or(shape, "any"),
                sentence: or(sentence, "asks"),
            })
        });
    found.max_by_key(|name| name.range.end)
}

/// The first two bytes of the text at `at` in the form of a table; `None` inside a character.
pub(super) fn pair(text: &str, at: usize) -> Option<[u8; 2]> {
    if let Some([one, other]) = text.as_bytes().get(at..at + 2)
        && one.is_ascii()
        && other.is_ascii()
        && *one != b'%'
        && *other != b'%'
    {
        return Some([one.to_ascii_lowercase(), other.to_ascii_lowercase()]);
    }
    let (one, next) = letter(text, at)?;
    let mut bytes = [0; 8];
    let length = one.encode_utf8(&mut bytes).len();
    if let Some((other, _)) = letter(text, next) {
        other.encode_utf8(bytes.get_mut(length..)?);
    }
    Some([bytes[0], bytes[1]])
}

/// The letter of the text at `at`, in lower case and without accents, and the position of the next one. `%41` in an
/// address is one letter.
fn letter(text: &str, at: usize) -> Option<(char, usize)> {
    let mut letters = text.get(at..)?.char_indices();
    let (before, c) = letters.find(|(_, c)| !('\u{300}'..'\u{370}').contains(c))?;
    let start = at + before + c.len_utf8();
    let code = text.get(start..start + 2).filter(|_| c == '%');
    if let Some(code) = code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
        return Some((char::from(code.to_ascii_lowercase()), start + 2));
    }
    let small = c.to_lowercase().next()?;
    if !('\u{80}'..'\u{250}').contains(&small) {
        return Some((small, start));
    }
    let plain = without_accents(small.encode_utf8(&mut [0; 4]))
        .chars()
        .next();
    Some((plain.unwrap_or(small), start))
}

/// The end of `name` if it is in `text` at `at`.
fn matched(name: &str, text: &str, at: usize) -> Option<usize> {
    name.chars().try_fold(at, |at, wanted| match wanted {
        ' ' => Some(text.len() - without_start(text.get(at..)?, " _-.'’/").len()),
        _ => {
            let (letter, next) = match text.as_bytes().get(at) {
                Some(byte) if byte.is_ascii() && *byte != b'%' => {
                    (char::from(byte.to_ascii_lowercase()), at + 1)
                }
                _ => letter(text, at)?,
            };
            (letter == wanted).then_some(next)
        }
    })
}

/// True at the start or end of a word: `xToken`, `token2`.
fn is_edge(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at_checked(at).unwrap_or_default();
    let (Some(before), Some(after)) = (before.chars().next_back(), after.chars().next()) else {
        return true;
    };
    let is_hump = before.is_lowercase() && after.is_uppercase();
    !before.is_alphanumeric() || !after.is_alphabetic() || is_hump
}

/// True for a text that names a secret, or how somebody logs in.
pub(crate) fn names_login(text: &str) -> bool {
    names(text).any(|name| matches!(name.sentence, "asks" | "sign"))
}

/// True for a text that names a secret.
pub(crate) fn names_secret(text: &str) -> bool {
    let is_small = |range: Range<usize>| {
        text.get(range)
            .unwrap_or_default()
            .contains(char::is_lowercase)
    };
    names(text).any(|name| match name.sentence {
        "capitals" => !is_small(name.range),
        sentence => sentence == "asks",
    })
}

/// True if `word`, the name of a variable or a field, ends with the name of a secret.
pub(super) fn is_of_secret(word: &str) -> bool {
    names(word).any(|name| name.shape == "any" && name.range.end == word.len())
}
