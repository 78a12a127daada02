//! Sentences that seem to have enough of the words asked for.
//!
//! The bitwise and of a word's bits with a signature says whether the word may be in the sentence
//! (Kim, Candan, Tatemura, WWW 2009, section 2.1.1, figure 3). Asked for each word of a sentence
//! alone, it tells how many of them a stored one may have: never too few, so that none that has
//! enough is missed, and rarely too many, since all l bits of a word must be there by chance.
//!
//! A signature can only hold so many words. Those of a long sentence are dealt out to blocks with a
//! signature each (blocked signature files, section 2.1.1), by their hash, so that it is known in
//! which block to look for a word.
//!
//! Most sentences have nothing to do with what is asked. 16 of them in a row share a signature as
//! long as theirs together, in which a word sets a single bit (two levels of superimposed coding:
//! Sacks-Davis, Kent, Ramamohanarao, "Multikey access methods based on superimposed coding
//! techniques", TODS 1987). Only where that has enough of the words the 16 are looked at.

use super::slices::{BLOCK, Counters, LANES, Slice, numbers};
use crate::features::sentences::Signatures;
use crate::hash;

/// How many sentences share a signature of theirs.
const GROUP: usize = 16;

/// How many slices of the same bit are next to each other.
const RUN: usize = 8;

/// How many groups have them.
const CHUNK: usize = RUN * BLOCK;

/// Sentences of more blocks are few, and would make long signatures of groups.
const GROUPED: usize = 3;

/// Sentences by the number of their blocks, which is a power of two.
#[derive(Debug)]
pub struct Blocks {
    signatures: Signatures,
    /// How many words share a block.
    words: usize,
    /// Sentences of 1, 2, 4, … blocks.
    classes: Vec<Class>,
    n: u32,
}

/// Sentences of equally many blocks.
#[derive(Debug, Default)]
struct Class {
    /// For each 4,096 groups a run of slices for each bit of their signatures.
    groups: Vec<Slice>,
    /// For each group a slice for each bit of the signatures of its sentences.
    slices: Vec<u16>,
    numbers: Vec<u32>,
}

impl Blocks {
    /// For blocks of so many words.
    pub fn new(signatures: Signatures, words: usize) -> Self {
        Self { signatures, words: words.max(1), classes: Vec::new(), n: 0 }
    }

    /// How many bits a sentence of this class has.
    fn bits(&self, class: usize) -> usize {
        (self.signatures.bits as usize) << class
    }

    /// Where a word has its bits.
    fn places(&self, word: u64, class: usize, places: &mut Vec<usize>) {
        // Another hash than that of the bits: a block must not prefer some of them.
        let block = (hash::extend(word, hash::EMPTY) & ((1 << class) - 1)) as usize;
        let start = block * self.signatures.bits as usize;
        self.signatures.places(word, |place| places.push(start + place));
    }

    /// Where a word has its bit in the signature of a group.
    fn place_in_group(&self, word: u64, class: usize) -> usize {
        let bits = (GROUP * self.bits(class)) as u128;
        ((u128::from(hash::extend(word, 1)) * bits) >> 64) as usize
    }

    /// Add a sentence with these words; its number is how many were added before.
    pub fn add(&mut self, words: &[u64]) {
        let class = words.len().div_ceil(self.words).next_power_of_two().ilog2() as usize;
        while self.classes.len() <= class {
            self.classes.push(Class::default());
        }
        let bits = self.bits(class);
        let mut places = Vec::with_capacity(words.len() * self.signatures.bits_per_word as usize);
        words.iter().for_each(|&word| self.places(word, class, &mut places));
        let in_group: Vec<usize> =
            words.iter().map(|&word| self.place_in_group(word, class)).collect();
        let Class { groups, slices, numbers } = &mut self.classes[class];
        let (group, at) = (numbers.len() / GROUP, numbers.len() % GROUP);
        if at == 0 {
            slices.resize(slices.len() + bits, 0);
        }
        for place in places {
            slices[group * bits + place] |= 1 << at;
        }
        if class < GROUPED {
            if at == 0 && group.is_multiple_of(CHUNK) {
                groups.resize(groups.len() + GROUP * bits * RUN, [0; LANES]);
            }
            let (chunk, run) = (group / CHUNK, group % CHUNK / BLOCK);
            for place in in_group {
                let slice = &mut groups[(chunk * GROUP * bits + place) * RUN + run];
                slice[group % BLOCK / 64] |= 1 << (group % 64);
            }
        }
        numbers.push(self.n);
        self.n += 1;
    }

