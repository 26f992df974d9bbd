//! What the gate says of answers that nobody made for it: sentences by several authors, the questions that people really
//! got (`../shared/corpus`), and histories with known answers (`../shared/bench`).

use std::collections::BTreeMap;
use std::fs;

use plantune_domain::agreement::agreement::Consent;
use plantune_domain::agreement::gate::{ProposedAnswer, consent};
use plantune_domain::doors::find_signs;
use plantune_domain::recommended::recommended;
use plantune_domain::registry::Registry;
use serde_json::Value;

use crate::shared::shared;

const PHRASES: &str = include_str!("../doors/phrases.txt");
const SETS: [(&str, &str); 3] = [
    ("held out", include_str!("../doors/held-out.txt")),
    ("after", include_str!("../doors/after.txt")),
    ("strangers", include_str!("../doors/strangers.txt")),
];

/// How the person confirms that `text` is answered with `label`, which is described so.
fn confirmed(text: &str, header: &str, label: &str, description: &str) -> Consent {
    let proposed = ProposedAnswer {
        key: "x",
        text,
        header: Some(header),
        options: &[],
        label: Some(label),
        description,
        preview: "",
    };
    consent(&proposed, &Registry::default()).0
}

#[test]
fn what_a_label_does_is_also_said_by_its_question() {
    for (text, label, confirms) in [
        (
            "Send a test notification?",
            "No, I'll test later",
            Consent::Type,
        ),
        ("Verify it, then send the mails?", "No", Consent::Type),
        ("Verify it, then send the mails?", "Yes", Consent::Never),
        ("Would you like to star it?", "Maybe later", Consent::Yes),
        (
            "Help us get better. Share usage data only?",
            "Help us get better!",
            Consent::Never,
        ),
        (
            "What next? Share usage data only?",
            "Run the unit tests",
            Consent::Type,
        ),
        (
            "I can publish the reports. How much should sync?",
            "Only drafts",
            Consent::Never,
        ),
        (
            "I can sort the reports. How much should sync?",
            "Half",
            Consent::Type,
        ),
        ("Which categories to clean?", "Sessions", Consent::Never),
        ("Which fields are fine to drop?", "Half", Consent::Type),
        (
            "Where should the fork be created?",
            "Organization",
            Consent::Never,
        ),
        ("Where should the file be created?", "Docs", Consent::Yes),
        (
            "What would you like to do?",
            "Clean up all safe-to-delete items",
            Consent::Never,
        ),
    ] {
        assert_eq!(confirmed(text, "", label, ""), confirms, "{label}: {text}");
    }
}

/// A sentence of the sets, with the header and the label that stand beside it.
#[derive(Debug)]
struct Sentence {
    class: &'static str,
    language: &'static str,
    text: &'static str,
    header: &'static str,
    label: Option<&'static str>,
}

impl Sentence {
    /// Answered with its label, or with "Yes".
    fn answered(&self) -> Consent {
        confirmed(self.text, self.header, self.label.unwrap_or("Yes"), "")
    }

    /// As the label of an option. What only asks for it is left out.
    fn as_label(&self) -> Consent {
        let openings = ["Shall I ", "Should I ", "Should we ", "Can I ", "May I "];
        let act = openings
            .iter()
            .find_map(|opening| self.text.strip_prefix(opening))
            .unwrap_or(self.text);
        confirmed("What next?", "", act.trim_end_matches('?'), "")
    }

    /// As the description of an option that says no more than "Later".
    fn as_description(&self) -> Consent {
        confirmed("What next?", "", "Later", self.text)
    }
}

fn sentences(set: &'static str) -> Vec<Sentence> {
    let lines = set.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (class, rest) = line.split_once(" | ").unwrap();
            let (language, rest) = rest.split_once(" | ").unwrap();
            // A pipe may stand in a command; only one between blanks parts fields, three of them at most.
            let fields: Vec<&str> = rest.split(" | ").map(str::trim).collect();
            let fields = match fields.len() == 3 || !rest.contains('`') {
                true => fields,
                false => vec![rest],
            };
            Sentence {
                class: class.split(',').next().unwrap(),
                language,
                text: fields[0],
                header: fields.get(1).copied().unwrap_or_default(),
                label: fields.get(2).copied(),
            }
        })
        .collect()
}

fn all_sentences() -> impl Iterator<Item = Sentence> {
    SETS.iter().flat_map(|(_, set)| sentences(set))
}

/// The share of `sentences` that get this consent, which is printed, and each of them.
fn share(name: &str, wanted: Consent, consents: &[(String, Consent)]) -> f64 {
    let found: Vec<&String> = consents
        .iter()
        .filter(|(_, consent)| *consent == wanted)
        .map(|(text, _)| text)
        .collect();
    eprintln!("{name}: {} of {} get {wanted}", found.len(), consents.len());
    found.iter().for_each(|text| eprintln!("  {text}"));
    assert!(consents.len() >= 50, "{name}: {}", consents.len());
    found.len() as f64 / consents.len() as f64
}

