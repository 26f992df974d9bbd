//! plantune's own files: whether its folders are the person's alone, its log and its store can be read, and its
//! settings and preferences are understood and obeyed.

#[cfg(test)]
mod tests;

use std::fs::{self, File, Permissions};
use std::io::{Error, ErrorKind};
use std::iter;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::TimeDelta;
use plantune_domain::config::is_disabled;
use plantune_domain::preferences::{Policy, Preference, Scope};
use plantune_domain::state::State;
use plantune_ingest::{Format, SegmentName, check_sealed, lost_months, was_killed};
use plantune_query::health::{Contents, health};
use plantune_query::questions::KnownQuestions;
use plantune_query::{Store, StoreError as QueryError};
use plantune_reports::doctor::DoctorFindings;
use plantune_reports::doctor::Status::{self, Failed, Note, Warning};
use plantune_reports::humanize::{self, counted};
use plantune_reports::text::one_line;

use super::{COMMAND, Seen, fail, word};
use crate::failure::Failure;
use crate::preferences::FoundFile;
use crate::refresh::{lost_in_words, put_back};
use crate::session::Session;
use crate::verbs::ingest;
use crate::{
    away, environment, lost_events, preferences as of_person, refresh, standing, terminal,
};

// Whether plantune's folders are the person's, private and writable.

/// How many entries are looked at below a folder.
const MOST_ENTRIES: usize = 10_000;

/// Reports that the hook and every command refuse the folders here, if they do.
pub(super) fn roots(seen: &Seen<'_>, found: &mut DoctorFindings) {
    if let Some(refusal) = seen.session.refusal() {
        let asked = "until then you are asked every question; nothing there was read";
        let failed = found.add(Failed, refusal.to_string());
        failed.remedy(refusal.remedy()).remedy(asked);
    }
}

/// Looks at the data and the configuration; nothing is made or changed.
pub(super) fn folders(seen: &Seen<'_>, found: &mut DoctorFindings) {
    own(seen.session)
        .iter()
        .for_each(|root| judge_folder(root, found));
    let paths = &seen.session.paths;
    let last = seen.segments.iter().rfind(|one| one.name.is_of_hook());
    for path in [Some(&paths.events()), last.map(|last| &last.path)] {
        path.inspect(|path| judge_closed(path, "the hook cannot log to", found));
    }
    judge_closed(&paths.store(), "nothing can be written to", found);
}

/// The folders of the data and of the configuration, which may be one.
fn own(session: &Session) -> Vec<&Path> {
    let mut folders = vec![session.paths.data(), session.paths.config()];
    folders.dedup();
    folders
}

/// Reports that `path` cannot be written; `fact` says what that means. What is not there is made when it is needed.
fn judge_closed(path: &Path, fact: &str, found: &mut DoctorFindings) {
    let error = match environment::may_write(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => error,
        _ => return,
    };
    let failed = found.add(Failed, format!("{fact} {}: {error}", path.display()));
    let mode = if path.is_dir() { "700" } else { "600" };
    let path = word(path);
    if error.kind() == ErrorKind::ReadOnlyFilesystem {
        let mount = format!("mount it for writing (`findmnt -T {path}` shows it)");
        let elsewhere = ", or set PLANTUNE_HOME to a folder elsewhere and run `plantune install`";
        failed.remedy(mount + elsewhere);
    } else {
        failed
            .remedy(format!("run `chmod {mode} {path}`"))
            .remedy(format!(
                "or, if it is somebody else's, `chown \"$USER\" {path}`"
            ));
    }
}

