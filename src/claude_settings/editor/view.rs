//! The hooks part of the settings, read with positions: events hold groups, groups hold entries.
//!
//! What Claude Code would not understand either is passed over, unless plantune would have to
//! write there; then it is a problem to report.

use plantune_agents::installed::Registration;

use super::document::{Member, Span, elements, members, root, slice, string, unique};
use super::edited::Problem;
use super::layout::Style;
use super::ours;

/// The whole file.
pub(super) struct View<'a> {
    /// How the hook is registered there.
    pub(super) as_registered: &'static Registration,
    pub(super) text: &'a str,
    pub(super) style: Style,
    /// The root object; `None` for a file of white space.
    pub(super) root: Option<Span>,
    pub(super) members: Vec<Member>,
    pub(super) hooks: Option<Hooks>,
}

/// The `hooks` object.
pub(super) struct Hooks {
    /// Which of the root's members it is.
    pub(super) at: usize,
    pub(super) span: Span,
    pub(super) members: Vec<Member>,
    /// The events that are arrays.
    pub(super) events: Vec<Event>,
}

/// The groups of one event.
pub(super) struct Event {
    pub(super) name: String,
    /// Which member of `hooks` it is.
    pub(super) at: usize,
    pub(super) span: Span,
    pub(super) items: Vec<Span>,
    /// As many as there are items.
    pub(super) groups: Vec<Group>,
}

/// One matcher and the entries it calls.
pub(super) struct Group {
    pub(super) matcher: Matcher,
    /// True when it holds nothing but matcher and entries, so that without entries it is nothing.
    pub(super) bare: bool,
    /// The array of entries.
    pub(super) span: Span,
    pub(super) items: Vec<Span>,
    /// As many as there are items.
    pub(super) entries: Vec<Entry>,
}

/// Which tools a group is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Matcher {
    /// Every one.
    All,
    /// A name or a regular expression.
    Pattern(String),
    /// A value that is no string.
    Unknown,
}

/// One hook.
#[derive(Default)]
pub(super) struct Entry {
    pub(super) members: Vec<Member>,
    /// The command as written; `None` for other kinds of hook.
    pub(super) command: Option<String>,
    /// The program it starts, when that is ours.
    pub(super) program: Option<String>,
}

impl<'a> View<'a> {
    /// Reads `text`.
    ///
    /// # Errors
    /// When it is not what Claude Code reads, or says something twice where it matters.
    pub(super) fn read(
        text: &'a str,
        as_registered: &'static Registration,
    ) -> Result<Self, Problem> {
        let root = root(text)?;
        let members = root
            .as_ref()
            .and_then(|root| members(text, root))
            .unwrap_or_default();
        let style = Style::of(text, root.as_ref().unwrap_or(&(0..0)), &members);
        let hooks = match unique(text, &members, "hooks")? {
            None => None,
            Some(member) => {
                let at = members
                    .iter()
                    .position(|m| m.whole == member.whole)
                    .unwrap_or_default();
                Some(Hooks::read(text, at, &member.value, as_registered)?)
            }
        };
        Ok(Self {
            as_registered,
            text,
            style,
            root,
            members,
            hooks,
        })
    }

    /// The events, in the file's order.
    pub(super) fn events(&self) -> &[Event] {
        self.hooks.as_ref().map_or(&[], |hooks| &hooks.events)
    }
}

impl Hooks {
    fn read(
        text: &str,
        at: usize,
        span: &Span,
        as_registered: &Registration,
    ) -> Result<Self, Problem> {
        let members = members(text, span).ok_or_else(|| {
            Problem::at(text, span.start, "`hooks` is no object")
                .remedy("it is an object of events, each with a list")
        })?;
        let mut events = Vec::new();
        for (at, member) in members.iter().enumerate() {
            unique(text, &members, &member.key)?;
            match Event::read(text, at, member)? {
                Some(event) => events.push(event),
                None if as_registered
                    .events
                    .iter()
                    .all(|(name, _)| *name != member.key) => {}
                None => {
                    let fact = format!("`hooks.{}` is no array", member.key);
                    return Err(Problem::at(text, member.value.start, fact).remedy(
                        "it is an array of groups: [{\"matcher\": \"…\", \"hooks\": […]}, …]",
                    ));
                }
            }
        }
        Ok(Self {
            at,
            span: span.clone(),
            members,
            events,
        })
    }
}

