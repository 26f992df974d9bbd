//! What a row cannot say of a program: where `cd` goes, what `tee` writes and `echo` prints, and who answers
//! `--version`.

use super::judged::Judged;
use super::listed::{is_listed, says_beyond};
use super::operand::{Place, inside, is_output, reach_of_text, written};
use super::parse::Word;
use super::programs::{can_do_anything, is_program};
use super::starters::started;
use super::{little, subject};
use crate::permissions::Reach;

/// More words of a text are not read as a command.
const MOST_PRINTED: usize = 64;

/// Why a text that is printed may do more than be read, where it goes to a terminal or to whoever runs it.
pub(super) fn printed(arguments: &[Word], place: &Place<'_>) -> Option<String> {
    let texts = arguments.iter().map(|word| word.text.as_str());
    if texts.clone().any(little::controls_a_terminal) {
        return Some("prints what may control the terminal".to_owned());
    }
    let words = texts.flat_map(str::split_ascii_whitespace);
    let words: Vec<Word> = words.take(MOST_PRINTED).map(bare).collect();
    // What makes a command of words is an option, a pipe, or a word that says it reaches further; the names of many
    // programs are words of prose.
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

/// A word of a text, as a command would have it.
fn bare(text: &str) -> Word {
    let text = text.trim_matches(['`', '"', '\'', '(', ')']);
    Word {
        text: text.to_owned(),
        ..Word::default()
    }
}

/// Programs that show a page of help without a pager, for themselves and for each subcommand.
const HELPFUL: &str =
    "cargo npm pip pip3 uv brew gh docker kubectl helm terraform tofu poetry rustup go composer";

/// `PROGRAM --version`, which every program that is known here answers.
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
                    // The others show a page of the manual, in a pager.
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

/// A call that shows what the program says of itself.
fn shown(name: &str, arguments: &[Word]) -> Judged {
    let words: Vec<String> = arguments.iter().map(|word| word.text.clone()).collect();
    let subject = subject::known_subject(name, &words, None);
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
            let subject = subject::known_subject("cd", &[], Some(to));
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
        Reach::Beyond => subject::known_subject("tee", &[], Some(file)),
        _ => "tee".to_owned(),
    };
    Judged::new(reach, format!("writes {file}"), (subject, 1))
}
