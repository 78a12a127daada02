//! From documents to the bytes of a segment. The same documents give the same bytes.

use std::cmp::Reverse;
use std::path::Path;

use hashbrown::HashMap;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::bundle::{Bundle, Place};
use super::layout::{
    ASKING_FIRST, COUNTED, Head, IS_PROBE, IS_QUOTED, MET, OF_SENTENCES, PLACED, SECTIONS, Section,
    TAGGED, TERMS, beginning_bits, beginning_of, number_width, rest_of,
};
use super::output::Output;
use super::postings::Postings;
use crate::error::{Error, Result};
use crate::features::{Features, Mark, Ranked};
use crate::hash;

/// Bytes of postings that are written at a time.
const SOME_BYTES: usize = 1 << 16;

/// The segment of these documents, whose units have these postings.
pub fn build(bundle: &Bundle, postings: &Postings) -> Result<Vec<u8>> {
    Ok(write(bundle, postings, Output::memory)?.1)
}

/// The same, from so many bytes on in a new file, which is not synced. Returns how many bytes there are,
/// and these unless they are in the file.
pub fn build_file(
    bundle: &Bundle,
    postings: &Postings,
    path: &Path,
    from: usize,
) -> Result<(u64, Vec<u8>)> {
    write(bundle, postings, |head| Output::growing(path, from, head))
}

fn write(
    bundle: &Bundle,
    postings: &Postings,
    output: impl FnOnce(Head) -> Output,
) -> Result<(u64, Vec<u8>)> {
    let Bundle { entries, features, places } = bundle;
    let units = features.n_units();
    if entries.len() != features.n_documents() || postings.store.n_units() != units {
        let message = "documents, features and postings of a segment differ in number";
        return Err(Error::Parameter(message.into()));
    }
    if features.n_features().max(units) >= IS_PROBE as usize {
        return Err(Error::Parameter("a segment holds at most 2³¹ features".into()));
    }
    let units = || {
        let distinct = Distinct::new(features);
        let posted = posted(postings, &distinct);
        (distinct, posted)
    };
    let ((distinct, (posted, is_tagged)), numbered) =
        rayon::join(units, || Numbered::new(features));
    let flag = |flag: u32, is_set: bool| if is_set { flag } else { 0 };
    let head = Head {
        flags: flag(OF_SENTENCES, !features.document_ends.is_empty())
            | flag(COUNTED, !features.counts.is_empty())
            | flag(TERMS, features.ranked.is_some())
            | flag(MET, !features.met_by.ends.is_empty())
            | flag(PLACED, !places.is_empty())
            | flag(TAGGED, is_tagged)
            | ASKING_FIRST,
        sketch_width: features.sketch_width as u32,
        documents: entries.len() as u64,
        units: distinct.first.len() as u64,
        earliest: entries.iter().map(|entry| entry.time).min().unwrap_or(0),
        latest: entries.iter().map(|entry| entry.time).max().unwrap_or(0),
        undated: entries.iter().filter(|entry| entry.published.is_none()).count() as u64,
        beginning: beginning_bits(posted.len()),
        sections: [(0, 0); SECTIONS],
    };
    let mut out = output(head);
    write_documents(&mut out, bundle, &postings.totals)?;
    numbered.write_table(&mut out)?;
    write_units(&mut out, features, &distinct, &numbered)?;
    if head.has(OF_SENTENCES) {
        out.put(Section::Sentences, |out| distinct.of.iter().try_for_each(|&n| out.u32(n)))?;
        out.put(Section::Places, |out| places.iter().try_for_each(|p| write_place(out, p)))?;
        let sentences = |document: usize| features.units_of(document).map(|n| distinct.of[n]);
        write_holders(&mut out, entries.len(), distinct.first.len(), sentences)?;
    }
    write_postings(&mut out, posted.into_iter().map(|entry| ((entry >> 32) as u32, entry as u32)))?;
    out.sealed()
}

/// Equal sentences as one unit, in the order in which they come first; other units as they are.
struct Distinct {
    /// The first of each.
    first: Vec<u32>,
    /// Which one each unit is.
    of: Vec<u32>,
}

