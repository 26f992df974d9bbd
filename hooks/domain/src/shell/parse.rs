//! Which programs a shell command line starts, and with what: lists, pipes, groups, loops, conditions,
//! substitutions and here-documents, read as bash reads them. Nothing is run or looked up.

use std::ops::Range;

/// Nesting of substitutions, groups and loops that is still read.
const DEEPEST: usize = 6;

/// More programs in one line are not read; a loop's count once for each of its values.
const MOST: usize = 256;

/// More words are not read, those of a loop once for each of its values: loops in loops end.
const MOST_WORDS: usize = 16_384;

/// What a longer word is, in bytes, is not known: variables of variables end.
const LONGEST_WORD: usize = 16_384;

/// One program that a line starts, with its arguments.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Simple {
    /// Variables set for it: name and value.
    pub(crate) assignments: Vec<(String, Word)>,
    /// Program and arguments, without quotes.
    pub(crate) words: Vec<Word>,
    /// The files that its output goes to.
    pub(crate) writes: Vec<Word>,
    /// The files that its input comes from.
    pub(crate) reads: Vec<Word>,
    /// True when its input comes from a pipe or a here-document.
    pub(crate) reads_pipe: bool,
    /// What stands between it and the one before.
    pub(crate) join: Join,
    /// Where its assignments and words stand in the line, in bytes; redirections aside.
    pub(crate) spans: Vec<Range<usize>>,
}

impl Simple {
    fn is_empty(&self) -> bool {
        let files = self.reads.iter().chain(&self.writes);
        self.words.is_empty() && self.assignments.is_empty() && files.count() == 0
    }

    /// True when nothing stands behind an operator: "a && ; b", or "a &&" at the end.
    fn is_missing(&self) -> bool {
        self.join != Join::Then && self.is_empty()
    }
}

/// How a program follows the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Join {
    /// `;`, `&`, a new line, or none is before.
    #[default]
    Then,
    /// `&&`.
    And,
    /// `||`.
    Or,
    /// `|`.
    Pipe,
}

/// One word as the program sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    /// Its text without quotes.
    pub(crate) text: String,
    /// True when a variable, a substitution or a pattern decides what it is.
    pub(crate) is_open: bool,
    /// True when it may become several words, or options: a pattern, or an expansion without quotes.
    pub(crate) is_spread: bool,
    /// True when the value of a variable that the line does not set is part of it.
    pub(crate) has_variable: bool,
    /// True when any of it is quoted or escaped.
    pub(crate) is_quoted: bool,
}

/// What the reader made of a line.
pub(crate) struct Reading {
    /// Its programs, those inside substitutions included; those of a `for` once for each value.
    pub(crate) programs: Vec<Simple>,
    /// True when it is a list of simple commands and pipes and nothing else: no expansions of variables,
    /// substitutions, braces or groups, no comments, no jobs in the background, no odd escapes.
    pub(crate) is_plain: bool,
}

/// The programs of `line`, and whether it is plain; `None` for what this reader does not understand:
/// unbalanced quotes and brackets, `case`, `select`, functions.
pub(crate) fn read(line: &str) -> Option<Reading> {
    let mut reader = Reader {
        rest: line,
        length: line.len(),
        done: Vec::new(),
        depth: 0,
        in_backticks: false,
        is_plain: true,
        here_documents: Vec::new(),
        variables: Vec::new(),
        words: 0,
    };
    reader.list(Close::End)?;
    Some(Reading {
        programs: reader.done,
        is_plain: reader.is_plain,
    })
}

struct Reader<'a> {
    rest: &'a str,
    length: usize,
    done: Vec<Simple>,
    depth: usize,
    /// True inside backticks, where the next one closes.
    in_backticks: bool,
    is_plain: bool,
    /// The here-documents whose text begins with the next line.
    here_documents: Vec<HereDocument>,
    /// The variables that the line sets, with what is known of their values.
    variables: Vec<(String, Word)>,
    /// How many words were read.
    words: usize,
}

/// A here-document whose text has not been read.
struct HereDocument {
    delimiter: String,
    /// True for `<<-`: tabs before its lines do not count.
    is_indented: bool,
    /// True when nothing in it is expanded.
    is_literal: bool,
}

