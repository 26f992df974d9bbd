//! `plantune uninstall`: takes the hook out of the agents' settings, and with `--purge` the data away.

use std::path::{Path, PathBuf};
use std::{fs, io};

use plantune_reports::humanize::{bytes, counted};
use plantune_reports::text::paragraph;
use plantune_settings::agents;
use plantune_settings::agents::Plugin;
use plantune_settings::document::{Edited, RuleEffect};
use plantune_settings::file::{SettingsFile, SettingsScope, lock};
use plantune_settings::installed_hook::{self, InstalledHook};
use plantune_settings::journal::OurRules;
use plantune_settings::ours::{origin, uninstall, without_rules};
use plantune_settings::rules::{RuleList, guard_rules, listed};

use crate::changes::hold;
use crate::failure::{Failure, FailureClass};
use crate::session::Session;
use crate::settings_change::{
    ChangeOptions, SettingsChange, host, scope_argument, unguard, uninstall_from,
};
use crate::terminal;
use crate::terminal::consent;
use crate::terminal::consent::Confirmation;

/// Takes the hook out, and the rules that were accepted from `suggest`: with the person's own settings those of
/// every project.
///
/// # Errors
/// Conflict when the settings cannot be edited safely; refused where the person cannot be asked.
pub(crate) fn run(arguments: &ChangeOptions, session: &Session) -> Result<(), Failure> {
    let _lock = if arguments.dry_run {
        None
    } else {
        Some(lock(session.paths.data())?)
    };
    let host = host(session);
    let file = SettingsFile::open(&host, arguments.scope)?;
    let mut found = take_out(arguments, session, &file)?;
    let mut add = |done: Result<bool, Failure>| match done {
        Ok(done) => {
            found |= done;
            Ok(())
        }
        Err(failure) if failure.kind() == FailureClass::Conflict => {
            let message = failure.message();
            terminal::say(&format!("note: {message}; it was not changed\n"));
            Ok(())
        }
        Err(failure) => Err(failure),
    };
    if arguments.scope == SettingsScope::User {
        // Rules that were written into projects' settings.
        for other in SettingsFile::on_record(&host, |ours| !ours.allow.is_empty()) {
            add(other
                .map_err(Failure::from)
                .and_then(|other| match other.path == file.path {
                    true => Ok(false),
                    false => take_out(arguments, session, &other),
                }))?;
        }
        for other in agents::found(host.variable) {
            add(unguard(&other, session, arguments))?;
            add(uninstall_from(&other, session, arguments))?;
        }
    }
    if !found {
        let name = file.name();
        terminal::print(&format!(
            "not installed: {name} has no entries of plantune's\n"
        ))?;
    }
    terminal::print(&plugins(session))?;
    // A purge removes the copy of the hook, too.
    match arguments.is_purge && purge(arguments, session)? {
        true => Ok(()),
        false => remove_hook(arguments, session),
    }
}

/// The files that plantune keeps in its folders, by name; a name with `*` behind it stands for all that begin so.
const OWN: [&str; 23] = [
    "away-answers",
    "away.json",
    "backups",
    "bin",
    "checks",
    "config.toml",
    "corrections",
    "digest.key",
    "events",
    "fleet",
    "fleet.*",
    "install.lock",
    "installed",
    "launcher",
    ".lock",
    "lost-events",
    "nudges",
    "plantune.duckdb*",
    "preferences.json",
    "projects",
    "registry.toml",
    "sessions",
    "summaries",
];

