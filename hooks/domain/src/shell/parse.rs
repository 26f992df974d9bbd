//! Finds the programs that a shell command line starts, and their arguments. Reads lists, pipes, groups, loops,
//! conditions, substitutions and here-documents as bash does. Nothing is run or looked up.

use std::ops::Range;

/// The most programs in one line that are read, counting those of a loop once per value.
const MOST: usize = 256;

/// The most words that are read, counting those of a loop once per value. This limits nested loops.
const MOST_WORDS: usize = 16_384;

/// The longest known word, in bytes; a longer one counts as unknown. This limits variables made of variables.
const LONGEST_WORD: usize = 16_384;

/// One word in the form that the program gets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    /// Its text without quotes.
    pub(super) text: String,
    /// True if its value depends on a variable, a substitution or a pattern.
    pub(super) is_open: bool,
    /// True if it may become several words, or options: a pattern, or an unquoted expansion.
    pub(super) is_spread: bool,
    /// True if it contains a variable that the line does not set.
    pub(super) has_variable: bool,
    /// True when any of it is quoted or escaped.
    pub(super) is_quoted: bool,
}

/// One program that a line starts, with its arguments.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Simple {
    /// Variables set for it: name and value.
    pub(super) assignments: Vec<(String, Word)>,
    /// Program and arguments, without quotes.
    pub(super) words: Vec<Word>,
    /// The files that its output goes to.
    pub(super) writes: Vec<OutputFile>,
    /// The files that its input comes from.
    pub(super) reads: Vec<Word>,
    /// True when its input comes from a pipe or a here-document.
    pub(super) reads_pipe: bool,
    /// How it is joined to the one before.
    pub(super) join: Join,
    /// The byte ranges of its assignments and words in the line, without redirections.
    pub(super) spans: Vec<Range<usize>>,
}

/// A file that output goes to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OutputFile {
    pub(super) path: Word,
    /// True if what it holds is lost.
    pub(super) truncates: bool,
}

impl Simple {
    fn is_empty(&self) -> bool {
        self.words.is_empty()
            && self.assignments.is_empty()
            && self.reads.is_empty()
            && self.writes.is_empty()
    }

    /// True if nothing follows an operator: "a && ; b", or "a &&" at the end.
    fn is_missing(&self) -> bool {
        self.join != Join::Then && self.is_empty()
    }
}

/// How a program follows the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Join {
    /// After `;`, `&` or a new line, or as the first one.
    #[default]
    Then,
    /// `&&`.
    And,
    /// `||`.
    Or,
    /// `|`.
    Pipe,
}

impl Join {
    /// The operator before the program.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Then => ";",
            Self::And => "&&",
            Self::Or => "||",
            Self::Pipe => "|",
        }
    }
}

/// A line as the parser understood it.
pub(super) struct ParsedLine {
    /// Its programs, those inside substitutions included; those of a `for` once for each value.
    pub(super) programs: Vec<Simple>,
    /// True if it is just a list of simple commands and pipes: without variable expansions, substitutions, braces,
    /// groups, background jobs or unusual escapes.
    pub(super) is_plain: bool,
}

/// The programs of `line`, and whether it is plain; `None` for what this reader does not understand:
/// unbalanced quotes and brackets, `case`, `select`, functions.
pub(super) fn read(line: &str) -> Option<ParsedLine> {
    let mut reader = LineReader {
        rest: line,
        length: line.len(),
        is_plain: true,
        ..LineReader::default()
    };
    reader.list(Close::End)?;
    Some(ParsedLine {
        programs: reader.done,
        is_plain: reader.is_plain,
    })
}

#[derive(Default)]
struct LineReader<'a> {
    rest: &'a str,
    length: usize,
    done: Vec<Simple>,
    depth: usize,
    /// True inside backticks, where the next backtick closes.
    in_backticks: bool,
    is_plain: bool,
    /// The here-documents whose text begins on the next line.
    here_documents: Vec<HereDocument>,
    /// The variables that the line sets, with their known values.
    variables: Vec<(String, Word)>,
    /// The number of words read.
    words: usize,
}

/// The end of a list of commands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Close {
    End,
    Char(char),
    Keyword(&'static str),
}

