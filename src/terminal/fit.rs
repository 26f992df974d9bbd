//! Text as the terminal can show it: in as many columns as there are, in letters that it has.

use std::env;

use plantune_reports::text::width;

/// From how many columns on long lines are left to the terminal: commands and paths in them can then be
/// copied whole.
const WIDE: usize = 80;

/// How much further to the right a line goes on.
const HANG: &str = "  ";

/// Signs that a plain letter can stand for.
const PLAIN: [(char, &str); 19] = [
    ('–', "-"),
    ('·', "."),
    ('×', "x"),
    ('→', "->"),
    ('‹', "<"),
    ('›', ">"),
    ('“', "\""),
    ('”', "\""),
    ('\u{fffd}', "?"),
    ('─', "-"),
    ('│', "|"),
    ('▁', "1"),
    ('▂', "2"),
    ('▃', "3"),
    ('▄', "4"),
    ('▅', "5"),
    ('▆', "6"),
    ('▇', "7"),
    ('█', "8"),
];

/// Columns to fill: `COLUMNS`, else the terminal's, else 80.
pub(crate) fn columns() -> usize {
    let set = env::var("COLUMNS").ok().and_then(|set| set.parse().ok());
    set.or_else(|| terminal_size::terminal_size().map(|(width, _)| width.0.into()))
        .unwrap_or(80)
        .clamp(40, 200)
}

/// `text` for this process's terminal.
pub(crate) fn fitted(text: &str) -> String {
    let is_plain = !has_unicode(|name| env::var(name).ok());
    fit(text, columns(), is_plain)
}

/// True unless the locale names another character set than UTF-8; one that is not set names none.
fn has_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    let mut names = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter();
    let set = names.find_map(|name| variable(name).filter(|value| !value.is_empty()));
    set.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase().replace('-', "");
        locale.contains("utf8")
    })
}

fn fit(text: &str, columns: usize, is_plain: bool) -> String {
    let mut fitted = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        let plain = is_plain.then(|| plain(line, columns));
        let line = plain.as_deref().unwrap_or(line);
        if columns < WIDE && visible_width(line) > columns {
            fitted.push_str(&broken(line, columns));
        } else {
            fitted.push_str(line);
        }
        fitted.push_str(end);
    }
    fitted
}

/// `line` with signs that every terminal has. What was left out is marked by `...`, or, where a table has
/// no room for that, by `~`.
fn plain(line: &str, columns: usize) -> String {
    let sign = |c: char| PLAIN.iter().find(|(sign, _)| *sign == c);
    let mut plain = String::with_capacity(line.len());
    for c in line.chars() {
        match sign(c) {
            Some((_, instead)) => plain.push_str(instead),
            None => plain.push(c),
        }
    }
    let dotted = plain.replace('…', "...");
    match visible_width(&dotted) <= columns {
        true => dotted,
        false => plain.replace('…', "~"),
    }
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
        insta::assert_snapshot!(fit(text, 16, false), @r"
        plantune: one
          two three four
          hint: five six
            seven eight
        short
        ");
        assert_eq!(fit(text, 80, false), text);
        let path = "/a/path/that/is/longer/than/a/line";
        let fitted = fit(path, 16, false);
        assert!(fitted.lines().all(|line| line.len() <= 16), "{fitted}");
        assert_eq!(fitted.replace("\n  ", ""), path);
        let coloured = "\u{1b}[32mok\u{1b}[0m       one two";
        assert_eq!(fit(coloured, 16, false), coloured);
        let long = "x".repeat(100);
        assert_eq!(fit(&long, 80, false), long);
    }

    #[test]
    fn plain_signs_where_the_locale_has_no_others() {
        assert_eq!(
            fit("a – b · c → d×2…", 40, true),
            "a - b . c -> d x2...".replace("d x", "dx")
        );
        assert_eq!(fit("12345678…", 10, true), "12345678~");
        assert_eq!(fit("·▁▄█ größer", 40, true), ".148 größer");
        let locale = |name: &'static str, value: &'static str| {
            has_unicode(|asked| (asked == name).then(|| value.to_owned()))
        };
        for (name, value) in [("LANG", "C"), ("LC_ALL", "POSIX"), ("LC_CTYPE", "de_DE")] {
            assert!(!locale(name, value), "{name}={value}");
        }
        for (name, value) in [("LANG", "C.UTF-8"), ("LANG", ""), ("LC_ALL", "de_DE.utf8")] {
            assert!(locale(name, value), "{name}={value}");
        }
    }
}
