//! Finds the programs that a shell command line starts, and their arguments. Reads lists, pipes, groups, loops,
//! conditions, substitutions and here-documents as bash does. Nothing is run or looked up.

mod lexer;

use std::ops::Range;

pub(crate) use self::lexer::Word;
use self::lexer::{HereDocument, is_identifier};

/// The most programs in one line that are read, counting those of a loop once per value.
const MOST: usize = 256;

/// One program that a line starts, with its arguments.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Simple {
    /// Variables set for it: name and value.
    pub(crate) assignments: Vec<(String, Word)>,
    /// Program and arguments, without quotes.
    pub(crate) words: Vec<Word>,
    /// The files that its output goes to.
    pub(crate) writes: Vec<Word>,
    /// For each of `writes`, true if its old contents are lost.
    pub(crate) truncates: Vec<bool>,
    /// The files that its input comes from.
    pub(crate) reads: Vec<Word>,
    /// True when its input comes from a pipe or a here-document.
    pub(crate) reads_pipe: bool,
    /// How it is joined to the one before.
    pub(crate) join: Join,
    /// The byte ranges of its assignments and words in the line, without redirections.
    pub(crate) spans: Vec<Range<usize>>,
}

impl Simple {
    fn is_empty(&self) -> bool {
        let files = self.reads.iter().chain(&self.writes);
        self.words.is_empty() && self.assignments.is_empty() && files.count() == 0
    }

    /// True if nothing follows an operator: "a && ; b", or "a &&" at the end.
    fn is_missing(&self) -> bool {
        self.join != Join::Then && self.is_empty()
    }
}

/// How a program follows the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Join {
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

/// A line as the parser understood it.
pub(crate) struct ParsedLine {
    /// Its programs, those inside substitutions included; those of a `for` once for each value.
    pub(crate) programs: Vec<Simple>,
    /// True if it is just a list of simple commands and pipes: without variable expansions, substitutions, braces,
    /// groups, comments, background jobs or unusual escapes.
    pub(crate) is_plain: bool,
}

/// The programs of `line`, and whether it is plain; `None` for what this reader does not understand:
/// unbalanced quotes and brackets, `case`, `select`, functions.
pub(crate) fn read(line: &str) -> Option<ParsedLine> {
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
    Some(ParsedLine {
        programs: reader.done,
        is_plain: reader.is_plain,
    })
}

struct Reader<'a> {
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
                '\\' if self.skip("\\\n") => self.is_plain = false,
                '#' => {
                    self.is_plain = false;
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
                    now.truncates.push(!appends);
                    self.redirection(&mut now)?;
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

impl Reader<'_> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Option<Vec<Vec<String>>> {
        let texts = |simple: Simple| simple.words.into_iter().map(|word| word.text).collect();
        read(line).map(|line| line.programs.into_iter().map(texts).collect())
    }

    #[test]
    fn programs_and_words() {
        for (line, expected) in [
            ("ls -la src", vec![vec!["ls", "-la", "src"]]),
            (
                "a 'b c' \"d e\" f\\ g",
                vec![vec!["a", "b c", "d e", "f g"]],
            ),
            (
                "a && b || c; d & e",
                vec![vec!["a"], vec!["b"], vec!["c"], vec!["d"], vec!["e"]],
            ),
            ("a | b |& c", vec![vec!["a"], vec!["b"], vec!["c"]]),
            ("X=1 a", vec![vec!["a"]]),
            ("a 2>&1 >/dev/null < in", vec![vec!["a"]]),
            (
                "echo $(rm x) y",
                vec![vec!["rm", "x"], vec!["echo", "$", "y"]],
            ),
            ("echo `rm x`", vec![vec!["rm", "x"], vec!["echo", "$"]]),
            ("echo \"$(rm x)\"", vec![vec!["rm", "x"], vec!["echo", "$"]]),
            ("(cd a; b)", vec![vec!["cd", "a"], vec!["b"]]),
            ("{ a; b; }", vec![vec!["a"], vec!["b"]]),
            ("# nothing\na", vec![vec!["a"]]),
            ("a # it's\nb # 'c", vec![vec!["a"], vec!["b"]]),
            ("a b#c", vec![vec!["a", "b#c"]]),
            ("a \\\n  b", vec![vec!["a", "b"]]),
            (
                "if a; then b; else c; fi",
                vec![vec!["a"], vec!["b"], vec!["c"]],
            ),
            (
                "for x in 1 2; do a $x; done | b",
                vec![vec!["a", "1"], vec!["a", "2"], vec!["b"]],
            ),
            (
                "while a; do for x in 1; do b; done; done",
                vec![vec!["a"], vec!["b"]],
            ),
            ("x=y; a \"$x\" $z", vec![vec![], vec!["a", "y", "$z"]]),
            ("[[ -f a && $(b) ]] && c", vec![vec!["b"], vec!["c"]]),
            ("a <<'E'\n$(b)\nE\nc", vec![vec!["a"], vec!["c"]]),
            ("a <<E && c\n$(b)\nE", vec![vec!["a"], vec!["c"], vec!["b"]]),
            (
                "a \"$(b <<'E'\nit's\nE\n)\" c",
                vec![vec!["b"], vec!["a", "$", "c"]],
            ),
            ("diff <(a) <(b)", vec![vec!["a"], vec!["b"], vec!["diff"]]),
        ] {
            assert_eq!(words(line).unwrap(), expected, "{line}");
        }
    }

    #[test]
    fn what_is_not_understood() {
        for line in [
            "a 'b",
            "a \"b",
            "a $(b",
            "cat <<EOF",
            "case a in b) c;; esac",
            "for x in y; do z",
            "while a; do b; fi; done; done",
            "a && ; b",
            "a && fi",
            "((a = $(b)))",
            "[[ 'a[$(b)]' -eq 1 ]]",
            "cat <<A $(cat <<B\nx\nB\n)\ny\nA",
            "f() { a; }",
            "a )",
            "a > >(b)",
            "$(((((",
            "a $(b $(c $(d $(e $(f $(g $(h)))))))",
            "| b | ;",
        ] {
            assert_eq!(words(line), None, "{line}");
        }
    }

    #[test]
    fn where_output_goes() {
        let line = read("a >x 2>>y &>z | b > /dev/null").unwrap().programs;
        let written: Vec<&str> = line[0]
            .writes
            .iter()
            .map(|word| word.text.as_str())
            .collect();
        assert_eq!(written, ["x", "y", "z"]);
        assert!(line[1].reads_pipe && !line[0].reads_pipe);
    }

    #[test]
    fn what_a_variable_of_the_line_becomes() {
        let last = |line: &str| {
            let programs = read(line).unwrap().programs;
            programs.last().unwrap().words.last().unwrap().clone()
        };
        for (line, text, is_open) in [
            ("x=a; b $x", "a", false),
            ("x='a b'; b \"$x\"", "a b", false),
            ("x='a b'; b $x", "a b", true),
            ("x=a; x=b; c $x", "$", true),
            ("a && x=b; c $x", "$", true),
            ("(x=a); b $x", "$x", true),
            ("x=a | b; c $x", "$", true),
            ("for x in *.ts; do b $x; done", "*.ts", true),
            ("b $?", "0", false),
            ("b ${x:-y}", "$x:-y", true),
        ] {
            let word = last(line);
            assert_eq!(
                (word.text.as_str(), word.is_open),
                (text, is_open),
                "{line}"
            );
        }
    }
}
