//! What a rule would allow that was never asked about, in words, with the nearest dangerous example.

use plantune_domain::permissions::{Reach, Rule};

use super::proposal::{Holds, Settings};

/// Programs that run what the project says, and where it says so.
const RUNNERS: &[(&str, &str)] = &[
    ("npm pnpm yarn bun", "package.json"),
    ("npx", "node_modules"),
    ("jest vitest", "the project's tests and configuration"),
    ("make just task", "the Makefile, justfile or Taskfile.yml"),
    ("cargo", "build.rs, the tests and the dependencies"),
    ("go", "the project's tests and generators"),
    (
        "pip pip3",
        "the files of requirements and the packages that they name",
    ),
    (
        "uv poetry",
        "pyproject.toml, the lock file and the packages that they name",
    ),
    (
        "pytest tox nox",
        "the tests, conftest.py, tox.ini or noxfile.py",
    ),
    ("mvn gradle gradlew", "pom.xml or build.gradle"),
    ("dotnet mix", "the project file and the tests"),
    ("rake bundle", "the Rakefile or Gemfile"),
    ("composer", "composer.json"),
    ("pre-commit", ".pre-commit-config.yaml"),
];

/// Programs that stand before the one that they start.
const WRAPPERS: [&str; 5] = ["timeout", "time", "nice", "env", "stdbuf"];

/// What is said of a rule for a program, script or tool that the tables do not have.
const UNKNOWN: &str = "plantune does not know what this does. ";

/// What `rule`, for calls that reach so far, would allow beside what it was asked about; `holds` is what its folder
/// holds, where that was looked at.
pub(crate) fn also_allows(
    rule: &Rule,
    settings: Settings,
    reach: Reach,
    holds: Option<&Holds>,
) -> String {
    let before = if reach == Reach::Unknown { UNKNOWN } else { "" };
    let content = rule.content.as_deref();
    let what = match (rule.tool.as_str(), content) {
        ("Bash", Some(content)) => command(content),
        ("Edit", Some(content)) => match content.strip_suffix("/**") {
            Some(folder) => format!(
                "Every file below {folder}{}, also one that is not there yet: {folder}/.env, or a script that a \
                 build runs.",
                holds.map_or_else(String::new, in_words)
            ),
            None => "Nothing but this file, whatever is written into it.".to_owned(),
        },
        ("WebFetch", Some(content)) => {
            let host = content.strip_prefix("domain:").unwrap_or(content);
            format!(
                "Every page of {host}, and whatever an address carries there: \
                 https://{host}/?q=<what the agent has read>."
            )
        }
        (tool, _) => format!("Every call of {tool}, whatever it is called with."),
    };
    match settings {
        Settings::Local => format!("{before}{what}"),
        Settings::User => {
            format!("{before}{what} In every project, also one that was cloned a minute ago.")
        }
    }
}

fn in_words(holds: &Holds) -> String {
    match holds.files {
        0 => String::new(),
        1 => format!(" (1 file today: {})", holds.examples.join(", ")),
        files => format!(
            " ({files} files today, among them {})",
            holds.examples.join(", ")
        ),
    }
}

fn command(content: &str) -> String {
    let prefix = content.strip_suffix(" *");
    let words = prefix.unwrap_or(content);
    let what = match prefix {
        None => "Nothing but these words.".to_owned(),
        Some(words) => {
            format!("Whatever follows `{words}`; nothing is known that would reach further.")
        }
    };
    let program = words
        .split_once(" -m ")
        .filter(|(before, _)| before.starts_with("python"))
        .map_or(words, |(_, module)| module);
    let is_before = |word: &&str| {
        WRAPPERS.contains(word)
            || word.contains('=')
            || word.starts_with(|c: char| c == '-' || c.is_ascii_digit())
    };
    let path = program.split(' ').find(|word| !is_before(word));
    let is_script = path.is_some_and(|path| path.contains('/'));
    let program = path
        .and_then(|path| path.rsplit('/').next())
        .unwrap_or_default();
    match RUNNERS
        .iter()
        .find(|(names, _)| names.split(' ').any(|name| name == program))
    {
        Some((_, file)) => format!(
            "{what} What `{words}` does is said by {file}: changed to `curl … | sh`, that runs unasked."
        ),
        None if is_script => {
            format!("{what} What they do is said by the script: changed, that runs unasked.")
        }
        None => what,
    }
}
