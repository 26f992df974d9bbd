//! `plantune suggest --apply` as a list on the whole terminal: the built binary, and a person who presses keys.

use std::fs;
use std::io::Read as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use regex::Regex;
use rustix::process::Signal;
use serde_json::Value;

use crate::world::person::keys::{Ended, Seat};
use crate::world::person::run_with_person;
use crate::world::{PROJECT, World, is_inert, person};

const APPLY: &[&str] = &["suggest", "--apply"];

/// What makes a terminal show another screen, and the one before again.
const ENTERED: &str = "\u{1b}[?1049h";
const LEFT: &str = "\u{1b}[?1049l";

fn on_terminal(world: &World, words: &[&str]) -> Command {
    let mut command = world.command(words);
    command.env("TERM", "xterm-256color").env("LANG", "C.UTF-8");
    command
}

/// The list, once it is there.
fn list(world: &World) -> Seat {
    let seat = Seat::start(&mut on_terminal(world, APPLY), 80, 24);
    seat.wait("? help");
    seat
}

fn nothing_is_written(world: &World) -> bool {
    world.events().is_empty()
        && !world.path("data/projects").exists()
        && !world.paths().global_preferences().exists()
}

/// True when the terminal is as it was: its modes, its screen and its cursor.
fn is_as_before(ended: &Ended) -> bool {
    let last = |text: &str| ended.shown.rfind(text);
    ended.is_restored && last(LEFT) > last(ENTERED) && last("\u{1b}[?25h") > last("\u{1b}[?25l")
}

/// What the terminal got, without what moves its cursor and colours its text.
fn without_own(shown: &str) -> String {
    let own = Regex::new(r"\x1b\[[?0-9;]*[A-Za-z]").unwrap();
    own.replace_all(shown, "").replace('\r', "")
}

/// The logged changes, without the terminal that they came from.
fn changes(world: &World) -> Vec<Value> {
    let mut events = world.events();
    for event in &mut events {
        let mut detail: Value = serde_json::from_str(event["detail"].as_str().unwrap()).unwrap();
        detail["by"]["terminal"] = Value::Null;
        event["detail"] = detail;
    }
    events
}

#[test]
fn the_list_writes_what_the_lines_write() {
    let world = World::with_habits();
    let mut seat = list(&world);
    seat.press("y", "This 1 would have answered ");
    seat.press("N", "1 never again");
    seat.press("y", "shown your usual answer");
    seat.press("\r", "What would be written");
    seat.wait("Write this?");
    assert!(nothing_is_written(&world));
    seat.press_last("y");
    let ended = seat.end();
    assert_eq!(ended.code, Some(0), "{}", ended.shown);
    assert!(is_as_before(&ended), "{}", ended.shown);
    let (_, after) = ended.shown.rsplit_once(LEFT).unwrap();
    for words in [
        "+    \"many\": {",
        "set: many is answered with \"Grid\" in github.com/o/r",
        "never: hostile is always asked",
        "undo: plantune prefs clear layout --global",
    ] {
        assert!(after.contains(words), "{words}: {after}");
    }

    let by_lines = World::with_habits();
    let words: &[&str] = &["suggest", "--apply", "--one-by-one"];
    let output = run_with_person(&mut by_lines.command(words), &["y", "never", "y"]);
    assert_eq!(output.code, 0, "{output:?}");
    let files = |world: &World| {
        let paths = world.paths();
        let project = fs::read(paths.project_preferences(PROJECT)).unwrap();
        (project, fs::read(paths.global_preferences()).unwrap())
    };
    assert_eq!(files(&world), files(&by_lines));
    let (mut one, mut other) = (changes(&world), changes(&by_lines));
    for event in one.iter_mut().chain(&mut other) {
        // The folders of the two worlds are others.
        event["cwd"] = Value::Null;
    }
    assert_eq!(one, other);
    assert_eq!(one.len(), 3);
}

