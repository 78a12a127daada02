//! How memory is asked for and given back.

use std::sync::Once;

use kernel::pool;
use pyo3::prelude::*;

use crate::enter::enter;

/// Give memory back to the system. Words come in pieces of some megabytes, from many threads;
/// glibc keeps such pieces when they are freed, which would be as much again as what is in use.
#[pyfunction]
pub fn give_back_memory(py: Python<'_>) -> PyResult<()> {
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

/// Take memory in large steps and keep what is freed: for a process that does one run and ends.
///
/// A fresh page costs the system as much as a word costs us to read it. So all threads share one
/// heap, pieces of some megabytes are used again instead of given back and asked for anew, and the
/// first 256 MB come in huge pages where the system has them. What it asks for is not what it
/// takes: memory that nobody writes to costs nothing, but for the first `ready` bytes, which a
/// thread of its own makes ready while the caller goes on. Only the first call does anything.
#[pyfunction]
#[pyo3(signature = (ready = 0))]
pub fn keep_memory(ready: usize) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let Some(heap) = grow_heap() else { return };
        if ready == 0 || pool::available_threads() < 2 {
            return;
        }
        // Nobody waits for it, and without it everything works, if more slowly.
        let _ = std::thread::Builder::new()
            .name("twicetold-memory".into())
            .spawn(move || make_ready(heap, ready.min(MOST_READY)));
    });
}

/// Where new memory comes from: start and end.
type Heap = (usize, usize);

/// As much is made ready at most: more takes longer than Python does to start.
const MOST_READY: usize = 128 << 20;

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn grow_heap() -> Option<Heap> {
    const STEP: usize = 256 << 20;
    const PAGE: usize = 4096;
    #[expect(unsafe_code, reason = "there is no other way to ask the allocator")]
    // SAFETY: these calls take numbers; the range that is advised about is the end of the heap,
    // from a page on up to where the system says it ends, and advice changes no content.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
        libc::mallopt(libc::M_MMAP_THRESHOLD, 32 << 20);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 2 * STEP as libc::c_int);
        libc::mallopt(libc::M_TOP_PAD, STEP as libc::c_int);
        let start = libc::sbrk(0) as usize;
        // More than is left of the heap, so that it grows by a step. A compiler that sees nobody use
        // it would not ask for it.
        libc::free(std::hint::black_box(libc::malloc(4 << 20)));
        libc::mallopt(libc::M_TOP_PAD, 4 << 20);
        let end = libc::sbrk(0) as usize;
        let start = start.next_multiple_of(PAGE);
        if start >= end {
            return None;
        }
        libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE);
        Some((start, end))
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn grow_heap() -> Option<Heap> {
    None
}

/// Let the system find pages for the first bytes of a heap.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn make_ready((start, end): Heap, ready: usize) {
    // In small steps: whoever wants more memory waits for no longer than one of them.
    const STEP: usize = 2 << 20;
    for at in (start..end.min(start + ready)).step_by(STEP) {
        let length = STEP.min(end - at);
        #[expect(unsafe_code, reason = "there is no other way to ask the system")]
        // SAFETY: the advice changes no content, whatever is there by now. It is refused where there
        // is nothing, since somebody gave memory back, and by older systems.
        let refused = unsafe {
            libc::madvise(at as *mut libc::c_void, length, libc::MADV_POPULATE_WRITE) != 0
        };
        if refused {
            return;
        }
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn make_ready(_: Heap, _: usize) {}