/// Whether a sentence has terms, how much of it is boilerplate of its source, and what it says.
pub type Same = (bool, Mark, u128);

/// What stands for a sentence: what has the same terms, the same sketch and the same mark is the same.
pub fn same(features: &Features, unit: usize) -> Same {
    let sketch = || -> Vec<u8> {
        features.sketch(unit).iter().flat_map(|word| word.to_le_bytes()).collect()
    };
    let signature = features.signature(unit);
    let says = signature.unwrap_or_else(|| hash::whole(&sketch()));
    (signature.is_some(), features.mark(unit), says)
}

impl Distinct {
    fn new(features: &Features) -> Self {
        let n = features.n_units() as u32;
        if features.document_ends.is_empty() {
            return Self { first: (0..n).collect(), of: (0..n).collect() };
        }
        let keys: Vec<_> =
            (0..n as usize).into_par_iter().map(|unit| same(features, unit)).collect();
        let mut known: HashMap<Same, u32, FxBuildHasher> = HashMap::default();
        let mut first = Vec::new();
        let of = keys.into_iter().zip(0..n).map(|(key, unit)| {
            *known.entry(key).or_insert_with(|| {
                first.push(unit);
                first.len() as u32 - 1
            })
        });
        let of = of.collect();
        Self { first, of }
    }
}

/// Features as numbers of terms, or of weights.
struct Numbered {
    /// The keys of terms; empty if there are none.
    keys: Vec<u64>,
    weights: Vec<u64>,
    /// The number of each feature; those of terms are sorted within each unit.
    numbers: Vec<u32>,
}

impl Numbered {
    fn new(features: &Features) -> Self {
        match &features.ranked {
            Some(ranked) => Self::of_terms(features, ranked),
            None => Self::of_weights(features),
        }
    }

    fn of_terms(features: &Features, ranked: &Ranked) -> Self {
        let mut used = vec![u32::MAX; ranked.terms.keys.len()];
        ranked.ranks.iter().for_each(|&rank| used[rank as usize] = 0);
        let mut terms: Vec<(Reverse<u64>, u64, u32)> = (0..used.len())
            .filter(|&rank| used[rank] == 0)
            .map(|rank| (Reverse(ranked.terms.weights[rank]), ranked.terms.keys[rank], rank as u32))
            .collect();
        terms.par_sort_unstable();
        for (number, term) in terms.iter().enumerate() {
            used[term.2 as usize] = number as u32;
        }
        let mut numbers: Vec<u32> =
            ranked.ranks.par_iter().map(|&rank| used[rank as usize]).collect();
        for unit in 0..features.n_units() {
            numbers[features.range(unit)].sort_unstable();
        }
        let keys = terms.iter().map(|term| term.1).collect();
        Self { keys, weights: terms.into_iter().map(|term| term.0.0).collect(), numbers }
    }

    fn of_weights(features: &Features) -> Self {
        let mut weights = features.weights.clone();
        weights.par_sort_unstable();
        weights.dedup();
        let number = |weight: &u64| weights.binary_search(weight).expect("it is among all") as u32;
        let numbers = features.weights.par_iter().map(number).collect();
        Self { keys: Vec::new(), weights, numbers }
    }

    fn write_table(&self, out: &mut Output) -> Result<()> {
        out.put(Section::Weights, |out| self.weights.iter().try_for_each(|&w| out.u64(w)))?;
        out.put(Section::Terms, |out| self.keys.iter().try_for_each(|&key| out.u64(key)))
    }
}

fn write_documents(out: &mut Output, bundle: &Bundle, totals: &[u64]) -> Result<()> {
    let Bundle { entries, features, .. } = bundle;
    out.put(Section::Documents, |out| {
        let mut id_end = 0;
        for (n, entry) in entries.iter().enumerate() {
            id_end += entry.id.len() as u32;
            out.u64(entry.number)?;
            out.u64(entry.time as u64)?;
            out.u64(entry.published.unwrap_or(i64::MIN) as u64)?;
            out.bytes(&entry.text.to_le_bytes())?;
            out.u64(totals[n])?;
            out.u32(id_end)?;
            out.u32(features.units_of(n).end as u32)?;
        }
        Ok(())
    })?;
    out.put(Section::Ids, |out| entries.iter().try_for_each(|e| out.bytes(e.id.as_bytes())))?;
    let rows = (0..entries.len()).into_par_iter().flat_map_iter(|n| {
        let found = Bundle::identities(entries[n].text, features, n);
        found.into_iter().map(move |identity| (identity, n as u32))
    });
    write_identities(out, rows.collect())
}

