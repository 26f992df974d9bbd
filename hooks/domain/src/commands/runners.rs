//! Programs whose arguments are targets or scripts of the project: `make TARGET`, `npm run SCRIPT`.

use super::class::Class;
use super::rows::listed;
use super::shell::Word;
use super::tables::{RUNNERS, TARGETS};

/// Options that change nothing but how much is shown and how fast it goes.
const PLAIN: [&str; 21] = [
    "-j",
    "-k",
    "-s",
    "-B",
    "-n",
    "-w",
    "-q",
    "-d",
    "--silent",
    "--quiet",
    "--watch",
    "--info",
    "--stacktrace",
    "--if-present",
    "--no-daemon",
    "--continue",
    "--offline",
    "-DskipTests",
    "--keep-going",
    "--dry-run",
    "--verbose",
];

/// The class by the parts of the targets' names; `None` when `name` is no such program.
pub(super) fn runner(name: &str, arguments: &[Word]) -> Option<Class> {
    let starts = |words: &&&[&str]| match ***words {
        [only] => only == name,
        [first, second] => {
            first == name && arguments.first().is_some_and(|word| word.text == second)
        }
        _ => false,
    };
    let words = RUNNERS.iter().find(starts)?;
    let is_manager = words.len() == 1 && matches!(name, "pnpm" | "yarn" | "bun");
    let mut targets = arguments
        .iter()
        .skip(words.len() - 1)
        .take_while(|word| word.text != "--");
    let first = targets.clone().find(|word| !word.text.starts_with('-'));
    if is_manager && let Some(class) = manager(name, arguments, first) {
        return Some(class);
    }
    let is_install = |word: &Word| word.text == "install";
    let all_safe = if words.len() > 1 || is_manager {
        // What follows a script's name are its arguments.
        first.is_some_and(is_safe)
    } else {
        // `make install` writes where it likes.
        targets.all(is_safe) && !arguments.iter().any(is_install)
    };
    let target = first.map_or("", |word| word.text.as_str());
    Some(if all_safe {
        Class::Local
    } else {
        Class::effect(format!("{name} {target}: an unknown target"))
    })
}

/// The subcommands that pnpm, yarn and bun share with npm; `None` for a script.
fn manager(name: &str, arguments: &[Word], first: Option<&Word>) -> Option<Class> {
    let is_global = |word: &Word| matches!(word.text.as_str(), "-g" | "--global" | "global");
    let class = listed("npm", arguments);
    let adds = first.is_none_or(|word| word.text == "add");
    if class.is_none() && !adds {
        return None;
    }
    Some(if arguments.iter().any(is_global) {
        Class::effect(format!("{name} installs globally"))
    } else {
        class.unwrap_or(Class::Local)
    })
}

/// True for a target that is known to change nothing, a plain option, and a setting like `SECONDS=10`.
fn is_safe(word: &Word) -> bool {
    let text = word.text.as_str();
    if word.is_open {
        return false;
    }
    if let Some((variable, value)) = text.split_once('=')
        && !text.starts_with('-')
    {
        let is_name = variable
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        return is_name && !value.contains("prod");
    }
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    PLAIN.contains(&text)
        || text.strip_prefix("-j").is_some_and(is_number)
        || is_number(text)
        || (!text.starts_with('-') && is_safe_target(text))
}

fn is_safe_target(target: &str) -> bool {
    let mut parts = target
        .split(['-', '_', ':', '.', '/'])
        .filter(|part| !part.is_empty())
        .peekable();
    let is_known = |part: &str| {
        let lower = part.to_ascii_lowercase();
        lower.bytes().all(|byte| byte.is_ascii_digit())
            || TARGETS.split_ascii_whitespace().any(|known| known == lower)
    };
    parts.peek().is_some() && parts.all(is_known)
}
