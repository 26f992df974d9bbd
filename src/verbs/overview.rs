//! `plantune` without a verb: reads every agent's transcripts, shows the report of the last weeks, and says what to do next.
//! Nothing is registered, and nothing written outside plantune's own folders.

use plantune_agents::OTHERS;
use plantune_agents::claude_code::CONFIG_DIR;
use plantune_reports::humanize::counted;
use plantune_reports::report::{PeriodKind, ReportDocument, show_overview};
use plantune_reports::text::{clean, wrap};
use plantune_settings::agents;
use plantune_settings::installed_hook::{Registered, registered};
use serde::Serialize;

use crate::document::Document;
use crate::environment::transcripts_root;
use crate::failure::Failure;
use crate::period::Period;
use crate::session::Session;
use crate::settings_change::host;
use crate::started_by::command;
use crate::terminal;
use crate::terminal::consent;
use crate::unread::{ReadHistory, Unread};
use crate::verbs::{import, report};

/// The lines of a terminal that does not say how many it has.
const LINES: usize = 24;

/// The lines for other things: the command, the prompt after it, and at least three for what was read.
const OTHER_LINES: usize = 2;
const READ_LINES: usize = 3;

/// The most rows of questions, and of prompts.
const ROWS: usize = 15;

/// Shows what the last weeks were like; as JSON where `json`.
///
/// # Errors
/// When neither transcripts nor the store can be read.
pub(crate) fn run(json: bool, session: &Session) -> Result<Document, Failure> {
    let read = read_transcripts(session);
    let period = Period::last_weeks(session.now, session.zone()?);
    let shown = report::overview(period, json, session);
    let (line, shown) = match (read, shown) {
        // The transcripts are read first, so their failure is the cause of the report's.
        (Err(failure), Err(_)) => return Err(failure),
        (Err(failure), Ok(shown)) => {
            terminal::say(&failure.to_string());
            (String::new(), shown)
        }
        (Ok(line), shown) => (line, shown?),
    };
    let (shown, findings) = shown;
    let steps = next(session, &shown)?;
    if json {
        #[derive(Serialize)]
        struct Overview {
            #[serde(flatten)]
            report: ReportDocument,
            next: Vec<NextStep>,
        }
        let document = Overview {
            report: shown,
            next: steps,
        };
        return Ok(Document::json(&document)?.with(findings));
    }
    let whole = |rows: usize| {
        let mut out = session.terminal();
        if !shown.is_empty() {
            show_overview(&shown, rows, &mut out);
            out.line("");
        }
        out.into_text() + &in_lines(&steps, session)
    };
    let others = OTHER_LINES + line.lines().count().max(READ_LINES);
    let lines = terminal::rows().unwrap_or_default().max(LINES) - others;
    let fits = |text: &String| text.lines().count() <= lines;
    let text = (1..=ROWS).rev().map(whole).find(fits);
    let text = line + &text.unwrap_or_else(|| whole(1));
    Ok(Document::text(text).with(findings))
}

/// Something that the person can do next.
#[derive(Debug, Serialize)]
struct NextStep {
    /// The command, as this person types it; nothing if there is nothing to type.
    command: Option<String>,
    /// The reason for it.
    why: String,
}

impl NextStep {
    fn new(words: &str, why: impl Into<String>) -> Self {
        Self {
            command: Some(command(words)),
            why: why.into(),
        }
    }
}

