//! Which stored documents may be related to new ones.
//!
//! All keys of the new documents are looked up in the order of the keys, so that a segment is read
//! from its start to its end. Units that share a key are met, and checked on the spot as the join
//! will check them. What is left are the documents that share enough, or whose sentences match
//! often enough. None that a join would find is missed; it may be a few too many.

use std::borrow::Cow;

use hashbrown::hash_map::Entry;
use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::ahead::{Reads, ahead};
use super::bundle::Bundle;
use super::crossing::Crossing;
use super::glance::{Glance, ranks_of};
use super::load::Loader;
use super::overlapping::Overlapping;
use super::postings::{Postings, tagged};
use super::repeats::repeats;
use super::segment::{MANY, Pauses, Row, Segment};
use super::tallies::{Found, Tallies, Told};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::{Features, Mark};
use crate::join::Verification;
use crate::join::retold::Alike;
use crate::join::sort::sort_by_hash;

/// Numbers of documents.
pub type Numbers = HashSet<u64, FxBuildHasher>;

/// As many places of a segment are looked at for one document, about.
const A_DOCUMENT: usize = 16;
/// For so many keys a segment is crossed.
const CROSSED: usize = 1 << 15;
/// How many keys are looked up, and how many documents are checked in one go.
const KEYS: usize = 4096;
const DOCUMENTS: usize = 64;
/// After how many documents memory is given back, where each may be compared with any.
const SOME_DOCUMENTS: usize = 512;
/// How many units that were met are looked at in one go.
const MET: usize = 4096;
/// After how many of them it is asked whether to go on, which takes as long as to look at one.
const CHECKED: usize = 64;
/// How many keys are looked up at the same time, while memory answers.
const AT_ONCE: usize = 16;

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
    /// Whether a document that repeats an earlier one is told with the equal ones only.
    pub only_first: bool,
}

/// Give back the memory of segments after so many lookups, if these are many.
pub fn give_back(segments: &[&Segment], lookups: usize) {
    if lookups >= MANY {
        segments.iter().for_each(|segment| segment.rest());
    }
}

/// Who is met by a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Whom {
    /// All that store it.
    #[default]
    Storing,
    /// Those that look it up.
    Asking,
    /// Those that look it up and do not store it.
    OnlyAsking,
}

/// A key, the new unit that has it, and who is met by it.
pub type Lookup = (u64, u32, Whom);

/// The units that were met, each once.
fn others_of(met: &[Met]) -> Vec<u32> {
    met.chunk_by(|a, b| a.other == b.other).map(|run| run[0].other).collect()
}

/// Two units that share a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Met {
    /// The new one.
    pub own: u32,
    /// The number of a segment.
    pub segment: u32,
    /// The one stored there.
    pub other: u32,
    /// Whether the new one asks.
    pub asks: bool,
}

