//! `plantune prefs show`.

use std::fmt::Write as _;

use clap::Args;
use plantune_domain::preferences::{AssistMode, Policy, Preference};
use plantune_query::seen::seen;
use plantune_reports::binding::{covers_of, preference_holds_for};
use plantune_reports::inert::one_line;
use plantune_reports::level::policy_in_words;
use plantune_reports::suggestions::answer_in_words;
use plantune_reports::text::{hanging, paragraph};
use serde::Serialize;

use super::key::{SHOWN, missing};
use crate::failure::Failure;
use crate::preferences::files;
use crate::preferences::scope::{PreferenceScope, ScopeArguments, quoted};
use crate::terminal;
use crate::workspace::Workspace;

/// How many questions of the log are shown of each kind.
const MOST_EXAMPLES: usize = 10;

/// Show what a preference answers, and what it does not
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The question's key
    #[arg(value_name = "KEY")]
    key: String,
    #[command(flatten)]
    scope: ScopeArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    question_key: &'a str,
    scope: &'static str,
    project: Option<&'a str>,
    preference: &'static str,
    level: Option<&'static str>,
    assist: Option<&'static str>,
    answer: Option<&'a str>,
    options: &'a [String],
    /// What it answers, in words; places that vary as `<one word>`.
    covers: Vec<String>,
    /// Questions of the log that it would answer.
    would_answer: Vec<&'a str>,
    /// The nearest questions of the log that it would not.
    would_ask: Vec<&'a str>,
}

/// Shows the preference of the scope, with questions of the log beside it.
///
/// # Errors
/// Failed without such a preference; conflict for a file that is not understood.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let scope = arguments.scope.resolve(workspace)?;
    let Some(preference) = files::preference(workspace, &scope, &arguments.key)? else {
        return Err(missing(&arguments.key, &scope, workspace));
    };
    let registry = workspace.registry()?;
    let seen = workspace.ask(|store| seen(store, &arguments.key, scope.project(), registry))?;
    let (would_answer, would_ask) = seen.compared(&preference, MOST_EXAMPLES);
    let policy = preference.preference;
    let document = Document {
        schema_version: 1,
        question_key: &arguments.key,
        scope: scope.kind().as_str(),
        project: scope.project(),
        preference: preference.preference.as_str(),
        level: policy.answers().then_some(preference.level().as_str()),
        assist: policy
            .assists()
            .then_some(preference.assist.unwrap_or(AssistMode::Note).as_str()),
        answer: preference.answer.as_deref(),
        options: preference.options.as_deref().unwrap_or_default(),
        covers: covers_of(&preference),
        would_answer,
        would_ask,
    };
    if arguments.json {
        return terminal::print_json(&document);
    }
    terminal::print(&in_words(&document, &preference, &scope, workspace))
}

fn in_words(
    document: &Document<'_>,
    preference: &Preference,
    scope: &PreferenceScope,
    workspace: &Workspace,
) -> String {
    let width = workspace.width;
    let key = one_line(document.question_key, SHOWN);
    let place = document.project.map_or_else(
        || "everywhere".to_owned(),
        |project| one_line(project, SHOWN),
    );
    let mut text = hanging(
        "",
        "  ",
        &format!("{key}: {}, {place}", policy_in_words(preference)),
        width,
    );
    if preference.preference == Policy::AlwaysAsk {
        text.push_str("  asked every time\n");
        return text;
    }
    let assists = preference.preference.assists();
    let holds_for = preference_holds_for(preference)
        .unwrap_or_else(|| "It does nothing: it does not say what it was given for.".to_owned());
    let words = format!("answer: {}\n{holds_for}", answer_in_words(document.answer));
    text.push_str(&paragraph(&words, width.saturating_sub(2)).replace('\n', "\n  "));
    text.truncate(text.trim_end().len());
    text.push('\n');
    examples(
        match assists {
            true => "of what you were asked, it would point your answer out in",
            false => "of what you were asked, it would answer",
        },
        &document.would_answer,
        width,
        &mut text,
    );
    examples(
        match assists {
            true => "and would not in",
            false => "and would not answer",
        },
        &document.would_ask,
        width,
        &mut text,
    );
    if !document.would_ask.is_empty() {
        let command = format!(
            "plantune prefs set --bind {} {}",
            quoted(document.question_key),
            scope.arguments()
        );
        let hint = format!(
            "`{}` lets it answer all that you answered so",
            terminal::sanitized(&command)
        );
        text.push_str(&hanging("  ", "  ", &hint, width));
    }
    text
}

fn examples(title: &str, texts: &[&str], width: usize, out: &mut String) {
    if texts.is_empty() {
        return;
    }
    // Writing into a text cannot fail.
    let _ = writeln!(out, "  {title}:");
    for text in texts {
        let _ = writeln!(out, "    {}", one_line(text, width.saturating_sub(4)));
    }
}
