//! What can go wrong in the kernel that a caller can do something about.

use std::fmt;

/// An error of the kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The caller asked to stop.
    Cancelled,
    /// The caller's deadline has passed.
    Deadline,
    /// A value was outside of what is meaningful; the text says which and what is wanted.
    Parameter(String),
    /// The operating system refused something, such as a thread.
    System(String),
    /// A stored file is not what was written; the text begins with its name.
    Damaged(String),
}

/// The result of everything that can fail.
pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => f.write_str("cancelled"),
            Self::Deadline => f.write_str("the deadline has passed"),
            Self::Parameter(message) | Self::System(message) | Self::Damaged(message) => {
                f.write_str(message)
            }
        }
    }
}

impl std::error::Error for Error {}
