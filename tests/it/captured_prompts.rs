//! Rules that would be proposed to whoever decides every day as the person of a captured session did: none allows
//! what they refused, and none allows anything beyond the project.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chrono::{NaiveDateTime, TimeDelta};
use plantune_domain::permissions::{OwnReaches, Reach, Rule, describe};
use plantune_domain::registry::Registry;
use plantune_domain::session_kind::SessionKind;
use plantune_ingest::Progress;
use plantune_ingest::claude_code::{Prompts, read};
use plantune_query::permissions::backtest::backtest;
use plantune_query::permissions::near_miss::{NearMissCause, near_miss};
use plantune_query::permissions::propose::{RuleInputs, proposals};
use plantune_query::permissions::rules::{Behaviour, KnownRule, allows};
use plantune_query::permissions::{DecidedPrompt, PromptOutcome};
use plantune_query::suggest::Suggest;
use serde_json::{Value, json};

use crate::shared::shared;
use crate::world::{Ran, World, run};

/// How many days the same is decided on again.
const DAYS: i64 = 20;

/// A captured session: what its hook received about prompts, and what its transcripts say was decided.
struct Session {
    name: String,
    asked: Vec<DecidedPrompt>,
    decided: Vec<DecidedPrompt>,
}

fn prompt(tool: &str, input: &str, cwd: &str, outcome: PromptOutcome) -> DecidedPrompt {
    DecidedPrompt {
        tool_name: tool.to_owned(),
        input: input.to_owned(),
        cwd: cwd.to_owned(),
        root: cwd.to_owned(),
        project: cwd.to_owned(),
        session_kind: SessionKind::Interactive.into(),
        outcome,
        ..DecidedPrompt::default()
    }
}

/// The prompts that the hook received, as they are logged.
fn asked(hooks: &Path) -> Vec<DecidedPrompt> {
    let text = fs::read_to_string(hooks).unwrap();
    let payloads = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let of_prompts = payloads
        .filter(|payload: &Value| payload["hook_event_name"] == "PermissionRequest")
        .filter(|payload| payload["tool_name"] != "AskUserQuestion");
    of_prompts
        .map(|payload| {
            let tool = payload["tool_name"].as_str().unwrap();
            let cwd = payload["cwd"].as_str().unwrap();
            let input = describe(tool, &payload["tool_input"], cwd).input;
            prompt(tool, &input, cwd, PromptOutcome::Open)
        })
        .collect()
}

