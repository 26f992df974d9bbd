//! What a preference answers, in words.

use std::borrow::Cow;

use plantune_agents::{Agent, claude_code, of_tool};
use plantune_domain::binding::{Form, Part};
use plantune_domain::preferences::{Coverage, Preference};
use plantune_domain::recommended::option_text;
use plantune_query::families::template_text;

use crate::inert::one_line;

/// How much of a text is shown, in characters.
const SHOWN_TEXT: usize = 200;

/// How many texts are shown.
const MOST_TEXTS: usize = 3;

/// What a preference of this `coverage` answers: its texts in words, places that vary as `<one word>`, each once,
/// or its `options`.
pub fn covers(coverage: Option<Coverage>, forms: &[Form], options: &[String]) -> Vec<String> {
    if coverage == Some(Coverage::Options) {
        let labels = options.iter().map(|label| option_text(label));
        let labels: Vec<String> = labels.map(|label| format!("{label:?}")).collect();
        let text = format!("any question with the options {}", labels.join(", "));
        return vec![one_line(&text, SHOWN_TEXT)];
    }
    let mut texts: Vec<String> = Vec::new();
    for form in forms {
        let text = one_line(&form.text.to_string(), SHOWN_TEXT);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

/// What is answered, on a line, and nothing wider: a text with `…` for what may vary in it, or any question with the
/// `options`; and how many texts more it holds for. `None` where it holds for none.
pub fn title(
    coverage: Option<Coverage>,
    forms: &[Form],
    options: &[String],
) -> Option<(String, usize)> {
    if coverage == Some(Coverage::Options) {
        return Some((template_text(&[], "", options), 0));
    }
    let mut texts: Vec<String> = Vec::new();
    // What may vary says the most.
    let (open, exact): (Vec<&Form>, Vec<&Form>) = forms.iter().partition(|one| one.text.is_open());
    for form in open.into_iter().chain(exact) {
        let parts = form.text.parts().iter().map(|part| match part {
            Part::Fixed(text) => text,
            Part::Slot(_) => "…",
        });
        let text: String = parts.collect();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    let more = texts.len().saturating_sub(1);
    Some((texts.into_iter().next()?, more))
}

/// The same of `preference`.
pub fn title_of(preference: &Preference) -> Option<(String, usize)> {
    let (forms, options) = given_for(preference)?;
    title(preference.coverage, &forms, options)
}

/// What `preference` answers, likewise; nothing where it is not known what it was given for.
pub fn covers_of(preference: &Preference) -> Vec<String> {
    given_for(preference).map_or_else(Vec::new, |(forms, options)| {
        covers(preference.coverage, &forms, options)
    })
}

/// The forms and the options that `preference` was given for, as far as that is known.
fn given_for(preference: &Preference) -> Option<(Cow<'_, [Form]>, &[String])> {
    let text = preference.question.as_deref()?;
    let options = preference.options.as_deref()?;
    let forms = match preference.binding.is_empty() {
        true => Cow::Owned(vec![Form::of_text(text)]),
        false => Cow::Borrowed(preference.binding.as_slice()),
    };
    Some((forms, options))
}

/// What a preference holds for, in a sentence with the texts below it, each behind two spaces; `asked`, the text that
/// stands above it already, is not repeated.
pub fn holds_for(
    coverage: Option<Coverage>,
    forms: &[Form],
    options: &[String],
    added: &[String],
    asked: &str,
) -> String {
    let texts = covers(coverage, forms, options);
    let labels: Vec<String> = added.iter().map(|label| format!("{label:?}")).collect();
    let also = match labels.is_empty() {
        true => String::new(),
        false => format!(", also with {}", one_line(&labels.join(" or "), SHOWN_TEXT)),
    };
    if coverage == Some(Coverage::Options) {
        let text = texts.first().map_or("", String::as_str);
        return format!(
            "It holds for {text}{also}. A question with something new in it is asked once."
        );
    }
    let is_open = forms.iter().any(|form| form.text.is_open());
    let what = match (is_open, texts.len()) {
        (true, _) => {
            format!("It holds for these words with these options{also}, and for nothing else")
        }
        (false, _) if coverage == Some(Coverage::Pattern) => {
            format!("It holds for these words, with other numbers and files too{also}")
        }
        (false, 1) => format!("It holds for this text only{also}"),
        (false, several) => format!("It holds for these {several} texts only{also}"),
    };
    let shown: Vec<&String> = texts
        .iter()
        .take(MOST_TEXTS)
        .filter(|text| texts.len() > 1 || *text != asked)
        .collect();
    if shown.is_empty() {
        return format!("{what}.");
    }
    let more = match texts.len().saturating_sub(MOST_TEXTS) {
        0 => String::new(),
        more => format!("\n  and {more} more"),
    };
    let lines: String = shown.iter().map(|text| format!("\n  {text}")).collect();
    format!("{what}:{lines}{more}")
}

/// What `preference` holds for, likewise; `None` where it is not known what it was given for.
pub fn preference_holds_for(preference: &Preference) -> Option<String> {
    let (forms, options) = given_for(preference)?;
    let asked = one_line(preference.question.as_deref()?, SHOWN_TEXT);
    let (coverage, added) = (preference.coverage, &preference.added);
    let holds_for = holds_for(coverage, &forms, options, added, &asked);
    Some(match agents_of(preference) {
        agents if agents.is_empty() || preference.tool.as_deref() == Some(claude_code::TOOL) => {
            holds_for
        }
        agents => format!("Only in {agents}. {holds_for}"),
    })
}

/// The agents whose dialogs `preference` was set for; empty where it was for none in particular.
pub fn agents_of(preference: &Preference) -> String {
    let tools = preference.tool.iter().flat_map(|tools| tools.split(' '));
    let titles: Vec<&str> = tools.filter_map(of_tool).map(Agent::title).collect();
    titles.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_says_what_may_vary_and_nothing_wider() {
        use plantune_domain::binding::{Pattern, Slot};

        let area = Pattern::of(vec![
            Part::Slot(Slot::Words(2)),
            Part::Fixed(": shall I review the tests?".to_owned()),
        ]);
        let exact = |text| Form::of_text(text);
        let forms = [exact("Cache: shall I go on?"), Form::of_pattern(area)];
        let pattern = Some(Coverage::Pattern);
        assert_eq!(
            title(pattern, &forms, &[]),
            Some(("…: shall I review the tests?".to_owned(), 1))
        );
        assert_eq!(
            title(Some(Coverage::Texts), &forms[..1], &[]),
            Some(("Cache: shall I go on?".to_owned(), 0))
        );
        let options = ["Next area", "More questions"].map(str::to_owned);
        assert_eq!(
            title(Some(Coverage::Options), &[], &options),
            Some((
                "any question with \"Next area\", \"More questions\"".to_owned(),
                0
            ))
        );
        assert_eq!(title(pattern, &[], &[]), None);
    }

    #[test]
    fn texts_are_said_once_and_as_all_there_is() {
        let form = |text| Form::of_text(text);
        let forms = [
            form("Run `make lint`?"),
            form("Run `make test`?"),
            form("Run `make lint`?"),
        ];
        let texts = covers(None, &forms, &[]);
        assert_eq!(texts, ["Run `make lint`?", "Run `make test`?"]);
        assert_eq!(
            holds_for(None, &forms, &[], &[], "Run `make lint`?"),
            "It holds for these 2 texts only:\n  Run `make lint`?\n  Run `make test`?"
        );
        let options = ["A) Next area (Recommended)", "B) More questions"].map(str::to_owned);
        let coverage = Some(Coverage::Options);
        let texts = covers(coverage, &[], &options);
        assert_eq!(
            texts,
            ["any question with the options \"Next area\", \"More questions\""]
        );
        assert_eq!(
            holds_for(coverage, &[], &options, &["Stop here".to_owned()], ""),
            "It holds for any question with the options \"Next area\", \"More questions\", also with \"Stop here\". \
             A question with something new in it is asked once."
        );
    }
}
