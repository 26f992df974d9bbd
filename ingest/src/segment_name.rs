//! What the files of the spool are called.

use chrono::NaiveDate;

/// The name of a file of the spool: a segment as it was written (`2026-11-20.jsonl`), or
/// compressed (`2026-11-20.jsonl.gz`). When a day was compressed and something was appended to it
/// later, there are several compressed files of one segment: `2026-11-20.jsonl.2.gz`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SegmentName {
    segment: String,
    /// Which of the compressed files; those come before what was written after them.
    part: Part,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Compressed(u32),
    Plain,
}

impl SegmentName {
    /// What a file of this name is; `None` when it is no segment.
    pub fn parse(file_name: &str) -> Option<Self> {
        let (segment, part) = match file_name.strip_suffix(".gz") {
            None => (file_name, Part::Plain),
            Some(rest) if rest.ends_with(".jsonl") => (rest, Part::Compressed(1)),
            Some(rest) => {
                let (segment, number) = rest.rsplit_once('.')?;
                let parsed = number.parse().ok().filter(|parsed: &u32| *parsed > 1)?;
                if parsed.to_string() != number {
                    return None;
                }
                (segment, Part::Compressed(parsed))
            }
        };
        segment.ends_with(".jsonl").then(|| Self {
            segment: segment.to_owned(),
            part,
        })
    }

    /// The segment's name, which is that of the file before it was compressed.
    pub fn segment(&self) -> &str {
        &self.segment
    }

    /// True for a compressed file.
    pub fn is_compressed(&self) -> bool {
        self.part != Part::Plain
    }

    /// The file's name.
    pub fn file_name(&self) -> String {
        match self.part {
            Part::Plain => self.segment.clone(),
            Part::Compressed(1) => format!("{}.gz", self.segment),
            Part::Compressed(number) => format!("{}.{number}.gz", self.segment),
        }
    }

    /// The names that compressed files of this segment may have, in order.
    pub(crate) fn compressed_names(&self) -> impl Iterator<Item = String> {
        let of = |number| Self {
            segment: self.segment.clone(),
            part: Part::Compressed(number),
        };
        (1u32..).map(move |number| of(number).file_name())
    }

    /// The UTC day that a segment of plantune's is named for: the hook's (`DAY.jsonl`), or an
    /// import's (`import-SOURCE-DAY.jsonl`). `None` for a name that plantune does not give.
    pub fn day(&self) -> Option<NaiveDate> {
        let stem = self.segment.strip_suffix(".jsonl")?;
        let day = match stem.strip_prefix("import-") {
            None => stem,
            Some(import) => {
                let (source, day) = import.split_at_checked(import.len().checked_sub(11)?)?;
                let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
                if source.is_empty() || !source.chars().all(plain) {
                    return None;
                }
                day.strip_prefix('-')?
            }
        };
        let parsed: NaiveDate = day.parse().ok()?;
        (parsed.to_string() == day).then_some(parsed)
    }

    /// True for a segment that the hook writes, as against an import's.
    pub fn is_of_hook(&self) -> bool {
        self.day().is_some() && !self.segment.starts_with("import-")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_their_days() {
        for (name, segment, compressed, day) in [
            (
                "2026-11-20.jsonl",
                "2026-11-20.jsonl",
                false,
                Some("2026-11-20"),
            ),
            (
                "2026-11-20.jsonl.gz",
                "2026-11-20.jsonl",
                true,
                Some("2026-11-20"),
            ),
            (
                "2026-11-20.jsonl.12.gz",
                "2026-11-20.jsonl",
                true,
                Some("2026-11-20"),
            ),
            (
                "import-claude-code-2026-11-20.jsonl.gz",
                "import-claude-code-2026-11-20.jsonl",
                true,
                Some("2026-11-20"),
            ),
            ("copy.jsonl", "copy.jsonl", false, None),
            (
                "import-2026-11-20.jsonl",
                "import-2026-11-20.jsonl",
                false,
                None,
            ),
            (
                "import-A-2026-11-20.jsonl",
                "import-A-2026-11-20.jsonl",
                false,
                None,
            ),
            ("2026-02-30.jsonl", "2026-02-30.jsonl", false, None),
            ("2026-2-3.jsonl", "2026-2-3.jsonl", false, None),
            ("+2026-02-03.jsonl", "+2026-02-03.jsonl", false, None),
        ] {
            let parsed = SegmentName::parse(name).unwrap();
            assert_eq!(
                (parsed.segment(), parsed.is_compressed()),
                (segment, compressed)
            );
            assert_eq!(parsed.file_name(), name);
            assert_eq!(
                parsed.day().map(|day| day.to_string()).as_deref(),
                day,
                "{name}"
            );
        }
        for name in [
            "",
            "a.gz",
            "a.jsonl.1.gz",
            "a.jsonl.02.gz",
            "a.jsonl.x.gz",
            "a.jsonl.gz.tmp",
            "a.json",
        ] {
            assert_eq!(SegmentName::parse(name), None, "{name}");
        }
    }

    #[test]
    fn what_was_written_later_comes_later() {
        let mut names = [
            "b.jsonl",
            "a.jsonl",
            "a.jsonl.10.gz",
            "a.jsonl.2.gz",
            "a.jsonl.gz",
        ]
        .map(|name| SegmentName::parse(name).unwrap());
        names.sort();
        assert_eq!(
            names.map(|name| name.file_name()),
            [
                "a.jsonl.gz",
                "a.jsonl.2.gz",
                "a.jsonl.10.gz",
                "a.jsonl",
                "b.jsonl"
            ]
        );
    }
}
