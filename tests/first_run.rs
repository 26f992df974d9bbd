//! `plantune` without a verb: one command to the first report.
#![cfg(unix)]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may panic, its helpers too"
)]

mod common;
mod person;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use person::{run_on_terminal, run_on_terminal_of, run_with_person};

const SAMPLE: &str = include_str!("../demo/sample-history.jsonl");
const PROMPTS: &str = include_str!("../demo/sample-permissions.jsonl");

/// A home in which Claude Code was used, or was not.
struct Home(tempfile::TempDir);

impl Home {
    fn empty() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn with_transcripts() -> Self {
        let home = Self::empty();
        home.transcript(".claude/projects/-home-dev-shop/a.jsonl", SAMPLE);
        home.transcript(".claude/projects/-home-dev-shop/b.jsonl", PROMPTS);
        home
    }

    fn transcript(&self, path: &str, lines: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let work = self.0.path().join("work");
        fs::write(path, lines.replace("@WORK@", work.to_str().unwrap())).unwrap();
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plantune"));
        command
            .args(words)
            .env_clear()
            .env("HOME", self.0.path())
            .env("PLANTUNE_NOW", "2026-11-20T10:00:00Z")
            .env("TZ", "UTC")
            .env("COLUMNS", "80")
            .env("NO_COLOR", "1")
            .current_dir(self.0.path());
        command
    }

    /// What a call without a verb shows on a terminal that does not say how many lines it has.
    fn shown(&self, variables: &[(&str, &str)]) -> String {
        let mut command = self.command(&[]);
        command.envs(variables.iter().copied());
        let (shown, code) = run_on_terminal(&mut command, &[]);
        assert_eq!(code, Some(0), "{shown}");
        let root = self.0.path().to_str().unwrap();
        let shown = shown.replace("\r\n", "\n").replace(root, "HOME");
        // The bar is drawn over and over, and rubbed out at the end.
        let last = shown.rsplit("\u{1b}[2K").next().unwrap();
        last.trim_start_matches(['^', 'D', '\u{8}']).to_owned()
    }

    /// Every file below the home but plantune's own, with its content.
    fn others(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let own =
            [".local/share/plantune", ".config/plantune"].map(|name| self.0.path().join(name));
        let mut found = Vec::new();
        let mut folders = vec![self.0.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() && !own.contains(&path) {
                    folders.push(path);
                } else if path.is_file() {
                    found.push((path.clone(), fs::read(path).unwrap()));
                }
            }
        }
        found.sort();
        found
    }
}

/// The lines from `Next:` on.
fn next(shown: &str) -> &str {
    let lines = shown.find("Next:").and_then(|at| shown.get(at..));
    lines.unwrap()
}