/// Removes the rest, after asking: what plantune's folders hold, and the backups of settings that it made. False if the
/// person said no.
///
/// # Errors
/// Failed while an agent still calls the hook, and for what cannot be removed; refused as by [`consent::may_change`].
fn purge(arguments: &ChangeOptions, session: &Session) -> Result<bool, Failure> {
    const COMMAND: &str = "plantune uninstall --purge";
    let installed = InstalledHook::of(&session.paths);
    if !arguments.dry_run
        && let Some(user) = still_in_use(session, &installed)?
    {
        return Err(Failure::failed(format!(
            "nothing was deleted: {user} still has entries of plantune's"
        ))
        .hint(format!("remove them, then run `{COMMAND}` again")));
    }
    let mut roots = vec![session.paths.data(), session.paths.config()];
    roots.dedup();
    for root in &roots {
        check_own(root)?;
    }
    session.close_store();
    let _lock = match arguments.dry_run {
        true => None,
        false => Some(hold(session, "nothing was removed")?),
    };
    let backups = SettingsFile::all_backups(&host(session));
    let own = roots.iter().copied().flat_map(entries);
    let own = own.filter(|path| is_own(path));
    let all: Vec<PathBuf> = own.chain(backups.clone()).collect();
    let (files, size) = all
        .iter()
        .map(|path| weigh(path))
        .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let folders: Vec<String> = roots.iter().map(|root| terminal::path(root)).collect();
    let beside = match backups.as_slice() {
        [] => String::new(),
        [first, ..] => {
            let folder = first.parent().map_or_else(String::new, terminal::path);
            let backups = counted(backups.len(), "backup", "backups");
            format!(", and {backups} of settings in {folder}")
        }
    };
    let sentence = format!(
        "This deletes the log, your preferences, plantune's settings and its hook: {} ({}) in {}{beside}. They cannot be \
         brought back; `plantune export --jsonl FILE` copies the log. Running sessions then ask you everything.",
        counted(files, "file", "files"),
        bytes(size),
        folders.join(" and ")
    );
    if arguments.dry_run {
        terminal::print(&paragraph(&sentence, session.width))?;
        terminal::print("nothing was removed (--dry-run)\n")?;
        return Ok(true);
    }
    let confirmation = Confirmation {
        sentence: &sentence,
        question: "Remove all of it?",
        yes: arguments.yes,
        command: COMMAND,
    };
    if !confirmation.is_given(session, "")? {
        return Ok(false);
    }
    for path in &all {
        let removed = match path.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
            Ok(_) => fs::remove_file(path),
            Err(error) => Err(error),
        };
        if let Err(error) = removed
            && error.kind() != io::ErrorKind::NotFound
        {
            let path = terminal::path(path);
            return Err(
                Failure::failed(format!("{path} cannot be removed: {error}"))
                    .hint(format!("run `{COMMAND}` again once it can")),
            );
        }
    }
    confirmation.say_done(session)?;
    // A folder that holds nothing else goes; one that is not empty stays.
    for root in roots {
        if fs::remove_dir(root).is_err() && root.exists() {
            let root = terminal::path(root);
            terminal::print(&format!("kept {root}, because it holds other files\n"))?;
        }
    }
    Ok(true)
}

/// Whose settings still have entries of plantune's, if any do: the person said no, or the file could not be edited.
fn still_in_use(session: &Session, installed: &InstalledHook) -> Result<Option<String>, Failure> {
    let host = host(session);
    if let Some(user) = installed_hook::users(&host, installed).into_iter().next() {
        return Ok(Some(user));
    }
    let path = installed.path();
    let calls = |other: &agents::FoundAgent| {
        let programs = other.programs(&host);
        programs.iter().any(|program| Path::new(program) == path)
    };
    if let Some(other) = agents::found(host.variable).find(calls) {
        return Ok(Some(other.agent.title().to_owned()));
    }
    for file in SettingsFile::on_record(&host, |_| true) {
        let file = file?;
        let rules = file.ours()?;
        if !(rules.allow.is_empty() && rules.deny.is_empty()) {
            return Ok(Some(file.name()));
        }
    }
    Ok(None)
}

/// Makes sure that the folder `root` is plantune's: `PLANTUNE_HOME` may name one that holds other things by the same
/// names.
///
/// # Errors
/// Refused where it is of another name, and holds what is not plantune's.
fn check_own(root: &Path) -> Result<(), Failure> {
    let foreign = entries(root).into_iter().find(|path| !is_own(path));
    match foreign {
        Some(foreign) if root.file_name().is_none_or(|name| name != "plantune") => {
            let (root, foreign) = (terminal::path(root), terminal::path(&foreign));
            Err(Failure::refused(format!(
                "{foreign} is not plantune's, so {root} may hold other data"
            ))
            .hint("nothing was deleted; move it away, or delete plantune's files by hand"))
        }
        _ => Ok(()),
    }
}

/// The contents of the folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// Whether a file or folder in one of plantune's has a name of plantune's.
fn is_own(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| {
        OWN.iter().any(|own| match own.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == *own,
        })
    })
}

/// How many files there are at `path`, and their bytes; links are not followed.
fn weigh(path: &Path) -> (u64, u64) {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => {
            let weights = entries(path).into_iter().map(|path| weigh(&path));
            weights.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
        }
        Ok(metadata) => (1, metadata.len()),
        Err(_) => (0, 0),
    }
}

