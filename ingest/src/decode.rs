//! One line of the spool: an event, or the reason why it is none.

use chrono::DateTime;
use plantune_hooks::event::{Event, SCHEMA_VERSION};

/// Lines longer than this are not events: the hook writes 64 KiB at most, and an import no more.
pub(crate) const MAX_LINE_BYTES: usize = 1024 * 1024;

/// An event with its id and time decoded.
#[derive(Debug)]
pub(crate) struct Decoded<'a> {
    /// The event as written.
    pub(crate) event: Event<'a>,
    /// The id's 128 bits, big endian.
    pub(crate) id: [u8; 16],
    /// Microseconds since 1970, UTC.
    pub(crate) micros: i64,
}

/// Decodes `line` (without its newline).
///
/// # Errors
/// Why it is no event of schema 1, in words for `plantune doctor`.
pub(crate) fn decode(line: &[u8]) -> Result<Decoded<'_>, String> {
    if line.len() > MAX_LINE_BYTES {
        return Err(format!(
            "line of {} bytes is longer than {MAX_LINE_BYTES}",
            line.len()
        ));
    }
    let text = std::str::from_utf8(line).map_err(|error| format!("not UTF-8: {error}"))?;
    let event: Event<'_> = serde_json::from_str(text).map_err(|error| {
        use serde_json::error::Category;
        match error.classify() {
            Category::Eof => format!("torn line: {error}"),
            Category::Syntax | Category::Io => format!("not JSON: {error}"),
            Category::Data => format!("not an event: {error}"),
        }
    })?;
    if event.v != SCHEMA_VERSION {
        return Err(format!(
            "schema version {} (this plantune knows {SCHEMA_VERSION})",
            event.v
        ));
    }
    if event.kind.is_empty() {
        return Err("not an event: no kind".to_owned());
    }
    let id = decode_id(&event.id).ok_or_else(|| {
        format!(
            "not an event: id {:?} is not 32 hexadecimal digits",
            &*event.id
        )
    })?;
    let micros = decode_time(&event.ts)
        .ok_or_else(|| format!("not an event: ts {:?} is not RFC 3339", &*event.ts))?;
    Ok(Decoded { event, id, micros })
}

fn decode_id(text: &str) -> Option<[u8; 16]> {
    let mut id = [0; 16];
    if text.len() != 32 {
        return None;
    }
    for (byte, pair) in id.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let digit = |at: usize| char::from(*pair.get(at)?).to_digit(16);
        *byte = u8::try_from(digit(0)? * 16 + digit(1)?).ok()?;
    }
    Some(id)
}

fn decode_time(text: &str) -> Option<i64> {
    decode_written_time(text.as_bytes()).or_else(|| {
        DateTime::parse_from_rfc3339(text)
            .ok()
            .map(|moment| moment.timestamp_micros())
    })
}

/// The form plantune writes, `2026-11-20T10:00:00.000Z`; `None` for any other.
fn decode_written_time(text: &[u8]) -> Option<i64> {
    let [
        y @ ..,
        b'-',
        m1,
        m2,
        b'-',
        d1,
        d2,
        b'T',
        h1,
        h2,
        b':',
        n1,
        n2,
        b':',
        s1,
        s2,
        b'.',
        u1,
        u2,
        u3,
        b'Z',
    ] = text
    else {
        return None;
    };
    let number = |digits: &[u8]| {
        digits.iter().try_fold(0i64, |sum, digit| {
            digit
                .is_ascii_digit()
                .then(|| sum * 10 + i64::from(digit - b'0'))
        })
    };
    let within = |number: i64, range: std::ops::RangeInclusive<i64>| {
        range.contains(&number).then_some(number)
    };
    let year = (y.len() == 4).then(|| number(y))??;
    let month = within(number(&[*m1, *m2])?, 1..=12)?;
    // Days that a month does not have go the slow way, which refuses them.
    let day = within(number(&[*d1, *d2])?, 1..=28)?;
    let hour = within(number(&[*h1, *h2])?, 0..=23)?;
    let minute = within(number(&[*n1, *n2])?, 0..=59)?;
    let second = within(number(&[*s1, *s2])?, 0..=59)?;
    let millis = number(&[*u1, *u2, *u3])?;
    let seconds = ((days_from_civil(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
    Some((seconds * 1000 + millis) * 1000)
}

/// Days since 1970-01-01 of a date in the Gregorian calendar (Howard Hinnant, "chrono-Compatible
/// Low-Level Date Algorithms").
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_read_a_time_agree() {
        for text in [
            "1970-01-01T00:00:00.000Z",
            "2024-02-28T23:59:59.999Z",
            "2026-03-01T00:00:00.001Z",
            "2026-12-09T12:34:56.789Z",
            "1999-01-28T01:02:03.004Z",
        ] {
            let slow = DateTime::parse_from_rfc3339(text)
                .unwrap()
                .timestamp_micros();
            assert_eq!(decode_written_time(text.as_bytes()), Some(slow), "{text}");
        }
        for text in [
            "2026-02-29T00:00:00.000Z",
            "2026-13-01T00:00:00.000Z",
            "now",
            "",
        ] {
            assert_eq!(decode_time(text), None, "{text}");
        }
        assert_eq!(
            decode_time("2024-02-29T01:00:00.000+01:00"),
            decode_time("2024-02-29T00:00:00.000Z")
        );
    }

    #[test]
    fn bad_lines_say_why() {
        let reason = |line: &[u8]| decode(line).unwrap_err();
        assert!(reason(b"{\"v\":1").starts_with("torn line"));
        assert!(reason(b"\0\0\0").starts_with("not JSON"));
        assert!(reason(b"\xff{}").starts_with("not UTF-8"));
        assert!(reason(b"[1]").starts_with("not an event"));
        assert!(reason(b"{\"v\":2}").starts_with("schema version 2"));
        assert!(reason(b"{\"v\":1,\"kind\":\"asked\",\"id\":\"zz\"}").contains("id"));
        assert!(reason(b"{\"v\":1,\"kind\":7}").starts_with("not an event"));
    }
}
