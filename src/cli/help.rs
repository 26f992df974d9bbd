//! `plantune --help`: the verbs in groups, on one screen. clap would list them under one heading. The help of each verb
//! ends with the examples that stand beside its arguments.

use clap::Command;
use clap::builder::{StyledStr, Styles};

/// `command` with its help in groups.
pub(super) fn add_groups(command: Command) -> Command {
    let template = template(command.get_styles());
    command.help_template(template)
}

fn template(styles: &Styles) -> StyledStr {
    let h = styles.get_header();
    let fleet = match cfg!(feature = "fleet") {
        true => "  fleet      Push to an organisation's lake, and see its reports\n",
        false => "",
    };
    format!(
        "\
{{about}}

{{usage-heading}} plantune [COMMAND] [OPTIONS]
Without a command: your last eight weeks, and what to do next.

{h}See{h:#}
  report     Where questions and prompts come from, and what they cost you
  log        What was asked and answered lately, and why
  sql        Ask your own questions in SQL, read-only
{h}Decide{h:#}
  suggest    What could be answered or allowed for you; --apply sets it
  prefs      List, show, set and clear your preferences
  undo       Take back the last answer given for you
  away       Have questions answered as recommended while you are away
  off, on    Stop answering questions, and start again
{h}Set up{h:#}
  install    Register the hook in the settings of the agents that are here
  uninstall  Take the hook out of the agents' settings
  doctor     Check that everything works, and repair what does not
  config     Show and change your settings
  export     Write the log for other tools
{fleet}
`plantune help report` says more about a command. Every command takes
--help, --color, --time-zone, --no-pager and --quiet.
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
            let (name, about) = (verb.get_name(), verb.get_about());
            let is_listed = match name {
                "off" | "on" => help.contains("\n  off, on "),
                _ => help.contains(&format!("\n  {name:9}  {}\n", about.unwrap())),
            };
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
            // Its help says how to get it where it is not built in.
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
