//! The lake's files of events: which there are, and reading them. What is damaged or foreign is named, skipped
//! and counted.

use std::collections::{BTreeMap, BTreeSet};

use duckdb::Connection;
use plantune_ingest::parquet_pattern;
use plantune_reports::fleet::SkippedFile;
use serde::Deserialize;

use super::marker::FORMAT;
use super::name::{EVENTS, EventFile};
use super::{Entry, Lake};
use crate::database::{choose, rows};
use crate::failure::Failure;
use crate::key::OrganisationKey;

/// How many files are read in one statement, where none is damaged.
const TOGETHER: usize = 128;

/// The files of events that there are.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) files: Vec<(EventFile, Entry)>,
    pub(crate) skipped: Vec<SkippedFile>,
}

impl Listing {
    /// Lists them.
    ///
    /// # Errors
    /// The store's.
    pub(crate) fn read(lake: &Lake) -> Result<Self, Failure> {
        let mut listing = Self::default();
        for entry in lake.list(EVENTS)? {
            match EventFile::parse(&entry.path) {
                Some(file) => listing.files.push((file, entry)),
                None => listing.skipped.push(SkippedFile {
                    path: entry.path,
                    why: "not a name that plantune gives".to_owned(),
                }),
            }
        }
        Ok(listing)
    }
}

/// A file that can be read on this machine, and what it says of itself.
#[derive(Clone, Debug)]
pub(crate) struct Readable {
    pub(crate) file: EventFile,
    pub(crate) entry: Entry,
    #[cfg(feature = "spark")]
    pub(crate) rows: u64,
    pattern: String,
    /// Of a compaction's file, the publishers' files that were merged into it: names without folder.
    pub(crate) inputs: Vec<String>,
}

impl Readable {
    /// The publishers' files that were merged into it: whose, and the how-manieth.
    pub(crate) fn merged(&self) -> impl Iterator<Item = (&str, u64)> {
        self.inputs.iter().filter_map(|name| {
            let (publisher, sequence) = name.split_once('-')?;
            Some((publisher, sequence.parse().ok()?))
        })
    }
}

/// What a file says of itself at its end.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Footer {
    file: String,
    pub(crate) rows: u64,
    format: Option<String>,
    key_check: Option<String>,
    /// JSON: a list of names.
    inputs: Option<String>,
}

impl Footer {
    /// The files merged into one that says this of itself, or why it is not read.
    fn judge(&self, key_check: &str) -> Result<Vec<String>, String> {
        let format = self.format.as_ref().map(|text| text.parse::<u32>());
        match format {
            // Read as far as it is known.
            Some(Ok(_)) if self.key_check.as_deref() == Some(key_check) => {}
            Some(Ok(_)) => return Err("of an organisation with another key".to_owned()),
            _ => return Err("plantune did not write it".to_owned()),
        }
        let inputs = self.inputs.as_deref().unwrap_or("[]");
        serde_json::from_str(inputs).map_err(|error| format!("damaged: {error}"))
    }
}

/// What files say of themselves, by path.
///
/// # Errors
/// DuckDB's, of what is no Parquet file, too.
pub(crate) fn footers(
    connection: &Connection,
    patterns: &[impl AsRef<str>],
) -> Result<BTreeMap<String, Footer>, Failure> {
    choose(connection, patterns)?;
    let found = rows(connection, include_str!("../../sql/lake/footers.sql"), [])?;
    let by_path = |footer: Footer| (footer.file.clone(), footer);
    Ok(found.into_iter().map(by_path).collect())
}

