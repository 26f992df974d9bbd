//! Secrets in the input of programs: after flags and names, and in a pipe, a here-string or a here-document.

use std::ops::Range;

use super::fields::{is_of_secret, names, pair};
use super::found::FoundSecrets;
use super::shapes::{
    Shape, begins, behind_last, ends, has, holds, is_end, until, without_start, words,
};
use crate::tsv::{TsvFile, lines, starts};

const FILE: &str = include_str!("programs.tsv");

/// A program, with `*` if more may follow; further words of the command in order, with `|` between alternatives; the
/// position of the secret; its shape. The positions are
///
/// - `flags`: after one of these words; with `*` also attached to it, with `+` attached to it or before an
///   operand, with `@` after a name and a colon, with `=` after
///   a name and that sign
/// - `last`: after the `=` of each operand, otherwise the last operand, if there are at least this many
/// - `fed`: in the text that is piped or redirected into it
/// - `near`: among the words before and after
static PROGRAMS: TsvFile = TsvFile::new(FILE, &starts::<{ lines(FILE) }>(FILE));

/// The most operands of a command, and lines of a document, that are searched.
const MOST: usize = 64;

/// The most commands in a text that are searched: a person waits, and a stored command has room for fewer.
const MOST_COMMANDS: usize = 4_000;

/// The number of words of a command among which a program and its words are searched.
const WORDS_NEAR: usize = 200;

/// How many words before and after a program may be its secret.
const NEAR: usize = 16;

/// Flags without a value.
const ALONE: &str = "--secret --plaintext --sensitive --force --yes -y -f --silent -s --json --raw --overwrite --path --stage \
    --detach --skip-deploys --no-interactive -e -b -c -bc -nbB -nb -B -n --totp -1 -5 -6 -d -h -q --quiet -x -- -i --insert -p -bcB -bm -bs -nbm -nbs -cb -cbB -ib";

/// A command: its words, and the end of the echo that is piped into it.
#[derive(Clone, Copy)]
struct Command<'w> {
    words: &'w [Range<usize>],
    fed: Option<usize>,
}

impl<'t> FoundSecrets<'t> {
    /// Masks the secrets in the input of programs.
    pub(super) fn programs(&mut self) {
        let (mut command, mut last_end, mut fed, mut count) = (Vec::new(), 0, None, 0);
        let end = self.text.len();
        for range in words(self.text).chain(std::iter::once(end..end)) {
            let between = self.slice(&(last_end..range.start));
            let goes_on = || has(between, "\\\n") && !between.contains([';', '|', '&']);
            if range.is_empty() || (between.contains(is_end) && !goes_on()) {
                let words = &command;
                if count < MOST_COMMANDS {
                    self.command(Command { words, fed });
                }
                count += 1;
                let echo = command.iter().find(|word| is_echo(self.slice(word)));
                let is_pipe = has(between, "|") && !has(between, "||");
                fed = echo.map(|echo| echo.end).filter(|_| is_pipe);
                command.clear();
            }
            last_end = range.end;
            command.push(range);
        }
    }

    fn command(&mut self, command: Command) {
        for (place, range) in command.words.iter().take(WORDS_NEAR).enumerate() {
            let name = behind_last(self.slice(range), "/").trim_end_matches('=');
            let Some(pair) = pair(name, 0) else { continue };
            let is_it = |program: &str| is_called(name, program);
            for [_, context, secret, shape] in PROGRAMS.rows(pair, name.as_bytes(), &is_it) {
                if let Some(at) = self.context(command.words, place, context) {
                    self.apply(command, [place, at], secret, Shape::of(shape));
                }
            }
            if self.takes_secret(place, range) {
                self.fed(command, Shape::Any);
            }
        }
        // A text that is piped into a command, or given in a here-string, may be a secret for any command.
        self.piped(command, Shape::Made(8));
    }

    /// True if the word at `range` shows that its command is fed a secret: a program's name, a flag like
    /// `--password-stdin`, a written file like `~/.pgpass`.
    fn takes_secret(&self, place: usize, range: &Range<usize>) -> bool {
        let word = behind_last(self.slice(range), "/");
        let before = self.before(range.start);
        let has_dot = || word.get(1..).is_some_and(|name| has(name, "."));
        let is_called = || self.evaluates && (has(word, "command") || has(word, "eval"));
        let is_flag = || begins(word, "-") || is_called();
        let is_file = || ends(before.trim_end(), ">") || is_flag();
        let is_program = (place == 0 || ends(before, "(")) && ends(word, "dD");
        (is_program || (is_file() && !has_dot())) && names(word).any(|name| name.shape == "any")
    }

