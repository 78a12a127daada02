//! From documents to the bytes of a segment. The same documents give the same bytes.

use rayon::prelude::*;

use super::bundle::Bundle;
use super::layout::{
    COUNTED, HEAD, Head, MET, OF_SENTENCES, PLACED, SECTIONS, Section, TAGGED, WIDE_WEIGHTS, seal,
};
use super::postings::Postings;
use crate::error::{Error, Result};
use crate::features::Features;

/// The bit of a unit that says that it also looks the key up.
pub const IS_PROBE: u32 = 1 << 31;

/// The bit of the end of a place that says that it stands in quotation marks.
pub const IS_QUOTED: u32 = 1 << 31;

/// How many postings share the beginning of a key, about.
const A_BEGINNING: usize = 8;

/// The segment of these documents, whose units have these postings.
pub fn build(bundle: &Bundle, postings: &Postings) -> Result<Vec<u8>> {
    let Bundle { entries, features, places } = bundle;
    let units = features.n_units();
    if entries.len() != features.n_documents() || postings.store.n_units() != units {
        let message = "documents, features and postings of a segment differ in number";
        return Err(Error::Parameter(message.into()));
    }
    if features.keys.len().max(units) >= IS_PROBE as usize {
        return Err(Error::Parameter("a segment holds at most 2³¹ features".into()));
    }
    let weights = distinct_weights(features);
    let wide = weights.len() > usize::from(u16::MAX) + 1;
    let (directory, posted, is_tagged) = posted(postings);
    let flag = |flag: u32, is_set: bool| if is_set { flag } else { 0 };
    let head = Head {
        flags: flag(OF_SENTENCES, !features.document_ends.is_empty())
            | flag(COUNTED, !features.counts.is_empty())
            | flag(WIDE_WEIGHTS, wide)
            | flag(MET, !features.met_by.ends.is_empty())
            | flag(PLACED, !places.is_empty())
            | flag(TAGGED, is_tagged),
        sketch_width: features.sketch_width as u32,
        documents: entries.len() as u64,
        units: units as u64,
        earliest: entries.iter().map(|entry| entry.time).min().unwrap_or(0),
        latest: entries.iter().map(|entry| entry.time).max().unwrap_or(0),
        undated: entries.iter().filter(|entry| entry.published.is_none()).count() as u64,
        sections: [(0, 0); SECTIONS],
    };
    let mut file = File { bytes: vec![0; HEAD], head };
    file.put(Section::Documents, documents(bundle, &postings.totals));
    file.put(Section::Ids, entries.iter().flat_map(|entry| entry.id.bytes()));
    file.put(Section::Identities, identities(bundle));
    file.put(Section::Weights, u64s(&weights));
    file.put(Section::UnitEnds, ends(&features.ends));
    file.put(Section::Keys, u64s(&features.keys));
    let number = |weight: &u64| weights.binary_search(weight).expect("it is among all") as u32;
    let numbers: Vec<u32> = features.weights.par_iter().map(number).collect();
    let size = if wide { 4 } else { 2 };
    let numbers = numbers.iter().flat_map(|n| n.to_le_bytes().into_iter().take(size));
    file.put(Section::WeightNumbers, numbers);
    file.put(Section::Counts, features.counts.iter().flat_map(|n| n.to_le_bytes()));
    file.put(Section::Sketches, u64s(&features.sketches));
    file.put(Section::MetEnds, ends(&features.met_by.ends));
    file.put(Section::Met, features.met_by.keys.iter().flat_map(|key| key.to_le_bytes()));
    let place = |place: &super::bundle::Place| {
        let end = place.end | if place.is_quoted { IS_QUOTED } else { 0 };
        let ends = u64::from(place.start) | u64::from(end) << 32;
        [ends, place.text].map(u64::to_le_bytes).concat()
    };
    file.put(Section::Places, places.iter().flat_map(place));
    file.put(Section::Directory, directory.iter().flat_map(|n| n.to_le_bytes()));
    let posting = |&(part, unit): &(u16, u32)| {
        let ([a, b], [c, d, e, f]) = (part.to_le_bytes(), unit.to_le_bytes());
        [a, b, c, d, e, f]
    };
    file.put(Section::Postings, posted.iter().flat_map(posting));
    Ok(file.sealed())
}

