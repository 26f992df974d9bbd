//! The log on a terminal: questions and prompts in the order of time, a line each; one question in a few lines; and the
//! lines in quarantine.

use std::cmp::Reverse;

use anstyle::Style;
use chrono::{DateTime, Utc};
use plantune_agents::claude_code;
use plantune_domain::agreement::agreement::NoveltyKind;
use plantune_domain::event::{AskReason, QuestionOutcome};
use plantune_domain::keys::is_made_up;
use plantune_domain::recommended::option_text;
use plantune_domain::results::DismissReason;
use plantune_query::Named;
use plantune_query::health::Quarantine;
use plantune_query::permissions::PromptOutcome;
use plantune_query::permissions::prompts::LoggedPrompt;
use plantune_query::questions::LoggedDecision;
use plantune_query::suggest::door_words;
use serde::Serialize;

use crate::humanize::{counted, duration};
use crate::table::{Table, number, text};
use crate::terminal::{BOLD, DIM, GREEN, Show, Terminal};
use crate::text::{both_ends, in_two_lines, one_line, shell_word};
use crate::{prompts, standing};

/// Questions and prompts, each the latest first. Serialised, it is the document of `log --json`.
#[derive(Clone, Debug, Serialize)]
pub struct Log {
    /// Questions.
    pub decisions: Vec<LoggedDecision>,
    /// Permission prompts, where they are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompts: Option<Vec<LoggedPrompt>>,
}

impl Log {
    /// The latest `limit` of both together; each comes the latest first.
    pub fn new(
        decisions: Vec<LoggedDecision>,
        prompts: Option<Vec<LoggedPrompt>>,
        limit: usize,
    ) -> Self {
        let mut log = Self { decisions, prompts };
        while log.decisions.len() + log.prompts().len() > limit {
            let is_prompt = match (log.decisions.last(), log.prompts().last()) {
                (Some(decision), Some(prompt)) => prompt.at < decision.asked_at,
                (decision, _) => decision.is_none(),
            };
            match &mut log.prompts {
                Some(prompts) if is_prompt => drop(prompts.pop()),
                _ => drop(log.decisions.pop()),
            }
        }
        log
    }

    fn prompts(&self) -> &[LoggedPrompt] {
        self.prompts.as_deref().unwrap_or_default()
    }
}

impl Show for Log {
    /// A line each, the latest first; says so where there is nothing.
    fn show(&self, out: &mut Terminal) {
        if self.decisions.is_empty() && self.prompts().is_empty() {
            return out.line("Nothing was asked.");
        }
        let decisions = self.decisions.iter().map(LogLine::from);
        let mut entries: Vec<LogLine> = decisions
            .chain(self.prompts().iter().map(LogLine::from))
            .collect();
        // The sort is stable: entries of one moment keep their order.
        entries.sort_by_key(|entry| Reverse(entry.at));
        let moments: Vec<(String, LogLine)> = entries
            .into_iter()
            .map(|entry| (out.moment(entry.at), entry))
            .collect();
        let mut table = Table::of(&moments);
        table.add(text("when"), |(at, _)| at);
        table.add(text("question").least(34).both_ends(), |(_, one)| {
            &one.asked
        });
        table.add(text("answer").least(10), |(_, one)| &one.answer);
        table.add(text("by"), |(_, one)| one.by);
        table.add(text("why asked").rank(2), |(_, one)| one.why);
        table.add(text("agent").rank(2), |(_, one)| one.agent.clone());
        table.add(text("project").least(10).rank(3), |(_, one)| &one.project);
        table.add(text("id").rank(1), |(_, one)| &one.id);
        out.table(&table);
        out.line("");
        out.hanging("", "", "`plantune log ID` shows one in full.");
    }
}

/// How many characters of an id are shown: its end, which tells calls apart and can be typed.
const SHOWN_ID: usize = 8;

