//! The page's sections: when the person is asked and how long they take, questions, groups of them, and permission
//! prompts.

use maud::{Markup, html};
use plantune_domain::doors::Door;
use plantune_domain::keys::is_made_up;
use plantune_query::permissions::prompts::Subject;
use plantune_query::report::{GroupKey, QuestionCounts, QuestionGroup, TimelinePart, Unit};

use super::charts::{
    NAMED, OutcomeStyle, Share, StackedBar, WIDE, answer_class, answer_shares, bar_chart, hour_map,
    hour_scale, hour_span, legend, shares, small_bars, stacked, time_histogram, time_span, weekday,
};
use super::elements::{
    PageTable, Picture, answer_or_recommended, behind, code, count, dated, known_seconds, seconds,
    share, table, text,
};
use crate::report::{ReportDocument, group_name, listing};

/// The name of a part of the period.
fn name(unit: Unit, part: &TimelinePart) -> String {
    let format = match unit {
        Unit::Day => "%a %-d %b %Y",
        Unit::Week => "week of %-d %b %Y",
        Unit::Month => "%b %Y",
        Unit::Year => "%Y",
    };
    part.start.format(format).to_string()
}

/// The label below its bar.
fn label(unit: Unit, part: &TimelinePart) -> String {
    let format = match unit {
        Unit::Day | Unit::Week => "%-d %b",
        Unit::Month => "%b %Y",
        Unit::Year => "%Y",
    };
    part.start.format(format).to_string()
}

/// How a question can end.
const QUESTION_OUTCOMES: [OutcomeStyle; 5] = [
    ("of-answered", "answered", "answered by you"),
    ("of-auto_decided", "auto_decided", "answered for you"),
    ("of-dismissed", "dismissed", "left unanswered"),
    ("of-failed", "failed", "could not be asked"),
    ("of-open", "open", "still open"),
];

fn outcome_counts(part: &TimelinePart) -> [u64; 5] {
    [
        part.answered,
        part.auto_decided,
        part.dismissed,
        part.failed,
        part.open,
    ]
}

/// The whole period: questions by how they ended, and permission prompts.
pub(super) fn over_time(document: &ReportDocument) -> Markup {
    let timeline = &document.report.timeline;
    let parts = || timeline.parts.iter().enumerate();
    let (questions, prompts) = timeline
        .parts
        .iter()
        .fold((0, 0), |(questions, prompts), part| {
            (questions + part.questions, prompts + part.prompts)
        });
    if questions + prompts == 0 {
        return html! {};
    }
    let at = |number: usize| format!("/timeline/parts/{number}");
    let of_questions: Vec<StackedBar> = parts()
        .map(|(number, part)| {
            let name = format!("{}: ", name(timeline.unit, part));
            StackedBar {
                label: label(timeline.unit, part),
                shares: shares(&QUESTION_OUTCOMES, outcome_counts(part), &name, &at(number)),
            }
        })
        .collect();
    let of_prompts: Vec<StackedBar> = parts()
        .map(|(number, part)| StackedBar {
            label: label(timeline.unit, part),
            shares: vec![Share {
                class: "of-prompts",
                value: part.prompts,
                json: format!("{}/prompts", at(number)),
                words: format!("{}: {} prompts", name(timeline.unit, part), part.prompts),
            }],
        })
        .collect();
    let listed = parts().filter(|(_, part)| part.questions + part.prompts > 0);
    let mut rows = PageTable::of("/timeline/parts", listed);
    let unit = timeline.unit.as_str();
    rows.add(unit, |part, _, _| dated(&name(timeline.unit, part)));
    rows.count("by you", "answered", |part| part.answered);
    rows.count("for you", "auto_decided", |part| part.auto_decided);
    rows.count("unanswered", "dismissed", |part| part.dismissed);
    rows.count("failed", "failed", |part| part.failed);
    rows.count("open", "open", |part| part.open);
    rows.count("prompts", "prompts", |part| part.prompts);
    rows.seconds("answering took", "human_seconds", |part| part.human_seconds);
    Picture {
        title: "Over time",
        about: html! { "Questions" @if prompts > 0 { ", and below them permission prompts," } " by " (unit) "." },
        drawing: html! {
            @if questions > 0 {
                (bar_chart(&of_questions, (WIDE, 170.0), "Questions, by how they ended"))
            }
            @if prompts > 0 { (bar_chart(&of_prompts, (WIDE, 110.0), "Permission prompts")) }
        },
        legend: html! {
            (legend(&QUESTION_OUTCOMES, &of_questions.iter().map(|bar| &*bar.shares)))
            @if prompts > 0 { ul.legend { li { span.key.of-prompts {} "permission prompts" } } }
        },
        table: rows.table("parts of the period"),
    }
    .section()
}

