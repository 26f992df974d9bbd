//! What a run gave.

use std::io::ErrorKind;
use std::process::{Command, Output};
use std::thread;
use std::time::Duration;

/// What a change says where no agent calls the hook.
pub(crate) const UNREGISTERED: &str = "note: no agent calls plantune's hook yet: nothing is answered for you until \
    `plantune install`\n";

/// What a run gave.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// What was printed; the run ended well.
    pub(crate) fn done(self) -> String {
        assert_eq!(self.code, 0, "{self:?}");
        self.stdout
    }

    /// What was printed; the run ended well, and reported nothing else but that no agent calls the hook: most tests call
    /// it themselves.
    pub(crate) fn stdout(self) -> String {
        let reported = self.stderr.replace(UNREGISTERED, "");
        assert_eq!((self.code, reported.as_str()), (0, ""), "{self:?}");
        self.stdout
    }

    /// What was printed, behind it what was reported.
    pub(crate) fn text(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Runs `command` to its end.
pub(crate) fn run(command: &mut Command) -> Ran {
    // A program that was copied a moment ago is busy while another test's child, forked in between,
    // still holds the copy's descriptor.
    loop {
        match command.output() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {
                thread::sleep(Duration::from_millis(10));
            }
            output => return output.unwrap().into(),
        }
    }
}

/// What `doctor` wrote, each line that it wrapped in one again.
pub(crate) fn unwrapped(text: &str) -> String {
    text.replace("\n           ", " ")
}

/// Long lines are wrapped, so white space does not count.
pub(crate) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
