//! A Chromium without a window, driven through its DevTools protocol over a pair of pipes.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// How long to wait for the browser to say something: a machine may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// The names that Chromium goes by.
const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// The browser with one page.
pub(crate) struct Browser {
    process: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    session: String,
    next: u64,
    /// The events it reported by itself, in order.
    pub(crate) events: Vec<Value>,
    _profile: TempDir,
}

/// The installed Chromium, if there is one: `PLANTUNE_CHROMIUM`, else by name.
pub(crate) fn installed() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("PLANTUNE_CHROMIUM").filter(|path| !path.is_empty()) {
        return Some(path.into());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let candidates = NAMES
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    candidates.into_iter().find(|path| path.is_file())
}

impl Browser {
    /// Starts it with an empty profile and an empty page. No name is resolved, so that it reaches nothing.
    pub(crate) fn start(program: &Path) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let mut arguments: Vec<OsString> = [
            "--headless=new",
            "--remote-debugging-pipe",
            // As root, in a container, it has none.
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            "--no-default-browser-check",
            "--hide-scrollbars",
            "--force-color-profile=srgb",
            "--host-resolver-rules=MAP * ~NOTFOUND",
        ]
        .map(OsString::from)
        .into();
        let mut folder = OsString::from("--user-data-dir=");
        folder.push(profile.path());
        arguments.push(folder);
        // Commands come in at descriptor 3, and answers go out at 4.
        let mut process = Command::new("/bin/sh")
            .args([
                "-c",
                "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1",
                "sh",
            ])
            .arg(program)
            .args(arguments)
            .env("HOME", profile.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = process.stdin.take().unwrap();
        let messages = listen(process.stdout.take().unwrap());
        let mut browser = Self {
            process,
            input,
            messages,
            session: String::new(),
            next: 0,
            events: Vec::new(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Calls `method` and returns what comes back.
    pub(crate) fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let mut message = json!({"id": self.next, "method": method, "params": parameters});
        if !self.session.is_empty() {
            message["sessionId"] = self.session.clone().into();
        }
        let mut bytes = serde_json::to_vec(&message).unwrap();
        bytes.push(0);
        self.input.write_all(&bytes).unwrap();
        loop {
            let mut message = self.receive();
            if message["id"] != self.next {
                self.events.push(message);
                continue;
            }
            assert!(message["error"].is_null(), "{method}: {message}");
            return message["result"].take();
        }
    }

    fn receive(&self) -> Value {
        let received = self.messages.recv_timeout(PATIENCE);
        received.expect("Chromium says nothing")
    }

    /// Opens `page` and waits until it is loaded.
    pub(crate) fn open(&mut self, page: &Path) {
        self.events.clear();
        let url = format!("file://{}", page.display());
        self.call("Page.navigate", json!({"url": url}));
        let loaded = |event: &Value| event["method"] == "Page.loadEventFired";
        while !self.events.iter().any(loaded) {
            let event = self.receive();
            self.events.push(event);
        }
    }

    /// The width of the window in CSS pixels; as a phone, where it is narrow.
    pub(crate) fn resize(&mut self, width: u32, scale: u32) {
        let size = json!({
            "width": width, "height": 800, "deviceScaleFactor": scale, "mobile": width < 600,
        });
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Light or dark, on a screen or as printed.
    pub(crate) fn emulate(&mut self, scheme: &str, media: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        let media = json!({"media": media, "features": features});
        self.call("Emulation.setEmulatedMedia", media);
    }

    /// The value of the expression `script`, as JSON.
    pub(crate) fn evaluate(&mut self, script: &str) -> Value {
        let call = json!({"expression": script, "returnByValue": true});
        let mut found = self.call("Runtime.evaluate", call);
        assert!(found["exceptionDetails"].is_null(), "{found}");
        found["result"]["value"].take()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It ends by itself when it is closed; if not, it is ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The messages that come out of `output`, each up to a zero byte.
fn listen(output: ChildStdout) -> Receiver<Value> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        let mut bytes = Vec::new();
        while output.read_until(0, &mut bytes).is_ok_and(|read| read > 0) {
            let message = serde_json::from_slice(bytes.strip_suffix(&[0]).unwrap_or(&bytes));
            let Ok(message) = message else { break };
            if sender.send(message).is_err() {
                break;
            }
            bytes.clear();
        }
        let mut rest = Vec::new();
        let _ = output.read_to_end(&mut rest);
    });
    receiver
}
