//! A session at a Spark Connect server: statements, views and rows, over the protocol of `spark-connect-proto`.

use std::collections::HashMap;
use std::io::Cursor;
use std::time::Duration;

use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use duckdb::arrow::array::RecordBatch;
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

use crate::failure::Failure;
use crate::report::connect::Server;
use crate::spark_address::TOKEN;

/// How often a statement goes on after the connection broke.
const MOST_RETRIES: u32 = 8;

/// gRPC's numbers of what went wrong.
const UNAVAILABLE: i32 = 14;
const UNAUTHENTICATED: i32 = 16;
const PERMISSION_DENIED: i32 = 7;

/// A session.
pub(super) struct Session {
    client: SparkConnectClient,
    address: String,
}

/// What is read of Parquet files.
pub(super) struct Parquet<'a> {
    pub(super) paths: Vec<String>,
    /// In Spark's notation.
    pub(super) schema: &'a str,
    /// What is damaged is passed over, and there is a column `file_path`.
    pub(super) inspect: bool,
}

impl Session {
    /// Opens one, with `settings`.
    ///
    /// # Errors
    /// When nothing answers, or the server does not let us in.
    pub(super) fn open(server: &Server, settings: &[(&str, &str)]) -> Result<Self, Failure> {
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
        for (key, value) in settings {
            block_on(client.set_config(key, value)).map_err(failed)?;
        }
        Ok(Self {
            client,
            address: address.clone(),
        })
    }

    /// Runs a statement.
    ///
    /// # Errors
    /// Spark's; so do the others.
    pub(super) fn run(&self, sql: &str) -> Result<(), Failure> {
        let command = proto::SqlCommand {
            input: Some(statement(sql)),
            ..Default::default()
        };
        self.command(CommandType::SqlCommand(command))
    }

    /// Writes the rows that a query finds to Parquet files in the folder `path`, which must not be there.
    pub(super) fn write(&self, sql: &str, path: &str) -> Result<(), Failure> {
        let write = proto::WriteOperation {
            input: Some(statement(sql)),
            source: Some("parquet".to_owned()),
            mode: proto::write_operation::SaveMode::ErrorIfExists.into(),
            options: HashMap::from([("compression".to_owned(), "zstd".to_owned())]),
            save_type: Some(proto::write_operation::SaveType::Path(path.to_owned())),
            ..Default::default()
        };
        self.command(CommandType::WriteOperation(write))
    }

    /// What a query finds.
    pub(super) fn batches(&self, sql: &str) -> Result<Vec<RecordBatch>, Failure> {
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

    /// Makes the rows of `batch` the view `name`; `schema` is theirs, in Spark's notation.
    pub(super) fn local(
        &self,
        name: &str,
        batch: &RecordBatch,
        schema: &str,
    ) -> Result<(), Failure> {
        let mut data = None;
        // Spark does not read Arrow's stream of no rows.
        if batch.num_rows() > 0 {
            let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema())?;
            writer.write(batch)?;
            data = Some(writer.into_inner()?.into());
        }
        let relation = proto::LocalRelation {
            data,
            schema: Some(schema.to_owned()),
        };
        self.view(name, RelType::LocalRelation(relation))
    }

    /// Makes the rows of Parquet files the view `name`.
    pub(super) fn parquet(&self, name: &str, files: Parquet<'_>) -> Result<(), Failure> {
        if files.paths.is_empty() {
            let relation = proto::LocalRelation {
                data: None,
                schema: Some(files.schema.to_owned()),
            };
            return self.view(name, RelType::LocalRelation(relation));
        }
        // A server may be set up to pass over what cannot be read; what is missing is never passed over.
        let is_damage_passed_over = if files.inspect { "true" } else { "false" };
        let options = [
            ("ignoreCorruptFiles", is_damage_passed_over),
            ("ignoreMissingFiles", "false"),
        ];
        let source = proto::read::DataSource {
            format: Some("parquet".to_owned()),
            schema: Some(files.schema.to_owned()),
            options: HashMap::from(options.map(|(key, value)| (key.to_owned(), value.to_owned()))),
            paths: files.paths,
            ..Default::default()
        };
        let read = RelType::Read(proto::Read {
            is_streaming: false,
            read_type: Some(proto::read::ReadType::DataSource(source)),
        });
        if !files.inspect {
            return self.view(name, read);
        }
        let expressions = ["*", "_metadata.file_path AS file_path"].map(expression);
        let project = proto::Project {
            input: Some(Box::new(relation(read))),
            expressions: expressions.into(),
        };
        self.view(name, RelType::Project(Box::new(project)))
    }

    /// Ends the session. What cannot be ended, the server ends by itself.
    pub(super) fn close(&self) {
        let _ = block_on(self.client.release_session());
    }

    fn view(&self, name: &str, rows: RelType) -> Result<(), Failure> {
        let view = proto::CreateDataFrameViewCommand {
            input: Some(relation(rows)),
            name: name.to_owned(),
            is_global: false,
            replace: true,
        };
        self.command(CommandType::CreateDataframeView(view))
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

fn expression(text: &str) -> proto::Expression {
    let text = proto::expression::ExpressionString {
        expression: text.to_owned(),
    };
    proto::Expression {
        expr_type: Some(proto::expression::ExprType::ExpressionString(text)),
        ..Default::default()
    }
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
