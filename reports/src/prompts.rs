//! Permission prompts: in groups, those of one subject, and a single one explained; as JSON (times RFC 3339 in UTC, unknown
//! is null) and on a terminal.

use std::collections::BTreeMap;

use plantune_agents::claude_code;
use plantune_domain::event::{Grant, RefusalReason};
use plantune_domain::permissions::{Reach, describe, main_field};
use plantune_query::permissions::PromptOutcome;
use plantune_query::permissions::near_miss::{CountedNearMiss, NearMiss};
use plantune_query::permissions::prompts::{LoggedPrompt, Subject};
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::humanize::duration;
use crate::table::{Table, known, main, number, text};
use crate::terminal::{Show, Terminal};
use crate::text::{one_line, sorted};

/// The name of an asker that is not known.
pub(crate) const NOBODY: &str = "(no command)";

/// Prompts by who was at work: `report --prompts --by`.
#[derive(Clone, Debug, Serialize)]
pub struct PromptGroups<'a> {
    by: &'a str,
    #[serde(serialize_with = "as_groups")]
    groups: &'a [Subject],
    #[serde(skip)]
    all: usize,
}

impl<'a> PromptGroups<'a> {
    /// The first `most` of `groups`. The subject of each is its name, empty if that is not known.
    pub fn new(by: &'a str, groups: &'a [Subject], most: usize) -> Self {
        Self {
            by,
            groups: groups.get(..most).unwrap_or(groups),
            all: groups.len(),
        }
    }
}

/// The name of a group; `None` if it is not known.
fn name(group: &Subject) -> Option<&str> {
    Some(&*group.subject).filter(|name| !name.is_empty())
}

fn as_groups<S: Serializer>(groups: &&[Subject], to: S) -> Result<S::Ok, S::Error> {
    let group = |one: &Subject| {
        json!({
            "name": name(one),
            "asked": one.asked,
            "granted": one.granted,
            "refused": one.refused,
            "ambiguous": one.ambiguous,
            "open": one.open,
            "seconds_waited": one.seconds_waited,
            "waits_known": one.waits_known,
            "median_seconds": one.median_seconds,
        })
    };
    to.collect_seq(groups.iter().map(group))
}

/// A subject with its prompts, the latest first.
#[derive(Clone, Debug)]
pub struct SubjectPrompts {
    /// The subject and its sums.
    pub subject: Subject,
    /// Its prompts.
    pub prompts: Vec<LoggedPrompt>,
    /// Why those came that a rule seems to cover.
    pub although: Vec<CountedNearMiss>,
}

/// Subjects with their latest prompts, and with all rules that were offered: `report SUBJECT`.
#[derive(Clone, Debug, Serialize)]
pub struct Subjects<'a> {
    #[serde(serialize_with = "sorted")]
    subjects: Vec<DescribedSubject<'a>>,
}

impl<'a> Subjects<'a> {
    /// Those of `shown`, each with its latest `most` prompts.
    pub fn new(shown: &'a [SubjectPrompts], most: usize) -> Self {
        let described = |one: &'a SubjectPrompts| DescribedSubject {
            subject: &one.subject,
            offered: offered(&one.prompts),
            although: &one.although,
            prompts: one.prompts.get(..most).unwrap_or(&one.prompts),
            all: &one.prompts,
        };
        Self {
            subjects: shown.iter().map(described).collect(),
        }
    }
}

#[derive(Clone, Debug, Serialize)]
struct DescribedSubject<'a> {
    #[serde(flatten)]
    subject: &'a Subject,
    /// The rules that the dialog offered, the most frequent first.
    offered: Vec<Offered<'a>>,
    /// Why those came that a rule seems to cover, the most frequent reason first.
    although: &'a [CountedNearMiss],
    prompts: &'a [LoggedPrompt],
    /// All prompts, also those that are left out.
    #[serde(skip)]
    all: &'a [LoggedPrompt],
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Offered<'a> {
    rule: &'a str,
    times: usize,
}

fn offered(prompts: &[LoggedPrompt]) -> Vec<Offered<'_>> {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for rule in prompts.iter().flat_map(|one| &one.suggestions) {
        *times.entry(rule).or_default() += 1;
    }
    let rules = times.into_iter();
    let mut rules: Vec<_> = rules.map(|(rule, times)| Offered { rule, times }).collect();
    rules.sort_by_key(|offered| std::cmp::Reverse(offered.times));
    rules
}

