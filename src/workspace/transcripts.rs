//! The transcripts of Claude Code that changed since they were read.

use std::collections::BTreeMap;
use std::fs;
use std::io::{IsTerminal as _, stderr};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use plantune_domain::paths::{Paths, create_private_dir};
use plantune_domain::platform::modified_ns;
use plantune_domain::registry::Registry;
use plantune_domain::{atomic_file, private_file};
use plantune_ingest::{Error, Import, Progress, Writer, claude_code};

use crate::terminal::{self, progress::Bar};
use crate::workspace::environment::Environment;

/// More than the record is ever long, in bytes.
const LONGEST: u64 = 64 * 1024 * 1024;

/// How long reading may take before it is said.
const QUIET: Duration = Duration::from_secs(1);

/// Transcripts by their paths: length in bytes, and time of the last change (nanoseconds since 1970).
type Known = BTreeMap<String, (u64, i64)>;

/// The transcripts that are new, or were changed since they were read.
#[derive(Default)]
pub(crate) struct Unread {
    paths: Vec<PathBuf>,
    /// How many there are, those that are known included.
    all: usize,
    /// Each as it is now.
    pub(super) known: Known,
}

impl Unread {
    /// Those in the folder of `environment`, by one look at sizes and times. What cannot be looked at is left to
    /// `plantune import`, which says so.
    pub(crate) fn find(environment: &Environment) -> Self {
        let folder = environment
            .transcripts
            .as_ref()
            .map(|root| root.join("projects"));
        let Some(folder) = folder.filter(|folder| folder.is_dir()) else {
            return Self::default();
        };
        let was_known = read_record(&environment.paths);
        let paths = claude_code::transcripts(&folder).unwrap_or_default();
        let folder = folder.to_string_lossy();
        // Those of another folder may be looked at in turn.
        let elsewhere = was_known
            .iter()
            .filter(|(name, _)| !name.starts_with(&*folder));
        let mut found = Self {
            all: paths.len(),
            known: elsewhere.map(|(name, was)| (name.clone(), *was)).collect(),
            ..Self::default()
        };
        for path in paths {
            let Ok(metadata) = fs::metadata(&path) else {
                continue;
            };
            let now = (metadata.len(), modified_ns(&metadata));
            // A name that is no text is not on record, and read every time.
            let was = path.to_str().and_then(|name| was_known.get(name));
            found
                .known
                .extend(path.to_str().map(|name| (name.to_owned(), now)));
            if was != Some(&now) {
                found.paths.push(path);
            }
        }
        found
    }

    /// True when there is nothing to read.
    pub(crate) fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// True when there are transcripts, new or not.
    pub(crate) fn is_of_some(&self) -> bool {
        self.all > 0
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
    ) -> Result<Import, Error> {
        let progress = Progress::default();
        let bar = Bar::watch("reading transcripts", &progress);
        let import = writer.import(
            "claude-code",
            environment.now,
            &progress,
            |prompts, sink| claude_code::read_paths(&self.paths, registry, prompts, sink),
        )?;
        drop(bar);
        write_record(&environment.paths, &self.known);
        Ok(import)
    }

    /// [`Unread::read`], which is said where it takes long.
    ///
    /// # Errors
    /// Those of [`Unread::read`].
    pub(crate) fn read_aside(
        &self,
        writer: &mut Writer,
        registry: &Registry,
        environment: &Environment,
    ) -> Result<(), Error> {
        let began = Instant::now();
        self.read(writer, registry, environment)?;
        // Only a person wonders what took so long.
        if began.elapsed() > QUIET && stderr().is_terminal() {
            let transcripts = match self.paths.len() {
                1 => "a transcript that is new".to_owned(),
                count => format!("{count} transcripts that are new"),
            };
            let seconds = began.elapsed().as_secs_f64();
            terminal::say(&format!("plantune: read {transcripts} in {seconds:.1} s\n"));
        }
        Ok(())
    }
}

fn read_record(paths: &Paths) -> Known {
    private_file::read(&paths.transcripts(), LONGEST)
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .unwrap_or_default()
}

/// What goes wrong costs reading them again.
pub(super) fn write_record(paths: &Paths, known: &Known) {
    let path = paths.transcripts();
    let folder = path.parent().map(create_private_dir);
    if let (Some(Ok(_)), Ok(bytes)) = (folder, serde_json::to_vec(known)) {
        let _ = atomic_file::replace(&path, &bytes, 0o600);
    }
}
