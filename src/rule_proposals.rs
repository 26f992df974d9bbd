//! Permission rules: those that `suggest` proposes, those that the person has, so that nothing is proposed twice, and
//! writing what they accept into the agents' settings.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use plantune_agents::claude_code;
use plantune_domain::event::{ChangeReason, Event};
use plantune_domain::permissions::{Reach, describe};
use plantune_domain::preferences::Scope;
use plantune_domain::project::project_key;
use plantune_domain::sanitize::shell_word;
use plantune_query::permissions::DecidedPrompt;
use plantune_query::permissions::near_miss::near_miss;
use plantune_query::permissions::prompts::LoggedPrompt;
use plantune_query::permissions::propose::{Proposals, RuleInputs, proposals};
use plantune_query::permissions::rules::{
    Behaviour, Holds, KnownRule, RuleScope, Tighten, tighten,
};
use plantune_query::{Store, StoreError};
use plantune_settings::SettingsError;
use plantune_settings::accepted_rules::{
    ListedRule, RuleAddition, RuleRemoval, RuleTarget, open, root_of, rules_of, without,
};
use plantune_settings::file::{SettingsFile, SettingsScope, is_project, lock};
use plantune_settings::rules::RuleList;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::session::Session;
use crate::settings_change::{ChangeOptions, SettingsChange, changed_meanwhile, host};
use crate::terminal::consent::diff;
use crate::{changes, refresh, terminal};

// What `suggest` proposes as permission rules, for Claude Code, OpenCode and Gemini CLI.

/// A note on what else a rule of OpenCode allows.
const ALSO_IN_OPENCODE: &str = " OpenCode does not check variables set before the command, the folder it runs in, or where the output of a \
                                group goes.";

/// The advice for a file of OpenCode that plantune does not change.
const BY_HAND: &str =
    "; you can add it yourself: put `\"…\": \"allow\"` after `\"*\": \"ask\"` in that file";

/// The proposals found.
#[derive(Default)]
pub(crate) struct RuleProposals {
    /// The rules that are proposed.
    pub(crate) proposals: Proposals,
    /// The rules that are there and could be narrower.
    pub(crate) tighten: Vec<Tighten>,
    /// The files that could not be read, in words.
    pub(crate) notes: Vec<String>,
}

/// The proposals for `project`, or for all of them.
///
/// # Errors
/// Conflict (exit code 3) for a config.toml or registry.toml that is not understood; failed when the store cannot be read.
pub(crate) fn find(
    session: &Session,
    store: &Store,
    project: Option<&str>,
) -> Result<RuleProposals, Failure> {
    let host = host(session);
    let mut found = of_agent(session, store, project, None)?;
    for (agent, also, by_hand) in [("opencode", ALSO_IN_OPENCODE, BY_HAND), ("gemini", "", "")] {
        let others = of_agent(session, store, project, Some(agent))?;
        for mut proposal in others.proposals.proposals {
            // Gemini CLI has rules for all projects alone.
            if agent == "gemini" && proposal.scope != RuleScope::User {
                continue;
            }
            proposal.also_allows.push_str(also);
            let root = proposal.root.as_ref();
            let place = RuleTarget::of(agent, SettingsScope::User, root.map(PathBuf::from));
            match place.add(&host, &[proposal.name.clone()]) {
                Err(error) => found.notes.push(format!(
                    "{}, so `{}` is not proposed{}",
                    error, proposal.name, by_hand
                )),
                Ok(_) => found.proposals.proposals.push(proposal),
            }
        }
        found.notes.extend(others.notes);
    }
    Ok(found)
}

