//! A flag that long loops look at, so that Ctrl-C is answered at once.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Result};

/// Shared between the loop that works and the thread that may want it to stop.
#[derive(Debug, Default)]
pub struct Cancel(AtomicBool);

impl Cancel {
    /// Ask the work to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Fail with [`Error::Cancelled`] once somebody asked to stop.
    pub fn check(&self) -> Result<()> {
        if self.0.load(Ordering::Relaxed) { Err(Error::Cancelled) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_fails_only_after_cancel() {
        let cancel = Cancel::default();
        assert_eq!(cancel.check(), Ok(()));
        cancel.cancel();
        assert_eq!(cancel.check(), Err(Error::Cancelled));
    }
}
