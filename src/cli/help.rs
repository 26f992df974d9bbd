//! The help: `plantune --help` lists the verbs in groups, on one screen, and the help of each verb ends with
//! examples.

use std::fmt::Write as _;

use clap::Command;
use clap::builder::StyledStr;
use plantune_reports::text::hanging;

use crate::terminal::columns;

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
pub(super) fn add_groups(command: Command) -> Command {
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

// The examples that each verb's help ends with: at least two of each, which a test parses.

/// The examples: the verb, what to type, and what that does.
#[rustfmt::skip]
const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
    ("report", &[
        ("plantune report --html --open", "a page for your browser"),
        ("plantune report --week 2026-W46", "a calendar week"),
        ("plantune report --since '2 weeks ago' --here", "this project since a day"),
        ("plantune report test-scope", "every time one question was asked"),
        ("plantune report npm test", "every prompt for permission about it"),
        ("plantune report --all", "with what was asked once"),
        ("plantune report --by asker --since 3w", "which commands and skills stop you, and for how long"),
        ("plantune report --json", "for scripts"),
    ]),
    ("suggest", &[
        ("plantune suggest --apply", "choose from a list, see the whole change, confirm it"),
        ("plantune suggest 2", "the evidence of the second, in sentences"),
        ("plantune suggest --backtest --since 2026-11-01", "what would have been right and wrong"),
    ]),
    ("sql", &[
        ("plantune sql", "the views, and what their columns hold"),
        ("plantune sql 'SELECT question, count(*) FROM questions GROUP BY 1'", "a table"),
        ("plantune sql --csv - <question.sql", "for spreadsheets"),
    ]),
    ("prefs", &[
        ("plantune prefs list --standing", "what is answered for you, and how it goes"),
        ("plantune prefs clear test-scope", "be asked again"),
    ]),
    ("prefs list", &[
        ("plantune prefs list --here", "what holds in this project"),
        ("plantune prefs list --standing", "with how each goes"),
    ]),
    ("prefs show", &[
        ("plantune prefs show test-scope", "which questions it answers"),
        ("plantune prefs show next-area --global --json", "for scripts"),
    ]),
    ("prefs set", &[
        ("plantune prefs set test-scope --trial --answer 'Full suite'", "answer it on trial"),
        ("plantune prefs set deploy always-ask", "never propose it again"),
        ("plantune prefs set test-scope --scope texts --answer 'Full suite'", "for the texts you saw, and no other"),
    ]),
    ("prefs clear", &[
        ("plantune prefs clear test-scope", "be asked again in this project"),
        ("plantune prefs clear next-area --global", "and everywhere"),
    ]),
    ("log", &[
        ("plantune log --auto", "what was answered for you"),
        ("plantune log test-scope", "why it was asked or answered"),
        ("plantune log --limit 100 --project shop", "a hundred questions of one project"),
    ]),
    ("export", &[
        ("plantune export --parquet events.parquet", "the whole log, for other tools"),
        ("plantune export --jsonl - --since 2026-11-01", "events of this month, one a line"),
    ]),
    ("fleet", &[
        ("plantune fleet init /mnt/share/lake", "see what would leave this machine, and decide"),
        ("plantune fleet report --week 2026-W46", "the organisation's figures"),
        ("plantune fleet adopt ship-todos", "answer as nearly everybody does, after a look at the evidence"),
    ]),
    ("undo", &[
        ("plantune undo", "take back what was answered last"),
        ("plantune undo --answer 'Only affected tests'", "and say what you want instead"),
    ]),
    ("away", &[
        ("plantune away 3h", "answer what can be taken back as recommended"),
        ("plantune away 45m --project .", "in this project alone"),
        ("plantune away off", "see what was answered meanwhile"),
    ]),
    ("import", &[
        ("plantune import claude-code", "from Claude Code's transcripts"),
        ("plantune import gstack", "from gstack's log"),
    ]),
    ("install", &[
        ("plantune install --dry-run", "only show the change"),
        ("plantune install --agent codex", "for one agent alone"),
        ("plantune install --guard", "and keep agents from deciding for you"),
        ("plantune install --statusline", "and show today's questions in the status line"),
        ("plantune install --rollback", "undo the last change"),
    ]),
    ("uninstall", &[
        ("plantune uninstall --dry-run", "only show the change"),
        ("plantune uninstall --scope project", "out of the project's settings"),
    ]),
    ("doctor", &[
        ("plantune doctor --fix", "repair what can be repaired"),
        ("plantune doctor --quarantine", "lines of the log that are no events"),
        ("plantune doctor", "what is wrong, and how to repair it"),
        ("plantune doctor --deep --json", "with the whole log read, for scripts"),
    ]),
    ("demo", &[
        ("plantune demo", "watch it at work on made-up questions"),
        ("plantune demo --color always | less -R", "page by page"),
    ]),
    ("ingest", &[
        ("plantune ingest", "load what was logged"),
        ("plantune ingest --rebuild", "compute the store again"),
    ]),
    ("gc", &[
        ("plantune gc --dry-run", "what would be sealed and dropped"),
        ("plantune gc", "seal past months"),
    ]),
    ("session-kind", &[
        ("plantune session-kind", "interactive, headless or spawned"),
        ("plantune session-kind --json", "with what tells"),
    ]),
    ("statusline", &[
        ("plantune install --statusline", "have Claude Code call it"),
        ("plantune statusline", "see it"),
        ("plantune statusline </dev/null", "prints nothing: nobody asks"),
    ]),
    ("config", &[
        ("plantune config show", "what is configured, and where"),
        ("plantune config schema >config.schema.json", "for an editor"),
    ]),
    ("config show", &[
        ("plantune config show", "with where each value comes from"),
        ("plantune config show --json", "for scripts"),
    ]),
    ("config schema", &[
        ("plantune config schema", "of config.toml"),
        ("plantune config schema registry >registry.schema.json", "of registry.toml"),
    ]),
    ("completions", &[
        ("plantune completions bash >~/.local/share/bash-completion/completions/plantune", ""),
        ("plantune completions zsh >~/.zfunc/_plantune", "a folder of your fpath"),
        ("plantune completions fish >~/.config/fish/completions/plantune.fish", ""),
    ]),
    ("version", &[
        ("plantune version", "which plantune, formats and hook"),
        ("plantune version --json", "for scripts"),
    ]),
    ("classify", &[
        ("plantune classify 'git push --force'", "how far a command reaches"),
        ("plantune classify --tool WebFetch https://example.org", "another tool"),
        ("plantune classify --stdin <commands.jsonl", "many, one a line"),
        ("plantune classify --question 'Delete the branch?'", "why a question is always asked"),
    ]),
    ("man", &[
        ("plantune man | man -l -", "read plantune's own page"),
        ("plantune man ~/.local/share/man/man1", "write all pages"),
    ]),
];

