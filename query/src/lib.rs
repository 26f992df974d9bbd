//! plantune-query
