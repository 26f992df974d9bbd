//! Judges a line: each of its simple commands, the programs that these start, and the files that they read and write.

use super::call::{Judged, OTHER_SETTINGS, judge_call, judge_version, known_subject, push_word};
use super::languages::controls_a_terminal;
use super::lead::lead;
use super::operands::{
    WorkingFolder, inside, is_foreign, is_listed, is_name, is_output, is_temporary, leads_beyond,
    names_a_system_path, reach_of_text, says_beyond, shown, written,
};
use super::parse::{self, Join, Simple, Word};
use super::programs::{
    can_do_anything, decides_what_runs, is_harmless_setting, is_program, launched, loads, setting,
    started_for_each_line, wrapper,
};
use crate::hash;
use crate::reach::{OwnReaches, Reach};
use crate::sanitize::is_dangerous;

/// The longest line that is judged, in bytes.
const LONGEST: usize = 16_384;

/// The most commands in one line that get rules.
const MOST: usize = 32;

/// One simple command of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimpleCommand {
    /// Its words as written, with quotes but without redirections. Variables set for it come first.
    pub words: Vec<String>,
    /// The number of leading `words` that are variables, wrappers, program, subcommand and fixed flags. Only the words
    /// after them vary.
    pub fixed: usize,
    /// The number of leading `words` that Claude Code leaves out when it compares the command with rules.
    pub lead: usize,
    /// The subject. Commands with the same subject are the same.
    pub subject: String,
    /// How far it reaches.
    pub reach: Reach,
    /// Why it reaches this far, in words; empty if the table allows it.
    pub reason: String,
    /// True for a `cd` inside the project, which needs no rule.
    pub is_aside: bool,
    /// The folder below the project where it runs; empty for the project's own.
    pub folder: String,
    /// True if its output goes to a file. The host then asks regardless of rules.
    pub writes_file: bool,
    /// True if that file is outside the project or may be secret.
    pub writes_outside: bool,
    /// How it follows the one before: empty, `;`, `&&`, `||` or `|`.
    pub join: &'static str,
}

impl SimpleCommand {
    /// The command in the form that Claude Code compares with rules.
    pub fn text(&self) -> String {
        self.words.get(self.lead..).unwrap_or_default().join(" ")
    }

    /// All of its words.
    pub fn whole(&self) -> String {
        self.words.join(" ")
    }
}

/// The judgement of a line.
pub struct JudgedLine {
    /// Its simple commands, in order. Commands of a loop appear once for each value.
    pub commands: Vec<SimpleCommand>,
    /// True if the host certainly reads it as these commands: no expansions, substitutions, groups, loops or
    /// here-documents.
    pub is_plain: bool,
}

/// Judges `line`, run in the folder `cwd`, which counts as the project; `None` for a line that cannot be read.
///
/// `own` contains the reaches that the person set.
pub fn judge(line: &str, cwd: &str, own: &OwnReaches) -> Option<JudgedLine> {
    if line.len() > LONGEST || line.chars().any(is_odd) {
        return None;
    }
    let mut judge = LineJudge {
        folder: WorkingFolder::new(cwd),
        own,
        depth: 0,
    };
    judge.line(line)
}

/// The simple commands of `line`, if the host certainly reads it as these.
pub fn parts(line: &str, cwd: &str, own: &OwnReaches) -> Option<Vec<SimpleCommand>> {
    let line = judge(line, cwd, own)?;
    (line.is_plain && line.commands.len() <= MOST).then_some(line.commands)
}

fn is_odd(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || !c.is_ascii() && (c.is_whitespace() || is_dangerous(c))
}

/// The deepest chain of programs starting programs that is followed.
const DEEPEST: usize = 4;

/// The judge of a line, between two of its commands.
#[derive(Clone)]
struct LineJudge<'a> {
    folder: WorkingFolder<'a>,
    own: &'a OwnReaches,
    /// The number of nested programs that start the judged one.
    depth: usize,
}