/// A line of the log.
struct LogLine {
    at: DateTime<Utc>,
    asked: String,
    answer: String,
    by: &'static str,
    why: &'static str,
    agent: String,
    project: String,
    id: String,
}

/// The name of `agent`, unless it is Claude Code.
fn other_agent(agent: &str) -> Option<&str> {
    (agent != claude_code::NAME).then_some(agent)
}

/// The end of `id`, or all of a short one.
fn end_of(id: &str) -> String {
    let start = id.char_indices().rev().nth(SHOWN_ID - 1);
    let end = start.and_then(|(start, _)| id.get(start..));
    end.unwrap_or(id).to_owned()
}

impl From<&LoggedDecision> for LogLine {
    fn from(one: &LoggedDecision) -> Self {
        use QuestionOutcome::{Answered, AutoDecided, Dismissed, Failed, Open};
        let by = match one.outcome {
            Answered => "you",
            AutoDecided if one.is_away() => "away",
            AutoDecided if one.is_by_reviewer() => "reviewer",
            AutoDecided => "plantune",
            Dismissed | Failed | Open => "",
        };
        let chosen = match one.outcome {
            AutoDecided => &one.preferred,
            _ => &one.answer,
        };
        let labels: Vec<&str> = chosen.iter().map(|label| option_text(label)).collect();
        let answer = match one.outcome {
            Answered | AutoDecided if !labels.is_empty() => labels.join(", "),
            Answered if one.typed => "(typed)".to_owned(),
            Answered => "(a note)".to_owned(),
            AutoDecided => "(rejected)".to_owned(),
            Open => "(open)".to_owned(),
            Dismissed if one.is_timed_out() => "(nobody)".to_owned(),
            Dismissed => "(unanswered)".to_owned(),
            Failed => "(not asked)".to_owned(),
        };
        let undone = if one.undone { ", taken back" } else { "" };
        let why = match one.why_asked() {
            Some(AskReason::SpotCheck) => "spot check",
            Some(AskReason::AlwaysAsk) => "you said so",
            Some(AskReason::OneWay) => "can't be undone",
            Some(AskReason::Ambiguous) => "something new",
            Some(AskReason::PartialCall | AskReason::Split) => "asked with others",
            Some(AskReason::AfterDenial) => "after a denial",
            Some(AskReason::Disabled) => "switched off",
            Some(AskReason::NoPreference) | None => "",
        };
        Self {
            at: one.asked_at,
            asked: one.question.clone(),
            answer: answer + undone,
            by,
            why,
            agent: other_agent(&one.agent).unwrap_or_default().to_owned(),
            project: one.project.clone(),
            id: end_of(one.tool_use_id.as_deref().unwrap_or_default()),
        }
    }
}

impl From<&LoggedPrompt> for LogLine {
    fn from(one: &LoggedPrompt) -> Self {
        let is_known = matches!(one.outcome, PromptOutcome::Granted | PromptOutcome::Refused);
        Self {
            at: one.at,
            asked: match one.input.as_deref().unwrap_or_default() {
                "" => one.subject.clone(),
                input => format!("{}: {input}", one.tool),
            },
            answer: prompts::outcome(one).to_owned(),
            by: if is_known { "you" } else { "" },
            why: "permission",
            agent: other_agent(&one.agent).unwrap_or_default().to_owned(),
            project: one.project.clone(),
            id: end_of(one.tool_use_id.as_ref().unwrap_or(&one.id)),
        }
    }
}

/// The indent of the excerpt of a line.
const INDENT: usize = 2;

