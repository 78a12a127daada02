//! Long sentences, with marks of all their words.
//!
//! A long sentence has so many words that nearly all marks of a shelf would be set ([`super::shelf`]).
//! But such sentences are few: their lists are numbers without marks, and the marks of each are in one place,
//! which all of its lists share. There are as many as its words need: in a fixed number, the longest ones
//! would have nearly all, and would seem to have every word. So they tell as much as a signature does,
//! and nobody who is picked has to be asked by that as well.
//!
//! A long sentence that asks has hundreds of words, of which many may be lacking: most of what it meets is
//! too short to have enough of them, which each list tells, and the others are asked until they lack too many.

/// How many bits there are for each word, before they are rounded up to a power of two.
const BITS: usize = 16;

/// Where more words may be lacking, the first ones do not tell.
const FEW: u32 = 4;

/// How many words are counted before it is seen whether too many are lacking.
const SOME: usize = 8;

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

/// A long sentence in the list of a word, and how many words it has behind that.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Its number among the long ones.
    pub own: u32,
    /// How many words.
    pub behind: u32,
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

    /// Whether at most so many of these words seem to be lacking.
    #[inline(always)]
    fn lacks_at_most(self, words: &[Mark], most: u32) -> bool {
        let mut left = u64::from(most);
        for words in words.chunks(SOME) {
            let lacking = words.len() as u64 - self.count(words);
            if lacking > left {
                return false;
            }
            left -= lacking;
        }
        true
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
        if from == 0 { 0 } else { self.numbers.partition_point(|&number| number < from) as u32 }
    }

    #[inline(always)]
    fn marks(&self, own: u32) -> Marks<'_> {
        let Place { first, shift } = self.places[own as usize];
        Marks { bits: &self.bits[first as usize..], shift }
    }

    /// Call `found` with the numbers of those in a list, of the long ones from `first` on, that lack at most
    /// so many of the words behind that of the list, and of some more; and with what tells whether one seems to have
    /// a word, 1 or 0.
    pub fn pick(
        &self,
        list: &[Entry],
        words: &[Mark],
        most: u32,
        first: u32,
        mut found: impl FnMut(u32, &dyn Fn(usize) -> u64),
    ) {
        let needed = (words.len() as u32).saturating_sub(most);
        // The first words should be the rarest: they tell nearly always, if few may be lacking.
        let n_early = if most > FEW { 0 } else { words.len().min(most as usize + 2) };
        let early = &words[..n_early];
        let least = (n_early as u64).saturating_sub(u64::from(most));
        let mut left = [0_u32; AT_ONCE];
        for long in since(list, first).chunks(AT_ONCE) {
            // Without branches, which nobody could foretell and which would wait for each of them.
            let mut n = 0;
            for entry in long {
                left[n] = entry.own;
                n += usize::from(entry.behind >= needed);
            }
            let long_enough = n;
            n = 0;
            for at in 0..long_enough {
                let own = left[at];
                left[n] = own;
                n += usize::from(self.marks(own).count(early) >= least);
            }
            for &own in &left[..n] {
                let marks = self.marks(own);
                if marks.lacks_at_most(words, most) {
                    found(self.numbers[own as usize], &|word| marks.has(words[word]));
                }
            }
        }
    }
}

/// Those from one on. What is asked for is mostly all, or little at the end.
fn since(list: &[Entry], first: u32) -> &[Entry] {
    if first == 0 {
        return list;
    }
    let mut step = 1;
    while step < list.len() && list[list.len() - step].own >= first {
        step *= 2;
    }
    let near = &list[list.len() - step.min(list.len())..];
    &near[near.partition_point(|entry| entry.own < first)..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hamming::assert_picked;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn whoever_lacks_few_enough_is_picked(
            stored in prop::collection::vec(prop::collection::btree_set(0_u64..300, 0..200), 0..99),
            asked in prop::collection::vec(0_u64..300, 0..30),
            most in 0_u32..20,
            first in prop::sample::select(vec![0_u32, 1, 60, 98, 99]),
        ) {
            let (mut long, mut list) = (Long::default(), Vec::new());
            for (n, words) in stored.iter().enumerate() {
                let words: Vec<u64> = words.iter().copied().collect();
                prop_assert_eq!(long.push(7 * n as u32, &words), n as u32);
                prop_assert_eq!(long.first(7 * n as u32), n as u32);
                list.push(Entry { own: n as u32, behind: words.len() as u32 });
            }
            let marks: Vec<Mark> = asked.iter().map(|&word| Mark::of(word)).collect();
            let mut found = Vec::new();
            long.pick(&list, &marks, most, first, |number, seems_there| {
                for (n, word) in asked.iter().enumerate() {
                    assert!(seems_there(n) == 1 || !stored[number as usize / 7].contains(word));
                }
                found.push(number / 7);
            });
            prop_assert!(found.iter().all(|&own| own >= first));
            let stored: Vec<Vec<u64>> =
                stored.into_iter().map(|words| words.into_iter().collect()).collect();
            assert_picked(&stored, first, &asked, most, &found);
        }
    }
}
