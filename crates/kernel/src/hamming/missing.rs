//! Signatures that lack few of the bits asked for.
//!
//! A stored sentence that holds the whole query and many words more is far away in Hamming space,
//! but its signature has all bits of the query's: their bitwise and is the query (Kim, Candan,
//! Tatemura, WWW 2009, section 2.1.1). Allowing for a few missing bits, each of k lost words costs
//! at most l of them, whatever else the sentence says.
//!
//! Signatures are kept bit by bit, a slice of 512 signatures for each bit. For the bits of a query
//! 512 counters at a time are counted up, bit by bit as well.

use super::Range;

/// How many 64-bit words a slice has: one line of the cache.
const LANES: usize = 8;
const BLOCK: usize = LANES * 64;

type Slice = [u64; LANES];

/// Enough to count to 256.
const PLANES: usize = 9;

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

/// Counters of 512 signatures, plane by plane: plane p has bit p of each.
struct Counters([Slice; PLANES]);

impl Counters {
    /// Add one to the counter of each signature that has no bit in the slice.
    fn add_missing(&mut self, slice: &Slice) {
        let mut carry: Slice = slice.map(|word| !word);
        for plane in &mut self.0 {
            let mut next = [0; LANES];
            let mut any = 0;
            for lane in 0..LANES {
                next[lane] = plane[lane] & carry[lane];
                plane[lane] ^= carry[lane];
                any |= next[lane];
            }
            if any == 0 {
                return;
            }
            carry = next;
        }
    }

    /// The signatures whose counter is at most so much.
    fn at_most(&self, most: u32) -> Slice {
        let (mut above, mut equal) = ([0_u64; LANES], [u64::MAX; LANES]);
        for (p, plane) in self.0.iter().enumerate().rev() {
            for lane in 0..LANES {
                if most >> p & 1 == 0 {
                    above[lane] |= equal[lane] & plane[lane];
                    equal[lane] &= !plane[lane];
                } else {
                    equal[lane] &= plane[lane];
                }
            }
        }
        above.map(|word| !word)
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
            let mut counters = Counters([[0; LANES]; PLANES]);
            for (n, &bit) in bits.iter().enumerate() {
                counters.add_missing(&slices[bit]);
                let none_left = || counters.at_most(radius).iter().all(|&word| word == 0);
                if n as u32 >= radius && n % 4 == 3 && none_left() {
                    break;
                }
            }
            for (lane, mut word) in counters.at_most(radius).into_iter().enumerate() {
                while word != 0 {
                    let number = block * BLOCK + lane * 64 + word.trailing_zeros() as usize;
                    word &= word - 1;
                    if number < self.n {
                        found(number as u32);
                    }
                }
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
        assert_eq!(found(&index, &[game], 0), []);
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
