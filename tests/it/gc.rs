//! `plantune gc`: the built binary on a log with old days.

use std::collections::BTreeMap;
use std::fs;
use std::process::Stdio;
use std::time::Duration;

use crate::segments::{age, append, day, names, others, question, tables};
use crate::world::World;

/// Three old days, an import, something torn, and yesterday.
fn world() -> World {
    let world = World::new();
    let home = world.path("data");
    for old in ["2026-10-01", "2026-10-02", "2026-10-03"] {
        day(&home, old, 30);
    }
    let import = "import-claude-code-2026-10-04.jsonl";
    append(&home, import, question("2025-01-01", 1).as_bytes());
    append(&home, import, others("2025-01-02").as_bytes());
    age(&home, import, "2026-10-04T12:00:00Z");
    append(&home, "2026-10-05.jsonl", b"{\"torn");
    age(&home, "2026-10-05.jsonl", "2026-10-05T12:00:00Z");
    day(&home, "2026-11-19", 5);
    world
}

fn stored(world: &World) -> BTreeMap<String, Vec<String>> {
    tables(&world.paths().store())
}

#[test]
fn a_plan_changes_nothing_and_the_run_keeps_to_it() {
    let world = world();
    let nothing = World::new();
    assert_eq!(nothing.done(&["gc"]), "nothing has been logged yet\n");
    // Without a store, nothing may be touched, and none is made.
    let plan = world.done(&["gc", "--dry-run"]);
    assert!(plan.contains("to seal: 0 segments"), "{plan}");
    assert!(!world.paths().store().exists());

    world.done(&["ingest"]);
    let report = world.done(&["report", "--json"]);
    let before = (world.everything("data", &[]), report);
    insta::assert_snapshot!(world.done(&["gc", "--dry-run"]), @r"
    segment                                  size  would  because
    2026-10-01.jsonl                     25.5 KiB  seal
    2026-10-02.jsonl                     25.5 KiB  seal
    2026-10-03.jsonl                     25.5 KiB  seal
    2026-10-05.jsonl                      6 bytes  keep   ends in half a line
    2026-11-19.jsonl                      4.2 KiB  keep   too recent
    import-claude-code-2026-10-04.jsonl   1.7 KiB  seal

    to seal: 4 segments of 78.1 KiB
    to drop: 0 segments of 0 bytes
    nothing was changed
    ");
    assert_eq!(world.everything("data", &[]), before.0);

    let done = world.done(&["gc"]);
    assert!(
        done.starts_with("4 segments sealed, 0 segments dropped: ")
            && done.ends_with(" KiB freed\n"),
        "{done}"
    );
    assert_eq!(world.done(&["report", "--json"]), before.1);
    assert_eq!(
        names(&world.path("data")),
        ["2026-10-05.jsonl", "2026-10.parquet", "2026-11-19.jsonl"]
    );
    assert_eq!(
        world.done(&["gc"]),
        "0 segments sealed, 0 segments dropped: 0 bytes freed\n"
    );
    world.done(&["ingest", "--rebuild"]);
    assert_eq!(world.done(&["report", "--json"]), before.1);
}

#[test]
fn what_is_new_is_read_before_anything_is_sealed() {
    let world = world();
    let done = world.done(&["gc"]);
    assert!(
        done.starts_with("4 segments sealed, 0 segments dropped"),
        "{done}"
    );
    assert_eq!(stored(&world)["questions"].len(), 3 * 30 + 1 + 5);
}

#[test]
fn retention_is_configured_in_words_that_are_checked() {
    let world = world();
    let config = world.paths().config_file();
    world.put(&config, "[retention]\ndrop_after_days = \"soon\"\n");
    for words in [&["gc"][..], &["gc", "--dry-run"]] {
        let ran = world.run(words);
        assert_eq!(ran.code, 3, "{ran:?}");
        assert!(ran.stderr.contains("config.toml") && ran.stderr.contains("\"never\""));
    }
    // No other verb minds.
    world.done(&["ingest"]);
    world.put(
        &config,
        "[retention]\nseal_after_days = \"never\"\ndrop_after_days = 48\n",
    );
    let done = world.done(&["gc"]);
    assert!(
        done.starts_with("0 segments sealed, 3 segments dropped")
            && done.ends_with("the store was computed again without the dropped events\n"),
        "{done}"
    );
    assert_eq!(stored(&world)["questions"].len(), 1 + 5);
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_run_that_is_killed_loses_nothing() {
    let reference = world();
    let world = world();
    for delay in 0..24 {
        let mut run = world
            .command(&["gc"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(12 * delay));
        // It may have ended by itself.
        let _ = run.kill();
        run.wait().unwrap();
        if delay % 4 == 3 {
            // A hook with a wrong clock: the segment is there again.
            let name = "2026-10-02.jsonl";
            let late = question("2026-10-02", 100 + u32::try_from(delay).unwrap());
            for home in [&world, &reference] {
                append(&home.path("data"), name, late.as_bytes());
                age(&home.path("data"), name, "2026-10-06T12:00:00Z");
            }
        }
    }
    world.done(&["gc"]);
    reference.done(&["ingest"]);
    assert_eq!(stored(&reference)["questions"].len(), 3 * 30 + 1 + 5 + 6);
    assert_eq!(stored(&world), stored(&reference));
    assert_eq!(
        names(&world.path("data")),
        ["2026-10-05.jsonl", "2026-10.parquet", "2026-11-19.jsonl"]
    );
    // And from the log alone.
    world.done(&["ingest", "--rebuild"]);
    assert_eq!(stored(&world), stored(&reference));
}

#[test]
fn a_damaged_segment_is_named() {
    let world = world();
    world.done(&["gc"]);
    let path = world.path("data/events/2026-10.parquet");
    let good = fs::read(&path).unwrap();
    fs::write(&path, &good[..good.len() / 2]).unwrap();
    let ran = world.run(&["ingest", "--rebuild"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stderr.contains("2026-10.parquet is damaged") && ran.stderr.contains("hint:"),
        "{}",
        ran.stderr
    );
    let doctor = world.doctor(&[]);
    assert!(doctor.contains("2026-10.parquet is damaged"), "{doctor}");
    fs::write(&path, &good).unwrap();
    world.done(&["ingest"]);
    let doctor = world.doctor(&[]);
    assert!(doctor.contains("spool: 3 segments"), "{doctor}");
}

/// The store of a sealed month is its second copy: what is lost is said by every verb, and comes back.
#[test]
fn a_month_that_is_lost_is_shown_from_the_store_and_comes_back() {
    let world = world();
    world.done(&["gc"]);
    let path = world.path("data/events/2026-10.parquet");
    let good = fs::read(&path).unwrap();
    let mut flipped = good.clone();
    flipped[good.len() / 3] ^= 4;
    let report = ["report", "--since", "2026-10-01", "--json"];
    let before = (world.done(&report), stored(&world));
    assert!(before.0.contains("\"questions\":"), "{}", before.0);
    for (what, is_damaged) in [
        ("is gone, with 186 events", false),
        ("is damaged, with 185 events", true),
    ] {
        match is_damaged {
            true => fs::write(&path, &flipped).unwrap(),
            false => fs::remove_file(&path).unwrap(),
        }
        // What is new goes into the store beside it.
        let ran = world.run(&report);
        assert_eq!((ran.code, &ran.stdout), (0, &before.0), "{}", ran.stderr);
        for words in [
            &report[..],
            &["log"],
            &["suggest"],
            &["ingest"],
            &["export", "--jsonl", "-"],
        ] {
            let ran = world.run(words);
            assert_eq!(ran.code, 0, "{words:?}: {}", ran.stderr);
            let said = format!("2026-10.parquet {what}");
            assert!(ran.stderr.contains(&said), "{words:?}: {}", ran.stderr);
            assert!(
                ran.stderr.contains("`plantune restore-month 2026-10`"),
                "{words:?}: {}",
                ran.stderr
            );
        }
        assert_eq!(stored(&world), before.1);
        let doctor = world.doctor(&[]);
        assert!(doctor.contains(what), "{doctor}");
        assert!(
            doctor.contains("plantune restore-month 2026-10"),
            "{doctor}"
        );
        // Another time zone would have it computed again: the store is shown as it is.
        let mut elsewhere = world.command(&["report", "--json", "--time-zone", "Asia/Tokyo"]);
        let ran = crate::world::run(&mut elsewhere);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(!ran.stderr.contains("computing"), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("only copy of 2026-10.parquet"),
            "{}",
            ran.stderr
        );
        assert_eq!(stored(&world), before.1);

        assert_eq!(world.run(&["restore-month", "2026-09"]).code, 2);
        let done = world.done(&["restore-month"]);
        assert!(
            done.starts_with("2026-10.parquet is there again, with "),
            "{done}"
        );
        let aside = world.path("data/events/2026-10.parquet.damaged");
        assert_eq!(aside.exists(), is_damaged, "{done}");
        assert_eq!(world.done(&["restore-month"]), "no month is lost\n");
        let ran = world.run(&report);
        assert_eq!((ran.stdout, ran.stderr), (before.0.clone(), String::new()));
        world.done(&["ingest", "--rebuild"]);
        assert_eq!(stored(&world), before.1);
    }
    // Who asks for it gets a store without the month, and reads which.
    fs::remove_file(&path).unwrap();
    let ran = world.run(&["ingest", "--rebuild"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stderr.contains("2026-10.parquet is gone"),
        "{}",
        ran.stderr
    );
    assert!(stored(&world)["questions"].len() < before.1["questions"].len());
}