impl Event {
    fn read(text: &str, at: usize, member: &Member) -> Result<Option<Self>, Problem> {
        let span = member.value.clone();
        let Some(items) = elements(text, &span) else {
            return Ok(None);
        };
        let groups = items
            .iter()
            .map(|item| Group::read(text, item))
            .collect::<Result<_, _>>()?;
        Ok(Some(Self {
            name: member.key.clone(),
            at,
            span,
            items,
            groups,
        }))
    }

    /// The entries that are ours: (group, entry).
    pub(super) fn ours(&self) -> impl Iterator<Item = (usize, usize)> {
        self.groups.iter().enumerate().flat_map(|(group, value)| {
            let entries = value.entries.iter().enumerate();
            entries
                .filter(|(_, entry)| entry.program.is_some())
                .map(move |(at, _)| (group, at))
        })
    }
}

impl Group {
    fn read(text: &str, span: &Span) -> Result<Self, Problem> {
        let members = members(text, span).unwrap_or_default();
        let hooks = unique(text, &members, "hooks")?.map_or(0..0, |hooks| hooks.value.clone());
        let items = elements(text, &hooks).unwrap_or_default();
        let entries = items
            .iter()
            .map(|item| Entry::read(text, item))
            .collect::<Result<_, _>>()?;
        let matcher = match unique(text, &members, "matcher")? {
            None => Matcher::All,
            Some(member) => match string(text, &member.value) {
                Some(all) if all.is_empty() || all == "*" => Matcher::All,
                Some(pattern) => Matcher::Pattern(pattern),
                None => Matcher::Unknown,
            },
        };
        let bare = members
            .iter()
            .all(|member| ["matcher", "hooks"].contains(&&*member.key));
        Ok(Self {
            matcher,
            bare,
            span: hooks,
            items,
            entries,
        })
    }

    /// True when every entry is ours.
    pub(super) fn is_ours(&self) -> bool {
        self.bare && self.entries.iter().all(|entry| entry.program.is_some())
    }
}

impl Entry {
    fn read(text: &str, span: &Span) -> Result<Self, Problem> {
        let Some(members) = members(text, span) else {
            return Ok(Self::default());
        };
        let command =
            unique(text, &members, "command")?.and_then(|command| string(text, &command.value));
        let direct = unique(text, &members, "args")?
            .is_some_and(|args| slice(text, &args.value).starts_with('['));
        let program = command
            .as_deref()
            .and_then(|command| ours::program(command, direct));
        if program.is_some() {
            for member in &members {
                unique(text, &members, &member.key)?;
            }
        }
        Ok(Self {
            members,
            command,
            program,
        })
    }
}

impl Matcher {
    /// True when it is what plantune registers with.
    pub(super) fn is(&self, wanted: Option<&str>) -> bool {
        match (self, wanted) {
            (Self::All, None) => true,
            (Self::Pattern(pattern), Some(wanted)) => pattern == wanted,
            _ => false,
        }
    }

    /// True when the group is called for the tool named `tool`, as far as is known: a pattern
    /// that only JavaScript understands counts as a match.
    pub(super) fn takes(&self, tool: &str) -> bool {
        match self {
            Self::All => true,
            Self::Unknown => false,
            Self::Pattern(name) if name.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                name == tool
            }
            Self::Pattern(pattern) => {
                regex::Regex::new(pattern).map_or(true, |regex| regex.is_match(tool))
            }
        }
    }
}
