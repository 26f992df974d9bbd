//! What a session that is running makes of a hook that is replaced, or goes.

use serde_json::json;

use super::claude_code;
use super::home::{Home, answers, ask, kinds, question};
use super::server::Turn;

const FIRST: &str = "Which size?";
const SECOND: &str = "Which colour?";

/// A home with the copy installed, and a session that asks twice; `between` is done while the person thinks
/// about the first question. Returns what was logged.
fn session(between: impl Fn(&Home)) -> Vec<String> {
    let home = Home::new(claude_code());
    let said = home.done(&["install", "--yes"]);
    assert!(said.contains("copied the hook"), "{said}");
    let script = vec![
        ask("toolu_a", &[question(FIRST, &["S", "L"])]),
        ask("toolu_b", &[question(SECOND, &["Red", "Blue"])]),
        Turn::says("thank you"),
    ];
    let mut is_first = true;
    let session = home.session(script, |request| {
        if std::mem::take(&mut is_first) {
            between(&home);
            return answers(request, json!({FIRST: "S"}));
        }
        answers(request, json!({SECOND: "Red"}))
    });
    // Whatever became of the hook, the person was asked and the session went on.
    assert_eq!((session.result(), session.asked.len()), ("thank you", 2));
    assert!(session.result_of("toolu_b").contains("\"Red\""));
    kinds(&home.events())
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_running_session_calls_the_hook_that_took_the_place() {
    let logged = session(|home| {
        let copy = home.path(".local/share/plantune/bin/plantune-hook");
        let copy = copy.canonicalize().unwrap();
        let mut other = std::fs::read(&copy).unwrap();
        other.push(0);
        plantune_domain::atomic_file::replace(&copy, &other, 0o700).unwrap();
        let said = home.done(&["doctor", "--fix"]);
        assert!(said.contains("copied the hook"), "{said}");
    });
    let wanted = [
        "session_started",
        "asked: no_preference",
        "answered",
        "asked: no_preference",
        "answered",
        "session_ended",
    ];
    assert_eq!(logged, wanted);
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_running_session_goes_on_without_the_hook() {
    let logged = session(|home| {
        let said = home.done(&["uninstall", "--yes"]);
        assert!(said.contains("removed "), "{said}");
    });
    assert_eq!(logged, ["session_started", "asked: no_preference"]);
}
