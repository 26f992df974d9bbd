//! Secrets in the words of commands: where the rules say that a program is given one, behind flags and names, and
//! in what a pipe, a here-string or a document feeds to it.

use std::ops::Range;

use super::names::{Strength, is_plain, strength};
use super::rules::{Place, RULES, Rule};
use super::shapes::Shape;
use super::values::Found;
use super::words::{
    begins, ends, has, holds, is_end, is_name, unspaced, until, without_start, words,
};

/// The most operands of a command, and lines of a document, that are looked at.
const MOST: usize = 64;

/// Flags that stand alone.
const ALONE: &str = "--secret --plaintext --sensitive --force --yes -y -f --silent -s --json --raw --overwrite --path --stage \
    --detach --skip-deploys --no-interactive -e -b -c -bc -nbB -nb -B -n --totp -1 -5 -6 -d -h -q --quiet -x -- -i --insert -p -bcB -bm -bs";

/// Among how many words of a command the context of a rule is looked for.
const WORDS_NEAR: usize = 200;

impl Found<'_> {
    /// Masks what the words of commands tell.
    pub(super) fn commands(&mut self) {
        let (mut command, mut last_end, mut fed) = (Vec::new(), 0, None);
        let end = self.text.len();
        for range in words(self.text).chain([end..end]) {
            let between = self.slice(&(last_end..range.start));
            let goes_on = has(between, "\\\n") && !between.contains([';', '|', '&']);
            if range.is_empty() || (between.contains(is_end) && !goes_on) {
                self.command(&command, fed.take());
                let is_pipe = between.contains('|') && !has(between, "||");
                let echo = command.iter().find(|word| {
                    let word: &Range<usize> = word;
                    matches!(self.slice(word), "echo" | "printf" | "yes")
                });
                fed = echo.map(|echo| echo.end..last_end).filter(|_| is_pipe);
                command.clear();
            }
            last_end = range.end;
            command.push(range);
        }
    }

    fn command(&mut self, words: &[Range<usize>], fed: Option<Range<usize>>) {
        let Some(last) = words.last() else { return };
        let near = words.get(..WORDS_NEAR).unwrap_or(words);
        for rule in RULES {
            if let Some(after) = self.context(near, rule.context) {
                self.apply(rule, words, after, &fed);
            }
        }
        for (place, range) in words.iter().enumerate() {
            let word = self.slice(range);
            match word.trim_start_matches('-') {
                // `--name=value` is a field.
                name if name.len() < word.len()
                    && !word.contains('=')
                    && !self.is_masked(range.end - 1) =>
                {
                    self.flag(word, name, range.end);
                }
                name if name.contains('_') && strength(name) == Strength::Strong => {
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

    fn apply(
        &mut self,
        rule: &Rule,
        words: &[Range<usize>],
        after: usize,
        fed: &Option<Range<usize>>,
    ) {
        let Some(start) = after.checked_sub(1).and_then(|at| words.get(at)) else {
            return;
        };
        let (start, shape) = (start.end, rule.shape);
        let behind = words.get(after - 1..).unwrap_or_default();
        match rule.place {
            Place::Operand(number) => {
                if let Some(at) = self.operands(start).get(usize::from(number) - 1) {
                    self.value(*at, shape);
                }
            }
            Place::Last(number) => {
                let is_meant = rule.words.is_empty()
                    || words.iter().any(|word| rule.words == self.slice(word));
                let operands = self.operands(start);
                if let Some(at) = operands
                    .last()
                    .filter(|_| is_meant && operands.len() >= usize::from(number))
                {
                    self.value(*at, shape);
                }
            }
            Place::Pairs => self.pairs(&self.operands(start), shape),
            Place::Literals => self.literals(start, shape),
            Place::Named => {
                for range in behind {
                    let name = self
                        .slice(range)
                        .rsplit([':', '='])
                        .next()
                        .unwrap_or_default();
                    let is_made_up = name.contains(['_', '.'])
                        || (name.contains(char::is_uppercase) && name.contains(char::is_lowercase));
                    if is_made_up && matches!(strength(name), Strength::Strong) {
                        self.following(range.end, shape);
                    }
                }
            }
            Place::Fed => {
                let mut flags = words.iter().map(|range| self.slice(range));
                let takes = |word: &str| {
                    rule.words
                        .split(' ')
                        .any(|flag| word == flag || letter_of(word, flag).is_some())
                };
                if rule.words.is_empty() || flags.any(takes) {
                    self.fed(words, fed, shape);
                }
            }
            Place::Behind | Place::Attached | Place::Login | Place::Setting => {
                for range in behind {
                    for flag in rule.words.split(' ') {
                        self.behind(rule.place, flag, range, shape);
                    }
                }
            }
        }
    }

    /// Masks what stands behind `flag`, if the word at `range` is it.
    fn behind(&mut self, place: Place, flag: &str, range: &Range<usize>, shape: Shape) {
        let word = self.slice(range);
        let value = match word.strip_prefix(flag) {
            Some("") if !begins(flag, "-/") => match self.operands(range.end).first() {
                Some(at) => *at,
                None => return,
            },
            Some("") if flag.ends_with(':') => range.end,
            Some("") => self.next(range.end),
            Some(rest) if rest.starts_with('=') => range.end - rest.len() + 1,
            Some(rest)
                if place == Place::Attached && word != "-password" && !word.starts_with("--") =>
            {
                range.end - rest.len()
            }
            // The last of several letters, `-sSLu me:pw`, or with the value attached, `-ume:pw`.
            _ if place == Place::Login => match letter_of(word, flag) {
                Some(at) => self.next(range.start + at),
                None => return,
            },
            _ => return,
        };
        let mut value = value;
        if place == Place::Setting {
            let setting = self.near(value);
            let name = without_start(setting, "\"'");
            let name = name.trim_start_matches(is_name);
            if !name.starts_with('=') {
                return;
            }
            value += setting.len() - name.len() + 1;
        }
        let text = self.from(value);
        if place == Place::Login {
            self.login(value);
        } else if !begins(text, "-\n")
            && !is_number(
                text.split([' ', '\n', '"', '\''])
                    .next()
                    .unwrap_or_default(),
            )
        {
            self.value(value, shape);
        }
    }

    /// Where the word after `end` begins.
    fn next(&self, end: usize) -> usize {
        let rest = without_start(self.from(end), "\"'");
        let attached = self.from(end).len() - rest.len();
        let spaces = rest.len() - unspaced(rest).len();
        end + spaces + if spaces > 0 { attached } else { 0 }
    }

    /// Where the operands behind `end` begin, up to the end of the command.
    fn operands(&self, end: usize) -> Vec<usize> {
        let (mut at, mut found) = (end, Vec::new());
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
            while until(self.from(at), " ;|&<>)") != "" {
                let (.., next) = self.bounds(at);
                at = next.max(at + 1);
                at = self.text.ceil_char_boundary(at.min(self.text.len()));
            }
            let word = self.slice(&(start..at));
            let is_flag = word.starts_with('-') || (word.starts_with('/') && word.contains(':'));
            let is_pair = word.contains('=');
            if !is_flag && start > end && (is_pair || !self.is_of_flag(start)) {
                found.push(start);
            }
        }
        found
    }

    /// True where a flag stands before `start` that may have what begins there for its value.
    fn is_of_flag(&self, start: usize) -> bool {
        let before = self.before(start).trim_end();
        let flag = before.rsplit([' ', '\n']).next().unwrap_or_default();
        flag.starts_with('-') && !flag.contains('=') && !holds(ALONE, flag)
    }

    /// Masks the values of `name=value`; where there are none, the second of two operands.
    fn pairs(&mut self, operands: &[usize], shape: Shape) {
        let mut has_pairs = false;
        for at in operands {
            let (range, quote, _) = self.bounds(*at);
            let Some((name, value)) = self.slice(&range).split_once('=') else {
                continue;
            };
            has_pairs = true;
            let upper = name.to_ascii_uppercase();
            let mut parts = "SECRET PASS TOKEN KEY".split(' ');
            let shape = if parts.any(|part| has(&upper, part)) {
                Shape::Any
            } else {
                shape
            };
            match quote {
                Some(quote) if !is_plain(value) && shape.fits(value) => {
                    self.pieces(range.end - value.len()..range.end, quote == '"');
                }
                Some(_) => {}
                None => self.value(range.start + name.len() + 1, shape),
            }
        }
        if let (false, Some(at)) = (has_pairs, operands.get(1)) {
            self.value(*at, shape);
        }
    }

    /// Masks texts in quotes behind `start`, up to the end of the call or the line.
    fn literals(&mut self, start: usize, shape: Shape) {
        let rest = self.near(start).split('\n').next().unwrap_or_default();
        let mut next = start;
        for (at, _) in rest.match_indices(['"', '\'']) {
            let at = start + at;
            if at < next {
                continue;
            }
            let (range, _, end) = self.bounds(at);
            let text = self.slice(&range);
            if begins(text, ",)=@") {
                continue;
            }
            self.value(at, shape);
            // A text in the quotes of another one is looked at by itself.
            if !text.contains(['"', '\'']) {
                next = end;
            }
        }
    }

    /// Masks the password of `user:password` at `at`.
    pub(super) fn login(&mut self, at: usize) {
        let (range, quote, _) = self.bounds(at);
        // `user:` may stand before a substitution.
        let login = self.slice(&range);
        // Oracle's is `user/password@place`.
        let oracles = login
            .find('/')
            .filter(|sign| login.find('@') > Some(*sign) && *sign > 0);
        let Some(sign) = oracles.or_else(|| login.find([':', '%', ','])) else {
            return;
        };
        if has(login, "://") || is_number(login) {
            return;
        }
        let end = match oracles.and(login.rfind('@')) {
            Some(place) => range.start + place,
            None => range.end,
        };
        let password = range.start + sign + 1;
        self.pieces(password..end, quote != Some('\''));
        let user = login.get(..sign).unwrap_or_default();
        if password == range.end && Shape::Likely(12).fits(user) {
            self.pieces(range.start..range.start + sign, quote != Some('\''));
        }
    }

    /// `--password value`, `-token value`
    fn flag(&mut self, word: &str, name: &str, end: usize) {
        match strength(name) {
            Strength::Strong | Strength::Header => self.following(end, Shape::Any),
            Strength::Weak => self.following(end, Shape::Likely(12)),
            Strength::Number => self.following(end, Shape::Digits(3)),
            _ if word == "-b" || word == "--cookie" => {
                let rest = self.from(end);
                let list = without_start(rest, " \"'");
                let first = list.split(['"', '\'', ' ', '\n']).next();
                if first.is_some_and(|first| first.contains('=')) {
                    self.cookies(self.text.len() - list.len());
                }
            }
            _ => {}
        }
    }

    /// What `sed s/changeme/PASSWORD/ .env` puts in.
    fn replacement(&mut self, word: &str, range: &Range<usize>, end: usize) {
        let rest = word.strip_prefix("s/");
        let Some((_, new)) = rest.and_then(|rest| rest.split_once('/')) else {
            return;
        };
        let start = range.end - new.len();
        let new = new.split('/').next().unwrap_or_default();
        if Shape::Made(8).fits(new) && self.slice(&(range.end..end)).contains(".env") {
            self.mask(start..start + new.len());
        }
    }

    /// Masks what is fed to the command of these `words`: echoed in a pipe before it, in a here-string, or in a
    /// document behind it.
    fn fed(&mut self, words: &[Range<usize>], fed: &Option<Range<usize>>, shape: Shape) {
        if let Some(fed) = fed {
            self.echoed(fed.clone(), shape);
        }
        // `< <(printf …)`
        for word in words {
            let is_echo = matches!(self.slice(word), "echo" | "printf");
            if is_echo && self.before(word.start).ends_with("<(") {
                let rest = self.near(word.end);
                let end = word.end + rest.find(')').unwrap_or(rest.len());
                self.echoed(word.end..end, shape);
            }
        }
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            return;
        };
        let end = last.end
            + self
                .from(last.end)
                .find('\n')
                .unwrap_or(self.from(last.end).len());
        // The document may be that of the command before it in the pipe.
        let before = self.before(first.start);
        let line = before.rsplit('\n').next().unwrap_or_default();
        let text = self.slice(&(first.start - line.len()..end));
        let Some(at) = text.find("<<") else { return };
        let mark = text.get(at + 2..).unwrap_or_default();
        match mark.strip_prefix('<') {
            Some(rest) => {
                let start = end - rest.len();
                self.echoed(start..end, shape);
            }
            None => {
                let mark = until(without_start(mark, "-~\\'\" "), "'\" |><;&");
                let mut start = end + 1;
                for line in self.from(start).split('\n').take(MOST) {
                    if line.trim() == mark {
                        break;
                    }
                    self.echoed(start..start + line.len(), shape);
                    start += line.len() + 1;
                }
            }
        }
    }

    /// Masks the words in `fed`, of `user:password` the password.
    fn echoed(&mut self, fed: Range<usize>, shape: Shape) {
        let echoed = self.slice(&fed);
        let mut at = 0;
        while let Some(rest) = echoed.get(at..).filter(|rest| !rest.is_empty()) {
            let word = unspaced(rest);
            at += rest.len() - word.len();
            let start = fed.start + at;
            let (range, quote, next) = self.bounds(start);
            let range = range.start..range.end.min(fed.end);
            let text = self.slice(&range);
            if word.starts_with('$') && quote.is_none() {
                at += word.find(char::is_whitespace).unwrap_or(word.len());
                continue;
            }
            at = (next - fed.start).max(at + 1);
            while !echoed.is_char_boundary(at.min(echoed.len())) {
                at += 1;
            }
            if text.starts_with('-') || has(text, "%s") {
                continue;
            }
            let password = text.find([':', '=']).map_or(0, |sign| sign + 1);
            let text = text.get(password..).unwrap_or_default();
            let password = password + text.len() - unspaced(text).len();
            if shape.fits(unspaced(text)) {
                self.pieces(range.start + password..range.end, quote != Some('\''));
            }
        }
    }
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