const NOTHING: &str = "No such permission prompt yet. `plantune install` logs new ones, and `plantune import \
    claude-code` reads those in your transcripts.";

impl Show for PromptGroups<'_> {
    fn show(&self, out: &mut Terminal) {
        if self.all == 0 {
            return out.hanging("", "", NOTHING);
        }
        let mut table = Table::of(self.groups);
        table.add(main(self.by), |one| {
            one_line(name(one).unwrap_or(NOBODY), SHOWN)
        });
        table.add(number("times"), |one| one.asked);
        table.add(number("allowed"), |one| one.granted);
        table.add(number("refused"), |one| one.refused);
        table.add(number("waited"), |one| {
            let is_known = one.waits_known > 0;
            known(is_known.then(|| duration(one.seconds_waited)))
        });
        table.add(text("last").rank(1), |one| one.last_day.to_string());
        out.table(&table);
        out.more(self.all, self.groups.len());
    }
}

/// How many rules and refusals are shown.
const MOST: usize = 10;

impl Show for Subjects<'_> {
    fn show(&self, out: &mut Terminal) {
        for (number, one) in self.subjects.iter().enumerate() {
            if number > 0 {
                out.line("");
            }
            subject(one, out);
        }
    }
}

fn subject(one: &DescribedSubject<'_>, out: &mut Terminal) {
    let Subject { subject, tool, .. } = one.subject;
    let named = format!("{} ({})", one_line(subject, SHOWN), one_line(tool, SHOWN));
    out.hanging("", "  ", named);
    let reach = match one.all.first() {
        Some(latest) if latest.reach == one.subject.reach => reach(latest),
        _ => reach_in_words(one.subject.reach).to_owned(),
    };
    let reach = format!("It {reach}.");
    out.hanging("  ", "  ", reach);
    out.hanging("  ", "  ", counts(one.subject));
    out.line("");
    latest(one, out);
    let offered = one.offered.iter();
    let offered = offered.map(|Offered { rule, times }| format!("{times} × {rule}"));
    list("Rules that were offered", &offered.collect::<Vec<_>>(), out);
    let reasons = one
        .although
        .iter()
        .map(|CountedNearMiss { although, prompts }| {
            let why = near_miss_in_words(although);
            format!("{prompts} × {} in {}: {why}", although.rule, although.file)
        });
    let title = "Asked, although a rule seems to cover it";
    list(title, &reasons.collect::<Vec<_>>(), out);
    refusals(one.all, out);
}

fn latest(one: &DescribedSubject<'_>, out: &mut Terminal) {
    let moments: Vec<(String, &LoggedPrompt)> = one
        .prompts
        .iter()
        .map(|one| (out.moment(one.at), one))
        .collect();
    let mut table = Table::of(&moments);
    table.add(text("when"), |(at, _)| &**at);
    table.add(text("outcome"), |(_, one)| outcome(one));
    table.add(number("waited").rank(1), |(_, one)| {
        known(one.waited_seconds.map(duration))
    });
    table.add(text("input").least(24), |(_, one)| {
        let input = one.input.as_deref();
        known(input.map(|input| one_line(input, SHOWN)))
    });
    table.add(text("project").least(10).rank(2), |(_, one)| {
        one_line(&one.project, SHOWN)
    });
    table.add(text("id").rank(3), |(_, one)| one_line(&one.id, SHOWN));
    out.table(&table);
    out.more(one.all.len(), moments.len());
}

fn refusals(prompts: &[LoggedPrompt], out: &mut Terminal) {
    let refused = prompts.iter();
    let refused = refused.filter(|one| one.outcome == PromptOutcome::Refused);
    let refused = refused.map(|one| {
        let said = match &one.free_text {
            Some(words) => format!("\"{}\"", one_line(words, SHOWN)),
            None if one.had_nobody() => "nobody was there".to_owned(),
            None => "without a word".to_owned(),
        };
        format!("{}: {said}", out.moment(one.at))
    });
    list("Refused", &refused.collect::<Vec<_>>(), out);
}

/// The first of `lines` below a title, if there are any.
fn list(title: &str, lines: &[String], out: &mut Terminal) {
    if lines.is_empty() {
        return;
    }
    out.line(format!("\n{title}"));
    for line in lines.iter().take(MOST) {
        out.hanging("  ", "      ", one_line(line, usize::MAX));
    }
    if let more @ 1.. = lines.len().saturating_sub(MOST) {
        out.line(format!("  … and {more} more"));
    }
}

