//! `plantune suggest`: which questions plantune could answer and which prompts it could spare, and why; `--backtest`
//! replays what that would have meant.

use std::collections::BTreeSet;
use std::path::Path;

use plantune_query::backtest::{Backtest, backtest};
use plantune_query::habits::is_called;
use plantune_query::permissions::backtest as rules;
use plantune_query::permissions::backtest::RuleBacktest;
use plantune_query::suggest::{LastAsked, Rejected, Suggestion, Suggestions};
use plantune_reports::backtest::BacktestDocument;
use plantune_reports::humanize;
use plantune_reports::standing::{StandingPreference, note};
use plantune_reports::suggestions::{
    ListedProposal, ProposalList, ProposalsDocument, Screen, entries, title,
};
use plantune_reports::text::one_line;
use plantune_settings::installed_hook::{Registered, registered};

use crate::document::{Document, Findings};
use crate::failure::{Failure, similar};
use crate::projects::ShortNames;
use crate::proposals::Depth;
use crate::request::{ApplyRequest, BacktestRequest, SuggestCall, SuggestRequest};
use crate::session::Session;
use crate::settings_change::host;
use crate::standing::review;
use crate::terminal::consent;
use crate::verbs::apply::Applying;
use crate::verbs::{install, tidy};
use crate::{after_refresh, proposals, rule_proposals, started_by, terminal};

/// For how many proposals it is computed what each level would have got right.
const HINDSIGHT: usize = 8;

/// Shows the proposals or the evidence of one, or applies them.
///
/// # Errors
/// Conflict for a user's file that is not understood; refused where the person cannot be asked; failed for a
/// proposal that there is none of.
pub(crate) fn run(call: &SuggestCall, session: &Session) -> Result<Document, Failure> {
    match call {
        SuggestCall::Suggest(request) => suggest(request, session),
        SuggestCall::Backtest(request) => replay(request, session),
        SuggestCall::Tidy(request) => tidy::run(request, session),
    }
}

fn suggest(request: &SuggestRequest, session: &Session) -> Result<Document, Failure> {
    let project = request.project.as_deref();
    let store = session.store()?;
    let depth = Depth {
        reasons: true,
        hindsight: match request.json || request.which.is_some() {
            true => HINDSIGHT,
            false => 0,
        },
    };
    let (mut questions, problem) = match store.as_deref().filter(|_| request.questions) {
        Some(store) => proposals::find(session, store, project, depth, |_| ())?,
        None => (Suggestions::default(), None),
    };
    let rules = match store.as_deref().filter(|_| request.rules) {
        Some(store) => rule_proposals::find(session, store, project)?,
        None => rule_proposals::RuleProposals::default(),
    };
    let read = match &store {
        Some(store) => session.read(store.count_questions(project))?,
        None => 0,
    };
    let next = next(session, store.is_some());
    drop(store);
    if let Some(problem) = problem {
        return Err(problem);
    }
    let proposed = request
        .questions
        .then(|| proposals::left(&questions, project));
    leave_out(&mut questions, &request.except);
    let standing = review(session)?;
    let mut notes = notes(&standing, project);
    notes.extend(elsewhere(&questions.suggestions));
    let found = ProposalList {
        questions: request.questions.then_some(&questions),
        rules: &rules.proposals,
        tighten: &rules.tighten,
        notes_on_questions: if request.questions { &notes } else { &[] },
        notes: &rules.notes,
        read,
        next: &next,
    };
    let mut findings = Findings {
        standing: Some(standing),
        proposed,
        ..Findings::default()
    };
    let document = match &request.apply {
        Some(how) => {
            let chosen = chosen(&found, request.which.as_deref(), &how.only)?;
            match chosen.is_empty() {
                true => list(&found, request.all, session)?,
                false => {
                    findings.is_outdated = apply(&chosen, how, session)?;
                    Document::default()
                }
            }
        }
        None => match &request.which {
            Some(word) => show_some(word, &found, request, session)?,
            None if request.json => Document::json(&ProposalsDocument::from(found))?,
            None => list(&found, request.all, session)?,
        },
    };
    Ok(document.with(findings))
}

