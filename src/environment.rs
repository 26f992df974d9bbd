//! The environment, read once: folders, clock, terminal, time zone, and the arguments that every verb takes.

use std::io;
use std::io::{IsTerminal as _, stdin};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use plantune_agents::session::Sign;
use plantune_agents::{claude_code, session};
use plantune_domain::config::Config;
use plantune_domain::paths::Paths;
use plantune_domain::roots::{RootRefusal, Session};
use plantune_domain::{clock, sanitize};
use rustix::fs::{Access, Mode, access};
use rustix::process::{getuid, umask};
use rustix::termios::{QueueSelector, tcflush, ttyname};

use crate::failure::Failure;

/// The variable by which a person's own script says that `--yes` is theirs, if there is no terminal.
pub(crate) const UNATTENDED: &str = "PLANTUNE_ALLOW_UNATTENDED";

/// The environment of one run.
#[derive(Clone)]
pub struct Environment {
    /// Where data and configuration lie.
    pub paths: Paths,
    /// When the run started.
    pub now: DateTime<Utc>,
    /// The sign of a coding agent's session, in which no change of preferences may happen.
    pub(crate) agent_session: Option<Sign>,
    /// True if a script of the person says that it runs for them, without a terminal ([`UNATTENDED`]).
    pub(crate) is_unattended: bool,
    /// The folder of Claude Code whose new transcripts are read before something is shown; `None` if there is
    /// none, and in an agent's session: what proposals rest on is not for an agent to add to.
    pub(crate) transcripts: Option<PathBuf>,
    /// True when colour may be used on standard output.
    pub(crate) colour: bool,
    /// The time zone of `--time-zone`.
    pub(crate) time_zone: Option<Tz>,
    /// Columns to fill: `COLUMNS`, else the terminal's, else 80.
    pub width: usize,
}

impl Environment {
    /// The environment of this process, called with `--time-zone` and with what `--color` says.
    ///
    /// # Errors
    /// When neither `PLANTUNE_HOME` nor a home directory is known, or `PLANTUNE_HOME` is relative.
    pub(crate) fn from_process(
        time_zone: Option<Tz>,
        colour: Option<bool>,
    ) -> Result<Self, Failure> {
        let paths = Paths::from_environment().ok_or_else(|| {
            let fact = match std::env::var_os("PLANTUNE_HOME").filter(|home| !home.is_empty()) {
                Some(home) => format!("PLANTUNE_HOME is {home:?}, which is not an absolute path"),
                None => {
                    "HOME and PLANTUNE_HOME are not set, so there is no folder for plantune's data"
                        .into()
                }
            };
            Failure::failed(fact)
                .hint("set PLANTUNE_HOME to the absolute path of one of your folders")
        })?;
        let is_terminal = io::stdout().is_terminal();
        let agent_session = session::sign();
        let variable = |name: &str| std::env::var(name).ok();
        Ok(Self {
            paths,
            now: clock::now(),
            agent_session,
            is_unattended: variable(UNATTENDED).is_some_and(|value| value == "1"),
            transcripts: transcripts_root().filter(|_| agent_session.is_none()),
            colour: has_colour(colour, is_terminal, variable),
            time_zone,
            width: columns(),
        })
    }

    /// Why the hook obeys none of these files in a session in this folder, if so: what a repository
    /// brings is not the person's.
    pub(crate) fn refusal(&self) -> Option<RootRefusal> {
        self.refusal_at(None)
    }

    fn refusal_at(&self, home: Option<&Path>) -> Option<RootRefusal> {
        let cwd = std::env::current_dir().unwrap_or_default();
        let project_root = std::env::var_os(claude_code::PROJECT_DIR).map(PathBuf::from);
        self.paths.refusal(&Session {
            cwd: &cwd,
            project_root: project_root.as_deref(),
            home,
        })
    }

    /// Makes sure that the files are the person's. A command answers no question and starts no program, so they may lie
    /// in a home folder that is a repository.
    ///
    /// # Errors
    /// Refused (exit code 4) when they may be a repository's, everybody's, or another user's.
    pub(crate) fn check_roots(&self) -> Result<(), Failure> {
        let home = std::env::var_os("HOME").map(PathBuf::from);
        self.refusal_at(home.as_deref()).map_or(Ok(()), |refusal| {
            let fact = sanitize::line(&refusal.to_string());
            Err(Failure::refused(fact).hint(sanitize::line(&refusal.remedy())))
        })
    }
}

/// Where Claude Code keeps its transcripts: `CLAUDE_CONFIG_DIR`, else `~/.claude`; `None` if neither is known.
pub(crate) fn transcripts_root() -> Option<PathBuf> {
    plantune_ingest::claude_code::default_root(|name| std::env::var_os(name))
}

/// Whether standard output gets colour: as `choice` says, else by the variables, else where it is a terminal.
fn has_colour(
    choice: Option<bool>,
    is_terminal: bool,
    variable: impl Fn(&str) -> Option<String>,
) -> bool {
    let set = |name| variable(name).filter(|value| !value.is_empty());
    let is = |name, value: &str| set(name).is_some_and(|found| found == value);
    match choice {
        Some(choice) => choice,
        None if set("NO_COLOR").is_some() => false,
        None if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
        None => is_terminal && !is("CLICOLOR", "0") && !is("TERM", "dumb"),
    }
}

