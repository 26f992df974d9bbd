//! The events of some segments in the order of time, in bounded memory however many there are.
//!
//! A first pass looks at every part of the segments: when its events happened, and their ids. Then each part is read when
//! its time comes, and its events are held until no unread part can have an earlier one. Where too many must be held,
//! because the log is in no order at all, they go to a file in small sorted parts, which are read like the others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use chrono::NaiveDateTime;
use duckdb::Connection;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::encode::{EventLine, lines_of};
use crate::lines::decode_lines;
use crate::reader::{Part, SegmentReader};
use crate::sealed::SealedFile;
use crate::segment::{Chunk, Segment, named};
use crate::{Error, Progress};

/// How many bytes of lines are held before they go to a file, and how many are read from there at a time.
const HELD_BYTES: usize = 64 * 1024 * 1024;
const SPILLED_BYTES: usize = 256 * 1024;

/// How many parts are looked at in parallel.
const AT_ONCE: usize = 16;

/// Which events: those from `since` on and before `until` (UTC); `None` for no bound.
#[derive(Clone, Copy, Debug, Default)]
pub struct Range {
    /// The first moment.
    pub since: Option<NaiveDateTime>,
    /// The moment after the last.
    pub until: Option<NaiveDateTime>,
}

impl Range {
    /// True when something between these times, both included, is in the range.
    fn has_any(&self, (first, last): (i64, i64)) -> bool {
        let micros = |at: Option<NaiveDateTime>| at.map(|at| at.and_utc().timestamp_micros());
        micros(self.since).is_none_or(|since| last >= since)
            && micros(self.until).is_none_or(|until| first < until)
    }
}

// The first pass.

/// Where a part is: lines of the segment with this number, with their offset and length; or a row group of it.
#[derive(Clone, Copy, Debug)]
enum Place {
    Lines(usize, u64, usize),
    Rows(usize, usize),
}

/// A part that has events.
struct SurveyedPart {
    place: Place,
    /// When the first and the last of them happened.
    times: (i64, i64),
    /// The number of the first of them in the survey.
    number: usize,
}

/// What the first pass found.
pub(crate) struct Survey {
    source: Source,
    parts: Vec<SurveyedPart>,
    /// All ids, by the number of the event.
    ids: Vec<[u8; 16]>,
    /// The segments that cannot be read to their end, and why. None of their parts is among the others.
    pub(crate) unread: Vec<(Segment, Error)>,
    /// How many lines of a segment are not events.
    pub(crate) bad_lines: Vec<(Segment, u64)>,
    /// The segments that end in half a line.
    pub(crate) torn: Vec<Segment>,
}

