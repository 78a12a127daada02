//! The allocator of the kernel: that of the system, with large pieces in huge pages.

use std::alloc::{GlobalAlloc, Layout, System};

#[global_allocator]
static HEAP: Heap = Heap;

/// Features of many documents lie in pieces of some megabytes, in which one looks here and there: with
/// small pages the processor spends its time on finding out where they are, and the system on making
/// them ready one by one.
struct Heap;

/// The size of a huge page; smaller pieces have none.
const HUGE: usize = 2 << 20;

/// Ask the system for huge pages where a piece covers them. It may have none: nobody depends on it.
fn advise(piece: *mut u8, size: usize) {
    #[cfg(target_os = "linux")]
    if size >= HUGE && !piece.is_null() {
        let start = (piece as usize).next_multiple_of(HUGE);
        let end = (piece as usize + size) / HUGE * HUGE;
        if start < end {
            #[expect(unsafe_code, reason = "there is no other way to advise the system")]
            // SAFETY: the pages lie inside the piece, and advice changes no content.
            unsafe {
                libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE);
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (piece, size);
}

#[expect(unsafe_code, reason = "an allocator is unsafe by contract")]
// SAFETY: everything is done by the allocator of the system, as whoever calls asks for it.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        let piece = unsafe { System.alloc(layout) };
        advise(piece, layout.size());
        piece
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        let piece = unsafe { System.alloc_zeroed(layout) };
        advise(piece, layout.size());
        piece
    }

    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        let piece = unsafe { System.realloc(piece, layout, size) };
        advise(piece, size);
        piece
    }

    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(piece, layout) }
    }
}
