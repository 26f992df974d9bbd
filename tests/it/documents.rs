//! The documents: their commands are run, their links lead somewhere, and they stay short.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, thread};

use plantune_domain::config::{Config, QuestionKind};
use plantune_query::evidence::COUNTS_FOR;
use plantune_query::permissions::certainty::OFF_AT_REFUSALS;
use plantune_query::suggest::{
    AFTER_UNDO, Suggest, TRIAL_ANSWERS, TRIAL_LATEST, TRIAL_RUN, TRIAL_SESSIONS,
};
use serde_json::{Value, json};

use crate::commands_shown::{Shown, commands, is_shown, markdown, pages, root};
use crate::shared::skipped;
use crate::world::{PLANTUNE, Ran, World, call_of, programs, question, run};

/// The history that `plantune debug demo` plays, on its day.
pub(crate) fn sample() -> World {
    let world = World::at("home/code/billing-api")
        .without_plantune_home()
        .with("TZ", "UTC")
        .on("2026-11-20T16:00:00Z");
    let work = world.path("home/code");
    let mut sessions: BTreeMap<PathBuf, String> = BTreeMap::new();
    for file in ["sample-history.jsonl", "sample-permissions.jsonl"] {
        let history = fs::read_to_string(root().join("demo").join(file)).unwrap();
        for line in history.lines() {
            let line = line.replace("@WORK@", work.to_str().unwrap());
            let event: Value = serde_json::from_str(&line).unwrap();
            let folder = Path::new(event["cwd"].as_str().unwrap());
            let project = folder.file_name().unwrap().to_str().unwrap();
            let session = format!("{}.jsonl", event["sessionId"].as_str().unwrap());
            let text = sessions
                .entry(world.transcripts().join(project).join(session))
                .or_default();
            text.push_str(&line);
            text.push('\n');
            let git = work.join(project).join(".git");
            let config =
                format!("[remote \"origin\"]\n\turl = https://github.com/sample/{project}.git\n");
            world.put(git.join("HEAD"), "ref: refs/heads/main\n");
            world.put(git.join("config"), config);
        }
    }
    for (path, text) in sessions {
        world.put(path, text);
    }
    world
}

/// Runs a command as a shell does. Nobody can be asked here, so that `--yes` answers in the person's place.
fn type_in(world: &World, command: &str) -> Ran {
    let answered = match asks(command) {
        // What does something takes its label, typed.
        true if command.contains("suggest 1 ") => {
            format!("{command} --yes --answer 'Add an entry'")
        }
        true if command.contains("suggest ") => format!("{command} --yes --answer 'Full suite'"),
        true => format!("{command} --yes"),
        false => command.to_owned(),
    };
    let programs = Path::new(PLANTUNE).parent().unwrap().to_str().unwrap();
    let path = format!("{programs}:/usr/bin:/bin");
    let ran = run(world.start("/bin/sh", &["-c", &answered]).env("PATH", path));
    if command.contains("suggest ") && command.contains("--apply") && !command.contains("Bash(") {
        ask(world);
    }
    ran
}

/// The agent asks what may have been accepted, and the hook answers what was.
fn ask(world: &World) {
    let calls = [
        (
            "toolu_demo",
            "billing-api",
            question(
                "<plantune:test-scope> Image sizes changed. Which tests should run?",
                "Tests",
                &[
                    "Only affected tests (Recommended)",
                    "Full suite",
                    "None for now",
                ],
            ),
        ),
        (
            "toolu_demo_entry",
            "storefront",
            question(
                "<plantune:ship-changelog-entry> Add an entry for image sizes to the changelog?",
                "Changelog",
                &["Add an entry (Recommended)", "Leave it out"],
            ),
        ),
    ];
    let is_answered = |(id, project, question): (&str, &str, Value)| {
        let mut call = call_of(id, &[question]);
        call["cwd"] = json!(world.path("home/code").join(project));
        let decision = world.hook("PreToolUse", call);
        decision["hookSpecificOutput"]["permissionDecision"] == "allow"
    };
    assert!(calls.map(is_answered).contains(&true));
}

