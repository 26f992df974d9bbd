//! Apache Spark as the engine of reports, through Spark Connect: it reads the lake where it runs.

use std::collections::HashMap;
use std::env;
use std::io::Cursor;
use std::time::Duration;

use arrow_ipc::reader::StreamReader;
use duckdb::arrow::array::RecordBatch;
use plantune_query::fleet::SPARK_COLUMNS;
use spark_connect_core::channel::{PARAM_TOKEN, PARAM_USER_AGENT};
use spark_connect_core::{
    ChannelBuilder, ExecutePlanResponseReattachableIterator as Execution, RetryPolicy,
    SparkConnectClient, SparkError, block_on,
};
use spark_connect_proto as proto;

use proto::command::CommandType;
use proto::execute_plan_response::ResponseType;
use proto::plan::OpType;
use proto::relation::RelType;

use super::engine::Engine;
use super::key::read_if_there;
use super::lake::{ROOT, Stored};
use super::member::Member;
use super::spark_address::{Address, TOKEN};
use crate::failure::Failure;

/// How often a statement goes on after the connection broke.
const MOST_RETRIES: u32 = 8;

/// gRPC's numbers of what went wrong.
const UNAVAILABLE: i32 = 14;
const UNAUTHENTICATED: i32 = 16;
const PERMISSION_DENIED: i32 = 7;

/// What queries rest on, whatever the server's defaults.
const SETTINGS: [(&str, &str); 3] = [
    ("spark.sql.session.timeZone", "UTC"),
    ("spark.sql.ansi.enabled", "true"),
    ("spark.sql.ansi.doubleQuotedIdentifiers", "false"),
];

/// A Spark Connect server, and what it lets us in with.
pub(super) struct Server {
    address: Address,
    token: Option<String>,
}

