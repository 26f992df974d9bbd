//! The installed copy of the hook in a world of tests.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use plantune_domain::atomic_file;
use serde_json::json;

use crate::world::{World, programs};

pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A world in which plantune is installed.
pub(crate) fn installed() -> World {
    let world = World::at("home/code");
    let ran = world.run(&["install", "--yes"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    world
}

/// What the settings name.
pub(crate) fn hook(world: &World) -> PathBuf {
    world.path("data/bin/plantune-hook")
}

/// Status and message of the finding of `doctor` called `name`; the first one.
pub(crate) fn finding(world: &World, name: &str) -> (String, String) {
    let found = world.findings(name).into_iter().next();
    found.map_or_else(Default::default, |(status, message, _)| (status, message))
}

/// Makes what is installed a copy of another release, as an upgrade or a downgrade finds it.
pub(crate) fn make_release(world: &World, version: &str) {
    let bin = world.path("data/bin");
    let bytes = programs::hook_of_release(version);
    fs::create_dir_all(bin.join(version)).unwrap();
    fs::set_permissions(bin.join(version), fs::Permissions::from_mode(0o700)).unwrap();
    atomic_file::replace(&bin.join(version).join("plantune-hook"), &bytes, 0o700).unwrap();
    fs::remove_dir_all(bin.join(VERSION)).unwrap();
    fs::remove_file(hook(world)).unwrap();
    symlink(Path::new(version).join("plantune-hook"), hook(world)).unwrap();
}

/// Calls the hook as settings name it; true when it works.
pub(crate) fn calls(world: &World) -> bool {
    let call = json!({"hook_event_name": "Stop", "session_id": "s", "cwd": "/"});
    let mut hook = Command::new(hook(world));
    hook.env_clear().env("PLANTUNE_HOME", world.path("other"));
    let output = programs::call_hook(&mut hook, &call);
    output.status.success() && output.stdout.is_empty()
}
