//! A habit of one agent's dialog: logged, proposed, applied, and answered there as its captures show that it is taken.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Captured;
use crate::world::World;

const QUESTION: &str = "Which layout shall the page have?";

/// How an agent asks, and what answers come back as.
struct Dialog {
    agent: &'static str,
    tool: &'static str,
    /// The events before and after.
    events: [&'static str; 2],
    response: fn(&str) -> Value,
    /// Where the words for the model stand in what denies a call.
    reason: &'static str,
}

const CODEX: Dialog = Dialog {
    agent: "codex",
    tool: "request_user_input",
    events: ["PreToolUse", "PostToolUse"],
    response: |label| json!(json!({"answers": {"layout": {"answers": [label]}}}).to_string()),
    reason: "/hookSpecificOutput/permissionDecisionReason",
};

const COPILOT: Dialog = Dialog {
    agent: "copilot",
    tool: "AskUserQuestion",
    events: ["PreToolUse", "PostToolUse"],
    response: |label| json!({"text_result_for_llm": format!("User responded: {label}")}),
    reason: "/permissionDecisionReason",
};

const GEMINI: Dialog = Dialog {
    agent: "gemini",
    tool: "ask_user",
    events: ["BeforeTool", "AfterTool"],
    response: |label| json!({"llmContent": json!({"answers": {"0": label}}).to_string()}),
    reason: "/reason",
};

const QWEN: Dialog = Dialog {
    agent: "qwen",
    tool: "ask_user_question",
    events: ["PermissionRequest", "PostToolUse"],
    response: |label| {
        let text = "User has provided the following answers:\n\n**Layout**: ";
        json!({"llmContent": format!("{text}{label}")})
    },
    reason: "/hookSpecificOutput/decision/message",
};

const OPENCODE: Dialog = Dialog {
    agent: "opencode",
    tool: "question",
    events: ["question.asked", "question.replied"],
    response: |label| json!({"answers": [[label]]}),
    reason: "/context",
};

impl Dialog {
    fn call(&self, number: u32) -> Value {
        let option = |label: &str| json!({"label": label, "description": "how it looks"});
        let questions = json!({"questions": [{
            "id": "layout", "header": "Layout", "question": QUESTION,
            "options": [option("Grid (Recommended)"), option("List")],
        }]});
        // Copilot CLI's, a form.
        let form = json!({"message": QUESTION, "requestedSchema": {"properties": {"layout": {
            "type": "string", "title": "Layout", "enum": ["Grid (Recommended)", "List"]}}}});
        let input = match self.agent {
            "copilot" => form,
            _ => questions,
        };
        json!({
            "session_id": format!("s{}", number / 4),
            "tool_use_id": format!("call_{number}"),
            // OpenCode's, whose provider repeats ids of calls.
            "message_id": format!("msg_{number}"),
            "call_id": "question:0",
            "tool_name": self.tool,
            "tool_input": input,
        })
    }

    fn hook(&self, world: &World, event: &str, mut call: Value) -> Value {
        call["hook_event_name"] = json!(event);
        let captured = Captured::read(self.agent, "");
        captured.call(world, &call)
    }

    /// Asks, and answers with `label` what is not answered by the hook; what that printed.
    fn ask(&self, world: &mut World, number: u32, label: &str) -> Value {
        let call = self.call(number);
        let printed = self.hook(world, self.events[0], call.clone());
        world.later(1);
        if printed.is_null() {
            let mut call = call;
            let name = match self.agent {
                "copilot" => "tool_result",
                _ => "tool_response",
            };
            call[name] = (self.response)(label);
            assert_eq!(self.hook(world, self.events[1], call), json!(null));
        }
        world.later(8 * 60);
        printed
    }

