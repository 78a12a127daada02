//! Sentences near each other by their signatures: the search of qSign.

use std::ops;

use super::Range;
use super::block_tables::BlockTables;
use super::missing::Missing;
use super::multi_index::MultiIndex;
use super::opened::{Opened, Sentence};
use super::radius::Radius;
use super::scan::Scan;
use super::table::Table;
use super::word_lists::WordLists;
use crate::features::Features;
use crate::features::sentences::Signatures;
use crate::join::all_pairs::Cosines;
use crate::join::candidates::Search;
use crate::join::met::Met;
use crate::join::overlap::Measure;

/// What is searched how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Index {
    /// Signatures within a Hamming distance, by multi-index hashing.
    MultiIndex,
    /// The same, by comparing all.
    Scan,
    /// The same, by a bucket for each signature of at most 16 bits.
    Table,
    /// Signatures that lack at most so many of the bits.
    Missing,
    /// Sentences that have one of the rarest words, and whose signature, in blocks of so many words,
    /// seems to lack at most as many words as may change.
    Words {
        /// How many words share a block.
        block: usize,
        /// How many words may be missing.
        lacking: Lacking,
    },
    /// Not by signatures, but by All-Pairs: sentences whose words, as vectors, have at least this
    /// cosine.
    AllPairs(f64),
}

/// How many words of a sentence may be missing in another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lacking {
    /// So many.
    Words(u32),
    /// As many as a match by this measure, from this threshold on, can do without.
    Matching(Measure, f64),
}

impl Lacking {
    /// For each word to look up, of words that weigh so much, the heaviest first: how many of those
    /// behind it may be missing where all before it are; added to `most`.
    pub fn behind(self, heaviest: &[u64], most: &mut Vec<u32>) {
        match self {
            Self::Words(n) => most.extend((0..=n).rev().take(heaviest.len())),
            Self::Matching(measure, threshold) => measure.lacking_behind(heaviest, threshold, most),
        }
    }
}

/// Everything that decides which sentences are candidates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// What is searched how.
    pub index: Index,
    /// How the radius is chosen.
    pub radius: Radius,
    /// What signatures are like.
    pub signatures: Signatures,
}

/// What sentences that are found by their words have if nobody chooses.
const USUAL: (usize, Signatures) = (16, Signatures { bits: 256, bits_per_word: 4 });

impl Near {
    /// All sentences that match by a measure, found by their words.
    pub fn words(measure: Measure, threshold: f64) -> Self {
        let (block, signatures) = USUAL;
        let lacking = Lacking::Matching(measure, threshold);
        Self { index: Index::Words { block, lacking }, radius: Radius::Fixed(0), signatures }
    }
}

/// Signatures that were added, and what is known of radii.
pub struct Signed {
    near: Near,
    index: Store,
    /// Known radii by the number of words; the inner `None`: it does not search.
    radii: Vec<Option<Option<u32>>>,
}

enum Store {
    Signatures(Box<dyn Range>),
    Words(WordLists, Lacking),
    Cosines(Cosines),
}

impl Store {
    fn new(near: &Near) -> Self {
        let bits = near.signatures.bits;
        let range: Box<dyn Range> = match near.index {
            Index::MultiIndex => multi_index(near),
            Index::Scan => Box::new(Scan::new(near.signatures.width())),
            Index::Table => Box::new(Table::new(bits)),
            Index::Missing => Box::new(Missing::new(bits)),
            Index::AllPairs(cosine) => return Self::Cosines(Cosines::new(cosine)),
            Index::Words { block, lacking } => {
                return Self::Words(WordLists::new(near.signatures, block), lacking);
            }
        };
        Self::Signatures(range)
    }
}

/// Tables for the radius where one is known and small, else parts for any.
fn multi_index(near: &Near) -> Box<dyn Range> {
    let bits = near.signatures.bits;
    if let Radius::Fixed(radius) = near.radius
        && let Some(tables) = BlockTables::new(bits, radius)
    {
        return Box::new(tables);
    }
    Box::new(MultiIndex::new(bits))
}

