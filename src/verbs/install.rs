//! `plantune install`: registers the hook in the settings of the agents; `--rollback` undoes the last change.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use plantune_agents::claude_code;
use plantune_domain::paths::{Paths, create_private_dir};
use plantune_domain::{lost_events, private_file};
use plantune_settings::agents::{Plugin, claude_code_registration};
use plantune_settings::document::Edited;
use plantune_settings::file::{SettingsFile, SettingsScope, absolute, lock};
use plantune_settings::installed_hook::{
    InstalledHook, Registered, our_hook, path_text, registered,
};
use plantune_settings::journal::OurRules;
use plantune_settings::ours::{
    StatusLineOwner, WantedEntries, install_all, notifies, status_line_command, status_line_owner,
};
use plantune_settings::programs::{in_path, is_executable};
use plantune_settings::registration::{Inspection, inspect, names_our_hook};
use plantune_settings::rules::guard_rules;
use plantune_settings::{HOOK, agents};

use crate::failure::{Failure, FailureClass};
use crate::request::maintenance::InstallRequest;
use crate::session::Session;
use crate::settings_change::{
    ChangeOptions, SettingsChange, copy_hook, host, install_for, scope_argument,
};
use crate::terminal::consent;
use crate::{after_refresh, settings_change, started_by, terminal};

/// Registers the hook, or undoes the last change.
///
/// # Errors
/// Failed without a hook binary; conflict when the settings cannot be edited safely; refused where
/// the person cannot be asked.
pub(crate) fn run(request: &InstallRequest, session: &Session) -> Result<(), Failure> {
    let _lock = if request.change.dry_run {
        None
    } else {
        Some(lock(session.paths.data())?)
    };
    if request.rollback {
        return roll_back(&request.change, request.agent(), session);
    }
    if request.agent().is_none() {
        install_for_claude_code(request, session)?;
    }
    install_for_others(request, session)
}

/// Registers the hook again with the agent called `agent`, which calls one, for `scope`.
///
/// # Errors
/// The errors of [`run`].
pub(crate) fn again(
    agent: &str,
    scope: SettingsScope,
    yes: bool,
    session: &Session,
) -> Result<(), Failure> {
    let request = InstallRequest {
        change: ChangeOptions {
            scope,
            yes,
            ..ChangeOptions::default()
        },
        agent: Some(agent.to_owned()),
        ..InstallRequest::default()
    };
    run(&request, session)
}

/// Says that what was set does nothing yet, where no agent calls the hook, and registers it, if the person wants it: on a
/// terminal it shows the change and asks.
///
/// # Errors
/// The errors of [`run`].
pub(crate) fn offer(session: &Session) -> Result<(), Failure> {
    if registered(&host(session)) != Registered::Nowhere {
        return Ok(());
    }
    let command = started_by::command("install");
    terminal::say(&format!(
        "note: nothing is answered for you yet; run `{command}` first\n"
    ));
    if terminal::is_quiet() || !consent::can_be_asked(session) {
        return Ok(());
    }
    session.close_store();
    run(&InstallRequest::default(), session)
}

/// Registers the hook with the other agents: the one that is named, else all that are there. What they call is the
/// person's own, so the settings that are shared with others, or are a project's, say nothing of them.
fn install_for_others(request: &InstallRequest, session: &Session) -> Result<(), Failure> {
    let scope = request.change.scope;
    let variable = host(session).variable;
    let found = match request.agent() {
        Some(name) => vec![agents::named(name, variable)?],
        None if request.agent.is_some() || scope != SettingsScope::User => Vec::new(),
        None => agents::found(variable).collect(),
    };
    if !found.is_empty() && scope != SettingsScope::User {
        return Err(Failure::new(
            FailureClass::Usage,
            "--scope project and local work only with Claude Code",
        ));
    }
    for one in found {
        let hook = HookToRegister::chosen(session, scope, request.hook_path.as_deref())?;
        let first = || hook.put_in_place(session);
        install_for(&one, session, &request.change, &hook.command()?, first)?;
        if request.guard {
            settings_change::guard(&one, session, &request.change)?;
        }
    }
    Ok(())
}

impl InstallRequest {
    /// The agent that is named, where it is another one than Claude Code.
    fn agent(&self) -> Option<&str> {
        self.agent
            .as_deref()
            .filter(|name| *name != claude_code::NAME)
    }
}

