//! What many other groups have in common with one, added up sentence by sentence.

use super::roll_up::Matched;

/// What the sentences of one group have matches for, in each other group.
#[derive(Debug)]
pub struct Sums {
    rows: Vec<Row>,
    current: u32,
    /// The groups met by the current one.
    met: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    /// Which group this is the sum for.
    of: u32,
    /// Which sentence was added last, and what it gave.
    sentence: u32,
    gain: Matched,
    /// What those before it gave.
    sum: Matched,
}

impl Sums {
    /// Nothing was added for any of so many groups.
    pub fn new(n_groups: usize) -> Self {
        let row = Row {
            of: u32::MAX,
            sentence: u32::MAX,
            gain: Matched::default(),
            sum: Matched::default(),
        };
        Self { rows: vec![row; n_groups], current: 0, met: Vec::new() }
    }

    /// Begin with a group, which has nothing in common with itself.
    pub fn start(&mut self, group: u32) {
        self.current = group;
        self.met.clear();
    }

    /// A sentence has a match in another group: of several, the best counts.
    #[inline]
    pub fn add(&mut self, other: u32, sentence: u32, gain: Matched) {
        if other == self.current {
            return;
        }
        let row = &mut self.rows[other as usize];
        if row.of != self.current {
            *row = Row { of: self.current, sentence, gain, sum: Matched::default() };
            self.met.push(other);
        } else if row.sentence == sentence {
            row.gain = row.gain.most(gain);
        } else {
            row.sum = row.sum.plus(row.gain);
            (row.sentence, row.gain) = (sentence, gain);
        }
    }

    /// The groups that have something in common, and what.
    pub fn found(&self) -> impl Iterator<Item = (u32, Matched)> {
        let sum = |row: &Row| row.sum.plus(row.gain);
        self.met.iter().map(move |&other| (other, sum(&self.rows[other as usize])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_counts_once_with_its_best_match() {
        let mut sums = Sums::new(3);
        sums.start(1);
        for (other, sentence, words) in [(0, 7, 3), (0, 7, 5), (0, 7, 4), (1, 7, 9), (0, 8, 1)] {
            sums.add(other, sentence, Matched { weight: 10, words });
        }
        let expected = Matched { weight: 20, words: 6 };
        assert_eq!(sums.found().collect::<Vec<_>>(), [(0, expected)]);
        sums.start(2);
        assert_eq!(sums.found().count(), 0);
        sums.add(0, 7, Matched { weight: 2, words: 2 });
        assert_eq!(sums.found().collect::<Vec<_>>(), [(0, Matched { weight: 2, words: 2 })]);
    }
}