impl Signed {
    /// No signatures yet.
    pub fn new(near: Near) -> Self {
        Self { near, index: Store::new(&near), radii: Vec::new() }
    }

    /// Search for other matches from now on, if what was added serves for that.
    pub fn ask_by(&mut self, near: Near) -> bool {
        if let (Index::Words { block, .. }, Index::Words { block: own, .. }) =
            (near.index, self.near.index)
            && block == own
            && near.signatures == self.near.signatures
        {
            self.near = near;
        }
        if let (Store::Words(_, own), Index::Words { lacking, .. }) =
            (&mut self.index, self.near.index)
        {
            *own = lacking;
        }
        self.near == near
    }

    /// Have sentences at hand, to look for them or to add them.
    pub fn open(&self, features: &Features, units: ops::Range<usize>, opened: &mut Opened) {
        match &self.index {
            Store::Words(lists, _) => opened.open(features, units, Some(lists)),
            Store::Cosines(_) => opened.open(features, units, None),
            Store::Signatures(_) => {}
        }
    }

    /// Have near what a sentence at hand looks at first, from a number on. That is far away: several should
    /// be fetched before any of them is looked up.
    pub fn fetch(&self, unit: usize, from: u32, opened: &mut Opened) {
        if let Store::Words(lists, lacking) = &self.index {
            opened.ask(unit, *lacking);
            lists.fetch(opened.sentence(unit), from);
        }
    }

    /// Add a sentence that is at hand.
    pub fn add(&mut self, features: &Features, unit: usize, opened: &Opened) {
        match &mut self.index {
            Store::Signatures(range) => range.add(features.sketch(unit)),
            Store::Words(lists, _) => lists.add(opened.sentence(unit)),
            Store::Cosines(cosines) => {
                let Sentence { words, weights, .. } = opened.sentence(unit);
                cosines.add(words, weights);
            }
        }
    }

    /// Make sure that the radius of sentences of so many words is known.
    pub fn prepare(&mut self, words: usize) {
        if !matches!(self.index, Store::Signatures(_)) {
            return;
        }
        self.radii.resize(self.radii.len().max(words + 1), None);
        if self.radii[words].is_none() {
            self.radii[words] = Some(self.near.radius.of(words as u32, self.near.signatures));
        }
    }

    /// Meet every sentence, from number `from` on, near one that is at hand, for which all is fetched
    /// and whose number of words was prepared for.
    pub fn look_up(
        &self,
        features: &Features,
        unit: usize,
        opened: &Opened,
        from: u32,
        met: &mut Met,
    ) {
        match &self.index {
            Store::Words(lists, lacking) => {
                lists.range(opened.sentence(unit), *lacking, from, &mut |other| {
                    met.units.push(other);
                });
            }
            Store::Cosines(cosines) => {
                let Sentence { words, weights, .. } = opened.sentence(unit);
                cosines.range(words, weights, from, &mut |other| met.meet(other));
            }
            Store::Signatures(range) => {
                let mut meet = |other| {
                    if other >= from {
                        met.meet(other);
                    }
                };
                if let Some(radius) = self.radii[features.range(unit).len()].expect("prepared") {
                    range.range(features.sketch(unit), radius, &mut meet);
                }
            }
        }
    }
}

/// The signatures of all sentences of a collection.
pub struct SignatureSearch<'a> {
    features: &'a Features,
    signed: Signed,
}

impl<'a> SignatureSearch<'a> {
    /// Index all sentences.
    pub fn new(features: &'a Features, near: Near) -> Self {
        let mut signed = Signed::new(near);
        let mut opened = Opened::default();
        for unit in 0..features.n_units() {
            signed.open(features, unit..unit + 1, &mut opened);
            signed.add(features, unit, &opened);
            signed.prepare(features.range(unit).len());
        }
        Self { features, signed }
    }
}

impl Search for SignatureSearch<'_> {
    fn look_up(&self, probe: usize, met: &mut Met) {
        let mut opened = Opened::default();
        self.signed.open(self.features, probe..probe + 1, &mut opened);
        self.signed.fetch(probe, 0, &mut opened);
        self.signed.look_up(self.features, probe, &opened, 0, met);
    }
}
