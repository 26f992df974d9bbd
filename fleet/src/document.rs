//! An organisation's report: its document, for the terminal, in Markdown and as a table for spreadsheets.

use std::io;

use chrono::NaiveDate;
use plantune_domain::sanitize::markdown as sentence;
use plantune_reports::csv::written;
use plantune_reports::humanize::{counted, duration, percent, share_of};
use plantune_reports::table::{Section, Table, UNKNOWN, escape, number, section, text};
use plantune_reports::terminal::Terminal;
use plantune_reports::text::clean;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A row of what was computed, by the names of its columns.
pub(crate) type Row = Map<String, Value>;

/// How much of a keyed hash is shown.
const SHOWN_OF_HASH: usize = 8;

/// A column of a table: its title, what it shows, and how soon it is left out.
type FleetColumn = (&'static str, &'static str, u8);

/// The columns of a table of questions.
const QUESTIONS: &[FleetColumn] = &[
    ("asked", "asked", 0),
    ("answered", "answered", 0),
    ("by plantune", "auto_decided", 0),
    ("failed", "failed", 2),
    ("unanswered", "dismissed", 2),
    ("median", "median_seconds", 1),
    ("as recommended", "agreement", 1),
    ("usual answer", "top_answer_share", 3),
    ("machines", "machines", 0),
    ("projects", "projects", 2),
];

/// The same of permission prompts.
const PROMPTS: &[FleetColumn] = &[
    ("asked", "asked", 0),
    ("allowed", "granted", 0),
    ("refused", "refused", 0),
    ("agents waited", "seconds", 1),
    ("machines", "machines", 0),
    ("projects", "projects", 2),
];

/// The tables: their titles, the parts of the report that they show, and their columns.
const TABLES: [(&str, &str, &[FleetColumn]); 7] = [
    ("Weeks", "week", QUESTIONS),
    ("Questions", "question", QUESTIONS),
    ("Askers", "asker", QUESTIONS),
    ("Session kinds", "session kind", QUESTIONS),
    ("Failures", "error", QUESTIONS),
    ("Permission prompts", "prompts", PROMPTS),
    ("By tool", "tool", PROMPTS),
];

/// The columns of the table for spreadsheets.
const CSV: &str = "part name label groups times asked answered auto_decided failed dismissed granted refused \
                   ambiguous open calls sessions machines projects seconds away_answers away_seconds \
                   median_seconds agreement agreement_n top_answer_hash top_answer top_answer_times \
                   top_answer_machines top_answer_share";

/// The report; see docs/fleet.md.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct FleetReport {
    /// The first and the last day, of UTC.
    pub(crate) days: (NaiveDate, NaiveDate),
    /// Of a group of fewer machines nothing is shown.
    pub(crate) k: u32,
    /// The figures (`fleet/sql/figures.sql`), part by part.
    pub(crate) groups: Vec<Row>,
    /// Questions that nobody answers differently.
    pub(crate) answered_alike: Vec<Alike>,
    /// The lake that was read.
    pub(crate) lake: LakeContents,
}

/// How many machines say the same to a question (`fleet/sql/alike.sql`).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Alike {
    /// The question's key, as it is pushed.
    pub(crate) question_key: String,
    /// Its name in clear, where a machine pushed that.
    pub(crate) label: Option<String>,
    /// The answer's keyed hash.
    pub(crate) answer_hash: String,
    /// The answer, where a machine pushed that in clear.
    pub(crate) answer: Option<String>,
    /// Machines of which at least three of four answers are this one.
    pub(crate) agreeing: u64,
    /// Machines that answered.
    pub(crate) machines: u64,
    /// How often this answer was given.
    pub(crate) times: u64,
    /// How often any was.
    pub(crate) answers: u64,
}

/// The lake that was read.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct LakeContents {
    /// The lake, as configured.
    pub(crate) address: String,
    /// Files that were read: of the days of the report, and some around these.
    pub(crate) files: u64,
    /// Rows in these.
    pub(crate) rows: u64,
    /// Machines that pushed them.
    pub(crate) machines: u64,
    /// Files that could not be read, and why.
    pub(crate) skipped: Vec<String>,
}

