//! Where a Spark Connect server is, and what it lets us in with. The token never stands in an address: those are
//! kept in configurations and shown by `ps`.

use std::env;
use std::fs;

use crate::failure::{Failure, Kind};
use crate::spark_address::{Address, TOKEN};
use crate::workspace::Workspace;

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

/// What this program says of Spark where it was built without.
pub(crate) fn not_built() -> Failure {
    Failure::new(
        Kind::Usage,
        "this plantune-fleet was built without Apache Spark's client",
    )
    .hint("in plantune's source: `make fleet-install SPARK=1`; it needs protoc (protobuf-compiler)")
}
