//! Templates as a person reads them: `More questions about …, or move to …?`

use plantune_domain::family;

/// What stands for what varies.
const GAP: &str = "…";

/// The family of `template` as a text: `text`, which is one of its texts, with `…` for the words that
/// vary; for a family whose texts share too little, its `options`.
pub fn template_text(template: &[String], text: &str, options: &[String]) -> String {
    if template.is_empty() {
        let labels: Vec<String> = options.iter().map(|label| format!("\"{label}\"")).collect();
        return format!("any question with {}", labels.join(", "));
    }
    let asking = family::asking_part(text);
    let text = if family::fits(template, asking) {
        asking
    } else {
        text
    };
    let mut shown = Shown::default();
    let mut rest = template.iter().peekable();
    for token in text.split_whitespace() {
        let words = family::words(token);
        if words.is_empty() && !token.contains(char::is_alphanumeric) && !token.contains('/') {
            shown.between(token);
            continue;
        }
        let mut ahead = rest.clone();
        let is_whole = |word: &String| ahead.next() == Some(word);
        if !words.is_empty() && words.iter().all(is_whole) {
            rest = ahead;
            shown.word(token);
        } else {
            shown.gap(token);
        }
    }
    match rest.peek() {
        None => shown.text,
        // Words that stand in the middle of what varies: without the text's own punctuation.
        Some(_) => format!("{GAP} {} {GAP}", template.join(" ")),
    }
}

#[derive(Default)]
struct Shown {
    text: String,
    is_gap: bool,
}

impl Shown {
    fn word(&mut self, token: &str) {
        self.push(token);
        self.is_gap = false;
    }

    /// A dash and the like belongs to the words before it.
    fn between(&mut self, token: &str) {
        if !self.is_gap {
            self.push(token);
        }
    }

    /// What varies, with the punctuation that ends it: of several words in a row one gap is left.
    fn gap(&mut self, token: &str) {
        if self.is_gap {
            let kept = self.text.rfind(GAP).map_or(0, |at| at + GAP.len());
            self.text.truncate(kept);
        } else {
            self.push(GAP);
        }
        let end = token.trim_end_matches([',', '.', ';', ':', '?', '!', '？', '。', '、']);
        self.text.push_str(token.get(end.len()..).unwrap_or(""));
        self.is_gap = true;
    }

    fn push(&mut self, token: &str) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(token);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(template: &str, text: &str) -> String {
        template_text(&family::words(template), text, &[])
    }

    #[test]
    fn what_varies_is_left_out_and_punctuation_stays() {
        assert_eq!(
            shown(
                "more questions about or move to",
                "More questions about login flows, or move to the search index?"
            ),
            "More questions about …, or move to …?"
        );
        assert_eq!(
            shown(
                "shall i run the linter",
                "search index: shall I run the linter?"
            ),
            "…: shall I run the linter?"
        );
        assert_eq!(
            shown("plan ready at go", "Plan ready at `plans/a.md` – go?"),
            "Plan ready at … go?"
        );
        assert_eq!(
            shown("release the now", "Release the 3.1.4 build now?"),
            "Release the … now?"
        );
    }

    #[test]
    fn what_cannot_be_found_again_is_shown_as_words() {
        assert_eq!(
            shown("read-me first please", "read-me/first, please"),
            "… read-me first please …"
        );
        let options = ["More questions", "Next area"].map(str::to_owned);
        assert_eq!(
            template_text(&[], "Anything else?", &options),
            "any question with \"More questions\", \"Next area\""
        );
    }
}
