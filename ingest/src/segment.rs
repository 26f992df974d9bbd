//! The files of the log: their names, the list of them, and their bytes in chunks of whole lines.

use std::fs::{File, Metadata};
use std::io::{Read as _, Seek as _, SeekFrom, Take};
use std::path::{Path, PathBuf};
use std::{fs, io};

use chrono::{DateTime, NaiveDate};
use memchr::{memchr, memrchr};
use plantune_domain::{clock, hash};

/// How a segment is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Parquet, written once from closed days.
    Sealed,
    /// JSONL, as hooks and imports append to it.
    Lines,
}

/// The name of a segment: hot (`2026-11-20.jsonl`, `import-claude-code-2026-11-20.jsonl`) or sealed
/// (`2026-11.parquet`, a month). Names are ordered as they are read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SegmentName {
    /// The name without its ending.
    stem: String,
    format: Format,
}

impl SegmentName {
    /// Parses a file name; `None` when it is not a segment's.
    pub fn parse(file_name: &str) -> Option<Self> {
        let name = |stem: &str, format| Self {
            stem: stem.to_owned(),
            format,
        };
        if let Some(month) = file_name.strip_suffix(".parquet") {
            return first_day(month).map(|_| name(month, Format::Sealed));
        }
        let stem = file_name.strip_suffix(".jsonl")?;
        Some(name(stem, Format::Lines))
    }

    /// The sealed segment of the month that `day` is in.
    pub fn sealed(day: NaiveDate) -> Self {
        Self {
            stem: day.format("%Y-%m").to_string(),
            format: Format::Sealed,
        }
    }

    /// How it is written.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The file's name.
    pub fn file_name(&self) -> String {
        let stem = &self.stem;
        match self.format {
            Format::Sealed => format!("{stem}.parquet"),
            Format::Lines => format!("{stem}.jsonl"),
        }
    }

    /// The UTC day in the name of a hot segment that plantune writes: the hook's (`DAY.jsonl`) or an import's
    /// (`import-SOURCE-DAY.jsonl`). `None` for a name that plantune does not give.
    pub fn day(&self) -> Option<NaiveDate> {
        if self.format == Format::Sealed {
            return None;
        }
        let stem = &self.stem;
        let (writer, day) = stem.split_at_checked(stem.len().checked_sub("2026-11-20".len())?)?;
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let source = writer
            .strip_prefix("import-")
            .and_then(|name| name.strip_suffix('-'));
        let is_import = source.is_some_and(|name| !name.is_empty() && name.chars().all(plain));
        let parsed: NaiveDate = day.parse().ok()?;
        ((writer.is_empty() || is_import) && parsed.to_string() == day).then_some(parsed)
    }

    /// The first day of the month that a sealed segment holds.
    pub fn month(&self) -> Option<NaiveDate> {
        (self.format == Format::Sealed).then(|| first_day(&self.stem))?
    }

    /// True for a segment that the hook writes, not an import.
    pub fn is_of_hook(&self) -> bool {
        self.day().is_some() && !self.stem.starts_with("import-")
    }
}

/// The first day of `month`, `YYYY-MM`.
fn first_day(month: &str) -> Option<NaiveDate> {
    let first: NaiveDate = format!("{month}-01").parse().ok()?;
    (first.format("%Y-%m").to_string() == month).then_some(first)
}

/// How many bytes before a checkpoint are hashed.
const TAIL_BYTES: u64 = 4096;

/// One file of the log, with its size and time as last read from the file system.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) name: SegmentName,
    pub(crate) path: PathBuf,
    /// In bytes. Anything appended later waits for the next run.
    pub(crate) length: u64,
    /// When it was last modified, in nanoseconds since 1970.
    pub(crate) modified_ns: i64,
}

impl Segment {
    pub(crate) fn new(name: SegmentName, path: PathBuf, metadata: &Metadata) -> Self {
        Self {
            name,
            path,
            length: metadata.len(),
            modified_ns: clock::modified_ns(metadata),
        }
    }

    /// The day in its name, otherwise the day of its last change (UTC), in days since 1970.
    pub(crate) fn day(&self) -> i32 {
        let changed = DateTime::from_timestamp_nanos(self.modified_ns).date_naive();
        let day = self.name.day().unwrap_or(changed);
        i32::try_from((day - NaiveDate::default()).num_days()).unwrap_or_default()
    }

    /// [`hash_before`] of this file; `None` at the start, and for a segment that is read whole.
    pub(crate) fn tail_before(&self, offset: u64) -> io::Result<Option<String>> {
        if offset == 0 || self.name.format() != Format::Lines {
            return Ok(None);
        }
        let hash = File::open(&self.path).and_then(|file| hash_before(&file, offset));
        Ok(Some(hash.map_err(|error| named(&error, &self.path))?))
    }
}

