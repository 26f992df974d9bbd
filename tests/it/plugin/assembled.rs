//! The plugin as `make plugin` puts it together, with another build of the hook in it.

use std::path::Path;
use std::process::Command;

/// The name of this machine's platform in the plugin.
pub(crate) fn platform() -> String {
    let os = if cfg!(target_os = "macos") {
        "darwin"
    } else {
        "linux"
    };
    let cpu = if cfg!(target_arch = "aarch64") {
        "arm64"
    } else {
        "x64"
    };
    format!("{os}-{cpu}")
}

/// Puts the plugin together in `folder`, with `hook` for this platform, as `make plugin` does.
pub(crate) fn assemble(folder: &Path, hook: &Path) {
    assemble_for(folder, &[(platform(), hook)]);
}

/// The same for several platforms. The script's own checks are left out: what the tests build is linked dynamically.
pub(crate) fn assemble_for(folder: &Path, hooks: &[(String, &Path)]) {
    let program = "import sys, pathlib\n\
                   sys.dont_write_bytecode = True\n\
                   sys.path.insert(0, 'scripts')\n\
                   import assemble_plugin\n\
                   folder, words = sys.argv[1], sys.argv[2:]\n\
                   hooks = {one: pathlib.Path(hook) for one, hook in zip(words[::2], words[1::2])}\n\
                   assemble_plugin.assemble(pathlib.Path(folder), hooks)";
    let hooks = hooks.iter();
    let words = hooks.flat_map(|(platform, hook)| [Path::new(platform), hook]);
    let status = Command::new("python3")
        .args(["-c", program])
        .arg(folder)
        .args(words)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status();
    assert!(status.unwrap().success());
}
