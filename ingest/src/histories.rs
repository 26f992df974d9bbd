//! The histories of agents other than Claude Code, turned into the events that the hook would have logged for their
//! questions, under the same ids.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

use aho_corasick::packed::Searcher;
use plantune_agents::installed::{
    AT_ONCE, Database, HistoryCall, HistoryEnding, HistoryFile, HistoryFormat, HistoryPlace,
    ToolCall,
};
use plantune_agents::{Installed, call_id, in_event, questions_digest};
use plantune_domain::hash;
use plantune_domain::json::lenient_json;
use plantune_domain::permissions::{describe, digest, input_in_history};
use plantune_domain::registry::Registry;
use rayon::prelude::*;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::Progress;
use crate::claude_code::call::{CallOrigin, QuestionCall, in_utc};
use crate::claude_code::decision::{CallDecision, Decided, MayPrompt};
use crate::claude_code::emitter::Emitter;
use crate::claude_code::judged::JudgedCall;
use crate::claude_code::lines::{FileLines, MOST_BYTES, text};
use crate::claude_code::transcript::are_one_key;
use crate::claude_code::{FILES_AT_ONCE, Prompts, Sink, TranscriptSummary, UnreadableFile};
use crate::unpacked::Unpacked;
use crate::{Error, claude_code};

/// How many calls with the same questions each session has had.
type CallCounts = HashMap<(String, String), u32>;

/// Gives every question of the history of `agent` at `root`, its folder or one file, to `sink`, and how `prompts` for
/// permission were decided, and returns what was found.
///
/// # Errors
/// When there is nothing at `root`, when it cannot be read, and whatever `sink` returns.
pub fn read(
    agent: &'static dyn Installed,
    root: &Path,
    registry: &Registry,
    prompts: Prompts,
    progress: &Progress,
    sink: Sink<'_>,
) -> Result<TranscriptSummary, Error> {
    let (paths, unreadable) = files(agent, root)?;
    let found = read_paths(agent, &paths, registry, prompts, progress, sink)?;
    Ok(TranscriptSummary {
        unreadable_files: [unreadable, found.unreadable_files].concat(),
        ..found
    })
}

/// The files of the history of `agent` at `root`, the database first, then those of each folder sorted by path; and the
/// files and folders that cannot be looked at.
///
/// # Errors
/// When there is nothing at `root`, or it cannot be read.
pub fn files(
    agent: &'static dyn Installed,
    root: &Path,
) -> Result<(Vec<PathBuf>, Vec<UnreadableFile>), Error> {
    let mut summary = TranscriptSummary::default();
    let history = &agent.facts().history;
    let database = history.database.map(|database| root.join(database.file));
    let mut found: Vec<PathBuf> = database.filter(|file| file.is_file()).into_iter().collect();
    let folders = history.folders.iter().map(|folder| root.join(folder));
    let mut folders: Vec<PathBuf> = folders.filter(|folder| folder.is_dir()).collect();
    if folders.is_empty() && found.is_empty() {
        // One of the folders, or a file.
        folders.push(root.to_owned());
    }
    let is_other =
        |path: &Path| is_compressed(path) || history.documents.is_some_and(|all| all.is_one(path));
    for folder in folders {
        found.extend(claude_code::below(&folder, &is_other, &mut summary)?);
    }
    Ok((found, summary.unreadable_files))
}

/// True for the name of a compressed file of lines.
fn is_compressed(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.ends_with(".jsonl.zst"))
}

