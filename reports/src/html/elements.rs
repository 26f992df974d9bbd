//! The elements of the page: texts from outside, numbers with their place in `report --json`, tables, pictures with their
//! table.

use maud::{Markup, html};

use crate::humanize::{a_week, duration, percent};
use crate::text::clean;

/// A text from outside, whose writing direction does not affect what is around it.
pub(super) fn text(text: &str) -> Markup {
    html! { bdi { (clean(text)) } }
}

/// A command, a key or a path from outside.
pub(super) fn code(text: &str) -> Markup {
    html! { code { bdi { (clean(text)) } } }
}

/// A date, a period or a time of the day in words. In `<time>` tests do not take its digits for numbers of the report.
pub(super) fn dated(words: &str) -> Markup {
    html! { time { (clean(words)) } }
}

/// A table whose first column names the rows; `list` says what they are.
pub(super) fn table(list: &str, titles: &[&str], rows: &[Vec<Markup>]) -> Markup {
    html! {
        div.scroll role="region" tabindex="0" aria-label=(list) data-list=(list) {
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

/// A table of items, which stand in the JSON below `json` by their numbers, made column by column.
pub(super) struct PageTable<'i, T> {
    json: &'i str,
    items: Vec<(usize, &'i T)>,
    titles: Vec<&'i str>,
    rows: Vec<Vec<Markup>>,
}

impl<'i, T> PageTable<'i, T> {
    pub(super) fn of(json: &'i str, items: impl IntoIterator<Item = (usize, &'i T)>) -> Self {
        let items: Vec<_> = items.into_iter().collect();
        Self {
            json,
            titles: Vec::new(),
            rows: items.iter().map(|_| Vec::new()).collect(),
            items,
        }
    }

    /// One more column; `cell` is given the item's number, and where its members stand.
    pub(super) fn add(
        &mut self,
        title: &'i str,
        cell: impl Fn(&'i T, usize, &dyn Fn(&str) -> String) -> Markup,
    ) {
        self.titles.push(title);
        for (row, (number, item)) in self.rows.iter_mut().zip(&self.items) {
            row.push(cell(item, *number, &|field| {
                format!("{}/{number}/{field}", self.json)
            }));
        }
    }

    /// One of counts.
    pub(super) fn count(&mut self, title: &'i str, field: &str, of: impl Fn(&T) -> u64) {
        self.add(title, |item, _, at| count(of(item), &at(field)));
    }

    /// One of durations.
    pub(super) fn seconds<C: Into<Option<f64>>>(
        &mut self,
        title: &'i str,
        field: &str,
        of: impl Fn(&T) -> C,
    ) {
        self.add(title, |item, _, at| {
            known_seconds(of(item).into(), &at(field))
        });
    }

    /// The table; `list` says what its rows are.
    pub(super) fn table(&self, list: &str) -> Markup {
        table(list, &self.titles, &self.rows)
    }

    /// The table on a card, with what stands above and below; nothing without items.
    pub(super) fn card(&self, title: &str, list: &str, above: &Markup, below: &Markup) -> Markup {
        html! {
            @if !self.items.is_empty() {
                section.card { h2 { (title) } (above) (self.table(list)) (below) }
            }
        }
    }
}

/// `of` the items of `all`: a count of that many in that many.
pub(super) fn of_all(of: &Markup, all: &Markup) -> Markup {
    html! { (of) " of " (all) }
}

/// A text with a smaller one below it.
pub(super) fn with_note(words: &Markup, note: &Markup) -> Markup {
    html! { (words) span.by { (note) } }
}

/// The project, or that it is about all.
pub(super) fn place(project: Option<&str>) -> Markup {
    project.map_or_else(|| html! { "every project" }, text)
}

/// The answer, or that the recommended one is given.
pub(super) fn answer_or_recommended(answer: Option<&str>) -> Markup {
    answer.map_or_else(|| html! { "as recommended" }, text)
}

/// A picture in its section, with what it shows in words and the table behind it.
pub(super) struct Picture<'a> {
    /// The heading.
    pub(super) title: &'a str,
    /// A sentence about the picture.
    pub(super) about: Markup,
    /// The SVG.
    pub(super) drawing: Markup,
    /// The legend, if the colours mean something.
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

/// A count that stands at the JSON pointer `at`.
pub(super) fn count(number: u64, at: &str) -> Markup {
    html! { data value=(number) data-json=(at) { (number) } }
}

/// A time in seconds.
pub(super) fn seconds(number: f64, at: &str) -> Markup {
    html! { data value=(number) data-json=(at) { (duration(number)) } }
}

/// A time in seconds that may not be known.
pub(super) fn known_seconds(number: Option<f64>, at: &str) -> Markup {
    number.map_or_else(none, |number| seconds(number, at))
}

/// How often in a week.
pub(super) fn weekly(number: f64, at: &str) -> Markup {
    html! { data value=(number) data-json=(at) { (a_week(number)) } }
}

/// A share (0–1).
pub(super) fn share(number: f64, at: &str) -> Markup {
    html! { data value=(number) data-json=(at) { (percent(number)) } }
}

/// The sign for a number that is not known.
pub(super) fn none() -> Markup {
    html! { "–" }
}
