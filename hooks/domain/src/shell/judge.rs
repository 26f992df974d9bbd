//! How far the words of one simple command reach: wrappers, launchers, the program and its arguments.

use super::listed::is_listed;
use super::operand::{Place, inside, is_foreign, is_name, reach_of_text, written};
use super::parse::Word;
use super::programs::{LAUNCHERS, can_do_anything, is_program, says_beyond};
use super::{little, rows, subject};
use crate::permissions::{OwnReaches, Reach};

/// A judgement about the words of a command.
pub(super) struct Judged {
    pub(super) reach: Reach,
    pub(super) reason: String,
    /// How many words are wrappers, program and subcommand.
    pub(super) fixed: usize,
    /// How many of them are wrappers.
    pub(super) wrapped: usize,
    /// True where it shows files and does nothing else.
    only_shows: bool,
    pub(super) subject: String,
}

impl Judged {
    pub(super) fn raise(&mut self, reach: Reach, reason: impl FnOnce() -> String) {
        if reach > self.reach {
            self.reach = reach;
            self.reason = reason();
        }
    }

    fn new(reach: Reach, reason: String, (subject, fixed): (String, usize)) -> Self {
        Self {
            reach,
            reason,
            fixed,
            wrapped: 0,
            only_shows: false,
            subject,
        }
    }
}

/// How far the words of a simple command reach, wrappers looked through.
pub(super) fn words(words: &[Word], place: &mut Place<'_>, own: &OwnReaches) -> Judged {
    let mut rest = words;
    while let Some(count) = wrapper(rest) {
        rest = rest.get(count..).unwrap_or_default();
    }
    let wrapped = words.len() - rest.len();
    let mut judged = program(rest, place);
    judged.fixed += wrapped;
    judged.wrapped = wrapped;
    let before = words.iter().take(wrapped);
    for (name, value) in before.filter_map(setting) {
        if super::set(name, &value, false, &mut judged) {
            judged.wrapped = 0;
        }
    }
    let texts: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    let is_open = rest.iter().any(|word| word.is_open);
    if let Some((reach, reason)) = own.of_command(&texts, judged.reach)
        && (reach > judged.reach || !is_open)
    {
        judged.reach = reach;
        judged.reason = reason;
    }
    judged
}

/// Programs that start the program behind them: their options alone, those with a value, and how many operands
/// they have.
const WRAPPERS: &[(&str, &str, &str, usize)] = &[
    ("time", "-p", "", 0),
    (
        "timeout",
        "-v -p -f --verbose --preserve-status --foreground",
        "-s -k --signal --kill-after",
        1,
    ),
    ("nice", "", "-n --adjustment", 0),
    ("ionice", "-t --ignore", "-c -n --class --classdata", 0),
    ("stdbuf", "", "-i -o -e --input --output --error", 0),
    ("command", "", "", 0),
    ("env", "", "", 0),
];

