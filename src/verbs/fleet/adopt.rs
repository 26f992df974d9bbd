//! `plantune fleet adopt KEY`: takes over as a preference what nearly everybody answers. `plantune-fleet` knows what
//! others answer; the preferences are this program's, as for `prefs set`.

use std::ffi::OsString;
use std::process::{Command, Stdio};

use clap::Parser;
use plantune_reports::amount::percent;
use plantune_reports::fleet::{Period, Shown, Starters};
use plantune_reports::inert::one_line;
use serde_json::{Value, json};

use super::program::{PROGRAM, not_run};
use crate::failure::{Failure, Kind};
use crate::preferences::evidence;
use crate::preferences::files;
use crate::preferences::scope::{PreferenceScope, ScopeArguments, quoted};
use crate::terminal::{self, consent};
use crate::verbs::prefs::set::{self, Origin};
use crate::workspace::Workspace;

/// How much of a key or label is shown, in characters.
const SHOWN: usize = 80;

/// What it takes; `plantune-fleet` has its help, and lists what there is.
#[derive(Parser, Debug)]
#[command(no_binary_name = true, disable_help_flag = true)]
pub(super) struct Arguments {
    key: String,
    #[arg(long)]
    since: Option<String>,
    #[command(flatten)]
    scope: ScopeArguments,
    #[arg(long)]
    yes: bool,
}

impl Arguments {
    /// What `words` behind `plantune fleet` ask to take over; `None` for anything else.
    pub(super) fn of(words: &[OsString]) -> Option<Self> {
        let (verb, rest) = words.split_first()?;
        if verb != "adopt" {
            return None;
        }
        Self::try_parse_from(rest).ok()
    }
}

/// Shows the evidence, and takes it over after the person has seen the change and confirmed it.
///
/// # Errors
/// Refused inside an agent's session, where the person cannot be asked, and for a preference of theirs that stands
/// already; failed for a question that this machine was never asked, or whose answer it was never offered.
pub(super) fn run(
    arguments: &Arguments,
    program: &mut Command,
    workspace: &Workspace,
) -> Result<(), Failure> {
    let scope = arguments.scope.resolve(workspace)?;
    let command = format!(
        "plantune fleet adopt {} {}",
        quoted(&arguments.key),
        scope.arguments()
    );
    let command = terminal::sanitized(&command);
    consent::may_change(workspace, arguments.yes, &command)?;
    let found = ask(arguments, program)?;
    let [one] = found.starters.as_slice() else {
        let key = one_line(&arguments.key, SHOWN);
        let words = format!("{key}: several questions have this name");
        return Err(
            Failure::usage(words).hint("`plantune fleet adopt --json` lists them with their keys")
        );
    };
    let starter = &one.starter;
    let key = &starter.question_key;
    let name = one_line(key, SHOWN);
    refuse_own(key, &scope, workspace)?;
    let answer = match (&one.obstacle, &starter.answer) {
        (None, Some(answer)) => answer,
        (obstacle, _) => {
            let why = obstacle.as_deref().unwrap_or("answer not known here");
            let words = format!("{name} cannot be taken over: {}", one_line(why, SHOWN));
            return Err(Failure::failed(words).hint(
                "a preference is given for a question as you were asked it; wait until it came up here",
            ));
        }
    };
    terminal::print(&shown(&name, one, answer, &found.period))?;
    terminal::print(&own(key, &scope, workspace))?;
    let origin = Origin {
        set_by: "fleet",
        reason: "fleet adopt",
        evidence: json!({
            "agreeing": starter.agreeing,
            "machines": starter.machines,
            "times": starter.times,
            "answers": starter.answers,
            "at_least": (one.at_least * 1000.0).round() / 1000.0,
            "since": found.period.start,
        }),
        command: &command,
    };
    let arguments = set::Arguments::on_trial(key, answer, &arguments.scope, arguments.yes);
    set::set(&arguments, Some(&origin), workspace)
}

/// What the other program knows about the key.
fn ask(arguments: &Arguments, program: &mut Command) -> Result<Starters, Failure> {
    program.args(["adopt", "--json"]);
    if let Some(since) = &arguments.since {
        program.arg(format!("--since={since}"));
    }
    program
        .arg("--")
        .arg(&arguments.key)
        .stderr(Stdio::inherit());
    let output = program.output().map_err(|error| not_run(program, &error))?;
    if !output.status.success() {
        let kind = match output.status.code() {
            Some(2) => Kind::Usage,
            Some(3) => Kind::Conflict,
            Some(4) => Kind::Refused,
            _ => Kind::Failed,
        };
        let words = "no preference was changed: what others answer is not known (see above)";
        return Err(Failure::new(kind, words));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| {
        Failure::failed(format!("{PROGRAM}: {error}"))
            .hint("it is of another version: `make fleet-install` installs the one that belongs to this program")
    })
}

/// What the person said themselves is not replaced by what others say.
fn refuse_own(key: &str, scope: &PreferenceScope, workspace: &Workspace) -> Result<(), Failure> {
    if files::preference(workspace, scope, key)?.is_none() {
        return Ok(());
    }
    let words = format!("you have a preference for {}", one_line(key, SHOWN));
    Err(Failure::refused(words).hint(format!(
        "`plantune prefs show {}` shows it; `prefs clear` removes it",
        quoted(key)
    )))
}

/// The evidence, in lines.
fn shown(name: &str, one: &Shown, answer: &str, period: &Period) -> String {
    let starter = &one.starter;
    format!(
        "{name}\n  answer:   \"{}\"\n  evidence: {} of {} machines answer so, {} of {} answers, {} to {}\n  \
         others:   at least {} of people would answer so\n",
        one_line(answer, SHOWN),
        starter.agreeing,
        starter.machines,
        starter.times,
        starter.answers,
        period.start,
        period.end,
        percent(one.at_least),
    )
}

/// What the person answered themselves, in a line.
fn own(key: &str, scope: &PreferenceScope, workspace: &Workspace) -> String {
    let evidence = evidence::now(workspace, key, scope);
    let answered = evidence
        .as_ref()
        .and_then(|evidence| evidence.get("answered"));
    let times = |(name, times): (&String, &Value)| format!("\"{}\" {times}", one_line(name, SHOWN));
    let own: Vec<String> = answered
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .map(times)
        .collect();
    match own.is_empty() {
        true => "  you:      never answered it\n".to_owned(),
        false => format!("  you:      {}\n", own.join(", ")),
    }
}