/// The hours of the week in which the person is asked.
pub(super) fn hours(document: &ReportDocument) -> Markup {
    if document.details.hours.is_empty() {
        return html! {};
    }
    let mut rows = PageTable::of("/hours", document.details.hours.iter().enumerate());
    rows.add("hour", |one, _, _| {
        dated(&format!("{} {}", weekday(one.weekday), hour_span(one.hour)))
    });
    rows.count("asked", "asked", |one| one.asked);
    Picture {
        title: "When you are asked",
        about: html! { "Questions to you by day of the week and hour." },
        drawing: hour_map(&document.details.hours),
        legend: hour_scale(&document.details.hours),
        table: rows.table("hours"),
    }
    .section()
}

/// How long answers take.
pub(super) fn answering(document: &ReportDocument) -> Markup {
    let times = &document.details.answering_times;
    if times.answers == 0 {
        return html! {};
    }
    let bins = times.bins.iter().enumerate();
    let bins = bins.filter(|(_, bin)| bin.answers > 0);
    let mut rows = PageTable::of("/answering_times/bins", bins);
    rows.add("time", |bin, _, _| dated(&time_span(bin)));
    rows.count("answers", "answers", |bin| bin.answers);
    let bound = document.report.away_after_seconds;
    Picture {
        title: "How long answers take",
        about: html! {
            "Of " (count(times.answers, "/answering_times/answers")) " answers "
            @if times.away_answers > 0 {
                (count(times.away_answers, "/answering_times/away_answers"))
                " took longer than " (seconds(bound, "/away_after_seconds"))
                ", so you were away. Of the others "
            }
            "half took up to "
            (known_seconds(times.median_seconds, "/answering_times/median_seconds"))
            ", nine of ten up to "
            (known_seconds(times.p90_seconds, "/answering_times/p90_seconds")) "."
        },
        drawing: time_histogram(times, bound),
        legend: html! {},
        table: rows.table("times"),
    }
    .section()
}

/// The most frequent questions.
pub(super) fn questions(document: &ReportDocument, top: usize) -> Markup {
    if document.report.questions.is_empty() {
        return html! {};
    }
    let timeline = &document.report.timeline;
    let parts = timeline.parts.iter();
    let over_time = OverTime {
        unit: timeline.unit.as_str(),
        names: parts.map(|part| name(timeline.unit, part)).collect(),
    };
    // What is listed stands first in the document, so that a question has the same number in both.
    let listing = listing(document, top);
    let shown = listing.questions.iter().enumerate();
    html! {
        section {
            h2 { @if listing.is_part { "The most frequent questions" } @else { "The questions" } }
            div.list data-list="questions" {
                @for (number, question) in shown {
                    (article(question, number, document, &over_time))
                }
            }
            @if listing.is_part {
                p.about { "There are more: " code { (document.heading.command()) " --html --top N" } " shows N." }
            }
            @if listing.once.is_some() {
                p.about {
                    (count(document.report.asked_once, "/asked_once"))
                    @if document.report.asked_once == 1 { " question was" } @else { " questions were" }
                    " asked only once: " code { (document.heading.command()) " --html --all" } " shows all."
                }
            }
        }
    }
}

/// The place of the question `key` among the `top` questions of the page, in `project` or in any; `None` if it is not
/// there.
pub(super) fn number_of(
    document: &ReportDocument,
    top: usize,
    key: &str,
    project: Option<&str>,
) -> Option<usize> {
    if document.groups.is_some() {
        return None;
    }
    let listing = listing(document, top);
    let mut shown = listing.questions.iter();
    shown.position(|one| one.question_key == key && project.is_none_or(|name| name == one.project))
}

