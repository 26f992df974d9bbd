//! Just enough of a POSIX shell's grammar to see which programs a line starts, and with what.

/// Nesting of substitutions that is still read.
const DEEPEST: usize = 4;

/// One program that a line starts, with its arguments.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Simple {
    /// Variables set for it: name and value.
    pub(super) assignments: Vec<(String, String)>,
    /// Program and arguments, without quotes.
    pub(super) words: Vec<Word>,
    /// The files that its output goes to.
    pub(super) writes: Vec<String>,
    /// True when its input comes from a pipe.
    pub(super) reads_pipe: bool,
}

/// One word as the program sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    /// Its text without quotes.
    pub(super) text: String,
    /// True when a variable, a substitution or a pattern decides what it is.
    pub(super) is_open: bool,
}

/// A whole line: its programs, those inside substitutions included.
pub(super) type Line = Vec<Simple>;

/// The programs of `line`; `None` for what this reader does not understand: unbalanced quotes and
/// brackets, here-documents, keywords, function definitions.
pub(super) fn parse(line: &str) -> Option<Line> {
    let mut reader = Reader {
        rest: line,
        done: Vec::new(),
        depth: 0,
        in_backticks: false,
    };
    reader.list(None)?;
    Some(reader.done)
}

struct Reader<'a> {
    rest: &'a str,
    done: Line,
    depth: usize,
    /// True inside backticks, where the next one closes.
    in_backticks: bool,
}

/// Words that begin a compound command.
const KEYWORDS: [&str; 14] = [
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac",
    "function", "select",
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
                self.end(&mut now, false)?;
                return close.is_none().then_some(());
            };
            if Some(c) == close {
                self.take();
                return self.end(&mut now, false);
            }
            match c {
                ' ' | '\t' | '\r' => drop(self.take()),
                '#' if now.words.is_empty() => {
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    self.rest = self.rest.split_at(end).1;
                }
                '\n' | ';' => {
                    self.take();
                    self.end(&mut now, false)?;
                }
                '&' if self.skip("&>>") || self.skip("&>") => self.redirection(&mut now)?,
                '&' | '|' => {
                    let is_pipe = c == '|' && !self.skip("||");
                    if is_pipe {
                        self.take();
                        self.skip("&");
                    } else if c == '&' && !self.skip("&&") {
                        self.take();
                    }
                    self.end(&mut now, is_pipe)?;
                }
                '>' | '<' => self.arrow(&mut now)?,
                '(' if now.words.is_empty() && now.assignments.is_empty() => {
                    self.take();
                    self.nested(|inner| inner.list(Some(')')))?;
                }
                '(' | ')' => return None,
                '{' | '}' | '!' if now.words.is_empty() && self.is_alone() => drop(self.take()),
                _ => {
                    let word = self.word()?;
                    self.push(word, &mut now)?;
                }
            }
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

    fn end(&mut self, now: &mut Simple, is_pipe: bool) -> Option<()> {
        let simple = std::mem::take(now);
        now.reads_pipe = is_pipe;
        if simple.words.is_empty() && simple.assignments.is_empty() && simple.writes.is_empty() {
            // "a && ; b" and "| b" are no commands.
            return (!simple.reads_pipe || is_pipe).then_some(());
        }
        self.done.push(simple);
        Some(())
    }

    fn push(&mut self, word: Word, now: &mut Simple) -> Option<()> {
        if now.words.is_empty() {
            if let Some((name, value)) = word.text.split_once('=')
                && !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
            {
                now.assignments.push((name.to_owned(), value.to_owned()));
                return Some(());
            }
            if KEYWORDS.contains(&word.text.as_str()) || self.rest.starts_with("()") {
                return None;
            }
        } else if matches!(self.peek(), Some('>' | '<'))
            && word.text.bytes().all(|byte| byte.is_ascii_digit())
        {
            return self.arrow(now);
        }
        now.words.push(word);
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
            return self.nested(|inner| inner.list(Some(')')));
        }
        self.blanks();
        self.word().map(drop)
    }

    fn redirection(&mut self, now: &mut Simple) -> Option<()> {
        self.blanks();
        let target = self.word()?;
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
                    word.text.push_str(inside);
                    self.rest = after;
                }
                '"' => {
                    self.take();
                    self.double_quoted(&mut word)?;
                }
                '\\' => {
                    self.take();
                    match self.take()? {
                        '\n' => {}
                        escaped => word.text.push(escaped),
                    }
                }
                '$' | '`' => self.expansion(&mut word)?,
                '*' | '?' | '[' | '~' | '{' => {
                    word.is_open |= c != '~';
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
                    word.text.extend(self.take());
                }
                '$' | '`' => self.expansion(word)?,
                _ => word.text.extend(self.take()),
            }
        }
    }

    /// A variable or a substitution; the programs inside count as the line's own.
    fn expansion(&mut self, word: &mut Word) -> Option<()> {
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
mod tests;
