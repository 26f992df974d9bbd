//! The lake's files of events: which there are, and reading them. What is damaged or foreign is named, skipped
//! and counted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use duckdb::Connection;
use plantune_ingest::parquet_pattern;
use serde::{Deserialize, Serialize};

use super::marker::FORMAT;
use super::name::{EVENTS, EventFile, Writer};
use super::{Entry, Lake};
use crate::failure::{Failure, lacks_room};

/// How many files are read in one statement, where none is damaged.
const TOGETHER: usize = 128;

/// A file that is not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Skipped {
    pub(crate) path: String,
    pub(crate) why: String,
}

/// The files of events that there are.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) files: Vec<(EventFile, Entry)>,
    pub(crate) skipped: Vec<Skipped>,
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
                None => listing.skipped.push(Skipped {
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

/// What came of reading files.
pub(crate) enum Read<T> {
    Done(T),
    /// A file is gone: a compaction merged it meanwhile.
    Gone,
}

/// Reads files of a lake with one key.
pub(crate) struct Reader<'a> {
    pub(crate) lake: &'a Lake,
    pub(crate) connection: &'a Connection,
    pub(crate) key_check: String,
    pub(crate) skipped: Vec<Skipped>,
    /// True when nothing but the ends of files is to be read on this machine.
    pub(crate) footers_only: bool,
}

impl Reader<'_> {
    /// The files of `files` that plantune wrote with this key.
    ///
    /// # Errors
    /// The store's.
    pub(crate) fn readable(
        &mut self,
        files: &[(EventFile, Entry)],
    ) -> Result<Read<Vec<Readable>>, Failure> {
        let mut found = Vec::new();
        for files in files.chunks(TOGETHER) {
            let mut local = Vec::new();
            for (file, entry) in files {
                match self.on_this_machine(entry)? {
                    Some(path) => local.push((file, entry, pattern(&path)?, path)),
                    None => return Ok(Read::Gone),
                }
            }
            let patterns: Vec<&str> = local
                .iter()
                .map(|(.., pattern, _)| pattern.as_str())
                .collect();
            let together = self.metadata(&patterns).ok();
            for (file, entry, pattern, path) in &local {
                let about = match &together {
                    Some(about) => Ok(about.get(&path.to_string_lossy().into_owned()).cloned()),
                    None => self
                        .metadata(&[pattern])
                        .map(|about| about.into_values().next()),
                };
                let judged = match about {
                    Err(_) if !path.exists() => return Ok(Read::Gone),
                    Err(error) if lacks_room(&error) => return Err(error.into()),
                    Err(error) => Err(format!("damaged: {}", first_line(&error))),
                    Ok(about) => self.judge(&about.unwrap_or_default()),
                };
                match judged {
                    Ok(inputs) => found.push(Readable {
                        file: (*file).clone(),
                        entry: (*entry).clone(),
                        pattern: pattern.clone(),
                        inputs,
                    }),
                    Err(why) => self.skip(&entry.path, why),
                }
            }
        }
        Ok(Read::Done(found))
    }

    fn on_this_machine(&self, entry: &Entry) -> Result<Option<PathBuf>, Failure> {
        match self.footers_only {
            true => self.lake.footer(entry),
            false => self.lake.local(entry),
        }
    }

    /// The files merged into one that says `about` of itself, or why it is not read.
    fn judge(&self, about: &BTreeMap<String, String>) -> Result<Vec<String>, String> {
        let format: Option<u32> = about
            .get("plantune_lake")
            .and_then(|text| text.parse().ok());
        match format {
            None => return Err("plantune did not write it".to_owned()),
            // Read as far as it is known.
            Some(_) if about.get("plantune_key_check") == Some(&self.key_check) => {}
            Some(_) => return Err("of an organisation with another key".to_owned()),
        }
        let inputs = about
            .get("plantune_inputs")
            .map(|text| serde_json::from_str(text));
        match inputs {
            None => Ok(Vec::new()),
            Some(inputs) => inputs.map_err(|error| format!("damaged: {error}")),
        }
    }

    /// What files say of themselves, by path.
    fn metadata(
        &self,
        patterns: &[&str],
    ) -> Result<BTreeMap<String, BTreeMap<String, String>>, duckdb::Error> {
        self.choose(patterns)?;
        let sql = include_str!("../../sql/lake/metadata.sql");
        let mut statement = self.connection.prepare(sql)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let mut about: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for row in rows {
            let (file, key, value): (String, String, String) = row?;
            about.entry(file).or_default().insert(key, value);
        }
        Ok(about)
    }

    /// How many rows files say that they have, by path.
    ///
    /// # Errors
    /// The store's.
    #[cfg(feature = "spark")]
    pub(crate) fn row_counts(
        &self,
        files: &[Readable],
    ) -> Result<Read<BTreeMap<String, u64>>, Failure> {
        let mut counts = BTreeMap::new();
        for files in files.chunks(TOGETHER) {
            let mut paths = BTreeMap::new();
            for file in files {
                let Some(path) = self.on_this_machine(&file.entry)? else {
                    return Ok(Read::Gone);
                };
                paths.insert(path.to_string_lossy().into_owned(), &file.entry.path);
            }
            let patterns: Vec<&str> = files.iter().map(|file| file.pattern.as_str()).collect();
            self.choose(&patterns)?;
            let sql = include_str!("../../sql/lake/row_counts.sql");
            let mut statement = self.connection.prepare(sql)?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
            let Ok(rows) = rows.and_then(Iterator::collect::<duckdb::Result<Vec<_>>>) else {
                // Their ends have been read before.
                return Ok(Read::Gone);
            };
            for (path, count) in rows {
                let path: String = path;
                if let Some(path) = paths.get(&path) {
                    counts.insert((*path).clone(), count);
                }
            }
        }
        Ok(Read::Done(counts))
    }

    /// Runs `sql` over the files, which reads those of the variable `files`: over many at once, and one by one
    /// where that fails. Returns those that were read.
    ///
    /// # Errors
    /// DuckDB's, of what is no file's fault.
    pub(crate) fn read(
        &mut self,
        files: &[Readable],
        sql: &str,
    ) -> Result<Read<Vec<Readable>>, Failure> {
        let mut read = Vec::new();
        for files in files.chunks(TOGETHER) {
            if self.run(files, sql).is_ok() {
                read.extend_from_slice(files);
                continue;
            }
            for file in files {
                match self.run(std::slice::from_ref(file), sql) {
                    Ok(()) => read.push(file.clone()),
                    Err(_) if self.lake.local(&file.entry)?.is_none() => return Ok(Read::Gone),
                    Err(error) if lacks_room(&error) => return Err(error.into()),
                    Err(error) => {
                        self.skip(&file.entry.path, format!("damaged: {}", first_line(&error)));
                    }
                }
            }
        }
        Ok(Read::Done(read))
    }

    fn run(&self, files: &[Readable], sql: &str) -> Result<(), duckdb::Error> {
        let patterns: Vec<&str> = files.iter().map(|file| file.pattern.as_str()).collect();
        self.choose(&patterns)?;
        self.connection.execute_batch(sql)
    }

    fn choose(&self, patterns: &[&str]) -> Result<(), duckdb::Error> {
        let patterns = serde_json::to_string(patterns).unwrap_or_default();
        let sql = include_str!("../../sql/lake/choose.sql");
        self.connection.execute(sql, [patterns])?;
        Ok(())
    }

    fn skip(&mut self, path: &str, why: String) {
        self.skipped.push(Skipped {
            path: path.to_owned(),
            why,
        });
    }
}

fn pattern(path: &Path) -> Result<String, Failure> {
    Ok(parquet_pattern(path)?)
}

fn first_line(error: &duckdb::Error) -> String {
    error
        .to_string()
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// How many of the publishers' files should be there and are not: publishers number their files without a gap,
/// and files that were merged name what was merged into them.
pub(crate) fn missing(listing: &Listing, read: &[Readable]) -> u64 {
    let mut known: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
    let named = listing
        .files
        .iter()
        .filter_map(|(file, _)| match &file.writer {
            Writer::Publisher(publisher, sequence) => Some((publisher.as_str(), *sequence)),
            Writer::Compaction(_) => None,
        });
    let merged = read.iter().flat_map(Readable::merged);
    for (publisher, sequence) in named.chain(merged) {
        known.entry(publisher).or_default().insert(sequence);
    }
    let gaps = known.values().map(|sequences| {
        let last = sequences.last().copied().unwrap_or_default();
        last.saturating_sub(sequences.len() as u64)
    });
    gaps.sum()
}

/// The format is written in every file; a test keeps the two together.
const _: () = assert!(FORMAT == 1);
