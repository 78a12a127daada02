//! Which sentences of a document look for others.
//!
//! Documents are related if enough of the sentences of one have a match in the other. Of n sentences of
//! which m must have one, any n - m + 1 miss no related document: the others cannot be enough by
//! themselves. That is prefix filtering (Bayardo, Ma, Srikant, "Scaling up all pairs similarity search",
//! WWW 2007), of documents as sets of sentences. Those that look up the rarest words ask: what all
//! sentences would meet is mostly what those of frequent words meet. With some more that ask, as many
//! more must have a match, and a single sentence that two documents share does not make them candidates
//! (Wang, Li, Feng, "Can we beat the prefix filtering?", SIGMOD 2012).

use crate::features::Features;

/// 1 / log(2), in units of 2⁻³².
const BITS: u128 = 6_196_328_019;

/// The fewest of so many sentences that are a share of them; at least one.
pub fn needed(total: u64, share: f64) -> u64 {
    ((share * total as f64 * (1.0 - 1e-9)).ceil() as u64).min(total).max(1)
}

/// One more sentence asks for so many.
const MORE: u64 = 8;

/// How many of so many sentences ask, if a share of them has to match.
pub fn asking_of(total: u64, share: f64) -> u64 {
    let fewest = total.saturating_add(1).saturating_sub(needed(total, share));
    fewest.saturating_add(total / MORE).min(total)
}

/// How many of those that ask have a match at least, if a share of all has one.
pub fn least_of(total: u64, share: f64) -> u64 {
    needed(total, share).saturating_add(asking_of(total, share)).saturating_sub(total).max(1)
}

/// How many sentences have a word of this idf, about, as a part of 2⁶²: a power of two for whole
/// numbers of bits, and a straight line between them, which is the same on all machines.
pub fn share_of(idf: u64) -> u64 {
    let bits = (u128::from(idf) * BITS) >> 32;
    let between = (bits & u128::from(u32::MAX)) as u64;
    (((1 << 33) - between) << 29).checked_shr((bits >> 32).min(64) as u32).unwrap_or(0)
}

/// What it costs a sentence to look up so many of its words, the rarest.
fn cost(features: &Features, unit: usize, words: usize) -> u128 {
    let mut weights = features.weights[features.range(unit)].to_vec();
    weights.sort_unstable_by(|a, b| b.cmp(a));
    weights.iter().take(words).map(|&idf| u128::from(share_of(idf))).sum()
}

/// The sentences that ask for a document: of these, which are different, with how many words each looks
/// up, as many as are needed if a `share` of all has to match.
pub fn asking(features: &Features, sentences: &[(usize, usize)], share: f64) -> Vec<usize> {
    let many = asking_of(sentences.len() as u64, share) as usize;
    let cost = |&(unit, words): &(usize, usize)| (cost(features, unit, words), unit);
    let mut costs: Vec<(u128, usize)> = sentences.iter().map(cost).collect();
    costs.sort_unstable();
    costs.into_iter().take(many).map(|(_, unit)| unit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::{Feature, to_units};
    use proptest::prelude::*;

    #[test]
    fn rare_words_are_in_few_sentences() {
        for sentences in [1.0, 2.0, 3.0, 1000.0, 1e7_f64] {
            let share = share_of(to_units(sentences.ln())) as f64 / 2.0_f64.powi(62);
            assert!((share * sentences - 1.0).abs() < 0.07, "{sentences}: {share}");
        }
        assert_eq!(share_of(u64::MAX), 0);
    }

    #[test]
    fn a_number_that_no_document_has_is_no_reason_to_fail() {
        for total in [u64::MAX, u64::MAX - 1, 0] {
            assert!(asking_of(total, 0.5) <= total);
            assert!(least_of(total, 0.5) >= 1);
        }
    }

    #[test]
    fn those_of_rare_words_ask() {
        let mut features = Features::default();
        for weight in [3, 1, 4, 2, 9] {
            let word = |key| Feature { key, weight: to_units(f64::from(weight)), count: 1 };
            features.push(&mut [1, 2].map(word), false);
        }
        let sentences: Vec<(usize, usize)> = (0..5).map(|unit| (unit, 1)).collect();
        assert_eq!(asking(&features, &sentences, 0.5), [4, 2, 0]);
        assert_eq!(asking(&features, &sentences, 1.0), [4]);
        assert_eq!(asking(&features, &sentences, 0.0), [4, 2, 0, 3, 1]);
        assert!(asking(&features, &[], 0.5).is_empty());
    }

    proptest! {
        #[test]
        fn what_reaches_a_share_is_as_many_as_needed(
            total in 1_u64..60, part in 0_u64..60, share in 0.0_f64..1.0, twentieths in 0_u32..21,
        ) {
            for share in [share, f64::from(twentieths) / 20.0] {
                let reaches = part as f64 >= share * total as f64 * (1.0 - 1e-9);
                prop_assert_eq!(reaches && part > 0, part >= needed(total, share));
            }
        }

        #[test]
        fn of_those_that_ask_enough_match_wherever_enough_of_all_do(
            matching in prop::collection::vec(any::<bool>(), 1..60), share in 0.0_f64..1.0,
        ) {
            let total = matching.len() as u64;
            let many = |some: &[bool]| some.iter().filter(|is_match| **is_match).count() as u64;
            let ask = asking_of(total, share) as usize;
            if many(&matching) >= needed(total, share) {
                prop_assert!(many(&matching[..ask]) >= least_of(total, share));
                prop_assert!(many(&matching[matching.len() - ask..]) >= least_of(total, share));
            }
        }
    }
}
