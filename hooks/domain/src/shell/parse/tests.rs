use super::*;

mod real_lines;
mod second_parser;

fn words(line: &str) -> Option<Vec<Vec<String>>> {
    let texts = |simple: Simple| simple.words.into_iter().map(|word| word.text).collect();
    read(line).map(|line| line.programs.into_iter().map(texts).collect())
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
        ("a \\\n  b", vec![vec!["a", "b"]]),
        (
            "if a; then b; else c; fi",
            vec![vec!["a"], vec!["b"], vec!["c"]],
        ),
        (
            "for x in 1 2; do a $x; done | b",
            vec![vec!["a", "1"], vec!["a", "2"], vec!["b"]],
        ),
        (
            "while a; do for x in 1; do b; done; done",
            vec![vec!["a"], vec!["b"]],
        ),
        ("x=y; a \"$x\" $z", vec![vec![], vec!["a", "y", "$z"]]),
        ("[[ -f a && $(b) ]] && c", vec![vec!["b"], vec!["c"]]),
        ("a <<'E'\n$(b)\nE\nc", vec![vec!["a"], vec!["c"]]),
        ("a <<E && c\n$(b)\nE", vec![vec!["a"], vec!["c"], vec!["b"]]),
        (
            "a \"$(b <<'E'\nit's\nE\n)\" c",
            vec![vec!["b"], vec!["a", "$", "c"]],
        ),
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
        "case a in b) c;; esac",
        "for x in y; do z",
        "while a; do b; fi; done; done",
        "a && ; b",
        "a && fi",
        "((a = $(b)))",
        "[[ 'a[$(b)]' -eq 1 ]]",
        "cat <<A $(cat <<B\nx\nB\n)\ny\nA",
        "f() { a; }",
        "a )",
        "a > >(b)",
        "$(((((",
        "a $(b $(c $(d $(e $(f $(g $(h)))))))",
        "| b | ;",
    ] {
        assert_eq!(words(line), None, "{line}");
    }
}

#[test]
fn where_output_goes() {
    let line = read("a >x 2>>y &>z | b > /dev/null").unwrap().programs;
    let written: Vec<&str> = line[0]
        .writes
        .iter()
        .map(|word| word.text.as_str())
        .collect();
    assert_eq!(written, ["x", "y", "z"]);
    assert!(line[1].reads_pipe && !line[0].reads_pipe);
}

#[test]
fn what_a_variable_of_the_line_becomes() {
    let last = |line: &str| {
        let programs = read(line).unwrap().programs;
        programs.last().unwrap().words.last().unwrap().clone()
    };
    for (line, text, is_open) in [
        ("x=a; b $x", "a", false),
        ("x='a b'; b \"$x\"", "a b", false),
        ("x='a b'; b $x", "a b", true),
        ("x=a; x=b; c $x", "$", true),
        ("a && x=b; c $x", "$", true),
        ("(x=a); b $x", "$x", true),
        ("x=a | b; c $x", "$", true),
        ("for x in *.ts; do b $x; done", "*.ts", true),
        ("b $?", "0", false),
        ("b ${x:-y}", "$x:-y", true),
    ] {
        let word = last(line);
        assert_eq!(
            (word.text.as_str(), word.is_open),
            (text, is_open),
            "{line}"
        );
    }
}
