//! `plantune fleet adopt`: what nearly everybody answers alike, and taking one over as a preference on trial. The views
//! over the lake say what others answer; the preference is written as by `prefs set`.

use chrono::{Days, NaiveDate};
use clap::Args;
use plantune_domain::recommended::strip_mark;
use plantune_reports::amount::percent;
use plantune_reports::fleet::answer_in_short;
use plantune_reports::inert::one_line;
use plantune_reports::table::{Table, number, text};
use plantune_reports::text::{clean, shell_word};
use serde::Serialize;
use serde_json::json;

use super::member::Member;
use super::report::{Alike, alike};
use super::rows::{label_hash, published_key};
use crate::failure::Failure;
use crate::preferences::files;
use crate::preferences::scope::{PreferenceScope, ScopeArguments, quoted};
use crate::terminal::{self, consent};
use crate::verbs::prefs::set::{self, Origin};
use crate::workspace::{Workspace, listed, user_files};

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
struct Starter {
    #[serde(flatten)]
    alike: Alike,
    /// The share (0–1) of people who would answer so, at least.
    at_least: f64,
    /// Why it cannot be taken over here; `None` where it can.
    obstacle: Option<&'static str>,
}

/// Lists what there is, or takes one over after the person has seen the change and confirmed it.
///
/// # Errors
/// Refused inside an agent's session, where the person cannot be asked, and for a preference of theirs that stands
/// already; failed for a question that this machine was never asked, or whose answer it was never offered.
pub(super) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let taken = arguments.key.as_ref().filter(|_| !arguments.json);
    let scope = taken
        .map(|_| arguments.scope.resolve(workspace))
        .transpose()?;
    let command = |scope: &PreferenceScope, key: &str| {
        let command = format!("plantune fleet adopt {} {}", quoted(key), scope.arguments());
        terminal::sanitized(&command)
    };
    if let (Some(scope), Some(key)) = (&scope, taken) {
        consent::may_change(workspace, arguments.yes, &command(scope, key))?;
    }
    let end = workspace.now.date_naive();
    let start = arguments.since.unwrap_or(end - Days::new(DAYS));
    let mut found = starters(&Member::load(workspace)?, (start, end))?;
    if let Some(key) = &arguments.key {
        let is_named = |one: &Alike| one.question_key == *key || one.label.as_ref() == Some(key);
        found.retain(|one| is_named(&one.alike));
    }
    match (found.as_slice(), scope, taken) {
        (found, _, None) if arguments.json => {
            terminal::print_json(&json!({ "since": start, "starters": found }))
        }
        ([], _, Some(_)) => Err(Failure::failed(
            "nothing of that name that enough machines answer alike",
        )
        .hint("`plantune fleet adopt` lists what there is")),
        ([], ..) => terminal::print(&format!(
            "Since {start} (UTC) there is nothing with a name of its own that enough machines answer alike.\n"
        )),
        ([one], Some(scope), Some(key)) => {
            let command = command(&scope, key);
            take_over(arguments, one, &scope, &command, start, workspace)
        }
        (_, _, Some(_)) => Err(Failure::usage("several questions have this name")
            .hint("`plantune fleet adopt --json` lists them with their keys")),
        (found, ..) => {
            let table = table(found).lines(workspace.width).join("\n");
            terminal::print(&format!(
                "Since {start} (UTC), one voice a machine:\n{table}\n"
            ))
        }
    }
}

/// What nearly everybody answers alike, as it is for this machine by what it was asked itself.
fn starters(member: &Member<'_>, days: (NaiveDate, NaiveDate)) -> Result<Vec<Starter>, Failure> {
    let suggest = user_files::suggest(&member.workspace.paths)?;
    let mut found = alike(member, days)?;
    found.retain(|one| one.is_starter(&suggest));
    let asked = listed::questions(None, member.workspace)?;
    let starters = found.into_iter().map(|mut alike| {
        let of_key = asked.iter().filter(|one| {
            published_key(&member.key, &one.question_key, Some(&one.key_source))
                == alike.question_key
        });
        let mut of_key = of_key.peekable();
        let own = of_key.peek().map(|one| one.question_key.clone());
        let mut labels = of_key.flat_map(|one| &one.options);
        let label = labels.find(|label| label_hash(&member.key, label) == alike.answer_hash);
        let obstacle = match (&own, label) {
            (None, _) => Some("never asked here"),
            (Some(_), None) => Some("answer never offered here"),
            (Some(_), Some(_)) => None,
        };
        // What this machine was offered counts, not what others say that the hash stands for.
        alike.answer = label
            .map(|label| strip_mark(label).0.to_owned())
            .or(alike.answer);
        alike.question_key = own.unwrap_or(alike.question_key);
        Starter {
            at_least: alike.voices().at_least(&suggest),
            alike,
            obstacle,
        }
    });
    Ok(starters.collect())
}

fn table(found: &[Starter]) -> Table<'_, 'static, Starter> {
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
    table.add(text("here"), |one| match one.obstacle {
        Some(why) => why.to_owned(),
        None => format!(
            "plantune fleet adopt {}",
            shell_word(&clean(&one.alike.question_key))
        ),
    });
    table
}

fn take_over(
    arguments: &Arguments,
    one: &Starter,
    scope: &PreferenceScope,
    command: &str,
    since: NaiveDate,
    workspace: &Workspace,
) -> Result<(), Failure> {
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
    let (None, Some(answer)) = (one.obstacle, &alike.answer) else {
        let why = one.obstacle.unwrap_or("answer not known here");
        return Err(Failure::failed(format!("{name} cannot be taken over: {why}"))
            .hint("a preference is given for a question as you were asked it; wait until it came up here"));
    };
    terminal::print(&format!(
        "{name}\n  answer:   \"{}\"\n  evidence: {} of {} machines answer so, {} of {} answers, since {since}; at least \
         {} of people would\n",
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
            "agreeing": alike.agreeing, "machines": alike.machines, "times": alike.times, "answers": alike.answers,
            "at_least": (one.at_least * 1000.0).round() / 1000.0, "since": since,
        }),
        command,
    };
    let arguments = set::Arguments::on_trial(key, answer, &arguments.scope, arguments.yes);
    set::set(&arguments, Some(&origin), workspace)
}
