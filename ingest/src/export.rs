//! The log for other tools: every event once, in the order of time, as lines or as Parquet.

use std::io;
use std::path::Path;

use plantune_domain::paths::Paths;

use crate::in_order::{InOrder, Range, Survey};
use crate::parquet::write_parquet;
use crate::segment::list;
use crate::{Error, Progress};

/// The events of the log, to be written. A segment that is damaged costs its own events alone.
pub struct Export {
    events: InOrder,
    /// What is left out.
    pub left_out: Vec<LeftOut>,
}

/// What an export leaves out of one segment of the log. Its name and the reason are untrusted texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// All of it, because it is damaged or cannot be read.
    Segment {
        /// Its file name.
        segment: String,
        /// Why, in words.
        why: String,
    },
    /// Lines that are not events.
    Lines {
        /// The segment's file name.
        segment: String,
        /// How many.
        lines: u64,
    },
}

impl Export {
    /// The events of the log below `paths` that are in `range`.
    ///
    /// # Errors
    /// The errors of the log's folder and of DuckDB, and those of the file system for a segment that is removed meanwhile.
    pub fn of(paths: &Paths, range: Range, progress: &Progress) -> Result<Self, Error> {
        let survey = Survey::of(list(&paths.events())?, progress)?;
        let segments = survey
            .unread
            .iter()
            .map(|(segment, error)| LeftOut::Segment {
                segment: segment.name.file_name(),
                why: error.to_string(),
            });
        let lines = survey.bad_lines.iter();
        let lines = lines.map(|(segment, lines)| LeftOut::Lines {
            segment: segment.name.file_name(),
            lines: *lines,
        });
        Ok(Self {
            left_out: segments.chain(lines).collect(),
            events: InOrder::each_once(survey, range, paths.data(), progress),
        })
    }

    /// True when there is no event to write.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Hands each event to `each` as JSON without a line end.
    ///
    /// # Errors
    /// The errors of the log; the inner ones are those of `each`.
    pub fn lines(
        mut self,
        mut each: impl FnMut(&str) -> io::Result<()>,
    ) -> Result<io::Result<()>, Error> {
        while let Some(event) = self.events.next()? {
            if let Err(error) = each(&event.line) {
                return Ok(Err(error));
            }
        }
        Ok(Ok(()))
    }

    /// Writes the events as Parquet into the file that is at `path`.
    ///
    /// # Errors
    /// The errors of the log and of DuckDB; those of the file system are among them.
    pub fn parquet(self, path: &Path) -> Result<(), Error> {
        write_parquet(self.events, path).map(drop)
    }
}