impl LineReader<'_> {
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

    /// Reads commands up to `close`, or to the end.
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
                    // To a shell, a carriage return is an ordinary character.
                    self.is_plain &= c != '\r';
                    self.take();
                }
                '\\' if self.skip("\\\n") => {
                    self.blanks();
                    let is_at_pipe = now.words.is_empty() && now.join == Join::Pipe;
                    let is_before_pipe = self.peek() == Some('|') && !self.rest.starts_with("||");
                    self.is_plain &= !is_at_pipe && !is_before_pipe;
                }
                '#' => {
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    self.rest = self.rest.split_at(end).1;
                }
                '\n' | ';' => {
                    // A line may end after an operator; the command is then on the next line.
                    if c == ';' && now.is_missing() {
                        return None;
                    }
                    self.take();
                    self.end(&mut now, Join::Then)?;
                    if c == '\n' {
                        self.here_documents()?;
                    }
                }
                '&' if self.rest.starts_with("&>") => {
                    let appends = self.skip("&>>");
                    self.skip("&>");
                    self.output(&mut now, !appends)?;
                }
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

    /// Reads the construct that the keyword `word` begins; false if it is not a keyword.
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

    /// Sets the known value of a variable from here on.
    fn set(&mut self, name: &str, value: Word) {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_owned(), value));
    }

    /// The position up to which the line was read, in bytes.
    fn at(&self) -> usize {
        self.length - self.rest.len()
    }

    /// Reads the operator that begins with `&` or `|`.
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

    /// Ends the last command of a list, which must not follow a dangling operator; `None` if it does.
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
            // A file that is opened without a program.
            self.is_plain &= !simple.assignments.is_empty();
            for (name, value) in &simple.assignments {
                // The assignment is certain only if it is unconditional. If set twice, it may have either value.
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
            // "a && ; b" and "| b" are not commands.
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
            // The same length as in the source, so it has no quotes.
            && word.text.len() == self.at() - start
            && word.text.bytes().all(|byte| byte.is_ascii_digit())
        {
            return self.arrow(now);
        }
        now.words.push(word);
        now.spans.push(start..self.at());
        Some(())
    }

    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }
}

// Groups, loops and conditions.

/// The deepest nesting of substitutions, groups and loops that is read.
const DEEPEST: usize = 6;

impl LineReader<'_> {
    /// Reads a loop. Unlike groups, loops set variables for the following commands.
    fn nested_loop(&mut self, read: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.depth += 1;
        let read = (self.depth <= DEEPEST)
            .then_some(())
            .and_then(|()| read(self));
        self.depth -= 1;
        read
    }

    /// Reads a group or a substitution, whose variables are local.
    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        // The order of here-documents in one line depends on the shell.
        if !self.here_documents.is_empty() {
            return None;
        }
        let variables = self.variables.clone();
        let read = self.nested_loop(read);
        self.variables = variables;
        read.filter(|()| self.here_documents.is_empty())
    }

    /// Reads `NAME in WORDS; do LIST; done`, with the list once for each word.
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
        // Without words, the list is not run, and its contents are not known.
        (self.rest != body).then_some(())
    }

    /// Reads `[[ … ]]`, which compares and starts only the programs in its substitutions.
    fn condition(&mut self) -> Option<()> {
        loop {
            self.rest = self
                .rest
                .trim_start_matches([' ', '\t', '\n', '!', '(', ')', '<', '>', '|', '&']);
            let word = self.word()?;
            if word.text == "]]" {
                return Some(());
            }
            // Numbers are computed as expressions, which may contain substitutions.
            if word.text.contains(['`', '$']) && word.is_quoted || word.text.contains('[') {
                return None;
            }
        }
    }
}

// Words: quotes, escapes, variables and substitutions.

impl LineReader<'_> {
    /// Reads one word without its quotes. It is empty only for a quoted empty string.
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
                _ => {
                    let is_plain =
                        |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=:,@%+".contains(&byte);
                    let plain = self.rest.bytes().position(|byte| !is_plain(byte));
                    let end = plain.unwrap_or(self.rest.len()).max(c.len_utf8());
                    let (run, after) = self.rest.split_at(end);
                    word.text.push_str(run);
                    self.rest = after;
                }
            }
        }
        if matches!(word.text.as_str(), "[" | "[[" | "{}") {
            (word.is_open, word.is_spread) = (false, false);
        }
        // Claude Code takes what looks like a comment in a text for one.
        let mut lines = word.text.split('\n').skip(1);
        self.is_plain &= !lines.any(|line| line.trim_start().starts_with('#'));
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
                        other => word.text.extend(['\\', other]),
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
    fn expansion(&mut self, word: &mut Word, is_quoted: bool) -> Option<()> {
        let was_plain = std::mem::take(&mut self.is_plain);
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
            "" => {
                self.is_plain = was_plain;
                word.text.push('$');
            }
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

    /// Adds the value of a variable or a substitution.
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

// Redirections and here-documents.

/// A here-document whose text has not been read yet.
struct HereDocument {
    delimiter: String,
    /// True for `<<-`, which ignores leading tabs.
    is_indented: bool,
    /// True if nothing in it is expanded.
    is_literal: bool,
}

impl LineReader<'_> {
    /// Reads a redirection: `>`, `>>`, `2>&1`, `<`, `<<`, `<<<`.
    fn arrow(&mut self, now: &mut Simple) -> Option<()> {
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
            return self.output(now, !appends);
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

    fn output(&mut self, now: &mut Simple, truncates: bool) -> Option<()> {
        self.blanks();
        let path = self.word()?;
        self.is_plain &= !path.is_open;
        now.writes.push(OutputFile { path, truncates });
        Some(())
    }

    /// Reads the texts of the here-documents that the previous line began.
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
