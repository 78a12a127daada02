//! What a process gets ready before it works: memory, and what can be known of its files. How memory is
//! given back.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError};

use kernel::text::{self, Ahead};
use kernel::{Cancel, pool};
use pyo3::prelude::*;

use crate::enter::enter;

/// Give memory back to the system. Words come in pieces of some megabytes, from many threads;
/// glibc keeps such pieces when they are freed, which would be as much again as what is in use.
/// Memory that is asked for again costs more than what was kept: up to `kept` bytes nothing is done.
#[pyfunction]
#[pyo3(signature = (*, kept = 0))]
pub fn give_back_memory(py: Python<'_>, kept: usize) -> PyResult<()> {
    if own_memory().is_some_and(|bytes| bytes <= kept) {
        return Ok(());
    }
    enter(py, 1, |_| {
        #[cfg(all(target_os = "linux", target_env = "gnu"))]
        #[expect(unsafe_code, reason = "there is no other way to ask the allocator")]
        // SAFETY: the call takes a number and touches nothing but free memory.
        unsafe {
            libc::malloc_trim(0);
        }
        Ok(())
    })
}

/// How many bytes this process has for itself; `None` where nobody tells.
fn own_memory() -> Option<usize> {
    let told = std::fs::read_to_string("/proc/self/status").ok()?;
    let own = told.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kilobytes: usize = own.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Take memory in large steps and keep what is freed: for a process that does one run and ends.
///
/// A fresh page costs the system as much as a word costs us to read it. So all threads share one
/// heap, pieces of some megabytes are used again instead of given back and asked for anew, and the
/// first 256 MB come in huge pages where the system has them. What it asks for is not what it
/// takes: memory that nobody writes to costs nothing, but for the first `ready` bytes, which a
/// thread of the pool makes ready while the caller goes on, after the tables that every analysis
/// needs. Then it splits the texts of `files`, which are of JSON Lines, until the first analysis
/// begins. Only the first call does anything.
///
/// It is one of those that go on with the analysis: a thread beside them would leave its core to nobody
/// when it ends, for as long as the system takes to find that out.
#[pyfunction]
#[pyo3(signature = (ready = 0, files = Vec::new()))]
pub fn keep_memory(ready: usize, files: Vec<PathBuf>) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let block = grow_heap(ready.clamp(LEAST, MOST_READY));
        if ready <= LEAST || pool::available_threads() == 1 {
            return;
        }
        let stop = Arc::new(Cancel::default());
        let told = Arc::clone(&stop);
        let work = move || {
            text::warm_up();
            make_ready(block);
            IS_SPLITTING.store(true, Ordering::Release);
            Ahead::read(&files, &told)
        };
        // Without a pool everything works, if more slowly, or somebody else tells why not.
        if let Ok(pool) = pool::pool(0) {
            let (done, found) = mpsc::channel();
            pool.spawn(move || {
                // Out of a thread of the pool a panic would end the process.
                if let Ok(ahead) = catch_unwind(AssertUnwindSafe(work)) {
                    // Nobody may want it any more.
                    let _ = done.send(ahead);
                }
            });
            let running = Running { process: std::process::id(), stop, found };
            *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = Some(running);
        }
    });
}

/// The work that splits texts ahead.
struct Running {
    process: u32,
    stop: Arc<Cancel>,
    found: Receiver<Ahead>,
}

static RUNNING: Mutex<Option<Running>> = Mutex::new(None);

/// Whether it is at that: nobody waits for memory that is made ready.
static IS_SPLITTING: AtomicBool = AtomicBool::new(false);

/// What was split ahead, if anything was. Nothing more is from now on: all cores are wanted.
pub fn ahead() -> Option<&'static Ahead> {
    static FOUND: OnceLock<Option<Ahead>> = OnceLock::new();
    let found = || {
        let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        running.stop.cancel();
        // In a forked process nobody is at it.
        if running.process != std::process::id() || !IS_SPLITTING.load(Ordering::Acquire) {
            return None;
        }
        running.found.recv().ok()
    };
    FOUND.get_or_init(found).as_ref()
}

/// As much is made ready at most: more takes longer than Python does to start.
const MOST_READY: usize = 96 << 20;

/// More than is left of the heap at the start.
const LEAST: usize = 4 << 20;

/// Let the heap grow by a large step; gives the first bytes of it. They are taken here, not where they
/// are made ready: whoever wants memory meanwhile would wait for that.
fn grow_heap(bytes: usize) -> Vec<u8> {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "there is no other way to ask the allocator")]
    // SAFETY: these calls take numbers; the range that is advised about is the end of the heap,
    // from a page on up to where the system says it ends, and advice changes no content.
    unsafe {
        const STEP: usize = 256 << 20;
        const PAGE: usize = 4096;
        libc::mallopt(libc::M_ARENA_MAX, 1);
        libc::mallopt(libc::M_MMAP_THRESHOLD, 32 << 20);
        // For now everything, however large, is to come from the heap.
        libc::mallopt(libc::M_MMAP_MAX, 0);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 2 * STEP as libc::c_int);
        libc::mallopt(libc::M_TOP_PAD, STEP as libc::c_int);
        let start = libc::sbrk(0) as usize;
        let block = std::hint::black_box(Vec::with_capacity(bytes));
        libc::mallopt(libc::M_TOP_PAD, 4 << 20);
        libc::mallopt(libc::M_MMAP_MAX, 65_536);
        let end = libc::sbrk(0) as usize;
        let start = start.next_multiple_of(PAGE);
        if start < end {
            libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE);
        }
        block
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    Vec::with_capacity(bytes)
}

/// Write to memory and free it, so that whoever takes it next need not wait for the system.
fn make_ready(mut block: Vec<u8>) {
    const PAGE: usize = 4096;
    for page in block.spare_capacity_mut().chunks_mut(PAGE) {
        page[0].write(0);
    }
    // A compiler that sees nobody read it would not write.
    drop(std::hint::black_box(block));
}
