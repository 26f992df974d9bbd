//! A machine that takes part in a fleet: its configuration, the organisation's key, and to what the person agreed.

use std::fs;
use std::path::PathBuf;

use plantune_domain::paths::create_private_dir;
use plantune_domain::{atomic_file, clock, hash};
use serde::{Deserialize, Serialize};

use super::config::{Config, Level, ProjectNames};
use super::key::{OrganisationKey, random_hex};
use super::lake::{Lake, ROOT};
use crate::failure::Failure;
use crate::workspace::Workspace;

/// A machine that takes part.
pub(super) struct Member<'w> {
    pub(super) workspace: &'w Workspace,
    pub(super) config: Config,
    pub(super) key: OrganisationKey,
}

/// To what a person agreed, and which machine this is in the lake.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Consent {
    /// False where it was taken back, and what was pushed may not be gone yet.
    is_given: bool,
    at: String,
    level: Level,
    projects: ProjectNames,
    /// A random text that never leaves the machine.
    machine: String,
}

impl<'w> Member<'w> {
    /// What `fleet.toml` and the key say.
    ///
    /// # Errors
    /// Without either, and when they are not understood.
    pub(super) fn load(workspace: &'w Workspace) -> Result<Self, Failure> {
        let config = Config::load(&workspace.paths)?;
        let file = config.key_path(&workspace.paths);
        let key = OrganisationKey::find(&file)?.ok_or_else(|| {
            Failure::failed(format!(
                "no key of the organisation: {} is not there",
                file.display()
            ))
            .hint("copy it from another machine of the organisation, or set PLANTUNE_FLEET_KEY")
        })?;
        Ok(Self {
            workspace,
            config,
            key,
        })
    }

    /// The folder of what this machine keeps about the lake. Another lake, or the same with another key, has another.
    pub(super) fn folder(&self) -> PathBuf {
        let key = self.key.hash("lake", &self.config.lake);
        let mut name = hash::hex(&["lake", &self.config.lake, &key]);
        name.truncate(16);
        self.workspace.paths.data().join("fleet").join(name)
    }

    /// The lake.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub(super) fn lake(&self) -> Result<Lake, Failure> {
        Lake::open(
            &self.config,
            &self.config.lake,
            self.folder().join("copies"),
        )
    }

    /// What is said to the person before and after they agree: below which folder of the lake this machine writes.
    pub(super) fn prefix(&self, consent: &Consent) -> String {
        let machine = self.key.hash("machine", &consent.machine);
        format!("{ROOT}/machine={machine}")
    }

    /// To what the person agreed, or had agreed; `None` when they never did.
    pub(super) fn consent(&self) -> Option<Consent> {
        serde_json::from_slice(&fs::read(self.consent_file()).ok()?).ok()
    }

    fn consent_file(&self) -> PathBuf {
        self.folder().join("consent.json")
    }

    /// Writes down that the person agreed to what the configuration says, or (`is_given`) takes that back.
    ///
    /// # Errors
    /// Those of the file system.
    pub(super) fn agree(&self, is_given: bool) -> Result<Consent, Failure> {
        let machine = match self.consent() {
            Some(before) => before.machine,
            None => random_hex::<16>()?,
        };
        let consent = Consent {
            is_given,
            at: clock::timestamp(self.workspace.now),
            level: self.config.level,
            projects: self.config.projects,
            machine,
        };
        create_private_dir(&self.folder())?;
        atomic_file::replace(&self.consent_file(), &serde_json::to_vec(&consent)?, 0o600)?;
        Ok(consent)
    }

    /// Forgets that the person ever agreed, and which machine this was.
    ///
    /// # Errors
    /// Those of the file system.
    pub(super) fn forget(&self) -> Result<(), Failure> {
        Ok(fs::remove_file(self.consent_file())?)
    }

    /// The person's agreement to as much as the configuration says.
    ///
    /// # Errors
    /// Refused when they did not.
    pub(super) fn require_consent(&self) -> Result<Consent, Failure> {
        let words = match self.consent() {
            Some(consent) if consent.covers(&self.config) => return Ok(consent),
            Some(consent) if consent.is_given => "fleet.toml pushes more than you agreed to",
            _ => "you have not agreed to push anything to this lake",
        };
        Err(Failure::refused(words)
            .hint("`plantune fleet init` shows what would leave this machine, and asks"))
    }
}

impl Consent {
    fn covers(&self, config: &Config) -> bool {
        self.is_given && config.level <= self.level && config.projects <= self.projects
    }
}
