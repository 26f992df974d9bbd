//! One reading of a text: its words, numbers, values, names, files and code, in order. Everything that compares texts
//! compares readings, so there is no other tokenizer of prose.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use crate::sanitize::{is_dangerous, line};
use crate::text::fold;
use crate::words::{KnownWords, WordList, stem_of};

static GRAMMAR: WordList = WordList::of(include_str!("signs.txt"), "grammar");

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A word, compared by its stem.
    Word,
    /// A plain number. It may vary, within bounds.
    Number,
    /// An amount, share, version, date or address. Only values that were seen are known.
    Value,
    /// A name with digits, or a branch: `US-12`, `feat/search`. It may vary.
    Id,
    /// A file or folder. Its name may vary, not its folder and ending.
    File,
    /// An identifier, or what stands in backticks. Compared as it is.
    Code,
    /// A question mark at the end of a sentence.
    Asks,
}

/// One token of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// The token as written; a word in lower case.
    pub text: Rc<str>,
    /// What is compared: the stem of a word, `#` for a number, `=` for a value, `@` for an id, folder and ending of a
    /// file, code in backticks.
    pub form: Rc<str>,
    /// The number of its sentence, from 0.
    pub sentence: usize,
    /// True if a comma, colon, bracket or dash stands before it, or a new sentence begins with it.
    pub breaks: bool,
}

impl Token {
    /// The words in it, in lower case: of a word itself, of any other token the words that its name is made of.
    pub fn words(&self) -> Vec<String> {
        match self.kind {
            TokenKind::Word => vec![self.text.to_string()],
            TokenKind::Number | TokenKind::Asks => Vec::new(),
            TokenKind::Value | TokenKind::Id | TokenKind::File | TokenKind::Code => {
                name_words(&self.text)
            }
        }
    }

    /// The value of a plain number.
    pub fn number(&self) -> Option<u64> {
        let digits = || self.text.chars().filter(char::is_ascii_digit);
        (self.kind == TokenKind::Number)
            .then(|| digits().collect::<String>().parse().unwrap_or(u64::MAX))
    }
}

/// The reading of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Its tokens.
    pub tokens: Vec<Token>,
}

impl Reading {
    /// The reading of `text`.
    pub fn of(text: &str) -> Self {
        let text = shown(text);
        let mut reader = TextReader::default();
        let mut rest = text.as_ref();
        while let Some((before, after)) = rest.split_once('`') {
            let fence = if after.starts_with("``") { "```" } else { "`" };
            let inside = after.strip_prefix("``").unwrap_or(after);
            let Some((code, next)) = inside.split_once(fence) else {
                break;
            };
            reader.read_prose(before);
            reader.push(TokenKind::Code, code.trim(), format!("`{}`", code.trim()));
            rest = next;
        }
        reader.read_prose(rest);
        reader.join_spaced_letters();
        Self {
            tokens: reader.tokens,
        }
    }

    /// The text without its numbers, values and names, which may vary: equal each time that the same question is asked.
    pub fn form(&self) -> String {
        form(self.tokens.iter())
    }

    /// The same, but only of the sentences that ask.
    pub(crate) fn asking_form(&self) -> String {
        form(self.asking())
    }

    /// The tokens of the sentences that ask; of the last sentence if none does.
    pub fn asking(&self) -> impl Iterator<Item = &Token> {
        let marks = self
            .tokens
            .iter()
            .filter(|token| token.kind == TokenKind::Asks);
        let mut sentences: Vec<usize> = marks.map(|token| token.sentence).collect();
        if sentences.is_empty() {
            sentences.extend(self.tokens.last().map(|token| token.sentence));
        }
        let tokens = self.tokens.iter();
        tokens.filter(move |token| sentences.binary_search(&token.sentence).is_ok())
    }

    /// The plain numbers.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.tokens.iter().filter_map(Token::number)
    }

    /// The amounts, shares, versions, dates and addresses.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        let values = self
            .tokens
            .iter()
            .filter(|token| token.kind == TokenKind::Value);
        values.map(|token| &*token.text)
    }
}

/// `text` as a terminal shows it: without escape sequences and invisible characters.
fn shown(text: &str) -> Cow<'_, str> {
    match text.contains(|c| !matches!(c, ' '..='~' | '\n') && is_dangerous(c)) {
        true => Cow::Owned(text.split('\n').map(line).collect::<Vec<_>>().join("\n")),
        false => Cow::Borrowed(text),
    }
}

fn form<'t>(tokens: impl Iterator<Item = &'t Token>) -> String {
    let mut form = String::new();
    for token in tokens.filter(|token| !is_grammar(token)) {
        if !form.is_empty() {
            form.push(' ');
        }
        form.push_str(&token.form);
    }
    form
}

