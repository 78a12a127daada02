//! How similar sentences are, by the correlations of their words.
//!
//! ```text
//! mu(i, S)  = 1 − Π (1 − c(i, k))  over the words k of S        a word and a sentence
//! Sim(S, T) = the mean of mu(i, T) over the words i of S
//! EQ(S, T)  = min(Sim(S, T), Sim(T, S)) ≥ permission  and  |Sim(S, T) − Sim(T, S)| ≤ variation
//! ```

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::correlations::{Correlations, NONE};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::Features;
use crate::join::verify::Verify;

/// What lies closer to a threshold is on it: correlations are kept with seven digits.
pub const EPSILON: f64 = 1e-6;

/// When two sentences are equal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Equality {
    /// The least similarity, both ways.
    pub permission: f64,
    /// The largest difference of the two.
    pub variation: f64,
}

impl Equality {
    /// Whether sentences with these similarities are equal.
    pub fn holds(self, there: f64, back: f64) -> bool {
        there.min(back) >= self.permission - EPSILON
            && (there - back).abs() <= self.variation + EPSILON
    }
}

/// Sentences, with the numbers their words have in the correlations.
pub struct Fuzzy<'a> {
    features: &'a Features,
    correlations: Arc<Correlations>,
    equality: Equality,
    /// The number of the word at each place of the features.
    numbers: Vec<u32>,
}

impl<'a> Fuzzy<'a> {
    /// Look up the numbers of all words.
    pub fn new(
        features: &'a Features,
        correlations: &Arc<Correlations>,
        equality: Equality,
    ) -> Self {
        let numbers = features.keys.par_iter().map(|&key| correlations.number(key)).collect();
        Self { features, correlations: Arc::clone(correlations), equality, numbers }
    }

    /// `mu` of the word at a place and the sentence whose words stand there.
    fn membership(&self, at: usize, sentence: &Range<usize>) -> f64 {
        let words = &self.features.keys[sentence.clone()];
        if words.binary_search(&self.features.keys[at]).is_ok() {
            return 1.0;
        }
        if self.numbers[at] == NONE {
            return 0.0;
        }
        let (columns, values) = self.correlations.row(self.numbers[at]);
        let mut rest = 1.0;
        let mut from = 0;
        for place in sentence.clone().filter(|&place| self.numbers[place] != NONE) {
            // Both are sorted alike, so what was passed does not come again.
            let number = self.numbers[place];
            from += columns[from..].partition_point(|&column| column < number);
            if columns.get(from) == Some(&number) {
                let other = 1.0 - f64::from(values[from]);
                rest *= other.powi(self.features.count(place) as i32);
            }
        }
        1.0 - rest
    }

    /// `Sim`, if it can be so large.
    fn similarity(&self, sentence: usize, other: usize, least: f64) -> Option<f64> {
        let other = self.features.range(other);
        self.mean(sentence, least, |at| self.membership(at, &other))
    }

    /// The mean of `mu` over the words of a sentence, if it can be so large; what comes more than
    /// once counts as often.
    fn mean(&self, sentence: usize, least: f64, mu: impl Fn(usize) -> f64) -> Option<f64> {
        let own = self.features.range(sentence);
        let count = |at: usize| f64::from(self.features.count(at));
        let all: f64 = own.clone().map(count).sum();
        let (mut sum, mut rest) = (0.0, all);
        for at in own {
            sum += count(at) * mu(at);
            rest -= count(at);
            if sum + rest < (least - 2.0 * EPSILON) * all {
                return None;
            }
        }
        Some(if all > 0.0 { sum / all } else { 0.0 })
    }

    /// `Sim` both ways of pairs of units.
    pub fn similarities(
        &self,
        left: &[u32],
        right: &[u32],
        cancel: &Cancel,
    ) -> Result<(Vec<f64>, Vec<f64>)> {
        Ok((self.directed(left, right, cancel)?, self.directed(right, left, cancel)?))
    }

    /// `Sim` of the first of each pair with the second; each of the latter is expanded once.
    fn directed(&self, own: &[u32], other: &[u32], cancel: &Cancel) -> Result<Vec<f64>> {
        let mut order: Vec<(u32, u32)> = other.iter().copied().zip(0..own.len() as u32).collect();
        order.par_sort_unstable();
        let parts = order
            .par_chunks(1 << 14)
            .map_init(
                || self.expanded(),
                |expanded, part| {
                    cancel.check()?;
                    let found = part.iter().map(|&(other, n)| {
                        self.expand(other as usize, expanded);
                        let own = own[n as usize] as usize;
                        (n, self.with_expanded(own, expanded, 0.0).unwrap_or(0.0))
                    });
                    Ok(found.collect::<Vec<(u32, f64)>>())
                },
            )
            .collect::<Result<Vec<_>>>()?;
        let mut similarities = vec![0.0; own.len()];
        for (n, similarity) in parts.into_iter().flatten() {
            similarities[n as usize] = similarity;
        }
        Ok(similarities)
    }

