//! The statements and commands of the pages are run.
