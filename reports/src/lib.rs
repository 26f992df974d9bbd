//! plantune-reports

pub mod inert;
pub mod suggestions;
pub mod suggestions_json;
