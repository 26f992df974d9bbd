//! Events in the very form in which plantune writes them: the fields in their order, nothing between
//! them. Nearly every line is, and is read so in a third of the time; serde reads all others.

use plantune_domain::event::{Event, Text};

/// The event in `text`; `None` when it is written in any other way, or is none. What this reads, serde
/// reads as the same event.
pub(crate) fn read(text: &str) -> Option<Event<'_>> {
    macro_rules! fields {
        ($($name:ident),*) => {{
            let mut at = Place { text, rest: text.as_bytes() };
            let mut event = Event::default();
            at.take(b"{\"v\":")?;
            event.v = Field::read(&mut at)?;
            $(
                if at.take(concat!(",\"", stringify!($name), "\":").as_bytes()).is_some() {
                    event.$name = Field::read(&mut at)?;
                }
            )*
            (at.rest == b"}").then_some(event)
        }};
    }
    // As in `Event`.
    fields!(
        id,
        ts,
        kind,
        session_id,
        session_kind,
        project,
        cwd,
        permission_mode,
        entrypoint,
        agent_id,
        source,
        tool_name,
        tool_use_id,
        question_index,
        question_count,
        question_key,
        key_source,
        question,
        header,
        options,
        recommended,
        multi_select,
        door,
        door_reason,
        skill,
        ask_reason,
        answer,
        free_text,
        notes,
        was_auto_decided,
        followed_recommendation,
        preference,
        preference_scope,
        mechanism,
        error,
        error_kind,
        reason,
        detail,
        truncated
    )
}

/// A place in a text.
struct Place<'t> {
    text: &'t str,
    /// What of it is still to be read.
    rest: &'t [u8],
}

impl<'t> Place<'t> {
    /// Steps over `expected`, if that comes next.
    fn take(&mut self, expected: &[u8]) -> Option<()> {
        self.rest = self.rest.strip_prefix(expected)?;
        Some(())
    }

    /// Steps over `length` bytes, which end with a character, and returns them.
    fn take_text(&mut self, length: usize) -> Option<&'t str> {
        let start = self.text.len() - self.rest.len();
        self.rest = self.rest.get(length..)?;
        self.text.get(start..start + length)
    }
}

/// A value of a field.
trait Field<'t>: Sized {
    /// Steps over the value; `None` when it is none, or not written as plantune does.
    fn read(at: &mut Place<'t>) -> Option<Self>;
}

impl<'t> Field<'t> for Text<'t> {
    fn read(at: &mut Place<'t>) -> Option<Self> {
        let content = at.rest.strip_prefix(b"\"")?;
        let plain = plain_length(content);
        match content.get(plain)? {
            b'"' => {
                at.rest = content;
                let text = at.take_text(plain)?;
                at.take(b"\"")?;
                Some(text.into())
            }
            b'\\' => {
                let length = plain + escaped_length(content.get(plain..)?)?;
                let quoted = at.take_text(length + 2)?;
                serde_json::from_str(quoted).ok()
            }
            // A control character, which has no place in a text.
            _ => None,
        }
    }
}

impl<'t> Field<'t> for Vec<Text<'t>> {
    fn read(at: &mut Place<'t>) -> Option<Self> {
        at.take(b"[")?;
        let mut items = Self::new();
        if at.take(b"]").is_some() {
            return Some(items);
        }
        loop {
            items.push(Field::read(at)?);
            if at.take(b"]").is_some() {
                return Some(items);
            }
            at.take(b",")?;
        }
    }
}

impl<'t> Field<'t> for u32 {
    fn read(at: &mut Place<'t>) -> Option<Self> {
        let digits = at.rest.iter().take_while(|byte| byte.is_ascii_digit());
        let digits = at.take_text(digits.count())?;
        // Numbers do not begin with a zero.
        let is_one = digits.len() == 1 || !digits.starts_with('0');
        is_one.then(|| digits.parse().ok())?
    }
}

impl<'t> Field<'t> for bool {
    fn read(at: &mut Place<'t>) -> Option<Self> {
        let is_true = at.take(b"true").is_some();
        if !is_true {
            at.take(b"false")?;
        }
        Some(is_true)
    }
}

impl<'t, T: Field<'t>> Field<'t> for Option<T> {
    fn read(at: &mut Place<'t>) -> Option<Self> {
        if at.take(b"null").is_some() {
            return Some(None);
        }
        T::read(at).map(Some)
    }
}

