//! The commands that screens and messages print: each works as it is printed, also where two projects ask the same
//! question and several preferences have one name.

use std::collections::BTreeSet;
use std::fs;

use plantune_domain::preferences::Scope;
use plantune_domain::state::{CheckRecord, checks_file, count_file};
use serde_json::{Value, json};

use crate::documents::sample;
use crate::world::{PLANTUNE, Ran, World, call_of, folded, programs, question, run};

const HERE: &str = "github.com/sample/billing-api";
const THERE: &str = "github.com/sample/storefront";

/// A name that three preferences have, two of them in one project.
const SHARED: &str = "Review the tests of the parser?";

const LABELS: [&str; 2] = ["Review them", "Leave them"];

/// The sample history, with what is set for the same question in two projects and everywhere.
fn world() -> World {
    programs::hook();
    let world = sample();
    world.done(&["import", "claude-code"]);
    let set = "2026-11-19T10:00:00.000Z";
    let preference = |text: &str| {
        json!({"preference": "never-ask", "answer": "Review them", "level": "trial", "question": text,
            "options": LABELS, "set_at": set, "set_by": "suggest"})
    };
    let file = |project: Option<&str>, preferences: Value| {
        json!({"version": 1, "project": project, "preferences": preferences}).to_string()
    };
    let paths = plantune_paths(&world);
    let (first, second, third, mine) = (
        "opt-00000000000000aa",
        "txt-00000000000000bb",
        "opt-00000000000000cc",
        "review-parser",
    );
    let here =
        json!({first: preference(SHARED), second: preference(SHARED), mine: preference(SHARED)});
    world.put(paths.project_preferences(HERE), file(Some(HERE), here));
    let there = json!({third: preference(SHARED), first: preference(SHARED)});
    world.put(paths.project_preferences(THERE), file(Some(THERE), there));
    let everywhere = json!({"opt-00000000000000dd": preference(SHARED)});
    world.put(paths.global_preferences(), file(None, everywhere));
    // What is stopped is shown with the command that removes it.
    let stopped = [
        (Scope::Project, HERE, first),
        (Scope::Project, HERE, second),
        (Scope::Project, THERE, third),
        (Scope::Global, "", "opt-00000000000000dd"),
    ];
    for (scope, project, key) in stopped {
        let count = count_file(&paths, scope, project, key, Some(set));
        let against = (1..=2).map(|call| CheckRecord {
            call,
            at: 1_790_000_000,
            agrees: false,
        });
        let records: Vec<u8> = against.flat_map(CheckRecord::to_bytes).collect();
        world.put(checks_file(&count), &records);
    }
    world
}

fn plantune_paths(world: &World) -> plantune_domain::paths::Paths {
    let home = world.path("home");
    plantune_domain::paths::Paths::of(
        home.join(".local/share/plantune"),
        home.join(".config/plantune"),
    )
}

/// The verbs that are printed; other words behind the name belong to a sentence.
const VERBS: [&str; 14] = [
    "away",
    "config",
    "doctor",
    "import",
    "install",
    "log",
    "off",
    "on",
    "prefs",
    "report",
    "sql",
    "suggest",
    "undo",
    "uninstall",
];

/// Runs a command as a shell does, in the project of the sample. Nobody is there to be asked: what would change
/// something is refused, once it is known what it is about.
fn type_in(world: &World, command: &str) -> Ran {
    let programs = PLANTUNE.strip_suffix("/plantune").unwrap();
    let path = format!("{programs}:/usr/bin:/bin");
    run(world.start("/bin/sh", &["-c", command]).env("PATH", path))
}

/// The commands in `text`: those in backquotes, those of a list, and those at the end of a hook's sentence. Those with a
/// place to fill in, as `ID`, are left out.
fn commands(text: &str) -> Vec<String> {
    let text = &*text.replace("\r\n", "\n");
    let mut found: Vec<String> = Vec::new();
    let quoted = text.split('`').skip(1).step_by(2).map(folded);
    found.extend(quoted.filter(|span| span.starts_with("plantune ")));
    for line in text.lines() {
        let starts = line.match_indices("plantune ");
        for (at, _) in starts {
            let before = line[..at].trim_end();
            let command = line[at..].split("  ").next().unwrap();
            let is_list = before.is_empty() && line.starts_with("  ");
            let is_told = before.ends_with(':') && before.len() > 1;
            if is_list || is_told {
                let end = [". To ", ", or type ", "."];
                let command = end.iter().fold(command, |command, end| {
                    command.split_once(end).map_or(command, |(command, rest)| {
                        // A point within a word is no end.
                        let is_end = *end != "." || rest.is_empty();
                        if is_end {
                            command
                        } else {
                            &line[at..at + command.len() + 1 + rest.len()]
                        }
                    })
                });
                found.push(command.trim().to_owned());
            }
        }
    }
    let is_place = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
    found.retain(|command| {
        let mut words = command.split_whitespace();
        VERBS.contains(&words.nth(1).unwrap_or_default()) && !words.any(is_place)
    });
    found
}