    fn expanded(&self) -> Expanded {
        Expanded { rest: vec![1.0; self.correlations.n_words()], met: Vec::new(), of: None }
    }

    /// Compute what `mu` of every word and this sentence is.
    fn expand(&self, sentence: usize, expanded: &mut Expanded) {
        if expanded.of == Some(sentence) {
            return;
        }
        for word in expanded.met.drain(..) {
            expanded.rest[word as usize] = 1.0;
        }
        expanded.of = Some(sentence);
        for place in self.features.range(sentence) {
            let number = self.numbers[place];
            if number == NONE {
                continue;
            }
            let (columns, values) = self.correlations.row(number);
            for (&column, &value) in columns.iter().zip(values) {
                let other = 1.0 - f64::from(value);
                expanded.rest[column as usize] *= other.powi(self.features.count(place) as i32);
            }
            expanded.rest[number as usize] = 0.0;
            expanded.met.extend_from_slice(columns);
            expanded.met.push(number);
        }
    }

    /// `Sim` of a sentence with the expanded one, if it can be so large.
    fn with_expanded(&self, sentence: usize, expanded: &Expanded, least: f64) -> Option<f64> {
        let words = &self.features.keys[self.features.range(expanded.of?)];
        self.mean(sentence, least, |at| match self.numbers[at] {
            NONE => f64::from(u8::from(words.binary_search(&self.features.keys[at]).is_ok())),
            number => 1.0 - expanded.rest[number as usize],
        })
    }
}

/// A sentence with all words that correlate with any of its own.
struct Expanded {
    /// For each word `1 − mu` of it and the sentence.
    rest: Vec<f64>,
    /// The words for which that is not 1.
    met: Vec<u32>,
    /// The sentence.
    of: Option<usize>,
}