#[test]
fn the_figures_change_with_the_choices() {
    let world = World::with_habits();
    let mut seat = list(&world);
    seat.wait("Nothing is chosen yet.");
    seat.press("y", "This 1 would have answered ");
    seat.press("y", "These 2 would have answered ");
    let shown = without_own(&seat.shown());
    let these = Regex::new(r"would have answered (\d+) of (\d+) questions, (\d+) right").unwrap();
    let figures: Vec<Vec<u32>> = these
        .captures_iter(&shown)
        .map(|one| (1..4).map(|part| one[part].parse().unwrap()).collect())
        .collect();
    let [one, two] = &figures[..] else {
        panic!("{figures:?}")
    };
    assert!(one[0] < two[0] && one[1] == two[1], "{figures:?}");
    assert!(figures.iter().all(|one| one[2] <= one[0]));
    // The same as the backtest of everything says of the two that stand.
    let whole = world.run(&["suggest", "--backtest", "--json"]);
    let whole: Value = serde_json::from_str(&whole.stdout).unwrap();
    assert_eq!(whole["questions"], two[1]);
    assert_eq!(whole["auto_decided"], two[0]);
    assert_eq!(whole["correct"], two[2]);
    seat.press("ku", "This 1 would have answered ");
    seat.press("ku", "Nothing is chosen yet.");
    seat.press_last("q");
    assert_eq!(seat.end().code, Some(0));
    assert!(nothing_is_written(&world));
}

#[test]
fn leaving_writes_nothing() {
    let world = World::with_habits();
    let mut seat = list(&world);
    seat.press("y", "2 of 3");
    seat.press("\r", "Write this?");
    seat.press("n", "? help");
    seat.press("q", "Leave, and lose what you chose (1)?");
    seat.press("n", "? help");
    seat.press("q", "Leave, and lose");
    seat.press_last("y");
    let ended = seat.end();
    assert_eq!(ended.code, Some(0));
    assert!(is_as_before(&ended) && ended.shown.ends_with("nothing was changed\r\n"));
    assert!(nothing_is_written(&world));
}

#[test]
fn a_signal_gives_the_terminal_back_and_writes_nothing() {
    let world = World::with_habits();
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let mut seat = list(&world);
        seat.press("y", "2 of 3");
        if signal != Signal::HUP {
            seat.press("\r", "Write this?");
        }
        seat.send(signal);
        let ended = seat.end();
        assert_eq!((ended.code, ended.signal), (None, Some(signal.as_raw())));
        assert!(is_as_before(&ended), "{signal:?}: {}", ended.shown);
    }
    let mut seat = list(&world);
    seat.press("y", "2 of 3");
    seat.press_last("\u{3}");
    let ended = seat.end();
    assert_eq!(ended.signal, Some(Signal::INT.as_raw()));
    assert!(is_as_before(&ended));
    assert!(nothing_is_written(&world));
}

