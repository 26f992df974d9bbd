//! Other options, headers, descriptions and previews than those that were seen.

use serde_json::{Value, json};

use super::text;
use crate::common::bound::{Bound, described, previewed};
use crate::common::question;

#[test]
fn other_options_are_asked() {
    let offering = |labels: &[&str]| question("k", "Which layout?", labels);
    let seen = offering(&["Grid (Recommended)", "List"]);
    for bound in Bound::both_forms(&seen) {
        bound.answers(&[seen.clone(), offering(&["list", "GRID (Recommended)"])]);
        for labels in [
            &["Grid (Recommended)", "List", "Tree"] as &[&str],
            &["Grid (Recommended)"],
            &["Grid (Recommended)", "Tree"],
            &["Grid (Recommended)", "List, and keep it"],
            &["Grid view (Recommended)", "List"],
            &["Grid (Recommended)", "List", "List"],
            &["Grid (Recommended)", "grid"],
        ] {
            bound.asks(&offering(labels), "options_differ");
        }
        bound.asks(&offering(&[]), "options_differ");
    }
}

#[test]
fn options_that_look_alike_are_asked() {
    let offering = |labels: &[&str]| question("k", "Which layout?", labels);
    let seen = offering(&["Rows (Recommended)", "Columns"]);
    for bound in Bound::both_forms(&seen) {
        bound.answers(std::slice::from_ref(&seen));
        for other in [
            "C\u{43e}lumns",
            "Columns\u{200b}",
            "\u{202e}Columns",
            "Ｃｏｌｕｍｎｓ",
            "Co1umns",
            "C\u{3bf}lumns",
            "Col\u{ad}umns",
            "Columns.",
        ] {
            let near = offering(&["Rows (Recommended)", other]);
            bound.asks(&near, "options_differ");
            // Two that look alike are asked for that alone.
            let beside = offering(&["Rows (Recommended)", "Columns", other]);
            assert_eq!(bound.difference(&beside), Some("options_differ"));
            bound.asks_for(&beside, &["options_differ", "look_alike_options"]);
        }
    }
    // Nor were two that look alike ever to be distinguished.
    let twins = offering(&["Rows (Recommended)", "Columns", "C\u{43e}lumns"]);
    for bound in Bound::both_forms(&twins) {
        bound.knows(&twins);
        bound.asks_for(&twins, &["look_alike_options"]);
    }
}

#[test]
fn multi_select_is_asked_unless_it_was_seen() {
    let one = question("k", "Which parts?", &["Header (Recommended)", "Footer"]);
    let mut several = one.clone();
    several["multiSelect"] = json!(true);
    for bound in Bound::both_forms(&one) {
        bound.answers(std::slice::from_ref(&one));
        bound.asks(&several, "multi_select_differs");
    }
    for bound in Bound::both_forms(&several) {
        bound.asks(&one, "multi_select_differs");
    }
}

#[test]
fn other_headers_are_asked() {
    let seen = text("Shall I go on?");
    let bound = Bound::to_each(std::slice::from_ref(&seen));
    bound.answers(std::slice::from_ref(&seen));
    for (header, is_new) in [
        (json!("Push"), true),
        (json!("Everything"), true),
        (json!("Layout"), false),
        (json!("header"), false),
        (json!(""), false),
        (Value::Null, false),
    ] {
        let mut other = seen.clone();
        other["header"] = header;
        match is_new {
            true => bound.asks(&other, "header_differs"),
            false => bound.answers(&[other]),
        }
    }
}

#[test]
fn other_descriptions_are_asked() {
    let seen = described(&text("Shall I go on?"), &["with the next page", "stop"]);
    let bound = Bound::to_each(std::slice::from_ref(&seen));
    bound.answers(std::slice::from_ref(&seen));
    for description in [
        "with all pages",
        "with the next page, and tell everybody",
        "with the next page of the \u{202e}draft",
        "stop",
    ] {
        let other = described(&seen, &[description, "stop"]);
        bound.asks(&other, "new_in_description");
    }
    let swapped = described(&seen, &["stop", "with the next page"]);
    bound.asks(&swapped, "new_in_description");
    // What says no more than was seen, or names a thing, and what is not chosen.
    for descriptions in [
        ["with the page", "stop"],
        ["with the next section", "stop"],
        ["with the next page", "stop for good"],
        ["", ""],
    ] {
        bound.answers(&[described(&seen, &descriptions)]);
    }
    // Seen without any.
    let plain = text("Shall I go on?");
    let bound = Bound::to_each(std::slice::from_ref(&plain));
    bound.answers(std::slice::from_ref(&plain));
    bound.asks(
        &described(&seen, &["with its own page", ""]),
        "new_in_description",
    );
    // What the options are described with moves with them.
    let bound = Bound::to_each(std::slice::from_ref(&seen));
    let mut turned = seen.clone();
    turned["options"].as_array_mut().unwrap().reverse();
    bound.answers(std::slice::from_ref(&turned));
}

#[test]
fn one_way_descriptions_are_asked_where_none_are_known() {
    let seen = text("Shall I go on?");
    let [of_today, _] = Bound::both_forms(&seen);
    of_today.answers(&[
        seen.clone(),
        described(&seen, &["with the section", "stop"]),
    ]);
    for description in [
        "deletes the customers table",
        "pushes to production",
        "pays the invoice",
    ] {
        of_today.asks(&described(&seen, &[description, ""]), "new_in_description");
        of_today.asks(&previewed(&seen, &[description, ""]), "preview_differs");
    }
}

#[test]
fn other_previews_are_asked() {
    let plain = text("Shall I go on?");
    let seen = previewed(&plain, &["let a = 1;", "let a = 2;"]);
    let bound = Bound::to_each(std::slice::from_ref(&seen));
    bound.answers(std::slice::from_ref(&seen));
    for previews in [
        ["let a = 10;", "let a = 2;"],
        ["let a = 1;  ", "let a = 2;"],
        ["let a = 2;", "let a = 1;"],
    ] {
        bound.asks(&previewed(&plain, &previews), "preview_differs");
    }
    // What is not chosen does not count, nor what is no longer shown.
    for previews in [["let a = 1;", ""], ["", ""]] {
        bound.answers(&[previewed(&plain, &previews)]);
    }
    // Where none was seen, and where it is not known whether one was.
    for bound in Bound::both_forms(&plain) {
        bound.answers(std::slice::from_ref(&plain));
        bound.asks(&seen, "preview_differs");
    }
}