impl Verify for Fuzzy<'_> {
    fn check(&self, probe: usize, store: usize) -> Option<f64> {
        let permission = self.equality.permission;
        let there = self.similarity(probe, store, permission)?;
        let back = self.similarity(store, probe, permission)?;
        (there > 0.0 && self.equality.holds(there, back)).then_some(there)
    }

    fn checker(&self) -> Box<dyn FnMut(usize, usize) -> Option<f64> + '_> {
        let mut expanded = self.expanded();
        Box::new(move |probe, store| {
            // One that asks meets many: most of them are dropped at the cost of a few look-ups.
            self.expand(probe, &mut expanded);
            self.with_expanded(store, &expanded, self.equality.permission)?;
            self.check(probe, store)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Feature;
    use proptest::prelude::*;

    /// Two sentences without a word in common, with the printed matrix of their correlations.
    fn example(rows: &[&[f32]], equality: Equality) -> (Features, Arc<Correlations>, Equality) {
        let n = rows[0].len();
        let mut features = Features::default();
        for words in [1..=rows.len() as u64, 101..=100 + n as u64] {
            let word = |key| Feature { key, weight: 1, count: 1 };
            features.push(&mut words.map(word).collect::<Vec<_>>(), false);
        }
        let mut pairs = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            pairs.extend(row.iter().enumerate().map(|(k, &c)| (1 + i as u64, 101 + k as u64, c)));
        }
        (features, Arc::new(Correlations::new(&pairs).expect("a matrix")), equality)
    }

    const THESIS: Equality = Equality { permission: 0.825, variation: 0.15 };

    fn memberships(fuzzy: &Fuzzy<'_>, sentence: usize) -> Vec<f64> {
        let other = fuzzy.features.range(1 - sentence);
        fuzzy.features.range(sentence).map(|at| fuzzy.membership(at, &other)).collect()
    }

    fn assert_close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 5e-5, "{found:?} are not {expected:?}");
        }
    }

    #[test]
    fn example_1_of_the_thesis() {
        // international, community, increase, disaster; global, aid, tsunami, rise.
        let (features, correlations, equality) = example(
            &[
                &[0.800, 0.496, 0.579, 0.177],
                &[0.430, 0.771, 0.117, 0.334],
                &[0.123, 0.643, 0.661, 0.900],
                &[0.611, 0.414, 0.900, 0.394],
            ],
            THESIS,
        );
        let fuzzy = Fuzzy::new(&features, &correlations, equality);
        assert_close(&memberships(&fuzzy, 0), &[0.9651, 0.9232, 0.9894, 0.9862]);
        assert_close(&memberships(&fuzzy, 1), &[0.9611, 0.9759, 0.9874, 0.9668]);
        let both = [fuzzy.check(1, 0), fuzzy.check(0, 1)].map(|sim| sim.expect("equal"));
        assert_close(&both, &[0.9728, 0.9660]);
    }

    #[test]
    fn example_2_of_the_thesis() {
        // reach, phone; please, hesitate, contact.
        let (features, correlations, equality) =
            example(&[&[0.059, 0.038, 0.683], &[0.058, 0.036, 0.593]], THESIS);
        let fuzzy = Fuzzy::new(&features, &correlations, equality);
        assert_close(&memberships(&fuzzy, 0), &[0.7130, 0.6304]);
        assert_close(&memberships(&fuzzy, 1), &[0.1136, 0.0726, 0.8710]);
        let (there, back) =
            fuzzy.similarities(&[0], &[1], &Cancel::default()).expect("not cancelled");
        assert_close(&[there[0], back[0]], &[0.6717, 0.3524]);
        assert_eq!((fuzzy.check(0, 1), fuzzy.check(1, 0)), (None, None));
    }

    proptest! {
        #[test]
        fn an_expanded_sentence_gives_the_same(
            sentences in prop::collection::vec(prop::collection::vec(1_u64..12, 0..7), 1..7),
            pairs in prop::collection::btree_map((1_u64..12, 1_u64..12), 0.05_f32..1.0, 0..30),
            counted in any::<bool>(),
            permission in 0.0_f64..1.0,
        ) {
            let pairs: Vec<_> =
                pairs.into_iter().filter(|((a, b), _)| a < b).map(|((a, b), c)| (a, b, c)).collect();
            let correlations = Arc::new(Correlations::new(&pairs).expect("different pairs"));
            let mut features = Features::default();
            for words in &sentences {
                let word = |&key: &u64| Feature { key, weight: 1, count: 1 };
                features.push(&mut words.iter().map(word).collect::<Vec<_>>(), counted);
            }
            let equality = Equality { permission, variation: 0.15 };
            let fuzzy = Fuzzy::new(&features, &correlations, equality);
            let n = sentences.len() as u32;
            let (left, right): (Vec<u32>, Vec<u32>) =
                (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).unzip();
            let both = fuzzy.similarities(&left, &right, &Cancel::default());
            let (there, back) = both.expect("not cancelled");
            let mut checker = fuzzy.checker();
            for (at, (&a, &b)) in left.iter().zip(&right).enumerate() {
                let (a, b) = (a as usize, b as usize);
                prop_assert_eq!(Some(there[at]), fuzzy.similarity(a, b, 0.0));
                prop_assert_eq!(Some(back[at]), fuzzy.similarity(b, a, 0.0));
                prop_assert_eq!(checker(a, b), fuzzy.check(a, b));
            }
        }
    }

    #[test]
    fn the_borders_of_equality() {
        let known = [
            (0.825, 0.975, true),
            (0.825, 0.9751, false),
            (0.8249, 0.9, false),
            (0.84, 1.0, false),
            (1.0, 1.0, true),
        ];
        for (there, back, expected) in known {
            assert_eq!(THESIS.holds(there, back), expected);
            assert_eq!(THESIS.holds(back, there), expected);
        }
    }

    #[test]
    fn the_printed_pairs_are_equal_or_not_as_printed() {
        // Tables 4.3 to 4.6 of the thesis: both similarities, and EQ.
        let printed = [
            (0.95, 0.95, true),
            (0.87, 0.73, false),
            (0.86, 0.91, true),
            (0.85, 0.83, true),
            (0.61, 0.41, false),
            (0.23, 0.1, false),
            (0.91, 0.95, true),
            (0.63, 0.11, false),
            (0.85, 0.97, true),
            (0.25, 0.12, false),
            (0.89, 0.85, true),
            (0.83, 0.85, true),
        ];
        for (there, back, expected) in printed {
            assert_eq!(THESIS.holds(there, back), expected, "{there} {back}");
        }
        // In none of them does the variation decide.
        let any = Equality { variation: 1.0, ..THESIS };
        assert!(printed.iter().all(|&(there, back, equal)| any.holds(there, back) == equal));
    }

    #[test]
    fn words_that_come_again_count_again() {
        let mut features = Features::default();
        for words in [vec![1, 1, 2], vec![1, 3, 3]] {
            let word = |key| Feature { key, weight: 1, count: 1 };
            features.push(&mut words.into_iter().map(word).collect::<Vec<_>>(), true);
        }
        let correlations = Arc::new(Correlations::new(&[(2, 3, 0.5)]).expect("a pair"));
        let fuzzy = Fuzzy::new(&features, &correlations, THESIS);
        // (1 + 1 + (1 − 0.5²)) / 3 and (1 + 0.5 + 0.5) / 3.
        assert_close(&[fuzzy.similarity(0, 1, 0.0).expect("all")], &[2.75 / 3.0]);
        assert_close(&[fuzzy.similarity(1, 0, 0.0).expect("all")], &[2.0 / 3.0]);
    }
}
