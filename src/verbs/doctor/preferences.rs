//! Whether preferences are where they are looked for, whole, obeyed, and about questions that are asked; whether
//! config.toml and registry.toml are understood, and deciding is on.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use plantune_domain::agreement::agreement::NoveltyKind;
use plantune_domain::config::{Config, is_disabled};
use plantune_domain::gate;
use plantune_domain::gate::{ProposedAnswer, check_preference};
use plantune_domain::preferences::{Policy, Preference, Scope};
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;
use plantune_domain::state::State;
use plantune_query::Store;
use plantune_query::questions::KnownQuestions;
use plantune_reports::humanize::counted;
use plantune_reports::text::one_line;

use super::{Findings, Seen, shortened, word};
use crate::failure::Failure;
use crate::preferences::FoundFile;
use crate::session::Session;
use crate::{away, preferences, standing};

/// How many notes about single preferences are shown.
const MOST: usize = 20;

/// How much of a text is shown, in columns.
const SHOWN: usize = 400;

/// Reads every file of preferences, and holds each against the registry and the store.
pub(super) fn check_preferences(seen: &Seen<'_>, found: &mut Findings) {
    check_files(seen.session, found);
}

fn check_files(session: &Session, found: &mut Findings) {
    let files = preferences::all(session);
    let before = found.checks.len();
    let folder = session.paths.config().join("projects");
    if let Err(error) = fs::read_dir(&folder)
        && error.kind() != ErrorKind::NotFound
    {
        found
            .failed(format!("{} cannot be read: {error}", folder.display()))
            .remedy(format!("run `chmod 700 {}`", word(&folder)));
    }
    files.iter().for_each(|file| problem(file, session, found));
    if found.checks.len() == before {
        found.ok(sums(&files, session));
    }
    if let Ok(registry) = session.registry() {
        in_use(&files, registry, session, found);
    }
}

/// Why none of the preferences in `file` is obeyed, if so.
fn problem(file: &FoundFile, session: &Session, found: &mut Findings) {
    let Some(problem) = file.problem.as_deref() else {
        return;
    };
    let right = file.project.as_deref();
    let right = right.map(|project| session.paths.project_preferences(project));
    if let Some(right) = right.filter(|right| *right != file.path) {
        let remedy = format!("move it to {}", word(&right));
        found.warning(problem).remedy(remedy);
    } else if problem.contains("others may write its folder") {
        let folder = file.path.parent().unwrap_or(&file.path);
        let remedy = format!("look through it, then run `chmod 700 {}`", word(folder));
        found.failed(problem).remedy(remedy);
    } else if problem.contains("others may write it") {
        let remedy = format!("look through it, then run `chmod 600 {}`", word(&file.path));
        found.failed(problem).remedy(remedy);
    } else {
        found
            .failed(problem)
            .remedy("correct it, or move it away; until then you are asked its questions");
    }
}

/// How many there are, and at which levels.
fn sums(files: &[FoundFile], session: &Session) -> String {
    let of = |is: fn(&Preference) -> bool| all(files).filter(|(_, _, one)| is(one)).count();
    let in_state = |wanted: State| {
        let is = |(file, key, one): &(&FoundFile, &String, &Preference)| {
            one.preference.answers() && state_of(file, key, one, session) == wanted
        };
        all(files).filter(is).count()
    };
    let levels = [
        (in_state(State::OnTrial), ["on trial"; 2]),
        (in_state(State::Stopped), ["stopped"; 2]),
    ];
    let levels = levels.iter().filter(|(count, _)| *count > 0);
    let levels: Vec<String> = levels
        .map(|(count, [one, many])| counted(*count, one, many))
        .collect();
    match (of(|_| true), levels.is_empty()) {
        (0, _) => "no preferences: you are asked every question".to_owned(),
        (all, true) => counted(all, "preference", "preferences"),
        (all, false) => {
            let all = counted(all, "preference", "preferences");
            format!("{all} ({})", levels.join(", "))
        }
    }
}

