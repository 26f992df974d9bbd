//! One prompt: what was asked, how it was decided, and how both were joined.

use plantune_domain::permissions::{describe, main_field};
use plantune_query::permissions::prompts::Prompt;
use serde_json::json;

use super::words::{SHOWN, although_in_words, reach_in_words, what_happened};
use crate::inert::one_line;
use crate::terminal::Terminal;

/// How much of an input is shown, in columns.
const SHOWN_INPUT: usize = 600;

/// All that is known about `prompt`.
pub fn show(prompt: &Prompt, out: &mut Terminal) {
    let one = |text: &str| one_line(text, SHOWN);
    out.hanging(
        "",
        "  ",
        format!("{} ({})", one(&prompt.subject), one(&prompt.tool)),
    );
    let mut asked = vec![
        format!("{}  in {}", out.moment(prompt.at), one(&prompt.project)),
        format!("it {}", reach(prompt)),
    ];
    if let Some(input) = &prompt.input {
        asked.push(format!("input: {}", one_line(input, SHOWN_INPUT)));
    }
    asked.push(who(prompt));
    if !prompt.suggestions.is_empty() {
        let rules: Vec<String> = prompt.suggestions.iter().map(|rule| one(rule)).collect();
        asked.push(format!("the dialog offered: {}", rules.join(", ")));
    }
    part("What was asked", asked, out);
    if let Some(although) = &prompt.although {
        let why = one_line(&although_in_words(although), SHOWN_INPUT);
        let why = format!("{} in {}: {why}", one(&although.rule), one(&although.file));
        part("Why a rule of yours did not spare you", vec![why], out);
    }
    part("How it was decided", vec![what_happened(prompt)], out);
    let call = prompt.tool_use_id.as_deref();
    let call = call.map_or_else(String::new, |call| format!(", call {}", one(call)));
    let known = vec![
        joined(prompt, out),
        format!("prompt {}{call}", one(&prompt.id)),
    ];
    part("How that is known", known, out);
}

fn part(title: &str, lines: Vec<String>, out: &mut Terminal) {
    out.line(format!("\n{title}"));
    for line in lines {
        out.hanging("  ", "    ", line);
    }
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
fn joined(prompt: &Prompt, out: &Terminal) -> String {
    match (prompt.asked_at, prompt.decided_at) {
        (Some(_), None) => {
            "The hook logged the prompt. No transcript says yet how it was decided: the session \
             may still wait, or its transcript is gone."
                .to_owned()
        }
        (Some(_), Some(decided)) if prompt.outcome == "ambiguous" => format!(
            "The hook logged the prompt, and the transcript tells of a decision ({}). Calls with the same input ran \
             at once, so which of them it belongs to cannot be known: it is no evidence.",
            out.moment(decided)
        ),
        (Some(_), Some(decided)) => format!(
            "The hook logged the prompt. The transcript tells of the decision ({}), about the call of the same \
             session, agent, tool and input that came in the same order.",
            out.moment(decided)
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
