//! The release of a hook's binary. The binary's bytes state it. A command-line option would have to be checked on every
//! call.

use memchr::memmem;

/// The text before the version.
const MARK: &[u8] = b"plantune-hook of release ";

/// The byte after the version.
const END: u8 = b';';

/// Longer than any version.
const LONGEST: usize = 64;

/// The statement in the hook's binary.
pub const STATEMENT: &str = concat!("plantune-hook of release ", env!("CARGO_PKG_VERSION"), ";");

/// The version stated in `program`, the bytes of a hook; `None` for a hook built before this statement existed, or
/// another program.
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
        // The mark alone, as in a program that searches for it, is not a statement.
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