/// The hook's messages: an answer, a lesson, a check that ended a trial.
fn messages(world: &World) -> String {
    let mut text = String::new();
    let mut hear = |said: Value| {
        for name in ["systemMessage", "message"] {
            text.push_str(said[name].as_str().unwrap_or_default());
            text.push('\n');
        }
    };
    let asked = question(
        "Which colour?",
        "Colour",
        &["Blue and green", "Red and yellow"],
    );
    let called = |id: &str| call_of(id, std::slice::from_ref(&asked));
    let answered = |id: &str, label: &str| {
        let mut call = called(id);
        call["tool_response"] = json!({"questions": [asked], "answers": {"Which colour?": label}});
        call
    };
    hear(world.hook("PreToolUse", called("toolu_teach")));
    hear(world.hook(
        "PostToolUse",
        answered("toolu_teach", "always: Blue and green"),
    ));
    let (mut checked, mut is_answered) = (None, false);
    let mut ids = (0..60).map(|number| format!("toolu_{number}"));
    while checked.is_none() || !is_answered {
        let id = ids.next().unwrap();
        let said = world.hook("PreToolUse", called(&id));
        match said.is_null() {
            true => checked = Some(id),
            false => is_answered = true,
        }
        hear(said);
    }
    hear(world.hook("PostToolUse", answered(&checked.unwrap(), "Red and yellow")));
    let asked_always = call_of("toolu_ask", &[question(SHARED, "Tests", &LABELS)]);
    let mut told = asked_always.clone();
    let input = &asked_always["tool_input"]["questions"];
    told["tool_response"] = json!({"questions": input, "answers": {SHARED: "always ask"}});
    hear(world.hook("PreToolUse", asked_always));
    hear(world.hook("PostToolUse", told));
    text
}

#[test]
fn every_printed_command_works_as_printed() {
    let world = world();
    let said = messages(&world);
    for words in ["plantune undo opt-", "plantune prefs clear opt-"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let mut printed: BTreeSet<String> = commands(&said).into_iter().collect();
    let mut waiting: Vec<String> = printed.iter().cloned().collect();
    for screen in [
        "plantune",
        "plantune suggest",
        "plantune suggest --all",
        "plantune suggest --permissions",
        "plantune suggest 1",
        "plantune report",
        "plantune report --prompts",
        "plantune log",
        "plantune log --auto",
        "plantune log toolu_0",
        "plantune prefs list --standing",
        "plantune prefs show review-parser",
        "plantune prefs clear 'Review the tests of the parser?' --global",
        "plantune doctor",
        "plantune undo",
        "plantune undo opt-00000000000000dd",
        // Comes first: what reads the log finds that nothing was stopped.
        "plantune prefs list",
    ] {
        waiting.push(screen.to_owned());
    }
    let (mut seen, mut wrong) = (BTreeSet::new(), Vec::new());
    while let Some(command) = waiting.pop() {
        // What would take long, or ends what the other commands are about.
        let is_other = ["import", "--html", "--open", "doctor --fix"];
        if is_other.iter().any(|part| command.contains(part)) || !seen.insert(command.clone()) {
            continue;
        }
        let ran = type_in(&world, &command);
        let is_right = match ran.code {
            0 | 4 => true,
            // Something is wrong with this home, and it says what.
            1 => command == "plantune doctor",
            _ => false,
        };
        if !is_right {
            wrong.push(format!(
                "{command} (exit code {})\n{}",
                ran.code,
                ran.text()
            ));
        }
        let found = commands(&ran.text());
        printed.extend(found.iter().cloned());
        waiting.extend(found);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for part in [
        "undo opt-",
        "undo toolu_",
        "prefs clear opt-00000000000000aa --project",
        "prefs clear txt-00000000000000bb --project",
        "prefs clear 'Which colour?' --project",
        "prefs clear opt-00000000000000dd --global",
        "suggest 1",
    ] {
        let is_there = printed.iter().any(|one| one.contains(part));
        assert!(is_there, "{part}: {printed:#?}");
    }
    assert!(printed.len() > 20, "{printed:#?}");
}

#[test]
fn names_tell_preferences_apart() {
    let world = world();
    let listed = world.stdout_of(&["prefs", "list"]);
    let mut names = BTreeSet::new();
    let mut place = "";
    for line in listed.lines() {
        match line.strip_prefix("  ") {
            None => place = line,
            Some(row) if !row.starts_with(' ') && row.contains(": ") => {
                let name = row.split(": ").next().unwrap();
                assert!(names.insert((place, name)), "{name}: {listed}");
            }
            Some(_) => {}
        }
    }
    assert_eq!(names.len(), 6, "{listed}");
    // The name means the one in the project that is named, or else the folder's.
    let there = world.run(&["undo", SHARED, "--project", "storefront"]);
    assert_eq!(there.code, 2, "{there:?}");
    assert!(there.stderr.contains("opt-00000000000000cc"), "{there:?}");
    fs::write(
        plantune_paths(&world).project_preferences(HERE),
        json!({"version": 1, "project": HERE, "preferences": {}}).to_string(),
    )
    .unwrap();
    let one = json!({"preference": "always-ask", "question": SHARED, "options": LABELS});
    let only =
        json!({"version": 1, "project": THERE, "preferences": {"opt-00000000000000cc": one}});
    fs::write(
        plantune_paths(&world).project_preferences(THERE),
        only.to_string(),
    )
    .unwrap();
    let undone = world.done(&["undo", SHARED, "--project", "storefront", "--yes"]);
    assert!(undone.contains("sample/storefront"), "{undone}");
    let left = world.stdout_of(&["prefs", "list"]);
    assert!(
        left.contains("global:") && !left.contains("storefront"),
        "{left}"
    );
}
