//! The list as it is shown: what stands in which line, at any size.

use plantune_reports::text::{cut, wrap};

use crate::terminal::frame::{Frame, Line, Style};
use crate::verbs::suggest::reply::Reply;
use crate::verbs::suggest::review::item::Item;
use crate::verbs::suggest::review::list::{List, Mode, Room};

/// The least columns and rows that the list needs.
pub(super) const LEAST: (u16, u16) = (60, 18);

/// From how many columns on the details stand beside the list.
const BESIDE_FROM: usize = 120;

/// The keys of the list.
const KEYS: &str =
    "y yes  n no  l later  N never  u clear  space more  Enter finish  ? help  q quit";

/// The same where there is less room.
const FEWER_KEYS: &str = "y n l N u  space more  Enter finish  ? help  q quit";

/// What the keys do, and what the figures mean.
const HELP: &str = "\
j k, arrows        the next proposal, the one before
PgUp PgDn          a page up or down
Home End           the first, the last
space              read on in the evidence
y                  yes: set it
n                  no: not set; it is proposed again
l                  later: the same
N                  never: the question is always asked, and not proposed again
u                  take back what you chose
Enter              show what would be written, and ask once
q                  leave; nothing is written
Ctrl-C             the same, at once

Nothing is written before you have seen the whole change and said y to it.

\"would have answered\": your history is gone through in the order of time. Before each question only what \
you had answered by then is known. A proposal counts from the moment on at which these answers would have \
made it, and what it would have answered from then on is held against what you said. So the answers that it \
took to make it are never counted as right.

What is proposed today has held up until today; what was proposed once and was wrong too often is not in \
this list. So expect a little less than these figures say. `plantune suggest --backtest` counts everything \
that would ever have been proposed.

Of what is on trial the questions that would have been asked to check it are not counted as answered. A call \
with several questions is answered as a whole or not at all. Of an asker's questions only those count that \
would be proposed by themselves.";

/// What is to be shown.
pub(super) struct View<'v, 'a> {
    pub(super) items: &'v [Item<'a>],
    /// What the chosen ones would have done.
    pub(super) figures: &'v str,
    /// What would be written.
    pub(super) change: &'v [Line],
    /// Columns and rows.
    pub(super) size: (u16, u16),
}

impl View<'_, '_> {
    /// The lines of the screen; notes in `list` how much of it is seen.
    pub(super) fn frame(&self, list: &mut List) -> Frame {
        let (columns, rows) = (usize::from(self.size.0), usize::from(self.size.1));
        if self.size.0 < LEAST.0 || self.size.1 < LEAST.1 {
            let text = format!(
                "This needs {} columns and {} rows; q leaves, and nothing is written.",
                LEAST.0, LEAST.1
            );
            let lines = wrap(&text, columns.max(1));
            return plain(lines.into_iter().take(rows).collect());
        }
        match list.mode {
            Mode::List | Mode::Leaving => self.list(list, columns, rows),
            Mode::Help => {
                let lines =
                    HELP.lines()
                        .flat_map(|line| match line.contains("  ") || line.is_empty() {
                            true => vec![cut(line, columns)],
                            false => wrap(line, columns),
                        });
                let lines: Vec<Line> = plain(lines.collect());
                let keys = "arrows, space: read on   q: back to the list";
                text(list, "Keys", &lines, keys, columns, rows)
            }
            Mode::Change => {
                let lines: Vec<Line> = self.change.to_vec();
                let keys = "Write this?  y: write it   n: back to the list   space: more";
                text(list, "What would be written", &lines, keys, columns, rows)
            }
        }
    }

    fn list(&self, list: &mut List, columns: usize, rows: usize) -> Frame {
        let figures: Vec<String> = wrap(self.figures, columns).into_iter().take(2).collect();
        // A head, a line below, two of figures, one of keys.
        let middle = rows - 5;
        let mut frame = vec![self.head(list, columns)];
        if columns >= BESIDE_FROM {
            let left = columns * 11 / 20;
            let right = columns - left - 3;
            list.room.list = middle - 1;
            list.room.detail = middle;
            let mut rows = vec![names(left)];
            rows.extend(self.rows(list, left));
            let details = self.details(list, right);
            for place in 0..middle {
                let row = rows.get(place).cloned().unwrap_or_default();
                let detail = details.get(place).cloned().unwrap_or_default();
                frame.push(row.filled(left).with(" │ ", Style::Faint).then(detail));
            }
        } else {
            // The list gets what it needs, and a third at most.
            list.room.list = self.items.len().clamp(1, middle / 3);
            list.room.detail = middle - 2 - list.room.list;
            frame.push(names(columns));
            frame.extend(self.rows(list, columns));
            frame.push(Line::of("─".repeat(columns), Style::Faint));
            frame.extend(self.details(list, columns));
            frame.resize(rows - 4, Line::default());
        }
        frame.push(Line::of("─".repeat(columns), Style::Faint));
        frame.extend(
            figures
                .into_iter()
                .map(|line| Line::of(line, Style::Strong)),
        );
        frame.resize(rows - 1, Line::default());
        frame.push(match (list.mode, list.message) {
            (Mode::Leaving, _) => {
                let lost = list.chosen(Reply::Yes).len() + list.chosen(Reply::Never).len();
                let text = format!("Leave, and lose what you chose ({lost})? y/n");
                Line::of(text, Style::Strong)
            }
            (_, Some(message)) => Line::of(message, Style::Strong),
            (_, None) if columns < KEYS.len() => Line::of(FEWER_KEYS, Style::Faint),
            (_, None) => Line::of(KEYS, Style::Faint),
        });
        frame
    }

