//! Whose midnight ends a day: the person's time zone.

use chrono_tz::Tz;
use plantune_domain::config::Config;

use crate::failure::Failure;

/// The time zone of reports: `time_zone` of config.toml, else the variable `TZ` where it holds an
/// IANA name, else the system's, else UTC.
///
/// # Errors
/// Conflict (exit code 3) when config.toml names a zone that does not exist: days counted in
/// another one would be wrong without anybody noticing.
pub(crate) fn resolve(config: &Config) -> Result<Tz, Failure> {
    pick(
        config.time_zone.as_deref(),
        std::env::var("TZ").ok().as_deref(),
        || iana_time_zone::get_timezone().ok(),
    )
}

fn pick(
    configured: Option<&str>,
    variable: Option<&str>,
    system: impl FnOnce() -> Option<String>,
) -> Result<Tz, Failure> {
    if let Some(name) = configured {
        return name.parse().map_err(|_| {
            let message = format!("config.toml: time_zone {name:?} is no IANA time zone");
            Failure::conflict(message)
                .hint("write a name such as \"Europe/Berlin\", or remove the line")
        });
    }
    // POSIX lets a colon stand before the name of a zone.
    let variable = variable.and_then(|name| name.strip_prefix(':').unwrap_or(name).parse().ok());
    let zone = variable.or_else(|| system()?.parse().ok());
    Ok(zone.unwrap_or(Tz::UTC))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_counts() {
        let system = || Some("Asia/Tokyo".to_owned());
        let (berlin, lima) = (Some("Europe/Berlin"), Some("America/Lima"));
        assert_eq!(pick(berlin, lima, system).unwrap(), Tz::Europe__Berlin);
        assert_eq!(pick(None, lima, system).unwrap(), Tz::America__Lima);
        assert_eq!(
            pick(None, Some(":America/Lima"), system).unwrap(),
            Tz::America__Lima
        );
        for no_name in [None, Some(""), Some("CET-1CEST"), Some("/etc/localtime")] {
            assert_eq!(pick(None, no_name, system).unwrap(), Tz::Asia__Tokyo);
        }
        assert_eq!(pick(None, None, || None).unwrap(), Tz::UTC);
        assert_eq!(pick(None, None, || Some("?".to_owned())).unwrap(), Tz::UTC);
    }

    #[test]
    fn an_unknown_zone_in_the_file_is_an_error() {
        let failure = pick(Some("Europe/Berlln"), Some("UTC"), || None).unwrap_err();
        assert_eq!(failure.exit_code(), 3);
        assert!(failure.to_string().contains("Europe/Berlln"));
    }
}