/// The decisions in the transcripts of a session.
fn decided(transcripts: &[PathBuf]) -> Vec<DecidedPrompt> {
    let folder = tempfile::tempdir().unwrap();
    for path in transcripts {
        fs::copy(path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    let mut found = Vec::new();
    let registry = Registry::default();
    read(
        folder.path(),
        &registry,
        Prompts::default(),
        &Progress::default(),
        &mut |event| {
            let event: Value = serde_json::from_slice(&event.to_line().unwrap()).unwrap();
            let text = |name: &str| event[name].as_str().unwrap_or_default();
            let outcome = match (text("kind"), text("reason")) {
                _ if event["ambiguous"] == true => PromptOutcome::Ambiguous,
                ("permission_granted", _) => PromptOutcome::Granted,
                ("permission_refused", "nobody") => PromptOutcome::Nobody,
                ("permission_refused", _) => PromptOutcome::Refused,
                _ => return Ok(()),
            };
            found.push(prompt(
                text("tool_name"),
                text("input"),
                text("cwd"),
                outcome,
            ));
            Ok(())
        },
    )
    .unwrap();
    found
}

fn sessions(folder: &Path) -> Vec<Session> {
    let mut transcripts: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for entry in fs::read_dir(folder.join("transcripts")).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        let name = file.split('.').next().unwrap();
        // Of older clients, `old-2.1.197-…`.
        let name = match file.strip_suffix(".jsonl") {
            Some(whole) if whole.starts_with("old-") => whole,
            _ => name,
        };
        transcripts.entry(name.to_owned()).or_default().push(path);
    }
    transcripts
        .into_iter()
        .map(|(name, transcripts)| Session {
            asked: asked(&folder.join(format!("{name}.jsonl"))),
            decided: decided(&transcripts),
            name,
        })
        .collect()
}

/// `decided` on each of some days, in sessions of their own.
fn repeated(decided: &[DecidedPrompt]) -> Vec<DecidedPrompt> {
    let start: NaiveDateTime = "2026-09-01T09:00:00".parse().unwrap();
    let mut all = Vec::new();
    for day in 0..DAYS {
        let start = start + TimeDelta::days(day);
        for (minute, one) in (0..).zip(decided) {
            let at = start + TimeDelta::minutes(minute);
            all.push(DecidedPrompt {
                at,
                day: start.date(),
                session_id: format!("{day}"),
                ..one.clone()
            });
        }
    }
    all
}

/// The rules that `prompts` lead to.
fn rules(prompts: &[DecidedPrompt]) -> Vec<Rule> {
    let inputs = RuleInputs {
        agent: plantune_agents::claude_code::NAME,
        settings: &Suggest::default(),
        now: "2026-10-01T09:00:00".parse().unwrap(),
        own: &OwnReaches::default(),
        known: &[],
        mode: None,
        holds: &|_, _| None,
    };
    let found = proposals(prompts, &inputs).proposals;
    assert!(found.iter().all(|one| one.reach < Reach::Beyond));
    found.into_iter().map(|one| one.rule).collect()
}

fn reach(prompt: &DecidedPrompt) -> Reach {
    let field = match prompt.tool_name.as_str() {
        "Bash" => "command",
        "WebFetch" => "url",
        _ => "file_path",
    };
    let input = serde_json::json!({ field: prompt.input });
    describe(&prompt.tool_name, &input, &prompt.cwd).reach
}

/// Sees that `rules` allow none of `prompts`.
fn allow_none<'p>(name: &str, rules: &[Rule], prompts: impl Iterator<Item = &'p DecidedPrompt>) {
    let own = OwnReaches::default();
    let rules: Vec<&Rule> = rules.iter().collect();
    if rules.is_empty() {
        return;
    }
    for one in prompts {
        assert!(
            !allows(&rules, one, &own),
            "{name}: {} {} by {rules:?}",
            one.tool_name,
            one.input
        );
    }
}

fn replayed(name: &str, prompts: &[DecidedPrompt]) -> u64 {
    let (settings, own) = (Suggest::default(), OwnReaches::default());
    let found = backtest(prompts, &settings, &own, None, None);
    let wrong = (found.beyond_allowed, found.refused_allowed_if_kept);
    assert_eq!(wrong, (0, 0), "{name}");
    found.total.spared
}

#[test]
fn no_refused_call_and_none_from_beyond_the_project_is_allowed_by_a_rule() {
    let Some(folder) = shared("captured_prompts", "protocol/claude-code-2.1.330") else {
        return;
    };
    let sessions = sessions(&folder);
    let count = |of: fn(&Session) -> usize| sessions.iter().map(of).sum::<usize>();
    // So many prompts were captured; fewer would mean that they are no longer read.
    assert!(count(|one| one.asked.len()) >= 90, "prompts");
    assert!(count(|one| one.decided.len()) >= 80, "decisions");
    let everything = sessions
        .iter()
        .flat_map(|one| one.asked.iter().chain(&one.decided));
    let beyond: Vec<&DecidedPrompt> = everything
        .filter(|one| reach(one) == Reach::Beyond)
        .collect();
    assert!(beyond.len() >= 40, "{} beyond the project", beyond.len());
    let refused = |session: &'_ Session| -> Vec<DecidedPrompt> {
        let mut refused = session.decided.clone();
        refused.retain(|one| one.outcome == PromptOutcome::Refused);
        refused
    };

    let mut proposed: BTreeSet<String> = BTreeSet::new();
    let mut spared = 0;
    for session in &sessions {
        let prompts = repeated(&session.decided);
        let rules = rules(&prompts);
        allow_none(&session.name, &rules, refused(session).iter());
        allow_none(&session.name, &rules, beyond.iter().copied());
        spared += replayed(&session.name, &prompts);
        proposed.extend(rules.iter().map(Rule::to_string));
    }
    // Where something harmless was allowed, rules are proposed: else all this would say nothing.
    eprintln!("{proposed:?}, {spared} spared");
    assert!(proposed.contains("Bash(npm test)"), "{proposed:?}");
    assert!(spared > 100, "{spared}");

    // All of them as the days of one person, who allowed now and refused then.
    let decided: Vec<DecidedPrompt> = sessions
        .iter()
        .flat_map(|one| one.decided.clone())
        .collect();
    let prompts = repeated(&decided);
    let rules = rules(&prompts);
    let refused: Vec<DecidedPrompt> = sessions.iter().flat_map(refused).collect();
    allow_none("all", &rules, refused.iter());
    allow_none("all", &rules, beyond.into_iter());
    replayed("all", &prompts);
}