// Whose midnight ends a day: the person's time zone.

/// The time zone of reports: `time_zone` of config.toml, else the variable `TZ` where it holds an
/// IANA name, else the system's, else UTC.
///
/// # Errors
/// Conflict (exit code 3) when config.toml names a zone that does not exist: days counted in
/// another one would be wrong without anybody noticing.
pub(crate) fn time_zone(config: &Config) -> Result<Tz, Failure> {
    pick(
        config.time_zone.as_deref(),
        std::env::var("TZ").ok().as_deref(),
        || iana_time_zone::get_timezone().ok(),
    )
}

fn pick(
    configured: Option<&str>,
    variable: Option<&str>,
    system: impl FnOnce() -> Option<String>,
) -> Result<Tz, Failure> {
    if let Some(name) = configured {
        return name.parse().map_err(|_| {
            let message = format!("config.toml: time_zone {name:?} is not an IANA time zone");
            Failure::conflict(message)
                .hint("write a name such as \"Europe/Berlin\", or remove the line")
        });
    }
    // POSIX lets a colon stand before the name of a zone.
    let variable = variable.and_then(|name| name.strip_prefix(':').unwrap_or(name).parse().ok());
    let zone = variable.or_else(|| system()?.parse().ok());
    Ok(zone.unwrap_or(Tz::UTC))
}

/// Columns to fill: `COLUMNS`, else the terminal's, else 80.
pub(crate) fn columns() -> usize {
    let set = std::env::var("COLUMNS")
        .ok()
        .and_then(|set| set.parse().ok());
    set.or_else(|| terminal_size::terminal_size().map(|(width, _)| width.0.into()))
        .unwrap_or(80)
        .clamp(40, 200)
}

// The operating system: other programs, access rights, the user and their terminal.

/// Room for a terminal's name, in bytes.
const TERMINAL_NAME: usize = 64;

/// Makes every file that this process creates from now on private to the person.
pub(crate) fn create_privately() {
    umask(Mode::RWXG | Mode::RWXO);
}

/// Whether this process may write to the file in `path`, or make files in the folder there.
///
/// # Errors
/// Why not, or that nothing is there.
pub(crate) fn may_write(path: &Path) -> io::Result<()> {
    let wanted = match path.is_dir() {
        true => Access::WRITE_OK | Access::EXEC_OK,
        false => Access::WRITE_OK,
    };
    Ok(access(path, wanted)?)
}

/// The number of the user; `None` if users have none.
pub(crate) fn user() -> Option<u32> {
    Some(getuid().as_raw())
}

/// The name of the terminal that standard input is, if it is one.
pub(crate) fn terminal_name() -> Option<String> {
    let name = ttyname(stdin(), Vec::with_capacity(TERMINAL_NAME)).ok()?;
    Some(name.to_string_lossy().into_owned())
}

/// Discards what was typed on standard input and not read yet; nothing where that is no terminal.
///
/// # Errors
/// The errors of the terminal.
pub(crate) fn discard_typed() -> io::Result<()> {
    if stdin().is_terminal() {
        tcflush(stdin(), QueueSelector::IFlush)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_argument_then_the_variables_then_the_terminal() {
        let with = |choice, is_terminal, set: &[(&str, &str)]| {
            has_colour(choice, is_terminal, |name| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(with(None, true, &[]));
        assert!(!with(None, false, &[]));
        assert!(with(Some(true), false, &[("NO_COLOR", "1")]));
        assert!(!with(Some(false), true, &[("CLICOLOR_FORCE", "1")]));
        assert!(with(None, false, &[("CLICOLOR_FORCE", "1")]));
        assert!(!with(None, false, &[("CLICOLOR_FORCE", "0")]));
        let both = [("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")];
        assert!(!with(None, true, &both));
        assert!(with(None, true, &[("NO_COLOR", "")]));
        for off in [("CLICOLOR", "0"), ("TERM", "dumb")] {
            assert!(!with(None, true, &[off]), "{off:?}");
        }
    }

    #[test]
    fn the_nearest_word_counts() {
        let system = || Some("Asia/Tokyo".to_owned());
        let (berlin, lima) = (Some("Europe/Berlin"), Some("America/Lima"));
        assert_eq!(pick(berlin, lima, system).unwrap(), Tz::Europe__Berlin);
        assert_eq!(pick(None, lima, system).unwrap(), Tz::America__Lima);
        assert_eq!(
            pick(None, Some(":America/Lima"), system).unwrap(),
            Tz::America__Lima
        );
        for no_name in [None, Some(""), Some("CET-1CEST"), Some("/etc/localtime")] {
            assert_eq!(pick(None, no_name, system).unwrap(), Tz::Asia__Tokyo);
        }
        assert_eq!(pick(None, None, || None).unwrap(), Tz::UTC);
        assert_eq!(pick(None, None, || Some("?".to_owned())).unwrap(), Tz::UTC);
    }

    #[test]
    fn an_unknown_zone_in_the_file_is_an_error() {
        let failure = pick(Some("Europe/Berlln"), Some("UTC"), || None).unwrap_err();
        assert_eq!(failure.exit_code(), 3);
        assert!(failure.to_string().contains("Europe/Berlln"));
    }
}
