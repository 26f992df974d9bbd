//! plantune-reports