    /// Call `found` with every sentence that seems to lack at most `missing` of the words. Words
    /// that few have should come first: most sentences are known to lack too many after these.
    pub fn range(&self, words: &[u64], missing: u32, found: &mut impl FnMut(u32)) {
        for class in 0..self.classes.len() {
            let mut places = Vec::new();
            words.iter().for_each(|&word| self.places(word, class, &mut places));
            let n_groups = self.classes[class].numbers.len().div_ceil(GROUP);
            let mut look = |group| self.look(class, group, &places, missing, found);
            if class >= GROUPED {
                (0..n_groups).for_each(look);
                continue;
            }
            let in_group: Vec<usize> =
                words.iter().map(|&word| self.place_in_group(word, class) * RUN).collect();
            let chunks = self.classes[class].groups.chunks_exact(GROUP * self.bits(class) * RUN);
            for (chunk, groups) in chunks.enumerate() {
                let first = chunk * CHUNK;
                for run in 0..(n_groups - first).div_ceil(BLOCK).min(RUN) {
                    let has = |word: usize| groups[in_group[word] + run];
                    let within = Counters::count(words.len(), missing, has);
                    // Behind the last one there are empty ones.
                    let near = numbers(&within).map(|n| first + run * BLOCK + n);
                    near.filter(|&group| group < n_groups).for_each(&mut look);
                }
            }
        }
    }

    /// Look at the sentences of a group.
    fn look(
        &self,
        class: usize,
        group: usize,
        places: &[usize],
        missing: u32,
        found: &mut impl FnMut(u32),
    ) {
        let Class { slices, numbers: named, .. } = &self.classes[class];
        let l = self.signatures.bits_per_word as usize;
        let slices = &slices[group * self.bits(class)..][..self.bits(class)];
        let has = |word: usize| {
            let places = &places[word * l..(word + 1) * l];
            [u64::from(places.iter().fold(u16::MAX, |all, &place| all & slices[place]))]
        };
        let within = Counters::<1>::count(places.len() / l, missing, has);
        for n in numbers(&within).take_while(|&n| n < GROUP) {
            named.get(group * GROUP + n).into_iter().for_each(|&number| found(number));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_sentence_with_enough_of_the_words_is_missed(
            stored in prop::collection::vec(prop::collection::btree_set(0_u64..40, 0..30), 0..20),
            copies in 1..40_usize,
            query in prop::collection::btree_set(0_u64..40, 1..20),
            missing in 0_u32..20,
            size in 1..20_usize,
            bits in prop::sample::select(vec![8_u32, 64, 256]),
        ) {
            let signatures = Signatures { bits, bits_per_word: 3 };
            let mut blocks = Blocks::new(signatures, size);
            let mut needed = Vec::new();
            for n in 0..stored.len() * copies {
                let words: Vec<u64> = stored[n % stored.len()].iter().copied().collect();
                blocks.add(&words);
                if query.iter().filter(|word| !words.contains(word)).count() as u32 <= missing {
                    needed.push(n as u32);
                }
            }
            let query: Vec<u64> = query.into_iter().collect();
            let mut found = Vec::new();
            blocks.range(&query, missing, &mut |n| found.push(n));
            found.sort_unstable();
            prop_assert!(found.is_sorted_by(|a, b| a < b), "each once");
            prop_assert!(needed.iter().all(|n| found.binary_search(n).is_ok()));
            if bits == 256 && size < 10 {
                // Large signatures of few words: hardly anything else is found.
                prop_assert!(found.len() <= needed.len() + stored.len() * copies / 2);
            }
        }
    }

    #[test]
    fn long_sentences_do_not_seem_to_have_every_word() {
        let mut blocks = Blocks::new(Signatures { bits: 256, bits_per_word: 4 }, 32);
        let long: Vec<u64> = (0..3_000).map(|n| hash::extend(1, n)).collect();
        blocks.add(&long);
        let ask = |words: &[u64], missing| {
            let mut found = Vec::new();
            blocks.range(words, missing, &mut |n| found.push(n));
            found
        };
        assert_eq!(ask(&long[..20], 0), [0]);
        let other: Vec<u64> = (0..20).map(|n| hash::extend(2, n)).collect();
        assert!(ask(&other, 10).is_empty());
    }
}
