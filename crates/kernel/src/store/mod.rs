//! The segments of an index: documents with their features, found by keys, on disk.
//!
//! A segment is an immutable file, or the same bytes in memory. It holds all that is needed to
//! compare its documents with a new one: features, sketches, ids, times, and where sentences stand.
//! Beside them are postings: which unit stores which key. These need not be exact, since everything
//! found by them is checked, and so hold only a part of each key.
//!
//! What is stored is what a scan would join. A search only finds documents that may be related to
//! a new one, and misses none; the join itself is that of a scan, over these few documents.

pub mod ahead;
pub mod asking;
pub mod blocks;
pub mod build;
pub mod bundle;
pub mod crossing;
pub mod glance;
pub mod layout;
pub mod load;
pub mod mapped;
pub mod merge;
pub mod numbering;
pub mod output;
pub mod overlapping;
pub mod postings;
pub mod repeats;
pub mod search;
pub mod segment;
pub mod side_by_side;
pub mod sieve;
pub mod stored;
pub mod tallies;
pub mod twice;
pub mod walks;

pub use bundle::{Bundle, Entry};
pub use postings::Postings;
pub use segment::{Segment, reading};
