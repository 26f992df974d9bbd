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

/// What a cell shows of an item; it is given where a member of the item stands in the JSON.
pub(super) type Cell<'c, T> = &'c dyn Fn(&T, &dyn Fn(&str) -> String) -> Markup;

/// A table with a row for each of `items`, which stand in the JSON below `json` by their numbers. A column without a
/// title is left out.
pub(super) fn rows<'i, T: 'i>(
    json: &str,
    items: impl IntoIterator<Item = (usize, &'i T)>,
    columns: &[(&str, Cell<'_, T>)],
) -> Markup {
    let shown = || columns.iter().filter(|(title, _)| !title.is_empty());
    let titles: Vec<&str> = shown().map(|(title, _)| *title).collect();
    let rows = items.into_iter().map(|(number, item)| {
        let at = |field: &str| format!("{json}/{number}/{field}");
        shown().map(|(_, cell)| cell(item, &at)).collect()
    });
    table(&titles, &rows.collect::<Vec<_>>())
}

/// The same of all `items` on a card, with what stands above and below; nothing without items.
pub(super) fn card<T>(
    title: &str,
    (above, below): (Markup, Markup),
    json: &str,
    items: &[(usize, &T)],
    columns: &[(&str, Cell<'_, T>)],
) -> Markup {
    html! {
        @if !items.is_empty() {
            section.card {
                h2 { (title) }
                (above)
                (rows(json, items.iter().copied(), columns))
                (below)
            }
        }
    }
}

/// `items` with their numbers.
pub(super) fn numbered<T>(items: &[T]) -> Vec<(usize, &T)> {
    items.iter().enumerate().collect()
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
