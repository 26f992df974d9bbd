//! An organisation's report: its document, for the terminal and in Markdown. The table for spreadsheets is in
//! [`crate::csv`].

use chrono::NaiveDate;
use plantune_domain::sanitize::markdown as sentence;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::amount::{counted, duration, percent, share_of};
use crate::markdown::{escape, section};
use crate::report::Section;
use crate::table::{Table, UNKNOWN, number, text};
use crate::terminal::Terminal;
use crate::text::clean;

/// A row of what was computed, by the names of its columns.
pub type Row = Map<String, Value>;

/// How much of a keyed hash is shown.
const SHOWN_OF_HASH: usize = 8;

/// A column of a table: its title, what it shows, and how soon it is left out.
type Column = (&'static str, &'static str, u8);

/// The columns of a table of questions.
const QUESTIONS: &[Column] = &[
    ("asked", "asked", 0),
    ("answered", "answered", 0),
    ("decided", "auto_decided", 0),
    ("failed", "failed", 2),
    ("dismissed", "dismissed", 2),
    ("median", "median_seconds", 1),
    ("agrees", "agreement", 1),
    ("most often", "top_answer_share", 3),
    ("machines", "machines", 0),
    ("projects", "projects", 2),
];

/// The same of prompts for permission.
const PROMPTS: &[Column] = &[
    ("asked", "asked", 0),
    ("granted", "granted", 0),
    ("refused", "refused", 0),
    ("waited", "seconds", 1),
    ("machines", "machines", 0),
    ("projects", "projects", 2),
];

/// The same of what nobody answers differently.
const ALIKE: &[Column] = &[
    ("answer", "answer_hash", 0),
    ("answers", "answers", 0),
    ("machines", "machines", 0),
];

/// The report; see docs/fleet.md.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Document {
    /// The first and the last day, of UTC.
    pub days: (NaiveDate, NaiveDate),
    /// Of a group of fewer machines nothing is shown.
    pub k: u32,
    /// The figures (`query/sql/fleet/figures.sql`), part by part.
    pub groups: Vec<Row>,
    /// What nobody answers differently (`query/sql/fleet/alike.sql`).
    pub answered_alike: Vec<Row>,
    /// What was read.
    pub lake: Lake,
}

/// What was read.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Lake {
    /// The lake, as configured.
    pub address: String,
    /// Files that were read: of the days of the report, and some around these.
    pub files: u64,
    /// Rows in these.
    pub rows: u64,
    /// Machines that pushed them.
    pub machines: u64,
    /// Files that could not be read, and why.
    pub skipped: Vec<String>,
}

/// Writes the report to `out`, with `top` questions and askers.
pub fn show(document: &Document, top: usize, out: &mut Terminal) {
    for line in lead(document) {
        out.hanging("", "  ", line);
    }
    for part in sections(document, top) {
        out.line("");
        out.rows(&part.columns, &part.rows);
        for note in &part.notes {
            out.hanging("", "  ", note);
        }
    }
    for skipped in &document.lake.skipped {
        out.hanging("", "  ", format!("skipped {}", clean(skipped)));
    }
}

/// The report in Markdown with tables (GitHub's), which list `top` questions and askers.
pub fn markdown(document: &Document, top: usize) -> String {
    let lead = lead(document).map(|line| sentence(&line)).join("\n\n");
    let tables: String = sections(document, top).iter().map(section).collect();
    let skipped = document.lake.skipped.iter();
    let skipped: String = skipped
        .map(|one| format!("- skipped {}\n", escape(one)))
        .collect();
    format!("# Questions of the organisation\n\n{lead}\n\n{tables}{skipped}")
}

/// The period and what was read; the totals, or why there are none.
fn lead(document: &Document) -> [String; 2] {
    let (lake, (start, end)) = (&document.lake, document.days);
    let read = format!(
        "{start} to {end} (UTC), of {} that {} pushed in {} of {}",
        counted(lake.rows, "event", "events"),
        counted(lake.machines, "machine", "machines"),
        counted(lake.files, "file", "files"),
        clean(&lake.address)
    );
    let k = document.k;
    let Some(all) = rows(document, "total").find(|all| !all["name"].is_null()) else {
        let none =
            format!("Fewer than {k} machines had a question in this period: nothing is shown.");
        return [read, none];
    };
    let count = |name: &str| all.get(name).and_then(Value::as_u64).unwrap_or_default();
    let totals = format!(
        "{}: {} answered by people in {}, {} decided without; {} dismissed, {} failed, {} open; {}, {}. (rest): groups \
         of fewer than {k} machines; where these are fewer together, too, with the smallest other group.",
        counted(count("times"), "question", "questions"),
        count("answered"),
        cell(all, "seconds"),
        count("auto_decided"),
        count("dismissed"),
        count("failed"),
        count("open"),
        counted(count("machines"), "machine", "machines"),
        counted(count("projects"), "project", "projects"),
    );
    [read, totals]
}

