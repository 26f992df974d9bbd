//! `plantune export`: the log for other tools.

use std::io;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;

use plantune_domain::sanitize;
use plantune_query::Store;
use plantune_query::sql::{ExportError, Range};
use plantune_reports::output::Output;
use plantune_reports::text::clean;

use crate::document::Document;
use crate::failure::{Failure, unwritten};
use crate::request::maintenance::{ExportFile, ExportRequest};
use crate::session::Session;
use crate::{failure, terminal};

/// Writes the events.
///
/// # Errors
/// Usage for a date that does not exist; refused for a file that is there; failed when the store cannot be
/// read, or the file not be written.
pub(crate) fn run(request: &ExportRequest, session: &Session) -> Result<Document, Failure> {
    let range = &request.range;
    let store = session.store()?;
    let events = match &store {
        Some(store) if session.read(store.has_events())? => Some(store.as_ref()),
        _ => None,
    };
    let damaged = match events {
        Some(store) => {
            session.define_whole_log(store)?;
            session.read(store.damaged_segments())?
        }
        None => Vec::new(),
    };
    for segment in damaged {
        terminal::say(&format!(
            "plantune: {} is damaged and left out; `plantune doctor` says more\n",
            clean(&segment)
        ));
    }
    let lines = |out: &mut dyn Write| match events {
        Some(store) => write_lines(store, range, out, session),
        None => Ok(()),
    };
    match &request.file {
        ExportFile::Jsonl(path) if path == Path::new("-") => {
            lines(&mut BufWriter::new(io::stdout().lock()))?;
            Ok(Document::default())
        }
        ExportFile::Jsonl(path) => {
            let mut output = Output::open(path, request.force, |_| false).map_err(unwritten)?;
            lines(&mut BufWriter::new(output.file()))?;
            Ok(wrote(&output.put_in_place().map_err(unwritten)?))
        }
        ExportFile::Parquet(path) => {
            if path == Path::new("-") {
                let fact = "Parquet can't be written to standard output";
                return Err(Failure::usage(fact).hint("name a file"));
            }
            let Some(store) = events else {
                return Err(Failure::failed("nothing has been logged yet")
                    .hint("run `plantune import claude-code` to load your past questions"));
            };
            let output = Output::open(path, request.force, |_| false).map_err(unwritten)?;
            session.read(store.export_parquet(range, output.temporary()))?;
            Ok(wrote(&output.put_in_place().map_err(unwritten)?))
        }
    }
}

fn wrote(path: &Path) -> Document {
    Document::text(format!("Wrote {}\n", clean(&path.to_string_lossy())))
}

/// Writes the events as lines, with nothing in them that a terminal would obey. A reader that has gone away is
/// no failure.
fn write_lines(
    store: &Store,
    range: &Range,
    out: &mut dyn Write,
    session: &Session,
) -> Result<(), Failure> {
    let done = store.export_lines(range, |line| writeln!(out, "{}", sanitize::json(line)));
    let done = match done {
        Ok(()) => out.flush(),
        Err(ExportError::Write(error)) => Err(error),
        Err(ExportError::Store(error)) => return session.read(Err(error)),
    };
    match done {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(failure::unwritten_to(Path::new("the export"), error))
        }
        _ => Ok(()),
    }
}
