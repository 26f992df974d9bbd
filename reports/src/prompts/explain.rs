//! One prompt: what was asked, how it was decided, and how both were joined.

use std::io::{self, Write};

use plantune_domain::permissions::{describe, main_field};
use plantune_query::permissions::prompts::Prompt;
use serde_json::json;

use super::words::{SHOWN, although_in_words, reach_in_words, what_happened};
use crate::decisions::Clock;
use crate::inert::one_line;
use crate::text::hanging;

/// How much of an input is shown, in columns.
const SHOWN_INPUT: usize = 600;

/// Writes `prompt` for a terminal `width` columns wide.
///
/// # Errors
/// Those of `out`.
pub fn write(
    prompt: &Prompt,
    clock: Clock<'_>,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let named = format!(
        "{} ({})",
        one_line(&prompt.subject, SHOWN),
        one_line(&prompt.tool, SHOWN)
    );
    write!(out, "{}", hanging("", "  ", &named, width))?;
    writeln!(out, "\nWhat was asked")?;
    let mut asked = vec![
        format!(
            "{}  in {}",
            clock(prompt.at),
            one_line(&prompt.project, SHOWN)
        ),
        format!("it {}", reach(prompt)),
    ];
    if let Some(input) = &prompt.input {
        asked.push(format!("input: {}", one_line(input, SHOWN_INPUT)));
    }
    asked.push(who(prompt));
    if !prompt.suggestions.is_empty() {
        let rules = prompt.suggestions.iter().map(|rule| one_line(rule, SHOWN));
        let rules: Vec<String> = rules.collect();
        asked.push(format!("the dialog offered: {}", rules.join(", ")));
    }
    for line in &asked {
        write!(out, "{}", hanging("  ", "    ", line, width))?;
    }
    if let Some(although) = &prompt.although {
        writeln!(out, "\nWhy a rule of yours did not spare you")?;
        let why = format!(
            "{} in {}: {}",
            one_line(&although.rule, SHOWN),
            one_line(&although.file, SHOWN),
            one_line(&although_in_words(although), SHOWN_INPUT)
        );
        write!(out, "{}", hanging("  ", "    ", &why, width))?;
    }
    writeln!(out, "\nHow it was decided")?;
    write!(
        out,
        "{}",
        hanging("  ", "    ", &what_happened(prompt), width)
    )?;
    writeln!(out, "\nHow that is known")?;
    write!(
        out,
        "{}",
        hanging("  ", "    ", &joined(prompt, clock), width)
    )?;
    let ids = match prompt.tool_use_id.as_deref() {
        Some(call) => format!(
            "prompt {}, call {}",
            one_line(&prompt.id, SHOWN),
            one_line(call, SHOWN)
        ),
        None => format!("prompt {}", one_line(&prompt.id, SHOWN)),
    };
    write!(out, "{}", hanging("  ", "    ", &ids, width))
}

/// How far the call reaches, and why where the judge of today says so, too.
fn reach(prompt: &Prompt) -> String {
    let words = reach_in_words(prompt.reach);
    let field = main_field(&prompt.tool).unwrap_or_default();
    let input = json!({ field: prompt.input.as_deref().unwrap_or_default() });
    let today = describe(&prompt.tool, &input, &prompt.cwd);
    match prompt.reach == Some(today.reach) && !today.reason.is_empty() {
        true => format!("{words} ({})", one_line(&today.reason, SHOWN_INPUT)),
        false => words.to_owned(),
    }
}

/// In whose session it came.
fn who(prompt: &Prompt) -> String {
    let mut words = format!("{} session", one_line(&prompt.session_kind, SHOWN));
    if prompt.agent != "claude-code" {
        words += &format!(" of {}", one_line(&prompt.agent, SHOWN));
    }
    for (name, value) in [
        ("mode", &prompt.permission_mode),
        ("sub-agent", &prompt.agent_id),
        ("skill", &prompt.skill),
    ] {
        if let Some(value) = value {
            words += &format!(", {name} {}", one_line(value, SHOWN));
        }
    }
    words
}

/// Which events say so.
fn joined(prompt: &Prompt, clock: Clock<'_>) -> String {
    match (prompt.asked_at, prompt.decided_at) {
        (Some(_), None) => {
            "The hook logged the prompt. No transcript says yet how it was decided: the session \
             may still wait, or its transcript is gone."
                .to_owned()
        }
        (Some(_), Some(decided)) if prompt.outcome == "ambiguous" => format!(
            "The hook logged the prompt, and the transcript tells of a decision ({}). Calls with the same input ran \
             at once, so which of them it belongs to cannot be known: it is no evidence.",
            clock(decided)
        ),
        (Some(_), Some(decided)) => format!(
            "The hook logged the prompt. The transcript tells of the decision ({}), about the call of the same \
             session, agent, tool and input that came in the same order.",
            clock(decided)
        ),
        (None, _) if prompt.reason.as_deref() == Some("unknown") => format!(
            "Only the transcript ({}) tells of it, and it is of an earlier version, which tells refusals and no \
             approvals.",
            one_line(&prompt.source, SHOWN)
        ),
        (None, _) => format!(
            "Only the transcript ({}) tells of it: no hook logged the prompt.",
            one_line(&prompt.source, SHOWN)
        ),
    }
}
