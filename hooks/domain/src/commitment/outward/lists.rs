//! The words of acts that reach others or cannot be taken back.

use super::Pair;
use crate::commitment::words::SAFEGUARDS;
use crate::doors::entries::{List, list};

/// Verbs whose act leaves the project.
pub(super) static OUTWARD: List = list!(
    " push merge publish release send post reply respond submit deploy ship email mail tweet announce \
    notify auto-post auto-merge auto-push escalate relaunch crosspost broadcast launch rollout \
    force-push invite share star sponsor donate upload squash yank auto-accept auto-approve "
);

/// The same as one finds them behind "and", in any form.
pub(super) static FORMS: List = list!(
    " pushes pushing merges merging publishes publishing sends sending posts posting deploys deploying \
    submits submitting "
);

/// Verbs that make something with others when one of [`SHARED`] follows.
pub(super) static MAKING: List = list!(
    " create open file request make raise add start draft generate update close reopen assign comment \
    track approve mark transfer pin lock "
);

/// What others see at once.
pub(super) static SHARED: List =
    list!(" pr prs mr mrs issue issues ticket tickets pull bug bugs discussion gist release ");

/// Where things are filed and sent to.
pub(super) static TRACKERS: List = list!(
    " github gitlab bitbucket jira linear asana trello notion slack discord clickup youtrack bugzilla \
    zendesk teams twitter linkedin mastodon confluence basecamp npm "
);

/// Words of a question or description that make a tracker's name a destination.
pub(super) static FILING: List = list!(
    " file files filed create creates open opens send sends post posts put track tracked publish \
    report issues tickets share push log there "
);

/// Words that say what is gone.
pub(super) static LOST: List =
    list!(" lost lose loses discard discards irreversible permanently wiped ");

/// Words behind which no act stands.
pub(super) static REFUSING: List = list!(
    " no not don't dont without never nothing skip keep cancel abort before review defer instead until "
);

/// Words with which the person only looks.
pub(super) static LOOKING: List =
    list!(" review show view see explain describe check read compare list ");

/// Code that is changed by what an agent suggests: "apply all fixes".
pub(super) static SUGGESTED: List = list!(
    " fix fixes suggestion suggestions recommendation recommendations finding findings edit edits \
    patch patches refactoring refactorings lint formatting "
);

/// What may be deleted unasked: code, and what somebody wrote a moment ago.
pub(super) static WRITTEN: List = list!(
    " import imports comment comments line lines section sections paragraph paragraphs sentence \
    sentences duplicate duplicates duplication whitespace unused dead code todo todos warning \
    warnings mock stub heading slide slides "
);

/// Verbs after which what they act on is gone, where a value names it.
pub(super) static DESTROYING: List = list!(
    " delete remove drop discard wipe purge prune clean clear reset erase overwrite trash revert "
);

/// Verbs that need no object to destroy: "Delete and recreate".
pub(super) static FINAL: List = list!(
    " delete wipe purge destroy erase truncate overwrite discard nuke revert rollback reset undo abandon "
);

/// The same as nouns: "Schedule deletion".
pub(super) static FINAL_NOUNS: List = list!(" deletion destruction erasure termination ");

/// Words behind which a verb of an order stands, as at the head of a clause.
pub(super) static LEADING: List = list!(
    " and then to yes ok please just now also auto still safe squash i'll let's go ahead i we commit approve save "
);

/// What makes a text of what others see: "PR description".
pub(super) static TEXTS: List = list!(
    " description descriptions template templates title titles draft body page component plan list notes workflow "
);

/// What goes past a safeguard.
pub(super) static SKIPPING: List =
    list!(" skip bypass disable without ignore override despite although ");

/// Verbs that go past whatever held something up, alone: "Override".
pub(super) static OVERRIDING: List = list!(" override overrule bypass force ");

/// Verbs and what they are done to, which together reach others, the machine or a safeguard.
pub(super) static PAIRS: [Pair; 14] = [
    // "Add a shell alias": what other programs of the person read.
    Pair {
        verbs: &list!(" add edit install write create set append register "),
        things: &list!(
            " alias aliases bashrc zshrc shell crontab cron permission permissions globally "
        ),
    },
    // "Remove anyway"
    Pair {
        verbs: &list!(" delete remove drop wipe overwrite reset purge destroy erase "),
        things: &list!(" anyway permanently forever force completely "),
    },
    Pair {
        verbs: &list!(" request re-request dismiss "),
        things: &list!(" review reviews approval access "),
    },
    Pair {
        verbs: &list!(" assign add "),
        things: &list!(" reviewer reviewers collaborator collaborators assignee assignees "),
    },
    Pair {
        verbs: &list!(" sync "),
        things: &list!(" remote upstream origin branches real s3 "),
    },
    Pair {
        verbs: &list!(" pause resume start stop kill launch enable disable "),
        things: &list!(" campaign campaigns ads "),
    },
    // "Skip the validation", "Continue without tests"
    Pair {
        verbs: &SKIPPING,
        things: &SAFEGUARDS,
    },
    Pair {
        verbs: &SKIPPING,
        things: &list!(" permissions warnings errors failures asking prompting confirming saving "),
    },
    // "Lower the threshold"
    Pair {
        verbs: &list!(" lower relax loosen "),
        things: &list!(" threshold thresholds bar limit limits "),
    },
    // "Trigger the release workflow"
    Pair {
        verbs: &list!(" trigger run start "),
        things: &list!(" release deploy publish "),
    },
    // What others see of a review
    Pair {
        verbs: &list!(" resolve close "),
        things: &list!(" thread threads conversation conversations comment comments "),
    },
    Pair {
        verbs: &list!(" mark "),
        things: &list!(" wontfix invalid stale duplicate review "),
    },
    Pair {
        verbs: &list!(" land fast-forward "),
        things: &list!(" trunk main master "),
    },
    // "Remove hooks"
    Pair {
        verbs: &list!(" remove disable uninstall delete turn "),
        things: &list!(" hooks enforcement guard guards guardrails protection protections "),
    },
];

/// What follows such a verb where it is a noun or an act on texts: "push notifications", "merge the two sections".
/// The number says within how many words.
pub(super) static TAMED: [(List, usize, List); 6] = [
    (
        list!(" push "),
        1,
        list!(" notification notifications button hard harder "),
    ),
    (list!(" post "), 1, list!(" mortem type types button ")),
    (
        list!(" release launch deploy ship publish "),
        1,
        list!(
            " note notes plan checklist date dates pipeline workflow button fast faster quickly early "
        ),
    ),
    (
        list!(" email mail "),
        1,
        list!(" service integration template templates field address list notifications "),
    ),
    (
        list!(" send submit share invite upload "),
        1,
        list!(" button form field limit limits size component flow page "),
    ),
    (
        list!(" merge merges merging "),
        5,
        list!(
            " section sections duplicates todos lists findings ideas conflict conflicts sort strategy button \
            single similar one "
        ),
    ),
];
