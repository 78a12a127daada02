//! How much of a document is in another: its vocabulary, and its sentences in their best windows.

use super::pair::{Pair, Side};
use super::weights::NONE;
use crate::cancel::Cancel;
use crate::error::Result;

/// The share of the weight of a side's distinct stems that the other side has.
pub fn vocabulary_share(pair: &Pair<'_>, side: Side) -> f64 {
    let weights = pair.weights_of(side);
    let partners = pair.partners_of(side);
    let common: f64 =
        weights.iter().zip(partners).filter(|(_, partner)| **partner != NONE).map(|(w, _)| w).sum();
    ratio(common, weights.iter().sum())
}

/// The share of the weight of a side's sentences that their best window of so many sentences of the
/// other side has. Boilerplate does not count.
pub fn window_share(pair: &Pair<'_>, side: Side, window: usize, cancel: &Cancel) -> Result<f64> {
    let (own, other) = (pair.document(side), pair.document(side.other()));
    let (weights, partners) = (pair.weights_of(side), pair.partners_of(side));
    let windows = other.sentences.len();
    let mut sums = vec![0.0f64; windows];
    let mut touched: Vec<usize> = Vec::new();
    let (mut found, mut whole) = (0.0, 0.0);
    for (n, sentence) in own.sentences.iter().enumerate() {
        if n % 64 == 0 {
            cancel.check()?;
        }
        if sentence.is_boilerplate {
            continue;
        }
        let mut total = 0.0;
        for term in own.terms_of(n) {
            let weight = weights[term.stem as usize];
            total += weight;
            let partner = partners[term.stem as usize];
            if partner == NONE {
                continue;
            }
            // The window that starts at a sentence, and those that reach it.
            let mut next = 0;
            for &holder in other.holders(partner) {
                let holder = holder as usize;
                for start in next.max((holder + 1).saturating_sub(window))..=holder {
                    if sums[start] == 0.0 {
                        touched.push(start);
                    }
                    sums[start] += weight;
                }
                next = holder + 1;
            }
        }
        found += touched.iter().map(|start| sums[*start]).fold(0.0, f64::max);
        whole += total;
        touched.drain(..).for_each(|start| sums[start] = 0.0);
    }
    Ok(ratio(found, whole))
}

/// The mean of the best cosines of a side's sentences, longer sentences counting more.
pub fn likeness_share(pair: &Pair<'_>, side: Side, best: &[f64]) -> f64 {
    let sentences = &pair.document(side).sentences;
    let length = |n: usize| f64::from(sentences[n].span.1 - sentences[n].span.0);
    let counted = || (0..sentences.len()).filter(|n| !sentences[*n].is_boilerplate);
    ratio(counted().map(|n| length(n) * best[n]).sum(), counted().map(length).sum())
}

/// The share of a side's runs of `size` words that the other side has.
pub fn gram_share(pair: &Pair<'_>, side: Side, size: usize) -> f64 {
    use crate::hash;
    let grams = |words: &[u32]| -> Vec<u64> {
        let hash =
            |gram: &[u32]| gram.iter().fold(0, |hash, word| hash::extend(hash, u64::from(*word)));
        let mut found: Vec<u64> = words.windows(size).map(hash).collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    let own = grams(&pair.document(side).folded);
    let there = grams(&pair.document(side.other()).folded);
    let common = own.iter().filter(|gram| there.binary_search(gram).is_ok()).count();
    ratio(common as f64, own.len() as f64)
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { (part / whole).min(1.0) } else { 0.0 }
}
