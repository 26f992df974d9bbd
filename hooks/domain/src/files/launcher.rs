//! By what plantune was started where it is not in `PATH`, and so what can be typed to start it again. `install` leaves
//! the launcher for the hook.

use super::paths::Paths;
use super::private_file;

/// More than the word is ever long, in bytes.
const LONGEST: u64 = 16;

/// What stands before a verb where `launcher` fetched plantune for one run; `None` for anything else.
pub fn program(launcher: &str) -> Option<&'static str> {
    match launcher {
        "npx" => Some("npx plantune"),
        "pnpm" => Some("pnpm dlx plantune"),
        "yarn" => Some("yarn dlx plantune"),
        "bun" => Some("bunx plantune"),
        _ => None,
    }
}

/// `message`, each of whose commands stands behind a colon, with the commands as the person can type them.
pub fn typed(message: String, paths: &Paths) -> String {
    const COMMAND: &str = ": plantune ";
    if !message.contains(COMMAND) {
        return message;
    }
    let left = private_file::read(&paths.launcher(), LONGEST);
    match left.and_then(|word| program(std::str::from_utf8(&word).ok()?)) {
        Some(program) => message.replace(COMMAND, &format!(": {program} ")),
        None => message,
    }
}
