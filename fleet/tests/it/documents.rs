//! The commands of docs/fleet.md are run and print what the page shows; so are the statements of docs/development/fleet-sql.md, where
//! there is an engine.

#[path = "../../../tests/documents/mod.rs"]
#[allow(dead_code, reason = "only some pages are the fleet's")]
mod commands_shown;

use std::fs;
use std::path::Path;

use commands_shown::{commands, is_shown, root};
use duckdb::Connection;
use plantune_fleet::engine::VIEWS;

use crate::home::{Fleet, Machine, answered, text, total};

#[test]
fn every_command_of_the_page_prints_what_it_shows() {
    let fleet = Fleet::new();
    let machine = fleet.machine("one");
    machine.log(&answered(
        "toolu_1",
        "2026-11-20T10:00:00Z",
        20,
        "Create it",
    ));
    let page = fs::read_to_string(root().join("../docs/fleet.md")).unwrap();
    let (lake, home) = (fleet.lake(), machine.home.to_str().unwrap());
    let mut wrong = Vec::new();
    let shown = commands(&page);
    assert!(shown.len() > 4);
    for shown in shown {
        let typed = shown.command.strip_prefix("plantune fleet ").unwrap();
        let mut words: Vec<String> = typed
            .split_whitespace()
            .map(|word| {
                word.replace("/mnt/share/plantune", lake.to_str().unwrap())
                    .replace('~', home)
            })
            .collect();
        if ["init", "forget"].contains(&words[0].as_str()) {
            words.push("--yes".to_owned());
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = machine.run(&words);
        let printed = text(&ran.stdout);
        let lines: Vec<&str> = printed.trim_matches('\n').lines().collect();
        let as_shown = shown.output.is_empty() || is_shown(&shown.output, &lines);
        if ran.status.code() != Some(shown.exit_code) || !as_shown {
            let said = text(&ran.stderr);
            wrong.push(format!(
                "docs/fleet.md:{}: {}\n{printed}{said}",
                shown.line, shown.command
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The statements of a part of docs/development/fleet-sql.md, with the folders of a test, which SQL takes as they are.
pub(crate) fn statements(heading: &str, lake: &Path, merged: &Path) -> Vec<String> {
    let page = fs::read_to_string(root().join("../docs/development/fleet-sql.md")).unwrap();
    let part = page.split_once(&format!("\n## {heading}\n")).unwrap().1;
    let part = part.split("\n## ").next().unwrap();
    let blocks = part.split("```sql\n").skip(1);
    let text: String = blocks
        .map(|block| block.split("```").next().unwrap())
        .collect();
    let text = text
        .replace("/mnt/share/plantune", lake.to_str().unwrap())
        .replace("/mnt/share/merged", merged.to_str().unwrap());
    let statements = text
        .split(";\n")
        .map(str::trim)
        .filter(|one| !one.is_empty());
    statements.map(str::to_owned).collect()
}

/// Merges a month of a lake into another, by the page's statements for DuckDB. Both folders have plain names here.
pub(crate) fn merge(lake: &Path, merged: &Path) -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    let all = statements("DuckDB", lake, merged);
    fs::create_dir_all(merged.join("v=1")).unwrap();
    for statement in &all[..2] {
        connection.execute_batch(statement).unwrap();
    }
    connection
}

/// Five machines with two weeks of questions, in a lake whose name SQL takes as it is.
fn lake() -> (Fleet, Vec<Machine>) {
    let mut fleet = Fleet::new();
    fleet.name = "lake";
    fs::create_dir_all(fleet.lake()).unwrap();
    let machines: Vec<Machine> = (0..5)
        .map(|number| fleet.member(&format!("m{number}"), &[]))
        .collect();
    for (number, machine) in machines.iter().enumerate() {
        for day in 9..=20 {
            let ts = format!("2026-11-{day:02}T10:00:00Z");
            machine.log(&answered(&format!("{number} {day}"), &ts, 20, "Create it"));
            // One call that all know.
            machine.log(&answered(&format!("all {day}"), &ts, 20, "Create it"));
        }
        machine.text(&["push"]);
    }
    (fleet, machines)
}

#[test]
fn the_statements_for_duckdb_work_and_what_they_merge_is_read_like_any_other() {
    let (fleet, machines) = lake();
    let merged = fleet.folder.path().join("merged");
    let count = |connection: &Connection| -> (i64, i64) {
        for view in VIEWS {
            let sql = format!("CREATE OR REPLACE VIEW {} AS {}", view.name, view.sql);
            connection.execute_batch(&sql).unwrap();
        }
        let sql = "SELECT (SELECT count(*) FROM questions), (SELECT count(*) FROM events)";
        connection
            .query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
    };
    let connection = merge(&fleet.lake(), &merged);
    assert_eq!(count(&connection), (72, 144));
    let of_merged = &statements("DuckDB", &fleet.lake(), &merged)[2];
    connection.execute_batch(of_merged).unwrap();
    assert_eq!(count(&connection), (72, 144));
    for panel in statements("Grafana and Superset", &fleet.lake(), &merged) {
        let mut statement = connection.prepare(&panel).unwrap();
        let rows: usize = statement
            .query_arrow([])
            .unwrap()
            .map(|batch| batch.num_rows())
            .sum();
        assert!(rows > 0, "{panel}");
    }
    // The report on either says the same.
    let expected = machines[0].report();
    assert_eq!(total(&expected)["times"], 72);
    let found = machines[0].report_with(&["--lake", merged.to_str().unwrap()]);
    assert_eq!(
        (&found["groups"], &found["lake"]["files"]),
        (&expected["groups"], &12.into())
    );
}

/// The page's statements for Spark, in Spark's own shell, where `make fleet-spark-test` says that it is.
#[test]
fn the_statements_for_spark_work_and_what_they_merge_is_read_like_any_other() {
    let Some(spark) = std::env::var_os("SPARK_HOME") else {
        println!("skipped: SPARK_HOME is not set (make fleet-spark-test)");
        return;
    };
    let (fleet, machines) = lake();
    let merged = fleet.folder.path().join("merged");
    let mut script = statements("Spark", &fleet.lake(), &merged);
    for view in VIEWS {
        script.insert(
            1,
            format!(
                "CREATE OR REPLACE TEMPORARY VIEW {} AS {}",
                view.name, view.sql
            ),
        );
    }
    script[1..4].reverse();
    script.push("SELECT 'questions', count(*) FROM questions".to_owned());
    let file = fleet.folder.path().join("script.sql");
    fs::write(&file, script.join(";\n") + ";\n").unwrap();
    let output = std::process::Command::new(Path::new(&spark).join("bin/spark-sql"))
        .args([
            "--master",
            "local[1]",
            "--conf",
            "spark.ui.enabled=false",
            "-f",
        ])
        .arg(&file)
        .current_dir(fleet.folder.path())
        .output()
        .unwrap();
    let (said, why) = (text(&output.stdout), text(&output.stderr));
    assert!(
        output.status.success() && said.contains("questions\t72"),
        "{said}{why}"
    );
    let expected = machines[0].report();
    let found = machines[0].report_with(&["--lake", merged.to_str().unwrap()]);
    assert_eq!(
        (&found["groups"], &found["lake"]["files"]),
        (&expected["groups"], &12.into())
    );
}
