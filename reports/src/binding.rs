//! What a preference answers, in words.

use plantune_domain::binding::Form;
use plantune_domain::preferences::{Coverage, Preference};
use plantune_domain::recommended::option_text;

use crate::inert::one_line;

/// How much of a text is shown, in characters.
const SHOWN_TEXT: usize = 200;

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

/// What `preference` answers, likewise; nothing where it is not known what it was given for.
pub fn covers_of(preference: &Preference) -> Vec<String> {
    let bound = preference
        .question
        .as_deref()
        .zip(preference.options.as_ref());
    match bound {
        None => Vec::new(),
        Some((text, options)) => match preference.binding.is_empty() {
            true => covers(preference.coverage, &[Form::of_text(text)], options),
            false => covers(preference.coverage, &preference.binding, options),
        },
    }
}

/// What is said behind `covers`: that nothing else is answered, but for an option of those `added`.
pub fn only(
    coverage: Option<Coverage>,
    covers: &[String],
    forms: &[Form],
    added: &[String],
) -> String {
    let texts = match covers.len() {
        1 => "this text only".to_owned(),
        several => format!("these {several} texts only"),
    };
    let is_open = forms.iter().any(|form| form.text.is_open());
    let labels: Vec<String> = added.iter().map(|label| format!("{label:?}")).collect();
    let labels = one_line(&labels.join(" or "), SHOWN_TEXT);
    match (coverage == Some(Coverage::Options), is_open, added) {
        (true, _, []) => "(these options, whatever the text)".to_owned(),
        (true, ..) => format!("(these options, also with {labels}, whatever the text)"),
        (false, true, []) => "(with these options; nothing added or left out)".to_owned(),
        (false, true, _) => format!("(with these options, also with {labels}; nothing else)"),
        (false, false, []) => format!("({texts})"),
        (false, false, _) => format!("({texts}, also with {labels})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(only(None, &texts, &forms, &[]), "(these 2 texts only)");
        let options = ["A) Next area (Recommended)", "B) More questions"].map(str::to_owned);
        let coverage = Some(Coverage::Options);
        let texts = covers(coverage, &[], &options);
        assert_eq!(
            texts,
            ["any question with the options \"Next area\", \"More questions\""]
        );
        assert_eq!(
            only(coverage, &texts, &[], &["Stop here".to_owned()]),
            "(these options, also with \"Stop here\", whatever the text)"
        );
    }
}