/// Registers the hook with Claude Code.
fn install_for_claude_code(request: &InstallRequest, session: &Session) -> Result<(), Failure> {
    let scope = request.change.scope;
    let hook = HookToRegister::chosen(session, scope, request.hook_path.as_deref())?;
    let command = hook.command()?;
    let file = SettingsFile::open(&host(session), scope)?;
    let (edited, rules) = edit(request, session, &file, &command)?;
    if edited.changes.is_empty() {
        if !request.change.dry_run {
            consent::is_person(session, &started_by::call())?;
            hook.put_in_place(session)?;
        }
        terminal::print(&format!("already installed: {}\n", file.name()))?;
        return terminal::print(&status_line_note(request, &file, &command)?);
    }
    if scope == SettingsScope::Project && request.hook_path.is_none() {
        terminal::print(
            "note: this file is shared, so it names the hook without a folder: everybody who \
             works on the project needs plantune-hook in their PATH\n",
        )?;
    }
    let again = started_by::call();
    let sentence = sentence(&file, &edited);
    let change = SettingsChange {
        sentence: &sentence,
        command: &again,
        after: Some(&edited.text),
        rules: Some(&rules),
        logs: &[],
    };
    let first = || hook.put_in_place(session);
    if change.make(&file, session, &request.change, first)? {
        if !can_hear(&edited.text) {
            terminal::print(&format!(
                "To hear a bell when Claude Code waits for you: {}\n",
                started_by::command("install --notify")
            ))?;
        }
        // The hook is registered, and nothing needs this file, so a failure to write it is ignored.
        if matches!(write_default_registry(&session.paths), Ok(true)) {
            let path = session.paths.registry_file().display().to_string();
            let path = terminal::sanitized(&path);
            terminal::print(&format!(
                "wrote {path}\n  you can name your questions there; it holds only comments so far\n"
            ))?;
        }
        let found = file.apply(|_| inspect(&claude_code::REGISTRATION, &edited.text))?;
        terminal::print(&conflicting_hooks(&found))?;
        terminal::print(&plugins(session))?;
        terminal::print(&status_line_note(request, &file, &command)?)?;
        after_refresh::leave_status_line(session, None, None, None);
    }
    Ok(())
}

/// True where Claude Code notifies the person by the settings `text`, as far as that can be read.
fn can_hear(text: &str) -> bool {
    notifies(text).unwrap_or(true)
}

/// True where Claude Code could notify the person and their own settings do not say so.
pub(crate) fn can_notify(session: &Session) -> bool {
    let file = SettingsFile::open(&host(session), SettingsScope::User);
    file.is_ok_and(|file| !can_hear(file.text()))
}

/// Describes the change: the first time what it means, later which entries.
fn sentence(file: &SettingsFile, edited: &Edited) -> String {
    let (name, changes) = (file.name(), terminal::sanitized(&edited.summary()));
    match file.text().contains(HOOK) {
        false => format!(
            "From the next session on, Claude Code calls plantune's hook, which logs what you are asked and answers \
             what you set ({name}: {changes}). `plantune uninstall {}` takes it out.",
            scope_argument(file.scope)
        ),
        true => format!("plantune's entries in {name} change: {changes}."),
    }
}

/// The settings with the hook registered and, if asked for, guarded; and which of the permission
/// rules in them are plantune's.
fn edit(
    request: &InstallRequest,
    session: &Session,
    file: &SettingsFile,
    command: &str,
) -> Result<(Edited, OurRules), Failure> {
    let guard = || guard_rules(&host(session), request.change.scope);
    let wanted = WantedEntries {
        program: command,
        status_line: request.statusline,
        bell: request.notify,
        guard: request.guard.then(guard).transpose()?,
    };
    let mut ours = file.ours()?;
    let registered = claude_code_registration(file.scope, file.text());
    let edited = file.apply(|text| install_all(registered, text, wanted, &mut ours))?;
    Ok((edited, ours))
}

/// Says what to add where the status line that is asked for is another command's.
fn status_line_note(
    request: &InstallRequest,
    file: &SettingsFile,
    command: &str,
) -> Result<String, Failure> {
    let owner = file.apply(status_line_owner)?;
    if !request.statusline || owner != StatusLineOwner::Other {
        return Ok(String::new());
    }
    Ok(format!(
        "note: another command prints the status line, and it was left as it is. To have plantune's beside \
         it, let that command pass what it reads on to `{}` and print its line as well\n",
        terminal::sanitized(&status_line_command(command))
    ))
}