/// How many words begin a command without being part of it: `timeout 5`, `nice -n 5`, `time`, `env CI=1`.
fn wrapper(words: &[Word]) -> Option<usize> {
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let (name, flags, valued, operands) = WRAPPERS.iter().find(|one| one.0 == text(0))?;
    let is_plain = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let mut at = 1 + options(words.get(1..)?, flags, valued, is_plain)?;
    for _ in 0..*operands {
        let digits = text(at).trim_end_matches(['s', 'm', 'h', 'd']);
        (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(())?;
        at += 1;
    }
    if *name == "env" {
        let settings = words.iter().skip(at);
        at += settings.take_while(|word| setting(word).is_some()).count();
        at += usize::from(text(at) == "--");
    }
    // A wrapper with nothing behind it does something by itself.
    let is_program = |word: &Word| {
        word.text
            .starts_with(|c: char| c.is_ascii_alphabetic() || c == '.')
    };
    words.get(at).is_some_and(is_program).then_some(at)
}

/// How many of `words` are options that stand alone or have a value that `is_plain` accepts, in the next word or
/// attached; `None` for another option.
fn options(
    words: &[Word],
    flags: &str,
    valued: &str,
    is_plain: impl Fn(&str) -> bool,
) -> Option<usize> {
    let mut at = 0;
    loop {
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        let has_attached = || {
            let mut names = valued.split(' ').filter(|name| !name.is_empty());
            names.any(|name| {
                let rest = text(at).strip_prefix(name);
                let value = match name.starts_with("--") {
                    true => rest.and_then(|rest| rest.strip_prefix('=')),
                    false => rest,
                };
                value.is_some_and(|value| !value.is_empty() && is_plain(value))
            })
        };
        at += match text(at) {
            "--" => return Some(at + 1),
            flag if is_listed(flags, flag) => 1,
            option if is_listed(valued, option) && is_plain(text(at + 1)) => 2,
            option if !option.starts_with('-') => return Some(at),
            _ if has_attached() => 1,
            _ => return None,
        };
    }
}

/// The variable that `word` sets for `env`, and its value.
fn setting(word: &Word) -> Option<(&str, Word)> {
    let (name, value) = word.text.split_once('=')?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let value = Word {
        text: value.to_owned(),
        ..word.clone()
    };
    (!name.is_empty() && name.bytes().all(is_plain)).then_some((name, value))
}

fn program(words: &[Word], place: &mut Place<'_>) -> Judged {
    let Some((program, arguments)) = words.split_first() else {
        return Judged::new(Reach::Reads, String::new(), (String::new(), 0));
    };
    let path = inside(&program.text, place.root).unwrap_or(&program.text);
    let Some(name) = known_name(path).filter(|_| !program.is_open) else {
        return unknown(&program.text, program.is_open, arguments, place);
    };
    match name {
        "cd" => return cd(arguments, place),
        "tee" => return tee(arguments, place),
        "sh" | "bash" | "zsh"
            if arguments
                .iter()
                .any(|word| word.text == "-c" || word.text == "-lc") =>
        {
            return shell(name, arguments, place);
        }
        "find" | "xargs" => {
            if let Some(started) = started_by(name, arguments) {
                return each(name, arguments, started, place);
            }
        }
        _ => {}
    }
    let started = launched(name, arguments);
    let (before, name, arguments) = match &started {
        Some(started) => (1 + started.count, started.name, started.arguments),
        None => (0, name, arguments),
    };
    let Some(found) = version(name, arguments).or_else(|| rows::find(name, arguments, place))
    else {
        return match started.is_none()
            && !is_script_runner(name, arguments)
            && can_do_anything(name)
        {
            true => {
                let (subject, fixed) = subject::unknown(name, arguments);
                let reason = format!("{subject} reaches beyond the project");
                Judged::new(Reach::Beyond, reason, (subject, before + 1 + fixed))
            }
            false => unknown(
                &program.text,
                false,
                words.get(1..).unwrap_or_default(),
                place,
            ),
        };
    };
    let subject = subject::known(name, &found.named, found.raised_by.as_deref());
    let subject = match &started {
        Some(started) => format!("{} {subject}", started.launcher),
        None => subject,
    };
    let reason = found.reason.unwrap_or_default();
    let mut judged = Judged::new(found.reach, reason, (subject, before + 1 + found.fixed));
    judged.only_shows = found.only_shows;
    if name == "git" && !place.folder.is_empty() {
        judged.raise(Reach::Unknown, || {
            "git in another folder obeys the settings of that folder".to_owned()
        });
    }
    if is_listed("echo printf", name)
        && let Some(reason) = printed(arguments, place)
    {
        judged.raise(Reach::Unknown, || reason);
    }
    if !found.only_shows && place.is_foreign() {
        judged.raise(Reach::Beyond, || {
            format!("runs in {}, what others wrote", place.folder)
        });
    }
    judged
}

/// More words of a text are not read as a command.
const MOST_PRINTED: usize = 64;

/// Why a text that is printed may do more than be read, where it goes to a terminal or to whoever runs it.
fn printed(arguments: &[Word], place: &Place<'_>) -> Option<String> {
    let texts = arguments.iter().map(|word| word.text.as_str());
    if texts.clone().any(little::controls_a_terminal) {
        return Some("prints what may control the terminal".to_owned());
    }
    let is_apart = arguments.iter().all(|word| !word.is_quoted);
    let words = texts.flat_map(str::split_ascii_whitespace);
    let words: Vec<Word> = words.take(MOST_PRINTED).map(bare).collect();
    (0..words.len()).find_map(|at| {
        let [program, behind @ ..] = words.get(at..)? else {
            return None;
        };
        let is_telling = |word: &Word| word.text.starts_with(['-', '|']) || says_beyond(&word.text);
        let is_command = is_program(&program.text)
            && (is_apart && at == 0 && !behind.is_empty() || behind.iter().any(is_telling));
        let reach = || started(words.get(at..).unwrap_or_default(), &mut place.clone()).reach;
        (is_command && matches!(reach(), Reach::Project | Reach::Beyond))
            .then(|| format!("prints a command of {}", program.text))
    })
}

/// A word of a text, as a command would have it.
fn bare(text: &str) -> Word {
    let text = text.trim_matches(['`', '"', '\'', '(', ')']);
    Word {
        text: text.to_owned(),
        ..Word::default()
    }
}

/// `PROGRAM --version`, which every program that is known here answers.
fn version(name: &str, arguments: &[Word]) -> Option<rows::Found> {
    let is_plain = |word: &Word| {
        let mut bytes = word.text.bytes();
        !word.is_open && bytes.all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    };
    let is_help = is_listed(HELPFUL, name)
        && match arguments {
            [only] => matches!(only.text.as_str(), "-h" | "help"),
            [first, second] => {
                is_plain(first) && second.text == "--help"
                    // The others show a page of the manual, in a pager.
                    || first.text == "help" && is_plain(second) && !is_listed("cargo npm", name)
            }
            _ => false,
        };
    if is_help {
        return Some(shown(arguments));
    }
    let [only] = arguments else {
        return None;
    };
    let is_asked = matches!(only.text.as_str(), "--version" | "--help")
        && (is_program(name) || can_do_anything(name))
        || matches!(only.text.as_str(), "-v" | "-V" | "version")
            && is_listed(
                "node npm pnpm yarn bun deno python python3 cargo rustc go ruby php java pip uv docker",
                name,
            );
    is_asked.then(|| shown(arguments))
}

/// Programs that show a page of help without a pager, for themselves and for each subcommand.
const HELPFUL: &str =
    "cargo npm pip pip3 uv brew gh docker kubectl helm terraform tofu poetry rustup go composer";

/// A call that shows what the program says of itself.
fn shown(arguments: &[Word]) -> rows::Found {
    rows::Found {
        reach: Reach::Reads,
        reason: None,
        fixed: arguments.len(),
        named: arguments.iter().map(|word| word.text.clone()).collect(),
        raised_by: None,
        only_shows: true,
    }
}

/// True for an interpreter that is given a file of the project and nothing else: `node scripts/check.mjs`.
fn is_script_runner(name: &str, arguments: &[Word]) -> bool {
    let is_file = |word: &&Word| {
        !word.text.starts_with('-') && !word.is_open && word.text.contains(['.', '/'])
    };
    is_listed(
        "node python python3 bash sh zsh ruby php deno bun tsx ts-node",
        name,
    ) && arguments.first().filter(is_file).is_some()
}

/// A program or script that no row has: its name and its words must not say that it reaches further.
fn unknown(program: &str, is_open: bool, arguments: &[Word], place: &mut Place<'_>) -> Judged {
    let name = inside(program, place.root).unwrap_or(program);
    let name = name.strip_prefix("./").unwrap_or(name);
    let (subject, fixed) = subject::unknown(program, arguments);
    let judged = |reach, reason| Judged::new(reach, reason, (subject.clone(), 1 + fixed));
    if is_open || !is_name(name) || reach_of_text(program, place.root).is_some() {
        return judged(Reach::Beyond, format!("{program} may be anything"));
    }
    if place.is_foreign() || is_foreign(name) {
        return judged(Reach::Beyond, format!("{program}: runs what others wrote"));
    }
    // What an unknown program is told to start, it may start.
    let inner = arguments
        .iter()
        .position(|word| (is_program(&word.text) || can_do_anything(&word.text)) && !word.is_open);
    let (own, started) = arguments.split_at(inner.unwrap_or(arguments.len()));
    if let Some((word, reason)) = rows::leads_beyond(own, place) {
        return judged(Reach::Beyond, format!("{program} {}: {reason}", word.text));
    }
    if inner.is_some() {
        let inner = self::started(started, place);
        if inner.reach == Reach::Beyond {
            return judged(Reach::Beyond, inner.reason);
        }
    }
    if let Some(reason) = runs_a_line(own, place) {
        return judged(Reach::Beyond, reason);
    }
    match says_beyond(name) {
        true => judged(
            Reach::Beyond,
            format!("{program}: its name says that it reaches further"),
        ),
        false => judged(Reach::Unknown, format!("{subject} is not known")),
    }
}

/// Why one of `arguments`, where it is a line of commands that something may run, reaches beyond.
fn runs_a_line(arguments: &[Word], place: &Place<'_>) -> Option<String> {
    let is_line = |word: &&Word| word.text.contains(['|', ';', '&', '\n']);
    let mut inner = place.clone();
    inner.depth += 1;
    let lines = arguments.iter().filter(is_line);
    let judged = lines
        .take(if inner.depth > DEEPEST { 0 } else { usize::MAX })
        .filter_map(|word| super::judge_in(&word.text, inner.clone(), &OwnReaches::default()));
    let mut commands = judged.flat_map(|line| line.commands);
    commands
        .find(|one| {
            let is_known = |name: &String| is_program(name) || can_do_anything(name);
            one.reach == Reach::Beyond && one.words.first().is_some_and(is_known)
        })
        .map(|one| one.reason)
}

/// More programs that start programs are not looked through.
const DEEPEST: usize = 4;

/// The words of a command that another one starts.
fn started(words: &[Word], place: &mut Place<'_>) -> Judged {
    if place.depth == DEEPEST {
        let reason = "programs that start programs".to_owned();
        return Judged::new(Reach::Beyond, reason, (String::new(), 0));
    }
    place.depth += 1;
    let judged = program(words, place);
    place.depth -= 1;
    judged
}

/// `sh -c LINE`: what the line does.
fn shell(name: &str, arguments: &[Word], place: &Place<'_>) -> Judged {
    let line = match arguments {
        [_, line] if !line.is_open => {
            super::judge_in(&line.text, place.clone(), &OwnReaches::default())
        }
        _ => None,
    };
    let worst = line.and_then(|line| {
        line.commands
            .into_iter()
            .max_by_key(|command| command.reach)
    });
    let (reach, reason) = match worst {
        Some(worst) => (worst.reach, worst.reason),
        None => (Reach::Beyond, format!("{name} runs what is not certain")),
    };
    Judged::new(reach, reason, subject::unknown(name, arguments))
}

/// What `find … -exec COMMAND {} ;` and `xargs COMMAND` start for each thing that they find.
fn started_by<'a>(name: &str, arguments: &'a [Word]) -> Option<&'a [Word]> {
    if name == "find" {
        let is_start = |word: &Word| matches!(word.text.as_str(), "-exec" | "-execdir");
        let start = arguments.iter().position(is_start)? + 1;
        let rest = arguments.get(start..)?;
        let end = rest
            .iter()
            .position(|word| matches!(word.text.as_str(), ";" | "+"))?;
        // Two of them, or anything behind one.
        return (start + end + 1 == arguments.len())
            .then(|| rest.get(..end))
            .flatten();
    }
    let at = options(
        arguments,
        "-0 -r -t -x -rt --null --no-run-if-empty --verbose --exit",
        "-n -P -L -I -d -s -E -J -R -S --max-args --max-procs --max-lines --max-chars --replace --delimiter --eof",
        |value| !value.starts_with('-'),
    )?;
    arguments.get(at..).filter(|started| !started.is_empty())
}