/// How a preference stands by what the hook keeps: the store may be what is wrong here.
fn state_of(file: &FoundFile, key: &str, preference: &Preference, session: &Session) -> State {
    standing::standing(&session.paths, &file.preference_scope(), key, preference).state
}

/// Remarks about single preferences: those that are not obeyed, are about no question that was asked, or say
/// what another one says.
fn in_use(files: &[FoundFile], registry: &Registry, session: &Session, found: &mut Findings) {
    let keys: Vec<&str> = all(files).map(|(_, key, _)| key.as_str()).collect();
    let store = (!keys.is_empty()).then(|| Store::open(&session.paths.store()).ok());
    let known = store
        .flatten()
        .and_then(|store| KnownQuestions::load(&store, &keys, registry).ok());
    let global: BTreeMap<&String, &Preference> = files
        .iter()
        .filter(|file| file.scope == Scope::Global)
        .flat_map(|file| &file.preferences)
        .collect();
    let mut texts = Vec::new();
    for (file, key, preference) in all(files) {
        let remark = file.remark(key, preference, registry);
        let remark = remark.map(|remark| format!("not obeyed, {remark}"));
        let known = known.as_ref();
        let known = known.and_then(|known| against_store(file, key, preference, known, registry));
        let global = global.get(key).filter(|_| file.scope == Scope::Project);
        let global = global.map(|global| match value(preference) == value(global) {
            true => "the global preference says the same".to_owned(),
            // The hook asks then.
            false => "the global preference says otherwise, so you are asked".to_owned(),
        });
        let is_stopped = preference.preference.answers()
            && state_of(file, key, preference, session) == State::Stopped;
        let stopped = is_stopped.then(|| "stopped: you are asked every time".to_owned());
        let of_one = [remark, stopped, known, global].into_iter().flatten();
        texts.extend(of_one.map(|text| (file, key, text)));
    }
    for (file, key, text) in texts.iter().take(MOST) {
        let scope = match (&file.scope, &file.project) {
            (Scope::Global, _) => "global",
            (Scope::Project, Some(project)) => project,
            (Scope::Project, None) => "a project it does not name",
        };
        let [key, scope, text] = [key.as_str(), scope, text].map(|text| one_line(text, SHOWN));
        found.note(format!("{key} ({scope}): {text}"));
    }
    if let more @ 1.. = texts.len().saturating_sub(MOST) {
        found
            .note(format!("{more} more of the same kinds"))
            .remedy("run `plantune prefs list` to see them");
    }
}

fn all(files: &[FoundFile]) -> impl Iterator<Item = (&FoundFile, &String, &Preference)> {
    files.iter().flat_map(|file| {
        let entries = file.preferences.iter();
        entries.map(move |(key, preference)| (file, key, preference))
    })
}

/// The store's remark about a preference: its question was never asked, must be asked as it was last
/// asked, or no longer offers the pinned label.
fn against_store(
    file: &FoundFile,
    key: &str,
    preference: &Preference,
    known: &KnownQuestions,
    registry: &Registry,
) -> Option<String> {
    let Some(known) = known.of(key, file.project.as_deref()) else {
        return Some("this question was never asked".to_owned());
    };
    let proposed = ProposedAnswer {
        key,
        text: &known.question,
        header: known.header.as_deref(),
        options: &known.options,
        label: preference.answer.as_deref(),
        description: "",
        preview: "",
    };
    // One that says nothing of its question is named by another check.
    if preference.preference != Policy::AlwaysAsk
        && let Err(new) = preference.covers(&known.asking())
        && new.what != NoveltyKind::NotBound
    {
        let new = one_line(&new.to_string(), SHOWN);
        return Some(format!("not obeyed as it was last asked ({new})"));
    }
    if preference.preference != Policy::AlwaysAsk
        && check_preference(key, preference, registry).is_ok()
        && let Err(refusal) = gate::check(&proposed, registry)
    {
        let reason = one_line(&refusal.to_string(), SHOWN);
        return Some(format!("not obeyed as it was last asked, {reason}"));
    }
    let offered = |pinned: &str| known.options.iter().any(|label| same_label(label, pinned));
    let missing = preference
        .answer
        .as_deref()
        .filter(|pinned| !offered(pinned));
    missing.map(|pinned| {
        let pinned = one_line(pinned, SHOWN);
        format!("its answer \"{pinned}\" was not among the options when it was last asked")
    })
}

