//! Words: quotes, escapes, variables and substitutions.

use super::{Close, Reader, Simple};

/// The most words that are read, counting those of a loop once per value. This limits nested loops.
const MOST_WORDS: usize = 16_384;

/// The longest known word, in bytes; a longer one counts as unknown. This limits variables made of variables.
const LONGEST_WORD: usize = 16_384;

/// One word in the form that the program gets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    /// Its text without quotes.
    pub(crate) text: String,
    /// True if its value depends on a variable, a substitution or a pattern.
    pub(crate) is_open: bool,
    /// True if it may become several words, or options: a pattern, or an unquoted expansion.
    pub(crate) is_spread: bool,
    /// True if it contains a variable that the line does not set.
    pub(crate) has_variable: bool,
    /// True when any of it is quoted or escaped.
    pub(crate) is_quoted: bool,
}

impl Reader<'_> {
    /// Reads one word without its quotes. It is empty only for a quoted empty string.
    pub(super) fn word(&mut self) -> Option<Word> {
        self.words += 1;
        if self.words > MOST_WORDS {
            return None;
        }
        let mut word = Word::default();
        let before = self.rest.len();
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => break,
                '`' if self.in_backticks => break,
                '\'' => {
                    self.take();
                    let (inside, after) = self.rest.split_once('\'')?;
                    word.is_quoted = true;
                    word.text.push_str(inside);
                    self.rest = after;
                }
                '"' => {
                    self.take();
                    word.is_quoted = true;
                    self.double_quoted(&mut word)?;
                }
                '\\' => {
                    self.take();
                    word.is_quoted = true;
                    match self.take()? {
                        '\n' => self.is_plain = false,
                        escaped => word.text.push(escaped),
                    }
                }
                '$' if self.skip("$\"") => {
                    self.is_plain = false;
                    word.is_quoted = true;
                    self.double_quoted(&mut word)?;
                }
                '$' if self.skip("$'") => self.escaped(&mut word)?,
                '$' | '`' => self.expansion(&mut word, false)?,
                '*' | '?' | '[' | '~' | '{' => {
                    word.is_open |= c != '~';
                    word.is_spread |= c != '~';
                    self.is_plain &= c != '{';
                    self.take();
                    word.text.push(c);
                }
                _ => word.text.extend(self.take()),
            }
        }
        if matches!(word.text.as_str(), "[" | "[[" | "{}") {
            (word.is_open, word.is_spread) = (false, false);
        }
        (self.rest.len() < before).then_some(word)
    }

    fn double_quoted(&mut self, word: &mut Word) -> Option<()> {
        loop {
            match self.peek()? {
                '"' => {
                    self.take();
                    return Some(());
                }
                '\\' => {
                    self.take();
                    match self.take()? {
                        '\n' => self.is_plain = false,
                        escaped @ ('"' | '\\' | '$' | '`') => word.text.push(escaped),
                        other => {
                            self.is_plain = false;
                            word.text.extend(['\\', other]);
                        }
                    }
                }
                '$' | '`' => self.expansion(word, true)?,
                _ => word.text.extend(self.take()),
            }
        }
    }

    /// Reads `$'…'` with its escapes. The meaning of unusual escapes is not known.
    fn escaped(&mut self, word: &mut Word) -> Option<()> {
        self.is_plain = false;
        word.is_quoted = true;
        loop {
            match self.take()? {
                '\'' => return Some(()),
                '\\' => match self.take()? {
                    'n' => word.text.push('\n'),
                    't' => word.text.push('\t'),
                    plain @ ('\\' | '\'' | '"') => word.text.push(plain),
                    _ => word.add(&Word::unknown(), true),
                },
                c => word.text.push(c),
            }
        }
    }

    /// Reads a variable or a substitution. The programs inside count as programs of the line.
    pub(super) fn expansion(&mut self, word: &mut Word, is_quoted: bool) -> Option<()> {
        self.is_plain = false;
        if self.skip("$((") {
            // A computed expression may contain a substitution.
            let (inside, after) = self.rest.split_once("))")?;
            self.rest = after;
            word.add(&Word::number(), is_quoted);
            return (!inside.contains(['$', '`', '['])).then_some(());
        }
        if self.skip("$(") {
            word.add(&Word::substituted(), is_quoted);
            return self.nested(|inner| inner.list(Close::Char(')')));
        }
        if self.skip("`") {
            word.add(&Word::substituted(), is_quoted);
            if self.in_backticks {
                return None;
            }
            self.in_backticks = true;
            let read = self.nested(|inner| inner.list(Close::Char('`')));
            self.in_backticks = false;
            return read;
        }
        if self.skip("${") {
            let (name, after) = self.rest.split_once('}')?;
            self.rest = after;
            let value = self.value(name);
            word.add(&value, is_quoted);
            // `${x@P}` expands the value of x again.
            return (!name.contains(['$', '`', '@', '!', '\'', '"'])).then_some(());
        }
        self.take();
        let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric();
        let length = match self.peek() {
            Some('?' | '#' | '$' | '!' | '@' | '*' | '-' | '0'..='9') => 1,
            _ => self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len()),
        };
        let (name, after) = self.rest.split_at(length);
        self.rest = after;
        match name {
            // A literal dollar sign.
            "" => word.text.push('$'),
            name => {
                let value = self.value(name);
                word.add(&value, is_quoted);
            }
        }
        Some(())
    }

    /// The known value of the variable `name`.
    fn value(&self, name: &str) -> Word {
        let known = self.variables.iter().find(|(known, _)| known == name);
        match (name, known) {
            (_, Some((_, value))) => value.clone(),
            ("?" | "#" | "$" | "!", None) => Word::number(),
            (_, None) if name.starts_with('#') => Word::number(),
            (_, None) => Word {
                has_variable: true,
                text: format!("${name}"),
                ..Word::substituted()
            },
        }
    }
}

