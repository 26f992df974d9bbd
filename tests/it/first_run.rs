//! `plantune` without a verb: one command to the first report.

use std::fs;

use serde_json::json;

use crate::world::person::run_on_terminal_of;
use crate::world::{Files, World, folded, programs, run};

const SAMPLE: &str = include_str!("../../demo/sample-history.jsonl");
const PROMPTS: &str = include_str!("../../demo/sample-permissions.jsonl");

fn empty() -> World {
    World::at("home")
        .without_plantune_home()
        .with("TZ", "UTC")
        .with("NO_COLOR", "1")
}

/// A home in which Claude Code was used.
fn with_transcripts() -> World {
    let world = empty();
    transcript(&world, ".claude/projects/-home-dev-shop/a.jsonl", SAMPLE);
    transcript(&world, ".claude/projects/-home-dev-shop/b.jsonl", PROMPTS);
    world
}

fn transcript(world: &World, path: &str, lines: &str) {
    let work = world.path("home/work");
    let lines = lines.replace("@WORK@", work.to_str().unwrap());
    world.put(world.path("home").join(path), lines);
}

/// The output without a verb on a terminal that does not say how many lines it has.
fn on_terminal(world: &World, variables: &[(&str, &str)]) -> String {
    on_terminal_of(0, world, variables)
}

/// The same on a terminal of `rows` lines.
fn on_terminal_of(rows: u16, world: &World, variables: &[(&str, &str)]) -> String {
    let mut command = world.command(&["--no-pager"]);
    command.envs(variables.iter().copied());
    let (shown, code) = run_on_terminal_of(rows, &mut command, &[]);
    assert_eq!(code, Some(0), "{shown}");
    let home = world.path("home");
    let shown = shown
        .replace("\r\n", "\n")
        .replace(home.to_str().unwrap(), "HOME");
    // The bar is drawn over and over, and rubbed out at the end.
    shown.rsplit("\u{1b}[2K").next().unwrap().to_owned()
}

/// Everything below the home but plantune's own.
fn others(world: &World) -> Files {
    let mut found = world.everything("home", &OWN);
    // Folders that were made for plantune's own.
    found.retain(|path, _| path.is_file());
    found
}

const OWN: [&str; 2] = ["home/.local/share/plantune", "home/.config/plantune"];

/// The lines from `Next:` on.
fn next(shown: &str) -> &str {
    let lines = shown.find("Next:").and_then(|at| shown.get(at..));
    lines.unwrap()
}