/// A segment while it is written.
struct File {
    bytes: Vec<u8>,
    head: Head,
}

impl File {
    fn put(&mut self, section: Section, content: impl Iterator<Item = u8>) {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let start = self.bytes.len();
        self.bytes.extend(content);
        self.head.sections[section as usize] = (start as u64, (self.bytes.len() - start) as u64);
    }

    fn sealed(mut self) -> Vec<u8> {
        self.bytes[..HEAD].copy_from_slice(&self.head.to_bytes());
        seal(&mut self.bytes);
        self.bytes
    }
}

fn u64s(numbers: &[u64]) -> impl Iterator<Item = u8> {
    numbers.iter().flat_map(|n| n.to_le_bytes())
}

fn ends(numbers: &[u64]) -> impl Iterator<Item = u8> {
    numbers.iter().flat_map(|&n| (n as u32).to_le_bytes())
}

fn distinct_weights(features: &Features) -> Vec<u64> {
    let mut weights = features.weights.clone();
    weights.par_sort_unstable();
    weights.dedup();
    weights
}

fn documents(bundle: &Bundle, totals: &[u64]) -> impl Iterator<Item = u8> {
    let Bundle { entries, features, .. } = bundle;
    let mut id_end = 0;
    entries.iter().enumerate().flat_map(move |(n, entry)| {
        id_end += entry.id.len() as u32;
        let units = features.units_of(n);
        let mut row = Vec::with_capacity(super::layout::DOCUMENT);
        row.extend(entry.number.to_le_bytes());
        row.extend(entry.time.to_le_bytes());
        row.extend(entry.published.unwrap_or(i64::MIN).to_le_bytes());
        row.extend(entry.text.to_le_bytes());
        row.extend(totals[n].to_le_bytes());
        row.extend(id_end.to_le_bytes());
        row.extend((units.end as u32).to_le_bytes());
        row
    })
}

fn identities(bundle: &Bundle) -> impl Iterator<Item = u8> {
    let mut rows: Vec<(u64, u32)> = (0..bundle.entries.len())
        .into_par_iter()
        .flat_map_iter(|n| {
            let found = Bundle::identities(bundle.entries[n].text, &bundle.features, n);
            found.into_iter().map(move |identity| (identity, n as u32))
        })
        .collect();
    rows.par_sort_unstable();
    rows.into_iter().flat_map(|(identity, document)| {
        identity.to_le_bytes().into_iter().chain(document.to_le_bytes())
    })
}

type Posted = (Vec<u32>, Vec<(u16, u32)>, bool);

/// The postings by key: where those of each beginning start, the rest of the key with the unit, and
/// whether some are only looked up.
fn posted(postings: &Postings) -> Posted {
    let mut is_tagged = false;
    let mut all: Vec<(u64, u32)> = Vec::with_capacity(postings.store.keys.len());
    for unit in 0..postings.store.n_units() {
        let (kept, any) = postings.kept(unit);
        is_tagged |= any;
        let mark = |is_probe: bool| if is_probe { IS_PROBE } else { 0 };
        all.extend(kept.into_iter().map(|(key, is_probe)| (key, unit as u32 | mark(is_probe))));
    }
    all.par_sort_unstable_by_key(|&(key, unit)| (key, unit & !IS_PROBE));
    let bits = beginning_bits(all.len());
    let mut directory = Vec::with_capacity((1 << bits) + 1);
    let mut at = 0;
    for beginning in 0..1_u64 << bits {
        directory.push(at as u32);
        while at < all.len() && beginning_of(all[at].0, bits) == beginning {
            at += 1;
        }
    }
    directory.push(at as u32);
    let posted = all.into_iter().map(|(key, unit)| (rest_of(key, bits), unit)).collect();
    (directory, posted, is_tagged)
}

/// How many bits of a key are its beginning, in a segment of so many postings.
pub fn beginning_bits(postings: usize) -> u32 {
    (postings / A_BEGINNING).checked_ilog2().unwrap_or(0)
}

/// The beginning of a key.
pub fn beginning_of(key: u64, bits: u32) -> u64 {
    key.checked_shr(64 - bits).unwrap_or(0)
}

/// The 16 bits behind the beginning of a key.
pub fn rest_of(key: u64, bits: u32) -> u16 {
    ((key << bits) >> 48) as u16
}
