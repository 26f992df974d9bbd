//! Changing an agent's settings with the person: show what changes, ask, write, and say what was done.

use std::env;
use std::path::Path;

use plantune_domain::event::Event;
use plantune_domain::spool;
use plantune_settings::SettingsError;
use plantune_settings::agents::{self, FoundAgent};
use plantune_settings::file::{Host, SettingsFile, SettingsScope, lock};
use plantune_settings::installed_hook::{Copied, InstalledHook, has_same_bytes, our_hook};
use plantune_settings::journal::{JournalEntry, OurRules};

use crate::failure::Failure;
use crate::session::Session;
use crate::terminal::consent::{self, Confirmation, diff};
use crate::{changes, terminal};

/// The machine that `session` is on.
pub(crate) fn host(session: &Session) -> Host<'_> {
    Host {
        paths: &session.paths,
        variable: &|name| env::var_os(name),
        here: env::current_dir().ok(),
    }
}

/// The argument that chooses `scope`.
pub(crate) fn scope_argument(scope: SettingsScope) -> String {
    format!("--scope {}", scope.name())
}

/// How settings are changed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChangeOptions {
    /// Whose settings.
    pub(crate) scope: SettingsScope,
    /// Only show the change.
    pub(crate) dry_run: bool,
    /// Don't ask.
    pub(crate) yes: bool,
    /// True for `--purge`, which deletes the backups as well, so that no message says where they are.
    pub(crate) is_purge: bool,
}

/// The planned change of a settings file.
pub(crate) struct SettingsChange<'a> {
    /// The change for the person, in a sentence.
    pub(crate) sentence: &'a str,
    /// The command that they can type if they cannot be asked.
    pub(crate) command: &'a str,
    /// The file's new text; `None` removes it.
    pub(crate) after: Option<&'a str>,
    /// The permission rules of plantune's in it, this change included, for the record of the change; `None` for one
    /// that undoes the last, whose record goes.
    pub(crate) rules: Option<&'a OurRules>,
    /// What the log is to say of it.
    pub(crate) logs: &'a [Event<'a>],
}

impl SettingsChange<'_> {
    /// Says what would change in `file`, asks, and replaces it. True when it was done; false after `--dry-run`, which
    /// shows the diff, or a no. `first` is what must be done for the new text to be right, once the person has agreed.
    ///
    /// # Errors
    /// Refused where the person cannot be asked; conflict when the file changed meanwhile; those of `first`. The
    /// settings are untouched then.
    pub(crate) fn make(
        &self,
        file: &SettingsFile,
        session: &Session,
        arguments: &ChangeOptions,
        first: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<bool, Failure> {
        // What is on record must be understood before anything is asked.
        file.journal()?;
        let diff = diff(
            &file.name(),
            Some(file.text()),
            self.after.unwrap_or_default(),
            session.colour,
        );
        if arguments.dry_run {
            terminal::print_exactly(&diff)?;
            terminal::print("nothing was written (--dry-run)\n")?;
            return Ok(false);
        }
        let confirmation = Confirmation {
            sentence: self.sentence,
            question: "Change it?",
            yes: arguments.yes,
            command: self.command,
        };
        if !confirmation.is_given(session, &diff)? {
            return Ok(false);
        }
        first()?;
        self.write(file, session, !arguments.is_purge)?;
        confirmation.say_done(session)?;
        Ok(true)
    }

    /// Replaces `file`, or removes it, as the person was shown and has confirmed; names the backup where it
    /// `says_backup`.
    ///
    /// # Errors
    /// Conflict when the file changed meanwhile; failed when it cannot be written.
    pub(crate) fn write(
        &self,
        file: &SettingsFile,
        session: &Session,
        says_backup: bool,
    ) -> Result<(), Failure> {
        let backup = file.back_up(session.now).map_err(|error| match error {
            SettingsError::ChangedMeanwhile(_) => changed_meanwhile(file, self.command),
            error => error.into(),
        })?;
        if says_backup && let Some(backup) = &backup {
            terminal::print(&format!("backup: {}\n", terminal::path(backup)))?;
        }
        let lines = changes::lines(self.logs)?;
        let entry = |rules| JournalEntry::of(session.now, self.command, backup, rules, lines);
        file.replace(self.after, self.rules.map(entry))?;
        if self.logs.is_empty() {
            return Ok(());
        }
        changes::log(session, self.logs, KEPT)?;
        Ok(file.logged(self.after)?)
    }
}

