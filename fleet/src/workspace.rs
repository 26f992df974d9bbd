//! What every verb starts from: folders, configuration, key, clock.

use std::fs;
use std::io;
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use plantune_agents::session::{self, Sign};
use plantune_domain::clock;
use plantune_domain::hash;
use plantune_domain::paths::{Paths, create_private_dir};
use plantune_domain::platform;
use plantune_domain::roots::Session;
use serde::{Deserialize, Serialize};

use crate::config::{Config, Level, ProjectNames};
use crate::failure::Failure;
use crate::key::OrganisationKey;
use crate::lake::{Lake, marker};
use crate::optional_file;

/// The variable by which a person's own script says that `--yes` is theirs, where there is no terminal.
const UNATTENDED: &str = "PLANTUNE_ALLOW_UNATTENDED";

/// What a verb works with that needs no lake.
pub(crate) struct Environment {
    pub(crate) paths: Paths,
    pub(crate) now: DateTime<Utc>,
    /// What shows a coding agent's session, in which nothing is agreed to.
    pub(crate) agent_session: Option<Sign>,
    /// Columns to fill.
    pub(crate) width: usize,
}

impl Environment {
    /// That of this process.
    ///
    /// # Errors
    /// When no place for plantune's data is known, or it may be a repository's (exit code 4).
    pub(crate) fn from_process() -> Result<Self, Failure> {
        let paths = Paths::from_environment().ok_or_else(|| {
            Failure::failed("no place for plantune's data: neither HOME nor PLANTUNE_HOME is set")
                .hint("set PLANTUNE_HOME to the absolute path of a folder of yours")
        })?;
        let folder = |name: &str| std::env::var_os(name).map(PathBuf::from);
        let (cwd, project, home) = (
            std::env::current_dir().unwrap_or_default(),
            folder("CLAUDE_PROJECT_DIR"),
            folder(platform::HOME),
        );
        let session = Session {
            cwd: &cwd,
            project_root: project.as_deref(),
            home: home.as_deref(),
        };
        if let Some(refusal) = paths.refusal(&session) {
            return Err(Failure::refused(&refusal).hint(refusal.remedy()));
        }
        let columns = std::env::var("COLUMNS")
            .ok()
            .and_then(|text| text.parse().ok());
        let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        Ok(Self {
            paths,
            now: clock::now(),
            agent_session: session::sign(),
            width: columns.or_else(terminal).unwrap_or(80).clamp(40, 400),
        })
    }

    /// Makes sure that it is the person who decides.
    ///
    /// # Errors
    /// Refused inside an agent's session, and without a terminal, unless with `yes` a script of the person's says so by
    /// [`UNATTENDED`].
    pub(crate) fn may_decide(&self, yes: bool, command: &str) -> Result<(), Failure> {
        use std::io::IsTerminal as _;
        if let Some(sign) = self.agent_session {
            let words = format!(
                "only the person may decide what leaves this machine, and this is an agent's session \
                 ({sign})"
            );
            return Err(Failure::refused(words).hint(format!(
                "run `{command}` yourself, in a terminal outside the session"
            )));
        }
        let is_unattended = std::env::var_os(UNATTENDED).is_some_and(|value| value == "1");
        if io::stdin().is_terminal() || (yes && is_unattended) {
            return Ok(());
        }
        Err(
            Failure::refused("there is no terminal to ask on").hint(format!(
                "run `{command}` in a terminal; a script of your own says that it is yours: {UNATTENDED}=1, and --yes"
            )),
        )
    }
}

/// A machine that takes part in a fleet.
pub(crate) struct Workspace {
    pub(crate) environment: Environment,
    pub(crate) config: Config,
    pub(crate) key: OrganisationKey,
}

impl Workspace {
    /// What `fleet.toml` and the key say.
    ///
    /// # Errors
    /// Without either, and when they are not understood.
    pub(crate) fn load(environment: Environment) -> Result<Self, Failure> {
        let config = Config::load(&environment.paths)?;
        let file = config.key_path(&environment.paths);
        let key = OrganisationKey::find(&file)?.ok_or_else(|| {
            Failure::failed(format!(
                "no key of the organisation: {} is not there",
                file.display()
            ))
            .hint("copy it from the machine that made the lake, or set PLANTUNE_FLEET_KEY")
        })?;
        Ok(Self {
            environment,
            config,
            key,
        })
    }

    /// The folder of what this machine knows about the lake. Another lake, or the same with another key, has
    /// another one.
    pub(crate) fn folder(&self) -> PathBuf {
        let mut name = hash::hex(&["lake", &self.config.lake, &self.key.check_value()]);
        name.truncate(16);
        self.environment.paths.data().join("fleet").join(name)
    }

    /// The lake, whoever's it is.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub(crate) fn any_lake(&self) -> Result<Lake, Failure> {
        Lake::open(&self.config, &self.folder().join("copies"))
    }

    /// The lake of this organisation.
    ///
    /// # Errors
    /// As [`Workspace::any_lake`]; refused for that of another.
    pub(crate) fn lake(&self) -> Result<Lake, Failure> {
        let lake = self.any_lake()?;
        marker::require(&lake, &self.key)?;
        Ok(lake)
    }

    fn consent_file(&self) -> PathBuf {
        self.folder().join("consent.json")
    }

    /// Writes down that the person agreed to what the configuration says.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn agree(&self) -> Result<(), Failure> {
        create_private_dir(&self.folder())?;
        let consent = Consent {
            at: clock::timestamp(self.environment.now),
            level: self.config.level,
            projects: self.config.projects,
        };
        let text = serde_json::to_vec(&consent)?;
        plantune_domain::atomic_file::replace(&self.consent_file(), &text, 0o600)?;
        Ok(())
    }

    /// Takes the person's agreement back.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn disagree(&self) -> Result<(), Failure> {
        optional_file::remove(&self.consent_file())
    }

    /// To what the person agreed; `None` when they did not.
    pub(crate) fn consent(&self) -> Option<Consent> {
        serde_json::from_slice(&fs::read(self.consent_file()).ok()?).ok()
    }

    /// Makes sure that the person agreed to as much as the configuration says.
    ///
    /// # Errors
    /// Refused when they did not.
    pub(crate) fn require_consent(&self) -> Result<(), Failure> {
        let words = match self.consent() {
            Some(consent) if consent.covers(&self.config) => return Ok(()),
            Some(_) => "fleet.toml publishes more than you agreed to",
            None => "you have not agreed to publish anything to this lake",
        };
        Err(Failure::refused(words)
            .hint("`plantune fleet init` shows what would leave this machine, and asks"))
    }
}

/// To what a person agreed.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Consent {
    pub(crate) at: String,
    level: Level,
    projects: ProjectNames,
}

impl Consent {
    fn covers(&self, config: &Config) -> bool {
        config.level <= self.level && config.projects <= self.projects
    }
}
