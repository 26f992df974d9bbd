//! `export` and `report --html`: what they write where the person wants it.

use std::fs;
use std::path::Path;

use duckdb::Connection;

use super::{Run, walk};
use crate::segments::day;
use crate::world::World;

/// The file that is written, and what the person has beside it and in its place.
const NAME: &str = "all";
const OLD: &str = "mine\n";

/// A log, and a folder of the person's.
fn world(is_there: bool) -> World {
    let world = World::new();
    day(&world.path("data"), "2026-11-19", 20);
    world.done(&["ingest"]);
    world.put("there/beside", OLD);
    if is_there {
        world.put(format!("there/{NAME}"), OLD);
    }
    world
}

/// Whether the file is whole, by its form.
fn is_whole(form: &str, path: &Path) -> bool {
    match form {
        "--jsonl" => {
            let text = fs::read_to_string(path).unwrap();
            let is_event = |line: &str| serde_json::from_str::<serde_json::Value>(line).is_ok();
            text.ends_with('\n') && text.lines().count() == EVENTS && text.lines().all(is_event)
        }
        "--parquet" => {
            let name = path.display();
            let count = format!("SELECT count(*) FROM read_parquet('{name}')");
            let connection = Connection::open_in_memory().unwrap();
            let found = connection.query_row(&count, [], |row| row.get::<_, usize>(0));
            found.is_ok_and(|found| found == EVENTS)
        }
        _ => fs::read_to_string(path).unwrap().ends_with("</html>\n"),
    }
}

/// The events of [`world`].
const EVENTS: usize = 40;

fn walk_export(test: &str, form: &str, is_there: bool) {
    let start = || {
        let world = world(is_there);
        let path = world.path("there").join(NAME).display().to_string();
        let verb = if form == "--html" { "report" } else { "export" };
        let mut words = vec![verb.to_owned(), form.to_owned(), path];
        words.extend(is_there.then(|| "--force".to_owned()));
        (world, words)
    };
    let check = |world: &World, run: &Run| {
        let path = world.path("there").join(NAME);
        let is_old = fs::read_to_string(&path).is_ok_and(|text| text == OLD);
        let is_new = !is_old && path.exists();
        assert!(!is_new || is_whole(form, &path), "{run}");
        assert!(run.is_disturbed || is_new, "{run}");
        assert_eq!(is_old || is_new, is_there || is_new, "{run}");
        let mut names = world.names("there");
        // A file that replaces another gets a name of its own first, for the time between two calls.
        names.retain(|name| !(run.is_killed_at_a_rename() && name.starts_with(".plantune-")));
        let mut expected = vec!["beside"];
        expected.extend((is_there || is_new).then_some(NAME));
        expected.sort_unstable();
        assert_eq!(names, expected, "{run}");
        assert_eq!(world.text("there/beside"), OLD, "{run}");
    };
    let disturbed = walk(test, start, check);
    assert!(disturbed == 0 || disturbed > 10, "{disturbed}");
}

#[test]
#[ignore = "takes long: make test-long"]
fn events_are_all_there_or_no_file_is() {
    let test = "walked::export::events_are_all_there_or_no_file_is";
    for form in ["--jsonl", "--parquet"] {
        walk_export(test, form, false);
    }
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_file_that_is_replaced_is_the_old_one_or_the_new_one() {
    let test = "walked::export::a_file_that_is_replaced_is_the_old_one_or_the_new_one";
    for form in ["--jsonl", "--parquet", "--html"] {
        walk_export(test, form, true);
    }
}
