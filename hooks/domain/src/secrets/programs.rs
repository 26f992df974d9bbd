//! Secrets that programs are given: behind flags and names, and in what a pipe, a here-string or a document feeds to
//! them.

use std::ops::Range;

use super::names::{is_of_secret, names, names_secret, pair};
use super::shapes::{Shape, is_digits};
use super::table::{Table, lines, starts};
use super::values::Found;
use super::words::{
    begins, behind_last, ends, has, holds, is_end, is_name, until, without_start, words,
};

const FILE: &str = include_str!("programs.tsv");

/// A program, with `(` at its end where it is called in code, with `*` where more may follow; further words of the
/// command, one after the other, alternatives with `|` between, `^` where the program is the first word; where the secret
/// stands; its shape. It stands
///
/// - `flags`: behind one of these words, with `*` also attached to it, with `@` behind a name and a colon, with `=` behind
///   a name and that sign
/// - `last`: behind the `=` of each operand, else in the last one, which has at least that number, where one of the words
///   that follow is there, or none is listed
/// - `fed`: in what is piped or redirected into it, where one of the words that follow is there, or none is listed
/// - `texts`: in quotes
/// - `replaced`: in what `s/old/new/` puts in
static PROGRAMS: Table = Table::new(FILE, &starts::<{ lines(FILE) }>(FILE));

/// The most operands of a command, and lines of a document, that are looked at.
const MOST: usize = 64;

/// More commands in a text are not looked at: a person waits, and what is kept of a command has room for fewer.
const MOST_COMMANDS: usize = 4_000;

/// Among how many words of a command a program and its words are looked for.
const WORDS_NEAR: usize = 200;

/// Flags that stand alone.
const ALONE: &str = "--secret --plaintext --sensitive --force --yes -y -f --silent -s --json --raw --overwrite --path --stage \
    --detach --skip-deploys --no-interactive -e -b -c -bc -nbB -nb -B -n --totp -1 -5 -6 -d -h -q --quiet -x -- -i --insert -p -bcB -bm -bs";

/// A command: its words, and where the echo ends that is piped into it.
struct Command<'w> {
    words: &'w [Range<usize>],
    fed: Option<usize>,
}

