//! One transcript: its question calls, in the order they were made, and who allowed its calls.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;

use plantune_domain::wire::{QuestionTool, has_answers, sent_questions};

use super::call::Call;
use super::lines::{self, Lines, strings_of};
use super::look_back::LookBack;
use super::permissions::{Found, State};
use super::place::{Place, in_utc};
use super::summary::Summary;
use super::wire::{self, ToolUse};

/// What one file holds.
#[derive(Default)]
pub(crate) struct Transcript {
    pub(super) calls: Vec<Call>,
    by_id: HashMap<String, usize>,
    /// True when any line is known to be a transcript's.
    is_native: bool,
    /// Lines that name the tool or a call of it.
    concerned: u64,
    /// Who allowed its calls, in the order of the lines.
    pub(super) found: Vec<Found>,
    /// What has to be known to read on.
    pub(crate) state: State,
    /// The session, where a line does not say.
    pub(super) session: String,
    /// How far it was read.
    pub(crate) end: u64,
    /// What was found beside its calls.
    pub(crate) summary: Summary,
    /// What the latest line that said so said.
    latest: Place,
}

impl Transcript {
    /// Reads the file at `path` as far as it can be read.
    pub(super) fn read(path: &Path) -> Self {
        let mut transcript = Self::new(path, State::default());
        let read = File::open(path).and_then(|file| transcript.read_lines(&file, 0, None));
        let summary = &mut transcript.summary;
        summary.files = 1;
        if let Err(error) = read {
            summary.unreadable(path, &error);
        }
        if transcript.concerned > 0 && !transcript.is_native {
            // It names the tool, but is none of Claude Code's transcripts.
            (
                summary.foreign_files,
                summary.unreadable_lines,
                summary.mentions,
            ) = (1, 0, 0);
        } else {
            summary.transcripts = u64::from(!transcript.calls.is_empty());
        }
        transcript
    }

    /// The transcript at `path`, of which nothing has been read since `state`.
    pub(crate) fn new(path: &Path, state: State) -> Self {
        // Claude Code names a transcript after its session.
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Self {
            state,
            latest: Place {
                session_id: name.clone().into_owned(),
                ..Place::default()
            },
            session: name.into_owned(),
            ..Self::default()
        }
    }

    /// Reads the lines of `file` from the offset `from` on: all there are, or the whole ones up to `length`.
    pub(crate) fn read_lines(
        &mut self,
        file: &File,
        from: u64,
        length: Option<u64>,
    ) -> io::Result<()> {
        let mut lines = Lines::of(file, from)?;
        let mut back = LookBack::of(file);
        let mut is_known = false;
        self.end = from;
        while let Some(line) = lines.next()? {
            if length.is_some_and(|length| !line.is_ended || line.end > length) {
                break;
            }
            self.end = line.end;
            match line.bytes {
                None => self.summary.long_lines += 1,
                Some(bytes) => {
                    is_known |= self.read_line(bytes, line.start, is_known, &mut back);
                }
            }
        }
        self.summary.bytes = self.end - from + back.bytes;
        Ok(())
    }

    /// Reads one line, which begins at `start`, if it matters, and returns whether it held JSON. The first
    /// that does decides what kind of file it is.
    fn read_line(
        &mut self,
        line: &[u8],
        start: u64,
        is_known: bool,
        back: &mut LookBack<'_>,
    ) -> bool {
        let has_needle = wire::may_matter(line);
        let (decides, ends_turn) = self.glance(line, has_needle);
        let mentions = has_needle && wire::QUESTION.find(line).is_some();
        let concerns = mentions || has_needle && self.names_a_call(line);
        let says_who = has_needle && wire::may_say_who_works(line);
        let (values, is_damaged) = match decides || concerns || says_who || !is_known {
            true => lines::values(&lines::text(line)),
            false => (Vec::new(), false),
        };
        let mut is_used = false;
        let native = values.iter().map(wire::Line);
        for line in native.filter(|line| line.is_transcript()) {
            self.is_native = true;
            if says_who {
                self.state.at_work.take(line);
            }
            if decides {
                self.take_decision(line, start, back);
            }
            is_used |= concerns && self.take(line);
        }
        self.concerned += u64::from(concerns);
        if concerns && is_damaged {
            self.summary.unreadable_lines += 1;
            self.is_native |= wire::SESSION_ID.find(line).is_some();
        } else if mentions && !is_used {
            self.summary.mentions += 1;
        }
        if ends_turn {
            self.end_turn();
        }
        !values.is_empty()
    }

    fn names_a_call(&self, line: &[u8]) -> bool {
        let mut ids = wire::IDS.iter().flat_map(|ids| strings_of(line, ids));
        !self.by_id.is_empty() && ids.any(|id| self.by_id.contains_key(id))
    }

    /// Adds what a line says of a call, and returns whether it said anything.
    fn take(&mut self, line: wire::Line<'_>) -> bool {
        let timestamp = line.timestamp().and_then(in_utc);
        if let Some(session) = line.session_id() {
            session.clone_into(&mut self.latest.session_id);
        }
        if let Some(cwd) = line.cwd() {
            cwd.clone_into(&mut self.latest.cwd);
        }
        if timestamp.is_some() {
            self.latest.at = timestamp;
        }
        let mut is_used = false;
        for call in line.calls() {
            if let Some(tool) = QuestionTool::from_name(call.name) {
                self.add(line, tool, &call);
                is_used = true;
            }
        }
        for result in line.results() {
            let at = self.latest.at.clone();
            if let Some(call) = self.call(result.id) {
                call.end(&result, at);
                let is_answered = call.is_answered();
                self.state.at_work.awaits_reply &= !is_answered;
                is_used = true;
            }
        }
        if let Some((id, answers)) = line.answers_of_hook()
            && let Some(call) = self.call(id)
        {
            // Of several hooks that change the input, the last to finish wins.
            call.answers_of_hook = Some(answers);
            is_used = true;
        }
        is_used
    }

    fn call(&mut self, id: &str) -> Option<&mut Call> {
        self.calls.get_mut(*self.by_id.get(id)?)
    }

    fn add(&mut self, line: wire::Line<'_>, tool: QuestionTool, tool_use: &ToolUse<'_>) {
        let input = tool_use.parsed_input();
        let mut questions = sent_questions(&input);
        if tool == QuestionTool::Native {
            // The host fills in what the model leaves out, and hooks are sent that.
            for question in &mut questions {
                question.multi_select.get_or_insert(false);
            }
        }
        self.state.at_work.awaits_reply |= !line.is_sidechain();
        let call = Call {
            tool,
            tool_name: tool_use.name.to_owned(),
            tool_use_id: tool_use.id.to_owned(),
            questions,
            has_own_answers: has_answers(&input),
            of: Place {
                entrypoint: line.entrypoint().map(str::to_owned),
                agent_id: line.agent_id().map(str::to_owned),
                permission_mode: self.state.permission_mode.clone(),
                ..self.latest.clone()
            },
            skill: self.state.at_work.asker(line),
            ending: None,
            answers_of_hook: None,
        };
        match self.call(tool_use.id) {
            // The same call again, more of it spoken by now. What was answered stays as it was.
            Some(earlier) if earlier.ending.is_none() && call.size() > earlier.size() => {
                let answers_of_hook = earlier.answers_of_hook.take();
                *earlier = Call {
                    answers_of_hook,
                    ..call
                };
            }
            Some(_) => {}
            None => {
                self.by_id.insert(tool_use.id.to_owned(), self.calls.len());
                self.calls.push(call);
            }
        }
    }
}
