//! What a preference answers, in words.

use plantune_domain::binding::Form;
use plantune_domain::preferences::Preference;

use crate::inert::one_line;

/// How much of a text is shown, in characters.
const SHOWN_TEXT: usize = 200;

/// What a preference answers: its texts in words, places that vary as `<one word>`, each once.
pub fn covers(forms: &[Form]) -> Vec<String> {
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
        Some((text, _)) if preference.binding.is_empty() => covers(&[Form::of_text(text)]),
        Some(_) => covers(&preference.binding),
    }
}

/// What is said behind `covers`: that nothing else is answered.
pub fn only(covers: &[String], forms: &[Form]) -> String {
    let one = covers.len() == 1;
    match (forms.iter().any(|form| form.text.is_open()), one) {
        (true, _) => "(with these options; nothing added or left out)".to_owned(),
        (false, true) => "(this text only)".to_owned(),
        (false, false) => format!("(these {} texts only)", covers.len()),
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
        let texts = covers(&forms);
        assert_eq!(texts, ["Run `make lint`?", "Run `make test`?"]);
        assert_eq!(only(&texts, &forms), "(these 2 texts only)");
    }
}