/// Writes the report to `out`, with `top` questions and askers.
pub(crate) fn show(document: &FleetReport, top: usize, out: &mut Terminal) {
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
pub(crate) fn markdown(document: &FleetReport, top: usize) -> String {
    let lead = lead(document).map(|line| sentence(&line)).join("\n\n");
    let tables: String = sections(document, top).iter().map(section).collect();
    let skipped = document.lake.skipped.iter();
    let skipped: String = skipped
        .map(|one| format!("- skipped {}\n", escape(one)))
        .collect();
    format!("# What agents asked in the organisation\n\n{lead}\n\n{tables}{skipped}")
}

/// All groups as CSV, a line each.
///
/// # Errors
/// The errors of the serialiser; none is known.
pub(crate) fn csv(document: &FleetReport) -> io::Result<String> {
    written(CSV, &document.groups)
}

/// The period and what was read; the totals, or why there are none.
fn lead(document: &FleetReport) -> [String; 2] {
    let (lake, (start, end), k) = (&document.lake, document.days, document.k);
    let read = format!(
        "{start} to {end} (UTC), from {} of {} in {} of {}",
        counted(lake.rows, "event", "events"),
        counted(lake.machines, "machine", "machines"),
        counted(lake.files, "file", "files"),
        clean(&lake.address)
    );
    let few = counted(k, "machine", "machines");
    let has_rest = document.groups.iter().any(|row| row["name"].is_null());
    let rest = match has_rest {
        true => format!(
            " \"(rest)\" adds up the groups of fewer than {few}; if these have fewer together, the smallest other group \
             joins them."
        ),
        false => String::new(),
    };
    let totals = match rows(document, "total").find(|all| !all["name"].is_null()) {
        None => format!("Fewer than {few} had a question in this period: nothing is shown."),
        Some(all) => format!(
            "{} on {} in {}. People answered {}, which took {}; plantune answered {}. Left unanswered: {}; could not \
             be asked: {}; still open: {}.{rest}",
            several(all, "times", ["question", "questions"]),
            several(all, "machines", ["machine", "machines"]),
            several(all, "projects", ["project", "projects"]),
            all["answered"],
            cell(all, "seconds"),
            all["auto_decided"],
            all["dismissed"],
            all["failed"],
            all["open"],
        ),
    };
    [read, totals]
}

/// The count in `column`, with the word for what it counts.
fn several(row: &Row, column: &str, [one, many]: [&str; 2]) -> String {
    counted(row[column].as_u64().unwrap_or_default(), one, many)
}

fn rows<'d>(document: &'d FleetReport, part: &str) -> impl Iterator<Item = &'d Row> {
    let groups = document.groups.iter();
    groups.filter(move |row| row["part"] == part)
}

/// The tables that have rows, with `top` rows each of questions, askers and what is answered alike.
fn sections(document: &FleetReport, top: usize) -> Vec<Section> {
    let mut found = Vec::new();
    for (title, part, columns) in TABLES {
        let is_rest = |row: &&Row| row["name"].is_null();
        let (rest, named): (Vec<&Row>, Vec<&Row>) = rows(document, part).partition(is_rest);
        let is_long = ["question", "asker"].contains(&part);
        let most = if is_long { top } else { named.len() };
        let mut table = Table::of(named.iter().copied().take(most).chain(rest));
        table.add(text(part).least(16), name);
        for (title, column, rank) in columns {
            let shown = match *column {
                "top_answer_share" => text(title).least(12),
                _ => number(title),
            };
            table.add(shown.rank(*rank), |row| cell(row, column));
        }
        found.push(listed(title, table, named.len().saturating_sub(most)));
    }
    let alike = &document.answered_alike;
    let mut table = Table::of(alike.iter().take(top));
    table.add(text("always the same answer").least(16), |one| {
        one.label.as_ref().unwrap_or(&one.question_key)
    });
    table.add(text("answer").least(12), |one| {
        answer_in_short(one.answer.as_deref(), &one.answer_hash)
    });
    table.add(number("answers"), |one| one.answers);
    table.add(number("machines"), |one| one.machines);
    let title = "What nobody answers differently";
    found.insert(5, listed(title, table, alike.len().saturating_sub(top)));
    found.retain(|section| !section.rows.is_empty());
    found
}

/// A table that leaves out so many rows.
fn listed<T>(title: &str, table: Table<'_, 'static, T>, left_out: usize) -> Section {
    let note = (left_out > 0).then(|| format!("… and {left_out} more; `--json` lists them"));
    Section::new(title, table).with_notes(note.into_iter().collect())
}

/// The name of a group.
fn name(row: &Row) -> String {
    let found = ["label", "name"]
        .iter()
        .find_map(|name| row.get(*name)?.as_str());
    found.map_or_else(|| format!("(rest: {})", cell(row, "groups")), str::to_owned)
}

/// A value as people read it.
fn cell(row: &Row, column: &str) -> String {
    let value = row.get(column).unwrap_or(&Value::Null);
    let fraction = value.as_f64().unwrap_or_default();
    match column {
        _ if value.is_null() => UNKNOWN.to_owned(),
        "agreement" => share_of(fraction, row["agreement_n"].as_u64().unwrap_or_default()),
        "top_answer_share" => {
            let hash = row["top_answer_hash"].as_str().unwrap_or_default();
            let answer = answer_in_short(row["top_answer"].as_str(), hash);
            format!("{} {answer}", percent(fraction))
        }
        _ if column.ends_with("seconds") => duration(fraction),
        _ => value.to_string(),
    }
}

