//! What the parts of the page are made of: texts from outside, tables, pictures with their table.

use maud::{Markup, html};

use crate::text::clean;

/// A text from outside, which keeps its direction to itself.
pub(super) fn text(text: &str) -> Markup {
    html! { bdi { (clean(text)) } }
}

/// A command, a key or a path from outside.
pub(super) fn code(text: &str) -> Markup {
    html! { code { bdi { (clean(text)) } } }
}

/// A date, a period or a time of the day in words: its digits are none of the report's numbers.
pub(super) fn dated(words: &str) -> Markup {
    html! { time { (clean(words)) } }
}

/// A table whose first column names the rows.
pub(super) fn table(titles: &[&str], rows: &[Vec<Markup>]) -> Markup {
    html! {
        div.scroll role="region" tabindex="0" aria-label="table" {
            table {
                thead { tr { @for title in titles { th scope="col" { (title) } } } }
                tbody {
                    @for row in rows {
                        tr {
                            @for (number, cell) in row.iter().enumerate() {
                                @if number == 0 { th scope="row" { (cell) } } @else { td { (cell) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A picture in its section, with what it shows in words and the table behind it.
pub(super) struct Picture<'a> {
    /// The heading.
    pub(super) title: &'a str,
    /// What can be seen, in a sentence.
    pub(super) about: Markup,
    /// The SVG.
    pub(super) drawing: Markup,
    /// What the colours mean, if they mean something.
    pub(super) legend: Markup,
    /// The same as a table.
    pub(super) table: Markup,
}

impl Picture<'_> {
    pub(super) fn section(self) -> Markup {
        html! {
            section.card.whole {
                h2 { (self.title) }
                p.about { (self.about) }
                figure { (self.drawing) }
                (self.legend)
                (behind(&self.table))
            }
        }
    }
}

/// The table behind a picture.
pub(super) fn behind(table: &Markup) -> Markup {
    html! { details { summary { "The numbers" } (table) } }
}
