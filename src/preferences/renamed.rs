//! Preferences that a rule of registry.toml has taken the name from: what they were set for is called
//! something else by now, and the hook looks for that.

use plantune_domain::keys::is_made_up;
use plantune_domain::preferences::{Level, Policy, Preference};
use plantune_domain::registry::Registry;
use plantune_reports::text::one_line;

use crate::preferences::scope::{PreferenceScope, quoted};
use crate::terminal::sanitized;

/// How much of a key is shown, in characters.
const SHOWN: usize = 400;

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
    if !is_made_up(key) {
        return None;
    }
    let options = preference.options.as_deref()?;
    let named = |text: &str, header| registry.key_of(text, header, options);
    let header = preference.header.as_deref();
    let name = named(preference.question.as_deref()?, header).filter(|name| *name != key)?;
    let wholly = match preference.agreement() {
        Some(agreement) => {
            let mut texts = agreement.texts.iter();
            texts.all(|known| named(&known.text, header) == Some(name))
        }
        // It is not known for which texts: the rule must name any.
        None => named("", None) == Some(name),
    };
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
    use plantune_domain::agreement::agreement::{Agreement, Asking, Given};

    use super::*;

    fn preference(texts: &[&str]) -> Preference {
        let options = ["More questions", "Next area"].map(str::to_owned);
        let given = texts.iter().map(|text| Given {
            asking: Asking {
                text,
                options: &options,
                ..Asking::default()
            },
            label: "Next area",
            session: text,
        });
        Preference {
            answer: Some("Next area".to_owned()),
            question: texts.last().map(|&text| text.to_owned()),
            agreement: Agreement::exactly(&given.collect::<Vec<_>>()),
            options: Some(options.to_vec()),
            ..Preference::of(Policy::NeverAsk)
        }
    }

    const KEY: &str = "opt-41c614138602d8f3";

    #[test]
    fn what_a_rule_names_is_not_what_it_was_called_before() {
        let all = "[[question]]\nkey = \"next\"\noptions = [\"More questions\", \"Next area\"]";
        let registry = Registry::parse(all).unwrap();
        let set = preference(&["Enough of login?"]);
        let found = renamed(KEY, &set, &registry).unwrap();
        assert_eq!((found.key, found.wholly), ("next", true));
        assert_eq!(renamed("next", &set, &registry), None);
        assert_eq!(renamed(KEY, &set, &Registry::default()), None);
        assert_eq!(
            found.remedy("next?", &set, &PreferenceScope::Global),
            "set it for that key: `plantune prefs set next never-ask --answer 'Next area' \
             --global`, and remove this one: `plantune prefs clear 'next?' --global`"
        );
    }

    #[test]
    fn what_was_given_for_nothing_loses_its_name_to_a_rule_for_any_text() {
        // Nothing is recommended.
        let set = Preference {
            answer: None,
            agreement: None,
            ..preference(&["Enough of login?"])
        };
        let rule = |condition: &str| {
            let rule = format!("[[question]]\nkey = \"next\"\n{condition}");
            let registry = Registry::parse(&rule).unwrap();
            renamed(KEY, &set, &registry).map(|found| found.wholly)
        };
        assert_eq!(
            rule("options = [\"More questions\", \"Next area\"]"),
            Some(true)
        );
        assert_eq!(rule("text = \"*login*\""), Some(false));
        assert_eq!(rule("text = \"*search*\""), None);
    }

    #[test]
    fn a_rule_for_some_texts_leaves_the_rest() {
        let some = Registry::parse("[[question]]\nkey = \"next\"\ntext = \"*login*\"").unwrap();
        let whole = Registry::parse("[[question]]\nkey = \"next\"\ntext = \"*enough*\"").unwrap();
        let set = preference(&["Enough of search?", "Enough of login?"]);
        let wholly = |registry| renamed(KEY, &set, registry).unwrap().wholly;
        assert!(!wholly(&some) && wholly(&whole));
    }
}
