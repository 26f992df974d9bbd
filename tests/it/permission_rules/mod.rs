//! Proposed permission rules, from the log to Claude Code's settings and back.

mod although;
mod asked;
mod limits;
mod log;
mod proposed;
mod refused;
mod written;
