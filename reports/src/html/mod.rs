//! The report as a page: one file that makes no request. Its style and its script are inside, and its content policy allows
//! only these two, by their hashes. Pictures are SVG with a title and a table of the same numbers.
//!
//! Every number is a `<data>` element that names its place in `report --json`, as a JSON pointer: tests compare the two.
//! Texts from outside are sanitized, escaped by the template, and stand in `<bdi>`.

mod charts;
mod elements;
mod sections;

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use plantune_domain::preferences::Level;
use plantune_query::report::{Decider, GroupKey, Totals};
use sha2::{Digest as _, Sha256};

use self::elements::{
    PageTable, answer_or_recommended, count, none, of_all, place, seconds, weekly, with_note,
};
use crate::output::{Output, OutputError};
use crate::report::{
    FIGURES, Figure, FigureValue, Piece, ReportDocument, Sentence, incomparable, nothing,
};
use crate::standing::{reason_in_words, since, state_in_words};
use crate::text::clean;
use elements::{code, dated, text};

/// The beginning of every page, by which a file is recognised as one.
const BEGINNING: &str = "<!DOCTYPE html><!-- plantune report -->";

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The report as a page that shows `top` questions.
pub fn report_page(document: &ReportDocument, top: usize) -> String {
    let heading = &document.heading;
    let scope = heading.project.as_deref();
    let markup = html! {
        (DOCTYPE) (PreEscaped("<!-- plantune report -->"))
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                meta name="robots" content="noindex";
                title {
                    (document.headline())
                    @if let Some(project) = scope { " in " (clean(project)) }
                }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    p.product { "plantune" }
                    h1 { "What agents asked" }
                    p.period {
                        (text(scope.unwrap_or("all projects"))) " · " (dated(&clean(&heading.title())))
                    }
                }
                main { (content(document, top)) }
                footer {
                    p {
                        "Made by plantune" @if let Some(made) = &document.made { " on " (dated(made)) } ". "
                        "The numbers are those of " (code(&format!("{} --json", heading.command())))
                        "; each names its place there."
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    markup.into_string() + "\n"
}

fn content(document: &ReportDocument, top: usize) -> Markup {
    html! {
        (summary(document))
        (compared(document))
        (sections::over_time(document))
        @if document.groups.is_none() {
            (sections::groups("Projects", "project", "/projects", &document.details.projects, GroupKey::Project, (2, top)))
            (sections::groups("Who asks", "asker", "/askers", &document.details.askers, GroupKey::Asker, (2, top)))
        }
        (could(document, top))
        (was(document))
        (cannot(document, top))
        @match &document.groups {
            Some(of) => {
                @let title = format!("By {}", of.by.as_str().replace('-', " "));
                (sections::groups(&title, of.by.as_str(), "/groups", &of.groups, of.by, (1, top)))
            },
            None => (sections::questions(document, top)),
        }
        (sections::prompts(document, top))
        div.columns {
            (sections::hours(document))
            (sections::answering(document))
        }
        (failures(document))
    }
}

/// Puts `page` at `path`, instead of another page, or with `force` of any file, and returns where that is,
/// absolute where that can be known.
///
/// # Errors
/// The errors of [`OutputError`].
pub fn put(page: &str, path: &Path, force: bool) -> Result<PathBuf, OutputError> {
    let mut output = Output::open(path, force, is_page)?;
    let written = output.file().write_all(page.as_bytes());
    written.map_err(|error| OutputError::Io(path.to_owned(), error))?;
    output.put_in_place()
}

/// True for a file that plantune wrote as a page.
fn is_page(path: &Path) -> bool {
    let mut beginning = [0; BEGINNING.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut beginning));
    read.is_ok() && beginning == BEGINNING.as_bytes()
}

/// The page's policy: show itself with its own style and script, and nothing else.
fn policy() -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
}

