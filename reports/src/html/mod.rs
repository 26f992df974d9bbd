//! The report as a page: one file that asks nothing of anybody. No script, no request, its style inside and
//! named by its hash in the page's own policy. Pictures are SVG with a title and, behind them, a table.
//!
//! Every number is a `<data>` element that names its place in `report --json`, as a JSON pointer: tests
//! hold the two against each other. Texts from outside are sanitized, escaped by the template, and stand in
//! `<bdi>`.

mod charts;
mod elements;
mod questions;
mod times;

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use plantune_query::report::{By, Totals};
use sha2::{Digest as _, Sha256};

use self::elements::{
    TableRows, answer_or_recommended, count, none, of_all, place, seconds, share, weekly, with_note,
};
use crate::output::{Error, Output};
use crate::report::{Document, FIGURES, Figure, Piece, Sentence, Value, incomparable, nothing};
use crate::standing::{reason_in_words, since, state_in_words};
use crate::text::clean;
use elements::{code, dated, text};

/// The beginning of every page: by it a file is known to be one.
const BEGINNING: &str = "<!DOCTYPE html><!-- plantune report -->";

const STYLE: &str = include_str!("style.css");

/// The report as a page that shows `top` questions.
pub fn report_page(document: &Document, top: usize) -> String {
    let heading = &document.heading;
    let page = Page {
        heading: "What agents asked",
        scope: heading.project.as_deref().unwrap_or("all projects"),
        period: &clean(&heading.title()),
        about: html! {},
        content: content(document, top),
        made_by: &heading.command(),
        hint: html! {},
    };
    page.text()
}

/// A page, whatever it reports on.
struct Page<'a> {
    /// Its subject.
    heading: &'static str,
    /// Which part of it.
    scope: &'a str,
    /// The period in words.
    period: &'a str,
    /// More words at the top.
    about: Markup,
    content: Markup,
    /// The command that made it: with `--json` it has the same numbers.
    made_by: &'a str,
    /// The words at the end.
    hint: Markup,
}

impl Page<'_> {
    fn text(&self) -> String {
        self.markup().into_string() + "\n"
    }

    fn markup(&self) -> Markup {
        html! {
            (DOCTYPE) (PreEscaped("<!-- plantune report -->"))
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(policy());
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="referrer" content="no-referrer";
                    meta name="robots" content="noindex";
                    title { "plantune: " (self.heading) ", " (clean(self.scope)) ", " (self.period) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    header {
                        p.product { "plantune" }
                        h1 { (self.heading) }
                        p.period { (text(self.scope)) " · " (dated(self.period)) }
                        (self.about)
                    }
                    main { (self.content) }
                    footer {
                        p {
                            "Made by plantune. The numbers are those of "
                            (code(&format!("{} --json", self.made_by)))
                            "; each names its place there."
                            (self.hint)
                        }
                    }
                }
            }
        }
    }
}

fn content(document: &Document, top: usize) -> Markup {
    html! {
        (summary(document))
        (compared(document))
        (times::over_time(document))
        @if document.groups.is_none() {
            (questions::groups_section("Projects", "project", "/projects", &document.details.projects, By::Project, (2, top)))
            (questions::groups_section("Who asks", "asker", "/askers", &document.details.askers, By::Asker, (2, top)))
        }
        (could(document))
        (was(document))
        (cannot(document))
        @match &document.groups {
            Some(of) => {
                @let title = format!("By {}", of.by.as_str().replace('-', " "));
                (questions::groups_section(&title, of.by.as_str(), "/groups", &of.groups, of.by, (1, top)))
            },
            None => (questions::section(document, top)),
        }
        (questions::prompts(document, top))
        div.columns {
            (times::hours(document))
            (times::answering(document))
        }
        (failures(document))
    }
}

/// Puts `page` at `path`, in place of another page, or with `force` of any file, and returns where that is,
/// absolute where that can be known.
///
/// # Errors
/// Those of [`Error`].
pub fn put(page: &str, path: &Path, force: bool) -> Result<PathBuf, Error> {
    let mut output = Output::open(path, force, is_page)?;
    let written = output.file().write_all(page.as_bytes());
    written.map_err(|error| Error::Io(path.to_owned(), error))?;
    output.put_in_place()
}

/// True for a file that plantune wrote as a page.
fn is_page(path: &Path) -> bool {
    let mut beginning = [0; BEGINNING.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut beginning));
    read.is_ok() && beginning == BEGINNING.as_bytes()
}

/// The page's policy: show itself with its own style, and nothing else.
fn policy() -> String {
    let hash = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!("default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'")
}

