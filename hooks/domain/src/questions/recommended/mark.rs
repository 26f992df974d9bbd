//! The mark of a recommended option, as models write it on a label: `Grid (Recommended)`, `Grid - recommended`,
//! `[Recommended] Grid`, with an ornament or without.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The words of a mark as [`folded`] has them, with `|` between them. They are compared without regard to case and
/// accents, which many a model leaves out.
const WORDS: &str = "recommended|highly recommended|strongly recommended|推奨|おすすめ|オススメ|お勧め|お薦め|推荐|推薦|建议|\
    建議|권장|추천|empfohlen|recommande|recommandee|conseille|conseillee|recomendado|recomendada|recomanat|recomanada|\
    consigliato|consigliata|raccomandato|raccomandata|aanbevolen|aanrader|рекомендуется|рекомендовано|рекомендуем|\
    рекомендую|zalecane|zalecany|zalecana|polecane|polecany|polecana|rekomendowane|onerilen|onerilir|tavsiye edilen|\
    tavsiye edilir|rekommenderas|rekommenderad|rekommenderat|anbefales|anbefalt|anbefalet|suositeltu|doporuceno|\
    doporucene|odporucane|recomandat|ajanlott|khuyen nghi|موصى به";

/// How far from a label's end, or beginning, its mark may reach, in bytes.
const MOST_MARK: usize = 128;

const BRACKETS: [(char, char); 4] = [('(', ')'), ('（', '）'), ('[', ']'), ('【', '】')];

/// What stands between a label and a mark without brackets: the first ones anywhere, the second ones between blanks.
const DASHES: [char; 3] = ['—', '–', '―'];
const BETWEEN_BLANKS: [char; 4] = ['-', '|', '·', '•'];

/// What stands between a mark in front and the label.
const COLONS: [char; 2] = [':', '：'];

/// What a mark is adorned with. A label's own ornaments stay, but for stars beside a mark.
const STARS: [char; 4] = ['⭐', '★', '🌟', '\u{fe0f}'];
const ORNAMENTS: [char; 16] = [
    '✨', '💫', '✅', '✓', '✔', '☑', '👍', '👌', '🏆', '🥇', '🎯', '💡', '→', '*', '_', '!',
];

/// `label` without its mark of recommendation, and whether it had one. White space around the
/// label goes as well.
pub fn strip_mark(label: &str) -> (&str, bool) {
    let label = label.trim();
    let unmarked = behind(label).or_else(|| in_front(label));
    match unmarked.map(bare).filter(|unmarked| !unmarked.is_empty()) {
        Some(unmarked) => (unmarked, true),
        None => (label, false),
    }
}

/// The label in front of its mark. Of a long one, which may come from anywhere, its end alone is looked at.
fn behind(label: &str) -> Option<&str> {
    let end = label.get(label.ceil_char_boundary(label.len().saturating_sub(MOST_MARK))..)?;
    let text = end.trim_end_matches(is_ornament);
    let brackets = BRACKETS.iter().find(|(_, close)| text.ends_with(*close));
    let (at, mark) = if let Some((open, close)) = brackets {
        let at = text.rfind(*open)?;
        let inside = text.get(at + open.len_utf8()..)?;
        (at, inside.strip_suffix(*close)?)
    } else {
        let is_star = |c: char| STARS.contains(&c) && c != '\u{fe0f}';
        let is_separator =
            |c: char| DASHES.contains(&c) || BETWEEN_BLANKS.contains(&c) || is_star(c);
        let at = text.rfind(is_separator)?;
        let (before, mark) = text.split_at_checked(at)?;
        let separator = mark.chars().next()?;
        let mark = mark.get(separator.len_utf8()..)?;
        let is_apart =
            before.ends_with(char::is_whitespace) && mark.starts_with(char::is_whitespace);
        if BETWEEN_BLANKS.contains(&separator) && !is_apart {
            return None;
        }
        (at, mark)
    };
    let length = label.len() - end.len() + at;
    is_mark(mark).then(|| label.get(..length))?
}

/// The label behind its mark. Of a long one its beginning alone is looked at.
fn in_front(label: &str) -> Option<&str> {
    let start = label.get(..label.floor_char_boundary(MOST_MARK))?;
    let text = start.trim_start_matches(is_ornament);
    let brackets = BRACKETS.iter().find(|(open, _)| text.starts_with(*open));
    let (mark, rest) = match brackets {
        Some((open, close)) => text.strip_prefix(*open)?.split_once(*close)?,
        None => text.split_once(COLONS)?,
    };
    let length = start.len() - rest.len();
    is_mark(mark).then(|| label.get(length..))?
}

/// True for the words of a mark, whatever adorns them.
fn is_mark(text: &str) -> bool {
    let word = text.trim_matches(is_ornament);
    if word.is_empty() {
        return false;
    }
    let word = folded(word);
    WORDS.split('|').any(|one| one == word)
}

/// What is left of a label beside its mark, without the stars of that.
fn bare(label: &str) -> &str {
    label.trim_matches(|c: char| c.is_whitespace() || STARS.contains(&c))
}

fn is_ornament(c: char) -> bool {
    c.is_whitespace() || STARS.contains(&c) || ORNAMENTS.contains(&c)
}

/// `text` in lower case, without accents.
fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let bare = text.nfkd().filter(|c| !is_combining_mark(*c));
    bare.nfc().flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_as_labels_are_folded() {
        for word in WORDS.split('|') {
            assert_eq!(folded(word), word);
            assert!(strip_mark(&format!("A ({word})")).1, "{word}");
        }
    }
}
