//! The permission rules that the person has, as far as the history is about their projects.

use std::collections::BTreeSet;
use std::path::Path;

use plantune_agents::claude_code;
use plantune_domain::permissions::Rule;
use plantune_query::permissions::evidence::Prompt;
use plantune_query::permissions::near_miss::although;
use plantune_query::permissions::prompts::Prompt as Shown;
use plantune_query::permissions::propose::{Behaviour, KnownRule};

use crate::claude_settings::editor::{self, List};
use crate::claude_settings::file::SettingsFile;
use crate::claude_settings::scope::SettingsScope;
use crate::failure::{Failure, Kind};
use crate::permission_rules::writer::open;
use crate::platform;
use crate::workspace::Workspace;

/// Settings of more projects are not read.
const MOST_PROJECTS: usize = 200;

/// The rules that were found, and what could not be read, in words.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) rules: Vec<KnownRule>,
    pub(crate) notes: Vec<String>,
}

/// The rules of `agent` (`None`: Claude Code) in the person's settings, and in those of the projects that `prompts` are
/// of. A file that is not understood is left as it is, and noted.
pub(crate) fn rules(workspace: &Workspace, agent: Option<&str>, prompts: &[Prompt]) -> Known {
    let mut known = Known::default();
    let agent = agent.unwrap_or(claude_code::NAME);
    let of_projects = match agent {
        claude_code::NAME => &[SettingsScope::Project, SettingsScope::Local][..],
        "gemini" => &[],
        _ => &[SettingsScope::Project],
    };
    known.add(open(workspace, agent, SettingsScope::User, None), None);
    let roots: BTreeSet<&str> = prompts.iter().rev().map(|one| one.root.as_str()).collect();
    let roots = roots.into_iter().filter(|root| is_project(root));
    for root in roots.take(MOST_PROJECTS) {
        for scope in of_projects {
            let file = open(workspace, agent, *scope, Some(Path::new(root)));
            known.add(file, Some(root));
        }
    }
    known
}

/// Says of each of `prompts` why it came, or would come today, although a rule of the person's seems to cover it.
///
/// # Errors
/// Conflict for a registry that is not understood.
pub(crate) fn say_although(workspace: &Workspace, prompts: &mut [Shown]) -> Result<(), Failure> {
    let judged: Vec<Prompt> = prompts.iter().map(Shown::to_evidence).collect();
    let known = rules(workspace, None, &judged);
    let own = workspace.registry()?.own_reaches();
    let of_claude_code = |shown: &Shown| shown.agent == claude_code::NAME;
    let shown = prompts.iter_mut().zip(&judged);
    for (shown, prompt) in shown.filter(|(shown, _)| of_claude_code(shown)) {
        shown.although = although(prompt, &known.rules, own);
    }
    Ok(())
}

/// True for a folder that is there and the person's own: what a log says is no reason to go by it.
pub(crate) fn is_project(root: &str) -> bool {
    let path = Path::new(root);
    path.is_absolute()
        && std::fs::metadata(path).is_ok_and(|folder| folder.is_dir() && platform::is_own(&folder))
}

impl Known {
    fn add(&mut self, file: Result<SettingsFile, Failure>, root: Option<&str>) {
        match file.and_then(|file| of_file(&file, root)) {
            Ok(rules) => self.rules.extend(rules),
            // A project in the home folder has the person's own settings, which are read already.
            Err(failure) if failure.kind() == Kind::Usage => {}
            Err(failure) => self.notes.push(format!(
                "{}; its rules are not known, and nothing is written there",
                failure.message()
            )),
        }
    }
}

/// The rule `text` of `list`; `None` for what is no rule. What OpenCode asks about where nothing else is said is none.
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

fn of_file(file: &SettingsFile, root: Option<&str>) -> Result<Vec<KnownRule>, Failure> {
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
                .filter_map(|text| as_rule(list, text))
                .map(|rule| KnownRule {
                    rule,
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