fn judge_folder(root: &Path, found: &mut DoctorFindings) {
    let (before, shown) = (found.checks.len(), root.display());
    let tree = Tree::below(root);
    for (path, error) in &tree.unreadable {
        let message = format!("{} cannot be read: {error}", path.display());
        let remedy = format!("run `chmod 700 {}`", word(path));
        found.add(Failed, message).remedy(remedy);
    }
    if let Some((first, mode)) = tree.open.first() {
        let count = counted(tree.open.len(), "path", "paths");
        let such = format!("such as {} (mode {mode:04o})", first.display());
        let message = format!("others on this machine can use {count} in {shown}, {such}");
        let remedy = format!("run `{COMMAND}`, or `chmod -R go= {}`", word(root));
        found.add(Warning, message).remedy(remedy);
    }
    for link in &tree.links {
        let message = format!("{} is a symbolic link", link.display());
        let remedy = "plantune doesn't follow it; keep it only if you made it";
        found.add(Warning, message).remedy(remedy);
    }
    judge_closed(root, "nothing can be made or changed in", found);
    if found.checks.len() == before {
        found.ok(match root.exists() {
            true => format!("{shown}, private to you"),
            false => format!("{shown} doesn't exist yet; plantune makes it when needed"),
        });
    }
}

/// What is wrong with a folder and what lies below it.
#[derive(Default)]
struct Tree {
    /// What others may use, with its mode.
    open: Vec<(PathBuf, u32)>,
    links: Vec<PathBuf>,
    unreadable: Vec<(PathBuf, Error)>,
}

impl Tree {
    /// Links below `root` are not followed.
    fn below(root: &Path) -> Self {
        let (mut tree, mut waiting) = (Self::default(), vec![root.to_owned()]);
        for _ in 0..MOST_ENTRIES {
            let Some(path) = waiting.pop() else { break };
            if path != root && path.is_symlink() {
                tree.links.push(path);
                continue;
            }
            // What has gone meanwhile (a mark of a session, a temporary file) is none.
            let Ok(found) = fs::metadata(&path) else {
                continue;
            };
            let mode = found.mode() & 0o7777;
            match fs::read_dir(&path) {
                Ok(entries) => waiting.extend(entries.flatten().map(|entry| entry.path())),
                Err(error) if found.is_dir() => tree.unreadable.push((path.clone(), error)),
                Err(_) => {}
            }
            if mode & 0o077 != 0 {
                tree.open.push((path, mode));
            }
        }
        tree.open.sort();
        tree.links.sort();
        tree
    }
}

/// `--fix`: closes to others what in plantune's folders is open to them, and says so.
///
/// # Errors
/// The errors of the file system.
pub(super) fn close(_: bool, session: &Session) -> Result<(), Failure> {
    for root in own(session) {
        let open = Tree::below(root).open;
        for (path, mode) in &open {
            fs::set_permissions(path, Permissions::from_mode(mode & 0o700))?;
        }
        if !open.is_empty() {
            let count = counted(open.len(), "path", "paths");
            let root = terminal::path(root);
            terminal::print(&format!("closed to others: {count} in {root}\n"))?;
        }
    }
    Ok(())
}

// The log: its segments, when the hook last wrote one, and the lines that could not become events.

/// For how many days a line in quarantine is news.
const NEWS_DAYS: i64 = 14;

/// A file of the log.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FoundSegment {
    name: SegmentName,
    path: PathBuf,
}

/// The segments in the folder `events` that are files, in the order of their names.
pub(super) fn segments(events: &Path) -> Vec<FoundSegment> {
    // The check of the folders says why it cannot be read.
    let entries = fs::read_dir(events).into_iter().flatten().flatten();
    let segment = |path: PathBuf| {
        let name = SegmentName::parse(path.file_name()?.to_str()?)?;
        path.is_file().then_some(FoundSegment { name, path })
    };
    let mut segments: Vec<_> = entries.filter_map(|entry| segment(entry.path())).collect();
    segments.sort();
    segments
}