/// The parts of the period.
struct OverTime {
    unit: &'static str,
    names: Vec<String>,
}

fn article(
    question: &QuestionCounts,
    number: usize,
    document: &ReportDocument,
    over_time: &OverTime,
) -> Markup {
    let json = &*format!("/questions/{number}");
    let at = |field: &str| format!("{json}/{field}");
    let proposal = document.proposal_of(question);
    html! {
        article.card id=(format!("question-{number}")) {
            h3 { (text(&question.name)) }
            @if question.name != question.question {
                p.about { "Last asked as: " (text(&question.question)) }
            }
            p.about {
                (text(&question.project))
                @if !is_made_up(&question.question_key) { " · " (code(&question.question_key)) }
                @if question.door == Door::OneWay {
                    @if proposal.is_some() { " · last time it couldn't be undone; those are always asked" }
                    @else { " · can't be undone" }
                }
            }
            @if let Some((number, proposal)) = proposal {
                p.about {
                    a href=(format!("#proposal-{number}")) { "Proposed" } ": "
                    (answer_or_recommended(proposal.answer.as_deref()))
                }
            }
            dl.facts {
                div { dt { "asked" } dd { (count(question.asked, &at("asked"))) } }
                div { dt { "by you" } dd { (count(question.answered, &at("answered"))) } }
                @if question.auto_decided > 0 {
                    div { dt { "for you" } dd { (count(question.auto_decided, &at("auto_decided"))) } }
                }
                @if question.median_seconds.is_some() {
                    div { dt { "median" } dd { (known_seconds(question.median_seconds, &at("median_seconds"))) } }
                }
                @if let Some(agreement) = question.agreement {
                    div {
                        dt { "as recommended" }
                        dd {
                            (share(agreement, &at("agreement"))) " of "
                            (count(question.agreement_n, &at("agreement_n")))
                        }
                    }
                }
            }
            div.pictures {
                @if question.over_time.len() > 1 {
                    div {
                        p.caption { "times by " (over_time.unit) ", the whole period" }
                        (small_bars(&question.over_time, &over_time.names, json))
                    }
                }
                @if !question.answers.is_empty() {
                    div {
                        p.caption { "your answers" }
                        (answer_shares(&question.answers, json))
                        ul.legend {
                            @for (number, answer) in question.answers.iter().take(NAMED).enumerate() {
                                li {
                                    span class=(format!("key {}", answer_class(number))) {}
                                    (text(&answer.answer)) " "
                                    (count(answer.times, &format!("{json}/answers/{number}/times")))
                                }
                            }
                            @if question.answers.len() > NAMED {
                                li { span.key.share-other {} "others" }
                            }
                        }
                    }
                }
            }
            @if !question.over_time.is_empty() { (behind(&question_numbers(question, over_time, json))) }
        }
    }
}

/// The table behind a question's pictures.
fn question_numbers(question: &QuestionCounts, over_time: &OverTime, json: &str) -> Markup {
    let parts = over_time.names.iter().zip(&question.over_time).enumerate();
    let parts = parts.filter(|(_, (_, times))| **times > 0);
    let by_part = parts.map(|(number, (name, times))| {
        vec![
            dated(name),
            count(*times, &format!("{json}/over_time/{number}")),
        ]
    });
    let by_answer = (question.answers.iter().enumerate()).map(|(number, answer)| {
        vec![
            text(&answer.answer),
            count(answer.times, &format!("{json}/answers/{number}/times")),
        ]
    });
    html! {
        (table("parts of the period", &[over_time.unit, "times"], &by_part.collect::<Vec<_>>()))
        @if !question.answers.is_empty() {
            (table("answers", &["your answer", "times"], &by_answer.collect::<Vec<_>>()))
        }
    }
}

