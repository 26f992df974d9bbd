//! Why a question was asked or answered, and what is known about it.

use std::io::{self, Write};

use plantune_query::decisions::{Decision, PreferenceChange};
use serde::Serialize;

use crate::decisions::{Clock, labels, what_happened};
use crate::inert::one_line;
use crate::standing::{StandingPreference, note, record_in_words, state_in_words};
use crate::suggestions::answer_in_words;
use crate::text::wrap;

/// How much of a key, project or reason is shown, in characters.
const SHOWN: usize = 200;

/// Everything about one question. Serialised, it is the document of `explain --json`.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// 1.
    pub schema_version: u32,
    /// The key.
    pub question_key: String,
    /// The askings that are explained, the latest first.
    pub decisions: Vec<Decision>,
    /// What the registry says about the key, if anything.
    pub registry_door: Option<&'static str>,
    /// The preferences with this key, wherever they hold.
    pub preferences: Vec<Held>,
    /// The person's answers by name, the most frequent first.
    pub answers: Vec<Answer>,
    /// What `plantune suggest` makes of it, a project each.
    pub judgements: Vec<Judgement>,
    /// What the person changed, the latest first.
    pub changes: Vec<PreferenceChange>,
}

/// A preference with the key.
#[derive(Clone, Debug, Serialize)]
pub struct Held {
    /// What it says.
    pub preference: &'static str,
    /// The pinned label; `None` for the recommended one.
    pub answer: Option<String>,
    /// `project` or `global`.
    pub scope: &'static str,
    /// The project; `None` everywhere.
    pub project: Option<String>,
    /// When it was set (RFC 3339), if its file says so.
    pub set_at: Option<String>,
    /// What set it, if its file says so.
    pub set_by: Option<String>,
    /// The evidence when it was set.
    pub evidence: Option<serde_json::Value>,
    /// Why the hook does not obey it, if it does not.
    pub inert: Option<String>,
    /// How it stands, if it answers.
    pub standing: Option<StandingPreference>,
}

/// How often one answer was given.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The labels, `(typed)` or `(noted)`.
    pub answer: String,
    /// How often.
    pub times: u64,
}

/// What the suggestions make of the question in one project.
#[derive(Clone, Debug, Serialize)]
pub struct Judgement {
    /// The project.
    pub project: String,
    /// True when a preference is proposed.
    pub proposed: bool,
    /// The answer that comes nearest to a habit; `None` for the recommended one.
    pub answer: Option<String>,
    /// The person's answers that were looked at.
    pub answers: usize,
    /// Of these, those that it would have given.
    pub agreed: usize,
    /// Why it is not proposed.
    pub reason: Option<String>,
}

impl Explanation {
    /// Writes it for a terminal `width` columns wide.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, clock: Clock<'_>, width: usize, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", one_line(&self.question_key, SHOWN))?;
        for decision in &self.decisions {
            asking(decision, clock, width, out)?;
        }
        if let Some(door) = self.registry_door {
            writeln!(out, "\nregistry.toml: {door}")?;
        }
        writeln!(out, "\nPreferences")?;
        if self.preferences.is_empty() {
            writeln!(out, "  none: it is put to you")?;
        }
        for held in &self.preferences {
            preference(held, width, out)?;
        }
        self.evidence(out)?;
        if !self.changes.is_empty() {
            writeln!(out, "\nChanges")?;
        }
        for one in &self.changes {
            writeln!(out, "  {}  {}", clock(one.at), change(one))?;
        }
        Ok(())
    }

    fn evidence(&self, out: &mut dyn Write) -> io::Result<()> {
        let n: u64 = self.answers.iter().map(|answer| answer.times).sum();
        writeln!(out, "\nYour answers (n = {n})")?;
        for answer in &self.answers {
            let label = one_line(&answer.answer, SHOWN);
            writeln!(out, "  {} × {label}", answer.times)?;
        }
        for one in &self.judgements {
            let judged = match (&one.reason, one.proposed) {
                (_, true) => "proposed: run `plantune suggest`".to_owned(),
                (Some(reason), false) => format!("not proposed: {}", one_line(reason, SHOWN)),
                (None, false) => "not proposed".to_owned(),
            };
            writeln!(
                out,
                "  {} of {} agree ({}) in {}; {judged}",
                one.agreed,
                one.answers,
                answer_in_words(one.answer.as_deref()),
                one_line(&one.project, SHOWN)
            )?;
        }
        Ok(())
    }
}