impl Show for Quarantine {
    fn show(&self, out: &mut Terminal) {
        let Quarantine {
            total,
            lines: found,
        } = self;
        if *total == 0 {
            return out.line("The quarantine is empty: every line could be read.");
        }
        let mut table = Table::of(found);
        table.add(text("day"), |line| line.day);
        table.add(text("segment").least(16), |line| &*line.segment);
        table.add(number("at byte").rank(1), |line| line.offset);
        table.add(number("bytes").rank(2), |line| line.length);
        table.add(text("why").least(16), |line| &*line.reason);
        let mut lines = table.lines(out.width).into_iter();
        lines.next().iter().for_each(|titles| out.line(titles));
        for (shown, line) in lines.zip(found) {
            let start = one_line(&line.excerpt(), out.width.saturating_sub(INDENT));
            out.line(format!("{shown}\n{:INDENT$}{start}", ""));
        }
        let more = total.saturating_sub(found.len() as u64);
        if more > 0 {
            let more =
                format!("… and {more} more; `plantune doctor --quarantine --json` lists them");
            out.hanging("", "  ", more);
        }
        out.line("\n`plantune doctor --fix` reads them again. Try it after an update.");
    }
}

/// How much of a label is shown, in columns.
const SHOWN: usize = 60;

/// How much of a key, a project or an id is shown, in columns: enough to be copied.
const SHOWN_NAME: usize = 200;

/// A few lines about `decision`.
pub fn show(decision: &LoggedDecision, out: &mut Terminal) {
    let at = format!("{}  ", out.moment(decision.asked_at));
    let question = in_two_lines((&at, "    "), &decision.question, out.width, both_ends);
    question.lines().for_each(|line| out.styled(line, BOLD));
    let agent = other_agent(&decision.agent).map_or_else(String::new, |agent| {
        format!(", asked by {}", one_line(agent, SHOWN_NAME))
    });
    let key = decision.question_key.as_deref().unwrap_or("?");
    let key = match is_made_up(key) {
        true => String::new(),
        false => format!("{} ", one_line(key, SHOWN_NAME)),
    };
    let named = format!(
        "{key}in {} ({}){agent}",
        one_line(&decision.project, SHOWN_NAME),
        one_line(decision.tool_use_id.as_deref().unwrap_or("?"), SHOWN_NAME),
    );
    let happened = match decision.outcome {
        QuestionOutcome::AutoDecided => GREEN,
        _ => Style::new(),
    };
    out.paragraph(format!("    {}", what_happened(decision)), happened);
    out.paragraph(format!("    {named}"), DIM);
}

/// Answers given while the person was away, with how each is changed.
pub fn show_for_review(decisions: &[LoggedDecision], out: &mut Terminal) {
    let questions = counted(decisions.len(), "question was", "questions were");
    out.paragraph(
        format!("While you were away {questions} answered as recommended. None of it counts as your answer."),
        Style::new(),
    );
    for decision in decisions {
        let at = format!("{}  ", out.moment(decision.asked_at));
        let question = in_two_lines((&at, "    "), &decision.question, out.width, both_ends);
        question.lines().for_each(|line| out.line(line));
        let mut others = decision.options.clone();
        others.retain(|label| !decision.preferred.contains(label));
        let mut answer = labels(&decision.preferred);
        if !others.is_empty() {
            answer += &format!(" (not {})", labels(&others));
        }
        let change = match (taken_back(decision), decision.tool_use_id.as_deref()) {
            (Some(words), _) => words,
            (None, Some(id)) => format!(
                "to change it: plantune undo {} --answer LABEL",
                shell_word(&one_line(id, SHOWN_NAME))
            ),
            (None, None) => "it can't be changed: its call has no id".to_owned(),
        };
        let place = format!("in {}", one_line(&decision.project, SHOWN_NAME));
        for line in [answer, change, place] {
            out.hanging("    ", "    ", line);
        }
    }
}

