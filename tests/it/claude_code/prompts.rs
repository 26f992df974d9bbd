//! What tests about prompts for permission share: the client that says how they were decided, the command that is
//! asked about, and what is to be found afterwards.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::claude_code;
use super::home::{Home, PROJECT, assert_fields};
use super::server::Turn;
use crate::skipped::skipped;

/// What is asked for: a command that the client allows nobody to run without a rule.
pub(crate) const TESTS: &str = "npm test";

/// The first version whose transcripts say for how long a call was allowed.
const WITH_DECISIONS: [u32; 3] = [2, 1, 315];

/// The first whose transcripts tell a refusal from a run that was broken off.
pub(crate) const WITH_BEFORE_RUN: [u32; 3] = [2, 1, 326];

/// How long the hook may take to log a prompt.
const LIMIT: Duration = Duration::from_secs(30);

/// The client, where its transcripts say how prompts were decided.
pub(crate) fn deciding_client() -> Option<PathBuf> {
    let client = claude_code();
    let version = version(&client);
    if version.as_slice() >= WITH_DECISIONS.as_slice() {
        return Some(client);
    }
    let why = format!("transcripts of {version:?} do not say how prompts were decided");
    skipped("claude_code::permissions", &why);
    None
}

/// The numbers of the client's version.
pub(crate) fn version(client: &Path) -> Vec<u32> {
    let said = Command::new(client).arg("--version").output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    let numbers = said.split(|c: char| !c.is_ascii_digit());
    numbers.map_while(|part| part.parse().ok()).collect()
}

impl Home {
    /// A home with the hook, and tests to run in the shop.
    pub(crate) fn with_tests(client: PathBuf) -> Self {
        let home = Self::installed(client);
        let package = json!({"name": "shop", "scripts": {"test": "node --test"}});
        home.put("shop/package.json", &package.to_string());
        home.program("npm", "#!/bin/sh\necho \"3 passing: $*\"\n");
        home
    }

    /// The events of one kind, the hook's and those read of transcripts.
    pub(crate) fn of_kind(&self, kind: &str) -> Vec<Value> {
        let mut events = self.log();
        events.retain(|event| event["kind"] == kind);
        events
    }

    /// Waits for as many prompts in the log as a person has seen: they decide later than the hook logs.
    fn logged(&self, prompts: usize) {
        let until = Instant::now() + LIMIT;
        while self.prompts_logged() < prompts {
            assert!(
                Instant::now() < until,
                "{prompts} prompts: {:?}",
                self.events()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// A host's person who allows what they are asked for, once.
    pub(crate) fn allows(&self) -> impl FnMut(&Value) -> Value {
        let mut asked = self.prompts_logged();
        move |request| {
            asked += 1;
            self.logged(asked);
            json!({"behavior": "allow", "updatedInput": request["input"]})
        }
    }

    /// What the report counts is `wanted`, and nothing else.
    pub(crate) fn reports(&self, wanted: Value) -> Value {
        let report = self.done(&["report", "--json"]);
        let report: Value = serde_json::from_str(&report).unwrap();
        let sums = report["permissions"].clone();
        for name in [
            "asked",
            "granted",
            "refused",
            "ambiguous",
            "open",
            "denied",
            "auto_calls",
            "asked_again",
            "unattended",
        ] {
            let wanted = wanted.get(name).cloned().unwrap_or(json!(0));
            assert_eq!(sums[name], wanted, "{name} of {sums}");
        }
        if sums["waits_known"] == 0 {
            assert_eq!(sums["seconds_waited"].to_string(), "0.0");
        }
        sums
    }

    /// The one prompt that was logged, and the one event of `kind` that says how it was decided.
    pub(crate) fn decision(&self, kind: &str) -> (Value, Value) {
        self.done(&["ingest"]);
        let (mut asked, mut decided) = (self.of_kind("permission_asked"), self.of_kind(kind));
        assert_eq!((asked.len(), decided.len()), (1, 1), "{:?}", self.log());
        let (asked, decided) = (asked.remove(0), decided.remove(0));
        for event in [&asked, &decided] {
            assert_fields(
                event,
                json!({
                    "tool_name": "Bash", "subject": TESTS, "reach": "reads", "input": TESTS,
                    "project": PROJECT, "session_id": asked["session_id"],
                    "input_digest": asked["input_digest"], "agent_id": asked["agent_id"],
                }),
            );
        }
        assert_fields(
            &asked,
            json!({"source": "hook", "suggestions": ["Bash(npm test *)"], "permission_mode": "default"}),
        );
        assert_fields(
            &decided,
            json!({
                "source": "import:claude-code", "asked_id": asked["id"], "ambiguous": false,
                "tool_use_id": "toolu_a",
            }),
        );
        (asked, decided)
    }
}

/// The model runs `command`.
pub(crate) fn bash(id: &str, command: &str) -> Turn {
    let input = json!({"command": command, "description": "Run the tests"});
    Turn::call(id, "Bash", input)
}

/// One command, and the last word.
pub(crate) fn one_command() -> Vec<Turn> {
    command("toolu_a")
}

/// The same by another id: no two calls have one.
pub(crate) fn command(id: &str) -> Vec<Turn> {
    vec![bash(id, TESTS), Turn::says("All done.")]
}
