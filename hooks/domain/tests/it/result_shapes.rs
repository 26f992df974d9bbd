//! Results in every form seen in transcripts, and the outcome of each.

use plantune_domain::answer::Answer;
use plantune_domain::results::{Outcome, error_outcomes, outcomes};
use plantune_domain::wire::SentQuestion;
use serde_json::{Value, json};

fn question(text: &str, options: &[&str]) -> SentQuestion {
    SentQuestion {
        text: text.to_owned(),
        options: options.iter().map(|&label| label.to_owned()).collect(),
        ..SentQuestion::default()
    }
}

/// Each outcome on one line: labels, then typed text after `~`, then a note after `#`.
fn outcome_lines(questions: &[SentQuestion], result: &Value, is_error: bool) -> Vec<String> {
    shown(&outcomes(questions, result, is_error))
}

fn shown(outcomes: &[Outcome]) -> Vec<String> {
    outcomes
        .iter()
        .map(|outcome| match outcome {
            Outcome::Answered(answer) => line(answer),
            Outcome::Dismissed { reason, partial } => match partial {
                Some(partial) => format!("<{reason}> {}", line(partial)),
                None => format!("<{reason}>"),
            },
            Outcome::Failed { kind, .. } => format!("!{kind}"),
            Outcome::Denied => "denied".to_owned(),
        })
        .collect()
}

fn line(answer: &Answer) -> String {
    let mut line = answer.labels.join(" | ");
    for (mark, text) in [("~", &answer.free_text), ("#", &answer.notes)] {
        if let Some(text) = text {
            line = format!("{line}{mark}{text}");
        }
    }
    line
}

const CAREFULLY: &str = ". Read the answers carefully — they may request clarification, changes, or that you not proceed — and follow what they actually say.";

#[test]
fn texts_in_several_languages() {
    let frames = [
        (
            "User has answered your questions: ",
            ". You can now continue with the user's answers in mind.",
        ),
        (
            "Your questions have been answered: ",
            ". You can now continue with these answers in mind.",
        ),
        ("", ". You can now continue with these answers in mind."),
        ("The user answered: ", CAREFULLY),
    ];
    let texts = [
        "听完三个杀手，Gemini 这路怎么走？",
        "antialias 관련해 어떻게 할까요?",
        "Docker Desktop est-il installable/installé sur cette machine ?",
        "Hoy `body_height = size[1]`: ¿cómo \"componen\"? (3.2)",
    ];
    let labels = [
        "AI Studio API key（推荐）",
        "일단 현재 빌드로 재테스트 (권장)",
        "Oui, dispo (ou je l'installe)",
        "scale \"encima\" de size (Recomendado)",
    ];
    let questions: Vec<SentQuestion> = texts.iter().map(|text| question(text, &labels)).collect();
    let pairs: Vec<String> = texts
        .iter()
        .zip(labels)
        .map(|(text, label)| format!("\"{text}\"=\"{label}\""))
        .collect();
    for (head, tail) in frames {
        let text = format!("{head}{}{tail}", pairs.join(", "));
        assert_eq!(
            outcome_lines(&questions, &json!(text), false),
            labels,
            "{text}"
        );
    }
}

#[test]
fn quotes_tails_and_answers_out_of_order() {
    let one = [question("どこまで進めますか？", &["A", "A+B"])];
    let typed = "A+Bでいこう。ただし\"二重再開の回避\"は. You can now continue は、arm済みでも。";
    let text = format!("The user answered: \"どこまで進めますか？\"=\"{typed}\"{CAREFULLY}");
    assert_eq!(
        outcome_lines(&one, &json!(text), false),
        [format!("~{typed}")]
    );
    let two = [
        question("First?", &["A", "B"]),
        question("Second?", &["C \"x\"", "D"]),
    ];
    let text = "User has answered your questions: \"Second?\"=\"C \"x\"\", \"First?\"=\"B\". You can now continue with the user's answers in mind.";
    assert_eq!(outcome_lines(&two, &json!(text), false), ["B", "C \"x\""]);
    let twice = [
        question("Same?", &["A", "B"]),
        question("Same?", &["A", "B"]),
    ];
    let text = "Your questions have been answered: \"Same?\"=\"A\", \"Same?\"=\"B\". You can now continue with these answers in mind.";
    assert_eq!(outcome_lines(&twice, &json!(text), false), ["A", "B"]);
    // One answer for two questions is that of the last, in prose and in a map.
    let text = "Your questions have been answered: \"Same?\"=\"A\". You can now continue with these answers in mind.";
    let map = json!({"answers": {"Same?": "A"}});
    for one in [json!(text), map] {
        assert_eq!(outcome_lines(&twice, &one, false), ["<no_answer>", "A"]);
    }
}

