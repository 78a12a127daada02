//! Seeds near each other make a block.

use std::ops::Range;

use super::seeds::Seed;
use crate::cancel::Cancel;
use crate::error::Result;

/// Seeds that belong together, and the sentences from the first to the last of them.
#[derive(Debug, Clone)]
pub struct Block {
    /// The sentences of left.
    pub left: Range<usize>,
    /// The sentences of right.
    pub right: Range<usize>,
    /// The seeds, by left.
    pub seeds: Vec<Seed>,
}

impl Block {
    /// The block of seeds, of which there is at least one.
    pub fn of(mut seeds: Vec<Seed>) -> Self {
        seeds.sort_unstable_by_key(|seed| (seed.left, seed.right));
        let (from, to) = ends(&seeds, |seed| seed.left);
        let (right_from, right_to) = ends(&seeds, |seed| seed.right);
        Self { left: from..to, right: right_from..right_to, seeds }
    }
}

fn ends(seeds: &[Seed], of: impl Fn(&Seed) -> u32) -> (usize, usize) {
    let first = seeds.iter().map(&of).min().expect("a block has a seed");
    let last = seeds.iter().map(&of).max().expect("a block has a seed");
    (first as usize, last as usize + 1)
}

/// Divide seeds where more than `gap` sentences have none, in left, then in right, until nothing
/// divides any more. In the order of left.
pub fn cluster(seeds: Vec<Seed>, gaps: [usize; 2], cancel: &Cancel) -> Result<Vec<Block>> {
    let mut blocks = Vec::new();
    // Whether to divide by left now, and whether the other side is known to be in one piece.
    let mut work = vec![(seeds, true, false)];
    while let Some((seeds, by_left, is_whole)) = work.pop() {
        cancel.check()?;
        let parts = divide(seeds, gaps[usize::from(!by_left)], by_left);
        let is_done = is_whole && parts.len() == 1;
        for part in parts {
            if is_done {
                blocks.push(Block::of(part));
            } else {
                work.push((part, !by_left, true));
            }
        }
    }
    blocks.sort_unstable_by_key(|block| (block.left.start, block.right.start));
    Ok(blocks)
}

fn divide(mut seeds: Vec<Seed>, gap: usize, by_left: bool) -> Vec<Vec<Seed>> {
    let place = |seed: &Seed| if by_left { seed.left } else { seed.right };
    seeds.sort_unstable_by_key(|seed| (place(seed), seed.left, seed.right));
    let near = |a: &Seed, b: &Seed| (place(b) - place(a)) as usize <= gap + 1;
    seeds.chunk_by(near).map(<[Seed]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seeds(places: &[(u32, u32)]) -> Vec<Seed> {
        places.iter().map(|&(left, right)| Seed { left, right, cosine: 0.5 }).collect()
    }

    fn cluster(seeds: Vec<Seed>, gaps: [usize; 2]) -> Vec<Block> {
        super::cluster(seeds, gaps, &Cancel::default()).expect("not cancelled")
    }

    #[test]
    fn a_gap_on_either_side_divides() {
        let found = cluster(seeds(&[(0, 9), (1, 10), (2, 30), (3, 31), (9, 11)]), [2, 2]);
        let ends: Vec<_> = found.iter().map(|b| (b.left.clone(), b.right.clone())).collect();
        assert_eq!(ends, [(0..2, 9..11), (2..4, 30..32), (9..10, 11..12)]);
        assert!(cluster(Vec::new(), [2, 2]).is_empty());
    }

    #[test]
    fn what_right_divides_left_may_divide_again() {
        // Without the far seed in the middle, left has a gap.
        let found = cluster(seeds(&[(0, 0), (3, 90), (6, 1)]), [2, 2]);
        assert_eq!(found.len(), 3);
    }
}