#[test]
fn the_first_call_reads_the_transcripts_and_reports() {
    let world = with_transcripts();
    let before = others(&world);
    let shown = on_terminal(&world, &[("PLANTUNE_STARTED_BY", "npx")]);
    let (read, rest) = shown.split_once("\n\n").unwrap();
    assert_eq!(
        read.replace('\n', " "),
        "Read 2 transcripts of Claude Code: 198 questions, 112 permission prompts."
    );
    let said = rest.replace('\n', " ");
    assert!(
        said.starts_with(
            "166 questions and 112 permission prompts in eight weeks. Agents waited 1 h 54 min; answering took you 1 h \
             19 min.  By week: questions "
        ),
        "{rest}"
    );
    insta::assert_snapshot!(next(rest), @r"
    Next:
      npx plantune suggest  choose from 2 proposed answers and 7 permission rules
      npx plantune install  log new questions, and give the answers you choose
      npx plantune report   the last seven days; --html --open for your browser
    ");
    // As many as are listed there.
    let suggest = world.done(&["suggest"]);
    assert!(
        suggest.contains("could answer 2 questions") && suggest.contains("Permission rules: "),
        "{suggest}"
    );
    // Nothing is registered, and nothing written elsewhere.
    assert_eq!(others(&world), before);
    assert!(!world.path("home/.claude/settings.json").exists());
    assert!(!world.path("home/.local/share/plantune/bin").exists());
}

#[test]
fn later_calls_read_what_is_new() {
    let world = with_transcripts();
    let first = on_terminal(&world, &[]);
    let second = on_terminal(&world, &[]);
    // Nothing is new, and nothing is said of it.
    assert_eq!(second, first.split_once("\n\n").unwrap().1);
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
    transcript(
        &world,
        ".claude/projects/-home-dev-shop/c.jsonl",
        &later.join("\n"),
    );
    let third = on_terminal(&world, &[]);
    let read = third.split_once("\n\n").unwrap().0.replace('\n', " ");
    assert!(
        read.contains("Read 1 transcript of Claude Code: "),
        "{read}"
    );
}

#[test]
fn without_transcripts_it_says_so() {
    let world = empty();
    insta::assert_snapshot!(on_terminal(&world, &[("PLANTUNE_STARTED_BY", "npx")]), @r"
    No transcripts of Claude Code in HOME/.claude/projects,
    and none of Codex, Copilot CLI, Gemini CLI, OpenCode, Qwen Code.
    If they are elsewhere, set CLAUDE_CONFIG_DIR, or name the folder:
      npx plantune import claude-code FOLDER

    Next:
      npx plantune install  log new questions, and give the answers you choose
    ");
    // Claude Code is there and was not used yet.
    fs::create_dir_all(world.path("home/.claude/projects")).unwrap();
    assert!(on_terminal(&world, &[]).starts_with(
        "No transcripts of Claude Code in HOME/.claude/projects,\nand none of Codex,"
    ));
    // They are where the variable says.
    transcript(&world, "elsewhere/projects/p/a.jsonl", SAMPLE);
    let elsewhere = world.path("home/elsewhere");
    let shown = on_terminal(
        &world,
        &[("CLAUDE_CONFIG_DIR", elsewhere.to_str().unwrap())],
    );
    assert!(
        shown.starts_with("Read 1 transcript of Claude Code: 198 questions."),
        "{shown}"
    );
}

#[test]
fn an_old_history_is_shown_by_its_latest_weeks() {
    let old = ("PLANTUNE_NOW", "2027-06-01T10:00:00Z");
    let world = empty();
    transcript(&world, ".claude/projects/p/a.jsonl", SAMPLE);
    let shown = on_terminal(&world, &[old]);
    insta::assert_snapshot!(shown.split_once("\n\n").unwrap().1, @r#"
    Nothing in the last eight weeks. Before that: Mon 28 Sep – Sun 22 Nov 2026, UTC

    166 questions in these 8 weeks. Agents waited 1 h 54 min; answering took you
    1 h 19 min.

    By week: questions ▆▅█▆▇██▃ (up to 28)

    question                        times  usual answer       share  can be answered
    The plan for retries is…           25  Start implementi…    54%  –
    any question with "In…             17  (typed)              47%  –
    Add an entry for … to the…         16  Add an entry        100%  yes
    What happens when … cannot be…     15  Show the last…       45%  –
    How should … look on a narrow…     14  Hide the side bar    31%  –
    … changed. Which tests should…     14  Full suite          100%  yes

    Next:
      plantune suggest  choose from 2 proposed answers
      plantune install  log new questions, and give the answers you choose
      plantune report   the latest seven days; --html --open for your browser
    "#);
    // The report of the same days has the same figures.
    let mut report = world.command(&["report", "--since", "2026-09-28", "--until", "2026-11-22"]);
    let report = folded(&run(report.env(old.0, old.1)).done());
    let said = "166 questions from Mon 28 Sep to Sun 22 Nov 2026. Agents waited 1 h 54 min; answering took you 1 h 19 min.";
    assert!(report.contains(said), "{report}");
}

/// The eight weeks are those with something in them: a pause of a year is none of them.
#[test]
fn an_old_history_with_a_pause_is_shown_beyond_it() {
    let world = empty();
    let after_the_pause = |line: &str| line.contains("\"timestamp\":\"2026-11");
    let lines = SAMPLE.lines().map(|line| match after_the_pause(line) {
        true => line.replace("\"timestamp\":\"2026", "\"timestamp\":\"2027"),
        false => line.to_owned(),
    });
    let lines: Vec<String> = lines.collect();
    transcript(&world, ".claude/projects/p/a.jsonl", &lines.join("\n"));
    let shown = |words: &[&str]| {
        let mut command = world.command(words);
        let json = run(command.env("PLANTUNE_NOW", "2028-06-01T10:00:00Z")).done();
        serde_json::from_str::<serde_json::Value>(&json).unwrap()
    };
    let overview = shown(&["--json"]);
    let text = overview["summary"][0]["text"].as_str().unwrap();
    assert!(
        text.starts_with("166 questions in these 60 weeks."),
        "{text}"
    );
    let (since, until) = ("2026-09-28", "2027-11-21");
    let report = shown(&["report", "--json", "--since", since, "--until", until]);
    assert_eq!(overview["totals"], report["totals"]);
    assert_eq!(overview["period"], report["period"]);
    assert_eq!(overview["questions"], report["questions"]);
}

/// The rows of the table that begins with the column `title`: the first words, the number after them, and the whole.
fn rows(shown: &str, title: &str) -> Vec<(String, u64, String)> {
    let table = shown.split(&format!("\n{title} ")).nth(1).unwrap_or("\n\n");
    let lines = table.split("\n\n").next().unwrap().lines().skip(1);
    let row = |line: &str| {
        let mut cells = line
            .split("  ")
            .map(str::trim)
            .filter(|cell| !cell.is_empty());
        let (name, times) = (cells.next().unwrap(), cells.next().unwrap());
        (name.to_owned(), times.parse().unwrap(), line.to_owned())
    };
    lines.map(row).collect()
}

/// True where the numbers fall, apart from the rows at the end that plantune never does anything about.
fn are_in_order(rows: &[(String, u64, String)]) -> bool {
    let is_never = |(_, _, line): &&(String, u64, String)| line.ends_with("never");
    let (never, others): (Vec<_>, Vec<_>) = rows.iter().partition(is_never);
    let all: Vec<_> = others.iter().chain(&never).copied().collect();
    let falls = |rows: &[&(String, u64, String)]| rows.is_sorted_by(|one, other| one.1 >= other.1);
    falls(&others) && falls(&never) && all.iter().copied().eq(rows.iter())
}

#[test]
fn a_row_is_a_question_over_all_projects() {
    let world = with_transcripts();
    let shown = on_terminal_of(60, &world, &[("COLUMNS", "120")]);
    let json = world.json(&["--json"]);
    let mut sums = std::collections::BTreeMap::<&str, u64>::new();
    for one in json["questions"].as_array().unwrap() {
        let times = one["asked"].as_u64().unwrap() + one["auto_decided"].as_u64().unwrap();
        *sums.entry(one["name"].as_str().unwrap()).or_default() += times;
    }
    let questions = rows(&shown, "question");
    assert!(questions.len() > 8, "{shown}");
    for (name, times, _) in &questions {
        let start = name.trim_end_matches('…');
        let (_, sum) = sums
            .iter()
            .find(|(known, _)| known.starts_with(start))
            .unwrap();
        assert_eq!(times, sum, "{name}: {shown}");
    }
    assert!(are_in_order(&questions), "{shown}");
    // What is asked most here can't be undone, so it comes last.
    let (name, times, line) = questions.last().unwrap();
    assert_eq!((name.as_str(), *times), ("Delete the merged branch …?", 30));
    assert!(line.ends_with("never"), "{line}");
    let can = |name: &str| {
        let mut rows = questions.iter();
        rows.find(|row| row.0 == name).unwrap().2.clone()
    };
    assert!(
        can("Add an entry for … to the changelog?").ends_with("yes"),
        "{shown}"
    );
    assert!(
        can("Commit … as one commit or several?").ends_with("–"),
        "{shown}"
    );
    // The same of prompts.
    let prompts = rows(&shown, "prompt");
    assert!(are_in_order(&prompts), "{shown}");
    let can: Vec<(&str, bool)> = [("npm test", "yes"), ("git push", "never")]
        .into_iter()
        .map(|(name, can)| {
            let row = prompts.iter().find(|row| row.0 == name).unwrap();
            (name, row.2.ends_with(can))
        })
        .collect();
    assert_eq!(can, [("npm test", true), ("git push", true)], "{shown}");
}

#[test]
fn a_larger_terminal_shows_more_rows() {
    let world = with_transcripts();
    on_terminal(&world, &[]);
    let on = |lines: u16| {
        let shown = on_terminal_of(lines, &world, &[("COLUMNS", "80")]);
        // The command and the prompt after it are seen, too.
        assert!(shown.lines().count() + 2 <= usize::from(lines), "{shown}");
        (rows(&shown, "question").len(), rows(&shown, "prompt").len())
    };
    assert_eq!(on(24), (3, 3));
    assert_eq!(on(40), (11, 11));
}

/// Questions that have nothing in common: the text, and two options.
const ONCE: [(&str, [&str; 2]); 6] = [
    (
        "Which colour should the header have?",
        ["Dark blue", "Warm grey"],
    ),
    (
        "How long may a session last?",
        ["An hour", "Until midnight"],
    ),
    ("Where do the logs go?", ["To a file", "To the journal"]),
    (
        "Who reads the newsletter first?",
        ["The editors", "Nobody before it is sent"],
    ),
    ("What is the library called?", ["Sparrow", "Kingfisher"]),
    ("When does the job run?", ["At night", "After each commit"]),
];

/// A transcript in which each of them was asked and answered once.
fn asked_once() -> String {
    let ask = |(number, (text, labels)): (usize, (&str, [&str; 2]))| {
        let options = labels.map(|label| json!({"label": label, "description": ""}));
        let input = json!({"questions": [{"question": text, "header": "", "multiSelect": false, "options": options}]});
        let line = |kind: &str, second: u32, content: serde_json::Value| {
            json!({"parentUuid": null, "type": kind, "sessionId": format!("once-{number}"), "cwd": "/w/once",
                "version": "2.1.197", "timestamp": format!("2026-11-1{number}T10:00:{second}.000Z"),
                "message": {"role": kind, "content": [content]}})
        };
        let id = format!("toolu_once{number}");
        let call = json!({"type": "tool_use", "id": id, "name": "AskUserQuestion", "input": input});
        let said = format!(
            "User has answered your questions: \"{text}\"=\"{}\".",
            labels[0]
        );
        let result = json!({"type": "tool_result", "tool_use_id": id, "content": said});
        let mut answered = line("user", 20, result);
        answered["toolUseResult"] =
            json!({"questions": input["questions"], "answers": {text: labels[0]}});
        format!("{}\n{answered}\n", line("assistant", 10, call))
    };
    ONCE.into_iter().enumerate().map(ask).collect()
}

#[test]
fn a_history_without_habits_says_so() {
    let world = empty();
    transcript(&world, ".claude/projects/p/a.jsonl", &asked_once());
    let shown = on_terminal(&world, &[]);
    let said = "None of the 6 questions came up twice, so there is no habit to answer them by.";
    assert!(folded(&shown).contains(said), "{shown}");
    assert!(
        !shown.contains('%') && rows(&shown, "question").is_empty(),
        "{shown}"
    );
    // What plantune can help with comes beside it.
    transcript(&world, ".claude/projects/p/b.jsonl", PROMPTS);
    let shown = on_terminal(&world, &[]);
    assert!(folded(&shown).contains(said), "{shown}");
    let prompts = rows(&shown, "prompt");
    assert_eq!(
        (prompts[0].0.as_str(), prompts[0].1),
        ("npm test", 21),
        "{shown}"
    );
    assert!(prompts[0].2.ends_with("yes"), "{shown}");
    // It costs more, so it comes first.
    assert!(
        shown.find("npm test") < shown.find("None of the 6"),
        "{shown}"
    );
    // With a habit there is something to show.
    transcript(&world, ".claude/projects/p/c.jsonl", SAMPLE);
    let shown = on_terminal(&world, &[]);
    assert!(
        !shown.contains("None of the") && shown.contains("100%"),
        "{shown}"
    );
    assert!(shown.find("\nquestion") < shown.find("\nprompt"), "{shown}");
    // The report of all questions shows no share of one answer.
    let all = world.done(&["report", "--since", "2026-09-01", "--all"]);
    let of_once = |line: &&str| ONCE.iter().any(|(text, _)| line.contains(&text[..12]));
    let once: Vec<&str> = all.lines().filter(of_once).collect();
    assert!(
        once.len() == 6 && once.iter().all(|line| !line.contains('%')),
        "{all}"
    );
}

/// A long history of one line in so many bytes, which takes a while to read and next to no room on the disk.
fn long_transcript(world: &World, path: &str, bytes: u64) {
    use std::os::unix::fs::FileExt as _;
    const LINE: u64 = 1024 * 1024;
    transcript(world, path, "");
    let file = fs::OpenOptions::new()
        .write(true)
        .open(world.path("home").join(path))
        .unwrap();
    file.set_len(bytes).unwrap();
    for end in (1..=bytes / LINE).map(|line| line * LINE - 1) {
        file.write_all_at(b"\n", end).unwrap();
    }
}

#[test]
fn the_bar_moves_from_the_first_byte_to_the_last() {
    let world = empty();
    long_transcript(&world, ".claude/projects/p/long.jsonl", 64 * 1024 * 1024);
    let mut command = world.command(&["--no-pager"]);
    let (shown, code) = run_on_terminal_of(40, command.env("TERM", "xterm"), &[]);
    assert_eq!(code, Some(0), "{shown}");
    let bars = shown.split(['\r', '\u{1b}']);
    let bars = bars.filter_map(|line| line.split_once("reading transcripts "));
    let amounts: Vec<(&str, &str)> = bars
        .filter_map(|(_, bar)| bar.trim_end().rsplit_once(" MiB/"))
        .collect();
    assert!(amounts.len() > 1, "{shown:?}");
    // The whole is known from the start, and the share of it grows.
    let wholes = amounts.iter().map(|(_, whole)| *whole);
    assert!(
        wholes.into_iter().all(|whole| whole == "64.00 MiB"),
        "{amounts:?}"
    );
    let read = amounts
        .iter()
        .map(|(bar, _)| bar.rsplit(' ').next().unwrap());
    let read: Vec<f64> = read.map(|read| read.parse().unwrap()).collect();
    assert!(read.is_sorted() && read.first() < read.last(), "{read:?}");
    assert!(!shown.contains("/0 B"), "{shown:?}");
}

#[test]
fn what_is_next_follows_what_is_installed() {
    let world = with_transcripts();
    programs::hook();
    world.done(&["install", "--yes"]);
    let shown = on_terminal(&world, &[]);
    assert!(!next(&shown).contains("install"), "{shown}");
    // After an upgrade, the registered hook is brought up to date, except by an agent.
    let bin = world.path("home/.local/share/plantune/bin");
    let hook = bin.join("plantune-hook");
    plantune_domain::atomic_file::replace(&hook, &programs::other_hook(), 0o700).unwrap();
    let agents = world
        .start(crate::world::PLANTUNE, &[])
        .env("CLAUDECODE", "1")
        .output();
    let agents = String::from_utf8(agents.unwrap().stdout).unwrap();
    assert!(
        agents.contains("is not the one of this plantune"),
        "{agents}"
    );
    let shown = on_terminal(&world, &[]);
    assert!(shown.contains("updated the hook in "), "{shown}");
    assert!(!next(&shown).contains("install"), "{shown}");
    assert_eq!(
        fs::read(&hook).unwrap(),
        fs::read(programs::hook()).unwrap()
    );
    fs::remove_dir_all(bin).unwrap();
    assert!(next(&on_terminal(&world, &[])).contains("the hook that is registered is gone"));
    // Nothing was ever asked, and it is installed.
    let fresh = empty();
    fresh.done(&["install", "--yes"]);
    assert!(
        on_terminal(&fresh, &[])
            .ends_with("The hook is installed and logs what agents ask you from now on.\n")
    );
}

#[test]
fn the_first_screen_fits_a_small_terminal() {
    programs::hook();
    let of = |histories: &[&str]| {
        let world = empty();
        for (number, history) in histories.iter().enumerate() {
            let path = format!(".claude/projects/-home-dev-shop/{number}.jsonl");
            transcript(&world, &path, history);
        }
        world
    };
    // Each is without hooks first, then with those of Claude Code alone.
    let now = "2026-11-20T16:00:00Z";
    let later = "2027-06-01T10:00:00Z";
    for (histories, now) in [
        (&[SAMPLE, PROMPTS][..], now),
        (&[SAMPLE], now),
        (&[PROMPTS], now),
        (&[], now),
        (&[SAMPLE, PROMPTS], later),
        (&[SAMPLE], later),
        (&[PROMPTS], later),
    ] {
        let world = of(histories);
        let look = || {
            let shown = on_terminal(
                &world,
                &[
                    ("COLUMNS", "80"),
                    ("PLANTUNE_STARTED_BY", "npx"),
                    ("PLANTUNE_NOW", now),
                ],
            );
            let lines = shown.lines().count();
            assert!(lines <= 22, "{lines} lines:\n{shown}");
            assert!(
                shown.lines().all(|line| line.chars().count() <= 80),
                "{shown}"
            );
            shown
        };
        assert!(next(&look()).contains("npx plantune install "));
        world.done(&["install", "--yes"]);
        assert!(!look().contains("plantune install"));
        fs::create_dir_all(world.path("home/.codex")).unwrap();
        let shown = look();
        let step = "npx plantune install --agent codex  log the questions of Codex";
        assert!(next(&shown).contains(step), "{shown}");
    }
}

#[test]
fn in_a_pipe_it_shows_the_same() {
    let world = with_transcripts();
    let shown = on_terminal(&world, &[]);
    let piped = world.run(&[]);
    assert_eq!((piped.code, piped.stderr.as_str()), (0, ""));
    // What was read is said once.
    assert_eq!(piped.stdout, shown.split_once("\n\n").unwrap().1);
}

#[test]
fn as_json_it_is_the_report_and_what_is_next() {
    let world = with_transcripts();
    let json = world.json(&["--json"]);
    assert_eq!(json["totals"]["asked"], 166);
    assert_eq!(json["timeline"]["unit"], "week");
    let text = json["summary"][0]["text"].as_str().unwrap();
    assert!(
        text.starts_with("166 questions and 112 permission prompts in eight weeks."),
        "{text}"
    );
    assert_eq!(json["next"][1]["command"], "plantune install");
    let misplaced = world.run(&["--json", "report"]);
    assert_eq!(misplaced.code, 2);
    assert!(
        misplaced.stderr.contains("plantune report --json"),
        "{}",
        misplaced.stderr
    );
    // Without anything it says what to do.
    assert_eq!(
        empty().json(&["--json"])["next"][0]["command"],
        "plantune install"
    );
}

#[test]
fn global_options_hold_and_a_long_report_goes_through_the_pager() {
    let world = with_transcripts();
    let pager = world.path("home/pager");
    world.put_program(&pager, "#!/bin/sh\necho PAGED; cat\n");
    let shown = |words: &[&str]| {
        let mut command = world.command(words);
        command.env("PATH", "/usr/bin:/bin").env("PAGER", &pager);
        run_on_terminal_of(20, &mut command, &[]).0
    };
    let paged = shown(&[]);
    assert!(
        paged.contains("PAGED") && paged.contains("Next:"),
        "{paged}"
    );
    assert!(!shown(&["--no-pager"]).contains("PAGED"));
    let zone = shown(&["--time-zone", "Asia/Tokyo", "report"]);
    assert!(zone.contains(" 2026, Asia/Tokyo"), "{zone}");
}

/// An agent that has a terminal adds nothing to the evidence; what is there is shown.
#[test]
fn in_an_agents_session_nothing_is_imported() {
    let world = with_transcripts();
    let shown = on_terminal(&world, &[("CLAUDECODE", "1")]);
    assert!(shown.contains("this is an agent's session"), "{shown}");
    assert!(!world.path("home/.local/share/plantune/events").exists());
    on_terminal(&world, &[]);
    let shown = on_terminal(&world, &[("CLAUDECODE", "1")]);
    assert!(shown.contains("\nquestion "), "{shown}");
}

// `plantune debug demo`, as `make demo` plays it.

#[test]
fn the_whole_loop_is_shown_and_nothing_is_left_behind() {
    let world = World::at("home").without_plantune_home();
    let home = world.path("home");
    let shown = run(world
        .command(&["debug", "demo"])
        .env_remove("PLANTUNE_NOW")
        .env("TMPDIR", &home)
        // Also where there is no terminal, and an agent runs it: nothing of the user's is changed.
        .env_remove("PLANTUNE_ALLOW_UNATTENDED")
        .env("CLAUDECODE", "1")
        .env("PLANTUNE_HOOK", programs::hook()))
    .done();
    let in_order = [
        "$ plantune import claude-code",
        "answered by you",
        "$ plantune report",
        "Last 7 days",
        "permission prompts in the last seven days",
        "$ plantune suggest",
        "plantune could answer 2 questions",
        "Full suite",
        "Permission rules: the agent no longer asks for these calls.",
        "$ plantune suggest --apply --only test-scope",
        "in sample/billing-api with \"Full suite\"",
        "permissionDecision allow",
        "Which tests should run?\":\"Full suite\"",
        "To be asked again: plantune undo toolu_",
        "plantune install",
    ];
    let folded = folded(&shown);
    let mut rest = folded.as_str();
    for text in in_order {
        let (_, after) = rest
            .split_once(text)
            .unwrap_or_else(|| panic!("{text:?} is missing in\n{shown}"));
        rest = after;
    }
    let proposals = shown.split("$ plantune suggest").nth(1).unwrap();
    assert!(
        !proposals.contains("delete-merged-branch"),
        "what cannot be taken back is not proposed"
    );
    // The diff shows the file to the character, and names it, however long both are.
    let too_wide = |line: &&str| line.chars().count() > 80 && !line.starts_with('+');
    assert_eq!(shown.lines().find(too_wide), None);
    assert!(world.names(&home).is_empty(), "nothing is left behind");
}