/// Where a list of commands ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Close {
    End,
    Char(char),
    Keyword(&'static str),
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn take(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = self.rest.split_at(c.len_utf8()).1;
        Some(c)
    }

    fn skip(&mut self, prefix: &str) -> bool {
        let found = self.rest.strip_prefix(prefix);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }

    /// Commands up to `close`, or to the end.
    fn list(&mut self, close: Close) -> Option<()> {
        let mut now = Simple::default();
        loop {
            let Some(c) = self.peek() else {
                self.last(&mut now)?;
                return (close == Close::End && self.here_documents.is_empty()).then_some(());
            };
            if Close::Char(c) == close {
                self.take();
                return self.last(&mut now);
            }
            match c {
                ' ' | '\t' | '\r' => {
                    // To a shell a carriage return is a character like others.
                    self.is_plain &= c != '\r';
                    self.take();
                }
                '\\' if self.skip("\\\n") => self.is_plain = false,
                '#' => {
                    self.is_plain = false;
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    self.rest = self.rest.split_at(end).1;
                }
                '\n' | ';' => {
                    // A line may end behind an operator; the command stands in the next one.
                    if c == ';' && now.is_missing() {
                        return None;
                    }
                    self.take();
                    self.end(&mut now, Join::Then)?;
                    if c == '\n' {
                        self.here_documents()?;
                    }
                }
                '&' if self.skip("&>>") || self.skip("&>") => self.redirection(&mut now)?,
                '&' | '|' => {
                    let join = self.take_join();
                    self.end(&mut now, join)?;
                }
                '>' | '<' => self.arrow(&mut now)?,
                '(' if now.words.is_empty() && now.assignments.is_empty() => {
                    self.take();
                    self.is_plain = false;
                    if self.rest.starts_with('(') {
                        // An arithmetic command.
                        return None;
                    }
                    self.nested(|inner| inner.list(Close::Char(')')))?;
                    now = Simple::default();
                }
                '(' | ')' => return None,
                '{' | '}' | '!' if now.words.is_empty() && self.is_alone() => {
                    self.is_plain = false;
                    self.take();
                }
                _ => {
                    let start = self.at();
                    let word = self.word()?;
                    if now.words.is_empty() && now.assignments.is_empty() && !word.is_quoted {
                        if matches!(close, Close::Keyword(keyword) if keyword == word.text) {
                            return self.last(&mut now);
                        }
                        let goes_on = matches!(word.text.as_str(), "then" | "else" | "elif" | "fi");
                        if goes_on && now.is_missing() {
                            return None;
                        }
                        if self.keyword(&word.text)? {
                            now = Simple::default();
                            continue;
                        }
                    }
                    self.push(word, start, &mut now)?;
                }
            }
        }
    }

    /// Reads what the keyword `word` begins; false when it is none.
    fn keyword(&mut self, word: &str) -> Option<bool> {
        match word {
            "if" | "then" | "else" | "elif" | "fi" => {}
            "while" | "until" => self.nested_loop(|inner| {
                inner.list(Close::Keyword("do"))?;
                inner.list(Close::Keyword("done"))
            })?,
            "for" => self.nested_loop(Self::for_loop)?,
            "[[" => self.condition()?,
            "do" | "done" | "case" | "esac" | "select" | "function" | "coproc" => return None,
            _ => return Some(false),
        }
        self.is_plain = false;
        Some(true)
    }

    /// Loops set the variables of what follows them, groups do not.
    fn nested_loop(&mut self, read: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.depth += 1;
        let read = (self.depth <= DEEPEST)
            .then_some(())
            .and_then(|()| read(self));
        self.depth -= 1;
        read
    }

    /// `NAME in WORDS; do LIST; done`: the list is read once for each word.
    fn for_loop(&mut self) -> Option<()> {
        self.blanks();
        let name = self.word().filter(|name| is_identifier(&name.text))?;
        self.blanks();
        let mut values = Vec::new();
        if self.skip("in ") || self.skip("in\t") {
            loop {
                self.blanks();
                if self.skip("\\\n") {
                    continue;
                }
                match self.peek()? {
                    ';' | '\n' => break,
                    _ => values.push(self.word()?),
                }
            }
        } else {
            values.push(Word::unknown());
        }
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', ';']);
        if self.word()?.text != "do" {
            return None;
        }
        let body = self.rest;
        for value in values {
            self.rest = body;
            self.set(&name.text, value);
            self.list(Close::Keyword("done"))?;
        }
        // Without a word the list is not run; what it says is not known either.
        (self.rest != body).then_some(())
    }

    /// `[[ … ]]`, which compares and starts nothing but what is substituted in it.
    fn condition(&mut self) -> Option<()> {
        loop {
            self.rest = self
                .rest
                .trim_start_matches([' ', '\t', '\n', '!', '(', ')', '<', '>', '|', '&']);
            let word = self.word()?;
            if word.text == "]]" {
                return Some(());
            }
            // Numbers are computed, and what is computed may be substituted.
            if word.text.contains(['`', '$']) && word.is_quoted || word.text.contains('[') {
                return None;
            }
        }
    }

    /// The texts of the here-documents that the line before has begun.
    fn here_documents(&mut self) -> Option<()> {
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
                // A substitution may close on the line of the delimiter.
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

    /// What is known of a variable from here on.
    fn set(&mut self, name: &str, value: Word) {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_owned(), value));
    }

    /// How far the line is read, in bytes.
    fn at(&self) -> usize {
        self.length - self.rest.len()
    }

    /// The operator that begins with `&` or `|`.
    fn take_join(&mut self) -> Join {
        if self.skip("&&") {
            Join::And
        } else if self.skip("||") {
            Join::Or
        } else if self.skip("|") {
            self.skip("&");
            Join::Pipe
        } else {
            self.is_plain = false;
            self.take();
            Join::Then
        }
    }

    fn is_alone(&self) -> bool {
        let mut next = self.rest.chars();
        next.next();
        next.next().is_none_or(|c| c.is_whitespace() || c == ';')
    }

    /// Reads a group or a substitution, whose variables are its own.
    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        // Which of two here-documents of one line is read first depends on the shell.
        if !self.here_documents.is_empty() {
            return None;
        }
        let variables = self.variables.clone();
        let read = self.nested_loop(read);
        self.variables = variables;
        read.filter(|()| self.here_documents.is_empty())
    }

    /// Ends the last command of a list, behind which an operator cannot stand.
    fn last(&mut self, now: &mut Simple) -> Option<()> {
        match now.is_missing() {
            true => None,
            false => self.end(now, Join::Then),
        }
    }

    fn end(&mut self, now: &mut Simple, next: Join) -> Option<()> {
        let simple = std::mem::take(now);
        let is_pipe = next == Join::Pipe;
        now.reads_pipe = is_pipe;
        now.join = next;
        if simple.words.is_empty() {
            // A file that is only opened.
            self.is_plain &= !simple.assignments.is_empty();
            for (name, value) in &simple.assignments {
                // Whether it is set is certain where nothing decides about it; set twice, it may be either.
                let is_certain = simple.join == Join::Then
                    && !is_pipe
                    && self.variables.iter().all(|(known, _)| known != name);
                let value = match is_certain {
                    true => value.clone(),
                    false => Word::unknown(),
                };
                self.set(name, value);
            }
        }
        if simple.is_empty() {
            // An operator with nothing before it.
            self.is_plain &= next == Join::Then;
            now.join = simple.join;
            // "a && ; b" and "| b" are no commands.
            return (!simple.reads_pipe || is_pipe).then_some(());
        }
        self.done.push(simple);
        (self.done.len() <= MOST).then_some(())
    }

    fn push(&mut self, word: Word, start: usize, now: &mut Simple) -> Option<()> {
        if now.words.is_empty() {
            // `2> file` before a program.
            self.is_plain &= !matches!(self.peek(), Some('>' | '<'));
            if let Some((name, value)) = word.text.split_once('=')
                && is_identifier(name)
            {
                self.is_plain &= !word.is_open;
                let (name, text) = (name.to_owned(), value.to_owned());
                now.assignments.push((name, Word { text, ..word }));
                now.spans.push(start..self.at());
                return Some(());
            }
            if self.rest.starts_with("()") {
                return None;
            }
        } else if matches!(self.peek(), Some('>' | '<'))
            && !word.text.is_empty()
            // As long as it was written: without quotes.
            && word.text.len() == self.at() - start
            && word.text.bytes().all(|byte| byte.is_ascii_digit())
        {
            return self.arrow(now);
        }
        now.words.push(word);
        now.spans.push(start..self.at());
        Some(())
    }

    /// A redirection: `>`, `>>`, `2>&1`, `<`, `<<`, `<<<`.
    fn arrow(&mut self, now: &mut Simple) -> Option<()> {
        if self.skip(">>") || self.skip(">|") || self.skip(">") {
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

    fn redirection(&mut self, now: &mut Simple) -> Option<()> {
        self.blanks();
        let target = self.word()?;
        self.is_plain &= !target.is_open;
        now.writes.push(target);
        Some(())
    }

    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    /// One word, its quotes removed. Empty only where a quoted empty string stands.
    fn word(&mut self) -> Option<Word> {
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

    /// `$'…'` with its escapes; of all but the usual ones it is not known what they stand for.
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

    /// A variable or a substitution; the programs inside count as the line's own.
    fn expansion(&mut self, word: &mut Word, is_quoted: bool) -> Option<()> {
        self.is_plain = false;
        if self.skip("$((") {
            // What is computed may be substituted first.
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
            // `${x@P}` expands what is in x once more.
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
            // A dollar sign that stands for itself.
            "" => word.text.push('$'),
            name => {
                let value = self.value(name);
                word.add(&value, is_quoted);
            }
        }
        Some(())
    }

    /// What is known of the variable `name`.
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
    /// What a substitution prints, or what is not known.
    fn substituted() -> Self {
        Self {
            text: "$".to_owned(),
            is_open: true,
            is_spread: true,
            ..Self::default()
        }
    }

    fn unknown() -> Self {
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

    /// Adds what a variable or substitution becomes.
    fn add(&mut self, value: &Self, is_quoted: bool) {
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
fn is_identifier(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name
            .bytes()
            .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod real_lines;
#[cfg(test)]
mod second_parser;
#[cfg(test)]
mod tests;
