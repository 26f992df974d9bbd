//! `plantune doctor`: the built binaries in homes that are whole, empty and broken.

mod files;
mod home;
mod hooks;
mod store;

use home::{empty, installed, text_of};

use crate::world::unwrapped;

/// The text with figures of this machine taken out.
macro_rules! assert_text {
    ($text:expr, @$snapshot:literal) => {
        insta::with_settings!({filters => vec![
            (r"(?m)^\w+ +latency: the hook takes [\d.]+ ms, `true` [\d.]+ ms \(medians of \d+\): [\d.]+ times as long\n( {9}.*\n)*", "[latency]\n"),
            (r"\(schema \d+\)", "(schema [version])"),
            (r"(?m)^\w+ +free space: .*\n( {9}.*\n)*", "[free space]\n"),
        ]}, {
            insta::assert_snapshot!($text, @$snapshot);
        });
    };
}

#[test]
fn a_home_without_anything() {
    let world = empty();
    let before = world.everything("", &[]);
    let (code, text) = text_of(&world, &["doctor"]);
    assert_eq!(code, 1);
    assert_text!(text, @r"
    ok       hook binary: HOOK (beside plantune)
    ok       hook alive: starts, and is silent where it has nothing to say
    ok       hook decides: answers a question by a preference
    [latency]
    FAILED   registration: the hook is not registered in Claude Code's settings
             run `plantune install`
    ok       other hooks: no other hook is called for questions
    ok       claude code: version 2.1.197 (2.1.89 or newer is needed)
    ok       data folder: ROOT/data is not there yet; it is made when it is needed
    [free space]
    ok       spool: nothing has been logged yet
    note     store: there is none yet; the first `plantune report` makes it
             run `plantune import claude-code` to learn from past sessions
    ok       config: no ROOT/data/config.toml: the defaults hold
    ok       registry: no ROOT/data/registry.toml: the defaults hold
    ok       time zone: UTC
    ok       deciding: on: preferences are obeyed
    ok       preferences: none is set: every question is asked
    ");
    assert_eq!(world.everything("", &[]), before);
}

#[test]
fn all_is_well() {
    let world = installed();
    let before = world.everything("", &[]);
    let (code, text) = text_of(&world, &["doctor"]);
    assert_text!(text, @r"
    ok       hook binary: ROOT/data/bin/plantune-hook (registered, beside plantune)
    ok       hook alive: starts, and is silent where it has nothing to say
    ok       hook decides: answers a question by a preference
    ok       hook release: VERSION, as this plantune
    [latency]
    ok       registration: once for each event, in ROOT/home/.claude/settings.json: PreToolUse, PostToolUse, PostToolUseFailure, PermissionRequest, PermissionDenied, UserPromptSubmit, Stop, SessionStart, SessionEnd
    ok       other hooks: no other hook is called for questions
    ok       claude code: version 2.1.197 (2.1.89 or newer is needed)
    ok       data folder: ROOT/data, private to you
    [free space]
    ok       spool: 1 segment, 1 KiB
    ok       store: 2 events, 2 questions (schema [version])
    ok       not ingested: everything logged is in the store
    ok       last event: the hook last logged something yesterday (2026-11-19)
    ok       quarantine: every line that was read is an event
    note     permissions: no prompt for permission is known yet
             the hook logs those from now on; `plantune import claude-code` reads earlier ones, approvals from Claude Code 2.1.294 on
    ok       config: no ROOT/data/config.toml: the defaults hold
    ok       registry: ROOT/data/registry.toml
    ok       time zone: UTC
    ok       deciding: on: preferences are obeyed
    ok       preferences: none is set: every question is asked
    ");
    assert_eq!(code, 0);
    assert_eq!(world.everything("", &[]), before);
}

#[test]
fn no_line_is_wider_than_the_terminal_but_a_command_or_a_path() {
    let world = installed();
    let text = world.run(&["doctor"]).stdout;
    let is_long = |line: &&str| line.chars().count() > 80;
    for line in text.lines().filter(is_long) {
        let words = line.trim_start().trim_end_matches(':');
        let is_whole = !words.contains(' ') || words.starts_with('`');
        assert!(is_whole, "{line}");
    }
    assert_ne!(unwrapped(&text), text, "a line was wrapped");
}
