//! `plantune --help`: the verbs in groups, on one screen.

use std::fmt::Write as _;

use clap::Command;
use clap::builder::StyledStr;

use plantune_reports::text::hanging;

use crate::terminal::fit::columns;

/// The verbs that a person types, by what they are for.
const GROUPS: [(&str, &[&str]); 4] = [
    ("See", &["report", "log", "sql"]),
    ("Decide", &["suggest", "prefs", "undo", "away"]),
    ("Set up", &["install", "uninstall", "doctor", "config"]),
    ("More", &["export", "fleet", "help"]),
];

/// How wide the column of the verbs is.
const COLUMN: usize = 11;

/// `command` whose help lists its verbs in groups. `fleet` is listed where it is built in.
pub(super) fn add(command: Command) -> Command {
    let command = command.mut_subcommand("fleet", |fleet| fleet.hide(!cfg!(feature = "fleet")));
    let template = template(&command);
    command.help_template(template)
}

fn template(command: &Command) -> StyledStr {
    let (header, literal) = (
        command.get_styles().get_header(),
        command.get_styles().get_literal(),
    );
    let (columns, gap) = (columns(), " ".repeat(COLUMN + 2));
    let mut text = String::from("{about}\n{usage-heading} plantune [COMMAND] [OPTIONS]\n\n");
    for (group, verbs) in GROUPS {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{header}{group}{header:#}");
        if group == "See" {
            text += &hanging(
                &gap,
                &gap,
                "your last eight weeks, and what to do next",
                columns,
            );
        }
        for verb in verbs {
            let about = match command.find_subcommand(verb) {
                Some(verb) if verb.is_hide_set() => continue,
                Some(verb) => verb
                    .get_about()
                    .map(ToString::to_string)
                    .unwrap_or_default(),
                None if *verb == "help" => {
                    "Say more about a command: plantune help report".to_owned()
                }
                None => continue,
            };
            let line = hanging(&format!("  {verb:COLUMN$}"), &gap, &about, columns);
            text += &line.replacen(verb, &format!("{literal}{verb}{literal:#}"), 1);
        }
    }
    let options = "Every command takes --help, --color, --time-zone, --no-pager and --quiet.";
    text += &hanging("\n", "", options, columns);
    text.into()
}

#[cfg(test)]
mod tests {
    use crate::cli;

    #[test]
    fn the_help_fits_on_one_screen() {
        let help = cli::command().render_help().to_string();
        assert!(help.lines().count() <= 24, "{help}");
        for line in help.lines() {
            assert!(line.len() <= 80, "{line}");
        }
        for verb in cli::command().get_subcommands() {
            let is_listed = help
                .lines()
                .any(|line| line.trim_start().starts_with(verb.get_name()));
            assert!(
                is_listed != verb.is_hide_set(),
                "{}: {help}",
                verb.get_name()
            );
        }
    }
}
