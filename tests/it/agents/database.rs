//! OpenCode's database: read while it is in use, and left as it is.

use std::fs;

use super::Captured;
use crate::world::World;

const CAPTURED: &str = include_str!("../../fixtures/agents/opencode.jsonl");

/// The line that says what was new of what is imported without a path.
fn imported(world: &World) -> String {
    let shown = world.done(&["import", "opencode"]);
    let line = shown.lines().find(|line| line.contains("events are new"));
    line.unwrap_or_else(|| panic!("{shown}")).to_owned()
}

#[test]
fn a_database_in_use_is_read() {
    let world = World::at("work");
    let folder = world.path("home/.local/share/opencode");
    let captured = Captured::read("opencode", CAPTURED);
    let writer = captured.put_database(&folder);
    // What is being written is not there yet, and keeps nobody waiting.
    let table = "BEGIN IMMEDIATE; UPDATE part SET data = replace(data, 'Tests', 'Other')";
    writer.execute_batch(table).unwrap();
    // Beside these lies the memory that all who have it open share.
    let files =
        || ["opencode.db", "opencode.db-wal"].map(|name| fs::read(folder.join(name)).unwrap());
    let (before, names) = (files(), world.names(&folder));
    let line = imported(&world);
    assert!(!line.starts_with("0 events"), "{line}");
    assert!(files() == before);
    assert_eq!(world.names(&folder), names);
    writer.execute_batch("ROLLBACK").unwrap();
    assert!(imported(&world).starts_with("0 events are new"));
}

#[test]
fn a_database_that_nobody_uses_is_left_as_it_is() {
    let world = World::at("work");
    let folder = world.path("home/.local/share/opencode");
    let captured = Captured::read("opencode", CAPTURED);
    drop(captured.put_database(&folder));
    let before = world.everything(&folder, &[]);
    assert_eq!(world.names(&folder), ["opencode.db"]);
    assert!(!imported(&world).starts_with("0 events"));
    assert!(world.everything(&folder, &[]) == before);
}

#[test]
fn what_is_no_such_database_is_said() {
    let world = World::at("work");
    let folder = world.path("home/.local/share/opencode");
    let ran = world.run(&["import", "opencode"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    world.put(
        folder.join("opencode.db"),
        "no database, but long enough to be taken for one",
    );
    let shown = world.done(&["import", "opencode"]);
    assert!(shown.contains("file is not a database"), "{shown}");
    fs::remove_file(folder.join("opencode.db")).unwrap();
    let other = rusqlite::Connection::open(folder.join("opencode.db")).unwrap();
    other.execute_batch("CREATE TABLE messages (id)").unwrap();
    let shown = world.done(&["import", "opencode"]);
    assert!(shown.contains("no such table: part"), "{shown}");
}
