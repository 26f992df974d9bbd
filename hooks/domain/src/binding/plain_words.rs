//! Words that are no topic: they order, negate, count, join, point elsewhere, or name an environment or harm.

use crate::doors::entries::{List, list};
use crate::doors::knows;

/// Words of grammar, quantity, negation and time, in the languages that questions are asked in. One of
/// them changes what a sentence means, whatever stands beside it.
static GRAMMAR: List = list!(
    " a an the this that these those it its them they he she him her i me my we us our \
    you your is are was were be been being do does did done have has had having to of in on at by for \
    from with without as and or but nor not no never none nothing nobody neither if so then than there \
    here now what which how when where who whom whose why can cannot could should shall would will may \
    might must let lets before after all any some both either each every everything everyone everybody \
    everywhere anything anyone entire whole full more most much many less least few only just also too \
    else again first last next instead except unless until while because though although despite via per \
    into onto over under above below between through against about across behind beyond within off out \
    up down back away forever always permanently immediately directly automatically silently anyway \
    please yes ok okay sure skip ignore nope nah nein nowhere hardly barely scarcely rarely seldom rather maybe \
    perhaps however whereas yet \
    nicht kein keine keinen nie niemals ohne und oder aber alle alles jede jeder jedes immer sofort auch \
    statt ausser außer trotzdem endgültig \
    pas ne non jamais sans et ou mais tout tous toute toutes toujours aussi sauf \
    nunca jamás sin y o pero todo todos toda todas siempre también salvo nada nem sem não e ou mas tudo \
    sempre também mai senza ma tutto tutti anche tranne \
    не нет никогда без и или но все всё всегда тоже кроме \
    niet geen nooit zonder en maar alles altijd ook nie bez i lub ale wszystko zawsze nej aldrig "
);

/// Verbs that stand at the head of an order: "format", but not "formatting".
static ORDERS: List = list!(
    " abort accept activate add adjust alter amend analyse analyze annotate announce \
    append apply approve archive ask assign attach authorize ban begin block boot break bring build bump \
    buy bypass call cancel change charge check checkout chmod clean clear clone close commit compile \
    configure confirm connect continue convert copy correct create curl cut deactivate decrease define \
    delete demote deny deploy detach disable discard disconnect distribute document downgrade download \
    drop dump edit eject email empty enable encrypt enforce erase evict exclude execute exit expand \
    expire export expose extend extract fetch fill filter finish fix flash flush force forget fork \
    format forward freeze generate get give go grant halt hand handle hide ignore import improve include \
    increase inform initialize inject inline insert inspect install invalidate invite issue join keep \
    kill launch leak leave link list load lock log make mark merge migrate mirror mock modify mount move \
    mute notify nuke omit open optimize overwrite park patch pause pay pin ping pipe place point poll \
    post prepare proceed promote propose prune publish pull purge push put query queue quit raise read \
    reboot rebase rebuild recreate redeploy reduce refactor refresh refund register reject release \
    reload relocate remove rename render reopen reorder repair replace report request reset resize \
    resolve restart restore resume retry return reuse revert review revise revoke rewrite roll rotate \
    run save scale scan schedule scrap scrub seed select send serve set share ship shorten shred shut \
    sign silence simplify skip sort split squash start stash stop store stream strip submit subscribe \
    suppress suspend swap switch sync tag take tear terminate test tidy toggle touch track trail \
    transfer transform trash trigger trim truncate trust try tune turn tweak unblock undo uninstall \
    unlock unmount unpin unpublish unset update upgrade upload use validate verify view vote wait warn \
    watch whitelist wipe withdraw wrap write yank zap zip "
);

/// Names of environments and of branches that others share.
static ENVIRONMENTS: List = list!(
    " prod production prd live staging stage stg preprod preproduction uat qa dev \
    develop development sandbox demo canary beta alpha nightly stable local localhost remote origin \
    upstream main master trunk head mainline default gateway root admin sudo superuser "
);

/// What harms somebody wherever the work on it begins: code that attacks, and measures against people.
static HARM: List = list!(
    " adware backdoor backdoors bomb bombs botnet botnets cryptojacking ddos dismissal dismissals doxing \
    eviction evictions exfiltration exploit exploits firing firings hijacking keylogger keyloggers layoff \
    layoffs malware phishing ransom ransomware redundancies rootkit rootkits scam scams spyware stalkerware \
    surveillance trojan trojans virus viruses weapon weapons "
);

/// True for the name of an environment, or of a branch that others share.
pub(super) fn names_an_environment(word: &str) -> bool {
    ENVIRONMENTS.holds(&word.to_lowercase())
}

/// True for a word that can only be (part of) a topic: at least two letters, hyphens between them,
/// written as words are written (not `camelCase`), and none of the words above.
pub(super) fn is_plain_word(word: &str) -> bool {
    let parts_are_plain = word.split('-').all(|part| {
        let lower = part.to_lowercase();
        is_written_plainly(part)
            && !GRAMMAR.holds(&lower)
            && !ORDERS.holds(&lower)
            && !names_an_environment(&lower)
            && !HARM.holds(&lower)
            && !knows(&lower)
    });
    parts_are_plain && word.chars().count() >= 2
}

/// True for letters in one case, or with a capital in front.
fn is_written_plainly(part: &str) -> bool {
    let mut letters = part.chars();
    let Some(first) = letters.next() else {
        return false;
    };
    let rest = letters.as_str();
    let all_letters = part.chars().all(char::is_alphabetic);
    let is_lower = |text: &str| !text.chars().any(char::is_uppercase);
    let is_upper = !part.chars().any(char::is_lowercase);
    all_letters && first.is_alphabetic() && (is_lower(rest) || is_upper)
}
