//! A server on this machine for programs that speak to a model.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;

/// How long a connection may be silent.
const SILENCE: Duration = Duration::from_secs(30);

/// What is answered: the type of the content, and the content.
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
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::SeqCst) {
                    return;
                }
                let answer = Arc::clone(&answer);
                // A connection that breaks is the client's affair; the test sees what is missing.
                std::thread::spawn(move || stream.and_then(|stream| serve(stream, &*answer)));
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
