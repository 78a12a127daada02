//! From features to pairs of documents that share some.
//!
//! Two joins, both over what is left when equals are put together ([`groups`], [`units`]) and what
//! is too common is left out ([`frequent`]):
//!
//! * The weighted sum: [`shared`] finds the keys that several hold, [`lists`] adds up what documents share, [`pairs`] does one step after the
//!   other.
//! * Candidates, then verification: a [`candidates::Search`] meets units that may match,
//!   [`verify`] checks each on the spot, [`verified`] does one step after the other. Of sentences,
//!   [`roll_up`] counts how many of a document have a match in another, [`passages`]
//!   says which and [`told`] what was done to them, [`content`] compares vocabularies, and what is
//!   [`boilerplate`] on both sides counts nowhere. [`held`] and [`matches`] are what it is counted from.
//!
//! [`stream`] matches sentences as they come, against all before. [`all_pairs`] is the published competitor of such a search, for comparison.
//!
//! A [`scope::Scope`] says which pairs are wanted: what leads to no other need not meet. [`rows`] spreads groups out into documents, [`scores`] judges them, [`json_lines`] writes them down. [`inverted`] is the search by shared keys,
//! [`meeting`] the same where all are alike, for sentences that are [`retold`], of which [`telling`] says what they prove. All of them [`sort`], and meet each
//! other once ([`met`]) or add up what they share ([`sums`]).

pub mod aligned;
pub mod aligner;
pub mod all_pairs;
pub mod boilerplate;
pub mod candidates;
pub mod content;
pub mod counting;
pub mod few;
pub mod frequent;
pub mod groups;
pub mod held;
pub mod inverted;
pub mod json_lines;
pub mod lists;
pub mod matches;
pub mod meeting;
pub mod met;
pub mod overlap;
pub mod pairs;
pub mod passages;
pub mod retold;
pub mod roll_up;
pub mod rows;
pub mod scope;
pub mod scores;
pub mod shared;
pub mod sort;
pub mod stream;
pub mod sums;
pub mod telling;
pub mod told;
pub mod units;
pub mod verified;
pub mod verify;

pub use groups::{Groups, Times};
pub use pairs::{JoinOptions, join};
pub use rows::Joined;
pub use scope::Scope;
pub use units::Units;
pub use verified::{Distinct, Verified, retold_join, verified_join};
pub use verify::Verification;