/// Whether the command asks before it changes something.
fn asks(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    let has = |word: &str| words.contains(&word);
    match words.get(1..) {
        Some(["install" | "uninstall", ..]) => !has("--dry-run") && !has("--help"),
        Some(["undo", ..] | ["prefs", "set" | "clear", ..]) => true,
        Some(["away", time, ..]) => *time != "off",
        _ => has("--apply") || has("--fix"),
    }
}

#[test]
fn every_command_of_the_documents_prints_what_they_show() {
    programs::hook();
    // Of another program: fleet/tests/it/documents.rs.
    let pages: Vec<_> = pages()
        .into_iter()
        .filter(|page| !page.ends_with("docs/fleet.md"))
        .collect();
    let faults = thread::scope(|scope| {
        let started: Vec<_> = pages
            .iter()
            .map(|page| scope.spawn(|| faults(page)))
            .collect();
        let ended = started.into_iter().map(|page| page.join().unwrap());
        ended.collect::<Vec<_>>()
    });
    let run: usize = faults.iter().map(|(run, _)| run).sum();
    let wrong: Vec<String> = faults.into_iter().flat_map(|(_, wrong)| wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(run > 30, "{run}");
}

/// How many commands `page` shows, and what those do otherwise that do so. They are typed one after the other.
fn faults(page: &Path) -> (usize, Vec<String>) {
    let shown = commands(&fs::read_to_string(page).unwrap());
    if shown.is_empty() {
        return (0, Vec::new());
    }
    let world = sample();
    world.done(&["import", "claude-code"]);
    let wrong = shown.iter().filter_map(|shown| fault(&world, page, shown));
    (shown.len(), wrong.collect())
}

#[test]
fn no_command_stands_where_it_is_not_run() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for block in text.split("\n```").skip(1).step_by(2) {
            let typed = |line: &&str| line.trim_start_matches("$ ").starts_with("plantune ");
            let first = block.lines().skip(1).find(typed);
            // What the hook says begins so, too: "plantune: 5 asked today".
            let run = block.starts_with("console");
            assert!(run || first.is_none(), "{}: {first:?}", page.display());
        }
    }
}

/// The difference between what the command does and what `page` shows, if any.
fn fault(world: &World, page: &Path, shown: &Shown) -> Option<String> {
    if shown.command.contains("| jq") && !Path::new("/usr/bin/jq").exists() {
        skipped(
            "documents::every_command_of_the_documents_prints_what_they_show",
            "jq",
        );
        return None;
    }
    let ran = type_in(world, &shown.command);
    let printed = match ran.code {
        0 => ran.stdout.clone(),
        _ => format!("{}{}", ran.stdout, ran.stderr),
    };
    let lines: Vec<&str> = printed.trim_matches('\n').lines().collect();
    let as_shown = shown.output.is_empty() || is_shown(&shown.output, &lines);
    if ran.code == shown.exit_code && as_shown {
        return None;
    }
    Some(format!(
        "{}:{}: {} (exit code {})\n{printed}{}",
        page.display(),
        shown.line,
        shown.command,
        ran.code,
        if ran.code == 0 {
            ran.stderr.as_str()
        } else {
            ""
        }
    ))
}

