//! Word overlap of two sentences, and which words must be looked up to miss none that matches.
//!
//! With the sets of distinct words Q of the sentence that asks and R of the one that is stored, and
//! `idf(w) = log(N / df(w))`, the measure of RECAP as Kim, Candan and Tatemura print it
//! ("Efficient overlap and content reuse detection in blogs and online news articles", WWW 2009)
//! has no upper bound. Divided by its value for Q itself it is the product of two shares, each of
//! which is a measure of its own. None of them is symmetric: words R has beyond Q cost nothing.

use super::verify::Verify;
use crate::features::{Features, Keys};

/// How the overlap of two sentences is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// `|Q ∩ R| / |Q|`
    Plain,
    /// `Σ idf(Q ∩ R) / Σ idf(Q)`
    Idf,
    /// The product of both.
    SelfNorm,
}

/// What lies closer to the threshold is on it: sums are exact, quotients are not.
const EPSILON: f64 = 1e-12;

impl Measure {
    /// The overlap of a part, given as its number of words and their weight, with the whole. Words
    /// that all weigh nothing weigh the same.
    pub fn of(self, part: (usize, u128), whole: (usize, u128)) -> f64 {
        let plain = || part.0 as f64 / whole.0 as f64;
        let idf = || if whole.1 == 0 { plain() } else { number(part.1) / number(whole.1) };
        match self {
            Self::Plain => plain(),
            Self::Idf => idf(),
            Self::SelfNorm => plain() * idf(),
        }
    }

    /// The overlap of two sorted lists of words, if it reaches the threshold and there is any;
    /// `weights` are those of `words`.
    pub fn between(
        self,
        words: &[u64],
        weights: &[u64],
        stored: &[u64],
        threshold: f64,
    ) -> Option<f64> {
        let mut lacking = self.most_lacking(words.len(), threshold);
        let needed = words.len() - lacking;
        if stored.len() < needed {
            return None;
        }
        let mut part = (0, 0_u128);
        let mut rest = stored;
        for (word, &weight) in words.iter().zip(weights) {
            let (is_there, behind) = look_for(*word, rest, words.len());
            rest = behind;
            if is_there {
                part = (part.0 + 1, part.1 + u128::from(weight));
            } else {
                lacking = lacking.checked_sub(1)?;
                if part.0 + rest.len() < needed {
                    return None;
                }
            }
        }
        let whole = (words.len(), weights.iter().copied().map(u128::from).sum());
        let found = self.of(part, whole);
        (found > 0.0 && Self::reaches(found, threshold)).then_some(found)
    }

    /// How many of so many words may be lacking, whatever they weigh.
    fn most_lacking(self, words: usize, threshold: f64) -> usize {
        match self {
            Self::Idf => words,
            // Selfnorm is never more than plain.
            Self::Plain | Self::SelfNorm => {
                let needed = (words as f64 * (threshold - 2.0 * EPSILON)).ceil().max(0.0);
                words.saturating_sub(needed as usize)
            }
        }
    }

    /// The fewest of so many words that may be a match, whatever they weigh.
    pub fn fewest_of(self, words: usize, threshold: f64) -> usize {
        (words - self.most_lacking(words, threshold)).max(1)
    }

    /// The fewest of words that weigh so much that may be a match: the heaviest.
    pub fn fewest(self, weights: &[u64], threshold: f64) -> usize {
        let mut heaviest = weights.to_vec();
        heaviest.sort_unstable_by(|a, b| b.cmp(a));
        let whole = (weights.len(), weights.iter().copied().map(u128::from).sum());
        let mut part = (0, 0_u128);
        for weight in heaviest {
            part = (part.0 + 1, part.1 + u128::from(weight));
            if self.may_reach(part, whole, threshold) {
                break;
            }
        }
        part.0
    }

    /// For each word that has to be looked up, of words that weigh so much, the heaviest first: how
    /// many of those behind it may be lacking where it is there and all before it are lacking. What
    /// lacks more does not reach the threshold, even if what it has are the heaviest of these.
    pub fn lacking_behind(self, heaviest: &[u64], threshold: f64, lacking: &mut Vec<u32>) {
        let whole = (heaviest.len(), heaviest.iter().copied().map(u128::from).sum());
        // The fewest words from the current one on that are enough: they end later and later.
        let mut part = (0, 0_u128);
        for (at, &weight) in heaviest.iter().enumerate() {
            let left = heaviest.len() - at;
            while part.0 == 0 || !self.may_reach(part, whole, threshold) {
                if part.0 == left {
                    return;
                }
                part = (part.0 + 1, part.1 + u128::from(heaviest[at + part.0]));
            }
            lacking.push((left - part.0) as u32);
            part = (part.0 - 1, part.1 - u128::from(weight));
        }
    }

    /// Whether an overlap reaches a threshold.
    pub fn reaches(overlap: f64, threshold: f64) -> bool {
        overlap >= threshold - EPSILON
    }