/// Whether every segment can be read, a sealed one to its end; and whether the hook could log everything.
pub(super) fn spool(seen: &Seen<'_>, found: &mut DoctorFindings) {
    let before = found.checks.len();
    let paths = &seen.session.paths;
    let store = Store::open_within(&paths.store(), Duration::ZERO).ok();
    let lost = store.and_then(|store| lost_months(store.connection(), &paths.events(), true).ok());
    let lost = lost.unwrap_or_default();
    for month in &lost {
        let message = format!("{}; the store still has them", lost_in_words(month));
        found.add(Failed, message).remedy(put_back(month));
    }
    let is_lost =
        |one: &&FoundSegment| lost.iter().any(|lost| lost.segment == one.name.file_name());
    for FoundSegment { name, path } in seen.segments.iter().filter(|one| !is_lost(one)) {
        let read = File::open(path).and_then(|_| match name.format() {
            Format::Sealed => check_sealed(path).map(drop),
            Format::Lines => Ok(()),
        });
        // What is not there was just sealed or dropped.
        if let Err(error) = read
            && error.kind() != ErrorKind::NotFound
        {
            let message = format!("{} is damaged, or not to be read: {error}", path.display());
            let remedy = format!(
                "make sure that you may read it (`chmod 600 {}`)",
                word(path)
            );
            let restore = ", or restore it from a backup and run `plantune report`";
            found.add(Failed, message).remedy(remedy + restore);
        }
    }
    if let Some(message) = lost_events::fact(seen.session) {
        let remedy = "make sure that the log can be written; the next `plantune` then logs how many were lost";
        found.add(Warning, message).remedy(remedy);
    }
    if found.checks.len() == before {
        found.ok(match seen.segments.len() {
            0 => "nothing has been logged yet".to_owned(),
            segments => counted(segments, "segment", "segments"),
        });
    }
}

