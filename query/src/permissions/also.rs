//! What a rule would allow that was never asked about, in words, with the nearest dangerous example.

use plantune_domain::permissions::Rule;

use super::proposal::Settings;

/// Programs that run what the project says, and where it says so.
const RUNNERS: &[(&str, &str)] = &[
    ("npm", "package.json"),
    ("pnpm", "package.json"),
    ("yarn", "package.json"),
    ("bun", "package.json"),
    ("npx", "node_modules"),
    ("jest", "the project's tests and configuration"),
    ("vitest", "the project's tests and configuration"),
    ("make", "the Makefile"),
    ("just", "the justfile"),
    ("task", "Taskfile.yml"),
    ("cargo", "build.rs, the tests and the dependencies"),
    ("go", "the project's tests and generators"),
    ("pytest", "the tests and conftest.py"),
    ("tox", "tox.ini"),
    ("nox", "noxfile.py"),
    ("mvn", "pom.xml"),
    ("gradle", "build.gradle"),
    ("gradlew", "build.gradle"),
    ("dotnet", "the project file and the tests"),
    ("mix", "mix.exs and the tests"),
    ("rake", "the Rakefile"),
    ("bundle", "the Gemfile"),
    ("composer", "composer.json"),
    ("pre-commit", ".pre-commit-config.yaml"),
];

/// What `rule` would allow beside what it was asked about.
pub(crate) fn also_allows(rule: &Rule, settings: Settings) -> String {
    let content = rule.content.as_deref();
    let what = match (rule.tool.as_str(), content) {
        ("Bash", Some(content)) => command(content),
        ("Edit", Some(content)) => match content.strip_suffix("/**") {
            Some(folder) => format!(
                "Every file below {folder}, also one that is not there yet: {folder}/.env, or a script that a \
                 build runs."
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
        Settings::Local => what,
        Settings::User => {
            format!("{what} In every project, also one that was cloned a minute ago.")
        }
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
    let program = words.split(' ').find(|word| !word.contains('='));
    let program = program
        .and_then(|path| path.rsplit('/').next())
        .unwrap_or_default();
    match RUNNERS.iter().find(|(name, _)| *name == program) {
        Some((_, file)) => format!(
            "{what} What `{words}` does is said by {file}: changed to `curl … | sh`, that runs unasked."
        ),
        None => what,
    }
}
