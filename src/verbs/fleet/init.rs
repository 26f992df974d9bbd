//! `plantune fleet init`: shows what would leave the machine, asks, and sets it up; and what a machine that takes part
//! is: its configuration, the organisation's key, and to what the person agreed.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use plantune_domain::paths::create_private_dir;
use plantune_domain::{atomic_file, clock, hash};
use plantune_reports::text::{one_line, paragraph};
use serde::{Deserialize, Serialize};

use super::config::{Config, Level, OrganisationKey, ProjectNames, random_hex};
use super::lake::{Lake, ROOT};
use super::push::Due;
use crate::failure::Failure;
use crate::session::Session;
use crate::terminal::consent::Confirmation;
use crate::terminal::{consent, print, print_exactly, sanitized};

/// A machine that takes part.
pub(super) struct Member<'w> {
    pub(super) session: &'w Session,
    pub(super) config: Config,
    pub(super) key: OrganisationKey,
}

/// To what a person agreed, and which machine this is in the lake.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Consent {
    /// False if it was taken back, and what was pushed may not be gone yet.
    is_given: bool,
    at: String,
    level: Level,
    projects: ProjectNames,
    /// A random text that never leaves the machine.
    machine: String,
}

impl<'w> Member<'w> {
    /// The settings in `fleet.toml`, with the key.
    ///
    /// # Errors
    /// Without either, and when they are not understood.
    pub(super) fn load(session: &'w Session) -> Result<Self, Failure> {
        Self::with(Config::load(&session.paths)?, session)
    }

    fn with(config: Config, session: &'w Session) -> Result<Self, Failure> {
        let file = config.key_path(&session.paths);
        let key = OrganisationKey::find(&file)?.ok_or_else(|| {
            Failure::failed(format!(
                "the organisation's key is missing: {} does not exist",
                file.display()
            ))
            .hint("copy it from another machine of the organisation, or set PLANTUNE_FLEET_KEY")
            .hint("on the first machine, `plantune fleet init --new-key` makes it")
        })?;
        Ok(Self {
            session,
            config,
            key,
        })
    }

    /// The folder of what this machine keeps about the lake. Another lake, or the same with another key, has another.
    pub(super) fn folder(&self) -> PathBuf {
        let key = self.key.hash("lake", &self.config.lake);
        let name = hash::hex(&["lake", &self.config.lake, &key]);
        self.session
            .paths
            .data()
            .join("fleet")
            .join(format!("{name:.16}"))
    }

    /// The lake at `address`.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub(super) fn lake(&self, address: &str) -> Result<Lake, Failure> {
        Lake::open(address, self.folder().join("copies"))
    }

    /// Below which folder of the lake this machine writes.
    pub(super) fn prefix(&self, consent: &Consent) -> String {
        format!(
            "{ROOT}/machine={}",
            self.key.hash("machine", &consent.machine)
        )
    }

    fn consent_file(&self) -> PathBuf {
        self.folder().join("consent.json")
    }

    /// To what the person agreed, or had agreed; `None` when they never did.
    pub(super) fn consent(&self) -> Option<Consent> {
        serde_json::from_slice(&fs::read(self.consent_file()).ok()?).ok()
    }

    /// Writes down that the person agreed to what the configuration says, or (`is_given`) takes that back.
    ///
    /// # Errors
    /// The errors of the file system.
    pub(super) fn agree(&self, is_given: bool) -> Result<Consent, Failure> {
        let consent = Consent {
            is_given,
            at: clock::timestamp(self.session.now),
            level: self.config.level,
            projects: self.config.projects,
            machine: self
                .consent()
                .map_or_else(random_hex::<16>, |before| Ok(before.machine))?,
        };
        create_private_dir(&self.folder())?;
        atomic_file::replace(&self.consent_file(), &serde_json::to_vec(&consent)?, 0o600)?;
        Ok(consent)
    }

    /// Forgets that the person ever agreed, and which machine this was.
    ///
    /// # Errors
    /// The errors of the file system.
    pub(super) fn forget(&self) -> Result<(), Failure> {
        Ok(fs::remove_file(self.consent_file())?)
    }

    /// The person's agreement to as much as the configuration says.
    ///
    /// # Errors
    /// Refused when they did not.
    pub(super) fn require_consent(&self) -> Result<Consent, Failure> {
        let (level, projects) = (self.config.level, self.config.projects);
        let words = match self.consent().filter(|consent| consent.is_given) {
            Some(consent) if level <= consent.level && projects <= consent.projects => {
                return Ok(consent);
            }
            Some(_) => "fleet.toml pushes more than you agreed to",
            None => "you haven't agreed to push anything to this lake",
        };
        Err(Failure::refused(words)
            .hint("run `plantune fleet init`; it shows what would leave this machine, and asks"))
    }
}

/// Show what would leave this machine, ask, and set it up
///
/// With LAKE, it writes fleet.toml; without, it reads that file. Then it shows what would leave this machine, and asks.
/// Every machine needs the organisation's key. The first one makes it, with --new-key.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    config: Config,
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
pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<(), Failure> {
    let command = "plantune fleet init";
    consent::may_change(session, arguments.yes, command)?;
    let path = Config::path(&session.paths);
    let text = format!(
        "# The fleet: docs/fleet.md.\n{}",
        toml::to_string(&arguments.config)?
    );
    let (config, is_new) = match Config::find(&session.paths)? {
        _ if arguments.config.lake.is_empty() => (Config::load(&session.paths)?, false),
        None => (Config::parse(&text).map_err(Failure::usage)?, true),
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
        return Ok(());
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
    print(&format!(
        "You agreed. This machine writes below {} and nowhere else.\nNext:\n  plantune fleet push    once a day, from cron\n  \
         plantune fleet report  the organisation's figures\n",
        member.prefix(&member.agree(true)?)
    ))
}

/// Describes what leaves the machine, and what does not.
fn leaves(
    Config {
        level,
        projects,
        exclude,
        ..
    }: &Config,
) -> String {
    const NEVER: &str = "Never: what you typed, notes, questions, descriptions, paths, user names, commands, and error \
                         messages.";
    let of_level = match level {
        Level::None => format!("As keyed hashes: labels, sessions, calls, and what prompts were about.\n{NEVER}"),
        Level::KeysAndLabels => format!(
            "In clear: labels, and the names in your registry.\n\
             As keyed hashes: sessions, calls, and what prompts were about.\n{NEVER}"
        ),
        Level::Full => "Also in clear: everything that is logged, such as questions, what you typed, notes, paths, and \
                        commands.\nAs keyed hashes: sessions and calls."
            .to_owned(),
    };
    let is_named = *level == Level::Full || *projects == ProjectNames::Name;
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
