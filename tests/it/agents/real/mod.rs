//! The real clients of the other agents, each with a scripted model and a person at the keys: `make test-agents`.

mod client;
mod model;

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use client::{CODEX, COPILOT, Client, GEMINI, OPENCODE, QWEN};
use model::{LAST, Model};

use crate::claude_code::home::{Home, question};

/// A question that is always answered the same way, one that can't be undone, and others with a word ("new") that the
/// habit never had.
const HABIT: &str = "Which layout shall the page have?";
const DOOR: &str = "Shall I delete the production database and all of its backups?";
const OWN_WORDS: &str = "Which colour shall the new border have?";
const FIRST: &str = "How wide shall the new page be?";
const SECOND: &str = "How high shall the new page be?";
const COLOUR: &str = "<plantune:colour> Which colour shall the page have?";
const DISMISSED: &str = "Which font shall the new page have?";

#[test]
#[ignore = "needs the real clients: make test-agents"]
fn codex() {
    drive(&CODEX);
}

#[test]
#[ignore = "needs the real clients: make test-agents"]
fn copilot() {
    drive(&COPILOT);
}

#[test]
#[ignore = "needs the real clients: make test-agents"]
fn gemini() {
    drive(&GEMINI);
}

#[test]
#[ignore = "needs the real clients: make test-agents"]
fn opencode() {
    drive(&OPENCODE);
}

#[test]
#[ignore = "needs the real clients: make test-agents"]
fn qwen() {
    drive(&QWEN);
}