impl LineJudge<'_> {
    fn line(&mut self, line: &str) -> Option<JudgedLine> {
        let reading = parse::read(line).filter(|reading| !reading.programs.is_empty())?;
        self.folder.is_certain &= reading.is_plain;
        let programs = reading.programs.iter().enumerate();
        let commands = programs.map(|(at, simple)| {
            // Without `&&` before it, or in a pipe, it is not certain that the folder was entered.
            let is_behind = at == 0 || simple.join == Join::And || self.folder.below.is_empty();
            let next = reading.programs.get(at + 1).map(|next| next.join);
            let is_piped = simple.join == Join::Pipe || next == Some(Join::Pipe);
            let is_cd = simple.words.first().is_some_and(|word| word.text == "cd");
            self.folder.is_certain &= is_behind && !(is_cd && is_piped);
            let mut command = self.command(simple, line);
            if at == 0 {
                command.join = "";
            }
            command
        });
        Some(JudgedLine {
            commands: commands.collect(),
            is_plain: reading.is_plain,
        })
    }

    /// Judges a line that is a word of this one, or a part of it.
    fn inner_line(&self, line: &str, depth: usize) -> Option<JudgedLine> {
        let mut inner = LineJudge {
            folder: self.folder.clone(),
            own: &OwnReaches::default(),
            depth,
        };
        inner.line(line)
    }

    fn command(&mut self, simple: &Simple, line: &str) -> SimpleCommand {
        let folder = self.folder.below.clone();
        let mut judged = self.words(&simple.words);
        let is_alone = simple.words.is_empty();
        for (name, value) in &simple.assignments {
            set(name, value, is_alone, &mut judged);
        }
        for file in simple.reads.iter().filter(|file| file.text != "/dev/null") {
            if let Some(reason) = shown(file, &self.folder) {
                judged.raise(Reach::Beyond, || format!("reads {}: {reason}", file.text));
            }
        }
        let (mut writes_file, mut writes_outside) = (false, false);
        for output in &simple.writes {
            let path = output.path.text.as_str();
            if matches!(path, "/dev/null" | "/dev/stdout" | "/dev/stderr") {
                continue;
            }
            writes_file = true;
            writes_outside |= reach_of_text(path, self.folder.root).is_some();
            if output.truncates && !is_output(path) {
                judged.raise(Reach::Beyond, || format!("{path} loses what it holds"));
            }
            let reach = written(&output.path, &self.folder);
            judged.raise(reach, || format!("writes {path}"));
        }
        if writes_file {
            judged.subject.push_str(" >");
        }
        let raw = |span: &std::ops::Range<usize>| line.get(span.clone()).unwrap_or_default();
        let program = simple.words.first().map_or("", |word| word.text.as_str());
        let words: Vec<String> = simple.spans.iter().map(raw).map(str::to_owned).collect();
        SimpleCommand {
            fixed: simple.assignments.len() + judged.fixed,
            lead: lead(&words),
            words,
            subject: judged.subject,
            reach: judged.reach,
            reason: judged.reason,
            is_aside: program == "cd" && judged.reach == Reach::Reads,
            folder,
            writes_file: writes_file || program == "tee",
            writes_outside,
            join: simple.join.sign(),
        }
    }

    /// Judges the words of a simple command: the program behind its wrappers, and then what the person set.
    fn words(&mut self, words: &[Word]) -> Judged {
        let mut rest = words;
        while let Some(count) = wrapper(rest) {
            rest = rest.get(count..).unwrap_or_default();
        }
        let wrapped = words.len() - rest.len();
        let mut judged = self.program(rest);
        judged.fixed += wrapped;
        // No rule is proposed for a wrapper that starts an unknown program.
        let starter = words.first().map_or("", |word| word.text.as_str());
        if wrapped > 0 && judged.reach == Reach::Unknown && !matches!(starter, "time" | "timeout") {
            judged.raise(Reach::Beyond, || {
                format!("{starter} starts what is not known")
            });
        }
        let before = words.iter().take(wrapped);
        for (name, value) in before.filter_map(setting) {
            set(name, &value, false, &mut judged);
        }
        let texts: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
        let is_open = rest.iter().any(|word| word.is_open);
        if let Some((reach, reason)) = self.own.of_command(&texts, judged.reach)
            && (reach > judged.reach || !is_open)
        {
            judged.reach = reach;
            judged.reason = reason;
        }
        judged
    }

    /// Judges a program with its arguments.
    fn program(&mut self, words: &[Word]) -> Judged {
        let Some((program, arguments)) = words.split_first() else {
            return Judged::new(Reach::Reads, String::new(), (String::new(), 0));
        };
        let path = inside(&program.text, self.folder.root).unwrap_or(&program.text);
        let Some(name) = known_name(path).filter(|_| !program.is_open) else {
            return self.unknown(program, arguments);
        };
        match name {
            "cd" => return self.cd(arguments),
            "tee" => return self.tee(arguments),
            "sh" | "bash" | "zsh"
                if arguments
                    .iter()
                    .any(|word| matches!(word.text.as_str(), "-c" | "-lc")) =>
            {
                return self.shell(name, arguments);
            }
            _ => {}
        }
        if let Some(started) = started_for_each(name, arguments) {
            return self.each(name, arguments, started);
        }
        let started = launched(name, arguments);
        let (before, name, arguments) = match &started {
            Some(started) => (1 + started.count, started.name, started.arguments),
            None => (0, name, arguments),
        };
        let judged = judge_version(name, arguments);
        let Some(mut judged) = judged.or_else(|| judge_call(name, arguments, &self.folder)) else {
            if started.is_some() || is_script_runner(name, arguments) || !can_do_anything(name) {
                return self.unknown(program, words.get(1..).unwrap_or_default());
            }
            let (subject, fixed) = unknown_subject(name, arguments);
            let reason = format!("{subject} reaches beyond the project");
            return Judged::new(Reach::Beyond, reason, (subject, 1 + fixed));
        };
        judged.fixed += before;
        let is_known = judged.reach < Reach::Unknown;
        if let Some(option) = loads(name, arguments, is_known) {
            judged.raise(Reach::Beyond, || {
                format!("{}: loads or overwrites what is not known", option.text)
            });
        }
        if let Some(started) = &started {
            judged.subject = format!("{} {}", started.launcher, judged.subject);
        }
        if name == "git" && !self.folder.below.is_empty() {
            judged.raise(Reach::Unknown, || OTHER_SETTINGS.to_owned());
        }
        if self.depth == 0
            && matches!(name, "echo" | "printf")
            && let Some(reason) = self.printed(arguments)
        {
            judged.raise(Reach::Unknown, || reason);
        }
        if !judged.only_shows && self.folder.is_foreign() {
            judged.raise(Reach::Beyond, || {
                format!("runs in {}, what others wrote", self.folder.below)
            });
        }
        judged
    }

    /// Judges a program or script that is not in the table. Its name and arguments must not show that it reaches
    /// further.
    fn unknown(&mut self, program: &Word, arguments: &[Word]) -> Judged {
        let text = program.text.as_str();
        let name = inside(text, self.folder.root).unwrap_or(text);
        let name = name.strip_prefix("./").unwrap_or(name);
        let (subject, fixed) = unknown_subject(text, arguments);
        let (reach, reason) = match self.beyond_of_unknown(program, name, arguments) {
            Some(reason) => (Reach::Beyond, reason),
            None => (Reach::Unknown, format!("{subject} is not known")),
        };
        Judged::new(reach, reason, (subject, 1 + fixed))
    }

    /// Why an unknown program reaches beyond the project; `None` if nothing shows that.
    fn beyond_of_unknown(
        &mut self,
        program: &Word,
        name: &str,
        arguments: &[Word],
    ) -> Option<String> {
        let text = program.text.as_str();
        if program.is_open || !is_name(name) || reach_of_text(text, self.folder.root).is_some() {
            return Some(format!("{text} may be anything"));
        }
        if self.folder.is_foreign() || is_foreign(name) {
            return Some(format!("{text}: runs what others wrote"));
        }
        // It may start a command in its arguments.
        let is_command = |word: &Word| is_known(&word.text) && !word.is_open;
        let inner = arguments.iter().position(is_command);
        let (own, inner) = arguments.split_at(inner.unwrap_or(arguments.len()));
        if let Some((word, reason)) = leads_beyond(own, &self.folder) {
            return Some(format!("{text} {}: {reason}", word.text));
        }
        if !inner.is_empty() {
            let inner = self.started(inner);
            if inner.reach == Reach::Beyond {
                return Some(inner.reason);
            }
        }
        if let Some(option) = loads(name, arguments, false) {
            return Some(format!("{}: loads what is not known", option.text));
        }
        self.runs_a_line(own).or_else(|| {
            says_beyond(name).then(|| format!("{text}: its name says that it reaches further"))
        })
    }

    // Programs that start others.

    /// Judges the words of a command that another one starts.
    fn started(&mut self, words: &[Word]) -> Judged {
        if self.depth == DEEPEST {
            let reason = "programs that start programs".to_owned();
            return Judged::new(Reach::Beyond, reason, (String::new(), 0));
        }
        self.depth += 1;
        let judged = self.program(words);
        self.depth -= 1;
        judged
    }

    /// Judges a command that is started for each item that another one finds. At best, its effect is not known.
    fn each(&mut self, name: &str, arguments: &[Word], command: &[Word]) -> Judged {
        let inner = self.started(command);
        let (subject, fixed) = unknown_subject(name, arguments);
        let subject = (format!("{subject} {}", inner.subject), fixed);
        // The started command is judged by itself.
        let others = arguments.iter().take(arguments.len() - command.len());
        let others = others.filter(|word| !word.text.starts_with("-exec"));
        if let Some((word, reason)) = leads_beyond(others, &self.folder) {
            let reason = format!("{name} {}: {reason}", word.text);
            return Judged::new(Reach::Beyond, reason, subject);
        }
        // The arguments from `xargs` are not known.
        if inner.reach == Reach::Reads && inner.only_shows && name == "find" {
            let reason = format!("{} is started for what {name} finds", inner.subject);
            return Judged::new(Reach::Unknown, reason, subject);
        }
        let reason = match inner.reason.is_empty() {
            true => format!("{name} starts {} with what is not known", inner.subject),
            false => inner.reason,
        };
        Judged::new(Reach::Beyond, reason, subject)
    }

    /// Judges `sh -c LINE` by the line.
    fn shell(&self, name: &str, arguments: &[Word]) -> Judged {
        let line = match arguments {
            [_, line] if !line.is_open => self.inner_line(&line.text, self.depth),
            _ => None,
        };
        let commands = line.into_iter().flat_map(|line| line.commands);
        let (reach, reason) = match commands.max_by_key(|command| command.reach) {
            Some(worst) => (worst.reach, worst.reason),
            None => (Reach::Beyond, format!("{name} runs what is not certain")),
        };
        Judged::new(reach, reason, unknown_subject(name, arguments))
    }

    /// Why one of `arguments` reaches beyond the project, if it is a command line that something may run.
    fn runs_a_line(&self, arguments: &[Word]) -> Option<String> {
        if self.depth == DEEPEST {
            return None;
        }
        let is_line = |word: &&Word| word.text.contains(['|', ';', '&', '\n']);
        let lines = arguments.iter().filter(is_line);
        let judged = lines.filter_map(|word| self.inner_line(&word.text, self.depth + 1));
        let mut commands = judged.flat_map(|line| line.commands);
        let bad = commands.find(|one| {
            one.reach == Reach::Beyond && one.words.first().is_some_and(|name| is_known(name))
        });
        bad.map(|one| one.reason)
    }

    /// Why a printed text may have an effect, on a terminal or when somebody runs it; `None` if it has none.
    fn printed(&self, arguments: &[Word]) -> Option<String> {
        let texts = arguments.iter().map(|word| word.text.as_str());
        if texts.clone().any(controls_a_terminal) {
            return Some("prints what may control the terminal".to_owned());
        }
        let bare = |text: &str| Word {
            text: text.trim_matches(['`', '"', '\'', '(', ')']).to_owned(),
            ..Word::default()
        };
        let words = texts.flat_map(str::split_ascii_whitespace);
        let words: Vec<Word> = words.take(MOST_PRINTED).map(bare).collect();
        // Words form a command only with an option, a pipe, or a word that shows a further reach: many program names are
        // also words of prose.
        let is_telling = |word: &Word| word.text.starts_with(['-', '|']) || says_beyond(&word.text);
        let last = words.iter().rposition(is_telling).unwrap_or_default();
        let is_one = arguments.len() > 1 && arguments.iter().all(|word| !word.is_quoted);
        (0..last.max(usize::from(is_one))).find_map(|at| {
            let command = words.get(at..)?;
            let program = command.first().filter(|word| is_program(&word.text))?;
            let reach = self.clone().started(command).reach;
            matches!(reach, Reach::Project | Reach::Beyond)
                .then(|| format!("prints a command of {}", program.text))
        })
    }

    // Programs that the table cannot describe.

    fn cd(&mut self, arguments: &[Word]) -> Judged {
        let outside = match arguments {
            [to] if to.is_open || to.text.is_empty() || to.text.starts_with('-') => {
                Err("a folder that is not certain")
            }
            [to] => self.folder.enter(&to.text),
            _ => Err("the home folder"),
        };
        match outside {
            Err(reason) => {
                let to = arguments.first().map_or("", |word| word.text.as_str());
                let subject = known_subject("cd", &[], Some(to));
                Judged::new(Reach::Beyond, format!("cd {to}: {reason}"), (subject, 1))
            }
            Ok(()) => {
                let subject = ("cd".to_owned(), 1 + arguments.len());
                Judged::new(Reach::Reads, String::new(), subject)
            }
        }
    }

    /// Judges `tee` by the files that it writes.
    fn tee(&self, arguments: &[Word]) -> Judged {
        let appends = arguments.iter().any(|word| word.text == "-a");
        let reach = |word: &Word| match appends || is_output(&word.text) {
            true => written(word, &self.folder),
            false => Reach::Beyond,
        };
        let files = arguments
            .iter()
            .filter(|word| !matches!(word.text.as_str(), "-a" | "/dev/null"));
        let worst = files.map(|word| (reach(word), word.text.as_str())).max();
        let (reach, file) = worst.unwrap_or((Reach::Reads, ""));
        let subject = match reach {
            Reach::Beyond => known_subject("tee", &[], Some(file)),
            _ => "tee".to_owned(),
        };
        Judged::new(reach, format!("writes {file}"), (subject, 1))
    }
}

