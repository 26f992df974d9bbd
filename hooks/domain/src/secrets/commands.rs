//! Secrets in the words of commands: where the rules say that a program is given one, behind flags and names, and
//! in what a pipe, a here-string or a document feeds to it.

use std::ops::Range;

use super::names::{Strength, strength};
use super::rules::{Place, RULES, Rule};
use super::shapes::Shape;
use super::values::Found;
use super::words::{
    begins, behind_last, ends, has, holds, is_end, is_name, unspaced, until, without_start, words,
};

/// The most operands of a command, and lines of a document, that are looked at.
const MOST: usize = 64;

/// Flags that stand alone.
const ALONE: &str = "--secret --plaintext --sensitive --force --yes -y -f --silent -s --json --raw --overwrite --path --stage \
    --detach --skip-deploys --no-interactive -e -b -c -bc -nbB -nb -B -n --totp -1 -5 -6 -d -h -q --quiet -x -- -i --insert -p -bcB -bm -bs";

/// More commands in a text are not looked at: a person waits, and what is kept of a command has room for fewer.
const MOST_COMMANDS: usize = 4_000;

/// Among how many words of a command the context of a rule is looked for.
const WORDS_NEAR: usize = 200;

impl Found<'_> {
    /// Masks what the words of commands tell.
    pub(super) fn commands(&mut self) {
        let (mut command, mut last_end, mut fed, mut count) = (Vec::new(), 0, None, 0);
        let end = self.text.len();
        for range in words(self.text).chain(std::iter::once(end..end)) {
            let between = self.slice(&(last_end..range.start));
            let goes_on = has(between, "\\\n") && !between.contains([';', '|', '&']);
            if range.is_empty() || (between.contains(is_end) && !goes_on) {
                if count < MOST_COMMANDS {
                    self.command(&command, fed);
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

    fn command(&mut self, words: &[Range<usize>], fed: Option<usize>) {
        let Some(last) = words.last() else { return };
        let near = words.get(..WORDS_NEAR).unwrap_or(words);
        let begins = self.beginnings;
        for rule in RULES.iter().filter(|rule| rule.begins & begins != 0) {
            if let Some(after) = self.context(near, rule.context) {
                self.apply(rule, words, after, fed);
            }
        }
        for (place, range) in words.iter().enumerate() {
            let word = self.slice(range);
            match word.trim_start_matches('-') {
                // `--name=value` is a field.
                name if name.len() < word.len()
                    && !has(word, "=")
                    && !self.is_masked(range.end - 1) =>
                {
                    self.flag(word, name, range.end);
                }
                name if has(name, "_") && strength(name) == Strength::Strong => {
                    self.following(range.end, Shape::Likely(12));
                }
                // A line of a file that a command writes: `password hunter2`.
                name if self.writes
                    && place == 0
                    && words.len() == 2
                    && self.slice(&(range.end..last.start)).trim().is_empty() =>
                {
                    if strength(name) == Strength::Strong {
                        self.value(last.start, Shape::Any);
                    }
                }
                _ => self.replacement(word, range, last.end),
            }
        }
    }

    /// The number of the first word behind the context of a rule; `None` where it is another one.
    fn context(&self, words: &[Range<usize>], context: &str) -> Option<usize> {
        let mut at = 0;
        for step in context.split(' ') {
            let (is_call, is_first) = (step.ends_with('('), step.starts_with('^'));
            let names = step.trim_matches(['(', '^']);
            let is_it = |range: &Range<usize>| {
                let word = self.slice(range);
                let name = match is_call {
                    true => word
                        .trim_end_matches('=')
                        .rsplit(['.', ':', '/', '='])
                        .next(),
                    false => word.rsplit('/').next(),
                };
                let name = name.unwrap_or_default();
                let is_name = |other: &str| match other.strip_suffix('*') {
                    Some(start) => name.starts_with(start),
                    None => name.eq_ignore_ascii_case(other),
                };
                let before = self.before(range.start);
                names.split('|').any(is_name)
                    && (!is_call || self.from(range.end).starts_with('('))
                    && (!is_first
                        || range.start == words.first().map_or(0, |first| first.start)
                        || ends(before, "(`\"'"))
            };
            at += words.get(at..)?.iter().position(is_it)? + 1;
        }
        Some(at)
    }

    fn apply(&mut self, rule: &Rule, words: &[Range<usize>], after: usize, fed: Option<usize>) {
        let behind = words.get(after - 1..).unwrap_or_default();
        let (Some(context), shape) = (behind.first(), rule.shape) else {
            return;
        };
        let start = context.end;
        let takes = |range: &Range<usize>| {
            let word = self.slice(range);
            rule.words
                .split(' ')
                .any(|flag| word == flag || letter_of(word, flag).is_some())
        };
        let is_meant = rule.words.is_empty() || words.iter().any(takes);
        match rule.place {
            Place::Operand(number) => {
                if let Some(word) = self.operands(start).get(usize::from(number) - 1) {
                    self.value(word.start, shape);
                }
            }
            Place::Last(number) => {
                let operands = self.operands(start);
                let is_there = is_meant && operands.len() >= usize::from(number);
                if let Some(word) = operands.last().filter(|_| is_there) {
                    self.value(word.start, shape);
                }
            }
            Place::Pairs => self.pairs(&self.operands(start), shape),
            Place::Literals => self.literals(start, shape),
            Place::Fed if is_meant => self.fed(words, fed, shape),
            Place::Fed => {}
            Place::Named => {
                for range in behind {
                    let name = self
                        .slice(range)
                        .rsplit([':', '='])
                        .next()
                        .unwrap_or_default();
                    let has = |is: fn(char) -> bool| name.contains(is);
                    let is_made_up = name.contains(['_', '.'])
                        || (has(char::is_uppercase) && has(char::is_lowercase));
                    if is_made_up && strength(name) == Strength::Strong {
                        self.following(range.end, shape);
                    }
                }
            }
            place => {
                for range in behind {
                    for flag in rule.words.split(' ') {
                        self.behind(place, flag, range, shape);
                    }
                }
            }
        }
    }

    /// Masks what stands behind `flag`, if the word at `range` is it.
    fn behind(&mut self, place: Place, flag: &str, range: &Range<usize>, shape: Shape) {
        let word = self.slice(range);
        let is_attached =
            place == Place::Attached && word != "-password" && !word.starts_with("--");
        let mut at = match word.strip_prefix(flag) {
            Some("") if flag.ends_with(':') => range.end,
            Some("") if begins(flag, "-/") => self.next(range.end),
            Some("") => match self.operands(range.end).first() {
                Some(word) => word.start,
                None => return,
            },
            Some(rest) if rest.starts_with('=') => range.end - rest.len() + 1,
            Some(rest) if is_attached => range.end - rest.len(),
            // The last of several letters, `-sSLu me:pw`, or with the value attached, `-ume:pw`.
            _ if place == Place::Login => match letter_of(word, flag) {
                Some(at) => self.next(range.start + at),
                None => return,
            },
            _ => return,
        };
        if place == Place::Login {
            return self.login(at);
        }
        let text = self.near(at);
        if place == Place::Setting {
            let value = without_start(text, "\"'").trim_start_matches(is_name);
            if !value.starts_with('=') {
                return;
            }
            at += text.len() - value.len() + 1;
        } else if begins(text, "-\n") || is_number(until(text, " \"'")) {
            return;
        }
        self.value(at, shape);
    }

    /// Where the word after `end` begins.
    fn next(&self, end: usize) -> usize {
        let rest = without_start(self.from(end), "\"'");
        let attached = self.from(end).len() - rest.len();
        let spaces = rest.len() - unspaced(rest).len();
        end + spaces + if spaces > 0 { attached } else { 0 }
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
            let start = at + rest.len() - word.len();
            if word.is_empty() || begins(word, "\n;|&<>)") {
                break;
            }
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
            let is_flag = word.starts_with('-') || (word.starts_with('/') && has(word, ":"));
            let before = behind_last(self.before(range.start).trim_end(), " \n");
            let is_of_flag = before.starts_with('-') && !has(before, "=") && !holds(ALONE, before);
            !is_flag && range.start > end && (has(word, "=") || !is_of_flag)
        });
        words
    }

    /// Masks the values of `name=value`; where there are none, the second of two operands.
    fn pairs(&mut self, operands: &[Range<usize>], shape: Shape) {
        let mut has_pairs = false;
        for word in operands {
            let (range, quote, _) = self.bounds(word.start);
            let Some((name, value)) = self.slice(&range).split_once('=') else {
                continue;
            };
            has_pairs = true;
            let upper = name.to_ascii_uppercase();
            let says_so = "SECRET PASS TOKEN KEY"
                .split(' ')
                .any(|part| has(&upper, part));
            let shape = if says_so { Shape::Any } else { shape };
            match quote {
                Some(_) => self.mask_if(range.end - value.len()..range.end, quote, shape),
                None => self.value(range.start + name.len() + 1, shape),
            }
        }
        if let (false, Some(word)) = (has_pairs, operands.get(1)) {
            self.value(word.start, shape);
        }
    }

    /// Masks texts in quotes behind `start`, up to the end of the call or the line.
    fn literals(&mut self, start: usize, shape: Shape) {
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
        if password == end && Shape::Likely(12).fits(self.slice(&user)) {
            self.pieces(user, quote != Some('\''));
        }
        self.pieces(password..end, quote != Some('\''));
    }

    /// `--password value`, `-token value`
    fn flag(&mut self, word: &str, name: &str, end: usize) {
        match strength(name) {
            Strength::Strong | Strength::Header => self.following(end, Shape::Any),
            Strength::Weak => self.following(end, Shape::Likely(12)),
            Strength::Number => self.following(end, Shape::Digits(3)),
            _ if word == "-b" || word == "--cookie" => {
                let list = without_start(self.from(end), " \"'");
                if until(list, " \"'").contains('=') {
                    self.cookies(self.text.len() - list.len());
                }
            }
            _ => {}
        }
    }

    /// What `sed s/changeme/PASSWORD/ .env` puts in.
    fn replacement(&mut self, word: &str, range: &Range<usize>, end: usize) {
        let mut parts = word
            .strip_prefix("s/")
            .unwrap_or_default()
            .splitn(2, '/')
            .skip(1);
        let rest = parts.next().unwrap_or_default();
        let (start, new) = (range.end - rest.len(), until(rest, "/"));
        if Shape::Made(8).fits(new) && has(self.slice(&(range.end..end)), ".env") {
            self.mask(start..start + new.len());
        }
    }

    /// Masks what is fed to the command of these `words`: echoed in a pipe before it or in `<(…)`, in a here-string,
    /// or in a document behind it.
    fn fed(&mut self, words: &[Range<usize>], fed: Option<usize>, shape: Shape) {
        if let Some(fed) = fed {
            self.echoed(fed, shape);
        }
        for word in words {
            if is_echo(self.slice(word)) && self.before(word.start).ends_with("<(") {
                self.echoed(word.end, shape);
            }
        }
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
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
            let skipped = line.find([':', '=']).map_or(0, |sign| sign + 1);
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
                let text = text.get(skipped..).unwrap_or_default();
                let start = range.end - unspaced(text).len();
                self.mask_if(start..range.end, quote.or(Some('"')), shape);
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
    let before = letters.get(..at)?;
    before
        .bytes()
        .all(|byte| byte.is_ascii_alphabetic())
        .then_some(at + 2)
}

/// True for ports, users and times: digits with signs between them.
fn is_number(value: &str) -> bool {
    let value = value.trim_matches(['"', '\'']);
    let is_of_number = |byte: u8| byte.is_ascii_digit() || b":.".contains(&byte);
    !value.is_empty() && value.bytes().all(is_of_number) && value.len() < 12
}
