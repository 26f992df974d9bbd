//! `report --html`: the report as a file for a browser.

use std::path::{Path, PathBuf};

use clap::Args;
use plantune_reports::text::clean;
use plantune_reports::{html, output};

use crate::failure::Failure;
use crate::output::failure;
use crate::terminal;

/// Where the page is written without a name for it.
const DEFAULT: &str = "plantune-report.html";

/// What `--html` takes.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct PageArguments {
    /// Write a page for a browser, in one file [default: plantune-report.html]; - for standard output
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        default_missing_value = DEFAULT,
        conflicts_with_all = ["json", "markdown", "csv", "prompts"]
    )]
    html: Option<PathBuf>,
    /// Open the page that was written
    #[arg(long, requires = "html")]
    open: bool,
    /// Replace a file that is no page of plantune's
    #[arg(long, requires = "html")]
    force: bool,
}

impl PageArguments {
    /// True when a page is to be written.
    pub(super) fn is_wanted(&self) -> bool {
        self.html.is_some()
    }

    /// Writes `page` where it is to be, says where that is, and opens it.
    ///
    /// # Errors
    /// Those of [`html::put`]. That it could not be opened is said, and no failure.
    pub(super) fn write(&self, page: &str) -> Result<(), Failure> {
        let path = self.html.as_deref().unwrap_or(Path::new(DEFAULT));
        if path == Path::new("-") {
            return terminal::print_exactly(page);
        }
        let path = html::put(page, path, self.force).map_err(failure)?;
        let shown = clean(&path.to_string_lossy());
        terminal::print(&format!("Wrote {shown}\n"))?;
        if self.open
            && let Err(why) = output::open(&path)
        {
            terminal::say(&format!(
                "plantune: the page could not be opened ({}); open this file in a browser:\n{shown}\n",
                clean(&why)
            ));
        }
        Ok(())
    }
}
