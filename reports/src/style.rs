//! Colours and weights of a terminal; nothing is said by them alone.

pub use anstyle::Style;

use anstyle::AnsiColor;

/// What a text is about.
pub const BOLD: Style = Style::new().bold();
/// What can be passed over.
pub const DIM: Style = Style::new().dimmed();
/// What is answered or allowed.
pub const GREEN: Style = AnsiColor::Green.on_default();
/// What asks for a look.
pub const YELLOW: Style = AnsiColor::Yellow.on_default();
/// For what is worth knowing.
pub const CYAN: Style = AnsiColor::Cyan.on_default();
/// For what does not work.
pub const RED: Style = AnsiColor::Red.on_default().bold();

/// `text` in `style`, where `colour` is wanted.
pub fn styled(text: &str, style: Style, colour: bool) -> String {
    match colour && !text.is_empty() {
        true => format!("{style}{text}{style:#}"),
        false => text.to_owned(),
    }
}
