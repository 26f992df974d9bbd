//! Judges how far the words of one simple command reach: wrappers, launchers, the program and its arguments.

use super::operand::{Place, inside, is_foreign, is_name, is_output, reach_of_text, written};
use super::parser::Word;
use super::programs::{can_do_anything, is_program};
use super::rows::{is_listed, says_beyond};
use super::scripts::loads;
use super::starters::{each, launched, runs_a_line, setting, shell, started, started_by, wrapper};
use super::{rows, scripts};
use crate::hash;
use crate::permissions::{OwnReaches, Reach};

/// Judges the words of a simple command, ignoring wrappers.
pub(super) fn words(words: &[Word], place: &mut Place<'_>, own: &OwnReaches) -> Judged {
    let mut rest = words;
    while let Some(count) = wrapper(rest) {
        rest = rest.get(count..).unwrap_or_default();
    }
    let wrapped = words.len() - rest.len();
    let mut judged = program(rest, place);
    judged.fixed += wrapped;
    judged.wrapped = wrapped;
    // No rule is proposed for a wrapper that starts an unknown program.
    let starter = words.first().map_or("", |word| word.text.as_str());
    if wrapped > 0 && judged.reach == Reach::Unknown && !is_listed("time timeout", starter) {
        judged.raise(Reach::Beyond, || {
            format!("{starter} starts what is not known")
        });
    }
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

pub(super) fn program(words: &[Word], place: &mut Place<'_>) -> Judged {
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
    let Some(mut judged) = version(name, arguments).or_else(|| rows::find(name, arguments, place))
    else {
        return match started.is_none()
            && !is_script_runner(name, arguments)
            && can_do_anything(name)
        {
            true => {
                let (subject, fixed) = unknown_subject(name, arguments);
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
    judged.fixed += before + 1;
    let is_known = judged.reach < Reach::Unknown;
    if let Some(option) = loads(name, arguments, is_known) {
        judged.raise(Reach::Beyond, || {
            format!("{}: loads or overwrites what is not known", option.text)
        });
    }
    if let Some(started) = &started {
        judged.subject = format!("{} {}", started.launcher, judged.subject);
    }
    if name == "git" && !place.folder.is_empty() {
        judged.raise(Reach::Unknown, || {
            "git in another folder obeys the settings of that folder".to_owned()
        });
    }
    if place.depth == 0
        && is_listed("echo printf", name)
        && let Some(reason) = printed(arguments, place)
    {
        judged.raise(Reach::Unknown, || reason);
    }
    if !judged.only_shows && place.is_foreign() {
        judged.raise(Reach::Beyond, || {
            format!("runs in {}, what others wrote", place.folder)
        });
    }
    judged
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

/// Judges a program or script without a row. Its name and arguments must not show that it reaches further.
fn unknown(program: &str, is_open: bool, arguments: &[Word], place: &mut Place<'_>) -> Judged {
    let name = inside(program, place.root).unwrap_or(program);
    let name = name.strip_prefix("./").unwrap_or(name);
    let (subject, fixed) = unknown_subject(program, arguments);
    let judged = |reach, reason| Judged::new(reach, reason, (subject.clone(), 1 + fixed));
    if is_open || !is_name(name) || reach_of_text(program, place.root).is_some() {
        return judged(Reach::Beyond, format!("{program} may be anything"));
    }
    if place.is_foreign() || is_foreign(name) {
        return judged(Reach::Beyond, format!("{program}: runs what others wrote"));
    }
    // An unknown program may start a command in its arguments.
    let inner = arguments
        .iter()
        .position(|word| (is_program(&word.text) || can_do_anything(&word.text)) && !word.is_open);
    let (own, inner_words) = arguments.split_at(inner.unwrap_or(arguments.len()));
    if let Some((word, reason)) = rows::leads_beyond(own, place) {
        return judged(Reach::Beyond, format!("{program} {}: {reason}", word.text));
    }
    if inner.is_some() {
        let inner = started(inner_words, place);
        if inner.reach == Reach::Beyond {
            return judged(Reach::Beyond, inner.reason);
        }
    }
    if let Some(option) = loads(name, arguments, false) {
        let reason = format!("{}: loads what is not known", option.text);
        return judged(Reach::Beyond, reason);
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

/// The name in the rows of the program at `path`; `None` for a script, or a program in an unusual place.
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

// Judgements of the words of a command.

/// The judgement of the words of a command.
pub(super) struct Judged {
    pub(super) reach: Reach,
    pub(super) reason: String,
    /// The number of words that are wrappers, program and subcommand.
    pub(super) fixed: usize,
    /// The number of words that are wrappers.
    pub(super) wrapped: usize,
    /// True if it only shows files.
    pub(super) only_shows: bool,
    pub(super) subject: String,
}

impl Judged {
    pub(super) fn raise(&mut self, reach: Reach, reason: impl FnOnce() -> String) {
        if reach > self.reach {
            self.reach = reach;
            self.reason = reason();
        }
    }

    pub(super) fn new(reach: Reach, reason: String, (subject, fixed): (String, usize)) -> Self {
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

/// The longest word of a subject, in bytes.
const LONGEST_WORD: usize = 60;

/// The longest shown part of a line that cannot be read, in bytes.
const LONGEST_LINE: usize = 80;

/// The subject of a known command, with the word that raised its reach.
pub(super) fn known_subject(name: &str, arguments: &[String], raised_by: Option<&str>) -> String {
    let mut subject = name.to_owned();
    let texts = arguments.iter().map(String::as_str);
    for text in texts.chain(raised_by.map(|word| word.split('=').next().unwrap_or(word))) {
        push(&mut subject, text);
    }
    subject
}

/// The subject of an unknown command, and the number of its arguments that belong to it.
pub(super) fn unknown_subject(name: &str, arguments: &[Word]) -> (String, usize) {
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
            push(&mut subject, &word.text);
        }
        if left > 0 && !is_flag {
            left = (left - 1).max(count(&subject).saturating_sub(taken + 1));
            taken += 1;
        }
        if left == 0 && at >= 7 {
            break;
        }
    }
    let fixed = arguments
        .iter()
        .take_while(|word| word.text.starts_with('-'))
        .count()
        + taken;
    (subject, fixed.min(arguments.len()))
}

fn push(subject: &mut String, word: &str) {
    let end = word.floor_char_boundary(LONGEST_WORD);
    subject.push(' ');
    subject.push_str(word.get(..end).unwrap_or_default());
    if end < word.len() {
        subject.push('…');
    }
}

/// The subject of a line that cannot be read: its beginning, and a digest of the whole line.
pub(crate) fn of_line(line: &str) -> String {
    let end = line.floor_char_boundary(LONGEST_LINE);
    let start: Vec<&str> = line
        .get(..end)
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    let digest = hash::hex(&[line]);
    format!(
        "{} #{}",
        start.join(" "),
        digest.get(..8).unwrap_or_default()
    )
}

// Programs that a row cannot describe: the target of `cd`, the files of `tee`, the text of `echo`, and `--version`.

/// The most words of a printed text that are read as a command.
const MOST_PRINTED: usize = 64;

/// Why a printed text may have an effect, on a terminal or when somebody runs it; `None` if it has none.
pub(super) fn printed(arguments: &[Word], place: &Place<'_>) -> Option<String> {
    let texts = arguments.iter().map(|word| word.text.as_str());
    if texts.clone().any(scripts::controls_a_terminal) {
        return Some("prints what may control the terminal".to_owned());
    }
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
        let reach = started(command, &mut place.clone()).reach;
        matches!(reach, Reach::Project | Reach::Beyond)
            .then(|| format!("prints a command of {}", program.text))
    })
}

/// A word of a text in the form of a command's word.
fn bare(text: &str) -> Word {
    let text = text.trim_matches(['`', '"', '\'', '(', ')']);
    Word {
        text: text.to_owned(),
        ..Word::default()
    }
}

/// Programs that show help without a pager, for themselves and for each subcommand.
const HELPFUL: &str =
    "cargo npm pip pip3 uv brew gh docker kubectl helm terraform tofu poetry rustup go composer";

/// Judges `PROGRAM --version`, which every known program answers, and calls for help; `None` for other calls.
pub(super) fn version(name: &str, arguments: &[Word]) -> Option<Judged> {
    let is_plain = |word: &Word| {
        let mut bytes = word.text.bytes();
        !word.is_open && bytes.all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    };
    let is_help = is_listed(HELPFUL, name)
        && match arguments {
            [only] => matches!(only.text.as_str(), "-h" | "help"),
            [first, second] => {
                is_plain(first) && second.text == "--help"
                    // The others show a manual page in a pager.
                    || first.text == "help" && is_plain(second) && !is_listed("cargo npm", name)
            }
            _ => false,
        };
    if is_help {
        return Some(shown(name, arguments));
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
    is_asked.then(|| shown(name, arguments))
}

/// The judgement of a call that only shows information about the program.
fn shown(name: &str, arguments: &[Word]) -> Judged {
    let words: Vec<String> = arguments.iter().map(|word| word.text.clone()).collect();
    let subject = known_subject(name, &words, None);
    Judged {
        only_shows: true,
        ..Judged::new(Reach::Reads, String::new(), (subject, arguments.len()))
    }
}

pub(super) fn cd(arguments: &[Word], place: &mut Place<'_>) -> Judged {
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
            let subject = known_subject("cd", &[], Some(to));
            Judged::new(Reach::Beyond, format!("cd {to}: {reason}"), (subject, 1))
        }
        None => Judged::new(
            Reach::Reads,
            String::new(),
            ("cd".to_owned(), 1 + arguments.len()),
        ),
    }
}

/// Enters a folder of the project. Goes up only if the current folder is certain.
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

/// Judges `tee` by the files that it writes.
pub(super) fn tee(arguments: &[Word], place: &Place<'_>) -> Judged {
    let files = arguments
        .iter()
        .filter(|word| word.text != "-a" && word.text != "/dev/null");
    let appends = arguments.iter().any(|word| word.text == "-a");
    let reach = |word: &Word| match appends || is_output(&word.text) {
        true => written(word, place),
        false => Reach::Beyond,
    };
    let worst = files.map(|word| (reach(word), &word.text)).max();
    let (reach, file) = worst.map_or((Reach::Reads, ""), |(reach, file)| (reach, file.as_str()));
    let subject = match reach {
        Reach::Beyond => known_subject("tee", &[], Some(file)),
        _ => "tee".to_owned(),
    };
    Judged::new(reach, format!("writes {file}"), (subject, 1))
}