/// [`read`] for the files in `paths` alone.
///
/// # Errors
/// Whatever `sink` returns.
pub fn read_paths(
    agent: &'static dyn Installed,
    paths: &[PathBuf],
    registry: &Registry,
    prompts: Prompts,
    progress: &Progress,
    sink: Sink<'_>,
) -> Result<TranscriptSummary, Error> {
    let history = &agent.facts().history;
    let mut emitter = Emitter::new(prompts, sink);
    emitter.of = (history.source, in_event(agent));
    // Histories do not say who was asked.
    emitter.needs_prompt = true;
    let words = words(history);
    let mut counts = CallCounts::new();
    claude_code::begin_reading(paths, progress);
    for paths in paths.chunks(FILES_AT_ONCE) {
        let (paths, prompts) = (paths.par_iter(), &emitter.prompts);
        let read = paths.map(|path| read_one(agent, &words, path, prompts, progress));
        let read: Vec<_> = read.collect();
        let calls = read.iter().flat_map(|(file, _)| &file.calls);
        emitter.know(
            calls
                .map(|call| call.place.cwd.clone())
                .collect::<BTreeSet<_>>(),
        );
        for (file, mut summary) in read {
            summary.files = 1;
            summary.transcripts = u64::from(!file.calls.is_empty());
            emitter.summary.count(summary);
            let calls = file.calls.into_iter();
            let calls = calls.map(|call| as_logged(agent, call, &mut counts));
            for call in JudgedCall::all(calls.collect(), registry) {
                emitter.emit(&call)?;
            }
            emit_decided(&file.tools, &mut emitter)?;
        }
    }
    Ok(emitter.finish())
}

/// Has `emitter` emit how prompts were decided, from the history file of `agent` at `path`.
///
/// # Errors
/// The errors of the emitter. Unreadable parts are skipped.
pub(crate) fn read_decisions(
    agent: &'static dyn Installed,
    path: &Path,
    emitter: &mut Emitter<'_>,
) -> Result<(), Error> {
    let history = &agent.facts().history;
    emitter.of = (history.source, in_event(agent));
    let progress = Progress::default();
    let (file, summary) = read_one(agent, &words(history), path, &emitter.prompts, &progress);
    emitter.summary.count(summary);
    emit_decided(&file.tools, emitter)
}

/// The contents of the file at `path`, with counts of what could not be read.
fn read_one(
    agent: &dyn Installed,
    words: &WordSearchers,
    path: &Path,
    prompts: &Prompts,
    progress: &Progress,
) -> (HistoryFile, TranscriptSummary) {
    let mut summary = TranscriptSummary::default();
    let mut file = HistoryFile {
        // Most files are named after the session. Otherwise the lines give it.
        place: HistoryPlace {
            session: path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            ..HistoryPlace::default()
        },
        path: path.to_owned(),
        ..HistoryFile::default()
    };
    let history = &agent.facts().history;
    let document = history.documents.filter(|all| all.is_one(path));
    let read = match (document, history.database) {
        (Some(document), _) => read_document(agent, document.list, words, &mut file, &mut summary),
        (None, Some(database)) => read_database(agent, database, &mut file, &mut summary),
        (None, None) => read_file(agent, words, (prompts, progress), &mut file, &mut summary),
    };
    if let Err(error) = read {
        summary.unreadable(path, &error);
    }
    (file, summary)
}

/// Emits how `calls` were decided, if that is known.
fn emit_decided(calls: &[ToolCall], emitter: &mut Emitter<'_>) -> Result<(), Error> {
    for (at, call) in calls.iter().enumerate() {
        let Some(ending) = &call.ending else {
            continue;
        };
        let Some(decision) = ending.decision else {
            continue;
        };
        let from = at.saturating_sub(AT_ONCE);
        let at_once = move |other: &&ToolCall| {
            let end = other.ending.as_ref().map_or(&other.at, |ending| &ending.at);
            other.id != call.id && other.at <= ending.at && *end >= call.at
        };
        let beside = || {
            let near = calls.iter().skip(from).take(2 * AT_ONCE);
            near.filter(|other| other.tool == call.tool).filter(at_once)
        };
        // One key press ends all prompts of an answer.
        let refused_before = || {
            let before = calls.iter().take(at).skip(from).filter(at_once);
            let ended = before.filter_map(|other| other.ending.as_ref());
            let mut refused = ended.filter(|other| matches!(other.decision, Some(Err(_))));
            refused.any(|other| are_one_key(&other.at, &ending.at))
        };
        let of = origin(&ending.at, call.place.clone());
        emitter.emit_decided(&Decided {
            decision: match decision {
                Ok(grant) => CallDecision::Granted(grant),
                Err(reason) => CallDecision::Refused(reason),
            },
            feedback: None,
            // Model providers reuse ids across sessions.
            tool_use_id: hash::hex(&["call", &of.session_id, &call.id]),
            tool_name: call.tool.clone(),
            called_at: in_utc(&call.at),
            skill: None,
            described: describe(&call.tool, &call.input, &of.cwd),
            digest: digest(&call.tool, input_in_history(&call.tool, &call.input)),
            ran_seconds: ending.ran_seconds,
            prompt: match decision {
                Err(_) if refused_before() => MayPrompt::Behind,
                _ => MayPrompt::Yes,
            },
            is_ambiguous: beside().any(|other| other.input == call.input),
            has_company: beside().next().is_some(),
            of,
        })?;
    }
    Ok(())
}

