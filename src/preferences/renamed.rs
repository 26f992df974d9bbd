//! Preferences that a rule of registry.toml has taken the name from: what they were set for is called
//! something else by now, and the hook looks for that.

use plantune_domain::family;
use plantune_domain::preferences::{Level, Policy, Preference};
use plantune_domain::registry::Registry;
use plantune_reports::text::one_line;

use crate::preferences::scope::{PreferenceScope, quoted};
use crate::terminal::sanitized;

/// How much of a key is shown, in characters.
const SHOWN: usize = 400;

/// The beginning of the key of an unmarked question with one text.
const FINGERPRINT: &str = "fp-";

/// The name that a rule gives to what a preference was set for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Renamed<'r> {
    /// The rule's key.
    pub(crate) key: &'r str,
    /// True when it names all of it; otherwise the preference still holds for the rest.
    pub(crate) wholly: bool,
}

/// The name that `registry` gives to what `preference`, which stands under `key`, was set for; `None`
/// when it is still called `key`, and for what has no marker's or rule's name to lose.
pub(crate) fn renamed<'r>(
    key: &str,
    preference: &Preference,
    registry: &'r Registry,
) -> Option<Renamed<'r>> {
    let is_unmarked = key.starts_with(family::PREFIX) || key.starts_with(FINGERPRINT);
    let source = preference.key_source.as_deref();
    if !is_unmarked || source == Some("marker") {
        return None;
    }
    let options = preference.options.as_deref()?;
    let named = |text: &str, header| registry.key_of(text, header, options);
    let header = preference.header.as_deref();
    let name = named(preference.question.as_deref()?, header).filter(|name| *name != key)?;
    // Of a family only the last text is known, and the words that all texts hold.
    let wholly = preference
        .template
        .as_ref()
        .is_none_or(|template| named(&template.join(" "), None).is_some_and(|name| name != key));
    Some(Renamed { key: name, wholly })
}

impl Renamed<'_> {
    /// Why the preference is not obeyed.
    pub(crate) fn reason(&self) -> String {
        let key = one_line(self.key, SHOWN);
        match self.wholly {
            true => format!("a rule in registry.toml gives these questions the key {key}"),
            false => format!("a rule in registry.toml gives some of these questions the key {key}"),
        }
    }

    /// The commands that make `preference`, called `word` in `scope`, take effect again.
    pub(crate) fn remedy(
        &self,
        word: &str,
        preference: &Preference,
        scope: &PreferenceScope,
    ) -> String {
        let set = self.set_again(preference, scope);
        match self.wholly {
            true => {
                let clear = scope.prefs("clear", word);
                format!("{set}, and remove this one: `{clear}`")
            }
            false => set,
        }
    }

    /// The command that sets `preference` for the new name, in `scope`.
    pub(crate) fn set_again(&self, preference: &Preference, scope: &PreferenceScope) -> String {
        let answer = match (&preference.answer, preference.preference) {
            (Some(label), policy) if policy != Policy::AlwaysAsk => {
                format!(" --answer {}", quoted(label))
            }
            _ => String::new(),
        };
        sanitized(&format!(
            "set it for that key: `plantune prefs set {} {}{answer} {}`",
            self.key,
            arguments_of(preference),
            scope.arguments()
        ))
    }
}

/// The arguments of `prefs set` that do what `preference` does.
fn arguments_of(preference: &Preference) -> String {
    match (preference.preference, preference.level()) {
        (policy, Level::Trial) if policy.answers() => format!("{policy} --trial"),
        (policy, _) => policy.as_str().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preference(question: &str, template: Option<&[&str]>) -> Preference {
        let mut preference: Preference =
            serde_json::from_str(r#"{"preference":"never-ask","answer":"Next area"}"#).unwrap();
        preference.question = Some(question.to_owned());
        preference.options = Some(vec!["More questions".to_owned(), "Next area".to_owned()]);
        preference.template =
            template.map(|words| words.iter().map(|&word| word.to_owned()).collect());
        preference
    }

    #[test]
    fn what_a_rule_names_is_not_what_it_was_called_before() {
        let all = "[[question]]\nkey = \"next\"\noptions = [\"More questions\", \"Next area\"]";
        let registry = Registry::parse(all).unwrap();
        let family = preference("Enough of login?", Some(&[]));
        let found = renamed("fam-e3aa205c73c057f4", &family, &registry).unwrap();
        assert_eq!((found.key, found.wholly), ("next", true));
        let one_text = preference("Enough of login?", None);
        assert!(
            renamed("fp-0123456789abcdef", &one_text, &registry)
                .unwrap()
                .wholly
        );
        assert_eq!(renamed("next", &one_text, &registry), None);
        assert_eq!(
            renamed("fam-e3aa205c73c057f4", &family, &Registry::default()),
            None
        );
        assert_eq!(
            found.remedy("next?", &family, &PreferenceScope::Global),
            "set it for that key: `plantune prefs set next never-ask --answer 'Next area' \
             --global`, and remove this one: `plantune prefs clear 'next?' --global`"
        );
    }

    #[test]
    fn a_rule_for_some_of_a_family_leaves_the_rest() {
        let some = Registry::parse("[[question]]\nkey = \"next\"\ntext = \"*login*\"").unwrap();
        let whole = Registry::parse("[[question]]\nkey = \"next\"\ntext = \"*enough*\"").unwrap();
        let family = preference("Enough of login?", Some(&["enough"]));
        let wholly = |registry| {
            renamed("fam-e3aa205c73c057f4", &family, registry)
                .unwrap()
                .wholly
        };
        assert!(!wholly(&some) && wholly(&whole));
    }
}