/// Prompts that came again after "don't ask again", or because of a rule: each has its reason.
#[test]
fn what_was_asked_although_a_rule_seems_to_cover_it_has_a_reason() {
    let Some(folder) = shared("captured_prompts", "protocol/claude-code-2.1.330") else {
        return;
    };
    for (name, rule, behaviour, cause) in [
        (
            "tui-always-redirect",
            "Bash(npm test *)",
            Behaviour::Allow,
            NearMissCause::Redirection,
        ),
        (
            "tui-always-cd-and-pipe",
            "Bash(npm test *)",
            Behaviour::Allow,
            NearMissCause::Redirection,
        ),
        (
            "auto-ask-rule",
            "Bash(npm test)",
            Behaviour::Stop,
            NearMissCause::StopRule,
        ),
    ] {
        let asked = asked(&folder.join(format!("{name}.jsonl")));
        let known = [KnownRule {
            rule: Rule::parse(rule).unwrap(),
            behaviour,
            since: None,
            root: None,
            file: String::new(),
        }];
        let last = asked.last().unwrap();
        let found = near_miss(last, &known, &OwnReaches::default());
        assert_eq!(
            found.map(|one| one.cause),
            Some(cause),
            "{name}: {}",
            last.input
        );
    }
}

/// Calls that ran in the captured sessions without a prompt and without a rule get no rule.
#[test]
fn nothing_is_proposed_for_what_the_client_never_asked() {
    for command in ["cat README.md | grep shop", "ls -la", "git status"] {
        let granted = prompt("Bash", command, "/home/dev/shop", PromptOutcome::Granted);
        assert_eq!(rules(&repeated(&[granted])), [], "{command}");
    }
}

// `plantune classify`: the built binary, as scripts call it.

fn classified(words: &[&str]) -> Value {
    classified_in(&World::at("shop"), words)
}

fn classified_in(world: &World, words: &[&str]) -> Value {
    world.json(&[&["classify"], words].concat())
}

#[test]
fn one_command() {
    assert_eq!(
        classified(&["NODE_ENV=test npm test"]),
        json!({
            "schema_version": 1,
            "tool": "Bash",
            "subject": "npm test",
            "reach": "reads",
            "reason": "",
            "parts": [{
                "command": "NODE_ENV=test npm test",
                "subject": "npm test",
                "reach": "reads",
                "reason": "",
                "rule": "Bash(npm test)",
            }],
            "rule": "Bash(npm test)",
            "rules": ["Bash(npm test)"],
        })
    );
}

