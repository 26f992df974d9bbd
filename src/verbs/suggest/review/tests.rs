//! The list without a terminal: what keys do, and what is shown.

use plantune_query::backtest::chosen::LastAnswer;
use plantune_query::permissions::propose::Proposal as RuleProposal;
use plantune_query::suggest::{Level, Suggestion};

use super::item::Item;
use super::list::{Kind, List, Mode, Room, Step};
use super::sample::{day, rule, suggestion};
use super::view::View;
use crate::terminal::frame::{Line, Style};
use crate::terminal::screen::Key;
use crate::verbs::suggest::proposal::Proposal;
use crate::verbs::suggest::reply::Reply;

fn list(questions: usize, rules: usize) -> List {
    let questions = vec![Kind::Question; questions];
    let mut list = List::new([questions, vec![Kind::Rule; rules]].concat());
    list.room = Room {
        list: 4,
        detail: 10,
        detail_lines: 25,
        text: 10,
        text_lines: 33,
    };
    list
}

/// Presses each of `keys`; what is to be done after the last one.
fn press(list: &mut List, keys: &str) -> Step {
    let steps = keys.chars().map(|key| list.press(Key::Char(key)));
    steps.last().unwrap_or(Step::Show)
}

#[test]
fn keys_move_within_the_list() {
    let mut list = list(9, 1);
    let mut at = |key: Key| {
        list.press(key);
        list.selected
    };
    assert_eq!(at(Key::Up), 0);
    assert_eq!(at(Key::Down), 1);
    assert_eq!(at(Key::Char('j')), 2);
    assert_eq!(at(Key::Char('k')), 1);
    assert_eq!(at(Key::PageDown), 4);
    assert_eq!(at(Key::PageUp), 1);
    assert_eq!(at(Key::End), 9);
    assert_eq!(at(Key::Down), 9);
    assert_eq!(at(Key::PageDown), 9);
    assert_eq!(at(Key::Home), 0);
    assert_eq!(at(Key::Char('G')), 9);
    assert_eq!(at(Key::Char('g')), 0);
}

#[test]
fn a_reply_is_noted_and_the_next_one_selected() {
    let mut list = list(4, 1);
    assert_eq!(press(&mut list, "y"), Step::Chosen);
    assert_eq!(press(&mut list, "nlN"), Step::Chosen);
    let said = [Reply::Yes, Reply::No, Reply::Later, Reply::Never].map(Some);
    assert_eq!(list.choices()[..4], said);
    assert_eq!((list.selected, list.choices()[4]), (4, None));
    // A rule can be left out, and not for good.
    assert_eq!(press(&mut list, "N"), Step::Show);
    assert!(list.message.is_some() && list.choices()[4].is_none());
    assert_eq!(press(&mut list, "y"), Step::Chosen);
    assert_eq!(list.message, None);
    assert_eq!(list.chosen(Reply::Yes), [0, 4]);
    // The same again is no news.
    assert_eq!(press(&mut list, "y"), Step::Show);
    assert_eq!(press(&mut list, "gu"), Step::Chosen);
    assert_eq!((list.selected, list.chosen(Reply::Yes)), (0, vec![4]));
}

#[test]
fn leaving_asks_only_where_something_would_be_lost() {
    let mut list = list(3, 0);
    assert_eq!(press(&mut list, "nl"), Step::Chosen);
    assert_eq!(press(&mut list.clone(), "q"), Step::Leave);
    assert_eq!(list.clone().press(Key::Escape), Step::Leave);
    press(&mut list, "gy");
    assert_eq!(
        (press(&mut list, "q"), list.mode),
        (Step::Show, Mode::Leaving)
    );
    assert_eq!((press(&mut list, "n"), list.mode), (Step::Show, Mode::List));
    assert_eq!(press(&mut list, "qx"), Step::Show);
    assert_eq!(press(&mut list, "y"), Step::Leave);
}

#[test]
fn only_what_would_be_written_is_confirmed() {
    let mut list = list(3, 0);
    assert_eq!(list.press(Key::Enter), Step::Show);
    assert!(list.message.is_some());
    press(&mut list, "nl");
    assert_eq!(list.press(Key::Enter), Step::Show);
    press(&mut list, "gN");
    assert_eq!(list.press(Key::Enter), Step::Finish);
    list.show_change();
    // Enter is no yes.
    assert_eq!(list.press(Key::Enter), Step::Show);
    for (key, from) in [
        (' ', 9),
        (' ', 18),
        (' ', 23),
        ('k', 22),
        ('j', 23),
        ('g', 0),
        ('G', 23),
    ] {
        press(&mut list, &key.to_string());
        assert_eq!(list.text_from, from, "{key}");
    }
    assert_eq!(press(&mut list.clone(), "y"), Step::Write);
    assert_eq!(
        (list.press(Key::Escape), list.mode),
        (Step::Back, Mode::List)
    );
    assert_eq!(list.chosen(Reply::Never), [0]);
}

