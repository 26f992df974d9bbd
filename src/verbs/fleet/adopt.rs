//! `plantune fleet adopt`: what nearly everybody answers alike, and taking one over as a preference on trial. The views
//! over the lake say what others answer; the preference is written as by `prefs set`.

use std::collections::BTreeMap;
use std::slice;

use chrono::{Days, NaiveDate};
use clap::Args;
use plantune_domain::gate::check_preference;
use plantune_domain::preferences::{Policy, Preference};
use plantune_domain::recommended::strip_mark;
use plantune_ingest::read_events;
use plantune_reports::amount::percent;
use plantune_reports::fleet::{Alike, answer_in_short};
use plantune_reports::inert::one_line;
use plantune_reports::table::{Table, number, text};
use plantune_reports::text::{clean, hanging, shell_word};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::engine::in_batches;
use super::member::Member;
use super::report::{alike, is_starter, voices};
use super::rows::{label_hash, published_key};
use crate::failure::Failure;
use crate::preferences::files;
use crate::preferences::scope::{PreferenceScope, ScopeArguments, quoted};
use crate::terminal::{self, consent};
use crate::verbs::prefs::set::{self, Origin};
use crate::workspace::{Workspace, user_files};

/// On how many days it rests by default: after so many an answer counts half where proposals are made.
const DAYS: u64 = 180;

/// How much of a key or label is shown, in characters.
const SHOWN: usize = 80;

/// List what nearly everybody answers alike, and take one over as a preference of yours
///
/// Each machine has one voice, and at least `k` of fleet.toml (5) must agree. With KEY the evidence is shown, and after
/// you have seen the change and said yes it is a preference on trial, on this machine alone, for the question as you
/// were asked it. Nothing is taken over by itself.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The question to take over
    key: Option<String>,
    /// What was answered from this day on [default: 180 days]
    #[arg(long, value_name = "YYYY-MM-DD")]
    since: Option<NaiveDate>,
    #[command(flatten)]
    scope: ScopeArguments,
    /// Do not ask (not in an agent's session)
    #[arg(long, requires = "key")]
    yes: bool,
    /// Write JSON, for scripts, and take nothing over
    #[arg(long, conflicts_with_all = ["global", "project", "yes"])]
    json: bool,
}

/// What nearly everybody answers, and whether it can be taken over here.
#[derive(Debug, Serialize)]
struct Shown {
    #[serde(flatten)]
    alike: Alike,
    /// The share (0–1) of people who would answer so, at least.
    at_least: f64,
    /// Why it cannot be taken over here; `None` where it can.
    obstacle: Option<&'static str>,
}

/// What an event says of a question.
#[derive(Debug, Default, Deserialize)]
struct Event {
    ts: Option<i64>,
    kind: Option<String>,
    question_key: Option<String>,
    key_source: Option<String>,
    question: Option<String>,
    header: Option<String>,
    options: Option<Vec<Option<String>>>,
}

/// What this machine itself was asked by a key: last, and with which labels, by their hashes.
#[derive(Debug, Default)]
struct Known {
    last: Event,
    labels: BTreeMap<String, String>,
}

/// Lists what there is, or takes one over after the person has seen the change and confirmed it.
///
/// # Errors
/// Refused inside an agent's session, where the person cannot be asked, and for a preference of theirs that stands
/// already; failed for a question that this machine was never asked, or whose answer it was never offered.
pub(super) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let taken = match &arguments.key {
        Some(key) if !arguments.json => {
            let scope = arguments.scope.resolve(workspace)?;
            let command = format!("plantune fleet adopt {} {}", quoted(key), scope.arguments());
            let command = terminal::sanitized(&command);
            consent::may_change(workspace, arguments.yes, &command)?;
            Some((scope, command))
        }
        _ => None,
    };
    let end = workspace.now.date_naive();
    let start = arguments.since.unwrap_or(end - Days::new(DAYS));
    let mut found = found(&Member::load(workspace)?, (start, end))?;
    if let Some(key) = &arguments.key {
        found.retain(|one| one.alike.question_key == *key || one.alike.label.as_ref() == Some(key));
        if found.is_empty() {
            let words = format!(
                "{}: nothing that nearly everybody answers alike",
                one_line(key, SHOWN)
            );
            return Err(Failure::failed(words).hint("`plantune fleet adopt` lists what is"));
        }
    }
    match taken {
        Some((scope, command)) => take_over(arguments, &found, &scope, &command, start, workspace),
        None if arguments.json => {
            terminal::print_json(&json!({ "since": start, "starters": found }))
        }
        None => terminal::print(&listed(&found, start, workspace)),
    }
}