/// Applies `chosen`; true when that changed a preference.
fn apply(
    chosen: &[ListedProposal<'_>],
    how: &ApplyRequest,
    session: &Session,
) -> Result<bool, Failure> {
    let command = started_by::call();
    consent::may_change(session, how.yes, &command)?;
    // What waits afterwards is counted the next time.
    after_refresh::forget_proposals(session);
    let applying = Applying {
        session,
        settings: how.settings,
        command: &command,
    };
    let replies = match how.yes {
        true => applying.all(chosen, how.answer.as_deref())?,
        false => applying.one_by_one(chosen)?,
    };
    if replies.is_for_hook {
        install::offer(session)?;
    }
    Ok(replies.has_changed_preferences)
}

/// What brings more proposals: to register the hook, to import transcripts, or else to wait.
fn next(session: &Session, has_history: bool) -> String {
    let install = match registered(&host(session)) {
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
    let is_wanted = |asked: &LastAsked| !except.iter().any(|word| is_meant(asked, word));
    found.suggestions.retain(|one| is_wanted(&one.asked));
    found.rejected.retain(|one| is_wanted(&one.asked));
}

/// The proposals to apply: those that are named, else all.
///
/// # Errors
/// The errors of [`named`].
fn chosen<'a>(
    found: &ProposalList<'a>,
    which: Option<&str>,
    only: &[String],
) -> Result<Vec<ListedProposal<'a>>, Failure> {
    let all = entries(found);
    let words = which.into_iter().chain(only.iter().map(String::as_str));
    let words: Vec<&str> = words.collect();
    if words.is_empty() {
        return Ok(all);
    }
    let mut places = BTreeSet::new();
    for word in words {
        places.extend(named(&all, word)?);
    }
    let of = |place: usize| all.get(place).copied();
    Ok(places.into_iter().filter_map(of).collect())
}

/// The table.
fn list(found: &ProposalList<'_>, all: bool, session: &Session) -> Result<Document, Failure> {
    shown(all, session, |screen| screen.list(found))
}

/// Shows the evidence of what `word` names, proposed or not, for a person or as JSON.
fn show_some(
    word: &str,
    found: &ProposalList<'_>,
    request: &SuggestRequest,
    session: &Session,
) -> Result<Document, Failure> {
    let all = entries(found);
    let rejected: &[Rejected] = found.questions.map_or(&[], |found| &found.rejected);
    let (places, refused) = match named(&all, word) {
        Ok(places) => (places, Vec::new()),
        Err(failure) => match named_rejected(rejected, word) {
            refused if refused.is_empty() => return Err(failure),
            refused => (Vec::new(), refused),
        },
    };
    let chosen = places.iter();
    let chosen = chosen.filter_map(|place| Some((place + 1, all.get(*place)?)));
    if request.json {
        let chosen = chosen.map(|(_, entry)| *entry);
        return Document::json(&ProposalsDocument::of(chosen, refused));
    }
    shown(request.all, session, |screen| {
        for (number, entry) in chosen {
            if !screen.out.is_empty() {
                screen.out.line("");
            }
            screen.evidence(number, entry);
        }
        refused.iter().for_each(|one| screen.refusal(one));
    })
}

