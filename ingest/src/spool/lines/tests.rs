//! Lines that are events, and lines that are none.

use super::*;

fn event(number: u32) -> String {
    format!(
        "{{\"v\":1,\"id\":\"{number:032x}\",\"ts\":\"2026-11-20T10:00:00.000Z\",\"kind\":\"asked\",\"question\":\"{{\\\"v\\\":1\"}}"
    )
}

/// Offset, bytes and length.
type Bad = (u64, Vec<u8>, u64);

/// The numbers of the events, and the bad lines.
fn found(bytes: &[u8], offset: u64) -> (Vec<u8>, Vec<Bad>) {
    let chunk = Chunk {
        offset,
        bytes: bytes.to_vec(),
        long_line: None,
    };
    let lines = decode_lines(&chunk);
    let bad = |bad: BadLine| (bad.offset, bad.bytes, bad.length);
    (
        lines.events.iter().map(|event| event.id[15]).collect(),
        lines.bad_lines.into_iter().map(bad).collect(),
    )
}

#[test]
fn byte_order_marks_and_carriage_returns_are_trimmed() {
    let bom = "\u{feff}";
    let text = format!("{bom}{}\r\n\n \r\n{bom}{}  \r\n{bom}\n", event(1), event(2));
    assert_eq!(found(text.as_bytes(), 0), (vec![1, 2], vec![]));
    assert_eq!(found(text.as_bytes(), 77), (vec![1, 2], vec![]));
}

#[test]
fn events_behind_a_torn_line_are_found() {
    let (one, two) = (event(1), event(2));
    let torn = &one.as_bytes()[..50];
    let bytes = [torn, torn, two.as_bytes(), b"\n"].concat();
    assert_eq!(found(&bytes, 7), (vec![2], vec![(7, torn.repeat(2), 100)]));
    let bytes = [one.as_bytes(), two.as_bytes(), torn, b"\n"].concat();
    let end = (one.len() + two.len()) as u64;
    assert_eq!(
        found(&bytes, 0),
        (vec![1, 2], vec![(end, torn.to_vec(), 50)])
    );
    let bytes = [b"\0\0\0", two.as_bytes(), b"\n"].concat();
    assert_eq!(found(&bytes, 0), (vec![2], vec![(0, vec![0; 3], 3)]));
}

#[test]
fn an_event_with_an_object_in_an_unknown_field_may_stand_before_another() {
    let one = event(1).replace("\"question\"", "\"new\":{\"v\":1},\"question\"");
    let line = format!("{one}{}\n", event(2));
    assert_eq!(found(line.as_bytes(), 0), (vec![1, 2], vec![]));
}

#[test]
fn a_line_without_events_is_one_bad_line() {
    let one = event(1);
    for whole in [
        format!("[{one},{one}]"),
        format!("{{\"v\":2,\"of\":{one}}}"),
        one.replace('}', "").repeat(9),
    ] {
        let bytes = format!("{whole}\n");
        let bad = (0, whole.as_bytes().to_vec(), whole.len() as u64);
        assert_eq!(found(bytes.as_bytes(), 0), (vec![], vec![bad]));
    }
}

#[test]
fn a_long_line_is_the_same_whole_or_in_chunks() {
    let line = [b" \r".repeat(MAX_LINE_BYTES), b"x".to_vec()].concat();
    let whole = Chunk {
        offset: 9,
        bytes: [&line[..], b"\n"].concat(),
        long_line: None,
    };
    let stepped_over = Chunk {
        offset: 9,
        bytes: line[..KEPT_OF_LONG_LINE].to_vec(),
        long_line: Some(line.len() as u64 + 1),
    };
    let [one, other] = [&whole, &stepped_over].map(|chunk| {
        let bad_lines = decode_lines(chunk).bad_lines;
        assert_eq!(bad_lines.len(), 1);
        bad_lines.into_iter().next().unwrap()
    });
    assert_eq!((&one.reason, one.length), (&other.reason, other.length));
    assert_eq!((one.offset, &one.bytes), (other.offset, &other.bytes));
    assert_eq!(other.length, line.len() as u64);
}