fn rows<'d>(document: &'d Document, part: &str) -> impl Iterator<Item = &'d Row> {
    let groups = document.groups.iter();
    groups.filter(move |row| row["part"] == part)
}

/// The tables, with `top` rows each of questions, askers and what is answered alike.
fn sections(document: &Document, top: usize) -> Vec<Section> {
    let part = |title: &str, part: &'static str, most: usize, columns| {
        let found: Vec<&Row> = rows(document, part).collect();
        table(title, part, &found, most, columns)
    };
    let all = usize::MAX;
    let alike: Vec<&Row> = document.answered_alike.iter().collect();
    let found = [
        part("Weeks", "week", all, QUESTIONS),
        part("Questions", "question", top, QUESTIONS),
        part("Askers", "asker", top, QUESTIONS),
        part("Session kinds", "session kind", all, QUESTIONS),
        part("Failures", "error", all, QUESTIONS),
        table(
            "What nobody answers differently",
            "answered alike",
            &alike,
            top,
            ALIKE,
        ),
        part("Prompts for permission", "prompts", all, PROMPTS),
        part("By tool", "tool", all, PROMPTS),
    ];
    found.into_iter().flatten().collect()
}

/// `most` of the rows and the rest, in a table; `None` where there are none.
fn table(
    title: &str,
    what: &'static str,
    rows: &[&Row],
    most: usize,
    columns: &[Column],
) -> Option<Section> {
    let is_rest = |row: &&Row| row.get("name").is_some_and(Value::is_null);
    let (rest, named): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| is_rest(row));
    let mut table = Table::of(named.iter().copied().take(most).chain(rest));
    table.add(text(what).least(16), name);
    for (title, column, rank) in columns {
        let shown = match *column {
            "top_answer_share" | "answer_hash" => text(title).least(12),
            _ => number(title),
        };
        table.add(shown.rank(*rank), |row| cell(row, column));
    }
    let more = named.len().saturating_sub(most);
    let note = (more > 0).then(|| format!("and {more} more (--top, --json)"));
    let section = Section::new(title, table).with_notes(note.into_iter().collect());
    (!rows.is_empty()).then_some(section)
}

/// What a group is called.
fn name(row: &Row) -> String {
    let names = ["label", "name", "question_key"].into_iter();
    let found = names.filter_map(|name| row.get(name)?.as_str()).next();
    found.map_or_else(|| format!("(rest: {})", cell(row, "groups")), str::to_owned)
}

/// A value as people read it.
fn cell(row: &Row, column: &str) -> String {
    let value = row.get(column).unwrap_or(&Value::Null);
    let fraction = value.as_f64().unwrap_or_default();
    match column {
        _ if value.is_null() => UNKNOWN.to_owned(),
        "agreement" => {
            let n = row.get("agreement_n").and_then(Value::as_u64);
            share_of(fraction, n.unwrap_or_default())
        }
        "top_answer_share" => {
            let answer = answer(row, "top_answer", "top_answer_hash");
            format!("{} {answer}", percent(fraction))
        }
        "answer_hash" => answer(row, "answer", column),
        _ if column.ends_with("seconds") => duration(fraction),
        _ => value.to_string(),
    }
}

fn answer(row: &Row, answer: &str, hash: &str) -> String {
    let text = |name: &str| row.get(name).and_then(Value::as_str);
    answer_in_short(text(answer), text(hash).unwrap_or_default())
}

/// An answer in clear where that is known, else the beginning of its hash.
pub fn answer_in_short(answer: Option<&str>, hash: &str) -> String {
    match answer {
        Some(answer) => answer.to_owned(),
        None if hash.starts_with('(') => hash.to_owned(),
        None => format!("#{}", hash.chars().take(SHOWN_OF_HASH).collect::<String>()),
    }
}
