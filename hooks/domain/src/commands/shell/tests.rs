use super::*;

fn words(line: &str) -> Option<Vec<Vec<String>>> {
    let texts = |simple: Simple| simple.words.into_iter().map(|word| word.text).collect();
    parse(line).map(|line| line.into_iter().map(texts).collect())
}

#[test]
fn programs_and_words() {
    for (line, expected) in [
        ("ls -la src", vec![vec!["ls", "-la", "src"]]),
        (
            "a 'b c' \"d e\" f\\ g",
            vec![vec!["a", "b c", "d e", "f g"]],
        ),
        (
            "a && b || c; d & e",
            vec![vec!["a"], vec!["b"], vec!["c"], vec!["d"], vec!["e"]],
        ),
        ("a | b |& c", vec![vec!["a"], vec!["b"], vec!["c"]]),
        ("X=1 a", vec![vec!["a"]]),
        ("a 2>&1 >/dev/null < in", vec![vec!["a"]]),
        (
            "echo $(rm x) y",
            vec![vec!["rm", "x"], vec!["echo", "$", "y"]],
        ),
        ("echo `rm x`", vec![vec!["rm", "x"], vec!["echo", "$"]]),
        ("echo \"$(rm x)\"", vec![vec!["rm", "x"], vec!["echo", "$"]]),
        ("(cd a; b)", vec![vec!["cd", "a"], vec!["b"]]),
        ("{ a; b; }", vec![vec!["a"], vec!["b"]]),
        ("# nothing\na", vec![vec!["a"]]),
        ("a # it's\nb # 'c", vec![vec!["a"], vec!["b"]]),
        ("a b#c", vec![vec!["a", "b#c"]]),
        ("diff <(a) <(b)", vec![vec!["a"], vec!["b"], vec!["diff"]]),
    ] {
        assert_eq!(words(line).unwrap(), expected, "{line}");
    }
}

#[test]
fn what_is_not_understood() {
    for line in [
        "a 'b",
        "a \"b",
        "a $(b",
        "cat <<EOF",
        "if a; then b; fi",
        "for x in y; do z; done",
        "f() { a; }",
        "a )",
        "a > >(b)",
        "$(((((",
        "a $(b $(c $(d $(e $(f)))))",
        "| b | ;",
    ] {
        assert_eq!(words(line), None, "{line}");
    }
}

#[test]
fn where_output_goes() {
    let line = parse("a >x 2>>y &>z | b > /dev/null").unwrap();
    assert_eq!(line[0].writes, ["x", "y", "z"]);
    assert!(line[1].reads_pipe && !line[0].reads_pipe);
}
