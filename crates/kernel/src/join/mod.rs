//! From features to pairs of documents that share some.
//!
//! [`groups`] puts documents with equal features together, so that n copies cost n;
//! [`frequent`] finds the keys too common to join; [`lists`] adds up what groups share; [`rows`]
//! spreads groups out into documents; [`pairs`] does one after the other. All of them [`sort`].

pub mod frequent;
pub mod groups;
pub mod lists;
pub mod pairs;
pub mod rows;
pub mod sort;

pub use groups::{Groups, Times};
pub use pairs::{JoinOptions, join};
pub use rows::Joined;
