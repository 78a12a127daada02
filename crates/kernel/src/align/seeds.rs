//! Which sentences of two documents are alike: cosines of weighted stems.
//!
//! x(s) = ln(1 + tf)·w. Only what can reach the floor is compared: the stems of a sentence whose
//! best contributions stay below the floor together are not looked up, and what shares none of the
//! others is not met. Of equal sentences one is compared.

use super::document::Document;
use super::pair::Pair;
use super::weights::NONE;
use crate::cancel::Cancel;
use crate::effort::{BETWEEN_CHECKS, steps};
use crate::error::Result;

/// How many steps it is to compare two sentences.
const CHECK: usize = 8;

/// A sentence is the seed of no more partners than this, the most alike: a refrain would be alike
/// all others.
const MAX_PARTNERS: usize = 64;

/// Two sentences that are alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seed {
    /// The sentence of left.
    pub left: u32,
    /// The sentence of right.
    pub right: u32,
    /// Their cosine.
    pub cosine: f64,
}

/// The sentence vectors of one side, each of length 1.
struct Vectors {
    values: Vec<f64>,
}

impl Vectors {
    fn new(document: &Document, weights: &[f64]) -> Self {
        let mut values = Vec::with_capacity(document.terms.len());
        for n in 0..document.sentences.len() {
            let start = values.len();
            values.extend(document.terms_of(n).iter().map(|t| t.damped * weights[t.stem as usize]));
            let length = values[start..].iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.0 {
                values[start..].iter_mut().for_each(|x| *x /= length);
            }
        }
        Self { values }
    }
}

/// The pairs of sentences with a cosine of more than the floor, by left and right.
pub fn seeds(pair: &Pair<'_>, floor: f64, cancel: &Cancel) -> Result<Vec<Seed>> {
    let mut finder = Finder::new(pair, floor);
    let left = pair.left;
    let mut found: Vec<Seed> = Vec::new();
    // Where the seeds of each sentence are, if it may come again.
    let mut rows: Vec<std::ops::Range<usize>> = Vec::new();
    for n in 0..left.sentences.len() {
        if n % BETWEEN_CHECKS == 0 {
            cancel.check()?;
        }
        let (first, start) = (left.by_stem.first(n), found.len());
        if first == n {
            found.extend_from_slice(finder.row(n));
        } else {
            let same = rows[first].clone();
            found.extend_from_within(same);
            found[start..].iter_mut().for_each(|seed| seed.left = n as u32);
        }
        if left.by_stem.repeats() {
            rows.push(start..found.len());
        }
    }
    Ok(found)
}

/// Finds the sentences of right that are like one of left.
struct Finder<'p, 'd> {
    pair: &'p Pair<'d>,
    floor: f64,
    lefts: Vectors,
    rights: Vectors,
    /// The highest value of each stem of right.
    highest: Vec<f64>,
    /// What is asked for, by the stems of right.
    scattered: Vec<f64>,
    /// The sentence of left that met each of right last.
    met: Vec<u32>,
    shared: Vec<(f64, u32)>,
    row: Vec<Seed>,
    /// How many sentences were met.
    looked: u64,
}

impl<'p, 'd> Finder<'p, 'd> {
    fn new(pair: &'p Pair<'d>, floor: f64) -> Self {
        let (left, right, weights) = (pair.left, pair.right, &pair.weights);
        let lefts = Vectors::new(left, &weights.sides[0]);
        let rights = Vectors::new(right, &weights.sides[1]);
        let mut highest = vec![0.0f64; right.stems.len()];
        for (term, value) in right.terms.iter().zip(&rights.values) {
            let best = &mut highest[term.stem as usize];
            *best = best.max(*value);
        }
        let scattered = vec![0.0f64; right.stems.len()];
        let met = vec![NONE; right.sentences.len()];
        let (shared, row) = Default::default();
        Self { pair, floor, lefts, rights, highest, scattered, met, shared, row, looked: 0 }
    }

    /// The seeds of a sentence of left.
    fn row(&mut self, n: usize) -> &[Seed] {
        let Self { lefts, rights, highest, scattered, met, shared, row, .. } = self;
        let (left, right, weights) = (self.pair.left, self.pair.right, &self.pair.weights);
        shared.clear();
        row.clear();
        let range = left.sentences[n].terms.clone();
        for (term, value) in left.terms_of(n).iter().zip(&lefts.values[range]) {
            let partner = weights.partners[0][term.stem as usize];
            if partner != NONE {
                scattered[partner as usize] = *value;
                shared.push((value * highest[partner as usize], partner));
            }
        }
        shared.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        // What the least of them contribute together is not enough.
        let mut bound = 0.0;
        let few = shared.iter().take_while(|&&(contribution, _)| {
            bound += contribution;
            bound <= self.floor
        });
        let first = few.count();
        let mut steps = steps(right.sentences.len());
        // Those that contribute most come first: they are rare.
        'stems: for &(_, stem) in shared[first..].iter().rev() {
            for &other in right.by_stem.firsts(stem) {
                if steps < CHECK {
                    break 'stems;
                }
                steps -= 1;
                self.looked += 1;
                if met[other as usize] == n as u32 {
                    continue;
                }
                met[other as usize] = n as u32;
                steps -= CHECK - 1;
                let range = right.sentences[other as usize].terms.clone();
                let cosine: f64 = right.terms[range.clone()]
                    .iter()
                    .zip(&rights.values[range])
                    .map(|(term, value)| scattered[term.stem as usize] * value)
                    .sum();
                if cosine > self.floor {
                    let equal = right.by_stem.equal(other).take(MAX_PARTNERS);
                    let seed = |right| Seed { left: n as u32, right, cosine: cosine.min(1.0) };
                    row.extend(equal.map(seed));
                }
            }
        }
        for &(_, stem) in shared.iter() {
            scattered[stem as usize] = 0.0;
        }
        row.sort_unstable_by(|a, b| b.cosine.total_cmp(&a.cosine).then(a.right.cmp(&b.right)));
        row.truncate(MAX_PARTNERS);
        row.sort_unstable_by_key(|seed| seed.right);
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::parameters::Parameters;
    use crate::align::tests::{documents, text};
    use proptest::prelude::*;