/// The most words of a printed text that are read as a command.
const MOST_PRINTED: usize = 64;

/// The name in the table of the program at `path`; `None` for a script, or a program in an unusual place.
fn known_name(path: &str) -> Option<&str> {
    const USUAL: &str = "/bin/ /usr/bin/ node_modules/.bin/ ./node_modules/.bin/ .venv/bin/ venv/bin/ vendor/bin/ ./vendor/bin/";
    let bare = USUAL
        .split(' ')
        .find_map(|folder| path.strip_prefix(folder))
        .unwrap_or(path);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-+.[:".contains(&byte);
    let is_wrapper = matches!(bare, "./gradlew" | "./mvnw");
    (is_wrapper || !bare.is_empty() && bare.bytes().all(is_plain)).then_some(bare)
}

/// True for a program that is in the table, also under a name that is an ordinary word.
fn is_known(name: &str) -> bool {
    is_program(name) || can_do_anything(name)
}

/// True for an interpreter with a file of the project as its only argument: `node scripts/check.mjs`.
fn is_script_runner(name: &str, arguments: &[Word]) -> bool {
    let is_file = |word: &&Word| {
        !word.text.starts_with('-') && !word.is_open && word.text.contains(['.', '/'])
    };
    is_listed(
        "node python python3 bash sh zsh ruby php deno bun tsx ts-node",
        name,
    ) && arguments.first().filter(is_file).is_some()
}

/// The command that `find … -exec COMMAND {} ;` and `xargs COMMAND` start for each item.
fn started_for_each<'a>(name: &str, arguments: &'a [Word]) -> Option<&'a [Word]> {
    match name {
        "find" => {}
        "xargs" => return started_for_each_line(arguments),
        _ => return None,
    }
    let is_start = |word: &Word| matches!(word.text.as_str(), "-exec" | "-execdir");
    let start = arguments.iter().position(is_start)?;
    let (end, command) = arguments.get(start + 1..)?.split_last()?;
    let is_end = |word: &Word| matches!(word.text.as_str(), ";" | "+");
    // Otherwise there are two of them, or something follows.
    (is_end(end) && !command.iter().any(is_end)).then_some(command)
}

