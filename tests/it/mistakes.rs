//! Mistakes that people make: each is answered by what was wrong and what to do, in one form.

use serde_json::Value;

use crate::world::{World, is_inert};

/// The words typed, the exit code, and a part of the message.
const MISTAKES: &[(&str, i32, &str)] = &[
    ("reprot", 2, "did you mean `plantune report`?"),
    ("sugest", 2, "did you mean `plantune suggest`?"),
    ("pref list", 2, "did you mean `plantune prefs`?"),
    ("prefs lst", 2, "did you mean `plantune prefs list`?"),
    ("prefs sett layout", 2, "did you mean `plantune prefs set`?"),
    ("config shwo", 2, "did you mean `plantune config show`?"),
    ("back", 2, "did you mean `plantune away off`?"),
    ("apply", 2, "did you mean `plantune suggest --apply`?"),
    (
        "remove layout",
        2,
        "did you mean `plantune prefs clear KEY`?",
    ),
    ("remove layout", 2, "did you mean `plantune uninstall`?"),
    ("accept", 2, "did you mean `plantune suggest --apply`?"),
    ("rm layout", 2, "did you mean `plantune prefs clear KEY`?"),
    (
        "get spot_check",
        2,
        "did you mean `plantune config show KEY`?",
    ),
    ("today", 2, "did you mean `plantune report --today`?"),
    (
        "config spot_check",
        2,
        "did you mean `plantune config show spot_check`?",
    ),
    (
        "config spot_check 0.1",
        2,
        "did you mean `plantune config set spot_check 0.1`?",
    ),
    ("config --list", 2, "did you mean `plantune config show`?"),
    ("config get spot_chek", 2, "did you mean spot_check?"),
    (
        "prefs layout",
        2,
        "did you mean `plantune prefs show layout`?",
    ),
    ("prefs --list", 2, "did you mean `plantune prefs list`?"),
    (
        "suggest -y",
        2,
        "did you mean `plantune suggest -y --apply`?",
    ),
    (
        "suggest 1 --yes",
        2,
        "did you mean `plantune suggest 1 --yes --apply`?",
    ),
    (
        "suggest apply",
        1,
        "did you mean `plantune suggest --apply`?",
    ),
    ("suggest 1 99", 1, "lists the proposals, 1 to 3"),
    (
        "report --format json",
        2,
        "did you mean `plantune report --json`?",
    ),
    (
        "report --output=csv",
        2,
        "did you mean `plantune report --csv`?",
    ),
    ("log -o json", 2, "did you mean `plantune log --json`?"),
    ("log -5", 2, "did you mean `plantune log -n 5`?"),
    (
        "report prompts",
        1,
        "did you mean `plantune report --prompts`?",
    ),
    ("report today", 1, "did you mean `plantune report --today`?"),
    (
        "report --open",
        2,
        "did you mean `plantune report --open --html`?",
    ),
    ("doctor fix", 2, "did you mean `plantune doctor --fix`?"),
    ("install --user", 2, "did you mean `--scope user`?"),
    ("ingets", 2, "hint: see `plantune --help`"),
    ("config set spot_chek 1", 2, "did you mean spot_check?"),
    ("config set spot_chek 1", 2, "the settings are announce,"),
    ("config set enabled maybe", 2, "enabled takes true or false"),
    (
        "prompts --since 7d",
        2,
        "did you mean `plantune report --prompts`?",
    ),
    ("report --sinse 7d", 2, "did you mean `--since`?"),
    ("report --jsn", 2, "did you mean `--json`?"),
    ("report --week 2026-W99", 2, "2026-W99"),
    (
        "report --month 13",
        2,
        "write this, last, or a month such as 2026-11",
    ),
    (
        "report --since",
        2,
        "a value is required for '--since <DAY>'",
    ),
    ("report --since 2026-13-01", 2, "2026-13-01"),
    ("report --by month", 2, "weekday"),
    ("report --by asker --json --csv", 2, "cannot be used with"),
    ("report --project nowhere", 2, "unknown project \"nowhere\""),
    ("report layuot", 1, "did you mean layout?"),
    ("report --top 0", 2, "invalid value '0' for '--top"),
    ("log layuot", 1, "did you mean layout?"),
    ("log --limit many", 2, "invalid value 'many' for '--limit"),
    ("log --auto --prompts", 2, "cannot be used with"),
    ("prefs show layuot", 1, "there is no preference for layuot"),
    (
        "prefs clear layuot --yes",
        1,
        "there is no preference for layuot",
    ),
    (
        "prefs set layuot always-ask --yes",
        1,
        "did you mean layout?",
    ),
    ("prefs set layout nevr-ask", 2, "did you mean `never-ask`?"),
    (
        "prefs set layout Grid",
        2,
        "to answer with a label, write it behind `--answer`",
    ),
    (
        "prefs set layout never-ask Grid",
        2,
        "to answer with a label, write it behind `--answer`",
    ),
    (
        "prefs set layout --answer Gird --yes",
        2,
        "did you mean Grid?",
    ),
    ("prefs set Layout --yes", 2, "is not a question key"),
    ("prefs set", 2, "were not provided: <KEY>"),
    ("undo --yes", 1, "no preference has answered anything"),
    ("undo toolu_none --yes", 1, "toolu_none"),
    ("away 3d", 2, "expected a time such as 45m, 3h or 1h30m"),
    ("away 13h", 2, "at most 12h"),
    ("away of", 2, "expected a time such as"),
    ("import claude-code /no/such/folder", 1, "/no/such/folder"),
    ("import nothing", 2, "`plantune import --help`"),
    ("export", 2, "were not provided: --parquet"),
    ("suggest --apply --json", 2, "cannot be used with"),
    ("--tiem-zone UTC report", 2, "did you mean `--time-zone`?"),
    (
        "report --time-zone Europe/Nowhere",
        2,
        "such as Europe/Berlin",
    ),
    ("install codex", 2, "did you mean `--agent codex`?"),
    ("report --html /no/page.html", 1, "plantune: /no: "),
];