/// A hash of the last 4 KiB of `file` before `offset`, which shows whether a file that has grown still begins with
/// what was read.
pub(crate) fn hash_before(mut file: &File, offset: u64) -> io::Result<String> {
    let start = offset.saturating_sub(TAIL_BYTES);
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(offset - start).read_to_end(&mut tail)?;
    Ok(hash::hex(&["tail", &hash::to_hex(&tail)]))
}

/// The segments in the folder `events` in the order of their names, which is the order of days.
pub(crate) fn list(events: &Path) -> io::Result<Vec<Segment>> {
    let entries = match fs::read_dir(events) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(named(&error, events)),
    };
    let mut segments = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let file_name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(name) = SegmentName::parse(&file_name) else {
            continue;
        };
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => {
                segments.push(Segment::new(name, path, &metadata));
            }
            // A folder, a pipe, a broken link, or a file that is gone by now.
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(named(&error, &path)),
        }
    }
    segments.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(segments)
}

/// `error` with the path it is about.
pub(crate) fn named(error: &io::Error, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// `path` escaped for DuckDB's file patterns, so that brackets, question marks and stars stand for themselves. A pattern
/// is cut at each backslash, which is therefore written as one of the three characters around it.
///
/// # Errors
/// When the path is not UTF-8.
pub fn pattern(path: &Path) -> io::Result<String> {
    let mut pattern = String::new();
    for c in text(path)?.chars() {
        match c {
            '*' | '?' | '[' => pattern.extend(['[', c, ']']),
            '\\' => pattern.push_str("[[-^]"),
            c => pattern.push(c),
        }
    }
    Ok(pattern)
}

/// `path` as text.
pub(crate) fn text(path: &Path) -> io::Result<&str> {
    path.to_str().ok_or_else(|| {
        let message = format!("{}: not UTF-8", path.display());
        io::Error::new(io::ErrorKind::Unsupported, message)
    })
}

/// The approximate size of a chunk in bytes, unless the segment ends: enough for a few thousand events.
pub(crate) const CHUNK_BYTES: usize = 2 * 1024 * 1024;

/// Lines longer than this are not events: hooks and imports write at most 64 KiB.
pub(crate) const MAX_LINE_BYTES: usize = 1024 * 1024;

/// How many bytes of an overlong line are kept.
pub(crate) const KEPT_OF_LONG_LINE: usize = 64 * 1024;

/// Whole lines of a segment, the last newline included.
#[derive(Debug)]
pub(crate) struct Chunk {
    /// Where the bytes begin in the segment.
    pub(crate) offset: u64,
    pub(crate) bytes: Vec<u8>,
    /// For a line too long to be an event: its whole length. `bytes` then contains its beginning.
    pub(crate) long_line: Option<u64>,
}

/// Reads a segment chunk by chunk. A line without its newline is left for later.
pub(crate) struct ChunkReader {
    content: Take<File>,
    segment: Segment,
    offset: u64,
    /// The bytes after the last newline.
    rest: Vec<u8>,
}

impl ChunkReader {
    /// Opens `segment` at `offset`.
    pub(crate) fn open(segment: &Segment, offset: u64) -> io::Result<Self> {
        let named = |error| named(&error, &segment.path);
        let mut file = File::open(&segment.path).map_err(named)?;
        file.seek(SeekFrom::Start(offset)).map_err(named)?;
        Ok(Self {
            content: file.take(segment.length.saturating_sub(offset)),
            segment: segment.clone(),
            offset,
            rest: Vec::new(),
        })
    }

    /// Where the next chunk begins.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// True when an unfinished line follows the last chunk.
    pub(crate) fn ends_torn(&self) -> bool {
        !self.rest.is_empty()
    }

    /// The next chunk; `None` when no complete line is left.
    pub(crate) fn next(&mut self) -> io::Result<Option<Chunk>> {
        let mut bytes = std::mem::take(&mut self.rest);
        // How many bytes of an overlong line were read and discarded.
        let mut skipped = 0;
        loop {
            let old = bytes.len();
            let wanted = CHUNK_BYTES.saturating_sub(old).max(CHUNK_BYTES / 2) as u64;
            let read = (&mut self.content).take(wanted).read_to_end(&mut bytes);
            let read = read.map_err(|error| named(&error, &self.segment.path))?;
            let end = match bytes.get(old..) {
                Some(new) if skipped > 0 => memchr(b'\n', new).map(|end| old + end),
                _ => memrchr(b'\n', &bytes),
            };
            if let Some(end) = end {
                self.rest = bytes.split_off(end + 1);
                let (offset, length) = (self.offset, skipped + bytes.len() as u64);
                self.offset += length;
                if skipped > 0 {
                    bytes.truncate(KEPT_OF_LONG_LINE);
                }
                return Ok(Some(Chunk {
                    offset,
                    bytes,
                    long_line: (skipped > 0).then_some(length),
                }));
            }
            if read == 0 {
                // Still being written, or torn: it waits for its newline.
                self.rest = bytes;
                return Ok(None);
            }
            if bytes.len() > MAX_LINE_BYTES {
                skipped += (bytes.len() - KEPT_OF_LONG_LINE) as u64;
                bytes.truncate(KEPT_OF_LONG_LINE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::list;
    use super::*;
    use std::io::Write as _;

    #[test]
    fn names_formats_and_days() {
        use Format::{Lines, Sealed};
        for (name, format, day) in [
            ("2026-11-20.jsonl", Lines, Some("2026-11-20")),
            (
                "import-claude-code-2026-11-20.jsonl",
                Lines,
                Some("2026-11-20"),
            ),
            ("copy.jsonl", Lines, None),
            ("import-2026-11-20.jsonl", Lines, None),
            ("import-A-2026-11-20.jsonl", Lines, None),
            ("2026-02-30.jsonl", Lines, None),
            ("2026-2-3.jsonl", Lines, None),
            ("+2026-02-03.jsonl", Lines, None),
            ("2026-11.parquet", Sealed, None),
        ] {
            let parsed = SegmentName::parse(name).unwrap();
            assert_eq!(parsed.format(), format);
            assert_eq!(parsed.file_name(), name);
            let found = parsed.day().map(|day| day.to_string());
            assert_eq!(found.as_deref(), day, "{name}");
        }
        for name in [
            "",
            "a.gz",
            "a.jsonl.gz",
            "a.jsonl.tmp",
            "a.json",
            "2026-13.parquet",
            "2026-1.parquet",
            "a.parquet",
            "2026-11.parquet.tmp",
        ] {
            assert_eq!(SegmentName::parse(name), None, "{name}");
        }
        let day = "2026-02-28".parse().unwrap();
        let sealed = SegmentName::sealed(day);
        assert_eq!(sealed.file_name(), "2026-02.parquet");
        assert_eq!(sealed.month(), "2026-02-01".parse().ok());
    }

    #[test]
    fn earlier_days_come_first() {
        let mut names = ["b.jsonl", "a.jsonl", "2026-11-20.jsonl", "2026-11.parquet"]
            .map(|name| SegmentName::parse(name).unwrap());
        names.sort();
        assert_eq!(
            names.map(|name| name.file_name()),
            ["2026-11.parquet", "2026-11-20.jsonl", "a.jsonl", "b.jsonl"]
        );
    }

    #[test]
    fn only_readable_files_are_segments() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        File::create(path("2026-11-20.jsonl")).unwrap();
        fs::create_dir(path("2026-11-19.jsonl")).unwrap();
        let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, path(name)).unwrap();
        link("nowhere", "2026-11-18.jsonl");
        assert_eq!(list(folder.path()).unwrap().len(), 1);
        link("2026-11-17.jsonl", "2026-11-17.jsonl");
        let error = list(folder.path()).unwrap_err();
        assert!(error.to_string().contains("2026-11-17.jsonl"), "{error}");
    }

    fn segment(folder: &tempfile::TempDir, content: &[u8]) -> Segment {
        let path = folder.path().join("2026-11-20.jsonl");
        File::create(&path).unwrap().write_all(content).unwrap();
        list(folder.path()).unwrap().remove(0)
    }

    fn chunks(content: &[u8], offset: u64) -> Vec<(u64, usize, Option<u64>)> {
        let folder = tempfile::tempdir().unwrap();
        let mut reader = ChunkReader::open(&segment(&folder, content), offset).unwrap();
        let mut found = Vec::new();
        while let Some(chunk) = reader.next().unwrap() {
            found.push((chunk.offset, chunk.bytes.len(), chunk.long_line));
        }
        found
    }

    #[test]
    fn a_torn_line_at_the_end_waits() {
        assert_eq!(chunks(b"one\ntwo\nthr", 0), [(0, 8, None)]);
        assert_eq!(chunks(b"one\ntwo\nthree\n", 8), [(8, 6, None)]);
        assert_eq!(chunks(b"thr", 0), []);
    }

    #[test]
    fn a_long_line_is_skipped() {
        let mut content = b"one\n".to_vec();
        content.extend(vec![b'x'; 2 * CHUNK_BYTES]);
        content.extend(b"\ntwo\n");
        let long = 2 * CHUNK_BYTES as u64 + 1;
        assert_eq!(
            chunks(&content, 0),
            [
                (0, 4, None),
                (4, KEPT_OF_LONG_LINE, Some(long)),
                (4 + long, 4, None)
            ]
        );
    }

    #[test]
    fn chunks_cover_every_byte() {
        let line = [&[b'y'; 999][..], b"\n"].concat();
        let content = line.repeat(9000);
        let found = chunks(&content, 1000);
        assert!(found.len() > 3);
        assert_eq!(found[0].0, 1000);
        let bytes: usize = found.iter().map(|chunk| chunk.1).sum();
        assert_eq!(bytes, content.len() - 1000);
    }
}