/// `command` with the examples of each verb below its help.
pub(super) fn add_examples(command: Command) -> Command {
    with(command, "")
}

fn with(command: Command, path: &str) -> Command {
    let examples = EXAMPLES.iter().find(|(of, _)| *of == path);
    let command = match examples {
        Some((_, examples)) => command.after_help(text(examples)),
        None => command,
    };
    command.mut_subcommands(|verb| {
        let path = format!("{path} {}", verb.get_name());
        with(verb, path.trim_start())
    })
}

/// The examples in two columns; what does not fit beside goes below.
fn text(examples: &[(&str, &str)]) -> String {
    const COLUMN: usize = 48;
    const BESIDE: usize = 30;
    let mut text = String::from("Examples:");
    for (line, what) in examples {
        let gap = match line.len() {
            _ if what.is_empty() => String::new(),
            length if length < COLUMN && what.len() <= BESIDE => " ".repeat(COLUMN - length),
            _ => "\n      ".to_owned(),
        };
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {line}{gap}{what}");
    }
    text
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

    /// Every verb and what it is called, groups of verbs included.
    fn verbs(command: &Command, path: &str) -> Vec<(String, Command)> {
        let mut found = vec![(path.to_owned(), command.clone())];
        for verb in command.get_subcommands() {
            let path = format!("{path} {}", verb.get_name());
            found.extend(verbs(verb, path.trim_start()));
        }
        found
    }

    #[test]
    fn every_verb_has_two_examples_in_its_help() {
        for (path, mut verb) in verbs(&cli::command(), "").into_iter().skip(1) {
            let help = verb.render_long_help().to_string();
            let mut lines = help.lines().skip_while(|line| *line != "Examples:");
            assert!(lines.next().is_some(), "{path}: no examples");
            let start = format!("  plantune {path}");
            let own = lines.filter(|line| line.starts_with(start.trim_end()));
            assert!(own.count() >= 2, "{path}: {help}");
        }
    }

    #[test]
    fn every_example_is_understood() {
        let known = verbs(&cli::command(), "");
        for (path, examples) in EXAMPLES {
            assert!(
                known.iter().any(|(known, _)| known == path),
                "{path:?} is no verb"
            );
            for (line, _) in *examples {
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