fn asking(
    decision: &Decision,
    clock: Clock<'_>,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let question = one_line(&decision.question, width.saturating_sub(2));
    writeln!(
        out,
        "\n{}  in {}",
        clock(decision.put_at),
        one_line(&decision.project, SHOWN)
    )?;
    writeln!(out, "  {question}")?;
    writeln!(out, "  options: {}", labels(&decision.options))?;
    for line in wrap(&what_happened(decision), width.saturating_sub(2)) {
        writeln!(out, "  {line}")?;
    }
    let key = match decision.key_source.as_str() {
        "marker" => "a marker in its text",
        "registry" => "a rule of registry.toml",
        "family" => "its family: the same options and one template of text",
        _ => "the fingerprint of its header, text and options",
    };
    writeln!(out, "  recognised by {key}")?;
    match (&decision.one_way, decision.ask_reason.as_deref()) {
        (Some(rule), _) => writeln!(out, "  door: one-way ({})", one_line(rule, SHOWN))?,
        (None, Some("one_way")) => writeln!(
            out,
            "  door: one-way with the answer that would have been given"
        )?,
        (None, _) => writeln!(out, "  door: two-way")?,
    }
    match decision.recommended.as_deref() {
        Some(label) => writeln!(out, "  recommended: \"{}\"", one_line(label, SHOWN)),
        None => writeln!(out, "  recommended: nothing, or not one option alone"),
    }
}

fn preference(held: &Held, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let place = held.project.as_deref().map_or_else(
        || "everywhere".to_owned(),
        |project| format!("in {}", one_line(project, SHOWN)),
    );
    let answer = match held.preference {
        "always-ask" => String::new(),
        _ => format!(", {}", answer_in_words(held.answer.as_deref())),
    };
    let day = held.set_at.as_deref().and_then(|at| at.split('T').next());
    let set = match (day, held.set_by.as_deref()) {
        (Some(day), Some(by)) => {
            format!(" (set {} by {})", one_line(day, SHOWN), one_line(by, SHOWN))
        }
        (Some(day), None) => format!(" (set {})", one_line(day, SHOWN)),
        (None, _) => String::new(),
    };
    writeln!(out, "  {}{answer}, {place}{set}", held.preference)?;
    if let Some(evidence) = &held.evidence {
        let evidence = one_line(&evidence.to_string(), SHOWN);
        writeln!(out, "    on this evidence then: {evidence}")?;
    }
    if let Some(reason) = &held.inert {
        writeln!(out, "    not obeyed: {}", one_line(reason, SHOWN))?;
    }
    let Some(standing) = &held.standing else {
        return Ok(());
    };
    writeln!(
        out,
        "    {}: {}",
        record_in_words(&standing.standing),
        state_in_words(standing.standing.state)
    )?;
    for line in note(standing)
        .iter()
        .flat_map(|note| wrap(note, width.saturating_sub(4)))
    {
        writeln!(out, "    {line}")?;
    }
    Ok(())
}

/// A change in words: `suggest: never-ask, "Grid" in github.com/o/r`.
fn change(change: &PreferenceChange) -> String {
    let place = match change.project.as_str() {
        "" => "everywhere".to_owned(),
        project => format!("in {}", one_line(project, SHOWN)),
    };
    let what = match (&change.preference, change.answer.as_slice()) {
        (None, []) => "nothing stands since".to_owned(),
        (None, undone) => format!("{} was wrong", labels(undone)),
        (Some(preference), []) => one_line(preference, SHOWN),
        (Some(preference), pinned) => {
            format!("{}, {}", one_line(preference, SHOWN), labels(pinned))
        }
    };
    format!("{}: {what} {place}", one_line(&change.reason, SHOWN))
}
