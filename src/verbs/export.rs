//! `plantune export`: the log for other tools.

use std::io;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;

use plantune_domain::sanitize;
use plantune_ingest::{Export, LeftOut, Progress};
use plantune_query::health::{Contents, health};
use plantune_reports::humanize::counted;
use plantune_reports::output::Output;
use plantune_reports::text::clean;

use crate::document::Document;
use crate::failure::{Failure, unwritten};
use crate::request::maintenance::{ExportFile, ExportRequest};
use crate::session::Session;
use crate::terminal::Bar;
use crate::{failure, refresh, terminal};

/// Writes the events. What a damaged segment costs is named, and the others are written.
///
/// # Errors
/// Usage for a date that does not exist; refused for a file that is there; failed when the log cannot be read, or the
/// file not be written.
pub(crate) fn run(request: &ExportRequest, session: &Session) -> Result<Document, Failure> {
    if let ExportFile::Parquet(path) = &request.file
        && path == Path::new("-")
    {
        let fact = "Parquet can't be written to standard output";
        return Err(Failure::usage(fact).hint("name a file"));
    }
    let progress = Progress::of("looking at the log");
    let bar = Bar::watch(&progress);
    let export = Export::of(&session.paths, request.range, &progress);
    let export = export.map_err(|error| refresh::failure(session, &error))?;
    let contents = health(&session.paths.store()).unwrap_or_default();
    let lost = refresh::name_lost_of(session)?;
    let is_named = |left_out: &&LeftOut| match left_out {
        LeftOut::Segment { segment, .. } => lost.contains(segment),
        LeftOut::Lines { .. } => false,
    };
    for left_out in export.left_out.iter().filter(|one| !is_named(one)) {
        terminal::say(&format!("plantune: {}\n", words(left_out, &contents)));
    }
    let document = match &request.file {
        ExportFile::Jsonl(path) if path == Path::new("-") => {
            write_lines(export, &mut BufWriter::new(io::stdout().lock()), session)?;
            Document::default()
        }
        ExportFile::Jsonl(path) => {
            let mut output = Output::open(path, request.force, |_| false).map_err(unwritten)?;
            write_lines(export, &mut BufWriter::new(output.file()), session)?;
            wrote(&output.put_in_place().map_err(unwritten)?)
        }
        ExportFile::Parquet(_) if export.is_empty() && !session.paths.events().exists() => {
            return Err(Failure::failed("nothing has been logged yet")
                .hint("run `plantune import claude-code` to load your past questions"));
        }
        ExportFile::Parquet(path) => {
            let output = Output::open(path, request.force, |_| false).map_err(unwritten)?;
            let written = export.parquet(output.temporary());
            written.map_err(|error| refresh::failure(session, &error))?;
            wrote(&output.put_in_place().map_err(unwritten)?)
        }
    };
    drop(bar);
    Ok(document)
}

fn wrote(path: &Path) -> Document {
    Document::text(format!("Wrote {}\n", clean(&path.to_string_lossy())))
}

/// What is left out, with the number of events where the store, whose `contents` these are, has read them.
fn words(left_out: &LeftOut, contents: &Contents) -> String {
    match left_out {
        LeftOut::Segment { segment, why } => {
            let mut read = contents.segments.iter();
            let events = read.find(|read| read.segment == *segment);
            let events = events.map_or_else(
                || "its events are".to_owned(),
                |read| match read.events {
                    1 => "its 1 event is".to_owned(),
                    events => format!("its {events} events are"),
                },
            );
            let (segment, why) = (clean(segment), clean(why));
            format!(
                "{segment} is damaged, and {events} left out: {why}; `plantune doctor` says more"
            )
        }
        LeftOut::Lines { segment, lines } => format!(
            "{} of {} left out: not an event; `plantune doctor --quarantine` shows them",
            counted(*lines, "line", "lines"),
            clean(segment),
        ),
    }
}

/// Writes the events as lines, with nothing in them that a terminal would obey. A reader that has gone away is
/// no failure.
fn write_lines(export: Export, out: &mut dyn Write, session: &Session) -> Result<(), Failure> {
    let done = export.lines(|line| writeln!(out, "{}", sanitize::json(line)));
    let done = done.map_err(|error| refresh::failure(session, &error))?;
    match done.and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(failure::unwritten_to(Path::new("the export"), error))
        }
        _ => Ok(()),
    }
}
