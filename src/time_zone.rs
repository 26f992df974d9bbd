//! The time zone that days and weeks are counted in.

use chrono_tz::Tz;
use plantune_hooks::config::Config;

use crate::failure::{Failure, Kind};

/// The zone that `config.toml` names, else the one in `TZ`, else the system's, else UTC.
///
/// # Errors
/// Conflict (exit code 3) when `config.toml` names no IANA zone. A `TZ` that is not an IANA name
/// (it may also be a rule or a path) does not count.
pub(crate) fn resolve(config: &Config) -> Result<Tz, Failure> {
    if let Some(name) = &config.time_zone {
        return name.parse().map_err(|_| {
            Failure::new(
                Kind::Conflict,
                format!("config.toml: time_zone {name:?} is no IANA time zone"),
            )
            .hint("write one like \"Europe/Berlin\" or \"UTC\"")
        });
    }
    let from_environment = std::env::var("TZ").ok();
    let zone = from_environment.and_then(|name| name.trim_start_matches(':').parse().ok());
    Ok(zone
        .or_else(|| iana_time_zone::get_timezone().ok()?.parse().ok())
        .unwrap_or(Tz::UTC))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_wins_and_must_name_a_zone() {
        let zone = |name: &str| {
            resolve(&Config {
                time_zone: Some(name.to_owned()),
                ..Config::default()
            })
        };
        assert_eq!(zone("Europe/Berlin").unwrap(), Tz::Europe__Berlin);
        assert_eq!(zone("Berlin").unwrap_err().exit_code(), 3);
    }
}