impl Server {
    /// The server that `--connect` names, else fleet.toml, with its token.
    ///
    /// # Errors
    /// Usage for no address or one that is not understood; refused where the token would go unencrypted; the token's
    /// file's.
    pub(super) fn find(member: &Member<'_>, argument: Option<&str>) -> Result<Self, Failure> {
        let config = &member.config;
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
                let file = member.workspace.paths.config().join(file);
                let missing = || Failure::failed(format!("{} is not there", file.display()));
                Some(read_if_there(&file)?.ok_or_else(missing)?)
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

/// A session of its own at a server.
pub(super) struct Spark {
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
        // Rows that are lost with a machine of the cluster are computed again.
        let what = match is_kept {
            false => "CREATE OR REPLACE TEMPORARY VIEW",
            true => "CACHE TABLE",
        };
        self.run(&format!("{what} {name} AS\n{sql}"))?;
        if is_kept {
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
    /// Opens one, with a view of the files of the lake at `lake`.
    ///
    /// # Errors
    /// When nothing answers, the server does not let us in, or the cluster does not see the files.
    pub(super) fn open(server: &Server, lake: &str, files: &[Stored]) -> Result<Self, Failure> {
        // The only provider that is built in; an error says that it is chosen already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let address = &server.address.text;
        let failed = |error: SparkError| failure(address, &error);
        let mut channel = ChannelBuilder::parse(address).map_err(failed)?;
        channel.set(PARAM_USER_AGENT, "plantune-fleet");
        if let Some(token) = &server.token {
            channel.set(PARAM_TOKEN, token);
        }
        let mut client = block_on(SparkConnectClient::connect(&channel)).map_err(failed)?;
        // By itself it would go on for an hour to look for a server that is not there. Statements go on by
        // themselves where the connection breaks.
        client.set_retry_policy(RetryPolicy::no_retries());
        for (key, value) in SETTINGS {
            block_on(client.set_config(key, value)).map_err(failed)?;
        }
        let session = Self {
            client,
            address: address.clone(),
            kept: Vec::new(),
        };
        let mut kinds = Vec::new();
        for (name, is_merged) in [("pushed", false), ("merged", true)] {
            let of_kind = files.iter().filter(|file| file.is_merged == is_merged);
            let paths: Vec<String> = of_kind.map(|file| hadoop_path(lake, &file.path)).collect();
            if !paths.is_empty() {
                session.parquet(name, lake, paths)?;
                kinds.push(format!("SELECT * FROM {name}"));
            }
        }
        let files = kinds.join(" UNION ALL BY NAME ");
        session.run(&format!(
            "CREATE OR REPLACE TEMPORARY VIEW files AS {files}"
        ))?;
        Ok(session)
    }

    /// Makes the rows of Parquet files the view `name`.
    fn parquet(&self, name: &str, lake: &str, paths: Vec<String>) -> Result<(), Failure> {
        // A server may be set up to pass over what cannot be read. The folders below `basePath` are columns.
        let base = hadoop_path(lake, ROOT);
        let options = [
            ("basePath", base.as_str()),
            ("ignoreCorruptFiles", "false"),
            ("ignoreMissingFiles", "false"),
        ];
        // Without the comment before it, which is none of a schema.
        let columns = SPARK_COLUMNS
            .split_once('\n')
            .map_or(SPARK_COLUMNS, |(_, columns)| columns);
        let source = proto::read::DataSource {
            format: Some("parquet".to_owned()),
            schema: Some(columns.to_owned()),
            options: HashMap::from(options.map(|(key, value)| (key.to_owned(), value.to_owned()))),
            paths,
            ..Default::default()
        };
        let view = proto::CreateDataFrameViewCommand {
            input: Some(relation(RelType::Read(proto::Read {
                is_streaming: false,
                read_type: Some(proto::read::ReadType::DataSource(source)),
            }))),
            name: name.to_owned(),
            is_global: false,
            replace: true,
        };
        self.command(CommandType::CreateDataframeView(view))
    }

    fn run(&self, sql: &str) -> Result<(), Failure> {
        let command = proto::SqlCommand {
            input: Some(statement(sql)),
            ..Default::default()
        };
        self.command(CommandType::SqlCommand(command))
    }

    fn command(&self, command: CommandType) -> Result<(), Failure> {
        let command = proto::Command {
            command_type: Some(command),
        };
        self.execute(OpType::Command(command)).map(drop)
    }

    fn execute(&self, plan: OpType) -> Result<Vec<proto::ExecutePlanResponse>, Failure> {
        let failed = |error: SparkError| failure(&self.address, &error);
        block_on(self.responses(plan)).map_err(failed)
    }

    /// What the server answers. It ends a stream of answers after some minutes though there are more to come (which
    /// the client takes for the end), and connections break: until it says that this was all, the stream is
    /// taken up again behind the last answer.
    async fn responses(&self, plan: OpType) -> Result<Vec<proto::ExecutePlanResponse>, SparkError> {
        let request = self.request(plan);
        let mut execution = Execution::new(request.clone());
        let mut responses: Vec<proto::ExecutePlanResponse> = Vec::new();
        let mut retries = 0;
        loop {
            let opened = if responses.is_empty() {
                // Under another id each time: the server may have begun with the one before.
                execution = Execution::new(request.clone());
                let request = execution.request().clone();
                self.client.execute_plan(request).await
            } else {
                let request = execution.create_reattach_request().await;
                self.client.reattach_execute(request).await
            };
            let error = match opened {
                Err(error) => Some(error),
                Ok(mut stream) => loop {
                    match stream.message().await {
                        Ok(Some(response)) => {
                            retries = 0;
                            execution.set_last_response_id(&response).await;
                            responses.push(response);
                            if execution.is_completed().await {
                                return Ok(responses);
                            }
                        }
                        Ok(None) => break None,
                        Err(status) => break Some(SparkError::from_grpc_status(status)),
                    }
                },
            };
            let is_broken = |error: &SparkError| {
                error.grpc_code == Some(UNAVAILABLE)
                    || error.message.contains("INVALID_CURSOR.DISCONNECTED")
            };
            match error {
                Some(error) if !is_broken(&error) || retries == MOST_RETRIES => return Err(error),
                _ if retries == MOST_RETRIES => {
                    return Err(SparkError::connect_msg("the server ends its answers early"));
                }
                _ => retries += 1,
            }
            tokio::time::sleep(Duration::from_millis(100 << retries)).await;
        }
    }

    fn request(&self, plan: OpType) -> proto::ExecutePlanRequest {
        proto::ExecutePlanRequest {
            session_id: self.client.session_id().to_owned(),
            user_context: Some(proto::UserContext {
                user_id: self.client.user_id().unwrap_or_default().to_owned(),
                ..Default::default()
            }),
            plan: Some(proto::Plan {
                op_type: Some(plan),
            }),
            ..Default::default()
        }
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

/// The address of a file for Hadoop's file systems, in whose paths `*` and the like stand for anything unless there is a
/// backslash before them.
fn hadoop_path(lake: &str, path: &str) -> String {
    let root = match lake.strip_prefix("s3://") {
        Some(rest) => format!("s3a://{rest}"),
        None => format!("file://{lake}"),
    };
    let mut escaped = String::new();
    for c in format!("{}/{path}", root.trim_end_matches('/')).chars() {
        if "{}[]*?\\".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// What Spark says, in one line, and what may help.
fn failure(address: &str, error: &SparkError) -> Failure {
    let text = if error.message.is_empty() {
        error.message()
    } else {
        error.message.clone()
    };
    let line = text.lines().next().unwrap_or_default();
    let failure = Failure::failed(format!("{address}: {line}"));
    match error.grpc_code {
        Some(UNAUTHENTICATED | PERMISSION_DENIED) => Failure::refused(failure.message())
            .hint(format!(
                "set {TOKEN}, or token_file in fleet.toml, to a token that is valid there"
            )),
        _ if text.contains("ertificate") => failure.hint(
            "its certificate must be of an authority that this machine trusts; SSL_CERT_FILE names a file of others",
        ),
        Some(UNAVAILABLE) => {
            failure.hint("is a Spark Connect server running there? (docs/fleet.md)")
        }
        _ if text.contains("PATH_NOT_FOUND") || text.contains("FILE_NOT_EXIST") => failure
            .hint("all machines of the cluster must see the lake under the address in fleet.toml"),
        _ => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stand_for_themselves() {
        assert_eq!(
            hadoop_path("/mnt/the lake [x]*/", "v=1/a.parquet"),
            "file:///mnt/the lake \\[x\\]\\*/v=1/a.parquet"
        );
        assert_eq!(
            hadoop_path("s3://bucket/folder", "v=1/a.parquet"),
            "s3a://bucket/folder/v=1/a.parquet"
        );
    }
}