/// Searchers for the words in lines that always matter, in results and in decisions. Without words, or on a processor
/// that cannot search for several at once, every line is read.
type WordSearchers = [Option<Searcher>; 3];

fn words(history: &HistoryFormat) -> WordSearchers {
    let words = [
        history.words,
        history.words_of_results,
        history.words_of_decisions,
    ];
    words.map(Searcher::new)
}

fn read_file(
    agent: &dyn Installed,
    words: &WordSearchers,
    (prompts, progress): (&Prompts, &Progress),
    found: &mut HistoryFile,
    summary: &mut TranscriptSummary,
) -> io::Result<()> {
    let file = File::open(&found.path)?;
    if !is_compressed(&found.path) {
        return read_lines(
            agent,
            words,
            (prompts, progress),
            FileLines::of(&file, 0)?,
            (found, summary),
        );
    }
    let lines = FileLines::of_reader(Unpacked::of(BufReader::new(file)));
    read_lines(
        agent,
        words,
        (prompts, &Progress::default()),
        lines,
        (found, summary),
    )
}

fn read_lines(
    agent: &dyn Installed,
    words: &WordSearchers,
    (prompts, progress): (&Prompts, &Progress),
    mut lines: FileLines<impl io::Read>,
    (found, summary): (&mut HistoryFile, &mut TranscriptSummary),
) -> io::Result<()> {
    let mut session = (String::new(), false);
    while let Some(line) = lines.next()? {
        progress.add(line.end - line.start);
        let Some(bytes) = line.bytes else {
            summary.long_lines += 1;
            continue;
        };
        if session.0 != found.place.session {
            session = (
                found.place.session.clone(),
                prompts.are_of(&found.place.session),
            );
        }
        let awaited = words.iter().zip([true, found.awaits_result(), session.1]);
        let mut searched = awaited.filter(|(_, is_awaited)| *is_awaited);
        if !searched.any(|(words, _)| words.as_ref().is_none_or(|one| one.find(bytes).is_some())) {
            continue;
        }
        match lenient_json(&text(bytes)) {
            Ok(value) => agent.read(&value, found),
            // A line still being written is read the next time.
            Err(_) => summary.unreadable_lines += u64::from(line.is_ended),
        }
    }
    Ok(())
}

/// Reads one JSON document: first the other fields, then each item of the field `list` that contains one of the words;
/// or, without such a field, the document as one item.
fn read_document(
    agent: &dyn Installed,
    list: Option<&str>,
    words: &WordSearchers,
    found: &mut HistoryFile,
    summary: &mut TranscriptSummary,
) -> io::Result<()> {
    let file = File::open(&found.path)?;
    if file.metadata()?.len() > MOST_BYTES {
        summary.long_lines += 1;
        return Ok(());
    }
    let read = io::read_to_string(file)?;
    let matters = |item: &str| {
        let mut words = words.iter();
        words.any(|words| words.as_ref().is_none_or(|one| one.find(item).is_some()))
    };
    let Some(list) = list else {
        match lenient_json(&read) {
            _ if !matters(&read) => {}
            Ok(value) => agent.read(&value, found),
            Err(_) => summary.unreadable_lines += 1,
        }
        return Ok(());
    };
    let fields: serde_json::Result<BTreeMap<String, &RawValue>> = serde_json::from_str(&read);
    let Ok(mut fields) = fields else {
        summary.unreadable_lines += 1;
        return Ok(());
    };
    let items = fields.remove(list).map_or("[]", RawValue::get);
    let items: Vec<&RawValue> = serde_json::from_str(items).unwrap_or_default();
    let beside = fields
        .iter()
        .filter_map(|(name, value)| Some((name.clone(), lenient_json(value.get()).ok()?)));
    agent.read(&beside.collect::<Map<String, Value>>().into(), found);
    for item in items.into_iter().filter(|item| matters(item.get())) {
        match lenient_json(item.get()) {
            Ok(value) => agent.read(&value, found),
            Err(_) => summary.unreadable_lines += 1,
        }
    }
    Ok(())
}