#[test]
fn the_first_call_reads_the_transcripts_and_reports() {
    let home = Home::with_transcripts();
    let before = home.others();
    let shown = home.shown(&[("PLANTUNE_STARTED_BY", "npx")]);
    let (read, rest) = shown.split_once("\n\n").unwrap();
    assert_eq!(
        read.replace('\n', " "),
        "Read 2 transcripts in HOME/.claude/projects: 198 questions, 112 prompts for permission; all of it new."
    );
    assert!(
        rest.starts_with("Mon 28 Sep – Fri 20 Nov 2026 so far, UTC\n"),
        "{rest}"
    );
    assert!(
        rest.contains("\nQuestions  ") && rest.contains("What stopped you"),
        "{rest}"
    );
    assert!(
        !rest.contains("`plantune suggest`"),
        "what it can type is said once: {rest}"
    );
    insta::assert_snapshot!(next(rest), @r"
    Next:
      npx plantune suggest  10 proposals: 3 questions you answer alike, 7 permission
                            rules
      npx plantune install  log from now on, and answer what you accept; it shows
                            the change and asks
      npx plantune report   this week; --html --open shows it in your browser
    ");
    // As many as are listed there.
    let suggest = home
        .command(&["suggest"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let suggest = String::from_utf8(suggest.stdout).unwrap();
    assert!(
        suggest.contains("3 questions you answer alike") && suggest.contains("7 permission rules"),
        "{suggest}"
    );
    // Nothing is registered, and nothing written elsewhere.
    assert_eq!(home.others(), before);
    assert!(!home.0.path().join(".claude/settings.json").exists());
    assert!(!home.0.path().join(".local/share/plantune/bin").exists());
}

#[test]
fn later_calls_read_what_is_new() {
    let home = Home::with_transcripts();
    let first = home.shown(&[]);
    let second = home.shown(&[]);
    let (read, report) = second.split_once("\n\n").unwrap();
    assert!(read.contains("nothing new."), "{read}");
    assert_eq!(report, first.split_once("\n\n").unwrap().1);
    let last = SAMPLE.lines().next().unwrap();
    let session = last.split("\"sessionId\":").nth(1).unwrap();
    let session = session.split('"').nth(1).unwrap();
    let one = SAMPLE.lines().filter(|line| line.contains(session));
    let later: Vec<String> = one
        .map(|line| {
            line.replace(session, "later")
                .replace("toolu_", "toolu_later")
        })
        .collect();
    home.transcript(".claude/projects/-home-dev-shop/c.jsonl", &later.join("\n"));
    let third = home.shown(&[]);
    let read = third.split_once("\n\n").unwrap().0.replace('\n', " ");
    assert!(read.contains("events new."), "{read}");
}

#[test]
fn without_transcripts_it_says_so() {
    let home = Home::empty();
    insta::assert_snapshot!(home.shown(&[("PLANTUNE_STARTED_BY", "npx")]), @r"
    No transcripts of Claude Code in HOME/.claude/projects.
    If it keeps them elsewhere, set CLAUDE_CONFIG_DIR, or name the folder:
      npx plantune import claude-code FOLDER

    Next:
      npx plantune install  log from now on, and answer what you accept; it shows
                            the change and asks
    ");
    // Claude Code is there and was not used yet.
    fs::create_dir_all(home.0.path().join(".claude/projects")).unwrap();
    assert!(
        home.shown(&[])
            .starts_with("No transcripts of Claude Code in HOME/.claude/projects.")
    );
    // They are where the variable says.
    home.transcript("elsewhere/projects/p/a.jsonl", SAMPLE);
    let elsewhere = home.0.path().join("elsewhere");
    let shown = home.shown(&[("CLAUDE_CONFIG_DIR", elsewhere.to_str().unwrap())]);
    assert!(
        shown.starts_with("Read 1 transcript in HOME/elsewhere/projects: "),
        "{shown}"
    );
}

#[test]
fn it_shows_the_last_weeks_that_had_a_question() {
    let home = Home::empty();
    home.transcript(".claude/projects/p/a.jsonl", SAMPLE);
    let shown = home.shown(&[("PLANTUNE_NOW", "2027-06-01T10:00:00Z")]);
    assert!(
        shown.contains("\n\nMon 28 Sep – Sun 22 Nov 2026, UTC\n"),
        "{shown}"
    );
}

#[test]
fn what_is_next_follows_what_is_installed() {
    let home = Home::with_transcripts();
    common::hook();
    let mut install = home.command(&["install", "--yes"]);
    let install = install.stdin(Stdio::null()).output().unwrap();
    assert!(install.status.success(), "{install:?}");
    let shown = home.shown(&[]);
    assert!(!next(&shown).contains("install"), "{shown}");
    // An upgrade: the registered hook is of another release.
    let bin = home.0.path().join(".local/share/plantune/bin");
    let copy = fs::canonicalize(bin.join("plantune-hook")).unwrap();
    let older = common::hook_of_release("0.0.9");
    plantune_domain::atomic_file::replace(&copy, &older, 0o700).unwrap();
    let shown = home.shown(&[]);
    assert!(
        next(&shown)
            .contains("  plantune install  the hook that is registered is of release 0.0.9: "),
        "{shown}"
    );
    fs::remove_dir_all(bin).unwrap();
    assert!(next(&home.shown(&[])).contains("the hook that is registered is gone"));
    // Nothing was ever asked, and it is installed.
    let fresh = Home::empty();
    let mut install = fresh.command(&["install", "--yes"]);
    assert!(
        install
            .stdin(Stdio::null())
            .output()
            .unwrap()
            .status
            .success()
    );
    assert!(
        fresh
            .shown(&[])
            .ends_with("The hook is installed: what you are asked from now on is logged.\n")
    );
}

#[test]
fn in_a_pipe_it_prints_help() {
    let home = Home::with_transcripts();
    let piped = home.command(&[]).stdin(Stdio::null()).output().unwrap();
    let help = String::from_utf8(piped.stderr).unwrap();
    assert_eq!(piped.status.code(), Some(2));
    assert!(
        help.contains("\nUsage: plantune [OPTIONS] <COMMAND>\n"),
        "{help}"
    );
    assert!(piped.stdout.is_empty());
    // Neither may the one nor the other be a pipe.
    let half = run_with_person(&mut home.command(&[]), &[]);
    assert_eq!(half.status.code(), Some(2));
    assert!(!home.0.path().join(".local").exists());
}

#[test]
fn global_options_hold_and_a_long_report_goes_through_the_pager() {
    let home = Home::with_transcripts();
    let pager = home.0.path().join("pager");
    fs::write(&pager, "#!/bin/sh\necho PAGED; cat\n").unwrap();
    fs::set_permissions(&pager, fs::Permissions::from_mode(0o755)).unwrap();
    let shown = |words: &[&str]| {
        let mut command = home.command(words);
        command.env("PATH", "/usr/bin:/bin").env("PAGER", &pager);
        run_on_terminal_of(20, &mut command, &[]).0
    };
    let paged = shown(&[]);
    assert!(
        paged.contains("PAGED") && paged.contains("Next:"),
        "{paged}"
    );
    assert!(!shown(&["--no-pager"]).contains("PAGED"));
    let zone = shown(&["--time-zone", "Asia/Tokyo"]);
    assert!(zone.contains("so far, Asia/Tokyo"), "{zone}");
}

/// An agent that has a terminal adds nothing to the evidence; what is there is shown.
#[test]
fn in_an_agents_session_nothing_is_imported() {
    let home = Home::with_transcripts();
    let shown = home.shown(&[("CLAUDECODE", "1")]);
    assert!(shown.contains("this is an agent's session"), "{shown}");
    assert!(!home.0.path().join(".local/share/plantune/events").exists());
    home.shown(&[]);
    let shown = home.shown(&[("CLAUDECODE", "1")]);
    assert!(shown.contains("\nQuestions  "), "{shown}");
}
