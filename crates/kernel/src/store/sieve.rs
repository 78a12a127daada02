//! Which keys a segment may have, told by two bits for each.
//!
//! Of many new documents most keys are in no segment. Keys are hashes, and those that are looked up come
//! in their order, so that the bits, both in one machine word, are read from the first to the last.

use super::layout::{Section, rest_mask, u32_at};
use super::segment::{Pauses, Segment};
use crate::error::Result;

/// So many bits for each posting, at least.
const BITS: usize = 8;
/// A sieve has at most so many bits, this power of two, and holds nothing back of more postings. Keys of
/// one word differ in their last eleven bits then.
const MOST: u32 = 27;
/// How many lookups are gone through in one go.
const AT_ONCE: usize = 1024;

/// The keys that a segment may have.
#[derive(Debug)]
pub struct Sieve {
    words: Vec<u64>,
    /// Keys that are alike but for so many of their last bits have their bits in one word.
    shift: u32,
}

/// The two bits of a key in its word: by the bits it does not share with all others there.
#[inline]
fn bits(key: u32) -> u64 {
    1 << (key & 63) | 1 << (key >> 5 & 63)
}

impl Sieve {
    /// Whether it is worth to make one for a segment of so many postings, in which so many keys were
    /// looked up: that takes as long as to look up some of them.
    pub fn is_worth_it(postings: usize, lookups: usize) -> bool {
        postings <= 1 << (MOST - 1) && lookups >= postings / 4
    }

    /// Of all that units of a segment store.
    pub fn new(segment: &Segment) -> Result<Self> {
        let (beginning, form) = (segment.head().beginning, segment.head().posting());
        let wanted = (BITS * segment.n_postings()).next_power_of_two().ilog2().clamp(6, MOST);
        let mut sieve = Self { words: vec![0; 1 << (wanted - 6)], shift: 38 - wanted };
        let n = 1_usize << beginning;
        let directory = segment.part(Section::Directory, 0..(n + 1) * 4)?;
        let mask = rest_mask(form.rest);
        let mut pauses = Pauses::new(segment, n, usize::MAX);
        for own in 0..n {
            pauses.at(own);
            let [start, end] = [own, own + 1].map(|at| u32_at(directory, 4 * at) as usize);
            let upper = (own as u32).checked_shl(32 - beginning).unwrap_or(0);
            let list = segment.part(Section::Postings, start * form.size..end * form.size)?;
            for posting in list.chunks_exact(form.size) {
                sieve.add(upper | u32_at(posting, 0) & mask);
            }
        }
        Ok(sieve)
    }

    /// The word that has the bits of a key.
    #[inline]
    fn place(&self, key: u32) -> usize {
        // All keys have theirs in a single one.
        key.checked_shr(self.shift).unwrap_or(0) as usize
    }

    fn add(&mut self, key: u32) {
        let place = self.place(key);
        self.words[place] |= bits(key);
    }

    /// Those of some lookups whose keys may be there: the first half of each is a key.
    pub fn left(&self, lookups: &[u64]) -> Vec<u64> {
        let mut left = Vec::new();
        let mut some = [0; AT_ONCE];
        for part in lookups.chunks(AT_ONCE) {
            let mut n = 0;
            for &lookup in part {
                // Each is written down, and the next one over it unless it may be there.
                some[n] = lookup;
                let key = (lookup >> 32) as u32;
                n += usize::from(bits(key) & !self.words[self.place(key)] == 0);
            }
            left.extend_from_slice(&some[..n]);
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Keys;
    use crate::store::build::build;
    use crate::store::bundle::{Bundle, Entry};
    use crate::store::postings::Postings;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn segment(keys: &BTreeSet<u32>) -> Segment {
        let mut bundle = Bundle::default();
        let entry = Entry { number: 1, id: "d".into(), published: None, time: 0, text: 7 };
        bundle.entries.push(entry);
        bundle.features.push(&mut Vec::new(), false);
        let mut store = Keys::default();
        store.push(keys.iter().map(|&key| u64::from(key) << 32));
        let postings = Postings { store, totals: vec![0], ..Postings::default() };
        let bytes = build(&bundle, &postings).expect("built");
        Segment::from_bytes("test", bytes).expect("opened")
    }

    proptest! {
        #[test]
        fn no_key_that_is_there_is_held_back_and_most_others_are(
            keys in prop::collection::btree_set(any::<u32>(), 0..3000),
            others in prop::collection::btree_set(any::<u32>(), 0..3000),
        ) {
            let sieve = Sieve::new(&segment(&keys)).expect("made");
            let all: Vec<u64> =
                keys.union(&others).map(|&key| u64::from(key) << 32 | 5).collect();
            let left = sieve.left(&all);
            prop_assert!(left.is_sorted());
            let left: BTreeSet<u32> = left.iter().map(|lookup| (lookup >> 32) as u32).collect();
            prop_assert!(keys.is_subset(&left));
            let passed = left.difference(&keys).count();
            prop_assert!(passed <= 20 + others.len() / 10, "{passed} of {}", others.len());
        }
    }

    #[test]
    fn few_lookups_in_a_large_segment_are_not_worth_it() {
        assert!(Sieve::is_worth_it(1_250_000, 1_170_000));
        assert!(!Sieve::is_worth_it(20_000_000, 1_170_000));
        assert!(!Sieve::is_worth_it(1 << 27, usize::MAX));
    }
}
