//! Habits that only words keep closed: the person may say that the words are wrong, and the rule that says so is
//! written.

use std::collections::BTreeSet;

use plantune_domain::family::asking_part;
use plantune_domain::registry::Registry;
use plantune_query::families::door_words;
use plantune_query::questions::{Listed, list};
use plantune_query::suggest::{Opening, Rejected, Suggestions};
use plantune_reports::suggestions::answer_in_words;
use plantune_reports::text::{hanging, one_line};

use crate::failure::Failure;
use crate::preferences::files;
use crate::terminal;
use crate::terminal::consent;
use crate::verbs::config::questions::register;
use crate::verbs::config::questions::register::{Addition, Consent};
use crate::verbs::config::questions::rule::two_way;
use crate::workspace::user_files::conflict;
use crate::workspace::{Workspace, status_line};

/// How many are offered in one run.
const MOST: usize = 3;

/// How much of a text is shown, in columns.
const SHOWN_TEXT: usize = 200;

/// What opens a habit; nothing else does.
const WORD: Consent = Consent::Word {
    word: "two-way",
    prompt: "if that is wrong, type two-way; anything else leaves it:",
};

/// What of `found` words alone keep closed.
pub(super) fn closed(found: &Suggestions) -> Vec<Rejected> {
    let is_closed = |one: &&Rejected| one.opens.is_some();
    found.rejected.iter().filter(is_closed).cloned().collect()
}

/// Shows each of the first three of `closed` with the rule that would open it, and writes the rule where the person
/// types the word. Nothing where no person can reply: in an agent's session, in a pipe.
///
/// # Errors
/// Conflict for a registry.toml that is not understood; those of the store; when the terminal cannot be read.
pub(super) fn offer(closed: &[Rejected], workspace: &Workspace) -> Result<(), Failure> {
    if closed.is_empty() || !consent::can_be_asked(workspace) {
        return Ok(());
    }
    let mut keys = known_keys(workspace)?;
    // The person may think about it for long.
    workspace.close_store();
    let mut offered = 0;
    for one in closed {
        let Some(opening) = one.opens.as_ref().filter(|_| offered < MOST) else {
            continue;
        };
        let before = register::read(workspace)?.unwrap_or_default();
        let registry = Registry::parse(&before).map_err(|error| conflict(&error))?;
        let taken = |key: &str| keys.contains(key) || registry.rules_of(key).next().is_some();
        // The rule of another project's names it, too.
        if opening.is_named_by(&registry) {
            continue;
        }
        let Some(rule) = two_way(&one.asked, opening, &before, &taken) else {
            continue;
        };
        offered += 1;
        show(one, opening, workspace)?;
        let addition = Addition {
            rule: &rule,
            listed: Some(&listed(one)),
            command: "plantune suggest --apply".to_owned(),
            reason: "suggest two-way",
        };
        if register::run(&addition, WORD, workspace)? {
            terminal::print(&format!(
                "words no longer hold {}; `plantune suggest --apply` proposes it\n",
                rule.key
            ))?;
            status_line::forget_proposals(workspace);
        }
        keys.insert(rule.key);
    }
    Ok(())
}

/// The keys of all questions and preferences: a rule under one of them would open that one, too.
fn known_keys(workspace: &Workspace) -> Result<BTreeSet<String>, Failure> {
    let listed = match workspace.store()? {
        Some(store) => workspace.read(list(&store, workspace.registry()?, None))?,
        None => Vec::new(),
    };
    let mut keys: BTreeSet<String> = (listed.into_iter())
        .flat_map(|one| one.keys.into_iter().chain([one.question_key]))
        .collect();
    for file in files::all(workspace) {
        keys.extend(file.preferences.into_keys());
    }
    Ok(keys)
}

/// Writes what is asked, how it was answered, and why it is closed.
fn show(closed: &Rejected, opening: &Opening, workspace: &Workspace) -> Result<(), Failure> {
    let asked = &closed.asked;
    let reason = closed.held.as_ref().map_or("", |held| &held.reason);
    let mut rows = vec![
        ("", one_line(&asked.name, SHOWN_TEXT)),
        (
            "   with:     ",
            format!(
                "{}, all {} times that you were asked",
                answer_in_words(closed.answer.as_deref()),
                closed.evidence.answers
            ),
        ),
        (
            "   closed:   ",
            format!(
                "plantune thinks this cannot be taken back, because of its words ({}). The rule below says that \
                 words do not hold it, in every project; commands, money, force and destroyed data still do.",
                one_line(&door_words(reason), SHOWN_TEXT)
            ),
        ),
    ];
    for (number, text) in opening.texts.iter().enumerate() {
        let label = if number == 0 {
            "   so far:   "
        } else {
            "             "
        };
        rows.push((label, one_line(asking_part(text), SHOWN_TEXT)));
    }
    let under = " ".repeat(13);
    let width = workspace.width;
    let rows = rows
        .iter()
        .map(|(label, text)| hanging(label, &under, text, width));
    terminal::print(&format!("\n{}\n", rows.collect::<String>()))
}

/// The question, as it is recorded with its rule.
fn listed(closed: &Rejected) -> Listed {
    let asked = closed.asked.clone();
    Listed {
        project: asked.project,
        question_key: asked.question_key,
        name: asked.name,
        question: asked.question,
        header: asked.header,
        options: asked.options,
        ..Listed::default()
    }
}
