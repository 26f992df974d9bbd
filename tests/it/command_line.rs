//! The parts that every verb has in common: completions in the shells themselves, manual pages, global options, the
//! pager, examples.

use std::fs;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::shared::skipped;
use crate::world::files::SHOP;
use crate::world::person::{run_on_terminal_of, run_shell};
use crate::world::{PLANTUNE, World, run};

/// A home in which one question was asked, and another has a preference in another project.
fn world() -> World {
    let mut world = World::shop();
    for _ in 0..3 {
        assert!(world.ask("List"));
    }
    world.stdout_of(&["report"]);
    world.put(
        "data/projects/0/preferences.json",
        r#"{"version":1,"project":"/home/dev/notes","preferences":{"next-area":{"preference":"always-ask"}}}"#,
    );
    world.put(
        "data/registry.toml",
        "[[question]]\nkey = \"run-migration\"\ntext = \"*the migration*\"\n",
    );
    world
}

/// A shell of this home that finds plantune; `None`, with a message, where the shell is not installed.
fn shell(world: &World, name: &str) -> Option<Command> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<_> = std::env::split_paths(&paths).collect();
    let Some(shell) = folders
        .iter()
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
    else {
        skipped(
            &format!("command_line::{name}…"),
            &format!("{name} is not installed"),
        );
        return None;
    };
    let plantune = Path::new(PLANTUNE);
    folders.insert(0, plantune.parent().unwrap().to_owned());
    let mut command = world.start(shell, &[]);
    command.env("PATH", std::env::join_paths(folders).unwrap());
    Some(command)
}

#[test]
fn bash_completes_verbs_options_projects_and_keys() {
    let world = world();
    let Some(mut bash) = shell(&world, "bash") else {
        return;
    };
    let script = r#"
        source <(plantune debug completions bash)
        complete -p plantune >/dev/null || exit 1
        try() {
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
            _clap_complete_plantune plantune "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            echo "${COMPREPLY[*]}"
        }
        try plantune rep
        try plantune report --proj
        try plantune report --project ""
        try plantune log --project dev
        try plantune suggest --apply --only ""
        try plantune prefs show n
        try plantune report --time-zone Europe/Berl
        try plantune debug completions ""
    "#;
    let said = run(bash.args(["--norc", "-c", script])).done();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines[..4],
        ["report", "--project", ". dev/shop notes", "dev/shop"]
    );
    let (keys, others) = lines[4].split_at("layout next-area run-migration".len());
    assert_eq!(keys, "layout next-area run-migration", "{others}");
    assert_eq!(lines[5..7], ["next-area", "Europe/Berlin"]);
    assert!(lines[7].starts_with("bash zsh fish"), "{}", lines[7]);
    // What was offered is understood.
    assert!(
        world
            .stdout_of(&["log", "--project", "dev/shop"])
            .contains("Which layout?")
    );
}

#[test]
fn fish_completes_projects_and_keys() {
    let world = world();
    let Some(mut fish) = shell(&world, "fish") else {
        return;
    };
    let script = "plantune debug completions fish | source
        complete -C 'plantune report --project d'
        complete -C 'plantune prefs show lay'
        complete -C 'plantune unin'";
    let said = run(fish.args(["--no-config", "-c", script])).done();
    let words: Vec<_> = said
        .lines()
        .map(|line| line.split('\t').next().unwrap())
        .collect();
    assert_eq!(words, ["dev/shop", "layout", "uninstall"]);
}

#[test]
fn zsh_completes_from_the_first_time_on() {
    let world = world();
    let Some(mut zsh) = shell(&world, "zsh") else {
        return;
    };
    let own = run(zsh.args(["-f", "-c", "print -r -- $FPATH"])).done();
    let functions = world.path("functions");
    world.put(
        functions.join("_plantune"),
        world.stdout_of(&["debug", "completions", "zsh"]),
    );
    let mut zsh = shell(&world, "zsh").unwrap();
    zsh.args(["-f", "-i"]).env("TERM", "dumb");
    zsh.env(
        "FPATH",
        format!("{}:{}", functions.display(), own.trim_end()),
    );
    let words = [
        "autoload -Uz compinit; compinit -u",
        "plantune log --json --project de\t >first.json",
        "plantune log --json lay\t >second.json",
        "exit",
    ];
    let shown = run_shell(&mut zsh, &words);
    let read = |name: &str| {
        let text = fs::read_to_string(world.project().join(name));
        text.unwrap_or_else(|error| panic!("{name}: {error}: {shown}"))
    };
    assert!(read("first.json").contains(SHOP), "{shown}");
    assert!(read("second.json").contains("Which layout?"), "{shown}");
}

