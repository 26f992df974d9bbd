//! `plantune fleet init`: shows what would leave the machine, asks, and sets it up.

use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;

use clap::Args;
use plantune_domain::atomic_file;
use plantune_domain::paths::create_private_dir;
use plantune_reports::text::cut;
use serde::Serialize;

use super::{confirm, preview};
use crate::config::{Config, Level, ProjectNames};
use crate::failure::Failure;
use crate::key::OrganisationKey;
use crate::lake::marker;
use crate::terminal::print;
use crate::workspace::{Environment, Workspace};

/// How many example rows are shown.
const EXAMPLES: u64 = 2;

/// Show what would leave this machine, ask, and set it up
///
/// With LAKE it writes fleet.toml; without, it asks about the one that is there. Who is first makes the lake and
/// the organisation's key, which the others need.
#[derive(Args, Debug, Serialize)]
pub(crate) struct Arguments {
    /// The lake: an absolute folder, or s3://bucket/folder
    lake: Option<String>,
    /// The endpoint of an S3-compatible store
    #[arg(long, value_name = "URL", requires = "lake")]
    endpoint: Option<String>,
    /// The region of S3
    #[arg(long, requires = "lake")]
    region: Option<String>,
    /// The file with the organisation's key [default: fleet.key beside fleet.toml]
    #[arg(long, value_name = "FILE", value_parser = absolute, requires = "lake")]
    key_file: Option<PathBuf>,
    /// How much of the texts leaves this machine
    #[arg(long, value_enum, default_value_t, requires = "lake")]
    level: Level,
    /// How projects are named
    #[arg(long, value_enum, default_value_t, requires = "lake")]
    projects: ProjectNames,
    /// A project of which nothing is published; * stands for anything
    #[arg(long, value_name = "KEY", requires = "lake")]
    exclude: Vec<String>,
    /// Agree without being asked
    #[arg(long)]
    #[serde(skip)]
    yes: bool,
}

fn absolute(path: &str) -> io::Result<PathBuf> {
    std::path::absolute(path)
}

/// Sets the machine up for the fleet, when the person agrees.
///
/// # Errors
/// Refused inside an agent's session, where nobody can be asked, and for another organisation's lake; conflict
/// for a fleet.toml that says something else.
pub(crate) fn run(arguments: &Arguments, environment: Environment) -> Result<(), Failure> {
    environment.may_decide(arguments.yes, "plantune fleet init")?;
    let (text, config) = configuration(arguments, &environment)?;
    let key_path = config.key_path(&environment.paths);
    let known = OrganisationKey::find(&key_path)?;
    let workspace = Workspace {
        key: match &known {
            Some(key) => key.clone(),
            None => OrganisationKey::for_examples()?,
        },
        environment,
        config,
    };
    let lake = workspace.any_lake()?;
    let is_new = match &known {
        Some(key) => !marker::check(&lake, key)?,
        None if marker::exists(&lake)? => {
            let words = format!("no key for the lake that is there: {}", key_path.display());
            return Err(Failure::failed(words).hint(
                "copy fleet.key from the machine that made the lake, or set PLANTUNE_FLEET_KEY",
            ));
        }
        None => true,
    };
    print(&shown(&workspace, is_new)?)?;
    if !arguments.yes && !confirm("Publish this from this machine?")? {
        return print("nothing was changed\n");
    }
    let mut done = String::new();
    let key = match known {
        Some(key) => key,
        None => {
            let key = OrganisationKey::make(&key_path)?;
            let _ = writeln!(
                done,
                "made the organisation's key, {}: the other machines need a copy; whoever has it can test what \
                 a hash stands for",
                key_path.display()
            );
            key
        }
    };
    if is_new {
        marker::make(&lake, &key)?;
    }
    if let Some(text) = text {
        let path = Config::path(&workspace.environment.paths);
        create_private_dir(workspace.environment.paths.config())?;
        atomic_file::replace(&path, text.as_bytes(), 0o600)?;
        let _ = writeln!(done, "wrote {}", path.display());
    }
    Workspace { key, ..workspace }.agree()?;
    print(
        &(done
            + "agreed. Next: plantune fleet push (once a day, from cron); plantune fleet report\n"),
    )
}

/// The configuration, and its text where it is to be written.
fn configuration(
    arguments: &Arguments,
    environment: &Environment,
) -> Result<(Option<String>, Config), Failure> {
    let path = Config::path(&environment.paths);
    let there = Config::find(&environment.paths)?;
    if arguments.lake.is_none() {
        return Config::load(&environment.paths).map(|config| (None, config));
    }
    let text = format!(
        "# The fleet: docs/fleet.md.\n{}",
        toml::to_string(arguments)?
    );
    let config = Config::parse(&text).map_err(Failure::usage)?;
    match there {
        Some(there) if there == config => Ok((None, config)),
        Some(_) => {
            let words = format!("{} is there and says something else", path.display());
            Err(Failure::conflict(words)
                .hint("edit it, and run `plantune fleet init` without LAKE"))
        }
        None => Ok((Some(text), config)),
    }
}

/// What would leave the machine, and what would not.
fn shown(workspace: &Workspace, is_new: bool) -> Result<String, Failure> {
    let config = &workspace.config;
    let due = preview::find(workspace)?;
    let mut text = format!(
        "lake: {}{}\n",
        config.lake,
        if is_new { " (new)" } else { "" }
    );
    text += "leaves this machine, once a UTC day is over: what was asked when, by its key, and how it ended; by \
             whom it was answered; skills and plugins that asked; kinds of sessions and errors; when prompts for \
             permission came, and how they were decided\n";
    text += match config.level {
        Level::None => {
            "as keyed hashes: labels, sessions, calls, what prompts were about\n\
             never: what you typed, notes, questions, descriptions, paths, user names, commands, messages of errors\n"
        }
        Level::KeysAndLabels => {
            "in clear: labels, and names that your registry gives; as keyed hashes: sessions, calls, what prompts \
             were about\n\
             never: what you typed, notes, questions, descriptions, paths, user names, commands, messages of errors\n"
        }
        Level::Full => {
            "in clear, too: everything that is logged: questions, what you typed, notes, paths, commands\n"
        }
    };
    text += match (config.level, config.projects) {
        (Level::Full, _) | (_, ProjectNames::Name) => "projects: by name\n",
        (_, ProjectNames::Hash) => "projects: as keyed hashes\n",
    };
    if !config.exclude.is_empty() {
        let _ = writeln!(text, "excluded: {}", config.exclude.join(", "));
    }
    text += &preview::summary(&due)?;
    for row in due.samples(EXAMPLES)? {
        let _ = writeln!(text, "  {}", cut(&row, 12 * workspace.environment.width));
    }
    text += "all of it: docs/development/fleet-lake.md; every row, once set up: plantune fleet preview --rows 0\n";
    Ok(text)
}
