//! The numbers that terms have in a segment, found by their weights and keys.
//!
//! Terms are sorted by weight, and those of one weight by their keys. There are few different
//! weights. Keys are hashes: where one stands among others is known nearly from itself.

use std::ops::Range;

use super::layout::Section;
use super::segment::Segment;
use crate::error::Result;

/// How far from its place a key is looked for first.
const NEAR: usize = 8;

/// A term that is looked for: its key, and from where to where terms of its weight stand.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    key: u64,
    start: usize,
    end: usize,
}

/// The different ones of so many weights, which never grow, and the first place of each.
pub fn levels_of(n: u32, weight: impl Fn(u32) -> Result<u64>) -> Result<Vec<(u64, u32)>> {
    let mut levels = Vec::new();
    let mut start = 0;
    while start < n {
        let own = weight(start)?;
        levels.push((own, start));
        // In steps that double, then by halves.
        let (mut low, mut high, mut step) = (start, start + 1, 1);
        while high < n && weight(high)? == own {
            low = high;
            high = high.saturating_add(step);
            step *= 2;
        }
        high = high.min(n);
        while low + 1 < high {
            let middle = low.midpoint(high);
            if weight(middle)? == own { low = middle } else { high = middle }
        }
        start = high;
    }
    Ok(levels)
}

impl Wanted {
    /// Look for a term soon, whose weight a segment with these levels may have.
    pub fn new(segment: &Segment, levels: &[(u64, u32)], weight: u64, key: u64) -> Option<Self> {
        let level = levels.binary_search_by(|level| weight.cmp(&level.0)).ok()?;
        let start = levels[level].1 as usize;
        let end = levels.get(level + 1).map_or(segment.n_weights(), |next| next.1 as usize);
        segment.prefetch(Section::Terms, about(key, &(start..end)) * 8);
        Some(Self { key, start, end })
    }

    /// The number of the term.
    pub fn find(self, segment: &Segment) -> Result<Option<u32>> {
        let key = |at: usize| segment.key(at as u32);
        let at = first_from(self.key, self.start..self.end, key)?;
        Ok((at < self.end && key(at)? == self.key).then_some(at as u32))
    }
}

/// About where a hash stands among others that are sorted, at these places.
fn about(hash: u64, places: &Range<usize>) -> usize {
    places.start + ((u128::from(hash) * places.len() as u128) >> 64) as usize
}

/// The first of some places whose hash is not before this one; they are sorted.
pub fn first_from(
    hash: u64,
    places: Range<usize>,
    of: impl Fn(usize) -> Result<u64>,
) -> Result<usize> {
    let (mut low, mut high) = (about(hash, &places), about(hash, &places));
    let mut step = NEAR;
    // All before `low` are smaller, and none from `high` on.
    while low > places.start && of(low - 1)? >= hash {
        (low, high) = (low.saturating_sub(step).max(places.start), low - 1);
        step *= 2;
    }
    while high < places.end && of(high)? < hash {
        (low, high) = (high + 1, high.saturating_add(step).min(places.end));
        step *= 2;
    }
    while low < high {
        let middle = usize::midpoint(low, high);
        if of(middle)? < hash { low = middle + 1 } else { high = middle }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_that_is_not_before_is_found_wherever_it_stands(
            mut hashes in prop::collection::vec(
                prop_oneof![any::<u64>(), 0_u64..9, Just(u64::MAX)], 0..60,
            ),
            hash in prop_oneof![any::<u64>(), 0_u64..9, Just(u64::MAX)],
            start in 0_usize..60,
        ) {
            hashes.sort_unstable();
            let start = start.min(hashes.len());
            let found = first_from(hash, start..hashes.len(), |at| Ok(hashes[at])).expect("found");
            let expected = start + hashes[start..].partition_point(|&own| own < hash);
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn levels_are_the_runs_of_equal_weights(mut weights in prop::collection::vec(0_u64..9, 0..60)) {
            weights.sort_unstable_by(|a, b| b.cmp(a));
            let levels = levels_of(weights.len() as u32, |n| Ok(weights[n as usize])).expect("levels");
            let mut start = 0;
            let runs = weights.chunk_by(|a, b| a == b).map(|run| {
                start += run.len() as u32;
                (run[0], start - run.len() as u32)
            });
            prop_assert_eq!(levels, runs.collect::<Vec<_>>());
        }
    }
}