/// Says when a plugin registers the hook as well, and which of the two acts.
fn plugins(session: &Session) -> String {
    let line = |plugin: Plugin| {
        let id = plugin.id;
        format!(
            "note: the plugin {id} registers the hook as well; from now on that of the settings acts and the \
             plugin's keeps silent. `claude plugin disable {id}` spares its start\n"
        )
    };
    agents::plugins(&host(session))
        .into_iter()
        .map(line)
        .collect()
}

/// Names the foreign hooks that may answer a question too, since of two answers the last wins.
fn conflicting_hooks(found: &Inspection) -> String {
    let commands = found
        .conflicting
        .iter()
        .map(|hook| hook.command.as_deref().unwrap_or("a prompt"));
    let line = |command: &str| {
        let command = terminal::sanitized(command).replace('\n', " ");
        format!("note: another hook is called for questions as well: {command}\n")
    };
    commands.map(line).collect()
}

/// The hook that is to be registered.
enum HookToRegister {
    /// This plantune's, as a copy that stays.
    Copy {
        source: PathBuf,
        installed: InstalledHook,
    },
    /// The one at this path, as it lies there.
    At(PathBuf),
    /// The one that each person's `PATH` leads to.
    InPath,
}

impl HookToRegister {
    fn chosen(
        session: &Session,
        scope: SettingsScope,
        given: Option<&Path>,
    ) -> Result<Self, Failure> {
        match (given, scope) {
            (Some(path), _) => given_hook(path).map(Self::At),
            (None, SettingsScope::Project) => match in_path(HOOK) {
                Some(_) => Ok(Self::InPath),
                None => Err(Failure::failed("plantune-hook is not in your PATH")
                    .hint("add its folder to PATH, or use --hook-path")),
            },
            (None, SettingsScope::User | SettingsScope::Local) => Ok(Self::Copy {
                source: our_hook()?,
                installed: InstalledHook::of(&session.paths),
            }),
        }
    }

    /// The command that is registered.
    fn command(&self) -> Result<String, Failure> {
        match self {
            Self::Copy { installed, .. } => Ok(path_text(installed.path())?),
            Self::At(path) => Ok(path_text(path.clone())?),
            Self::InPath => Ok(HOOK.to_owned()),
        }
    }

    /// Makes sure that it is there, and says what was done. To be called before settings name it.
    fn put_in_place(&self, session: &Session) -> Result<(), Failure> {
        let Self::Copy { source, installed } = self else {
            return Ok(());
        };
        let mut report = copy_hook(installed, source)?;
        if let Some(before) = installed.record_home()? {
            let [before, now] = [before.as_path(), session.paths.config()].map(terminal::path);
            report +=
                &format!("the hook reads its settings in {now} from now on, not in {before}\n");
        }
        started_by::leave(&session.paths);
        // The hook's first event makes it otherwise.
        let _ = lost_events::reserve(&session.paths);
        terminal::print(&report)
    }
}

/// The hook at the path the person gave, made absolute.
fn given_hook(path: &Path) -> Result<PathBuf, Failure> {
    let name = terminal::sanitized(&path.display().to_string());
    if !names_our_hook(&path.to_string_lossy()) {
        return Err(Failure::new(
            FailureClass::Usage,
            format!("{name}: the hook's file must be called {HOOK}"),
        )
        .hint("plantune recognises its entries by that name"));
    }
    if !is_executable(path) {
        return Err(Failure::failed(format!("{name} is not a program"))
            .hint("build and install it with `make install`"));
    }
    Ok(absolute(path)?)
}

// `plantune install --rollback`: undoes the last change to an agent's settings.

