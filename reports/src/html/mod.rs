//! The report as a page: one file that asks nothing of anybody. No script, no request, its style inside and
//! named by its hash in the page's own policy. Pictures are SVG with a title and, behind them, a table.
//!
//! Every number is a `<data>` element that names its place in `report --json`, as a JSON pointer: tests
//! hold the two against each other. Texts from outside are sanitized, escaped by the template, and stand in
//! `<bdi>`.

mod by;
mod charts;
mod figures;
mod fleet;
mod number;
mod parts;
mod permissions;
mod preferences;
mod questions;
mod times;

use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use crate::Format;
use crate::output::{Error, Output};
use crate::report::Document;
use crate::text::clean;
use parts::{dated, text};

/// What every page begins with: by it a file is known to be one.
const BEGINNING: &str = "<!DOCTYPE html><!-- plantune report -->";

const STYLE: &str = include_str!("style.css");

/// A page for a browser.
#[derive(Clone, Copy, Debug)]
pub struct Html {
    /// How many questions to show.
    pub top: usize,
}

impl Format<Document> for Html {
    fn write(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        let page = Page {
            heading: "Questions",
            period: &clean(&document.heading.title()),
            about: html! {
                @if let Some(project) = &document.heading.project {
                    p { "Project " (text(project)) }
                }
            },
            content: self.content(document),
            made_by: "plantune report",
            hint: html! {},
        };
        page.write(out)
    }
}

/// A page, whatever it reports on.
struct Page<'a> {
    /// What it is about.
    heading: &'static str,
    /// The period in words.
    period: &'a str,
    /// What else is said at the top.
    about: Markup,
    content: Markup,
    /// The command that made it: with `--json` it has the same numbers.
    made_by: &'static str,
    /// What is said at the end.
    hint: Markup,
}

impl Page<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.markup().into_string())
    }

    fn markup(&self) -> Markup {
        html! {
            (DOCTYPE) (PreEscaped("<!-- plantune report -->"))
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(policy());
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="referrer" content="no-referrer";
                    meta name="robots" content="noindex";
                    title { (self.heading) ": " (self.period) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    header {
                        h1 { (self.heading) }
                        p.period { (dated(self.period)) }
                        (self.about)
                    }
                    main { (self.content) }
                    footer {
                        p {
                            "Made by plantune on this computer. The numbers are those of "
                            code { (self.made_by) " --json" }
                            "; each names its place there."
                            (self.hint)
                        }
                    }
                }
            }
        }
    }
}

impl Html {
    fn content(&self, document: &Document) -> Markup {
        html! {
            (figures::notes(document))
            (figures::stands_out(document))
            @if document.totals.questions > 0 { (figures::tiles(document)) }
            div.columns {
                (times::weeks(document))
                (times::hours(document))
                (times::answering(document))
                (permissions::section(document, self.top))
                (figures::session_kinds(document))
                (questions::answered_for_you(document))
                (figures::errors(document))
            }
            @match &document.groups {
                Some(groups) => (by::section(groups, self.top)),
                None => (questions::section(document, self.top)),
            }
            (preferences::proposals(document))
            (preferences::standing(document))
        }
    }
}

/// Puts `page` at `path`, in place of another page, or with `force` of any file, and returns where that is,
/// absolute where that can be known.
///
/// # Errors
/// Those of [`Error`].
pub fn put(page: &[u8], path: &Path, force: bool) -> Result<PathBuf, Error> {
    let mut output = Output::open(path, force, is_page)?;
    let written = output.file().write_all(page);
    written.map_err(|error| Error::Io(path.to_owned(), error))?;
    output.put_in_place()
}

/// True for a file that plantune wrote as a page.
fn is_page(path: &Path) -> bool {
    let mut beginning = [0; BEGINNING.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut beginning));
    read.is_ok() && beginning == BEGINNING.as_bytes()
}

/// What the page may do: show itself with its own style, and nothing else.
fn policy() -> String {
    let hash = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!("default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'")
}
