//! Whether the spool can be read and written, and which of its lines could not become events.

use std::fs::File;
use std::io::{BufRead as _, Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::{fs, io};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use plantune_ingest::{Format, SegmentName, check_sealed};
use plantune_query::health::Contents;
use plantune_reports::humanize::counted;
use plantune_reports::text::one_line;
use serde_json::Value;

use super::{Findings, Seen, Status, word};
use crate::verbs::doctor::folders;

/// More than an event is ever long, in bytes.
const LONGEST: u64 = 128 * 1024;

/// The source that events of the hook name.
const OF_HOOK: &str = "hook";

/// How many things that stand in a segment's place are named.
const NAMED: usize = 3;

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

    /// Whether the hook logged something in it: what the command line changes stands there too. What cannot be
    /// looked into counts.
    pub(super) fn is_of_sessions(&self) -> bool {
        let Ok(file) = File::open(&self.path) else {
            return true;
        };
        let is_of_session = |line: io::Result<Vec<u8>>| {
            let line = line.unwrap_or_default();
            let event = serde_json::from_slice::<Value>(&line).unwrap_or_default();
            event.get("source").and_then(Value::as_str) == Some(OF_HOOK)
        };
        self.named.format() != Format::Lines
            || io::BufReader::new(file).split(b'\n').any(is_of_session)
    }
}

/// The segments in the folder `events`, in the order of their names; none without a folder.
///
/// # Errors
/// The errors of the file system.
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

/// Whether every segment can be read, more be written, and what else lies in their folder.
pub(super) fn check_spool(seen: &Seen<'_>, found: &mut Findings) {
    judge_spool(&seen.session.paths.events(), &seen.segments, found);
}

fn judge_spool(events: &Path, segments: &io::Result<Vec<Segment>>, found: &mut Findings) {
    let shown = events.display();
    let segments = match segments {
        Ok(segments) => segments,
        Err(error) => {
            found
                .failed(format!("{shown} cannot be read: {error}"))
                .remedy(format!("run `chmod 700 {}`", word(events)));
            return;
        }
    };
    if !events.exists() {
        return found.ok("nothing has been logged yet");
    }
    let has_faults = segments.iter().filter(|one| has_fault(one, found)).count() > 0;
    segments.iter().for_each(|one| check_end(one, found));
    let fact = |path: &Path| format!("the hook cannot log to {}", path.display());
    let is_of_hook =
        |segment: &&Segment| segment.named.is_of_hook() && segment.named.format() == Format::Lines;
    let last = segments.iter().rfind(is_of_hook);
    let is_closed = folders::folder_is_closed(events, &fact(events), found)
        || last.is_some_and(|last| folders::file_is_closed(&last.path, &fact(&last.path), found));
    if !has_faults && !is_closed {
        let size: u64 = segments.iter().map(|segment| segment.length).sum();
        let is_sealed = |segment: &&Segment| segment.named.format() == Format::Sealed;
        let sealed = match segments.iter().filter(is_sealed).count() {
            0 => String::new(),
            count => format!(", {count} of them sealed"),
        };
        let segments = counted(segments.len(), "segment", "segments");
        let size = size.div_ceil(1024);
        found.ok(format!("{segments}{sealed}, {size} KiB"));
    }
    check_unknown(events, found);
}

/// Reports what is wrong with a segment; a sealed one is read to its end. True when something is.
fn has_fault(segment: &Segment, found: &mut Findings) -> bool {
    let shown = segment.path.display();
    match File::open(&segment.path) {
        // It was just sealed or dropped.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return false,
        Err(error) => {
            found
                .failed(format!("{shown} cannot be read: {error}"))
                .remedy(format!("run `chmod 600 {}`", word(&segment.path)));
            return true;
        }
        Ok(_) => {}
    }
    let Some(Err(error)) = read_whole(segment) else {
        return false;
    };
    found
        .warning(format!("{shown} is damaged: {error}"))
        .remedy("restore it from a backup and run `plantune report`; or, without")
        .remedy("a backup, delete it: its events in the store stay");
    true
}

/// Notes where `segment` ends in half a line.
fn check_end(segment: &Segment, found: &mut Findings) {
    let is_lines = segment.named.format() == Format::Lines && segment.length > 0;
    if is_lines && is_half_a_line(segment, segment.length - 1) {
        let shown = segment.path.display();
        found
            .note(format!("{shown} ends in the middle of a line"))
            .remedy("a hook was killed, or the disk was full. Nothing else is affected:")
            .remedy("the next event starts a new line, and the half line goes to quarantine");
    }
}

/// How many events a sealed segment holds, or why it cannot be read; `None` for other ones.
fn read_whole(segment: &Segment) -> Option<io::Result<u64>> {
    match segment.named.format() {
        Format::Lines => None,
        Format::Sealed => Some(check_sealed(&segment.path)),
    }
}

