//! The words of a sentence in their order, in 128 bits: enough to say how many of them another
//! sentence has in the same order.
//!
//! Each word, also one without a term, is a few bits of its hash: four in a sentence of up to 32
//! words, three up to 42, else two; what is behind the 64th is not looked at. Words in a row that
//! make twelve bits, three to six of them, are a run. A word is told in order if it is in a run that
//! the other sentence has, too, or in fewer words with one changed word between them and such a run. Of two sentences of 25 words that have nothing in common, one run
//! in seven pairs is the same by chance.

/// How many words of a sketch it takes.
pub const WIDTH: usize = 2;

/// The bits of a run.
const RUN: u32 = 12;

/// The words that are looked at.
const MOST: usize = 64;

/// How many bits a word has, of so many.
fn bits_of(words: usize) -> u32 {
    match words {
        0..=32 => 4,
        33..=42 => 3,
        _ => 2,
    }
}

/// The words of a sentence, by their hashes.
pub fn wording(words: &[u64]) -> [u64; WIDTH] {
    let looked_at = &words[..words.len().min(MOST)];
    let all = match bits_of(words.len()) {
        4 => packed::<4>(looked_at),
        3 => packed::<3>(looked_at),
        _ => packed::<2>(looked_at),
    };
    [all as u64, (all >> 64) as u64]
}

/// The first bits of each hash, those of the first word last.
fn packed<const BITS: u32>(words: &[u64]) -> u128 {
    words.iter().rev().fold(0, |all, hash| all << BITS | u128::from(hash >> (64 - BITS)))
}

/// A sentence of so many words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wording {
    all: u128,
    words: usize,
}

impl Wording {
    /// What was made of so many words.
    pub fn new(made: [u64; WIDTH], words: usize) -> Self {
        Self { all: u128::from(made[0]) | u128::from(made[1]) << 64, words: words.min(MOST) }
    }

    /// The runs of words of so many bits, by their places.
    fn runs(self, bits: u32) -> impl Iterator<Item = usize> {
        let own = bits_of(self.words);
        let (mut rest, mut run) = (self.all, 0);
        let known = (0..self.words).map(move |_| {
            // The first bits of a hash stay, whatever follows them.
            let word = (rest as usize & ((1 << own) - 1)) >> (own - bits);
            rest >>= own;
            run = (run << bits | word) & ((1 << RUN) - 1);
            run
        });
        known.skip((RUN / bits) as usize - 1)
    }

    /// How many words of this sentence the other one has in the same order.
    fn of(self, other: Self) -> u32 {
        let bits = bits_of(self.words).min(bits_of(other.words));
        let in_run = RUN / bits;
        let mut known = [0_u64; 1 << (RUN - 6)];
        other.runs(bits).for_each(|run| known[run / 64] |= 1 << (run % 64));
        let mut told = 0_u64;
        for (n, run) in self.runs(bits).enumerate() {
            let is_known = known[run / 64] >> (run % 64) & 1;
            told |= (is_known * ((1 << in_run) - 1)) << n;
        }
        let n_told = told.count_ones();
        if n_told == 0 || n_told as usize == self.words {
            return n_told;
        }
        (told | self.beyond(other, bits)).count_ones()
    }

    /// The words that are told in order with those of a run but for one word between them.
    fn beyond(self, other: Self, bits: u32) -> u64 {
        // Where the other sentence has a run, by its last bits; of several the last one.
        let (mut places, mut runs) = ([0_u8; 256], [usize::MAX; MOST]);
        for (place, run) in other.runs(bits).enumerate() {
            runs[place] = run;
            places[run % 256] = place as u8;
        }
        let [own, theirs] = [self, other].map(|wording| wording.narrowed(bits));
        let (mut told, mut last) = (0, None);
        for (n, run) in self.runs(bits).enumerate() {
            let place = usize::from(places[run % 256]);
            let shift = place as i32 - n as i32;
            // Most runs stand as far from each other as the one before.
            if runs[place] == run && last != Some(shift) {
                last = Some(shift);
                let moved = |all: u128| match shift {
                    0.. => all >> (shift as u32 * bits),
                    _ => all << (shift.unsigned_abs() * bits),
                };
                let valid = lattice(self.words, bits) & moved(lattice(other.words, bits));
                let differ = own ^ moved(theirs);
                let differ = (1..bits).fold(differ, |all, n| all | differ >> n);
                told |= behind_one(!differ & valid, bits);
            }
        }
        let is_told = |n: usize| (told >> (n as u32 * bits) & 1) as u64;
        (0..self.words).fold(0, |all, n| all | is_told(n) << n)
    }

    /// The first bits of each word.
    fn narrowed(self, bits: u32) -> u128 {
        let own = bits_of(self.words);
        if own == bits {
            return self.all;
        }
        (0..self.words as u32).rev().fold(0, |all, n| {
            let word = self.all >> (n * own) & ((1 << own) - 1);
            all << bits | word >> (own - bits)
        })
    }