#[test]
fn every_mistake_is_answered_by_what_to_do() {
    let world = World::with_habits();
    assert_eq!(world.run(&["report"]).code, 0);
    let mut faults = Vec::new();
    for (line, code, said) in MISTAKES {
        let words: Vec<&str> = line.split(' ').collect();
        let ran = world.run(&words);
        let text = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_answered = ran.code == *code
            && ran.stdout.is_empty()
            && is_inert(&ran.stderr)
            && ran.stderr.starts_with("plantune: ")
            && ran.stderr.contains("\n  hint: ")
            && text.contains(said);
        if !is_answered {
            faults.push(format!(
                "{line} ({said}): {} {}{}",
                ran.code, ran.stdout, ran.stderr
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_mistyped_word_leads_to_what_works_at_once() {
    let world = World::with_habits();
    let hint = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let ran = world.run(&words);
        assert_ne!(ran.code, 0, "{line}");
        ran.stderr
    };
    // Words as near as these are seen.
    assert!(hint("sugest").contains("`plantune suggest`"));
    assert!(hint("report --opne").contains("--open"));
    // What is less near is no better guess.
    assert!(!hint("stpo").contains("did you mean"));
    for line in [
        "stpo",
        "of",
        "offf",
        "onn",
        "enabel",
        "pasue",
        "report --format",
        "report --forc",
        "export --parquet x --froce",
        "prefs set layuot always-ask --yes",
        "prefs set nothing-alike always-ask --yes",
    ] {
        let said = hint(line);
        let leads = ["plantune off`", "plantune on`", "--force`", "add --force"];
        let led = leads.iter().find(|lead| said.contains(**lead));
        assert_eq!(led, None, "{line}: {said}");
    }
}

#[test]
fn what_others_take_is_taken() {
    let world = World::with_habits();
    let same = |one: &[&str], other: &[&str]| {
        let shown = world.stdout_of(one);
        assert!(!shown.is_empty(), "{one:?}");
        assert_eq!(shown, world.stdout_of(other), "{one:?}");
    };
    same(&["suggest", "1", "2"], &["suggest", "1,2"]);
    same(
        &["suggest", "Which", "layout"],
        &["suggest", "Which layout"],
    );
    same(&["report", "-n", "5"], &["report", "--top", "5"]);
    same(&["report", "--limit", "5"], &["report", "--top", "5"]);
    same(&["log", "-n", "1"], &["log", "--limit", "1"]);
    assert_ne!(
        world.stdout_of(&["suggest", "1", "2"]),
        world.stdout_of(&["suggest", "1"])
    );
    same(
        &["config", "get", "spot_check"],
        &["config", "show", "spot_check"],
    );
    let all = world.stdout_of(&["config", "show"]);
    let one = world.stdout_of(&["config", "get", "spot_check"]);
    let words = one.split_whitespace().next();
    assert_eq!((words, one.lines().count()), (Some("spot_check"), 1));
    assert!(all.lines().count() > 10, "{all}");
    same(
        &["classify", "npm test", "--json"],
        &["classify", "npm test"],
    );
    world.stdout_of(&["suggest", "1", "2", "--apply", "-y"]);
    assert_eq!(world.events().len(), 2);
}

// Undo means no: what was taken back saved nothing, says so in the page, and is not proposed again soon.

/// A person whose question is answered always alike, and now by a preference, without checks.
fn answered() -> World {
    let mut world = World::shop();
    world.put(world.paths().config_file(), "spot_check = 0\n");
    again(&mut world, 16);
    world.stdout_of(&["suggest", "--apply", "--yes"]);
    while world.ask("Grid (Recommended)") {}
    world
}

/// The same answer again, so often, a few times a day.
fn again(world: &mut World, times: usize) {
    for _ in 0..times {
        world.later(8 * 60);
        assert!(world.ask("Grid (Recommended)"));
    }
}

fn proposed(world: &World) -> usize {
    let found = world.json(&["suggest", "--json"]);
    found["suggestions"].as_array().unwrap().len()
}

#[test]
fn what_was_taken_back_takes_five_new_answers() {
    let mut world = answered();
    world.stdout_of(&["undo", "--yes"]);
    let rejected = || world.json(&["suggest", "--json"])["rejected"][0].clone();
    let one = rejected();
    assert_eq!(one["reason"], "undone", "{one}");
    let shown = world.stdout_of(&["suggest"]);
    assert!(shown.contains("you took it back"), "{shown}");
    again(&mut world, 4);
    assert_eq!(proposed(&world), 0);
    again(&mut world, 1);
    assert_eq!(proposed(&world), 1);
}

#[test]
fn what_was_taken_back_saved_nothing_and_is_marked() {
    let world = answered();
    let saved =
        |world: &World| world.json(&["report", "--json"])["totals"]["seconds_saved"].clone();
    assert!(saved(&world).as_f64().unwrap() > 0.0);
    world.stdout_of(&["undo", "--yes"]);
    let report = world.json(&["report", "--json"]);
    assert_eq!(report["totals"]["seconds_saved"], 0.0);
    let one = &report["answered_for_you"][0];
    assert_eq!(
        (&one["times"], &one["undone"]),
        (&Value::from(1), &Value::from(1)),
        "{one}"
    );
    let undone = "SELECT count(*) AS times FROM questions WHERE undone";
    let rows = world.json(&["sql", undone, "--json"]);
    assert_eq!(rows[0]["times"], 1, "{rows}");
    world.stdout_of(&["report", "--html"]);
    let page = std::fs::read_to_string(world.project().join("plantune-report.html")).unwrap();
    assert!(page.contains("taken back: "), "{page}");
}

#[test]
fn every_verb_counts_the_same_proposals() {
    let mut world = World::shop();
    again(&mut world, 2);
    let level = |world: &World| {
        let found = world.json(&["suggest", "--json"]);
        found["suggestions"][0]["level"].clone()
    };
    let counted = |world: &World, count: u64| {
        let left = plantune_domain::status_line::saved(&world.paths()).unwrap();
        assert_eq!(left.proposals, Some(count));
        let report = world.json(&["report", "--json"]);
        assert_eq!(report["suggestions_waiting"], count);
        let first = world.json(&["--json"]);
        assert_eq!(first["suggestions_waiting"], count);
        let proposed = format!("{count} proposed answer");
        let is_said = first["next"].to_string().contains(&proposed);
        assert_eq!(is_said, count > 0, "{first}");
        let could = format!("could answer {count} question");
        let is_listed = world.done(&["suggest"]).contains(&could);
        assert_eq!(is_listed, count > 0);
    };
    // Too few.
    assert_eq!(level(&world), Value::Null);
    counted(&world, 0);
    again(&mut world, 4);
    assert_eq!(level(&world), "trial");
    counted(&world, 1);
    again(&mut world, 16);
    assert_eq!(level(&world), "standing");
    counted(&world, 1);
}

#[test]
fn what_was_set_and_has_answered_nothing_yet_is_named() {
    let mut world = World::shop();
    again(&mut world, 16);
    world.stdout_of(&["suggest", "--apply", "--yes"]);
    let undone = world.run(&["undo", "--yes"]);
    assert_eq!(undone.code, 1);
    let command = undone.stderr.split('`').nth(1).unwrap();
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    assert_eq!(words.first(), Some(&"undo"), "{}", undone.stderr);
    world.stdout_of(&[&words[..], &["--yes"]].concat());
    assert!(
        world
            .stdout_of(&["prefs", "list"])
            .contains("no preferences")
    );
}
