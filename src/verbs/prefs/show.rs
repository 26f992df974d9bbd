//! `plantune prefs show`: what a preference answers, with questions of the log beside it.

use std::slice;

use clap::Args;
use plantune_domain::preferences::{Policy, Preference};
use plantune_query::habits::Habits;
use plantune_query::standing::Standing;
use plantune_reports::standing::{Stored, covers_of, preference_holds_for};
use plantune_reports::terminal::{DIM, Style, Terminal};
use plantune_reports::text::one_line;
use serde::Serialize;

use super::change::{SHOWN, missing};
use crate::failure::Failure;
use crate::preferences::scope::{PreferenceScope, ScopeArguments};
use crate::preferences::standing::review;
use crate::preferences::{in_words, stored};
use crate::session::Session;
use crate::{preferences, terminal};

/// How many questions of the log are shown of each kind.
const MOST_EXAMPLES: usize = 10;

/// Show what a preference answers, and what it does not
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune prefs show test-scope                  which questions it answers
  plantune prefs show next-area --global --json   for scripts")]
pub(crate) struct Arguments {
    /// The question: its key or its name
    #[arg(value_name = "KEY")]
    key: String,
    #[command(flatten)]
    scope: ScopeArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ShownPreference<'a> {
    #[serde(flatten)]
    stored: Stored,
    /// How it stands, if it answers.
    #[serde(flatten)]
    standing: Option<&'a Standing>,
    options: &'a [String],
    /// The questions it was given for.
    covers: Vec<String>,
    /// Questions of the log that it would answer.
    would_have_answered: Vec<&'a str>,
    /// The nearest questions of the log that it would not.
    would_have_asked: Vec<&'a str>,
}

/// Shows the preference where it stands, with questions of the log beside it.
///
/// # Errors
/// Failed without such a preference; usage where it stands in several places and nobody can be asked; conflict for a file that is not understood.
pub(crate) fn run(arguments: &Arguments, session: &Session) -> Result<(), Failure> {
    let named = arguments.scope.named(session);
    let key = in_words::key(&arguments.key, named.as_ref(), session)?;
    let command = |scope: &PreferenceScope, word: &str| scope.prefs("show", word);
    let standing = arguments.scope.standing(&key, &command, session)?;
    let scope = standing.map_or_else(|| arguments.scope.resolve(session), Ok)?;
    let found = preferences::of(session, slice::from_ref(&scope));
    let preference = preferences::preference(session, &scope, &key)?;
    let ([file], Some(preference)) = (&*found, preference) else {
        return Err(missing(&key, &arguments.scope, session));
    };
    let registry = session.registry()?;
    let habits = session.ask(|store| Habits::read(store, registry, false))?;
    let seen = habits.answers_to(&key, scope.project());
    let (would_have_answered, would_have_asked) = seen.compared(&preference, MOST_EXAMPLES);
    let reviewed = review(session)?;
    let standing = file.standing(&key, &reviewed);
    let document = ShownPreference {
        stored: stored(file, &key, &preference, standing, session)?,
        standing: standing.map(|one| &one.standing),
        options: preference.options.as_deref().unwrap_or_default(),
        covers: covers_of(&preference),
        would_have_answered,
        would_have_asked,
    };
    if arguments.json {
        return terminal::print_json(&document);
    }
    terminal::print(&shown(&document, &preference, session))
}

fn shown(document: &ShownPreference<'_>, preference: &Preference, session: &Session) -> String {
    let mut out = session.terminal();
    let Stored {
        name,
        word,
        does,
        set,
        ..
    } = &document.stored;
    let key = one_line(word, SHOWN);
    let place = document.stored.project.as_deref().map_or_else(
        || "everywhere".to_owned(),
        |project| one_line(project, SHOWN),
    );
    out.hanging("", "  ", format!("{key}: {does}, {place}{set}"));
    if name != word {
        let name = one_line(name, out.width.saturating_sub(2));
        out.styled(&format!("  {name}"), DIM);
    }
    let remarks = document.stored.remarks.iter();
    remarks.for_each(|line| out.hanging("  ", "    ", line));
    if preference.preference == Policy::AlwaysAsk {
        return out.into_text();
    }
    let holds_for = preference_holds_for(preference)
        .unwrap_or_else(|| "It does nothing: it does not say which question it is for.".to_owned());
    for line in holds_for.lines() {
        out.paragraph(format!("  {line}"), Style::new());
    }
    let would = "Of what you were asked, it would have answered";
    examples(would, &document.would_have_answered, &mut out);
    examples("and not", &document.would_have_asked, &mut out);
    out.into_text()
}

fn examples(title: &str, texts: &[&str], out: &mut Terminal) {
    if texts.is_empty() {
        return;
    }
    out.line(format!("  {title}:"));
    for text in texts {
        let text = one_line(text, out.width.saturating_sub(4));
        out.line(format!("    {text}"));
    }
}
