//! Ways of asking, with the places that vary in them.

use plantune_domain::binding::{file, id_prefix, number, topic};

/// What the label that is always chosen does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It refers to the question.
    Refers,
    /// It leaves things as they are.
    Leaves,
    /// It names its own act, or is a value.
    OwnAct,
}

/// A question that is asked again and again, with something else in its places: `{topic}`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Template {
    pub(super) kind: Kind,
    /// The text, with a marker where it has one.
    pub(super) text: &'static str,
    pub(super) header: &'static str,
    pub(super) options: &'static [&'static str],
    /// What the first option is described with; empty where none is described.
    pub(super) description: &'static str,
    /// The label that was always chosen; `None` where it was the recommended one, a different one each time.
    pub(super) answer: Option<&'static str>,
}

impl Template {
    /// The names of its places, in the order in which they stand.
    pub(super) fn places(&self) -> Vec<&'static str> {
        let texts = [self.text, self.header, self.description];
        let open = texts.iter().flat_map(|text| text.split('{').skip(1));
        open.map(|rest| rest.split('}').next().unwrap()).collect()
    }
}

/// What stood in the place `name`.
pub(super) fn seen(name: &str) -> [&'static str; 6] {
    match name {
        "topic" | "object" | "quote" => {
            ["footer", "sidebar", "themes", "charts", "search", "layout"]
        }
        "topics" => [
            "search form",
            "login form",
            "chart colours",
            "themes",
            "page layout",
            "footer",
        ],
        "file" => [
            "plans/a.md",
            "plans/b-c.md",
            "plans/d.md",
            "src/x.ts",
            "README.md",
            "plans/e.md",
        ],
        "number" | "amount" => ["2", "4", "9", "3", "7", "5"],
        "id" => ["US-0042", "US-0043", "US-0050", "BUG-7", "BUG-9", "US-0061"],
        "version" => ["1.2.0", "1.3.0", "2.0.0", "2.1.0", "1.2.1", "2.1.3"],
        "percent" => ["20", "35", "50", "80", "95", "10"],
        "date" => [
            "2026-10-01",
            "2026-10-14",
            "2026-11-02",
            "2026-09-30",
            "2026-10-21",
            "2026-11-11",
        ],
        _ => panic!("no place is called {name}"),
    }
}

/// True for what is of the kind that the place `name` has, where the answer refers to the question: only some
/// places are open then, and the others take what was seen.
pub(super) fn is_of_kind(name: &str, filler: &str) -> bool {
    seen(name).contains(&filler)
        || match name {
            "topic" => topic(filler) == Some(1),
            "topics" => topic(filler).is_some_and(|words| words <= 3),
            "number" => number(filler).is_some(),
            "id" => id_prefix(filler).is_some_and(|prefix| ["US", "BUG"].contains(&prefix)),
            "file" => file(filler).is_some_and(|(folder, ending)| {
                ["", "plans", "src"].contains(&folder) && ["md", "ts"].contains(&ending)
            }),
            _ => false,
        }
}

const YES: &[&str] = &["Yes", "No"];

const fn refers(text: &'static str) -> Template {
    Template {
        kind: Kind::Refers,
        text,
        header: "",
        options: YES,
        description: "",
        answer: Some("Yes"),
    }
}

const fn leaves(text: &'static str, options: &'static [&'static str]) -> Template {
    Template {
        kind: Kind::Leaves,
        options,
        answer: Some(options[1]),
        ..refers(text)
    }
}

const fn own_act(text: &'static str, options: &'static [&'static str]) -> Template {
    Template {
        kind: Kind::OwnAct,
        options,
        answer: Some(options[0]),
        ..refers(text)
    }
}

pub(super) const TEMPLATES: &[Template] = &[
    refers("{topic}: shall I format the draft?"),
    Template {
        options: &["Format it", "Leave it"],
        answer: Some("Format it"),
        ..refers("{topic}: in which style is the draft written?")
    },
    Template {
        options: &["Go ahead", "Later"],
        answer: Some("Go ahead"),
        ..refers("{topics}: write the outline now?")
    },
    Template {
        options: &["Format it", "Draft them"],
        answer: None,
        ..refers("{topic}: how is the outline of the draft written?")
    },
    refers("<plantune:draft-scope> {topic}: shall I format the draft?"),
    refers("{topic}: step {number} of the outline is written, format it?"),
    Template {
        options: &["Continue", "Stop"],
        answer: Some("Continue"),
        ..refers("Enough was said about {topic} in the outline, go on?")
    },
    refers("Shall I write the outline about {topic}?"),
    refers("<plantune:outline-next> Shall I write on about {topics}?"),
    refers("Add {object} to the page?"),
    refers("<plantune:page-add> Add {object} to the page?"),
    Template {
        options: &["Proceed", "Stop"],
        answer: Some("Proceed"),
        ..refers("Work through {object}, then format the summary?")
    },
    refers("Format the draft and write {object}?"),
    refers("Plan ready at `{file}`, build it?"),
    refers("Format the sources in {file} after the outline?"),
    refers("<plantune:plan-ready> Look at {file}?"),
    refers("Step {number} is done. Go on with the outline?"),
    refers("Done with PR {number}, go on with the outline?"),
    refers("Format {amount} files of the outline?"),
    refers("{id} is outlined, write the summary?"),
    refers("Take \"{quote}\" as the title of the draft?"),
    refers("Write version {version} of the outline?"),
    refers("{percent} % of the outline is written, go on with the summary?"),
    refers("The outline of {date} is written, go on with the summary?"),
    Template {
        header: "Phase {number}",
        ..refers("Shall I format the draft?")
    },
    Template {
        header: "{object}",
        ..refers("Shall I format the outline?")
    },
    Template {
        description: "Formats what the draft says about {topic}",
        ..refers("Shall I format the summary?")
    },
    leaves(
        "More questions about {topic}, or move to the next area?",
        &["More questions", "Next area"],
    ),
    leaves("Add {object} to the page?", YES),
    leaves("{topic}: shall I format the draft?", &["Format", "Skip"]),
    leaves(
        "Step {number} of the outline is done, format it?",
        &["Format", "Skip"],
    ),
    leaves("{id} is outlined, write the summary?", &["Write", "Later"]),
    leaves(
        "Take \"{quote}\" as the title of the draft?",
        &["Yes", "Not now"],
    ),
    leaves(
        "{percent} % of the outline is written, format it?",
        &["Format", "Skip"],
    ),
    leaves(
        "Version {version} of the outline is written, format it?",
        &["Format", "Skip"],
    ),
    leaves(
        "Format the sources in {file} after the outline?",
        &["Format", "Skip"],
    ),
    own_act(
        "{topic} is outlined. What comes now?",
        &["Write the summary", "Format the outline"],
    ),
    own_act(
        "The outline of {object} is ready, what comes now?",
        &["Write CONTEXT.md", "Stop"],
    ),
    own_act(
        "Step {number} of the outline is ready, what comes now?",
        &["Run the full test suite", "Stop"],
    ),
    own_act(
        "The plan at `{file}` is ready, what comes now?",
        &["Write the summary", "Stop"],
    ),
    own_act(
        "The title \"{quote}\" is in the draft, what comes now?",
        &["Write the summary", "Stop"],
    ),
    own_act(
        "{percent} % of version {version} is written, what comes now?",
        &["Write the summary", "Stop"],
    ),
    own_act(
        "Which layout suits {object} in the outline?",
        &["Grid", "List"],
    ),
    own_act(
        "Write the outline about {topic}?",
        &["Yes, write the outline", "No"],
    ),
];
