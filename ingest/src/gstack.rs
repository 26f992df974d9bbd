//! gstack's logs of its questions: `projects/<slug>/question-log.jsonl` below its folder.
//!
//! A log contains a summary of the question and a short name of the chosen option, neither as the person read it. It
//! does not say whether anybody was there. So the kind of its sessions is unknown: they are no evidence, but the report
//! counts them.

use std::fs;
use std::path::{Path, PathBuf};

use chrono::DateTime;
use plantune_domain::event::{Event, Kind, SCHEMA_VERSION, Text, question_event_id};
use plantune_domain::keys::is_id;
use plantune_domain::secrets::{masked, masked_reply};
use plantune_domain::{clock, hash};
use serde::Deserialize;

use crate::Error;
use crate::claude_code::Sink;

/// The `source` of the events.
pub const SOURCE: &str = "import:gstack";

/// The most bytes that are read of a log.
const MOST_BYTES: u64 = 256 * 1024 * 1024;

/// The word that gstack writes when it does not know which option was chosen.
const UNKNOWN: &str = "__unknown__";

/// The writers of lines that no person chose.
const BY_MACHINE: [&str; 2] = ["auto-decided", "spawned-env-deny"];

/// Counts of an import of gstack's logs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Logs of projects.
    pub logs: u64,
    /// Questions that somebody answered.
    pub answered: u64,
    /// Questions that gstack answered by itself.
    pub auto_decided: u64,
    /// Questions whose chosen option is not known.
    pub unknown: u64,
    /// Lines that gstack did not write.
    pub unreadable_lines: u64,
    /// Preferences: project, question key, and value.
    pub preferences: Vec<(String, String, String)>,
}

/// The fields of one line of the log that are needed.
#[derive(Deserialize)]
struct Line {
    ts: String,
    skill: Option<String>,
    question_id: String,
    question_summary: Option<String>,
    door_type: Option<String>,
    user_choice: String,
    recommended: Option<String>,
    free_text: Option<String>,
    session_id: Option<String>,
    source: Option<String>,
    tool_use_id: Option<String>,
}

/// gstack's folder, from the environment that `variable` reads; `None` without a home.
pub fn default_root(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let own = set("GSTACK_STATE_ROOT").or_else(|| set("GSTACK_HOME"));
    own.map(PathBuf::from)
        .or_else(|| Some(Path::new(&set("HOME")?).join(".gstack")))
}

/// Gives the events of every log below `root` to `sink`, in the order of the projects' names.
///
/// # Errors
/// When the folder of the projects cannot be read, and the sink's.
pub fn read(root: &Path, sink: Sink<'_>) -> Result<Found, Error> {
    let mut found = Found::default();
    let projects = root.join("projects");
    let entries = fs::read_dir(&projects).map_err(|error| Error::Root(projects, error))?;
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    for folder in folders {
        let slug = folder.file_name().unwrap_or_default().to_string_lossy();
        let project = format!("gstack/{slug}");
        if let Some(text) = text_of(&folder.join("question-log.jsonl")) {
            found.logs += 1;
            for line in text.lines().filter(|line| !line.trim().is_empty()) {
                emit(line, &project, &mut found, sink)?;
            }
        }
        if let Some(text) = text_of(&folder.join("question-preferences.json"))
            && let Ok(serde_json::Value::Object(all)) = serde_json::from_str(&text)
        {
            for (key, preference) in all {
                if let (true, Some(preference)) = (is_id(&key), preference.as_str()) {
                    let preference = preference.to_owned();
                    found.preferences.push((project.clone(), key, preference));
                }
            }
        }
    }
    Ok(found)
}

fn text_of(path: &Path) -> Option<String> {
    let bytes = plantune_domain::private_file::read(path, MOST_BYTES)?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Gives the events of one line to `sink`.
fn emit(text: &str, project: &str, found: &mut Found, sink: Sink<'_>) -> Result<(), Error> {
    let line = serde_json::from_str::<Line>(text).ok();
    let dated = line.and_then(|line| {
        let at = DateTime::parse_from_rfc3339(&line.ts).ok()?;
        is_id(&line.question_id).then_some((line, clock::timestamp(at.to_utc())))
    });
    let Some((line, ts)) = dated else {
        found.unreadable_lines += 1;
        return Ok(());
    };
    // Never the call's own id: gstack's account of a call must not mix with that of the hook or a transcript.
    let call = match line.tool_use_id.as_deref().filter(|id| !id.is_empty()) {
        Some(id) => hash::hex(&["gstack", project, id, &line.question_id]),
        None => hash::hex(&["gstack", project, text.trim()]),
    };
    let id = format!("gstack-{call}");
    let by_machine = |source: &str| BY_MACHINE.contains(&source);
    let (count, kinds) = if line.source.as_deref().is_some_and(by_machine) {
        (&mut found.auto_decided, &[Kind::AutoDecided][..])
    } else if line.user_choice == UNKNOWN {
        (&mut found.unknown, &[Kind::Asked, Kind::Dismissed][..])
    } else {
        (&mut found.answered, &[Kind::Asked, Kind::Answered][..])
    };
    *count += 1;
    let mut kinds = kinds.iter();
    kinds.try_for_each(|kind| sink(&event(&line, &ts, &id, project, *kind)))
}

fn event<'a>(
    line: &'a Line,
    ts: &'a str,
    call: &'a str,
    project: &'a str,
    kind: Kind,
) -> Event<'a> {
    let is_chosen = matches!(kind, Kind::Answered | Kind::AutoDecided);
    let typed = line.free_text.as_deref().filter(|text| !text.is_empty());
    let typed = typed.filter(|_| kind == Kind::Answered);
    let asked = line.question_summary.as_deref().unwrap_or_default();
    let reply = |typed| masked_reply(&format!("{asked} {}", line.question_id), typed);
    let chosen = vec![masked(&line.user_choice).into()];
    let door = line.door_type.as_deref().filter(|door| *door == "one-way");
    let is_auto = kind == Kind::AutoDecided;
    Event {
        v: SCHEMA_VERSION,
        id: question_event_id(kind, call, 0).into(),
        ts: ts.into(),
        kind: kind.as_str().into(),
        session_id: line.session_id.as_deref().unwrap_or_default().into(),
        session_kind: "unknown".into(),
        project: project.into(),
        source: SOURCE.into(),
        tool_use_id: Some(call.into()),
        question_index: Some(0),
        question_count: Some(1),
        question_key: Some(line.question_id.as_str().into()),
        key_source: Some("marker".into()),
        question: Some(masked(asked).into()),
        recommended: line.recommended.as_deref().map(masked).map(Text::from),
        door: Some(door.unwrap_or("two-way").into()),
        door_reason: door.map(|_| "gstack".into()),
        skill: line.skill.as_deref().map(Text::from),
        answer: (is_chosen && typed.is_none()).then_some(chosen),
        free_text: typed.map(reply).map(Text::from),
        was_auto_decided: (kind == Kind::Answered).then_some(false),
        preference: is_auto.then(|| "gstack".into()),
        reason: (kind == Kind::Dismissed).then(|| "no_answer".into()),
        ..Event::default()
    }
}
