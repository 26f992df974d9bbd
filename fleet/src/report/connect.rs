//! Where a Spark Connect server is, and what it lets us in with. The token never stands in an address: those are
//! kept in configurations and shown by `ps`.

use std::env;
use std::fs;

use crate::failure::{Failure, Kind};
use crate::workspace::Workspace;

/// The variable that holds the token; it wins over `token_file` of fleet.toml.
pub(crate) const TOKEN: &str = "PLANTUNE_FLEET_SPARK_TOKEN";

/// The port where an address names none.
const PORT: u16 = 15002;

/// A Spark Connect server.
#[cfg_attr(
    not(feature = "spark"),
    allow(dead_code, reason = "what it says is read by the client alone")
)]
pub(crate) struct Server {
    /// `sc://host:port/;key=value;…`, as given.
    pub(crate) address: String,
    /// The name or number of its machine, without brackets.
    pub(crate) host: String,
    pub(crate) port: u16,
    /// Reached through TLS.
    pub(crate) is_encrypted: bool,
    pub(crate) token: Option<String>,
}

impl Server {
    /// The server that the report's `--connect` names, else fleet.toml, with its token.
    ///
    /// # Errors
    /// Usage where this program was built without Spark's client, for no address or one that is not understood; refused where the token would go unencrypted; the
    /// token's file's.
    pub(crate) fn find(workspace: &Workspace, argument: Option<&str>) -> Result<Self, Failure> {
        if !cfg!(feature = "spark") {
            return Err(not_built());
        }
        let config = &workspace.config;
        let Some(address) = argument.or(config.connect.as_deref()) else {
            return Err(
                Failure::new(Kind::Usage, "--engine spark needs a Spark Connect server").hint(
                    "--connect sc://HOST:PORT, or connect = \"sc://HOST:PORT\" in fleet.toml",
                ),
            );
        };
        let address = Address::parse(address)
            .map_err(|why| Failure::new(Kind::Usage, format!("--connect: {why}")))?;
        let token = match env::var(TOKEN).ok().filter(|token| !token.is_empty()) {
            Some(token) => Some(token),
            None => match &config.token_file {
                Some(file) => {
                    let file = workspace.environment.paths.config().join(file);
                    let text = fs::read_to_string(&file)
                        .map_err(|error| Failure::from(error).about(file.display()))?;
                    Some(text).filter(|text| !text.trim().is_empty())
                }
                None => None,
            },
        };
        if token.is_some() && !address.is_encrypted && !address.is_loopback() {
            let words = format!("{}: the token would go unencrypted", address.text);
            return Err(Failure::new(Kind::Refused, words).hint(format!(
                "add use_ssl=true to the address: sc://{}:443/;use_ssl=true",
                address.host
            )));
        }
        Ok(Self {
            token: token.map(|token| token.trim().to_owned()),
            address: address.text,
            host: address.host,
            port: address.port,
            is_encrypted: address.is_encrypted,
        })
    }
}

/// What an address says.
#[derive(Debug, PartialEq, Eq)]
struct Address {
    text: String,
    host: String,
    port: u16,
    is_encrypted: bool,
}

impl Address {
    fn parse(text: &str) -> Result<Self, String> {
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

    fn is_loopback(&self) -> bool {
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

/// What this program says of Spark where it was built without.
pub(crate) fn not_built() -> Failure {
    Failure::new(
        Kind::Usage,
        "this plantune-fleet was built without Apache Spark's client",
    )
    .hint("in plantune's source: `make fleet-install SPARK=1`; it needs protoc (protobuf-compiler)")
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
