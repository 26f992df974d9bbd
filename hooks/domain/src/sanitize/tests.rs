use super::*;

type Rendering = fn(&str) -> String;

/// Every rendering, with the dangerous characters that it keeps on purpose.
const RENDERINGS: [(&str, Rendering, &str); 8] = [
    ("line", line, ""),
    ("block", block, "\n\t"),
    ("visible", |text| visible(text.as_bytes()), ""),
    ("json", json_of, ""),
    ("markdown", markdown, ""),
    ("html", html, ""),
    ("spreadsheet", spreadsheet_text, ""),
    ("shell", shell_word, ""),
];

fn json_of(text: &str) -> String {
    json(&serde_json::to_string(text).unwrap())
}

/// Asserts that no rendering of `text` holds a dangerous character.
fn check(text: &str) {
    for (name, render, kept) in RENDERINGS {
        let shown = render(text);
        let left = shown
            .chars()
            .find(|c| is_dangerous(*c) && !kept.contains(*c));
        assert_eq!(left, None, "{name}: {text:?} → {shown:?}");
    }
}

/// Every character of the planes that hold some, and of the others, which Unicode leaves empty or to private use, one
/// of 97.
fn characters() -> impl Iterator<Item = char> {
    let is_assigned = |c: char| matches!(u32::from(c) >> 16, 0..=3 | 14);
    ('\0'..=char::MAX).filter(move |c| is_assigned(*c) || u32::from(*c) % 97 == 0)
}

#[test]
fn no_dangerous_character_survives_any_rendering() {
    // In words, many at a time: rendering each scalar value by itself takes minutes.
    let all: Vec<char> = characters().collect();
    for some in all.chunks(256) {
        check(&some.iter().flat_map(|c| ['a', *c]).collect::<String>());
        check(&some.iter().collect::<String>());
    }
    // Alone, doubled, and behind an escape character.
    for c in all
        .into_iter()
        .filter(|c| *c < '\u{250}' || is_dangerous(*c))
    {
        check(&format!("{c}"));
        check(&format!("{c}{c}="));
        check(&format!("\u{1b}{c}\u{9b}{c}"));
    }
}

#[test]
fn dangerous_characters_are_listed() {
    for c in "\0\u{7}\u{1b}\u{7f}\u{85}\u{9b}\u{61c}\u{200b}\u{200d}\u{200e}\u{2028}\u{202e}\u{2066}\u{2069}\
              \u{2060}\u{3164}\u{fe0f}\u{feff}\u{fff9}\u{e0001}\u{e0020}\u{e007f}\u{e0100}"
        .chars()
    {
        assert!(is_dangerous(c), "{c:?}");
    }
    for c in "aß次🎉é\u{301}—…\u{a0}ا".chars() {
        assert!(!is_dangerous(c), "{c:?}");
    }
}

#[test]
fn json_means_the_same() {
    for c in characters() {
        let text = format!("{c}a");
        assert_eq!(
            serde_json::from_str::<String>(&json_of(&text)).unwrap(),
            text
        );
    }
}

#[test]
fn html_holds_no_markup_and_csv_no_formula() {
    for c in characters() {
        let shown = html(&format!("{c}<a href=\"x\" b='c'>&{c}"));
        assert!(!shown.contains(['<', '>', '"', '\'']), "{c:?}: {shown}");
        let cell = spreadsheet_text(&format!("{c}=1+1"));
        let formula = cell.trim_start().starts_with(['=', '+', '-', '@']);
        assert!(!formula, "{c:?}: {cell}");
    }
    for (text, cell) in [
        ("plain", "plain"),
        ("a, \"b\"\nc", "a, \"b\" c"),
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("@x", "'@x"),
        (" -1", "'-1"),
    ] {
        assert_eq!(spreadsheet_text(text), cell);
    }
}

#[test]
fn lines_lose_what_steers_a_terminal() {
    for (text, shown) in [
        (
            "plain, ünïcödé, 次はどうしますか",
            "plain, ünïcödé, 次はどうしますか",
        ),
        ("\u{1b}[31;1mred\u{1b}[0m \u{1b}[2Jcleared", "red cleared"),
        ("\u{9b}31mred", "red"),
        ("\u{1b}]0;title\u{7}after", "after"),
        ("\u{1b}]8;;https://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
        ("\u{1b}Pq#0\u{9c}sixel", "sixel"),
        ("hidden\u{1b}]0;never ended", "hidden]0;never ended"),
        ("a\u{1b}cb\u{0}\u{7}\u{8}\u{7f}\u{85}c", "acb c"),
        (" two\r\n\tlines \u{a0}\u{2028} here ", "two lines here"),
        ("abc\u{202e}txt.exe\u{202c}\u{2066}x\u{2069}", "abctxt.exex"),
        ("ze\u{200b}ro\u{feff}\u{ad}\u{2060}\u{e0041}", "zero"),
        ("\u{1b}", ""),
        ("\u{1b}[", ""),
    ] {
        assert_eq!(line(text), shown, "{text:?}");
        assert_eq!(line(shown), shown);
    }
}

#[test]
fn blocks_keep_their_lines() {
    assert_eq!(
        block("a\u{1b}]0;x\u{7}\r\n\tb\u{9b}c\u{202e}d\u{200b}e"),
        "a\u{fffd}]0;x\u{fffd}\n\tb\u{fffd}c\u{fffd}d\u{fffd}e"
    );
}

#[test]
fn bytes_become_visible() {
    assert_eq!(
        visible(b"\x1b[2J\xff\xe2\x80\xae\tnext \xc3\xbc"),
        "\\u{1b}[2J\\xff\\u{202e}\\tnext ü"
    );
}

#[test]
fn shell_words() {
    for (word, shown) in [
        ("github.com/acme/shop", "github.com/acme/shop"),
        ("/home/ann/my  notes", "'/home/ann/my  notes'"),
        ("x'; rm -rf ~", r"'x'\''; rm -rf ~'"),
        ("--all", "'--all'"),
        ("", "''"),
        ("a\u{202e}'b\\\n", r"$'a\U0000202e\'b\\\U0000000a'"),
    ] {
        assert_eq!(shell_word(word), shown);
    }
}