fn of_agent(
    session: &Session,
    store: &Store,
    project: Option<&str>,
    agent: Option<&'static str>,
) -> Result<RuleProposals, Failure> {
    let failure = |error: StoreError| refresh::read_failure(&session.paths, &error);
    let prompts = store.prompt_history(agent).map_err(failure)?;
    if agent.is_some() && prompts.is_empty() {
        return Ok(RuleProposals::default());
    }
    let mode = match agent {
        None => store.usual_mode().map_err(failure)?,
        Some(_) => None,
    };
    let known = rules(session, agent, &prompts);
    let own = session.registry()?.own_reaches();
    let inputs = RuleInputs {
        agent: agent.unwrap_or(claude_code::NAME),
        settings: &session.suggest_settings()?,
        now: session.now.naive_utc(),
        own,
        known: &known.rules,
        mode: mode.as_deref(),
        holds: &|root, folder| holds(root, folder),
    };
    let mut proposals = proposals(&prompts, &inputs);
    let mut tighten = tighten(&prompts, &known.rules, own);
    if let Some(project) = project {
        proposals.proposals.retain(|one| match &one.project {
            Some(own) => own == project,
            None => one.projects.iter().any(|of| of == project),
        });
        let is_of_project = |root: &str| {
            let mut of_project = prompts.iter().filter(|one| one.project == project);
            of_project.any(|one| one.root == root)
        };
        tighten.retain(|one| one.root.as_deref().is_none_or(is_of_project));
    }
    Ok(RuleProposals {
        proposals,
        tighten,
        notes: known.notes,
    })
}

// The permission rules that the person has, as far as the history is about their projects.

/// Settings of more projects are not read.
const MOST_PROJECTS: usize = 200;

/// The rules that were found, and the files that could not be read, in words.
#[derive(Default)]
pub(crate) struct KnownRules {
    pub(crate) rules: Vec<KnownRule>,
    pub(crate) notes: Vec<String>,
}

/// The rules of `agent` (`None`: Claude Code) in the person's settings, and in those of the projects that `prompts` are
/// of. A file that is not understood is left as it is, and noted.
pub(crate) fn rules(
    session: &Session,
    agent: Option<&str>,
    prompts: &[DecidedPrompt],
) -> KnownRules {
    let mut known = KnownRules::default();
    for (file, root) in files(session, agent.unwrap_or(claude_code::NAME), prompts) {
        known.add(file, root);
    }
    known
}

/// The settings of `agent` that are the person's own, and those of the projects that `prompts` are of, each with the
/// project's folder.
pub(crate) fn files<'p>(
    session: &Session,
    agent: &str,
    prompts: &'p [DecidedPrompt],
) -> Vec<(Result<SettingsFile, SettingsError>, Option<&'p str>)> {
    let of_projects = match agent {
        claude_code::NAME => &[SettingsScope::Project, SettingsScope::Local][..],
        "gemini" => &[],
        _ => &[SettingsScope::Project],
    };
    let host = host(session);
    let mut files = vec![(open(&host, agent, SettingsScope::User, None), None)];
    let roots: BTreeSet<&str> = prompts.iter().rev().map(|one| one.root.as_str()).collect();
    let roots = roots.into_iter().filter(|root| is_project(Path::new(root)));
    for root in roots.take(MOST_PROJECTS) {
        let of_project = of_projects.iter().map(|scope| {
            let file = open(&host, agent, *scope, Some(Path::new(root)));
            (file, Some(root))
        });
        files.extend(of_project);
    }
    files
}

/// Says of each of `prompts` why it came, or would come today, although a rule of the person seems to cover it.
///
/// # Errors
/// Conflict for a registry that is not understood.
pub(crate) fn say_although(session: &Session, prompts: &mut [LoggedPrompt]) -> Result<(), Failure> {
    let judged: Vec<DecidedPrompt> = prompts.iter().map(LoggedPrompt::to_evidence).collect();
    let known = rules(session, None, &judged);
    let own = session.registry()?.own_reaches();
    let of_claude_code = |shown: &LoggedPrompt| shown.agent == claude_code::NAME;
    let shown = prompts.iter_mut().zip(&judged);
    for (shown, prompt) in shown.filter(|(shown, _)| of_claude_code(shown)) {
        shown.although = near_miss(prompt, &known.rules, own);
    }
    Ok(())
}

