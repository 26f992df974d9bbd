//! Spark.