#[test]
fn notes_previews_and_nothing_chosen() {
    let two = [
        question("이름을 무엇으로 할까요?", &["a", "b"]),
        question("이메일을 분리할까요?", &["예", "아니요"]),
    ];
    let text = "The user answered: \"이름을 무엇으로 할까요?\"=\"LeeJeongHan\", \"이메일을 분리할까요?\"=(no option selected) notes: 개인 계정은 내일 등록할게.";
    assert_eq!(
        outcome_lines(&two, &json!(text), false),
        ["~LeeJeongHan", "#개인 계정은 내일 등록할게."]
    );
    let layout = [
        question("Which?", &["Grid (Recommended)", "List"]),
        question("And?", &["X"]),
    ];
    let text = "Your questions have been answered: \"Which?\"=\"Grid (Recommended)\" selected preview:\n+--+\n| notes: \"a\" |\n+--+ notes: wide, please, \"And?\"=\"X\" user notes: maybe. You can now continue with these answers in mind.";
    assert_eq!(
        outcome_lines(&layout, &json!(text), false),
        ["Grid (Recommended)#wide, please", "X#maybe"]
    );
    let only = json!({"answers": {"Which?": "(notes only)", "And?": "(notes only)"},
        "annotations": {"Which?": {"notes": " because "}}});
    assert_eq!(
        outcome_lines(&layout, &only, false),
        ["#because", "<no_answer>"]
    );
}

#[test]
fn unanswered_results() {
    let two = [question("Q1?", &["A"]), question("Q2?", &["B"])];
    let both = |outcome: &str| vec![outcome.to_owned(); 2];
    for (text, outcome) in [
        ("The user did not answer the questions.", "<no_answer>"),
        (
            "User has answered your questions: . You can now continue with the user's answers in mind.",
            "<no_answer>",
        ),
        (
            "No response after 60s — the user may be away from keyboard.",
            "<afk_timeout>",
        ),
        (
            "[Request interrupted by user for tool use]",
            "<interrupted>",
        ),
        (
            "[Tool call did not complete: the turn was ended to deliver the message that follows.]",
            "<interrupted>",
        ),
        (
            "The user doesn't want to take this action right now. STOP what you are doing",
            "<rejected>",
        ),
        ("Error: User rejected tool use", "<rejected>"),
        (
            "<tool_use_error>InputValidationError: too_big</tool_use_error>",
            "!validation",
        ),
        (
            "<tool_use_error>Error: No such tool available: AskUserQuestion</tool_use_error>",
            "!tool_error",
        ),
        (
            "[Tool call skipped: the turn was stopped before this call ran]",
            "!denied",
        ),
        (
            "[Tool call not run: a message from the user arrived first, so the user was not asked about this call.",
            "!denied",
        ),
        (
            "[Tool call not completed: an approval request expired with no answer, so the action did not run.",
            "<no_answer>",
        ),
        (
            "The app reported that nobody answered this question, but Claude Code did not accept the report, so the question has no answer.",
            "<no_answer>",
        ),
        (
            "[Tool call interrupted: the session ended before this call's result was recorded",
            "<session_ended>",
        ),
        (
            "The user doesn't want to proceed with this tool use. Correction to the text above: this call was stopped while running, not refused before it ran.",
            "<interrupted>",
        ),
        (
            "[Tool result missing due to internal error]",
            "!missing_result",
        ),
        ("[plan-tune auto-decide] a → B", "denied"),
    ] {
        assert_eq!(
            outcome_lines(&two, &json!(text), false),
            both(outcome),
            "{text}"
        );
        assert_eq!(
            outcome_lines(&two[..1], &json!(text), false),
            [outcome],
            "{text}"
        );
    }
    let text = format!(
        "The user answered: \"Q1?\"=\"[User dismissed — do not proceed, wait for next instruction]\"{CAREFULLY}"
    );
    assert_eq!(
        outcome_lines(&two, &json!(text), false),
        both("<no_answer>")
    );
}