impl KnownRules {
    /// Adds the rules of `file`, or a note if it is not understood.
    pub(crate) fn add(&mut self, file: Result<SettingsFile, SettingsError>, root: Option<&str>) {
        let rules = file.and_then(|file| {
            let known = |one: ListedRule| KnownRule {
                rule: one.rule,
                since: one.since.map(|since| since.naive_utc()),
                behaviour: match one.allows {
                    true => Behaviour::Allow,
                    false => Behaviour::Stop,
                },
                root: root.map(str::to_owned),
                file: file.name(),
            };
            let rules = rules_of(&file)?;
            Ok(rules.into_iter().map(known).collect::<Vec<_>>())
        });
        match rules {
            Ok(rules) => self.rules.extend(rules),
            // A project in the home folder has the person's own settings, which are read already.
            Err(SettingsError::AreUsers) => {}
            Err(error) => self.notes.push(format!(
                "{error}; plantune cannot read its rules, and writes nothing there"
            )),
        }
    }
}

// What a folder of a project holds, which a rule for it would take in.

/// Of a folder with more files no more is looked at.
const MOST: usize = 20_000;

/// How many files are named.
const EXAMPLES: usize = 3;

/// Words in the names of files that steer a deployment.
const DEPLOYING: [&str; 9] = [
    "deploy",
    "deployment",
    "dockerfile",
    "helm",
    "jenkinsfile",
    "k8s",
    "publish",
    "terraform",
    "tf",
];

/// The contents below `folder` of the project at `root`; `None` if that is not on this machine or not the person's.
fn holds(root: &str, folder: &str) -> Option<Holds> {
    let top = Path::new(root).join(folder);
    if !is_project(Path::new(root)) || !top.is_dir() {
        return None;
    }
    let mut holds = Holds::default();
    let mut folders = vec![top.clone()];
    while let Some(next) = folders.pop() {
        for path in entries(&next) {
            // Where a link leads is not looked at: Claude Code asks about what lies outside.
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
                continue;
            }
            if holds.files >= MOST {
                return Some(holds);
            }
            let name = path.strip_prefix(&top).unwrap_or(&path).to_string_lossy();
            holds.files += 1;
            if holds.examples.len() < EXAMPLES {
                holds.examples.push(name.clone().into_owned());
            }
            if is_sensitive(&name, &path, root) {
                holds.sensitive = Some(name.into_owned());
                return Some(holds);
            }
        }
    }
    Some(holds)
}

/// The entries of `folder`, in the order of their names; empty if it cannot be read.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = read.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// True for a file that may be secret, or that steers a deployment.
fn is_sensitive(name: &str, path: &Path, root: &str) -> bool {
    let input = json!({"file_path": path.to_string_lossy()});
    let deploys = |word: &str| DEPLOYING.contains(&word.to_ascii_lowercase().as_str());
    describe("Edit", &input, root).reach == Reach::Beyond
        || name
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(deploys)
}

// Writing accepted rules into the agents' settings, and taking them out again.

/// A rule and its evidence.
pub(crate) struct Accepted {
    pub(crate) rule: String,
    pub(crate) evidence: Value,
}

/// The agent whose file it is.
fn title(file: &SettingsFile) -> &'static str {
    match RuleList::allowing(&file.path) {
        RuleList::Commands(_) => "OpenCode",
        RuleList::Policies => "Gemini CLI",
        RuleList::Permissions(_) => "Claude Code",
    }
}

/// Rules that are to be added to one file, as it was read.
pub(crate) struct Addition<'a> {
    place: &'a RuleTarget,
    accepted: &'a [Accepted],
    change: RuleAddition,
}

