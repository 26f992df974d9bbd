//! Questions that nearly everybody answers the same way, and which of them a machine could take over.

use plantune_domain::event::Event;
use plantune_domain::json::Text;
use serde_json::Value;

use crate::home::{Fleet, Machine, answered};

/// A machine answers `key` with `label`, `times` times.
fn say(
    machine: &Machine,
    key: &str,
    label: &str,
    times: usize,
    change: &dyn Fn(&mut Event<'static>),
) {
    let name = machine.home.file_name().unwrap().to_str().unwrap();
    for number in 0..times {
        let ts = format!("2026-11-{:02}T10:00:00Z", 3 + number);
        let call = format!("{name} {key} {label} {number}");
        let mut events = answered(&call, &ts, 20, label);
        for event in &mut events {
            event.question_key = Some(key.to_owned().into());
            event.skill = Some("/plan".into());
            let options = ["Create it (Recommended)", "Skip it"];
            event.options = Some(options.map(Text::from).to_vec());
            change(event);
        }
        machine.log(&events);
    }
}

fn plain(_: &mut Event<'static>) {}

fn starters(machine: &Machine) -> Vec<Value> {
    let found: Value = serde_json::from_str(&machine.text(&["adopt", "--json"])).unwrap();
    assert_eq!(found["schema_version"], 1);
    found["starters"].as_array().unwrap().clone()
}

fn keys(starters: &[Value]) -> Vec<&str> {
    let keys = starters
        .iter()
        .map(|one| one["question_key"].as_str().unwrap());
    keys.collect()
}

fn machines(fleet: &Fleet, count: usize, more: &[&str]) -> Vec<Machine> {
    let member = |number| fleet.member(&format!("m{number}"), more);
    (0..count).map(member).collect()
}

#[test]
fn one_voice_a_machine_and_nothing_that_may_not_be_answered() {
    let fleet = Fleet::new();
    let machines = machines(&fleet, 6, &[]);
    for (number, machine) in machines.iter().enumerate() {
        say(machine, "plan-layout", "Create it", 3, &plain);
        // One who answers a hundred times has one voice, and so has each who differs.
        let times = if number == 0 { 20 } else { 1 };
        let label = if number < 4 { "Create it" } else { "Skip it" };
        say(machine, "plan-split-minds", label, times, &plain);
        // Three of four answers are a voice, two of three are none.
        say(machine, "plan-mostly", "Create it", 3, &plain);
        say(machine, "plan-mostly", "Skip it", 1, &plain);
        say(machine, "plan-often", "Create it", 2, &plain);
        say(machine, "plan-often", "Skip it", 1, &plain);
        // On one machine it could not be taken back.
        let door = |event: &mut Event<'static>| {
            event.door = Some(if number == 5 { "one-way" } else { "two-way" }.into());
        };
        say(machine, "plan-delete", "Create it", 3, &door);
        say(machine, "plan-several", "Create it", 3, &|event| {
            event.multi_select = Some(true);
        });
        // The same words may be about anything.
        say(machine, "txt-0123456789abcdef", "Create it", 3, &|event| {
            event.key_source = Some("text".into());
        });
        say(machine, "plan-unattended", "Create it", 3, &|event| {
            event.session_kind = "headless".into();
        });
        say(machine, "plan-split-one", "Create it", 3, &plain);
        if number < 4 {
            say(machine, "plan-of-few", "Create it", 5, &plain);
        }
        machine.text(&["push"]);
    }
    let found = starters(&machines[0]);
    assert_eq!(keys(&found), ["plan-mostly", "plan-layout"]);
    let one = &found[1];
    assert_eq!((&one["agreeing"], &one["machines"]), (&6.into(), &6.into()));
    assert_eq!((&one["times"], &one["answers"]), (&18.into(), &18.into()));
    assert_eq!(
        (&one["answer"], &one["obstacle"]),
        (&"Create it".into(), &Value::Null)
    );
    let at_least = one["at_least"].as_f64().unwrap();
    assert!(
        (at_least - 0.1_f64.powf(1.0 / 7.0)).abs() < 1e-9,
        "{at_least}"
    );
    // The advice to authors rests on the same.
    let report = machines[0].report();
    let advice = report["answered_alike"].as_array().unwrap();
    assert_eq!(keys(advice), ["plan-mostly", "plan-layout"]);
    assert_eq!(
        (&advice[0]["times"], &advice[0]["answers"]),
        (&18.into(), &24.into())
    );
    // One who differs: still a starter of seven, and no advice any more.
    let other = fleet.member("other", &[]);
    say(&other, "plan-layout", "Skip it", 1, &plain);
    other.text(&["push"]);
    assert_eq!(
        keys(&starters(&machines[0])),
        ["plan-mostly"],
        "6 of 7 are too few"
    );
    let more = (0..13).map(|number| fleet.member(&format!("more{number}"), &[]));
    for machine in more {
        say(&machine, "plan-layout", "Create it", 1, &plain);
        machine.text(&["push"]);
    }
    let found = starters(&machines[0]);
    assert_eq!(keys(&found), ["plan-layout", "plan-mostly"]);
    assert_eq!(
        (&found[0]["agreeing"], &found[0]["machines"]),
        (&19.into(), &20.into())
    );
    let report = machines[0].report();
    assert_eq!(
        keys(report["answered_alike"].as_array().unwrap()),
        ["plan-mostly"]
    );
    // What is long ago says nothing of today.
    let said = machines[0].text(&["adopt", "--since", "2026-11-20"]);
    assert!(said.contains("no named question got"), "{said}");
}

#[test]
fn what_was_not_seen_here_cannot_be_taken_over_and_it_is_said() {
    let fleet = Fleet::new();
    let machines = machines(&fleet, 5, &["--level", "keys-and-labels"]);
    for machine in &machines {
        say(machine, "plan-layout", "Create it", 2, &plain);
        say(machine, "what-rules-call-it", "Create it", 2, &|event| {
            event.key_source = Some("registry".into());
        });
        // What the rules of this machine never answer.
        say(machine, "plan-release", "Create it", 2, &|event| {
            event.question = Some("Publish the release?".into());
        });
        machine.text(&["push"]);
    }
    // One that was never asked, one that was asked with other labels.
    let (never, otherwise) = (fleet.member("never", &[]), fleet.member("otherwise", &[]));
    say(&otherwise, "plan-layout", "Skip it", 1, &|event| {
        event.options = Some(["Make one", "Skip it"].map(Text::from).to_vec());
    });
    let state = |machine: &Machine| -> Vec<(String, Value, Value)> {
        let found = starters(machine);
        let state = found.iter().map(|one| {
            let key = one["question_key"].as_str().unwrap().to_owned();
            (key, one["answer"].clone(), one["obstacle"].clone())
        });
        state.collect()
    };
    let label = Value::from("Create it");
    // The name of a rule is known where there is such a rule, and where it is published in clear.
    assert_eq!(
        state(&machines[0]),
        [
            ("what-rules-call-it".to_owned(), label.clone(), Value::Null),
            ("plan-layout".to_owned(), label.clone(), Value::Null),
            // Only the writer of preferences knows that the rules of this machine never answer it.
            ("plan-release".to_owned(), label.clone(), Value::Null),
        ]
    );
    let found = state(&never);
    assert!(
        found.iter().all(|(_, _, why)| why == "never asked here"),
        "{found:?}"
    );
    assert!(found[0].0.starts_with("key-"), "{found:?}");
    // Keys that plantune made up are for scripts.
    let said = never.text(&["adopt"]);
    assert!(
        said.contains("what-rules-call-it") && !said.contains("key-"),
        "{said}"
    );
    let found = state(&otherwise);
    assert_eq!(found[1].2, "answer never offered here");
    assert!(
        otherwise
            .text(&["adopt"])
            .contains("answer never offered here")
    );
    // By its name, by nothing else.
    let named = machines[0].text(&["adopt", "what-rules-call-it", "--json"]);
    assert!(
        named.contains("\"question_key\": \"what-rules-call-it\""),
        "{named}"
    );
    let (code, said) = machines[0].failure(&["adopt", "plan-else", "--yes"]);
    assert!(
        code == 1 && said.contains("no question of that name"),
        "{said}"
    );
    for (machine, key, expected, why) in [
        (&machines[0], "plan-release", 4, "always asked"),
        (&never, "plan-layout", 1, "never asked here"),
        (&otherwise, "plan-layout", 1, "answer never offered here"),
    ] {
        let (code, said) = machine.failure(&["adopt", key, "--global", "--yes"]);
        assert!(code == expected && said.contains(why), "{code} {said}");
        assert!(preference(machine, key).is_null(), "{said}");
    }
}

/// The global preference for `key`.
fn preference(machine: &Machine, key: &str) -> Value {
    let file = machine.home.join(".config/plantune/preferences.json");
    let text = std::fs::read_to_string(file).unwrap_or_else(|_| "{}".to_owned());
    let file: Value = serde_json::from_str(&text).unwrap();
    file["preferences"][key].clone()
}

#[test]
fn what_others_answer_becomes_a_preference_on_trial_for_what_was_seen_here() {
    let fleet = Fleet::new();
    let machines = machines(&fleet, 5, &[]);
    for machine in &machines {
        say(machine, "plan-layout", "Create it", 2, &|event| {
            event.question = Some("Which layout?".into());
            event.header = Some("Layout".into());
            event.descriptions = Some(["in columns", "in rows"].map(Text::from).to_vec());
        });
        say(machine, "what-rules-call-it", "Create it", 2, &|event| {
            event.key_source = Some("registry".into());
        });
        machine.text(&["push"]);
    }
    // Its name leaves at no machine's level.
    let said = fleet.member("never", &[]).text(&["adopt"]);
    assert!(
        said.contains("(not known here)") && !said.contains("key-"),
        "{said}"
    );
    let machine = &machines[0];
    let words = ["adopt", "plan-layout", "--global", "--yes"];
    let output = machine
        .command(&words)
        .env("CLAUDECODE", "1")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(4));
    let (code, said) = machine.failure(&words[..3]);
    assert!(code == 4 && said.contains("add --yes"), "{said}");
    assert!(preference(machine, "plan-layout").is_null());

    let said = machine.text(&words);
    assert!(
        said.contains("5 of 5 machines give this answer (10 of 10 answers"),
        "{said}"
    );
    let preference = preference(machine, "plan-layout");
    for (name, expected) in [
        ("preference", "never-ask"),
        ("answer", "Create it"),
        ("level", "trial"),
        ("set_by", "fleet"),
        ("question", "Which layout?"),
    ] {
        assert_eq!(preference[name], expected, "{name}: {preference}");
    }
    assert_eq!(preference["evidence"]["agreeing"], 5);
    // What stands is not replaced.
    let (code, said) = machine.failure(&words);
    assert!(
        code == 4 && said.contains("you have a preference for plan-layout"),
        "{said}"
    );
}
