//! Whether a pair of documents was told again, taken from, or is the same form with other facts.
//!
//! The decision reads the two texts and the frequencies of the collection, nothing else: no dates,
//! no sources, no score of a detector. [`frequencies`] counts in how many documents each run of
//! words and each pair of content words occurs; [`texts`] are the texts of a collection as they were
//! analysed, [`document`] is one of them prepared for comparison. [`sets`], [`alignment`] and
//! [`sentences`] measure a pair ([`quantities`]), the cheapest first; two logistic regressions
//! ([`model`]) turn the quantities into probabilities, [`judge`] does all of it for many pairs, and
//! [`relate`] says what the pair is called.

pub mod alignment;
pub mod document;
pub mod frequencies;
pub mod judge;
pub mod model;
pub mod quantities;
pub mod relate;
pub mod sentences;
pub mod sets;
pub mod texts;

pub use frequencies::FormFrequencies;
pub use judge::{Judgement, judge};
pub use model::DecisionModel;
pub use texts::CollectionTexts;
