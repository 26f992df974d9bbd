//! The proposals as a list on the whole terminal: the person moves through it, chooses, sees what the chosen ones
//! would have answered, and confirms the change as a whole.

mod change;
mod figures;
mod item;
mod list;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;
mod view;

use std::io::{IsTerminal as _, stdin, stdout};
use std::sync::atomic::AtomicU64;
use std::thread;

use plantune_query::Error;
use plantune_query::backtest::chosen::Askings;
use plantune_query::permissions::propose::Proposal as RuleProposal;
use plantune_reports::text::wrap;
use terminal_size::{Height, Width, terminal_size};

use crate::failure::Failure;
use crate::platform::end_by;
use crate::terminal::frame::{Line, Style};
use crate::terminal::screen::{Input, Screen};
use crate::terminal::{self, held};
use crate::verbs::suggest::permissions::{SettingsChoice, place};
use crate::verbs::suggest::proposal::Proposal;
use crate::verbs::suggest::reply::Reply;
use crate::workspace::{Workspace, store};

use change::{Decided, Plan};
use figures::{Calculator, Choice, History};
use item::Item;
use list::{List, Step};
use view::{LEAST, View};

/// How many of the latest askings are shown of each question.
const MOST_LAST: usize = 10;

/// How the review was called.
pub(super) struct Review<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) settings: Option<SettingsChoice>,
    /// The call, as the person would type it.
    pub(super) command: &'a str,
}

/// What comes after the keys were pressed.
enum Next {
    Step(Step),
    /// The program is to end by this signal.
    End(i32),
}

/// True where a list can be shown: on a terminal that is large enough and can be written anywhere, and not where
/// a build runs.
pub(super) fn is_possible() -> bool {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let has_room = terminal_size()
        .is_some_and(|(Width(columns), Height(rows))| columns >= LEAST.0 && rows >= LEAST.1);
    stdin().is_terminal()
        && stdout().is_terminal()
        && set("TERM").is_some_and(|term| term != "dumb")
        && set("CI").is_none()
        && has_room
}

impl Review<'_> {
    /// Shows `proposals` and `rules` as a list, and writes what the person chose and confirmed.
    ///
    /// # Errors
    /// Usage for a choice of settings that does not fit; those of the writers of preferences and settings; when
    /// the terminal or the store cannot be read. Nothing is written then.
    pub(super) fn run(
        &self,
        proposals: &[&Proposal<'_>],
        rules: &[&RuleProposal],
    ) -> Result<(), Failure> {
        let workspace = self.workspace;
        // Before anything is chosen that could not be written.
        for rule in rules {
            place(rule, self.settings)?;
        }
        let history = self.history()?;
        // The person may think about it for long.
        workspace.close_store();
        let items: Vec<Item<'_>> = proposals
            .iter()
            .map(|proposal| {
                let last = match proposal {
                    Proposal::Question(one) => history.askings.last_answers(
                        one,
                        history.settings,
                        history.registry,
                        MOST_LAST,
                    ),
                    Proposal::Asker(_) => Vec::new(),
                };
                Item::of(proposal, last)
            })
            .chain(rules.iter().map(|rule| Item::of_rule(rule)))
            .collect();
        let number = AtomicU64::new(0);
        held::release()?;
        thread::scope(|scope| {
            let calculator = Calculator::start(scope, &history, &number);
            self.go_through(&items, calculator)
        })
    }

    fn history(&self) -> Result<History<'_>, Failure> {
        let workspace = self.workspace;
        let registry = workspace.registry()?;
        let failure = |error: Error| store::failure(&workspace.paths, &error);
        let (askings, prompts) = match workspace.store()? {
            Some(store) => (
                Askings::read(&store, registry).map_err(failure)?,
                store.prompt_history().map_err(failure)?,
            ),
            None => Default::default(),
        };
        Ok(History {
            askings,
            prompts,
            settings: &workspace.config()?.suggest,
            registry,
        })
    }

    fn go_through<'i>(
        &self,
        items: &'i [Item<'i>],
        mut calculator: Calculator<'i>,
    ) -> Result<(), Failure> {
        let mut list = List::new(items.iter().map(|item| item.kind).collect());
        let mut screen = Screen::take(self.workspace.colour)?;
        loop {
            let next = self.press(&mut screen, &mut list, items, &mut calculator, None)?;
            let signal = match next {
                Next::Step(Step::Finish) => {
                    let choices = list.choices();
                    let decided = Decided::of(items, choices, self.settings, self.workspace)?;
                    let plan = decided.plan(self.workspace, self.command)?;
                    list.show_change();
                    let shown = Some(&plan);
                    match self.press(&mut screen, &mut list, items, &mut calculator, shown)? {
                        Next::Step(Step::Write) => {
                            drop(screen);
                            return plan.write();
                        }
                        Next::Step(_) => continue,
                        Next::End(signal) => signal,
                    }
                }
                Next::Step(_) => {
                    drop(screen);
                    return terminal::print("nothing was changed\n");
                }
                Next::End(signal) => signal,
            };
            drop(screen);
            end_by(signal);
            return Ok(());
        }
    }

    /// Shows where the person is and does what they press, until it is something that ends the list, or what
    /// `plan` would write.
    fn press<'i>(
        &self,
        screen: &mut Screen,
        list: &mut List,
        items: &'i [Item<'i>],
        calculator: &mut Calculator<'i>,
        plan: Option<&Plan<'_>>,
    ) -> Result<Next, Failure> {
        let mut shown = None;
        let mut diff = Vec::new();
        loop {
            let size =
                terminal_size().map_or(LEAST, |(Width(columns), Height(rows))| (columns, rows));
            let figures = calculator.in_words();
            let now = Some((size, figures.clone()));
            // What looks the same as before is not worked out again ten times a second.
            if shown != now {
                if shown.as_ref().is_none_or(|(before, _)| *before != size) {
                    diff = plan.map_or_else(Vec::new, |plan| plan.lines(usize::from(size.0)));
                }
                let change = lines(&diff, &figures, size.0);
                let view = View {
                    items,
                    figures: &figures,
                    change: &change,
                    size,
                };
                screen.show(&view.frame(list), size)?;
                shown = now;
            }
            match Screen::look()? {
                Input::End(signal) => return Ok(Next::End(signal)),
                Input::Nothing => {}
                Input::Key(key) => {
                    shown = shown.map(|(size, _)| (size, String::new()));
                    match list.press(key) {
                        Step::Show => {}
                        Step::Chosen => calculator.ask(choice(list, items)),
                        step => return Ok(Next::Step(step)),
                    }
                }
            }
        }
    }
}

/// What would be written, below what the chosen ones would have done.
fn lines(diff: &[Line], figures: &str, columns: u16) -> Vec<Line> {
    let figures = wrap(figures, usize::from(columns)).into_iter();
    let figures = figures.map(|line| Line::of(line, Style::Strong));
    let space = std::iter::once(Line::default());
    figures.chain(space).chain(diff.iter().cloned()).collect()
}

/// What is chosen to be set, as the replay needs it.
fn choice<'i>(list: &List, items: &'i [Item<'i>]) -> Choice<'i> {
    let mut choice = Choice::default();
    for place in list.chosen(Reply::Yes) {
        if let Some(item) = items.get(place) {
            choice.add(item.questions(), item.rule());
        }
    }
    choice
}
