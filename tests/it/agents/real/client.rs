//! The five clients: how each is set up and started, and which keys its dialog takes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::model::Call;
use crate::claude_code::home::Home;

/// A client.
pub(super) struct Client {
    /// Its word.
    pub(super) agent: &'static str,
    /// The file that the hook is registered in.
    pub(super) hooks: &'static str,
    /// The person's own settings: a file, and what is in it, with the model's port and the shop's folder.
    pub(super) settings: fn(port: u16, shop: &Path) -> (&'static str, String),
    /// Its tool for questions.
    pub(super) tool: &'static str,
    /// Its tool for commands, called with one.
    pub(super) command: fn(&str) -> Call,
    /// The program to start.
    pub(super) program: fn(&mut Started<'_>),
    /// The text on the screen when a prompt can be typed.
    pub(super) ready: &'static str,
    /// The screens before that in a new home, in order, and the keys that a person presses.
    pub(super) introduced: &'static [(&'static str, &'static [&'static str])],
    /// The keys that lead from the first of two options to the place for own words.
    pub(super) own_words: &'static [&'static str],
    /// The keys that send several answers.
    pub(super) sent: &'static [&'static str],
    /// The text of a permission prompt, and the key that allows it once.
    pub(super) prompt: (&'static str, &'static str),
    /// The text on the screen when a question was answered for the person.
    pub(super) answered: &'static str,
}

/// How a client is started.
pub(super) struct Started<'h> {
    pub(super) home: &'h Home,
    /// Where the clients of npm's lie, a folder each.
    pub(super) clients: PathBuf,
    pub(super) port: u16,
    pub(super) command: Command,
}

impl Started<'_> {
    /// Starts a script of `package` with Node.js.
    fn script(&mut self, agent: &str, script: &str) {
        let mut node = self.home.command(&self.clients.join("node"));
        node.arg(self.clients.join(agent).join("node_modules").join(script));
        self.command = node;
    }
}

pub(super) const CODEX: Client = Client {
    agent: "codex",
    hooks: ".codex/hooks.json",
    settings: |port, shop| {
        let shop = shop.display();
        let text = format!(
            "model = \"gpt-5.5\"\nmodel_provider = \"mock\"\ncheck_for_update_on_startup = false\n\n\
             [features]\ndaemon_auto_start = false\nenable_request_compression = false\n\
             default_mode_request_user_input = true\n\n\
             [model_providers.mock]\nname = \"mock\"\nbase_url = \"http://127.0.0.1:{port}/v1\"\n\
             wire_api = \"responses\"\n\n[projects.\"{shop}\"]\ntrust_level = \"trusted\"\n"
        );
        (".codex/config.toml", text)
    },
    tool: "request_user_input",
    command: |command| {
        (
            "exec_command",
            json!({"cmd": command, "sandbox_permissions": "require_escalated",
            "justification": "May I?"}),
        )
    },
    program: |started| {
        started.script("codex", "@openai/codex/bin/codex.js");
        let command = &mut started.command;
        command
            .args(["--no-daemon", "--no-alt-screen"])
            .env("OPENAI_API_KEY", "none");
    },
    ready: "Ask Codex to do anything",
    introduced: &[
        ("Trust all and continue", &["Down", "Enter"]),
        ("Use existing model", &["Down", "Enter"]),
    ],
    own_words: &["Down", "Down", "Tab"],
    sent: &[],
    prompt: ("Would you like to run", "y"),
    answered: "plantune answered",
};

