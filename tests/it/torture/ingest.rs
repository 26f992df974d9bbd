//! The writer, killed at any moment. The next command gives the tables of an undisturbed run, without a
//! person, in about the time that computing the store takes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::ops::Range;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::clock::timestamp;
use plantune_domain::spool;
use serde_json::{Value, json};

use super::history::{History, Ratios, chance, how_to_repeat, up_to};
use super::killer::{Tally, assert_tidy, timed};
use crate::chance::Chance;
use crate::store_content::Tables;
use crate::world::World;

/// How long the log is in the beginning, in bytes: at length, computing the store takes half a second or
/// more in a release build.
const BYTES: [usize; 2] = [96 * 1024, 48 * 1024 * 1024];

/// How much is logged from one round to the next, in bytes.
const ROUND_BYTES: [usize; 2] = [16 * 1024, 2 * 1024 * 1024];

/// How much is logged while a run is at work, in bytes.
const BYTES_MEANWHILE: usize = 8 * 1024;

/// How many runs are killed over one state of the log.
const KILLS_A_ROUND: u32 = 8;

/// The commands that may come next.
const NEXT: [&[&str]; 3] = [&["ingest"], &["report", "--json"], &["log"]];

#[test]
#[ignore = "takes long: make test-long"]
fn an_ingest_killed_at_any_moment() {
    let mut torture = Torture::new();
    while torture.tally.killed() < super::kills() {
        torture.log_more();
        let killed = torture.tally.killed();
        let end = super::kills().min(killed + KILLS_A_ROUND);
        while torture.tally.killed() < end {
            torture.kill();
        }
    }
    torture.end();
}

struct Torture {
    chance: Chance,
    history: History,
    world: World,
    tally: Tally,
    ratios: Ratios,
    undisturbed: Undisturbed,
    /// The store before the log last grew.
    before: PathBuf,
    /// How long the step from there takes undisturbed.
    step: Duration,
}

/// A store computed in one go from the present log.
struct Undisturbed {
    tables: Tables,
    computing: Duration,
    _home: World,
}

impl Undisturbed {
    fn of(world: &World) -> Self {
        let copy = World::at("work");
        copy.copy_log(world);
        let computing = timed(&copy, &["ingest"]);
        Self {
            tables: Tables::of(&copy.paths().store()),
            computing,
            _home: copy,
        }
    }
}

impl Torture {
    fn new() -> Self {
        let mut chance = chance();
        let mut history = History::new(chance.fork());
        let world = World::at("work");
        history.append(&world.paths().events(), of_form(BYTES));
        // Whatever chance brings, something is in quarantine.
        let bad = world.paths().events().join("2020-01-01.jsonl");
        plantune_domain::atomic_file::replace(&bad, b"no event\n", 0o600).unwrap();
        world.done(&["ingest"]);
        Self {
            before: world.path("before.duckdb"),
            step: Duration::ZERO,
            undisturbed: Undisturbed::of(&world),
            chance,
            history,
            world,
            tally: Tally::default(),
            ratios: Ratios::default(),
        }
    }

    /// The log grows, and the store with it.
    fn log_more(&mut self) {
        fs::copy(self.world.paths().store(), &self.before).unwrap();
        let events = self.world.paths().events();
        self.history.append(&events, of_form(ROUND_BYTES));
        self.undisturbed = Undisturbed::of(&self.world);
        self.step = timed(&self.world, &["ingest"]);
        self.assert_same();
    }

    /// Kills a run, perhaps the next ones too, and lets another end.
    fn kill(&mut self) {
        let store = self.world.paths().store();
        let computing = self.undisturbed.computing;
        let (words, most): (&[&str], _) = match self.chance.below(4) {
            // The first run of all.
            0 => {
                fs::remove_file(&store).unwrap();
                (&["ingest"], computing)
            }
            1 => (&["ingest", "--rebuild"], computing),
            _ => {
                fs::copy(&self.before, &store).unwrap();
                (&["ingest"], self.step)
            }
        };
        let is_growing = self.chance.happens(0.15);
        self.kill_one(words, most, is_growing);
        while self.chance.happens(0.25) {
            self.kill_one(&["ingest"], computing, false);
        }
        if is_growing {
            self.undisturbed = Undisturbed::of(&self.world);
        }
        let next = self.chance.one_of(&NEXT);
        let took = timed(&self.world, next);
        self.ratios.add(took, self.undisturbed.computing);
        self.assert_same();
        // A command that finds the store as it should be writes nothing, and removes nothing.
        if next != ["ingest"] {
            self.world.done(&["ingest"]);
        }
        assert_tidy(&self.world);
    }

