//! The door rules on a table of phrases, and on the questions people really got
//! (`../shared/corpus`).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use plantune_domain::commitment::Act;
use plantune_domain::consent;
use plantune_domain::recommended::recommended;
use serde_json::{Value, json};

use crate::shared::shared;

/// Why the answer to a question cannot be taken back: the question, its header and the chosen option, as far as they
/// are given.
fn find(texts: &[&str]) -> Option<String> {
    let text = |at: usize| texts.get(at).copied();
    let (question, header) = (text(0).unwrap_or_default(), text(1).unwrap_or_default());
    consent::reason(&Act::of("", question, header, text(2), "", ""))
}

const PHRASES: &str = include_str!("../doors/phrases.txt");
const BUILDING: [(&str, &str); 3] = [
    ("english", include_str!("../doors/building/english.txt")),
    ("languages", include_str!("../doors/building/languages.txt")),
    ("strangers", include_str!("../doors/building/strangers.txt")),
];
const HELD_OUT: &str = include_str!("../doors/held-out.txt");
const AFTER: &str = include_str!("../doors/after.txt");
const STRANGERS: &str = include_str!("../doors/strangers.txt");

/// Categories of phrases in other languages: all of them need the person's own word.
const LANGUAGES: [&str; 12] = [
    "de", "fr", "es", "ca", "it", "pt", "ko", "ja", "zh", "ru", "pl", "nl",
];

/// One line of the table.
#[derive(Debug)]
struct Phrase {
    door: &'static str,
    category: &'static str,
    texts: Vec<&'static str>,
}

fn phrases() -> Vec<Phrase> {
    let lines = PHRASES.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let mut fields = line.split('|').map(str::trim);
            let (door, category) = (fields.next().unwrap(), fields.next().unwrap());
            Phrase {
                door,
                category,
                texts: fields.collect(),
            }
        })
        .collect()
}

#[test]
fn phrases_have_the_expected_door() {
    let phrases = phrases();
    let mut wrong = Vec::new();
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for phrase in &phrases {
        assert!((1..=3).contains(&phrase.texts.len()) && !phrase.category.is_empty());
        let found = find(&phrase.texts);
        let fires = match phrase.door {
            "one-way" | "two-way, held" => true,
            "two-way" => false,
            other => unreachable!("{other} is no door"),
        };
        if !LANGUAGES.contains(&phrase.category) {
            *times.entry(phrase.door).or_default() += 1;
        }
        if found.is_some() != fires {
            wrong.push(format!("{} {:?}: {found:?}", phrase.door, phrase.texts));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    eprintln!("{times:?}");
    assert!(phrases.len() >= 300, "{}", phrases.len());
    let harmless = times["two-way"] + times["two-way, held"];
    assert!(
        times["two-way, held"] * 8 <= harmless,
        "more than one harmless phrase of eight is held back: {times:?}"
    );
}

/// One question of the sets, and what the rules say of it.
#[derive(Debug)]
struct Judged {
    class: &'static str,
    language: &'static str,
    texts: Vec<&'static str>,
    found: Option<String>,
}

fn judge(set: &'static str) -> Vec<Judged> {
    let lines = set.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            // A pipe may stand in a command; only one between blanks parts fields, three of them at most.
            let mut fields = line.split(" | ").map(str::trim);
            let (class, language) = (fields.next().unwrap(), fields.next().unwrap());
            let rest: Vec<&str> = fields.collect();
            let texts = if rest.len() == 3 || !line.contains('`') {
                rest
            } else {
                vec![line.splitn(3, " | ").last().unwrap()]
            };
            let found = find(&texts);
            Judged {
                class,
                language,
                texts,
                found,
            }
        })
        .collect()
}

