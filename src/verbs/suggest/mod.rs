//! `plantune suggest`: which questions plantune could answer and which prompts it could spare, and why; `--backtest`
//! replays what that would have meant.

mod apply;
mod selection;

use std::collections::BTreeSet;
use std::path::Path;

use clap::Args;
use plantune_query::backtest::{Backtest, backtest};
use plantune_query::permissions::backtest as rules;
use plantune_query::permissions::backtest::RuleBacktest;
use plantune_query::suggest::{LastAsked, Rejected, Suggestion, Suggestions};
use plantune_reports::backtest::BacktestDocument;
use plantune_reports::humanize;
use plantune_reports::standing::note;
use plantune_reports::suggestions::{Entry, ProposalsDocument, Proposed, Screen, entries};

use crate::claude_settings::SettingsScope;
use crate::failure::Failure;
use crate::installed_hook::{Registered, registered};
use crate::preferences::proposals::Depth;
use crate::preferences::{InForce, proposals, standing};
use crate::session::project::{ProjectArguments, ShortNames};
use crate::session::{Session, period};
use crate::terminal::consent;
use crate::verbs::install;
use crate::verbs::suggest::apply::Applying;
use crate::{after_refresh, permission_rules, session, started_by, terminal};

/// What plantune could answer or allow for you; --apply sets it
///
/// Lists the answers you always give, and the permission rules that cover what you always allow. Only your own answers
/// count, and nothing is proposed that can't be undone. Nothing changes without --apply, which asks you first.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune suggest 2                 the evidence for number 2
  plantune suggest --apply           decide one by one
  plantune suggest 1,3-5 --apply     decide on these only
  plantune suggest --backtest --since 2026-11-01
                                     what would have been right and wrong")]
pub(crate) struct Arguments {
    /// Only these proposals: numbers such as 1,3-5, handles, a key or rule, or the beginning of a text. Shows the evidence
    #[arg(value_name = "PROPOSALS", conflicts_with = "backtest")]
    which: Vec<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "apply")]
    json: bool,
    /// Also list what is not proposed, and what it lacks
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    project: ProjectArguments,
    /// Only permission rules
    #[arg(long, conflicts_with = "questions")]
    permissions: bool,
    /// Only questions
    #[arg(long)]
    questions: bool,
    /// Decide on the proposals one by one
    #[arg(long)]
    apply: bool,
    /// Whose settings permission rules are written to [default: as each proposal says]
    #[arg(long, value_enum, value_name = "WHOSE", requires = "apply")]
    settings: Option<SettingsScope>,
    /// The same as PROPOSALS, for --apply; may be repeated
    #[arg(long, value_name = "PROPOSALS", requires = "apply")]
    only: Vec<String>,
    /// Leave out this question; may be repeated
    #[arg(long, value_name = "KEY", requires = "apply")]
    except: Vec<String>,
    /// Don't ask (not in an agent's session); what needs its label typed is left out
    #[arg(short, long, requires = "apply")]
    yes: bool,
    /// With --yes: the label, typed for a proposal that needs it
    #[arg(long, value_name = "LABEL", requires = "yes")]
    answer: Option<String>,
    /// Replay your history: what would the proposals have got right and wrong?
    #[arg(long, conflicts_with = "apply")]
    backtest: bool,
    /// With --backtest: the first day that counts, such as 2026-11-02
    #[arg(long, value_name = "DATE", requires = "backtest")]
    since: Option<String>,
}

/// For how many proposals it is computed what each level would have got right.
const HINDSIGHT: usize = 8;