    /// Kills a run after a time up to a little more than `most`.
    fn kill_one(&mut self, words: &[&str], most: Duration, is_growing: bool) {
        let Self {
            chance,
            history,
            world,
            tally,
            ..
        } = self;
        let delay = up_to(most + most / 8, chance);
        let events = world.paths().events();
        tally.run(world, world.command(words), delay, || {
            if is_growing {
                history.append(&events, BYTES_MEANWHILE);
            }
        });
    }

    fn assert_same(&self) {
        Tables::of(&self.world.paths().store())
            .assert_same(&self.undisturbed.tables, how_to_repeat(&self.chance));
    }

    fn end(self) {
        let Self {
            tally,
            ratios,
            undisturbed,
            ..
        } = self;
        eprintln!("ingest: {tally}the next command, beside computing the store: {ratios}");
        eprint!("at last: {}", undisturbed.tables);
        if super::is_complete() {
            ratios.assert_bounded();
        }
        let tables = &undisturbed.tables;
        assert!(tables.count("quarantine") > 0 && tables.count("questions") > 50);
        assert!(!super::is_complete() || tally.is_spread(), "{tally}");
        assert_eq!(self.world.done(&["ingest"]), "0 events read\n");
    }
}

/// Of the small form, or of the complete one.
fn of_form([small, complete]: [usize; 2]) -> usize {
    if super::is_complete() {
        complete
    } else {
        small
    }
}

// The first run of all, killed while it makes the store.

/// A few events, in bytes.
const FEW: usize = 4 * 1024;

#[test]
#[ignore = "takes long: make test-long"]
fn killed_at_first() {
    let mut chance = chance();
    let reference = World::at("work");
    let mut history = History::new(chance.fork());
    history.append(&reference.paths().events(), FEW);
    let undisturbed = timed(&reference, &["ingest"]);
    let expected = Tables::of(&reference.paths().store());
    let mut tally = Tally::default();
    while tally.killed() < super::kills() {
        let world = World::at("work");
        world.copy_log(&reference);
        for _ in 0..=chance.below(3) {
            let delay = up_to(undisturbed, &mut chance);
            tally.run(&world, world.command(&["ingest"]), delay, || {});
        }
        world.done(&["ingest"]);
        assert_tidy(&world);
        Tables::of(&world.paths().store()).assert_same(&expected, how_to_repeat(&chance));
    }
    eprintln!("first runs: {tally}");
}

// `plantune import claude-code`, killed again and again over transcripts that grow: while it reads,
// while it writes the log, while it loads that into the store.

/// How many calls there are in the beginning: at length, an import writes their events in several goes.
const MANY: [u64; 2] = [400, 8_000];

/// How many come when an import had ended, and how many between two kills.
const MORE: [u64; 2] = [80, 8];

/// Every so many imports that end, an eighth as many calls come as in the beginning.
const MANY_EVERY: u32 = 8;

const IMPORT: [&str; 2] = ["import", "claude-code"];

#[test]
#[ignore = "takes long: make test-long"]
fn an_import_killed_at_any_moment() {
    let mut chance = chance();
    let world = World::at("work");
    let mut transcripts = Transcripts::new(chance.fork(), world.transcripts());
    let many = MANY[usize::from(super::is_complete())];
    transcripts.go_on(many);
    let first = World::at("work");
    let start = Instant::now();
    import_from(&first, &world);
    let undisturbed = start.elapsed();
    let mut tally = Tally::default();
    let (mut writing, mut finished_imports) = (0, 0);
    let mut unfinished = 0;
    while tally.killed() < super::kills() {
        // There is more to read every time.
        let delay = up_to(undisturbed * (1 + unfinished / 2), &mut chance);
        unfinished += 1;
        let before = log_bytes(&world);
        let finished = tally.run(&world, world.command(&IMPORT), delay, || {});
        writing += u32::from(!finished && log_bytes(&world) > before);
        finished_imports += u32::from(finished);
        transcripts.go_on(if finished && finished_imports.is_multiple_of(MANY_EVERY) {
            many / 8
        } else {
            MORE[usize::from(!finished)]
        });
        if finished {
            unfinished = 0;
        }
    }
    let said = world.done(&IMPORT);
    eprintln!(
        "import: {tally}{writing} of them had written to the log; {undisturbed:.2?} undisturbed at first; at last:\n{said}"
    );
    assert_tidy(&world);
    let tortured = Tables::of(&world.paths().store());
    eprintln!("{tortured}");
    let reference = World::at("work");
    import_from(&reference, &world);
    tortured.assert_same(
        &Tables::of(&reference.paths().store()),
        how_to_repeat(&chance),
    );
    // And from the log alone.
    let reference = World::at("work");
    reference.copy_log(&world);
    reference.done(&["ingest"]);
    tortured.assert_same(
        &Tables::of(&reference.paths().store()),
        how_to_repeat(&chance),
    );
    assert!(
        !super::is_complete() || tally.is_spread() && writing > 0,
        "{tally}"
    );
    drop(tortured);
    let said = world.done(&IMPORT);
    assert!(said.contains("\n0 events are new"), "{said}");
}

