//! Paths of the lake as Spark is given them.

/// The address of a file to read for Hadoop's file systems, in whose paths `*` and the like stand for anything unless
/// there is a backslash before them.
pub(super) fn hadoop_path(lake: &str, path: &str) -> String {
    let mut escaped = String::new();
    for c in address(lake, path).chars() {
        if "{}[]*?\\".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// The address of what is below the lake's root, as it is.
pub(super) fn address(lake: &str, path: &str) -> String {
    let root = match lake.strip_prefix("s3://") {
        Some(rest) => format!("s3a://{rest}"),
        None => format!("file://{lake}"),
    };
    format!("{}/{path}", root.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stand_for_themselves() {
        assert_eq!(
            hadoop_path("/mnt/the lake [x]*/", "events/v1/a.parquet"),
            "file:///mnt/the lake \\[x\\]\\*/events/v1/a.parquet"
        );
        assert_eq!(
            hadoop_path("s3://bucket/folder", "events/v1/a.parquet"),
            "s3a://bucket/folder/events/v1/a.parquet"
        );
    }
}
