//! plantune-migrations