/// When the hook last logged something, by the store and by the segments that are newer.
pub(super) fn last_event(seen: &Seen<'_>, found: &mut DoctorFindings) {
    let contents = seen.store.as_ref().ok();
    let in_store = contents.and_then(|contents| Some(contents.last_hook_at?.date_naive()));
    let is_newer = |one: &&FoundSegment| one.name.is_of_hook() && one.name.day() > in_store;
    // What the command line changes is logged there too.
    let is_of_hook = |one: &&FoundSegment| {
        let text = fs::read(&one.path).unwrap_or_default();
        String::from_utf8_lossy(&text).contains(r#""source":"hook""#)
    };
    let newest = seen.segments.iter().rev().filter(is_newer).find(is_of_hook);
    let last = newest.and_then(|one| one.name.day()).or(in_store);
    if let Some(last) = last {
        let age = humanize::day(last, seen.session.now.date_naive());
        found.ok(format!("the hook last logged something {age} ({last})"));
    } else if seen.callers.is_any() {
        found
            .add(Note, "the hook has logged nothing yet")
            .remedy("start a new session of Claude Code, so that it reads its settings");
    }
}

/// The lines of the log that could not become events, by the kind of reason.
pub(super) fn quarantine(seen: &Seen<'_>, found: &mut DoctorFindings) {
    let Ok(Contents { quarantine, .. }) = &seen.store else {
        return;
    };
    if quarantine.is_empty() {
        found.ok("every line could be read");
    }
    for lines in quarantine {
        let age = seen.session.now.date_naive() - lines.last_day;
        let is_news = age < TimeDelta::days(NEWS_DAYS);
        let count = counted(lines.lines, "line", "lines");
        let kind = lines.kind.replace('_', " ");
        let message = format!("{count} set aside ({kind}), last on {}", lines.last_day);
        let finding = found.add(if is_news { Warning } else { Note }, message);
        if lines.kind == "schema_version" {
            finding.remedy("a newer hook wrote them; install the newest plantune");
        }
        finding.remedy(
            "`plantune doctor --quarantine` shows them; if you repair them, `plantune doctor --fix` reads them again",
        );
    }
}

/// `--fix`: reads the log again where that may help. A newer plantune does so by itself when it knows more events than
/// an older one did; this is for a segment of the log that was repaired by hand.
///
/// # Errors
/// When the store cannot be written or the log not be read.
pub(super) fn read_again(_: bool, session: &Session) -> Result<(), Failure> {
    match health(&session.paths.store()) {
        Ok(contents) if contents.quarantine.is_empty() => Ok(()),
        Err(QueryError::Missing(_)) => Ok(()),
        _ => ingest::rebuild(session),
    }
}

// The store.

/// Whether the store can be read, and what it holds.
pub(super) fn store(seen: &Seen<'_>, found: &mut DoctorFindings) {
    let paths = &seen.session.paths;
    match &seen.store {
        Ok(_) if was_killed(paths) => {
            let message = "the last run was killed; the next `plantune report` rebuilds it";
            found.add(Note, message);
        }
        Ok(contents) => {
            let events = counted(contents.events, "event", "events");
            let questions = counted(contents.questions, "question", "questions");
            found.ok(format!("{events}, {questions}"));
        }
        Err(QueryError::Missing(_)) => {
            let message = "it doesn't exist yet; the first `plantune report` makes it";
            let remedy = "run `plantune import claude-code` to learn from past sessions";
            found.add(Note, message).remedy(remedy);
        }
        Err(error) => {
            let failed = fail(found, &refresh::read_failure(paths, error));
            failed.status = match error {
                // It is free later, or computed again.
                QueryError::Held(_) | QueryError::Broken(_) => Warning,
                QueryError::Version { found, known } if found < known => Note,
                _ => Failed,
            };
        }
    }
}

// What the person set: config.toml, registry.toml, being away, and the preferences.

/// Whether config.toml is understood, with its time zone and the tables that the hook has no use for.
pub(super) fn config(seen: &Seen<'_>, found: &mut DoctorFindings) {
    let session = seen.session;
    let problem = [
        session.config().err(),
        session.zone().err(),
        session.report_settings().err(),
        session.retention().err(),
        session.suggest_settings().err(),
    ];
    let problem = problem.into_iter().flatten().next();
    judge_file(&session.paths.config_file(), problem, found);
}

/// Whether registry.toml is understood.
pub(super) fn registry(seen: &Seen<'_>, found: &mut DoctorFindings) {
    let file = seen.session.paths.registry_file();
    judge_file(&file, seen.session.registry().err(), found);
}

fn judge_file(path: &Path, problem: Option<Failure>, found: &mut DoctorFindings) {
    let Some(problem) = problem else {
        return found.ok(match path.exists() {
            true => path.display().to_string(),
            false => format!("no {}: the defaults hold", path.display()),
        });
    };
    let message = shortened(problem.message());
    let remedy = format!("correct {}", word(path));
    found.add(Failed, message).remedy(remedy);
}

/// The first and the last line of a message that draws its place in the file between them.
fn shortened(message: &str) -> String {
    let mut lines = message.lines().filter(|line| !line.trim().is_empty());
    let ends = [lines.next(), lines.next_back()];
    ends.into_iter().flatten().collect::<Vec<_>>().join(": ")
}

/// Whether questions are answered, and whether what is kept of being away is understood.
pub(super) fn deciding(seen: &Seen<'_>, found: &mut DoctorFindings) {
    let session = seen.session;
    if let Err(failure) = away::load(session) {
        let message = shortened(failure.message()) + ": it is not obeyed";
        let remedy = format!("run `rm {}`", word(&session.paths.away_file()));
        found.add(Warning, message).remedy(remedy);
    }
    let is_off = is_disabled(std::env::var_os("PLANTUNE_DISABLE").as_deref());
    let off = match (session.config(), session.registry()) {
        _ if is_off => "switched off by PLANTUNE_DISABLE: `unset PLANTUNE_DISABLE` switches it on",
        (Ok(config), _) if !config.enabled => "switched off: `plantune on` switches it on",
        (Ok(_), Ok(_)) => return found.ok("on: plantune answers by your preferences"),
        _ => "off until the file named above is corrected: you are asked every question",
    };
    found.add(Note, off);
}

/// How much of a text is shown, in columns.
const SHOWN: usize = 400;

/// Reads every file of preferences, and holds each preference against the registry and the store.
pub(super) fn preferences(Seen { session, .. }: &Seen<'_>, found: &mut DoctorFindings) {
    let files = of_person::all(session);
    let keys = files.iter().flat_map(|file| file.preferences.keys());
    let keys: Vec<&str> = keys.map(String::as_str).collect();
    let before = found.checks.len();
    for file in &files {
        if let Some(problem) = &file.problem {
            let (status, remedy) = remedy(file, problem, session);
            found.add(status, problem).remedy(remedy);
        }
    }
    if found.checks.len() == before {
        found.ok(match keys.len() {
            0 => "no preferences: you are asked every question".to_owned(),
            count => counted(count, "preference", "preferences"),
        });
    }
    let Ok(registry) = session.registry() else {
        return;
    };
    let store = Store::open(&session.paths.store()).ok();
    let known = store.and_then(|store| KnownQuestions::load(&store, &keys, registry).ok());
    let all = files
        .iter()
        .flat_map(|file| iter::repeat(file).zip(&file.preferences));
    for (file, (key, preference)) in all {
        // By what the hook keeps: the store may be what is wrong here.
        let scope = file.preference_scope();
        let stands = standing::standing(&session.paths, &scope, key, preference);
        let is_stopped = stands.state == State::Stopped && preference.preference.answers();
        let remark = file.remark(key, preference, registry);
        let remark = remark.map(|remark| format!("not obeyed, {remark}"));
        let stopped = is_stopped.then(|| "stopped: you are asked every time".to_owned());
        let unfit = || unfit(file, key, preference, &files, known.as_ref()?);
        if let Some(why) = remark.or(stopped).or_else(unfit) {
            let scope = file.project.as_deref().unwrap_or(file.scope.as_str());
            let [key, scope, why] = [key, scope, &why].map(|text| one_line(text, SHOWN));
            found.add(Note, format!("{key} ({scope}): {why}"));
        }
    }
}

/// Why a preference never answers, or not what was asked last: what holds everywhere says otherwise, its question was
/// never asked, or has something new.
fn unfit(
    file: &FoundFile,
    key: &str,
    preference: &Preference,
    files: &[FoundFile],
    known: &KnownQuestions,
) -> Option<String> {
    let says = |one: &Preference| {
        let answer = one.answer.as_deref().map(str::to_lowercase);
        (one.preference, answer)
    };
    let is_global = |file: &&FoundFile| file.scope == Scope::Global;
    let global = files.iter().find(is_global);
    let global = global.and_then(|file| file.preferences.get(key));
    if global.is_some_and(|global| says(global) != says(preference)) {
        return Some("the global preference says otherwise, so you are asked".to_owned());
    }
    let Some(asked) = known.of(key, file.project.as_deref()) else {
        return Some("this question was never asked".to_owned());
    };
    let new = preference.covers(&asked.asking()).err()?;
    let answers = preference.preference != Policy::AlwaysAsk;
    answers.then(|| format!("not obeyed as it was last asked ({new})"))
}

/// How grave it is that a file is not obeyed, and what to do.
fn remedy(file: &FoundFile, problem: &str, session: &Session) -> (Status, String) {
    let project = file.project.as_deref();
    let place = project.map(|project| session.paths.project_preferences(project));
    match place.filter(|place| *place != file.path) {
        Some(place) => (Warning, format!("move it to {}", word(&place))),
        None if problem.contains("others may write") => {
            (Failed, format!("look through it, then run `{COMMAND}`"))
        }
        None => (
            Failed,
            "correct it, or move it away; until then you are asked its questions".to_owned(),
        ),
    }
}
