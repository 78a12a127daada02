//! Sentences made from others by exchanging words: a collection of any size, for measurements.

use super::{Feature, Features};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::hash;

/// Make `number` sentences, each a document of its own, from sentences drawn at random. Each word
/// is exchanged with the probability `changed` by one drawn from all words of all sentences, so
/// that frequent words stay frequent.
pub fn variants(
    features: &Features,
    number: usize,
    changed: f64,
    seed: u64,
    cancel: &Cancel,
) -> Result<Features> {
    let units: Vec<usize> =
        (0..features.n_units()).filter(|&unit| !features.range(unit).is_empty()).collect();
    let mut found = Features::default();
    if units.is_empty() {
        return Ok(found);
    }
    let mut random = Random(hash::extend(hash::EMPTY, seed));
    let mut words = Vec::new();
    for _ in 0..number {
        cancel.check()?;
        words.clear();
        for at in features.range(units[random.below(units.len())]) {
            let at = if random.share() < changed { random.below(features.keys.len()) } else { at };
            words.push(Feature { key: features.keys[at], weight: features.weights[at], count: 1 });
        }
        found.push(&mut words, false);
        found.end_document();
    }
    Ok(found)
}

/// Numbers that look random: hashes of hashes.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = hash::extend(self.0, 1);
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }

    /// From 0 to below 1.
    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_words_change_as_asked() {
        let mut features = Features::default();
        for sentence in 0..100 {
            let word = |n| Feature { key: sentence * 10 + n, weight: n, count: 1 };
            features.push(&mut (0..10).map(word).collect::<Vec<_>>(), false);
        }
        features.push(&mut [], false);
        features.document_ends = vec![101];
        let make = |changed, seed| {
            variants(&features, 400, changed, seed, &Cancel::default()).expect("nothing cancels")
        };
        let kept = |found: &Features| {
            let most = |unit| {
                let keys = &found.keys[found.range(unit)];
                (0..100).map(|s| keys.iter().filter(|&k| k / 10 == s).count()).max()
            };
            (0..400).filter_map(most).sum::<usize>() as f64 / 4_000.0
        };
        assert_eq!(kept(&make(0.0, 1)), 1.0);
        assert!((kept(&make(0.3, 1)) - 0.7).abs() < 0.03);
        assert_eq!(make(0.3, 1), make(0.3, 1));
        assert_ne!(make(0.3, 1), make(0.3, 2));
        assert_eq!(make(0.3, 1).n_documents(), 400);
        assert_eq!(
            variants(&Features::default(), 5, 0.5, 1, &Cancel::default()).map(|f| f.n_units()).ok(),
            Some(0)
        );
    }
}
