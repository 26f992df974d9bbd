//! The preference that a proposal stands for: the same in `suggest --apply` and in the backtest.

use plantune_domain::preferences::{self, Coverage, Preference};

use super::level::Level;
use super::suggestions::{Asked, Suggestion};
use crate::binding::Binding;

impl Suggestion {
    /// The preference, without who set it, and when.
    pub fn preference(&self) -> Preference {
        let answers = preference(&self.asked, self.answer.as_deref(), &self.binding);
        match self.level {
            Level::Assist => Preference {
                preference: preferences::Policy::Assist,
                assist: self.assist,
                ..answers
            },
            Level::Trial => Preference {
                level: Some(preferences::Level::Trial),
                ..answers
            },
            Level::Standing => Preference {
                level: Some(preferences::Level::Standing),
                ..answers
            },
        }
    }
}

/// The preference to answer `asked` with `answer`, or what is recommended, given for what `binding` describes.
pub(crate) fn preference(asked: &Asked, answer: Option<&str>, binding: &Binding) -> Preference {
    let mut preference = Preference {
        answer: answer.map(str::to_owned),
        key_source: Some(asked.key_source.clone()),
        question: Some(asked.question.clone()),
        header: asked.header.clone(),
        options: Some(binding.options.clone()),
        added: binding.added.clone(),
        tool: binding.tool.clone(),
        multi_select: binding.multi_select,
        coverage: binding.coverage,
        binding: binding.forms.clone(),
        familiar: binding.familiar.clone(),
        template: match binding.coverage {
            Some(Coverage::Options) => None,
            _ => asked.template.clone(),
        },
        ..Preference::of(preferences::Policy::NeverAsk)
    };
    if !asked.name.is_empty() {
        preference.set_name(&asked.name);
    }
    preference
}
