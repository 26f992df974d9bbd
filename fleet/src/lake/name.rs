//! The names of the lake's files of events.

use chrono::NaiveDate;

/// Below which the events lie.
pub(crate) const EVENTS: &str = "events/v1";

/// A file of events.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EventFile {
    /// The UTC day of its events.
    pub(crate) date: NaiveDate,
    /// Who wrote it.
    pub(crate) writer: Writer,
}

/// Who wrote a file of events.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Writer {
    /// A machine: its publisher's id, and the how-manieth of its files it is.
    Publisher(String, u64),
    /// A compaction, by its random id.
    Compaction(String),
}

impl EventFile {
    /// Its path in the lake.
    pub(crate) fn path(&self) -> String {
        let date = self.date;
        match &self.writer {
            Writer::Publisher(publisher, sequence) => {
                format!("{EVENTS}/date={date}/{publisher}-{sequence:012}.parquet")
            }
            Writer::Compaction(id) => format!("{EVENTS}/date={date}/compact-{id}.parquet"),
        }
    }

    /// Of a machine's file, its publisher's id and its number.
    pub(crate) fn numbered(&self) -> Option<(&str, u64)> {
        match &self.writer {
            Writer::Publisher(publisher, sequence) => Some((publisher, *sequence)),
            Writer::Compaction(_) => None,
        }
    }

    /// The file of this path; `None` for a path that plantune does not give.
    pub(crate) fn parse(path: &str) -> Option<Self> {
        let rest = path.strip_prefix(EVENTS)?.strip_prefix("/date=")?;
        let (date, name) = rest.split_once('/')?;
        let date = date.parse().ok()?;
        let (first, second) = name.strip_suffix(".parquet")?.split_once('-')?;
        let writer = match first {
            "compact" if is_random(second) => Writer::Compaction(second.to_owned()),
            _ if is_random(first) => Writer::Publisher(first.to_owned(), second.parse().ok()?),
            _ => return None,
        };
        Some(Self { date, writer }).filter(|file| file.path() == path)
    }
}

/// True for the random ids that plantune makes.
pub(crate) fn is_random(id: &str) -> bool {
    let is_digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    id.len() == 16 && id.bytes().all(is_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_frozen() {
        for path in [
            "events/v1/date=2026-11-20/0123456789abcdef-000000000007.parquet",
            "events/v1/date=2026-11-20/compact-0123456789abcdef.parquet",
        ] {
            assert_eq!(EventFile::parse(path).unwrap().path(), path);
        }
        for path in [
            "events/v1/date=2026-11-20/0123456789abcdef-7.parquet",
            "events/v1/date=2026-11-20/0123456789ABCDEF-000000000007.parquet",
            "events/v1/date=2026-11-31/0123456789abcdef-000000000007.parquet",
            "events/v1/date=2026-11-20/more/0123456789abcdef-000000000007.parquet",
            "events/v1/date=2026-11-20/_SUCCESS",
            "events/v2/date=2026-11-20/0123456789abcdef-000000000007.parquet",
        ] {
            assert_eq!(EventFile::parse(path), None, "{path}");
        }
    }
}
