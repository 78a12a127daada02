//! How memory is asked for and given back.

use std::sync::Once;

use kernel::{pool, text};
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
/// thread of its own makes ready while the caller goes on, after the tables that every analysis
/// needs. Only the first call does anything.
#[pyfunction]
#[pyo3(signature = (ready = 0))]
pub fn keep_memory(ready: usize) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        grow_heap();
        if ready >= PIECE && pool::available_threads() > 1 {
            // Nobody waits for it, and without it everything works, if more slowly.
            let _ = std::thread::Builder::new().name("twicetold-memory".into()).spawn(move || {
                text::warm_up();
                make_ready(ready.min(MOST_READY));
            });
        }
    });
}

/// As much is made ready at most: more takes longer than Python does to start.
const MOST_READY: usize = 96 << 20;

/// Pieces of this size come from the heap.
const PIECE: usize = 8 << 20;

fn grow_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "there is no other way to ask the allocator")]
    // SAFETY: these calls take numbers; the range that is advised about is the end of the heap,
    // from a page on up to where the system says it ends, and advice changes no content.
    unsafe {
        const STEP: usize = 256 << 20;
        const PAGE: usize = 4096;
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
        if start < end {
            libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE);
        }
    }
}

/// Write to memory and free it, so that whoever takes it next need not wait for the system. What it
/// takes is free again piece by piece, the first ones soon.
fn make_ready(bytes: usize) {
    const PAGE: usize = 4096;
    let mut pieces: Vec<Vec<u8>> = (0..bytes / PIECE).map(|_| Vec::with_capacity(PIECE)).collect();
    for piece in &mut pieces {
        for page in piece.spare_capacity_mut().chunks_mut(PAGE) {
            page[0].write(0);
        }
        // A compiler that sees nobody read it would not write.
        drop(std::hint::black_box(std::mem::take(piece)));
    }
}
