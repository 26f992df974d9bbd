//! The client on a terminal, where a person presses keys.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::sleep;
use std::time::{Duration, Instant};

use regex::Regex;
use serde_json::json;

use super::client::{self, KEY, LIMIT};
use super::home::Home;
use super::server::{Script, Server};
use crate::world::person;

/// How long the person looks before they press a key: the client takes none while it draws.
const LOOK: Duration = Duration::from_millis(500);

/// A session on a terminal; the client is killed when it goes out of scope.
pub(crate) struct Terminal<'h> {
    home: &'h Home,
    child: Child,
    keys: File,
    drawn: Receiver<Vec<u8>>,
    /// What was drawn since the last key, without white space and colours.
    shown: String,
    escapes: Regex,
    until: Instant,
}

impl Home {
    /// A session in the shop on a terminal, in manual mode. `person` presses the keys, and comes back when
    /// there is nothing more to do.
    pub(crate) fn on_terminal(
        &self,
        script: impl Into<Script>,
        person: impl FnOnce(&mut Terminal<'_>),
    ) {
        let server = Server::start(script.into());
        let mut terminal = Terminal::open(self, &server);
        person(&mut terminal);
        terminal.leave();
        assert_eq!(server.turns_left(), 0, "the model was not asked to the end");
    }

    /// What a person has answered before they first see a prompt: colours, trust in the folder, the key.
    fn has_been_introduced(&self) {
        let file = self.path(".claude.json");
        let mut known = fs::read_to_string(&file)
            .map_or_else(|_| json!({}), |text| serde_json::from_str(&text).unwrap());
        let shop = self.path("shop").canonicalize().unwrap();
        let shop = shop.to_str().unwrap();
        known["hasCompletedOnboarding"] = json!(true);
        known["theme"] = json!("dark");
        known["customApiKeyResponses"] = json!({"approved": [KEY], "rejected": []});
        known["projects"][shop]["hasTrustDialogAccepted"] = json!(true);
        known["projects"][shop]["hasCompletedProjectOnboarding"] = json!(true);
        fs::write(file, known.to_string()).unwrap();
    }

    /// True when a transcript of a session holds `words`.
    fn is_written(&self, words: &str) -> bool {
        let folders = fs::read_dir(self.path(".claude/projects"))
            .into_iter()
            .flatten();
        let mut files = folders.flat_map(|folder| {
            let files = fs::read_dir(folder.unwrap().path()).unwrap();
            files.map(|file| file.unwrap().path())
        });
        files.any(|file| fs::read_to_string(file).is_ok_and(|text| text.contains(words)))
    }

    /// How many prompts for permission the hook logged, also while it writes.
    pub(crate) fn prompts_logged(&self) -> usize {
        let segments = self.segments();
        let texts = segments
            .iter()
            .map(|path| fs::read_to_string(path).unwrap());
        texts
            .map(|text| text.matches("\"permission_asked\"").count())
            .sum()
    }
}

impl<'h> Terminal<'h> {
    fn open(home: &'h Home, server: &Server) -> Self {
        home.has_been_introduced();
        let (keys, other_side) = person::terminal();
        person::resize(&other_side, 110, 50);
        let mut client = home.claude();
        client::speak_to(&mut client, server);
        let child = client
            .args(["--permission-mode", "default", "please begin"])
            .env("TERM", "xterm-256color")
            .env_remove("COLUMNS")
            .stdin(Stdio::from(other_side.try_clone().unwrap()))
            .stdout(Stdio::from(other_side.try_clone().unwrap()))
            .stderr(Stdio::from(other_side))
            .spawn()
            .unwrap();
        let mut screen = keys.try_clone().unwrap();
        let (send, drawn) = channel();
        std::thread::spawn(move || {
            let mut bytes = vec![0; 1 << 16];
            // Linux ends a terminal that nobody has open any more with EIO.
            while let Ok(count) = screen.read(&mut bytes) {
                if count == 0 || send.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let escapes =
            r"\x1b\[[0-9;?<>=]*[A-Za-z~]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b.";
        Self {
            home,
            child,
            keys,
            drawn,
            shown: String::new(),
            escapes: Regex::new(escapes).unwrap(),
            until: Instant::now() + LIMIT,
        }
    }

    /// Waits for a prompt for permission, and until the hook has logged that one, too: a person takes longer.
    pub(crate) fn prompt(&mut self, number: usize) {
        let home = self.home;
        self.wait("a prompt in the log", |_| home.prompts_logged() >= number);
        self.shows("Do you want to proceed?");
        sleep(LOOK);
    }

    /// Waits until `words` are drawn.
    pub(crate) fn shows(&mut self, words: &str) {
        let folded = words.replace(' ', "");
        self.wait(words, |terminal| terminal.shown.contains(&folded));
    }

    /// Waits until a transcript holds `words`.
    pub(crate) fn written(&mut self, words: &str) {
        let home = self.home;
        self.wait(words, |_| home.is_written(words));
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.draw();
        self.shown.clear();
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
        sleep(LOOK);
    }

    fn draw(&mut self) {
        let bytes: Vec<u8> = self.drawn.try_iter().flatten().collect();
        let text = String::from_utf8_lossy(&bytes);
        let text = self.escapes.replace_all(&text, "");
        self.shown.extend(text.split_whitespace());
    }

    fn wait(&mut self, what: &str, is_there: impl Fn(&Self) -> bool) {
        loop {
            self.draw();
            if is_there(self) {
                return;
            }
            assert!(Instant::now() < self.until, "no {what}: {}", self.shown);
            sleep(Duration::from_millis(50));
        }
    }

    /// Ends the session: what is typed is cleared first, then twice in a row leaves.
    fn leave(&mut self) {
        while self.child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < self.until, "no end: {}", self.shown);
            // It may have ended meanwhile.
            let _ = self.keys.write_all(b"\x03");
            self.draw();
            sleep(LOOK);
        }
    }
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
