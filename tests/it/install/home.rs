//! The home of the installed hook: where it lies, whatever the environment of a call says.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::places::finding;
use crate::world::files::layout;
use crate::world::{Ran, World, call_of, programs, run};

/// A world in which plantune is installed as most people have it, and another home in `data`: a clone's, or a package's
/// cache. There a preference answers the question.
fn with_another_home() -> World {
    let mut world = World::shop();
    world.put("data/config.toml", "spot_check = 0\n");
    assert!(world.ask("List"), "nothing answers yet");
    let words = ["prefs", "set", "layout", "never-ask", "--answer", "List"];
    world.done(&[&words[..], &["--global", "--force", "--yes"]].concat());
    for folder in ["xdg", "other/.local/share", "other/.config"] {
        fs::create_dir_all(world.path(folder)).unwrap();
        symlink(world.data(), world.path(folder).join("plantune")).unwrap();
    }
    at_home(&world, &["install", "--yes"]).done();
    world
}

/// Runs plantune with nothing of the other home in the environment.
fn at_home(world: &World, words: &[&str]) -> Ran {
    run(world.command(words).env_remove("PLANTUNE_HOME"))
}

/// The installed hook.
fn installed(world: &World) -> PathBuf {
    world.path("home/.local/share/plantune/bin/plantune-hook")
}