/// What `show` writes for the terminal that there is.
fn shown(
    all: bool,
    session: &Session,
    show: impl FnOnce(&mut Screen<'_>),
) -> Result<Document, Failure> {
    let names = ShortNames::new(session)?;
    let today = session.today()?;
    let mut screen = Screen {
        out: session.terminal(),
        all,
        name: &|project| names.of(project).to_owned(),
        day: &|day| humanize::day(day, today),
    };
    show(&mut screen);
    Ok(Document::text(screen.out.into_text()))
}

/// Notes on the preferences that stand: those of `project`, if one is meant.
fn notes(standing: &[StandingPreference], project: Option<&str>) -> Vec<String> {
    let is_meant = |one: &&StandingPreference| {
        let of = one.project.as_deref();
        project.is_none_or(|project| of.is_none_or(|mine| mine == project))
    };
    standing.iter().filter(is_meant).filter_map(note).collect()
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

/// Replays the history: what the proposals would have got right and wrong.
///
/// # Errors
/// Failed when the store cannot be read.
fn replay(request: &BacktestRequest, session: &Session) -> Result<Document, Failure> {
    let (project, since) = (request.project.as_deref(), request.since);
    let (questions, rules) = match session.store()? {
        Some(store) => {
            let settings = &session.suggest_settings()?;
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
    Document::of(&document, request.json, session)
}

// Which proposals a person means: by their numbers or handles, a key or rule, or the beginning of a text.

/// How much of a word or a text is shown, in columns.
const SHOWN: usize = 60;

/// How many proposals are named where none is meant, or several.
const MOST: usize = 5;

/// The places among `all` of what `word` names: numbers or handles, a key or rule, or the beginning of a text.
///
/// # Errors
/// Failed where nothing is named so, or several begin so.
fn named(all: &[ListedProposal<'_>], word: &str) -> Result<Vec<usize>, Failure> {
    let those = |is: &dyn Fn(&ListedProposal<'_>) -> bool| -> Vec<usize> {
        let places = all.iter().enumerate().filter(|(_, one)| is(one));
        places.map(|(place, _)| place).collect()
    };
    if let Some(listed) = listed(all, word) {
        return Ok(listed);
    }
    let exactly = those(&|one| one.name() == word);
    let exactly = match exactly.is_empty() {
        true => those(&|one| calls(one, &|called| is_called(called, word))),
        false => exactly,
    };
    if !exactly.is_empty() {
        return Ok(exactly);
    }
    let beginning =
        those(&|one| calls(one, &|called| begins(called, word)) || begins(&one.name(), word));
    let shown = one_line(word, SHOWN);
    let list = |places: &[usize]| {
        let some = places.iter().take(MOST).filter_map(|place| {
            let title = all.get(*place)?.title();
            Some(format!("{} ({})", place + 1, one_line(&title, SHOWN)))
        });
        some.collect::<Vec<_>>().join(", ")
    };
    let names: BTreeSet<String> = beginning
        .iter()
        .filter_map(|place| all.get(*place).map(ListedProposal::name))
        .collect();
    match names.len() {
        1 => return Ok(beginning),
        0 => {}
        _ => {
            return Err(
                Failure::failed(format!("several proposals begin with \"{shown}\""))
                    .hint(format!("give the number of one: {}", list(&beginning))),
            );
        }
    }
    let near = those(&|one| calls(one, &|called| contains(called, word)));
    let names: Vec<String> = all.iter().map(ListedProposal::name).collect();
    let alike = similar(word, names.iter().map(String::as_str));
    let failure = Failure::failed(format!("nothing is proposed under \"{shown}\""));
    let failure = failure.did_you_mean_option("suggest", word);
    let hint = match (near.is_empty(), alike, all.len()) {
        (false, ..) => format!("did you mean {}?", list(&near)),
        (true, Some(name), _) => format!("did you mean {}?", one_line(name, SHOWN)),
        (true, None, 0) => "`plantune suggest` says why nothing is proposed".to_owned(),
        (true, None, last) => format!("`plantune suggest` lists the proposals, 1 to {last}"),
    };
    Err(failure.hint(hint))
}

/// The places among `all` of the numbers and handles that `word` lists, such as `2`, `1,3-5`, `1 2` or `kdfw`; `None` for any
/// other word.
fn listed(all: &[ListedProposal<'_>], word: &str) -> Option<Vec<usize>> {
    let mut places = Vec::new();
    for part in word.split([',', ' ']).filter(|part| !part.is_empty()) {
        match numbers(part) {
            Some((first, last)) if 1 <= first && first <= last && last <= all.len() => {
                places.extend(first - 1..last);
            }
            Some(_) => return None,
            None => {
                let mut meant = all
                    .iter()
                    .enumerate()
                    .filter(|(_, one)| one.handle() == part);
                let (place, _) = meant.next()?;
                meant.next().is_none().then(|| places.push(place))?;
            }
        }
    }
    Some(places).filter(|places| !places.is_empty())
}

/// The first and the last of the numbers that `part` means, such as `2` or `3-5`.
fn numbers(part: &str) -> Option<(usize, usize)> {
    let (first, last) = part.split_once('-').unwrap_or((part, part));
    Some((first.parse().ok()?, last.parse().ok()?))
}

/// The habits of `rejected` that have the key `word`, or begin so.
fn named_rejected<'a>(rejected: &'a [Rejected], word: &str) -> Vec<&'a Rejected> {
    let is_it = |one: &&Rejected| is_meant(&one.asked, word);
    let exactly: Vec<&Rejected> = rejected.iter().filter(is_it).collect();
    match exactly.is_empty() {
        false => exactly,
        true => rejected
            .iter()
            .filter(|one| begins(&title(&one.asked), word))
            .take(MOST)
            .collect(),
    }
}

/// True where `word` is the key of `asked`, or what it is called.
fn is_meant(asked: &LastAsked, word: &str) -> bool {
    asked.question_key == word || is_called(&asked.name, word)
}

/// Whether `is` holds for anything that `entry` is called.
fn calls(entry: &ListedProposal<'_>, is: &dyn Fn(&str) -> bool) -> bool {
    entry.called().iter().any(|called| is(called))
}

fn begins(text: &str, word: &str) -> bool {
    !word.trim().is_empty() && text.to_lowercase().starts_with(&word.trim().to_lowercase())
}

/// Whether any word of `word` stands in `text`.
fn contains(text: &str, word: &str) -> bool {
    let text = text.to_lowercase();
    let mut words = word.split(|c: char| !c.is_alphanumeric());
    words.any(|part| part.chars().count() > 2 && text.contains(&part.to_lowercase()))
}
