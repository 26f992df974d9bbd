//! Keeping text from outside inert: questions and labels are written by a model, projects by
//! whoever made the repository.

use serde::Serialize;

use crate::text::{cut, is_unseen};

/// `text` on one line of at most `most` columns, without what a terminal would obey: control
/// characters, and characters that reorder or hide their neighbours. Each run of them, and of white
/// space, becomes one blank.
pub fn one_line(text: &str, most: usize) -> String {
    let visible = |c: char| if is_obeyed(c) { ' ' } else { c };
    let clean: String = text.chars().map(visible).collect();
    let clean = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    cut(&clean, most)
}

/// `value` as JSON, indented, with a newline at the end. What a terminal would obey is escaped, so
/// that the text means the same to a program and does nothing on a screen.
///
/// # Errors
/// Those of the serialiser.
pub fn json(value: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string_pretty(value)?;
    let mut inert = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        // Outside strings JSON has no such character but the line ends of the indentation.
        if is_obeyed(c) && c != '\n' {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                inert.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            inert.push(c);
        }
    }
    inert.push('\n');
    Ok(inert)
}

/// Characters that a terminal obeys, or that reorder or hide what stands beside them.
fn is_obeyed(c: char) -> bool {
    c.is_control() || is_unseen(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\u{1b}]0;x\u{7}\r\nb\u{9b}31m\u{202e}c\u{e0041}  d";

    #[test]
    fn a_line_is_one_line_of_what_can_be_seen() {
        assert_eq!(one_line(HOSTILE, 80), "a ]0;x b 31m c d");
        assert_eq!(one_line("äöüß", 4), "äöüß");
        assert_eq!(one_line("äöüßa", 4), "äöü…");
        assert_eq!(one_line("次はどうしますか", 8), "次はど…");
        assert_eq!(one_line("Yes\u{3164}", 8), "Yes");
    }

    #[test]
    fn json_means_the_same_and_shows_nothing() {
        let text = json(&vec![HOSTILE]).unwrap();
        assert!(!text.trim().chars().any(|c| is_obeyed(c) && c != '\n'));
        assert_eq!(
            serde_json::from_str::<Vec<String>>(&text).unwrap(),
            [HOSTILE]
        );
    }
}
