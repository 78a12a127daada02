//! The one door between the languages.
//!
//! Work runs without the GIL, on the pool of this process. Meanwhile the calling thread looks
//! for signals, so Ctrl-C ends the work within a fraction of a second. Work of one thread is done by
//! the calling one, which looks for signals where the work may end. Errors of the kernel become
//! the classes of `twicetold.errors`, and so does a panic: it never ends the process. A deadline that
//! the calling thread has set ends the work in the same way.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use kernel::{Cancel, Error, pool};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

pyo3::import_exception!(twicetold.errors, DeadlineError);
pyo3::import_exception!(twicetold.errors, IndexDamagedError);
pyo3::import_exception!(twicetold.errors, KernelError);
pyo3::import_exception!(twicetold.errors, ParameterError);

/// How long a signal may wait.
const TICK: Duration = Duration::from_millis(50);

thread_local! {
    /// When work that this thread begins has to be done.
    static DEADLINE: Cell<Option<Deadline>> = const { Cell::new(None) };
}

/// When work has to be done, and within how many seconds that was.
#[derive(Clone, Copy)]
struct Deadline {
    at: Instant,
    seconds: f64,
}

/// The longest time that is waited for: a deadline behind it is none.
const LONGEST: f64 = 1e9;

/// Do work on `threads` threads (0: all cores).
pub fn enter<T: Send>(
    py: Python<'_>,
    threads: usize,
    work: impl FnOnce(&Cancel) -> kernel::Result<T> + Send,
) -> PyResult<T> {
    if threads == 1 && pool::is_own_pool() { here(py, work) } else { on_pool(py, threads, work) }
}

/// Do work on the calling thread.
fn here<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Cancel) -> kernel::Result<T> + Send,
) -> PyResult<T> {
    let interrupted: Arc<Mutex<Option<PyErr>>> = Arc::default();
    let noted = Arc::clone(&interrupted);
    let cancel = Cancel::asking(move || match Python::attach(|py| py.check_signals()) {
        Ok(()) => false,
        Err(error) => {
            *noted.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            true
        }
    });
    let cancel = cancel.until(deadline());
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(|| work(&cancel))));
    match interrupted.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(error) => Err(error),
        None => done.map_err(|panic| from_panic(&*panic))?.map_err(from_error),
    }
}

/// Do work on the pool with so many threads, and look for signals meanwhile.
fn on_pool<T: Send>(
    py: Python<'_>,
    threads: usize,
    work: impl FnOnce(&Cancel) -> kernel::Result<T> + Send,
) -> PyResult<T> {
    let cancel = Cancel::default().until(deadline());
    py.detach(|| {
        let pool = pool::pool(threads).map_err(from_error)?;
        let (done, finished) = mpsc::channel::<()>();
        let (mut outcome, mut interrupted) = (None, None);
        pool.in_place_scope(|scope| {
            let (cancel, outcome) = (&cancel, &mut outcome);
            scope.spawn(move |_| {
                // Dropped at the end of the work: the waiting side wakes up.
                let _done = done;
                *outcome = Some(catch_unwind(AssertUnwindSafe(|| work(cancel))));
            });
            while finished.recv_timeout(TICK) == Err(mpsc::RecvTimeoutError::Timeout) {
                if interrupted.is_none()
                    && let Err(error) = Python::attach(|py| py.check_signals())
                {
                    cancel.cancel();
                    interrupted = Some(error);
                }
            }
        });
        match interrupted {
            Some(error) => Err(error),
            None => outcome
                .expect("the scope waits for the work")
                .map_err(|panic| from_panic(&*panic))?
                .map_err(from_error),
        }
    })
}

fn deadline() -> Option<Instant> {
    DEADLINE.get().map(|deadline| deadline.at)
}

/// A deadline of work that the calling thread begins inside of a `with` statement; of deadlines inside
/// of each other the earliest counts.
#[pyclass(module = "twicetold._kernel")]
pub struct Within {
    seconds: f64,
    before: Vec<Option<Deadline>>,
}

#[pymethods]
impl Within {
    #[new]
    fn new(seconds: f64) -> Self {
        Self { seconds, before: Vec::new() }
    }

    fn __enter__(&mut self) {
        let before = DEADLINE.get();
        self.before.push(before);
        if self.seconds < LONGEST {
            let at = Instant::now() + Duration::from_secs_f64(self.seconds.max(0.0));
            if before.is_none_or(|before| at < before.at) {
                DEADLINE.set(Some(Deadline { at, seconds: self.seconds }));
            }
        }
    }

    fn __exit__(
        &mut self,
        _kind: &Bound<'_, PyAny>,
        _error: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) {
        DEADLINE.set(self.before.pop().flatten());
    }
}

/// Fail if the deadline of the calling thread has passed.
#[pyfunction]
pub fn check_deadline() -> PyResult<()> {
    match deadline() {
        Some(at) if Instant::now() >= at => Err(from_error(Error::Deadline)),
        _ => Ok(()),
    }
}

fn past_deadline() -> PyErr {
    let seconds = DEADLINE.get().map_or(0.0, |deadline| deadline.seconds);
    DeadlineError::new_err(format!(
        "not done within the deadline of {seconds} seconds; give a longer one, or shorter documents"
    ))
}

fn from_panic(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    KernelError::new_err(format!("the kernel failed ({text}); please report this with the input"))
}

fn from_error(error: Error) -> PyErr {
    match error {
        Error::Cancelled => PyKeyboardInterrupt::new_err(()),
        Error::Deadline => past_deadline(),
        Error::Parameter(message) => ParameterError::new_err(message),
        Error::System(message) => KernelError::new_err(message),
        Error::Damaged(message) => IndexDamagedError::new_err(message),
    }
}

/// How many threads `threads=0` stands for.
#[pyfunction]
pub fn available_threads() -> usize {
    pool::available_threads()
}

/// Panic inside the kernel, to test that the process survives.
#[pyfunction]
#[pyo3(name = "_panic")]
pub fn panic_for_test(py: Python<'_>) -> PyResult<()> {
    enter(py, 1, |_| panic!("asked to"))
}

/// Work for so many seconds unless interrupted, to test that Ctrl-C is answered.
#[pyfunction]
#[pyo3(name = "_sleep")]
pub fn sleep_for_test(py: Python<'_>, seconds: f64) -> PyResult<()> {
    enter(py, 1, |cancel| {
        let end = std::time::Instant::now() + Duration::from_secs_f64(seconds);
        while std::time::Instant::now() < end {
            cancel.check()?;
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    })
}
