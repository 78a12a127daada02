//! From segments to documents with all they have.

use std::sync::Arc;

use hashbrown::HashMap;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::ahead::{Reads, ahead};
use super::bundle::{Bundle, Entry, Place};
use super::layout::{
    COUNTED, DOCUMENT, IS_QUOTED, MET, OF_SENTENCES, PLACE, PLACED, Section, TERMS, number_at,
    u32_at, u64_at,
};
use super::segment::Segment;
use crate::error::{Error, Result};
use crate::features::{Features, Ranked, Union, sort_within};

/// Fewer items are loaded by one thread.
const SEVERAL: usize = 256;

/// Documents and units that are loaded, from several segments.
#[derive(Debug, Default)]
pub struct Loader {
    bundle: Bundle,
    /// The terms of all that was loaded.
    union: Union,
    /// The ranks of terms by their numbers in the segment that was loaded from last, and which that is.
    ranks: HashMap<u32, u32, FxBuildHasher>,
    last: usize,
    /// The first unit that was loaded: from there on the ranks of units are sorted in the end.
    first: usize,
}

impl Loader {
    /// Load behind these units, by their ranks where they have some.
    pub fn behind(features: Features) -> Self {
        let union =
            features.ranked.as_ref().map_or_else(Union::default, |ranked| Union::of(&ranked.terms));
        let first = features.n_units();
        let bundle = Bundle { features, ..Bundle::default() };
        Self { bundle, union, first, ..Self::default() }
    }

    /// Load items in this order behind what is there `before`: many on all threads, a part of them each.
    pub fn load<T: Sync>(
        before: impl FnOnce() -> Self + Send,
        items: &[T],
        load: impl Fn(&mut Self, &[T]) -> Result<()> + Sync,
    ) -> Result<Self> {
        let threads = rayon::current_num_threads();
        if threads == 1 || items.len() < SEVERAL {
            let mut all = before();
            load(&mut all, items)?;
            return Ok(all);
        }
        let part = |items: &[T]| {
            let mut part = Self::default();
            load(&mut part, items).map(|()| part)
        };
        let parts = || items.par_chunks(items.len().div_ceil(threads)).map(part).collect();
        let (mut all, parts): (_, Result<Vec<Self>>) = rayon::join(before, parts);
        parts?.into_iter().try_for_each(|part| all.append(part))?;
        Ok(all)
    }

    /// Add what another one loaded.
    fn append(&mut self, other: Self) -> Result<()> {
        let Bundle { entries, mut features, places } = other.bundle;
        let own = &self.bundle.features;
        let is_empty = own.n_units() == 0 && own.document_ends.is_empty();
        if !is_empty && own.ranked.is_some() != features.ranked.is_some() {
            let message = "the segments of the index are of different kinds; \
                           `twicetold index rebuild` makes them anew";
            return Err(Error::Damaged(message.into()));
        }
        if let Some(ranked) = &mut features.ranked {
            let ranks = self.union.ranks_of(&other.union);
            ranked.ranks.par_iter_mut().for_each(|rank| *rank = ranks[*rank as usize]);
            // What they stand for is said of all in the end.
            ranked.terms =
                own.ranked.as_ref().map_or_else(Arc::default, |own| Arc::clone(&own.terms));
        }
        self.bundle.append(Bundle { entries, features, places });
        Ok(())
    }

    /// What was loaded.
    pub fn end(mut self) -> Bundle {
        let features = &mut self.bundle.features;
        if let Some(ranked) = &mut features.ranked {
            ranked.terms = self.union.into_terms();
            sort_within(&features.ends, self.first, &mut ranked.ranks);
        }
        self.bundle
    }