/// How many of each class, and of each language in it, are one-way: printed, and returned by class.
fn shares(name: &str, judged: &[Judged]) -> BTreeMap<&'static str, f64> {
    let mut counts: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for one in judged {
        for language in ["", one.language] {
            let count = counts
                .entry((one.class.split(',').next().unwrap(), language))
                .or_default();
            count.0 += usize::from(one.found.is_some());
            count.1 += 1;
        }
    }
    for ((class, language), (caught, all)) in &counts {
        eprintln!("{name} | {class} | {language} | {caught} of {all}");
    }
    let share = |(caught, all): &(usize, usize)| *caught as f64 / *all as f64;
    // What is not in English is not read, and needs the person's own word.
    if let Some(other) = counts.get(&("other", "")) {
        assert!(share(other) >= 0.97, "{name}: {other:?}");
    }
    let english = counts.iter().filter(|((_, language), _)| *language == "en");
    english
        .map(|((class, _), count)| (*class, share(count)))
        .collect()
}

/// The questions that the rules were made with, one by one.
#[test]
fn building_set() {
    let mut judged = Vec::new();
    for (name, set) in BUILDING {
        let set = judge(set);
        shares(name, &set);
        judged.extend(set);
    }
    let expected = |one: &Judged| match one.class {
        // What is not in English is not read, and needs the person's own word.
        _ if one.language != "en" => one.found.is_some(),
        "harmless" | "blunt, missed" | "plain, missed" | "other, missed" => false,
        "blunt" | "plain" | "harmless, held" => true,
        other => unreachable!("{other} is no class"),
    };
    let wrong = judged
        .iter()
        .filter(|one| one.found.is_some() != expected(one));
    let wrong: Vec<String> = wrong
        .map(|one| {
            let reason = one.found.as_deref().unwrap_or("-");
            format!("{} {} {:?}: {reason}", one.class, one.language, one.texts)
        })
        .collect();
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// A question that must be asked stays asked if another text stands beside it.
#[test]
fn another_text_never_makes_fewer_match() {
    let others = [
        "How should the unit test for the handler be named?",
        "Which icon should the button have?",
        "Approved?",
        "Is the plan for the function fine?",
        "Comment nommer la fonction ?",
        "按钮用什么颜色?",
        "The mock is ready.",
    ];
    for one in BUILDING.iter().flat_map(|(_, set)| judge(set)) {
        let question = one.texts[0];
        for other in others.iter().filter(|_| one.found.is_some()) {
            for padded in [format!("{other} {question}"), format!("{question} {other}")] {
                let mut texts: Vec<&str> = one.texts.clone();
                texts[0] = &padded;
                assert!(find(&texts).is_some(), "{texts:?}");
            }
        }
    }
}

/// The questions that the rules were not made with, by their shares alone.
#[test]
fn held_out_sets() {
    // A third of the strangers' harmless questions were written to sound dangerous.
    let sets = [
        ("held out", HELD_OUT, 0.06),
        ("after", AFTER, 0.06),
        ("strangers", STRANGERS, 0.19),
    ];
    let mut plain = Vec::new();
    for (name, set, most_held) in sets {
        let judged = judge(set);
        let shares = shares(name, &judged);
        assert!(shares["blunt"] >= 0.97, "{name}: {shares:?}");
        assert!(shares["harmless"] <= most_held, "{name}: {shares:?}");
        let is_plain = |one: &&Judged| one.class.starts_with("plain");
        plain.extend(
            judged
                .iter()
                .filter(is_plain)
                .map(|one| one.found.is_some()),
        );
    }
    let held = plain.iter().filter(|held| **held).count();
    assert!(
        held * 4 >= plain.len() * 3,
        "{held} of {} plain ones",
        plain.len()
    );
}

/// The same phrases in other letter cases, and with hyphens or underscores for spaces.
#[test]
fn case_and_hyphens_do_not_matter() {
    for phrase in phrases().iter().filter(|phrase| phrase.door == "one-way") {
        let spelled = |change: fn(&str) -> String| -> bool {
            let texts: Vec<String> = phrase.texts.iter().map(|text| change(text)).collect();
            find(&texts.iter().map(String::as_str).collect::<Vec<_>>()).is_some()
        };
        assert!(spelled(str::to_uppercase), "{phrase:?}");
        // Other languages are found by their stems, and a document by its whole name.
        if phrase.texts.len() == 1
            && !phrase.category.contains(", ")
            && !phrase.texts.iter().any(|text| text.contains(".md"))
        {
            assert!(spelled(|text| text.replace(' ', "-")), "{phrase:?}");
            assert!(spelled(|text| text.replace(' ', "_")), "{phrase:?}");
        }
    }
}

/// The questions of the corpus, and what holds each back: as the hook sees it when a preference
/// follows the recommendation, and whichever option is chosen.
#[test]
fn people_rarely_get_one_way_questions() {
    let test = "doors::people_rarely_get_one_way_questions";
    let Some(path) = shared(test, "corpus/labels.jsonl") else {
        return;
    };
    let text = fs::read_to_string(path).unwrap();
    let (mut total, mut held, mut with_some_option) = (0, 0, 0);
    for line in text.lines() {
        let question: Value = serde_json::from_str(line).unwrap();
        total += 1;
        let (asked, header) = (
            question["question"].as_str().unwrap(),
            question["header"].as_str().unwrap_or_default(),
        );
        let labels = question["options"].as_array().into_iter().flatten();
        let options: Vec<String> = labels
            .map(|label| label.as_str().unwrap().to_owned())
            .collect();
        let chosen = recommended(asked, &options).map_or("", |at| options[at].as_str());
        if let Some(reason) = find(&[asked, header, chosen]) {
            held += 1;
            eprintln!("held: {reason} | {header} | {asked} | {chosen}");
        } else if let Some((label, found)) = options
            .iter()
            .find_map(|label| Some((label, find(&[asked, header, label])?)))
        {
            with_some_option += 1;
            eprintln!("held if chosen: {found} | {header} | {asked} | {label}");
        }
    }
    eprintln!("{held} of {total} held back, {with_some_option} more for some of their options");
    assert!(
        total > 0 && held * 4 <= total,
        "{held} of {total} held back"
    );
}

// The door rules on histories with known answers (`../shared/bench`).

fn held(question: &str, header: &str, label: Option<&str>) -> Option<String> {
    consent::reason(&Act::of("", question, header, label, "", ""))
}

#[test]
fn histories_have_the_expected_doors() {
    let test = "histories_have_the_expected_doors";
    for history in ["bench/history-11", "bench/history-12"] {
        let Some(history) = shared(test, history) else {
            continue;
        };
        let text = fs::read_to_string(history.join("truth.json")).unwrap();
        let truth: Value = serde_json::from_str(&text).unwrap();
        for key in truth["keys"].as_array().unwrap() {
            let question = key["text"].as_str().unwrap();
            check_texts(&history, key);
            let reason = held(question, "", None);
            // To skip a safeguard is an act, whatever is asked.
            let skips = question.contains("skip the");
            assert!(
                skips || json!(reason.is_some()) == key["one_way"],
                "{question}: {reason:?}"
            );
            for option in key["options"].as_array().unwrap() {
                let reason = held(question, "", option.as_str());
                assert!(
                    reason.is_none() || skips || key["one_way"] == true,
                    "{question} / {option}: {reason:?}"
                );
            }
        }
    }
}

/// Every text in which the key was asked: the topic in it must not change the door.
fn check_texts(history: &Path, key: &Value) {
    let marker = format!("<gstack-qid:{}>", key["key"].as_str().unwrap());
    for transcript in fs::read_dir(history.join("transcripts")).unwrap() {
        let text = fs::read_to_string(transcript.unwrap().path()).unwrap();
        for line in text.lines().filter(|line| line.contains(&marker)) {
            let line: Value = serde_json::from_str(line).unwrap();
            let input = &line["message"]["content"][0]["input"];
            for question in input["questions"].as_array().into_iter().flatten() {
                let asked = question["question"].as_str().unwrap();
                if let Some(asked) = asked.strip_prefix(&marker) {
                    let reason = held(asked, question["header"].as_str().unwrap(), None);
                    let skips = asked.contains("skip the");
                    let is_held = json!(reason.is_some());
                    assert!(skips || is_held == key["one_way"], "{asked}: {reason:?}");
                }
            }
        }
    }
}