#[test]
fn a_list_is_as_dangerous_as_its_worst_command() {
    let list = classified(&["cd src && npm test && git push --force origin main"]);
    assert_eq!(list["subject"], "npm test && git push --force");
    assert_eq!(list["reach"], "beyond");
    assert_eq!(list["rule"], Value::Null);
    let reaches: Vec<&Value> = list["parts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| &part["reach"])
        .collect();
    assert_eq!(reaches, ["reads", "reads", "beyond"]);
    let two = classified(&["npm test && npm run lint:fix"]);
    assert_eq!(two["reach"], "project");
    assert_eq!(two["rule"], Value::Null);
    assert_eq!(
        two["rules"],
        json!(["Bash(npm test)", "Bash(npm run lint:fix)"])
    );
}

#[test]
fn what_is_not_understood_is_a_subject_by_itself() {
    let one = classified(&["f() { a; }"]);
    let other = classified(&["f() { a; } "]);
    assert_eq!(one["reach"], "beyond");
    assert_eq!(one["parts"], json!([]));
    assert_eq!(one["rule"], Value::Null);
    assert!(one["subject"].as_str().unwrap().starts_with("f() { a; } #"));
    assert_ne!(one["subject"], other["subject"]);
}

#[test]
fn other_tools() {
    for (tool, text, subject, reach, rule) in [
        (
            "Edit",
            "src/lib.rs",
            "Edit src/",
            "project",
            json!("Edit(/src/lib.rs)"),
        ),
        (
            "Read",
            "../notes/a.md",
            "Read ../notes/",
            "beyond",
            Value::Null,
        ),
        ("Read", "/etc/hosts", "Read /etc/", "beyond", Value::Null),
        (
            "WebFetch",
            "https://docs.rs/serde",
            "WebFetch docs.rs",
            "project",
            json!("WebFetch(domain:docs.rs)"),
        ),
        (
            "mcp__tracker__create_issue",
            "",
            "mcp__tracker__create_issue",
            "unknown",
            json!("mcp__tracker__create_issue"),
        ),
        (
            "mcp__tracker__delete_issue",
            "",
            "mcp__tracker__delete_issue",
            "beyond",
            Value::Null,
        ),
        ("Unheard", "", "Unheard", "beyond", Value::Null),
    ] {
        let found = classified(&[text, "--tool", tool]);
        assert_eq!(found["subject"], subject);
        assert_eq!(found["reach"], reach, "{tool} {text}");
        assert_eq!(found["rule"], rule, "{tool} {text}");
    }
}

#[test]
fn reaches_of_the_persons_own() {
    let world = World::at("shop");
    let registry = "[[permission]]\ncommand = \"npm run smoke-shop\"\nreach = \"reads\"\nreason = \"reads only\"\n";
    world.put("data/registry.toml", registry);
    let lowered = classified_in(&world, &["npm run smoke-shop"]);
    assert_eq!(lowered["reach"], "reads");
    assert_eq!(lowered["reason"], "registry: reads only");
    let raised = classified_in(&world, &["npm run smoke-shop --prefix /x"]);
    assert_eq!(raised["reach"], "beyond");
}

fn from_lines(world: &World, lines: &str) -> (Ran, Vec<Value>) {
    world.put("commands.jsonl", lines);
    let input = File::open(world.path("commands.jsonl")).unwrap();
    let ran = run(world.command(&["classify", "--stdin"]).stdin(input));
    let verdicts = ran.stdout.lines();
    let verdicts = verdicts.map(|line| serde_json::from_str(line).unwrap());
    let verdicts = verdicts.collect();
    (ran, verdicts)
}

#[test]
fn many_commands_in_lines_of_json() {
    let world = World::at("shop");
    let (ran, verdicts) = from_lines(
        &world,
        "{\"command\": \"npm test\", \"folder\": \"/home/dev/shop\", \"id\": 7}\n\"git push --force\"\n\
         {\"command\": \"cat /srv/x/a.txt\", \"cwd\": \"/srv/x\"}\n\"printf '\\u001b[2J'\"",
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(verdicts.len(), 4);
    assert_eq!(verdicts[0], classified_in(&world, &["npm test"]));
    assert_eq!(verdicts[1]["subject"], "git push --force");
    assert_eq!(verdicts[1]["reach"], "beyond");
    assert!(!ran.stdout.contains('\u{1b}'));
}

#[test]
fn a_bad_line_is_named_and_the_others_are_judged() {
    let world = World::at("shop");
    let long = format!("\"{}\"\n", "x".repeat(1 << 20));
    let (ran, verdicts) = from_lines(
        &world,
        &format!(
            "npm test\n\n{{\"command\": 5}}\n{{\"command\": \"ls\", \"folder\": \"src\"}}\n{long}\"npm test\"\n"
        ),
    );
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("5 of 6 lines"), "{}", ran.stderr);
    let errors: Vec<(u64, bool)> = verdicts[..5]
        .iter()
        .map(|one| (one["line"].as_u64().unwrap(), one["error"].is_string()))
        .collect();
    assert_eq!(errors, [1, 2, 3, 4, 5].map(|line| (line, true)));
    assert_eq!(verdicts[5]["reach"], "reads");
}

/// A release build judges many thousands in a second; this one is a fraction as quick, on a machine at work.
#[test]
fn a_thousand_commands_take_no_time() {
    let lines = "\"cd src && NODE_ENV=test npm test -- --ci 2>&1 | tail -20\"\n".repeat(1000);
    let start = Instant::now();
    let (ran, verdicts) = from_lines(&World::at("shop"), &lines);
    assert_eq!((ran.code, verdicts.len()), (0, 1000));
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn a_command_or_standard_input() {
    let world = World::at("shop");
    for words in [&["classify"][..], &["classify", "ls", "--stdin"]] {
        assert_eq!(world.run(words).code, 2, "{words:?}");
    }
}
