//! Permission rules: those that `suggest` proposes, and those that the person has, so that nothing is proposed twice.

pub(crate) mod writer;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use plantune_agents::claude_code;
use plantune_domain::permissions::{Reach, Rule, describe};
use plantune_query::permissions::DecidedPrompt;
use plantune_query::permissions::near_miss::near_miss;
use plantune_query::permissions::prompts::Prompt;
use plantune_query::permissions::propose::{Proposals, RuleInputs, proposals};
use plantune_query::permissions::rules::{
    Behaviour, Holds, KnownRule, RuleScope, Tighten, tighten,
};
use plantune_query::{Error, Store};
use serde_json::{Value, json};

use self::writer::{Accepted, RuleTarget, open};
use crate::claude_settings::editor::List;
use crate::claude_settings::file::SettingsFile;
use crate::claude_settings::{SettingsScope, editor};
use crate::failure::{Failure, Kind};
use crate::session::Session;
use crate::{platform, session};

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
    let mut found = of_agent(session, store, project, None)?;
    for (agent, also, by_hand) in [("opencode", ALSO_IN_OPENCODE, BY_HAND), ("gemini", "", "")] {
        let others = of_agent(session, store, project, Some(agent))?;
        for mut proposal in others.proposals.proposals {
            // Gemini CLI has rules for all projects alone.
            if agent == "gemini" && proposal.scope != RuleScope::User {
                continue;
            }
            proposal.also_allows.push_str(also);
            let accepted = [Accepted {
                rule: proposal.name.clone(),
                evidence: Value::Null,
            }];
            let root = proposal.root.as_ref();
            let place = RuleTarget::of(agent, SettingsScope::User, root.map(PathBuf::from));
            match writer::plan(session, &place, &accepted).map(drop) {
                Err(failure) => found.notes.push(format!(
                    "{}, so `{}` is not proposed{}",
                    failure.message(),
                    proposal.name,
                    by_hand
                )),
                Ok(()) => found.proposals.proposals.push(proposal),
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
    let failure = |error: Error| session::failure(&session.paths, &error);
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
        settings: &session::suggest(&session.paths)?,
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
    let agent = agent.unwrap_or(claude_code::NAME);
    let of_projects = match agent {
        claude_code::NAME => &[SettingsScope::Project, SettingsScope::Local][..],
        "gemini" => &[],
        _ => &[SettingsScope::Project],
    };
    known.add(
        session,
        open(session, agent, SettingsScope::User, None),
        None,
    );
    let roots: BTreeSet<&str> = prompts.iter().rev().map(|one| one.root.as_str()).collect();
    let roots = roots.into_iter().filter(|root| is_project(root));
    for root in roots.take(MOST_PROJECTS) {
        for scope in of_projects {
            let file = open(session, agent, *scope, Some(Path::new(root)));
            known.add(session, file, Some(root));
        }
    }
    known
}

/// Says of each of `prompts` why it came, or would come today, although a rule of the person seems to cover it.
///
/// # Errors
/// Conflict for a registry that is not understood.
pub(crate) fn say_although(session: &Session, prompts: &mut [Prompt]) -> Result<(), Failure> {
    let judged: Vec<DecidedPrompt> = prompts.iter().map(Prompt::to_evidence).collect();
    let known = rules(session, None, &judged);
    let own = session.registry()?.own_reaches();
    let of_claude_code = |shown: &Prompt| shown.agent == claude_code::NAME;
    let shown = prompts.iter_mut().zip(&judged);
    for (shown, prompt) in shown.filter(|(shown, _)| of_claude_code(shown)) {
        shown.although = near_miss(prompt, &known.rules, own);
    }
    Ok(())
}

/// True if the folder exists and is the person's own: the log alone is no reason to trust it.
fn is_project(root: &str) -> bool {
    let path = Path::new(root);
    path.is_absolute()
        && std::fs::metadata(path).is_ok_and(|folder| folder.is_dir() && platform::is_own(&folder))
}

impl KnownRules {
    fn add(&mut self, session: &Session, file: Result<SettingsFile, Failure>, root: Option<&str>) {
        match file.and_then(|file| of_file(session, &file, root)) {
            Ok(rules) => self.rules.extend(rules),
            // A project in the home folder has the person's own settings, which are read already.
            Err(failure) if failure.kind() == Kind::Usage => {}
            Err(failure) => self.notes.push(format!(
                "{}; plantune cannot read its rules, and writes nothing there",
                failure.message()
            )),
        }
    }
}

/// The rule `text` of `list`; `None` if it is not a rule. OpenCode's default of asking is not one.
fn as_rule(list: List, text: &str) -> Option<Rule> {
    match list {
        List::Commands("ask") if text == "*" => None,
        List::Commands(_) | List::Policies => Some(Rule {
            tool: "Bash".to_owned(),
            // One character of any kind is taken for several.
            content: Some(text.replace('?', "*")),
        }),
        _ => Rule::parse(text),
    }
}

fn of_file(
    session: &Session,
    file: &SettingsFile,
    root: Option<&str>,
) -> Result<Vec<KnownRule>, Failure> {
    // A record that is not understood is reported by whoever changes the file.
    let journal = file.journal(session).ok();
    let since = |text: &str| Some(journal?.since(text)?.naive_utc());
    let mut known = Vec::new();
    let lists = match file.allowing() {
        List::Commands(_) => ["allow", "ask", "deny"].map(List::Commands).to_vec(),
        List::Policies => vec![List::Policies],
        _ => List::ALL.to_vec(),
    };
    for list in lists {
        let rules = editor::listed(file.text(), list).map_err(|problem| file.conflict(&problem))?;
        known.extend(
            rules
                .iter()
                .filter_map(|text| Some((as_rule(list, text)?, since(text))))
                .map(|(rule, since)| KnownRule {
                    rule,
                    since,
                    behaviour: match list {
                        List::Allow | List::Commands("allow") | List::Policies => Behaviour::Allow,
                        List::Ask | List::Deny | List::Commands(_) => Behaviour::Stop,
                    },
                    root: root.map(str::to_owned),
                    file: file.name(),
                }),
        );
    }
    Ok(known)
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
    if !is_project(root) || !top.is_dir() {
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
