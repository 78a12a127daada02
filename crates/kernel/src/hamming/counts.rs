//! How many of the words asked for long sentences have, by counting.
//!
//! A long sentence has so many words that nearly all of its marks would be set ([`super::shelf`]). But
//! such sentences are few, and counters of a byte stay near, while a list is read as it lies.

/// More is not counted.
const MOST: u8 = u8::MAX;

/// Long sentences that have some of the words, and how many. Empty between one question and the next.
#[derive(Debug, Default)]
pub struct Counts {
    /// Of each long sentence.
    counts: Vec<u8>,
    /// Those that have any.
    met: Vec<u32>,
}

impl Counts {
    /// There are so many sentences now.
    pub fn grow(&mut self, n: usize) {
        self.counts.resize(n.max(self.counts.len()), 0);
    }

    /// How many sentences have any.
    pub fn n_met(&self) -> usize {
        self.met.len()
    }

    /// Count a word that these have.
    pub fn add(&mut self, sentences: &[u32]) {
        for &sentence in sentences {
            let count = &mut self.counts[sentence as usize];
            if *count == 0 {
                self.met.push(sentence);
            }
            *count = count.saturating_add(1);
        }
    }

    /// Count a word that these have, where those that have no other one do not matter.
    pub fn add_known(&mut self, sentences: &[u32]) {
        for &sentence in sentences {
            let count = &mut self.counts[sentence as usize];
            // Neither none nor the most, without a branch.
            *count += u8::from(count.wrapping_sub(1) < MOST - 1);
        }
    }

    /// Call `found` with those that have at least so many, as far as they were counted, and forget all.
    pub fn take(&mut self, least: u32, mut found: impl FnMut(u32)) {
        let least = u8::try_from(least).unwrap_or(MOST);
        for sentence in self.met.drain(..) {
            if std::mem::take(&mut self.counts[sentence as usize]) >= least {
                found(sentence);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_have_enough_are_told_once_and_all_are_forgotten() {
        let mut counts = Counts::default();
        counts.grow(5);
        for _ in 0..2 {
            counts.add(&[1, 3]);
            counts.add(&[0, 3]);
            counts.add_known(&[0, 1, 2, 4]);
            assert_eq!(counts.n_met(), 3);
            let mut found = Vec::new();
            counts.take(2, |sentence| found.push(sentence));
            assert_eq!(found, [1, 3, 0]);
        }
        counts.take(0, |_| panic!("nobody was met"));
        for n in 0..300 {
            if n % 2 == 0 { counts.add(&[4]) } else { counts.add_known(&[4]) }
        }
        let mut found = Vec::new();
        counts.take(290, |sentence| found.push(sentence));
        assert_eq!(found, [4], "more than is counted");
    }
}
