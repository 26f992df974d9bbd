//! plantune-reports

pub mod inert;
pub mod suggestions;
pub mod suggestions_json;
#[cfg(test)]
mod suggestions_sample;
