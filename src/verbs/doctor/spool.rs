//! Whether the spool can be read and written, and what in it has not been read yet.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _};
use std::path::{Path, PathBuf};

use chrono::NaiveDate;
use plantune_domain::platform::read_at;
use plantune_ingest::{Format, SegmentName, check_compressed, check_sealed};
use plantune_query::health::SegmentRead;

use plantune_reports::amount::counted;

use super::check::{Check, Status, word};
use super::writable;

const NAME: &str = "spool";

/// One file of the spool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    /// The file's name.
    pub(super) name: String,
    pub(super) named: SegmentName,
    pub(super) path: PathBuf,
    /// Its length in bytes.
    pub(super) length: u64,
}

impl Segment {
    /// The UTC day whose events it holds, when it is named for one.
    pub(super) fn day(&self) -> Option<NaiveDate> {
        self.named.day().filter(|_| self.named.is_of_hook())
    }
}

/// The segments in the folder `events`, in the order of their names; none without a folder.
///
/// # Errors
/// Those of the file system.
pub(super) fn segments(events: &Path) -> io::Result<Vec<Segment>> {
    let entries = match fs::read_dir(events) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut segments = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.into_owned();
        match (fs::metadata(&path), SegmentName::parse(&name)) {
            (Ok(metadata), Some(named)) if metadata.is_file() => {
                segments.push(Segment {
                    name,
                    named,
                    path,
                    length: metadata.len(),
                });
            }
            _ => {}
        }
    }
    segments.sort_by(|one, other| one.named.cmp(&other.named));
    Ok(segments)
}

/// Whether every segment can be read, and more be written.
pub(super) fn check(events: &Path, segments: &io::Result<Vec<Segment>>) -> Vec<Check> {
    let shown = events.display();
    let segments = match segments {
        Ok(segments) => segments,
        Err(error) => {
            let check = Check::failed(NAME, format!("{shown} cannot be read: {error}"));
            return vec![check.remedy(format!("run `chmod 700 {}`", word(events)))];
        }
    };
    if !events.exists() {
        return vec![Check::ok(NAME, "nothing has been logged yet")];
    }
    let mut checks = Vec::new();
    checks.extend(segments.iter().filter_map(check_segment));
    checks.extend(segments.iter().filter_map(check_end));
    let fact = |path: &Path| format!("the hook cannot log to {}", path.display());
    let is_of_hook =
        |segment: &&Segment| segment.named.is_of_hook() && segment.named.format() == Format::Lines;
    let last = segments.iter().rfind(is_of_hook);
    let to_last = || writable::file(NAME, &last?.path, &fact(&last?.path));
    checks.extend(writable::folder(NAME, events, &fact(events)).or_else(to_last));
    if checks.iter().all(|check| check.status == Status::Note) {
        let bytes: u64 = segments.iter().map(|segment| segment.length).sum();
        let formats = [(Format::Sealed, "sealed"), (Format::Gzip, "compressed")];
        let of = |format: Format| {
            segments
                .iter()
                .filter(move |one| one.named.format() == format)
        };
        let formats = formats.map(|(format, word)| match of(format).count() {
            0 => String::new(),
            count => format!(", {count} of them {word}"),
        });
        let formats = formats.concat();
        let segments = counted(segments.len(), "segment", "segments");
        checks.push(Check::ok(
            NAME,
            format!("{segments}{formats}, {} KiB", bytes.div_ceil(1024)),
        ));
    }
    checks
}

/// That `segment` ends in half a line, if it does. One that cannot be read is reported elsewhere.
fn check_end(segment: &Segment) -> Option<Check> {
    if segment.named.format() != Format::Lines {
        return None;
    }
    let file = File::open(&segment.path).ok()?;
    let mut last = [0];
    let at = segment.length.checked_sub(1)?;
    (read_at(&file, &mut last, at).ok()? == 1 && last != *b"\n").then(|| {
        let message = format!("{} ends in the middle of a line", segment.path.display());
        Check::note(NAME, message)
            .remedy("a hook was killed, or the disk full, while it wrote; nothing else is touched:")
            .remedy("the next event begins a line of its own, and the half one goes to quarantine")
    })
}

/// What is wrong with a segment; a compressed or sealed one is read to its end.
fn check_segment(segment: &Segment) -> Option<Check> {
    let shown = segment.path.display();
    match File::open(&segment.path) {
        // It was just sealed or dropped.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => {
            let check = Check::failed(NAME, format!("{shown} cannot be read: {error}"));
            return Some(check.remedy(format!("run `chmod 600 {}`", word(&segment.path))));
        }
        Ok(_) => {}
    }
    let error = read_whole(segment)?.err()?;
    let check = Check::warning(NAME, format!("{shown} is damaged: {error}"));
    Some(
        check
            .remedy("put the file of a backup in its place and run `plantune ingest`; or, without")
            .remedy("one, remove it: what of it is in the store stays there"),
    )
}

