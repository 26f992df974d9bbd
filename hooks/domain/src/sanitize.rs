//! Text from outside, made safe to show. Questions and labels are written by a model; project names and paths by the
//! author of the repository.
//!
//! [`is_dangerous`] is the only list of dangerous characters. Each kind of output has a rendering here, and no
//! rendering lets a dangerous character through.

use std::iter::Peekable;
use std::str::Chars;

// Which characters are dangerous.

/// True for characters that control a terminal, reorder or hide their neighbours, or are invisible but read by a
/// program or a model.
///
/// Control characters (C0, C1), line and paragraph separators, Unicode's Default_Ignorable_Code_Point
/// (bidirectional controls, zero-width characters, fillers, variation selectors, tags), annotation
/// characters, and format controls of single scripts.
pub fn is_dangerous(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{13430}'..='\u{1343f}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

// For other programs: JSON, Markdown, HTML, CSV and a shell.

/// `json`, a serialised document, with dangerous characters as `\u` escapes. Its meaning to a program is the same, but
/// it cannot control a terminal. The line breaks of the indentation stay.
pub fn json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        // Outside strings, the only dangerous character in JSON is the line feed.
        if is_dangerous(c) && c != '\n' {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// `text` on one line, without any effect in Markdown, HTML or spreadsheets: no emphasis, code, link, image, tag,
/// mention, table border, or formula.
pub fn markdown(text: &str) -> String {
    let text = line(text);
    let mut escaped = String::with_capacity(text.len() + 8);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '!' | '|' | '~'
            | '@' | '$' | '^' => {
                escaped.push('\\');
                escaped.push(c);
            }
            // At the start of the text, these begin a formula or a list.
            '=' | '+' | '-' if escaped.is_empty() => {
                escaped.push('\\');
                escaped.push(c);
            }
            // Bare addresses would become links: `https://…`, `www.…`.
            ':' if rest.peek() == Some(&'/') => escaped.push_str("\\:"),
            '.' if ends_with_www(&escaped) => escaped.push_str("\\."),
            _ => escaped.push(c),
        }
    }
    escaped
}

fn ends_with_www(text: &str) -> bool {
    text.get(text.len().saturating_sub(3)..)
        .is_some_and(|end| end.eq_ignore_ascii_case("www"))
}

/// `text` on one line, as the content of an HTML element or of a quoted attribute.
pub fn html(text: &str) -> String {
    let text = line(text);
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// `text` on one line for a spreadsheet's cell; the caller adds the quotes. Anything that looks like a formula gets a
/// leading `'`, which makes it text.
pub fn spreadsheet_text(text: &str) -> String {
    let mut cell = line(text);
    if cell.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
        cell.insert(0, '\'');
    }
    cell
}

/// `word` quoted for every shell, whatever it holds: unchanged, or in single quotes.
pub fn posix_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._/-:@+,".contains(c);
    if !word.is_empty() && !word.starts_with('-') && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The same for a person who reads it on a terminal: with dangerous characters, as `$'…'` with escapes (bash, zsh).
pub fn shell_word(word: &str) -> String {
    if word.contains(is_dangerous) {
        let mut quoted = "$'".to_owned();
        for c in word.chars() {
            match c {
                '\'' | '\\' => quoted.extend(['\\', c]),
                _ if is_dangerous(c) => quoted.push_str(&format!("\\U{:08x}", u32::from(c))),
                _ => quoted.push(c),
            }
        }
        quoted.push('\'');
        quoted
    } else {
        posix_word(word)
    }
}

// For a terminal: one line, several lines, or with everything made visible.

/// `text` on one line, without escape sequences and without dangerous characters. White space is
/// folded.
pub fn line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut space = false;
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => skip_sequence(&mut chars),
            '\u{9b}' => skip_control_sequence(&mut chars),
            _ if c.is_whitespace() => space = true,
            _ if is_dangerous(c) => {}
            _ => {
                if space && !line.is_empty() {
                    line.push(' ');
                }
                space = false;
                line.push(c);
            }
        }
    }
    line
}

