//! Proposed permission rules, from the log to Claude Code's settings and back.

mod killed;
mod proposed;
mod tidied;
mod written;