/// An answer in clear, if known, else the beginning of its hash.
pub(crate) fn answer_in_short(answer: Option<&str>, hash: &str) -> String {
    match answer {
        Some(answer) => answer.to_owned(),
        None if hash.starts_with('(') => hash.to_owned(),
        None => format!("#{hash:.SHOWN_OF_HASH$}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    // Texts that would act if they could.
    const HOSTILE: &str = "</title><script>alert(1)</script>=HYPERLINK(\"x\")|\u{1b}[31m\u{202e}";

    /// A row of a part, with what is `more` in it.
    fn row(part: &str, name: Option<&str>, times: u64, more: &Value) -> Row {
        let mut row = json!({
            "part": part, "name": name, "label": null, "groups": if name.is_some() { 1 } else { 3 }, "times": times,
            "asked": times - 1, "answered": times - 3, "auto_decided": 1, "failed": 1, "dismissed": 1, "granted": 0,
            "refused": 0, "ambiguous": 0, "open": 0, "calls": times, "sessions": 7, "machines": 6, "projects": 4,
            "seconds": 12.5 * times as f64, "away_answers": 0, "away_seconds": 0.0, "median_seconds": 12.5,
            "agreement": 0.75, "agreement_n": times - 3, "top_answer_hash": null, "top_answer": null,
            "top_answer_times": null, "top_answer_machines": null, "top_answer_share": null,
        });
        let row = row.as_object_mut().unwrap();
        row.extend(more.as_object().unwrap().clone());
        row.clone()
    }

    fn lake() -> FleetReport {
        let plain = |part: &str, name: Option<&str>, times: u64| row(part, name, times, &json!({}));
        let question = json!({
            "label": HOSTILE, "top_answer_hash": "0123456789abcdef", "top_answer": HOSTILE, "top_answer_times": 30,
            "top_answer_machines": 5, "top_answer_share": 0.9,
        });
        let prompts = json!({ "asked": 12, "granted": 9, "refused": 2, "seconds": 61.0 });
        let alike = json!({
            "question_key": "ship-create-it", "label": null, "answer_hash": "fedcba9876543210", "answer": null,
            "agreeing": 6, "machines": 6, "times": 17, "answers": 18,
        });
        FleetReport {
            days: ("2026-10-05".parse().unwrap(), "2026-11-22".parse().unwrap()),
            k: 5,
            groups: vec![
                plain("total", Some("all"), 90),
                plain("week", Some("2026-11-09"), 50),
                plain("week", Some("2026-11-16"), 34),
                plain("week", None, 6),
                row("question", Some("key-0123456789abcdef"), 40, &question),
                plain("question", Some("ship-create-it"), 20),
                plain("question", Some("layout-grid"), 10),
                plain("question", None, 20),
                plain("asker", Some("ship"), 60),
                plain("asker", Some(HOSTILE), 30),
                plain("session kind", Some("interactive"), 90),
                plain("error", Some("validation"), 4),
                row("prompts", Some("all"), 12, &prompts),
                row("tool", Some("Bash"), 12, &prompts),
            ],
            answered_alike: vec![serde_json::from_value::<Alike>(alike).unwrap()],
            lake: LakeContents {
                address: "/mnt/lake".to_owned(),
                files: 12,
                rows: 400,
                machines: 6,
                skipped: vec![format!("{HOSTILE}: damaged")],
            },
        }
    }

    /// One that fewer than k machines are behind.
    fn of_few() -> FleetReport {
        FleetReport {
            groups: Vec::new(),
            answered_alike: Vec::new(),
            lake: LakeContents::default(),
            ..lake()
        }
    }

    fn fleet_terminal(width: usize, document: &FleetReport) -> String {
        let mut out = Terminal::new(width, false);
        show(document, 2, &mut out);
        out.into_text()
    }

    #[test]
    fn on_a_terminal() {
        for width in [80, 140] {
            let text = fleet_terminal(width, &lake());
            assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
            insta::assert_snapshot!(format!("fleet_terminal_{width}"), text);
        }
        let text = fleet_terminal(80, &of_few());
        assert!(text.contains("Fewer than 5 machines"), "{text}");
    }

    #[test]
    fn in_markdown() {
        let text = markdown(&lake(), 2);
        assert!(!text.contains("<script") && !text.contains('\u{1b}'));
        insta::assert_snapshot!("fleet_markdown", text);
    }

    #[test]
    fn as_a_table() {
        let text = csv(&lake()).unwrap();
        let lines: Vec<&str> = text.split("\r\n").collect();
        // A heading, the groups, and the end of the last line.
        assert_eq!(lines.len(), 1 + lake().groups.len() + 1);
        let question = "\"question\",\"key-0123456789abcdef\",\"</title>";
        assert!(text.contains(question), "{text}");
        assert!(!text.contains("\"=") && !text.contains('\u{1b}'), "{text}");
        let columns = lines[0].split(',').count();
        for line in lines
            .iter()
            .skip(1)
            .filter(|line| !line.is_empty() && !line.contains("HYPERLINK"))
        {
            assert_eq!(line.split(',').count(), columns, "{line}");
        }
    }
}
