//! The address of a Spark Connect server. A token never stands in one: they are kept in configurations and shown by
//! `ps`.

use url::Url;

/// The variable that holds the token; it wins over `token_file` of fleet.toml.
pub(super) const TOKEN: &str = "PLANTUNE_FLEET_SPARK_TOKEN";

/// What an address says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// `sc://host:port/;key=value;…`, as given.
    pub(super) text: String,
    pub(super) host: String,
    /// Reached through TLS.
    pub(super) is_encrypted: bool,
}

impl Address {
    /// What `text` says.
    ///
    /// # Errors
    /// In words, where it is not understood or holds a token.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        // An address that holds a secret is not repeated.
        if has_secret(text) {
            return Err(format!(
                "an address with a token: take it out, and set {TOKEN}, or token_file in fleet.toml"
            ));
        }
        Self::understood(text).ok_or_else(|| {
            format!("{text:?} is no sc://HOST:PORT, nor sc://HOST:PORT/;KEY=VALUE;…")
        })
    }

    fn understood(text: &str) -> Option<Self> {
        // The client of Spark's knows none of what an address of the web may hold beside these.
        let is_known = |c: char| !c.is_whitespace() && !c.is_control() && !"?#".contains(c);
        let known = text.starts_with("sc://") && text.chars().all(is_known);
        let url = Url::parse(text).ok().filter(|_| known)?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || ".-_:[]".contains(c);
        let is_host = |host: &&str| !host.is_empty() && host.chars().all(is_plain);
        let host = url.host_str().filter(is_host)?;
        let pairs: Option<Vec<_>> = match url.path() {
            "" | "/" => Some(Vec::new()),
            path => {
                let pairs = path.strip_prefix("/;")?.split(';');
                pairs.map(|pair| pair.split_once('=')).collect()
            }
        };
        let is_encrypted =
            |(key, value): &(&str, &str)| *key == "use_ssl" && value.eq_ignore_ascii_case("true");
        Some(Self {
            text: text.to_owned(),
            host: host.to_owned(),
            is_encrypted: pairs?.iter().any(is_encrypted),
        })
    }

    /// True for this machine itself.
    #[cfg(feature = "spark")]
    pub(super) fn is_loopback(&self) -> bool {
        matches!(self.host.as_str(), "localhost" | "127.0.0.1" | "[::1]")
    }
}

/// True for an address that holds what only the person should know.
fn has_secret(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    let machine = text.trim_start_matches("sc://").split('/').next();
    machine.is_some_and(|machine| machine.contains('@'))
        || text.split([';', '?', '#', '&']).any(|pair| {
            let key = pair.split('=').next().map(str::trim);
            matches!(key, Some("token" | "authorization"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_understood_or_refused() {
        for (text, host, is_encrypted) in [
            ("sc://localhost", "localhost", false),
            ("sc://10.0.0.7:15003", "10.0.0.7", false),
            ("sc://[::1]:7/", "[::1]", false),
            (
                "sc://x.cloud.example:443/;use_ssl=true;x-databricks-cluster-id=1",
                "x.cloud.example",
                true,
            ),
        ] {
            let address = Address::parse(text).unwrap();
            let found = (address.host.as_str(), address.is_encrypted);
            assert_eq!(found, (host, is_encrypted), "{text}");
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
            " sc://host",
            "SC://host",
            "sc://host;use_ssl=true",
            "sc://host:443/?use_ssl=true",
            "sc://host/#use_ssl=true",
            "sc://host/;use_ssl=true ",
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
            "sc://host/?token=geheim",
            "sc://host/#token=geheim",
            " sc://me:geheim@host",
        ] {
            let said = Address::parse(wrong).unwrap_err();
            assert!(said.contains(TOKEN) && !said.contains("geheim"), "{said}");
        }
    }
}