/// Reports each entry of the folder `events` that has a segment's name but is not a file, and all with
/// another name together: nothing is read from these.
fn check_unknown(events: &Path, found: &mut Findings) {
    let (mut in_place, mut others) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(events).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if SegmentName::parse(&name).is_some() {
            let is_none = match fs::metadata(entry.path()) {
                Ok(about) => !about.is_file(),
                // A link that leads nowhere; what was just sealed is gone, too.
                Err(error) => error.kind() == io::ErrorKind::NotFound && entry.path().is_symlink(),
            };
            in_place.extend(is_none.then_some(name));
        // A file that is being written right now.
        } else if !name.ends_with(".parquet.tmp") {
            others.push(name);
        }
    }
    in_place.sort();
    others.sort();
    for name in in_place.iter().take(NAMED) {
        found
            .warning(format!("{name} is not a file, so nothing is read from it"))
            .remedy("move it away, so that the hook can log under that name");
    }
    if let Some(first) = others.first() {
        let message = match others.len() {
            1 => format!("1 entry among the segments is not read: {first}"),
            many => {
                format!("{many} entries among the segments are not read, such as {first}")
            }
        };
        found.note(message).remedy(
            "segments are named like 2026-11-20.jsonl or, for a sealed month, 2026-11.parquet",
        );
    }
}

/// True when what stands in `segment` behind `offset` is half a line, which waits for its end.
fn is_half_a_line(segment: &Segment, offset: u64) -> bool {
    let mut tail = Vec::new();
    let read = File::open(&segment.path).and_then(|mut file| {
        file.seek(io::SeekFrom::Start(offset))?;
        file.take(LONGEST).read_to_end(&mut tail)
    });
    read.is_ok() && (tail.len() as u64) < LONGEST && !tail.contains(&b'\n')
}

// The lines of the log that could not become events, and why.
/// How many of the latest lines are shown.
pub(super) const SHOWN: u32 = 3;

/// For how many days a line is news.
const NEWS_DAYS: i64 = 14;

/// The lines of the log that could not become events: a finding a kind of reason, and one that names the latest.
pub(super) fn check_quarantine(seen: &Seen<'_>, found: &mut Findings) {
    if let Some(contents) = seen.contents() {
        judge_quarantine(contents, seen.session.now, found);
    }
}

fn judge_quarantine(contents: &Contents, now: DateTime<Utc>, found: &mut Findings) {
    if contents.quarantine.is_empty() {
        return found.ok("every line could be read");
    }
    for lines in &contents.quarantine {
        let (words, meaning) = explain(&lines.kind);
        let status = match now.date_naive() - lines.last_day < TimeDelta::days(NEWS_DAYS) {
            true => Status::Warning,
            false => Status::Note,
        };
        let count = counted(lines.lines, "line", "lines");
        let message = format!("{count} {words}, last on {}", lines.last_day);
        found.add(status, message).remedy(meaning);
    }
    let latest = found.note("the latest lines that could not be read");
    for line in &contents.latest {
        let reason = one_line(&line.reason, 100);
        let size = counted(line.length, "byte", "bytes");
        latest.remedy(format!(
            "{} at byte {} ({size}): {reason}",
            line.segment, line.offset
        ));
    }
    latest.remedy("run `plantune doctor --quarantine` to see them all");
}

