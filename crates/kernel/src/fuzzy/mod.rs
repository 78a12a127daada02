//! Fuzzy sets: sentences that say the same in other words.
//!
//! Yerra: "Detecting similar HTML documents using a sentence-based copy detection approach",
//! Brigham Young University 2005, section 3.2.2. Words that come in the same units (documents,
//! paragraphs or sentences) of a collection correlate, [`correlations`] counted by [`counts`]; a
//! sentence is as similar to another one as its words are to the words of that one,
//! [`similarity`]. Words that have vectors correlate by these, [`vectors`].

pub mod correlations;
pub mod counts;
pub mod search;
pub mod similarity;
pub mod vectors;

pub use correlations::Correlations;
pub use counts::{Counts, Unit};
pub use similarity::{Equality, Fuzzy};
