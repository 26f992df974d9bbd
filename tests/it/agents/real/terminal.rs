//! A client on a terminal of tmux's, where a person presses keys.

use std::path::PathBuf;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::claude_code::home::Home;

/// How long anything may take.
const LIMIT: Duration = Duration::from_secs(40);

/// How long a person looks before they press the next key: the clients take none while they draw.
const LOOK: Duration = Duration::from_millis(500);

/// A session on a terminal; it ends with the value.
pub(super) struct Terminal {
    socket: PathBuf,
}

impl Terminal {
    /// `program`, with its words and variables, in the shop.
    pub(super) fn open(home: &Home, program: &Command) -> Self {
        let terminal = Self {
            socket: home.path("terminal"),
        };
        let mut tmux = terminal.tmux();
        tmux.args(["new-session", "-d", "-x", "140", "-y", "50", "env", "-i"]);
        for (name, value) in program.get_envs() {
            let value = value.unwrap_or_default();
            tmux.arg(format!("{}={}", name.display(), value.display()));
        }
        tmux.arg(program.get_program()).args(program.get_args());
        let opened = tmux.current_dir(home.path("shop")).status().unwrap();
        assert!(opened.success());
        terminal
    }

    fn tmux(&self) -> Command {
        let mut tmux = Command::new("tmux");
        tmux.args(["-f", "/dev/null", "-S"]).arg(&self.socket);
        tmux
    }

    /// What the screen shows.
    pub(super) fn screen(&self) -> String {
        let shown = self.tmux().args(["capture-pane", "-p"]).output().unwrap();
        String::from_utf8_lossy(&shown.stdout).into_owned()
    }

    /// Waits until `words` are on the screen.
    pub(super) fn shows(&self, words: &str) {
        self.until(words, || {
            let screen = self.screen();
            let screen = screen.split_whitespace().collect::<Vec<_>>();
            screen.join(" ").contains(words)
        });
        sleep(LOOK);
    }

    /// Waits until it is so.
    pub(super) fn until(&self, what: &str, mut is_so: impl FnMut() -> bool) {
        let start = Instant::now();
        while !is_so() {
            assert!(
                start.elapsed() < LIMIT,
                "no {what}:\n{}\n{}",
                self.screen(),
                self.log()
            );
            sleep(Duration::from_millis(100));
        }
    }

    /// What the hook has logged, a line an event.
    fn log(&self) -> String {
        let folder = self.socket.with_file_name(".local/share/plantune/events");
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let of_a_day = files.filter(|file| file.file_name().as_encoded_bytes().starts_with(b"2"));
        of_a_day
            .map(|file| std::fs::read_to_string(file.path()).unwrap())
            .collect()
    }

    /// Presses keys, by the names that tmux has for them.
    pub(super) fn press(&self, keys: &[&str]) {
        for key in keys {
            assert!(
                self.tmux()
                    .args(["send-keys", key])
                    .status()
                    .unwrap()
                    .success()
            );
            sleep(LOOK);
        }
    }

    /// Leaves the client as a person does.
    pub(super) fn leave(&self) {
        self.until("end", || {
            // It may have ended meanwhile.
            let _ = self.tmux().args(["send-keys", "C-c"]).output();
            sleep(LOOK);
            let session = self.tmux().arg("has-session").output();
            !session.unwrap().status.success()
        });
    }

    /// Types `text` and Enter.
    pub(super) fn types(&self, text: &str) {
        assert!(
            self.tmux()
                .args(["send-keys", "-l", text])
                .status()
                .unwrap()
                .success()
        );
        sleep(LOOK);
        self.press(&["Enter"]);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.tmux().arg("kill-server").output();
    }
}