    fn head(&self, list: &List, columns: usize) -> Line {
        let count = |reply| list.chosen(reply).len();
        let mut said = vec![format!("{} to set", count(Reply::Yes))];
        if count(Reply::Never) > 0 {
            said.push(format!("{} never again", count(Reply::Never)));
        }
        let left = list.choices().iter().filter(|one| one.is_none()).count();
        said.push(format!("{left} open"));
        let place = format!("{} of {}", list.selected + 1, self.items.len());
        Line::of("plantune: proposals", Style::Strong)
            .with(format!("   {}", said.join(", ")), Style::Plain)
            .filled(columns.saturating_sub(place.len()))
            .with(place, Style::Faint)
    }

    /// The lines of the list that are seen, so that the selected one is among them.
    fn rows(&self, list: &List, columns: usize) -> Vec<Line> {
        let room = list.room.list.max(1);
        let from = (list.selected + 1 + room / 2)
            .saturating_sub(room)
            .min(self.items.len().saturating_sub(room));
        let rows = self.items.iter().zip(list.choices()).enumerate();
        rows.skip(from)
            .take(room)
            .map(|(place, (item, choice))| {
                let is_selected = place == list.selected;
                let row = row(item, *choice, is_selected, columns);
                match is_selected {
                    true => row.all(Style::Selected),
                    false => row,
                }
            })
            .collect()
    }

    /// The lines of the details that are seen; the last one says that there are more.
    fn details(&self, list: &mut List, columns: usize) -> Vec<Line> {
        let Some(item) = self.items.get(list.selected) else {
            return Vec::new();
        };
        let lines = item.detail(list.selected + 1, columns);
        let Room { detail, .. } = list.room;
        list.room.detail_lines = lines.len();
        list.detail_from = list.detail_from.min(lines.len().saturating_sub(detail));
        let left = lines.len().saturating_sub(list.detail_from + detail);
        let mut seen: Vec<Line> = lines
            .into_iter()
            .skip(list.detail_from)
            .take(detail)
            .collect();
        if left > 0 {
            let more = format!("   ({} more lines: space)", left + 1);
            seen.pop();
            seen.push(Line::of(more, Style::Faint));
        }
        seen
    }
}

/// The widths of a line's parts, from the left: the title and the answer share what the others leave.
fn widths(columns: usize) -> (usize, usize) {
    let free = columns.saturating_sub(8 + 9 + 5 + 8);
    let answer = free * 2 / 5;
    (free - answer, answer)
}

fn names(columns: usize) -> Line {
    let (title, answer) = widths(columns);
    Line::of("        ", Style::Plain)
        .then(Line::of("question or rule", Style::Plain).filled(title))
        .then(Line::of("answer", Style::Plain).filled(answer))
        .with(
            format!("{:<9}{:>4} {:>8}", "level", "n", "a week"),
            Style::Plain,
        )
        .all(Style::Faint)
}

fn row(item: &Item<'_>, choice: Option<Reply>, is_selected: bool, columns: usize) -> Line {
    let (title, answer) = widths(columns);
    let (said, style) = match choice {
        None => ("", Style::Plain),
        Some(Reply::Yes) => ("yes", Style::Good),
        Some(Reply::No) => ("no", Style::Faint),
        Some(Reply::Later) => ("later", Style::Faint),
        Some(Reply::Never) => ("never", Style::Bad),
    };
    let weekly = item.weekly.map_or_else(|| "?".to_owned(), weekly);
    let part =
        |text: &str, columns: usize| Line::of(cut(text, columns - 1), Style::Plain).filled(columns);
    Line::of(if is_selected { "> " } else { "  " }, Style::Plain)
        .with(format!("{said:<6}"), style)
        .then(part(&item.title, title))
        .then(part(&item.answer, answer))
        .with(
            format!("{:<9}{:>4} {weekly:>8}", item.level, item.count),
            Style::Plain,
        )
}

/// Seconds in few columns.
fn weekly(seconds: f64) -> String {
    match seconds {
        short if short < 60.0 => format!("{short:.0} s"),
        medium if medium < 600.0 => format!("{:.1} min", medium / 60.0),
        long => format!("{:.0} min", long / 60.0),
    }
}

/// A text that can be longer than the screen, with its title above and its keys below.
fn text(
    list: &mut List,
    title: &str,
    lines: &[Line],
    keys: &str,
    columns: usize,
    rows: usize,
) -> Frame {
    let room = rows - 4;
    list.room.text = room;
    list.room.text_lines = lines.len();
    list.text_from = list.text_from.min(lines.len().saturating_sub(room));
    let to = (list.text_from + room).min(lines.len());
    let place = match lines.len() > room {
        true => format!("lines {} to {to} of {}", list.text_from + 1, lines.len()),
        false => String::new(),
    };
    let head = Line::of(title, Style::Strong).filled(columns.saturating_sub(place.len()));
    let mut frame = vec![head.with(place, Style::Faint)];
    frame.push(Line::of("─".repeat(columns), Style::Faint));
    frame.extend(lines.iter().skip(list.text_from).take(room).cloned());
    frame.resize(rows - 2, Line::default());
    frame.push(Line::of("─".repeat(columns), Style::Faint));
    frame.push(Line::of(keys, Style::Strong));
    frame
}

fn plain(lines: Vec<String>) -> Frame {
    let lines = lines.into_iter();
    lines.map(|line| Line::of(line, Style::Plain)).collect()
}
