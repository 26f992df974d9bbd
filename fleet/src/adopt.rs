//! `plantune fleet adopt`: what nearly everybody answers alike, and taking one over as a preference on trial. The views
//! over the lake say what others answer; the preference is written as by `prefs set`.

use chrono::{Days, NaiveDate};
use clap::Args;
use plantune::cli::arguments::ScopeArguments;
use plantune::document::Document;
use plantune::failure::Failure;
use plantune::preferences::PreferenceScope;
use plantune::request::PreferenceName;
use plantune::session::Session;
use plantune::terminal::{consent, print, sanitized};
use plantune::verbs::prefs_set::{Origin, set_on_trial};
use plantune::{preferences, request, session};
use plantune_domain::event::ChangeReason;
use plantune_domain::keys::typed;
use plantune_domain::preferences::Setter;
use plantune_domain::recommended::strip_mark;
use plantune_domain::sanitize::shell_word;
use plantune_query::habits::is_called;
use plantune_reports::humanize::percent;
use plantune_reports::table::{Table, number, text};
use plantune_reports::text::{one_line, paragraph};
use serde::Serialize;
use serde_json::json;

use crate::document::{Alike, answer_in_short};
use crate::member::Member;
use crate::report::{starters, voices};
use crate::rows::{HASHED, label_hash, published_key};

/// How many days it rests on by default: an answer this old counts half in proposals.
const DAYS: u64 = 180;

/// How much of a name or label is shown, in characters.
const SHOWN: usize = 80;

/// List answers that nearly everybody gives, and adopt one as your preference
///
/// Each machine has one vote, and at least `k` in fleet.toml (5) must agree. With QUESTION, it shows the evidence and asks.
/// If you say yes, the answer becomes a preference on trial, on this machine only.
#[derive(Args, Debug)]
pub(crate) struct AdoptArguments {
    /// The question to adopt: its name or key
    question: Option<String>,
    /// Count answers from this day on [default: 180 days]
    #[arg(long, value_name = "YYYY-MM-DD")]
    since: Option<NaiveDate>,
    #[command(flatten)]
    scope: ScopeArguments,
    /// Don't ask (not in an agent's session)
    #[arg(short, long, requires = "question")]
    yes: bool,
    /// Write JSON, for scripts, and adopt nothing
    #[arg(long, conflicts_with_all = ["global", "project", "yes"])]
    json: bool,
}

/// An answer that nearly everybody gives, and whether this machine can adopt it.
#[derive(Debug, Serialize)]
struct Starter {
    #[serde(flatten)]
    alike: Alike,
    /// The question's name here, or the name that another machine pushed.
    name: String,
    /// The share (0–1) of people who would answer so, at least.
    at_least: f64,
    /// Why it cannot be adopted here; `None` if it can.
    obstacle: Option<&'static str>,
}

/// Lists what there is, or takes one over after the person has seen the change and confirmed it.
///
/// # Errors
/// Refused inside an agent's session, where the person cannot be asked, and for a preference of theirs that stands
/// already; failed for a question that this machine was never asked, or whose answer it was never offered.
pub(crate) fn run(arguments: &AdoptArguments, session: &Session) -> Result<Document, Failure> {
    let end = session.now.date_naive();
    let since = arguments.since.unwrap_or(end - Days::new(DAYS));
    if let Some(word) = arguments.question.as_ref().filter(|_| !arguments.json) {
        return take_over(word, since, arguments, session);
    }
    let found = find(session, (since, end), arguments.question.as_deref())?;
    if arguments.json {
        return Document::json(&json!({ "since": since, "starters": found }));
    }
    if found.is_empty() {
        let text = format!(
            "Since {since} (UTC), no named question got the same answer on enough machines."
        );
        return Ok(Document::text(paragraph(&text, session.width)));
    }
    let mut table = Table::of(&found);
    table.add(text("question").least(16), |one| one.name.clone());
    table.add(text("answer").least(12), |one| {
        answer_in_short(one.alike.answer.as_deref(), &one.alike.answer_hash)
    });
    table.add(number("machines"), |one| {
        format!("{} of {}", one.alike.agreeing, one.alike.machines)
    });
    table.add(number("at least").rank(1), |one| percent(one.at_least));
    table.add(text("here"), |one| match one.obstacle {
        Some(why) => why.to_owned(),
        None => format!("plantune fleet adopt {}", shell_word(&one.name)),
    });
    let table = table.lines(session.width).join("\n");
    Ok(Document::text(format!(
        "Answers since {since} (UTC), one vote per machine:\n{table}\n"
    )))
}

