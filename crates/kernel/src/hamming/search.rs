//! Sentences near each other by their signatures: the search of qSign.

use super::Range;
use super::missing::Missing;
use super::multi_index::MultiIndex;
use super::radius::Radius;
use super::scan::Scan;
use super::table::Table;
use crate::features::Features;
use crate::features::sentences::Signatures;
use crate::join::candidates::Search;
use crate::join::met::Met;

/// What is searched how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// Signatures within a Hamming distance, by multi-index hashing.
    MultiIndex,
    /// The same, by comparing all.
    Scan,
    /// The same, by a bucket for each signature of at most 16 bits.
    Table,
    /// Signatures that lack at most so many of the bits.
    Missing,
}

impl Index {
    /// An empty index of signatures of so many bits.
    pub fn empty(self, bits: u32) -> Box<dyn Range> {
        match self {
            Self::MultiIndex => Box::new(MultiIndex::new(bits)),
            Self::Scan => Box::new(Scan::new(bits.div_ceil(u64::BITS) as usize)),
            Self::Table => Box::new(Table::new(bits)),
            Self::Missing => Box::new(Missing::new(bits)),
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

/// Signatures, and the radius for each number of words.
pub struct Signed {
    near: Near,
    index: Box<dyn Range>,
    /// Known radii by the number of words; the inner `None`: it does not search.
    radii: Vec<Option<Option<u32>>>,
}

impl Signed {
    /// No signatures yet.
    pub fn new(near: Near) -> Self {
        Self { near, index: near.index.empty(near.signatures.bits), radii: Vec::new() }
    }

    /// Add a signature.
    pub fn add(&mut self, signature: &[u64]) {
        self.index.add(signature);
    }

    /// Make sure that the radius of sentences of so many words is known.
    pub fn prepare(&mut self, words: usize) {
        self.radii.resize(self.radii.len().max(words + 1), None);
        let radius = || self.near.radius.of(words as u32, self.near.signatures);
        if self.radii[words].is_none() {
            self.radii[words] = Some(radius());
        }
    }

    /// Meet every sentence whose signature is near that of one with so many words, which was
    /// prepared for.
    pub fn look_up(&self, signature: &[u64], words: usize, met: &mut Met) {
        if let Some(radius) = self.radii[words].expect("prepared") {
            self.index.range(signature, radius, &mut |unit| met.meet(unit));
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
        for unit in 0..features.n_units() {
            signed.add(features.sketch(unit));
            signed.prepare(features.range(unit).len());
        }
        Self { features, signed }
    }
}

impl Search for SignatureSearch<'_> {
    fn look_up(&self, probe: usize, met: &mut Met) {
        self.signed.look_up(self.features.sketch(probe), self.features.range(probe).len(), met);
    }
}