/// What is so when a change cannot be logged.
const KEPT: &str = "the settings were changed; the next command logs it";

/// Logs the changes of settings that a killed process, or one on a full disk, made and did not log. What goes wrong is left
/// to the next command.
pub(crate) fn finish(session: &Session) {
    let host = host(session);
    let files = SettingsFile::unlogged(&host);
    if files.is_empty() || session.agent_session.is_some() {
        return;
    }
    let Ok(_lock) = lock(session.paths.data()) else {
        return;
    };
    for file in SettingsFile::unlogged(&host) {
        let lines = file.journal().map(|journal| journal.unlogged());
        let lines = lines.unwrap_or_default();
        if !lines.is_empty() && spool::append(&session.paths, session.now, lines.as_bytes()).is_ok()
        {
            let _ = file.logged(file.before.as_deref());
        }
    }
}

/// The failure to change `file`, which is no longer as the person saw it.
pub(crate) fn changed_meanwhile(file: &SettingsFile, command: &str) -> Failure {
    Failure::from(SettingsError::ChangedMeanwhile(file.path.clone()))
        .hint(format!("run `{command}` again"))
}

// The agents beside Claude Code.

/// Registers the hook at `program` with `found`, after showing the change and asking; `first` puts the hook there.
///
/// # Errors
/// Conflict when the file cannot be edited safely; refused where the person cannot be asked.
pub(crate) fn install_for(
    found: &FoundAgent,
    session: &Session,
    arguments: &ChangeOptions,
    program: &str,
    first: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (file, title) = (found.settings(&host(session))?, found.agent.title());
    let edited = file.apply(|text| agents::install(found.agent, text, program))?;
    let again = format!("plantune install --agent {}", found.agent.name());
    if edited.changes.is_empty() {
        if !arguments.dry_run {
            consent::is_person(session, &again)?;
            first()?;
        }
        return terminal::print(&format!("already installed for {title}: {}\n", file.name()));
    }
    let (name, changes) = (file.name(), terminal::sanitized(&edited.summary()));
    let change = SettingsChange {
        sentence: &format!(
            "From the next session on, {title} calls plantune's hook, which logs what you are asked and answers \
             what you set ({name}: {changes}). `plantune uninstall` takes it out."
        ),
        command: &again,
        after: Some(&edited.text),
        rules: Some(&file.ours()?),
        logs: &[],
    };
    if change.make(&file, session, arguments, first)?
        && let Some(words) = found.agent.facts().to_be_done
    {
        terminal::print(&format!("note: {words}\n"))?;
    }
    Ok(())
}

/// Takes the hook out, likewise; false when it is not there. A file that plantune made, or that is as it was left,
/// becomes what it was, byte for byte.
///
/// # Errors
/// The errors of [`install_for`].
pub(crate) fn uninstall_from(
    found: &FoundAgent,
    session: &Session,
    arguments: &ChangeOptions,
) -> Result<bool, Failure> {
    let file = found.settings(&host(session))?;
    let edited = file.apply(|text| agents::uninstall(found.agent, text))?;
    if edited.changes.is_empty() {
        return Ok(false);
    }
    let rest = || Some(edited.text.clone()).filter(|_| found.agent.facts().plugin.is_none());
    let after = found.origin(&file).unwrap_or_else(rest);
    let name = file.name();
    let sentence = match after {
        Some(_) => format!(
            "plantune's hook is taken out of {name} ({}).",
            terminal::sanitized(&edited.summary())
        ),
        None => format!("{name} is removed: nothing but plantune's hook was in it."),
    };
    let change = SettingsChange {
        sentence: &sentence,
        command: "plantune uninstall",
        after: after.as_deref(),
        rules: Some(&OurRules::default()),
        logs: &[],
    };
    change.make(&file, session, arguments, || Ok(()))?;
    found.remove_folder_of(&file);
    Ok(true)
}

