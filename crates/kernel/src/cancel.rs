//! A flag that long loops look at, so that Ctrl-C is answered at once.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};

/// How long who is asked may be left alone.
const TICK: Duration = Duration::from_millis(50);

/// Shared between the loop that works and the thread that may want it to stop.
#[derive(Debug, Default)]
pub struct Cancel {
    is_set: AtomicBool,
    asked: Option<Asked>,
}

/// Somebody who wants the loop to stop and cannot say so by themselves.
struct Asked {
    whether: Box<dyn Fn() -> bool + Send + Sync>,
    last: Mutex<Instant>,
}

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asked").finish_non_exhaustive()
    }
}

impl Asked {
    fn wants_to_stop(&self) -> bool {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() < TICK {
            return false;
        }
        *last = Instant::now();
        (self.whether)()
    }
}

impl Cancel {
    /// One that asks now and then whether to stop, on the thread that works.
    pub fn asking(whether: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        let last = Mutex::new(Instant::now());
        let asked = Asked { whether: Box::new(whether), last };
        Self { is_set: AtomicBool::new(false), asked: Some(asked) }
    }

    /// Ask the work to stop.
    pub fn cancel(&self) {
        self.is_set.store(true, Ordering::Relaxed);
    }

    /// Fail with [`Error::Cancelled`] once somebody asked to stop.
    pub fn check(&self) -> Result<()> {
        if self.is_set.load(Ordering::Relaxed) {
            return Err(Error::Cancelled);
        }
        match &self.asked {
            Some(asked) if asked.wants_to_stop() => {
                self.cancel();
                Err(Error::Cancelled)
            }
            _ => Ok(()),
        }
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

    #[test]
    fn who_is_asked_says_when_to_stop() {
        let cancel = Cancel::asking(|| true);
        assert_eq!(cancel.check(), Ok(()));
        std::thread::sleep(TICK);
        assert_eq!(cancel.check(), Err(Error::Cancelled));
        assert_eq!(cancel.check(), Err(Error::Cancelled));
    }
}