/// Judges one variable that is set; `is_alone` if it is set for the following commands.
fn set(name: &str, value: &Word, is_alone: bool, judged: &mut Judged) {
    if is_harmless_setting(name, value) {
        return;
    }
    // A shell variable of this line. Programs see only variables that were already in the environment.
    let is_own = is_alone && name.bytes().all(|byte| !byte.is_ascii_uppercase());
    // In zsh, `path` is `PATH`.
    if is_own && !name.contains("npm_") && !name.ends_with("_proxy") && !name.ends_with("path") {
        return;
    }
    let text = value.text.as_str();
    // Modules of the project itself.
    let is_of_project = name == "PYTHONPATH"
        && !text.is_empty()
        && !value.is_open
        && !text.split(':').any(|path| path.starts_with(['/', '~']));
    let is_far = decides_what_runs(name) && !is_of_project
        || names_a_system_path(text) && !is_temporary(text)
        || reach_of_text(text, "").is_some()
        || says_beyond(text);
    let reach = match is_far {
        true => Reach::Beyond,
        false => Reach::Unknown,
    };
    judged.raise(reach, || format!("sets {name}"));
    judged.subject.insert_str(0, &format!("{name}= "));
}

// The subject, by which two commands are the same: program, subcommand, and the flags that change the reach.

