//! The join with verification: which units match, for every pair that is met.

use rayon::prelude::*;

use super::candidates::{Search, matches};
use super::counting::Counting;
use super::few::Few;
use super::groups::Times;
use super::inverted::Inverted;
use super::matches::Matches;
use super::meeting::Meeting;
use super::pairs::{JoinOptions, spread};
use super::retold::Retold;
use super::roll_up::{RollUp, Weighing};
use super::rows::{GroupPair, Joined, Rows};
use super::scope::Wanted;
use super::telling::Telling;
use super::units::{Sentences, Units};
use super::verify::{Verification, Verify};
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::features::{Features, Keys, from_units};
use crate::hamming::search::{Near, SignatureSearch};

/// Pairs of documents, and the matches of distinct sentences they come from.
#[derive(Debug, Default)]
pub struct Verified {
    /// The pairs.
    pub joined: Joined,
    /// The matches; `None` where documents are the units.
    pub matches: Option<Matches>,
    /// What each distinct sentence weighs, where they do not all weigh the same.
    pub weights: Vec<u64>,
}

/// Join units that share a key, where `store` are the keys of what is stored and `probe` those
/// that are looked up; `None`: the same. Where words of sentences are compared, keys are not looked at.
pub fn verified_join(
    collection: &Distinct<'_>,
    keys: (&Keys, Option<&Keys>),
    verification: &Verification,
    options: &JoinOptions,
    cancel: &Cancel,
) -> Result<Verified> {
    let (store, probe) = keys;
    let sentences = collection.units.sentences.as_ref();
    let wanted = sentences.map_or_else(Wanted::default, |s| options.scope.of_sentences(s));
    let signed = |near| Box::new(SignatureSearch::new(collection.features, near));
    let search: Box<dyn Search> = match *verification {
        Verification::Overlap { measure, threshold, near } => {
            match (Few::new(collection.features, wanted.fewest(), (measure, threshold), near), near)
            {
                (Some(few), _) => Box::new(few),
                (None, Some(near)) => signed(near),
                // What the keys find, and hardly any that do not match: sentences of an enumeration share
                // most of their words, and a long one shares a word with nearly every other.
                (None, None) => signed(Near::words(measure, threshold)),
            }
        }
        _ => Box::new(Inverted::new(store, probe.unwrap_or(store), cancel)?),
    };
    let verify = verification.bind(collection.features);
    let join = Join { of: collection, options, counting: verification.counting(), cancel };
    match sentences {
        None => join.documents(&*search, &*verify, probe.is_none()),
        Some(sentences) => {
            let n = sentences.n_distinct();
            let (found, checked) = matches(n, &*search, &*verify, false, &wanted, cancel)?;
            join.roll_up(sentences, Matches::new(n, &found), None, checked)
        }
    }
}

/// Join sentences that retell each other. Which are `common` is said for each.
pub fn retold_join(
    collection: &Distinct<'_>,
    meeting: &Meeting,
    common: Vec<bool>,
    verification: &Verification,
    options: &JoinOptions,
    cancel: &Cancel,
) -> Result<Verified> {
    let &Verification::Retold { alike, proof, .. } = verification else {
        let message = "only sentences that retell each other are joined by meeting";
        return Err(Error::Parameter(message.into()));
    };
    // No documents, no sentences.
    let Some(sentences) = &collection.units.sentences else { return Ok(Verified::default()) };
    let n = sentences.n_distinct();
    let features = collection.features;
    let wanted = options.scope.of_sentences(sentences);
    let (retold, before) =
        rayon::join(|| Retold::new(features, alike), || meeting.before(&wanted, cancel));
    let before = before?;
    let telling = Telling { features, common: &common, proof };
    let told = |pair: [u32; 2], score: f64| {
        if score >= proof.score { telling.in_order(pair) } else { 0 }
    };
    let (pairs, checked) = retold.pairs(&before, &wanted, told, cancel)?;
    let alone = (0..n as u32).into_par_iter().map(|sentence| telling.alone(sentence)).collect();
    let matches = Matches::both_ways(n, &pairs, alone);
    drop((pairs, before));
    let weighing = Weighing { weights: retold.weights(), common, proof };
    drop(retold);
    let join = Join { of: collection, options, counting: Counting::Exists, cancel };
    let verified = join.roll_up(sentences, matches, Some(&weighing), checked)?;
    Ok(Verified { weights: weighing.weights, ..verified })
}