    /// Add a document.
    pub fn document(&mut self, segment: &Segment, document: u32) -> Result<()> {
        self.bundle.entries.push(entry(segment, document)?);
        let sentences = segment.sentences_of(document)?;
        let units: Vec<u32> =
            sentences.clone().map(|sentence| segment.unit_of(sentence)).collect::<Result<_>>()?;
        for (at, sentence) in sentences.enumerate() {
            ahead(segment, &units, at, Reads::All)?;
            self.unit(segment, units[at])?;
            if segment.head().has(PLACED) {
                self.bundle.places.push(place(segment, sentence)?);
            }
        }
        if segment.head().has(OF_SENTENCES) {
            self.bundle.features.end_document();
        }
        // Also of documents without any sentences it is known how these would be written.
        self.begin(segment);
        Ok(())
    }

    fn begin(&mut self, segment: &Segment) {
        let features = &mut self.bundle.features;
        features.sketch_width = segment.head().sketch_width as usize;
        if segment.head().has(TERMS) {
            features.ranked.get_or_insert_with(Ranked::default);
        }
    }

    /// Add a unit.
    pub fn unit(&mut self, segment: &Segment, unit: u32) -> Result<()> {
        self.begin(segment);
        let unit = unit as usize;
        let range = segment.range(Section::UnitEnds, unit, 4, 0)?;
        let width = segment.number_width();
        let numbers = segment.part(Section::Numbers, range.start * width..range.end * width)?;
        let numbers = numbers.chunks_exact(width).map(|bytes| number_at(bytes, 0, width));
        let features = &mut self.bundle.features;
        if let Some(ranked) = &mut features.ranked {
            let name = std::ptr::from_ref(segment) as usize;
            if self.last != name {
                self.ranks.clear();
                self.last = name;
            }
            for number in numbers {
                let rank = match self.ranks.get(&number) {
                    Some(&rank) => rank,
                    None => {
                        let (key, weight) = segment.term(number)?;
                        let rank = self.union.rank(key, weight);
                        self.ranks.insert(number, rank);
                        rank
                    }
                };
                ranked.ranks.push(rank);
            }
            features.ends.push(ranked.ranks.len() as u64);
        } else {
            let keys = segment.part(Section::Keys, range.start * 8..range.end * 8)?;
            features.keys.extend(keys.chunks_exact(8).map(|bytes| u64_at(bytes, 0)));
            for number in numbers {
                features.weights.push(segment.weight(number)?);
            }
            features.ends.push(features.keys.len() as u64);
        }
        if segment.head().has(COUNTED) {
            let counts = segment.part(Section::Counts, range.start * 4..range.end * 4)?;
            features.counts.extend(counts.chunks_exact(4).map(|bytes| u32_at(bytes, 0)));
        }
        let words = features.sketch_width;
        let sketch = segment.part(Section::Sketches, unit * words * 8..(unit + 1) * words * 8)?;
        features.sketches.extend(sketch.chunks_exact(8).map(|bytes| u64_at(bytes, 0)));
        if segment.head().has(MET) {
            let range = segment.range(Section::MetEnds, unit, 4, 0)?;
            let met = segment.part(Section::Met, range.start * 4..range.end * 4)?;
            features.met_by.push(met.chunks_exact(4).map(|bytes| u32_at(bytes, 0)));
        }
        Ok(())
    }
}

fn place(segment: &Segment, sentence: usize) -> Result<Place> {
    let place = segment.part(Section::Places, sentence * PLACE..(sentence + 1) * PLACE)?;
    let (start, end) = (u32_at(place, 0), u32_at(place, 4));
    let is_quoted = end & IS_QUOTED != 0;
    Ok(Place { start, end: end & !IS_QUOTED, text: u64_at(place, 8), is_quoted })
}

fn entry(segment: &Segment, document: u32) -> Result<Entry> {
    let row = segment.row(document)?;
    let start = document as usize * DOCUMENT;
    let bytes = segment.part(Section::Documents, start..start + DOCUMENT)?;
    let text = u128::from(u64_at(bytes, 24)) | u128::from(u64_at(bytes, 32)) << 64;
    let ids = segment.range(Section::Documents, document as usize, DOCUMENT, 48)?;
    let id = String::from_utf8_lossy(segment.part(Section::Ids, ids)?).into();
    Ok(Entry { number: row.number, id, published: row.published, time: row.time, text })
}