#[test]
fn a_terminal_that_goes_away_ends_the_list() {
    let world = World::with_habits();
    let (mut person, program) = person::terminal();
    person::resize(&program, 80, 24);
    let mut command = on_terminal(&world, APPLY);
    command
        .stdin(Stdio::from(program.try_clone().unwrap()))
        .stdout(Stdio::from(program.try_clone().unwrap()))
        .stderr(Stdio::from(program));
    let mut process = command.spawn().unwrap();
    drop(command);
    let mut shown = String::new();
    let mut part = [0; 4096];
    while !shown.contains("? help") {
        let count = person.read(&mut part).unwrap();
        shown.push_str(&String::from_utf8_lossy(&part[..count]));
    }
    drop(person);
    let begin = Instant::now();
    while process.try_wait().unwrap().is_none() {
        if begin.elapsed() > Duration::from_secs(60) {
            process.kill().unwrap();
            panic!("it goes on without a terminal");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(nothing_is_written(&world));
}

#[test]
fn another_size_is_another_picture() {
    let world = World::with_habits();
    let mut seat = list(&world);
    let from = seat.shown().len();
    seat.resize(140, 40);
    seat.wait_from(from, " │ ");
    let from = seat.shown().len();
    seat.resize(40, 10);
    seat.wait_from(from, "This needs 60 columns");
    let from = seat.shown().len();
    seat.resize(80, 24);
    seat.wait_from(from, "? help");
    seat.press("?", "PgUp PgDn");
    seat.press("q", "? help");
    seat.press_last("q");
    let ended = seat.end();
    assert!(ended.code == Some(0) && is_as_before(&ended));
}

#[test]
fn lines_where_a_list_has_no_room() {
    let world = World::with_habits();
    let by_lines = |columns, rows, words: &[&str], variable: (&str, &str)| {
        let mut command = on_terminal(&world, words);
        let mut seat = Seat::start(command.env(variable.0, variable.1), columns, rows);
        seat.wait("set it? [y/N/later/never]");
        seat.press_last("later\n");
        let ended = seat.end();
        assert_eq!(ended.code, Some(0));
        assert!(!ended.shown.contains(ENTERED), "{}", ended.shown);
    };
    let none = ("A", "B");
    by_lines(59, 24, APPLY, none);
    by_lines(80, 17, APPLY, none);
    by_lines(80, 24, APPLY, ("TERM", "dumb"));
    by_lines(80, 24, APPLY, ("CI", "true"));
    by_lines(80, 24, &["suggest", "--apply", "--one-by-one"], none);
    assert!(nothing_is_written(&world));
}

#[test]
fn hostile_text_cannot_steer_the_terminal() {
    let world = World::with_habits();
    let mut seat = list(&world);
    seat.press("j", "2. Styleguide?");
    seat.press("y", "would have answered ");
    seat.press("\r", "Write this?");
    seat.press("G", "+}");
    seat.press_last("y");
    let ended = seat.end();
    let shown = without_own(&ended.shown);
    assert!(is_inert(&shown), "{shown:?}");
    assert!(!ended.shown.contains("\u{1b}]") && shown.contains("Styleguide?"));
}

#[test]
fn colour_is_for_those_who_want_it() {
    let world = World::with_habits();
    let coloured = |variable: (&str, &str), words: &[&str]| {
        let mut command = on_terminal(&world, words);
        let mut seat = Seat::start(command.env(variable.0, variable.1), 80, 24);
        seat.wait("? help");
        seat.press("y", "2 of 3");
        seat.press("j", "3 of 3");
        seat.press_last("\u{3}");
        let shown = seat.end().shown;
        // No colour of the background, whatever the terminal's is.
        assert!(
            !Regex::new(r"\x1b\[(4[0-9]|10[0-9])m")
                .unwrap()
                .is_match(&shown)
        );
        shown.contains("\u{1b}[32m")
    };
    assert!(coloured(("A", "B"), APPLY));
    assert!(!coloured(("NO_COLOR", "1"), APPLY));
    assert!(!coloured(
        ("A", "B"),
        &["--color", "never", "suggest", "--apply"]
    ));
}

#[test]
fn a_file_that_changed_meanwhile_is_left_alone() {
    let world = World::with_habits();
    let mut seat = list(&world);
    seat.press("y", "2 of 3");
    seat.press("\r", "Write this?");
    let file = world.paths().project_preferences(PROJECT);
    let theirs = r#"{"version":1,"preferences":{"a":{"preference":"always-ask"}}}"#;
    world.put(&file, theirs);
    seat.press_last("y");
    let ended = seat.end();
    assert_eq!(ended.code, Some(3), "{}", ended.shown);
    assert!(is_as_before(&ended) && ended.shown.contains("changed while you were asked"));
    assert_eq!(fs::read_to_string(&file).unwrap(), theirs);
    assert!(world.events().is_empty());
}
