//! Columns of numbers as bytes and back, in the byte order of Arrow (little-endian).

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::enter::ParameterError;

/// A number that can be a column.
pub trait Number: Copy {
    /// Its size and its bytes.
    fn extend(self, bytes: &mut [u8]);
    /// From as many bytes as it has.
    fn from_slice(bytes: &[u8]) -> Self;
}

macro_rules! number {
    ($($type:ty),*) => {$(
        impl Number for $type {
            fn extend(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }
            fn from_slice(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("chunks have this size"))
            }
        }
    )*};
}

number!(u32, u64, f32, f64);

/// The bytes of a column.
pub fn to_bytes<'py, T: Number>(py: Python<'py>, numbers: &[T]) -> PyResult<Bound<'py, PyBytes>> {
    column(py, numbers.iter().copied())
}

/// The bytes of a column whose numbers are nowhere in a row.
pub fn column<'py, T: Number>(
    py: Python<'py>,
    numbers: impl ExactSizeIterator<Item = T>,
) -> PyResult<Bound<'py, PyBytes>> {
    let size = size_of::<T>();
    PyBytes::new_with(py, size * numbers.len(), |bytes| {
        bytes.chunks_exact_mut(size).zip(numbers).for_each(|(chunk, n)| n.extend(chunk));
        Ok(())
    })
}

/// The column that bytes are.
pub fn from_bytes<T: Number>(bytes: &[u8]) -> PyResult<Vec<T>> {
    let size = size_of::<T>();
    if !bytes.len().is_multiple_of(size) {
        let message = format!("a column of {size}-byte numbers cannot have {} bytes", bytes.len());
        return Err(ParameterError::new_err(message));
    }
    Ok(bytes.chunks_exact(size).map(T::from_slice).collect())
}