#[test]
fn space_reads_on_and_begins_again() {
    let mut list = list(2, 0);
    let mut from = || {
        press(&mut list, " ");
        list.detail_from
    };
    assert_eq!([from(), from(), from(), from()], [9, 15, 0, 9]);
    press(&mut list, "j");
    assert_eq!(list.detail_from, 0);
    press(&mut list, "?");
    assert_eq!(list.mode, Mode::Help);
    assert_eq!((press(&mut list, "q"), list.mode), (Step::Show, Mode::List));
}

fn last() -> Vec<LastAnswer> {
    let one = |number, label: &str, answer: Option<&str>, agrees| LastAnswer {
        day: day(number),
        question: "Which layout?".to_owned(),
        labels: vec![label.to_owned()],
        typed: None,
        said_more: false,
        is_answered: true,
        answer: answer.map(str::to_owned),
        agrees,
    };
    let typed = LastAnswer {
        labels: Vec::new(),
        typed: Some("neither\u{1b}[2J".to_owned()),
        said_more: true,
        ..one(11, "", Some("Grid"), false)
    };
    vec![
        one(14, "Grid (Recommended)", Some("Grid (Recommended)"), true),
        one(12, "List", Some("Grid (Recommended)"), false),
        typed,
        one(10, "Grid\u{202e}", None, false),
    ]
}

/// The screen of this size, with the proposals of the sample and the keys pressed.
fn screen(size: (u16, u16), keys: &str) -> String {
    let long =
        "Shall the list of open questions stand at the end of the page, or at its beginning?";
    let suggestions: Vec<Suggestion> = vec![
        suggestion("Which layout?", "Grid", Level::Standing),
        suggestion(
            long,
            "次はどうしますか、\u{1b}]0;owned\u{7}先へ進みますか",
            Level::Trial,
        ),
        suggestion("Styleguide?", "Skip", Level::Assist),
    ];
    let rules: Vec<RuleProposal> = vec![rule("Bash(npm test)")];
    let proposals: Vec<Proposal<'_>> = suggestions.iter().map(Proposal::Question).collect();
    let items: Vec<Item<'_>> = proposals
        .iter()
        .map(|one| Item::of(one, last()))
        .chain(rules.iter().map(Item::of_rule))
        .collect();
    let mut list = List::new(items.iter().map(|item| item.kind).collect());
    let change: Vec<Line> = (1..60)
        .map(|number| Line::of(format!("+  \"line {number}\""), Style::Good))
        .collect();
    let view = View {
        items: &items,
        figures: "These 2 would have answered 61 of 240 questions, 60 right.",
        change: &change,
        size,
    };
    let mut frame = view.frame(&mut list);
    for key in keys.chars() {
        let step = match key {
            '\n' => list.press(Key::Enter),
            key => list.press(Key::Char(key)),
        };
        if step == Step::Finish {
            list.show_change();
        }
        frame = view.frame(&mut list);
    }
    assert!(frame.len() <= usize::from(size.1), "{} lines", frame.len());
    for line in &frame {
        let width = plantune_reports::text::width(&line.text());
        assert!(width <= usize::from(size.0), "{}", line.text());
    }
    let lines: Vec<String> = frame.iter().map(Line::text).collect();
    lines.join("\n")
}

#[test]
fn the_list_in_80_columns() {
    insta::assert_snapshot!(screen((80, 24), "yn"));
}

#[test]
fn the_list_in_140_columns() {
    insta::assert_snapshot!(screen((140, 40), "yNk"));
}

#[test]
fn a_rule_and_the_question_before_leaving() {
    insta::assert_snapshot!(screen((80, 24), "yGq"));
}

#[test]
fn what_would_be_written_can_be_read_to_its_end() {
    insta::assert_snapshot!(screen((80, 24), "y\n  "));
}

#[test]
fn every_size_is_filled_and_none_is_exceeded() {
    for columns in [20, 59, 60, 79, 119, 120, 121, 200] {
        for rows in [3, 17, 18, 25, 60] {
            for keys in ["", "y  ", "Gy", "?", "? ", "y\n", "yq"] {
                screen((columns, rows), keys);
            }
        }
    }
}
