//! SimHash: a sketch whose bits the terms of a document vote for, and tables to find sketches that
//! differ in a few bits.
//!
//! Charikar: "Similarity estimation techniques from rounding algorithms", STOC 2002; tables: Manku,
//! Jain, Das Sarma, "Detecting near-duplicates for web crawling", WWW 2007, section 3.

use crate::hash;

/// Longer keys than this single out a sketch among millions, so more blocks would only cost.
const LONG_ENOUGH: usize = 16;
/// More tables than this are not chosen, only made when asked for.
const MANY_TABLES: u64 = 100;

/// How many words of 64 bits hold a sketch.
pub fn width(bits: usize) -> usize {
    bits.div_ceil(64)
}

/// The sketch of weighted terms, given by their hashes: a bit is 1 if the terms that have it in
/// their hash outweigh those that have not. Equal weights give 0.
pub fn vote(terms: impl IntoIterator<Item = (u64, u64)>, bits: usize) -> Vec<u64> {
    let mut counters = vec![0_i64; bits];
    for (hash, weight) in terms {
        let weight = i64::try_from(weight).unwrap_or(i64::MAX);
        for (word, part) in counters.chunks_mut(64).enumerate() {
            let hash = bits_of(hash, word);
            for (bit, counter) in part.iter_mut().enumerate() {
                let sign = ((hash >> bit & 1) as i64) * 2 - 1;
                *counter = counter.saturating_add(sign * weight);
            }
        }
    }
    let word = |part: &[i64]| {
        part.iter().enumerate().fold(0, |word, (bit, &c)| word | u64::from(c > 0) << bit)
    };
    counters.chunks(64).map(word).collect()
}

/// The bits of a term: its hash, and where that is not enough, hashes of the hash.
fn bits_of(hash: u64, word: usize) -> u64 {
    if word == 0 { hash } else { hash::extend(hash, word as u64) }
}

/// How many tables it takes to find all sketches within a distance by blocks: one for each choice
/// of the blocks that may differ.
pub fn n_tables(blocks: usize, distance: usize) -> u64 {
    let fewer = distance.min(blocks.saturating_sub(distance)) as u64;
    (1..=fewer)
        .fold(1_u128, |n, i| {
            // The product of i neighbours is a multiple of i!, so each step divides without rest.
            n.saturating_mul(blocks as u128 - u128::from(i) + 1) / u128::from(i)
        })
        .try_into()
        .unwrap_or(u64::MAX)
}

/// The fewest blocks whose keys are long enough to be rare, as long as the tables are not many.
pub fn blocks_for(bits: usize, distance: usize) -> usize {
    let few = |&blocks: &usize| n_tables(blocks, distance) <= MANY_TABLES;
    let long = |blocks: usize| (blocks - distance) * (bits / blocks) >= LONG_ENOUGH.min(bits);
    let possible: Vec<usize> = (distance + 1..=bits).take_while(few).collect();
    let best = possible.iter().copied().find(|&blocks| long(blocks));
    best.or(possible.last().copied()).unwrap_or(distance + 1)
}

/// Block tables: sketches within a distance have a key in common.
///
/// The bits are cut into blocks. Two sketches that differ in at most `distance` bits differ in at
/// most as many blocks, so the others are equal. There is a table for every choice of them; its key
/// is their bits.
#[derive(Debug, Clone)]
pub struct Tables {
    width: usize,
    /// The bits that make the key, for each table.
    masks: Vec<u64>,
}

impl Tables {
    /// Tables for sketches of so many bits; `blocks` are more than `distance`, and at most `bits`.
    pub fn new(bits: usize, distance: usize, blocks: usize) -> Self {
        let mut tables = Self { width: width(bits), masks: Vec::new() };
        let mut chosen: Vec<usize> = (0..blocks - distance).collect();
        loop {
            tables.push(bits, blocks, &chosen);
            // The next choice in order: the last block that can still move does.
            let n = chosen.len();
            let Some(at) = (0..n).rev().find(|&at| chosen[at] < blocks - n + at) else {
                return tables;
            };
            let first = chosen[at] + 1;
            (at..n).for_each(|i| chosen[i] = first + i - at);
        }
    }

    fn push(&mut self, bits: usize, blocks: usize, chosen: &[usize]) {
        let start = self.masks.len();
        self.masks.resize(start + self.width, 0);
        for block in chosen {
            for bit in block * bits / blocks..(block + 1) * bits / blocks {
                self.masks[start + bit / 64] |= 1 << (bit % 64);
            }
        }
    }

