//! Doors: questions whose answer cannot be taken back (`one-way`) are always asked.
//!
//! Rules are matched against everything that the person would read: words (`english/`, `languages/`),
//! sentences that propose to act (`actions.rs`), and signs that need no vocabulary (`signs/`). They only
//! add `one-way` and never remove it, and another text never makes fewer of them match. What they cover,
//! and what they match wrongly: `docs/development/doors.md`.

mod actions;
mod described;
mod english;
pub(crate) mod entries;
mod finding;
mod languages;
mod matching;
mod names;
mod phrases;
mod proposals;
mod signs;
mod tokens;

use serde::Deserialize;

use self::english::actions::{DOUBTFUL, ORDERS, ORDINARY};
use self::english::lists::{ALWAYS, HARD_VERBS, SOFT_VERBS};
use crate::named::named_enum;

pub use finding::{Finding, Matched};
pub(crate) use matching::{CONDITIONS, are_to_think};
pub use matching::{
    Reading, find, find_act, find_at_consent, find_hard, find_signs, points_outside,
};

named_enum! {
    /// Whether an answer can be taken back.
    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Door {
        /// Destructive, security, consent, payment, publication: always asked.
        OneWay = "one-way",
        /// Anything else.
        TwoWay = "two-way",
    }
}

/// Why `texts` make a one-way question, or `None` when no rule matches.
///
/// `texts` are the key, the question, its header, the option that would be chosen, its description and
/// its preview, or some of them: a verb in one and its object in another are a pair, because "Delete
/// them" answers "What about the old tables?".
pub fn one_way_reason(texts: &[&str]) -> Option<String> {
    find(texts).map(|finding| finding.reason)
}

