//! Whether a stored sentence seems to have enough of the words asked for.
//!
//! The bitwise and of a word's bits with a signature says whether the word may be in the sentence
//! (Kim, Candan, Tatemura, WWW 2009, section 2.1.1, figure 3). Asked for each word of a sentence
//! alone, it tells how many of them a stored one may have: never too few, so that none that has
//! enough is missed, and rarely too many, since all l bits of a word must be there by chance.
//!
//! A signature can only hold so many words. Those of a long sentence are dealt out to blocks with a
//! signature each (blocked signature files, section 2.1.1), by their hash, so that it is known in
//! which block to look for a word.

use crate::features::sentences::Signatures;
use crate::hash;

/// The signatures of sentences, numbered in the order in which they were added.
#[derive(Debug)]
pub struct Blocks {
    signatures: Signatures,
    /// How many words share a block.
    words: usize,
    bits: Vec<u64>,
    /// Where the bits of each sentence begin, and the binary logarithm of the number of its blocks.
    starts: Vec<(u32, u8)>,
}

/// Where the bits of words are.
#[derive(Debug)]
pub struct Asked {
    /// The places of all words in their block, l each.
    places: Vec<usize>,
    /// What decides the block of each word.
    blocks: Vec<u64>,
}

impl Blocks {
    /// For blocks of so many words.
    pub fn new(signatures: Signatures, words: usize) -> Self {
        let words = words.max(1);
        Self { signatures, words, bits: Vec::new(), starts: Vec::new() }
    }

    /// How many sentences there are.
    pub fn n_sentences(&self) -> usize {
        self.starts.len()
    }

    /// Where the bits of these words are.
    pub fn ask(&self, words: &[u64]) -> Asked {
        let mut places = Vec::with_capacity(words.len() * self.signatures.bits_per_word as usize);
        words.iter().for_each(|&word| self.signatures.places(word, |place| places.push(place)));
        // Another hash than that of the bits: a block must not prefer some of them.
        let blocks = words.iter().map(|&word| hash::extend(word, hash::EMPTY)).collect();
        Asked { places, blocks }
    }

    /// Where a block of a sentence with 2^class of them begins.
    fn start(&self, block: u64, class: u8) -> usize {
        (block & ((1 << class) - 1)) as usize * self.signatures.bits as usize
    }

    /// Add a sentence with these words.
    pub fn add(&mut self, words: &[u64]) {
        let class = words.len().div_ceil(self.words).next_power_of_two().ilog2() as u8;
        let asked = self.ask(words);
        let first = self.bits.len();
        let bits = (self.signatures.bits as usize) << class;
        self.bits.resize(first + bits.div_ceil(64), 0);
        let l = self.signatures.bits_per_word as usize;
        for (places, &block) in asked.places.chunks_exact(l).zip(&asked.blocks) {
            let start = self.start(block, class);
            for at in places.iter().map(|place| start + place) {
                self.bits[first + at / 64] |= 1 << (at % 64);
            }
        }
        let start = u32::try_from(first).expect("32 GiB of signatures do not come");
        self.starts.push((start, class));
    }

    /// Whether a sentence seems to lack at most so many of the words asked for, from one on.
    pub fn lacks_at_most(&self, number: u32, asked: &Asked, from: usize, most: u32) -> bool {
        let (first, class) = self.starts[number as usize];
        let bits = &self.bits[first as usize..];
        let l = self.signatures.bits_per_word as usize;
        let mut left = most;
        for (places, &block) in asked.places.chunks_exact(l).zip(&asked.blocks).skip(from) {
            let start = self.start(block, class);
            let mut places = places.iter().map(|place| start + place);
            if !places.all(|at| bits[at / 64] >> (at % 64) & 1 == 1) {
                let Some(fewer) = left.checked_sub(1) else { return false };
                left = fewer;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_word_that_is_there_never_seems_to_be_lacking(
            stored in prop::collection::vec(prop::collection::btree_set(0_u64..40, 0..30), 1..9),
            query in prop::collection::btree_set(0_u64..40, 1..20),
            from in 0..20_usize,
            size in 1..20_usize,
            bits in prop::sample::select(vec![8_u32, 64, 100, 256]),
        ) {
            let mut blocks = Blocks::new(Signatures { bits, bits_per_word: 3 }, size);
            let query: Vec<u64> = query.into_iter().collect();
            let asked = blocks.ask(&query);
            for words in &stored {
                blocks.add(&words.iter().copied().collect::<Vec<_>>());
            }
            let mut seeming = 0;
            for (n, words) in stored.iter().enumerate() {
                let behind = query.iter().skip(from);
                let lacking = behind.filter(|word| !words.contains(word)).count() as u32;
                prop_assert!(blocks.lacks_at_most(n as u32, &asked, from, lacking));
                if lacking > 0 && blocks.lacks_at_most(n as u32, &asked, from, lacking - 1) {
                    seeming += 1;
                }
            }
            if bits == 256 && size < 10 {
                // Large signatures of few words: hardly any other word seems to be there.
                prop_assert!(seeming <= stored.len() / 2 + 1);
            }
        }
    }

    #[test]
    fn long_sentences_do_not_seem_to_have_every_word() {
        let mut blocks = Blocks::new(Signatures { bits: 256, bits_per_word: 4 }, 32);
        let long: Vec<u64> = (0..3_000).map(|n| hash::extend(1, n)).collect();
        blocks.add(&long);
        let lacks_at_most =
            |words: &[u64], most| blocks.lacks_at_most(0, &blocks.ask(words), 0, most);
        assert!(lacks_at_most(&long[..20], 0));
        let other: Vec<u64> = (0..20).map(|n| hash::extend(2, n)).collect();
        assert!(!lacks_at_most(&other, 10));
    }
}