#[test]
fn commands_in_the_text_exist() {
    let mut help: BTreeMap<String, String> = BTreeMap::new();
    let world = World::at("home");
    let mut wrong = Vec::new();
    for page in everything() {
        let text = fs::read_to_string(&page).unwrap();
        for command in mentioned(&text) {
            let words: Vec<&str> = command.split_whitespace().skip(1).collect();
            let verbs = words.iter().take_while(|word| is_verb(word));
            let verbs: Vec<&str> = verbs.copied().take(2).collect();
            if verbs.is_empty() || verbs[0] == "fleet" || verbs[0] == "help" {
                continue;
            }
            // The second word may be a value, as in `report next-area`.
            let known = (1..=verbs.len()).rev().find_map(|count| {
                let mut asked = verbs[..count].to_vec();
                asked.push("--help");
                let printed = help.entry(asked.join(" ")).or_insert_with(|| {
                    let ran = world.run(&asked);
                    if ran.code == 0 {
                        ran.stdout
                    } else {
                        String::new()
                    }
                });
                (!printed.is_empty()).then(|| printed.clone())
            });
            let known = known.unwrap_or_default();
            let unknown = |word: &&&str| {
                let option = word.split(['=', '|', ']']).next().unwrap();
                word.starts_with("--") && !known.contains(option)
            };
            if known.is_empty() || words.iter().any(|word| unknown(&word)) {
                wrong.push(format!("{}: {command}", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The commands of plantune that `text` names between backquotes, outside of blocks.
fn mentioned(text: &str) -> Vec<String> {
    let outside = text.split("\n```").step_by(2);
    let spans = outside.flat_map(|text| text.split('`').skip(1).step_by(2));
    let commands = spans.filter(|span| span.starts_with("plantune "));
    commands.map(|span| span.replace('\n', " ")).collect()
}

fn is_verb(word: &str) -> bool {
    !word.is_empty()
        && word.chars().all(|c| c.is_ascii_lowercase() || c == '-')
        && !word.starts_with('-')
}

/// Every page of the repository.
fn everything() -> Vec<PathBuf> {
    let folders = [
        "",
        "docs",
        "docs/development",
        "plugin",
        "plugin/skills/plantune",
    ];
    folders
        .iter()
        .flat_map(|folder| markdown(&root().join(folder)))
        .collect()
}

#[test]
fn links_lead_somewhere() {
    let mut dead = Vec::new();
    for page in everything() {
        let text = fs::read_to_string(&page).unwrap();
        for target in text
            .split("](")
            .skip(1)
            .map(|rest| rest.split(')').next().unwrap())
        {
            if target.starts_with("http") || target.contains(char::is_whitespace) {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = match file {
                "" => page.clone(),
                file => page.parent().unwrap().join(file),
            };
            let there = file.is_file() || file.is_dir();
            if !there || !(anchor.is_empty() || anchors(&file).contains(anchor)) {
                dead.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

/// The anchors of a page's headings.
fn anchors(page: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(page).unwrap();
    let headings = text.lines().filter_map(|line| line.strip_prefix('#'));
    let anchor = |heading: &str| {
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = words
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().replace(' ', "-")
    };
    headings.map(anchor).collect()
}

#[test]
fn pages_that_the_sources_name_exist() {
    let mut dead = Vec::new();
    let sources = [
        "src",
        "hooks",
        "ingest",
        "query",
        "reports",
        "migrations",
        "build",
        "benches",
        "scripts",
        "packaging",
        "plugin",
        "fuzz",
        ".github",
        "Makefile",
        "Cargo.toml",
    ];
    for source in sources {
        look_into(&root().join(source), &mut dead);
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

/// Adds the pages that files below `path` name and that are not there. Tests have paths of their own.
fn look_into(path: &Path, dead: &mut Vec<String>) {
    let name = path.file_name().unwrap().to_str().unwrap();
    if [
        "tests",
        "tests.rs",
        "target",
        "examples",
        "corpus",
        "node_modules",
    ]
    .contains(&name)
    {
        return;
    }
    if path.is_dir() {
        for file in fs::read_dir(path).unwrap() {
            look_into(&file.unwrap().path(), dead);
        }
        return;
    }
    let Ok(text) = fs::read_to_string(path) else {
        return;
    };
    let text = text.split("#[cfg(test)]").next().unwrap();
    for rest in text.split("docs/").skip(1) {
        let of_a_path = |c: char| c.is_ascii_alphanumeric() || "-_/.".contains(c);
        let page = rest
            .split(|c| !of_a_path(c))
            .next()
            .unwrap()
            .trim_end_matches('.');
        if page.ends_with(".md") && !root().join("docs").join(page).is_file() {
            dead.push(format!("{}: docs/{page}", path.display()));
        }
    }
}

/// A column of the table in `docs/agents.md` for each line of the file, in the same order.
#[test]
fn the_tested_versions_are_those_of_the_file() {
    let file = fs::read_to_string(root().join("hooks/agents/tested-versions.txt")).unwrap();
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    let versions: Vec<&str> = lines.map(|line| line.rsplit(' ').next().unwrap()).collect();
    let page = fs::read_to_string(root().join("docs/agents.md")).unwrap();
    let row = format!("| tested with | {} |", versions.join(" | "));
    assert!(page.lines().any(|line| line == row), "{row}");
}

/// The word for a small number.
fn in_letters(number: u32) -> &'static str {
    let words = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    words[number as usize]
}

#[test]
fn the_pages_name_the_numbers_of_the_code() {
    let of = Suggest::default();
    let [automatic, sessions, days] =
        [of.min_answers, of.min_sessions, of.min_days].map(in_letters);
    let [trial, two, latest] = [TRIAL_ANSWERS, TRIAL_SESSIONS, TRIAL_LATEST]
        .map(|count| in_letters(u32::try_from(count).unwrap()));
    let (run, recent) = (in_letters(TRIAL_RUN), in_letters(of.recent_agreeing));
    let after_undo = in_letters(u32::try_from(AFTER_UNDO).unwrap());
    let years = in_letters(u32::try_from(COUNTS_FOR.num_days() / 365).unwrap());
    assert_eq!(OFF_AT_REFUSALS, 2);
    let config = Config::default();
    for (page, words) in [
        (
            "suggestions",
            format!(
                "| {trial} matching answers, from {two} sessions, and no other among the last {latest}, or few in all |"
            ),
        ),
        (
            "suggestions",
            format!(
                "| {automatic} matching answers, from {sessions} sessions and {days} days, or a trial that held |"
            ),
        ),
        (
            "suggestions",
            format!("The last {run} answers (automatic: {recent}) must match."),
        ),
        ("suggestions", format!("from the last {years} years")),
        (
            "suggestions",
            format!("it takes {after_undo} new answers that agree"),
        ),
        (
            "questions",
            format!("at least {trial} matching answers, in {two} sessions"),
        ),
        ("permissions", "what you refused twice".to_owned()),
        ("settings", format!("spot_check = {} ", config.spot_check)),
        (
            "settings",
            format!(
                "away_after_minutes = {} ",
                config.report.as_ref().unwrap().away_after_minutes
            ),
        ),
        (
            "settings",
            format!(
                "default: {} to {}, by the kind",
                of.wrong_answer_seconds(QuestionKind::GoOn),
                of.wrong_answer_seconds(QuestionKind::Architecture)
            ),
        ),
        (
            "settings",
            format!(
                "seal_after_days = {} ",
                config.retention.as_ref().unwrap().seal_after_days.unwrap()
            ),
        ),
    ] {
        let text = fs::read_to_string(root().join(format!("docs/{page}.md"))).unwrap();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ") + " ";
        assert!(text.contains(&words), "docs/{page}.md: {words}");
    }
}

/// What each table of `report --by` adds up to, as `docs/reports.md` says.
#[test]
fn groups_add_up_to_the_totals() {
    let world = sample();
    world.done(&["import", "claude-code"]);
    let report = world.json(&["report", "--days", "56", "--json"]);
    let asked = report["totals"]["asked"].as_u64().unwrap();
    assert!(asked > 100, "{asked}");
    for by in [
        "asker",
        "framework",
        "project",
        "header",
        "weekday",
        "session-kind",
        "agent",
    ] {
        let words = ["report", "--days", "56", "--all", "--by", by, "--json"];
        let grouped = world.json(&words);
        let groups = grouped["groups"].as_array().unwrap();
        let sum: u64 = groups
            .iter()
            .map(|one| one["asked"].as_u64().unwrap())
            .sum();
        assert_eq!(sum, asked, "{by}");
    }
}

#[test]
fn the_documents_stay_short() {
    let words = |page: &Path| fs::read_to_string(page).unwrap().split_whitespace().count();
    let together = |pages: &[PathBuf], most: usize| {
        let counts: Vec<_> = pages.iter().map(|page| (words(page), page)).collect();
        let total: usize = counts.iter().map(|(count, _)| count).sum();
        assert!(total <= most, "{total} words, {most} at most: {counts:?}");
    };
    let all = pages();
    let (readme, docs) = all.split_first().unwrap();
    assert!(docs.len() <= 11, "{docs:?}");
    together(docs, 10_000);
    together(&markdown(&root().join("docs/development")), 9_000);
    together(std::slice::from_ref(readme), 700);
    together(&[root().join("ARCHITECTURE.md")], 900);
    let readme = fs::read_to_string(readme).unwrap();
    let blocks = readme.split("\n```").skip(1).step_by(2);
    let lines = blocks.flat_map(|block| block.lines().skip(1));
    let typed = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    assert!(typed.count() <= 12);
}
