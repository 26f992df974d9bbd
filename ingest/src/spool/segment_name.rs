//! What the files of the log are called.

use chrono::NaiveDate;

/// How a segment is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Parquet, written once from closed days.
    Sealed,
    /// JSONL, as hooks and imports append to it.
    Lines,
}

/// The name of a segment: hot (`2026-11-20.jsonl`, `import-claude-code-2026-11-20.jsonl`) or sealed
/// (`2026-11.parquet`, a month). The order is that in which they are read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SegmentName {
    /// The name without its ending.
    stem: String,
    format: Format,
}

impl SegmentName {
    /// What a file of this name is; `None` when it is no segment.
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

    /// The UTC day that a hot segment of plantune's is named for: the hook's (`DAY.jsonl`) or an import's
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

    /// True for a segment that the hook writes, as against an import's.
    pub fn is_of_hook(&self) -> bool {
        self.day().is_some() && !self.stem.starts_with("import-")
    }
}

/// The first day of `month`, `YYYY-MM`.
fn first_day(month: &str) -> Option<NaiveDate> {
    let first: NaiveDate = format!("{month}-01").parse().ok()?;
    (first.format("%Y-%m").to_string() == month).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