/// How often it was asked and what became of that, in a sentence.
fn counts(subject: &Subject) -> String {
    let times = match subject.asked {
        1 => "once".to_owned(),
        times => format!("{times} times"),
    };
    let mut parts = vec![
        format!("{} allowed", subject.granted),
        format!("{} refused", subject.refused),
    ];
    let others = [
        (
            subject.ambiguous,
            "unclear, because identical calls ran at once",
        ),
        (subject.open, "with no known decision"),
    ];
    let others = others.iter().filter(|(count, _)| *count > 0);
    parts.extend(others.map(|(count, what)| format!("{count} {what}")));
    let mut text = format!("Asked {times}: {}.", parts.join(", "));
    if let Some(median) = subject.median_seconds {
        text += &format!(
            " They waited {} in all, with a median of {}",
            duration(subject.seconds_waited),
            duration(median)
        );
        text += &match subject.waits_known + subject.waits_away == subject.asked {
            true => ".".to_owned(),
            false => format!(" (known for {}).", subject.waits_known),
        };
    }
    if subject.waits_away > 0 {
        text += &format!(
            " {} waited {} while you were away.",
            subject.waits_away,
            duration(subject.seconds_away)
        );
    }
    if subject.asked_again > 0 {
        text += &format!(" {} came after \"don't ask again\".", subject.asked_again);
    }
    text
}

/// How much of an input is shown, in columns.
const SHOWN_INPUT: usize = 600;

