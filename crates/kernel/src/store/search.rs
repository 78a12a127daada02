//! Which stored documents may be related to new ones.
//!
//! Units that share a key are met, and checked on the spot as the join will check them. What is left
//! are the documents that share enough, or whose sentences match often enough. None that a join
//! would find is missed; it may be a few too many.

use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::bundle::Bundle;
use super::postings::{Postings, tagged};
use super::segment::{Row, Segment};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::Features;
use crate::features::retelling::words_of;
use crate::join::Verification;

/// Numbers of documents.
pub type Numbers = HashSet<u64, FxBuildHasher>;

/// Stored documents: the number of the segment, and of the document in it.
pub type Found = (u32, u32);

/// What is looked for.
pub struct Asked<'a> {
    /// New documents.
    pub bundle: &'a Bundle,
    /// Their keys.
    pub postings: &'a Postings,
    /// How units that share a key are checked; `None`: documents share weight.
    pub verification: Option<&'a Verification>,
    /// The least share of a document.
    pub floor: f64,
    /// How far apart documents may be.
    pub window: Option<i64>,
    /// What counts as told before is gone.
    pub horizon: i64,
    /// What is gone, too.
    pub removed: &'a Numbers,
}

impl Asked<'_> {
    /// The stored documents that may be related to each of the new ones, sorted.
    pub fn find(&self, segments: &[&Segment], cancel: &Cancel) -> Result<Vec<Vec<Found>>> {
        (0..self.bundle.entries.len())
            .into_par_iter()
            .map(|document| {
                let found = segments.par_iter().enumerate().map(|(n, segment)| {
                    cancel.check()?;
                    if !self.may_hold(document, segment) {
                        return Ok(Vec::new());
                    }
                    let mut found = self.related(document, segment)?;
                    found.sort_unstable();
                    found.dedup();
                    Ok(found.into_iter().map(|document| (n as u32, document)).collect())
                });
                found.collect::<Result<Vec<Vec<Found>>>>().map(|found| found.concat())
            })
            .collect()
    }

    /// Whether a segment may hold what is close enough in time.
    fn may_hold(&self, document: usize, segment: &Segment) -> bool {
        let head = segment.head();
        let outside = |window: i64, time: i64| {
            head.latest < time.saturating_sub(window) || head.earliest > time.saturating_add(window)
        };
        let is_far = match (self.window, self.bundle.entries[document].published) {
            (Some(window), Some(time)) => head.undated == 0 && outside(window, time),
            _ => false,
        };
        !is_far && !segment.is_empty() && head.latest >= self.horizon
    }

    /// Whether a stored document is there, and close enough in time.
    fn sees(&self, document: usize, row: &Row) -> bool {
        let is_near = match (self.window, self.bundle.entries[document].published, row.published) {
            (Some(window), Some(a), Some(b)) => a.abs_diff(b) <= window.unsigned_abs(),
            _ => true,
        };
        is_near && row.time >= self.horizon && !self.removed.contains(&row.number)
    }

    fn related(&self, document: usize, segment: &Segment) -> Result<Vec<u32>> {
        let mut found = match self.verification {
            None => self.sharing(document, segment)?,
            Some(verification) => self.matching(document, segment, verification)?,
        };
        let mut equal = Vec::new();
        let entry = &self.bundle.entries[document];
        for identity in Bundle::identities(entry.text, &self.bundle.features, document) {
            segment.equals(identity, &mut equal)?;
        }
        for other in equal {
            if self.sees(document, &segment.row(other)?) {
                found.push(other);
            }
        }
        Ok(found)
    }

    /// Meet the units that share a key with one of these; `meet` is told whether this one asks.
    fn meet(&self, unit: usize, segment: &Segment, mut meet: impl FnMut(u32, bool)) -> Result<()> {
        for &key in self.postings.probe(unit) {
            segment.meet(key, false, |other| meet(other, true))?;
        }
        if self.postings.probe.is_some() {
            for &key in self.postings.store.of(unit) {
                segment.meet(key, true, |other| meet(other, false))?;
                if segment.is_tagged() {
                    segment.meet(tagged(key), true, |other| meet(other, false))?;
                }
            }
        }
        Ok(())
    }

    /// The documents that share enough weight.
    fn sharing(&self, document: usize, segment: &Segment) -> Result<Vec<u32>> {
        let features = &self.bundle.features;
        let mut met: Vec<u32> = Vec::new();
        self.meet(document, segment, |other, _| met.push(other))?;
        met.sort_unstable();
        met.dedup();
        let kept = self.postings.store.of(document);
        let own: Vec<(u64, u64, u32)> = features
            .range(document)
            .map(|at| (features.keys[at], features.weights[at], features.count(at)))
            .filter(|feature| kept.binary_search(&feature.0).is_ok())
            .collect();
        let total = self.postings.totals[document];
        let mut found = Vec::new();
        for other in met {
            let row = segment.row(other)?;
            if !self.sees(document, &row) {
                continue;
            }
            let least = self.floor * total.min(row.total) as f64 * (1.0 - 1e-9);
            let shared = segment.shared(other, &own)?;
            if shared > 0 && shared as f64 >= least {
                found.push(other);
            }
        }
        Ok(found)
    }

    /// The documents with units that match often enough.
    fn matching(
        &self,
        document: usize,
        segment: &Segment,
        verification: &Verification,
    ) -> Result<Vec<u32>> {
        let features = &self.bundle.features;
        let units = features.units_of(document);
        let mut met: Vec<(u32, u32, bool)> = Vec::new();
        for unit in units.clone() {
            let own = (unit - units.start) as u32;
            self.meet(unit, segment, |other, asks| met.push((other, own, asks)))?;
        }
        met.sort_unstable();
        met.dedup();
        let mut seen: HashMap<u32, Option<u64>, FxBuildHasher> = HashMap::default();
        let mut documents = Vec::with_capacity(met.len());
        for &(other, ..) in &met {
            let holder = segment.document_of(other)?;
            if let hashbrown::hash_map::Entry::Vacant(entry) = seen.entry(holder) {
                let row = segment.row(holder)?;
                entry.insert(self.sees(document, &row).then_some(row.total));
            }
            documents.push(holder);
        }
        // This document's units, then those that were met.
        let mut table = Bundle {
            features: features.part(std::iter::once(document)),
            places: vec![],
            entries: vec![],
        };
        let before = table.features.n_units();
        let mut last = None;
        for (&(other, ..), holder) in met.iter().zip(&documents) {
            if seen[holder].is_some() && last != Some(other) {
                segment.load_unit(other, &mut table)?;
                last = Some(other);
            }
        }
        let table = match verification {
            Verification::Retold { .. } => table.features.into_ranked(),
            _ => table.features,
        };
        let verify = verification.bind(&table);
        let mut check = verify.checker();
        let mut tallies = Tallies::new(verification, &table);
        let (mut place, mut last) = (before, None);
        for (&(other, own, asks), &holder) in met.iter().zip(&documents) {
            if seen[&holder].is_none() {
                continue;
            }
            if last.is_some_and(|last| last != other) {
                place += 1;
            }
            last = Some(other);
            let [probe, store] = if asks { [own as usize, place] } else { [place, own as usize] };
            let is_equal = table.signature(probe) == table.signature(store);
            let score = if is_equal { Some(f64::INFINITY) } else { check(probe, store) };
            if let Some(score) = score {
                tallies.add(holder, own as usize, place, score);
            }
        }
        let of_sentences = !features.document_ends.is_empty();
        let total = self.postings.totals[document];
        let enough = |holder: &u32| {
            let other = seen[holder].unwrap_or(0);
            !of_sentences || tallies.enough(*holder, self.floor, [total, other])
        };
        Ok(tallies.documents().filter(enough).collect())
    }
}

