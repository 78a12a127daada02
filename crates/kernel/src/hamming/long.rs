//! Long sentences, with marks of all their words.
//!
//! A long sentence has so many words that nearly all marks of a shelf would be set ([`super::shelf`]).
//! But such sentences are few: their lists are plain numbers, and of each of them there are 512 marks
//! in one place, one line of the cache, which all of its lists share.

/// The marks of a sentence, in numbers of 64 bits.
type Marks = [u64; 8];

/// How many sentences are asked before any of those that are left is asked for more.
const AT_ONCE: usize = 32;

/// Which bit is the mark of a word.
#[derive(Debug, Clone, Copy)]
pub struct Mark(u16);

impl Mark {
    /// The mark of a word. Words are hashes, but whatever they are, their bits are spread.
    pub fn of(word: u64) -> Self {
        Self((word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 55) as u16)
    }

    /// 1 if the word seems to be there, else 0.
    #[inline(always)]
    fn is_in(self, marks: &Marks) -> u64 {
        marks[usize::from(self.0 / 64) % 8] >> (self.0 % 64) & 1
    }
}

/// A sentence.
#[derive(Debug)]
#[repr(align(64))]
struct Marked(Marks);

/// Long sentences, in their order.
#[derive(Debug, Default)]
pub struct Long {
    marked: Vec<Marked>,
    /// Where they are.
    at: Vec<u32>,
}

impl Long {
    /// Add a sentence with these words; its number.
    pub fn push(&mut self, at: u32, words: &[u64]) -> u32 {
        let mut marks = [0; 8];
        for Mark(bit) in words.iter().map(|&word| Mark::of(word)) {
            marks[usize::from(bit / 64)] |= 1 << (bit % 64);
        }
        self.marked.push(Marked(marks));
        self.at.push(at);
        (self.at.len() - 1) as u32
    }

    /// The number of the first sentence from a place on.
    pub fn first(&self, from: u32) -> u32 {
        self.at.partition_point(|&at| at < from) as u32
    }

    /// Of these sentences, call `found` with all that lack at most so many of the words, and some
    /// more, and with what tells whether one seems to have a word, 1 or 0. The first words should be
    /// the rarest: they tell nearly always.
    pub fn pick(
        &self,
        numbers: &[u32],
        words: &[Mark],
        most: u32,
        mut found: impl FnMut(u32, &dyn Fn(usize) -> u64),
    ) {
        let (first, behind) = words.split_at(words.len().min(most as usize + 2));
        let least = (first.len() as u64).saturating_sub(u64::from(most));
        let mut left = [0_u32; AT_ONCE];
        for numbers in numbers.chunks(AT_ONCE) {
            // Without a branch, which nobody could foretell and which would wait for each of them.
            let mut n = 0;
            for &number in numbers {
                left[n] = number;
                n += usize::from(has(&self.marked[number as usize].0, first) >= least);
            }
            for &number in &left[..n] {
                let marks = &self.marked[number as usize].0;
                if has(marks, first) + has(marks, behind) + u64::from(most) >= words.len() as u64 {
                    found(self.at[number as usize], &|word| words[word].is_in(marks));
                }
            }
        }
    }
}

/// How many of these words seem to be there.
#[inline(always)]
fn has(marks: &Marks, words: &[Mark]) -> u64 {
    words.iter().fold(0, |all: u64, word| all.wrapping_add(word.is_in(marks)))
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
            let numbers: Vec<u32> = (0..stored.len() as u32).collect();
            let marks: Vec<Mark> = asked.iter().map(|&word| Mark::of(word)).collect();
            let mut found = Vec::new();
            long.pick(&numbers, &marks, most, |at, seems_there| {
                for (n, word) in asked.iter().enumerate() {
                    assert!(seems_there(n) == 1 || !stored[at as usize / 7].contains(word));
                }
                found.push(at / 7);
            });
            assert_picked(&stored, 0, &asked, most, &found);
        }
    }
}
