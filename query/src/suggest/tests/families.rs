//! Questions without a marker.

use super::*;

/// The answers of `key` as an unmarked question gets them: a text each, with the same options.
fn unmarked(key: &KeyEvidence, options: [&str; 2], text: &str) -> Vec<KeyEvidence> {
    let series = key.answers.iter().enumerate().map(|(index, answer)| {
        let mut answer = answer.clone();
        let label = |one: &String| {
            let at = answer.options.iter().position(|option| option == one);
            options[at.unwrap()].to_owned()
        };
        answer.labels = answer.labels.iter().map(label).collect();
        answer.options = options.map(str::to_owned).to_vec();
        answer.recommended = None;
        answer.question = text.replace('#', &format!("area {}", ["a", "b", "c", "d"][index % 4]));
        answer.question_key = format!("fp-{index}");
        KeyEvidence {
            question_key: answer.question_key.clone(),
            key_source: "fingerprint".to_owned(),
            recent_askings: 0,
            answers: vec![answer],
            ..key.clone()
        }
    });
    series.collect()
}

#[test]
fn what_was_taken_back_of_a_family_is_not_proposed_of_a_text_variant() {
    let areas = ["Next area", "More questions"];
    let mut series = unmarked(&key("x", &"r".repeat(16)), areas, "Enough of #?");
    for one in &mut series {
        // Four texts, each with a key of its own.
        let answer = &mut one.answers[0];
        answer.question_key = format!("fp-{}", answer.question);
        one.question_key.clone_from(&answer.question_key);
    }
    assert_eq!(judged(&series).suggestions.len(), 1);
    let mut undone = key("x", "t").answers.pop().unwrap();
    undone.options = areas.map(str::to_owned).to_vec();
    undone.question = "Enough of area a?".to_owned();
    undone.undone = Some(Scope::Project);
    let family = judged(&series).suggestions[0].asked.question_key.clone();
    series.push(KeyEvidence {
        question_key: family,
        key_source: "family".to_owned(),
        answers: vec![undone],
        ..key("x", "")
    });
    assert_eq!(judged(&series).suggestions, []);
}

#[test]
fn a_question_has_one_proposal_here_or_everywhere_and_none_for_its_texts() {
    let areas = ["Next area", "More questions"];
    let in_project = |project: &str, answers: usize| {
        let mut habit = key("x", &"r".repeat(answers));
        project.clone_into(&mut habit.project);
        let mut series = unmarked(&habit, areas, "Enough of #?");
        for one in &mut series {
            let answer = &mut one.answers[0];
            answer.question_key = format!("fp-{}", answer.question);
            one.question_key.clone_from(&answer.question_key);
            answer.session_id = format!("{project} {}", answer.session_id);
        }
        series
    };
    let proposed = |projects: &[(&str, usize)]| {
        let series = projects.iter().flat_map(|one| in_project(one.0, one.1));
        let found = judged(&series.collect::<Vec<_>>()).suggestions;
        let mut names: Vec<(String, Level)> = found
            .into_iter()
            .map(|one| {
                assert_eq!(one.asked.key_source, "family", "{one:?}");
                (one.asked.project, one.level)
            })
            .collect();
        names.sort_unstable();
        names
    };
    let named = |project: &str, level| (project.to_owned(), level);
    // What stands in both projects says too little of a third: no trial for everywhere beside it.
    assert_eq!(
        proposed(&[("shop", 24), ("blog", 24)]),
        [
            named("blog", Level::Standing),
            named("shop", Level::Standing)
        ]
    );
    // What is too little in each project is enough to be shown everywhere.
    assert_eq!(
        proposed(&[("shop", 3), ("blog", 3)]),
        [named(EVERYWHERE, Level::Assist)]
    );
}

#[test]
fn what_never_reads_the_same_is_proposed_as_a_family() {
    let areas = ["Next area", "More questions"];
    let habit = key("x", &format!("{}o{}", "r".repeat(12), "r".repeat(12)));
    let found = judged(&unmarked(&habit, areas, "Enough of #?"));
    assert_eq!((found.suggestions.len(), found.rejected.len()), (1, 0));
    let one = &found.suggestions[0];
    assert_eq!(one.asked.key_source, "family");
    assert_eq!(one.answer.as_deref(), Some("Next area"));
    assert_eq!((one.evidence.agreed, one.evidence.answers), (24, 25));
    // The same of a set that could be of any question: only with words of its own.
    let yes_no = ["Yes", "No"];
    let found = judged(&unmarked(&habit, yes_no, "Run the linter on #?"));
    assert_eq!(found.suggestions.len(), 1);
    let template = ["run", "the", "linter", "on", "area"].map(str::to_owned);
    assert_eq!(
        found.suggestions[0].asked.template.as_deref(),
        Some(&template[..])
    );
    assert_eq!(
        judged(&unmarked(&habit, yes_no, "#?")),
        Suggestions::default()
    );
    // An answer that refers to texts of which none comes twice: to be asked takes no more than the same options.
    let proposals = ["Apply it to the page", "Try something else first"];
    let mut series = unmarked(&key("x", &"r".repeat(16)), proposals, "#");
    let nouns = "garden river letter window market planet violin button summer engine pillow copper forest \
        basket ladder puzzle";
    for (one, noun) in series.iter_mut().zip(nouns.split(' ')) {
        one.answers[0].question = format!("A {noun}?");
    }
    let found = judged(&series);
    let one = &found.suggestions[0];
    assert_eq!(
        (one.level, one.lacks.as_ref()),
        (Level::Assist, Some(&Reason::TextsVary))
    );
    assert_eq!(one.binding.coverage, Some(Coverage::Options));
    // Now this, now that.
    let coin = judged(&unmarked(
        &key("x", &"roor".repeat(6)),
        areas,
        "Enough of #?",
    ));
    assert!(coin.suggestions.is_empty());
    assert_eq!(coin.rejected[0].reason, Reason::Disagreement);
}

#[test]
fn what_a_rule_names_now_was_its_evidence_before() {
    let habit = key("x", &"r".repeat(20));
    let series = unmarked(&habit, ["Next area", "More questions"], "Enough of #?");
    let rule = "[[question]]\nkey = \"enough\"\noptions = [\"Next area\", \"More questions\"]";
    let registry = Registry::parse(rule).unwrap();
    let found = evaluate(
        series,
        &Inputs {
            settings: &Suggest::default(),
            registry: &registry,
            in_force: &|_, _| InForce::Nothing,
            hindsight: 0,
            now: now(),
        },
    );
    let asked = &found.suggestions[0].asked;
    assert_eq!(
        (asked.question_key.as_str(), asked.key_source.as_str()),
        ("enough", "registry")
    );
    assert_eq!(asked.template, None);
}