/// A command that is started for each thing that another one finds: at best it is not known what it does.
fn each(name: &str, arguments: &[Word], started: &[Word], place: &mut Place<'_>) -> Judged {
    let inner = self::started(started, place);
    let (subject, fixed) = subject::unknown(name, arguments);
    let subject = (format!("{subject} {}", inner.subject), fixed);
    // What is started is judged by itself.
    let others = arguments.iter().take(arguments.len() - started.len());
    let others = others.filter(|word| !word.text.starts_with("-exec"));
    if let Some((word, reason)) = rows::leads_beyond(others, place) {
        return Judged::new(
            Reach::Beyond,
            format!("{name} {}: {reason}", word.text),
            subject,
        );
    }
    match inner.reach {
        Reach::Reads if inner.only_shows => {
            let reason = format!("{} is started for what {name} finds", inner.subject);
            Judged::new(Reach::Unknown, reason, subject)
        }
        _ => Judged::new(Reach::Beyond, inner.reason, subject),
    }
}

/// A program that another one starts.
struct Started<'a> {
    launcher: &'static str,
    /// How many arguments of the launcher come before the program.
    count: usize,
    name: &'a str,
    arguments: &'a [Word],
}

/// What the launcher `name` (`npx`, `python3 -m`) starts, where that is a program it may start.
fn launched<'a>(name: &str, arguments: &'a [Word]) -> Option<Started<'a>> {
    let all = LAUNCHERS.iter().flat_map(|(launchers, programs)| {
        launchers
            .split(", ")
            .map(move |launcher| (launcher, programs))
    });
    let mut started = all.filter_map(|(launcher, programs)| {
        let mut words = launcher.split(' ');
        let mut count = 0;
        if words.next() != Some(name) {
            return None;
        }
        for word in words {
            if arguments.get(count)?.text != word {
                return None;
            }
            count += 1;
        }
        let inner = arguments.get(count).filter(|word| !word.is_open)?;
        is_listed(programs, &inner.text).then_some(Started {
            launcher,
            count,
            name: &inner.text,
            arguments: arguments.get(count + 1..).unwrap_or_default(),
        })
    });
    started.next()
}

