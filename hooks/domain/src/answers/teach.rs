//! Preferences set in the dialog itself: `always: <label>` typed instead of an answer, or `always` as a note on one.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::hash;
use crate::paths::Paths;
use crate::preferences::Preference;
use crate::recommended::strip_mark;
use crate::wire::SentQuestion;

/// The words of one language.
struct LanguageWords {
    /// Words for: always answer with this label.
    always: &'static [&'static str],
    /// Words for: always ask.
    always_ask: &'static [&'static str],
}

/// The built-in words.
#[rustfmt::skip]
const WORDS: [LanguageWords; 10] = [
    /* en */ LanguageWords { always: &["always"], always_ask: &["always ask"] },
    /* de */ LanguageWords { always: &["immer"], always_ask: &["immer fragen"] },
    /* fr */ LanguageWords { always: &["toujours"], always_ask: &["toujours demander"] },
    /* es */ LanguageWords { always: &["siempre"], always_ask: &["preguntar siempre", "siempre preguntar"] },
    /* pt */ LanguageWords { always: &["sempre"], always_ask: &["perguntar sempre", "sempre perguntar"] },
    /* it */ LanguageWords { always: &["sempre"], always_ask: &["chiedi sempre", "chiedere sempre"] },
    /* ru */ LanguageWords { always: &["всегда"], always_ask: &["всегда спрашивать", "спрашивать всегда"] },
    /* zh */ LanguageWords { always: &["总是", "總是"], always_ask: &["总是询问", "總是詢問"] },
    /* ja */ LanguageWords { always: &["常に"], always_ask: &["常に確認", "常に質問"] },
    /* ko */ LanguageWords { always: &["항상"], always_ask: &["항상 묻기", "항상 물어보기"] },
];

/// The lesson of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lesson {
    /// The option of this index is the answer from now on.
    Always(usize),
    /// The question is always asked; the option of this index is the answer now, if there is one.
    AlwaysAsk(Option<usize>),
    /// It looks like a lesson but does not name an option exactly, so nothing is set.
    NoSuchOption,
}

/// The lesson of `answer` to `question`; `None` for an ordinary answer.
///
/// White space around the words and their letter case do not matter. A label must be exactly as offered, with or
/// without its mark of recommendation.
pub fn lesson(question: &SentQuestion, answer: &Answer) -> Option<Lesson> {
    match (answer.labels.as_slice(), &answer.free_text, &answer.notes) {
        ([], Some(text), None) => typed(question, text),
        ([label], None, Some(note)) => noted(question, label, note),
        _ => None,
    }
}

fn typed(question: &SentQuestion, text: &str) -> Option<Lesson> {
    if is_always_ask(text) {
        return Some(Lesson::AlwaysAsk(None));
    }
    let (word, label) = text.split_once([':', '：'])?;
    let option = offered(question, label.trim());
    let several = question.multi_select == Some(true);
    match (is_always(word), is_always_ask(word), option) {
        (false, false, _) => None,
        (_, true, Some(option)) if !several => Some(Lesson::AlwaysAsk(Some(option))),
        (true, false, Some(option)) if !several => Some(Lesson::Always(option)),
        _ => Some(Lesson::NoSuchOption),
    }
}

fn noted(question: &SentQuestion, label: &str, note: &str) -> Option<Lesson> {
    let option = offered(question, label)?;
    if is_always(note) && question.multi_select != Some(true) {
        return Some(Lesson::Always(option));
    }
    is_always_ask(note).then_some(Lesson::AlwaysAsk(Some(option)))
}

fn is_always(text: &str) -> bool {
    is_one_of(text, |words| words.always)
}

fn is_always_ask(text: &str) -> bool {
    is_one_of(text, |words| words.always_ask)
}

/// True when `text` is one of the words that `of` selects, in any language.
fn is_one_of(text: &str, of: fn(&LanguageWords) -> &'static [&'static str]) -> bool {
    let text = text.trim().to_lowercase();
    WORDS.iter().flat_map(of).any(|word| **word == *text)
}

/// The index of the only option with the label `text`.
fn offered(question: &SentQuestion, text: &str) -> Option<usize> {
    let is = |label: &str| label.trim() == text || strip_mark(label).0 == text;
    let mut found = (0..)
        .zip(&question.options)
        .filter(|(_, label)| is(label))
        .map(|(index, _)| index);
    match (found.next(), found.next()) {
        (Some(index), None) => Some(index),
        _ => None,
    }
}

