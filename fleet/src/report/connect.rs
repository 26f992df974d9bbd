//! Where a Spark Connect server is, and what it lets us in with. The token never stands in an address: those are
//! kept in configurations and shown by `ps`.

use std::env;
use std::fs;

use crate::failure::Failure;
use crate::spark_address::{Address, TOKEN};
use crate::workspace::Workspace;

/// A Spark Connect server.
pub(crate) struct Server {
    pub(crate) address: Address,
    pub(crate) token: Option<String>,
}

impl Server {
    /// The server that the report's `--connect` names, else fleet.toml, with its token.
    ///
    /// # Errors
    /// Usage for no address or one that is not understood; refused where the token would go unencrypted; the token's
    /// file's.
    pub(crate) fn find(workspace: &Workspace, argument: Option<&str>) -> Result<Self, Failure> {
        let config = &workspace.config;
        let Some(address) = argument.or(config.connect.as_deref()) else {
            return Err(
                Failure::usage("--engine spark needs a Spark Connect server").hint(
                    "--connect sc://HOST:PORT, or connect = \"sc://HOST:PORT\" in fleet.toml",
                ),
            );
        };
        let address =
            Address::parse(address).map_err(|why| Failure::usage(format!("--connect: {why}")))?;
        let set = env::var(TOKEN).ok().filter(|token| !token.is_empty());
        let token = match (set, &config.token_file) {
            (None, Some(file)) => {
                let file = workspace.environment.paths.config().join(file);
                let text = fs::read_to_string(&file);
                Some(text.map_err(|error| Failure::from(error).about(file.display()))?)
            }
            (set, _) => set,
        };
        let token = token.map(|token| token.trim().to_owned());
        let token = token.filter(|token| !token.is_empty());
        if token.is_some() && !address.is_encrypted && !address.is_loopback() {
            let words = format!("{}: the token would go unencrypted", address.text);
            return Err(Failure::refused(words).hint(format!(
                "add use_ssl=true to the address: sc://{}:443/;use_ssl=true",
                address.host
            )));
        }
        Ok(Self { address, token })
    }
}