/// What nearly everybody answers alike, as it is for this machine by what its own log holds.
fn found(member: &Member<'_>, days: (NaiveDate, NaiveDate)) -> Result<Vec<Shown>, Failure> {
    let workspace = member.workspace;
    let suggest = user_files::suggest(&workspace.paths)?;
    let mut alike = alike(member, days)?;
    alike.retain(|one| is_starter(one, &suggest));
    let mut asked: BTreeMap<String, Known> = BTreeMap::new();
    read_events(&workspace.paths.events(), |events| -> Result<(), Failure> {
        for event in in_batches::<Event>(slice::from_ref(events))? {
            let key = match &event.question_key {
                Some(key) if event.kind.as_deref() == Some("asked") => key,
                _ => continue,
            };
            let key = published_key(&member.key, key, event.key_source.as_deref());
            if alike.iter().all(|one| one.question_key != key) {
                continue;
            }
            let known = asked.entry(key).or_default();
            for label in event.options.iter().flatten().flatten() {
                let hash = label_hash(&member.key, label);
                known.labels.insert(hash, strip_mark(label).0.to_owned());
            }
            if known.last.ts <= event.ts {
                known.last = event;
            }
        }
        Ok(())
    })?;
    let shown = alike.into_iter().map(|mut alike| {
        let known = asked.remove(&alike.question_key);
        let label = known
            .as_ref()
            .and_then(|known| known.labels.get(&alike.answer_hash));
        let obstacle = match (&known, label) {
            (None, _) => Some("never asked here"),
            (Some(_), None) => Some("answer never offered here"),
            (Some(known), Some(label)) => known.obstacle(label, workspace)?,
        };
        // What this machine was offered counts, not what others say that the hash stands for.
        alike.answer = label.cloned().or(alike.answer);
        if let Some(key) = known.and_then(|known| known.last.question_key) {
            alike.question_key = key;
        }
        let at_least = voices(&alike).at_least(&suggest);
        Ok(Shown {
            alike,
            at_least,
            obstacle,
        })
    });
    shown.collect()
}

impl Known {
    /// Why `label` cannot be taken over for it, by the rules of who would write it; `None` where it can.
    fn obstacle(
        &self,
        label: &str,
        workspace: &Workspace,
    ) -> Result<Option<&'static str>, Failure> {
        let options = self.last.options.iter().flatten().flatten();
        let preference = Preference {
            answer: Some(label.to_owned()),
            question: Some(self.last.question.clone().unwrap_or_default()),
            header: self.last.header.clone(),
            options: Some(options.cloned().collect()),
            ..Preference::of(Policy::NeverAsk)
        };
        let key = self.last.question_key.as_deref().unwrap_or_default();
        let refused = check_preference(key, &preference, workspace.registry()?).is_err();
        Ok(refused.then_some("always asked here: one-way"))
    }
}

fn listed(found: &[Shown], start: NaiveDate, workspace: &Workspace) -> String {
    let width = workspace.width;
    if found.is_empty() {
        let none = format!(
            "Since {start} (UTC): nothing with a name of its own that enough machines answer alike"
        );
        return hanging("", "  ", &none, width);
    }
    let mut table = Table::of(found);
    table.add(text("question").least(16), |one| {
        one.alike
            .label
            .as_deref()
            .unwrap_or(&one.alike.question_key)
    });
    table.add(text("answer").least(12), |one| {
        answer_in_short(one.alike.answer.as_deref(), &one.alike.answer_hash)
    });
    table.add(number("machines"), |one| {
        format!("{} of {}", one.alike.agreeing, one.alike.machines)
    });
    table.add(number("at least").rank(1), |one| percent(one.at_least));
    table.add(number("answers").rank(2), |one| {
        format!("{} of {}", one.alike.times, one.alike.answers)
    });
    table.add(text("here"), |one| one.obstacle.unwrap_or("can be adopted"));
    let head =
        format!("What nearly everybody answers alike since {start} (UTC), one voice a machine:");
    let next = match found.iter().find(|one| one.obstacle.is_none()) {
        Some(one) => format!(
            "Nothing is taken over by itself. To look at one and decide: plantune fleet adopt {}",
            shell_word(&one.alike.question_key)
        ),
        None => "None can be taken over here: a preference is given for a question as you were asked it.".to_owned(),
    };
    let (head, next) = (
        hanging("", "  ", &head, width),
        hanging("", "  ", &clean(&next), width),
    );
    format!("{head}\n{}\n\n{next}", table.lines(width).join("\n"))
}

fn take_over(
    arguments: &Arguments,
    found: &[Shown],
    scope: &PreferenceScope,
    command: &str,
    since: NaiveDate,
    workspace: &Workspace,
) -> Result<(), Failure> {
    let [one] = found else {
        let hint = "`plantune fleet adopt --json` lists them with their keys";
        return Err(Failure::usage("several questions have this name").hint(hint));
    };
    let alike = &one.alike;
    let (key, name) = (&alike.question_key, one_line(&alike.question_key, SHOWN));
    // What the person said themselves is not replaced by what others say.
    if files::preference(workspace, scope, key)?.is_some() {
        let hint = format!(
            "`plantune prefs show {}` shows it; `prefs clear` removes it",
            quoted(key)
        );
        return Err(Failure::refused(format!("you have a preference for {name}")).hint(hint));
    }
    let answer = match (one.obstacle, &alike.answer) {
        (None, Some(answer)) => answer,
        (obstacle, _) => {
            let why = obstacle.unwrap_or("answer not known here");
            return Err(Failure::failed(format!("{name} cannot be taken over: {why}")).hint(
                "a preference is given for a question as you were asked it; wait until it came up here",
            ));
        }
    };
    terminal::print(&format!(
        "{name}\n  answer:   \"{}\"\n  evidence: {} of {} machines answer so, {} of {} answers, since {since}\n  \
         others:   at least {} of people would answer so\n",
        one_line(answer, SHOWN),
        alike.agreeing,
        alike.machines,
        alike.times,
        alike.answers,
        percent(one.at_least),
    ))?;
    let origin = Origin {
        set_by: "fleet",
        reason: "fleet adopt",
        evidence: json!({
            "agreeing": alike.agreeing,
            "machines": alike.machines,
            "times": alike.times,
            "answers": alike.answers,
            "at_least": (one.at_least * 1000.0).round() / 1000.0,
            "since": since,
        }),
        command,
    };
    let arguments = set::Arguments::on_trial(key, answer, &arguments.scope, arguments.yes);
    set::set(&arguments, Some(&origin), workspace)
}