impl Asked<'_> {
    /// The stored documents that may be related to one of the new ones, sorted.
    pub fn find(&self, segments: &[&Segment], cancel: &Cancel) -> Result<Vec<Found>> {
        let mut equal = self.equal(segments, cancel)?;
        if self.is_repeated(segments, &equal)? {
            equal.sort_unstable();
            equal.dedup();
            return Ok(equal);
        }
        if let Some(&Verification::Overlap { measure, threshold, .. }) = self.verification {
            let mut found = Overlapping::new(self, measure, threshold).find(segments, cancel)?;
            found.extend(equal);
            found.sort_unstable();
            found.dedup();
            return Ok(found);
        }
        let documents = self.documents_of_units();
        let crossing = self.crossing();
        let entries = crossing.as_ref().map_or_else(Cow::default, |_| self.postings.entries());
        let lookups = if crossing.is_some() { Vec::new() } else { self.lookups(cancel)? };
        let n_lookups = lookups.len() + entries.len();
        let meet = |(n, segment): (usize, &&Segment)| {
            let near: Vec<bool> = (0..self.bundle.entries.len())
                .map(|document| self.may_hold(document, segment))
                .collect();
            if !near.contains(&true) {
                return Ok(Vec::new());
            }
            let are_all = !near.contains(&false);
            let near = |unit: u32| are_all || near[documents[unit as usize] as usize];
            match &crossing {
                Some(crossing) => crossing.meet((n as u32, segment), &entries, near, cancel),
                None => self.meet(n as u32, segment, &lookups, near, cancel),
            }
        };
        // Much of what is done with one segment has to wait for itself, not for that of others.
        let met: Vec<Vec<Met>> = if crossing.is_some() {
            segments.par_iter().enumerate().map(meet).collect::<Result<_>>()?
        } else {
            segments.iter().enumerate().map(meet).collect::<Result<_>>()?
        };
        let mut met = met.concat();
        let mut found = match self.verification {
            None => self.sharing(segments, met, n_lookups, cancel)?,
            Some(verification) => {
                if let (&Verification::Retold { alike, .. }, None) = (verification, &crossing) {
                    met = self.glance(segments, met, (alike, n_lookups), cancel)?;
                }
                drop(crossing);
                let looked_at = (documents.as_slice(), n_lookups);
                self.matching(segments, met, looked_at, verification, cancel)?
            }
        };
        found.extend(equal);
        found.sort_unstable();
        found.dedup();
        give_back(segments, n_lookups);
        Ok(found)
    }

    /// All there is of documents that were found.
    pub fn load(&self, segments: &[&Segment], found: &[Found], cancel: &Cancel) -> Result<Bundle> {
        let many = found.len().saturating_mul(A_DOCUMENT);
        let load = |loader: &mut Loader, found: &[Found]| {
            for part in found.chunk_by(|a, b| a.0 == b.0) {
                let segment = segments[part[0].0 as usize];
                let all = segment.head().documents as usize;
                let mut pauses = Pauses::new(segment, all, part.len().saturating_mul(A_DOCUMENT));
                for &(_, document) in part {
                    cancel.check()?;
                    pauses.at(document as usize);
                    loader.document(segment, document)?;
                }
                // What one document finds is little, and what it read the next one reads again.
                if self.bundle.entries.len() > 1 {
                    give_back(&[segment], many);
                }
            }
            Ok(())
        };
        Ok(Loader::load(Loader::default, found, load)?.end())
    }

    /// How segments are met and looked at in one go, where that is worth it: for so many lookups.
    fn crossing(&self) -> Option<Crossing> {
        match self.verification {
            Some(&Verification::Retold { alike, .. })
                if self.postings.probe.is_none() && self.postings.store.keys.len() >= CROSSED =>
            {
                Crossing::new(&self.bundle.features, alike)
            }
            _ => None,
        }
    }

    /// What is looked up, sorted by key.
    fn lookups(&self, cancel: &Cancel) -> Result<Vec<Lookup>> {
        let mut lookups = Vec::new();
        for unit in 0..self.bundle.features.n_units() {
            let own = |&key: &u64| (key, unit as u32, Whom::Storing);
            lookups.extend(self.postings.probe(unit).iter().map(own));
            if self.postings.probe.is_some() {
                for &key in self.postings.store.of(unit) {
                    lookups.push((key, unit as u32, Whom::Asking));
                    lookups.push((tagged(key), unit as u32, Whom::OnlyAsking));
                }
            }
        }
        if lookups.len() < CROSSED {
            lookups.sort_unstable();
        } else {
            sort_by_hash(&mut lookups, |lookup| lookup.0, cancel)?;
        }
        Ok(lookups)
    }

    fn documents_of_units(&self) -> Vec<u32> {
        let features = &self.bundle.features;
        let units = |document| features.units_of(document as usize).map(move |_| document);
        (0..self.bundle.entries.len() as u32).flat_map(units).collect()
    }

    /// The units of a segment that share a key with a new one that is `near`, each with all that it
    /// meets.
    fn meet(
        &self,
        number: u32,
        segment: &Segment,
        lookups: &[Lookup],
        near: impl Fn(u32) -> bool + Sync,
        cancel: &Cancel,
    ) -> Result<Vec<Met>> {
        let meet = |part: &[Lookup]| {
            cancel.check()?;
            let mut met = Vec::new();
            let is_asked = |&&(_, own, whom): &&Lookup| {
                near(own) && (whom != Whom::OnlyAsking || segment.is_tagged())
            };
            for some in part.chunks(AT_ONCE) {
                let some = || some.iter().filter(is_asked);
                some().for_each(|lookup| segment.prefetch_list(lookup.0));
                let mut lists = [(0, 0); AT_ONCE];
                for (list, lookup) in lists.iter_mut().zip(some()) {
                    *list = segment.list(lookup.0)?;
                }
                for (&list, &(key, own, whom)) in lists.iter().zip(some()) {
                    let asks = whom == Whom::Storing;
                    segment.meet(list, key, !asks, |other| {
                        // One number, which is sorted faster than several: units have 31 bits.
                        met.push(u64::from(other) << 32 | u64::from(own) << 1 | u64::from(asks));
                    })?;
                }
            }
            Ok(met)
        };
        let mut met: Vec<u64> = Vec::new();
        let stretch = lookups.len().div_ceil(segment.stretches(lookups.len())).max(1);
        for part in lookups.chunks(stretch) {
            let found: Vec<Vec<u64>> = part.par_chunks(KEYS).map(meet).collect::<Result<_>>()?;
            found.iter().for_each(|found| met.extend_from_slice(found));
            give_back(&[segment], lookups.len());
        }
        met.par_sort_unstable();
        met.dedup();
        Ok(met
            .into_iter()
            .map(|met| Met {
                own: (met as u32) >> 1,
                segment: number,
                other: (met >> 32) as u32,
                asks: met & 1 == 1,
            })
            .collect())
    }

    /// Whether a segment may hold what is close enough in time.
    pub fn may_hold(&self, document: usize, segment: &Segment) -> bool {
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
    pub fn sees(&self, document: usize, row: &Row) -> bool {
        let is_near = match (self.window, self.bundle.entries[document].published, row.published) {
            (Some(window), Some(a), Some(b)) => a.abs_diff(b) <= window.unsigned_abs(),
            _ => true,
        };
        is_near && row.time >= self.horizon && !self.removed.contains(&row.number)
    }

    /// The documents with the same text or the same features.
    fn equal(&self, segments: &[&Segment], cancel: &Cancel) -> Result<Vec<Found>> {
        let documents = (0..self.bundle.entries.len()).into_par_iter();
        let mut identities: Vec<(u64, usize)> = documents
            .flat_map_iter(|document| {
                let text = self.bundle.entries[document].text;
                let own = Bundle::identities(text, &self.bundle.features, document);
                own.into_iter().map(move |identity| (identity, document))
            })
            .collect();
        // In the order in which segments have them.
        identities.sort_unstable();
        let equal = |(n, segment): (usize, &&Segment)| {
            let (mut found, mut others) = (Vec::new(), Vec::new());
            for (at, &(identity, document)) in identities.iter().enumerate() {
                if at.is_multiple_of(CHECKED) {
                    cancel.check()?;
                }
                others.clear();
                segment.equals(identity, &mut others)?;
                for &other in &others {
                    if self.sees(document, &segment.row(other)?) {
                        found.push((n as u32, other));
                    }
                }
            }
            Ok(found)
        };
        // For the few of one document others are not woken up.
        let found: Vec<Vec<Found>> = if identities.len() < CHECKED {
            segments.iter().enumerate().map(equal).collect::<Result<_>>()?
        } else {
            segments.par_iter().enumerate().map(equal).collect::<Result<_>>()?
        };
        Ok(found.concat())
    }

    /// Whether the new document repeats one of these that comes before it in any window: all other
    /// pairs are those of the earlier one then.
    fn is_repeated(&self, segments: &[&Segment], equal: &[Found]) -> Result<bool> {
        if !self.only_first || self.window.is_some() || self.bundle.entries.len() != 1 {
            return Ok(false);
        }
        for &(segment, document) in equal {
            let mut loader = Loader::default();
            loader.document(segments[segment as usize], document)?;
            if repeats(self.bundle, &loader.end()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The documents that share enough weight, of those met by so many lookups.
    fn sharing(
        &self,
        segments: &[&Segment],
        mut met: Vec<Met>,
        lookups: usize,
        cancel: &Cancel,
    ) -> Result<Vec<Found>> {
        let features = &self.bundle.features;
        met.sort_unstable();
        let runs: Vec<&[Met]> = met.chunk_by(|a, b| a.own == b.own).collect();
        let share = |run: &&[Met]| {
            cancel.check()?;
            let document = run[0].own as usize;
            let kept = self.postings.store.of(document);
            let own: Vec<(u64, u64, u32)> = features
                .range(document)
                .map(|at| (features.keys[at], features.weights[at], features.count(at)))
                .filter(|feature| kept.binary_search(&feature.0).is_ok())
                .collect();
            let total = self.postings.totals[document];
            let mut found = Vec::new();
            for met in run.chunk_by(|a, b| (a.segment, a.other) == (b.segment, b.other)) {
                let (segment, other) = (segments[met[0].segment as usize], met[0].other);
                let row = segment.row(other)?;
                if !self.sees(document, &row) {
                    continue;
                }
                let least = self.floor * total.min(row.total) as f64 * (1.0 - 1e-9);
                let shared = segment.shared(other, &own)?;
                if shared > 0 && shared as f64 >= least {
                    found.push((met[0].segment, other));
                }
            }
            Ok(found)
        };
        let mut found = Vec::new();
        for runs in runs.chunks(SOME_DOCUMENTS) {
            let some: Vec<Vec<Found>> = runs.par_iter().map(share).collect::<Result<_>>()?;
            found.extend(some.into_iter().flatten());
            give_back(segments, lookups);
        }
        Ok(found)
    }

    /// The documents with units that match often enough.
    fn matching(
        &self,
        segments: &[&Segment],
        met: Vec<Met>,
        (documents, lookups): (&[u32], usize),
        verification: &Verification,
        cancel: &Cancel,
    ) -> Result<Vec<Found>> {
        // The new units, then those that were met.
        let others: Vec<&[Met]> =
            met.chunk_by(|a, b| (a.segment, a.other) == (b.segment, b.other)).collect();
        let load = |loader: &mut Loader, runs: &[&[Met]]| {
            for part in runs.chunk_by(|a, b| a[0].segment == b[0].segment) {
                let segment = segments[part[0][0].segment as usize];
                let mut pauses = Pauses::new(segment, segment.head().units as usize, lookups);
                let units: Vec<u32> = part.iter().map(|run| run[0].other).collect();
                for (at, &unit) in units.iter().enumerate() {
                    if at.is_multiple_of(CHECKED) {
                        cancel.check()?;
                    }
                    pauses.at(unit as usize);
                    ahead(segment, &units, at, Reads::All)?;
                    loader.unit(segment, unit)?;
                }
                give_back(&[segment], lookups);
            }
            Ok(())
        };
        let features = &self.bundle.features;
        let loader = Loader::load(|| Loader::behind(features.clone()), &others, load)?;
        let mut places = Vec::with_capacity(met.len());
        for (run, place) in others.iter().zip(features.n_units()..) {
            places.extend(run.iter().map(|&met| (met, place)));
        }
        places.par_sort_unstable();
        let mut table = loader.end().features;
        if matches!(verification, Verification::Retold { .. }) {
            table = table.into_ranked();
        }
        let mut common = self.postings.common.clone();
        common.resize(table.n_units(), false);
        let verify = verification.bind(&table);
        let told = Told::new(segments, self.bundle.entries.len());
        let document_of = |met: &Met| documents[met.own as usize];
        let runs: Vec<&[(Met, usize)]> =
            places.chunk_by(|a, b| document_of(&a.0) == document_of(&b.0)).collect();
        let check = |part: &[&[(Met, usize)]]| {
            let mut checker = verify.checker();
            let mut found = Vec::new();
            for run in part {
                cancel.check()?;
                let document = document_of(&run[0].0) as usize;
                let tables = (&table, verification, &common[..]);
                let some = self.matched(segments, document, run, (tables, &told), &mut checker)?;
                some.iter().for_each(|&one| told.set(one));
                found.extend(some);
            }
            Ok(found)
        };
        Ok(runs.par_chunks(DOCUMENTS).map(check).collect::<Result<Vec<_>>>()?.concat())
    }

    /// Those that may match, of new sentences and stored ones that they met.
    fn glance(
        &self,
        segments: &[&Segment],
        met: Vec<Met>,
        (alike, lookups): (Alike, usize),
        cancel: &Cancel,
    ) -> Result<Vec<Met>> {
        let features = &self.bundle.features;
        let Some(ranked) = &features.ranked else { return Ok(met) };
        let ranks = ranks_of(ranked);
        let weights: Vec<u64> = (0..features.n_units()).map(|unit| features.weight(unit)).collect();
        let parts: Vec<&[Met]> = met
            .chunk_by(|a, b| a.segment == b.segment)
            .flat_map(|part| part.chunks(MET.max(part.len() / rayon::current_num_threads() + 1)))
            .collect();
        let look = |part: &&[Met]| {
            let segment = segments[part[0].segment as usize];
            let glance = Glance::new(segment, part.len(), features, (&ranks, &weights), alike)?;
            let Some(mut glance) = glance else { return Ok(part.to_vec()) };
            let mut left = Vec::new();
            let mut pauses = Pauses::new(segment, segment.head().units as usize, lookups);
            let others = others_of(part);
            for (at, run) in part.chunk_by(|a, b| a.other == b.other).enumerate() {
                if at.is_multiple_of(CHECKED) {
                    cancel.check()?;
                }
                pauses.at(run[0].other as usize);
                ahead(segment, &others, at, Reads::Numbers)?;
                glance.look_at(run[0].other)?;
                left.extend(run.iter().filter(|met| glance.may_match(met.own as usize)));
            }
            give_back(&[segment], lookups);
            Ok(left)
        };
        Ok(parts.par_iter().map(look).collect::<Result<Vec<_>>>()?.concat())
    }

    /// The documents with units that match often enough those of one document, without some that are
    /// told already: whoever finds one first has found it for all.
    fn matched(
        &self,
        segments: &[&Segment],
        document: usize,
        run: &[(Met, usize)],
        ((table, verification, common), told): ((&Features, &Verification, &[bool]), &Told),
        check: &mut dyn FnMut(usize, usize) -> Option<f64>,
    ) -> Result<Vec<Found>> {
        let mut seen: HashMap<Found, Option<u64>, FxBuildHasher> = HashMap::default();
        let mut tallies = Tallies::new(verification, table, common);
        let mut holders: Vec<Found> = Vec::new();
        for &(met, place) in run {
            let own = met.own as usize;
            if !Mark::counts([own, place].map(|unit| table.mark(unit)), u32::MAX) {
                continue;
            }
            let segment = segments[met.segment as usize];
            holders.clear();
            segment.holders(met.other, |holder| holders.push((met.segment, holder)))?;
            holders.retain(|&holder| !told.has(holder));
            if holders.is_empty() {
                continue;
            }
            let [probe, store] = if met.asks { [own, place] } else { [place, own] };
            let is_equal = table.signature(probe) == table.signature(store);
            let score = if is_equal { Some(f64::INFINITY) } else { check(probe, store) };
            let Some(score) = score else { continue };
            let Some(weighed) = tallies.weigh([own, place], score) else { continue };
            for &holder in &holders {
                let total = match seen.entry(holder) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(new) => {
                        let row = segment.row(holder.1)?;
                        *new.insert(self.sees(document, &row).then_some(row.total))
                    }
                };
                if total.is_some() {
                    tallies.add(holder, [own, place], weighed);
                }
            }
        }
        if self.bundle.features.document_ends.is_empty() {
            return Ok(seen
                .into_iter()
                .filter_map(|(holder, total)| total.map(|_| holder))
                .collect());
        }
        let total = self.postings.totals[document];
        Ok(tallies.enough(self.floor, |holder| [total, seen[&holder].unwrap_or(0)]))
    }
}