#[test]
fn answers_that_the_host_annotates_as_none() {
    let two = [question("Q1?", &["A"]), question("Q2?", &["B"])];
    for (unanswered, outcome) in [
        ("skipped", "<no_answer>"),
        ("replied_in_chat", "<clarify>"),
        ("dismissed", "<rejected>"),
    ] {
        let result = json!({"answers": {"Q1?": "[User skipped this question]", "Q2?": "B"},
            "annotations": {"Q1?": {"unanswered": unanswered}}});
        assert_eq!(outcome_lines(&two, &result, false), [outcome, "B"]);
    }
    let text = format!(
        "The user answered: \"Q1?\"=\"[User skipped this question]\", \"Q2?\"=\"B\"{CAREFULLY}"
    );
    assert_eq!(
        outcome_lines(&two, &json!(text), false),
        ["<no_answer>", "B"]
    );
}

#[test]
fn partial_answers_of_dismissed_questions() {
    let two = [question("Q1?", &["A", "B"]), question("Q2?", &["C"])];
    let away = json!({"answers": {"Q1?": "A"}, "afkTimeoutMs": 60000});
    let expected = ["<afk_timeout> A", "<afk_timeout>"];
    assert_eq!(outcome_lines(&two, &away, false), expected);
    let away = "No response after 60s — the user may be away.\n\nBefore going idle the user had selected: \"Q1?\"=\"A\".";
    assert_eq!(outcome_lines(&two, &json!(away), false), expected);
    let talk = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nThe user wants to clarify these questions.\n\n    Questions asked:\n- \"Q1?\"\n  Answer: first line\n- \"not a question\"\n  User notes: careful\n- \"Q2?\"\n  (No answer provided)\n  User notes: why?";
    assert_eq!(
        shown(&error_outcomes(&two, talk, false)),
        [
            "<clarify> ~first line\n- \"not a question\"#careful",
            "<clarify> #why?"
        ]
    );
    let enough = "The user has indicated they have provided enough answers for the plan interview.\n\nQuestions asked and answers provided:\n- \"Q2?\"\n  Answer: C";
    assert_eq!(
        shown(&error_outcomes(&two, enough, false)),
        ["<rejected>", "<rejected> C"]
    );
}

#[test]
fn prose_reply_to_several_questions() {
    let two = [question("Q1?", &["A"]), question("Q2?", &["B"])];
    let result = json!({"answers": {}, "response": "neither, wait"});
    assert_eq!(outcome_lines(&two, &result, false), ["~neither, wait"; 2]);
    let text = json!("The user responded: neither, wait");
    assert_eq!(outcome_lines(&two, &text, false), ["~neither, wait"; 2]);
    let text = json!("The user responded: A");
    assert_eq!(outcome_lines(&two[..1], &text, false), ["A"]);
}

#[test]
fn servers_answer_in_blocks() {
    let two = [question("Q1?", &["A", "B"]), question("Q2?", &["C", "D"])];
    let blocks = |text: &str| json!([{"type": "text", "text": text}]);
    let outcome_lines =
        |questions: &[SentQuestion], text: &str| outcome_lines(questions, &blocks(text), false);
    assert_eq!(
        outcome_lines(&two, "User responses:\n1. A\n2. mine,\nand more"),
        ["A", "~mine,\nand more"]
    );
    assert_eq!(
        outcome_lines(&two, "{\"answers\": [\"A\", {\"label\": \"D\"}]}"),
        ["A", "D"]
    );
    let numbered = [question("Which?", &["1. One", "2. Two"])];
    assert_eq!(outcome_lines(&numbered, "2. Two"), ["2. Two"]);
    assert_eq!(outcome_lines(&two[..1], "B"), ["B"]);
}
