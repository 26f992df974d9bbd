//! Text as the terminal can show it: in as many columns as there are.

use std::env;

use plantune_reports::text::width;

/// From how many columns on long lines are left to the terminal: commands and paths in them can then be
/// copied whole.
const WIDE: usize = 80;

/// How much further to the right a line goes on.
const HANG: &str = "  ";

/// Columns to fill: `COLUMNS`, else the terminal's, else 80.
pub(crate) fn columns() -> usize {
    let set = env::var("COLUMNS").ok().and_then(|set| set.parse().ok());
    set.or_else(|| terminal_size::terminal_size().map(|(width, _)| width.0.into()))
        .unwrap_or(80)
        .clamp(40, 200)
}

/// `text` with lines broken that are wider than a narrow terminal.
pub(crate) fn fitted(text: &str) -> String {
    fit(text, columns())
}

fn fit(text: &str, columns: usize) -> String {
    let mut fitted = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        if columns < WIDE && visible_width(line) > columns {
            fitted.push_str(&broken(line, columns));
        } else {
            fitted.push_str(line);
        }
        fitted.push_str(end);
    }
    fitted
}

/// `line` in several lines of at most `columns` columns, broken at spaces.
fn broken(line: &str, columns: usize) -> String {
    let text = line.trim_start_matches(' ');
    let indent = line.split_at(line.len() - text.len()).0;
    let mut done = String::new();
    let mut current = indent.to_owned();
    let mut is_empty = true;
    for word in text.split(' ') {
        let space = if is_empty { "" } else { " " };
        if visible_width(&current) + space.len() + visible_width(word) <= columns {
            current.push_str(space);
            current.push_str(word);
            is_empty = false;
            continue;
        }
        if !is_empty {
            done.push_str(current.trim_end());
            done.push('\n');
            current = [indent, HANG].concat();
        }
        for c in word.chars() {
            current.push(c);
            if visible_width(&current) > columns {
                current.pop();
                done.push_str(&current);
                done.push('\n');
                current = [indent, HANG].concat();
                current.push(c);
            }
        }
        is_empty = word.is_empty() && is_empty;
    }
    done + &current
}

/// The columns that `line` takes; colours take none.
fn visible_width(line: &str) -> usize {
    let mut visible = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, sequence)) = rest.split_once("\u{1b}[") {
        visible.push_str(before);
        rest = sequence.split_once('m').map_or("", |(_, after)| after);
    }
    visible.push_str(rest);
    width(&visible)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_where_there_is_little_room() {
        let text = "plantune: one two three four\n  hint: five six seven eight\nshort\n";
        insta::assert_snapshot!(fit(text, 16), @r"
        plantune: one
          two three four
          hint: five six
            seven eight
        short
        ");
        assert_eq!(fit(text, 80), text);
        let path = "/a/path/that/is/longer/than/a/line";
        let fitted = fit(path, 16);
        assert!(fitted.lines().all(|line| line.len() <= 16), "{fitted}");
        assert_eq!(fitted.replace("\n  ", ""), path);
        let coloured = "\u{1b}[32mok\u{1b}[0m       one two";
        assert_eq!(fit(coloured, 16), coloured);
        let long = "x".repeat(100);
        assert_eq!(fit(&long, 80), long);
    }
}