#[test]
#[ignore = "takes long: make test-long"]
fn half_a_line_of_a_killed_import() {
    let world = World::at("work");
    Transcripts::new(chance(), world.transcripts()).go_on(20);
    let reference = World::at("work");
    import_from(&reference, &world);
    // Killed while it wrote: a signal ends a long write(2) between two pages.
    let name = "import-claude-code-2026-11-20.jsonl";
    let whole = fs::read(reference.paths().events().join(name)).unwrap();
    plantune_domain::paths::create_private_dir(&world.paths().events()).unwrap();
    let torn = world.paths().events().join(name);
    plantune_domain::atomic_file::replace(&torn, &whole[..5000], 0o600).unwrap();
    world.done(&IMPORT);
    Tables::of(&world.paths().store()).assert_same(&Tables::of(&reference.paths().store()), "torn");
    assert_eq!(fs::read(&torn).unwrap(), whole);
}

/// Imports the transcripts of another world.
fn import_from(world: &World, other: &World) {
    let folder = other.transcripts();
    world.done(&[IMPORT[0], IMPORT[1], folder.to_str().unwrap()]);
}

fn log_bytes(world: &World) -> u64 {
    let Ok(segments) = fs::read_dir(world.paths().events()) else {
        return 0;
    };
    segments
        .map(|segment| segment.unwrap().metadata().unwrap().size())
        .sum()
}

// Made-up transcripts of Claude Code that grow: sessions that go on, and new ones.

/// How many calls a session makes.
const CALLS: u64 = 40;

/// A folder of transcripts.
pub(crate) struct Transcripts {
    chance: Chance,
    folder: PathBuf,
    calls: u64,
    /// The lines that the sessions have yet to write.
    later: BTreeMap<u64, Vec<Value>>,
}

impl Transcripts {
    pub(crate) fn new(chance: Chance, folder: PathBuf) -> Self {
        Self {
            chance,
            folder,
            calls: 0,
            later: BTreeMap::new(),
        }
    }

    /// Lets `calls` more calls be made; the results of the last ones come with the next.
    pub(crate) fn go_on(&mut self, calls: u64) {
        let mut lines = std::mem::take(&mut self.later);
        for _ in 0..calls {
            let (number, session) = (self.calls, self.calls / CALLS);
            self.calls += 1;
            let [asked, result] = self.call(number, session);
            lines.entry(session).or_default().push(asked);
            if self.chance.happens(0.04) {
                // The session ends here, as far as this call is concerned.
            } else if self.chance.happens(0.10) {
                self.later.entry(session).or_default().push(result);
            } else {
                lines.entry(session).or_default().push(result);
            }
        }
        for (session, lines) in lines {
            append(&self.file(session), &lines);
            if session > 0 && self.chance.happens(0.02) {
                self.resume(session);
            }
        }
    }

    /// Repeats a session's calls in a file of its own under another id, as resuming it does. The
    /// file comes behind that of the session.
    fn resume(&self, session: u64) {
        let file = self.file(session);
        let text = fs::read_to_string(&file).unwrap();
        let text = text.replace(&session_id(session), &format!("resumed-{session}"));
        fs::write(file.with_extension("resumed.jsonl"), text).unwrap();
    }

    fn file(&self, session: u64) -> PathBuf {
        let project = format!("-home-dev-project-{}", session % 4);
        self.folder
            .join(project)
            .join(format!("{session:06}.jsonl"))
    }