pub(super) const COPILOT: Client = Client {
    agent: "copilot",
    hooks: ".copilot/hooks/plantune.json",
    settings: |_, _| {
        let settings = json!({"updateTerminalTitle": false});
        (".copilot/settings.json", format!("{settings:#}\n"))
    },
    tool: "ask_user",
    command: |command| ("bash", json!({"command": command, "description": "touch"})),
    program: |started| {
        started.script("copilot", "@github/copilot/npm-loader.js");
        let model = format!("http://127.0.0.1:{}/v1", started.port);
        let command = &mut started.command;
        // Else it asks about a program outside the project by another prompt.
        command.arg("--allow-all-paths");
        command
            .env("COPILOT_OFFLINE", "true")
            .env("COPILOT_AUTO_UPDATE", "false")
            .env("COPILOT_PROVIDER_BASE_URL", model)
            .env("COPILOT_PROVIDER_API_KEY", "none")
            .env("COPILOT_MODEL", "mock")
            // Its program unpacks 190 MB, which every home would have.
            .env("COPILOT_CACHE_HOME", started.clients.join("copilot/cache"));
    },
    ready: "/ commands",
    introduced: &[("Confirm folder trust", &["Enter"])],
    own_words: &["Down", "Down"],
    sent: &[],
    prompt: ("Do you want to run this command?", "Enter"),
    answered: "[plan-tune auto-decide]",
};

pub(super) const GEMINI: Client = Client {
    agent: "gemini",
    hooks: ".gemini/settings.json",
    settings: |_, _| {
        let settings = json!({"security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}},
            "model": {"name": "gemini-2.5-pro"}, "general": {"enableAutoUpdate": false}});
        (".gemini/settings.json", format!("{settings:#}\n"))
    },
    tool: "ask_user",
    command: |command| {
        (
            "run_shell_command",
            json!({"command": command, "description": "touch"}),
        )
    },
    program: |started| {
        started.script("gemini", "@google/gemini-cli/bundle/gemini.js");
        let model = format!("http://127.0.0.1:{}", started.port);
        let command = &mut started.command;
        command
            .env("GEMINI_API_KEY", "none")
            .env("GOOGLE_GEMINI_BASE_URL", model);
        command
            .env("GEMINI_TELEMETRY_ENABLED", "false")
            .env("NO_BROWSER", "1");
    },
    ready: "Type your message",
    introduced: &[],
    own_words: &["Down", "Down"],
    sent: &["Enter"],
    prompt: ("Allow execution of", "Enter"),
    answered: "plantune answered",
};

pub(super) const OPENCODE: Client = Client {
    agent: "opencode",
    hooks: ".config/opencode/plugin/plantune.js",
    settings: |port, _| {
        let model = json!({"npm": "@ai-sdk/openai-compatible", "name": "Mock", "models": {"mock": {"name": "mock"}},
            "options": {"baseURL": format!("http://127.0.0.1:{port}/v1"), "apiKey": "none"}});
        let settings = json!({"$schema": "https://opencode.ai/config.json", "model": "mock/mock",
            "provider": {"mock": model}, "permission": {"bash": "ask"}});
        (".config/opencode/opencode.json", format!("{settings:#}\n"))
    },
    tool: "question",
    command: |command| ("bash", json!({"command": command, "description": "touch"})),
    program: |started| {
        let modules = started.clients.join("opencode/node_modules");
        let folders = fs::read_dir(modules).unwrap();
        let mut programs: Vec<PathBuf> = folders
            .map(|folder| folder.unwrap().path().join("bin/opencode"))
            .filter(|program| {
                program.is_file() && !program.display().to_string().contains("opencode-ai")
            })
            .collect();
        // One of two is for older processors: it runs everywhere.
        programs.sort_by_key(|program| !program.display().to_string().contains("baseline"));
        started.command = started.home.command(&programs[0]);
        for name in ["AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD"] {
            started.command.env(format!("OPENCODE_DISABLE_{name}"), "1");
        }
    },
    ready: "ctrl+p commands",
    introduced: &[],
    own_words: &["Down", "Down", "Enter"],
    sent: &["Enter"],
    prompt: ("Permission required", "Enter"),
    answered: "plantune answered",
};