/// The decision about the question, in a sentence without its end.
pub(crate) fn what_happened(decision: &LoggedDecision) -> String {
    let preferred = labels(&decision.preferred);
    let does = decision.preference.as_deref().unwrap_or("a preference");
    let level = decision.level.as_ref().and_then(Named::known);
    let scope = decision.preference_scope.as_deref();
    let by = format!(
        "{}, {}",
        one_line(standing::word(does, level), SHOWN),
        one_line(scope.unwrap_or("unknown scope"), SHOWN)
    );
    let undone = taken_back(decision).map_or_else(String::new, |words| format!("; {words}"));
    if decision.outcome != QuestionOutcome::AutoDecided {
        return format!("asked{}; {}", why(decision), outcome(decision));
    }
    match decision.preferred.is_empty() {
        // Without a label, a reviewer has turned the call down.
        true if decision.is_by_reviewer() => "rejected by your reviewer".to_owned(),
        true => "answered for you".to_owned(),
        false if decision.is_away() => {
            format!("answered while you were away: {preferred}, as recommended{undone}")
        }
        false => format!("answered for you: {preferred} ({by}){undone}"),
    }
}

/// The outcome of a question that was asked.
pub(crate) fn outcome(decision: &LoggedDecision) -> String {
    let answer = || match (decision.answer.as_slice(), decision.typed) {
        ([], true) => "typed an answer".to_owned(),
        ([], false) => "left a note".to_owned(),
        (chosen, false) => format!("answered {}", labels(chosen)),
        (chosen, true) => format!("answered {} and typed more", labels(chosen)),
    };
    match decision.outcome {
        QuestionOutcome::Answered => {
            let took = decision.human_seconds.map_or_else(String::new, |seconds| {
                format!(" after {}", duration(seconds))
            });
            format!("you {}{took}", answer())
        }
        QuestionOutcome::Open => "not answered yet".to_owned(),
        QuestionOutcome::Dismissed if decision.is_timed_out() => match decision.selected.as_slice()
        {
            [] => "the agent stopped waiting and went on: nobody chose".to_owned(),
            selected => format!(
                "the agent stopped waiting and went on with {}, which was selected but not sent",
                labels(selected)
            ),
        },
        outcome => {
            let reason = decision.reason.as_ref().map(in_words);
            let reason =
                reason.map_or_else(String::new, |why| format!(" ({})", one_line(&why, SHOWN)));
            format!("{outcome}{reason}")
        }
    }
}

/// Why the person did not answer, in words; other reasons by their name.
fn in_words(reason: &Named<DismissReason>) -> String {
    match reason.known() {
        Some(DismissReason::Clarify) => "you wanted to talk about it first".to_owned(),
        Some(DismissReason::FollowUp) => "you asked for other questions first".to_owned(),
        Some(DismissReason::Interrupted) => "you did something else".to_owned(),
        Some(DismissReason::SessionEnded) => "the session ended".to_owned(),
        Some(DismissReason::NoAnswer) => "no answer came".to_owned(),
        Some(DismissReason::Rejected | DismissReason::AfkTimeout) | None => reason.to_string(),
    }
}

/// That the person took the answer back, and what they wanted instead.
fn taken_back(decision: &LoggedDecision) -> Option<String> {
    let words = match &decision.wanted {
        Some(wanted) => format!("you changed it to {}", labels(std::slice::from_ref(wanted))),
        None => "you took it back".to_owned(),
    };
    decision.undone.then_some(words)
}

/// Why it was asked, in words; nothing if the hook did not see it.
fn why(decision: &LoggedDecision) -> String {
    let Some(reason) = &decision.ask_reason else {
        return String::new();
    };
    let Some(reason) = reason.known() else {
        return format!(" because {}", one_line(&reason.to_string(), SHOWN));
    };
    let words = reason_in_words(reason);
    match (reason, &decision.one_way) {
        (AskReason::SpotCheck, _) if !decision.preferred.is_empty() => format!(
            " as a check (your preference would have answered {})",
            labels(&decision.preferred)
        ),
        (AskReason::OneWay, Some(rule)) => {
            format!(" because {words} ({})", one_line(&door_words(rule), SHOWN))
        }
        (AskReason::Ambiguous, _) => {
            let new = new_in_words(decision, None);
            format!(" because {}", new.as_deref().unwrap_or(words))
        }
        _ => format!(" because {words}"),
    }
}

