//! The address of a Spark Connect server. A token never stands in one: they are kept in configurations and shown by
//! `ps`.

/// The variable that holds the token; it wins over `token_file` of fleet.toml.
pub(crate) const TOKEN: &str = "PLANTUNE_FLEET_SPARK_TOKEN";

/// The port where an address names none.
const PORT: u16 = 15002;

/// What an address says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) text: String,
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) is_encrypted: bool,
}

impl Address {
    /// What `text` says.
    ///
    /// # Errors
    /// In words, where it is not understood or holds a token.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        // An address that holds a secret is not repeated.
        if has_secret(text) {
            return Err(format!(
                "an address with a token: take it out, and set {TOKEN}, or token_file in fleet.toml"
            ));
        }
        let wrong = || format!("{text:?} is no sc://HOST:PORT, nor sc://HOST:PORT/;KEY=VALUE;…");
        let rest = text.strip_prefix("sc://").ok_or_else(wrong)?;
        let (machine, rest) = rest.split_once('/').unwrap_or((rest, ""));
        let (host, port) = match machine.strip_prefix('[') {
            Some(machine) => machine.split_once(']').ok_or_else(wrong)?,
            None => match machine.find(':') {
                Some(place) => machine.split_at(place),
                None => (machine, ""),
            },
        };
        let port = match port {
            "" => PORT,
            _ => {
                let digits = port.strip_prefix(':').ok_or_else(wrong)?;
                digits.parse().map_err(|_| wrong())?
            }
        };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || ".-_:".contains(c);
        if host.is_empty() || !host.chars().all(is_plain) {
            return Err(wrong());
        }
        let parameters = match rest {
            "" => Vec::new(),
            _ => {
                let parameters = rest.strip_prefix(';').ok_or_else(wrong)?;
                let pairs = parameters.split(';').map(|pair| pair.split_once('='));
                pairs.collect::<Option<Vec<_>>>().ok_or_else(wrong)?
            }
        };
        let is_encrypted = parameters
            .iter()
            .any(|(key, value)| *key == "use_ssl" && value.eq_ignore_ascii_case("true"));
        Ok(Self {
            text: text.to_owned(),
            host: host.to_owned(),
            port,
            is_encrypted,
        })
    }

    /// True for this machine itself.
    pub(crate) fn is_loopback(&self) -> bool {
        matches!(self.host.as_str(), "localhost" | "127.0.0.1" | "::1")
    }
}

/// What is wrong with an address of fleet.toml, in words; `None` for one that is understood.
pub(crate) fn problem(address: &str) -> Option<String> {
    Address::parse(address).err()
}

/// True for an address that holds what only the person should know.
fn has_secret(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let before_path = text
        .trim_start_matches("sc://")
        .split('/')
        .next()
        .unwrap_or_default();
    before_path.contains('@')
        || text.split(';').any(|pair| {
            matches!(
                pair.split('=').next().map(str::trim),
                Some("token" | "authorization")
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_understood_or_refused() {
        for (text, host, port, is_encrypted) in [
            ("sc://localhost", "localhost", 15002, false),
            ("sc://10.0.0.7:15003", "10.0.0.7", 15003, false),
            ("sc://[::1]:7/", "::1", 7, false),
            (
                "sc://x.cloud.example:443/;use_ssl=true;x-databricks-cluster-id=1",
                "x.cloud.example",
                443,
                true,
            ),
        ] {
            let address = Address::parse(text).unwrap();
            assert_eq!(
                (address.host.as_str(), address.port, address.is_encrypted),
                (host, port, is_encrypted),
                "{text}"
            );
        }
        for wrong in [
            "localhost:15002",
            "http://localhost",
            "sc://",
            "sc://:15002",
            "sc://host:port",
            "sc://host:99999",
            "sc://host/path",
            "sc://host/;use_ssl",
            "sc://ho st",
        ] {
            assert!(Address::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_address_with_a_secret_is_refused_and_not_repeated() {
        for wrong in [
            "sc://host:443/;use_ssl=true;token=geheim",
            "sc://host/;TOKEN=geheim",
            "sc://host/;Authorization=geheim",
            "sc://me:geheim@host",
            "sc://host;token=geheim",
        ] {
            let said = problem(wrong).unwrap();
            assert!(said.contains(TOKEN) && !said.contains("geheim"), "{said}");
        }
    }
}
