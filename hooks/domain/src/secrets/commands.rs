//! Secrets in the words of commands and sentences: behind flags and names, fed by a pipe, or by their shape.

use std::ops::Range;

use super::names::{Strength, strength};
use super::programs::{self, Given, given, program};
use super::shapes;
use super::values::Found;
use super::words::{is_end, unspaced, words};

/// One command, as far as it was read.
#[derive(Default)]
struct Command {
    program: Option<&'static str>,
    /// How many words came, and where the last one stands.
    count: usize,
    last: Range<usize>,
    /// Where the words of `echo` begin.
    echoes: Option<usize>,
    /// What the command before it in the pipe echoes.
    fed: Option<Range<usize>>,
    /// Where its here-string begins.
    here: Option<usize>,
    /// It gives names values.
    sets: bool,
    takes_input: bool,
    takes_last: bool,
}

impl Found<'_> {
    /// Masks what the words of commands and sentences tell.
    pub(super) fn commands(&mut self) {
        let mut command = Command::default();
        let mut names_hashes = self.text.contains("sum -c") || self.text.contains("sum --check");
        let mut last_end = 0;
        let mut armour_end = 0;
        for range in words(self.text) {
            let (word, between) = (self.slice(&range), self.slice(&(last_end..range.start)));
            if between.contains(is_end) {
                let echoed = command.echoes.map(|start| start..last_end);
                self.end_of(&command);
                command = Command {
                    fed: echoed.filter(|_| between.contains('|') && !between.contains("||")),
                    ..Command::default()
                };
            } else if between.contains("<<<") {
                command.here =
                    Some(range.start - between.len() + between.rfind('<').unwrap_or(0) + 1);
            }
            // `Bash(set …)`, a rule, and `$(set …)`
            if between.ends_with('(') {
                command.count = 0;
            }
            self.word(&mut command, word, &range);
            names_hashes |= programs::names_hashes(word);
            let begins =
                word == "BEGIN" && between.ends_with('-') || word.starts_with("-----BEGIN");
            if begins && range.start >= armour_end {
                let rest = self.from(range.end);
                armour_end = range.end + rest.find("-----END").unwrap_or(rest.len());
            }
            let is_heading = word
                .bytes()
                .all(|byte| byte == b'-' || byte.is_ascii_uppercase());
            if range.start < armour_end && !is_heading && word.len() >= 8 {
                self.mask(range.clone());
            }
            for secret in shapes::secrets(word, names_hashes) {
                self.mask(range.start + secret.start..range.start + secret.end);
            }
            last_end = range.end;
        }
        self.end_of(&command);
    }

    fn word(&mut self, command: &mut Command, word: &str, range: &Range<usize>) {
        let name = word.rsplit('/').next().unwrap_or_default();
        let is_flag = word.starts_with('-');
        if !is_flag && matches!(name, "echo" | "printf" | "yes") && command.echoes.is_none() {
            command.echoes = Some(range.end);
        }
        // `openssl passwd` is openssl's.
        let is_given = command.program.is_some_and(|program| {
            given(program).any(|(given, word)| given == Given::Behind && word == name)
        });
        if !is_flag && !is_given {
            command.program = program(name).or(command.program);
            command.sets |= programs::sets(name, command.count);
        }
        if let Some(program) = command.program {
            let is_told = self.of_program(command, program, word, range);
            if is_told && is_flag {
                command.last = range.clone();
                return;
            }
        }
        if is_flag {
            // `--name=value` is an assignment.
            if !word.contains('=') {
                self.flag(word, range.end);
            }
        } else {
            self.named(command, word, range.end);
        }
        // `redis-cli ACL SETUSER me '>password'`
        let before = self.before(range.start);
        let is_rule = before.ends_with("'>") || before.ends_with("\">");
        if is_rule && command.program == Some("redis-cli") {
            self.value(range.start, 0);
        }
        self.replacement(word, range);
        command.count += usize::from(!is_flag);
        command.last = range.clone();
    }

    /// What `sed s/changeme/PASSWORD/ .env` puts in.
    fn replacement(&mut self, word: &str, range: &Range<usize>) {
        let Some((_, new)) = word
            .strip_prefix("s/")
            .and_then(|rest| rest.split_once('/'))
        else {
            return;
        };
        let start = range.end - new.len();
        let new = new.split('/').next().unwrap_or_default();
        let command = self.near(range.end).split(is_end).next();
        if shapes::is_striking(new) && command.is_some_and(|rest| rest.contains(".env")) {
            self.mask(start..start + new.len());
        }
    }

    /// What `word` is given to `program` for; true where it holds a secret itself, or the next one does.
    fn of_program(
        &mut self,
        command: &mut Command,
        program: &str,
        word: &str,
        range: &Range<usize>,
    ) -> bool {
        let mut is_told = false;
        for (given, flag) in given(program) {
            let attached = word.strip_prefix(flag);
            let letter = letter_of(word, flag);
            match given {
                Given::Behind if word == flag => {
                    is_told = true;
                    match word.starts_with('-') {
                        true => self.argument_after(range.end),
                        false => self.operand(range.end),
                    }
                }
                Given::Attached if !is_told && word != "-password" => {
                    if let Some(value) = attached.filter(|value| !is_number(value)) {
                        is_told = true;
                        match value.is_empty() {
                            true => self.following(range.end, 0),
                            false => self.value(range.end - value.len(), 0),
                        }
                    }
                }
                Given::Login => {
                    if let Some(value) = attached.and_then(|rest| rest.strip_prefix('=')) {
                        self.login(range.end - value.len());
                    } else if word == flag {
                        self.login(self.next(range.end));
                    } else if let Some(at) = letter {
                        // The last of several letters, `-sSLu me:pw`, or with the value attached, `-ume:pw`.
                        self.login(self.next(range.start + at));
                    }
                }
                Given::Fed => {
                    command.takes_input |= word == flag || letter.is_some();
                    // `bw login me@… password`
                    if flag == "--with-token" && word.contains('@') {
                        self.following(range.end, 8);
                    }
                }
                Given::Last => {
                    let start = word.split(['.', ':']).next();
                    command.takes_last |= start == Some(flag) || letter.is_some();
                }
                _ => {}
            }
        }
        is_told
    }

    /// Where the word after `end` begins.
    fn next(&self, end: usize) -> usize {
        let rest = self.from(end);
        end + rest.len() - unspaced(rest).len()
    }

    /// Masks the value of a flag, unless it is a number: a port.
    fn argument_after(&mut self, end: usize) {
        let value = unspaced(self.from(end));
        if !is_number(value.split([' ', '\n']).next().unwrap_or_default()) {
            self.following(end, 0);
        }
    }

    /// Masks the next operand behind flags.
    fn operand(&mut self, end: usize) {
        let mut end = end;
        while let Some(flag) = self.from(end).strip_prefix(" -") {
            end += 2 + flag.find(' ').unwrap_or(flag.len());
        }
        self.following(end, 0);
    }

    /// Masks the password of `user:password` at `at`.
    fn login(&mut self, at: usize) {
        let (range, quote, _) = self.bounds(at);
        // `user:` may stand before a substitution.
        let login = self.slice(&range);
        // Oracle's is `user/password@place`.
        let oracles = login
            .find('/')
            .filter(|sign| login.find('@') > Some(*sign) && *sign > 0);
        if let Some(sign) = oracles.or_else(|| login.find([':', '%', ','])) {
            let password = range.start + sign + 1;
            if login.contains("://") || is_number(login) {
                return;
            }
            self.pieces(password..range.end, quote != Some('\''));
            let user = login.get(..sign).unwrap_or_default();
            if password == range.end && shapes::is_likely(user, 12) {
                self.pieces(range.start..range.start + sign, quote != Some('\''));
            }
        }
    }

    /// `--password value`, `-token value`
    fn flag(&mut self, word: &str, end: usize) {
        let name = word.trim_start_matches('-');
        match strength(name) {
            Strength::Strong | Strength::Header => self.following(end, 0),
            Strength::Weak => self.following(end, 12),
            _ if word == "-b" || word == "--cookie" => {
                let rest = self.from(end);
                let list = rest.trim_start_matches([' ', '"', '\'']);
                let first = list.split(['"', '\'', ' ', '\n']).next();
                if first.is_some_and(|first| first.contains('=')) {
                    self.cookies(self.text.len() - list.len());
                }
            }
            _ => {}
        }
    }

    /// What stands behind a name in a sentence, a statement or a file: `password hunter2`, `IDENTIFIED BY 'x'`.
    fn named(&mut self, command: &Command, word: &str, end: usize) {
        if word.eq_ignore_ascii_case("bearer") {
            return self.following(end, 8);
        }
        let rest = self.near(end);
        if word.eq_ignore_ascii_case("by") {
            let value = unspaced(rest);
            let before = self.before(end);
            let is_statement = before.contains("IDENTIFIED") || before.contains("identified");
            if value.trim_start_matches('\\').starts_with(['"', '\'']) && is_statement {
                self.value(end + rest.len() - value.len(), 0);
            }
            return;
        }
        if command.sets
            && let Some((_, password)) = word.split_once(':')
            && shapes::is_striking(password)
        {
            return self.mask(end - password.len()..end);
        }
        let word = word.trim_end_matches(':');
        if strength(word) != Strength::Strong {
            return;
        }
        // `aws configure set aws_secret_access_key …`, `npm config set //host/:_authToken …`
        let is_made_up = word.contains('_')
            || (word.contains(char::is_uppercase) && word.contains(char::is_lowercase));
        if word.contains('_') || (command.sets && is_made_up) {
            return self.following(end, if command.sets { 0 } else { 12 });
        }
        // In SQL it is written in capitals: `PASSWORD 'x'`, `PASSWORD('x')`.
        let is_statement = word.bytes().all(|byte| byte.is_ascii_uppercase());
        let value = rest.trim_start_matches([' ', '(']);
        if value.len() < rest.len() && value.starts_with('\'') && is_statement {
            return self.value(end + rest.len() - value.len(), 0);
        }
        // `login me password hunter2`
        let mut before = self.before(end - word.len()).split_ascii_whitespace().rev();
        if before.nth(1) == Some("login") {
            return self.following(end, 0);
        }
        let mut value = rest.trim_start_matches([' ', ':']);
        // `credentials: me / hunter2`
        if let Some((user, password)) = value.split_once(" / ")
            && !user.contains(' ')
        {
            value = password;
        }
        for filler in ["is ", "was ", "to ", "= "] {
            value = value.strip_prefix(filler).unwrap_or(value);
        }
        let at = end + rest.len() - value.len();
        let (range, ..) = self.bounds(at);
        if at > end
            && shapes::is_striking(self.slice(&range).trim_end_matches(['.', ',', '?', ';']))
        {
            self.value(at, 8);
        }
    }

    /// What is known when a command is over.
    fn end_of(&mut self, command: &Command) {
        if command.takes_last && command.count >= 3 {
            self.value(command.last.start, 0);
        }
        if !command.takes_input {
            return;
        }
        if let Some(at) = command.here {
            self.following(at, 0);
        }
        let Some(fed) = &command.fed else { return };
        let echoed = self.slice(fed);
        let mut at = 0;
        while let Some(rest) = echoed.get(at..).filter(|rest| !rest.is_empty()) {
            let word = unspaced(rest);
            at += rest.len() - word.len();
            let start = fed.start + at;
            let (range, quote, next) = self.bounds(start);
            let text = self.slice(&range);
            if word.starts_with('$') && quote.is_none() {
                at += word.find(char::is_whitespace).unwrap_or(word.len());
                continue;
            }
            at = (next - fed.start).max(at + 1);
            if text.starts_with('-') || text.contains("%s") {
                continue;
            }
            // `user:password`
            let password = text.find(':').map_or(0, |sign| sign + 1);
            self.pieces(range.start + password..range.end, quote != Some('\''));
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
    !value.is_empty()
        && value
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b":.".contains(&byte))
        && value.len() < 12
}