/// How many bytes at the start of `bytes` are neither quotation marks, backslashes nor control
/// characters. Eight are looked at together ("Determine if a word has a byte less than n", Sean
/// Anderson, "Bit Twiddling Hacks"): of the marks that come out, the lowest is right.
fn plain_length(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHEST: u64 = 0x80 * ONES;
    let below = |word: u64, bound: u8| word.wrapping_sub(u64::from(bound) * ONES) & !word;
    let equal = |word: u64, byte: u8| below(word ^ (u64::from(byte) * ONES), 1);
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = (below(word, b' ') | equal(word, b'"') | equal(word, b'\\')) & HIGHEST;
        if found != 0 {
            return at * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    let is_plain = |byte: &&u8| !matches!(byte, 0..b' ' | b'"' | b'\\');
    bytes.len() - rest.len() + rest.iter().take_while(is_plain).count()
}

/// How many bytes come before the quotation mark that ends a text.
fn escaped_length(bytes: &[u8]) -> Option<usize> {
    let mut length = 0;
    loop {
        match bytes.get(length)? {
            b'"' => return Some(length),
            b'\\' => length += 2,
            _ => length += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::option;
    use proptest::prelude::*;

    /// What `line`, which stands without its newline, is by either way.
    fn both<'l>(line: &'l str) -> (Option<Event<'l>>, Option<Event<'l>>) {
        (read(line), serde_json::from_str(line).ok())
    }

    /// An event that has every field.
    fn whole() -> Event<'static> {
        let text = |text: &'static str| Some(Text::from(text));
        let list = |text: &'static str| Some(vec![text.into(), "\"quoted\"".into()]);
        Event {
            v: 1,
            id: "id".into(),
            ts: "ts".into(),
            kind: "kind".into(),
            session_id: "session".into(),
            session_kind: "interactive".into(),
            project: "project".into(),
            cwd: "/home/ä\u{1}".into(),
            permission_mode: text("default"),
            entrypoint: text("cli"),
            agent_id: text("agent"),
            source: "hook".into(),
            tool_name: text("AskUserQuestion"),
            tool_use_id: text("toolu"),
            question_index: Some(0),
            question_count: Some(u32::MAX),
            question_key: text("key"),
            key_source: text("marker"),
            question: text("Wirklich?\n\u{1f600}"),
            header: text(""),
            options: list("a"),
            recommended: text("a"),
            multi_select: Some(true),
            door: text("two-way"),
            door_reason: text("C:\\"),
            skill: text("skill"),
            ask_reason: text("because"),
            answer: Some(Vec::new()),
            free_text: text("free"),
            notes: text("notes"),
            was_auto_decided: Some(false),
            followed_recommendation: Some(None),
            preference: text("never-ask"),
            preference_scope: text("user"),
            mechanism: text("hook"),
            error: text("error"),
            error_kind: text("kind"),
            reason: text("reason"),
            detail: text("{\"n\":1}"),
            truncated: true,
        }
    }

    #[test]
    fn whatever_plantune_writes_is_read_here() {
        for event in [whole(), Event::default()] {
            let line = String::from_utf8(event.to_line().unwrap()).unwrap();
            let (here, serde) = both(line.trim_end());
            assert!(here.is_some() && here == serde, "{line}");
        }
    }

    #[test]
    fn what_is_written_otherwise_is_left_to_serde() {
        for line in [
            "",
            "{}",
            "[1]",
            "{\"v\":1",
            "{\"v\":1}}",
            "{\"v\":1} ",
            "{ \"v\":1}",
            "{\"v\":1,}",
            "{\"v\":01}",
            "{\"v\":}",
            "{\"v\":1.0}",
            "{\"v\":-1}",
            "{\"v\":4294967296}",
            "{\"v\":null}",
            "{\"id\":\"a\",\"v\":1}",
            "{\"v\":1,\"ts\":\"a\",\"id\":\"b\"}",
            "{\"v\":1,\"id\":\"a\",\"id\":\"a\"}",
            "{\"v\":1,\"id\":null}",
            "{\"v\":1,\"new\":1}",
            "{\"v\":1,\"id\":\"a\u{7}\"}",
            "{\"v\":1,\"id\":\"a\\x\"}",
            "{\"v\":1,\"id\":\"a\\\"}",
            "{\"v\":1,\"id\":\"\\ud800\"}",
            "{\"v\":1,\"options\":[\"a\",]}",
            "{\"v\":1,\"options\":[,]}",
            "{\"v\":1,\"options\":[\"a\" ]}",
            "{\"v\":1,\"truncated\":truex}",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }

    proptest! {
        #[test]
        fn both_ways_read_the_same(
            texts in vec(".*", 4),
            optional in vec(option::of("[a\"\\\\\u{0}-\u{20}ä😀]*"), 4),
            options in option::of(vec("[a-c\"\\\\]*", 0..4)),
            number in option::of(any::<u32>()),
            flag in option::of(any::<bool>()),
            // What becomes of the line: at which byte, what is put in the place of how many.
            change in option::of((any::<prop::sample::Index>(), 0usize..3, "[\"\\\\,:{}\\[\\]0a\n ]{0,2}")),
        ) {
            let text = |at: usize| optional[at].clone().map(Text::from);
            let event = Event {
                id: texts[0].clone().into(),
                session_id: texts[1].clone().into(),
                cwd: texts[2].clone().into(),
                source: texts[3].clone().into(),
                agent_id: text(0),
                question: text(1),
                header: text(2),
                detail: text(3),
                options: options.map(|options| options.into_iter().map(Text::from).collect()),
                question_index: number,
                multi_select: flag,
                followed_recommendation: flag.map(Some),
                ..whole()
            };
            let mut line = String::from_utf8(event.to_line().unwrap()).unwrap();
            line.pop();
            let is_changed = change.is_some();
            if let Some((place, length, other)) = change {
                let ends: Vec<usize> = line.char_indices().map(|(at, _)| at).collect();
                let start = place.index(ends.len());
                let end = ends.get(start + length).copied().unwrap_or(line.len());
                line.replace_range(ends[start]..end, &other);
            }
            let (here, serde) = both(&line);
            prop_assert!(here.is_some() || is_changed, "{}", line);
            if here.is_some() {
                prop_assert_eq!(here, serde, "{}", line);
            }
        }

        #[test]
        fn eight_at_once_find_what_one_by_one_does(bytes in vec(any::<u8>(), 0..40)) {
            let one_by_one = bytes.iter().position(|byte| matches!(byte, 0..b' ' | b'"' | b'\\'));
            prop_assert_eq!(plain_length(&bytes), one_by_one.unwrap_or(bytes.len()));
        }
    }
}