/// `text`, which is on one line, in at most `most` columns. A longer one loses its middle: what is new in a question often
/// stands at its end. A character takes `width` columns.
pub fn both_ends(text: &str, most: usize, width: impl Fn(char) -> usize) -> String {
    if text.chars().map(&width).sum::<usize>() <= most {
        return text.to_owned();
    }
    let room = most.saturating_sub(" … ".chars().count());
    if room < 2 {
        return "…".repeat(most.min(1));
    }
    let fit = |chars: &mut dyn Iterator<Item = char>, room: usize| -> usize {
        let mut left = room;
        let fits = chars.take_while(|c| {
            let rest = left.checked_sub(width(*c));
            left = rest.unwrap_or_default();
            rest.is_some()
        });
        fits.map(char::len_utf8).sum()
    };
    let head = fit(&mut text.chars(), room - room / 2);
    let tail = text.len() - fit(&mut text.chars().rev(), room / 2);
    let (mut head, rest) = text.split_at_checked(head).unwrap_or_default();
    let (rest, mut tail) = rest.split_at_checked(tail - head.len()).unwrap_or_default();
    // Words stay whole, where that leaves enough of them.
    if let Some((words, cut)) = head.rsplit_once(' ')
        && !rest.starts_with(' ')
        && cut.len() * 2 < head.len()
    {
        head = words;
    }
    if let Some((cut, words)) = tail.split_once(' ')
        && !rest.ends_with(' ')
        && cut.len() * 2 < tail.len()
    {
        tail = words;
    }
    format!("{} … {}", head.trim_end(), tail.trim_start())
}

/// `text` with its line ends (`\n`) and tabs; every other dangerous character becomes U+FFFD.
pub fn block(text: &str) -> String {
    let dangerous = |c: char| is_dangerous(c) && c != '\n' && c != '\t';
    text.replace("\r\n", "\n").replace(dangerous, "\u{fffd}")
}

/// `bytes` as fully visible text: invalid UTF-8 is written as `\xff`, dangerous characters as `\u{202e}`.
pub fn visible(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if is_dangerous(c) {
                text.extend(c.escape_default());
            } else {
                text.push(c);
            }
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

/// Skips the rest of an escape sequence: a control sequence (colours, cursor) or a string (window titles, links) up to
/// its end. In all other cases only the escape character is removed.
fn skip_sequence(chars: &mut Peekable<Chars<'_>>) {
    match chars.peek() {
        Some('[') => {
            chars.next();
            skip_control_sequence(chars);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => skip_string(chars),
        _ => {}
    }
}

/// Skips parameters and intermediates, then one final character (ECMA-48, 5.4).
fn skip_control_sequence(chars: &mut Peekable<Chars<'_>>) {
    while chars.next_if(|c| matches!(c, ' '..='?')).is_some() {}
    chars.next_if(|c| matches!(c, '@'..='~'));
}

/// Skips a string up to BEL or ST. A string without an end stays, so that it cannot hide the text after it.
fn skip_string(chars: &mut Peekable<Chars<'_>>) {
    let mut ahead = chars.clone();
    while let Some(c) = ahead.next() {
        let end = match c {
            '\u{7}' | '\u{9c}' => true,
            '\u{1b}' => ahead.next_if_eq(&'\\').is_some(),
            _ => false,
        };
        if end {
            *chars = ahead;
            return;
        }
    }
}

#[cfg(test)]
mod tests {
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

    /// Asserts that no rendering of `text` contains a dangerous character.
    fn check(text: &str) {
        for (name, render, kept) in RENDERINGS {
            let shown = render(text);
            let left = shown
                .chars()
                .find(|c| is_dangerous(*c) && !kept.contains(*c));
            assert_eq!(left, None, "{name}: {text:?} → {shown:?}");
        }
    }

    /// Every character of the planes that Unicode assigns, and every 97th character of the planes that are empty or for
    /// private use.
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
        // Alone, doubled, and after an escape character.
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
    fn the_middle_is_cut_and_the_end_is_seen() {
        let of = |text: &str, most| both_ends(text, most, |c| if c < '\u{3000}' { 1 } else { 2 });
        let text = "Shall I run the tests of every crate first? Then publish the package to npm.";
        for (most, shown) in [
            (76, text),
            (58, "Shall I run the tests of … publish the package to npm."),
            (20, "Shall I … to npm."),
            (5, "S … ."),
            (4, "…"),
            (0, ""),
        ] {
            assert_eq!(of(text, most), shown);
            assert!(shown.chars().count() <= most);
        }
        assert_eq!(of("次はどうしますか", 12), "次は … すか");
        assert_eq!(of(&"ü".repeat(100), 9), "üüü … üüü");
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
}
