//! The hot loops of Twicetold, in the order in which data passes them:
//!
//! 1. [`text`]: a document becomes sentences of words, words become interned terms;
//! 2. [`statistics`]: in how many documents each term occurs; [`gram_frequencies`]: how often four
//!    characters do; [`fuzzy`]: how words go together, and how alike that makes sentences;
//! 3. [`features`]: a detector's evidence, `(document, key, weight, count)`;
//! 4. [`join`]: documents that share keys become scored pairs; [`hamming`] finds signatures near
//!    each other;
//! 5. [`align`]: two documents become passages, and shares of each in the other;
//! 6. [`decision`]: whether a pair was told again, taken from, or is the same form with other facts;
//! 7. [`store`]: documents kept on disk, and found again by what they share with a new one.
//!
//! Nothing here knows Python. Threads come from [`pool`], long loops ask [`cancel`] whether to go
//! on, and everything a stored key depends on is in [`hash`].

pub mod align;
pub mod alike;
pub mod cancel;
pub mod decision;
pub mod documents;
pub mod effort;
pub mod error;
pub mod features;
pub mod fuzzy;
pub mod gram_frequencies;
pub mod hamming;
pub mod hash;
pub mod html;
pub mod ids;
pub mod join;
pub mod pool;
mod split;
pub mod statistics;
pub mod store;
pub mod text;

pub use cancel::Cancel;
pub use error::{Error, Result};
