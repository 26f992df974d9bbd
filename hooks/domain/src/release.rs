//! Which release a hook's binary is of. It says so in its bytes: a hook that is asked on its command line would
//! have to look at every call for the question.

use memchr::memmem;

/// What stands before the version.
const MARK: &[u8] = b"plantune-hook of release ";

/// What stands behind it.
const END: u8 = b';';

/// Longer than any version.
const LONGEST: usize = 64;

/// What the hook's binary holds.
pub const STATEMENT: &str = concat!("plantune-hook of release ", env!("CARGO_PKG_VERSION"), ";");

/// The version that `program`, the bytes of a hook, states; `None` where it states none: it was built before
/// hooks did, or is another program.
pub fn stated_in(program: &[u8]) -> Option<&str> {
    memmem::find_iter(program, MARK).find_map(|at| {
        let rest = program.get(at + MARK.len()..)?;
        let version = rest.get(..rest.iter().take(LONGEST).position(|byte| *byte == END)?)?;
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b".+-".contains(byte);
        let starts_well = version.first().is_some_and(u8::is_ascii_digit);
        let found = starts_well && version.iter().all(is_plain);
        std::str::from_utf8(version).ok().filter(|_| found)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statement_is_found_among_other_bytes() {
        let program = |statement: &str| [b"\x7fELF\xff", statement.as_bytes(), b"\0x;"].concat();
        assert_eq!(
            stated_in(&program(STATEMENT)),
            Some(env!("CARGO_PKG_VERSION"))
        );
        let later = program("plantune-hook of release 12.0.3-rc.1+abc;");
        assert_eq!(stated_in(&later), Some("12.0.3-rc.1+abc"));
        // The mark alone, as in a program that looks for it, is no statement.
        let twice = program(&format!("plantune-hook of release {STATEMENT}"));
        assert_eq!(stated_in(&twice), Some(env!("CARGO_PKG_VERSION")));
    }

    #[test]
    fn what_is_no_version_is_none() {
        for program in [
            "",
            "plantune-hook of release ",
            "plantune-hook of release ;",
            "plantune-hook of release 1.0",
            "plantune-hook of release 1.0\u{1b}[31m;",
            "plantune-hook of release ../../1;",
            &format!("plantune-hook of release {};", "1".repeat(80)),
        ] {
            assert_eq!(stated_in(program.as_bytes()), None, "{program:?}");
        }
    }
}
