//! What long loops look at, so that Ctrl-C is answered at once and a deadline is kept.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
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
    deadline: Option<Instant>,
    counted: Option<Counted>,
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

/// Checks that are counted, for tests: after so many the work stops.
#[derive(Debug)]
struct Counted {
    checks: AtomicU64,
    most: u64,
}

impl Cancel {
    /// One that asks now and then whether to stop, on the thread that works.
    pub fn asking(whether: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        let last = Mutex::new(Instant::now());
        Self { asked: Some(Asked { whether: Box::new(whether), last }), ..Self::default() }
    }

    /// The same, that also stops when a deadline has passed.
    #[must_use]
    pub fn until(self, deadline: Option<Instant>) -> Self {
        Self { deadline, ..self }
    }

    /// One that counts how often it is looked at, and stops the work behind so many looks.
    pub fn after(most: u64) -> Self {
        Self { counted: Some(Counted { checks: AtomicU64::new(0), most }), ..Self::default() }
    }

    /// How often one that counts was looked at.
    pub fn checks(&self) -> u64 {
        self.counted.as_ref().map_or(0, |counted| counted.checks.load(Ordering::Relaxed))
    }

    /// Ask the work to stop.
    pub fn cancel(&self) {
        self.is_set.store(true, Ordering::Relaxed);
    }

    /// Fail with [`Error::Cancelled`] once somebody asked to stop, and with [`Error::Deadline`] once the
    /// deadline has passed.
    pub fn check(&self) -> Result<()> {
        if self.is_set.load(Ordering::Relaxed) {
            return Err(Error::Cancelled);
        }
        if let Some(counted) = &self.counted
            && counted.checks.fetch_add(1, Ordering::Relaxed) >= counted.most
        {
            return Err(Error::Cancelled);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Error::Deadline);
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

    #[test]
    fn a_deadline_that_has_passed_stops_the_work() {
        let now = Instant::now();
        let later = now + Duration::from_secs(3600);
        assert_eq!(Cancel::default().until(Some(later)).check(), Ok(()));
        assert_eq!(Cancel::default().until(None).check(), Ok(()));
        assert_eq!(Cancel::default().until(Some(now)).check(), Err(Error::Deadline));
        assert_eq!(Cancel::asking(|| true).until(Some(now)).check(), Err(Error::Deadline));
    }

    #[test]
    fn checks_are_counted() {
        let cancel = Cancel::after(2);
        assert_eq!([cancel.check(), cancel.check()], [Ok(()), Ok(())]);
        assert_eq!((cancel.check(), cancel.checks()), (Err(Error::Cancelled), 3));
    }
}
