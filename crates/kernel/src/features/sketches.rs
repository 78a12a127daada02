//! Documents as sketches, and the keys by which like ones meet.
//!
//! A sketched document has one feature, which stands for its sketch and weighs as much as the
//! sketch can share: the number of its bits, or of the elements of the set it was made from.

use rayon::prelude::*;

use super::collect::in_parts;
use super::minhash::{Bands, Ensemble, Permutations};
use super::simhash::{Tables, vote, width};
use super::terms::Terms;
use super::{Feature, Features, Keys, from_units, grams, to_units};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::hash;
use crate::statistics::{Idf, Statistics};
use crate::text::Analysed;
use crate::text::vocabulary::snapshot;

/// How the terms of a document vote.
#[derive(Debug, Clone)]
pub struct VoteOptions {
    /// How many bits the sketch has.
    pub bits: usize,
    /// So many of the rarest terms are left out.
    pub skip: usize,
    /// The weight of a term.
    pub idf: Idf,
}

impl VoteOptions {
    fn weight(&self, terms: &Terms<'_>, documents: u64, term: u32) -> u64 {
        to_units(self.idf.weight(documents, terms.frequency(term), std::f64::consts::E))
    }
}

/// A term that votes, for showing where a sketch comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Voter {
    /// The sentences that hold it.
    pub sentences: Vec<usize>,
    /// Its text.
    pub term: String,
    /// Its hash.
    pub key: u64,
    /// Its weight, in units.
    pub weight: u64,
}

/// The sketches of SimHash of every document; one without terms to vote has none.
pub fn votes(
    analysed: &Analysed,
    statistics: &Statistics,
    options: &VoteOptions,
    cancel: &Cancel,
) -> Result<Features> {
    let vocabulary = snapshot(&analysed.vocabulary);
    let width = width(options.bits);
    let empty = Features { sketch_width: width, ..Features::default() };
    statistics.resolve(&vocabulary, |frequencies| {
        let terms = Terms { vocabulary: &vocabulary, frequencies };
        in_parts(analysed.n_documents(), &empty, cancel, |document, found: &mut Vec<u32>, all| {
            terms.of(analysed, document, found);
            let voters = found.iter().skip(options.skip);
            let weight = |term| options.weight(&terms, statistics.documents(), term);
            let sketch = vote(voters.map(|&term| (terms.hash(term), weight(term))), options.bits);
            let size = (found.len() > options.skip).then_some(options.bits);
            push(all, &sketch, size.unwrap_or_default());
            Ok(())
        })
    })
}

/// The terms of one document that vote.
pub fn voters(
    analysed: &Analysed,
    document: usize,
    statistics: &Statistics,
    options: &VoteOptions,
) -> Vec<Voter> {
    let vocabulary = snapshot(&analysed.vocabulary);
    statistics.resolve(&vocabulary, |frequencies| {
        let terms = Terms { vocabulary: &vocabulary, frequencies };
        let mut found = Vec::new();
        terms.of(analysed, document, &mut found);
        let voter = |&term: &u32| Voter {
            sentences: terms.sentences_with(analysed, document, &[term]),
            term: vocabulary.term(term).to_owned(),
            key: terms.hash(term),
            weight: options.weight(&terms, statistics.documents(), term),
        };
        found.iter().skip(options.skip).map(voter).collect()
    })
}

/// The slots of MinHash of every document's word grams; one without words has none.
pub fn slots(
    analysed: &Analysed,
    gram: usize,
    permutations: &Permutations,
    cancel: &Cancel,
) -> Result<Features> {
    let vocabulary = snapshot(&analysed.vocabulary);
    let empty = Features { sketch_width: permutations.len(), ..Features::default() };
    in_parts(analysed.n_documents(), &empty, cancel, |document, found: &mut Vec<u64>, all| {
        found.clear();
        grams::all(analysed, &vocabulary, document, gram, found);
        found.sort_unstable();
        found.dedup();
        push(all, &permutations.slots(found), found.len());
        Ok(())
    })
}

/// Add a document with its sketch; a size of 0 says that there is nothing to compare.
fn push(features: &mut Features, sketch: &[u64], size: usize) {
    let key = sketch.iter().copied().fold(hash::extend(hash::EMPTY, size as u64), hash::extend);
    let mut own = [Feature { key, weight: to_units(size as f64), count: 1 }];
    features.push(if size == 0 { &mut [] } else { &mut own }, false);
    features.sketches.extend_from_slice(sketch);
}

