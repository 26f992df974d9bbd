//! The class of one program with its arguments.

use super::class::Class;
use super::clients::{curl, plain_or, queries_only, sed};
use super::rows::listed;
use super::runners::runner;
use super::shell::{Simple, Word, parse};
use super::tables::ALIASES;
use super::wrappers::{Inner, found, inner, is_harmless_variable};

/// A longer line is not judged, in bytes.
const LONGEST: usize = 4096;

/// Places whose contents are secrets, wherever in an argument.
const SECRETS: [&str; 12] = [
    ".ssh",
    ".aws",
    ".env",
    "id_rsa",
    "id_ed25519",
    "credential",
    ".netrc",
    ".gnupg",
    "shadow",
    "secret",
    ".npmrc",
    ".pgpass",
];

/// As [`classify`](super::classify), at a depth of `sh -c` inside `sh -c`.
pub(super) fn classify_at(line: &str, depth: usize) -> Class {
    /// Shells within shells that are still read.
    const DEEPEST: usize = 3;
    if line.len() > LONGEST || depth > DEEPEST {
        return Class::effect("too long to judge");
    }
    let programs = parse(line).filter(|programs| !programs.is_empty());
    let Some(programs) = programs else {
        return Class::effect("not understood");
    };
    let classes = programs.iter().map(|simple| class(simple, depth));
    classes.max().unwrap_or(Class::ReadOnly)
}

pub(super) fn class(simple: &Simple, depth: usize) -> Class {
    if let Some((name, _)) = simple
        .assignments
        .iter()
        .find(|(name, value)| !is_harmless_variable(name) || value.contains("prod"))
    {
        return Class::effect(format!("sets {name}"));
    }
    let is_nowhere =
        |file: &String| matches!(file.as_str(), "/dev/null" | "/dev/stdout" | "/dev/stderr");
    if let Some(file) = simple.writes.iter().find(|file| !is_nowhere(file)) {
        return Class::effect(format!("writes {file}"));
    }
    if simple.words.is_empty() {
        return Class::Local;
    }
    words(&simple.words, depth)
}

fn words(words: &[Word], depth: usize) -> Class {
    const DEEPEST: usize = 6;
    let Some((program, arguments)) = words.split_first() else {
        return Class::effect("a program that is not named");
    };
    if program.is_open || depth > DEEPEST {
        return Class::effect("a program that is not named");
    }
    let Some(name) = name_of(&program.text) else {
        return Class::effect(format!("unknown program {}", program.text));
    };
    if asks_for_help(arguments) {
        return Class::ReadOnly;
    }
    if let Some(started) = inner(name, arguments) {
        return match started {
            Inner::Words([]) if matches!(name, "xargs" | "env") => Class::ReadOnly,
            Inner::Words(inside) => self::words(inside, depth + 1),
            Inner::Line(line) => classify_at(line, depth + 1),
            Inner::Hidden => Class::effect(format!("{name} runs what cannot be seen")),
        };
    }
    let class = special(name, arguments, depth)
        .or_else(|| runner(name, arguments))
        .or_else(|| listed(name, arguments))
        .unwrap_or_else(|| unknown(name, arguments));
    outside(name, arguments, class)
}

/// The name by which the tables know the program at `path`; `None` for one that lies in the project or in
/// an unusual place, because it may be anything.
fn name_of(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next().filter(|name| !name.is_empty())?;
    let folder = path.strip_suffix(name)?;
    let is_usual = matches!(
        folder,
        "" | "/bin/"
            | "/usr/bin/"
            | "/usr/local/bin/"
            | "node_modules/.bin/"
            | "./node_modules/.bin/"
            | "vendor/bin/"
            | "./vendor/bin/"
            | ".venv/bin/"
            | "venv/bin/"
            | "/sbin/"
            | "/usr/sbin/"
    ) || folder == "./" && matches!(name, "gradlew" | "mvnw");
    let known = ALIASES.iter().find(|(alias, _)| *alias == name);
    is_usual.then(|| known.map_or(name, |(_, name)| name))
}