    fn call(&mut self, number: u64, session: u64) -> [Value; 2] {
        let topic = number % 19;
        let text = format!("What about part {number} of topic {topic}?");
        let label = |label: &str| json!({"label": label, "description": "Because it is so."});
        let mut questions = vec![
            json!({"question": text, "header": "Topic", "multiSelect": false,
            "options": [label("Go on (Recommended)"), label("Leave it")]}),
        ];
        let mut answers =
            json!({&text: if topic == 3 { "Leave it" } else { "Go on (Recommended)" }});
        if self.chance.happens(0.25) {
            let text = format!("And part {number} in detail?");
            questions.push(
                json!({"question": text, "header": "Detail", "multiSelect": false,
                "options": [label("Yes"), label("No")]}),
            );
            answers[&text] = json!("something else");
        }
        let id = format!("toolu_{:016x}", number.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        let at = first_moment()
            + TimeDelta::hours(7 * session as i64)
            + TimeDelta::minutes((number % CALLS) as i64);
        let asked = json!({"role": "assistant", "content": [{"type": "tool_use", "id": id,
            "name": "AskUserQuestion", "input": {"questions": questions}}]});
        let mut result = json!({"type": "tool_result", "tool_use_id": id});
        let returned = if self.chance.happens(0.90) {
            result["content"] = json!("Your questions have been answered.");
            json!({"questions": questions, "answers": answers, "annotations": {}})
        } else {
            result["content"] = json!("The user doesn't want to proceed with this tool use.");
            result["is_error"] = json!(true);
            json!("User rejected tool use")
        };
        let message = json!({"role": "user", "content": [result]});
        let later = at + TimeDelta::seconds(5 + self.chance.below(40) as i64);
        [
            line("assistant", session, at, &json!({"message": asked})),
            line(
                "user",
                session,
                later,
                &json!({"message": message, "toolUseResult": returned}),
            ),
        ]
    }
}

fn line(kind: &str, session: u64, at: DateTime<Utc>, more: &Value) -> Value {
    let mut line = json!({"type": kind, "uuid": "u", "timestamp": timestamp(at),
        "sessionId": session_id(session), "cwd": format!("/nowhere/project-{}", session % 4),
        "version": "2.1.197", "entrypoint": "cli", "gitBranch": "main", "isSidechain": false});
    let more = more.as_object().unwrap().clone();
    line.as_object_mut().unwrap().extend(more);
    line
}

fn session_id(session: u64) -> String {
    format!("00000000-0000-4000-8000-{session:012}")
}

fn append(file: &Path, lines: &[Value]) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let mut file = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(file)
        .unwrap();
    let text: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    file.write_all(text.concat().as_bytes()).unwrap();
}

fn first_moment() -> DateTime<Utc> {
    "2026-08-01T06:00:00Z".parse().unwrap()
}

// A large transaction, killed: its rows go into the store's file as they come, long before the commit that
// makes them count.

/// More than a full row group (122,880 rows) for each of a few threads. Behind as many that are in the
/// store already, they are added to it; it is not computed again.
const QUESTIONS: u32 = 400_000;

#[test]
#[ignore = "takes minutes; `make torture` runs it"]
fn a_large_transaction() {
    let mut chance = chance();
    let world = World::at("work");
    log(&world.paths().events(), "2026-11-18", 0..QUESTIONS);
    world.done(&["ingest"]);
    let half = world.path("half.duckdb");
    fs::copy(world.paths().store(), &half).unwrap();
    log(
        &world.paths().events(),
        "2026-11-19",
        QUESTIONS..2 * QUESTIONS,
    );
    let reference = World::at("work");
    reference.copy_log(&world);
    reference.done(&["ingest"]);
    let undisturbed = timed(&world, &["ingest"]);
    fs::copy(&half, world.paths().store()).unwrap();
    let mut tally = Tally::default();
    while tally.killed() < super::kills().div_ceil(10) {
        let delay = up_to(undisturbed, &mut chance);
        if tally.run(&world, world.command(&["ingest"]), delay, || {}) {
            fs::copy(&half, world.paths().store()).unwrap();
        }
    }
    world.done(&["ingest"]);
    eprintln!("large transactions: {tally}{undisturbed:.2?} undisturbed");
    assert_tidy(&world);
    Tables::of(&world.paths().store()).assert_same(
        &Tables::of(&reference.paths().store()),
        how_to_repeat(&chance),
    );
    // What was written in vain is written over, and does not add up.
    let size = |world: &World| fs::metadata(world.paths().store()).unwrap().len();
    let (tortured, expected) = (size(&world), size(&reference));
    assert!(
        tortured < 2 * expected,
        "{tortured} bytes, {expected} undisturbed"
    );
}

/// Questions that are asked, in the shortest lines there are.
fn log(events: &Path, day: &str, numbers: Range<u32>) {
    let mut lines = String::new();
    for number in numbers {
        let (minute, second) = (number / 60 % 60, number % 60);
        // Bits of a hash, as ids are.
        let id = u128::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        writeln!(
            lines,
            "{{\"v\":1,\"id\":\"{id:032x}\",\"ts\":\"{day}T10:{minute:02}:{second:02}.000Z\",\
             \"kind\":\"asked\",\"session_id\":\"s{}\",\"session_kind\":\"interactive\",\
             \"project\":\"p{}\",\"cwd\":\"/w\",\"source\":\"hook\",\"tool_use_id\":\"t{number}\",\
             \"question_index\":0,\"question_key\":\"k\",\"question\":\"Q?\"}}",
            number / 50,
            number % 7
        )
        .unwrap();
    }
    spool::append_to(&events.join(format!("{day}.jsonl")), lines.as_bytes()).unwrap();
}
