//! A hook of the tests' own, which `install` is given by its path.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::world::{Ran, World};

pub(crate) const SETTINGS: &str = "{\n    \"model\": \"opus\",\n    \"hooks\": {\n        \"PreToolUse\": [\n            {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"theirs\"}]}\n        ]\n    }\n}";

/// A world with a hook of its own to name, in a folder of the project.
pub(crate) fn with_hook() -> World {
    let world = World::at("home/code/deep");
    program(&world.path("bin/plantune-hook"));
    world
}

/// Runs `install` with the hook of [`with_hook`].
pub(crate) fn install(world: &World, words: &[&str]) -> Ran {
    let hook = world.path("bin/plantune-hook");
    world.run(&[&["install", "--hook-path", hook.to_str().unwrap()], words].concat())
}

pub(crate) fn program(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let file = File::create(path).unwrap();
    file.set_permissions(fs::Permissions::from_mode(0o755))
        .unwrap();
}

pub(crate) fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}