    /// Whether a part that may be all that two sentences share can reach a threshold. With twice the
    /// tolerance of `reaches`: rounding must not lose what lies on the border.
    pub fn may_reach(self, part: (usize, u128), whole: (usize, u128), threshold: f64) -> bool {
        self.of(part, whole) >= threshold - 2.0 * EPSILON
    }

    /// The words, rarest first, that a sentence has to look up: what shares none of them cannot
    /// reach the threshold with all the others.
    pub fn prefix(self, words: &[u64], weights: &[u64], threshold: f64) -> Vec<u64> {
        let order = heaviest_first(words, weights);
        let whole = (words.len(), weights.iter().copied().map(u128::from).sum());
        let mut rest: (usize, u128) = whole;
        let mut prefix = Vec::new();
        for at in order {
            if rest.0 == 0 || !self.may_reach(rest, whole, threshold) {
                break;
            }
            prefix.push(words[at]);
            rest = (rest.0 - 1, rest.1 - u128::from(weights[at]));
        }
        prefix
    }

    /// The places of words, rarest first, of which whatever matches has two: the heaviest of them and
    /// all other words are not enough. `None`: one may be, whatever else is lacking.
    pub fn prefix_of_two(
        self,
        words: &[u64],
        weights: &[u64],
        threshold: f64,
    ) -> Option<Vec<usize>> {
        let mut order = heaviest_first(words, weights);
        let whole = (words.len(), weights.iter().copied().map(u128::from).sum());
        let mut rest: (usize, u128) = whole;
        for n in 1..order.len() {
            rest = (rest.0 - 1, rest.1 - u128::from(weights[order[n]]));
            if !self.may_reach(rest, whole, threshold) {
                order.truncate(n + 1);
                return Some(order);
            }
        }
        None
    }
}

/// The places of words, the heaviest first.
fn heaviest_first(words: &[u64], weights: &[u64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..words.len()).collect();
    order.sort_unstable_by(|&a, &b| weights[b].cmp(&weights[a]).then(words[a].cmp(&words[b])));
    order
}

/// A sum as it is divided. Nearly all of them fit, and become numbers in one step.
fn number(sum: u128) -> f64 {
    match u64::try_from(sum) {
        Ok(sum) => sum as f64,
        Err(_) => sum as f64,
    }
}

/// Whether a word is among sorted ones, and what comes behind its place.
fn look_for(word: u64, stored: &[u64], asked: usize) -> (bool, &[u64]) {
    // In a list much longer than that of the words asked for, most of it is passed over.
    let from = if stored.len() > 8 * asked {
        place_of(word, stored)
    } else {
        stored.iter().position(|&other| other >= word).unwrap_or(stored.len())
    };
    let behind = &stored[from..];
    (behind.first() == Some(&word), behind)
}

/// The place of the first of sorted words that is not smaller. Words are hashes, so that it is near where
/// it would be if they were evenly spread; from there on steps double, whatever they are.
fn place_of(word: u64, sorted: &[u64]) -> usize {
    let (Some(&first), Some(&last)) = (sorted.first(), sorted.last()) else { return 0 };
    if word <= first {
        return 0;
    }
    if word > last {
        return sorted.len();
    }
    let share = (word - first) as f64 / (last - first) as f64;
    let near = ((share * sorted.len() as f64) as usize).min(sorted.len() - 1);
    let is_smaller = |at: usize| sorted[at] < word;
    let mut step = 1;
    let (from, to) = if is_smaller(near) {
        while near + step < sorted.len() && is_smaller(near + step) {
            step *= 2;
        }
        (near + step / 2, sorted.len().min(near + step))
    } else {
        while step <= near && !is_smaller(near - step) {
            step *= 2;
        }
        (near.saturating_sub(step), near - step / 2)
    };
    from + sorted[from..to].partition_point(|&other| other < word)
}

/// Checks sentences by their word overlap.
pub struct Overlap<'a> {
    features: &'a Features,
    measure: Measure,
    threshold: f64,
}

impl<'a> Overlap<'a> {
    /// A match from the threshold on; words without any in common never match.
    pub fn new(features: &'a Features, measure: Measure, threshold: f64) -> Self {
        Self { features, measure, threshold }
    }
}

impl Verify for Overlap<'_> {
    fn check(&self, probe: usize, store: usize) -> Option<f64> {
        let Features { keys, weights, .. } = self.features;
        let (probe, store) = (self.features.range(probe), self.features.range(store));
        let (words, weights) = (&keys[probe.clone()], &weights[probe]);
        self.measure.between(words, weights, &keys[store], self.threshold)
    }
}

