//! Memory that is no longer used, and still with the allocator.

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