/// Adds the guard to the rules of `found`, after showing the change and asking.
///
/// # Errors
/// Conflict when the file cannot be edited safely; usage when a folder cannot be named in a rule; refused where the
/// person cannot be asked.
pub(crate) fn guard(
    found: &FoundAgent,
    session: &Session,
    arguments: &ChangeOptions,
) -> Result<(), Failure> {
    let (host, title) = (host(session), found.agent.title());
    let Some(file) = found.rules(&host)? else {
        return terminal::print(&format!(
            "note: {title} has no rules that refuse commands; plantune itself refuses them in its sessions\n"
        ));
    };
    let (after, ours) = found.guarded(&host, &file)?;
    if after == file.text() {
        return terminal::print(&format!("already guarded in {title}: {}\n", file.name()));
    }
    let change = SettingsChange {
        sentence: &format!(
            "From the next session on, {title} refuses commands that would change your preferences ({}). \
             `plantune uninstall` takes that out.",
            file.name()
        ),
        command: &format!("plantune install --guard --agent {}", found.agent.name()),
        after: Some(&after),
        rules: Some(&ours),
        logs: &[],
    };
    change.make(&file, session, arguments, || Ok(()))?;
    Ok(())
}

/// Takes the guard out, likewise; false when there is none.
///
/// # Errors
/// The errors of [`guard`].
pub(crate) fn unguard(
    found: &FoundAgent,
    session: &Session,
    arguments: &ChangeOptions,
) -> Result<bool, Failure> {
    let Some(file) = found.rules(&host(session))? else {
        return Ok(false);
    };
    let Some(after) = found.unguarded(&file)? else {
        return Ok(false);
    };
    let change = SettingsChange {
        sentence: &format!("plantune's guard is taken out of {}.", file.name()),
        command: "plantune uninstall",
        after: after.as_deref(),
        rules: Some(&OurRules {
            deny: Vec::new(),
            ..file.ours()?
        }),
        logs: &[],
    };
    change.make(&file, session, arguments, || Ok(()))?;
    found.remove_folder_of(&file);
    Ok(true)
}

// The hook's copy.

/// Makes the copy one of `source`, where it is not, and returns what was done, in a line for the person. A copy of which
/// no home is on record gets this one.
///
/// # Errors
/// The errors of [`InstalledHook::bring_up_to_date`] and [`InstalledHook::record_home`].
pub(crate) fn copy_hook(installed: &InstalledHook, source: &Path) -> Result<String, Failure> {
    let copied = installed.bring_up_to_date(source)?;
    if installed.recorded_home().is_none() {
        installed.record_home()?;
    }
    let path = terminal::path(&installed.path());
    Ok(match copied {
        Copied::Nothing => String::new(),
        Copied::First => format!("copied the hook to {path}\n"),
        Copied::Replaced => format!("updated the hook in {path}\n"),
    })
}

/// After an upgrade, replaces the installed hook by that of this plantune, and says so. In an agent's session nothing
/// is changed. What goes wrong is left to `plantune doctor`.
pub(crate) fn keep_up_to_date(session: &Session) {
    let installed = InstalledHook::of(&session.paths);
    if session.agent_session.is_some() || !installed.path().is_file() {
        return;
    }
    let Ok(source) = our_hook() else {
        return;
    };
    if has_same_bytes(&source, &installed.path()) && installed.recorded_home().is_some() {
        return;
    }
    if let Ok(_lock) = lock(session.paths.data())
        && let Ok(report) = copy_hook(&installed, &source)
    {
        terminal::say(&report);
    }
}
