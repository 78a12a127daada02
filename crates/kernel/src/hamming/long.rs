//! Long sentences, with marks of all their words.
//!
//! A long sentence has so many words that nearly all marks of a shelf would be set ([`super::shelf`]).
//! But such sentences are few: their lists are plain numbers, and the marks of each are in one place,
//! which all of its lists share. There are as many as its words need: in a fixed number, the longest ones
//! would have nearly all, and would seem to have every word. So they tell as much as a signature does,
//! and nobody who is picked has to be asked by that as well.

/// How many bits there are for each word, before they are rounded up to a power of two.
const BITS: usize = 16;

/// How many sentences are asked before any of those that are left is asked for more.
const AT_ONCE: usize = 32;

/// Which bit is the mark of a word: as many of the upper bits as a sentence has marks for.
#[derive(Debug, Clone, Copy)]
pub struct Mark(u32);

impl Mark {
    /// The mark of a word. Words are hashes, but whatever they are, their bits are spread.
    pub fn of(word: u64) -> Self {
        Self((word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32)
    }

    /// In which number of 64 bits, and where in it.
    #[inline(always)]
    fn place(self, shift: u32) -> (usize, u32) {
        let bit = self.0 >> shift;
        ((bit / 64) as usize, bit % 64)
    }
}

/// Where the marks of a sentence begin, and which part of a hash says where one is.
#[derive(Debug, Clone, Copy)]
struct Place {
    first: u32,
    shift: u32,
}

/// The marks of a sentence.
#[derive(Debug, Clone, Copy)]
struct Marks<'a> {
    bits: &'a [u64],
    shift: u32,
}

impl Marks<'_> {
    /// 1 if a word seems to be there, else 0.
    #[inline(always)]
    fn has(self, mark: Mark) -> u64 {
        let (number, bit) = mark.place(self.shift);
        self.bits[number] >> bit & 1
    }

    /// How many of these words seem to be there.
    #[inline(always)]
    fn count(self, words: &[Mark]) -> u64 {
        words.iter().fold(0, |all: u64, &word| all.wrapping_add(self.has(word)))
    }
}

/// Long sentences, in their order.
#[derive(Debug, Default)]
pub struct Long {
    bits: Vec<u64>,
    places: Vec<Place>,
    /// Their numbers among all sentences.
    numbers: Vec<u32>,
}

impl Long {
    /// Add a sentence with these words and its number among all; its number among the long ones.
    pub fn push(&mut self, number: u32, words: &[u64]) -> u32 {
        let bits = (BITS * words.len()).next_power_of_two().max(64);
        let first = u32::try_from(self.bits.len()).expect("32 GiB of marks do not come");
        let place = Place { first, shift: u32::BITS - bits.ilog2() };
        self.bits.resize(self.bits.len() + bits / 64, 0);
        let own = &mut self.bits[first as usize..];
        for (number, bit) in words.iter().map(|&word| Mark::of(word).place(place.shift)) {
            own[number] |= 1 << bit;
        }
        self.places.push(place);
        self.numbers.push(number);
        (self.numbers.len() - 1) as u32
    }

    /// The first of the long ones from a number on.
    pub fn first(&self, from: u32) -> u32 {
        self.numbers.partition_point(|&number| number < from) as u32
    }

    #[inline(always)]
    fn marks(&self, own: u32) -> Marks<'_> {
        let Place { first, shift } = self.places[own as usize];
        Marks { bits: &self.bits[first as usize..], shift }
    }

    /// Of these sentences, call `found` with the numbers of all that lack at most so many of the words,
    /// and some more, and with what tells whether one seems to have a word, 1 or 0. The first words
    /// should be the rarest: they tell nearly always.
    pub fn pick(
        &self,
        long: &[u32],
        words: &[Mark],
        most: u32,
        mut found: impl FnMut(u32, &dyn Fn(usize) -> u64),
    ) {
        let (first, behind) = words.split_at(words.len().min(most as usize + 2));
        let least = (first.len() as u64).saturating_sub(u64::from(most));
        let mut left = [0_u32; AT_ONCE];
        for long in long.chunks(AT_ONCE) {
            // Without a branch, which nobody could foretell and which would wait for each of them.
            let mut n = 0;
            for &own in long {
                left[n] = own;
                n += usize::from(self.marks(own).count(first) >= least);
            }
            for &own in &left[..n] {
                let marks = self.marks(own);
                if marks.count(first) + marks.count(behind) + u64::from(most) >= words.len() as u64
                {
                    found(self.numbers[own as usize], &|word| marks.has(words[word]));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hamming::assert_picked;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn whoever_lacks_few_enough_is_picked(
            stored in prop::collection::vec(prop::collection::vec(0_u64..300, 0..200), 0..99),
            asked in prop::collection::vec(0_u64..300, 0..30),
            most in 0_u32..20,
        ) {
            let mut long = Long::default();
            for (n, words) in stored.iter().enumerate() {
                prop_assert_eq!(long.push(7 * n as u32, words), n as u32);
                prop_assert_eq!(long.first(7 * n as u32), n as u32);
            }
            let all: Vec<u32> = (0..stored.len() as u32).collect();
            let marks: Vec<Mark> = asked.iter().map(|&word| Mark::of(word)).collect();
            let mut found = Vec::new();
            long.pick(&all, &marks, most, |number, seems_there| {
                for (n, word) in asked.iter().enumerate() {
                    assert!(seems_there(n) == 1 || !stored[number as usize / 7].contains(word));
                }
                found.push(number / 7);
            });
            assert_picked(&stored, 0, &asked, most, &found);
        }
    }
}