/// The environments that lead to the other home.
fn environments(world: &World) -> [Vec<(&'static str, PathBuf)>; 3] {
    let (xdg, other) = (world.path("xdg"), world.path("other"));
    [
        vec![("PLANTUNE_HOME", world.data())],
        vec![("XDG_DATA_HOME", xdg.clone()), ("XDG_CONFIG_HOME", xdg)],
        vec![("HOME", other)],
    ]
}

/// `hook` with this environment.
fn hook_with(world: &World, hook: &Path, words: &[&str], variables: &[(&str, PathBuf)]) -> Command {
    let mut command = world.start(hook, words);
    command.env_remove("PLANTUNE_HOME");
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    command
}

/// What `hook` says to the question in the call `id`, with this environment.
fn asked(world: &World, hook: &Path, id: &str, variables: &[(&str, PathBuf)]) -> Value {
    let call = call_of(id, &[layout()]);
    let mut command = hook_with(world, hook, &[], variables);
    world.call(&mut command, "PreToolUse", call)
}

/// The log in the folder of data.
fn log(data: &Path) -> String {
    let segments = fs::read_dir(data.join("events"))
        .into_iter()
        .flatten()
        .flatten();
    let texts = segments.map(|segment| fs::read_to_string(segment.path()).unwrap());
    texts.collect()
}

#[test]
fn no_variable_leads_the_installed_hook_elsewhere() {
    let world = with_another_home();
    let own = world.path("home/.local/share/plantune");
    for (number, variables) in environments(&world).iter().enumerate() {
        // The built hook goes by the environment, so the other home would answer.
        let control = asked(
            &world,
            &programs::hook(),
            &format!("toolu_c{number}"),
            variables,
        );
        let decision = &control["hookSpecificOutput"]["permissionDecision"];
        assert_eq!(decision, "allow", "{variables:?}");
        let before = world.everything("data", &[]);
        let id = format!("toolu_i{number}");
        let said = asked(&world, &installed(&world), &id, variables);
        assert!(said.is_null(), "{variables:?}: {said}");
        assert!(log(&own).contains(&id), "{variables:?}");
        assert_eq!(world.everything("data", &[]), before, "{variables:?}");
        // The status line counts what is in the own log.
        let input = json!({"cwd": world.project(), "session_id": "s"}).to_string();
        let mut line = hook_with(&world, &installed(&world), &["--statusline"], variables);
        let line = Ran::from(programs::call_with(&mut line, &input)).stdout();
        let count = number + 1;
        assert_eq!(line, format!("plantune: {count} asked today\n"));
    }
    // The person's own preference answers, wherever the variables lead.
    for name in ["config.toml", "preferences.json"] {
        let text = world.text(world.data().join(name));
        world.put(format!("home/.config/plantune/{name}"), text);
        fs::remove_file(world.data().join(name)).unwrap();
    }
    for (number, variables) in environments(&world).iter().enumerate() {
        let id = format!("toolu_o{number}");
        let said = asked(&world, &installed(&world), &id, variables);
        let decision = &said["hookSpecificOutput"]["permissionDecision"];
        assert_eq!(decision, "allow", "{variables:?}");
    }
}

#[test]
fn the_home_is_the_one_of_the_install() {
    // With one folder for both, and with two.
    for variables in [
        vec![("PLANTUNE_HOME", "mine")],
        vec![("XDG_DATA_HOME", "mine"), ("XDG_CONFIG_HOME", "config")],
    ] {
        let world = with_another_home();
        let variables: Vec<(&str, PathBuf)> = variables
            .into_iter()
            .map(|(name, folder)| (name, world.path(folder)))
            .collect();
        let plantune = |words: &[&str]| {
            let mut command = world.command(words);
            command.env_remove("PLANTUNE_HOME");
            run(command.envs(variables.iter().map(|(name, value)| (name, value))))
        };
        plantune(&["install", "--yes"]).done();
        let (data, config) = match variables.as_slice() {
            [_] => (world.path("mine"), world.path("mine")),
            _ => (world.path("mine/plantune"), world.path("config/plantune")),
        };
        let hook = data.join("bin/plantune-hook");
        for name in ["config.toml", "preferences.json"] {
            world.put(config.join(name), world.text(world.data().join(name)));
        }
        let answers = |id: &str, variables: &[(&str, PathBuf)]| {
            let said = asked(&world, &hook, id, variables);
            let is_logged = log(&data).contains(id);
            (!said.is_null(), is_logged)
        };
        assert_eq!(answers("toolu_1", &[]), (true, true), "{variables:?}");
        let nowhere = [("HOME", world.path("nowhere"))];
        assert_eq!(answers("toolu_2", &nowhere), (true, true), "{variables:?}");
        // The person's first command after an upgrade from a release that recorded none does.
        let record = data.join("bin/config-folder");
        let recorded = world.text(&record);
        assert_eq!(recorded, format!("{}\n", config.display()));
        fs::remove_file(&record).unwrap();
        assert_eq!(answers("toolu_3", &nowhere), (false, false));
        plantune(&["prefs", "list"]).done();
        assert_eq!(world.text(&record), recorded);
        assert_eq!(answers("toolu_4", &nowhere), (true, true));
        assert!(!world.path("nowhere/.local/share/plantune/bin").exists());
    }
}

#[test]
fn doctor_shows_the_home_and_whether_it_is_the_commands() {
    let world = World::shop().without_plantune_home();
    world.done(&["install", "--yes"]);
    let (status, message) = finding(&world, "hook_home");
    let shown = world.without_root(&message);
    let uses = "the hook uses ROOT/home/.local/share/plantune and ROOT/home/.config/plantune";
    assert_eq!(
        (status.as_str(), shown),
        ("ok", format!("{uses}; no variable changes that"))
    );
    let world = world.with("XDG_CONFIG_HOME", "/nonexistent/config");
    let (status, message, remedy) = world.finding("hook_home");
    assert_eq!(status, "warning");
    assert_eq!(
        world.without_root(&message),
        format!(
            "{uses}, but this command uses ROOT/home/.local/share/plantune and /nonexistent/config/plantune"
        )
    );
    assert!(remedy.contains("run `plantune install`"), "{remedy}");
    // Another command leaves it as it is; who installs again means it.
    let elsewhere = world.path("elsewhere");
    let world = world.with("XDG_CONFIG_HOME", &elsewhere);
    world.done(&["prefs", "list"]);
    assert_eq!(finding(&world, "hook_home").0, "warning");
    let said = world.done(&["install", "--yes"]);
    assert!(
        world.without_root(&said).contains(
            "the hook reads its settings in ROOT/elsewhere/plantune from now on, not in ROOT/home/.config/plantune"
        ),
        "{said}"
    );
    assert_eq!(finding(&world, "hook_home").0, "ok");
    // Tried out, the hook leaves the person's home alone.
    assert!(!world.data().join("events").exists() && !world.data().join("sessions").exists());
    world.done(&["uninstall", "--yes"]);
    assert!(!world.data().join("bin").exists());
}
