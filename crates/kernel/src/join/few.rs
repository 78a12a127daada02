//! The search for what matches one of a few sentences: these are compared with all others.
//!
//! A document that asks an index is joined with the few that may be related to it. To index the sentences
//! of these takes longer than to compare them with its own.

use super::candidates::Search;
use super::met::Met;
use super::overlap::Measure;
use super::verify::distance;
use crate::features::Features;
use crate::hamming::radius::Radius;
use crate::hamming::search::{Index, Lacking, Near};

/// So many sentences are few.
const FEW: usize = 16;

/// A few sentences among others.
pub struct Few<'a> {
    features: &'a Features,
    /// Which they are, as it is asked for.
    wanted: Vec<bool>,
    few: Vec<u32>,
    /// The largest distance of signatures; `None`: all that match are found.
    radius: Option<u32>,
}

impl<'a> Few<'a> {
    /// Those that are `wanted`, where they are few, and another search would find just what matches or
    /// has a signature within a radius.
    pub fn new(
        features: &'a Features,
        wanted: Vec<bool>,
        (measure, threshold): (Measure, f64),
        near: Option<Near>,
    ) -> Option<Self> {
        let few: Vec<u32> = (0..).zip(&wanted).filter(|row| *row.1).map(|row| row.0).collect();
        if wanted.is_empty() || few.len() > FEW {
            return None;
        }
        let radius = match near {
            None => None,
            Some(Near { index: Index::Words { lacking, .. }, .. })
                if lacking == Lacking::Matching(measure, threshold) =>
            {
                None
            }
            Some(Near {
                index: Index::MultiIndex | Index::Scan | Index::Table,
                radius: Radius::Fixed(radius),
                ..
            }) => Some(radius),
            Some(_) => return None,
        };
        Some(Self { features, wanted, few, radius })
    }
}

impl Search for Few<'_> {
    fn look_up(&self, probe: usize, met: &mut Met) {
        let own = self.features.sketch(probe);
        let is_near = |other: &u32| {
            let other = self.features.sketch(*other as usize);
            self.radius.is_none_or(|radius| distance(own, other) <= radius)
        };
        if self.wanted[probe] {
            let all = 0..self.features.n_units() as u32;
            all.filter(is_near).for_each(|other| met.meet(other));
        } else {
            self.few.iter().copied().filter(is_near).for_each(|other| met.meet(other));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::Cancel;
    use crate::features::Feature;
    use crate::features::sentences::Signatures;
    use crate::hamming::search::SignatureSearch;
    use crate::join::candidates::{Match, matches};
    use crate::join::scope::Wanted;
    use crate::join::verify::Verification;
    use proptest::prelude::*;

    const SIGNATURES: Signatures = Signatures { bits: 16, bits_per_word: 2 };

    proptest! {
        #[test]
        fn a_few_find_what_another_search_finds_of_them(
            sentences in prop::collection::vec(
                (prop::collection::btree_set(1_u64..9, 0..5), any::<bool>()), 1..12),
            threshold in 0.05_f64..1.0,
            radius in prop::option::of(0_u32..6),
            are_words in any::<bool>(),
        ) {
            let mut features = Features { sketch_width: 1, ..Features::default() };
            for (sentence, _) in &sentences {
                let word = |&key: &u64| Feature { key, weight: key, count: 1 };
                let mut signature = [0];
                sentence.iter().for_each(|&word| SIGNATURES.add(word, &mut signature));
                features.sketches.extend(signature);
                features.push(&mut sentence.iter().map(word).collect::<Vec<_>>(), false);
            }
            let wanted: Vec<bool> = sentences.iter().map(|sentence| sentence.1).collect();
            let by = (Measure::SelfNorm, threshold);
            let words = Near::words(by.0, by.1);
            let near = radius.map_or(are_words.then_some(words), |radius| Some(Near {
                index: Index::MultiIndex, radius: Radius::Fixed(radius), signatures: SIGNATURES,
            }));
            let few = Few::new(&features, wanted.clone(), by, near).expect("they are few");
            let other = SignatureSearch::new(&features, near.unwrap_or(words));
            let verification = Verification::Overlap { measure: by.0, threshold, near };
            let verify = verification.bind(&features);
            let both = Wanted::new(wanted.iter().map(|&wanted| wanted.into()).collect(), 1);
            let found = |search: &dyn Search| {
                let n = sentences.len();
                let found = matches(n, search, &*verify, false, &both, &Cancel::default());
                let mut found: Vec<Match> = found.expect("nothing cancels").0;
                // Whether a sentence finds itself does not matter.
                found.retain(|found| found.probe != found.store);
                found.dedup();
                found
            };
            prop_assert_eq!(found(&few), found(&other));
        }
    }
}