fn is_grammar(token: &Token) -> bool {
    token.kind == TokenKind::Word && GRAMMAR.holds(&token.text)
}

/// The words of a name, in lower case: `drop-users_tableNow.md` has `drop`, `users`, `table`, `now`, `md`.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for c in name.chars() {
        let parts = !c.is_alphabetic() || c.is_uppercase() && was_lower;
        if parts && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphabetic() {
            word.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Reads a text from front to back.
#[derive(Default)]
struct TextReader {
    tokens: Vec<Token>,
    sentence: usize,
    /// True if the sentence has ended, so that the next token begins another one.
    has_ended: bool,
    breaks: bool,
}

/// Characters around a word that are not part of it.
const AROUND: &str = "\"'“”„«»‘’()[]{}<>*_~,;:!?.…—–-=|#+•·&^";

/// Characters before which a clause ends.
const BREAKING: &str = ",;:()[]—–|";

/// Signs of currencies.
const CURRENCIES: &str = "$€£¥₹₽₩₺₴₪";

/// The beginnings of the names of branches.
const BRANCHES: [&str; 14] = [
    "bugfix", "chore", "ci", "docs", "feat", "feature", "fix", "hotfix", "issue", "origin",
    "refactor", "release", "task", "test",
];

impl TextReader {
    fn read_prose(&mut self, text: &str) {
        for (number, line) in text.split('\n').enumerate() {
            // A line is a sentence by itself, as in a list.
            if number > 0 {
                self.end_sentence();
            }
            for written in line.split_whitespace() {
                self.read(written);
            }
        }
    }

    fn end_sentence(&mut self) {
        self.has_ended |= !self.tokens.is_empty();
    }

    fn push(&mut self, kind: TokenKind, text: impl Into<Rc<str>>, form: impl Into<Rc<str>>) {
        if std::mem::take(&mut self.has_ended) {
            self.sentence += 1;
            self.breaks = true;
        }
        self.tokens.push(Token {
            kind,
            text: text.into(),
            form: form.into(),
            sentence: self.sentence,
            breaks: std::mem::take(&mut self.breaks) || self.tokens.is_empty(),
        });
    }

    /// Reads one written word with the marks around it.
    fn read(&mut self, written: &str) {
        // Most words have no mark at all.
        if written.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return self.read_letters(written);
        }
        let is_around = |c: char| !c.is_ascii_alphanumeric() && AROUND.contains(c);
        let start =
            written.trim_start_matches(|c: char| is_around(c) && !matches!(c, '.' | '~' | '-'));
        let end = written.trim_end_matches(is_around);
        let own =
            match start.starts_with("./") || start.starts_with("../") || start.starts_with("~/") {
                true => start.trim_end_matches(is_around),
                false => start.trim_matches(is_around),
            };
        self.breaks |= written
            .chars()
            .take_while(|c| is_around(*c))
            .any(|c| BREAKING.contains(c))
            || own.is_empty() && matches!(written, "-" | "—" | "–");
        if !own.is_empty() {
            self.read_word(own);
        }
        let behind = written.get(end.len()..).unwrap_or_default();
        if behind.contains('?') {
            self.push(TokenKind::Asks, "?", "?");
        }
        if behind.contains(['.', '?', '!', ':', '…']) {
            self.end_sentence();
        }
        self.breaks |= behind.contains(|c| BREAKING.contains(c));
    }

    /// Reads a word of plain letters.
    fn read_letters(&mut self, own: &str) {
        match is_camel(own) {
            true => self.push(TokenKind::Code, own, format!("`{own}`")),
            false if own.bytes().all(|byte| byte.is_ascii_lowercase()) => self.push_word(own),
            false => self.push_word(&own.to_ascii_lowercase()),
        }
    }

    fn read_word(&mut self, own: &str) {
        if own.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return self.read_letters(own);
        }
        if own.contains("://") || is_mail(own) || own.contains(|c| CURRENCIES.contains(c)) {
            return self.push(TokenKind::Value, own.to_lowercase(), "=");
        }
        if own.bytes().any(|byte| byte.is_ascii_digit()) {
            return self.read_with_digits(own);
        }
        if is_path(own) {
            return self.push(TokenKind::File, own, file_form(own));
        }
        if let Some((first, _)) = own.split_once('/')
            && BRANCHES.contains(&first)
        {
            return self.push(TokenKind::Id, own, "@");
        }
        if is_identifier(own) {
            return self.push(TokenKind::Code, own, format!("`{own}`"));
        }
        self.read_plain(own);
    }

    fn read_with_digits(&mut self, own: &str) {
        let has_letter = own.chars().any(char::is_alphabetic);
        let number = own.strip_prefix(['v', 'V']).unwrap_or(own);
        let is_value =
            number.contains('.') || number.ends_with('%') || number.contains([':', '/', '-']);
        if number.starts_with(|c: char| c.is_ascii_digit()) && is_value {
            let is_bare = number
                .chars()
                .all(|c| c.is_ascii_digit() || ".,:/%-+xX".contains(c));
            if is_bare {
                return self.push(TokenKind::Value, own.to_lowercase(), "=");
            }
        }
        if !has_letter {
            return self.push(TokenKind::Number, own, "#");
        }
        let digits = own
            .find(|c: char| !c.is_ascii_digit() && c != ',')
            .unwrap_or(own.len());
        let (value, unit) = own.split_at(digits);
        // "5k", "10mb", "30s", "3rd".
        if !value.is_empty() && unit.len() <= 3 && unit.chars().all(|c| c.is_ascii_alphabetic()) {
            self.push(TokenKind::Number, value, "#");
            return self.push(TokenKind::Word, unit.to_lowercase(), unit.to_lowercase());
        }
        if is_path(own) {
            return self.push(TokenKind::File, own, file_form(own));
        }
        self.push(TokenKind::Id, own, "@");
    }

    /// Reads a word, or several that a hyphen, slash or apostrophe joins.
    fn read_plain(&mut self, own: &str) {
        let folded = match own.is_ascii() {
            true => own.to_ascii_lowercase(),
            false => fold(own),
        };
        for part in folded.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’')) {
            let part = part.trim_matches(['\'', '’']);
            let (word, ending) = match part.split_once(['\'', '’']) {
                Some((word, ending)) => (word, ending),
                None => (part, ""),
            };
            // "don't" is "do not"; the endings of "it's" and "we'll" say nothing.
            match (word, ending) {
                ("", _) => {}
                ("can", "t") | (_, "t") => {
                    self.push_word(
                        word.strip_suffix('n')
                            .filter(|_| word != "can")
                            .unwrap_or(word),
                    );
                    self.push_word("not");
                }
                (word, _) => self.push_word(word),
            }
        }
    }

    fn push_word(&mut self, word: &str) {
        match number_word(word) {
            Some(value) => self.push(TokenKind::Number, value, "#"),
            None if word == "cannot" => self.push_word("not"),
            None => {
                let (text, form) = word_and_form(word);
                self.push(TokenKind::Word, text, form);
            }
        }
    }

    /// Joins letters that stand alone, as in `d e l e t e`.
    fn join_spaced_letters(&mut self) {
        const FEWEST: usize = 3;
        let is_letter =
            |token: &Token| token.kind == TokenKind::Word && token.text.chars().count() == 1;
        let mut at = 0;
        while at < self.tokens.len() {
            let run = self
                .tokens
                .iter()
                .skip(at)
                .take_while(|token| is_letter(token))
                .count();
            if run >= FEWEST {
                let rest: Vec<Token> = self.tokens.drain(at + 1..at + run).collect();
                if let Some(first) = self.tokens.get_mut(at) {
                    let letters = std::iter::once(&*first).chain(&rest);
                    let word: String = letters.map(|token| &*token.text).collect();
                    (first.text, first.form) = word_and_form(&word);
                }
            }
            at += 1;
        }
    }
}

