//! `plantune --help`: the verbs in groups, on one screen; clap would list them under one heading. The help of each verb
//! ends with the examples that stand beside its arguments.

use std::fmt::Write as _;

use clap::Command;
use clap::builder::StyledStr;

/// The verbs that a person types, by what they are for.
const GROUPS: [(&str, &[&str]); 3] = [
    ("See", &["report", "log", "sql"]),
    ("Decide", &["suggest", "prefs", "undo", "away", "off", "on"]),
    (
        "Set up",
        &[
            "install",
            "import",
            "uninstall",
            "doctor",
            "config",
            "export",
        ],
    ),
];

/// `command` with its verbs in groups.
pub(super) fn add_groups(command: Command) -> Command {
    let template = template(&command);
    command.help_template(template)
}

fn template(command: &Command) -> StyledStr {
    let (header, literal) = (
        command.get_styles().get_header(),
        command.get_styles().get_literal(),
    );
    let mut groups = String::new();
    for (group, verbs) in GROUPS {
        // Writing to a string cannot fail.
        let _ = writeln!(groups, "{header}{group}{header:#}");
        let verbs = verbs
            .iter()
            .filter_map(|verb| command.find_subcommand(verb));
        for verb in verbs.filter(|verb| !verb.is_hide_set()) {
            let (name, about) = (verb.get_name(), verb.get_about());
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(groups, "  {literal}{name:9}{literal:#}  {about}");
        }
    }
    format!(
        "{{about}}
{{usage-heading}} plantune [COMMAND] [OPTIONS]  (no command: your last eight weeks)

{groups}
Every command takes --help, --color, --time-zone, --no-pager and --quiet.
"
    )
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli;

    #[test]
    fn the_help_fits_on_one_screen() {
        let help = cli::command().render_help().to_string();
        assert!(help.lines().count() <= 24, "{help}");
        for line in help.lines() {
            assert!(line.len() <= 80, "{line}");
        }
        for verb in cli::command().get_subcommands() {
            let name = verb.get_name();
            let is_listed = help.contains(&format!("\n  {name:9}  "));
            assert!(is_listed != verb.is_hide_set(), "{name}: {help}");
        }
    }

    /// Every verb and what it is called, groups of verbs included.
    fn verbs(command: &Command, path: &str) -> Vec<(String, Command)> {
        let mut found = vec![(path.to_owned(), command.clone())];
        for verb in command.get_subcommands() {
            let path = format!("{path} {}", verb.get_name());
            found.extend(verbs(verb, path.trim_start()));
        }
        found
    }

    /// The lines of a verb's help below "Examples:" that can be typed.
    fn examples(verb: &mut Command) -> Vec<String> {
        let help = verb.render_long_help().to_string();
        let lines = help.lines().skip_while(|line| *line != "Examples:");
        let typed = lines.filter(|line| line.starts_with("  plantune "));
        typed.map(|line| line.trim().to_owned()).collect()
    }

    #[test]
    fn every_verb_has_two_examples_of_its_own_that_are_understood() {
        for (path, mut verb) in verbs(&cli::command(), "").into_iter().skip(1) {
            // The words behind it are another program's.
            if path.starts_with("fleet") {
                continue;
            }
            let examples = examples(&mut verb);
            let start = format!("plantune {path}");
            let own = examples.iter().filter(|line| line.starts_with(&start));
            assert!(own.count() >= 2, "{path}: {examples:?}");
            for line in examples {
                // What it does stands behind two spaces.
                let line = line.split("  ").next().unwrap_or_default();
                let line = line.split([';', '|', '>', '<']).next().unwrap_or_default();
                // Words in quotes are one.
                let quoted = line.split('\'').enumerate();
                let words = quoted.flat_map(|(number, part)| match number % 2 {
                    0 => part.split_whitespace().collect(),
                    _ => vec![part],
                });
                let parsed = cli::command().try_get_matches_from(words);
                assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
            }
        }
    }
}