/// Adds what is new in the transcripts of all agents, and returns what was read, or why nothing could be.
fn read_transcripts(session: &Session) -> Result<String, Failure> {
    consent::may_change_log(session, &command("import claude-code"))?;
    let Some(root) = transcripts_root() else {
        return Ok(format!(
            "No transcripts of Claude Code found: neither {CONFIG_DIR} nor HOME is set.\n\n"
        ));
    };
    let folder = root.join("projects");
    if session.agent_session.is_some() {
        return Ok(String::new());
    }
    let unread = Unread::find(session).with_histories();
    if !unread.is_of_some() {
        let others: Vec<&str> = OTHERS.iter().map(|agent| agent.title()).collect();
        return Ok(format!(
            "No transcripts of Claude Code in {},\n\
             and none of {}.\n\
             If they are elsewhere, set {CONFIG_DIR}, or name the folder:\n  {}\n\n",
            clean(&folder.to_string_lossy()),
            others.join(", "),
            command("import claude-code FOLDER")
        ));
    }
    if unread.is_empty() {
        return Ok(String::new());
    }
    let found = import::import_new(&unread, session)?;
    let lines = wrap(&summary(&found), session.width);
    Ok(format!("{}\n\n", lines.join("\n")))
}

/// What was read of whom, in a sentence.
fn summary(found: &[ReadHistory]) -> String {
    let read = found.iter().map(|one| {
        let found = &one.import.found;
        let prompts = match found.granted + found.refused {
            0 => String::new(),
            many => format!(
                ", {}",
                counted(many, "permission prompt", "permission prompts")
            ),
        };
        let new = match one.import.added {
            0 => ", nothing new",
            _ => "",
        };
        format!(
            "{} of {}: {}{prompts}{new}",
            counted(found.files, "transcript", "transcripts"),
            one.agent,
            counted(found.questions, "question", "questions"),
        )
    });
    let read: Vec<String> = read.collect();
    format!("Read {}.", read.join("; "))
}

/// The next steps for the person.
fn next(session: &Session, shown: &ReportDocument) -> Result<Vec<NextStep>, Failure> {
    let mut steps = Vec::new();
    let proposed = [
        counted_or_none(
            u64::from(shown.suggestions_waiting.unwrap_or_default()),
            "proposed answer",
        ),
        counted_or_none(shown.rules.rules, "permission rule"),
    ];
    let proposed: Vec<String> = proposed.into_iter().flatten().collect();
    if !proposed.is_empty() {
        let why = format!("choose from {}", proposed.join(" and "));
        steps.push(NextStep::new("suggest", why));
    }
    let host = host(session);
    match registered(&host) {
        Registered::Nowhere => steps.push(NextStep::new(
            "install",
            "log new questions, and give the answers you choose",
        )),
        Registered::Badly(fault) => {
            let why = format!("{fault}: replace it by {}", env!("CARGO_PKG_VERSION"));
            steps.push(NextStep::new("install", why));
        }
        Registered::Well => {
            let without = agents::found(host.variable).find(|one| one.programs(&host).is_empty());
            steps.extend(without.map(|one| {
                let command = format!("install --agent {}", one.agent.name());
                NextStep::new(
                    &command,
                    format!("log the questions of {}", one.agent.title()),
                )
            }));
            if shown.is_empty() {
                steps.push(NextStep {
                    command: None,
                    why: "The hook is installed and logs what agents ask you from now on."
                        .to_owned(),
                });
            }
        }
    }
    if !shown.is_empty() {
        let days = match shown.heading.span {
            PeriodKind::LatestWeeks => "the latest seven days",
            _ => "the last seven days",
        };
        let why = format!("{days}; --html --open for your browser");
        steps.push(NextStep::new("report", why));
    }
    Ok(steps)
}

/// So many of `what`, in words; `None` without any.
fn counted_or_none(number: u64, what: &str) -> Option<String> {
    (number > 0).then(|| counted(number, what, &format!("{what}s")))
}

/// The steps as lines of at most the terminal's width.
fn in_lines(steps: &[NextStep], session: &Session) -> String {
    let commands = steps.iter().filter_map(|step| step.command.as_deref());
    let width = commands.map(str::len).max().unwrap_or_default();
    let mut out = session.terminal();
    if width > 0 {
        out.line("Next:");
    }
    for NextStep { command, why } in steps {
        match command {
            None => out.hanging("", "", why),
            Some(command) => {
                let indent = " ".repeat(width + 4);
                out.hanging(&format!("  {command:width$}  "), &indent, why);
            }
        }
    }
    out.into_text()
}
