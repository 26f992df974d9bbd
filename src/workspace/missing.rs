//! Segments of the log that the store was computed from and that are gone: somebody deleted them, and with
//! them the only copy of their events.

use plantune_domain::paths::Paths;
use plantune_ingest::SegmentName;
use plantune_query::health::{Contents, SegmentRead};
use plantune_reports::amount::counted;
use plantune_reports::text::clean;

/// The segments that the store has read and that are not there any more, each in words:
/// `2026-11-19.jsonl, with 2 events of 2026-11-19`.
pub(crate) fn segments(paths: &Paths, contents: &Contents) -> Vec<String> {
    let events = paths.events();
    let is_gone = |read: &&SegmentRead| events.join(&read.segment).symlink_metadata().is_err();
    let gone = contents.segments.iter().filter(is_gone);
    gone.map(in_words).collect()
}

fn in_words(read: &SegmentRead) -> String {
    let count = counted(read.events, "event", "events");
    let name = SegmentName::parse(&read.segment);
    let day = name.as_ref().and_then(|name| Some(name.day()?.to_string()));
    let month = || Some(name.as_ref()?.month()?.format("%Y-%m").to_string());
    let of = day.or_else(month);
    let of = of.map_or_else(String::new, |of| format!(" of {of}"));
    clean(&format!("{}, with {count}{of}", read.segment))
}
