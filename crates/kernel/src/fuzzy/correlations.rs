//! Which words correlate, and how much: a symmetric matrix of which only large entries are kept.

use rayon::prelude::*;

use crate::error::{Error, Result};

/// What stands for a word without correlations.
pub const NONE: u32 = u32::MAX;

/// The correlations of words, which are known by the hashes of their terms. A word correlates
/// fully with itself; what is not kept is 0.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Correlations {
    /// The words that correlate with any other, sorted.
    keys: Vec<u64>,
    /// Where the row of each word ends.
    ends: Vec<u64>,
    /// The columns of each row, sorted: numbers of words.
    columns: Vec<u32>,
    /// The correlation at each of these places.
    values: Vec<f32>,
}

/// The neighbours of a word: their numbers, sorted, and how much it correlates with each.
pub type Row<'a> = (&'a [u32], &'a [f32]);

impl Correlations {
    /// The correlations of pairs of different words, each pair once, in any order.
    pub fn new(pairs: &[(u64, u64, f32)]) -> Result<Self> {
        let mut entries: Vec<(u64, u64, f32)> =
            pairs.iter().flat_map(|&(a, b, c)| [(a, b, c), (b, a, c)]).collect();
        entries.sort_unstable_by_key(|entry| (entry.0, entry.1));
        if entries.windows(2).any(|two| (two[0].0, two[0].1) == (two[1].0, two[1].1)) {
            return Err(wrong("each pair of different words must be given once"));
        }
        let mut keys: Vec<u64> = entries.iter().map(|entry| entry.0).collect();
        keys.dedup();
        let number = |key: u64| keys.binary_search(&key).expect("every word has a row") as u32;
        let columns = entries.iter().map(|entry| number(entry.1)).collect();
        let values = entries.iter().map(|entry| entry.2).collect();
        let ends = keys
            .iter()
            .map(|key| entries.partition_point(|entry| entry.0 <= *key) as u64)
            .collect();
        Self::from_rows(keys, ends, columns, values)
    }

    /// A matrix that was saved: see the fields.
    pub fn from_rows(
        keys: Vec<u64>,
        ends: Vec<u64>,
        columns: Vec<u32>,
        values: Vec<f32>,
    ) -> Result<Self> {
        let n = columns.len();
        let fits = keys.len() == ends.len()
            && values.len() == n
            && ends.last().copied().unwrap_or(0) as usize == n
            && ends.is_sorted()
            && keys.is_sorted_by(|a, b| a < b)
            && columns.iter().all(|&column| (column as usize) < keys.len());
        if !fits {
            return Err(wrong(
                "rows of correlations must have sorted words, and columns among them",
            ));
        }
        if !values.iter().all(|&c| c > 0.0 && c <= 1.0) {
            return Err(wrong("a correlation must be above 0 and at most 1"));
        }
        let found = Self { keys, ends, columns, values };
        let is_whole = (0..found.keys.len()).into_par_iter().all(|word| {
            let (columns, values) = found.row(word as u32);
            columns.is_sorted_by(|a, b| a < b)
                && columns.iter().zip(values).all(|(&other, &c)| {
                    other != word as u32 && found.between(other, word as u32) == c
                })
        });
        if is_whole { Ok(found) } else { Err(wrong("correlations must be the same both ways")) }
    }

    /// The words, where their rows end, the columns and the values.
    pub fn rows(&self) -> (&[u64], &[u64], &[u32], &[f32]) {
        (&self.keys, &self.ends, &self.columns, &self.values)
    }

    /// How many words correlate with any other.
    pub fn n_words(&self) -> usize {
        self.keys.len()
    }

    /// How many pairs of words correlate.
    pub fn n_pairs(&self) -> usize {
        self.columns.len() / 2
    }

    /// The number of a word, [`NONE`] if it correlates with no other.
    pub fn number(&self, key: u64) -> u32 {
        self.keys.binary_search(&key).map_or(NONE, |n| n as u32)
    }

    /// The word with this number.
    pub fn key(&self, number: u32) -> u64 {
        self.keys[number as usize]
    }

    /// The neighbours of a word.
    pub fn row(&self, number: u32) -> Row<'_> {
        let n = number as usize;
        let start = if n == 0 { 0 } else { self.ends[n - 1] } as usize;
        let range = start..self.ends[n] as usize;
        (&self.columns[range.clone()], &self.values[range])
    }

    /// How much two different words correlate.
    pub fn between(&self, word: u32, other: u32) -> f32 {
        let (columns, values) = self.row(word);
        columns.binary_search(&other).map_or(0.0, |n| values[n])
    }

    /// How much two words correlate, 1 for a word and itself.
    pub fn of(&self, word: u64, other: u64) -> f32 {
        if word == other {
            return 1.0;
        }
        match (self.number(word), self.number(other)) {
            (NONE, _) | (_, NONE) => 0.0,
            (word, other) => self.between(word, other),
        }
    }
}

fn wrong(message: &str) -> Error {
    Error::Parameter(message.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_same_both_ways() {
        let found = Correlations::new(&[(7, 3, 0.5), (9, 7, 0.25)]).expect("pairs");
        assert_eq!((found.n_words(), found.n_pairs()), (3, 2));
        assert_eq!((found.of(3, 7), found.of(7, 3), found.of(3, 9)), (0.5, 0.5, 0.0));
        assert_eq!((found.of(4, 4), found.of(4, 3)), (1.0, 0.0));
        let (keys, ends, columns, values) = found.rows();
        let again = Correlations::from_rows(
            keys.to_vec(),
            ends.to_vec(),
            columns.to_vec(),
            values.to_vec(),
        );
        assert_eq!(again.expect("the same"), found);
    }

    #[test]
    fn what_is_no_such_matrix_is_refused() {
        assert!(Correlations::new(&[(1, 2, 0.5), (2, 1, 0.5)]).is_err());
        assert!(Correlations::new(&[(1, 1, 0.5)]).is_err());
        assert!(Correlations::new(&[(1, 2, 1.5)]).is_err());
        let from = |columns: &[u32], values: &[f32]| {
            Correlations::from_rows(vec![1, 2], vec![1, 2], columns.to_vec(), values.to_vec())
        };
        assert!(from(&[1, 0], &[0.5, 0.5]).is_ok());
        assert!(from(&[1, 0], &[0.5, 0.25]).is_err());
        assert!(from(&[1, 2], &[0.5, 0.5]).is_err());
        assert!(from(&[0, 0], &[0.5, 0.5]).is_err());
        assert!(from(&[1], &[0.5]).is_err());
    }
}
