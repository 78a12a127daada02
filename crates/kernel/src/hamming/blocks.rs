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

use std::hint::black_box;

use crate::features::sentences::Signatures;
use crate::hash;

/// The signatures of sentences, numbered in the order in which they were added.
#[derive(Debug)]
pub struct Blocks {
    signatures: Signatures,
    /// How many words share a block.
    words: usize,
    /// For each sentence its number with the binary logarithm of the number of its blocks, and their
    /// bits: all in one place, as that is far away.
    bits: Vec<u64>,
    /// Where each sentence begins.
    starts: Vec<u32>,
}

/// The bits of words.
#[derive(Debug)]
pub struct Asked {
    /// The signature of each word alone.
    bits: Vec<u64>,
    /// What decides the block of each word.
    blocks: Vec<u64>,
}

impl Blocks {
    /// For blocks of so many words.
    pub fn new(signatures: Signatures, words: usize) -> Self {
        let words = words.max(1);
        Self { signatures, words, bits: Vec::new(), starts: Vec::new() }
    }

    /// How many sentences were added.
    pub fn n_sentences(&self) -> u32 {
        self.starts.len() as u32
    }

    /// Where a sentence begins; none if there are not so many.
    pub fn start(&self, number: u32) -> Option<u32> {
        self.starts.get(number as usize).copied()
    }

    /// The bits of these words.
    pub fn ask(&self, words: &[u64]) -> Asked {
        let width = self.signatures.width();
        let mut bits = vec![0; words.len() * width];
        for (&word, bits) in words.iter().zip(bits.chunks_exact_mut(width)) {
            self.signatures.add(word, bits);
        }
        // Another hash than that of the bits: a block must not prefer some of them.
        let blocks = words.iter().map(|&word| hash::extend(word, hash::EMPTY)).collect();
        Asked { bits, blocks }
    }

    /// Add a sentence with these words; where it begins.
    pub fn add(&mut self, words: &[u64]) -> u32 {
        let class = words.len().div_ceil(self.words).next_power_of_two().ilog2() as u8;
        let (asked, width) = (self.ask(words), self.signatures.width());
        let start = u32::try_from(self.bits.len()).expect("32 GiB of signatures do not come");
        self.bits.push((self.starts.len() as u64) << 8 | u64::from(class));
        self.starts.push(start);
        let first = self.bits.len();
        self.bits.resize(first + (width << class), 0);
        for (own, &block) in asked.bits.chunks_exact(width).zip(&asked.blocks) {
            let at = first + start_of(block, class, width);
            self.bits[at..at + width].iter_mut().zip(own).for_each(|(bits, own)| *bits |= own);
        }
        start
    }

    /// Touch sentences that begin here, all at once, so that they are near when they are asked.
    pub fn fetch(&self, starts: impl Iterator<Item = u32>) {
        let touch = |at: usize| self.bits.get(at).copied().unwrap_or(0);
        // Most have two blocks, which lie in two lines of the cache.
        black_box(
            starts.fold(0, |all, start| all ^ touch(start as usize) ^ touch(start as usize + 8)),
        );
    }

    /// The number of the sentence that begins here, if it seems to lack at most so many of the words
    /// asked for, from one on.
    pub fn lacks_at_most(&self, start: u32, asked: &Asked, from: usize, most: u32) -> Option<u32> {
        let (&of, bits) =
            self.bits[start as usize..].split_first().expect("a sentence begins here");
        let (class, width) = (of as u8, self.signatures.width());
        let mut left = most;
        for (own, &block) in asked.bits.chunks_exact(width).zip(&asked.blocks).skip(from) {
            let at = start_of(block, class, width);
            let there = &bits[at..at + width];
            // Without a branch for each part.
            if own.iter().zip(there).fold(0, |lacking, (own, there)| lacking | own & !there) != 0 {
                left = left.checked_sub(1)?;
            }
        }
        Some((of >> 8) as u32)
    }
}

/// Where a block begins in a sentence of 2^class blocks.
fn start_of(block: u64, class: u8, width: usize) -> usize {
    (block & ((1 << class) - 1)) as usize * width
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
                let start = blocks.start(n as u32).expect("added");
                let lacks_at_most = |most| blocks.lacks_at_most(start, &asked, from, most);
                prop_assert_eq!(lacks_at_most(lacking), Some(n as u32));
                if lacking > 0 && lacks_at_most(lacking - 1).is_some() {
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
            |words: &[u64], most| blocks.lacks_at_most(0, &blocks.ask(words), 0, most).is_some();
        assert!(lacks_at_most(&long[..20], 0));
        let other: Vec<u64> = (0..20).map(|n| hash::extend(2, n)).collect();
        assert!(!lacks_at_most(&other, 10));
    }
}