#[test]
fn a_plain_yes_sets_no_one_way_act() {
    let mut consents: BTreeMap<(&str, &str), Vec<(String, Consent)>> = BTreeMap::new();
    for one in all_sentences().filter(|one| one.class != "harmless") {
        let language = if one.language == "en" {
            "English"
        } else {
            "other"
        };
        for (role, consent) in [
            ("answered", one.answered()),
            ("as a label", one.as_label()),
            ("as a description", one.as_description()),
        ] {
            // An option has the language of its question.
            if (language, role) == ("other", "as a label") {
                continue;
            }
            let text = format!("{} | {:?}", one.text, one.label);
            consents
                .entry((language, role))
                .or_default()
                .push((text, consent));
        }
    }
    for ((language, role), consents) in &consents {
        // Of a description that has no sign, only the words around it say what it is.
        let most = match (*language, *role) {
            (_, "as a description") => 0.1,
            ("English", _) => 0.03,
            _ => 0.02,
        };
        let share = share(
            &format!("one-way, {language}, {role}"),
            Consent::Yes,
            consents,
        );
        assert!(share <= most, "{language}, {role}: {share}");
    }
}

#[test]
fn harmless_acts_are_rarely_refused() {
    let harmless = all_sentences().filter(|one| one.class == "harmless");
    let consents: Vec<(String, Consent)> = harmless
        .map(|one| (format!("{} | {:?}", one.text, one.label), one.answered()))
        .collect();
    assert!(share("harmless", Consent::Never, &consents) <= 0.02);
}

#[test]
fn phrases_have_the_expected_door() {
    let mut consents: BTreeMap<&str, Vec<(String, Consent)>> = BTreeMap::new();
    for one in sentences(PHRASES) {
        let text = format!("{} | {:?}", one.text, one.label);
        consents
            .entry(one.class)
            .or_default()
            .push((text, one.answered()));
    }
    assert_eq!(
        share("one-way phrases", Consent::Yes, &consents["one-way"]),
        0.0
    );
    assert!(share("one-way phrases", Consent::Never, &consents["one-way"]) >= 0.5);
    assert!(share("two-way phrases", Consent::Never, &consents["two-way"]) <= 0.02);
}

/// What is never answered stays so if another text stands beside it, or in capitals.
#[test]
fn another_text_never_makes_fewer_match() {
    let others = [
        "How should the unit test for the handler be named?",
        "Approved?",
        "Comment nommer la fonction ?",
        "按钮用什么颜色?",
        "The mock is ready.",
    ];
    // A text that is a command as a whole is none beside another.
    let refused = all_sentences().filter(|one| {
        one.label.is_none() && find_signs(one.text).is_none() && one.answered() == Consent::Never
    });
    let mut all = 0;
    for one in refused {
        let question = one.text;
        let padded = others
            .iter()
            .flat_map(|other| [format!("{other} {question}"), format!("{question} {other}")]);
        let capitals = (!question.contains('`')).then(|| question.to_uppercase());
        for text in padded.chain(capitals) {
            assert_eq!(confirmed(&text, "", "Yes", ""), Consent::Never, "{text}");
        }
        all += 1;
    }
    assert!(all >= 100, "{all}");
}

/// The questions of the corpus, answered as they recommend.
#[test]
fn people_rarely_get_one_way_questions() {
    let test = "doors::people_rarely_get_one_way_questions";
    let Some(path) = shared(test, "corpus/labels.jsonl") else {
        return;
    };
    let text = fs::read_to_string(path).unwrap();
    let mut consents = Vec::new();
    for line in text.lines() {
        let question: Value = serde_json::from_str(line).unwrap();
        let asked = question["question"].as_str().unwrap();
        let header = question["header"].as_str().unwrap_or_default();
        let labels = question["options"].as_array().into_iter().flatten();
        let options: Vec<String> = labels
            .map(|label| label.as_str().unwrap().to_owned())
            .collect();
        let chosen = recommended(asked, &options).map_or("", |at| options[at].as_str());
        let consent = confirmed(asked, header, chosen, "");
        consents.push((format!("{header} | {asked} | {chosen}"), consent));
    }
    assert!(share("corpus", Consent::Never, &consents) <= 0.05);
}

#[test]
fn histories_have_the_expected_doors() {
    let test = "doors::histories_have_the_expected_doors";
    for history in ["bench/history-11", "bench/history-12"] {
        let Some(history) = shared(test, history) else {
            continue;
        };
        let text = fs::read_to_string(history.join("truth.json")).unwrap();
        let truth: Value = serde_json::from_str(&text).unwrap();
        for key in truth["keys"].as_array().unwrap() {
            let question = key["text"].as_str().unwrap();
            let consents: Vec<(&str, Consent)> = key["options"]
                .as_array()
                .unwrap()
                .iter()
                .map(|option| option.as_str().unwrap())
                .map(|option| (option, confirmed(question, "", option, "")))
                .collect();
            let is_refused = consents
                .iter()
                .any(|(_, consent)| *consent == Consent::Never);
            assert_eq!(
                key["one_way"] == true,
                is_refused,
                "{question}: {consents:?}"
            );
        }
    }
}