/// Write what stands for documents, with these.
pub fn write_identities(out: &mut Output, mut rows: Vec<(u64, u32)>) -> Result<()> {
    rows.par_sort_unstable();
    out.put(Section::Identities, |out| {
        rows.iter().try_for_each(|&(identity, document)| {
            out.u64(identity)?;
            out.u32(document)
        })
    })
}

fn write_units(
    out: &mut Output,
    features: &Features,
    distinct: &Distinct,
    numbered: &Numbered,
) -> Result<()> {
    let units = || distinct.first.iter().map(|&unit| unit as usize);
    let is_counted = !features.counts.is_empty();
    write_ends(out, Section::UnitEnds, units().map(|unit| features.range(unit).len()))?;
    out.put(Section::Keys, |out| {
        let ranges = units().filter(|_| features.ranked.is_none()).map(|n| features.range(n));
        ranges.flatten().try_for_each(|at| out.u64(features.keys[at]))
    })?;
    let width = number_width(numbered.weights.len());
    let mut written = Vec::new();
    out.put(Section::Numbers, |out| {
        units().try_for_each(|unit| {
            written.clear();
            for number in &numbered.numbers[features.range(unit)] {
                written.extend_from_slice(&number.to_le_bytes()[..width]);
            }
            out.bytes(&written)
        })
    })?;
    out.put(Section::Counts, |out| {
        let places = units().filter(|_| is_counted).flat_map(|unit| features.range(unit));
        places.into_iter().try_for_each(|at| out.u32(features.counts[at]))
    })?;
    out.put(Section::Sketches, |out| {
        units().try_for_each(|unit| features.sketch(unit).iter().try_for_each(|&w| out.u64(w)))
    })?;
    let met = &features.met_by;
    let is_met = !met.ends.is_empty();
    let sizes = units().filter(|_| is_met).map(|unit| met.of(unit).len());
    write_ends(out, Section::MetEnds, sizes)?;
    out.put(Section::Met, |out| {
        let keys = units().filter(|_| is_met).flat_map(|unit| met.of(unit));
        keys.into_iter().try_for_each(|&key| out.u32(key))
    })
}

/// Write where lists of these sizes end.
pub fn write_ends(
    out: &mut Output,
    section: Section,
    mut sizes: impl Iterator<Item = usize>,
) -> Result<()> {
    let mut end = 0;
    out.put(section, |out| {
        sizes.try_for_each(|size| {
            end += size as u32;
            out.u32(end)
        })
    })
}

fn write_place(out: &mut Output, place: &Place) -> Result<()> {
    out.u32(place.start)?;
    out.u32(place.end | if place.is_quoted { IS_QUOTED } else { 0 })?;
    out.u64(place.text)
}

/// Write which documents hold each unit; `sentences` are those of a document.
pub fn write_holders<I: Iterator<Item = u32>>(
    out: &mut Output,
    documents: usize,
    units: usize,
    sentences: impl Fn(usize) -> I,
) -> Result<()> {
    let mut ends = vec![0_u32; units];
    // The document that was seen last with each unit.
    let mut last = vec![u32::MAX; units];
    for document in 0..documents {
        for unit in sentences(document).map(|unit| unit as usize) {
            if last[unit] != document as u32 {
                last[unit] = document as u32;
                ends[unit] += 1;
            }
        }
    }
    let mut sum = 0;
    for end in &mut ends {
        let start = sum;
        sum += *end;
        *end = start;
    }
    let mut holders = vec![0; sum as usize];
    last.fill(u32::MAX);
    for document in 0..documents {
        for unit in sentences(document).map(|unit| unit as usize) {
            if last[unit] != document as u32 {
                last[unit] = document as u32;
                holders[ends[unit] as usize] = document as u32;
                ends[unit] += 1;
            }
        }
    }
    out.put(Section::HolderEnds, |out| ends.iter().try_for_each(|&end| out.u32(end)))?;
    out.put(Section::Holders, |out| holders.iter().try_for_each(|&holder| out.u32(holder)))
}

