//! Typed answers that name one offered label and add to it: "yes work on it now, but keep the tests".
//!
//! Read by rules, without a model. What is not certain stays a typed answer that no rule explains.

use plantune_domain::recommended::strip_mark;

/// What may stand in front of a label, without changing what is meant.
const AFFIRMING: &str = "\
    yes|yep|yeah|ok|okay|sure|please|let's|lets|i choose|i'd say|go with|option|do|ja|gerne|\
    bitte|klar|oui|d'accord|sí|si|vale|claro|sì|va bene|sim|да|хорошо|tak|evet|是的|是|好的|好|可以|はい|\
    네|예";

/// What an addition begins with, where no punctuation mark stands between it and the label.
const ADDING: &str = "\
    and but with also plus then though und aber mit auch dann et mais avec aussi puis y pero \
    con también además e ma anche mas com também en maar met ook и но также i ale ve ama 但 不过 \
    并且 而且 另外 同时 然后 でも ただし そして あと 하지만 그리고 다만";

/// What takes a choice back when it stands anywhere behind it.
const REVERSING: &str = "\
    instead|rather|unless|wait|actually|cancel|except|only if|on second thought|stattdessen|\
    sondern|lieber|außer|nur wenn|doch nicht|plutôt|au lieu|sauf|à moins|en vez|salvo|mejor|\
    a menos|invece|piuttosto|a meno|em vez|exceto|melhor|in plaats|behalve|liever|вместо|лучше|\
    кроме|zamiast|yerine|不要|不用|而不是|算了|除非|やめ|代わり|しない|말고|대신|아니";

/// What takes a choice back when it stands right behind it.
const NEGATING: &str = "\
    not no nope never don't dont isn't doesn't won't can't cannot nicht nein kein keine pas non \
    ne nunca não nao niet nee geen не нет nie hayır değil";

/// How many words behind the label may not negate it.
const NEGATION_WITHIN: usize = 4;

/// The offered label, as sent, that `typed` names and adds to; `None` for anything else.
///
/// The label stands first, or behind a word that only affirms; punctuation or a word that adds follows;
/// nothing behind it negates, reverses or asks; and no other label is named anywhere.
pub(super) fn added_to<'o>(typed: &str, offered: &'o [String]) -> Option<&'o str> {
    let typed = folded(typed);
    let labels: Vec<String> = offered
        .iter()
        .map(|label| folded(strip_mark(label).0))
        .collect();
    let (chosen, from, to) = named_first(&typed, &labels)?;
    let (before, rest) = (typed.get(..from)?, typed.get(to..)?);
    let is_named = |label: &str| {
        let texts = [before, rest];
        !label.is_empty() && texts.iter().any(|text| find(text, label).is_some())
    };
    let label = labels.get(chosen)?;
    let mut others = labels
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != chosen);
    if others.any(|(_, other)| other == label || is_named(other)) || !adds(rest) {
        return None;
    }
    offered.get(chosen).map(String::as_str)
}

/// The longest label that `typed` begins with, affirmations aside: its index, and where it begins and
/// ends.
fn named_first(typed: &str, labels: &[String]) -> Option<(usize, usize, usize)> {
    let mut at = 0;
    loop {
        let rest = typed.get(at..)?;
        let named =
            |label: &&String| label.contains(char::is_alphanumeric) && find(rest, label) == Some(0);
        let longest = labels
            .iter()
            .enumerate()
            .filter(|(_, label)| named(label))
            .max_by_key(|(_, label)| label.len());
        if let Some((index, label)) = longest {
            return Some((index, at, at + label.len()));
        }
        let word = AFFIRMING.split('|');
        let word = word.filter(|word| find(rest, word) == Some(0));
        at += word.map(str::len).max()?;
        let is_between = |c: char| c.is_whitespace() || PUNCTUATION.contains(&c);
        at += typed.get(at..)?.len() - typed.get(at..)?.trim_start_matches(is_between).len();
    }
}

/// What may stand between a label and what is added.
const PUNCTUATION: [char; 18] = [
    ',', '.', ';', ':', '-', '–', '—', '(', '+', '&', '!', '，', '。', '、', '；', '：', '（', '！',
];

