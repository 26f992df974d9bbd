//! Mistakes that people make: each is answered by what was wrong and what to do, in one form.

use crate::world::{World, is_inert};

/// What is typed, the exit code, and something that the answer says.
const MISTAKES: &[(&str, i32, &str)] = &[
    ("reprot", 2, "did you mean `plantune report`?"),
    ("sugest", 2, "did you mean `plantune suggest`?"),
    ("pref list", 2, "did you mean `plantune prefs`?"),
    ("prefs lst", 2, "did you mean `plantune prefs list`?"),
    ("prefs sett layout", 2, "did you mean `plantune prefs set`?"),
    ("config shwo", 2, "did you mean `plantune config show`?"),
    ("explain layout", 2, "it is now `plantune log KEY`"),
    ("back", 2, "it is now `plantune away off`"),
    ("questions", 2, "it is now `plantune report --all`"),
    (
        "questions show layout",
        2,
        "it is now `plantune report KEY`",
    ),
    ("prompts", 2, "it is now `plantune report --prompts`"),
    ("prompts classify ls", 2, "it is now `plantune classify`"),
    ("prefs check", 2, "it is now `plantune doctor`"),
    (
        "quarantine list",
        2,
        "it is now `plantune doctor --quarantine`",
    ),
    (
        "registry init",
        2,
        "it is now `plantune config questions --init`",
    ),
    ("report --sinse 7d", 2, "did you mean `--since`?"),
    ("report --jsn", 2, "did you mean `--json`?"),
    ("report --week 2026-W99", 2, "2026-W99"),
    ("report --week", 2, "--week <WEEK> needs a value"),
    ("report --since 2026-13-01", 2, "2026-13-01"),
    ("report --by month", 2, "weekday"),
    ("report --by asker --json --csv", 2, "does not go with"),
    (
        "report --project nowhere",
        2,
        "no project \"nowhere\" is known",
    ),
    ("report layuot", 1, "did you mean layout?"),
    ("report --top 0", 2, "is no value for --top"),
    ("log layuot", 1, "did you mean layout?"),
    ("log --limit many", 2, "is no value for --limit"),
    ("log --auto --prompts", 2, "does not go with"),
    ("prefs show layuot", 1, "there is no preference for layuot"),
    (
        "prefs clear layuot --yes",
        1,
        "there is no preference for layuot",
    ),
    (
        "prefs set layuot always-ask --yes",
        1,
        "did you mean layout?",
    ),
    ("prefs set layout nevr-ask", 2, "did you mean `never-ask`?"),
    (
        "prefs set layout Grid",
        2,
        "a label to answer with goes behind `--answer`",
    ),
    (
        "prefs set layout never-ask Grid",
        2,
        "a label to answer with goes behind `--answer`",
    ),
    (
        "prefs set layout --answer Gird --yes",
        2,
        "did you mean Grid?",
    ),
    ("prefs set Layout --yes", 2, "is no question key"),
    ("prefs set", 2, "is missing"),
    ("undo --yes", 1, "no preference has answered anything"),
    ("undo toolu_none --yes", 1, "toolu_none"),
    ("away 3d", 2, "a time such as 45m, 3h or 1h30m is wanted"),
    ("away 13h", 2, "at most 12h"),
    ("away of", 2, "a time such as"),
    ("config questions --register fam-none --yes", 1, "fam-none"),
    ("config questions --known --asker nobody", 2, "known are"),
    ("import claude-code /no/such/folder", 1, "/no/such/folder"),
    ("import nothing", 2, "`plantune import --help`"),
    ("export", 2, "is missing"),
    ("suggest --apply --json", 2, "does not go with"),
    ("--tiem-zone UTC report", 2, "did you mean `--time-zone`?"),
    (
        "report --time-zone Europe/Nowhere",
        2,
        "such as Europe/Berlin",
    ),
    ("install codex", 2, "did you mean `--agent codex`?"),
    ("report --html /no/page.html", 1, "plantune: /no: "),
];

#[test]
fn every_mistake_is_answered_by_what_to_do() {
    let world = World::with_habits();
    assert_eq!(world.run(&["report"]).code, 0);
    let mut faults = Vec::new();
    for (line, code, said) in MISTAKES {
        let words: Vec<&str> = line.split(' ').collect();
        let ran = world.run(&words);
        let text = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_answered = ran.code == *code
            && ran.stdout.is_empty()
            && is_inert(&ran.stderr)
            && ran.stderr.starts_with("plantune: ")
            && ran.stderr.contains("\n  hint: ")
            && text.contains(said);
        if !is_answered {
            faults.push(format!(
                "{line} ({said}): {} {}{}",
                ran.code, ran.stdout, ran.stderr
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