/// The keys of every sketch in block tables.
pub fn block_keys(features: &Features, tables: &Tables, cancel: &Cancel) -> Result<Keys> {
    keys(features, cancel, |sketch, _, keys| keys.push(tables.keys(sketch)))
}

/// The keys of every sketch in bands.
pub fn band_keys(features: &Features, bands: Bands, cancel: &Cancel) -> Result<Keys> {
    keys(features, cancel, |sketch, _, keys| keys.push(bands.keys(sketch, 0)))
}

/// The keys under which containers of any size are found, or, if `asked`, by which they are
/// looked for.
pub fn ensemble_keys(
    features: &Features,
    ensemble: &Ensemble,
    asked: bool,
    cancel: &Cancel,
) -> Result<Keys> {
    keys(features, cancel, |sketch, size, keys| {
        if asked {
            keys.push(ensemble.asked(sketch, size));
        } else {
            keys.push(ensemble.stored(sketch, size));
        }
    })
}

fn keys(
    features: &Features,
    cancel: &Cancel,
    add: impl Fn(&[u64], u64, &mut Keys) + Sync,
) -> Result<Keys> {
    let units: Vec<usize> = (0..features.n_units()).collect();
    let parts = units
        .par_chunks(256)
        .map(|part| {
            let mut keys = Keys::default();
            for &unit in part {
                cancel.check()?;
                match from_units(features.total(unit)).round() as u64 {
                    0 => keys.push([]),
                    size => add(features.sketch(unit), size, &mut keys),
                }
            }
            Ok(keys)
        })
        .collect::<Result<Vec<_>>>()?;
    let mut all = Keys::default();
    parts.into_iter().for_each(|part| all.append(part));
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Analyser, Language, Profile};

    fn analysed(texts: &[&str]) -> (Analysed, Statistics) {
        let languages = vec![Some(Language::from_code("en")); texts.len()];
        let cancel = Cancel::default();
        let found = Analyser::new(Profile::default()).analyse(texts, &languages, false, &cancel);
        let found = found.expect("analysed");
        let mut statistics = Statistics::default();
        statistics.add(&[&found], &cancel).expect("counted");
        (found, statistics)
    }

    #[test]
    fn what_has_nothing_to_sketch_has_neither_weight_nor_keys() {
        let texts = ["mine closes friday noon", "", "mine closes", "noon friday, closes mine!"];
        let ((found, statistics), cancel) = (analysed(&texts), Cancel::default());
        let options = VoteOptions { bits: 160, skip: 2, idf: Idf::PlusOne };
        let made = votes(&found, &statistics, &options, &cancel).expect("sketches");
        assert_eq!((made.n_units(), made.sketch_width, made.sketches.len()), (4, 3, 12));
        let totals: Vec<f64> = (0..4).map(|n| from_units(made.total(n))).collect();
        assert_eq!(totals, [160.0, 0.0, 0.0, 160.0]);
        assert_eq!(made.signature(0), made.signature(3));
        let keys = block_keys(&made, &Tables::new(160, 2, 3), &cancel).expect("keys");
        assert_eq!((0..4).map(|n| keys.of(n).len()).collect::<Vec<_>>(), [3, 0, 0, 3]);
        assert_eq!(keys.of(0), keys.of(3));
        let named = voters(&found, 0, &statistics, &options);
        assert_eq!(named.len(), 2);
        let terms = named.iter().map(|voter| (voter.key, voter.weight));
        assert_eq!(made.sketch(0), vote(terms, 160));
    }

    #[test]
    fn slots_weigh_as_much_as_the_set_they_stand_for() {
        let texts = ["one two three one two three", "", "one two"];
        let ((found, _), cancel) = (analysed(&texts), Cancel::default());
        let made = slots(&found, 2, &Permutations::new(8, 0), &cancel).expect("sketches");
        let totals: Vec<f64> = (0..3).map(|n| from_units(made.total(n))).collect();
        assert_eq!(totals, [3.0, 0.0, 1.0]);
        let bands = Bands { bands: 4, rows: 2 };
        let keys = band_keys(&made, bands, &cancel).expect("keys");
        assert_eq!((0..3).map(|n| keys.of(n).len()).collect::<Vec<_>>(), [4, 0, 4]);
    }
}