impl Survey {
    /// Looks at all parts of `segments`.
    ///
    /// # Errors
    /// The errors of DuckDB, and those of the file system for a segment that was removed meanwhile.
    pub(crate) fn of(segments: Vec<Segment>, progress: &Progress) -> Result<Self, Error> {
        let bytes = segments.iter().map(|one| one.length).sum();
        progress.begin("looking at the log", bytes);
        let mut survey = Self {
            source: Source::default(),
            parts: Vec::new(),
            ids: Vec::new(),
            unread: Vec::new(),
            bad_lines: Vec::new(),
            torn: Vec::new(),
        };
        let mut connection = None;
        for segment in segments {
            let before = (survey.parts.len(), survey.ids.len());
            match survey.look_at(&segment, &mut connection, progress) {
                Ok(()) => {}
                Err(error @ (Error::Spool(_) | Error::Damage(_))) if !is_gone(&error) => {
                    survey.parts.truncate(before.0);
                    survey.ids.truncate(before.1);
                    survey.unread.push((segment, error));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(survey)
    }

    /// Adds the parts of `segment`.
    fn look_at(
        &mut self,
        segment: &Segment,
        connection: &mut Option<Connection>,
        progress: &Progress,
    ) -> Result<(), Error> {
        let of_segment = self.source.0.len();
        let mut reader = SegmentReader::open(segment, 0, connection)?;
        let (mut bad_lines, mut group) = (0, 0);
        loop {
            let mut parts = Vec::new();
            while parts.len() < AT_ONCE
                && let Some(part) = reader.next()?
            {
                let place = match &part {
                    Part::Lines(chunk) => Place::Lines(of_segment, chunk.offset, chunk.bytes.len()),
                    Part::Rows(_) => Place::Rows(of_segment, group),
                };
                group += 1;
                parts.push((place, part));
            }
            if parts.is_empty() {
                break;
            }
            let look = |(place, part): (Place, Part)| (place, part.bytes(), Keys::of(&part));
            let looked: Vec<_> = parts.into_par_iter().map(look).collect();
            for (place, bytes, keys) in looked {
                let keys = keys?;
                let number = self.ids.len();
                bad_lines += keys.bad_lines;
                self.ids.extend(keys.ids);
                self.parts.extend(keys.times.map(|times| SurveyedPart {
                    place,
                    times,
                    number,
                }));
                progress.add(bytes);
            }
        }
        if bad_lines > 0 {
            self.bad_lines.push((segment.clone(), bad_lines));
        }
        let sealed = match reader {
            SegmentReader::Rows(file) => Some(file),
            SegmentReader::Lines(reader) => {
                self.torn
                    .extend(reader.ends_torn().then(|| segment.clone()));
                None
            }
        };
        self.source.0.push((segment.clone(), sealed));
        Ok(())
    }

    /// All ids, in the order of the log.
    pub(crate) fn into_ids(self) -> Vec<[u8; 16]> {
        self.ids
    }

    /// The part `at`, and the number of its first event in the survey.
    pub(crate) fn part(&self, at: usize) -> Result<Option<(Part, usize)>, Error> {
        let part = self.parts.get(at);
        part.map(|part| Ok((self.source.read(part.place)?, part.number)))
            .transpose()
    }

    /// The numbers of the events whose id an earlier one has, sorted. Forgets the ids.
    pub(crate) fn copies(&mut self) -> Vec<usize> {
        let ids = std::mem::take(&mut self.ids);
        let id = |number: &usize| ids.get(*number);
        let mut numbers: Vec<usize> = (0..ids.len()).collect();
        numbers.sort_unstable_by_key(|number| (id(number), *number));
        let same_id = numbers.chunk_by(|one, next| id(one) == id(next));
        let mut copies: Vec<usize> = same_id
            .flat_map(|same| same.iter().skip(1).copied())
            .collect();
        copies.sort_unstable();
        copies
    }
}

/// True when the segment was removed while it was read: `gc` seals or drops it.
fn is_gone(error: &Error) -> bool {
    matches!(error, Error::Spool(error) if error.kind() == io::ErrorKind::NotFound)
}

/// Those of `ids` that come more than once, sorted.
fn repeated(mut ids: Vec<[u8; 16]>) -> Vec<[u8; 16]> {
    ids.sort_unstable();
    let runs = ids.chunk_by(PartialEq::eq).filter(|run| run.len() > 1);
    runs.filter_map(|run| run.first().copied()).collect()
}

/// When the events of a part happened, and their ids.
#[derive(Default)]
struct Keys {
    times: Option<(i64, i64)>,
    ids: Vec<[u8; 16]>,
    bad_lines: u64,
}

impl Keys {
    fn of(part: &Part) -> Result<Self, Error> {
        let mut keys = Self::default();
        match part {
            Part::Lines(chunk) => {
                let lines = decode_lines(chunk);
                keys.bad_lines = lines.bad_lines.len() as u64;
                for event in lines.events {
                    keys.add(event.micros, &event.id);
                }
            }
            Part::Rows(rows) => rows.keys(|micros, id| keys.add(micros, id))?,
        }
        Ok(keys)
    }

    fn add(&mut self, micros: i64, id: &[u8; 16]) {
        let (first, last) = self.times.unwrap_or((micros, micros));
        self.times = Some((first.min(micros), last.max(micros)));
        self.ids.push(*id);
    }
}

/// The segments, each with its rows if it is sealed.
#[derive(Default)]
struct Source(Vec<(Segment, Option<SealedFile>)>);

impl Source {
    fn read(&self, place: Place) -> Result<Part, Error> {
        let (Place::Lines(of_segment, ..) | Place::Rows(of_segment, _)) = place;
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        let (segment, sealed) = self.0.get(of_segment).ok_or_else(missing)?;
        match (place, sealed) {
            (Place::Lines(_, offset, length), _) => {
                let read = File::open(&segment.path).and_then(|file| lines(&file, offset, length));
                Ok(read.map_err(|error| named(&error, &segment.path))?)
            }
            (Place::Rows(_, group), Some(sealed)) => {
                let group = sealed.group(group)?;
                Ok(Part::Rows(group.ok_or_else(missing)?))
            }
            (Place::Rows(..), None) => Err(missing().into()),
        }
    }
}

/// The lines of `file` in these bytes.
fn lines(file: &File, offset: u64, length: usize) -> io::Result<Part> {
    let mut bytes = vec![0; length];
    file.read_exact_at(&mut bytes, offset)?;
    Ok(Part::Lines(Chunk {
        offset,
        bytes,
        long_line: None,
    }))
}

// The second pass.

/// A part that is still to be read.
enum UnreadPart {
    Of(Place),
    /// Sorted lines in the file for what does not fit into memory.
    Spilled(u64, usize),
}

/// Events in the order of time, and of their ids.
pub(crate) struct InOrder {
    source: Source,
    range: Range,
    parts: Vec<UnreadPart>,
    /// The parts, by the time of their first event.
    unread: BinaryHeap<Reverse<(i64, usize)>>,
    held: BinaryHeap<Reverse<EventLine>>,
    held_bytes: usize,
    /// The ids that come more than once, and which of them were returned; `None` when copies are wanted.
    repeated: Vec<[u8; 16]>,
    returned: Option<Vec<bool>>,
    spill: Spill,
    progress: Progress,
}

/// The file for what does not fit into memory, which has no name, and its folder.
struct Spill {
    folder: PathBuf,
    file: Option<File>,
    length: u64,
}

impl InOrder {
    /// No events: [`InOrder::push`] adds some. What does not fit into memory goes to a file in `folder`.
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            source: Source::default(),
            range: Range::default(),
            parts: Vec::new(),
            unread: BinaryHeap::new(),
            held: BinaryHeap::new(),
            held_bytes: 0,
            repeated: Vec::new(),
            returned: None,
            spill: Spill {
                folder: folder.to_owned(),
                file: None,
                length: 0,
            },
            progress: Progress::default(),
        }
    }

    /// Every event that was surveyed, copies included.
    pub(crate) fn all(mut survey: Survey, folder: &Path, progress: &Progress) -> Self {
        let mut events = Self::new(folder);
        events.repeated = repeated(std::mem::take(&mut survey.ids));
        events.add(survey, progress);
        events
    }

    /// True for an id that comes more than once.
    pub(crate) fn is_repeated(&self, id: &[u8; 16]) -> bool {
        self.repeated.binary_search(id).is_ok()
    }

    /// The events in `range` that were surveyed; of several with one id the first.
    pub(crate) fn each_once(
        mut survey: Survey,
        range: Range,
        folder: &Path,
        progress: &Progress,
    ) -> Self {
        let repeated = repeated(std::mem::take(&mut survey.ids));
        let mut events = Self {
            range,
            returned: Some(vec![false; repeated.len()]),
            repeated,
            ..Self::new(folder)
        };
        events.add(survey, progress);
        events
    }

    fn add(&mut self, survey: Survey, progress: &Progress) {
        self.progress = progress.clone();
        let bytes = survey.source.0.iter().map(|(segment, _)| segment.length);
        progress.begin("sorting the log", bytes.sum());
        self.source = survey.source;
        for SurveyedPart { place, times, .. } in survey.parts {
            if self.range.has_any(times) {
                self.wait(times.0, UnreadPart::Of(place));
            }
        }
    }

    fn wait(&mut self, first: i64, part: UnreadPart) {
        self.unread.push(Reverse((first, self.parts.len())));
        self.parts.push(part);
    }

    /// Adds an event. None may be added that is earlier than one that was returned.
    ///
    /// # Errors
    /// When the file for what does not fit into memory cannot be written.
    pub(crate) fn push(&mut self, event: EventLine) -> Result<(), Error> {
        self.hold(event);
        if self.held_bytes > HELD_BYTES {
            self.spill()?;
        }
        Ok(())
    }

    fn hold(&mut self, event: EventLine) {
        self.held_bytes += event.bytes();
        self.held.push(Reverse(event));
    }

    /// True when no part has an event in the range.
    pub(crate) fn is_empty(&self) -> bool {
        self.unread.is_empty() && self.held.is_empty()
    }

    /// The next event.
    ///
    /// # Errors
    /// The errors of the log, of the file for what does not fit into memory, and of DuckDB.
    pub(crate) fn next(&mut self) -> Result<Option<EventLine>, Error> {
        loop {
            let unread = self.unread.peek().map(|Reverse((first, _))| *first);
            let is_next = |Reverse(held): &Reverse<EventLine>| {
                unread.is_none_or(|unread| held.micros < unread)
            };
            if self.held.peek().is_some_and(is_next) {
                let event = self.held.pop().map(|Reverse(event)| event);
                self.held_bytes -= event.as_ref().map_or(0, EventLine::bytes);
                if event.as_ref().is_some_and(|event| self.counts(event)) {
                    return Ok(event);
                }
            } else if let Some(Reverse((_, part))) = self.unread.pop() {
                self.read(part)?;
            } else {
                return Ok(None);
            }
        }
    }

    /// True for the first event with its id, and for all where copies are wanted.
    fn counts(&mut self, event: &EventLine) -> bool {
        let (Some(returned), Ok(at)) = (&mut self.returned, self.repeated.binary_search(&event.id))
        else {
            return true;
        };
        let returned = returned.get_mut(at);
        returned.is_some_and(|returned| !std::mem::replace(returned, true))
    }

    fn read(&mut self, part: usize) -> Result<(), Error> {
        let (part, is_spilled) = match (self.parts.get(part), &self.spill.file) {
            (Some(UnreadPart::Of(place)), _) => (self.source.read(*place)?, false),
            (Some(UnreadPart::Spilled(offset, length)), Some(file)) => {
                (lines(file, *offset, *length)?, true)
            }
            _ => return Ok(()),
        };
        for event in lines_of(&part)? {
            if self.range.has_any((event.micros, event.micros)) {
                self.hold(event);
            }
        }
        if !is_spilled {
            self.progress.add(part.bytes());
        }
        if self.held_bytes > HELD_BYTES {
            self.spill()?;
        }
        Ok(())
    }

    /// Moves everything that is held to the file, in sorted parts.
    fn spill(&mut self) -> Result<(), Error> {
        let held = std::mem::take(&mut self.held).into_sorted_vec();
        self.held_bytes = 0;
        // The order is reversed: the last one comes first.
        let mut events = held
            .into_iter()
            .rev()
            .map(|Reverse(event)| event)
            .peekable();
        while let Some(first) = events.peek().map(|event| event.micros) {
            let mut part = Vec::with_capacity(SPILLED_BYTES);
            while part.len() < SPILLED_BYTES
                && let Some(event) = events.next()
            {
                part.extend_from_slice(event.line.as_bytes());
                part.push(b'\n');
            }
            let offset = self.spill.append(&part)?;
            self.wait(first, UnreadPart::Spilled(offset, part.len()));
        }
        Ok(())
    }
}

impl Spill {
    /// Appends `part`, and returns where it begins.
    fn append(&mut self, part: &[u8]) -> Result<u64, Error> {
        let failed = |error| Error::Folder {
            path: self.folder.clone(),
            error,
        };
        let file = match &mut self.file {
            Some(file) => file,
            None => self
                .file
                .insert(tempfile::tempfile_in(&self.folder).map_err(failed)?),
        };
        file.write_all_at(part, self.length).map_err(failed)?;
        let offset = self.length;
        self.length += part.len() as u64;
        Ok(offset)
    }
}

#[cfg(test)]
#[allow(
    clippy::disallowed_methods,
    reason = "nothing that a test writes has to last"
)]
mod tests {
    use std::fs;

