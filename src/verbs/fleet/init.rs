//! `plantune fleet init`: shows what would leave the machine, asks, and sets it up.

use std::path::PathBuf;

use clap::Args;
use plantune_domain::atomic_file;
use plantune_domain::paths::create_private_dir;
use plantune_reports::text::cut;
use serde::Serialize;

use super::config::{Config, Level, ProjectNames};
use super::due;
use super::key::OrganisationKey;
use super::member::Member;
use crate::failure::Failure;
use crate::terminal::consent::{self, Confirmation};
use crate::terminal::{print, print_exactly, sanitized};
use crate::workspace::Workspace;

/// How many example rows are shown.
const EXAMPLES: u64 = 2;

/// Show what would leave this machine, ask, and set it up
///
/// With LAKE it writes fleet.toml; without, it asks about the one that is there. All machines need the
/// organisation's key, which the first of them makes.
#[derive(Args, Debug, Serialize)]
pub(super) struct Arguments {
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
    /// A project of which nothing is pushed; * stands for anything
    #[arg(long, value_name = "KEY", requires = "lake")]
    exclude: Vec<String>,
    /// Make the organisation's key: on its first machine alone
    #[arg(long)]
    #[serde(skip)]
    new_key: bool,
    /// Agree without being asked
    #[arg(long)]
    #[serde(skip)]
    yes: bool,
}

fn absolute(path: &str) -> std::io::Result<PathBuf> {
    std::path::absolute(path)
}

/// Sets the machine up for the fleet, when the person agrees.
///
/// # Errors
/// Refused inside an agent's session, and where nobody can be asked; conflict for a fleet.toml that says something else;
/// failed without a key.
pub(super) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let command = "plantune fleet init";
    consent::may_change(workspace, arguments.yes, command)?;
    let (text, config) = configuration(arguments, workspace)?;
    let key_path = config.key_path(&workspace.paths);
    let known = OrganisationKey::find(&key_path)?;
    if known.is_none() && !arguments.new_key {
        let words = format!(
            "no key of the organisation: {} is not there",
            key_path.display()
        );
        return Err(Failure::failed(words)
            .hint("copy it from another machine of the organisation, or set PLANTUNE_FLEET_KEY")
            .hint("on the first machine, --new-key makes it"));
    }
    let key = match &known {
        Some(key) => key.clone(),
        None => OrganisationKey::for_examples()?,
    };
    let member = Member {
        workspace,
        config,
        key,
    };
    member.lake()?;
    let asked = Confirmation {
        sentence: &leaves(&member.config),
        question: "Push this from this machine?",
        yes: arguments.yes,
        command,
    };
    examples(&member)?;
    if !asked.is_given(workspace, "")? {
        return Ok(());
    }
    let mut done = String::new();
    let member = match known {
        Some(_) => member,
        None => {
            done += &format!(
                "made the organisation's key, {}: the other machines need a copy; whoever has it can test what a \
                 hash stands for\n",
                key_path.display()
            );
            Member {
                key: OrganisationKey::make(&key_path)?,
                ..member
            }
        }
    };
    if let Some(text) = text {
        let path = Config::path(&workspace.paths);
        create_private_dir(workspace.paths.config())?;
        atomic_file::replace(&path, text.as_bytes(), 0o600)?;
        done += &format!("wrote {}\n", path.display());
    }
    let consent = member.agree(true)?;
    print(&format!(
        "{done}agreed. This machine writes below {} and nowhere else.\nNext: plantune fleet push (once a day, from \
         cron); plantune fleet report\n",
        member.prefix(&consent)
    ))
}

/// The configuration, and its text where it is to be written.
fn configuration(
    arguments: &Arguments,
    workspace: &Workspace,
) -> Result<(Option<String>, Config), Failure> {
    if arguments.lake.is_none() {
        return Config::load(&workspace.paths).map(|config| (None, config));
    }
    let text = format!(
        "# The fleet: docs/fleet.md.\n{}",
        toml::to_string(arguments)?
    );
    let config = Config::parse(&text).map_err(Failure::usage)?;
    match Config::find(&workspace.paths)? {
        Some(there) if there == config => Ok((None, config)),
        Some(_) => {
            let words = format!(
                "{} is there and says something else",
                Config::path(&workspace.paths).display()
            );
            Err(Failure::conflict(words)
                .hint("edit it, and run `plantune fleet init` without LAKE"))
        }
        None => Ok((Some(text), config)),
    }
}

/// What leaves the machine, and what does not.
fn leaves(config: &Config) -> String {
    let (level, hidden) = match config.level {
        Level::None => ("", "labels, sessions, calls, what prompts were about"),
        Level::KeysAndLabels => (
            "In clear: labels, and names that your registry gives.\n",
            "sessions, calls, what prompts were about",
        ),
        Level::Full => (
            "In clear, too: everything that is logged: questions, what you typed, notes, paths, commands.\n",
            "sessions, calls",
        ),
    };
    let never = match config.level {
        Level::Full => "",
        _ => {
            "Never: what you typed, notes, questions, descriptions, paths, user names, commands, messages of errors.\n"
        }
    };
    let projects = match (config.level, config.projects) {
        (Level::Full, _) | (_, ProjectNames::Name) => "by name",
        (_, ProjectNames::Hash) => "as keyed hashes",
    };
    format!(
        "Leaves this machine, once a UTC day is over: what was asked when, by its key, and how it ended; by whom it was \
         answered; skills and plugins that asked; kinds of sessions and errors; when prompts for permission came, and \
         how they were decided.\n{level}As keyed hashes: {hidden}.\n{never}Projects: {projects}; excluded: {:?}.\n",
        config.exclude
    )
}

/// What there is, and some rows.
fn examples(member: &Member<'_>) -> Result<(), Failure> {
    let due = due::find(member)?;
    let mut text = format!("{}: {}", member.config.lake, due.summary());
    for row in due.samples(EXAMPLES)? {
        text += &format!("  {}\n", cut(&row, 12 * member.workspace.width));
    }
    text += "all of it: docs/development/fleet.md; every row, once set up: plantune fleet preview --rows 0\n";
    print_exactly(&sanitized(&text))
}
