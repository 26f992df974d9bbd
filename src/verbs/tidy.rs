//! `plantune suggest --tidy`: permission rules of the person that could go, and what taking each out changes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use plantune_agents::claude_code;
use plantune_domain::event::ChangeReason;
use plantune_domain::sanitize::shell_word;
use plantune_query::permissions::DecidedPrompt;
use plantune_query::permissions::rules::KnownRule;
use plantune_query::permissions::tidy::{TidyReason, UntidyRule, untidy};
use plantune_reports::tidy::{TidyDocument, in_words};
use plantune_settings::accepted_rules::{open, tidied, tidied_out_of, with_again};
use plantune_settings::file::{SettingsFile, SettingsScope, lock};

use crate::document::Document;
use crate::failure::Failure;
use crate::request::TidyRequest;
use crate::rule_proposals::{KnownRules, files, rule_events};
use crate::session::Session;
use crate::settings_change::{ChangeOptions, SettingsChange, host};
use crate::terminal::consent;
use crate::{started_by, terminal};

/// A settings file that may be changed: its scope, and the project's folder.
type Place = (SettingsScope, Option<PathBuf>);

/// Shows the rules that could go, or takes them out.
///
/// # Errors
/// Conflict for a file that is not understood or changes meanwhile; refused where the person cannot be asked; failed
/// where `--only` names none of them.
pub(super) fn run(request: &TidyRequest, session: &Session) -> Result<Document, Failure> {
    let prompts = match session.store()? {
        Some(store) => session.read(store.prompt_history(None))?,
        None => Vec::new(),
    };
    let project = request.project.as_deref();
    let (found, places, notes) = find(session, &prompts, project);
    if !request.apply || found.is_empty() {
        let document = TidyDocument {
            tidy: &found,
            notes: &notes,
        };
        return Document::of(&document, request.json, session);
    }
    let found = chosen(found, &request.only)?;
    let command = started_by::call();
    consent::may_change(session, request.yes, &command)?;
    session.close_store();
    let mut left = Vec::new();
    for ((file, reason), rules) in in_groups(&found) {
        // `--yes` takes out only what changes nothing, unless the person named more.
        if request.yes && !reason.changes_nothing() && request.only.is_empty() {
            left.push(format!("{} ({})", in_words(reason), rules.len()));
            continue;
        }
        let Some(place) = places.get(file) else {
            continue;
        };
        take_out(session, place, reason, &rules, (request.yes, &command))?;
    }
    if !left.is_empty() {
        terminal::print(&format!(
            "Not taken out, because Claude Code would ask again: {}. `plantune suggest --tidy --apply` asks about each kind.\n",
            left.join(", ")
        ))?;
    }
    Ok(Document::default())
}

/// The rules that could go, where their files are, and the files that could not be read. Settings that others share keep
/// their rules.
fn find(
    session: &Session,
    prompts: &[DecidedPrompt],
    project: Option<&str>,
) -> (Vec<UntidyRule>, BTreeMap<String, Place>, Vec<String>) {
    let mut known = KnownRules::default();
    let mut places = BTreeMap::new();
    for (file, root) in files(session, claude_code::NAME, prompts) {
        if let Ok(file) = &file
            && file.scope != SettingsScope::Project
        {
            places.insert(file.name(), (file.scope, root.map(PathBuf::from)));
        }
        known.add(file, root);
    }
    let is_of_project = |root: &str| {
        let mut of_root = prompts.iter().filter(|one| one.root == root);
        project.is_none_or(|project| of_root.any(|one| one.project == project))
    };
    let is_ours = |one: &KnownRule| {
        places.contains_key(&one.file) && one.root.as_deref().is_none_or(is_of_project)
    };
    (
        untidy(&known.rules, &is_ours, &is_folder),
        places,
        known.notes,
    )
}

/// True if `path`, which may begin with `~`, is a folder.
fn is_folder(path: &str) -> bool {
    let home = std::env::home_dir();
    let below = path.strip_prefix("~/");
    match below.zip(home) {
        Some((below, home)) => home.join(below).is_dir(),
        None => Path::new(path).is_dir(),
    }
}

