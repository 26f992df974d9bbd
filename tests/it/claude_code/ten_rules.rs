//! Rules of many kinds, from prompts that the real client showed: written, obeyed, and no wider than they look. And
//! the commands that it never asks about, for which none is proposed.

use std::fs;

use plantune_domain::permissions::{OwnReaches, is_never_asked, parts};
use serde_json::{Value, json};

use super::client;
use super::client::Session;
use super::home::{Home, Turn, nobody};
use super::permissions::{bash, deciding_client};
use crate::claude_code::plugin;

/// How often everything was allowed: enough for what is not known.
const TIMES: usize = 12;

/// Commands, and the rules that follow from allowing them.
const COMMANDS: &[(&str, &[&str])] = &[
    ("npm test", &["npm test"]),
    ("npm run format", &["npm run format"]),
    ("./scripts/check.sh", &["./scripts/check.sh"]),
    ("bash scripts/check.sh", &["bash scripts/check.sh"]),
    ("CI=1 npm run test:e2e", &["npm run test:e2e"]),
    ("npm run typecheck | tail -5", &["npm run typecheck"]),
    (
        "npm run lint && npm run build",
        &["npm run lint", "npm run build"],
    ),
    (
        "npm test -- --testNamePattern \"adds two\"",
        &["npm test -- --testNamePattern \"adds two\""],
    ),
    ("timeout 60 npm run test:unit", &["npm run test:unit"]),
];

/// Near what the rules cover, and not covered.
const NEAR: [&str; 4] = [
    "npm test --silent",
    "npm run formats",
    "bash scripts/check.sh -v",
    "npm run lint && npm run start",
];

const TOOL: &str = "mcp__asker__list_issues";

impl Home {
    fn write(&self, id: &str, file: &str) -> Turn {
        // The client writes over no file that it has not read.
        let _ = fs::remove_file(self.path("shop").join(file));
        let path = self.path("shop").join(file);
        Turn::call(
            id,
            "Write",
            json!({"file_path": path, "content": "export {};\n"}),
        )
    }

    fn everything(&self, file: &str) -> Vec<Turn> {
        let commands = COMMANDS.iter().enumerate();
        let mut turns: Vec<Turn> = commands
            .map(|(at, (command, _))| bash(&format!("toolu_{at}"), command))
            .collect();
        turns.push(self.write("toolu_file", "README.md"));
        turns.push(self.write("toolu_src", file));
        turns.push(Turn::call("toolu_mcp", TOOL, json!({})));
        turns.push(Turn::says("All done."));
        turns
    }

    fn with_server(&self, turns: Vec<Turn>, person: impl FnMut(&Value) -> Value) -> Session {
        client::run(plugin::with_asker(self), turns, person)
    }

    /// Repeats what was allowed in the one session, on as many earlier days in as many sessions.
    fn repeat(&self) {
        for segment in self.segments() {
            let text = fs::read_to_string(&segment).unwrap();
            fs::write(segment, repeated(&text)).unwrap();
        }
    }
}