impl Word {
    /// The unknown output of a substitution.
    fn substituted() -> Self {
        Self {
            text: "$".to_owned(),
            is_open: true,
            is_spread: true,
            ..Self::default()
        }
    }

    pub(super) fn unknown() -> Self {
        Self {
            has_variable: true,
            ..Self::substituted()
        }
    }

    fn number() -> Self {
        Self {
            text: "0".to_owned(),
            ..Self::default()
        }
    }

    /// Adds the value of a variable or a substitution.
    pub(super) fn add(&mut self, value: &Self, is_quoted: bool) {
        let unknown = Self::unknown();
        let is_short = self.text.len() + value.text.len() <= LONGEST_WORD;
        let value = if is_short { value } else { &unknown };
        let is_one = value
            .text
            .bytes()
            .all(|byte| byte > b' ' && !b"*?[{".contains(&byte))
            && !value.text.is_empty();
        self.text.push_str(&value.text);
        self.is_open |= value.is_open || !is_one && !is_quoted;
        self.is_spread |= !is_quoted && (value.is_spread || !is_one);
        self.has_variable |= value.has_variable;
    }
}

/// True for the name of a variable.
pub(super) fn is_identifier(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name
            .bytes()
            .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

// Redirections and here-documents.

/// A here-document whose text has not been read yet.
pub(super) struct HereDocument {
    delimiter: String,
    /// True for `<<-`, which ignores leading tabs.
    is_indented: bool,
    /// True if nothing in it is expanded.
    is_literal: bool,
}

impl Reader<'_> {
    /// Reads a redirection: `>`, `>>`, `2>&1`, `<`, `<<`, `<<<`.
    pub(super) fn arrow(&mut self, now: &mut Simple) -> Option<()> {
        let appends = self.skip(">>");
        if appends || self.skip(">|") || self.skip(">") {
            if self.skip("&") {
                let target = self.word()?;
                let is_number = target
                    .text
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || byte == b'-');
                return is_number.then_some(());
            }
            if self.peek() == Some('(') {
                return None;
            }
            now.truncates.push(!appends);
            return self.redirection(now);
        }
        if self.rest.starts_with("<>") {
            return None;
        }
        if self.skip("<<<") {
            self.is_plain = false;
            now.reads_pipe = true;
            self.blanks();
            return self.word().map(drop);
        }
        if self.skip("<<") {
            self.is_plain = false;
            now.reads_pipe = true;
            let is_indented = self.skip("-");
            self.blanks();
            let delimiter = self.word().filter(|word| !word.is_open)?;
            self.here_documents.push(HereDocument {
                delimiter: delimiter.text,
                is_indented,
                is_literal: delimiter.is_quoted,
            });
            return Some(());
        }
        self.take();
        if self.skip("(") {
            self.is_plain = false;
            return self.nested(|inner| inner.list(Close::Char(')')));
        }
        self.blanks();
        let source = self.word()?;
        self.is_plain &= !source.is_open;
        now.reads.push(source);
        Some(())
    }

    pub(super) fn redirection(&mut self, now: &mut Simple) -> Option<()> {
        self.blanks();
        let target = self.word()?;
        self.is_plain &= !target.is_open;
        now.writes.push(target);
        Some(())
    }

    /// Reads the texts of the here-documents that the previous line began.
    pub(super) fn here_documents(&mut self) -> Option<()> {
        for document in std::mem::take(&mut self.here_documents) {
            let text = self.rest;
            let mut length = 0;
            loop {
                let line = text.get(length..)?.split_inclusive('\n').next()?;
                let bare = line.strip_suffix('\n').unwrap_or(line);
                let bare = match document.is_indented {
                    true => bare.trim_start_matches('\t'),
                    false => bare,
                };
                if bare == document.delimiter {
                    self.rest = text.get(length + line.len()..)?;
                    break;
                }
                // A substitution may end on the line of the delimiter.
                length += line.len();
            }
            if !document.is_literal {
                let after = std::mem::replace(&mut self.rest, text.get(..length)?);
                let mut word = Word::default();
                while let Some(c) = self.peek() {
                    match c {
                        '\\' => {
                            self.take();
                            self.take();
                        }
                        '$' | '`' => self.expansion(&mut word, true)?,
                        _ => drop(self.take()),
                    }
                }
                self.rest = after;
            }
        }
        Some(())
    }
}