const ID: &str = "0123456789abcdef0123456789abcdef";

fn reason(line: &str) -> String {
    decode(line.as_bytes()).unwrap_err()
}

#[test]
fn bad_lines_say_why() {
    assert!(reason("{\"v\":1").starts_with("torn line"));
    assert!(reason("\0\0\0").starts_with("not JSON"));
    assert!(decode(b"\xff{}").unwrap_err().starts_with("not UTF-8"));
    for (line, why) in [
        ("{\"v\":2}", "schema version 2 (this plantune knows 1)"),
        ("{\"v\":1,\"kind\":\"asked\"}", "not an event: no id"),
        ("{}", "not an event: no v"),
        ("{\"v\":1}", "not an event: no kind"),
        ("7", NO_OBJECT),
        ("\"{}\"", NO_OBJECT),
        ("null", NO_OBJECT),
    ] {
        assert_eq!(reason(line), why, "{line}");
    }
    assert!(reason("{\"v\":1,\"kind\":\"asked\",\"id\":\"zz\"}").contains("no ts"));
    assert!(
        reason("{\"v\":1,\"kind\":\"asked\",\"id\":\"zz\",\"ts\":\"x\"}").contains("id \"zz\"")
    );
    assert!(reason("{\"v\":1,\"kind\":7}").starts_with("not an event"));
    assert!(reason("[1").starts_with("torn line"));
    assert!(reason("7 8").starts_with("not JSON"));
}

#[test]
fn an_array_is_no_event_whatever_it_holds() {
    let positional = format!("[1,\"{ID}\",\"2026-11-20T10:00:00.000Z\",\"asked\"]");
    assert_eq!(reason(&positional), NO_OBJECT);
    assert!(reason(&"[".repeat(1000)).starts_with("torn line"));
    let deep = format!("{}{}", "[".repeat(500_000), "]".repeat(500_000));
    assert_eq!(reason(&deep), NO_OBJECT);
}

#[test]
fn what_is_not_known_may_be_deep_or_doubled_and_what_is_known_not() {
    let event = |more: &str| {
        format!(
            "{{\"v\":1,\"id\":\"{ID}\",\"ts\":\"2026-11-20T10:00:00.000Z\",\"kind\":\"asked\"{more}}}"
        )
    };
    let deep = format!(",\"new\":{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(decode(event(&deep).as_bytes()).is_ok());
    assert!(decode(event(",\"new\":1,\"new\":2").as_bytes()).is_ok());
    let doubled = reason(&event(",\"kind\":\"answered\""));
    assert!(doubled.contains("duplicate field `kind`"), "{doubled}");
    for wrong in [
        ",\"options\":7",
        ",\"options\":[[]]",
        ",\"question\":{}",
        ",\"question_index\":-1",
        ",\"question_index\":1.5",
        ",\"multi_select\":\"yes\"",
        ",\"session_id\":null",
    ] {
        assert!(
            reason(&event(wrong)).starts_with("not an event: invalid"),
            "{wrong}"
        );
    }
}

#[test]
fn a_newer_version_is_named_whatever_shape_its_fields_have() {
    assert_eq!(
        reason("{\"options\":{\"a\":1},\"v\":3}"),
        "schema version 3 (this plantune knows 1)"
    );
    assert!(reason("{\"v\":\"3\"}").starts_with("not an event: invalid type"));
}

#[test]
fn a_reason_quotes_little() {
    let long = reason(&format!(
        "{{\"v\":1,\"kind\":\"asked\",\"ts\":\"ä\",\"id\":\"{}\"}}",
        "ü".repeat(9000)
    ));
    assert!(long.starts_with("not an event: id") && long.chars().count() == MOST_REASON + 1);
}
