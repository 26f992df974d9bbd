//! What stands beside the name of a secret: `name=value`, `name: value`, `"name": "value"`, `<name>value</name>`,
//! `--name value`, `the name is value`, `value as the name`.

use std::ops::Range;

use super::names::{Name, is_of_secret, names};
use super::shapes::Shape;
use super::values::{Found, is_plain};
use super::words::{
    begins, behind_last, ends, has, holds, is_name, spaced, until, without_end, without_start,
};

/// How many words before and behind a name are looked at in a sentence.
const WORDS_NEAR: usize = 8;

/// What ties a name to what it is: `the password is …`.
const TIES: &str = "is was are 's = == : := -> => → ⇒ — – - to as now ist war lautet heißt lautete est était es era é è era \
    sera seria is: be this would will being equals reads using use with jest to: это теперь 是 为 為 ： は が は、 은 는 이 가 = olarak";

/// The same the other way round: `… as the password`.
const TIES_BEHIND: &str =
    "as is for als ist comme est como es é è come como are were jako как = 作为 を को olarak";

/// What may stand between, with the word behind it.
const PREPOSITIONS: &str =
    "for of on from at für von auf de del du do da della di dla voor van от для к за";

/// What may stand between.
const FILLERS: &str = "the a an my our your his her its new old root admin user current default db database das die der dem den \
    mein unser la le les l' el los lo il o os mon notre votre mi mio meu minha nuestra nosso de het mijn";

/// What may stand before a secret that a header holds.
const SCHEMES: &str = "bearer basic token digest apikey key bot negotiate geniekey";