/// The sentences, what can be done about them, and what needs attention.
fn summary(document: &Document) -> Markup {
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
                "Lines of the log that could not be read and are kept in quarantine: "
                (count(document.report.quarantined, "/quarantined")) ". See " code { "plantune doctor" } "."
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

/// The period beside the one before, where the two can be compared; what neither has is left out.
fn compared(document: &Document) -> Markup {
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
            Value::Count(of) => count(of(totals), &at),
            Value::Seconds(of) => seconds(of(totals), &at),
        }
    };
    html! {
        section.card {
            h2 { "Compared with the period before" }
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
fn failures(document: &Document) -> Markup {
    let mut rows = TableRows::of("/errors", document.report.errors.iter().enumerate());
    rows.add("failure", |one, _| text(&one.error_kind));
    rows.count("times", "times", |one| one.times);
    rows.card("Failures", &html! {}, &html! {})
}

/// Questions that could be answered, with the evidence.
fn could(document: &Document) -> Markup {
    let proposals = document.proposals.iter().flatten();
    let mut rows = TableRows::of("/proposals", proposals.enumerate());
    rows.add("question", |one, _| {
        let question = match &one.question {
            Some(question) => text(question),
            None => html! { "Questions of " (text(&one.question_key)) },
        };
        with_note(&question, &place(one.project.as_deref()))
    });
    rows.add("would be answered", |one, _| {
        let level = match one.level {
            "assist" => "hint: asked, with this answer first",
            "trial" => "trial: answered, often checked",
            _ => "automatic: answered, checked now and then",
        };
        let answer = answer_or_recommended(one.answer.as_deref());
        with_note(&answer, &html! { (level) })
    });
    rows.add("your answers", |one, at| {
        let agreed = count(one.evidence.agreed, &at("evidence/agreed"));
        let answers = count(one.evidence.answers, &at("evidence/answers"));
        of_all(&agreed, &answers)
    });
    rows.add("right at least", |one, at| {
        share(one.confidence, &at("confidence"))
    });
    let field = "seconds_saved_per_week";
    rows.seconds("saves a week", field, |one| one.seconds_saved_per_week);
    let above = html! {
        p.about { code { "plantune suggest --apply" } " shows each change and asks before anything is answered." }
    };
    rows.card("What could be answered for you", &above, &html! {})
}

/// How many rows of what was answered for the person are shown.
const MOST_ANSWERED: usize = 12;

/// Answers for the person, and the preferences that gave them.
fn was(document: &Document) -> Markup {
    let all = &document.details.answered_for_you;
    let shown = all.iter().enumerate().take(MOST_ANSWERED);
    let mut rows = TableRows::of("/answered_for_you", shown);
    rows.add("question", |one, _| text(&one.name));
    rows.add("answer", |one, at| {
        html! {
            @if one.answer.is_empty() { (none()) }
            @for (number, label) in one.answer.iter().enumerate() {
                @if number > 0 { ", " }
                (text(label))
            }
            span.by { (by(&one.decided_by)) }
            @if one.undone > 0 { span.by { "taken back: " (count(one.undone, &at("undone"))) } }
        }
    });
    rows.count("times", "times", |one| one.times);
    let above = html! { p.about { code { "plantune undo" } " takes an answer back." } };
    let below = html! {
        @if all.len() > MOST_ANSWERED {
            p.about { "There is more: " code { "plantune log --auto" } " lists it." }
        }
    };
    let answered = rows.card("What was answered for you", &above, &below);
    html! { (answered) (preferences(document)) }
}

/// The decider in words.
fn by(decided_by: &str) -> &'static str {
    match decided_by {
        "session" => "as before in the session",
        "reviewer" => "by your reviewer",
        "turned_down" => "turned down by your reviewer",
        "away" => "as recommended, you were away",
        _ => "by a preference",
    }
}

fn preferences(document: &Document) -> Markup {
    let preferences = document.standing_preferences.iter();
    let mut rows = TableRows::of("/standing_preferences", preferences.enumerate());
    rows.add("question", |one, _| {
        with_note(&text(&one.name), &place(one.project.as_deref()))
    });
    rows.add("answer", |one, _| {
        answer_or_recommended(one.answer.as_deref())
    });
    rows.count("answered", "decided", |one| one.standing.decided);
    rows.count("checked", "spot_checks", |one| one.standing.spot_checks);
    rows.count("agreed", "agreed", |one| one.standing.agreed);
    rows.add("state", |one, _| {
        html! {
            (state_in_words(one.standing.state))
            @if let Some(day) = since(&one.standing) { " since " (dated(&day)) }
            span.by { (text(&reason_in_words(&one.standing))) }
            @if let Some(remedy) = &one.remedy { span.by { (code(remedy)) } }
        }
    });
    let above = html! {
        p.about {
            "Since each was set. Some of the questions are asked all the same, to check that you still agree."
        }
    };
    rows.card("Your preferences", &above, &html! {})
}

/// Questions that recur and stay with the person.
fn cannot(document: &Document) -> Markup {
    let mut rows = TableRows::of("/not_proposed", document.not_proposed.iter().enumerate());
    rows.add("question", |one, _| {
        with_note(&text(&one.question), &text(&one.project))
    });
    rows.add("answered alike", |one, at| {
        of_all(
            &count(one.agreed, &at("agreed")),
            &count(one.answers, &at("answers")),
        )
    });
    rows.add("why", |one, _| text(&one.why));
    rows.card("What is left to you, and why", &html! {}, &html! {})
}
