//! Texts as they are compared: what a reader sees as the same is made the same.
//!
//! [`fold`] undoes what hides a word from a rule without hiding it from a reader: letters of other
//! scripts and styles that look like Latin ones, invisible characters, spaced-out letters, markup.
//! [`look_alike`] compares two labels as a reader does. Plain ASCII never touches a table.

mod letters;
mod markup;
mod spacing;

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_security::skeleton;

use crate::sanitize::is_dangerous;

/// `text` in lower case and NFKC, without invisible characters, emphasis and backticks, with look-alike
/// letters replaced, spaced-out letters joined (`d e l e t e`), and white space folded to single
/// blanks. Folding a folded text changes nothing but what the first pass has brought together.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        let visible = markup::without(text.to_ascii_lowercase());
        return spacing::fold_spacing(&visible);
    }
    let normal: String = text.chars().filter_map(letters::visible).nfkc().collect();
    let letters = letters::latin(&normal);
    spacing::fold_spacing(&markup::without(letters))
}

/// `folded`, a text that [`fold`] returns, without accents: `löschen` becomes `loschen`, `ß` `ss`. Letters
/// of scripts that are composed of parts stay whole.
pub fn without_accents(folded: &str) -> Cow<'_, str> {
    if folded.is_ascii() {
        return Cow::Borrowed(folded);
    }
    let is_base = |c: &char| !matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}');
    let mut plain = String::with_capacity(folded.len());
    // The breve of й makes another letter of it, as no accent does.
    let mut previous = ' ';
    let kept = folded.nfkd().filter(|c| {
        let is_letter = *c == '\u{306}' && previous == 'и';
        previous = *c;
        is_letter || is_base(c)
    });
    for c in kept.nfc() {
        match letters::base(c) {
            Some(letters) => plain.push_str(letters),
            None => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

/// True when the two look the same to a reader, though they are not equal: other letter case, other
/// scripts' look-alikes (Unicode Technical Standard 39), invisible characters, white space, markup.
pub fn look_alike(one: &str, other: &str) -> bool {
    if one == other {
        return false;
    }
    let same_shape = || {
        let (one, other) = (shape(one), shape(other));
        one == other || skeleton(&one.to_lowercase()).eq(skeleton(&other.to_lowercase()))
    };
    fold(one) == fold(other) || same_shape()
}

/// True when `pattern`, in which `*` is any run of characters, is all of `text`.
pub fn wildcard(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(first) else {
        return false;
    };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return text.ends_with(part);
        }
        let Some((_, after)) = text.split_once(part) else {
            return part.is_empty();
        };
        text = if part.is_empty() { text } else { after };
    }
    true
}

/// The skeleton of `text`: equal for texts that are drawn alike.
fn shape(text: &str) -> String {
    let visible: String = text.chars().filter(|c| !is_dangerous(*c)).nfkc().collect();
    let spaced: Vec<&str> = visible.split_whitespace().collect();
    skeleton(&spaced.join(" ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, text, expected) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("a*", "ab", true),
            ("*b", "ab", true),
            ("a*c*e", "abcde", true),
            ("a*c*e", "abde", false),
            ("a*a", "a", false),
            ("*", "", true),
        ] {
            assert_eq!(wildcard(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn what_reads_the_same_folds_the_same() {
        for (written, folded) in [
            ("Delete  All\tFiles?", "delete all files?"),
            ("ＤＥＬＥＴＥ ａｌｌ", "delete all"),
            ("𝐝𝐞𝐥𝐞𝐭𝐞 𝓪𝓵𝓵", "delete all"),
            ("Ⓓⓔⓛⓔⓣⓔ", "delete"),
            ("🅳🅴🅻🅴🆃🅴", "delete"),
            ("ᴅᴇʟᴇᴛᴇ", "delete"),
            ("d\u{200b}el\u{ad}e\u{2060}te", "delete"),
            ("\u{202e}delete\u{202c} it", "delete it"),
            ("dеlеtе", "delete"),
            ("DЕLЕТЕ", "delete"),
            ("D\u{406}SK", "disk"),
            ("рush to рrоd", "push to prod"),
            ("ꓒꓰꓡꓰꓔꓰ", "delete"),
            ("d\u{336}e\u{336}l\u{336}", "del"),
            ("delete\u{3164}all", "delete all"),
            ("**Delete** `files`, _now_ ~~or~~", "delete files, now or"),
            ("**De**lete it", "delete it"),
            ("d e l e t e", "delete"),
            ("d-e-l-e-t-e it", "delete it"),
            ("D.E.L.E.T.E. it", "delete. it"),
            ("d e l e t e  a l l", "delete all"),
        ] {
            assert_eq!(fold(written), folded, "{written}");
        }
    }

    #[test]
    fn other_scripts_stay_themselves() {
        for text in [
            "удалить старые таблицы, стереть все?",
            "要删除旧表吗?",
            "古いテーブルを削除しますか?",
            "오래된 테이블을 삭제할까요?",
            "löschen, año, è, ñ, ø",
            "snake_case_name and *.rs and rm *",
            "a/b, 1.2.3, e.g. x-y",
        ] {
            assert_eq!(fold(text), text);
        }
    }

    #[test]
    fn accents_go() {
        for (written, plain) in [
            ("löschen, año, straße", "loschen, ano, strasse"),
            (
                "usunąć wysłać sıfırla œuvre",
                "usunac wyslac sifirla oeuvre",
            ),
            ("ещё й", "еще й"),
            ("データ 삭제 删除", "データ 삭제 删除"),
        ] {
            assert_eq!(without_accents(&fold(written)), plain, "{written}");
        }
    }

    #[test]
    fn look_alikes_are_told_from_equals() {
        for (one, other) in [
            ("Yes", "yes"),
            ("Yes", "Yеs"),
            ("Delete", "Delete\u{200b}"),
            ("Option 1", "Option l"),
            ("Keep", "ＫＥＥＰ"),
            ("Keep it", "Keep  it"),
            ("Да", "дa"),
            ("Modern", "Modem"),
            ("**Keep**", "Keep"),
        ] {
            assert!(look_alike(one, other), "{one} {other}");
            assert!(look_alike(other, one), "{one} {other}");
        }
        for (one, other) in [("Yes", "Yes"), ("Yes", "No"), ("Da", "Да нет"), ("1", "2")] {
            assert!(!look_alike(one, other), "{one} {other}");
        }
    }
}