fn asks_for_help(arguments: &[Word]) -> bool {
    let is_help = |word: &Word| {
        matches!(
            word.text.as_str(),
            "--version" | "--help" | "-V" | "-version"
        )
    };
    matches!(arguments, [only] if is_help(only))
        || matches!(arguments, [first, last] if last.text == "--help" && !first.text.starts_with('-'))
}

/// Programs that need more than a line of the tables.
fn special(name: &str, arguments: &[Word], depth: usize) -> Option<Class> {
    let texts = || arguments.iter().map(|word| word.text.as_str());
    let class = match name {
        "sudo" | "doas" | "su" => Class::effect("runs as another user"),
        "find" => {
            let (started, writes) = found(arguments);
            let classes = started.into_iter().map(|started| words(started, depth + 1));
            let worst = classes.max().unwrap_or(Class::ReadOnly);
            if writes {
                Class::effect("find deletes or writes")
            } else {
                worst
            }
        }
        "sed" | "gsed" => sed(arguments),
        "awk" | "gawk" | "mawk" => {
            let acts = ["system(", ">", "| \"", "|\"", "getline", "-i", "print |"];
            let is_plain =
                texts().all(|text| acts.iter().all(|act| !text.contains(act)) && text != "-f");
            plain_or(is_plain, "awk writes or runs")
        }
        "psql" | "mysql" | "mariadb" | "sqlite3" | "duckdb" | "mongosh" | "sqlcmd" => {
            plain_or(queries_only(name, arguments), "a database client")
        }
        "curl" | "wget" => curl(name, arguments),
        "uniq" => plain_or(
            texts().filter(|text| !text.starts_with('-')).count() < 2,
            "uniq writes",
        ),
        "kubectl" if texts().any(|text| text.contains("secret")) => {
            Class::effect("kubectl reads secrets")
        }
        "kubectl"
            if texts().any(|text| text.starts_with("--dry-run="))
                && texts().next() == Some("apply") =>
        {
            Class::ReadOnly
        }
        "aws" => {
            let acts = texts().filter(|text| !text.starts_with('-')).nth(1);
            let reads =
                acts.is_some_and(|act| act.starts_with("describe-") || act.starts_with("list-"));
            return reads.then_some(Class::ReadOnly);
        }
        "gh" if texts().next() == Some("api") => {
            let changes = |text: &str| {
                text.starts_with("-X")
                    || text.starts_with("--method")
                    || text.starts_with("-f")
                    || text.starts_with("-F")
                    || text.starts_with("--field")
                    || text.starts_with("--raw-field")
                    || text.starts_with("--input")
            };
            plain_or(!texts().any(changes), "gh api changes")
        }
        _ => return None,
    };
    Some(class)
}

fn unknown(name: &str, arguments: &[Word]) -> Class {
    let first = arguments
        .iter()
        .map(|word| word.text.as_str())
        .find(|text| !text.starts_with('-'));
    Class::effect(match first {
        Some(first) if super::is_program(name) => format!("{name} {first}"),
        _ => name.to_owned(),
    })
}

/// `class`, unless an argument lies outside the project, or holds secrets.
fn outside(name: &str, arguments: &[Word], class: Class) -> Class {
    let is_secret = |word: &Word| {
        let text = word.text.as_str();
        let is_example = text.contains("example") || text.contains("sample");
        !is_example && SECRETS.iter().any(|secret| text.contains(secret))
    };
    let is_outside = |word: &Word| {
        let text = word.text.rsplit('=').next().unwrap_or_default();
        text.starts_with(['/', '~']) && text != "/dev/null" && !text.starts_with("/tmp/")
            || text == ".."
            || text.starts_with("../")
            || text.contains("/../")
    };
    let shows_names = matches!(
        name,
        "ls" | "echo" | "grep" | "rg" | "git" | "printf" | "find" | "tree"
    );
    match class {
        Class::ReadOnly if !shows_names && arguments.iter().any(is_secret) => {
            Class::effect("reads what may be secret")
        }
        Class::ReadOnly
            if shows_names
                && arguments
                    .iter()
                    .any(|word| word.text.starts_with('~') && is_secret(word)) =>
        {
            Class::effect("reads what may be secret")
        }
        Class::Local if arguments.iter().any(is_outside) => {
            Class::effect("works outside the project")
        }
        class => class,
    }
}