/// All that is known about `prompt`.
pub fn show_explanation(prompt: &LoggedPrompt, out: &mut Terminal) {
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
        let why = one_line(&near_miss_in_words(although), SHOWN_INPUT);
        let why = format!("{} in {}: {why}", one(&although.rule), one(&although.file));
        part("Why your rule did not apply", vec![why], out);
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

/// How far the call reaches, and why, if today's rules of reach agree with what was logged.
fn reach(prompt: &LoggedPrompt) -> String {
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
fn who(prompt: &LoggedPrompt) -> String {
    let kind = prompt.session_kind.to_string();
    let mut words = format!("{} session", one_line(&kind, SHOWN));
    if prompt.agent != claude_code::NAME {
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

/// Which events this is known from.
fn joined(prompt: &LoggedPrompt, out: &Terminal) -> String {
    match (prompt.asked_at, prompt.decided_at) {
        (Some(_), None) => {
            "The hook logged the prompt. No transcript says yet how it was decided: the session \
             may still be waiting, or its transcript is gone."
                .to_owned()
        }
        (Some(_), Some(decided)) if prompt.outcome == PromptOutcome::Ambiguous => format!(
            "The hook logged the prompt, and the transcript records a decision ({}). Identical calls ran at once, so \
             nobody can tell which one it is for. It doesn't count as evidence.",
            out.moment(decided)
        ),
        (Some(_), Some(decided)) => format!(
            "The hook logged the prompt, and the transcript records the decision ({}). Both name the same session, \
             agent, tool and input.",
            out.moment(decided)
        ),
        (None, _) if prompt.reason == Some(RefusalReason::Unknown.into()) => format!(
            "Only the transcript ({}) records it. Its version of Claude Code recorded refusals only.",
            one_line(&prompt.source, SHOWN)
        ),
        (None, _) => format!(
            "Only the transcript ({}) records it: no hook logged the prompt.",
            one_line(&prompt.source, SHOWN)
        ),
    }
}

/// How much of a subject, an input or a project is shown, in columns: enough to be copied.
pub(crate) const SHOWN: usize = 200;

/// How much of what was typed is shown in a sentence, in columns.
const SHOWN_WORDS: usize = 200;

/// How far calls reach, in a word or two; `–` when no event says.
pub(crate) fn reach_in_short(reach: Option<Reach>) -> &'static str {
    match reach {
        Some(Reach::Reads) => "reads",
        Some(Reach::Project) => "project",
        Some(Reach::Unknown) => "unknown",
        Some(Reach::Beyond) => "outside",
        None => "–",
    }
}

/// How far calls reach, as a clause behind "it".
pub(crate) fn reach_in_words(reach: Option<Reach>) -> &'static str {
    match reach {
        Some(Reach::Reads) => "reads, tests or builds",
        Some(Reach::Project) => "changes the project",
        Some(Reach::Unknown) => "does something plantune doesn't know",
        Some(Reach::Beyond) => "reaches outside the project, or can't be undone",
        None => "has an unknown reach",
    }
}

/// How a prompt was decided, in a word or two.
pub fn outcome(prompt: &LoggedPrompt) -> &'static str {
    match (prompt.outcome, prompt.known_grant()) {
        (PromptOutcome::Granted, Some(Grant::Always)) => "allowed, always",
        (PromptOutcome::Granted, Some(Grant::Session)) => "allowed, session",
        (PromptOutcome::Granted, _) => "allowed",
        (PromptOutcome::Refused, _) if prompt.had_nobody() => "nobody there",
        (PromptOutcome::Refused, _) => "refused",
        (PromptOutcome::Nobody, _) => "nobody there",
        (PromptOutcome::Ambiguous, _) => "unclear",
        (PromptOutcome::Open, _) => "open",
    }
}

/// How a prompt was decided, in a sentence without its end.
pub(crate) fn what_happened(prompt: &LoggedPrompt) -> String {
    let waited = prompt.waited_seconds.map_or_else(String::new, |seconds| {
        format!(" after {}", duration(seconds))
    });
    let (how, then) = match prompt.known_grant() {
        Some(Grant::Once) => (" once", ""),
        Some(Grant::Session) => (" for the session", ""),
        Some(Grant::Always) => ("", " and said not to ask again"),
        None => ("", ""),
    };
    let decided = match prompt.outcome {
        PromptOutcome::Granted => format!("you allowed it{how}{waited}{then}"),
        PromptOutcome::Refused if !prompt.had_nobody() => {
            format!("you refused it{waited}{}", typed(prompt))
        }
        PromptOutcome::Refused | PromptOutcome::Nobody => {
            "refused, because nobody was there".to_owned()
        }
        PromptOutcome::Ambiguous => {
            format!("decided{waited}, but nobody can tell how: identical calls ran at once")
        }
        PromptOutcome::Open => "no decision known".to_owned(),
    };
    match prompt.asked_again_after {
        Some(Grant::Session) => format!("{decided}, although you had allowed it for the session"),
        Some(_) => format!("{decided}, although you had said not to ask again"),
        None => decided,
    }
}

/// Why a rule that seems to cover a prompt does not, and what would, in a sentence.
pub fn near_miss_in_words(one: &NearMiss) -> String {
    match one.rules.as_slice() {
        [] => format!("{}.", one.why),
        rules => format!("{}. It would take {}.", one.why, rules.join(" and ")),
    }
}

fn typed(prompt: &LoggedPrompt) -> String {
    let words = prompt.free_text.as_deref();
    words.map_or_else(String::new, |words| {
        format!(": \"{}\"", one_line(words, SHOWN_WORDS))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::with_plain_spaces;

    #[test]
    fn decisions_in_words() {
        use PromptOutcome::{Granted, Open, Refused};
        let prompt = |outcome, grant: Option<Grant>, reason: Option<RefusalReason>| LoggedPrompt {
            outcome,
            grant: grant.map(Into::into),
            reason: reason.map(Into::into),
            waited_seconds: Some(65.0),
            free_text: (reason == Some(RefusalReason::Feedback))
                .then(|| "no\u{1b}[31m\nnever".to_owned()),
            ..LoggedPrompt::default()
        };
        for (shown, short, long) in [
            (
                prompt(Granted, Some(Grant::Once), None),
                "allowed",
                "you allowed it once after 1 min 05 s",
            ),
            (
                prompt(Granted, Some(Grant::Always), None),
                "allowed, always",
                "you allowed it after 1 min 05 s and said not to ask again",
            ),
            (
                prompt(Refused, None, Some(RefusalReason::Feedback)),
                "refused",
                "you refused it after 1 min 05 s: \"no never\"",
            ),
            (
                prompt(Refused, None, Some(RefusalReason::Nobody)),
                "nobody there",
                "refused, because nobody was there",
            ),
            (prompt(Open, None, None), "open", "no decision known"),
        ] {
            assert_eq!(
                (outcome(&shown), &*with_plain_spaces(&what_happened(&shown))),
                (short, long)
            );
        }
        let again = LoggedPrompt {
            asked_again_after: Some(Grant::Session),
            ..prompt(Granted, Some(Grant::Session), None)
        };
        assert_eq!(
            with_plain_spaces(&what_happened(&again)),
            "you allowed it for the session after 1 min 05 s, although you had allowed it for the session"
        );
    }
}