/// The digits of a number in words. "One" is left out, because it is often a pronoun.
fn number_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "zero" => "0",
        "two" => "2",
        "three" => "3",
        "four" => "4",
        "five" => "5",
        "six" => "6",
        "seven" => "7",
        "eight" => "8",
        "nine" => "9",
        "ten" => "10",
        "eleven" => "11",
        "twelve" => "12",
        "twenty" => "20",
        "thirty" => "30",
        "forty" => "40",
        "fifty" => "50",
        _ => return None,
    })
}

thread_local! {
    /// Each word and its form, which tokens share: two copies of each take longer than reading it.
    static FORMS: RefCell<KnownWords<(Rc<str>, Rc<str>)>> = RefCell::default();
}

/// `word` and the form in which it is compared.
fn word_and_form(word: &str) -> (Rc<str>, Rc<str>) {
    let find = |word: &str| (word.into(), form_of(word).into());
    FORMS.with_borrow_mut(|forms| forms.of(word, find))
}

/// The form in which a word is compared: its stem. Words that models use for one another have the same form.
fn form_of(word: &str) -> String {
    let stem = stem_of(word);
    let usual = match stem.as_str() {
        "begin" => "start",
        "choos" | "pick" | "select" => "use",
        "continu" => "proceed",
        "display" => "show",
        "detect" | "discov" | "identifi" => "found",
        "execut" => "run",
        "generat" | "make" | "produc" => "creat",
        "inspect" | "verifi" => "check",
        "includ" => "add",
        "modifi" => "chang",
        "repair" | "resolv" => "fix",
        "retain" => "keep",
        _ => return stem,
    };
    usual.to_owned()
}

