//! Signatures near a given one: range search in Hamming space.
//!
//! All structures take additions, and find the same: [`scan`] looks at everything, [`table`] has a
//! bucket for each signature of at most 16 bits, [`multi_index`] one for each part of a signature,
//! [`block_tables`] one for several parts at once, where the radius is small and known.
//! [`missing`] finds those that lack few of the bits asked for, however many others they have, in
//! [`slices`] of many signatures; [`word_lists`] those that lack few of the words, by marks on a
//! [`shelf`], or of [`long`] sentences, and by [`blocks`]. [`lacking`] counts for many at once,
//! [`numbers`] says which list is whose.
//! [`law`] says which radius to search with, [`pair_law`] what that finds.

pub mod block_tables;
pub mod blocks;
pub mod lacking;
pub mod law;
pub mod long;
pub mod missing;
pub mod multi_index;
pub mod numbers;
pub mod opened;
pub mod pair_law;
pub mod radius;
pub mod scan;
pub mod search;
pub mod shelf;
pub mod slices;
pub mod table;
pub mod word_lists;

/// Signatures that were added, numbered in that order, to be searched.
pub trait Range: Send + Sync {
    /// Add a signature; its number is how many were added before.
    fn add(&mut self, signature: &[u64]);

    /// Call `found` with the number of each signature within the radius, at least once.
    fn range(&self, query: &[u64], radius: u32, found: &mut dyn FnMut(u32));
}

/// What holds of all that pick sentences by marks: of those from one on, everybody is picked who lacks at
/// most so many of the words, and nobody without any word who must have some.
#[cfg(test)]
fn assert_picked(stored: &[Vec<u64>], first: u32, asked: &[u64], most: u32, picked: &[u32]) {
    for (n, words) in stored.iter().enumerate().skip(first as usize) {
        let is_picked = picked.contains(&(n as u32));
        let lacking = asked.iter().filter(|word| !words.contains(word)).count();
        assert!(lacking > most as usize || is_picked);
        let is_blank = words.is_empty() && asked.len() > most as usize;
        assert!(!is_blank || !is_picked);
    }
}
