//! plantune-ingest
