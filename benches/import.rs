//! `plantune import claude-code` of a folder of transcripts beside ripgrep counting the tool's name in the
//! same files: whole processes, alternating, medians of one run.
//!
//! Run by `make bench`, where `rg` is installed. `PLANTUNE_BENCH_TRANSCRIPTS` sets their size in MiB
//! (default 2,048).
#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing
)]

#[path = "support/processes.rs"]
mod processes;

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::Command;

use processes::{alternate, head, row};

const ROUNDS: usize = 5;

/// How large a transcript is, in MiB.
const FILE_MIB: u64 = 16;

fn main() {
    let Some(rg) = std::env::var_os("PATH").and_then(|path| {
        std::env::split_paths(&path)
            .map(|folder| folder.join("rg"))
            .find(|path| path.exists())
    }) else {
        println!("\nrg (ripgrep) is not installed: the import was not measured");
        return;
    };
    let mib = std::env::var("PLANTUNE_BENCH_TRANSCRIPTS").ok();
    let mib: u64 = mib.and_then(|mib| mib.parse().ok()).unwrap_or(2048);
    let folder = tempfile::tempdir().unwrap();
    let transcripts = folder.path().join("projects");
    write(&transcripts, mib);
    let measured = alternate(
        ROUNDS,
        &[
            &|| {
                let mut command = Command::new(&rg);
                command.args(["-c", "AskUserQuestion"]).arg(&transcripts);
                command
            },
            &|| {
                let home = folder.path().join("home");
                let _ = fs::remove_dir_all(&home);
                let mut command = Command::new(env!("CARGO_BIN_EXE_plantune"));
                command
                    .args(["import", "claude-code"])
                    .arg(&transcripts)
                    .env("HOME", &home)
                    .env("PLANTUNE_HOME", home.join("plantune"))
                    .env("TZ", "UTC");
                command
            },
        ],
    );
    head(&format!("{mib} MiB of transcripts"));
    row("rg -c AskUserQuestion", &measured[0], &measured[0]);
    row("plantune import", &measured[1], &measured[0]);
}

/// Transcripts in which a question and its answer stand among five hundred other lines, of 4 KiB each.
fn write(folder: &Path, mib: u64) {
    let other = format!(
        "{{\"type\":\"assistant\",\"sessionId\":\"s\",\"message\":{{\"content\":[{{\"type\":\"text\",\"text\":\"{}\"}}]}}}}\n",
        "lorem ipsum \\\"dolor\\\" sit amet ".repeat(130)
    );
    for number in 0..mib.div_ceil(FILE_MIB) {
        let project = folder.join(format!("-work-project-{}", number % 40));
        fs::create_dir_all(&project).unwrap();
        let session = format!("00000000-0000-4000-8000-{number:012x}");
        let mut file =
            BufWriter::new(File::create(project.join(format!("{session}.jsonl"))).unwrap());
        let mut written = 0;
        let mut line = 0_u64;
        while written < FILE_MIB * 1024 * 1024 {
            let text = match line % 502 {
                500 => call(&session, number * 10_000 + line),
                501 => result(&session, number * 10_000 + line - 1),
                _ => other.clone(),
            };
            file.write_all(text.as_bytes()).unwrap();
            written += text.len() as u64;
            line += 1;
        }
    }
}

fn call(session: &str, id: u64) -> String {
    format!(
        "{{\"type\":\"assistant\",\"sessionId\":\"{session}\",\"cwd\":\"/home/dev/shop\",\"timestamp\":\"2026-10-01T10:00:00.000Z\",\
         \"message\":{{\"content\":[{{\"type\":\"tool_use\",\"id\":\"toolu_{id}\",\"name\":\"AskUserQuestion\",\"input\":\
         {{\"questions\":[{{\"question\":\"Which one of {id}?\",\"header\":\"Pick\",\"multiSelect\":false,\"options\":\
         [{{\"label\":\"One\",\"description\":\"the first\"}},{{\"label\":\"Two\",\"description\":\"the second\"}}]}}]}}}}]}}}}\n"
    )
}

fn result(session: &str, id: u64) -> String {
    format!(
        "{{\"type\":\"user\",\"sessionId\":\"{session}\",\"cwd\":\"/home/dev/shop\",\"timestamp\":\"2026-10-01T10:00:30.000Z\",\
         \"message\":{{\"content\":[{{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_{id}\",\"content\":\"answered\"}}]}},\
         \"toolUseResult\":{{\"answers\":{{\"Which one of {id}?\":\"One\"}}}}}}\n"
    )
}
