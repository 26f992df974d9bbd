//! A home with one preference, the questions that it answers, and those that it asks and why.

use plantune_domain::binding::{Difference, preview_digest};
use plantune_domain::family::set_key;
use plantune_domain::keys::take_marker;
use plantune_domain::preferences::Preference;
use plantune_domain::question::Question;
use plantune_domain::registry::Registry;
use plantune_domain::wire::sent_questions;
use serde_json::{Value, json};

use super::{Home, ask, never_ask};

/// `question` with these descriptions, one an option.
pub(crate) fn described(question: &Value, descriptions: &[&str]) -> Value {
    with_each(question, "description", descriptions)
}

/// `question` with these previews, one an option; none where they are empty.
pub(crate) fn previewed(question: &Value, previews: &[&str]) -> Value {
    with_each(question, "preview", previews)
}

fn with_each(question: &Value, name: &str, texts: &[&str]) -> Value {
    let mut question = question.clone();
    let options = question["options"].as_array_mut().unwrap();
    for (option, text) in options.iter_mut().zip(texts) {
        option[name] = json!(text);
    }
    question
}

/// The form of exactly `question`, as `suggest` writes it.
pub(crate) fn form(question: &Value) -> Value {
    let each = |name: &str| -> Vec<String> {
        let options = question["options"].as_array().unwrap().iter();
        let text = |option: &Value| option[name].as_str().unwrap_or_default().to_owned();
        let texts: Vec<String> = options.map(text).collect();
        if texts.iter().all(String::is_empty) {
            return Vec::new();
        }
        texts
    };
    let previews = each("preview");
    let previews: Vec<String> = previews.iter().map(|text| preview_digest(text)).collect();
    json!({
        "text": take_marker(question["question"].as_str().unwrap()).1,
        "header": question["header"].as_str().unwrap_or_default(),
        "descriptions": each("description"),
        "previews": previews,
    })
}

/// A home with one preference, which answers what is recommended.
pub(crate) struct Bound {
    home: Home,
    entry: Value,
}

impl Bound {
    /// With the preference `entry` for `key`.
    pub(crate) fn of(key: &str, entry: &Value) -> Self {
        let home = Home::new();
        home.prefer(None, &json!({key: entry}));
        Self {
            home,
            entry: entry.clone(),
        }
    }

    /// Bound to each of `seen`, which have the key `k`.
    pub(crate) fn to_each(seen: &[Value]) -> Self {
        let mut entry = never_ask(&seen[0]);
        entry["binding"] = seen.iter().map(form).collect();
        Self::of("k", &entry)
    }

    /// Bound to exactly `seen`: as files say it that have no binding, and as `suggest` writes it.
    pub(crate) fn both_forms(seen: &Value) -> [Self; 2] {
        let of_today = Self::of("k", &never_ask(seen));
        [of_today, Self::to_each(std::slice::from_ref(seen))]
    }

    /// Bound to questions like `seen`, whose texts are as `pattern` says.
    pub(crate) fn to_text(seen: &Value, pattern: &Value) -> Self {
        let mut entry = never_ask(seen);
        entry["binding"] = json!([form(seen)]);
        entry["binding"][0]["text"] = pattern.clone();
        Self::of("k", &entry)
    }

    /// Bound to each of `seen`, which have no markers and the same options.
    pub(crate) fn to_family(seen: &[Value]) -> Self {
        let mut entry = never_ask(&seen[0]);
        entry["binding"] = seen.iter().map(form).collect();
        entry["template"] = json!([]);
        let labels = entry["options"].as_array().unwrap().iter();
        let labels: Vec<String> = labels
            .map(|label| label.as_str().unwrap().to_owned())
            .collect();
        Self::of(&set_key(&labels), &entry)
    }

    /// What is printed for `question`, and why it is asked: the reason, or else the ask reason.
    pub(crate) fn put(&self, question: &Value) -> (String, String) {
        let before = self.home.question_events().len();
        let id = format!("toolu_{before}");
        let call = ask(&id, self.home.path(), std::slice::from_ref(question));
        let printed = self.home.call(&call);
        let events = self.home.question_events();
        assert_eq!(events.len(), before + 1, "{question}");
        let event = &events[before];
        let why = match event["ask_reason"].as_str() {
            Some("ambiguous") => event["reason"].as_str(),
            other => other,
        };
        // Behind the reason stands the word that is new.
        let why = why.and_then(|why| why.split(": ").next());
        (printed, why.unwrap_or_default().to_owned())
    }

    /// What `question` differs in from what the preference was given for, whatever the door rules say.
    pub(crate) fn difference(&self, question: &Value) -> Option<&'static str> {
        let preference: Preference = serde_json::from_value(self.entry.clone()).unwrap();
        let sent = sent_questions(&json!({"questions": [question]})).remove(0);
        let question = Question::identify(sent, &Registry::default());
        let covers = preference.covers(&question.shown());
        covers.err().map(Difference::as_str)
    }

    /// Panics unless each of `questions` is answered.
    pub(crate) fn answers(&self, questions: &[Value]) {
        for question in questions {
            let (printed, why) = self.put(question);
            assert!(
                printed.contains("\"permissionDecision\":\"allow\""),
                "{why}: {question}"
            );
        }
    }

    /// Panics unless `question` is what the preference was given for; the door rules may ask it.
    pub(crate) fn knows(&self, question: &Value) {
        assert_eq!(self.difference(question), None, "{question}");
    }

    /// Panics unless `question` is asked, because it has this difference; the door rules may find it
    /// one-way before.
    pub(crate) fn asks(&self, question: &Value, difference: &str) {
        if difference != "one_way" {
            assert_eq!(self.difference(question), Some(difference), "{question}");
        }
        self.asks_for(question, &[difference, "one_way"]);
    }

    /// Panics unless `question` is asked for one of `reasons`.
    pub(crate) fn asks_for(&self, question: &Value, reasons: &[&str]) {
        let (printed, why) = self.put(question);
        assert_eq!(printed, "", "{question}");
        assert!(reasons.contains(&why.as_str()), "{why}: {question}");
    }

    /// Panics unless the question `k` is asked with each of `texts`, because of it.
    pub(crate) fn asks_texts(&self, texts: &[&str]) {
        let labels: Vec<&str> = self.entry["options"]
            .as_array()
            .unwrap()
            .iter()
            .map(|label| label.as_str().unwrap())
            .collect();
        for text in texts {
            self.asks(&super::question("k", text, &labels), "text_differs");
        }
    }
}