/// True when `rest`, which follows a label, only adds to it.
fn adds(rest: &str) -> bool {
    let text = rest.trim_start();
    let begins =
        text.starts_with(PUNCTUATION) || ADDING.split(' ').any(|word| find(text, word) == Some(0));
    let first: Vec<&str> = words(text).take(NEGATION_WITHIN).collect();
    begins
        && text.contains(char::is_alphanumeric)
        && !text.contains(['?', '？'])
        && !REVERSING.split('|').any(|word| find(text, word).is_some())
        && !NEGATING.split(' ').any(|word| first.contains(&word))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
}

/// `text` in lower case, without markup and quotation marks, white space folded.
fn folded(text: &str) -> String {
    let plain: String = text
        .chars()
        .filter(|c| !"`*_\"“”„«»「」".contains(*c))
        .map(|c| if c == '’' { '\'' } else { c })
        .flat_map(char::to_lowercase)
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where `phrase` first stands in `text` as whole words. In scripts without spaces any place will do.
fn find(text: &str, phrase: &str) -> Option<usize> {
    let is_of_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_unspaced(c));
    let inner = (phrase.chars().next(), phrase.chars().next_back());
    text.match_indices(phrase).map(|(at, _)| at).find(|at| {
        let before = text
            .get(..*at)
            .and_then(|before| before.chars().next_back());
        let after = text
            .get(at + phrase.len()..)
            .and_then(|after| after.chars().next());
        let is_joined = is_of_word(inner.0) && is_of_word(before);
        let goes_on = is_of_word(inner.1) && is_of_word(after);
        !is_joined && !goes_on
    })
}

/// True for letters of Chinese, Japanese and Korean, whose words need no spaces.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(typed: &str, labels: &[&str]) -> Option<String> {
        let offered: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
        added_to(typed, &offered).map(str::to_owned)
    }

    const TODO: [&str; 3] = ["Work on it now", "Defer", "Delete the todo"];
    const AREA: [&str; 2] = ["More questions", "Next area (Recommended)"];

    #[test]
    fn label_with_an_addition_is_read() {
        for typed in [
            "yes work on it now, but you can keep the tests as they are",
            "Work on it now. Start with the parser",
            "**Work on it now** and tell me when it is done",
            "Yes, please: work on it now - keep it short",
        ] {
            assert_eq!(
                named(typed, &TODO).as_deref(),
                Some("Work on it now"),
                "{typed}"
            );
        }
        let next = named("Next area, and note that the schema is final", &AREA);
        assert_eq!(next.as_deref(), Some("Next area (Recommended)"));
        // The longer of two labels that begin alike.
        let longer = named("Next area, with a summary", &["Next", "Next area"]);
        assert_eq!(longer.as_deref(), Some("Next area"));
    }

    #[test]
    fn several_languages() {
        for (typed, labels) in [
            (
                "Ja, jetzt bearbeiten, aber die Tests behalten",
                ["Jetzt bearbeiten", "Später"],
            ),
            (
                "oui continuer mais avec un résumé",
                ["Continuer", "Arrêter"],
            ),
            ("Sí, continuar y añade un resumen", ["Continuar", "Parar"]),
            (
                "да, продолжить, и добавь тесты",
                ["Продолжить", "Остановить"],
            ),
            ("好的，继续，另外请补充测试", ["继续", "停止"]),
            ("はい、続ける。ただしテストも書いて", ["続ける", "停止"]),
            ("네, 계속 그리고 테스트도 추가해", ["계속", "중지"]),
        ] {
            assert_eq!(named(typed, &labels).as_deref(), Some(labels[0]), "{typed}");
        }
        for (typed, labels) in [
            (
                "Jetzt bearbeiten, nein, doch nicht",
                ["Jetzt bearbeiten", "Später"],
            ),
            ("Continuar, pero mejor mañana", ["Continuar", "Parar"]),
            ("继续，算了", ["继续", "停止"]),
        ] {
            assert_eq!(named(typed, &labels), None, "{typed}");
        }
    }

    #[test]
    fn doubt_stays_unexplained() {
        for typed in [
            "if you feel you have everything you need",
            "Next area",
            "next areas, and so on",
            "Next area? I am not sure",
            "Next area, no wait",
            "Next area is wrong",
            "Next area, but not yet",
            "Next area, but more questions about auth first",
            "the next area, and quickly",
            "Not next area, but stop",
            "Next area, unless something is open",
            "Next area, ...",
            "",
        ] {
            assert_eq!(named(typed, &AREA), None, "{typed}");
        }
        assert_eq!(named("Go, and be quick", &["Go", "go"]), None);
        assert_eq!(named("--, and be quick", &["--", "Go"]), None);
        assert_eq!(named("anything", &[]), None);
    }
}