/// The sentences, what can be done about them, and what needs attention.
fn summary(document: &ReportDocument) -> Markup {
    html! {
        section.card {
            @if let Some(lines) = nothing(document, ToOwned::to_owned) {
                p.lead { @for line in lines { (dated(&line)) " " } }
            }
            @if !document.summary.is_empty() {
                p.lead {
                    @for (number, one) in document.summary.iter().enumerate() {
                        (sentence(one, &format!("/summary/{number}"))) " "
                    }
                }
            }
            @if !document.stands_out.is_empty() {
                ul {
                    @for (number, one) in document.stands_out.iter().enumerate() {
                        li {
                            (sentence(one, &format!("/stands_out/{number}")))
                            @if let Some(command) = &one.show { " " (code(command)) }
                        }
                    }
                }
            }
        }
        @if let Some(away) = &document.away { p.note { (dated(&format!("You are {away}."))) } }
        @if document.report.quarantined > 0 {
            p.note {
                "Lines of the log that could not be read: " (count(document.report.quarantined, "/quarantined")) ". "
                code { "plantune doctor" } " says why."
            }
        }
    }
}

fn sentence(sentence: &Sentence, json: &str) -> Markup {
    let at = |name: &str| format!("{json}/figures/{name}");
    html! {
        @for piece in &sentence.pieces {
            @match piece {
                Piece::Words(words) => (words),
                Piece::Text(_, outside) => (text(outside)),
                Piece::Date(_, date) => (dated(date)),
                Piece::Count(name, value) => (count(*value, &at(name))),
                Piece::Seconds(name, value) => (seconds(*value, &at(name))),
                Piece::Weekly(name, value) => (weekly(*value, &at(name))),
            }
        }
    }
}

/// The period beside the one before, where the two can be compared; figures that neither has are left out.
fn compared(document: &ReportDocument) -> Markup {
    let (now, before) = (&document.report.totals, &document.report.previous);
    if now.questions == 0 || before.questions == 0 {
        return html! {};
    }
    if let Some(line) = incomparable(document) {
        return html! { p.about { (dated(&line)) } };
    }
    let figures = FIGURES.iter();
    let figures = figures.filter(|one| one.value.is_there(now) || one.value.is_there(before));
    let of = |figure: &Figure, totals: &Totals, place: &str| {
        let at = format!("/{place}/{}", figure.field);
        match figure.value {
            FigureValue::Count(of) => count(of(totals), &at),
            FigureValue::Seconds(of) => seconds(of(totals), &at),
        }
    };
    html! {
        section.card {
            h2 { (dated(&document.heading.compared_with())) }
            dl.tiles {
                @for figure in figures {
                    div {
                        dt { (figure.label.to_lowercase()) }
                        dd {
                            strong { (of(figure, now, "totals")) }
                            small { "before: " (of(figure, before, "previous")) }
                        }
                    }
                }
            }
        }
    }
}

/// Questions that could not be asked.
fn failures(document: &ReportDocument) -> Markup {
    let mut rows = PageTable::of("/errors", document.report.errors.iter().enumerate());
    rows.add("reason", |one, _, _| text(&one.error_kind));
    rows.count("times", "times", |one| one.times);
    rows.card(
        "Why questions could not be asked",
        "reasons",
        &html! {},
        &html! {},
    )
}

/// Questions that could be answered, with the evidence.
fn could(document: &ReportDocument, top: usize) -> Markup {
    let apply = html! {
        p.about { code { "plantune suggest --apply" } " shows each change and asks first." }
    };
    let proposals = document.proposals.iter().flatten().enumerate();
    let mut rows = PageTable::of("/proposals", proposals);
    rows.add("question", |one, number, _| {
        let name = text(&one.question);
        let place = place(one.project.as_deref());
        let question =
            sections::number_of(document, top, &one.question_key, one.project.as_deref());
        let name = html! {
            span id=(format!("proposal-{number}")) {
                @match question {
                    Some(question) => a href=(format!("#question-{question}")) { (name) },
                    None => (name),
                }
            }
        };
        with_note(&name, &place)
    });
    rows.add("answer", |one, _, _| {
        let answer = answer_or_recommended(one.answer.as_deref());
        let checked = match one.level {
            Level::Trial => "on trial: checked often at first",
            Level::Standing => "automatic: checked now and then",
        };
        with_note(&answer, &html! { (checked) })
    });
    rows.add("given", |one, _, at| {
        let agreed = count(one.evidence.agreed, &at("evidence/agreed"));
        let answers = count(one.evidence.answers, &at("evidence/answers"));
        of_all(&agreed, &answers)
    });
    let field = "seconds_saved_per_week";
    rows.seconds("saves a week", field, |one| one.seconds_saved_per_week);
    rows.card(
        "What could be answered for you",
        "proposals",
        &apply,
        &html! {},
    )
}

