//! Colours and weights of a terminal; nothing is said by them alone.

use anstyle::{AnsiColor, Style};

/// What a text is about.
pub const BOLD: Style = Style::new().bold();
/// What can be passed over.
pub const DIM: Style = Style::new().dimmed();
/// What is answered or allowed.
pub const GREEN: Style = AnsiColor::Green.on_default();
/// What asks for a look.
pub const YELLOW: Style = AnsiColor::Yellow.on_default();

/// `text` in `style`, where `colour` is wanted.
pub fn styled(text: &str, style: Style, colour: bool) -> String {
    match colour && !text.is_empty() {
        true => format!("{style}{text}{style:#}"),
        false => text.to_owned(),
    }
}
