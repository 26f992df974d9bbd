//! `plantune fleet init`: shows what would leave the machine, asks, and sets it up.

use std::fs;

use clap::Args;
use plantune::document::Document;
use plantune::failure::Failure;
use plantune::session::Session;
use plantune::terminal::consent::Confirmation;
use plantune::terminal::{consent, print, print_exactly, sanitized};
use plantune_domain::atomic_file;
use plantune_domain::paths::create_private_dir;
use plantune_reports::text::{one_line, paragraph};

use crate::config::{FleetConfig, OrganisationKey, ProjectNames, SharingLevel};
use crate::member::Member;
use crate::push::Due;

/// Show what would leave this machine, ask, and set it up
///
/// With LAKE, it writes fleet.toml; without, it reads that file. Then it shows what would leave this machine, and asks.
/// Every machine needs the organisation's key. The first one makes it, with --new-key.
#[derive(Args, Debug)]
pub(crate) struct InitArguments {
    #[command(flatten)]
    config: FleetConfig,
    /// Make the organisation's key, on the first machine only
    #[arg(long)]
    new_key: bool,
    /// Don't ask: you agree
    #[arg(short, long)]
    yes: bool,
}

/// Sets the machine up for the fleet, when the person agrees.
///
/// # Errors
/// Refused inside an agent's session, and where nobody can be asked; conflict for a fleet.toml with other settings;
/// failed without a key.
pub(crate) fn run(arguments: &InitArguments, session: &Session) -> Result<Document, Failure> {
    let command = "plantune fleet init";
    consent::may_change(session, arguments.yes, command)?;
    let path = FleetConfig::path(&session.paths);
    let text = format!(
        "# The fleet: docs/fleet.md.\n{}",
        toml::to_string(&arguments.config)?
    );
    let (config, is_new) = match FleetConfig::find(&session.paths)? {
        _ if arguments.config.lake.is_empty() => (FleetConfig::load(&session.paths)?, false),
        None => (FleetConfig::parse(&text).map_err(Failure::usage)?, true),
        Some(there) if there == arguments.config => (there, false),
        Some(_) => {
            let words = format!("{} already exists with other settings", path.display());
            let hint = "edit it, and run `plantune fleet init` without LAKE";
            return Err(Failure::conflict(words).hint(hint));
        }
    };
    let key = config.key_path(&session.paths);
    let makes_key = arguments.new_key && OrganisationKey::find(&key)?.is_none();
    if makes_key {
        OrganisationKey::make(&key)?;
    }
    let member = Member::with(config, session)?;
    member.lake(&member.config.lake)?;
    let asked = Confirmation {
        sentence: &leaves(&member.config),
        question: "Push this from this machine?",
        yes: arguments.yes,
        command,
    };
    let due = Due::find(&member)?;
    let rows = due.rows(2)?;
    let rows: String = rows
        .iter()
        .map(|row| format!("  {}\n", one_line(row, 12 * session.width)))
        .collect();
    print_exactly(&sanitized(&format!(
        "{}: {}{rows}",
        member.config.lake,
        due.summary()
    )))?;
    let all = "docs/development/fleet.md lists every column. Once this is set up, `plantune fleet push --dry-run` shows \
               every row.";
    print(&paragraph(all, session.width))?;
    let agreed = asked.is_given(session, "");
    if makes_key && !matches!(agreed, Ok(true)) {
        fs::remove_file(&key)?;
    }
    if !agreed? {
        return Ok(Document::default());
    }
    if makes_key {
        let words = "Copy it to the other machines, and keep it secret: with it, anyone can test what a hash stands for.";
        print(&format!(
            "Made the organisation's key: {}\n{}",
            key.display(),
            paragraph(words, session.width)
        ))?;
    }
    if is_new {
        create_private_dir(session.paths.config())?;
        atomic_file::replace(&path, text.as_bytes(), 0o600)?;
        print(&format!("Wrote {}\n", path.display()))?;
    }
    Ok(Document::text(format!(
        "You agreed. This machine writes below {} and nowhere else.\nNext:\n  plantune fleet push    once a day, from cron\n  \
         plantune fleet report  the organisation's figures\n",
        member.prefix(&member.agree(true)?)
    )))
}

/// Describes what leaves the machine, and what does not.
fn leaves(
    FleetConfig {
        level,
        projects,
        exclude,
        ..
    }: &FleetConfig,
) -> String {
    const NEVER: &str = "Never: what you typed, notes, questions, descriptions, paths, user names, commands, and error \
                         messages.";
    let of_level = match level {
        SharingLevel::None => format!("As keyed hashes: labels, sessions, calls, and what prompts were about.\n{NEVER}"),
        SharingLevel::KeysAndLabels => format!(
            "In clear: labels, and the names in your registry.\n\
             As keyed hashes: sessions, calls, and what prompts were about.\n{NEVER}"
        ),
        SharingLevel::Full => "Also in clear: everything that is logged, such as questions, what you typed, notes, paths, and \
                        commands.\nAs keyed hashes: sessions and calls."
            .to_owned(),
    };
    let is_named = *level == SharingLevel::Full || *projects == ProjectNames::Name;
    let projects = if is_named {
        "by name"
    } else {
        "as keyed hashes"
    };
    let excluded = match exclude.is_empty() {
        true => "None is excluded.".to_owned(),
        false => format!("Excluded: {}.", exclude.join(", ")),
    };
    format!(
        "When a UTC day is over, this leaves your machine: the key of each question, when it was asked, how it ended, and \
         who answered it; the skills and plugins that asked; the kinds of sessions and errors; when permission prompts \
         came, and how they were decided.\n{of_level}\nProjects leave {projects}. {excluded}\n"
    )
}
