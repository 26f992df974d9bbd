//! Counts with the word for what they count: the one place where a word gets its plural.

/// `count` things, in words: `1 line`, `2 lines`.
pub fn counted(count: impl TryInto<u64>, one: &str, many: &str) -> String {
    match count.try_into().unwrap_or(u64::MAX) {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_thing_is_called_otherwise_than_several() {
        let lines = [0_u64, 1, 2].map(|count| counted(count, "line", "lines"));
        assert_eq!(lines, ["0 lines", "1 line", "2 lines"]);
        assert_eq!(counted(-1, "line", "lines"), format!("{} lines", u64::MAX));
    }
}
