//! The built hook, and the bytes of one of another release.

use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use serde_json::Value;

/// The built `plantune-hook`. Cargo builds it beside `plantune` when it builds the whole
/// workspace; when that has not happened, it is built here, once.
pub(crate) fn hook() -> PathBuf {
    static HOOK: OnceLock<PathBuf> = OnceLock::new();
    HOOK.get_or_init(find_or_build).clone()
}

fn find_or_build() -> PathBuf {
    let beside = Path::new(env!("CARGO_BIN_EXE_plantune"));
    let hook = beside.with_file_name(format!("plantune-hook{}", std::env::consts::EXE_SUFFIX));
    if hook.is_file() {
        return hook;
    }
    // <target>/<profile>/plantune; the profile `dev` has the folder `debug`.
    let folder = beside.parent().unwrap();
    let profile = match folder.file_name().unwrap().to_str().unwrap() {
        "debug" => "dev",
        profile => profile,
    };
    let built = Command::new(env!("CARGO"))
        .args(["build", "-p", "plantune-hooks", "--bin", "plantune-hook"])
        .args(["--profile", profile, "--target-dir"])
        .arg(folder.parent().unwrap())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .unwrap();
    assert!(built.success() && hook.is_file(), "no {}", hook.display());
    hook
}

/// Runs `hook` with `call` as its input.
pub(crate) fn call_hook(hook: &mut Command, call: &Value) -> Output {
    call_with(hook, &call.to_string())
}

/// Runs `program` with `input`.
pub(crate) fn call_with(program: &mut Command, input: &str) -> Output {
    start_with(program, input).wait_with_output().unwrap()
}

/// Starts `program` with `input`; its output and errors are kept.
pub(crate) fn start_with(program: &mut Command, input: &str) -> Child {
    let mut process = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = process.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    process
}

/// The built hook as another release would be: it works, and its bytes differ.
pub(crate) fn other_hook() -> Vec<u8> {
    let mut bytes = std::fs::read(hook()).unwrap();
    bytes.push(0);
    bytes
}

// What a run gave.

/// The note of a change if no agent calls the hook.
pub(crate) const UNREGISTERED: &str =
    "note: nothing is answered for you yet; run `plantune install` first\n";

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// The output of a run that ended well.
    pub(crate) fn done(self) -> String {
        assert_eq!(self.code, 0, "{self:?}");
        self.stdout
    }

    /// The output of a run that ended well, and reported at most that no agent calls the hook: most tests call
    /// it themselves.
    pub(crate) fn stdout(self) -> String {
        let reported = self.stderr.replace(UNREGISTERED, "");
        assert_eq!((self.code, reported.as_str()), (0, ""), "{self:?}");
        self.stdout
    }

    /// The output, followed by what was reported.
    pub(crate) fn text(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Runs `command` to its end.
pub(crate) fn run(command: &mut Command) -> Ran {
    // A program that was copied a moment ago is busy while another test's child, forked in between,
    // still holds the copy's descriptor.
    loop {
        match command.output() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {
                thread::sleep(Duration::from_millis(10));
            }
            output => return output.unwrap().into(),
        }
    }
}

/// The output of `doctor`, with wrapped lines joined again.
pub(crate) fn unwrapped(text: &str) -> String {
    text.replace("\n           ", " ")
}

/// Long lines are wrapped, so white space does not count.
pub(crate) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

// A server on this machine for programs that speak to a model.

/// How long a connection may be silent.
const SILENCE: Duration = Duration::from_secs(30);

/// An answer: the type of the content, and the content.
pub(crate) type Answer = Option<(&'static str, String)>;

/// A running server. It ends with the value.
pub(crate) struct Http {
    pub(crate) port: u16,
    ended: Arc<AtomicBool>,
}

impl Http {
    /// Starts one on a free port: `answer` gets what was posted and where, and null for other requests.
    pub(crate) fn start(answer: impl Fn(&str, Value) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let ended = Arc::new(AtomicBool::new(false));
        let (over, answer) = (Arc::clone(&ended), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::SeqCst) {
                    return;
                }
                let answer = Arc::clone(&answer);
                // A connection that breaks is the client's affair; the test sees what is missing.
                thread::spawn(move || stream.and_then(|stream| serve(stream, &*answer)));
            }
        });
        Self { port, ended }
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::SeqCst);
        // Wakes the listener, so that it sees the end.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

/// Answers one request; the next one comes on a connection of its own.
fn serve(stream: TcpStream, answer: &dyn Fn(&str, Value) -> Answer) -> std::io::Result<()> {
    stream.set_read_timeout(Some(SILENCE))?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut length = 0;
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header)? <= 2 {
            break;
        }
        if let Some((name, value)) = header.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let path = line.split(' ').nth(1).unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    let posted = match line.starts_with("POST") {
        true => serde_json::from_slice(&body).unwrap_or_default(),
        false => Value::Null,
    };
    match answer(path, posted) {
        Some((kind, body)) => send(stream, "200 OK", kind, &body),
        None => send(stream, "404 Not Found", "text/plain", ""),
    }
}

fn send(mut stream: TcpStream, status: &str, kind: &str, body: &str) -> std::io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}