/// Those of `found` that the words `only` name: a rule as it is shown, or a reason; all without words.
fn chosen(found: Vec<UntidyRule>, only: &[String]) -> Result<Vec<UntidyRule>, Failure> {
    let is_named = |one: &UntidyRule, word: &str| one.shown == word || in_words(one.reason) == word;
    for word in only {
        if !found.iter().any(|one| is_named(one, word)) {
            let shown = terminal::sanitized(word);
            return Err(
                Failure::failed(format!("{shown:?} is none of the rules that could go"))
                    .hint("`plantune suggest --tidy` lists them, each below its reason"),
            );
        }
    }
    let is_meant =
        |one: &UntidyRule| only.is_empty() || only.iter().any(|word| is_named(one, word));
    Ok(found.into_iter().filter(is_meant).collect())
}

/// The rules of each file and reason, those that change nothing first.
fn in_groups(found: &[UntidyRule]) -> Vec<((&str, TidyReason), Vec<&UntidyRule>)> {
    let mut groups: Vec<((&str, TidyReason), Vec<&UntidyRule>)> = Vec::new();
    for one in found {
        let name = (one.file.as_str(), one.reason);
        match groups.last_mut().filter(|(last, _)| *last == name) {
            Some((_, rules)) => rules.push(one),
            None => groups.push((name, vec![one])),
        }
    }
    groups
}

/// Takes `rules` out of the settings at `place`, after asking.
fn take_out(
    session: &Session,
    place: &Place,
    reason: TidyReason,
    rules: &[&UntidyRule],
    (yes, command): (bool, &str),
) -> Result<(), Failure> {
    let (scope, root) = place;
    let _lock = lock(session.paths.data())?;
    let file = open(&host(session), claude_code::NAME, *scope, root.as_deref())?;
    let unwanted: Vec<String> = rules.iter().map(|one| one.rule.clone()).collect();
    let kept = match reason {
        TidyReason::Doubled => unwanted.clone(),
        _ => Vec::new(),
    };
    let (after, mut ours) = tidied(&file, &unwanted, &kept)?;
    if reason == TidyReason::Secret {
        // A secret is not copied. The backup has it.
        ours.tidied.retain(|rule| !unwanted.contains(rule));
    }
    let shown: Vec<&str> = rules.iter().map(|one| one.shown.as_str()).collect();
    let change = SettingsChange {
        sentence: &sentence(&file, reason, rules),
        command,
        after: Some(&after),
        rules: Some(&ours),
        logs: &rule_events(session, &file, &shown, ChangeReason::TidyRules, yes),
    };
    let options = ChangeOptions {
        yes,
        ..ChangeOptions::default()
    };
    change.make(&file, session, &options, || Ok(()))?;
    Ok(())
}

/// What goes, what that changes, and how it comes back.
fn sentence(file: &SettingsFile, reason: TidyReason, rules: &[&UntidyRule]) -> String {
    let what = match rules.len() {
        1 => "This rule goes".to_owned(),
        many => format!("These {many} rules go"),
    };
    let mut text = format!("{what} out of {} ({}):\n", file.name(), in_words(reason));
    for one in rules {
        text += &format!("  {}\n", terminal::sanitized(&one.shown));
    }
    text += reason.change();
    if let Some(one) = rules
        .first()
        .filter(|_| !matches!(reason, TidyReason::Secret | TidyReason::Doubled))
    {
        let undo = terminal::sanitized(&shell_word(&one.rule));
        text += &format!("\nTo put one back: `plantune undo {undo}`");
    }
    text
}

/// Puts `rule` back where it was tidied away; `None` if it was not.
///
/// # Errors
/// Conflict for a file that is not understood; refused if the person cannot be asked.
pub(super) fn put_back(rule: &str, yes: bool, session: &Session) -> Option<Result<(), Failure>> {
    let files = tidied_out_of(&host(session), rule);
    (!files.is_empty()).then(|| {
        session.close_store();
        let _lock = lock(session.paths.data())?;
        files
            .iter()
            .try_for_each(|file| put_into(file, rule, yes, session))
    })
}

fn put_into(file: &SettingsFile, rule: &str, yes: bool, session: &Session) -> Result<(), Failure> {
    let (after, ours) = with_again(file, rule)?;
    let change = SettingsChange {
        sentence: &format!(
            "{} goes back into {}, as before you tidied.",
            terminal::sanitized(rule),
            file.name()
        ),
        command: &started_by::call(),
        after: Some(&after),
        rules: Some(&ours),
        logs: &rule_events(session, file, &[rule], ChangeReason::UndoRule, yes),
    };
    let options = ChangeOptions {
        yes,
        ..ChangeOptions::default()
    };
    change.make(file, session, &options, || Ok(()))?;
    Ok(())
}
