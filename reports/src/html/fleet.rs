//! An organisation's report as a page: the same page, of the figures that machines published.

mod cells;
mod figures;
mod groups;
mod questions;

use maud::{Markup, html};

use super::Page;
use super::number::count;
use super::parts::text;
use crate::fleet::{Document, LakeState, computed};
use figures::{tiles, weeks};
use groups::{failures, groups, prompts};
use questions::{alike, questions};

/// The report as a page that shows `top` questions and askers.
pub fn page(document: &Document, top: usize) -> String {
    let period = &document.period;
    let page = Page {
        heading: "What agents asked in the organisation",
        scope: "all machines",
        period: &format!("{} to {} ({})", period.start, period.end, period.time_zone),
        about: lake(&document.lake),
        content: sections(document, top),
        made_by: "plantune fleet report",
        hint: html! {
            " Of a group of fewer than " (count(document.k.into(), "/k")) " machines nothing is shown: such \
            groups are added up in a last one, the rest, with the smallest other one where these are fewer, too."
        },
    };
    page.text()
}

fn sections(document: &Document, top: usize) -> Markup {
    html! {
        (notes(document))
        @if let Some(totals) = &document.totals { (tiles(totals)) }
        div.columns {
            (weeks(&document.weeks))
            (groups("Who asks", "asker", "/askers", &document.askers, top))
            (groups("Sessions", "kind", "/session_kinds", &document.session_kinds, usize::MAX))
            (prompts(document))
            (failures(&document.errors))
        }
        (alike(&document.answered_alike, top))
        (questions(&document.questions, top))
    }
}

/// What was read, and what was not.
fn lake(lake: &LakeState) -> Markup {
    html! {
        p.about {
            (count(lake.events, "/lake/events")) " events that "
            (count(lake.publishers, "/lake/publishers")) " machines published, in "
            (count(lake.files, "/lake/files")) " files of " (text(&lake.address)) "."
        }
    }
}

fn notes(document: &Document) -> Markup {
    let lake = &document.lake;
    html! {
        @if document.totals.is_none() {
            p.note {
                "Fewer than " (count(document.k.into(), "/k"))
                " machines had a question in this period: nothing is shown."
            }
        }
        @if lake.missing_files > 0 {
            p.note {
                "Files that should be there by their numbers and are not: "
                (count(lake.missing_files, "/lake/missing_files"))
                ". A listing ended early, or files were removed."
            }
        }
        @if let Some(computed) = computed(lake) {
            p.note { (text(&computed)) }
        }
        @for skipped in &lake.skipped {
            p.note { "Skipped " (text(&skipped.path)) ": " (text(&skipped.why)) }
        }
    }
}
