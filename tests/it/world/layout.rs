//! One question that is asked every hour, in the project `shop`.

use std::fs;

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::{World, call_of, question};

/// The project of [`World::shop`].
pub(crate) const SHOP: &str = "example.org/dev/shop";

const LAYOUT: &str = "<plantune:layout> Which layout?";

/// The question.
pub(crate) fn layout() -> Value {
    question(LAYOUT, "Layout", &["Grid (Recommended)", "List"])
}

impl World {
    pub(crate) fn shop() -> Self {
        Self::with_checkout("shop", "git@example.org:dev/shop.git")
            .on("2026-10-20T09:00:00Z")
            .with("USER", "ann")
    }

    /// How many preferences are marked for the hook to ask about.
    pub(crate) fn marks(&self) -> usize {
        let names = fs::read_dir(self.data().join("checks")).unwrap();
        let names = names.map(|entry| entry.unwrap().path());
        names
            .filter(|path| path.extension() == Some("withdrawn".as_ref()))
            .count()
    }

    /// The one preference in the report.
    pub(crate) fn standing(&self) -> Value {
        self.json(&["report", "--json"])["standing_preferences"][0].clone()
    }

    /// One call, an hour after the one before. True when the person was asked, who said `answer`.
    pub(crate) fn ask(&mut self, answer: &str) -> bool {
        self.ask_where(answer, &[])
    }

    pub(crate) fn ask_where(&mut self, answer: &str, environment: &[(&str, &str)]) -> bool {
        let (asked, said) = self.one_call(answer, environment);
        // That an answer is no consent is said of those that nobody was asked for.
        let context = &said["hookSpecificOutput"]["classifierContext"];
        assert_eq!(context.is_null(), asked, "{said}");
        assert_eq!(said.is_null(), asked, "{said}");
        asked
    }

    /// Whether the person was asked, and what the hook said when the answer came.
    fn one_call(&mut self, answer: &str, environment: &[(&str, &str)]) -> (bool, Value) {
        self.calls += 1;
        self.now += TimeDelta::hours(1);
        let mut call = call_of(&format!("toolu_{}", self.calls), &[layout()]);
        call["session_id"] = json!(format!("s{}", self.calls / 4));
        let decision = self.hook_with("PreToolUse", call.clone(), environment);
        let given = &decision["hookSpecificOutput"]["updatedInput"]["answers"];
        let (asked, answers) = match given {
            Value::Null => (true, json!({LAYOUT: answer})),
            given => (false, given.clone()),
        };
        self.now += TimeDelta::seconds(20);
        call["tool_response"] =
            json!({"questions": call["tool_input"]["questions"], "answers": answers});
        (asked, self.hook_with("PostToolUse", call, environment))
    }

    /// Calls until the person is asked, who says `answer`.
    pub(crate) fn until_asked(&mut self, answer: &str) {
        assert!((0..40).any(|_| self.ask(answer)), "never none of forty");
    }

    /// The same; what the hook said when the answer came.
    pub(crate) fn until_checked(&mut self, answer: &str) -> Value {
        let mut calls = (0..60).map(|_| self.one_call(answer, &[]));
        calls.find(|(asked, _)| *asked).unwrap().1
    }

    pub(crate) fn last_change(&self) -> Value {
        let is_change = |event: &Value| event["kind"] == "preference_changed";
        self.events().into_iter().rfind(is_change).unwrap()
    }

    pub(crate) fn evidence(&self) -> Value {
        let found = self.json(&["suggest", "--json"]);
        let lists = [&found["suggestions"], &found["rejected"]];
        let mut all = lists.into_iter().flat_map(|list| list.as_array().unwrap());
        all.find(|one| one["question_key"] == "layout").unwrap()["evidence"].clone()
    }
}
