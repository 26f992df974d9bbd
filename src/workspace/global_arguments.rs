//! What every verb takes.

use chrono_tz::{TZ_VARIANTS, Tz};
use clap::{Args, ColorChoice};
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};

/// The heading under which help lists them.
const HEADING: &str = "Global options";

/// What every verb takes.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct GlobalArguments {
    /// Count days and weeks in this time zone, such as Europe/Berlin [default: `time_zone` of config.toml,
    /// else the system's]
    #[arg(long, global = true, value_name = "ZONE", help_heading = HEADING, value_parser = zone, add = ArgValueCandidates::new(zones))]
    pub(crate) time_zone: Option<Tz>,
    /// When to use colour; auto: on a terminal, and as NO_COLOR and CLICOLOR_FORCE say
    #[arg(long, global = true, value_name = "WHEN", help_heading = HEADING, default_value = "auto")]
    pub(crate) color: ColorChoice,
    /// Do not show long output through a pager
    #[arg(long, global = true, help_heading = HEADING)]
    pub(crate) no_pager: bool,
    /// Write nothing to standard error but errors
    #[arg(short, long, global = true, help_heading = HEADING)]
    pub(crate) quiet: bool,
}

/// Whether standard output gets colour, where it is a terminal (`is_terminal`) and the variables have these values.
pub(crate) fn has_colour(
    choice: ColorChoice,
    is_terminal: bool,
    variable: impl Fn(&str) -> Option<String>,
) -> bool {
    let set = |name| variable(name).filter(|value| !value.is_empty());
    let is = |name, value: &str| set(name).is_some_and(|found| found == value);
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if set("NO_COLOR").is_some() => false,
        ColorChoice::Auto if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
        ColorChoice::Auto => is_terminal && !is("CLICOLOR", "0") && !is("TERM", "dumb"),
    }
}

/// What clap's own messages go by, before the arguments are parsed: the last `--color` of `words`.
pub(crate) fn choice_of_words<'a>(words: impl Iterator<Item = &'a str>) -> ColorChoice {
    let mut found = ColorChoice::Auto;
    let mut words = words.take_while(|word| *word != "--").peekable();
    while let Some(word) = words.next() {
        let value = match word {
            "--color" => words.peek().copied(),
            _ => word.strip_prefix("--color="),
        };
        found = value.and_then(|value| value.parse().ok()).unwrap_or(found);
    }
    found
}

fn zone(name: &str) -> Result<Tz, &'static str> {
    let wanted = "an IANA time zone such as Europe/Berlin is wanted";
    name.parse().map_err(|_| wanted)
}

fn zones() -> Vec<CompletionCandidate> {
    let name = |zone: &Tz| CompletionCandidate::new(zone.name());
    TZ_VARIANTS.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_argument_then_the_variables_then_the_terminal() {
        let with = |choice, is_terminal, set: &[(&str, &str)]| {
            has_colour(choice, is_terminal, |name| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(with(ColorChoice::Auto, true, &[]));
        assert!(!with(ColorChoice::Auto, false, &[]));
        assert!(with(ColorChoice::Always, false, &[("NO_COLOR", "1")]));
        assert!(!with(ColorChoice::Never, true, &[("CLICOLOR_FORCE", "1")]));
        assert!(with(ColorChoice::Auto, false, &[("CLICOLOR_FORCE", "1")]));
        assert!(!with(ColorChoice::Auto, false, &[("CLICOLOR_FORCE", "0")]));
        let both = [("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")];
        assert!(!with(ColorChoice::Auto, true, &both));
        assert!(with(ColorChoice::Auto, true, &[("NO_COLOR", "")]));
        for off in [("CLICOLOR", "0"), ("TERM", "dumb")] {
            assert!(!with(ColorChoice::Auto, true, &[off]), "{off:?}");
        }
    }

    #[test]
    fn help_is_coloured_as_the_words_say() {
        let of = |line: &str| choice_of_words(line.split(' '));
        assert_eq!(of("report --color never --help"), ColorChoice::Never);
        assert_eq!(of("--color=always report -h"), ColorChoice::Always);
        assert_eq!(of("report -- --color=never"), ColorChoice::Auto);
    }
}