/// Reads files of a lake.
pub(crate) struct Reader<'a> {
    lake: &'a Lake,
    connection: &'a Connection,
    pub(crate) skipped: Vec<SkippedFile>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(lake: &'a Lake, connection: &'a Connection) -> Self {
        Self {
            lake,
            connection,
            skipped: Vec::new(),
        }
    }

    /// The files of `files` that plantune wrote with `key`; `None` when one is gone: a compaction merged it meanwhile.
    /// With `footers_only` nothing but their ends is read on this machine.
    ///
    /// # Errors
    /// The store's.
    pub(crate) fn readable(
        &mut self,
        files: &[(EventFile, Entry)],
        key: &OrganisationKey,
        footers_only: bool,
    ) -> Result<Option<Vec<Readable>>, Failure> {
        let key_check = key.check_value();
        let mut found = Vec::new();
        for files in files.chunks(TOGETHER) {
            let mut paths = Vec::new();
            let mut patterns = Vec::new();
            for (_, entry) in files {
                let Some(path) = self.lake.on_this_machine(entry, footers_only)? else {
                    return Ok(None);
                };
                patterns.push(parquet_pattern(&path)?);
                paths.push(path);
            }
            // One by one where one of them is damaged.
            let together = footers(self.connection, &patterns).ok();
            for (((file, entry), path), pattern) in files.iter().zip(&paths).zip(patterns) {
                let footer = match &together {
                    Some(footers) => Ok(footers.get(&*path.to_string_lossy()).cloned()),
                    None => footers(self.connection, &[&pattern])
                        .map(|footers| footers.into_values().next()),
                };
                let footer = match footer {
                    Ok(footer) => footer.unwrap_or_default(),
                    Err(_) if !path.exists() => return Ok(None),
                    Err(failure) if failure.lacks_room() => return Err(failure),
                    Err(failure) => {
                        self.skip(entry, format!("damaged: {}", failure.message()));
                        continue;
                    }
                };
                match footer.judge(&key_check) {
                    Ok(inputs) => found.push(Readable {
                        file: file.clone(),
                        entry: entry.clone(),
                        #[cfg(feature = "spark")]
                        rows: footer.rows,
                        pattern,
                        inputs,
                    }),
                    Err(why) => self.skip(entry, why),
                }
            }
        }
        Ok(Some(found))
    }

    /// Runs `sql` over the files, which reads those of the variable `files`: over many at once, and one by one
    /// where that fails. Returns those that were read; `None` when one is gone.
    ///
    /// # Errors
    /// DuckDB's, of what is no file's fault.
    pub(crate) fn read(
        &mut self,
        files: &[Readable],
        sql: &str,
    ) -> Result<Option<Vec<Readable>>, Failure> {
        let mut read = Vec::new();
        for files in files.chunks(TOGETHER) {
            if self.run(files, sql).is_ok() {
                read.extend_from_slice(files);
                continue;
            }
            for file in files {
                match self.run(std::slice::from_ref(file), sql) {
                    Ok(()) => read.push(file.clone()),
                    Err(_) if self.lake.on_this_machine(&file.entry, false)?.is_none() => {
                        return Ok(None);
                    }
                    Err(failure) if failure.lacks_room() => return Err(failure),
                    Err(failure) => {
                        self.skip(&file.entry, format!("damaged: {}", failure.message()));
                    }
                }
            }
        }
        Ok(Some(read))
    }

    fn run(&self, files: &[Readable], sql: &str) -> Result<(), Failure> {
        let patterns: Vec<&str> = files.iter().map(|file| file.pattern.as_str()).collect();
        choose(self.connection, &patterns)?;
        Ok(self.connection.execute_batch(sql)?)
    }

    fn skip(&mut self, entry: &Entry, why: String) {
        let path = entry.path.clone();
        self.skipped.push(SkippedFile { path, why });
    }
}

/// How many of the publishers' files should be there and are not: publishers number their files without a gap,
/// and files that were merged name what was merged into them.
pub(crate) fn missing(listing: &Listing, read: &[Readable]) -> u64 {
    let named = listing.files.iter().filter_map(|(file, _)| file.numbered());
    let merged = read.iter().flat_map(Readable::merged);
    let known = by_publisher(named.chain(merged));
    let gaps = known.values().map(|sequences| {
        let last = sequences.last().copied().unwrap_or_default();
        last.saturating_sub(sequences.len() as u64)
    });
    gaps.sum()
}

/// The numbers of files, by their publisher.
pub(crate) fn by_publisher<'f>(
    files: impl Iterator<Item = (&'f str, u64)>,
) -> BTreeMap<&'f str, BTreeSet<u64>> {
    let mut numbers: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
    for (publisher, sequence) in files {
        numbers.entry(publisher).or_default().insert(sequence);
    }
    numbers
}

/// The format is written in every file; a test keeps the two together.
const _: () = assert!(FORMAT == 1);