// Habits that the hook may point out to the person. `report` and `suggest` save them in a small file per project,
// because the hook opens no store. Marks make sure that each habit is pointed out once, and at most one per day.

/// One habit of a project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Habit {
    /// The key of the question.
    pub key: String,
    /// How often the person had given this answer when the file was written.
    pub times: u64,
    /// The proposed preference.
    pub preference: Preference,
}

/// The folder of files and marks.
pub fn folder(paths: &Paths) -> PathBuf {
    paths.data().join("nudges")
}

/// The file of the habits of `project`.
pub fn habits_file(paths: &Paths, project: &str) -> PathBuf {
    folder(paths).join(format!("{}.json", hash::hex(&["habits", project])))
}

/// The mark that the habit `key` of `project` has been pointed out.
pub fn done_mark(paths: &Paths, project: &str, key: &str) -> PathBuf {
    folder(paths).join(format!("{}.done", hash::hex(&["nudge", project, key])))
}

/// The mark that a habit has been pointed out on `day` (UTC, `2026-11-20`).
pub fn day_mark(paths: &Paths, day: &str) -> PathBuf {
    folder(paths).join(format!("{day}.day"))
}

/// True for the mark of a day.
pub fn is_day_mark(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "day")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question() -> SentQuestion {
        SentQuestion {
            options: ["More questions", "Next area (Recommended)", "a: b"]
                .map(str::to_owned)
                .into(),
            multi_select: Some(false),
            ..SentQuestion::default()
        }
    }

    fn typed(text: &str) -> Answer {
        Answer {
            free_text: Some(text.to_owned()),
            ..Answer::default()
        }
    }

    fn noted(label: &str, note: &str) -> Answer {
        Answer {
            labels: vec![label.to_owned()],
            notes: Some(note.to_owned()),
            ..Answer::default()
        }
    }

    #[test]
    fn typed_lessons() {
        let read = |text: &str| lesson(&question(), &typed(text));
        for text in [
            "always: Next area",
            " Always :  Next area (Recommended) ",
            "immer: Next area",
            "всегда: Next area",
            "总是：Next area",
            "항상: Next area",
        ] {
            assert_eq!(read(text), Some(Lesson::Always(1)), "{text}");
        }
        assert_eq!(read("always: a: b"), Some(Lesson::Always(2)));
        for text in ["always ask", "Always ask ", "immer fragen", "常に確認"] {
            assert_eq!(read(text), Some(Lesson::AlwaysAsk(None)), "{text}");
        }
        let both = read("always ask: More questions");
        assert_eq!(both, Some(Lesson::AlwaysAsk(Some(0))));
        for text in ["always: next area", "always: the next one", "always:"] {
            assert_eq!(read(text), Some(Lesson::NoSuchOption), "{text}");
        }
        for text in [
            "always",
            "Next area",
            "always Next area",
            "I always: Next area",
            "note: Next area",
            "",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn notes_are_exactly_the_word() {
        let read = |note: &str| {
            let answer = noted("Next area (Recommended)", note);
            lesson(&question(), &answer)
        };
        assert_eq!(read("always"), Some(Lesson::Always(1)));
        assert_eq!(read(" Toujours"), Some(Lesson::Always(1)));
        assert_eq!(read("always ask"), Some(Lesson::AlwaysAsk(Some(1))));
        for note in ["always!", "always, but slowly", "as always"] {
            assert_eq!(read(note), None, "{note}");
        }
    }

    #[test]
    fn one_word_of_several_labels_teaches_nothing() {
        let several = SentQuestion {
            multi_select: Some(true),
            ..question()
        };
        let read = |answer: &Answer| lesson(&several, answer);
        let typed_label = read(&typed("always: Next area"));
        assert_eq!(typed_label, Some(Lesson::NoSuchOption));
        assert_eq!(read(&noted("Next area (Recommended)", "always")), None);
        assert_eq!(read(&typed("always ask")), Some(Lesson::AlwaysAsk(None)));
        let twice = SentQuestion {
            options: vec!["A".to_owned(), "A (Recommended)".to_owned()],
            ..question()
        };
        let ambiguous = lesson(&twice, &typed("always: A"));
        assert_eq!(ambiguous, Some(Lesson::NoSuchOption));
    }
}