    /// Cosines of all pairs of sentences, the obvious way.
    fn all(pair: &Pair<'_>, floor: f64) -> Vec<(u32, u32)> {
        let vector = |document: &Document, weights: &[f64], n: usize| -> Vec<(u64, f64)> {
            let terms = document.terms_of(n).iter();
            terms
                .map(|t| (document.stems[t.stem as usize], t.damped * weights[t.stem as usize]))
                .collect()
        };
        let length = |v: &[(u64, f64)]| v.iter().map(|(_, x)| x * x).sum::<f64>().sqrt();
        let mut found = Vec::new();
        for l in 0..pair.left.sentences.len() {
            for r in 0..pair.right.sentences.len() {
                let a = vector(pair.left, &pair.weights.sides[0], l);
                let b = vector(pair.right, &pair.weights.sides[1], r);
                let across =
                    |stem: u64| b.iter().find(|(other, _)| *other == stem).map_or(0.0, |t| t.1);
                let dot: f64 = a.iter().map(|(stem, x)| x * across(*stem)).sum();
                if dot / (length(&a) * length(&b)) > floor + 1e-9 {
                    found.push((l as u32, r as u32));
                }
            }
        }
        found
    }

    proptest! {
        #[test]
        fn none_is_missed(
            left in prop::collection::vec(prop::collection::vec("[a-h]{2}", 1..6), 1..12),
            right in prop::collection::vec(prop::collection::vec("[a-h]{2}", 1..6), 1..12),
            again in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
            floor in 0.05f64..0.9,
        ) {
            let (mut left, mut right) = (left, right);
            for n in again {
                left.push(left[n.index(left.len())].clone());
                right.push(right[n.index(right.len())].clone());
            }
            let documents = documents(&[&text(&left), &text(&right)], &Parameters::default());
            let pair = Pair::new(&documents[0], &documents[1]);
            let found = seeds(&pair, floor, &Cancel::default()).expect("nothing cancels");
            let sure: Vec<(u32, u32)> =
                found.iter().filter(|s| s.cosine > floor + 1e-9).map(|s| (s.left, s.right)).collect();
            prop_assert_eq!(sure, all(&pair, floor));
        }
    }

    #[test]
    fn the_work_grows_with_the_length_of_documents() {
        let looked = |n: usize, sentence: &dyn Fn(usize, usize) -> String| {
            let text = |d: usize| (0..n).map(|k| sentence(d, k)).collect::<Vec<_>>().join("\n\n");
            let documents = documents(&[&text(0), &text(1)], &Parameters::default());
            let pair = Pair::new(&documents[0], &documents[1]);
            let mut finder = Finder::new(&pair, 0.25);
            let firsts = (0..n).filter(|&n| pair.left.by_stem.first(n) == n);
            firsts.for_each(|n| _ = finder.row(n));
            finder.looked
        };
        let repeated = |_: usize, _: usize| "The old dam above the town broke.".to_owned();
        let refrain = |d: usize, k: usize| {
            if k % 2 == d { repeated(0, 0) } else { format!("dam {k} broke.") }
        };
        let few_words = |d: usize, k: usize| format!("dam {} broke {}.", (k * k + d) % 20, k % 7);
        for sentence in [&repeated as &dyn Fn(usize, usize) -> String, &refrain, &few_words] {
            let [few, many] = [256, 2048].map(|n| looked(n, sentence));
            assert!(many <= 9 * few + 1024, "{few} {many}");
        }
    }

    #[test]
    fn equal_sentences_have_equal_seeds() {
        let words = |n: usize| ["the dam broke", "ten people died", "it rains"][n % 3];
        let text = |n: usize| (0..n).map(words).collect::<Vec<_>>().join(".\n\n");
        let documents = documents(&[&text(9), &text(300)], &Parameters::default());
        let pair = Pair::new(&documents[0], &documents[1]);
        let found = seeds(&pair, 0.25, &Cancel::default()).expect("nothing cancels");
        let of = |n: u32| -> Vec<u32> {
            found.iter().filter(|seed| seed.left == n).map(|seed| seed.right).collect()
        };
        assert_eq!(of(4), (0..MAX_PARTNERS as u32).map(|n| 3 * n + 1).collect::<Vec<_>>());
        assert_eq!((of(4), of(7)), (of(1), of(1)));
    }
}