    /// The key of a sketch in each table.
    pub fn keys(&self, sketch: &[u64]) -> impl Iterator<Item = u64> {
        self.masks.chunks(self.width).enumerate().map(move |(table, mask)| {
            let words = sketch.iter().zip(mask).map(|(word, mask)| word & mask);
            words.fold(hash::extend(hash::EMPTY, table as u64), hash::extend)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::verify::distance;
    use proptest::prelude::*;

    #[test]
    fn the_vote_of_three_terms() {
        // Counters 2, 2, 0, -4 from the highest bit on: a tie is 0.
        assert_eq!(vote([(0b1100, 2), (0b1010, 1), (0b0110, 1)], 4), [0b1100]);
        assert_eq!(vote([], 4), [0]);
    }

    #[test]
    fn opposite_votes_give_opposite_bits() {
        // An odd number of votes leaves no tie.
        let terms: Vec<(u64, u64)> = (0..51).map(|n| (hash::extend(3, n), 1)).collect();
        let against = terms.iter().map(|&(hash, weight)| (!hash, weight));
        assert_eq!(vote(terms.clone(), 64)[0], !vote(against, 64)[0]);
    }

    #[test]
    fn more_bits_begin_with_the_fewer() {
        let terms: Vec<(u64, u64)> = (0..50).map(|n| (hash::extend(1, n), n)).collect();
        let (short, long) = (vote(terms.clone(), 64), vote(terms, 160));
        assert_eq!((short.len(), long.len()), (1, 3));
        assert_eq!(short[0], long[0]);
        assert_ne!(long[1], long[0]);
        assert!(long[2] < 1 << 32);
    }

    #[test]
    fn distances_are_those_of_the_angle() {
        // Charikar: a bit differs with the chance angle / π.
        for (cosine, expected) in [(0.9, 9.19), (0.99, 2.88), (0.999, 0.91)] {
            let (n, trials) = (1000_u64, 300_u64);
            let total: u32 = (0..trials)
                .map(|trial| {
                    let shared = (cosine * n as f64).round() as u64;
                    let other = |k: u64| if k < shared { k } else { k + n };
                    let one = (0..n).map(|k| (hash::extend(trial, k), 1));
                    let two = (0..n).map(|k| (hash::extend(trial, other(k)), 1));
                    distance(&vote(one, 64), &vote(two, 64))
                })
                .sum();
            let mean = f64::from(total) / trials as f64;
            assert!((mean - expected).abs() < 0.1 * expected + 0.1, "{mean} for {cosine}");
        }
    }

    #[test]
    fn tables_of_the_paper() {
        for (blocks, tables) in [(4, 4), (5, 10), (6, 20)] {
            assert_eq!(n_tables(blocks, 3), tables);
            assert_eq!(Tables::new(64, 3, blocks).masks.len() as u64, tables);
        }
        assert_eq!((n_tables(3, 2), n_tables(1, 0)), (3, 1));
        assert_eq!(n_tables(500, 250), u64::MAX);
    }

    #[test]
    fn blocks_are_chosen_so_that_keys_are_long_and_tables_few() {
        let chosen = [(64, 0), (64, 2), (64, 3), (64, 5), (64, 10), (160, 2), (64, 63), (8, 2)];
        let expected = [1, 3, 4, 7, 12, 3, 64, 8];
        for ((bits, distance), blocks) in chosen.into_iter().zip(expected) {
            assert_eq!(blocks_for(bits, distance), blocks, "{bits} bits, distance {distance}");
        }
    }

    proptest! {
        #[test]
        fn negated_weights_flip_the_bits_that_are_no_tie(
            terms in prop::collection::vec((any::<u64>(), 0_u64..3), 0..9),
        ) {
            // To vote against a bit is to vote for it with a negated weight.
            let negated = terms.iter().map(|&(hash, weight)| (!hash, weight));
            let (one, other) = (vote(terms.clone(), 64)[0], vote(negated, 64)[0]);
            for bit in 0..64 {
                let sign = |hash: u64| if hash >> bit & 1 == 1 { 1 } else { -1 };
                let counter: i64 = terms.iter().map(|&(hash, w)| sign(hash) * w as i64).sum();
                let expected = (counter > 0, counter < 0);
                prop_assert_eq!((one >> bit & 1 == 1, other >> bit & 1 == 1), expected);
            }
        }

        #[test]
        fn a_sketch_within_the_distance_has_a_key_in_common(
            sketch in prop::collection::vec(any::<u64>(), 3),
            flips in prop::collection::vec(0_usize..160, 0..6),
            more in 1_usize..4,
        ) {
            for bits in [64, 160] {
                let mut other = sketch.clone();
                flips.iter().for_each(|flip| other[flip % bits / 64] ^= 1 << (flip % bits % 64));
                let tables = Tables::new(bits, flips.len(), flips.len() + more);
                let one: Vec<u64> = tables.keys(&sketch[..width(bits)]).collect();
                let two: Vec<u64> = tables.keys(&other[..width(bits)]).collect();
                prop_assert!(one.iter().any(|key| two.contains(key)));
            }
        }

        #[test]
        fn tables_find_what_a_scan_of_all_finds(
            sketches in prop::collection::vec((0_u64..4, prop::collection::vec(0_u32..64, 0..6)), 2..30),
            most in 0_usize..4,
            more in 1_usize..4,
        ) {
            let sketches: Vec<u64> = sketches
                .into_iter()
                .map(|(seed, flips)| flips.into_iter().fold(hash::extend(seed, 0), |s, bit| s ^ 1 << bit))
                .collect();
            let tables = Tables::new(64, most, most + more);
            for a in &sketches {
                for b in &sketches {
                    let near = distance(&[*a], &[*b]) as usize <= most;
                    let met = tables.keys(&[*a]).any(|key| tables.keys(&[*b]).any(|other| other == key));
                    prop_assert!(met || !near);
                }
            }
        }
    }
}