/// How many events a compressed or sealed segment holds, or why it cannot be read; `None` for other ones.
fn read_whole(segment: &Segment) -> Option<io::Result<u64>> {
    match segment.named.format() {
        Format::Lines => None,
        Format::Gzip => Some(check_compressed(&segment.path)),
        Format::Sealed => Some(check_sealed(&segment.path)),
    }
}

/// What the store has not read of the spool yet.
pub(super) fn check_unread(segments: &[Segment], read: &[SegmentRead]) -> Check {
    const NAME: &str = "not_ingested";
    let mut lines = 0;
    for (segment, from) in unread(segments, read) {
        match whole_lines(segment, from) {
            Ok(more) => lines += more,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            // Said already by the check of the spool itself.
            Err(error) => {
                return Check::note(NAME, format!("{} cannot be read: {error}", segment.name));
            }
        }
    }
    match lines {
        0 => Check::ok(NAME, "everything logged is in the store"),
        lines => Check::note(
            NAME,
            format!(
                "{} in the spool not in the store yet; `plantune report` loads them",
                counted(lines, "line is", "lines are")
            ),
        ),
    }
}

/// The segments with something unread, and the offset it begins at. Nothing is appended to a
/// compressed one, so what of it is in the store is all, or what there is before a damage. A segment that is shorter than
/// what was read of it was replaced or cut, and is read from its start.
fn unread<'s>(segments: &'s [Segment], read: &[SegmentRead]) -> Vec<(&'s Segment, u64)> {
    let from = |segment: &Segment| {
        let known = read.iter().find(|known| known.segment == segment.name);
        if known.is_some() && segment.named.format() != Format::Lines {
            return segment.length;
        }
        known
            .map(|known| known.offset)
            .filter(|offset| *offset <= segment.length)
            .unwrap_or(0)
    };
    segments
        .iter()
        .map(|segment| (segment, from(segment)))
        .filter(|(segment, from)| *from < segment.length)
        .collect()
}

/// How many lines of `segment` end behind the offset `from`; a torn one waits for its end.
fn whole_lines(segment: &Segment, from: u64) -> io::Result<u64> {
    if let Some(events) = read_whole(segment) {
        // One that is damaged is reported elsewhere.
        return Ok(events.unwrap_or(0));
    }
    let mut file = File::open(&segment.path)?;
    file.seek(io::SeekFrom::Start(from))?;
    let mut buffer = vec![0; 256 * 1024];
    let mut lines = 0;
    loop {
        let read = file.read(&mut buffer)?;
        let filled = buffer.get(..read).unwrap_or_default();
        if filled.is_empty() {
            return Ok(lines);
        }
        lines += filled.iter().filter(|byte| **byte == b'\n').count() as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &[u8])]) -> (tempfile::TempDir, Vec<Segment>) {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            plantune_domain::atomic_file::replace(&folder.path().join(name), bytes, 0o600).unwrap();
        }
        let segments = segments(folder.path()).unwrap();
        (folder, segments)
    }

    fn read(segment: &str, offset: u64) -> SegmentRead {
        SegmentRead {
            segment: segment.to_owned(),
            offset,
            events: 0,
            damage: None,
        }
    }

    #[test]
    fn unread_lines() {
        let (one, two) = ("2026-11-18.jsonl", "2026-11-19.jsonl");
        let (folder, segments) = folder(&[(one, b"a\nb\n"), (two, b"c\nto"), ("x.tmp", b"\n")]);
        assert_eq!(segments.len(), 2);
        assert_eq!(segments[0].day(), NaiveDate::from_ymd_opt(2026, 11, 18));
        let unread = |read: &[SegmentRead]| check_unread(&segments, read).message;
        assert!(unread(&[]).starts_with("3 lines are"));
        assert!(unread(&[read(one, 2), read(two, 2)]).starts_with("1 line is"));
        // A torn line is nobody's yet; what was cut is read again.
        assert_eq!(
            check_unread(&segments, &[read(one, 4), read(two, 2)]).status,
            Status::Ok
        );
        assert!(unread(&[read(one, 5), read(two, 2)]).starts_with("2 lines are"));
        let checks = check(folder.path(), &Ok(segments.clone()));
        assert_eq!(checks.len(), 2, "{checks:?}");
        assert!(
            checks[0]
                .message
                .ends_with("2026-11-19.jsonl ends in the middle of a line")
        );
        assert_eq!(checks[1].message, "2 segments, 1 KiB");
    }

    #[test]
    fn no_spool() {
        let folder = tempfile::tempdir().unwrap();
        let events = folder.path().join("events");
        let checks = check(&events, &segments(&events));
        assert_eq!(checks[0].message, "nothing has been logged yet");
    }
}