/// What was new in a question that was asked although there was a preference for it, as a clause; `label` is the answer
/// that the preference would have given, if known.
pub(crate) fn new_in_words(decision: &LoggedDecision, label: Option<&str>) -> Option<String> {
    let detail = decision.ask_detail.as_deref()?;
    (decision.why_asked() == Some(AskReason::Ambiguous))
        .then(|| standing::difference_in_words(detail, label))
        .flatten()
}

/// Whether what was new in `decision` can become part of the preference, if the person answers it as the preference would.
pub(crate) fn may_join(decision: &LoggedDecision) -> bool {
    let detail = decision.ask_detail.as_deref().unwrap_or_default();
    let new = detail.split(": ").next().and_then(NoveltyKind::parse);
    decision.one_way.is_none() && matches!(new, Some(NoveltyKind::Text | NoveltyKind::Description))
}

/// Why a question was asked, as a clause.
fn reason_in_words(reason: AskReason) -> &'static str {
    match reason {
        AskReason::NoPreference => "no preference answers it",
        AskReason::AlwaysAsk => "you want to be asked every time",
        AskReason::OneWay => "its answer can't be undone",
        AskReason::Ambiguous => {
            "something in it was new, or your preferences did not give one answer"
        }
        AskReason::PartialCall => "another question in the same dialog had to be asked",
        AskReason::Split => "parts of a split question are always asked",
        AskReason::SpotCheck => "it was a check",
        AskReason::AfterDenial => {
            "the agent had just denied an action, and the question may be about that"
        }
        AskReason::Disabled => "answering was off, or the settings could not be read",
    }
}

/// Labels in quotes.
pub fn labels(labels: &[String]) -> String {
    let quoted = |label: &String| format!("\"{}\"", one_line(label, SHOWN));
    labels.iter().map(quoted).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use plantune_domain::sanitize::is_dangerous;
    use plantune_query::health::QuarantinedLine;

    use super::*;
    use crate::text;

    fn found() -> Quarantine {
        let line = |offset, length, reason: &str, start: &[u8]| QuarantinedLine {
            segment: "2026-11-20.jsonl".to_owned(),
            offset,
            length,
            day: "2026-11-20".parse().unwrap(),
            reason: reason.to_owned(),
            start: start.to_vec(),
        };
        Quarantine {
            total: 4,
            lines: vec![
                line(
                    4096,
                    60,
                    "torn line: EOF while parsing a string at line 1 column 60",
                    b"{\"v\":1,\"id\":\"0123456789abcdef0123456789abcdef\",\"ts\":\"2026",
                ),
                line(
                    17,
                    10_485_760,
                    "not JSON: \u{1b}]0;owned\u{7} expected value",
                    b"\x1b[2J\x00\xff\xe2\x80\xae\tnext \xc3\xbc",
                ),
                line(0, 1, "not UTF-8: invalid", b"\xc3"),
            ],
        }
    }

    fn shown(width: usize) -> String {
        let mut out = Terminal::new(width, false);
        found().show(&mut out);
        let text = out.into_text();
        let acts = |c: char| c != '\n' && is_dangerous(c);
        assert!(!text.contains(acts), "{text:?}");
        text
    }

    #[test]
    fn lines_are_shown_sanitized() {
        insta::assert_snapshot!(shown(80));
        for line in shown(60).lines().filter(|line| !line.starts_with('`')) {
            assert!(text::width(line) <= 60, "{line}");
        }
    }

    #[test]
    fn an_empty_one() {
        let mut out = Terminal::new(80, false);
        Quarantine::default().show(&mut out);
        assert_eq!(
            out.into_text(),
            "The quarantine is empty: every line could be read.\n"
        );
    }

    #[test]
    fn as_json() {
        let text = text::json_document(&found()).unwrap();
        insta::assert_snapshot!(text);
    }
}