/// How many rows of what was answered for the person are shown.
const MOST_ANSWERED: usize = 12;

/// Answers for the person, and the preferences that gave them.
fn was(document: &ReportDocument) -> Markup {
    let all = &document.details.answered_for_you;
    let shown = all.iter().enumerate().take(MOST_ANSWERED);
    let mut rows = PageTable::of("/answered_for_you", shown);
    rows.add("question", |one, _, _| text(&one.name));
    rows.add("answer", |one, _, at| {
        html! {
            @if one.answer.is_empty() { (none()) }
            @for (number, label) in one.answer.iter().enumerate() {
                @if number > 0 { ", " }
                (text(label))
            }
            span.by { (by(one.decided_by)) }
            @if one.undone > 0 { span.by { "taken back: " (count(one.undone, &at("undone"))) } }
        }
    });
    rows.count("times", "times", |one| one.times);
    let above = html! { p.about { code { "plantune undo" } " takes an answer back." } };
    let below = html! {
        @if all.len() > MOST_ANSWERED {
            p.about { "There are more: " code { "plantune log --auto" } " lists them." }
        }
    };
    let answered = rows.card("What was answered for you", "answers", &above, &below);
    html! { (answered) (preferences(document)) }
}

/// The decider in words.
fn by(decider: Decider) -> &'static str {
    match decider {
        Decider::Preferences => "by a preference",
        Decider::Session => "as earlier in the session",
        Decider::Reviewer => "by your reviewer",
        Decider::TurnedDown => "rejected by your reviewer",
        Decider::Away => "as recommended, you were away",
    }
}

fn preferences(document: &ReportDocument) -> Markup {
    let preferences = document.standing_preferences.iter();
    let mut rows = PageTable::of("/standing_preferences", preferences.enumerate());
    rows.add("question", |one, _, _| {
        with_note(&text(&one.name), &place(one.project.as_deref()))
    });
    rows.add("answer", |one, _, _| {
        answer_or_recommended(one.answer.as_deref())
    });
    rows.count("answered", "decided", |one| one.standing.decided);
    rows.count("checked", "spot_checks", |one| one.standing.spot_checks);
    rows.count("agreed", "agreed", |one| one.standing.agreed);
    rows.add("state", |one, _, _| {
        html! {
            (state_in_words(one.standing.state))
            @if let Some(day) = since(&one.standing) { " since " (dated(&day)) }
            span.by { (text(&reason_in_words(&one.standing))) }
            @if let Some(remedy) = &one.remedy { span.by { (code(remedy)) } }
        }
    });
    let above = html! {
        p.about {
            "Since each was set. Some questions are still asked, to check that you agree."
        }
    };
    rows.card("Your preferences", "preferences", &above, &html! {})
}

/// Questions that recur and stay with the person.
fn cannot(document: &ReportDocument, top: usize) -> Markup {
    let mut rows = PageTable::of("/not_proposed", document.not_proposed.iter().enumerate());
    rows.add("question", |one, _, _| {
        let project = Some(one.project.as_str());
        let name = match sections::number_of(document, top, &one.question_key, project) {
            Some(number) => {
                html! { a href=(format!("#question-{number}")) { (text(&one.question)) } }
            }
            None => text(&one.question),
        };
        with_note(&name, &text(&one.project))
    });
    rows.add("same answer", |one, _, at| {
        of_all(
            &count(one.agreed, &at("agreed")),
            &count(one.answers, &at("answers")),
        )
    });
    rows.add("why not", |one, _, _| text(&one.why));
    rows.card(
        "What you answer yourself",
        "questions",
        &html! {},
        &html! {},
    )
}