    /// How many words of the shorter sentence the other one has in the same order.
    pub fn in_order(self, other: Self) -> u32 {
        if self == other {
            // All of them, if they are enough for a run.
            let is_run = self.words as u32 >= RUN / bits_of(self.words);
            return if is_run { self.words as u32 } else { 0 };
        }
        match self.words.cmp(&other.words) {
            std::cmp::Ordering::Less => self.of(other),
            std::cmp::Ordering::Greater => other.of(self),
            std::cmp::Ordering::Equal => self.of(other).min(other.of(self)),
        }
    }
}

/// One bit for each word, where words have so many bits.
const LATTICES: [u128; 5] = {
    let mut lattices = [0; 5];
    let mut bits = 1;
    while bits < 5 {
        let mut at = 0;
        while at < u128::BITS {
            lattices[bits as usize] |= 1 << at;
            at += bits;
        }
        bits += 1;
    }
    lattices
};

/// One bit for each of some words.
fn lattice(words: usize, bits: u32) -> u128 {
    let end = 1_u128.checked_shl(words as u32 * bits).unwrap_or(0);
    LATTICES[bits as usize] & end.wrapping_sub(1)
}

/// Of words that are the same, those that follow a run, or are followed by one, with one word between.
fn behind_one(same: u128, bits: u32) -> u128 {
    let in_run = RUN / bits;
    let starts = (1..in_run).fold(same, |all, n| all & same >> (n * bits));
    let run = (0..in_run).fold(0, |all, n| all | starts << (n * bits));
    let rest = same & !run;
    let mut behind = rest & run << (2 * bits);
    let mut before = rest & run >> (2 * bits);
    // What is left is shorter than a run.
    for _ in 2..in_run {
        behind |= rest & behind << bits;
        before |= rest & before >> bits;
    }
    behind | before
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// Words whose first four bits are given.
    fn made(words: &[u64]) -> Wording {
        Wording::new(wording(&words.iter().map(|word| word << 60).collect::<Vec<_>>()), words.len())
    }

    #[test]
    fn words_count_that_stand_in_the_same_order() {
        let told = made(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
        assert_eq!(told.in_order(told), 12);
        // One word changed: five before it, and six behind.
        let changed = made(&[0, 1, 2, 3, 4, 15, 6, 7, 8, 9, 10, 11]);
        assert_eq!((told.in_order(changed), changed.in_order(told)), (11, 11));
        // Two words between changed ones are not a run, but stand beside one.
        let changed = made(&[0, 1, 2, 3, 14, 5, 6, 13, 8, 9, 10, 11]);
        assert_eq!((told.in_order(changed), changed.in_order(told)), (10, 10));
        let apart = made(&[0, 1, 2, 3, 14, 15, 6, 7, 15, 13, 14, 15]);
        assert_eq!((told.in_order(apart), apart.in_order(told)), (4, 4));
        let inside = made(&[12, 13, 0, 1, 2, 3, 4, 5, 14, 8, 9, 15, 11, 13, 12, 14]);
        assert_eq!((told.in_order(inside), inside.in_order(told)), (6, 6));
        let turned = made(&[11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
        assert_eq!(told.in_order(turned), 0);
        assert_eq!(made(&[]).in_order(made(&[1, 2])), 0);
    }

    proptest! {
        #[test]
        fn it_is_never_less_than_what_words_themselves_say(
            words in prop::collection::vec(0_u64..40, 0..70),
            other in prop::collection::vec(0_u64..40, 0..70),
            cut in 0_usize..70,
        ) {
            let other: Vec<u64> = other.into_iter().chain(words.iter().copied().skip(cut)).collect();
            let spread = |words: &[u64]| -> Vec<u64> {
                words.iter().map(|word| hash::term(&word.to_string())).collect()
            };
            let [a, b] = [&words[..], &other].map(|words| {
                let words = &words[..words.len().min(MOST)];
                let long = wording(&spread(words));
                (Wording::new(long, words.len()), words.to_vec())
            });
            let in_run = (RUN / bits_of(a.0.words).min(bits_of(b.0.words))) as usize;
            let of = |own: &[u64], theirs: &[u64]| {
                let known: HashSet<&[u64]> = theirs.windows(in_run).collect();
                let mut told = vec![false; own.len()];
                for (n, run) in own.windows(in_run).enumerate() {
                    if known.contains(run) {
                        told[n..n + in_run].fill(true);
                    }
                }
                told.iter().filter(|told| **told).count() as u32
            };
            let least = match a.1.len().cmp(&b.1.len()) {
                std::cmp::Ordering::Less => of(&a.1, &b.1),
                std::cmp::Ordering::Greater => of(&b.1, &a.1),
                std::cmp::Ordering::Equal => of(&a.1, &b.1).min(of(&b.1, &a.1)),
            };
            prop_assert!(a.0.in_order(b.0) >= least);
            prop_assert_eq!(a.0.in_order(b.0), b.0.in_order(a.0));
        }
    }
}