#[test]
fn manual_pages_are_written_and_named() {
    let world = World::shop();
    let folder = world.path("man/man1");
    world.stdout_of(&["debug", "man", folder.to_str().unwrap()]);
    let named = world.stdout_of(&["debug", "man", "--list"]);
    let written = world.names(&folder);
    let mut named: Vec<_> = named.lines().map(str::to_owned).collect();
    named.sort();
    assert_eq!(written, named);
    assert!(named.contains(&"plantune-prefs-set.1".to_owned()));
    let page = world.text(folder.join("plantune-report.1"));
    for part in [
        ".SH NAME",
        ".SH SYNOPSIS",
        ".SH OPTIONS",
        ".SH EXAMPLES",
        "plantune report \\-\\-month",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_eq!(
        world.stdout_of(&["debug", "man"]),
        world.text(folder.join("plantune.1"))
    );
}

#[test]
fn config_show_names_the_source_of_each_value() {
    let world = World::shop();
    world.put(
        "data/config.toml",
        "spot_check = 0.1\n\n[suggest]\nwrong_answer_seconds = 9\n",
    );
    let shown = |words: &[&str]| -> Vec<String> {
        let mut command = world.command(&[&["config", "show", "--json"], words].concat());
        let text = run(command.env("PLANTUNE_DISABLE", "1")).done();
        let found: Value = serde_json::from_str(&text).unwrap();
        let settings = found["settings"].as_array().unwrap();
        let of = |key: &str| {
            settings
                .iter()
                .find(|one| one["key"] == key)
                .unwrap()
                .to_string()
        };
        [
            "enabled",
            "spot_check",
            "time_zone",
            "suggest.wrong_answer_seconds",
            "teach",
        ]
        .map(of)
        .into()
    };
    let file = world.data().join("config.toml");
    let line = |key: &str, value: &str, line: u32| {
        format!(
            r#"{{"file":"{}","key":"{key}","line":{line},"source":"file","value":{value}}}"#,
            file.display()
        )
    };
    let mut expected = vec![
        r#"{"key":"enabled","source":"environment","value":false,"variable":"PLANTUNE_DISABLE"}"#
            .to_owned(),
        line("spot_check", "0.1", 1),
        r#"{"key":"time_zone","source":"environment","value":"Europe/Berlin","variable":"TZ"}"#
            .to_owned(),
        line("suggest.wrong_answer_seconds", "9", 4),
        r#"{"key":"teach","source":"default","value":true}"#.to_owned(),
    ];
    assert_eq!(shown(&[]), expected);
    expected[2] =
        r#"{"key":"time_zone","option":"--time-zone","source":"option","value":"Asia/Tokyo"}"#
            .to_owned();
    assert_eq!(shown(&["--time-zone", "Asia/Tokyo"]), expected);
    let words = world.stdout_of(&["config", "show"]);
    assert!(words.contains("config.toml, line 4"), "{words}");
    world.put(&file, "spot_chek = 0.1\n");
    let ran = world.run(&["config", "show"]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("spot_chek"), "{}", ran.stderr);
}

#[test]
fn off_and_on_are_obeyed_from_the_next_question_on() {
    let mut world = World::shop();
    assert!(world.ask("Grid (Recommended)"));
    world.put(
        "data/config.toml",
        "# mine\nspot_check = 0 # none\n\n[suggest]\nacross_projects = true\n",
    );
    world.stdout_of(&[
        "prefs",
        "set",
        "layout",
        "--answer",
        "Grid (Recommended)",
        "--yes",
    ]);
    assert!(!world.ask("Grid (Recommended)"), "it is answered");
    for (word, is_asked) in [
        ("stop", true),
        ("enable", false),
        ("off", true),
        ("on", false),
    ] {
        assert_eq!(world.run(&[word]).code, 0, "{word}");
        assert_eq!(world.ask("Grid (Recommended)"), is_asked, "{word}");
    }
    assert_eq!(
        world.text("data/config.toml"),
        "# mine\nspot_check = 0 # none\nenabled = true\n\n[suggest]\nacross_projects = true\n"
    );
    let said = world.stdout_of(&["on"]);
    assert!(said.contains("plantune is on already"), "{said}");
}

#[test]
fn config_set_changes_one_value_and_refuses_what_is_not_valid() {
    let world = World::shop();
    let file = world.path("data/config.toml");
    let text = || world.text(&file);
    assert_eq!(world.run(&["config", "set", "spot_check", "0.1"]).code, 0);
    assert_eq!(text(), "spot_check = 0.1\n");
    for (words, hint) in [
        (["spot_check", "2"], "spot_check takes a number from 0 to 1"),
        (
            ["spot_check", "often"],
            "spot_check takes a number from 0 to 1",
        ),
        (["enabled", "maybe"], "enabled takes true or false"),
        (["time_zone", "Europe/Nowhere"], "time_zone takes "),
        (["reviewer", "[\"./mine\"]"], "reviewer takes a list"),
        (["colour", "red"], "the settings are announce, "),
    ] {
        let ran = world.run(&[&["config", "set"], &words[..]].concat());
        let (code, said) = (ran.code, ran.text());
        assert!(code == 2 && said.contains(hint), "{words:?}: {said}");
        assert_eq!(text(), "spot_check = 0.1\n");
    }
    let said = world.stdout_of(&["config", "unset", "spot_check"]);
    assert!(said.contains("its default is 0.06"), "{said}");
    assert_eq!(text(), "");
    // What is not understood is not written to.
    for broken in ["enabled = maybe\n", "spot_chek = 1\n", "\u{0}"] {
        world.put(&file, broken);
        assert_eq!(world.run(&["off"]).code, 3, "{broken:?}");
        assert_eq!(text(), broken);
    }
    // An agent changes nothing, and a pipe only switches answering off.
    world.put(&file, "");
    for words in [&["off"][..], &["on"], &["config", "set", "spot_check", "0"]] {
        let agents = run(world.command(words).env("CLAUDECODE", "1"));
        assert_eq!(agents.code, 4, "{words:?}");
    }
    let piped = |words: &[&str]| run(world.command(words).env_remove("PLANTUNE_ALLOW_UNATTENDED"));
    assert_eq!(piped(&["on"]).code, 4);
    assert_eq!(piped(&["config", "set", "spot_check", "0"]).code, 4);
    assert_eq!(text(), "");
    // To be asked is never wrong.
    assert_eq!(piped(&["off"]).code, 0);
    assert_eq!(text(), "enabled = false\n");
}

#[test]
fn time_zone_colour_and_quiet_are_for_every_verb() {
    let world = world();
    let zone = |words: &[&str]| {
        world.json(&[&["report", "--json"], words].concat())["period"]["time_zone"].clone()
    };
    assert_eq!(zone(&["--time-zone", "Asia/Tokyo", "-q"]), "Asia/Tokyo");
    // Computing the store again is no error.
    world.stdout_of(&["--quiet", "report"]);
    let wrong = world.run(&["log", "--time-zone", "Europe/Nowhere"]);
    assert_eq!(wrong.code, 2, "{}", wrong.stderr);
    let coloured = |words: &[&str], variables: &[(&str, &str)]| {
        let mut command = world.command(&[&["doctor"], words].concat());
        let ran = run(command.envs(variables.iter().copied()));
        ran.stdout.contains('\u{1b}')
    };
    assert!(!coloured(&[], &[]));
    assert!(coloured(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(coloured(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(
        &[],
        &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]
    ));
    let refused = world.run(&["-q", "prefs", "show", "no-such-key"]);
    assert!(
        refused.code != 0 && !refused.stderr.is_empty(),
        "an error is said all the same"
    );
}

/// The output of `words` on a terminal of ten lines, with `variables`.
fn on_a_small_terminal(world: &World, words: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = world.command(&["config", "show"]);
    command.args(words);
    command.envs(variables.iter().copied());
    command.env("PATH", std::env::var_os("PATH").unwrap());
    command.env("TERM", "xterm");
    let (shown, code) = run_on_terminal_of(10, &mut command, &[]);
    assert_eq!(code, Some(0), "{shown}");
    shown
}

#[test]
fn long_output_is_shown_through_the_pager_on_a_terminal() {
    let world = World::shop();
    let pager = ("PLANTUNE_PAGER", "sed 's/^/| /'");
    let other = ("PAGER", "sed 's/^/# /'");
    let paged = |shown: &str, mark: &str| {
        assert!(shown.contains("enabled"), "{shown}");
        shown
            .lines()
            .all(|line| line.trim().is_empty() || line.starts_with(mark))
    };
    assert!(paged(
        &on_a_small_terminal(&world, &[], &[pager, other]),
        "| "
    ));
    assert!(paged(&on_a_small_terminal(&world, &[], &[other]), "# "));
    for variables in [
        &[pager, ("CLAUDECODE", "1")][..],
        &[("PLANTUNE_PAGER", ""), other],
    ] {
        let shown = on_a_small_terminal(&world, &[], variables);
        assert!(
            !shown.contains("| ") && !shown.contains("# "),
            "{variables:?}: {shown}"
        );
    }
    assert!(!on_a_small_terminal(&world, &["--no-pager"], &[pager]).contains("| "));
    let missing = on_a_small_terminal(&world, &[], &[("PAGER", "no-such-pager -x")]);
    assert!(missing.contains("no-such-pager is not in PATH") && missing.contains("enabled"));
    // Who leaves early made no mistake, and a pipe never has a pager.
    let early = on_a_small_terminal(&world, &[], &[("PAGER", "head -1")]);
    assert_eq!(
        early.lines().filter(|line| !line.trim().is_empty()).count(),
        1,
        "{early}"
    );
    let mut piped = world.command(&["config", "show"]);
    assert!(!run(piped.envs([pager])).done().contains("| "));
}

#[test]
fn examples_that_change_nothing_run_in_an_empty_home() {
    let world = World::shop();
    let mut tried = 0;
    for verb in [
        "report",
        "suggest",
        "prefs",
        "prefs list",
        "log",
        "config",
        "config show",
        "config schema",
        "debug session-kind",
        "debug completions",
        "debug man",
        "gc",
        "doctor",
    ] {
        let words: Vec<&str> = verb.split(' ').collect();
        let help = world.stdout_of(&[&words[..], &["--help"]].concat());
        let examples = help.lines().skip_while(|line| *line != "Examples:").skip(1);
        for example in examples.filter_map(|line| line.strip_prefix("  plantune ")) {
            let line = example.split("  ").next().unwrap();
            let is_other = [
                "show KEY",
                "--apply",
                "clear",
                "test-scope",
                "~",
                "shop",
                "npm test",
                "suggest 2",
                "retry",
                "'",
            ];
            if line == "gc" || is_other.iter().any(|word| line.contains(word)) {
                continue;
            }
            let line = line.split(['>', '|']).next().unwrap();
            let words: Vec<&str> = line.split_whitespace().collect();
            let ran = world.run(&words);
            let is_finding = words[0] == "doctor" && ran.code == 1;
            assert!(
                ran.code == 0 || is_finding,
                "plantune {line}: {}",
                ran.stderr
            );
            tried += 1;
        }
    }
    assert!(tried >= 20, "{tried}");
}

// `plantune fleet`, which is another program: it gets the words, and where it is not installed, it is said how to get it.
// What it does with them: `fleet/tests/it/`.

/// A copy of plantune in `folder`, beside which nothing is but what a test puts there.
fn alone(world: &World, folder: &str) -> PathBuf {
    let program = world.path(folder).join("plantune");
    fs::create_dir_all(world.path(folder)).unwrap();
    fs::copy(PLANTUNE, &program).unwrap();
    program
}

#[test]
fn the_fleet_gets_the_words_as_they_were_typed() {
    let world = World::at("work");
    let (beside, elsewhere) = (alone(&world, "beside"), alone(&world, "elsewhere"));
    let program = beside.with_file_name("plantune-fleet");
    fs::write(&program, "#!/bin/sh\nprintf '<%s>' \"$@\"\nexit 7\n").unwrap();
    fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
    let path = world.path("beside");
    for (words, wanted) in [
        (&["fleet"][..], "<>"),
        (&["fleet", "--help"], "<--help>"),
        (
            &["--quiet", "fleet", "report", "--since", "a day", "--", "-x"],
            "<--quiet><report><--since><a day><--><-x>",
        ),
    ] {
        for (plantune, path) in [(&beside, ""), (&elsewhere, path.to_str().unwrap())] {
            let ran = run(world.start(plantune, words).env("PATH", path));
            assert_eq!((ran.code, ran.text().as_str()), (7, wanted), "{words:?}");
        }
    }
}

#[test]
fn without_the_fleet_it_is_said_how_to_get_it() {
    let world = World::at("work");
    let plantune = alone(&world, "programs");
    for words in [
        &["fleet"][..],
        &["fleet", "report", "--json"],
        &["fleet", "--help"],
    ] {
        let ran = run(world.start(&plantune, words).env("PATH", ""));
        let said = ran.text();
        assert_eq!(ran.code, 1, "{said}");
        assert!(
            said.contains("plantune-fleet, which is not installed")
                && said.contains("make fleet-install"),
            "{said}"
        );
    }
    assert!(!world.run(&["--help"]).text().contains("fleet"));
}