/// The name by which the rows know the program at `path`; `None` for a script, or one in an unusual place.
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

fn cd(arguments: &[Word], place: &mut Place<'_>) -> Judged {
    let to = arguments.first().map_or("", |word| word.text.as_str());
    let outside = match arguments {
        [to] if to.is_open || to.text.is_empty() || to.text.starts_with('-') => {
            Some("a folder that is not certain")
        }
        [to] => enter(&to.text, place).err(),
        _ => Some("the home folder"),
    };
    match outside {
        Some(reason) => {
            let subject = subject::known("cd", &[], Some(to));
            Judged::new(Reach::Beyond, format!("cd {to}: {reason}"), (subject, 1))
        }
        None => Judged::new(
            Reach::Reads,
            String::new(),
            ("cd".to_owned(), 1 + arguments.len()),
        ),
    }
}

/// Goes into a folder of the project, and back where it is certain where that is.
fn enter(to: &str, place: &mut Place<'_>) -> Result<(), &'static str> {
    let (mut parts, rest): (Vec<&str>, &str) = match inside(to, place.root) {
        Some(rest) => (Vec::new(), rest),
        None if place.folder.is_empty() => (Vec::new(), to),
        None => (place.folder.split('/').collect(), to),
    };
    let goes_back = rest.split('/').any(|part| part == "..");
    let without = rest
        .split('/')
        .filter(|part| *part != "..")
        .collect::<Vec<_>>()
        .join("/");
    if let Some(reason) = reach_of_text(&without, place.root) {
        return Err(reason);
    }
    if !place.is_certain && (goes_back || place.is_foreign()) {
        return Err("a folder that is not certain");
    }
    for part in rest
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
    {
        match part {
            ".." => drop(parts.pop().ok_or("a path outside the project")?),
            part => parts.push(part),
        }
    }
    place.folder = parts.join("/");
    Ok(())
}

/// `tee` writes its files: into the project, or further.
fn tee(arguments: &[Word], place: &Place<'_>) -> Judged {
    let files = arguments
        .iter()
        .filter(|word| word.text != "-a" && word.text != "/dev/null");
    let worst = files.map(|word| (written(word, place), &word.text)).max();
    let (reach, file) = worst.map_or((Reach::Reads, ""), |(reach, file)| (reach, file.as_str()));
    let subject = match reach {
        Reach::Beyond => subject::known("tee", &[], Some(file)),
        _ => "tee".to_owned(),
    };
    Judged::new(reach, format!("writes {file}"), (subject, 1))
}
