//! `plantune prefs show`.

use clap::Args;
use plantune_domain::preferences::{AssistMode, Policy, Preference};
use plantune_query::seen::seen;
use plantune_reports::binding::{covers_of, preference_holds_for};
use plantune_reports::inert::one_line;
use plantune_reports::level::policy_in_words;
use plantune_reports::style::Style;
use plantune_reports::suggestions::answer_in_words;
use plantune_reports::terminal::Terminal;
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
    terminal::print(&shown(&document, &preference, &scope, workspace))
}

fn shown(
    document: &Document<'_>,
    preference: &Preference,
    scope: &PreferenceScope,
    workspace: &Workspace,
) -> String {
    let mut out = workspace.terminal();
    let key = one_line(document.question_key, SHOWN);
    let place = document.project.map_or_else(
        || "everywhere".to_owned(),
        |project| one_line(project, SHOWN),
    );
    let does = policy_in_words(preference);
    out.hanging("", "  ", format!("{key}: {does}, {place}"));
    if preference.preference == Policy::AlwaysAsk {
        out.line("  asked every time");
        return out.into_text();
    }
    out.hanging(
        "  ",
        "  ",
        format!("answer: {}", answer_in_words(document.answer)),
    );
    let holds_for = preference_holds_for(preference)
        .unwrap_or_else(|| "It does nothing: it does not say what it was given for.".to_owned());
    for line in holds_for.lines() {
        out.paragraph(format!("  {line}"), Style::new());
    }
    let (would, would_not) = match preference.preference.assists() {
        true => (
            "of what you were asked, it would point your answer out in",
            "and would not in",
        ),
        false => (
            "of what you were asked, it would answer",
            "and would not answer",
        ),
    };
    examples(would, &document.would_answer, &mut out);
    examples(would_not, &document.would_ask, &mut out);
    if !document.would_ask.is_empty() {
        let (key, place) = (quoted(document.question_key), scope.arguments());
        let command = terminal::sanitized(&format!("plantune prefs set --bind {key} {place}"));
        let hint = format!("`{command}` lets it answer all that you answered so");
        out.hanging("  ", "  ", hint);
    }
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