/// The distinct units of a collection, and what is known of its documents.
#[derive(Debug, Clone, Copy)]
pub struct Distinct<'a> {
    /// Who holds which unit.
    pub units: &'a Units,
    /// The features of each unit.
    pub features: &'a Features,
    /// When the documents were published.
    pub times: &'a Times,
    /// What stands for their texts.
    pub text_hashes: &'a [u128],
}

struct Join<'a> {
    of: &'a Distinct<'a>,
    options: &'a JoinOptions,
    counting: Counting,
    cancel: &'a Cancel,
}

impl Join<'_> {
    fn documents(
        &self,
        search: &dyn Search,
        verify: &dyn Verify,
        only_earlier: bool,
    ) -> Result<Verified> {
        let features = self.of.features;
        let n = features.n_units();
        // Group n is unit n.
        let wanted = self.options.scope.of_groups(&self.of.units.groups);
        let (found, checked) = matches(n, search, verify, only_earlier, &wanted, self.cancel)?;
        let totals: Vec<f64> = (0..n).map(|unit| from_units(features.total(unit))).collect();
        let is_enough = |shared: f64, unit: u32| {
            shared >= self.options.floor * totals[unit as usize] * (1.0 - 1e-12)
        };
        let pairs: Vec<GroupPair> = found
            .into_iter()
            .filter(|m| m.score > 0.0)
            .filter(|m| is_enough(m.score, m.probe) || is_enough(m.score, m.store))
            .map(|m| GroupPair {
                a: m.probe.min(m.store),
                b: m.probe.max(m.store),
                shared: [m.score; 2],
                is_proved: false,
            })
            .collect();
        let shared = |a: usize, b: usize| [verify.check(a, b).unwrap_or(0.0); 2];
        let joined = self.spread(&pairs, &totals, shared, checked)?;
        Ok(Verified { joined, ..Verified::default() })
    }

    fn roll_up(
        &self,
        sentences: &Sentences,
        matches: Matches,
        weighing: Option<&Weighing>,
        checked: u64,
    ) -> Result<Verified> {
        let n_groups = self.of.units.groups.len();
        let roll_up = RollUp::new(sentences, &matches, n_groups, self.counting, weighing);
        let wanted = self.options.scope.of_groups(&self.of.units.groups);
        let pairs = roll_up.pairs(self.options.floor, &wanted, self.cancel)?;
        let totals: Vec<f64> = roll_up.totals.iter().map(|&total| roll_up.amount(total)).collect();
        let shared = |a: usize, b: usize| {
            [(a, b), (b, a)].map(|(x, y)| roll_up.amount(roll_up.matched(x, y).weight))
        };
        let joined = self.spread(&pairs, &totals, shared, checked)?;
        Ok(Verified { joined, matches: Some(matches), weights: Vec::new() })
    }

    fn spread(
        &self,
        pairs: &[GroupPair],
        totals: &[f64],
        shared: impl Fn(usize, usize) -> [f64; 2],
        checked: u64,
    ) -> Result<Joined> {
        let rows = Rows::new(self.of.times, self.of.text_hashes, checked, &self.options.scope);
        let groups = &self.of.units.groups;
        spread(rows, groups, pairs, totals, shared, self.options.all_pairs, self.cancel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::keys::Among;
    use crate::features::{Feature, to_units};
    use crate::join::overlap::{Measure, prefixes};
    use crate::join::scope::Scope;
    use crate::join::verify::distance;
    use proptest::prelude::*;

    type Row = (u32, u32, u64, u64);

    fn rows(
        features: &Features,
        keys: impl Fn(&Features) -> (Keys, Option<Keys>),
        verification: &Verification,
        window: Option<i64>,
        published: &[Option<i64>],
    ) -> Vec<Row> {
        scoped(features, keys, verification, window, published, Scope::All)
    }

    fn scoped(
        features: &Features,
        keys: impl Fn(&Features) -> (Keys, Option<Keys>),
        verification: &Verification,
        window: Option<i64>,
        published: &[Option<i64>],
        scope: Scope,
    ) -> Vec<Row> {
        let ids: Vec<String> = (0..features.n_documents()).map(|n| format!("{n:04}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let times = Times::new(&ids, published[..ids.len()].to_vec(), window, &Cancel::default())
            .expect("times");
        let texts: Vec<u128> = (0..ids.len() as u128).collect();
        let (units, distinct) =
            Units::new(features.clone(), &times, &texts, &Cancel::default()).expect("units");
        let (store, probe) = keys(&distinct);
        let collection =
            Distinct { units: &units, features: &distinct, times: &times, text_hashes: &texts };
        let found = verified_join(
            &collection,
            (&store, probe.as_ref()),
            verification,
            &JoinOptions { floor: 0.0, all_pairs: true, scope },
            &Cancel::default(),
        );
        let joined = found.expect("nothing cancels").joined;
        let row = |n: usize| {
            let [shared, right] = [joined.shared[n], joined.right_shared[n]];
            (joined.left[n], joined.right[n], shared.round() as u64, right.round() as u64)
        };
        let mut rows: Vec<Row> = (0..joined.left.len()).map(row).collect();
        rows.sort_unstable();
        rows
    }

    /// Every pair of documents inside the window, left first, of which something is shared.
    fn double_loop(
        n: usize,
        window: Option<i64>,
        published: &[Option<i64>],
        shared: impl Fn(usize, usize) -> Option<[u64; 2]>,
    ) -> Vec<Row> {
        let mut rows = Vec::new();
        for a in 0..n {
            for b in 0..n {
                let near = match (window, published[a], published[b]) {
                    (Some(w), Some(x), Some(y)) => (x - y).abs() <= w,
                    _ => true,
                };
                let is_left = match (published[a], published[b]) {
                    (Some(x), Some(y)) => (x, a) < (y, b),
                    _ => a < b,
                };
                if near
                    && is_left
                    && let Some([left, right]) = shared(a, b)
                {
                    rows.push((a as u32, b as u32, left, right));
                }
            }
        }
        rows.sort_unstable();
        rows
    }

    /// The four quarters of a sketch: two that differ in at most three bits agree in one.
    fn quarters(features: &Features) -> Keys {
        let mut keys = Keys::default();
        for unit in 0..features.n_units() {
            let empty = features.range(unit).is_empty();
            let sketch = features.sketch(unit)[0];
            keys.push(
                (0..if empty { 0 } else { 4 })
                    .map(|n| crate::hash::extend(n, sketch >> (16 * n) & 0xFFFF)),
            );
        }
        keys
    }

    proptest! {
        #[test]
        fn documents_within_a_distance_are_those_of_the_double_loop(
            sketches in prop::collection::vec(prop::option::of(prop::collection::vec(0..64_u32, 0..4)), 0..14),
            published in prop::collection::vec(prop::option::of(0_i64..20), 14),
            window in prop::option::of(0_i64..12),
            distance_at_most in 0..4_u32,
            both_keys in any::<bool>(),
        ) {
            let mut features = Features { sketch_width: 1, ..Features::default() };
            for bits in &sketches {
                let sketch = bits.iter().flatten().fold(0, |sketch, bit| sketch | 1_u64 << bit);
                let feature = Feature { key: sketch, weight: to_units(64.0), count: 1 };
                features.push(&mut vec![feature; usize::from(bits.is_some())], false);
                features.sketches.push(sketch);
            }
            let verification = Verification::Hamming { distance: distance_at_most };
            let keys = |features: &Features| (quarters(features), both_keys.then(|| quarters(features)));
            let found = rows(&features, keys, &verification, window, &published);
            let expected = double_loop(sketches.len(), window, &published, |a, b| {
                sketches[a].as_ref().zip(sketches[b].as_ref())?;
                let apart = distance(features.sketch(a), features.sketch(b));
                (apart <= distance_at_most).then(|| [u64::from(64 - apart); 2])
            });
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn sentences_with_a_match_are_those_of_the_double_loop(
            documents in prop::collection::vec(
                prop::collection::vec(prop::collection::btree_set(1_u64..9, 0..5), 0..4), 0..8),
            published in prop::collection::vec(prop::option::of(0_i64..20), 8),
            window in prop::option::of(0_i64..12),
            threshold in 0.05_f64..1.0,
            measure in 0..3_usize,
            sides in prop::collection::vec(any::<bool>(), 8),
        ) {
            let measure = [Measure::Plain, Measure::Idf, Measure::SelfNorm][measure];
            let mut features = Features::default();
            for document in &documents {
                for sentence in document {
                    let word = |&key: &u64| Feature { key, weight: key, count: 1 };
                    features.push(&mut sentence.iter().map(word).collect::<Vec<_>>(), false);
                }
                features.end_document();
            }
            let verification = Verification::Overlap { measure, threshold, near: None };
            let keys = |features: &Features| {
                (Keys::from(features), Some(prefixes(features, measure, threshold)))
            };
            let found = rows(&features, keys, &verification, window, &published);
            let words = |s: &std::collections::BTreeSet<u64>| s.iter().copied().collect::<Vec<u64>>();
            let matched = |a: usize, b: usize| {
                let distinct: std::collections::BTreeSet<_> = documents[a].iter().collect();
                let has_match = |q: &&std::collections::BTreeSet<u64>| {
                    let q = words(q);
                    documents[b].iter().any(|r| {
                        measure.between(&q, &q, &words(r), threshold).is_some()
                    })
                };
                distinct.into_iter().filter(|q| !q.is_empty()).filter(has_match).count() as u64
            };
            let expected = double_loop(documents.len(), window, &published, |a, b| {
                let both = [matched(a, b), matched(b, a)];
                (both != [0, 0]).then_some(both)
            });
            let sides = sides[..documents.len()].to_vec();
            let is_across = |row: &Row| sides[row.0 as usize] != sides[row.1 as usize];
            let across: Vec<Row> = expected.iter().copied().filter(is_across).collect();
            let scope = Scope::Across(sides.clone());
            let told = scoped(&features, keys, &verification, window, &published, scope);
            prop_assert_eq!(told, across);
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_frequent_sentence_is_taken_out_of_every_document() {
        let mut features = Features::default();
        for own in 10..14_u64 {
            for words in [[1, 2], [own, own + 100]] {
                let word = |key| Feature { key, weight: 1, count: 1 };
                features.push(&mut words.map(word), false);
            }
            features.end_document();
        }
        let times = Times::new(&["a", "b", "c", "d"], vec![None; 4], None, &Cancel::default())
            .expect("times");
        let (mut units, distinct) =
            Units::new(features, &times, &[0, 1, 2, 3], &Cancel::default()).expect("units");
        assert_eq!((distinct.n_units(), units.groups.len()), (5, 4));
        let sentences = units.sentences.as_ref().expect("of sentences");
        assert!(sentences.frequent(4).is_empty());
        let frequent = sentences.frequent(3);
        assert_eq!(frequent.len(), 1);
        let left_out = units.leave_out(&Among::new(frequent));
        assert_eq!((left_out.features, left_out.documents), (4, 0));
        let sentences = units.sentences.as_ref().expect("of sentences");
        assert!((0..4).all(|group| sentences.own.of(group).len() == 1));
        assert_eq!(sentences.of_document(0).collect::<Vec<_>>(), [None, Some(1)]);
    }
}