fn is_mail(word: &str) -> bool {
    let parts = word.split_once('@');
    parts.is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
}

/// True for a path, or a file's name with an ending: `src/a.rs`, `./x`, `TODOS.md`.
fn is_path(word: &str) -> bool {
    let is_rooted = ["/", "./", "../", "~/"]
        .iter()
        .any(|root| word.starts_with(root));
    let separators = word.matches(['/', '\\']).count();
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let has_ending = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        (stem.chars().filter(|c| c.is_alphanumeric()).count() >= 2 || separators > 0)
            && (1..=5).contains(&ending.len())
            && ending.chars().all(|c| c.is_ascii_alphanumeric())
            && ending.chars().any(|c| c.is_ascii_alphabetic())
    });
    word.len() > 1 && (is_rooted || separators >= 2 || has_ending || word.ends_with('/'))
}

/// The folder and the ending of a file: `docs/plans/*.md`.
fn file_form(path: &str) -> String {
    let (folder, name) = match path.rfind(['/', '\\']) {
        Some(at) => path.split_at(at + 1),
        None => ("", path),
    };
    match name.rsplit_once('.') {
        Some((_, ending)) => format!("{folder}*.{ending}"),
        None => format!("{folder}*"),
    }
}

/// True for `saveDraft()`, `snake_case`, `Module::name`, `camelCase`.
fn is_identifier(word: &str) -> bool {
    word.contains('_') || word.ends_with("()") || word.contains("::") || is_camel(word)
}

fn is_camel(word: &str) -> bool {
    let (mut was_small, mut has_hump) = (false, false);
    for byte in word.bytes() {
        has_hump |= was_small && byte.is_ascii_uppercase();
        was_small = byte.is_ascii_lowercase();
    }
    has_hump && word.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> String {
        Reading::of(text).form()
    }

    #[test]
    fn what_varies_has_one_form() {
        for (one, other) in [
            (
                "Phase 2 of 5 is complete. Continue?",
                "Phase three of 12 is complete. Continue?",
            ),
            (
                "Plan ready at notes/plans/a-plan.md.",
                "Plan ready at notes/plans/other.md.",
            ),
            (
                "Work on US-12 in feat/search?",
                "Work on AB-7 in fix/cart-2?",
            ),
            ("Format the changed files?", "format changed files?"),
            ("It doesn't hold", "It does not hold"),
            (
                "Bump vite from 6.0.1 to 6.0.2?",
                "Bump vite from 5.2 to 5.3?",
            ),
        ] {
            assert_eq!(form(one), form(other));
        }
        for (one, other) in [
            ("Add to notes/a.md?", "Add to src/a.md?"),
            ("Run `make test`?", "Run `make lint`?"),
            ("Tests pass", "Tests fail"),
            ("It holds", "It does not hold"),
            ("Ready.", "Ready?"),
        ] {
            assert_ne!(form(one), form(other));
        }
    }

    #[test]
    fn names_are_made_of_words() {
        assert_eq!(
            name_words("notes/drop-users_tableNow.md"),
            ["notes", "drop", "users", "table", "now", "md"]
        );
    }

    #[test]
    fn hidden_words_are_read() {
        let words = |text: &str| -> Vec<String> {
            Reading::of(text)
                .tokens
                .into_iter()
                .map(|one| one.text.to_string())
                .collect()
        };
        assert_eq!(words("d e l e t e it"), ["delete", "it"]);
        assert_eq!(words("**Delete** it"), ["delete", "it"]);
        assert_eq!(words("Dr\u{1b}[31mop it"), ["drop", "it"]);
        assert_eq!(words("de\u{200b}lete it"), ["delete", "it"]);
        assert_eq!(words("dеlete it"), ["delete", "it"], "a Cyrillic letter");
    }

    #[test]
    fn asking_sentences() {
        let asked = |text: &str| -> Vec<String> {
            Reading::of(text)
                .asking()
                .map(|one| one.text.to_string())
                .collect()
        };
        assert_eq!(asked("It is done. Go on? I wait."), ["go", "on", "?"]);
        assert_eq!(asked("It is done. Pick one."), ["pick", "one"]);
        assert_eq!(
            asked("Ready?\n\nWhich area?"),
            ["ready", "?", "which", "area", "?"]
        );
    }
}