/// Shows the proposals or the evidence of one, or applies them.
///
/// # Errors
/// Conflict for a user's file that is not understood; refused where the person cannot be asked; failed for a
/// proposal that there is none of.
pub(crate) fn run(arguments: &Arguments, session: &Session) -> Result<(), Failure> {
    let project = arguments.project.resolve(session)?;
    if arguments.backtest {
        return print_backtest(arguments, project.as_deref(), session);
    }
    let in_force = InForce::new(session);
    let store = session.store()?;
    let depth = Depth {
        reasons: true,
        hindsight: match arguments.json || !arguments.which.is_empty() {
            true => HINDSIGHT,
            false => 0,
        },
    };
    let mut questions = match store.as_deref().filter(|_| !arguments.permissions) {
        Some(store) => {
            let project = project.as_deref();
            proposals::find(session, store, &in_force, project, depth, |_| ())?
        }
        None => Suggestions::default(),
    };
    let rules = match store.as_deref().filter(|_| !arguments.questions) {
        Some(store) => permission_rules::find(session, store, project.as_deref())?,
        None => permission_rules::RuleProposals::default(),
    };
    let read = match &store {
        Some(store) => session.read(store.count_questions(project.as_deref()))?,
        None => 0,
    };
    let next = next(session, store.is_some());
    drop(store);
    in_force.check()?;
    if !arguments.permissions {
        let left = proposals::left(&questions, project.as_deref());
        session.found(|findings| findings.proposed = Some(left));
    }
    leave_out(&mut questions, &arguments.except);
    let mut notes = notes(session, project.as_deref())?;
    notes.extend(elsewhere(&questions.suggestions));
    let found = Proposed {
        questions: (!arguments.permissions).then_some(&questions),
        rules: &rules.proposals,
        tighten: &rules.tighten,
        notes_on_questions: if arguments.permissions { &[] } else { &notes },
        notes: &rules.notes,
        read,
        next: &next,
    };
    if !arguments.apply {
        return match arguments.which() {
            Some(word) => show_some(&word, &found, arguments, session),
            None if arguments.json => terminal::print_json(&ProposalsDocument::from(found)),
            None => show(&found, arguments, session),
        };
    }
    let chosen = chosen(&found, arguments)?;
    if chosen.is_empty() {
        show(&found, arguments, session)?;
    } else {
        let command = started_by::call();
        consent::may_change(session, arguments.yes, &command)?;
        // What waits afterwards is counted the next time.
        after_refresh::forget_proposals(session);
        let applying = Applying {
            session,
            settings: arguments.settings,
            command: &command,
        };
        let replies = match arguments.yes {
            true => applying.all(&chosen, arguments.answer.as_deref())?,
            false => applying.one_by_one(&chosen)?,
        };
        if replies.is_for_hook {
            install::offer(session)?;
        }
        if replies.has_ended {
            return Ok(());
        }
    }
    Ok(())
}

/// What brings more proposals: to register the hook, to import transcripts, or else to wait.
fn next(session: &Session, has_history: bool) -> String {
    let install = match registered(session) {
        Registered::Nowhere => " To log your answers from now on, run `plantune install`.",
        Registered::Well | Registered::Badly(_) => "",
    };
    let import = match has_history {
        true => "",
        false => " To read the transcripts you already have, run `plantune import claude-code`.",
    };
    match install.is_empty() && import.is_empty() {
        true => " plantune logs your answers and counts them here. `plantune report` shows what you are asked.".to_owned(),
        false => format!("{install}{import}"),
    }
}

/// Takes the questions `except` out of what is proposed.
fn leave_out(found: &mut Suggestions, except: &[String]) {
    let is_wanted = |asked: &LastAsked| !except.iter().any(|word| selection::is_meant(asked, word));
    found.suggestions.retain(|one| is_wanted(&one.asked));
    found.rejected.retain(|one| is_wanted(&one.asked));
}

impl Arguments {
    /// The words that name proposals, as one: `1 2`, or a text without quotes.
    fn which(&self) -> Option<String> {
        (!self.which.is_empty()).then(|| self.which.join(" "))
    }

    /// The same, and each of `--only`.
    fn named(&self) -> impl Iterator<Item = String> {
        self.which().into_iter().chain(self.only.iter().cloned())
    }
}

/// The proposals to apply: those that are named, else all.
///
/// # Errors
/// The errors of [`selection::proposals`].
fn chosen<'a>(found: &Proposed<'a>, arguments: &Arguments) -> Result<Vec<Entry<'a>>, Failure> {
    let all = entries(found);
    if arguments.named().next().is_none() {
        return Ok(all);
    }
    let mut places = BTreeSet::new();
    for word in arguments.named() {
        places.extend(selection::proposals(&all, &word)?);
    }
    let of = |place: usize| all.get(place).copied();
    Ok(places.into_iter().filter_map(of).collect())
}

/// Shows the table.
fn show(found: &Proposed<'_>, arguments: &Arguments, session: &Session) -> Result<(), Failure> {
    shown(arguments.all, session, |screen| screen.list(found))
}