fn value(preference: &Preference) -> (Policy, Option<String>) {
    let answer = preference.answer.as_deref().map(str::to_lowercase);
    (preference.preference, answer)
}

// Whether config.toml and registry.toml are understood, and whether deciding is on.

/// Whether config.toml is understood, with its time zone and the tables that the hook has no use for.
pub(super) fn check_config(seen: &Seen<'_>, found: &mut Findings) {
    let session = seen.session;
    let (config, paths) = (session.config(), &session.paths);
    if let Err(failure) = &config {
        return file(&paths.config_file(), Some(failure), found);
    }
    // Questions are answered all the same.
    let problems = [
        session.zone().err(),
        session.report_settings().err(),
        session.retention().err(),
        session.suggest_settings().err(),
    ];
    let before = found.checks.len();
    for failure in problems.iter().flatten() {
        found.failure(failure);
    }
    if found.checks.len() == before {
        file(&paths.config_file(), None, found);
    }
}

/// Whether registry.toml is understood.
pub(super) fn check_registry(seen: &Seen<'_>, found: &mut Findings) {
    let problem = seen.session.registry().err();
    file(&seen.session.paths.registry_file(), problem.as_ref(), found);
}

/// Whether questions are answered.
pub(super) fn check_deciding(seen: &Seen<'_>, found: &mut Findings) {
    let is_disabled = is_disabled(std::env::var_os("PLANTUNE_DISABLE").as_deref());
    deciding(is_disabled, seen.session.config().ok(), found);
}

fn file(path: &Path, problem: Option<&Failure>, found: &mut Findings) {
    match problem {
        None if path.exists() => found.ok(path.display().to_string()),
        None => found.ok(format!("no {}: the defaults hold", path.display())),
        Some(problem) => {
            let remedy = format!(
                "correct {}; until then you are asked every question",
                word(path)
            );
            found.failed(shortened(problem.message())).remedy(remedy);
        }
    }
}

/// Until when the person is away; nothing when they are not.
pub(super) fn check_away(seen: &Seen<'_>, found: &mut Findings) {
    let session = seen.session;
    match (away::load(session), away::line(session)) {
        (Err(failure), _) => {
            let file = word(&session.paths.away_file());
            found
                .warning(shortened(failure.message()))
                .remedy(format!("it is not obeyed; remove {file} with `rm`"));
        }
        (Ok(_), Ok(Some(line))) => {
            found.note(line);
        }
        (Ok(Some(_)), _) => {
            found
                .note("you are back, and haven't seen what was answered while you were away")
                .remedy("run `plantune away off` to see it");
        }
        (Ok(None), _) => {}
    }
}