/// True for a verb that the lists hold, as an order has it: one of development or another.
pub(crate) fn is_known_verb(word: &str) -> bool {
    [
        &ORDINARY,
        &DOUBTFUL,
        &ORDERS,
        &HARD_VERBS,
        &SOFT_VERBS,
        &ALWAYS,
    ]
    .iter()
    .any(|list| list.holds(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [`super::find`], and the rules that are asked at consent alone.
    fn find(texts: &[&str]) -> Option<Finding> {
        super::find(texts).or_else(|| find_at_consent(texts, Reading::Whole))
    }

    #[test]
    fn pair_across_two_texts() {
        let found = find(&["What about the old tables?", "", "Drop them"]).unwrap();
        assert_eq!(found.reason, "pair: drop × table");
        let places: Vec<(usize, &str)> = found
            .matched
            .iter()
            .map(|matched| (matched.text, matched.word.as_str()))
            .collect();
        assert_eq!(places, [(2, "drop"), (0, "tables")]);
        // A verb that only changes needs its object beside it, or stands for a whole answer.
        assert!(find(&["Should users see results?", "", "Change the layout"]).is_none());
        assert!(find(&["The schema differs.", "", "Change it"]).is_some());
    }

    #[test]
    fn every_form_of_a_verb_and_every_plural() {
        for verb in [
            "delete",
            "deletes",
            "deleted",
            "deleting",
            "deletion of",
            "DELETE",
            "drop",
            "dropped",
            "dropping",
            "drops",
            "purges",
            "wiping",
            "erasure of",
            "removal of",
            "removing",
        ] {
            for object in [
                "table",
                "tables",
                "Branches",
                "API keys",
                "repositories",
                "old_rows",
            ] {
                let text = format!("{verb} the remaining {object}?");
                assert!(find(&[&text]).is_some(), "{text}");
            }
        }
        for text in [
            "delete-user-data",
            "drop_tables",
            "dropTables()",
            "DROP-TABLE",
            "deleteusers",
        ] {
            assert!(find(&[text]).is_some(), "{text}");
        }
    }

    #[test]
    fn screen_elements_are_two_way() {
        for text in [
            "Delete button position?",
            "delete-button",
            "Reset password page layout?",
        ] {
            assert!(find(&[text]).is_none(), "{text}");
        }
        for text in [
            "Delete the button and all user data?",
            "Delete page views data?",
            "Publish landing page?",
            "Reset production page?",
        ] {
            assert!(find(&[text]).is_some(), "{text}");
        }
    }

    #[test]
    fn descriptions_of_code_are_two_way() {
        for text in [
            "How should the test for the refund handler be named?",
            "Where should the helper for killing child processes live?",
            "Which name fits the token class?",
            "Should the undo stack merge consecutive typing?",
            "For the diagram, which arrow should represent a rollback?",
            "Should the mock payment provider refuse the third card?",
            "¿La función se llama eliminar_nodo o quitar_nodo?",
            "Как назвать тест для удаления сессии?",
            "删除按钮用什么颜色?",
            "Which icon for “Publish”?",
        ] {
            assert_eq!(find(&[text]), None, "{text}");
        }
        for text in [
            "How should the test for the refund handler be named, and shall I refund them?",
            "How should the test be named? Delete the users table.",
            "Should the test be deleted with all user data?",
            "Should the function delete the production data?",
            "Should the icon go live tonight?",
            "Which test should I delete, and which table should I drop?",
            "Run the refund handler for every customer?",
            "Drop the table called drop_me?",
            "Press the “Delete all” button?",
            "Как назвать тест? Удалить базу?",
            "Comment nommer la branche, et je supprime la base ?",
            "点击删除按钮吗?",
            "删除按钮用什么颜色?删除所有用户数据吗?",
        ] {
            assert!(find(&[text]).is_some(), "{text}");
        }
    }

    #[test]
    fn proposals_need_no_known_act() {
        for (texts, reason) in [
            (
                ["Does it open its doors this evening?", ""],
                "time: this evening",
            ),
            (["Should the agency hear of it?", ""], "reaches: agency"),
            (["Should they hear of it?", ""], "reaches: they"),
            (["Who should own it?", ""], "reaches: own"),
            (["Can the old address cease?", ""], "reaches: cease"),
            (["500 gems to all?", ""], "reaches: all"),
            (
                ["Another run is in the way.", "End their run"],
                "act: end × their",
            ),
            (["All 60 field devices?", ""], "many: 60 × devices"),
            (
                ["The tag points elsewhere.", "Move it"],
                "proposal: move × tag",
            ),
            (
                ["Bob's booking is in.", "Approve"],
                "act: approve × booking",
            ),
            (["What if I drain the pool?", ""], "act: drain × pool"),
            (
                ["Any objection to me draining the pool?", ""],
                "act: draining × pool",
            ),
            (["Wollen wir heute Abend umziehen?", ""], "time: heute"),
        ] {
            let found = find(&texts).map(|found| found.reason);
            assert_eq!(found.as_deref(), Some(reason), "{texts:?}");
        }
        for texts in [
            ["Is the plan fine as it stands?", "Approve"],
            ["Should we stop here for today?", ""],
            ["Should the sidebar stop at the bottom this evening?", ""],
            ["The function is used twice.", "Move it"],
            ["Which customers should the example list tonight?", ""],
            ["The tests are green.", "Proceed"],
        ] {
            assert_eq!(find(&texts), None, "{texts:?}");
        }
    }

    #[test]
    fn signs_need_no_vocabulary() {
        for (text, reason) in [
            (
                "Is `make all && ./x` fine?",
                "sign: command (./x is not known)",
            ),
            ("```sh\nls\ngit push\n```", "phrase: git push"),
            (
                "Is `UPDATE accounts SET x = 0` right?",
                "sign: SQL that writes",
            ),
            ("Is 250 € fine?", "sign: money"),
            ("Is ¥5,000 fine?", "sign: money"),
            (
                "Call https://hooks.example.com/x?",
                "sign: an address to send to",
            ),
            ("Copy s3://a/b?", "sign: an address to send to"),
            ("Mention @mallory?", "sign: somebody to write to"),
            (
                "Rename the file to /etc/app.conf?",
                "sign: a path outside the project",
            ),
            ("Is /dev/sda right?", "sign: a device"),
            ("Is 1.4.0 out?", "sign: a version to release"),
        ] {
            let found = find(&[text]).map(|found| found.reason);
            assert_eq!(found.as_deref(), Some(reason), "{text}");
        }
        for text in [
            "Run `cargo test`?",
            "Is `parse_line` a good name?",
            "Is `Option<String>` right?",
            "Is the endpoint /users?",
            "Should `$1` be quoted?",
            "Add the types of @types/node?",
            "Should I pin it to 1.2.3?",
            "Should I fetch https://docs.rs/serde?",
            "Write it to /tmp/out.txt?",
        ] {
            assert_eq!(find(&[text]), None, "{text}");
        }
    }

    #[test]
    fn disguises_change_nothing() {
        for text in [
            "D E L E T E the customer table?",
            "d-e-l-e-t-e the customer table?",
            "Dеlеtе the customer table?",
            "**De**lete the customer table?",
            "Ｄｅｌｅｔｅ the customer table?",
            "De\u{200b}lete the customer table?",
            "D3l3te the customer table?",
            "𝗗𝗲𝗹𝗲𝘁𝗲 the customer table?",
            "Delete\u{a0}the\u{2003}customer table?",
            "DELETE THE CUSTOMER TABLE?",
        ] {
            assert!(find(&[text]).is_some(), "{text}");
        }
    }

    #[test]
    fn description_and_preview_count() {
        let texts = [
            "fp-1",
            "How should I go on?",
            "Next",
            "Tidy up",
            "Nothing is lost",
            "",
        ];
        assert_eq!(find(&texts), None);
        for at in [4, 5] {
            let mut other = texts;
            other[at] = "Drops the customer table";
            assert_eq!(find(&other).unwrap().matched[0].text, at);
        }
    }

    #[test]
    fn long_texts_are_judged_by_their_signs_then_not_at_all() {
        let filler = "lorem ipsum ".repeat(1000);
        assert_eq!(find(&[&filler]), None);
        assert!(find(&[&format!("{filler} deploy")]).is_some());
        assert!(find(&[&format!("{filler} force push")]).is_some());
        assert!(find(&[&format!("{filler} `rm -rf x`")]).is_some());
        let long = find(&[&filler, &filler, &filler, &filler, &filler, &filler]).unwrap();
        assert_eq!(long.reason, "too long to judge: more than 65536 bytes");
    }

    /// Four times the text is four times the work, whatever is repeated.
    #[test]
    fn work_is_linear() {
        let work = |unit: &str, size: usize| {
            let text = unit.repeat(size / unit.len());
            entries::LOOKUPS.set(0);
            let _ = find(&[&text]);
            entries::LOOKUPS.get().max(1)
        };
        for unit in [
            "push ",
            "send the ",
            "was pushed ",
            "let ",
            "the ",
            "a b c ",
            "throw ",
            "throw the ",
            "then ",
            "shall i and ",
            "do i ",
            "`ls` ",
            "`",
            "$(",
            "ls $(",
            "*a ",
            "_a",
            "die daten ",
            "на прод ",
            "删",
            "x",
            "drop-",
            "1.",
            "( ",
            "a. ",
            "table ",
            "page ",
            "open the ",
            "claim it. ",
            "the test should ",
            "all 60 ",
            "to me being ",
            "is live in ",
            "как назвать ",
            "a_b name ",
            "which “a” icon ",
            "删除按钮",
        ] {
            let (small, large) = (work(unit, 1000), work(unit, 4000));
            assert!(large <= 5 * small, "{unit:?}: {small}, {large}");
        }
        // The rest of a long text is not even read in full.
        assert!(work("push ", 60_000) < 15 * work("push ", 4000));
    }
}
