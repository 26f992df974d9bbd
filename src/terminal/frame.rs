//! What stands on a full screen: lines of parts, each with how it looks. No colour of the background is set, so
//! that it can be read on light and dark terminals.

use plantune_reports::text::{pieces, width};

use crate::terminal::{fit, sanitized};

/// How a part of a line looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Style {
    /// As all text.
    #[default]
    Plain,
    /// What it is about.
    Strong,
    /// What can be passed over.
    Faint,
    /// The line that the person is at.
    Selected,
    /// What agrees, or is added.
    Good,
    /// What differs, or is taken away.
    Bad,
    /// Where something stands in a file.
    Place,
}

/// One line: its parts, from the left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line(Vec<(String, Style)>);

/// All lines of a screen.
pub(crate) type Frame = Vec<Line>;

impl Style {
    /// The codes of the terminal: weight and inversion are no colours.
    fn codes(self, colour: bool) -> &'static str {
        match (self, colour) {
            (Self::Plain, _) => "",
            (Self::Strong, _) => "1",
            (Self::Faint, _) => "2",
            (Self::Selected, _) => "7",
            (Self::Good, true) => "32",
            (Self::Bad, true) => "31",
            (Self::Place, true) => "36",
            (Self::Good | Self::Bad | Self::Place, false) => "",
        }
    }
}

impl Line {
    /// `text`, all of it in one style.
    pub(crate) fn of(text: impl Into<String>, style: Style) -> Self {
        Self(vec![(text.into(), style)])
    }

    /// The same line with one part more.
    pub(crate) fn with(mut self, text: impl Into<String>, style: Style) -> Self {
        self.0.push((text.into(), style));
        self
    }

    /// The same line and then `other`.
    pub(crate) fn then(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The line in exactly `columns` columns.
    pub(crate) fn filled(self, columns: usize) -> Self {
        let mut left = columns;
        let mut parts = Vec::new();
        for (text, style) in self.0 {
            let text = cut(text, left);
            left -= width(&text).min(left);
            parts.push((text, style));
        }
        parts.push((" ".repeat(left), Style::Plain));
        Self(parts)
    }

    /// The whole line in `style`.
    pub(crate) fn all(self, style: Style) -> Self {
        let text: String = self.0.into_iter().map(|(text, _)| text).collect();
        Self::of(text, style)
    }

    /// What the terminal is sent for it: no more than `columns` columns, and nothing but text and styles.
    pub(crate) fn sent(&self, columns: usize, colour: bool) -> String {
        let mut sent = String::new();
        let mut left = columns;
        for (text, style) in &self.0 {
            // Wherever it came from: nothing in it may steer the terminal.
            let text = sanitized(text).replace(['\n', '\t'], " ");
            let text = cut(fit::signs(&text), left);
            left -= width(&text).min(left);
            match style.codes(colour) {
                "" => sent.push_str(&text),
                codes => sent.push_str(&format!("\u{1b}[{codes}m{text}\u{1b}[0m")),
            }
        }
        sent
    }

    /// The text alone.
    #[cfg(test)]
    pub(crate) fn text(&self) -> String {
        let parts = self.0.iter().map(|(text, _)| text.as_str());
        parts.collect::<String>().trim_end().to_owned()
    }
}

/// `text` in at most `columns` columns, its spaces as they are; what is left out is marked by `…`.
fn cut(text: String, columns: usize) -> String {
    if width(&text) <= columns {
        return text;
    }
    let Some(room) = columns.checked_sub(1) else {
        return String::new();
    };
    // A piece is at least a character, which may have no room.
    let first = pieces(&text, room).into_iter().next();
    let first = first.filter(|first| width(first) <= room);
    format!("{}…", first.unwrap_or_default().trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_filled_and_cut_by_width() {
        let line = || Line::of("次は", Style::Strong).with("どう", Style::Plain);
        assert_eq!(line().filled(10).text(), "次はどう");
        assert_eq!(line().filled(7).text(), "次はど…");
        assert_eq!(line().filled(6).text(), "次は…");
        let spaces = Line::of("a   b", Style::Plain).with("  c d", Style::Plain);
        assert_eq!(spaces.sent(8, true), "a   b…");
        assert_eq!(line().sent(80, true), "\u{1b}[1m次は\u{1b}[0mどう");
        assert_eq!(Line::of("ok", Style::Good).sent(80, false), "ok");
        for columns in 0..12 {
            let filled = line().filled(columns);
            let text: String = filled.0.iter().map(|(text, _)| text.as_str()).collect();
            assert_eq!(width(&text), columns, "{text:?}");
        }
    }

    #[test]
    fn nothing_in_a_line_steers_the_terminal() {
        let hostile = Line::of("a\u{1b}]0;x\u{7}\u{202e}\nb\u{9b}31m", Style::Plain);
        let sent = hostile.sent(80, true);
        assert!(!sent.contains(|c: char| c.is_control()), "{sent:?}");
        assert!(!sent.contains('\u{202e}') && sent.starts_with('a'));
    }
}
