//! `plantune prefs list`: the preferences, how each stands, and which of them the hook ignores.

use clap::Args;
use plantune_domain::preferences::Preference;
use plantune_query::standing::Standing;
use plantune_reports::standing::{StandingPreference, Stored, record_in_words};
use plantune_reports::terminal::{BOLD, DIM, Terminal, YELLOW};
use plantune_reports::text;
use plantune_settings::accepted_rules::added;
use plantune_settings::file::SettingsFile;
use serde::Serialize;

use crate::failure::Failure;
use crate::preferences::scope::{PreferenceScope, quoted};
use crate::preferences::standing::review;
use crate::preferences::{FoundFile, stored};
use crate::session::Session;
use crate::session::project::{ProjectArguments, ShortNames};
use crate::settings_change::host;
use crate::{away, preferences, terminal};

/// How much of a project, a path or a reason is shown, in characters.
const SHOWN: usize = 400;

/// List your preferences
#[derive(Args, Debug, Default)]
#[command(after_help = "Examples:
  plantune prefs list --here                      what holds in this project
  plantune prefs list --standing                  how each one is doing")]
pub(crate) struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    project: ProjectArguments,
    /// How often each one answered, how its checks went, and why it is on or stopped
    #[arg(long)]
    standing: bool,
}

#[derive(Serialize)]
struct PreferenceList<'a> {
    preferences: Vec<&'a Row<'a>>,
    problems: Vec<&'a str>,
    permission_rules: Vec<Rule>,
    away_until: Option<String>,
}

/// A permission rule that plantune added to settings.
#[derive(Serialize)]
struct Rule {
    rule: String,
    settings: String,
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    stored: Stored,
    #[serde(flatten)]
    standing: Option<&'a Standing>,
}

/// Lists the preferences, how each stands, and which of them the hook ignores.
///
/// # Errors
/// Conflict for a configuration or registry that is not understood.
pub(crate) fn run(arguments: &Arguments, session: &Session) -> Result<(), Failure> {
    let found = match arguments.project.resolve(session)? {
        None => preferences::all(session),
        Some(project) => preferences::of(
            session,
            &[PreferenceScope::Project(project), PreferenceScope::Global],
        ),
    };
    let standing = match arguments.standing {
        true => standing(session),
        false => Vec::new(),
    };
    let of_file = |file| rows(file, &standing, session);
    let rows: Vec<Vec<Row<'_>>> = found.iter().map(of_file).collect::<Result<_, Failure>>()?;
    if arguments.json {
        let document = PreferenceList {
            preferences: rows.iter().flatten().collect(),
            problems: found
                .iter()
                .filter_map(|file| file.problem.as_deref())
                .collect(),
            permission_rules: rules(session),
            away_until: away::until(session),
        };
        return terminal::print_json(&document);
    }
    let mut out = session.terminal();
    let names = ShortNames::without_store(session);
    let is_empty = |file: &FoundFile| file.preferences.is_empty() && file.problem.is_none();
    for (file, rows) in found.iter().zip(&rows) {
        if is_empty(file) {
            continue;
        }
        let whose = match &file.project {
            Some(project) => format!("project {}:", one(names.of(project))),
            None => format!("{}:", file.scope.as_str()),
        };
        out.paragraph(whose, BOLD);
        show_file(file, rows, arguments.standing, &mut out);
    }
    if found.iter().all(is_empty) {
        let which = arguments.project.word().map_or("", |_| " for this project");
        out.line(format!(
            "You have no preferences{which}, so plantune answers nothing.\n\
             To see what it could answer: `plantune suggest`"
        ));
    }
    show_rules(&rules(session), &mut out);
    if let Some(line) = away::line(session)? {
        out.hanging("", "  ", line);
    }
    terminal::print(&out.into_text())
}

/// The permission rules that plantune added, in the settings of whatever project.
fn rules(session: &Session) -> Vec<Rule> {
    let of_file = |(file, rules): (SettingsFile, Vec<String>)| {
        let settings = file.name();
        rules.into_iter().map(move |rule| Rule {
            rule,
            settings: settings.clone(),
        })
    };
    added(&host(session))
        .into_iter()
        .flat_map(of_file)
        .collect()
}

fn show_rules(rules: &[Rule], out: &mut Terminal) {
    let Some(first) = rules.first() else {
        return;
    };
    out.styled("Permission rules you set here:", BOLD);
    for Rule { rule, settings } in rules {
        out.hanging("  ", "    ", format!("{} in {settings}", one(rule)));
    }
    let rule = quoted(&one(&first.rule));
    out.hanging("  ", "  ", format!("To remove one: `plantune undo {rule}`"));
}

/// How the preferences stand; nothing, and why on standard error, when the store cannot be read.
fn standing(session: &Session) -> Vec<StandingPreference> {
    match review(session) {
        Ok(standing) => {
            session.found(|findings| findings.standing = Some(standing.clone()));
            standing
        }
        Err(failure) => {
            let message = failure.message();
            terminal::say(&format!(
                "plantune: cannot say how they are doing: {message}\n"
            ));
            Vec::new()
        }
    }
}

/// The preferences of `file`, each with how it stands.
fn rows<'a>(
    file: &FoundFile,
    standing: &'a [StandingPreference],
    session: &Session,
) -> Result<Vec<Row<'a>>, Failure> {
    let row = |(key, preference): (&String, &Preference)| {
        let standing = file.standing(key, standing);
        Ok(Row {
            stored: stored(file, key, preference, standing, session)?,
            standing: standing.map(|one| &one.standing),
        })
    };
    file.preferences.iter().map(row).collect()
}

fn show_file(file: &FoundFile, rows: &[Row<'_>], records: bool, out: &mut Terminal) {
    if let Some(problem) = &file.problem {
        out.paragraph(format!("  ignored: {}", one(problem)), YELLOW);
    }
    for Row { stored, standing } in rows {
        let (word, name) = (&stored.word, &stored.name);
        let (does, set) = (&stored.does, &stored.set);
        out.hanging("  ", "    ", format!("{}: {does}{set}", one(word)));
        if name != word {
            let name = text::one_line(name, out.width.saturating_sub(4));
            out.styled(&format!("    {name}"), DIM);
        }
        let record = standing.filter(|_| records).map(record_in_words);
        let remarks = record.iter().chain(&stored.remarks);
        remarks.for_each(|line| out.hanging("    ", "    ", line));
    }
}

fn one(text: &str) -> String {
    text::one_line(text, SHOWN)
}