/// `opencode run` offers no questions and refuses prompts by itself: that is no decision of a person's.
#[test]
#[ignore = "needs the real clients: make test-agents"]
fn opencode_run() {
    let home = Home::new(PathBuf::new());
    let model = Model::start(vec![Some((OPENCODE.command)("touch made-by-the-agent"))]);
    let (file, settings) = (OPENCODE.settings)(model.port(), &home.path("shop"));
    home.put(file, &settings);
    home.install(&["--agent", "opencode"]);
    let mut program = OPENCODE.program(&home, model.port());
    let output = program.args(["run", "please begin"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let events = home.events();
    let refused = events
        .iter()
        .find(|event| event["kind"] == "permission_refused");
    let refused = refused.unwrap_or_else(|| panic!("{events:?}"));
    assert_eq!(refused["reason"], "nobody", "{refused}");
    assert_eq!(refused["session_kind"], "headless", "{refused}");
}

/// Copilot CLI takes a hook that fails for a refusal; one that is gone, or is killed, refuses nothing.
#[test]
#[ignore = "needs the real clients: make test-agents"]
fn copilot_asks_when_the_hook_fails() {
    for hook in [None, Some("#!/bin/sh\nkill -9 $$\n")] {
        let home = Home::new(PathBuf::new());
        let model = Model::start(vec![Some(COPILOT.ask(&[HABIT]))]);
        let (file, settings) = (COPILOT.settings)(model.port(), &home.path("shop"));
        home.put(file, &settings);
        home.install(&["--agent", "copilot"]);
        fs::remove_file(home.hook()).unwrap();
        if let Some(hook) = hook {
            home.program("plantune-hook", hook);
        }
        let terminal = COPILOT.start(&home, model.port());
        terminal.types("please begin");
        terminal.shows(HABIT);
        terminal.press(&["Down", "Enter"]);
        terminal.shows(LAST);
        assert!(model.has_read("User responded: List"));
        terminal.leave();
    }
}

/// A rule as it is written into OpenCode's file: the very words run, and no others.
#[test]
#[ignore = "needs the real clients: make test-agents"]
fn opencode_goes_by_a_rule_word_for_word() {
    for (command, runs) in [
        ("touch one", true),
        ("touch one two", false),
        ("touch two", false),
    ] {
        let home = Home::new(PathBuf::new());
        let model = Model::start(vec![Some((OPENCODE.command)(command))]);
        let (file, settings) = (OPENCODE.settings)(model.port(), &home.path("shop"));
        home.put(file, &settings);
        let rule = json!({"permission": {"bash": {"*": "ask", "touch one": "allow"}}});
        home.put("shop/opencode.json", &rule.to_string());
        let mut program = OPENCODE.program(&home, model.port());
        let output = program.args(["run", "please begin"]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(
            home.path("shop/one").exists(),
            runs,
            "{command}: {output:?}"
        );
        assert!(!home.path("shop/two").exists(), "{command}: {output:?}");
    }
}

/// A person's day with an agent, from `install` to `uninstall`.
fn drive(client: &Client) {
    let home = Home::new(PathBuf::new());
    let shop = home.path("shop").canonicalize().unwrap();
    let model = Model::start(vec![
        Some(client.ask(&[HABIT])),
        Some(client.ask(&[DOOR])),
        Some(client.ask(&[OWN_WORDS])),
        Some(client.ask(&[FIRST, SECOND])),
        Some((client.command)("touch made-by-the-agent")),
        None,
        Some(client.ask(&[DISMISSED])),
    ]);
    let (file, settings) = (client.settings)(model.port(), &shop);
    home.put(file, &settings);
    home.put(".config/plantune/config.toml", "spot_check = 0\n");
    let before = registered(&home, client);

    let agent = ["--agent", client.agent];
    home.install(&agent);
    assert_ne!(registered(&home, client), before);
    home.done(&["install", "--agent", client.agent, "--rollback", "--yes"]);
    assert_eq!(registered(&home, client), before, "undone");
    home.install(&agent);

    model::put(&home, client, HABIT, "List");
    let imported = home.done(&[
        "import",
        client.agent,
        home.path("histories").to_str().unwrap(),
    ]);
    assert!(imported.contains("18  answered by you"), "{imported}");
    let applied = home.done(&["suggest", "--apply", "--yes"]);
    assert!(applied.contains(HABIT), "{applied}");

    session(&home, client, &model);
    check_log(&home, client);
    assert_eq!(model.calls_left(), 0);

    // What the client has in its own history is known already, but for what hooks are not told.
    home.done(&["import", client.agent]);
    let kinds = |text: &str| kinds(&home, text);
    assert_eq!(kinds(DISMISSED), ["asked", "dismissed"]);
    for text in [HABIT, DOOR, OWN_WORDS, FIRST, SECOND] {
        let twice = kinds(text)
            .iter()
            .filter(|kind| *kind == "answered")
            .count()
            > 1;
        assert!(text == HABIT || !twice, "{text}: {:?}", kinds(text));
    }
    let again = home.done(&["import", client.agent]);
    assert!(again.contains("0 events are new"), "{again}");
    check_decided(&home);

    home.done(&["uninstall", "--yes"]);
    let after = registered(&home, client);
    assert!(
        !after.clone().unwrap_or_default().contains("plantune"),
        "{after:?}"
    );
    // Codex itself adds what was trusted, behind them.
    let kept = fs::read_to_string(home.path(file)).unwrap();
    match client.agent {
        "codex" => assert!(kept.starts_with(settings.trim_end()), "{kept}"),
        _ => assert_eq!(kept, settings),
    }
}

/// The file that the hook is registered in.
fn registered(home: &Home, client: &Client) -> Option<String> {
    fs::read_to_string(home.path(client.hooks)).ok()
}

/// The person's part.
fn session(home: &Home, client: &Client, model: &Model) {
    let terminal = client.start(home, model.port());
    terminal.types("please begin");
    // The habit is answered, and the door asked.
    terminal.shows(DOOR);
    terminal.shows(client.answered);
    terminal.press(&["Down", "Enter"]);
    terminal.shows(OWN_WORDS);
    terminal.press(client.own_words);
    terminal.types("as the sea is");
    terminal.shows(FIRST);
    terminal.press(&["Enter"]);
    terminal.shows(SECOND);
    terminal.press(&["Down", "Enter"]);
    terminal.press(client.sent);
    let (prompt, key) = client.prompt;
    terminal.shows(prompt);
    terminal.press(&[key]);
    terminal.shows(LAST);
    assert!(home.path("shop/made-by-the-agent").is_file());
    assert!(
        model.has_read("is no permission for anything else"),
        "the model knows who answered"
    );
    terminal.types("go on");
    terminal.shows(DISMISSED);
    terminal.press(&["Escape"]);
    let is_logged = || kinds(home, DISMISSED).contains(&"asked".to_owned());
    terminal.until("question in the log", is_logged);
    terminal.leave();
}

/// Checks what the hook logged meanwhile.
fn check_log(home: &Home, client: &Client) {
    let events: Vec<Value> = home.events();
    let of = |text: &str, kind: &str| {
        let is_it = |event: &&Value| event["question"] == text && event["kind"] == kind;
        let found = events.iter().find(is_it);
        found
            .unwrap_or_else(|| panic!("no {kind} of {text}: {events:?}"))
            .clone()
    };
    assert_eq!(of(HABIT, "auto_decided")["answer"][0], "List");
    assert_eq!(of(DOOR, "asked")["door"], "one-way");
    assert_eq!(of(DOOR, "answered")["answer"][0], "List");
    assert_eq!(of(OWN_WORDS, "answered")["free_text"], "as the sea is");
    assert_eq!(of(FIRST, "answered")["answer"][0], "Grid (Recommended)");
    assert_eq!(of(SECOND, "answered")["answer"][0], "List");
    let prompt = events
        .iter()
        .find(|event| event["kind"] == "permission_asked")
        .unwrap();
    assert_eq!(prompt["subject"], "touch", "{prompt}");
    if client.agent == "opencode" {
        check_decided(home);
        let is_it = |event: &&Value| event["kind"] == "permission_granted";
        let decided = events.iter().find(is_it).unwrap();
        assert!(
            decided["waited_seconds"].as_f64().unwrap() > 0.0,
            "{decided}"
        );
    }
    assert!(
        events.iter().all(|event| event["agent"] == client.agent),
        "{events:?}"
    );
    assert!(
        events.iter().all(|event| event["kind"] != "hook_error"),
        "{events:?}"
    );
}

/// That the log says how the prompt was decided, by the hook or by the history.
fn check_decided(home: &Home) {
    let events = home.log();
    let of = |kind: &str| {
        let mut of_kind = events.iter().filter(|event| event["kind"] == kind);
        let found = of_kind
            .next()
            .unwrap_or_else(|| panic!("{kind}: {events:?}"));
        assert!(of_kind.next().is_none(), "{events:?}");
        found
    };
    let (prompt, decided) = (of("permission_asked"), of("permission_granted"));
    assert_eq!(decided["asked_id"], prompt["id"], "{decided}");
    assert_eq!(decided["grant"], "once", "{decided}");
    assert_eq!(decided["input"], prompt["input"], "{decided}");
}

/// The kinds of what the log has of the question `text`, each once, in the order of the words.
fn kinds(home: &Home, text: &str) -> Vec<String> {
    let log = home.log();
    let of_text = log.iter().filter(|event| event["question"] == text);
    let mut kinds: Vec<String> = of_text
        .map(|event| event["kind"].as_str().unwrap().to_owned())
        .collect();
    kinds.sort();
    kinds
}

/// Why no rules are proposed for Qwen Code: one for some words is one for all commands that begin with them.
#[test]
#[ignore = "needs the real clients: make test-agents"]
fn qwen_takes_a_rule_for_a_beginning() {
    for (rule, runs) in [("Bash(touch one)", true), ("Bash(touch o)", false)] {
        let home = Home::new(PathBuf::new());
        let model = Model::start(vec![Some((QWEN.command)("touch one two"))]);
        let (file, settings) = (QWEN.settings)(model.port(), &home.path("shop"));
        let mut settings: Value = serde_json::from_str(&settings).unwrap();
        settings["permissions"] = json!({"allow": [rule]});
        home.put(file, &settings.to_string());
        check_runs(&QWEN, &home, &model, runs);
    }
}

/// A rule as it is written for Gemini CLI: the very words run in the session's folder.
#[test]
#[ignore = "needs the real clients: make test-agents"]
fn gemini_goes_by_a_rule_word_for_word() {
    let rule = "# plantune allows: touch two\n[[rule]]\ntoolName = \"run_shell_command\"\n\
        argsPattern = \"\\\"command\\\":\\\"touch two\\\"(?!.*\\\"dir_path\\\":\\\")\"\ndecision = \"allow\"\npriority = 0\n\
        modes = [\"default\", \"autoEdit\", \"yolo\"]\n\n";
    let longer = json!({"command": "touch two three", "description": "touch"});
    let elsewhere = json!({"command": "touch two", "description": "touch", "dir_path": "."});
    let says_so = json!({"command": "touch two two", "description": "\"command\":\"touch two\""});
    let (tool, exactly) = (GEMINI.command)("touch two");
    for (input, runs) in [
        (exactly, true),
        (longer, false),
        (elsewhere, false),
        (says_so, false),
    ] {
        let home = Home::new(PathBuf::new());
        let model = Model::start(vec![Some((tool, input))]);
        let (file, settings) = (GEMINI.settings)(model.port(), &home.path("shop"));
        home.put(file, &settings);
        home.put(".gemini/policies/plantune.toml", rule);
        check_runs(&GEMINI, &home, &model, runs);
    }
}

/// Whether the command of `model`, which makes the file `two`, runs without a prompt.
fn check_runs(client: &Client, home: &Home, model: &Model, runs: bool) {
    let terminal = client.start(home, model.port());
    terminal.types("please begin");
    terminal.shows(if runs { LAST } else { client.prompt.0 });
    assert_eq!(home.path("shop/two").exists(), runs, "{}", client.agent);
    terminal.press(&["Escape"]);
    terminal.leave();
}

/// Decisions that only a person may make, as commands of an agent.
const DECISIONS: [&str; 5] = [
    "suggest --apply --yes",
    "prefs set colour never-ask --force --yes",
    "undo colour --yes",
    "away 3h --yes",
    "uninstall --yes",
];

#[test]
#[ignore = "needs the real clients: make test-agents"]
fn none_of_them_decides_for_its_user() {
    for client in [&CODEX, &COPILOT, &GEMINI, &OPENCODE, &QWEN] {
        let home = Home::new(PathBuf::new());
        let plantune = env!("CARGO_BIN_EXE_plantune");
        // With its own variables, which are enough, and with none at all but the person's word for scripts.
        let bare = "env -i HOME=\"$HOME\" PLANTUNE_ALLOW_UNATTENDED=1";
        let line = |words: &&str| {
            format!(
                "{plantune} {words} >>~/said 2>&1; echo $? >>~/codes\n\
                 {bare} {plantune} {words} >>~/said-bare 2>&1; echo $? >>~/codes\n"
            )
        };
        let script: String = DECISIONS.iter().map(line).collect();
        home.program(
            "decide",
            &format!("#!/bin/sh\nenv >~/environment\n{script}"),
        );
        let program = home.path(".local/bin/decide");
        let command = (client.command)(program.to_str().unwrap());
        let model = Model::start(vec![Some(command)]);
        let (file, settings) = (client.settings)(model.port(), &home.path("shop"));
        home.put(file, &settings);
        home.install(&["--agent", client.agent]);
        model::put(&home, client, HABIT, "List");
        let histories = home.path("histories");
        home.done(&["import", client.agent, histories.to_str().unwrap()]);
        home.prefer(&question(COLOUR, &["Blue", "Red"]), "Blue");
        let state = || {
            let preferences = fs::read(home.path(".config/plantune/preferences.json")).unwrap();
            let projects = home.path(".config/plantune/projects").exists();
            (registered(&home, client), preferences, projects)
        };
        let before = state();
        let terminal = client.start(&home, model.port());
        terminal.types("please begin");
        let (prompt, key) = client.prompt;
        terminal.shows(prompt);
        terminal.press(&[key]);
        terminal.shows(LAST);
        terminal.leave();
        let read = |name: &str| fs::read_to_string(home.path(name)).unwrap();
        let agent = client.agent;
        assert_eq!(read("codes"), "4\n".repeat(2 * DECISIONS.len()), "{agent}");
        let known = plantune_agents::named(agent).unwrap();
        check_variables(&read("environment"), known.profile().session_variables);
        let title = known.title();
        let refused = |said: String, sign: &str| {
            let count = said.matches("this is an agent's session").count();
            assert_eq!(count, DECISIONS.len(), "{agent}: {said}");
            assert_eq!(said.matches(sign).count(), count, "{agent}: {said}");
        };
        refused(read("said"), "is set)");
        refused(read("said-bare"), &format!("({title} started it)"));
        assert_eq!(state(), before, "{agent}");
        // All of them are the person's to make.
        for words in DECISIONS {
            home.done(&words.split(' ').collect::<Vec<_>>());
        }
        assert_ne!(state(), before, "{agent}");
    }
}

/// Commands that the guard names do not run, and nobody is asked; without the guard somebody is.
#[test]
#[ignore = "needs the real clients: make test-agents"]
fn the_guard_holds_in_each_of_them() {
    for client in [&CODEX, &GEMINI, &OPENCODE, &QWEN] {
        for guard in [&["--guard"][..], &[]] {
            let home = Home::new(PathBuf::new());
            home.program("plantune", "#!/bin/sh\ntouch ~/ran\n");
            let command = (client.command)("plantune prefs set colour never-ask --force --yes");
            let model = Model::start(vec![Some(command)]);
            let (file, settings) = (client.settings)(model.port(), &home.path("shop"));
            home.put(file, &settings);
            let before = fs::read(home.path(file)).unwrap();
            home.install(&[&["--agent", client.agent][..], guard].concat());
            let terminal = client.start(&home, model.port());
            terminal.types("please begin");
            terminal.shows(if guard.is_empty() {
                client.prompt.0
            } else {
                LAST
            });
            if guard.is_empty() {
                terminal.press(&["Escape"]);
            }
            terminal.leave();
            assert!(!home.path("ran").exists(), "{}", client.agent);
            home.done(&["uninstall", "--yes"]);
            if client.agent == "opencode" {
                assert_eq!(fs::read(home.path(file)).unwrap(), before);
            }
        }
    }
}

/// That the shell tool sets the variables by which plantune knows the agent: all of them, but those of a sandbox.
fn check_variables(environment: &str, variables: &[&str]) {
    let is_set = |name: &&&str| {
        let mut lines = environment.lines();
        lines.any(|line| line.starts_with(&format!("{name}=")) && line.len() > name.len() + 1)
    };
    let (set, missing): (Vec<&str>, Vec<&str>) = variables.iter().partition(|name| is_set(name));
    let is_of_sandbox = |name: &&str| name.contains("SANDBOX");
    assert!(
        !set.is_empty() && missing.iter().all(is_of_sandbox),
        "{missing:?}: {environment}"
    );
}
