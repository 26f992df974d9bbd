//! Apache Spark as the engine of reports, through Spark Connect: it reads the lake where it runs.

use std::collections::HashMap;
use std::env;
use std::io::Cursor;

use arrow_ipc::reader::StreamReader;
use duckdb::arrow::array::RecordBatch;
use plantune::failure::Failure;
use spark_connect_core::channel::{PARAM_TOKEN, PARAM_USER_AGENT};
use spark_connect_core::{ChannelBuilder, RetryPolicy, SparkConnectClient, SparkError, block_on};
use spark_connect_proto as proto;

use proto::command::CommandType;
use proto::execute_plan_response::ResponseType;
use proto::plan::OpType;
use proto::read::ReadType;
use proto::relation::RelType;

use crate::engine::{Engine, SPARK_COLUMNS};
use crate::lake::{LakeFile, ROOT};

/// The variable that holds the server's token: an address is kept in scripts and shown by `ps`.
const TOKEN: &str = "PLANTUNE_FLEET_SPARK_TOKEN";

/// gRPC's numbers of what went wrong.
const UNAVAILABLE: i32 = 14;
const UNAUTHENTICATED: i32 = 16;
const PERMISSION_DENIED: i32 = 7;

/// Settings that queries rely on, in spite of the server's defaults.
const SETTINGS: [(&str, &str); 3] = [
    ("spark.sql.session.timeZone", "UTC"),
    ("spark.sql.ansi.enabled", "true"),
    ("spark.sql.ansi.doubleQuotedIdentifiers", "false"),
];

/// A session of its own at a server.
pub(crate) struct Spark {
    client: SparkConnectClient,
    address: String,
    kept: Vec<String>,
}

impl Drop for Spark {
    fn drop(&mut self) {
        // The end of a session leaves what it kept in the cluster's memory. What cannot be ended, the server ends.
        for name in self.kept.iter().rev() {
            let _ = self.run(&format!("UNCACHE TABLE IF EXISTS {name}"));
        }
        let _ = block_on(self.client.release_session());
    }
}

impl Engine for Spark {
    fn make(&mut self, name: &str, sql: &str, is_kept: bool) -> Result<(), Failure> {
        // As a plan, not as a text: Spark does not find the kept rows of a text with a WITH in it again, and computes
        // them for every query. Rows that are lost with a machine of the cluster are computed again.
        self.view(name, statement(sql))?;
        if is_kept {
            self.run(&format!("CACHE TABLE {name}"))?;
            self.kept.push(name.to_owned());
        }
        Ok(())
    }

    fn batches(&mut self, sql: &str) -> Result<Vec<RecordBatch>, Failure> {
        let mut batches = Vec::new();
        for response in self.execute(OpType::Root(statement(sql)))? {
            if let Some(ResponseType::ArrowBatch(batch)) = response.response_type {
                for batch in StreamReader::try_new(Cursor::new(batch.data), None)? {
                    batches.push(batch?);
                }
            }
        }
        Ok(batches)
    }
}

impl Spark {
    /// Opens one at the server `address`, with a view of the files of the lake at `lake`.
    ///
    /// # Errors
    /// Usage for an address that is not understood or holds a token; refused where the token would go unencrypted; when
    /// nothing answers, the server does not let us in, or the cluster does not see the files.
    pub(crate) fn open(address: &str, lake: &str, files: &[LakeFile]) -> Result<Self, Failure> {
        // The only provider that is built in; an error says that it is chosen already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let failed = |error: SparkError| failure(address, &error);
        let mut channel = ChannelBuilder::parse(address).map_err(|_| {
            Failure::usage("--connect must be sc://HOST:PORT or sc://HOST:PORT/;KEY=VALUE;…")
        })?;
        if channel.token().is_some() || address.contains('@') {
            return Err(Failure::usage("--connect must not hold a token")
                .hint(format!("put it into {TOKEN} instead")));
        }
        channel.set(PARAM_USER_AGENT, "plantune-fleet");
        if let Some(token) = env::var(TOKEN).ok().filter(|token| !token.is_empty()) {
            if !channel.use_ssl() && !channel.is_loopback() {
                return Err(Failure::refused(format!(
                    "{address}: the token would be sent unencrypted"
                ))
                .hint(format!(
                    "add use_ssl=true: sc://{}:443/;use_ssl=true",
                    channel.host()
                )));
            }
            channel.set(PARAM_TOKEN, token.trim());
        }
        let mut client = block_on(SparkConnectClient::connect(&channel)).map_err(failed)?;
        // By itself it would go on for an hour to look for a server that is not there.
        client.set_retry_policy(RetryPolicy::no_retries());
        for (key, value) in SETTINGS {
            block_on(client.set_config(key, value)).map_err(failed)?;
        }
        let session = Self {
            client,
            address: address.to_owned(),
            kept: Vec::new(),
        };
        session.parquet(lake, files)?;
        Ok(session)
    }