    use super::{InOrder, Range, Survey};
    use crate::Progress;
    use crate::segment::list;

    #[test]
    fn a_log_in_no_order_is_sorted_within_the_bound() {
        use plantune_domain::hash;
        let folder = tempfile::tempdir().unwrap();
        // More than is held at a time, in two files, each in an order of its own.
        let long = "x".repeat(20_000);
        let line = |number: usize| {
            let id = hash::hex(&[&number.to_string()]);
            let second = number * 7919 % 86_400;
            let (hour, minute) = (second / 3600, second / 60 % 60);
            format!(
                "{{\"v\":1,\"id\":\"{id}\",\"ts\":\"2026-10-01T{hour:02}:{minute:02}:{:02}.000Z\",\"kind\":\"asked\",\"question\":\"{long}\"}}\n",
                second % 60
            )
        };
        for (name, numbers) in [("a.jsonl", 0..4000), ("b.jsonl", 3000..7000)] {
            let lines: String = numbers.map(line).collect();
            fs::write(folder.path().join(name), lines).unwrap();
        }
        let progress = Progress::default();
        let survey = Survey::of(list(folder.path()).unwrap(), &progress).unwrap();
        let mut events = InOrder::each_once(survey, Range::default(), folder.path(), &progress);
        let (mut found, mut most) = (Vec::new(), 0);
        while let Some(event) = events.next().unwrap() {
            found.push((event.micros, event.id));
            most = most.max(events.held_bytes);
        }
        assert!(found.is_sorted());
        assert_eq!(found.len(), 7000);
        found.dedup();
        assert_eq!(found.len(), 7000);
        assert!(most > 0 && most <= 66 * 1024 * 1024, "{most}");
        // The file for what did not fit has no name.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