/// Reads the rows of a database without changing it, even while another program writes to it.
fn read_database(
    agent: &dyn Installed,
    database: Database,
    found: &mut HistoryFile,
    summary: &mut TranscriptSummary,
) -> io::Result<()> {
    let path = found.path.clone();
    for row in rows(&path, database.query)? {
        match row {
            Some(row) => agent.read(&row, found),
            None => summary.unreadable_lines += 1,
        }
    }
    Ok(())
}

/// The call, with the id under which the hook logs it.
fn as_logged(
    agent: &'static dyn Installed,
    call: HistoryCall,
    counts: &mut CallCounts,
) -> QuestionCall {
    let of = origin(&call.at, call.place);
    let tool_use_id = match agent.profile().has_call_ids {
        true => call.id,
        false => {
            let of_session = (of.session_id.clone(), questions_digest(&call.questions));
            let number = counts.entry(of_session).or_insert(0);
            *number = number.saturating_add(1);
            call_id(agent, &of.session_id, &call.questions, *number)
        }
    };
    QuestionCall {
        tool: call.tool,
        tool_name: call.tool_name,
        tool_use_id,
        questions: call.questions,
        has_own_answers: false,
        of,
        skill: None,
        ending: call.ending.map(|ending| HistoryEnding {
            at: ending.at.as_deref().and_then(in_utc),
            ..ending
        }),
        answers_of_hook: None,
        is_by_person: false,
    }
}

/// Where and when something was said.
fn origin(at: &str, place: HistoryPlace) -> CallOrigin {
    CallOrigin {
        at: in_utc(at),
        session_id: place.session,
        cwd: place.cwd,
        permission_mode: place.mode,
        agent_id: place.sub_agent,
        ..CallOrigin::default()
    }
}

// Reading SQLite databases of other programs, which may be writing to them, without changing them.

/// How long to wait for a writer that has locked the database.
const PATIENCE: Duration = Duration::from_secs(5);

/// The column that holds JSON.
const JSON: &str = "data";

/// The rows that `query` finds in the database at `path`, as objects of its columns; `None` for a row whose JSON is
/// invalid.
///
/// # Errors
/// When it is not such a database, has other tables, or is locked.
pub(crate) fn rows(path: &Path, query: &str) -> io::Result<Vec<Option<Value>>> {
    if !is_open(path) {
        // Nobody writes, so it is opened as immutable. Otherwise SQLite would create files next to it.
        let rows = rows_of(path, "immutable=1", query);
        if !is_open(path) {
            return rows.map_err(io::Error::other);
        }
    }
    rows_of(path, "mode=ro", query).map_err(io::Error::other)
}

/// True when a program has the database open for writing, or has left a log for the next writer to apply.
fn is_open(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    PathBuf::from(log).exists()
}

fn rows_of(path: &Path, how: &str, query: &str) -> rusqlite::Result<Vec<Option<Value>>> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let uri = format!("file:{}?{how}", escaped(path));
    let connection = Connection::open_with_flags(uri, flags)?;
    connection.busy_timeout(PATIENCE)?;
    let mut statement = connection.prepare(query)?;
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let found = statement.query_map([], |row| object(row, &names))?;
    found.collect()
}

/// The path as a part of a URI.
fn escaped(path: &Path) -> String {
    let mut text = String::new();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                text.push(char::from(*byte));
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

fn object(row: &Row<'_>, names: &[String]) -> rusqlite::Result<Option<Value>> {
    let mut object = Map::new();
    for (index, name) in names.iter().enumerate() {
        let value = match row.get_ref(index)? {
            ValueRef::Integer(number) => number.into(),
            ValueRef::Text(text) => Value::from(String::from_utf8_lossy(text)),
            ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => Value::Null,
        };
        let value = match value.as_str() {
            Some(text) if name == JSON => match lenient_json(text) {
                Ok(value) => value,
                Err(_) => return Ok(None),
            },
            _ => value,
        };
        object.insert(name.clone(), value);
    }
    Ok(Some(object.into()))
}