pub(super) const QWEN: Client = Client {
    agent: "qwen",
    hooks: ".qwen/settings.json",
    settings: |_, _| {
        let settings = json!({"security": {"auth": {"selectedType": "openai"}}, "$version": 4,
            "general": {"enableAutoUpdate": false}});
        (".qwen/settings.json", format!("{settings:#}\n"))
    },
    tool: "ask_user_question",
    command: |command| {
        (
            "run_shell_command",
            json!({"command": command, "description": "touch", "is_background": false}),
        )
    },
    program: |started| {
        started.script("qwen", "@qwen-code/qwen-code/cli.js");
        let model = format!("http://127.0.0.1:{}/v1", started.port);
        let command = &mut started.command;
        command.args(["--approval-mode", "default"]);
        command
            .env("OPENAI_API_KEY", "none")
            .env("OPENAI_BASE_URL", model);
        command.env("OPENAI_MODEL", "mock").env("NO_BROWSER", "1");
    },
    ready: "Type your message",
    introduced: &[],
    own_words: &["Down", "Down"],
    sent: &["Enter"],
    prompt: ("Allow execution of", "Enter"),
    answered: "a standing preference",
};

impl Client {
    /// The command that starts it in the shop.
    pub(super) fn program(&self, home: &Home, port: u16) -> Command {
        let clients = std::env::var_os("PLANTUNE_AGENTS").filter(|path| !path.is_empty());
        let clients = clients.expect("PLANTUNE_AGENTS names no clients; `make test-agents` does");
        let mut started = Started {
            home,
            clients: PathBuf::from(clients),
            port,
            command: Command::new("false"),
        };
        (self.program)(&mut started);
        started
            .command
            .env("TERM", "xterm-256color")
            .env("LANG", "C.UTF-8");
        started.command
    }

    /// Starts it there on a terminal; a prompt can be typed.
    pub(super) fn start(&self, home: &Home, port: u16) -> Terminal {
        let terminal = Terminal::open(home, &self.program(home, port));
        for (words, keys) in self.introduced {
            terminal.shows(words);
            terminal.press(keys);
        }
        terminal.shows(self.ready);
        terminal
    }

    /// A call that asks questions: the text of each.
    pub(super) fn ask(&self, questions: &[&str]) -> Call {
        let option = |label: &str| json!({"label": label, "description": "as it is"});
        let question = |(index, text): (usize, &&str)| {
            json!({"id": format!("q{index}"), "header": HEADERS[index], "type": "choice",
                "question": text, "options": [option("Grid (Recommended)"), option("List")]})
        };
        if self.agent == "copilot" {
            return (self.tool, form(questions));
        }
        let questions: Vec<Value> = questions.iter().enumerate().map(question).collect();
        (self.tool, json!({"questions": questions}))
    }
}

/// The form in which Copilot CLI asks them: its message is the only question, or each field has its own.
fn form(questions: &[&str]) -> Value {
    let field = |(index, text): (usize, &&str)| {
        let mut field = json!({"type": "string", "title": HEADERS[index],
            "enum": ["Grid (Recommended)", "List"]});
        if questions.len() > 1 {
            field["description"] = json!(text);
        }
        (format!("q{index}"), field)
    };
    let fields: serde_json::Map<String, Value> = questions.iter().enumerate().map(field).collect();
    let message = match questions {
        [only] => only,
        _ => "",
    };
    json!({"message": message, "requestedSchema": {"properties": fields}})
}

/// The headers of the questions of a call; the first is that of the captured one.
const HEADERS: [&str; 2] = ["Tests", "Second"];

// A client on a terminal of tmux's, where a person presses keys.

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

    /// The text on the screen.
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

    /// The log, a line an event.
    fn log(&self) -> String {
        let folder = self.socket.with_file_name(".local/share/plantune/events");
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        let of_a_day = files.filter(|file| file.file_name().as_encoded_bytes().starts_with(b"2"));
        of_a_day
            .map(|file| fs::read_to_string(file.path()).unwrap())
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