    /// Makes the view `files` of the rows of Parquet files.
    fn parquet(&self, lake: &str, files: &[LakeFile]) -> Result<(), Failure> {
        // A server may be set up to pass over what cannot be read. The folders below `basePath` are columns.
        let base = address(lake, ROOT);
        let options = [
            ("basePath", base.as_str()),
            ("ignoreCorruptFiles", "false"),
            ("ignoreMissingFiles", "false"),
        ];
        // Without the comment before it, which is none of a schema.
        let columns = SPARK_COLUMNS
            .split_once('\n')
            .map(|(_, columns)| columns.to_owned());
        let source = proto::read::DataSource {
            format: Some("parquet".to_owned()),
            schema: columns,
            options: HashMap::from(options.map(|(key, value)| (key.to_owned(), value.to_owned()))),
            paths: files.iter().map(|file| pattern(lake, &file.path)).collect(),
            ..Default::default()
        };
        self.view(
            "files",
            relation(RelType::Read(proto::Read {
                is_streaming: false,
                read_type: Some(ReadType::DataSource(source)),
            })),
        )
    }

    /// Makes `rows` the view `name`, instead of the one of that name.
    fn view(&self, name: &str, rows: proto::Relation) -> Result<(), Failure> {
        let view = proto::CreateDataFrameViewCommand {
            input: Some(rows),
            name: name.to_owned(),
            is_global: false,
            replace: true,
        };
        let command = proto::Command {
            command_type: Some(CommandType::CreateDataframeView(view)),
        };
        self.execute(OpType::Command(command)).map(drop)
    }

    fn run(&self, sql: &str) -> Result<(), Failure> {
        self.execute(OpType::Root(statement(sql))).map(drop)
    }

    /// The server's responses, in one stream to its end: only of those that can be taken up again the server ends some
    /// early.
    fn execute(&self, plan: OpType) -> Result<Vec<proto::ExecutePlanResponse>, Failure> {
        let request = proto::ExecutePlanRequest {
            session_id: self.client.session_id().to_owned(),
            user_context: Some(proto::UserContext {
                user_id: self.client.user_id().unwrap_or_default().to_owned(),
                ..Default::default()
            }),
            plan: Some(proto::Plan {
                op_type: Some(plan),
            }),
            ..Default::default()
        };
        let responses = async {
            let mut stream = self.client.execute_plan(request).await?;
            let mut responses = Vec::new();
            while let Some(response) = stream
                .message()
                .await
                .map_err(SparkError::from_grpc_status)?
            {
                responses.push(response);
            }
            Ok(responses)
        };
        block_on(responses).map_err(|error| failure(&self.address, &error))
    }
}

fn relation(rows: RelType) -> proto::Relation {
    proto::Relation {
        common: None,
        rel_type: Some(rows),
    }
}

fn statement(sql: &str) -> proto::Relation {
    relation(RelType::Sql(proto::Sql {
        query: sql.to_owned(),
        ..Default::default()
    }))
}

/// The address of what is below the lake's root, as it is.
fn address(lake: &str, path: &str) -> String {
    let root = match lake.strip_prefix("s3://") {
        Some(rest) => format!("s3a://{rest}"),
        None => format!("file://{lake}"),
    };
    format!("{}/{path}", root.trim_end_matches('/'))
}

/// The address of a file to read: in these `*` and the like stand for anything unless there is a backslash before them.
fn pattern(lake: &str, path: &str) -> String {
    let address = address(lake, path);
    let escaped = address.chars().map(|c| match "{}[]*?\\".contains(c) {
        true => format!("\\{c}"),
        false => c.to_string(),
    });
    escaped.collect()
}

/// Spark's error in one line, and what may help.
fn failure(address: &str, error: &SparkError) -> Failure {
    let text = if error.message.is_empty() {
        error.message()
    } else {
        error.message.clone()
    };
    let said = format!("{address}: {}", text.lines().next().unwrap_or_default());
    let hint = match error.grpc_code {
        Some(UNAUTHENTICATED | PERMISSION_DENIED) => {
            return Failure::refused(said)
                .hint(format!("set {TOKEN} to a token that is valid there"));
        }
        _ if text.contains("ertificate") => {
            "this machine must trust the authority of its certificate; SSL_CERT_FILE names a file with more authorities"
        }
        Some(UNAVAILABLE) => "is a Spark Connect server running there? (docs/fleet.md)",
        _ if text.contains("PATH_NOT_FOUND") || text.contains("FILE_NOT_EXIST") => {
            "all machines of the cluster must see the lake under the address in fleet.toml"
        }
        _ => return Failure::failed(said),
    };
    Failure::failed(said).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stand_for_themselves() {
        assert_eq!(
            pattern("/mnt/the lake [x]*/", "v=1/a.parquet"),
            "file:///mnt/the lake \\[x\\]\\*/v=1/a.parquet"
        );
        assert_eq!(
            pattern("s3://bucket/folder", "v=1/a.parquet"),
            "s3a://bucket/folder/v=1/a.parquet"
        );
    }
}
