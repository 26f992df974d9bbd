//! Just enough of a POSIX shell's grammar to see which programs a line starts, and with what.

use std::ops::Range;

/// Nesting of substitutions that is still read.
const DEEPEST: usize = 4;

/// One program that a line starts, with its arguments.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Simple {
    /// Variables set for it: name and value.
    pub(crate) assignments: Vec<(String, String)>,
    /// Program and arguments, without quotes.
    pub(crate) words: Vec<Word>,
    /// The files that its output goes to.
    pub(crate) writes: Vec<String>,
    /// The files that its input comes from.
    pub(crate) reads: Vec<String>,
    /// True when its input comes from a pipe.
    pub(crate) reads_pipe: bool,
    /// What stands between it and the one before.
    pub(crate) join: Join,
    /// Where its assignments and words stand in the line, in bytes; redirections aside.
    pub(crate) spans: Vec<Range<usize>>,
}

impl Simple {
    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.assignments.is_empty() && self.writes.is_empty()
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
    /// True when any of it is quoted or escaped.
    pub(crate) is_quoted: bool,
}

/// A whole line: its programs, those inside substitutions included.
pub(super) type Line = Vec<Simple>;

/// What the reader made of a line.
pub(crate) struct Reading {
    /// Its programs, those inside substitutions included.
    pub(crate) programs: Line,
    /// True when it is a list of simple commands and pipes and nothing else: no expansions of variables,
    /// substitutions, braces or groups, no comments, no jobs in the background, no odd escapes.
    pub(crate) is_plain: bool,
}

/// The programs of `line`; `None` for what this reader does not understand: unbalanced quotes and
/// brackets, here-documents, keywords, function definitions.
pub(super) fn parse(line: &str) -> Option<Line> {
    read(line).map(|reading| reading.programs)
}

/// As [`parse`], and whether the line is plain.
pub(crate) fn read(line: &str) -> Option<Reading> {
    let mut reader = Reader {
        rest: line,
        length: line.len(),
        done: Vec::new(),
        depth: 0,
        in_backticks: false,
        is_plain: true,
    };
    reader.list(None)?;
    Some(Reading {
        programs: reader.done,
        is_plain: reader.is_plain,
    })
}

struct Reader<'a> {
    rest: &'a str,
    length: usize,
    done: Line,
    depth: usize,
    /// True inside backticks, where the next one closes.
    in_backticks: bool,
    is_plain: bool,
}

/// Words that begin a compound command.
const KEYWORDS: [&str; 15] = [
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac",
    "function", "select", "coproc",
];

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
    fn list(&mut self, close: Option<char>) -> Option<()> {
        let mut now = Simple::default();
        loop {
            let Some(c) = self.peek() else {
                self.is_plain &= !now.is_missing();
                self.end(&mut now, Join::Then)?;
                return close.is_none().then_some(());
            };
            if Some(c) == close {
                self.take();
                return self.end(&mut now, Join::Then);
            }
            match c {
                ' ' | '\t' | '\r' => {
                    // To a shell a carriage return is a character like others.
                    self.is_plain &= c != '\r';
                    self.take();
                }
                '#' => {
                    self.is_plain = false;
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    self.rest = self.rest.split_at(end).1;
                }
                '\n' | ';' => {
                    // A line may end behind an operator; the command stands in the next one.
                    self.is_plain &= c == '\n' || !now.is_missing();
                    self.take();
                    self.end(&mut now, Join::Then)?;
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
                    self.nested(|inner| inner.list(Some(')')))?;
                }
                '(' | ')' => return None,
                '{' | '}' | '!' if now.words.is_empty() && self.is_alone() => {
                    self.is_plain = false;
                    self.take();
                }
                _ => {
                    let start = self.at();
                    let word = self.word()?;
                    self.push(word, start, &mut now)?;
                }
            }
        }
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

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.depth += 1;
        let read = (self.depth <= DEEPEST)
            .then_some(())
            .and_then(|()| read(self));
        self.depth -= 1;
        read
    }

    fn end(&mut self, now: &mut Simple, next: Join) -> Option<()> {
        let simple = std::mem::take(now);
        let is_pipe = next == Join::Pipe;
        now.reads_pipe = is_pipe;
        now.join = next;
        if simple.is_empty() {
            // An operator with nothing before it, or a file that is only opened.
            self.is_plain &= next == Join::Then && simple.reads.is_empty();
            now.join = simple.join;
            // "a && ; b" and "| b" are no commands.
            return (!simple.reads_pipe || is_pipe).then_some(());
        }
        self.done.push(simple);
        Some(())
    }

    fn push(&mut self, word: Word, start: usize, now: &mut Simple) -> Option<()> {
        if now.words.is_empty() {
            // `2> file` before a program.
            self.is_plain &= !matches!(self.peek(), Some('>' | '<'));
            if let Some((name, value)) = word.text.split_once('=')
                && !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
            {
                self.is_plain &= !word.is_open;
                now.assignments.push((name.to_owned(), value.to_owned()));
                now.spans.push(start..self.at());
                return Some(());
            }
            if KEYWORDS.contains(&word.text.as_str()) || self.rest.starts_with("()") {
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

    /// A redirection: `>`, `>>`, `2>&1`, `<`; no here-documents.
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
        if self.rest.starts_with("<<") || self.rest.starts_with("<>") {
            return None;
        }
        self.take();
        if self.skip("(") {
            self.is_plain = false;
            return self.nested(|inner| inner.list(Some(')')));
        }
        self.blanks();
        let source = self.word()?;
        self.is_plain &= !source.is_open;
        now.reads.push(source.text);
        Some(())
    }

    fn redirection(&mut self, now: &mut Simple) -> Option<()> {
        self.blanks();
        let target = self.word()?;
        self.is_plain &= !target.is_open;
        now.writes.push(target.text);
        Some(())
    }

    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    /// One word, its quotes removed. Empty only where a quoted empty string stands.
    fn word(&mut self) -> Option<Word> {
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
                '$' | '`' => self.expansion(&mut word)?,
                '*' | '?' | '[' | '~' | '{' => {
                    word.is_open |= c != '~';
                    self.is_plain &= c != '{';
                    self.take();
                    word.text.push(c);
                }
                _ => word.text.extend(self.take()),
            }
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
                    // Before other characters the backslash stays.
                    self.is_plain &= matches!(self.peek(), Some('"' | '\\' | '$' | '`'));
                    word.text.extend(self.take());
                }
                '$' | '`' => self.expansion(word)?,
                _ => word.text.extend(self.take()),
            }
        }
    }

    /// A variable or a substitution; the programs inside count as the line's own.
    fn expansion(&mut self, word: &mut Word) -> Option<()> {
        self.is_plain = false;
        word.is_open = true;
        word.text.push('$');
        if self.skip("$((") {
            let (_, after) = self.rest.split_once("))")?;
            self.rest = after;
            return Some(());
        }
        if self.skip("$(") {
            return self.nested(|inner| inner.list(Some(')')));
        }
        if self.skip("`") {
            if self.in_backticks {
                return None;
            }
            self.in_backticks = true;
            let read = self.nested(|inner| inner.list(Some('`')));
            self.in_backticks = false;
            return read;
        }
        if self.skip("${") {
            let (name, after) = self.rest.split_once('}')?;
            self.rest = after;
            word.text.push_str(name);
            return (!name.contains(['$', '`'])).then_some(());
        }
        self.take();
        Some(())
    }
}

#[cfg(test)]
mod second_parser;
#[cfg(test)]
mod tests;
