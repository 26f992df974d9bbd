//! The desktop's own program to open a file with.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// What opens a file as the person's desktop would.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};

/// How long to wait for the opener to fail. One that runs longer is, or became, the browser.
const PATIENCE: Duration = Duration::from_secs(2);

/// Opens the file at the absolute `path`; else why it is not open, in words.
///
/// # Errors
/// When there is no opener, or it says that it failed.
pub fn open(path: &Path) -> Result<(), String> {
    let mut opener = Command::new(OPENER)
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{OPENER}: {error}"))?;
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        match opener.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("{OPENER}: {status}")),
            Ok(None) => thread::sleep(Duration::from_millis(20)),
            Err(error) => return Err(format!("{OPENER}: {error}")),
        }
    }
    Ok(())
}