/// A table of groups, which stand at `json`, if there are `least`: the first `top`, all days of the week.
pub(super) fn groups(
    title: &str,
    first: &str,
    json: &str,
    all: &[QuestionGroup],
    by: GroupKey,
    (least, top): (usize, usize),
) -> Markup {
    let top = match by {
        GroupKey::Weekday => usize::MAX,
        _ => top,
    };
    let has = |of: fn(&QuestionGroup) -> bool| all.iter().any(of);
    let mut rows = PageTable::of(json, all.iter().enumerate().take(top));
    rows.add(first, |one, _, _| text(group_name(one, by)));
    rows.count("asked", "asked", |one| one.asked);
    rows.count("by you", "answered", |one| one.answered);
    if has(|one| one.auto_decided > 0) {
        rows.count("for you", "auto_decided", |one| one.auto_decided);
    }
    rows.seconds("answering took", "human_seconds", |one| one.human_seconds);
    rows.seconds("median", "median_seconds", |one| one.median_seconds);
    rows.seconds("agents waited", "waiting_seconds", |one| {
        one.waiting_seconds
    });
    if has(|one| one.waiting_away_seconds > 0.0) {
        let field = "waiting_away_seconds";
        rows.seconds("while away", field, |one| one.waiting_away_seconds);
    }
    html! {
        @if all.len().min(top) >= least {
            section.card.whole {
                h2 { (title) }
                (rows.table(first))
                @if all.len() > top { p.about { "The most frequent ones." } }
            }
        }
    }
}

/// The colour, the field and the words of each way in which a prompt can end.
const PROMPT_OUTCOMES: [OutcomeStyle; 4] = [
    ("of-answered", "granted", "allowed"),
    ("of-failed", "refused", "refused"),
    ("of-dismissed", "ambiguous", "unclear"),
    ("of-open", "open", "unknown"),
];

fn decision_counts(subject: &Subject) -> [u64; 4] {
    [
        subject.granted,
        subject.refused,
        subject.ambiguous,
        subject.open,
    ]
}

/// The period's prompts by what they were about, the most frequent first.
pub(super) fn prompts(document: &ReportDocument, top: usize) -> Markup {
    let prompts = &document.report.permissions;
    if prompts.asked == 0 {
        return html! {};
    }
    let at = |field: &str| format!("/permissions/{field}");
    let subjects = prompts.by_subject.get(..top).unwrap_or(&prompts.by_subject);
    let most = subjects.iter().map(|one| one.asked).max().unwrap_or(0);
    let bars: Vec<Vec<Share>> = (subjects.iter().enumerate())
        .map(|(number, one)| {
            let json = format!("/permissions/by_subject/{number}");
            shares(&PROMPT_OUTCOMES, decision_counts(one), "", &json)
        })
        .collect();
    html! {
        section.card.whole {
            h2 { "Permission prompts" }
            dl.facts {
                div { dt { "prompts" } dd { (count(prompts.asked, &at("asked"))) } }
                @for (name, field, value) in [
                    ("allowed", "granted", prompts.granted),
                    ("refused", "refused", prompts.refused),
                    ("asked again", "asked_again", prompts.asked_again),
                    ("denied without a prompt", "denied", prompts.denied),
                ] {
                    @if value > 0 { div { dt { (name) } dd { (count(value, &at(field))) } } }
                }
                @if let Some(plans) = &prompts.plan_approvals {
                    div { dt { "plans to approve" } dd { (count(plans.asked, &at("plan_approvals/asked"))) } }
                }
                @if prompts.waits_known > 0 {
                    div { dt { "agents waited" } dd { (seconds(prompts.seconds_waited, &at("seconds_waited"))) } }
                }
            }
            dl.subjects {
                @for (subject, bar) in subjects.iter().zip(&bars) {
                    dt { (code(&subject.subject)) }
                    dd { (stacked(bar, most, "Prompts, by how they were decided")) }
                }
            }
            (legend(&PROMPT_OUTCOMES, &bars.iter().map(|bar| &**bar)))
            (behind(&prompt_numbers(subjects)))
        }
    }
}

fn prompt_numbers(subjects: &[Subject]) -> Markup {
    let mut rows = PageTable::of("/permissions/by_subject", subjects.iter().enumerate());
    rows.add("prompt", |one, _, _| code(&one.subject));
    rows.count("times", "asked", |one| one.asked);
    rows.count("allowed", "granted", |one| one.granted);
    rows.count("refused", "refused", |one| one.refused);
    rows.seconds("median wait", "median_seconds", |one| one.median_seconds);
    rows.table("prompts")
}