    /// The index of the last word of the context that begins at the word `place`; `None` if the context does not match.
    fn context(&self, words: &[Range<usize>], mut place: usize, context: &str) -> Option<usize> {
        for names in context.split(' ').filter(|names| !names.is_empty()) {
            let is_it = |range: &Range<usize>| {
                let word = behind_last(self.slice(range), "/");
                names.split('|').any(|name| is_called(word, name))
            };
            let behind = words.get(place + 1..WORDS_NEAR.min(words.len()))?;
            place += 1 + behind.iter().position(is_it)?;
        }
        Some(place)
    }

    /// Masks the `secret` described by a rule, in a command whose words `place` to `at` match the rule.
    fn apply(&mut self, command: Command, [place, at]: [usize; 2], secret: &str, shape: Shape) {
        let (kind, rest) = secret.split_once(' ').unwrap_or((secret, ""));
        let near = command
            .words
            .iter()
            .skip(at.saturating_sub(NEAR))
            .take(2 * NEAR);
        match (kind, command.words.get(place)) {
            ("near", _) => near.for_each(|word| {
                self.mask_if(word.clone(), None, shape);
            }),
            ("flags", _) => {
                for word in command.words.iter().skip(at).take(WORDS_NEAR) {
                    rest.split(' ')
                        .for_each(|flag| self.flagged(flag, word, shape));
                }
            }
            ("last", Some(word)) => self.last(word.end, rest.parse().unwrap_or(1), shape),
            _ => self.fed(command, shape),
        }
    }

    /// Masks the value of `flag`, if the word at `range` is that flag.
    fn flagged(&mut self, flag: &str, range: &Range<usize>, shape: Shape) {
        let name = flag.trim_end_matches(['*', '+', '@', '=']);
        let mark = flag.get(name.len()..).unwrap_or_default();
        let word = self.slice(range);
        let rest = word.strip_prefix(name).unwrap_or_default();
        let is_short = !word.starts_with("--") && word != "-password";
        let at = if rest.starts_with('=') {
            range.end - rest.len() + 1
        } else if !rest.is_empty() && is_short && matches!(mark, "*" | "+" | "@") {
            range.end - rest.len()
        } else if is_flag(word, name) && (mark != "+" || self.is_attached(range.end)) {
            self.next(range.end)
        } else {
            return;
        };
        let text = self.near(at);
        if mark == "@" {
            self.login(at);
        } else if mark == "=" {
            self.pair(at, shape);
        } else if !begins(text, "-\n") {
            self.value(at, shape);
        }
    }

    /// True if a quoted text is attached to the flag before `end`, or two words follow: a password that should be
    /// attached, and the operand.
    fn is_attached(&self, end: usize) -> bool {
        if begins(self.from(end), "\"'") {
            return true;
        }
        let mut words = words(self.near(end));
        let (one, other) = (words.next(), words.next());
        let (Some(one), Some(other)) = (one, other) else {
            return false;
        };
        let between = self.slice(&(end + one.end..end + other.start));
        let is_flag = |range: Range<usize>| begins(self.from(end + range.start), "-");
        between.chars().all(|c| " '\"".contains(c)) && !is_flag(one) && !is_flag(other)
    }

    /// The start of the word after `end`.
    fn next(&self, end: usize) -> usize {
        let rest = without_start(self.from(end), "\"'");
        let word = without_start(rest, " \t,(");
        if word.len() < rest.len() {
            self.text.len() - word.len()
        } else {
            end
        }
    }

    /// The ranges of a command's operands after `from`, with quotes: words that are neither flags nor values of flags.
    fn operands(&self, from: usize) -> Vec<Range<usize>> {
        let (mut found, mut at) = (Vec::new(), from);
        for _ in 0..MOST {
            let rest = self.from(at);
            let word = without_start(rest, " \t\\]},(");
            let is_continued =
                word.starts_with('\n') && ends(self.before(self.text.len() - word.len()), "\\");
            let end = if is_continued { ";|&<>)" } else { "\n;|&<>)" };
            if word.trim_start().is_empty() || begins(word, end) {
                break;
            }
            let start = self.text.len() - word.trim_start().len();
            // A word continues up to a space outside quotes.
            at = start;
            while !until(self.from(at), " ;|&<>)").is_empty() {
                let next = self.bounds(at).2.max(at + 1);
                at = self.text.ceil_char_boundary(next.min(self.text.len()));
            }
            let word = self.slice(&(start..at));
            let is_switch = word.starts_with('/') && (has(word, ":") || word.len() < 5);
            let before = behind_last(self.before(start).trim_end(), " \n");
            let is_value = before.starts_with('-') && !has(before, "=") && !holds(ALONE, before);
            if start > from && !word.starts_with('-') && !is_switch && (has(word, "=") || !is_value)
            {
                found.push(start..at);
            }
        }
        found
    }