/// What of the sentences of one document has a match in others, and the reverse: at most.
struct Tallies<'a> {
    verification: &'a Verification,
    features: &'a Features,
    /// For each document and unit of this one, and for each document and unit of its own.
    own: HashMap<u32, HashMap<usize, u64, FxBuildHasher>, FxBuildHasher>,
    theirs: HashMap<u32, HashMap<usize, u64, FxBuildHasher>, FxBuildHasher>,
    /// The words that may prove something.
    words: HashMap<u32, u64, FxBuildHasher>,
}

impl<'a> Tallies<'a> {
    fn new(verification: &'a Verification, features: &'a Features) -> Self {
        let (own, theirs, words) = Default::default();
        Self { verification, features, own, theirs, words }
    }

    fn add(&mut self, holder: u32, own: usize, other: usize, score: f64) {
        let weighed = match self.verification {
            Verification::Retold { alike, proof, .. } => {
                let units = [own, other];
                let weights = units.map(|unit| self.features.weight(unit));
                let shared = if score.is_finite() { score as u64 } else { weights[0] };
                let terms = units.map(|unit| self.features.range(unit).len());
                let proves = !score.is_finite()
                    || alike.score(shared, weights, terms).is_some_and(|s| s >= proof.score);
                let words = units.map(|unit| u64::from(words_of(self.features.sketch(unit)).0));
                let words = if proves { words[0].min(words[1]) } else { 0 };
                *self.words.entry(holder).or_default() += words;
                shared
            }
            _ => 1,
        };
        let own = self.own.entry(holder).or_default().entry(own).or_default();
        *own = (*own).max(weighed);
        let theirs = self.theirs.entry(holder).or_default().entry(other).or_default();
        *theirs = (*theirs).max(weighed);
    }

    fn documents(&self) -> impl Iterator<Item = u32> {
        self.own.keys().copied()
    }

    /// Whether a document may have enough in this one, or the reverse.
    fn enough(&self, holder: u32, floor: f64, totals: [u64; 2]) -> bool {
        let sum = |of: &HashMap<u32, HashMap<usize, u64, FxBuildHasher>, FxBuildHasher>| {
            of.get(&holder).map_or(0, |units| units.values().sum::<u64>())
        };
        let reaches = |part: u64, whole: u64| part as f64 >= floor * whole as f64 * (1.0 - 1e-9);
        let proves = match self.verification {
            Verification::Retold { proof, .. } => {
                self.words.get(&holder).is_some_and(|&words| words >= proof.words)
            }
            _ => false,
        };
        proves || reaches(sum(&self.own), totals[0]) || reaches(sum(&self.theirs), totals[1])
    }
}