/// The words each sentence has to look up.
pub fn prefixes(features: &Features, measure: Measure, threshold: f64) -> Keys {
    let mut keys = Keys::default();
    for unit in 0..features.n_units() {
        let range = features.range(unit);
        keys.push(measure.prefix(
            &features.keys[range.clone()],
            &features.weights[range],
            threshold,
        ));
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::to_units;
    use proptest::prelude::*;

    const MEASURES: [Measure; 3] = [Measure::Plain, Measure::Idf, Measure::SelfNorm];

    fn lacking_behind(measure: Measure, heaviest: &[u64], threshold: f64) -> Vec<u32> {
        let mut lacking = Vec::new();
        measure.lacking_behind(heaviest, threshold, &mut lacking);
        lacking
    }

    #[test]
    fn the_measures_of_recap() {
        // Q = w1..w4, R = w1, w2, w3, x; N = 1000, df 10, 100, 500, 10.
        let weights = [10.0, 100.0, 500.0, 10.0].map(|df: f64| to_units((1000.0 / df).ln()));
        for (measure, expected) in MEASURES.into_iter().zip([0.75, 0.6227, 0.4670]) {
            let found =
                |threshold| measure.between(&[1, 2, 3, 4], &weights, &[1, 2, 3, 9], threshold);
            assert!((found(0.1).expect("enough") - expected).abs() < 5e-5);
            assert_eq!(found(expected + 1e-4), None);
        }
    }

    #[test]
    fn light_words_may_lack_more_often_than_heavy_ones() {
        // 8 of 10 words weigh nothing: with one of the others lacking, selfnorm is at most 0.45.
        let weights = [5, 5, 0, 0, 0, 0, 0, 0, 0, 0];
        let found = MEASURES.map(|measure| lacking_behind(measure, &weights, 0.5));
        assert_eq!(found, [vec![5, 4, 3, 2, 1, 0], vec![9, 8], vec![5]]);
        let even = MEASURES.map(|measure| lacking_behind(measure, &[1; 10], 0.5));
        assert_eq!(even, [vec![5, 4, 3, 2, 1, 0], vec![5, 4, 3, 2, 1, 0], vec![2, 1, 0]]);
    }

    #[test]
    fn words_without_weight_weigh_the_same() {
        assert_eq!(Measure::SelfNorm.between(&[1, 2], &[0, 0], &[2], 0.2), Some(0.25));
        assert_eq!(Measure::Idf.between(&[1, 2], &[0, 0], &[1, 2], 1.0), Some(1.0));
    }

    proptest! {
        #[test]
        fn a_word_has_its_place_however_words_are_spread(
            even in prop::collection::btree_set(any::<u64>(), 0..200),
            uneven in prop::collection::btree_set(0_u64..300, 0..200),
            word in prop_oneof![any::<u64>(), 0_u64..310],
            is_even in any::<bool>(),
        ) {
            let sorted: Vec<u64> = (if is_even { even } else { uneven }).into_iter().collect();
            for word in [word].iter().chain(&sorted) {
                let place = sorted.partition_point(|other| other < word);
                prop_assert_eq!(place_of(*word, &sorted), place);
            }
        }

        #[test]
        fn what_shares_no_word_of_the_prefix_does_not_match(
            words in prop::collection::btree_map(1_u64..12, 0_u64..5, 1..8),
            stored in prop::collection::btree_set(1_u64..90, 0..90),
            threshold in 0.01_f64..1.0,
            measure in 0..3_usize,
        ) {
            let measure = MEASURES[measure];
            let (words, weights): (Vec<u64>, Vec<u64>) = words.into_iter().unzip();
            let stored: Vec<u64> = stored.into_iter().collect();
            let common: Vec<usize> = (0..words.len()).filter(|&n| stored.contains(&words[n])).collect();
            let weight = |places: &[usize]| places.iter().map(|&n| u128::from(weights[n])).sum();
            let all: Vec<usize> = (0..words.len()).collect();
            let overlap = |m: Measure| m.of((common.len(), weight(&common)), (words.len(), weight(&all)));
            let expected = Some(overlap(measure))
                .filter(|&found| found > 0.0 && Measure::reaches(found, threshold));
            prop_assert_eq!(measure.between(&words, &weights, &stored, threshold), expected);
            if expected.is_some() {
                let prefix = measure.prefix(&words, &weights, threshold);
                prop_assert!(prefix.iter().any(|word| stored.contains(word)));
            }
            let two = measure.prefix_of_two(&words, &weights, threshold);
            if let (true, Some(two)) = (expected.is_some(), two) {
                prop_assert!(two.iter().filter(|&&n| stored.contains(&words[n])).count() > 1);
            }
            if expected.is_some() {
                prop_assert!(common.len() >= measure.fewest(&weights, threshold));
                prop_assert!(common.len() >= measure.fewest_of(words.len(), threshold));
            }
            let mut order: Vec<usize> = all.clone();
            order.sort_unstable_by_key(|&n| (u64::MAX - weights[n], words[n]));
            let heaviest: Vec<u64> = order.iter().map(|&n| weights[n]).collect();
            let lacking = lacking_behind(measure, &heaviest, threshold);
            prop_assert_eq!(lacking.len(), measure.prefix(&words, &weights, threshold).len());
            if expected.is_some() {
                let is_there = |n: &usize| common.contains(n);
                let first = order.iter().position(is_there).expect("something is common");
                let behind = order[first..].iter().filter(|n| !is_there(n)).count();
                prop_assert!(behind as u32 <= lacking[first]);
            }
            prop_assert_eq!(measure.between(&words, &weights, &words, 1.0), Some(1.0));
            prop_assert!(overlap(Measure::SelfNorm) <= overlap(Measure::Plain));
        }
    }
}