/// Says when a plugin goes on all the same, and how to end that.
fn plugins(session: &Session) -> String {
    let line = |plugin: Plugin| {
        let id = plugin.id;
        format!(
            "note: the plugin {id} still logs and answers; remove it with `claude plugin uninstall {id}`, or pause it \
             with `claude plugin disable {id}`\n"
        )
    };
    agents::plugins(&host(session))
        .into_iter()
        .map(line)
        .collect()
}

/// Removes the copies of the hook, unless somebody still calls them.
fn remove_hook(arguments: &ChangeOptions, session: &Session) -> Result<(), Failure> {
    let installed = InstalledHook::of(&session.paths);
    if arguments.dry_run || !installed.exists() {
        return Ok(());
    }
    let path = terminal::path(&installed.path());
    if let [first, others @ ..] = installed_hook::users(&host(session), &installed).as_slice() {
        let more = match others.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        return terminal::print(&format!(
            "kept {path}, because {first}{more} still calls it\n"
        ));
    }
    consent::may_change(session, arguments.yes, "plantune uninstall")?;
    let removed = installed.remove();
    removed.map_err(|error| Failure::failed(format!("{path} cannot be removed: {error}")))?;
    terminal::print(&format!(
        "removed {path}; running sessions now ask you everything\n"
    ))
}

/// Takes what is plantune's out of one file; false when there is nothing.
fn take_out(
    arguments: &ChangeOptions,
    session: &Session,
    file: &SettingsFile,
) -> Result<bool, Failure> {
    let rules = rules(arguments, session, file)?;
    let allowing = RuleList::allowing(&file.path);
    let edited = match allowing {
        // A file of rules alone.
        RuleList::Policies => Edited::unchanged(file.text()),
        _ => file.apply(uninstall)?,
    };
    let has_hook = !edited.changes.is_empty();
    let without = |text: &str, rules: &OurRules| without_rules(text, rules, allowing);
    let edited = file.apply(|_| edited.with(Some(&rules), without))?;
    if edited.changes.is_empty() {
        return Ok(false);
    }
    let command_line = format!("plantune uninstall {}", scope_argument(arguments.scope));
    let after = origin(file, &rules)
        .unwrap_or_else(|| Some(edited.text.clone()).filter(|text| !text.is_empty()));
    let name = file.name();
    let (what, scope) = (what(has_hook, &rules), scope_argument(arguments.scope));
    let mut sentence = match after {
        Some(_) => {
            let changes = terminal::sanitized(&edited.summary());
            format!("This removes {what} from {name} ({changes}).")
        }
        None => format!("This removes {name}, which held only {what}."),
    };
    if !arguments.is_purge {
        sentence.push_str(" Your data and preferences stay.");
    }
    if !arguments.is_purge && has_hook && after.is_some() {
        sentence.push_str(&format!(" `plantune install {scope}` puts it back."));
    }
    let change = SettingsChange {
        sentence: &sentence,
        command: &command_line,
        after: after.as_deref(),
        rules: Some(&OurRules::default()),
        logs: &[],
    };
    change.make(file, session, arguments, || Ok(()))?;
    Ok(true)
}

/// The entries that are taken out.
fn what(has_hook: bool, rules: &OurRules) -> &'static str {
    match (has_hook, rules.allow.len() + rules.deny.len()) {
        (true, 0) => "plantune's hook",
        (true, _) => "plantune's hook and the permission rules it added",
        (false, 1) => "the permission rule plantune added",
        (false, _) => "the permission rules plantune added",
    }
}

/// The permission rules that are plantune's: those on record. Where nothing is on record (another
/// machine, a removed data folder), those that `--guard` would add here.
fn rules(
    arguments: &ChangeOptions,
    session: &Session,
    file: &SettingsFile,
) -> Result<OurRules, Failure> {
    match file.journal()?.rules() {
        Some(rules) => Ok(rules),
        None => {
            // A folder that no rule can name has none, and rules that cannot be read are not ours.
            let mut deny = guard_rules(&host(session), arguments.scope).unwrap_or_default();
            let there = listed(file.text(), RuleList::Permissions(RuleEffect::Deny));
            let there = there.unwrap_or_default();
            deny.retain(|rule| there.contains(rule));
            Ok(OurRules {
                deny,
                ..OurRules::default()
            })
        }
    }
}