/// Computes the change of adding `accepted` to the settings of `place`; shows nothing yet.
///
/// # Errors
/// Conflict for a file that is not understood; refused for a folder that is not the person's.
pub(crate) fn plan<'a>(
    session: &Session,
    place: &'a RuleTarget,
    accepted: &'a [Accepted],
) -> Result<Addition<'a>, Failure> {
    let rules: Vec<String> = accepted.iter().map(|one| one.rule.clone()).collect();
    Ok(Addition {
        place,
        accepted,
        change: place.add(&host(session), &rules)?,
    })
}

impl Addition<'_> {
    /// The unified diff of the file, sanitized for a terminal.
    pub(crate) fn diff(&self, colour: bool) -> String {
        let RuleAddition { file, after, .. } = &self.change;
        diff(&file.name(), Some(file.text()), after, colour)
    }

    /// Adds the rules, as the person has confirmed; with `yes` as `--yes` confirms, whatever the file has become
    /// meanwhile. `command` is the one to run again.
    ///
    /// # Errors
    /// Conflict when the file changed meanwhile; failed when it cannot be written.
    pub(crate) fn make(&self, session: &Session, command: &str, yes: bool) -> Result<(), Failure> {
        let _lock = lock(session.paths.data())?;
        // The record of what is ours may have changed, too, while they looked.
        let now = plan(session, self.place, self.accepted)?;
        let RuleAddition { file, after, .. } = &self.change;
        if !yes && (&now.change.file.before, &now.change.after) != (&file.before, after) {
            return Err(changed_meanwhile(file, command));
        }
        let RuleAddition {
            file, after, ours, ..
        } = &now.change;
        if after == file.text() {
            return terminal::print(&format!("{} has it already.\n", file.name()));
        }
        let change = SettingsChange {
            sentence: "",
            command,
            after: Some(after),
            rules: Some(ours),
            logs: &now.events(session, yes),
        };
        change.write(file, session, true)?;
        if self.place.scope == SettingsScope::Local && file.before.is_none() {
            let name = file.name();
            terminal::print(&format!(
                "note: {name} is for you alone. Have git ignore it, if it does not yet.\n"
            ))?;
        }
        Ok(())
    }

    /// The meaning of the rules, and the command that takes each back, in a sentence or several.
    pub(crate) fn sentence(&self) -> String {
        let whom = match (&self.place.root, self.place.scope) {
            (Some(_), SettingsScope::Project) => "anybody",
            _ => "you",
        };
        let place = self.place();
        let agent = title(&self.change.file);
        let of = |one: &Accepted| {
            let rule = terminal::sanitized(&one.rule);
            let undo = terminal::sanitized(&shell_word(&one.rule));
            format!(
                "From now on, {agent} runs {rule} {place} without asking {whom}.\nTo undo: `plantune undo {undo}`\n"
            )
        };
        self.accepted.iter().map(of).collect()
    }

    /// Their scope in words: `in any project`, or `in` the project's folder.
    pub(crate) fn place(&self) -> String {
        let root = self.place.root.as_deref();
        root.map_or_else(
            || "in any project".to_owned(),
            |root| format!("in {}", terminal::path(root)),
        )
    }

    /// The events about the added rules.
    fn events(&self, session: &Session, yes: bool) -> Vec<Event<'static>> {
        let RuleAddition { file, added, .. } = &self.change;
        let accepted = self.accepted.iter();
        let new = accepted.filter(|one| added.contains(&one.rule));
        let event = |one: &Accepted| {
            let change = RuleChange {
                rule: &one.rule,
                root: self.place.root.as_deref(),
                file: &file.path,
                reason: ChangeReason::SuggestRule,
                evidence: one.evidence.clone(),
            };
            change.event(session, yes)
        };
        new.map(event).collect()
    }
}

