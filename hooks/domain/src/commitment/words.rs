//! The words by which labels are read. Small lists: whatever they do not know counts as a reference to the
//! question, which is judged whole.

use crate::doors::entries::{List, list};
use crate::doors::is_known_verb;

/// Words that decline.
pub(super) static NEGATIVE: List = list!(" no nope nah n none no-go ");

/// Whole labels of other languages that decline, put off or end the talk.
pub(super) static DECLINING: List = list!(
    "|später|nicht jetzt|abbrechen|überspringen|plus tard|pas maintenant|annuler|passer|más tarde|ahora no|\
    cancelar|omitir|mais tarde|agora não|pular|più tardi|non ora|annulla|salta|позже|не сейчас|отмена|\
    пропустить|キャンセル|スキップ|今はしない|取消|跳过|以后再说|暂不|취소|건너뛰기|"
);

/// Words that only consent.
pub(super) static YES: List = list!(
    " yes yep yeah y ok okay sure approve approved confirm confirmed accept agree agreed correct "
);

/// Words that accept what is proposed.
pub(super) static AFFIRMATIVE: List = list!(
    " yes yep yeah y ok okay sure proceed go approve approved confirm confirmed accept agree agreed \
    acknowledge lgtm looks correct right do override attempt allow continue start begin retry resume \
    rerun re-run redo "
);

/// Verbs that leave what they name as it is.
pub(super) static KEEPING: List = list!(
    " keep defer postpone wait hold decline dismiss retain preserve stay remain remind disagree \
    reconsider rethink "
);

/// Verbs that end something: alone the talk, with an object the object.
pub(super) static ENDING: List = list!(
    " cancel pause abort stop exit quit done end close finish finished reject return pass edit revise \
    modify adjust change refine narrow filter "
);

/// Verbs with which the person looks, asks or says more.
pub(super) static SHOWING: List = list!(
    " show view see explain tell discuss review ask help clarify elaborate revisit explore compare \
    inspect read preview describe summarize list enter type specify choose pick select "
);

/// What somebody says of themselves, behind "I".
pub(super) static SAYING: List = list!(
    " have done handle review check decide provide look paste describe explain tell do clean "
);

/// What "more" is followed by.
pub(super) static MOVING_ON: List = list!(" detail details information context ");

/// What one would leave for good.
pub(super) static GROUPS: List =
    list!(" organisation organization org team group channel workspace meeting ");

/// What nobody skips unasked.
pub(super) static SAFEGUARDS: List = list!(
    " validation validations verification check checks test tests testing approval approvals confirmation \
    confirmations backup backups scan scans audit audits security safety guard guards gate gates \
    hook hooks lint ci review reviews staging canary auth authentication sandbox sandboxing "
);

/// Verbs that make something of a safeguard and do not run it: "Write the tests?".
pub(super) static WRITING: List =
    list!(" write add create generate update fix see show view which what how where who when ");

/// Verbs of keeping, waiting, asking and protecting.
pub(super) static PROTECTING: List = list!(
    " keep retain preserve protect wait ask confirm backup encrypt lock guard verify validate \
    validation verification warn require quarantine "
);

/// How many words of a question are looked at for its verb.
pub(super) const LEAD: usize = 6;

/// Words with which an object begins.
pub(super) static DETERMINERS: List =
    list!(" the a an my your our their his her its every each all ");

/// Words that no order begins with.
pub(super) static NO_ORDER: List = list!(
    " all both half only just none not of in on at to for with from by as like than per via into onto over \
    under after before during about and or but plus also even every each any some more most less least \
    one two three same is are was has have what which who when where why how that this it i we you they "
);

/// Words that stand for what the question names.
pub(super) static PRONOUNS: List =
    list!(" it them this that these those everything both anyway same him her ");

/// Words that stand for everything, at the end of a clause.
pub(super) static ALL: List = list!(" all rest ones one ");

/// Words with which a label speaks of other options.
pub(super) static OTHER_OPTIONS: List =
    list!(" each every either neither none other others remaining above below mix ");

/// Words that name nothing.
pub(super) static LITTLE: List = list!(
    " it them this that these those now here there anyway all both everything the a an for first today \
    again please just as is as-is me one ones and later immediately then ahead with once right away \
    rest same "
);

/// Verbs of development that make of anything no more than a text, a look or a piece of work.
pub(super) static HARMLESS_WITH_PRONOUN: List = list!(
    " work fix plan research investigate analyze analyse document draft refactor implement diagnose \
    brainstorm study outline sketch "
);

/// Verbs that make a text or a piece of code of what they name, and leave that as it is.
pub(super) static MAKING: List = list!(
    " create write add revise draft plan document generate refine review outline split design spec "
);

/// What an agent goes on doing and only thinks or looks.
pub(super) static THINKING: List = list!(
    " investigating researching reviewing exploring discussing debugging refining planning analyzing \
    analysing working monitoring trying iterating looking reading questioning "
);

/// The words of `text`, in lower case; an apostrophe or hyphen inside a word is part of it.
pub(super) fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase().replace('’', "'");
    let parts = lower.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '-');
    let words = parts.map(|word| word.trim_matches(['\'', '-']));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// True for a verb that the door rules know, as an order has it.
pub(super) fn is_verb(word: &str) -> bool {
    is_known_verb(word)
        || word
            .split_once('-')
            .is_some_and(|(_, verb)| is_known_verb(verb))
        || KEEPING.holds(word)
        || ENDING.holds(word)
        || SHOWING.holds(word)
        || HARMLESS_WITH_PRONOUN.holds(word)
}