/// Shows the evidence of what `word` names, proposed or not, for a person or as JSON.
fn show_some(
    word: &str,
    found: &Proposed<'_>,
    arguments: &Arguments,
    session: &Session,
) -> Result<(), Failure> {
    let all = entries(found);
    let rejected: &[Rejected] = found.questions.map_or(&[], |found| &found.rejected);
    let (places, refused) = match selection::proposals(&all, word) {
        Ok(places) => (places, Vec::new()),
        Err(failure) => match selection::rejected(rejected, word) {
            refused if refused.is_empty() => return Err(failure),
            refused => (Vec::new(), refused),
        },
    };
    let chosen = places.iter();
    let chosen = chosen.filter_map(|place| Some((place + 1, all.get(*place)?)));
    if arguments.json {
        let chosen = chosen.map(|(_, entry)| *entry);
        return terminal::print_json(&ProposalsDocument::of(chosen, refused));
    }
    shown(arguments.all, session, |screen| {
        for (number, entry) in chosen {
            if !screen.out.is_empty() {
                screen.out.line("");
            }
            screen.evidence(number, entry);
        }
        refused.iter().for_each(|one| screen.refusal(one));
    })
}

/// Prints what `write` writes for the terminal that there is.
fn shown(all: bool, session: &Session, show: impl FnOnce(&mut Screen<'_>)) -> Result<(), Failure> {
    let names = ShortNames::new(session)?;
    let today = session.today()?;
    let mut screen = Screen {
        out: session.terminal(),
        all,
        name: &|project| names.of(project).to_owned(),
        day: &|day| humanize::day(day, today),
    };
    show(&mut screen);
    terminal::print(&screen.out.into_text())
}

/// Notes on the preferences that stand: those of `project`, if one is meant.
fn notes(session: &Session, project: Option<&str>) -> Result<Vec<String>, Failure> {
    let mut standing = standing::review(session)?;
    let all = standing.clone();
    session.found(|findings| findings.standing = Some(all));
    if let Some(project) = project {
        standing.retain(|one| one.project.as_deref().is_none_or(|mine| mine == project));
    }
    Ok(standing.iter().filter_map(note).collect())
}

/// That proposals rest on imported sessions of a folder outside the person's home: the transcripts may be
/// somebody else's.
fn elsewhere(proposals: &[Suggestion]) -> Option<String> {
    let home = std::env::home_dir()?;
    let mut projects: Vec<&str> = proposals
        .iter()
        .filter(|one| one.evidence.imported > 0)
        .flat_map(|one| one.projects.iter().map(String::as_str))
        .filter(|project| project.starts_with('/') && !Path::new(project).starts_with(&home))
        .collect();
    projects.sort_unstable();
    projects.dedup();
    let (first, others) = projects.split_first()?;
    let more = match others.len() {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    Some(format!(
        "Some proposals rest on imported sessions in {}{more}, outside your home folder. Check that those answers \
         are your own.",
        terminal::sanitized(first)
    ))
}

// `plantune suggest --backtest`: what the proposals would have got right and wrong.

/// Replays the history, or that of one `project`, and writes what the proposals would have got right and wrong to
/// standard output.
///
/// # Errors
/// Usage for a day that does not exist; failed when the store cannot be read.
fn print_backtest(
    arguments: &Arguments,
    project: Option<&str>,
    session: &Session,
) -> Result<(), Failure> {
    let today = session.today()?;
    let since = arguments.since.as_deref();
    let since = since.map(|day| period::date("--since", day, today));
    let since = since.transpose()?;
    let (questions, rules) = match session.store()? {
        Some(store) => {
            let settings = &session::suggest(&session.paths)?;
            let registry = session.registry()?;
            let questions = backtest(&store, settings, registry, project, since);
            // With the reaches that `suggest` goes by.
            let own = registry.own_reaches();
            let prompts = session.read(store.prompt_history(None))?;
            let rules = rules::backtest(&prompts, settings, own, project, since);
            (session.read(questions)?, rules)
        }
        None => {
            let questions = Backtest {
                since,
                ..Backtest::default()
            };
            (questions, RuleBacktest::default())
        }
    };
    let document = BacktestDocument::new(&questions, &rules);
    terminal::print_document(&document, arguments.json, session)
}