/// Programs with a subcommand as their first argument.
const SUBCOMMANDED: &str = "git npm npx pnpm yarn bun deno cargo go pip pip3 uv poetry make just docker docker-compose podman kubectl helm \
    terraform systemctl brew apt apt-get python python3 node bash sh mvn gradle rails mix dotnet flutter rustup gem \
    bundle composer vercel heroku fly";

/// Programs, and programs with a subcommand, that take two words of subcommand.
const TWICE: &str = "gh|glab|aws|gcloud|az|sudo|docker compose|npm run|pnpm run|yarn run";

/// Flags that describe a command better than its operands.
const TELLING: &str = "--force -f --force-with-lease --hard --no-verify --delete -D --amend --mirror --prune -rf -fr -r -R -i \
    --in-place -delete -exec -g --global --privileged -c -e -m --no-gpg-sign";

/// The longest shown part of a line that cannot be read, in bytes.
const LONGEST_LINE: usize = 80;

/// The subject of an unknown command, and the number of its arguments that belong to it.
fn unknown_subject(name: &str, arguments: &[Word]) -> (String, usize) {
    let mut subject = name.to_owned();
    let count = |subject: &str| match TWICE.split('|').any(|one| one == subject) {
        true => 2,
        false => usize::from(is_listed(SUBCOMMANDED, subject)),
    };
    let mut left = count(name);
    let mut taken = 0;
    for (at, word) in arguments.iter().enumerate() {
        let is_flag = word.text.starts_with('-');
        if is_listed(TELLING, &word.text) || left > 0 && !is_flag {
            push_word(&mut subject, &word.text);
        }
        if left > 0 && !is_flag {
            left = (left - 1).max(count(&subject).saturating_sub(taken + 1));
            taken += 1;
        }
        if left == 0 && at >= 7 {
            break;
        }
    }
    let flags = arguments.iter();
    let flags = flags.take_while(|word| word.text.starts_with('-'));
    let fixed = flags.count() + taken;
    (subject, fixed.min(arguments.len()))
}

/// The subject of a line that cannot be read: its beginning, and a digest of the whole line.
pub(crate) fn subject_of_line(line: &str) -> String {
    let start = line.get(..line.floor_char_boundary(LONGEST_LINE));
    let start: Vec<&str> = start.unwrap_or_default().split_whitespace().collect();
    let digest = hash::hex(&[line]);
    let digest = digest.get(..8).unwrap_or_default();
    format!("{} #{digest}", start.join(" "))
}
