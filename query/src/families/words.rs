//! Which words and option sets say what a question is about.

use std::collections::HashSet;
use std::sync::LazyLock;

use plantune_domain::keys::option_set;

/// Words that stand in any question, whatever it is about, and in the answers to any.
static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "\
    a an the this that these those it its them they i me my we us our you your is are was be \
    been do does did have has to of in on at by for from with without as and or but not no if \
    so then there here now what which how when where who why can could should shall would will \
    may might must let lets i'd i'll let's don't before after all any some both either none \
    neither more most else again first want like prefer choose select pick please next ready \
    sure think about question option options choice approach step way yes yep yeah nope ok okay \
    fine good great looks sounds correct right wrong true false approve approved accept reject \
    decline deny allow confirm cancel abort stop quit exit continue proceed go going ahead keep \
    leave skip retry undo revise change changes edit modify adjust needed needs required other \
    another something different later wait maybe never always once done start begin open close \
    off enable disable default custom auto manual current new old full partial minimal simple \
    small medium large low high basic advanced only everything nothing hybrid mixed it's \
    discuss explain ja nein weiter abbrechen oui non continuer annuler sí si continuar cancelar \
    sim não да нет продолжить отмена はい いいえ 続ける 中止 是 否 继续 取消 예 네 아니오 아니요 승인 거부 \
    수정 필요 계속 취소"
    .split(' ')
    .collect()
});

/// True for a word that is not one of those that any question or answer could hold.
pub(crate) fn says_something(word: &str) -> bool {
    let trimmed = word.trim_matches(|c: char| !c.is_alphanumeric());
    trimmed.chars().filter(|c| c.is_alphabetic()).count() > 1 && !COMMON.contains(trimmed)
}

/// True when the labels alone identify what was asked: at least two of them, and half of all, are more than
/// one word and say something of their own. In doubt a set is a general one.
pub fn is_specific(options: &[String]) -> bool {
    let mut set = option_set(options);
    let all = set.len();
    set.dedup();
    let speaking = set.iter().filter(|label| {
        let words: Vec<&str> = label.split(' ').collect();
        words.len() > 1 && words.iter().any(|word| says_something(word))
    });
    let speaking = speaking.count();
    set.len() == all && speaking >= 2 && speaking * 2 >= all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn specific(labels: &[&str]) -> bool {
        let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
        is_specific(&labels)
    }

    #[test]
    fn sets_that_carry_themselves() {
        for labels in [
            &["More questions", "Next area"][..],
            &["Format draft (Recommended)", "Leave draft alone"],
            &[
                "Open plan in editor",
                "Run /plan_review",
                "Simplify",
                "Start /workflows:work",
            ],
            &["Pre-built binaries", "Build from source"],
        ] {
            assert!(specific(labels), "{labels:?}");
        }
    }

    #[test]
    fn sets_that_could_be_of_any_question() {
        for labels in [
            &["Yes", "No"][..],
            &["Yes, go ahead", "No, cancel", "Something else"],
            &["Option 1", "Option 2"],
            &["Fix `a.rs` first", "Fix `b.rs` first"],
            &["Grid", "List"],
            &["승인", "수정 필요"],
            &["Minimal", "Full", "Custom"],
            &["Commit the files", "Later"],
            &[],
        ] {
            assert!(!specific(labels), "{labels:?}");
        }
    }
}
