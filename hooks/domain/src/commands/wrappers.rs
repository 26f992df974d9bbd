//! Programs that start the program named in their arguments.

use super::shell::Word;

/// Variables that a program may be given without doing anything else for it.
const VARIABLES: &str = " CI DEBUG FORCE_COLOR NO_COLOR LANG LC_ALL TZ NODE_ENV RUST_LOG RUST_BACKTRACE RUSTFLAGS \
    RUST_MIN_STACK COLUMNS TERM VERBOSE V LOG_LEVEL CARGO_TERM_COLOR PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE \
    PROPTEST_CASES GOFLAGS CGO_ENABLED GOOS GOARCH MIX_ENV RAILS_ENV UPDATE_SNAPSHOTS INSTA_UPDATE SECONDS \
    ";

/// What a wrapper starts.
pub(super) enum Inner<'a> {
    /// These words.
    Words(&'a [Word]),
    /// This line, read by a shell.
    Line(&'a str),
    /// Something that cannot be seen.
    Hidden,
}

/// Wrappers, and how many arguments without a dash come before the program.
const WRAPPERS: &[(&[&str], usize)] = &[
    (&["env"], 0),
    (&["nice"], 0),
    (&["nohup"], 0),
    (&["time"], 0),
    (&["command"], 0),
    (&["builtin"], 0),
    (&["exec"], 0),
    (&["stdbuf"], 0),
    (&["ionice"], 0),
    (&["xargs"], 0),
    (&["cross-env"], 0),
    (&["npx"], 0),
    (&["bunx"], 0),
    (&["uvx"], 0),
    (&["watch"], 0),
    (&["timeout"], 1),
    (&["pnpm", "exec"], 0),
    (&["pnpm", "dlx"], 0),
    (&["npm", "exec"], 0),
    (&["yarn", "exec"], 0),
    (&["yarn", "dlx"], 0),
    (&["bundle", "exec"], 0),
    (&["poetry", "run"], 0),
    (&["pipenv", "run"], 0),
    (&["pdm", "run"], 0),
    (&["hatch", "run"], 0),
    (&["uv", "run"], 0),
    (&["pipx", "run"], 0),
    (&["mise", "exec"], 0),
    (&["rustup", "run"], 1),
];

/// Options of wrappers that take the next word.
const WITH_VALUE: [&str; 14] = [
    "-n",
    "-c",
    "-u",
    "-i",
    "-o",
    "-e",
    "-I",
    "-L",
    "-P",
    "-s",
    "-k",
    "--signal",
    "-d",
    "--package",
];

/// Options of wrappers that change what is run in a way this reader does not follow.
const HIDING: [&str; 6] = ["-S", "--split-string", "-c", "--call", "--with", "--from"];

/// What the program `name` with `arguments` starts, when it is a wrapper.
pub(super) fn inner<'a>(name: &str, arguments: &'a [Word]) -> Option<Inner<'a>> {
    if matches!(name, "sh" | "bash" | "zsh" | "dash" | "ksh") {
        return shell(arguments);
    }
    let is_it = |wrapper: &&(&[&str], usize)| match *wrapper.0 {
        [only] => only == name,
        [first, second] => {
            first == name && arguments.first().is_some_and(|word| word.text == second)
        }
        _ => false,
    };
    let (words, values) = WRAPPERS.iter().find(is_it)?;
    let mut rest = arguments.get(words.len() - 1..)?;
    let mut left = *values;
    while let [first, after @ ..] = rest {
        let text = first.text.as_str();
        if text == "--" {
            rest = after;
            break;
        }
        let is_assignment = text.contains('=') && matches!(name, "env" | "cross-env");
        if text.starts_with('-') {
            let is_timed = matches!(name, "nice" | "ionice") && text == "-c";
            if HIDING.contains(&text) && !is_timed {
                return Some(Inner::Hidden);
            }
            let takes = WITH_VALUE.contains(&text) && !matches!((name, text), ("env", "-i"));
            rest = if takes {
                after.get(1..).unwrap_or_default()
            } else {
                after
            };
        } else if is_assignment {
            if !is_harmless_variable(text.split('=').next().unwrap_or_default()) {
                return Some(Inner::Hidden);
            }
            rest = after;
        } else if left > 0 {
            left -= 1;
            rest = after;
        } else {
            break;
        }
    }
    Some(Inner::Words(rest))
}

/// `sh -c LINE`; a script, or what a pipe brings, cannot be seen.
fn shell(arguments: &[Word]) -> Option<Inner<'_>> {
    let [option, line, ..] = arguments else {
        let shows = arguments.iter().any(|word| word.text == "--version");
        return (!shows).then_some(Inner::Hidden);
    };
    let is_line = matches!(option.text.as_str(), "-c" | "-lc" | "-ec" | "-euc");
    if is_line && !line.is_open {
        Some(Inner::Line(&line.text))
    } else {
        Some(Inner::Hidden)
    }
}

/// The programs that `find … -exec … ;` starts, and whether it deletes or writes by itself.
pub(super) fn found(arguments: &[Word]) -> (Vec<&[Word]>, bool) {
    let mut started = Vec::new();
    let mut writes = false;
    for (at, word) in arguments.iter().enumerate() {
        match word.text.as_str() {
            "-delete" | "-fprint" | "-fprintf" | "-fprint0" | "-fls" => writes = true,
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let rest = arguments.get(at + 1..).unwrap_or_default();
                let length = rest
                    .iter()
                    .take_while(|word| !matches!(word.text.as_str(), ";" | "+"))
                    .count();
                started.push(rest.get(..length).unwrap_or_default());
            }
            _ => {}
        }
    }
    (started, writes)
}

/// True for a variable that a program may be given.
pub(super) fn is_harmless_variable(name: &str) -> bool {
    VARIABLES.split(' ').any(|known| known == name) && !name.is_empty()
}
