//! Signatures that lack few of the bits asked for.
//!
//! A stored sentence that holds the whole query and many words more is far away in Hamming space,
//! but its signature has all bits of the query's: their bitwise and is the query (Kim, Candan,
//! Tatemura, WWW 2009, section 2.1.1). Allowing for a few missing bits, each of k lost words costs
//! at most l of them, whatever else the sentence says.
//!
//! Signatures are kept in slices, bit by bit, and missing bits are counted for 512 at a time.

use super::Range;
use super::slices::{BLOCK, Counters, LANES, Slice, numbers};

/// Signatures in slices.
#[derive(Debug)]
pub struct Missing {
    bits: u32,
    /// For each block of 512 signatures a slice for each bit.
    slices: Vec<Slice>,
    n: usize,
}

impl Missing {
    /// For signatures of so many bits.
    pub fn new(bits: u32) -> Self {
        Self { bits, slices: Vec::new(), n: 0 }
    }
}

impl Range for Missing {
    fn add(&mut self, signature: &[u64]) {
        if self.n.is_multiple_of(BLOCK) {
            self.slices.resize(self.slices.len() + self.bits as usize, [0; LANES]);
        }
        let block = self.n / BLOCK * self.bits as usize;
        let (lane, place) = (self.n % BLOCK / 64, self.n % 64);
        for bit in bits_of(signature) {
            self.slices[block + bit][lane] |= 1 << place;
        }
        self.n += 1;
    }

    fn range(&self, query: &[u64], radius: u32, found: &mut dyn FnMut(u32)) {
        let bits: Vec<usize> = bits_of(query).collect();
        // Fewer bits than may be missing: everything is in the range.
        let radius = radius.min(bits.len() as u32);
        for (block, slices) in self.slices.chunks_exact(self.bits as usize).enumerate() {
            let within = Counters::count(bits.len(), radius, |n| slices[bits[n]]);
            for number in numbers(&within).map(|n| block * BLOCK + n).filter(|&n| n < self.n) {
                found(number as u32);
            }
        }
    }
}

/// The places of the bits that are set.
fn bits_of(signature: &[u64]) -> impl Iterator<Item = usize> {
    signature.iter().enumerate().flat_map(|(n, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then_some(rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(n * 64 + bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(index: &Missing, query: &[u64], radius: u32) -> Vec<u32> {
        let mut found = Vec::new();
        index.range(query, radius, &mut |n| found.push(n));
        found
    }

    #[test]
    fn figure_3_of_the_paper() {
        // Motorola, music and phone make a file; its signature has the bits of a query or not.
        let file: u64 = 0b0011_0010 | 0b0001_1100 | 0b0001_0110;
        assert_eq!(file, 0b0011_1110);
        let mut index = Missing::new(8);
        index.add(&[file]);
        let (motorola, game, television) = (0b0011_0010, 0b1000_0011, 0b0010_1010);
        assert_eq!(found(&index, &[motorola], 0), [0]);
        assert!(found(&index, &[game], 0).is_empty());
        assert_eq!(file & game, 0b0000_0010);
        assert_eq!(found(&index, &[television], 0), [0], "a false match");
        assert_eq!((found(&index, &[game], 1), found(&index, &[game], 2)), (vec![], vec![0]));
    }

    proptest! {
        #[test]
        fn what_lacks_few_bits_is_what_the_loop_finds(
            bits in prop::sample::select(vec![16_u32, 64, 100, 256]),
            stored in prop::collection::vec(prop::array::uniform4(any::<u64>()), 0..40),
            copies in 1..40_usize,
            query in prop::array::uniform4(any::<u64>()),
            radius in 0_u32..80,
        ) {
            let width = bits.div_ceil(64) as usize;
            let cut = |words: &[u64; 4]| -> Vec<u64> {
                let mut words = words[..width].to_vec();
                if !bits.is_multiple_of(64) {
                    words[width - 1] &= (1 << (bits % 64)) - 1;
                }
                words
            };
            let query = cut(&query);
            let mut index = Missing::new(bits);
            let mut expected = Vec::new();
            for n in 0..stored.len() * copies {
                let signature = cut(&stored[n % stored.len()]);
                let missing: u32 =
                    query.iter().zip(&signature).map(|(q, s)| (q & !s).count_ones()).sum();
                if missing <= radius {
                    expected.push(n as u32);
                }
                index.add(&signature);
            }
            prop_assert_eq!(found(&index, &query, radius), expected);
        }
    }
}
