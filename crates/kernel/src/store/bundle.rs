//! Documents as they are stored and loaded again.

use crate::features::Features;
use crate::hash;

/// What is known of a document beside its features.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number in the index, which is never used again.
    pub number: u64,
    /// The id its users know it by.
    pub id: Box<str>,
    /// When it was published, in microseconds; `None` if that is not known.
    pub published: Option<i64>,
    /// When it counts as told: that, or when it came.
    pub time: i64,
    /// What stands for its text.
    pub text: u128,
}

/// The place of a sentence in its text, in code points, and what stands for its own text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Where it starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// What stands for its text.
    pub text: u64,
    /// Whether it stands in quotation marks.
    pub is_quoted: bool,
}

/// Documents with their features.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bundle {
    /// The documents.
    pub entries: Vec<Entry>,
    /// What they have.
    pub features: Features,
    /// The place of each unit, where units are sentences whose places are known; else empty.
    pub places: Vec<Place>,
}

impl Bundle {
    /// Add other documents behind these.
    pub fn append(&mut self, other: Self) {
        self.entries.extend(other.entries);
        self.features.append(other.features);
        self.places.extend(other.places);
    }

    /// Some of the documents, in this order.
    pub fn part(&self, documents: &[usize]) -> Self {
        let units = documents.iter().flat_map(|&document| self.features.units_of(document));
        let units: Vec<u32> = units.map(|unit| unit as u32).collect();
        let mut features = self.features.select(&units);
        if !self.features.document_ends.is_empty() {
            let sizes = documents.iter().map(|&document| self.features.units_of(document).len());
            let ends = sizes.scan(0, |end, size| {
                *end += size as u64;
                Some(*end)
            });
            features.document_ends = ends.collect();
        }
        let has_places = !self.places.is_empty();
        let places = units.iter().filter(|_| has_places).map(|&unit| self.places[unit as usize]);
        Self {
            entries: documents.iter().map(|&document| self.entries[document].clone()).collect(),
            features,
            places: places.collect(),
        }
    }

    /// What stands for what a document has, in whatever order: equal features, equal values. `None`
    /// if it has none.
    pub fn identity(features: &Features, document: usize) -> Option<u64> {
        let units = features.units_of(document);
        let mut found: Vec<u128> = units.filter_map(|unit| features.signature(unit)).collect();
        found.sort_unstable();
        found.dedup();
        let bytes: Vec<u8> = found.iter().flat_map(|signature| signature.to_le_bytes()).collect();
        (!found.is_empty()).then(|| hash::whole(&bytes) as u64)
    }

    /// What equal documents have in common: the same text, or the same features.
    pub fn identities(text: u128, features: &Features, document: usize) -> Vec<u64> {
        std::iter::once(text as u64).chain(Self::identity(features, document)).collect()
    }
}