/// `text`, segments of a log, and the same of days before.
fn repeated(text: &str) -> String {
    let mut all = text.to_owned();
    for day in 1..TIMES {
        for line in text.lines() {
            let mut event: Value = serde_json::from_str(line).unwrap();
            let ts: chrono::DateTime<chrono::Utc> = event["ts"].as_str().unwrap().parse().unwrap();
            let ts = ts - chrono::TimeDelta::days(i64::try_from(day).unwrap());
            event["ts"] = json!(plantune_domain::clock::timestamp(ts));
            for name in ["id", "asked_id", "session_id", "tool_use_id"] {
                if let Some(value) = event[name].as_str() {
                    event[name] = json!(format!("{day:02x}{}", &value[2..]));
                }
            }
            let line = event
                .to_string()
                .replace("/src/a0.ts", &format!("/src/a{day}.ts"));
            all += &format!("{line}\n");
        }
    }
    all
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn rules_of_ten_kinds_are_written_and_obeyed_and_cover_nothing_near() {
    let Some(client) = deciding_client() else {
        return;
    };
    let home = Home::with_tests(client);
    home.program("npm", "#!/bin/sh\necho \"npm $*\"\n");
    home.put("shop/scripts/check.sh", "#!/bin/sh\necho checked\n");
    let session = home.with_server(home.everything("src/a0.ts"), home.allows());
    let asked = COMMANDS.len() + 3;
    assert_eq!(session.asked.len(), asked, "{:?}", session.asked);
    home.done(&["ingest"]);
    assert_eq!(home.of_kind("permission_granted").len(), asked);
    home.repeat();

    let found = home.done(&["suggest", "--permissions", "--json"]);
    let found: Value = serde_json::from_str(&found).unwrap();
    let mut proposed: Vec<&str> = found["permissions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["rule"].as_str().unwrap())
        .collect();
    proposed.sort_unstable();
    let rules = COMMANDS.iter().flat_map(|(_, rules)| *rules);
    let mut wanted: Vec<String> = rules.map(|rule| format!("Bash({rule})")).collect();
    wanted.extend(["Edit(/README.md)", "Edit(/src/**)", TOOL].map(str::to_owned));
    wanted.sort_unstable();
    assert_eq!(proposed, wanted, "{found:#}");
    for one in found["permissions"].as_array().unwrap() {
        let [rule, consent, subject] =
            ["rule", "consent", "subject"].map(|name| one[name].as_str().unwrap());
        let only = ["suggest", "--apply", "--yes", "--only", rule];
        // What nobody knows is typed.
        match consent {
            "type" => home.done(&[&only[..], &["--answer", subject]].concat()),
            _ => home.done(&only),
        };
    }

    // Nobody is asked about what the rules cover, a file beside those that were written included.
    home.with_server(home.everything("src/deep/new.ts"), nobody);

    let near = NEAR.iter().enumerate();
    let mut turns: Vec<Turn> = near
        .map(|(at, command)| bash(&format!("toolu_near{at}"), command))
        .collect();
    turns.push(home.write("toolu_lib", "lib/a.ts"));
    turns.push(Turn::says("All done."));
    let session = home.with_server(
        turns,
        |request| json!({"behavior": "allow", "updatedInput": request["input"]}),
    );
    let of = |request: &Value| {
        let input = &request["input"];
        let text = input["command"].as_str().or(input["file_path"].as_str());
        text.unwrap_or_default().to_owned()
    };
    let asked: Vec<String> = session.asked.iter().map(of).collect();
    let lib = home.path("shop/lib/a.ts").to_string_lossy().into_owned();
    let wanted: Vec<&str> = NEAR.into_iter().chain([lib.as_str()]).collect();
    assert_eq!(asked, wanted);
}

/// Reading commands, each of which the client either asks about or not.
const READING: &[&str] = &[
    "cat a.txt",
    "grep x a.txt",
    "ls",
    "ls -la",
    "git status",
    "diff a.txt b.txt",
    "du -sh .",
    "find . -name a.txt",
    "head -5 a.txt",
    "stat a.txt",
    "tail -5 a.txt",
    "wc -l a.txt",
    "git blame a.txt",
    "git diff",
    "git log --oneline -3",
    "git show HEAD",
    "echo hello",
    "pwd",
    "sort a.txt",
    "uniq a.txt",
    "cut -c1 a.txt",
    "tr a b < a.txt",
    "date",
    "whoami",
    "which npm",
    "file a.txt",
    "tree",
    "rg x",
    "git branch",
    "git tag",
    "git remote -v",
    "git rev-parse HEAD",
    "git ls-files",
    "git stash list",
    "git describe",
    "jq . a.json",
    "sed -n 1,2p a.txt",
    "awk '{print $1}' a.txt",
    "sleep 0",
    "true",
    "basename a.txt",
    "dirname a.txt",
    "realpath a.txt",
    "uname -a",
    "id",
    "hostname",
    "nl a.txt",
    "column a.txt",
    "cmp a.txt b.txt",
    "sha256sum a.txt",
    "md5sum a.txt",
    "base64 a.txt",
    "strings a.txt",
    "hexdump a.txt",
    "od a.txt",
    "ps aux",
    "df",
    "free",
    "uptime",
    "printf x",
    "test -f a.txt",
    "seq 3",
    "expr 1 + 1",
    "type ls",
    "env",
    "node --version",
    "npm --version",
    "python3 --version",
    "git grep x",
    "git cat-file -p HEAD",
    "git reflog",
    "git shortlog",
    "git config --get user.name",
    "cd src",
    "gh pr view 1",
    "docker ps",
    "fd x",
    "less a.txt",
    "more a.txt",
    "paste a.txt b.txt",
    "comm a.txt b.txt",
    "join a.txt b.txt",
    "tac a.txt",
    "rev a.txt",
    "fold a.txt",
    "npm ls",
    "pip list",
    "cal",
    "docker images",
    "docker inspect x",
    "docker logs x",
    "expand a.txt",
    "unexpand a.txt",
    "fmt a.txt",
    "git worktree list",
    "groups",
    "locale",
    "lsof",
    "man ls",
    "netstat",
    "nproc",
    "numfmt 1",
    "pgrep x",
    "pr a.txt",
    "readlink a.txt",
    "sha1sum a.txt",
    "ss",
    "tput cols",
    "tsort a.txt",
    "grep '^$' a.txt",
    "sed 's/x/y/' a.txt",
    "sed -n '1,3p' a.txt",
    "CI=1 ls",
    "git -C . status",
    "/bin/ls",
];

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn what_is_taken_for_never_asked_is_never_asked() {
    let Some(client) = deciding_client() else {
        return;
    };
    let home = Home::with_tests(client);
    for (name, text) in [
        ("shop/a.txt", "x\n"),
        ("shop/b.txt", "y\n"),
        ("shop/a.json", "{}\n"),
        ("shop/src/a.ts", "\n"),
    ] {
        home.put(name, text);
    }
    let turns = READING
        .iter()
        .enumerate()
        .map(|(at, command)| bash(&format!("toolu_{at}"), command));
    let turns = turns.chain([Turn::says("All done.")]).collect();
    let session = home.session(turns, |_| json!({"behavior": "deny", "message": "no"}));
    let asked: Vec<&str> = session
        .asked
        .iter()
        .filter_map(|one| one["input"]["command"].as_str())
        .collect();
    let root = home.path("shop");
    for command in READING {
        let parts = parts(command, &root.to_string_lossy(), &OwnReaches::default()).unwrap();
        let is_asked = asked.contains(command);
        println!("{} {command}", if is_asked { "asked" } else { "     " });
        assert!(
            !(parts.iter().all(is_never_asked) && is_asked),
            "{command} is asked about"
        );
    }
}
