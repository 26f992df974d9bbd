//! The results of questions.

pub mod answer;
pub mod host_words;
pub mod result_text;
pub mod results;
