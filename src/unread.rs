//! The transcripts of Claude Code, and the histories of other agents, that changed since they were read: one look at
//! each file instead of reading it. The first screen, every verb that shows something, and `plantune import` ask here.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File, Metadata};
use std::io::{IsTerminal as _, stderr};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf, absolute};
use std::time::Instant;

use plantune_agents::{Installed, OTHERS};
use plantune_domain::clock::modified_ns;
use plantune_domain::paths::{Paths, create_private_dir};
use plantune_domain::private_file;
use plantune_domain::registry::Registry;
use plantune_ingest::claude_code::UnreadableFile;
use plantune_ingest::{
    Error, Import, Progress, Writer, claude_code, history_files, read_history_files,
};
use serde::{Deserialize, Serialize};

use crate::environment::Environment;
use crate::terminal;
use crate::terminal::Bar;

/// More than the record is ever long, in bytes.
const LONGEST: u64 = 64 * 1024 * 1024;

/// How long reading may take, in seconds, before it is said.
const QUIET_SECONDS: f64 = 1.0;

/// A file as it was when it was read: its length in bytes, and when its content and its inode last changed
/// (nanoseconds since 1970). A program can set the first of these times back, but not the second.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
struct FileState(u64, i64, i64);

impl FileState {
    fn of(file: &Metadata) -> Self {
        let seconds = file.ctime().saturating_mul(1_000_000_000);
        let changed_ns = seconds.saturating_add(file.ctime_nsec());
        Self(file.len(), modified_ns(file), changed_ns)
    }
}

/// What was read into the log.
#[derive(Default, Serialize, Deserialize)]
struct Record {
    /// The version of plantune that read it: another may find more.
    version: String,
    /// By their absolute paths.
    files: BTreeMap<String, FileState>,
    /// The segments that the log had by then.
    segments: Vec<String>,
}

impl Record {
    fn read(paths: &Paths) -> Self {
        private_file::read(&paths.transcripts(), LONGEST)
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .filter(|record: &Self| record.version == env!("CARGO_PKG_VERSION"))
            .unwrap_or_default()
    }

    /// A failure only means that the files are read again.
    fn write(files: BTreeMap<String, FileState>, paths: &Paths) {
        let record = Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            files,
            segments: segments(paths).collect(),
        };
        let path = paths.transcripts();
        let folder = path.parent().map(create_private_dir);
        if let (Some(Ok(_)), Ok(bytes)) = (folder, serde_json::to_vec(&record)) {
            let _ = private_file::replace(&path, &bytes);
        }
    }

    /// True when the log still has what was read. `gc` puts segments into a sealed one, which is trusted to have them.
    fn is_in_log(&self, paths: &Paths) -> bool {
        let there: HashSet<String> = segments(paths).collect();
        let is_sealed = there.iter().any(|name| name.ends_with(".parquet"));
        is_sealed || self.segments.iter().all(|name| there.contains(name))
    }
}

/// The names of the log's segments.
fn segments(paths: &Paths) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(paths.events()).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok())
}

/// The transcripts that are new, or were changed since they were read.
#[derive(Default)]
pub(crate) struct Unread {
    paths: Vec<PathBuf>,
    /// The files of other agents, of those whose history changed.
    histories: Vec<(&'static dyn Installed, Vec<PathBuf>)>,
    /// How many there are, those that are known included.
    all: usize,
    /// What could not be looked at.
    unreadable: Vec<UnreadableFile>,
    /// As they were read.
    known: BTreeMap<String, FileState>,
    /// As they are now, with those that are elsewhere.
    now: BTreeMap<String, FileState>,
}

/// What was found in the files of one agent.
pub(crate) struct ReadHistory {
    /// The agent, as a person calls it.
    pub(crate) agent: &'static str,
    pub(crate) import: Import,
}

impl Unread {
    /// Those in the folder of `environment`. What cannot be looked at is left to `plantune import`, which says so.
    pub(crate) fn find(environment: &Environment) -> Self {
        let mut found = Self::since(Record::read(&environment.paths));
        let folder = environment.transcripts.as_ref();
        let folder = folder.map(|root| root.join("projects"));
        if let Some(folder) = folder.filter(|folder| folder.is_dir()) {
            let listed = claude_code::transcripts(&folder);
            found.add_transcripts(&folder, listed.map(|(paths, _)| paths).unwrap_or_default());
        }
        found
    }

    /// The same with the histories of the other agents that are there.
    pub(crate) fn with_histories(mut self) -> Self {
        for agent in OTHERS.iter().copied() {
            let history = &agent.facts().history;
            let root = agent.facts().history_root(&|name| std::env::var_os(name));
            let places = history.database.map(|database| database.file).into_iter();
            let places = places.chain(history.folders.iter().copied());
            let is_kept = |root: &PathBuf| places.clone().any(|place| root.join(place).exists());
            if let Some(root) = root.filter(is_kept) {
                let listed = history_files(agent, &root);
                self.add_history(agent, listed.map(|(files, _)| files).unwrap_or_default());
            }
        }
        self
    }

