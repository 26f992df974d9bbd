//! Rules that the person has and that allow more than they were used for, as far as that can be known.
//!
//! Calls that a rule allows are not prompts, and are not logged one by one. So all that is known of a rule
//! is which prompts it would have spared: those from before it was there, and those of other projects.

use std::collections::BTreeMap;

use plantune_domain::permissions::{OwnReaches, Reach, Rule, host_is_safe, prefix_danger};

use super::evidence::{Judged, Prompt, Unit, judged};
use super::forms::{exact, groups, wide};
use super::matching::takes;
use super::parts::judge;
use super::propose::{Behaviour, KnownRule};

/// How many narrower rules are named for one.
const MOST_INSTEAD: usize = 10;

/// A rule that could be narrower, or go.
#[derive(Clone, Debug, PartialEq)]
pub struct Tighten {
    /// The rule.
    pub rule: Rule,
    /// The settings file that holds it, as it may be shown.
    pub file: String,
    /// The project's folder whose settings hold it; `None` for the person's own.
    pub root: Option<String>,
    /// The narrower rules that the history needs, the most used first; none where nothing is known of its use.
    pub instead: Vec<Rule>,
    /// How many decided prompts in the history it would have spared.
    pub used: usize,
    /// The nearest dangerous thing that it allows, where it is known to allow one.
    pub danger: Option<String>,
}

impl Tighten {
    /// What is not known, in words.
    pub fn unknown(&self) -> &'static str {
        match self.used {
            0 => {
                "No prompt in the log is one that it would have spared. What it allows is not logged call by \
                 call, so it may be in use all the same."
            }
            _ => {
                "Counted are prompts from before it was there, or of other folders. What it allows is not \
                 logged call by call."
            }
        }
    }
}

/// Those of the rules `known` that allow what reaches beyond the project, and those that no prompt of
/// `prompts` is for; the dangerous ones first.
pub fn tighten(prompts: &[Prompt], known: &[KnownRule], own: &OwnReaches) -> Vec<Tighten> {
    let judged = judged(prompts, own);
    let mut found: Vec<Tighten> = known
        .iter()
        .filter(|one| one.behaviour == Behaviour::Allow)
        .map(|one| of_rule(one, &judged))
        .filter(|one| one.danger.is_some() || one.used == 0)
        .collect();
    found.sort_by(|one, other| {
        (other.danger.is_some().cmp(&one.danger.is_some()))
            .then_with(|| other.used.cmp(&one.used))
            .then_with(|| (&one.file, &one.rule).cmp(&(&other.file, &other.rule)))
    });
    found
}

fn of_rule(known: &KnownRule, judged: &[Judged<'_>]) -> Tighten {
    let here = |one: &&Judged<'_>| one.prompt.is_evidence() && known.holds_in(&one.prompt.root);
    let prompts = judged.iter().filter(here);
    let of = |one: &Judged<'_>| one.units.iter().any(|unit| takes(&known.rule, unit));
    let used: Vec<&Judged<'_>> = prompts.filter(|one| of(one)).collect();
    let units = used.iter().flat_map(|one| &one.units);
    let units: Vec<&Unit<'_>> = units.filter(|unit| takes(&known.rule, unit)).collect();
    Tighten {
        rule: known.rule.clone(),
        file: known.file.clone(),
        root: known.root.clone(),
        instead: instead(&known.rule, &units),
        used: used.len(),
        danger: danger(&known.rule),
    }
}

/// The narrowest rules for what was allowed of `units` and never refused.
fn instead(rule: &Rule, units: &[&Unit<'_>]) -> Vec<Rule> {
    let mut counts: BTreeMap<Rule, usize> = BTreeMap::new();
    let allowed = |unit: &&Unit<'_>| unit.prompt.is_granted() && unit.reach < Reach::Beyond;
    let refused: Vec<&&Unit<'_>> = units.iter().filter(|unit| !allowed(unit)).collect();
    for group in groups(units.iter().copied().filter(|unit| allowed(unit))).into_values() {
        let is_kept = |rule: &Rule| !refused.iter().any(|unit| takes(rule, unit));
        match wide(&group).filter(is_kept) {
            Some(wide) => *counts.entry(wide).or_default() += group.len(),
            None => {
                for narrow in group.iter().filter_map(|unit| exact(unit)).filter(is_kept) {
                    *counts.entry(narrow).or_default() += 1;
                }
            }
        }
    }
    counts.remove(rule);
    let mut rules: Vec<(Rule, usize)> = counts.into_iter().collect();
    rules.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    let rules = rules.into_iter().map(|(rule, _)| rule);
    rules.take(MOST_INSTEAD).collect()
}

/// The nearest dangerous thing that `rule` allows; `None` for one that is as narrow as it can be, and for what
/// nothing is known about.
fn danger(rule: &Rule) -> Option<String> {
    let content = rule.content.as_deref();
    match rule.tool.as_str() {
        "Bash" => of_bash(content.unwrap_or("*")),
        "Edit" | "Write" => match content {
            None | Some("**" | "*" | "/**" | "//**" | "~/**" | "./**") => {
                Some("~/.bashrc, or a hook below .git".to_owned())
            }
            _ => None,
        },
        "Read" => match content {
            None | Some("//**" | "~/**") => Some("~/.ssh/id_rsa".to_owned()),
            _ => None,
        },
        "WebFetch" => match content {
            None | Some("domain:*") => {
                Some("https://elsewhere.example/?q=<what the agent has read>".to_owned())
            }
            Some(content) => {
                let host = content.strip_prefix("domain:")?;
                (!host_is_safe(host)).then(|| format!("https://{host}/?data=…"))
            }
        },
        server if is_server(server) => {
            Some("every tool of this server, also one that deletes".to_owned())
        }
        _ => None,
    }
}

/// A rule for all tools of an MCP server.
fn is_server(tool: &str) -> bool {
    tool.strip_prefix("mcp__")
        .is_some_and(|rest| !rest.contains("__") || rest.ends_with("__*"))
}

fn of_bash(content: &str) -> Option<String> {
    let Some((before, after)) = content.split_once('*') else {
        // A rule without a star is for these words alone: dangerous if they are.
        let call = judge("Bash", content, "/project", &OwnReaches::default(), false);
        return (call.reach == Reach::Beyond).then(|| content.to_owned());
    };
    let prefix = before.trim_end_matches([' ', ':']);
    if prefix.is_empty() {
        return Some("rm -rf ~".to_owned());
    }
    let is_prefix = after.is_empty() && before.ends_with([' ', ':']);
    match prefix_danger(prefix) {
        None if is_prefix => None,
        None => Some(format!("{prefix}… with anything in the place of the star")),
        danger => danger,
    }
}