fn deciding(is_disabled: bool, config: Option<&Config>, found: &mut Findings) {
    match config {
        _ if is_disabled => {
            found
                .note("switched off by PLANTUNE_DISABLE; questions are still logged")
                .remedy("run `unset PLANTUNE_DISABLE` to switch it on");
        }
        Some(config) if !config.enabled => {
            found
                .note("switched off by `plantune off`; questions are still logged")
                .remedy("run `plantune on` to switch it on");
        }
        Some(_) => found.ok("on: plantune answers by your preferences"),
        None => {
            found.note("off, because config.toml can't be read");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::Environment;
    use crate::failure::conflict;
    use crate::verbs::doctor::Status;
    use plantune_domain::paths::Paths;
    use plantune_domain::registry::Registry;

    fn home(files: &[(&str, &str)]) -> (tempfile::TempDir, Session) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            plantune_domain::atomic_file::replace(&path, text.as_bytes(), 0o600).unwrap();
        }
        let paths = Paths::below(folder.path().to_owned());
        let environment = Environment {
            paths,
            now: chrono::DateTime::UNIX_EPOCH,
            agent_session: None,
            is_unattended: false,
            transcripts: None,
            colour: false,
            time_zone: None,
            width: 80,
        };
        (folder, Session::new(environment))
    }

    fn checked(session: &Session) -> Findings {
        let mut found = Findings::default();
        check_files(session, &mut found);
        found
    }

    #[test]
    fn what_is_not_obeyed_is_named() {
        let text = r#"{"version":1,"preferences":{
            "colour":{"preference":"never-ask","answer":"Blue","question":"Which colour?",
                "options":["Blue","Red"]},
            "unbound":{"preference":"never-ask"},
            "size":{"preference":"never-ask","answer":"S","level":"trial","question":"Which size?",
                "options":["S","L"]},
            "place":{"preference":"assist","answer":"Here","question":"Where?",
                "options":["Here","There"]},
            "delete-user-data":{"preference":"never-ask","question":"Fine?",
                "options":["Yes","No"]}}}"#;
        let (_folder, session) = home(&[("preferences.json", text)]);
        let found = checked(&session).checks;
        assert_eq!(found[0].message, "5 preferences (1 on trial)");
        let ignored = found
            .iter()
            .filter(|one| one.message.contains("not obeyed"));
        assert_eq!(ignored.count(), 2, "{found:?}");
    }

    #[test]
    fn a_value_that_is_not_known_is_named() {
        for (field, value) in [("key_source", "guess"), ("set_by", "agent")] {
            let text = format!(
                r#"{{"version":1,"preferences":{{
                "colour":{{"preference":"never-ask","answer":"Blue","{field}":"{value}","question":"Which colour?",
                    "options":["Blue","Red"]}},
                "size":{{"preference":"never-ask","answer":"S","key_source":"marker","set_by":"dialog",
                    "question":"Which size?","options":["S","L"]}}}}}}"#
            );
            let (_folder, session) = home(&[("preferences.json", &text)]);
            let found = checked(&session).checks;
            let messages: Vec<&str> = found.iter().map(|one| &*one.message).collect();
            let named = format!("`{field}` is \"{value}\", which plantune does not know");
            let named = messages.iter().filter(|message| message.contains(&named));
            assert_eq!(named.count(), 1, "{messages:?}");
        }
    }

    #[test]
    fn every_file_is_read() {
        let (_folder, session) = home(&[
            ("projects/broken/preferences.json", "{"),
            (
                "projects/elsewhere/preferences.json",
                r#"{"version":1,"project":"github.com/a/b","preferences":{}}"#,
            ),
        ]);
        let found = checked(&session).checks;
        let statuses: Vec<_> = found.iter().map(|one| one.status).collect();
        assert_eq!(statuses, [Status::Failed, Status::Warning]);
        let (_folder, session) = home(&[]);
        assert_eq!(checked(&session).checks[0].status, Status::Ok);
    }

    #[test]
    fn switches() {
        let off = Config {
            enabled: false,
            ..Config::default()
        };
        let on = Config::default();
        let decided = |disabled, config| {
            let mut found = Findings::default();
            deciding(disabled, config, &mut found);
            found.checks[0].status
        };
        assert_eq!(decided(false, Some(&on)), Status::Ok);
        for (disabled, config) in [(true, Some(&on)), (false, Some(&off)), (false, None)] {
            assert_eq!(decided(disabled, config), Status::Note);
        }
    }

    #[test]
    fn a_file_that_is_not_understood() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("registry.toml");
        plantune_domain::atomic_file::replace(&path, b"[[question]]\nkey = 1\n", 0o600).unwrap();
        let problem = conflict(&Registry::load(&path).unwrap_err());
        let mut found = Findings::default();
        file(&path, Some(&problem), &mut found);
        let check = &found.checks[0];
        assert_eq!(check.status, Status::Failed);
        assert!(check.message.contains("registry.toml") && check.message.contains("line 2"));
        assert!(check.remedy.as_deref().unwrap().starts_with("correct "));
    }
}
