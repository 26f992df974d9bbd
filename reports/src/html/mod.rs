//! The report as a page: one file that asks nothing of anybody. No script, no request, its style inside and
//! named by its hash in the page's own policy. Pictures are SVG with a title and, behind them, a table.
//!
//! Every number is a `<data>` element that names its place in `report --json`, as a JSON pointer: tests
//! hold the two against each other. Texts from outside are sanitized, escaped by the template, and stand in
//! `<bdi>`.

mod answered;
mod charts;
mod groups;
mod number;
mod parts;
mod permissions;
mod questions;
mod summary;
mod times;

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use plantune_query::report::By;
use sha2::{Digest as _, Sha256};

use crate::output::{Error, Output};
use crate::report::Document;
use crate::text::clean;
use parts::{code, dated, text};

/// What every page begins with: by it a file is known to be one.
const BEGINNING: &str = "<!DOCTYPE html><!-- plantune report -->";

const STYLE: &str = include_str!("style.css");

/// The report as a page that shows `top` questions.
pub fn report_page(document: &Document, top: usize) -> String {
    let heading = &document.heading;
    let page = Page {
        heading: "What agents asked",
        scope: heading.project.as_deref().unwrap_or("all projects"),
        period: &clean(&heading.title()),
        about: html! {},
        content: content(document, top),
        made_by: &heading.command(),
        hint: html! {},
    };
    page.text()
}

/// A page, whatever it reports on.
struct Page<'a> {
    /// What it is about.
    heading: &'static str,
    /// Which part of it.
    scope: &'a str,
    /// The period in words.
    period: &'a str,
    /// What else is said at the top.
    about: Markup,
    content: Markup,
    /// The command that made it: with `--json` it has the same numbers.
    made_by: &'a str,
    /// What is said at the end.
    hint: Markup,
}

impl Page<'_> {
    fn text(&self) -> String {
        self.markup().into_string() + "\n"
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
                    title { "plantune: " (self.heading) ", " (clean(self.scope)) ", " (self.period) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    header {
                        p.product { "plantune" }
                        h1 { (self.heading) }
                        p.period { (text(self.scope)) " · " (dated(self.period)) }
                        (self.about)
                    }
                    main { (self.content) }
                    footer {
                        p {
                            "Made by plantune. The numbers are those of "
                            (code(&format!("{} --json", self.made_by)))
                            "; each names its place there."
                            (self.hint)
                        }
                    }
                }
            }
        }
    }
}

fn content(document: &Document, top: usize) -> Markup {
    html! {
        (summary::section(document))
        (summary::compared(document))
        (times::over_time(document))
        @if document.groups.is_none() {
            (groups::section("Projects", "project", "/projects", &document.details.projects, By::Project, (2, top)))
            (groups::section("Who asks", "asker", "/askers", &document.details.askers, By::Asker, (2, top)))
        }
        (answered::could(document))
        (answered::was(document))
        (answered::cannot(document))
        @match &document.groups {
            Some(of) => {
                @let title = format!("By {}", of.by.as_str().replace('-', " "));
                (groups::section(&title, of.by.as_str(), "/groups", &of.groups, of.by, (1, top)))
            },
            None => (questions::section(document, top)),
        }
        (permissions::section(document, top))
        div.columns {
            (times::hours(document))
            (times::answering(document))
        }
        (summary::failures(document))
    }
}

/// Puts `page` at `path`, in place of another page, or with `force` of any file, and returns where that is,
/// absolute where that can be known.
///
/// # Errors
/// Those of [`Error`].
pub fn put(page: &str, path: &Path, force: bool) -> Result<PathBuf, Error> {
    let mut output = Output::open(path, force, is_page)?;
    let written = output.file().write_all(page.as_bytes());
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