/// The answers that nearly everybody gives, all of them or those that `word` means, judged for this machine by what it was asked
/// itself.
fn find(
    session: &Session,
    days: (NaiveDate, NaiveDate),
    word: Option<&str>,
) -> Result<Vec<Starter>, Failure> {
    let member = Member::load(session)?;
    let suggest = session.suggest_settings()?;
    let asked = session::questions(None, session)?;
    let starters = starters(&member, &suggest, days)?
        .into_iter()
        .map(|mut alike| {
            let key = |one: &str, source| published_key(&member.key, one, Some(source));
            let here = asked
                .iter()
                .filter(|one| key(&one.question_key, &one.key_source) == alike.question_key);
            let here: Vec<_> = here.collect();
            let mut labels = here.iter().flat_map(|one| &one.options);
            let label = labels.find(|label| label_hash(&member.key, label) == alike.answer_hash);
            let obstacle = match (here.first(), label) {
                (None, _) => Some("never asked here"),
                (Some(_), None) => Some("answer never offered here"),
                (Some(_), Some(_)) => None,
            };
            // What this machine was offered counts, not what others say that the hash stands for.
            alike.answer = label
                .map(|label| strip_mark(label).0.to_owned())
                .or(alike.answer);
            let name = match here.first() {
                Some(one) => {
                    alike.question_key.clone_from(&one.question_key);
                    typed(&one.question_key, &one.name).to_owned()
                }
                None if alike.question_key.starts_with(HASHED) => {
                    alike.label.clone().unwrap_or("(not known here)".to_owned())
                }
                None => alike.question_key.clone(),
            };
            Starter {
                at_least: voices(&alike).at_least(&suggest),
                alike,
                name,
                obstacle,
            }
        });
    let is_meant = |one: &Starter| {
        word.is_none_or(|word| word == one.alike.question_key || is_called(&one.name, word))
    };
    Ok(starters.filter(is_meant).collect())
}

fn take_over(
    word: &str,
    since: NaiveDate,
    arguments: &AdoptArguments,
    session: &Session,
) -> Result<Document, Failure> {
    let scope = request::scope(&arguments.scope, session)?;
    let scope = scope.map_or_else(|| PreferenceScope::here(session), Ok)?;
    let command = format!(
        "plantune fleet adopt {} {}",
        shell_word(word),
        scope.arguments()
    );
    let command = sanitized(&command);
    consent::may_change(session, arguments.yes, &command)?;
    let found = find(session, (since, session.now.date_naive()), Some(word))?;
    let one = match found.as_slice() {
        [one] => one,
        [] => {
            let words = "no question of that name gets the same answer on enough machines";
            return Err(Failure::failed(words).hint("`plantune fleet adopt` lists the questions"));
        }
        _ => {
            let hint = "`plantune fleet adopt --json` lists them with their keys";
            return Err(Failure::usage("several questions have this name").hint(hint));
        }
    };
    let (alike, name) = (&one.alike, one_line(&one.name, SHOWN));
    // What the person said themselves is not replaced by what others say.
    if preferences::preference(session, &scope, &alike.question_key)?.is_some() {
        let hint = format!(
            "`plantune prefs show {}` shows it; `prefs clear` removes it",
            shell_word(&one.name)
        );
        return Err(Failure::refused(format!("you have a preference for {name}")).hint(hint));
    }
    let (None, Some(answer)) = (one.obstacle, &alike.answer) else {
        let why = one.obstacle.unwrap_or("answer not known here");
        return Err(Failure::failed(format!("{name} can't be adopted: {why}"))
            .hint("wait until you are asked this question here"));
    };
    let Alike {
        agreeing,
        machines,
        times,
        answers,
        ..
    } = alike;
    print(&format!(
        "{name}\n  answer:   \"{}\"\n  evidence: {agreeing} of {machines} machines give this answer ({times} of {answers} \
         answers since {since}); at least {} of people would\n",
        one_line(answer, SHOWN),
        percent(one.at_least),
    ))?;
    let origin = Origin {
        set_by: Setter::Fleet,
        reason: ChangeReason::FleetAdopt,
        evidence: json!({
            "agreeing": agreeing, "machines": machines, "times": times, "answers": answers,
            "at_least": (one.at_least * 1000.0).round() / 1000.0, "since": since,
        }),
        command: &command,
    };
    let name = PreferenceName {
        key: alike.question_key.clone(),
        scope: Some(scope),
        yes: arguments.yes,
    };
    set_on_trial(name, answer, &origin, session)
}
