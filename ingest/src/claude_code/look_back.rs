//! The line of a call, found again from the line of its result: it stands a few lines before, so that
//! nothing has to be remembered of the calls that nobody was asked about.

use std::fs::File;
use std::io;

use memchr::memmem::{self, Finder, FinderRev};
use memchr::{memchr, memrchr};
use plantune_domain::platform;
use serde_json::Value;

use super::asker::Attribution;
use super::lines;
use super::wire::{self, ANSWER, CALL};

/// How much is read at first, and at most, in bytes.
const BLOCK: u64 = 32 * 1024;
const MOST: u64 = 32 * 1024 * 1024;

/// How far before a call the other calls of the same answer are looked for, in bytes.
const BESIDE: u64 = 1024 * 1024;

/// After so many bytes were read for calls that are not there, no more are looked for.
const MOST_MISSED: u64 = 256 * 1024 * 1024;

/// A call as its own line tells it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spoken {
    pub(super) name: String,
    pub(super) input: Value,
    /// RFC 3339, as written.
    pub(super) at: Option<String>,
    pub(super) named: Attribution,
    /// True when the same call ran beside it.
    pub(super) has_twin: bool,
    /// True when other calls of the same tool belong to the same answer.
    pub(super) has_company: bool,
}

/// Reads backwards in a transcript.
pub(super) struct LookBack<'f> {
    file: &'f File,
    /// How many bytes were read.
    pub(super) bytes: u64,
    /// How many of them for nothing.
    missed: u64,
}

/// What was read of the file: from `start` on.
struct Region {
    start: u64,
    bytes: Vec<u8>,
}

/// A call beside others.
struct Beside {
    id: String,
    name: String,
    input: Value,
    /// Where its line begins, in the region.
    line: usize,
}

impl<'f> LookBack<'f> {
    pub(super) fn of(file: &'f File) -> Self {
        Self {
            file,
            bytes: 0,
            missed: 0,
        }
    }

    /// The call `id`, whose result's line begins at `before`; `None` when it is not found near.
    pub(super) fn call(&mut self, id: &str, before: u64) -> io::Result<Option<Spoken>> {
        let mut region = Region {
            start: before,
            bytes: Vec::new(),
        };
        let mut block = BLOCK;
        let (line, value) = loop {
            let read = before - region.start;
            if region.start == 0 || read >= MOST || self.missed >= MOST_MISSED {
                self.missed += read;
                return Ok(None);
            }
            self.extend(&mut region, block)?;
            block *= 2;
            if let Some(found) = region.line_of_call(id) {
                break found;
            }
        };
        let at = region.start + line as u64;
        let line_now = |region: &Region| usize::try_from(at - region.start).unwrap_or_default();
        if let Some(message) = wire::Line(&value).message() {
            while region.start > 0
                && at - region.start < BESIDE
                && !region.holds_start_of(message, line_now(&region))
            {
                let left = BESIDE - (at - region.start);
                self.extend(&mut region, block.min(left))?;
                block *= 2;
            }
        }
        Ok(region.spoken(id, &value, line_now(&region)))
    }

    /// Reads up to `count` bytes more before what was read.
    fn extend(&mut self, region: &mut Region, count: u64) -> io::Result<()> {
        let count = count.min(region.start);
        region.start -= count;
        let mut bytes = vec![0; usize::try_from(count).unwrap_or_default()];
        platform::read_exact_at(self.file, &mut bytes, region.start)?;
        self.bytes += count;
        bytes.append(&mut region.bytes);
        region.bytes = bytes;
        Ok(())
    }
}

impl Region {
    /// Where the whole line of byte `at` begins and ends; `None` for one that was not read from its start.
    fn line(&self, at: usize) -> Option<(usize, usize)> {
        let begin = match memrchr(b'\n', self.bytes.get(..at)?) {
            Some(newline) => newline + 1,
            None if self.start == 0 => 0,
            None => return None,
        };
        let end = memchr(b'\n', self.bytes.get(at..)?).map_or(self.bytes.len(), |end| at + end);
        Some((begin, end))
    }

    fn values(&self, (begin, end): (usize, usize)) -> Vec<Value> {
        let line = self.bytes.get(begin..end).unwrap_or_default();
        lines::values(&lines::text(line)).0
    }

    /// True when an answer before `message`, of which a line begins at `begin`, was read.
    fn holds_start_of(&self, message: &str, begin: usize) -> bool {
        let finder = FinderRev::new(ANSWER);
        let mut before = begin;
        while let Some(at) = self.bytes.get(..before).and_then(|rest| finder.rfind(rest)) {
            let Some(line) = self.line(at) else {
                return false;
            };
            let bytes = self.bytes.get(line.0..line.1).unwrap_or_default();
            if memmem::find(bytes, message.as_bytes()).is_none() {
                return true;
            }
            before = line.0;
        }
        false
    }