/// Takes `rule`, which plantune added, out of `file`, after asking; false when the person
/// said no, or it is gone already.
///
/// # Errors
/// Conflict for a file that is not understood or changes meanwhile; refused if the person cannot be asked.
pub(crate) fn remove(
    session: &Session,
    file: &SettingsFile,
    rule: &str,
    yes: bool,
    command: &str,
) -> Result<bool, Failure> {
    let Some(RuleRemoval { after, ours }) = without(file, rule)? else {
        terminal::print(&format!("{} no longer has it.\n", file.name()))?;
        return Ok(false);
    };
    let sentence = format!(
        "From now on, {} asks again before {}. It comes out of {}.",
        title(file),
        terminal::sanitized(rule),
        file.name()
    );
    let change = SettingsChange {
        sentence: &sentence,
        command,
        after: after.as_deref(),
        rules: Some(&ours),
        logs: &rule_events(session, file, &[rule], ChangeReason::UndoRule, yes),
    };
    let arguments = ChangeOptions {
        yes,
        ..ChangeOptions::default()
    };
    change.make(file, session, &arguments, || Ok(()))
}

/// The events that `rules` of `file` were changed for `reason`.
pub(crate) fn rule_events(
    session: &Session,
    file: &SettingsFile,
    rules: &[&str],
    reason: ChangeReason,
    yes: bool,
) -> Vec<Event<'static>> {
    let host = host(session);
    let events = rules.iter().map(|rule| {
        let change = RuleChange {
            rule,
            root: root_of(&host, file),
            file: &file.path,
            reason,
            evidence: json!({}),
        };
        change.event(session, yes)
    });
    events.collect()
}

// Changes of permission rules as events.

/// The value of `preference` in an event about a permission rule.
const PREFERENCE: &str = "permission-rule";

/// One rule that was written or taken out.
struct RuleChange<'a> {
    rule: &'a str,
    /// The project's folder; `None` for the person's own settings.
    root: Option<&'a Path>,
    /// The settings file.
    file: &'a Path,
    /// Why.
    reason: ChangeReason,
    /// Its evidence, an object.
    evidence: Value,
}

impl RuleChange<'_> {
    /// The event about it; `yes` when `--yes` stood in for the person's answer. It is about no question, so that nothing
    /// that reads the answers to one comes across it.
    fn event(self, session: &Session, yes: bool) -> Event<'static> {
        let file = self.file.to_string_lossy();
        let scope = self.root.map_or(Scope::Global, |_| Scope::Project);
        let mut evidence = self.evidence;
        if let Some(evidence) = evidence.as_object_mut() {
            evidence.insert("file".to_owned(), file.as_ref().into());
        }
        Event {
            project: self.root.map(project_key).unwrap_or_default().into(),
            preference: Some(PREFERENCE.into()),
            preference_scope: Some(scope.as_str().into()),
            answer: Some(vec![self.rule.to_owned().into()]),
            detail: Some(changes::detail(Some(&evidence), yes)),
            ..changes::event(session, self.reason, &[&file, self.rule])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_deployments_are_found() {
        let root = tempfile::tempdir().unwrap();
        let put = |name: &str| {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            plantune_domain::atomic_file::replace(&path, b"", 0o600).unwrap();
        };
        let of = |folder: &str| holds(root.path().to_str().unwrap(), folder);
        for name in [
            "src/a.rs",
            "src/b/c.rs",
            "web/.env",
            "web/a.js",
            "ops/x/deploy.sh",
            "lib/redeployed.rs",
        ] {
            put(name);
        }
        let found = of("src").unwrap();
        assert_eq!((found.files, found.sensitive), (2, None));
        assert_eq!(found.examples, ["a.rs", "b/c.rs"]);
        assert_eq!(of("web").unwrap().sensitive.as_deref(), Some(".env"));
        assert_eq!(of("ops").unwrap().sensitive.as_deref(), Some("x/deploy.sh"));
        assert_eq!(of("lib").unwrap().sensitive, None);
        assert_eq!(of("none"), None);
    }
}