impl Found<'_> {
    /// Masks what stands beside all names that say so.
    pub(super) fn names(&mut self) {
        let (mut quote, mut looked) = (None, 0);
        self.end = 0;
        for name in names(self.text) {
            // In which quotes of a shell it stands.
            for sign in self.slice(&(looked..name.range.start)).chars() {
                match quote {
                    None if matches!(sign, '"' | '\'') => quote = Some(sign),
                    Some(open) if open == sign => quote = None,
                    _ => {}
                }
            }
            looked = name.range.start;
            let is_known = self.is_taken(looked) || self.is_masked(looked);
            if !is_known && name.sentence != "none" {
                self.name(&name, quote);
            }
        }
    }

    fn name(&mut self, name: &Name, quote: Option<char>) {
        let before = self.before(name.range.start);
        let start = before.trim_end_matches(is_name).len();
        let prefix = before.get(start..).unwrap_or_default();
        let behind = self.near(name.range.end);
        let suffix = behind.len() - behind.trim_start_matches(is_name).len();
        let suffix = behind
            .get(..suffix)
            .unwrap_or_default()
            .trim_end_matches(['.', '-', '%']);
        let word = name.range.start - prefix.len()..name.range.end + suffix.len();
        let bare = prefix.trim_start_matches('-');
        let is_secret = name.shape == "any";
        let is_whole = suffix
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'_');
        // `PASSWORD_OF_TESTS="…"`, `PRIVATEKEY-…`
        let value = without_start(suffix, "-._");
        let has_digit = |piece: &str| piece.contains(|c: char| c.is_ascii_digit());
        let is_attached = is_secret
            && value.len() < suffix.len()
            && value.len() >= 16
            && value.split('-').all(has_digit);
        let shape = if is_whole { name.shape } else { "made 12" };
        // `"…" == password`
        let left = before.get(..start).unwrap_or_default().trim_end();
        if (left.ends_with("==") || left.ends_with("!=")) && is_secret {
            let text = without_end(left, "=! \"'");
            let at = text.rfind(['"', '\'']).unwrap_or(text.len());
            self.value(word.start - start + at, Shape::Made(6));
        }
        // `config set registry.token …`
        let is_set = || {
            let line = behind_last(before.get(..start).unwrap_or_default(), "\n;|&");
            is_secret
                && line
                    .split([' ', '('])
                    .any(|word| holds("set setx config", word))
        };
        if bare.starts_with("no-") || bare.starts_with("ask") {
        } else if is_attached {
            self.mask(word.end - value.len()..word.end);
        } else if shape != "-" && (is_whole || is_secret) && self.field(shape, &word, quote) {
        } else if is_whole
            && shape != "-"
            && (bare.len() < prefix.len() || !bare.is_empty() && is_set())
        {
            match name.shape {
                "list" => self.list(word.end + 1),
                shape => self.following(word.end, Shape::of(shape)),
            }
        } else if name.sentence != "field" {
            self.sentence(name);
        }
    }

    /// Masks the value of that shape in a field called `word`. True where there is one.
    fn field(&mut self, shape: &str, word: &Range<usize>, quote: Option<char>) -> bool {
        let (before, rest) = (self.before(word.start), self.near(word.end));
        let bare = without_start(rest, "\"'\\]}`*");
        let apart = without_start(bare, " ");
        let arrow = if apart.starts_with("->") { 1 } else { 0 };
        let behind = without_start(apart.get(arrow..).unwrap_or_default(), "=:>~!?→⇒：＝");
        let sign = apart.get(..apart.len() - behind.len()).unwrap_or_default();
        let is_element = sign == ">" && before.ends_with('<') && has(until(behind, ">"), "</");
        let value = without_start(behind, if is_element { " \t\r\n" } else { " \t" });
        let at = word.end + rest.len() - value.len();
        let (is_named, is_apart, has_spaces) = (
            bare.len() < rest.len(),
            apart.len() < bare.len(),
            value.len() < behind.len(),
        );
        let (is_secret, is_quoted) = (shape == "any", begins(without_start(value, "\\@"), "\"'`"));
        // `define('NAME', 'value')`, `password("value")`
        let argument = without_start(behind, ",( \\");
        let is_constant = !self.slice(word).contains(|c: char| c.is_lowercase());
        let is_argument = begins(argument, "\"'b")
            && (is_named && behind.starts_with(',')
                || behind.starts_with("(\"")
                || behind.starts_with("('"));
        if sign.is_empty() {
            if is_secret && is_argument && !self.beside(word.end) {
                let shape = if is_constant {
                    Shape::Any
                } else {
                    Shape::Made(6)
                };
                self.value(word.end + rest.len() - argument.len(), shape);
            }
            return is_secret && (is_argument || self.beside(word.end));
        }
        if sign == "::"
            || !(is_element || arrow > 0 || sign.contains(['=', ':', '→', '⇒', '：', '＝']))
        {
            return false;
        }
        // `'PASSWORD='; rm x; echo ''`: the quote is the end of the text. `grep token= file`: nothing is assigned.
        let is_end = quote.is_some_and(|quote| value.starts_with(quote))
            || (sign == ":" && begins(behind, "\"'"));
        let is_closed =
            is_end && !is_named && !value.chars().nth(1).is_some_and(char::is_alphanumeric);
        if is_closed || (sign == "=" && has_spaces && !is_apart && !is_named) {
            return true;
        }
        let line = behind_last(before, "\n");
        let starts_line = without_start(line, " \t-").is_empty() || line == "export ";
        let is_document = self.writes && begins(value, "\r\n") || begins(value, "|>");
        let name = self.slice(word);
        match shape {
            "list" if sign == ":" => self.list(at),
            "map" if sign == ":" && (name != "data" || has(self.text, "kind: Secret")) => {
                self.block(line, word.end, true);
            }
            "list" | "map" => {}
            "any" if sign == ":" && is_document => self.block(line, word.end + 1, false),
            _ => {
                let is_compared = has(sign, "==") || has(sign, "!=");
                let value_line = without_end(until(value, "\n").trim_end(), ")");
                let ends_line = !value_line.contains(|c| " (<[.?\"'{},)".contains(c));
                let is_line = !is_compared && ends_line && (starts_line || sign == ":");
                let is_header = name.ends_with("uthorization")
                    || (has(name, "-") && !begins(name, "abcdefghijklmnopqrstuvwyz"));
                let is_direct = sign.starts_with('=') && !is_apart && !has_spaces;
                let is_told =
                    is_named || is_quoted || is_line || is_header || is_direct || is_element;
                let is_key = shape.starts_with("made") && name.ends_with("_KEY");
                let scheme = until(without_start(value, "\"'`"), " ");
                let shape = match Shape::of(if is_key { "any" } else { shape }) {
                    Shape::Any if is_compared => Shape::Made(12),
                    Shape::Any if !is_told => Shape::Made(6),
                    shape => shape,
                };
                if holds(SCHEMES, &scheme.to_ascii_lowercase()) && has(value, " ") {
                    let quotes = value.len() - without_start(value, "\"'`").len();
                    self.following(at + quotes + scheme.len(), Shape::Any);
                } else {
                    self.value(at, shape);
                }
                // In a file of variables a value goes up to the end of its line.
                if self.is_taken(at + 1)
                    && starts_line
                    && self.writes
                    && !is_quoted
                    && has(self.text, ".env")
                {
                    self.pieces(at..at + until(self.from(at), "\n").len(), true);
                }
                if self.is_taken(at + 1) && quote.is_none() && is_direct {
                    self.tail(at);
                }
                return self.is_taken(at + 1);
            }
        }
        true
    }

    /// Masks the value beside the name of a secret that ends before `end`: `- name: TOKEN`, `value: …`,
    /// `variable "token" { default = "…" }`. True where there is one.
    fn beside(&mut self, end: usize) -> bool {
        let rest = self.near(end);
        let word = without_start(rest, "\"'\\{},> \r\n\t");
        let name = word.trim_start_matches(is_name);
        let value = without_start(name, "\"'\\ :=");
        let sign = name.get(..name.len() - value.len()).unwrap_or_default();
        let is_value = matches!(word.strip_suffix(name), Some("value" | "default" | "Value"))
            && sign.contains([':', '=']);
        if is_value {
            let quoted = sign.len() - sign.trim_end_matches(['"', '\'', '\\']).len();
            self.value(end + rest.len() - value.len() - quoted, Shape::Any);
        }
        is_value
    }

    /// Masks the lines below `at` that stand further in than `line`: all of them, or of a map the values.
    fn block(&mut self, line: &str, at: usize, is_map: bool) {
        let depth = |line: &str| line.len() - without_start(line, " -").len();
        let outer = depth(line);
        // All in one line: `"stringData":{"k":"…"}`
        let rest = self.near(at);
        let map = without_start(rest, "\": \\");
        if let Some(map) = map.strip_prefix('{').filter(|_| is_map) {
            let start = at + rest.len() - map.len();
            for (sign, _) in until(map, "}").match_indices(':') {
                self.value(start + sign + 1, Shape::Any);
            }
            return;
        }
        let mut start = at + until(self.from(at), "\n").len() + 1;
        for line in self.from(start).split('\n') {
            let text = line.trim();
            // The next level of a document is no value.
            let is_level = !is_map && (text.ends_with(':') || has(text, ": "));
            if is_level || (depth(line) <= outer && !text.is_empty()) {
                break;
            }
            match line.find(": ").filter(|_| is_map) {
                Some(sign) => self.value(start + sign + 2, Shape::Any),
                None => self.pieces(start + depth(line)..start + line.len(), false),
            }
            start += line.len() + 1;
        }
        self.end = self.end.max(start);
    }

    /// Masks the values of `a=1; b=2`, up to the end of the quoted text.
    pub(super) fn list(&mut self, at: usize) {
        let text = self.near(at);
        let start = at + text.len() - without_start(text, " \"'").len();
        let list = until(self.near(start), "\"'\n");
        for (sign, _) in list.match_indices('=') {
            self.value(start + sign + 1, Shape::Any);
        }
    }

    /// Masks what the sentence around `name` says to be a secret: what is tied to it and is no word.
    fn sentence(&mut self, name: &Name) {
        let Range { start, end } = name.range;
        let (before, rest) = (self.before(start), self.near(end));
        // Its ending, in any language.
        let is_latin = self.slice(&name.range).is_ascii();
        let ending = rest.len()
            - rest
                .trim_start_matches(|c: char| c.is_alphabetic() && c < '\u{2E80}')
                .len();
        let most = if end - start < 5 { 1 } else { 4 };
        let is_word = !is_latin || ending <= most;
        // Most sentences have nothing that could be one.
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || b" .,-\n".contains(&byte);
        let is_told = !before.bytes().chain(rest.bytes()).all(is_plain);
        if is_told && is_word && !begins(self.near(end + ending), "_-([/=") {
            self.behind_name(end + ending, name);
            self.before_name(start);
        }
    }

    fn behind_name(&mut self, end: usize, name: &Name) {
        let rest = until(self.near(end), "\n");
        let mut is_named = begins(rest, ":=：");
        // `user bob, pass …`
        let is_clause = ends(self.before(name.range.start).trim_end(), ",/") && name.shape == "any";
        let needs_sign = name.sentence == "sign";
        let is_loose = needs_sign || matches!(name.sentence, "loose" | "capitals");
        let mut is_tied = !is_loose || is_clause || (is_named && !needs_sign);
        let mut is_over = false;
        for (place, range) in spaced(rest, end).take(WORDS_NEAR).enumerate() {
            let (word, bare) = (self.slice(&range), self.bare(range.clone()));
            let text = self.slice(&bare);
            // `the password is "two words"`
            if is_tied && name.shape == "any" && begins(word, "\"'") {
                let (quoted, ..) = self.bounds(range.start);
                let text = self.slice(&quoted);
                let is_told = is_named || (place == 0 && rest.starts_with(' ') && has(text, " "));
                if is_told && quoted.len() >= 4 && !is_plain(text) {
                    return self.pieces(quoted, false);
                }
            }
            let is_number = name.shape.starts_with("digits") && Shape::Digits(3).fits(text);
            if is_number && (is_named || place == 0) {
                return self.pieces(bare, false);
            }
            if is_tied && self.said(&bare) {
                return;
            }
            let is_tie = ends(word, ":=：/→") || (holds(TIES, word) && !needs_sign);
            let is_filler = (is_tied || is_over) && (text.is_empty() || holds(FILLERS, word));
            is_named |= is_tie;
            // The word behind a preposition may be any.
            let goes_on = is_over && is_filler || is_tied && holds(PREPOSITIONS, word);
            is_tied = is_tie || (is_over && !is_filler) || (is_tied && is_filler);
            is_over = goes_on && !is_tie;
            if ends(word, ".?!;") {
                return;
            }
        }
    }

    fn before_name(&mut self, at: usize) {
        let line = behind_last(self.before(at), "\n");
        // Scripts without blanks have no words to tie with.
        let mut is_tied = ends(line, "为為をにの작로");
        for range in spaced(line, at - line.len()).rev().take(WORDS_NEAR) {
            let bare = self.bare(range.clone());
            let word = self.slice(&range);
            if (is_tied && self.said(&bare)) || ends(word, ".?!;") {
                return;
            }
            let is_filler = is_tied && holds(FILLERS, &word.to_lowercase());
            // `it is … (the password)`
            is_tied = is_filler || begins(word, "(") || holds(TIES_BEHIND, word);
        }
    }

    /// `range` without the quotes and stops around it.
    pub(super) fn bare(&self, range: Range<usize>) -> Range<usize> {
        let word = self.slice(&range);
        let is_around = |c: char| {
            !c.is_alphanumeric() && "\"'`*„“”«»‘’「」『』()[]{}<>,.:;?!：。，、？！".contains(c)
        };
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
            let is_name = || {
                begins(text, "$")
                    || is_of_secret(text.trim_end_matches(|c: char| c.is_ascii_digit()))
            };
            if Shape::Made(6).fits(text) && !is_plain(text) && !is_name() {
                self.pieces(range.start + start..range.end, false);
                return true;
            }
        }
        false
    }
}