    /// A person who always chooses the list there, and has it answered.
    fn world(&self) -> World {
        let mut world = World::shop();
        world.put(world.paths().config_file(), "spot_check = 0\n");
        for number in 0..18 {
            let printed = self.ask(&mut world, number, "List");
            assert_eq!(printed, json!(null), "asked: {number}");
        }
        world.done(&["suggest", "--apply", "--yes"]);
        world
    }
}

impl Dialog {
    /// The output for the first of some calls that is answered.
    fn answered(&self, world: &mut World) -> Value {
        let mut calls = (20..60).map(|number| self.ask(world, number, "List"));
        calls.find(|printed| !printed.is_null()).unwrap()
    }
}

#[test]
fn a_habit_of_gemini_is_answered_there() {
    let mut world = GEMINI.world();
    let printed = GEMINI.answered(&mut world);
    assert_eq!(printed["decision"], "deny");
    assert_eq!(printed.as_object().unwrap().len(), 3, "{printed}");
    check(&printed, GEMINI.reason);
    // Equal calls of a session, which have no id of their own, are calls of their own.
    let ids: BTreeSet<String> = world
        .events()
        .iter()
        .map(|event| event["tool_use_id"].to_string())
        .collect();
    assert!(ids.len() > 16, "{ids:?}");
}

#[test]
fn a_habit_of_copilot_is_answered_there() {
    let mut world = COPILOT.world();
    let printed = COPILOT.answered(&mut world);
    assert_eq!(printed["permissionDecision"], "deny");
    assert_eq!(printed.as_object().unwrap().len(), 2, "{printed}");
    check(&printed, COPILOT.reason);
    // The person reads the same text, and its first line alone without opening it.
    let reason = printed["permissionDecisionReason"].as_str().unwrap();
    assert!(
        reason.contains("For the user: plantune answered"),
        "{reason}"
    );
    // Gemini CLI's tool has the same name, and is another.
    for number in 60..70 {
        assert_eq!(GEMINI.ask(&mut world, number, "List"), json!(null));
    }
    let events = world.events();
    let mut asked = events.iter().filter(|event| event["agent"] == "gemini");
    assert_eq!(asked.next().unwrap()["reason"], "host_differs");
}

#[test]
fn a_habit_of_qwen_is_answered_there() {
    let mut world = QWEN.world();
    let printed = QWEN.answered(&mut world);
    assert_eq!(
        printed["hookSpecificOutput"]["hookEventName"],
        "PermissionRequest"
    );
    assert_eq!(
        printed["hookSpecificOutput"]["decision"]["behavior"],
        "deny"
    );
    assert_eq!(printed.as_object().unwrap().len(), 1, "{printed}");
    check(&printed, QWEN.reason);
}

#[test]
fn a_habit_of_codex_is_answered_there() {
    let mut world = CODEX.world();
    let printed = &CODEX.answered(&mut world);
    let decision = &printed["hookSpecificOutput"];
    assert_eq!(decision["permissionDecision"], "deny");
    assert_eq!(decision["hookEventName"], "PreToolUse");
    check(printed, CODEX.reason);
    // Nothing but what Codex knows: it shows an error for other fields.
    assert_eq!(decision.as_object().unwrap().len(), 3, "{printed}");
    assert_eq!(printed.as_object().unwrap().len(), 2, "{printed}");
    let report = world.json(&["report", "--json", "--by", "agent"]);
    assert_eq!(report["groups"][0]["name"], "codex", "{report}");
    let log = world.json(&["log", "--json"]);
    assert_eq!(log["decisions"][0]["agent"], "codex", "{log}");
    // The model cannot be told afterwards, and the person is not told that it is.
    let undone = world.done(&["undo", "--yes"]);
    assert!(undone.contains("plantune cannot tell Codex"), "{undone}");
    assert!(
        !undone.contains("learns of it in its next turn"),
        "{undone}"
    );
    // What was learnt there does not hold in Claude Code, whose dialog is another.
    let mut call = CODEX.call(50);
    call["tool_name"] = json!("AskUserQuestion");
    assert_eq!(world.hook("PreToolUse", call), json!(null));
}

#[test]
fn a_preference_holds_in_the_agents_that_the_person_chooses() {
    let mut world = CODEX.world();
    let list = world.json(&["prefs", "list", "--json"]);
    let key = &list["preferences"][0]["question_key"];
    let key = key.as_str().unwrap_or_else(|| panic!("{list}")).to_owned();
    let set = ["prefs", "set", "--agents", "codex,gemini", &key, "--yes"];
    assert_eq!(world.run_in_session(&set).code, 4);
    assert_eq!(
        world.run(&["prefs", "set", "--agents", "vim", &key]).code,
        2
    );
    let said = world.done(&set).replace('\n', " ");
    assert!(
        said.contains("holds in Codex and Gemini CLI, and in no other agent"),
        "{said}"
    );
    check(&GEMINI.answered(&mut world), GEMINI.reason);
    check(&CODEX.answered(&mut world), CODEX.reason);
    for number in 60..70 {
        assert_eq!(QWEN.ask(&mut world, number, "List"), json!(null));
    }
    assert!(world.done(&set).contains("already"));
    let shown = world.done(&["prefs", "show", &key]).replace('\n', " ");
    assert!(shown.contains("Only in Codex and Gemini CLI."), "{shown}");
    world.done(&["prefs", "set", "--agents", "qwen", &key, "--yes"]);
    check(&QWEN.answered(&mut world), QWEN.reason);
    for number in 70..80 {
        assert_eq!(CODEX.ask(&mut world, number, "List"), json!(null));
    }
}

#[test]
fn a_habit_of_opencode_is_answered_there() {
    let mut world = OPENCODE.world();
    let number = (20..60).find(|number| !OPENCODE.ask(&mut world, *number, "List").is_null());
    let call = OPENCODE.call(number.unwrap());
    let again = OPENCODE.hook(&world, "question.asked", call.clone());
    assert_eq!(again["answers"], json!([["List"]]), "{again}");
    let context = again["context"].as_str().unwrap();
    assert!(
        context.contains("by a standing preference of the user's"),
        "{context}"
    );
    assert!(
        context.contains("is no permission for anything else"),
        "{context}"
    );
    assert!(
        again["message"].as_str().unwrap().contains("plantune undo"),
        "{again}"
    );
    // It comes back as the hook's answer, and the model reads once more that it is no consent.
    let mut replied = call.clone();
    replied["tool_response"] = (OPENCODE.response)("List");
    let after = OPENCODE.hook(&world, "question.replied", replied.clone());
    assert!(
        after["context"]
            .as_str()
            .unwrap()
            .contains("never counts as permission"),
        "{after}"
    );
    let answered = world.events().pop().unwrap();
    assert_eq!(answered["was_auto_decided"], true, "{answered}");
    // Where the reply was not taken, the person answers after all.
    let calls = (100..140).map(|number| OPENCODE.call(number));
    let answers = |call: &Value| {
        let asked = OPENCODE.hook(&world, "question.asked", call.clone());
        !asked.is_null()
    };
    let mut call = calls.into_iter().find(answers).unwrap();
    assert!(
        OPENCODE
            .hook(&world, "question.unanswered", call.clone())
            .is_null()
    );
    call["tool_response"] = (OPENCODE.response)("Grid (Recommended)");
    assert!(OPENCODE.hook(&world, "question.replied", call).is_null());
    let answered = world.events().pop().unwrap();
    assert_eq!(answered["was_auto_decided"], false, "{answered}");
    let log = world.json(&["log", "--json"]);
    assert_eq!(log["decisions"][0]["agent"], "opencode", "{log}");
}

#[test]
fn what_is_typed_into_opencodes_dialog_teaches() {
    let mut world = World::shop();
    world.put(world.paths().config_file(), "spot_check = 0\n");
    let call = OPENCODE.call(1);
    assert!(
        OPENCODE
            .hook(&world, "question.asked", call.clone())
            .is_null()
    );
    let mut typed = call;
    typed["tool_response"] = (OPENCODE.response)("always: List");
    let told = OPENCODE.hook(&world, "question.replied", typed);
    let message = told["message"].as_str().unwrap();
    assert!(
        message.contains("List") && message.contains("plantune undo"),
        "{told}"
    );
    // On trial, of which one in three is asked.
    let mut answered = (2..40).map(|number| OPENCODE.ask(&mut world, number, "List"));
    let answered = answered.find(|printed| !printed.is_null()).unwrap();
    assert_eq!(answered["answers"], json!([["List"]]), "{answered}");
    // A rejection is no answer.
    let call = OPENCODE.call(50);
    let undone = world.done(&["undo", "--yes"]);
    assert!(undone.contains("plantune cannot tell OpenCode"), "{undone}");
    assert!(
        OPENCODE
            .hook(&world, "question.asked", call.clone())
            .is_null()
    );
    let mut rejected = call;
    rejected["tool_response"] = json!({"rejected": true});
    assert!(
        OPENCODE
            .hook(&world, "question.rejected", rejected)
            .is_null()
    );
    assert_eq!(world.events().pop().unwrap()["kind"], "dismissed");
}

/// An answer for the person tells both sides who answered, and that it permits nothing.
fn check(printed: &Value, reason: &str) {
    let reason = printed.pointer(reason).unwrap().as_str().unwrap();
    assert!(reason.starts_with("[plan-tune auto-decide] "), "{reason}");
    assert!(reason.contains(" → List\n"), "{reason}");
    assert!(
        reason.contains("by a standing preference of the user's"),
        "{reason}"
    );
    assert!(
        reason.contains("is no permission for anything else"),
        "{reason}"
    );
    if let Some(message) = printed.get("systemMessage") {
        let message = message.as_str().unwrap();
        assert!(
            message.contains("plantune answered") && message.contains("plantune undo"),
            "{message}"
        );
    }
}