impl Found<'_> {
    /// Masks what programs are given.
    pub(super) fn programs(&mut self) {
        let (mut command, mut last_end, mut fed, mut count) = (Vec::new(), 0, None, 0);
        let end = self.text.len();
        for range in words(self.text).chain(std::iter::once(end..end)) {
            let between = self.slice(&(last_end..range.start));
            let goes_on = has(between, "\\\n") && !between.contains([';', '|', '&']);
            if range.is_empty() || (between.contains(is_end) && !goes_on) {
                if count < MOST_COMMANDS {
                    self.command(&Command {
                        words: &command,
                        fed,
                    });
                }
                count += 1;
                let is_pipe = has(between, "|") && !has(between, "||");
                let echo = command.iter().find(|word| is_echo(self.slice(word)));
                fed = echo.map(|echo| echo.end).filter(|_| is_pipe);
                command.clear();
            }
            last_end = range.end;
            command.push(range);
        }
    }

    fn command(&mut self, command: &Command) {
        let words = command.words;
        for (place, range) in words.iter().take(WORDS_NEAR).enumerate() {
            let is_call = self.from(range.end).starts_with('(');
            let signs = if is_call { ".:/=" } else { "/" };
            let name = behind_last(self.slice(range).trim_end_matches('='), signs);
            let Some(pair) = pair(name, 0) else { continue };
            let is_it = |program: &str| {
                let bare = program.trim_end_matches(['(', '*']);
                let start = name.get(..bare.len()).unwrap_or_default();
                let is_all = name.len() == bare.len() && is_call == program.ends_with('(');
                start.eq_ignore_ascii_case(bare) && (is_all || program.ends_with('*'))
            };
            for [_, context, secret, shape] in PROGRAMS.rows(pair, &is_it) {
                let is_first = place == 0 || ends(self.before(range.start), "(`\"'");
                let is_there = is_first || !context.starts_with('^');
                let context = self.context(words, place, context);
                if let Some(at) = context.filter(|_| is_there) {
                    self.apply(command, at, secret, Shape::of(shape));
                }
            }
        }
        // A line of a file that a command writes: `password hunter2`.
        if let [name, value] = words {
            let is_line = self.slice(&(name.end..value.start)).trim().is_empty();
            if self.writes && is_line && is_of_secret(self.slice(name)) {
                self.value(value.start, Shape::Any);
            }
        }
        if words
            .iter()
            .enumerate()
            .any(|(place, word)| self.takes_secret(place, word))
        {
            self.fed(command, Shape::Any);
        }
    }

    /// True where the word at `range` says that a secret is fed to its command: the name of a program, a flag like
    /// `--password-stdin`, a file like `~/.pgpass` that is written.
    fn takes_secret(&self, place: usize, range: &Range<usize>) -> bool {
        let word = behind_last(self.slice(range), "/");
        let is_flag = ["std", "file", "command", "eval"]
            .iter()
            .any(|part| has(word, part));
        let before = self.before(range.start);
        let is_file =
            ends(before.trim_end(), ">") && !word.get(1..).is_some_and(|name| has(name, "."));
        (is_file
            || (is_flag && !has(word, "."))
            || ((place == 0 || ends(before, "(")) && ends(word, "dD")))
            && names(word).any(|name| name.shape == "any")
    }

    /// The number of the last word of a context that begins at the word `place`; `None` where it is another one.
    fn context(&self, words: &[Range<usize>], mut place: usize, context: &str) -> Option<usize> {
        for names in context
            .split(' ')
            .filter(|names| !matches!(*names, "" | "^"))
        {
            let is_it = |range: &Range<usize>| {
                let word = behind_last(self.slice(range), "/");
                names.split('|').any(|name| match name.strip_suffix('*') {
                    Some(start) => word.starts_with(start),
                    None => word.eq_ignore_ascii_case(name),
                })
            };
            place += 1 + words
                .get(place + 1..WORDS_NEAR.min(words.len()))?
                .iter()
                .position(is_it)?;
        }
        Some(place)
    }

    fn apply(&mut self, command: &Command, at: usize, secret: &str, shape: Shape) {
        let end = command.words.len().min(at + WORDS_NEAR);
        let behind = command.words.get(at..end).unwrap_or_default();
        let Some(end) = behind.first().map(|word| word.end) else {
            return;
        };
        let (place, rest) = secret.split_once(' ').unwrap_or((secret, ""));
        let (number, rest) = match place {
            "last" => rest.split_once(' ').unwrap_or((rest, "")),
            _ => ("1", rest),
        };
        let is_flag = |range: &Range<usize>| {
            let word = self.slice(range);
            rest.split(' ')
                .any(|flag| word == flag || letter_of(word, flag).is_some())
        };
        let is_meant = place == "flags" || rest.is_empty() || command.words.iter().any(is_flag);
        match place {
            _ if !is_meant => {}
            "last" => self.last(end, number.parse().unwrap_or_default(), shape),
            "texts" => self.texts(end, shape),
            "replaced" => command
                .words
                .iter()
                .for_each(|word| self.replaced_by(word, shape)),
            "fed" => self.fed(command, shape),
            _ => {
                for range in behind {
                    rest.split(' ')
                        .for_each(|flag| self.flagged(flag, range, shape));
                }
            }
        }
    }

    /// Masks what stands behind `flag`, if the word at `range` is it.
    fn flagged(&mut self, flag: &str, range: &Range<usize>, shape: Shape) {
        let name = flag.trim_end_matches(['*', '@', '=']);
        let mark = flag.get(name.len()..).unwrap_or_default();
        let word = self.slice(range);
        let is_attached = mark == "*" && word != "-password" && !word.starts_with("--");
        let at = match word.strip_prefix(name) {
            Some("") if name.ends_with(':') => range.end,
            Some("") if begins(name, "-/") => self.next(range.end),
            Some("") => match self.operands(range.end).first() {
                Some(word) => word.start,
                None => return,
            },
            Some(rest) if rest.starts_with('=') => range.end - rest.len() + 1,
            Some(rest) if is_attached => range.end - rest.len(),
            // The last of several letters, `-sSLu me:pw`, or with the value attached, `-ume:pw`.
            _ if mark == "@" => match letter_of(word, name) {
                Some(at) => self.next(range.start + at),
                None => return,
            },
            _ => return,
        };
        let text = self.near(at);
        match mark {
            "@" => self.login(at),
            "=" => {
                let value = without_start(text, "\"'").trim_start_matches(is_name);
                if value.starts_with('=') {
                    self.value(at + text.len() - value.len() + 1, shape);
                }
            }
            _ if begins(text, "-\n") || is_number(until(text, " \"'")) => {}
            _ => self.value(at, shape),
        }
    }

    /// Where the word after `end` begins.
    fn next(&self, end: usize) -> usize {
        let rest = without_start(self.from(end), "\"'");
        let word = without_start(rest, " \t");
        match word.len() < rest.len() {
            true => self.text.len() - word.len(),
            false => end,
        }
    }

    /// Where the words of the shell behind `at` stand, quotes included, up to the end of the command.
    fn shell_words(&self, mut at: usize) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        while found.len() < MOST {
            let rest = self.from(at);
            let mut word = without_start(rest, " \t\\]},(");
            if word.starts_with('\n') && ends(self.before(at + rest.len() - word.len()), "\\") {
                word = word.trim_start();
            }
            if word.is_empty() || begins(word, "\n;|&<>)") {
                break;
            }
            let start = at + rest.len() - word.len();
            // A word is what goes on without a blank, in quotes or not.
            at = start;
            while !until(self.from(at), " ;|&<>)").is_empty() {
                let (.., next) = self.bounds(at);
                at = self
                    .text
                    .ceil_char_boundary(next.max(at + 1).min(self.text.len()));
            }
            found.push(start..at);
        }
        found
    }

    /// Those that are no flags behind `end`, and no value of a flag.
    fn operands(&self, end: usize) -> Vec<Range<usize>> {
        let mut words = self.shell_words(end);
        words.retain(|range| {
            let word = self.slice(range);
            let is_flag = word.starts_with('-')
                || (word.starts_with('/') && (has(word, ":") || word.len() < 5));
            let before = behind_last(self.before(range.start).trim_end(), " \n");
            let is_of_flag = before.starts_with('-') && !has(before, "=") && !holds(ALONE, before);
            !is_flag && range.start > end && (has(word, "=") || !is_of_flag)
        });
        words
    }

    /// Masks the values of `name=value` behind `end`; where there are none, the last of at least `number` operands.
    fn last(&mut self, end: usize, number: usize, shape: Shape) {
        let operands = self.operands(end);
        let mut has_pairs = false;
        for word in &operands {
            let (range, quote, _) = self.bounds(word.start);
            if let Some((name, value)) = self.slice(&range).split_once('=') {
                has_pairs |= !value.is_empty() || range.end < word.end;
                let start = range.start + name.len() + 1;
                let shape = if names_secret(name) {
                    Shape::Any
                } else {
                    shape
                };
                match quote {
                    Some(_) => self.mask_if(start..range.end, quote, shape),
                    None => self.value(start, shape),
                }
            }
        }
        // What follows a flag may be its value.
        let goes_on = |(one, next): (&Range<usize>, &Range<usize>)| {
            self.slice(&(one.end..next.start)).trim().is_empty()
        };
        let pairs = operands
            .iter()
            .zip(operands.iter().skip(1))
            .skip(number - 1);
        let last = number - 1 + pairs.take_while(|pair| goes_on(*pair)).count();
        if let Some(word) = operands.get(last).filter(|_| !has_pairs) {
            self.value(word.start, shape);
        }
    }

    /// Masks texts in quotes behind `start`, up to the end of the call or the line.
    fn texts(&mut self, start: usize, shape: Shape) {
        let rest = until(self.near(start), "\n");
        let mut next = start;
        for (at, _) in rest.match_indices(['"', '\'']) {
            let (range, _, end) = self.bounds(start + at);
            let text = self.slice(&range);
            if start + at >= next && !begins(text, ",)=@") {
                self.value(start + at, shape);
                // A text in the quotes of another one is looked at by itself.
                if !text.contains(['"', '\'']) {
                    next = end;
                }
            }
        }
    }

    /// Masks the new text of `s/old/new/` in the word at `range`.
    fn replaced_by(&mut self, range: &Range<usize>, shape: Shape) {
        let mut parts = self.slice(range).split('/');
        if let (Some("s"), Some(old), Some(new)) = (parts.next(), parts.next(), parts.next()) {
            let start = range.start + old.len() + 3;
            self.mask_if(start..start + new.len(), None, shape);
        }
    }

    /// Masks the password of `user:password` at `at`.
    pub(super) fn login(&mut self, at: usize) {
        let (range, quote, _) = self.bounds(at);
        let login = self.slice(&range);
        // Oracle's is `user/password@place`.
        let place = login.rfind('@').unwrap_or_default();
        let oracles = login.find('/').filter(|sign| (1..place).contains(sign));
        let Some(sign) = oracles.or_else(|| login.find([':', '%', ','])) else {
            return;
        };
        if has(login, "://") || is_number(login) {
            return;
        }
        let password = range.start + sign + 1;
        let end = oracles.map_or(range.end, |_| range.start + place);
        // The user may be the secret: `-u sk_live_…:`.
        let user = range.start..range.start + sign;
        if password == end && Shape::Made(12).fits(self.slice(&user)) {
            self.pieces(user, quote != Some('\''));
        }
        // `bob:'…'`
        if password == end && begins(self.from(end), "\"'") {
            return self.value(end, Shape::Any);
        }
        self.pieces(password..end, quote != Some('\''));
    }

    /// Masks what is fed to a command: echoed in a pipe before it or in `<(…)`, in a here-string, or in a document
    /// behind it.
    fn fed(&mut self, command: &Command, shape: Shape) {
        if let Some(fed) = command.fed {
            self.echoed(fed, shape);
        }
        let is_first = |word: &Range<usize>| command.words.first() == Some(word);
        for word in command.words {
            if is_echo(self.slice(word))
                && (is_first(word) || ends(self.before(word.start), "('\""))
            {
                self.echoed(word.end, shape);
            }
        }
        let (Some(first), Some(last)) = (command.words.first(), command.words.last()) else {
            return;
        };
        let end = last.end + until(self.from(last.end), "\n").len();
        // The document may be that of the command before it in the pipe.
        let line = behind_last(self.before(first.start), "\n");
        let Some((_, mark)) = self
            .slice(&(first.start - line.len()..end))
            .split_once("<<")
        else {
            return;
        };
        if let Some(rest) = mark.strip_prefix('<') {
            return self.echoed(end - rest.len(), shape);
        }
        let mark = until(without_start(mark, "-~\\'\" "), " '\"|><;&");
        let mut start = end + 1;
        for line in self
            .from(start)
            .split('\n')
            .take(MOST)
            .take_while(|line| line.trim() != mark)
        {
            let value = line.find([':', '=']).map_or(0, |sign| sign + 1);
            let value = without_start(line.get(value..).unwrap_or_default(), " ");
            let skipped = line.len() - value.len();
            self.mask_if(start + skipped..start + line.len(), None, shape);
            start += line.len() + 1;
        }
    }

    /// Masks the words of the shell behind `at`, of `user:password` the password.
    fn echoed(&mut self, at: usize, shape: Shape) {
        for word in self.shell_words(at) {
            let (range, quote, _) = self.bounds(word.start);
            let text = self.slice(&range);
            let is_variable = self.slice(&word).starts_with('$') && quote.is_none();
            if !is_variable && !text.starts_with('-') && !has(text, "%s") {
                let skipped = text.find([':', '=']).map_or(0, |sign| sign + 1);
                let text = without_start(text.get(skipped..).unwrap_or_default(), " ");
                self.mask_if(
                    range.end - text.len()..range.end,
                    quote.or(Some('"')),
                    shape,
                );
            }
        }
    }
}

/// True for a program that shows its words.
fn is_echo(word: &str) -> bool {
    matches!(word, "echo" | "printf" | "yes")
}

/// Where in `word`, several flags of one letter each, what stands behind the letter of `flag` begins.
fn letter_of(word: &str, flag: &str) -> Option<usize> {
    let letter = flag.strip_prefix('-').filter(|name| name.len() == 1)?;
    let letters = word
        .strip_prefix('-')
        .filter(|rest| !rest.starts_with('-'))?;
    let at = letters.find(letter)?;
    let is_flags = letters
        .get(..at)?
        .bytes()
        .all(|byte| byte.is_ascii_alphabetic());
    is_flags.then_some(at + 2)
}

/// True for ports, users and times: digits with signs between them.
fn is_number(value: &str) -> bool {
    let digits = value.replace(['"', '\'', ':', '.'], "");
    !digits.is_empty() && is_digits(&digits) && value.len() < 12
}
