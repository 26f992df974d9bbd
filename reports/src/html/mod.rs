//! The report as a page: one file that asks nothing of anybody. No script, no request, its style inside and
//! named by its hash in the page's own policy. Pictures are SVG with a title and, behind them, a table.
//!
//! Every number is a `<data>` element that names its place in `report --json`, as a JSON pointer: tests
//! hold the two against each other. Texts from outside are sanitized, escaped by the template, and stand in
//! `<bdi>`.

mod by;
mod charts;
mod figures;
mod number;
mod parts;
mod permissions;
mod preferences;
mod questions;
mod times;

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use crate::Format;
use crate::report::{Document, rows_hint};
use crate::text::clean;
use parts::{dated, text};

/// What every page begins with: by it a file is known to be one.
pub const BEGINNING: &str = "<!DOCTYPE html><!-- plantune report -->";

const STYLE: &str = include_str!("style.css");

/// A page for a browser.
#[derive(Clone, Copy, Debug)]
pub struct Html {
    /// How many questions to show.
    pub top: usize,
}

impl Format<Document> for Html {
    fn write(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.page(document).into_string())
    }
}

impl Html {
    fn page(&self, document: &Document) -> Markup {
        let title = clean(&document.heading.title());
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
                    title { "Questions: " (title) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    header {
                        h1 { "Questions" }
                        p.period { (dated(&title)) }
                        @if let Some(project) = &document.heading.project {
                            p { "Project " (text(project)) }
                        }
                    }
                    main { (self.content(document)) }
                    footer {
                        p {
                            "Made by plantune on this computer. The numbers are those of "
                            code { "plantune report --json" }
                            "; each names its place there. "
                            @let hint = rows_hint(document, str::to_owned);
                            bdi { (hint) } "."
                        }
                    }
                }
            }
        }
    }

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

/// What the page may do: show itself with its own style, and nothing else.
fn policy() -> String {
    let hash = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!("default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'")
}
