//! The door rules on a table of phrases, and on the questions people really got
//! (`../shared/corpus`).

use std::collections::BTreeMap;
use std::fs;

use plantune_domain::doors::{self, Finding, Reading, find_at_consent};
use plantune_domain::recommended::recommended;
use serde_json::Value;

/// [`doors::find`], and the rules that are asked at consent alone.
fn find(texts: &[&str]) -> Option<Finding> {
    doors::find(texts).or_else(|| find_at_consent(texts, Reading::Whole))
}

/// Why `texts` are one-way, by both.
fn one_way_reason(texts: &[&str]) -> Option<String> {
    find(texts).map(|found| found.reason)
}

use crate::shared::shared;

const PHRASES: &str = include_str!("../doors/phrases.txt");
const BUILDING: [(&str, &str); 3] = [
    ("english", include_str!("../doors/building/english.txt")),
    ("languages", include_str!("../doors/building/languages.txt")),
    ("strangers", include_str!("../doors/building/strangers.txt")),
];
const HELD_OUT: &str = include_str!("../doors/held-out.txt");
const AFTER: &str = include_str!("../doors/after.txt");
const STRANGERS: &str = include_str!("../doors/strangers.txt");

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
        let found = one_way_reason(&phrase.texts);
        let fires = match phrase.door {
            "one-way" | "two-way, held" => true,
            "two-way" => false,
            other => unreachable!("{other} is no door"),
        };
        *times.entry(phrase.door).or_default() += 1;
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
    found: Option<Finding>,
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
    let totals = counts
        .iter()
        .filter(|((_, language), _)| language.is_empty());
    totals
        .map(|((class, _), (caught, all))| (*class, *caught as f64 / *all as f64))
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
        "harmless" | "blunt, missed" | "plain, missed" | "other, missed" => false,
        "blunt" | "plain" | "other" | "harmless, held" => true,
        other => unreachable!("{other} is no class"),
    };
    let wrong = judged
        .iter()
        .filter(|one| one.found.is_some() != expected(one));
    let wrong: Vec<String> = wrong
        .map(|one| {
            let reason = one
                .found
                .as_ref()
                .map_or("-", |found| found.reason.as_str());
            format!("{} {} {:?}: {reason}", one.class, one.language, one.texts)
        })
        .collect();
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Another text beside a question that is asked leaves it asked, whatever that text speaks of.
#[test]
fn another_text_never_makes_fewer_match() {
    let others = [
        "How should the unit test for the handler be named?",
        "Which icon should the button have?",
        "Approve",
        "Is the plan for the function fine?",
        "Comment nommer la fonction ?",
        "按钮用什么颜色?",
        "mock",
    ];
    for one in BUILDING.iter().flat_map(|(_, set)| judge(set)) {
        for other in others.iter().filter(|_| one.found.is_some()) {
            for before in [true, false] {
                let mut texts = one.texts.clone();
                texts.insert(if before { 0 } else { texts.len() }, other);
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
    for (name, set, most_held) in sets {
        let shares = shares(name, &judge(set));
        assert!(shares["blunt"] >= 0.97, "{name}: {shares:?}");
        assert!(shares["plain"] >= 0.60, "{name}: {shares:?}");
        assert!(shares["other"] >= 0.75, "{name}: {shares:?}");
        assert!(shares["harmless"] <= most_held, "{name}: {shares:?}");
    }
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
        if !phrase.category.contains(", ") && !phrase.texts.iter().any(|text| text.contains(".md"))
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
        if let Some(Finding { reason, .. }) = find(&[asked, header, chosen]) {
            held += 1;
            eprintln!("held: {reason} | {header} | {asked} | {chosen}");
        } else if let Some((label, found)) = options
            .iter()
            .find_map(|label| Some((label, find(&[asked, header, label])?)))
        {
            with_some_option += 1;
            eprintln!(
                "held if chosen: {} | {header} | {asked} | {label}",
                found.reason
            );
        }
    }
    eprintln!("{held} of {total} held back, {with_some_option} more for some of their options");
    assert!(
        total > 0 && held * 5 <= total,
        "{held} of {total} held back"
    );
}
