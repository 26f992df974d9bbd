//! Prompts for permission: how many, how they were decided, and what follows from that.

pub mod prompts;