/// The fault of lines of a kind, and its meaning for the person.
fn explain(kind: &str) -> (&'static str, &'static str) {
    match kind {
        "torn" => (
            "torn off",
            "a hook was killed, or the disk was full; later events are not affected",
        ),
        "not_utf8" => (
            "not UTF-8",
            "another program wrote there, or the disk is damaged",
        ),
        "not_json" => (
            "not JSON",
            "another program wrote there, or the disk is damaged",
        ),
        "schema_version" => (
            "of an unknown schema version",
            "a newer hook wrote them; install the newest plantune, then run `plantune doctor --fix`",
        ),
        "not_an_event" => (
            "without what an event needs",
            "another program or version wrote there; try `plantune doctor --fix`",
        ),
        "too_long" => (
            "longer than an event can be",
            "the hook writes up to 64 KiB, so another program wrote there",
        ),
        _ => (
            "refused for other reasons",
            "the list below has the latest, with the reasons",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verbs::doctor::Finding;
    use plantune_query::health::Line;
    use plantune_query::health::Quarantined;

    fn folder(files: &[(&str, &[u8])]) -> (tempfile::TempDir, Vec<Segment>) {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            plantune_domain::atomic_file::replace(&folder.path().join(name), bytes, 0o600).unwrap();
        }
        let segments = segments(folder.path()).unwrap();
        (folder, segments)
    }

    fn checked(events: &Path) -> Vec<Finding> {
        let mut found = Findings::of("spool");
        judge_spool(events, &segments(events), &mut found);
        found.checks
    }

    #[test]
    fn a_torn_line_is_noted() {
        let (one, two) = ("2026-11-18.jsonl", "2026-11-19.jsonl");
        let (folder, segments) = folder(&[(one, b"a\nb\n"), (two, b"c\nto"), ("x.tmp", b"\n")]);
        assert_eq!(segments.len(), 2);
        assert_eq!(segments[0].day(), NaiveDate::from_ymd_opt(2026, 11, 18));
        let checks = checked(folder.path());
        assert_eq!(checks.len(), 3, "{checks:?}");
        assert!(checks[0].message.ends_with("ends in the middle of a line"));
        assert_eq!(checks[1].message, "2 segments, 1 KiB");
    }

    #[test]
    fn no_spool() {
        let folder = tempfile::tempdir().unwrap();
        let events = folder.path().join("events");
        assert_eq!(checked(&events)[0].message, "nothing has been logged yet");
    }

    #[test]
    fn what_is_no_segment_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let unknown = || {
            let mut found = Findings::of("spool");
            check_unknown(folder.path(), &mut found);
            super::super::text(&found)
        };
        for name in ["2026-11-20.jsonl", "2026-11.parquet.tmp"] {
            plantune_domain::spool::append_to(&path(name), b"{}\n").unwrap();
        }
        std::os::unix::fs::symlink(path("2026-11-20.jsonl"), path("2026-11-16.jsonl")).unwrap();
        assert_eq!(unknown(), "");
        plantune_domain::spool::append_to(&path("2026-11-03.jsonl.zst"), b"x").unwrap();
        assert!(unknown().contains("is not read: 2026-11-03.jsonl.zst\n"));
        plantune_domain::spool::append_to(&path("notes\u{1b}[2J"), b"x").unwrap();
        fs::create_dir(path("2026-11-17.jsonl")).unwrap();
        std::os::unix::fs::symlink("/dev/null", path("2026-11-18.jsonl")).unwrap();
        std::os::unix::fs::symlink(path("gone"), path("2026-11-19.jsonl")).unwrap();
        insta::assert_snapshot!(unknown(), @r"
        warning  spool: 2026-11-17.jsonl is not a file, so nothing is read from it
                 move it away, so that the hook can log under that name
        warning  spool: 2026-11-18.jsonl is not a file, so nothing is read from it
                 move it away, so that the hook can log under that name
        warning  spool: 2026-11-19.jsonl is not a file, so nothing is read from it
                 move it away, so that the hook can log under that name
        note     spool: 2 entries among the segments are not read, such as 2026-11-03.jsonl.zst
                 segments are named like 2026-11-20.jsonl or, for a sealed month, 2026-11.parquet
        ");
    }

    #[test]
    fn lines_are_counted_explained_and_named() {
        let time = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
        let found = |kind: &str, lines, day: &str| Quarantined {
            kind: kind.to_owned(),
            lines,
            last_day: day.parse().unwrap(),
        };
        let contents = Contents {
            quarantine: vec![
                found("torn", 2, "2026-11-19"),
                found("schema_version", 1, "2026-09-01"),
            ],
            latest: vec![Line {
                segment: "2026-11-19.jsonl".to_owned(),
                offset: 4096,
                reason: "not an event: unknown \u{1b}[31mvariant".to_owned(),
                length: 1,
                ..Line::default()
            }],
            ..Contents::default()
        };
        let mut found = Findings::of("quarantine");
        judge_quarantine(&contents, time("2026-11-20T10:00:00Z"), &mut found);
        insta::assert_snapshot!(super::super::text(&found), @r"
        warning  quarantine: 2 lines torn off, last on 2026-11-19
                 a hook was killed, or the disk was full; later events are not affected
        note     quarantine: 1 line of an unknown schema version, last on 2026-09-01
                 a newer hook wrote them; install the newest plantune, then run `plantune doctor --fix`
        note     quarantine: the latest lines that could not be read
                 2026-11-19.jsonl at byte 4096 (1 byte): not an event: unknown variant
                 run `plantune doctor --quarantine` to see them all
        ");
        let mut none = Findings::of("spool");
        judge_quarantine(
            &Contents::default(),
            time("2026-11-20T10:00:00Z"),
            &mut none,
        );
        assert_eq!(none.checks[0].status, Status::Ok);
    }

    #[test]
    fn every_kind_has_its_own_words() {
        let kinds = [
            "torn",
            "not_utf8",
            "not_json",
            "schema_version",
            "not_an_event",
            "too_long",
        ];
        for kind in kinds {
            assert_ne!(explain(kind), explain("other"), "{kind}");
        }
    }
}
