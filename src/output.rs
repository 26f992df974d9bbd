//! Files that verbs write where the person wants them ([`plantune_reports::output`]): why one was not written.

use std::io;
use std::path::Path;

use plantune_reports::output::Error;

use crate::failure::write_failure::WriteFailure;
use crate::failure::{Failure, Kind};

/// Why a file was not written: refused (exit code 4) for a file that is not ours and for a link; usage for a
/// folder or device; failed where the file system refused.
#[expect(
    clippy::needless_pass_by_value,
    reason = "so that it can be handed to map_err"
)]
pub(crate) fn failure(error: Error) -> Failure {
    let kind = match &error {
        Error::NoFile(_) => Kind::Usage,
        Error::Link(_) | Error::NotOurs(_) => Kind::Refused,
        Error::Io(path, error) => match WriteFailure::of(error) {
            Some(why) => return why.failure(path, "nothing was changed"),
            None => Kind::Failed,
        },
    };
    Failure::new(kind, error.to_string()).hint(error.remedy())
}

/// Why `path` could not be written.
pub(crate) fn failed(path: &Path, error: io::Error) -> Failure {
    failure(Error::Io(path.to_owned(), error))
}
