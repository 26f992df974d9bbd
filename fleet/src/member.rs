//! A machine that takes part in the fleet: its configuration, the organisation's key, and to what the person agreed.

use std::fs;
use std::path::PathBuf;

use plantune::failure::Failure;
use plantune::session::Session;
use plantune_domain::paths::create_private_dir;
use plantune_domain::{clock, hash, private_file};
use serde::{Deserialize, Serialize};

use crate::config::{FleetConfig, OrganisationKey, ProjectNames, SharingLevel, random_hex};
use crate::lake::{Lake, ROOT};

/// A machine that takes part.
pub(crate) struct Member<'w> {
    pub(crate) session: &'w Session,
    pub(crate) config: FleetConfig,
    pub(crate) key: OrganisationKey,
}

/// To what a person agreed, and which machine this is in the lake.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FleetConsent {
    /// False if it was taken back, and what was pushed may not be gone yet.
    is_given: bool,
    at: String,
    level: SharingLevel,
    projects: ProjectNames,
    /// A random text that never leaves the machine.
    machine: String,
}

impl<'w> Member<'w> {
    /// The settings in `fleet.toml`, with the key.
    ///
    /// # Errors
    /// Without either, and when they are not understood.
    pub(crate) fn load(session: &'w Session) -> Result<Self, Failure> {
        Self::with(FleetConfig::load(&session.paths)?, session)
    }

    /// The machine with this configuration, and the key that it names.
    ///
    /// # Errors
    /// Without a key, and when it is not understood.
    pub(crate) fn with(config: FleetConfig, session: &'w Session) -> Result<Self, Failure> {
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
    pub(crate) fn folder(&self) -> PathBuf {
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
    pub(crate) fn lake(&self, address: &str) -> Result<Lake, Failure> {
        Lake::open(address, self.folder().join("copies"))
    }

    /// Below which folder of the lake this machine writes.
    pub(crate) fn prefix(&self, consent: &FleetConsent) -> String {
        format!(
            "{ROOT}/machine={}",
            self.key.hash("machine", &consent.machine)
        )
    }

    fn consent_file(&self) -> PathBuf {
        self.folder().join("consent.json")
    }

    /// To what the person agreed, or had agreed; `None` when they never did.
    pub(crate) fn consent(&self) -> Option<FleetConsent> {
        serde_json::from_slice(&fs::read(self.consent_file()).ok()?).ok()
    }

    /// Writes down that the person agreed to what the configuration says, or (`is_given`) takes that back.
    ///
    /// # Errors
    /// The errors of the file system.
    pub(crate) fn agree(&self, is_given: bool) -> Result<FleetConsent, Failure> {
        let consent = FleetConsent {
            is_given,
            at: clock::timestamp(self.session.now),
            level: self.config.level,
            projects: self.config.projects,
            machine: self
                .consent()
                .map_or_else(random_hex::<16>, |before| Ok(before.machine))?,
        };
        create_private_dir(&self.folder())?;
        private_file::replace(&self.consent_file(), &serde_json::to_vec(&consent)?)?;
        Ok(consent)
    }

    /// Forgets that the person ever agreed, and which machine this was.
    ///
    /// # Errors
    /// The errors of the file system.
    pub(crate) fn forget(&self) -> Result<(), Failure> {
        Ok(fs::remove_file(self.consent_file())?)
    }

    /// The person's agreement to as much as the configuration says.
    ///
    /// # Errors
    /// Refused when they did not.
    pub(crate) fn require_consent(&self) -> Result<FleetConsent, Failure> {
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