/// The postings, sorted: key, unit and mark in one number each; and whether some are only looked up.
fn posted(postings: &Postings, distinct: &Distinct) -> (Vec<u64>, bool) {
    if postings.probe.is_none() {
        return (stored(postings, distinct), false);
    }
    let mut is_tagged = false;
    let mut all: Vec<u64> = Vec::with_capacity(postings.store.keys.len());
    for (unit, &number) in distinct.of.iter().enumerate() {
        // Of equal sentences one may look up what the others only store.
        if distinct.first[number as usize] as usize == unit || !postings.probe(unit).is_empty() {
            is_tagged |= postings.kept(unit, |key, is_probe| {
                // The mark comes last, so that postings are sorted by unit.
                all.push(key >> 32 << 32 | u64::from(number) << 1 | u64::from(!is_probe));
            });
        }
    }
    all.par_sort_unstable();
    // Keys that begin alike are one here; it is looked up if one of them is.
    all.dedup_by_key(|posting| *posting >> 1);
    let mut moved = Vec::new();
    all.chunk_by_mut(|a, b| a >> 32 == b >> 32).for_each(|run| asking_first(run, &mut moved));
    let turned = |entry: u64| {
        let mark = if entry & 1 == 0 { IS_PROBE } else { 0 };
        entry >> 32 << 32 | u64::from((entry as u32) >> 1 | mark)
    };
    (all.into_par_iter().map(turned).collect(), is_tagged)
}

/// Move units that look a key up before those that only store it; the last bit tells who does not. In
/// other respects they stay in their order.
pub fn asking_first(run: &mut [u64], moved: &mut Vec<u64>) {
    moved.clear();
    let mut kept = 0;
    for at in 0..run.len() {
        if run[at] & 1 == 0 {
            run[kept] = run[at];
            kept += 1;
        } else {
            moved.push(run[at]);
        }
    }
    run[kept..].copy_from_slice(moved);
}

/// The same where all look up what they store.
fn stored(postings: &Postings, distinct: &Distinct) -> Vec<u64> {
    let mut numbers = vec![u32::MAX; distinct.of.len()];
    for (number, &unit) in distinct.first.iter().enumerate() {
        numbers[unit as usize] = number as u32;
    }
    // Those that come first have numbers in the order of the units: what is sorted stays so.
    let entries = postings.entries();
    let turned = |&entry: &u64| {
        let number = numbers[entry as u32 as usize];
        (number != u32::MAX).then_some(entry >> 32 << 32 | u64::from(number | IS_PROBE))
    };
    let mut stored = Vec::with_capacity(entries.len());
    stored.extend(entries.iter().filter_map(turned));
    stored
}

/// Write postings, which come sorted, and where those of each beginning of a key start.
pub fn write_postings(out: &mut Output, postings: impl Iterator<Item = (u32, u32)>) -> Result<()> {
    let bits = out.head.beginning;
    let form = out.head.posting();
    let beginnings = 1_usize << bits;
    let mut directory = Vec::with_capacity(beginnings + 1);
    let mut n = 0_u32;
    out.put(Section::Postings, |out| {
        let mut written = Vec::with_capacity(SOME_BYTES + 8);
        for (key, unit) in postings {
            while directory.len() <= beginning_of(key, bits) as usize {
                directory.push(n);
            }
            // All eight bytes, then as many less as it has: to copy a known number is faster.
            let end = written.len() + form.size;
            written.extend_from_slice(&form.write(rest_of(key, bits), unit));
            written.truncate(end);
            n += 1;
            if end >= SOME_BYTES {
                out.bytes(&written)?;
                written.clear();
            }
        }
        out.bytes(&written)
    })?;
    directory.resize(beginnings + 1, n);
    out.put(Section::Directory, |out| directory.iter().try_for_each(|&start| out.u32(start)))
}
