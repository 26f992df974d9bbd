//! Where the person is in the list, what they have chosen, and what a key does. Nothing is shown here, and
//! nothing is written.

use crate::terminal::screen::Key;
use crate::verbs::suggest::reply::Reply;

/// What a list is about, for who moves through it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A question, or all questions of an asker.
    Question,
    /// A permission rule.
    Rule,
}

/// What the person sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// The list.
    List,
    /// The keys, and what the figures mean.
    Help,
    /// Whether they want to go, and lose what they chose.
    Leaving,
    /// What would be written.
    Change,
}

/// What is to be done after a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Nothing but to show it.
    Show,
    /// The choices are others.
    Chosen,
    /// To show what would be written.
    Finish,
    /// To go back to the list.
    Back,
    /// To write it.
    Write,
    /// To go, with nothing written.
    Leave,
}

/// How much is seen at once, as it was last shown: lines of the list, of the details, and of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) list: usize,
    pub(super) detail: usize,
    pub(super) detail_lines: usize,
    pub(super) text: usize,
    pub(super) text_lines: usize,
}

/// The list as far as the person has come.
#[derive(Clone, Debug)]
pub(super) struct List {
    kinds: Vec<Kind>,
    choices: Vec<Option<Reply>>,
    pub(super) selected: usize,
    /// The first line of the details that is seen.
    pub(super) detail_from: usize,
    /// The same of the help, or of what would be written.
    pub(super) text_from: usize,
    pub(super) mode: Mode,
    /// What the last key did not do, and why.
    pub(super) message: Option<&'static str>,
    pub(super) room: Room,
}

impl List {
    /// Nothing is chosen, and the first one selected.
    pub(super) fn new(kinds: Vec<Kind>) -> Self {
        Self {
            choices: vec![None; kinds.len()],
            kinds,
            selected: 0,
            detail_from: 0,
            text_from: 0,
            mode: Mode::List,
            message: None,
            room: Room::default(),
        }
    }

    /// What the person replied to each.
    pub(super) fn choices(&self) -> &[Option<Reply>] {
        &self.choices
    }

    /// Those that were replied to with `reply`, by their places.
    pub(super) fn chosen(&self, reply: Reply) -> Vec<usize> {
        let of = self.choices.iter().enumerate();
        of.filter(|(_, one)| **one == Some(reply))
            .map(|(place, _)| place)
            .collect()
    }

    /// Does what `key` means.
    pub(super) fn press(&mut self, key: Key) -> Step {
        self.message = None;
        match self.mode {
            Mode::List => self.in_list(key),
            Mode::Help => match key {
                Key::Char('q' | '?') | Key::Enter | Key::Escape => self.go(Mode::List, Step::Show),
                _ => self.in_text(key),
            },
            Mode::Leaving => match key {
                Key::Char('y') => Step::Leave,
                Key::Char('n' | 'q') | Key::Escape => self.go(Mode::List, Step::Show),
                _ => Step::Show,
            },
            Mode::Change => match key {
                Key::Char('y') => Step::Write,
                Key::Char('n' | 'q') | Key::Escape => self.go(Mode::List, Step::Back),
                _ => self.in_text(key),
            },
        }
    }

    /// Shows what would be written, from its beginning.
    pub(super) fn show_change(&mut self) {
        self.go(Mode::Change, Step::Show);
    }

    fn go(&mut self, mode: Mode, step: Step) -> Step {
        self.mode = mode;
        self.text_from = 0;
        step
    }

    fn in_list(&mut self, key: Key) -> Step {
        let last = self.kinds.len().saturating_sub(1);
        let page = self.room.list.saturating_sub(1).max(1);
        match key {
            Key::Char('j') | Key::Down => self.select(self.selected + 1),
            Key::Char('k') | Key::Up => self.select(self.selected.saturating_sub(1)),
            Key::PageDown => self.select(self.selected + page),
            Key::PageUp => self.select(self.selected.saturating_sub(page)),
            Key::Home | Key::Char('g') => self.select(0),
            Key::End | Key::Char('G') => self.select(last),
            Key::Char(' ') => self.read_on(),
            Key::Char('y') => self.choose(Some(Reply::Yes)),
            Key::Char('n') => self.choose(Some(Reply::No)),
            Key::Char('l') => self.choose(Some(Reply::Later)),
            Key::Char('N') if self.kinds.get(self.selected) == Some(&Kind::Rule) => {
                self.message = Some("\"never\" is for questions; n leaves a rule out");
                Step::Show
            }
            Key::Char('N') => self.choose(Some(Reply::Never)),
            Key::Char('u') => self.choose(None),
            Key::Char('?') => self.go(Mode::Help, Step::Show),
            Key::Enter if self.writes() => Step::Finish,
            Key::Enter => {
                self.message = Some("nothing is chosen that would be written; q leaves");
                Step::Show
            }
            Key::Char('q') | Key::Escape if self.writes() => self.go(Mode::Leaving, Step::Show),
            Key::Char('q') | Key::Escape => Step::Leave,
            Key::Char(_) => Step::Show,
        }
    }

    fn in_text(&mut self, key: Key) -> Step {
        let end = self.room.text_lines.saturating_sub(self.room.text);
        let page = self.room.text.saturating_sub(1).max(1);
        let to = match key {
            Key::Char('j') | Key::Down => self.text_from + 1,
            Key::Char('k') | Key::Up => self.text_from.saturating_sub(1),
            Key::Char(' ') | Key::PageDown => self.text_from + page,
            Key::PageUp => self.text_from.saturating_sub(page),
            Key::Home | Key::Char('g') => 0,
            Key::End | Key::Char('G') => end,
            _ => self.text_from,
        };
        self.text_from = to.min(end);
        Step::Show
    }

    fn select(&mut self, place: usize) -> Step {
        let place = place.min(self.kinds.len().saturating_sub(1));
        if place != self.selected {
            self.selected = place;
            self.detail_from = 0;
        }
        Step::Show
    }

    /// Reads on in the details; after their end from the beginning.
    fn read_on(&mut self) -> Step {
        let Room {
            detail,
            detail_lines,
            ..
        } = self.room;
        let next = self.detail_from + detail.saturating_sub(1).max(1);
        self.detail_from = match self.detail_from + detail >= detail_lines {
            true => 0,
            false => next.min(detail_lines.saturating_sub(detail)),
        };
        Step::Show
    }

    /// Notes the reply to the selected one; after a reply the next one is selected.
    fn choose(&mut self, reply: Option<Reply>) -> Step {
        let Some(choice) = self.choices.get_mut(self.selected) else {
            return Step::Show;
        };
        let is_new = *choice != reply;
        *choice = reply;
        if reply.is_some() {
            self.select(self.selected + 1);
        }
        if is_new { Step::Chosen } else { Step::Show }
    }

    /// True when something chosen would be written.
    fn writes(&self) -> bool {
        let writes = |one: &Option<Reply>| matches!(one, Some(Reply::Yes | Reply::Never));
        self.choices.iter().any(writes)
    }
}