/// Puts back, byte for byte, what the settings were before plantune's last change to them.
///
/// # Errors
/// Failed when there is no such change; conflict when somebody else changed the file since, or the
/// backup is gone; refused where the person cannot be asked.
fn roll_back(
    wanted: &ChangeOptions,
    agent: Option<&str>,
    session: &Session,
) -> Result<(), Failure> {
    let host = host(session);
    let (file, scope) = match agent {
        Some(name) => (
            agents::named(name, host.variable)?.settings(&host)?,
            format!("--agent {name}"),
        ),
        None => (
            SettingsFile::open(&host, wanted.scope)?,
            scope_argument(wanted.scope),
        ),
    };
    let name = file.name();
    let journal = file.journal()?;
    let Some(last) = journal.last() else {
        return Err(Failure::failed(format!(
            "{name}: there is no change by plantune left to undo"
        ))
        .hint(format!(
            "`plantune uninstall {scope}` removes plantune's entries"
        )));
    };
    let (at, what) = (
        terminal::sanitized(&last.at),
        terminal::sanitized(&last.command),
    );
    if !last.left(file.before.as_deref()) {
        let fact = format!(
            "{name} has changed since `{what}` of {at}, and a rollback would lose that change"
        );
        let failure = Failure::new(FailureClass::Conflict, fact).hint(format!(
            "`plantune uninstall {scope}` removes plantune's entries and keeps the rest"
        ));
        return Err(match &last.backup {
            Some(backup) => {
                let backup = terminal::sanitized(&backup.display().to_string());
                failure.hint(format!("or restore the backup: {backup}"))
            }
            None => failure.hint("the file didn't exist before that change"),
        });
    }
    let before = last.before()?;
    let command = format!("plantune install --rollback {scope}");
    let sentence = match before {
        Some(_) => {
            format!("This restores {name} as it was before `{what}` of {at}, byte for byte.")
        }
        None => format!("This removes {name}, which didn't exist before `{what}` of {at}."),
    };
    let change = SettingsChange {
        sentence: &sentence,
        command: &command,
        after: before.as_deref(),
        rules: None,
        logs: &[],
    };
    change.make(&file, session, wanted, || Ok(())).map(drop)
}

// The registry.toml that is written where there is none: an example, all of it comments.

/// The text of a new file: comments only.
const DEFAULT_REGISTRY: &str = include_str!("default_registry.toml");

/// Writes the commented file; false, and nothing touched, when there is one of whatever kind.
///
/// # Errors
/// The errors of the file system.
fn write_default_registry(paths: &Paths) -> Result<bool, Failure> {
    let path = paths.registry_file();
    create_private_dir(paths.config())?;
    let mut file = match private_file::create_new(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    file.write_all(DEFAULT_REGISTRY.as_bytes())
        .inspect_err(|_| {
            // A file that was written in part might not be understood.
            let _ = fs::remove_file(&path);
        })?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use plantune_domain::config::Reask;
    use plantune_domain::doors::Door;
    use plantune_domain::registry::Registry;

    use super::*;

    #[test]
    fn it_is_written_once_and_never_overwritten() {
        let home = tempfile::tempdir().unwrap();
        let paths = Paths::below(home.path().to_owned());
        let file = paths.registry_file();
        assert!(write_default_registry(&paths).unwrap());
        let written = fs::read_to_string(&file).unwrap();
        assert!(
            written.lines().all(|line| line.starts_with('#')),
            "{written}"
        );
        assert_eq!(
            fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o600
        );
        fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink("/no/such/file", &file).unwrap();
        assert!(
            !write_default_registry(&paths).unwrap(),
            "a link is left as it is"
        );
    }

    #[test]
    fn the_default_says_nothing_and_its_examples_are_understood() {
        let registry = Registry::parse(DEFAULT_REGISTRY).unwrap();
        assert_eq!(registry.rules_of("money").count(), 0);
        let examples: String = DEFAULT_REGISTRY
            .lines()
            .filter_map(|line| line.strip_prefix("# "))
            .filter(|line| line.starts_with("[[") || line.contains(" = "))
            .filter(|line| !line.contains('`') || line.contains("      #"))
            .map(|line| format!("{line}\n"))
            .collect();
        let registry = Registry::parse(&examples).unwrap();
        assert_eq!(registry.door_of("run-migration"), Some(Door::OneWay));
        assert_eq!(registry.reask_of("next-area"), Some(Reask::OncePerSession));
        let labels = ["Run it (Recommended)".to_owned(), "Skip for now".to_owned()];
        assert_eq!(
            registry.key_of("Shall I run the migration?", Some("migration"), &labels),
            Some("run-migration")
        );
        assert_eq!(
            registry.key_of("The budget is used up.", None, &[]),
            Some("money")
        );
    }
}
