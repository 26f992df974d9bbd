use proptest::prelude::*;
use proptest::sample::select;

use super::*;

fn agreed<'a>(question: &'a str, description: &'a str) -> Agreed<'a> {
    Agreed {
        question,
        label: "Fix them",
        description,
        ..Agreed::default()
    }
}

fn new_in(familiar: &Familiar, description: &str) -> Option<String> {
    match familiar.check_act("Fix them", description, "") {
        Ok(()) => None,
        Err(New::Description(word)) => Some(word),
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn words_are_compared_by_their_stems() {
    let familiar = Familiar::of([agreed("", "Edits 3 source files in `src`, and plans/a.md")]);
    for description in [
        "",
        "edit the source file",
        "Edited 2 files",
        "it is in plans/other.md",
        "Fixing these in `src`",
        "Edits the headings",
    ] {
        assert_eq!(new_in(&familiar, description), None, "{description}");
    }
    for (description, word) in [
        ("Edits and opens the files", "opens"),
        ("Edits 4 files", "4"),
        ("Edits 30000 files", "30000"),
        ("Edits all files", "all"),
        ("Edits files in `etc`", "`etc`"),
        ("Edits /plans/a.sh", "plans"),
        ("Edits the fіles", "fіles"),
        ("Edits files; then $HOME", ";"),
        ("Edits fi\u{200b}les", "fi"),
        ("Edits files\u{202e}", "U+202E"),
        ("消す", "消す"),
    ] {
        let found = new_in(&familiar, description);
        assert_eq!(found.as_deref(), Some(word), "{description}");
    }
}

#[test]
fn what_another_option_does_is_new_in_this_one() {
    let descriptions = ["Small margins", "Large margins"].map(str::to_owned);
    let compact = Agreed {
        label: "Compact",
        description: &descriptions[0],
        descriptions: &descriptions,
        ..Agreed::default()
    };
    let familiar = Familiar::of([compact]);
    let check = |description: &str| familiar.check_act("Compact", description, "");
    assert_eq!(check("small margins"), Ok(()));
    assert_eq!(check("Small margins, narrow columns"), Ok(()));
    assert_eq!(
        check("Large margins"),
        Err(New::Description("large".to_owned()))
    );
}

#[test]
fn questions_of_the_same_words_are_one() {
    let texts = [
        "Part 2 of plans/a.md is done. Go on?",
        "Part 9 of plans/b.md is done. Go on?",
    ];
    let familiar = Familiar::of(texts.map(|text| agreed(text, "")));
    let familiar = familiar.with_questions(texts.into_iter().map(signature));
    for (text, is_known) in [
        ("Part 4 of plans/c.md is done. Go on?", true),
        ("plans/c.md of part 4 is done. Go on?", false),
        ("part 4 of plans/c.md is done: go on?", true),
        ("Part 18 of plans/c.md is done. Go on?", true),
        ("Part 19 of plans/c.md is done. Go on?", false),
        ("Part 4 of plans/c.md is not done. Go on?", false),
        ("Part 4 of plans/c.md is done. Go on and push?", false),
        ("Part 4 of etc/c.md is done. Go on?", false),
        ("plans/c.md is done. Go on?", false),
    ] {
        assert_eq!(familiar.knows_question(text), is_known, "{text}");
    }
}

#[test]
fn the_kind_of_question_is_how_it_begins_and_how_much_it_asks() {
    let seen = [
        "Is the search clear enough?",
        "Do I know enough about the login?",
    ];
    let familiar = Familiar::of(seen.map(|text| agreed(text, "")));
    for text in ["Is anything left on billing?", "Do I get the payments now?"] {
        assert_eq!(familiar.check_kind(text), Ok(()), "{text}");
    }
    for text in [
        "Shall we stop here and rethink the whole plan?",
        "Did you verify that the tests pass?",
        "Do you know enough?",
        "Is the login not clear?",
        "Your last two answers contradict each other. Sort that out first?",
    ] {
        assert!(familiar.check_kind(text).is_err(), "{text}");
    }
    assert!(
        familiar
            .check_amount("Is it clear? And the login, too?")
            .is_err()
    );
}

#[test]
fn the_lists_are_sorted_and_hold_each_word_once() {
    for list in [THINGS, TOPICS] {
        let words: Vec<&str> = list.lines().collect();
        assert!(words.is_sorted_by(|one, other| one < other));
        let is_plain = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase());
        assert!(words.iter().all(is_plain));
    }
}

const SEEN: [&str; 6] = ["edits", "the", "source", "files", "parser", "3"];
const NEW: [&str; 10] = [
    "publishes",
    "everything",
    "not",
    "без",
    "公開",
    "\u{202e}",
    "`rm`",
    "$5",
    "4000",
    "wires",
];
const HARMLESS: [&str; 6] = [
    "Nothing else changes.",
    "It is only a heading.",
    "The files are the source.",
    "It is the same as before.",
    "Reversible at any time.",
    "Is that right?",
];

fn sentence(words: &'static [&'static str]) -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(select(words), 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn what_was_agreed_to_is_familiar(
        texts in prop::collection::vec((".{0,40}", ".{0,40}"), 1..4),
        at in any::<prop::sample::Index>(),
    ) {
        let familiar = Familiar::of(texts.iter().map(|(question, description)| agreed(question, description)));
        let (question, description) = at.get(&texts);
        prop_assert_eq!(familiar.check_act("fix them", description, ""), Ok(()));
        prop_assert_eq!(familiar.check_question(question, ""), Ok(()));
        prop_assert_eq!(familiar.check_kind(question), Ok(()));
        let written = serde_json::to_string(&familiar).unwrap();
        prop_assert_eq!(serde_json::from_str::<Familiar>(&written).unwrap(), familiar);
    }

    /// Additional sentences before, after and in between never make a question familiar.
    #[test]
    fn more_text_is_never_more_familiar(
        seen in sentence(&SEEN),
        asked in prop::collection::vec(select([SEEN.as_slice(), &NEW].concat()), 1..8),
        harmless in select(HARMLESS.to_vec()),
        place in any::<prop::sample::Index>(),
    ) {
        let seen = seen.join(" ");
        let familiar = Familiar::of([agreed(&seen, &seen)]);
        let mut padded = asked.clone();
        padded.insert(place.index(asked.len() + 1), harmless);
        let (asked, padded) = (asked.join(" "), padded.join(" "));
        if familiar.check_act("Fix them", &asked, "").is_err() {
            prop_assert!(familiar.check_act("Fix them", &padded, "").is_err(), "{}", padded);
        }
        if familiar.check_question(&asked, "").is_err() {
            prop_assert!(familiar.check_question(&padded, "").is_err(), "{}", padded);
        }
        let is_new = |word: &&str| asked.contains(*word);
        if NEW.iter().any(is_new) {
            prop_assert!(familiar.check_act("Fix them", &asked, "").is_err(), "{}", asked);
        }
    }
}

#[test]
fn a_number_that_says_which_is_counted_up() {
    let familiar = Familiar::of([agreed("Issue 12 and 3 workers: go on?", "")]);
    for (text, new) in [
        ("Issue 24 and 3 workers: go on?", None),
        ("Go on with issue 24?", None),
        ("Go on with #24?", None),
        ("Issue 25: go on?", Some(25)),
        ("Issue 12 and 13 workers: go on?", Some(13)),
        ("Go on to 13?", Some(13)),
        ("Go on with 12?", None),
    ] {
        assert_eq!(familiar.new_number(text), new, "{text}");
    }
}