    /// Those at `root` for `plantune import`: of `agent`, or of Claude Code. All of them where the log has lost what
    /// was read.
    ///
    /// # Errors
    /// When there is nothing at `root`, or it cannot be read.
    pub(crate) fn at(
        root: &Path,
        agent: Option<&'static dyn Installed>,
        environment: &Environment,
    ) -> Result<Self, Error> {
        let mut record = Record::read(&environment.paths);
        if !record.is_in_log(&environment.paths) {
            record = Record::default();
        }
        let mut found = Self::since(record);
        let (files, unreadable) = match agent {
            Some(agent) => history_files(agent, root)?,
            None => claude_code::transcripts(root)?,
        };
        // Those that cannot be opened are named each time.
        for file in &files {
            if let (Some(name), Err(_)) = (name(file), File::open(file)) {
                found.known.remove(&name);
            }
        }
        match agent {
            Some(agent) => found.add_history(agent, files),
            None => found.add_transcripts(root, files),
        }
        found.unreadable = unreadable;
        Ok(found)
    }

    fn since(record: Record) -> Self {
        Self {
            now: record.files.clone(),
            known: record.files,
            ..Self::default()
        }
    }

    fn add_transcripts(&mut self, folder: &Path, paths: Vec<PathBuf>) {
        // What is gone from the folder is forgotten. Those of another folder may be looked at in turn.
        if let Some(folder) = name(folder) {
            self.now
                .retain(|path, _| !Path::new(path).starts_with(&folder));
        }
        self.all += paths.len();
        self.paths = self.changed(paths);
    }

    fn add_history(&mut self, agent: &'static dyn Installed, files: Vec<PathBuf>) {
        let history = &agent.facts().history;
        self.all += files.len();
        // What the writer of a database added last is in a file beside it.
        let beside = |file: &PathBuf| file.with_extension("db-wal");
        let mut looked_at = files.clone();
        looked_at.extend(history.database.and_then(|_| files.first()).map(beside));
        let changed = self.changed(looked_at);
        if changed.is_empty() {
            return;
        }
        // Without ids, calls are numbered through all files.
        let by_file = agent.profile().has_call_ids;
        let is_wanted =
            |file: &PathBuf| !by_file || changed.contains(file) || changed.contains(&beside(file));
        let wanted = files.into_iter().filter(is_wanted).collect();
        self.histories.push((agent, wanted));
    }

    /// Those of `paths` that are not as they are known. All are noted as they are now.
    fn changed(&mut self, mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
        paths.retain(|path| {
            let Ok(metadata) = fs::metadata(path) else {
                return false;
            };
            let now = FileState::of(&metadata);
            // A name that is no text is not on record, and read every time.
            let Some(name) = name(path) else {
                return true;
            };
            let is_known = self.known.get(&name) == Some(&now);
            self.now.insert(name, now);
            !is_known
        });
        paths
    }

    /// True when there is nothing to read.
    pub(crate) fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.histories.is_empty()
    }

    /// True when there are transcripts, new or not.
    pub(crate) fn is_of_some(&self) -> bool {
        self.all > 0
    }

    /// How many are as they were when they were read.
    pub(crate) fn unchanged(&self) -> u64 {
        let changed = self.histories.iter().map(|(_, files)| files.len());
        let changed = changed.sum::<usize>() + self.paths.len();
        self.all.saturating_sub(changed) as u64
    }

    /// What could not be looked at.
    pub(crate) fn unreadable(&self) -> &[UnreadableFile] {
        &self.unreadable
    }

    /// Adds what they hold to the log and the store, and returns what that was.
    ///
    /// # Errors
    /// When the log or the store cannot be written.
    pub(crate) fn read(
        &self,
        writer: &mut Writer,
        registry: &Registry,
        environment: &Environment,
    ) -> Result<Vec<ReadHistory>, Error> {
        let progress = Progress::of("reading transcripts");
        let bar = Bar::watch(&progress);
        let mut found = Vec::new();
        if !self.paths.is_empty() {
            let now = environment.now;
            let import = writer.import("claude-code", now, &progress, |prompts, sink| {
                claude_code::read_paths(&self.paths, registry, prompts, &progress, sink)
            })?;
            let agent = "Claude Code";
            found.push(ReadHistory { agent, import });
        }
        for (agent, paths) in &self.histories {
            let now = environment.now;
            let import = writer.import(agent.name(), now, &progress, |prompts, sink| {
                read_history_files(*agent, paths, registry, prompts, &progress, sink)
            })?;
            let agent = agent.title();
            found.push(ReadHistory { agent, import });
        }
        drop(bar);
        Record::write(self.now.clone(), &environment.paths);
        Ok(found)
    }

    /// [`Unread::read`], which is said where it takes long.
    ///
    /// # Errors
    /// The errors of [`Unread::read`].
    pub(crate) fn read_aside(
        &self,
        writer: &mut Writer,
        registry: &Registry,
        environment: &Environment,
    ) -> Result<(), Error> {
        let began = Instant::now();
        self.read(writer, registry, environment)?;
        let seconds = began.elapsed().as_secs_f64();
        // Only a person wonders what took so long.
        if seconds > QUIET_SECONDS && stderr().is_terminal() {
            let transcripts = match self.paths.len() {
                1 => "a transcript that is new".to_owned(),
                count => format!("{count} transcripts that are new"),
            };
            terminal::say(&format!("plantune: read {transcripts} in {seconds:.1} s\n"));
        }
        Ok(())
    }
}

/// The name of a file on record.
fn name(path: &Path) -> Option<String> {
    absolute(path).ok()?.to_str().map(str::to_owned)
}