    /// Where the last line begins that holds the call `id`, and what it says.
    fn line_of_call(&self, id: &str) -> Option<(usize, Value)> {
        let finder = FinderRev::new(id);
        let mut before = self.bytes.len();
        loop {
            let at = finder.rfind(self.bytes.get(..before)?)?;
            let line = self.line(at)?;
            // Most lines that name a call say how far it is.
            if memmem::find(self.bytes.get(line.0..line.1)?, CALL).is_some() {
                let mut values = self.values(line).into_iter();
                if let Some(found) = values.find(|value| call_of(value, id).is_some()) {
                    return Some((line.0, found));
                }
            }
            before = line.0;
        }
    }

    /// The call `id` in the line that begins at `begin` and says `value`.
    fn spoken(&self, id: &str, value: &Value, begin: usize) -> Option<Spoken> {
        let line = wire::Line(value);
        let call = call_of(value, id)?;
        let beside = match line.message() {
            Some(message) => self.calls_of(message),
            None => Vec::new(),
        };
        let others = || {
            beside
                .iter()
                .filter(|other| other.id != id && other.name == call.name)
        };
        Some(Spoken {
            name: call.name.to_owned(),
            input: call.input.clone(),
            at: line.timestamp().map(str::to_owned),
            named: line.into(),
            has_twin: others()
                .any(|other| other.input == *call.input && !self.is_over(other, begin)),
            has_company: others().next().is_some(),
        })
    }

    /// The calls of one answer of the model.
    fn calls_of(&self, message: &str) -> Vec<Beside> {
        let finder = Finder::new(message);
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(at) = self.bytes.get(from..).and_then(|rest| finder.find(rest)) {
            let at = from + at;
            let Some(line) = self.line(at) else {
                from = at + message.len().max(1);
                continue;
            };
            from = line.1;
            for value in self.values(line) {
                let line_of = wire::Line(&value);
                if line_of.message() != Some(message) {
                    continue;
                }
                found.extend(line_of.calls().into_iter().map(|call| Beside {
                    id: call.id.to_owned(),
                    name: call.name.to_owned(),
                    input: call.input.clone(),
                    line: line.0,
                }));
            }
        }
        found
    }

    /// True when the result of `call` stands before `begin`.
    fn is_over(&self, call: &Beside, begin: usize) -> bool {
        let finder = Finder::new(&call.id);
        let mut from = call.line;
        while let Some(at) = self
            .bytes
            .get(from..begin)
            .and_then(|rest| finder.find(rest))
        {
            let Some(line) = self.line(from + at) else {
                return false;
            };
            let is_result = |value: &Value| {
                let results = wire::Line(value).results();
                results.iter().any(|result| result.id == call.id)
            };
            if self.values(line).iter().any(is_result) {
                return true;
            }
            from = line.1;
        }
        false
    }
}

fn call_of<'v>(line: &'v Value, id: &str) -> Option<wire::ToolUse<'v>> {
    let calls = wire::Line(line).calls();
    calls.into_iter().find(|call| call.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::io::Write as _;

    fn used(message: &str, id: &str, command: &str) -> String {
        let content = json!([{"type": "tool_use", "id": id, "name": "Bash",
            "input": {"command": command}}]);
        let line = json!({"type": "assistant", "uuid": id, "timestamp": "2026-11-21T10:00:00.000Z",
            "message": {"id": message, "content": content}});
        line.to_string()
    }

    fn result(id: &str) -> String {
        let content = json!([{"type": "tool_result", "tool_use_id": id, "content": "done"}]);
        json!({"type": "user", "uuid": "u", "message": {"content": content}}).to_string()
    }

    #[test]
    fn calls_are_found_with_those_beside_them() {
        let long = used("m0", "far", &"x".repeat(3 * 64 * 1024));
        let written = [
            long,
            used("m1", "a", "npm test"),
            used("m1", "b", "npm test"),
            result("c"),
            result("b"),
            used("m1", "d", "npm test"),
            used("m1", "e", "npm run lint"),
            // Only mentions it.
            json!({"type": "progress", "uuid": "u", "toolUseID": "a"}).to_string(),
        ]
        .join("\n")
            + "\n";
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(written.as_bytes()).unwrap();
        let mut back = LookBack::of(&file);
        let end = written.len() as u64;
        let mut call = |id: &str| back.call(id, end).unwrap();
        let far = call("far").unwrap();
        assert_eq!((far.has_twin, far.has_company), (false, false));
        assert_eq!(far.at.as_deref(), Some("2026-11-21T10:00:00.000Z"));
        let a = call("a").unwrap();
        assert_eq!(a.input, json!({"command": "npm test"}));
        assert_eq!((a.has_twin, a.has_company), (true, true));
        // `b` was over before `d` began, but `a` was not.
        assert!(call("d").unwrap().has_twin);
        let e = call("e").unwrap();
        assert_eq!((e.has_twin, e.has_company), (false, true));
        assert_eq!(call("nowhere"), None);
        let first_lines = written.find(&result("c")).unwrap() as u64;
        assert!(back.call("b", first_lines).unwrap().unwrap().has_twin);
    }
}
