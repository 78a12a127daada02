//! From features to pairs of documents that share some.
//!
//! [`groups`] puts documents with equal text or equal features together, so that n copies cost n;
//! [`frequent`] finds the keys too common to join; [`pairs`] adds up what groups share and hands
//! out the pairs of documents that are worth a look.

pub mod frequent;
pub mod groups;
pub mod pairs;

pub use groups::{Groups, Times};
pub use pairs::{JoinOptions, Joined, join};