    /// Masks the values of `name=value` after `end`; if there are none, the last of at least `number` operands.
    fn last(&mut self, end: usize, number: usize, shape: Shape) {
        let operands = self.operands(end);
        let pairs = operands.iter().filter(|word| self.pair(word.start, shape));
        if pairs.count() > 0 {
            return;
        }
        // The word after a flag may be its value.
        let behind = operands.get(number - 1..).unwrap_or_default();
        let pairs = behind.iter().zip(behind.iter().skip(1));
        let pairs =
            pairs.take_while(|(one, next)| self.slice(&(one.end..next.start)).trim().is_empty());
        let last = number - 1 + pairs.count();
        if let Some(word) = operands.get(last) {
            let name = operands.get(last.wrapping_sub(1));
            let is_named = name.is_some_and(|name| is_of_secret(self.slice(name)));
            self.value(word.start, shape.or_any(is_named));
        }
    }

    /// Masks the value of `name=value` at `at`. True if there is one.
    fn pair(&mut self, at: usize, shape: Shape) -> bool {
        let (range, quote, _) = self.bounds(at);
        let (name, value) = self.slice(&range).split_once('=').unwrap_or(("-", ""));
        let start = range.start + name.len() + 1;
        let is_pair = !begins(name, "-") && (!value.is_empty() || begins(self.from(start), "\"'$"));
        let shape = shape.or_any(names(name).any(|name| name.shape == "any"));
        if is_pair && quote.is_some() {
            self.mask_if(start..range.end, quote, shape);
        } else if is_pair {
            self.value(start, shape);
        }
        is_pair
    }

    /// Masks the text fed to a command: echoed in a pipe before it or in `<(…)`, in a here-string, or in a
    /// here-document after it.
    fn fed(&mut self, command: Command, shape: Shape) {
        let words = command.words;
        for word in words {
            let is_own = Some(word) == words.first() || ends(self.before(word.start), "('\"");
            if is_own && is_echo(self.slice(word)) {
                self.echoed(word.end, shape);
            }
        }
        let mark = self.piped(command, shape);
        let start = self.text.len() - mark.len();
        let mark = until(without_start(mark, "-~\\'\" "), " '\"|><;&");
        if !mark.is_empty() {
            let start = start + until(self.from(start), "\n").len() + 1;
            let lines = self.from(start).split('\n').take(MOST);
            let lines = lines.take_while(|line| line.trim() != mark);
            let length: usize = lines.map(|line| line.len() + 1).sum();
            self.entries(start..self.text.len().min(start + length), '\n', shape);
        }
    }

    /// Masks the text echoed in a pipe before a command, or in a here-string. Returns the text from the mark of a
    /// here-document on.
    fn piped(&mut self, Command { words, fed }: Command, shape: Shape) -> &'t str {
        fed.into_iter().for_each(|at| self.echoed(at, shape));
        let ([first, ..], [.., last], true) = (words, words, self.writes) else {
            return "";
        };
        let end = last.end + until(self.near(last.end), "\n").len();
        // The here-document may belong to the previous command in the pipe.
        let start = first.start - behind_last(self.before(first.start), "\n").len();
        let Some((before, mark)) = self.slice(&(start..end)).split_once("<<") else {
            return "";
        };
        if mark.starts_with('<') {
            self.echoed(start + before.len() + 3, shape);
            return "";
        }
        self.from(start + before.len() + 2)
    }

    /// Masks the shell words after `at`, or the password of `user:password`.
    fn echoed(&mut self, at: usize, shape: Shape) {
        for word in self.operands(at) {
            let (range, quote, _) = self.bounds(word.start);
            let text = self.slice(&range);
            let is_variable = self.slice(&word).starts_with('$') && quote.is_none();
            let is_path = shape != Shape::Any && has(text, "/");
            if !is_variable && !is_path && !has(text, "%s") {
                self.entries(range, '\n', shape);
            }
        }
    }
}

/// True if `word` is `name`. If `name` ends with `*`, true if `word` begins with the part before it.
fn is_called(word: &str, name: &str) -> bool {
    match name.strip_suffix('*') {
        Some(start) => word.starts_with(start),
        None => word.eq_ignore_ascii_case(name),
    }
}

/// True for a program that prints its arguments.
fn is_echo(word: &str) -> bool {
    matches!(word, "echo" | "printf" | "yes")
}

/// True if `word` is `flag`, or a group of one-letter flags that ends with it.
fn is_flag(word: &str, flag: &str) -> bool {
    let is_cluster = flag.len() == 2 && begins(word, "-") && !word.starts_with("--");
    word == flag
        || (is_cluster
            && begins(flag, "-")
            && word.len() < 8
            && word.ends_with(behind_last(flag, "-")))
}
