//! Several segments to one, section after section, in memory that does not grow with what they hold
//! but with how many sentences they have: a few numbers each.

use std::cmp::Reverse;
use std::ops::Range;
use std::path::Path;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::build::{Same, same, write_holders, write_identities, write_postings};
use super::layout::{
    ASKING_FIRST, COUNTED, DOCUMENT, Head, IDENTITY, MET, OF_SENTENCES, PLACE, PLACED, SECTIONS,
    Section, TERMS, beginning_bits, number_at, number_width, u32_at, u64_at,
};
use super::load::Loader;
use super::output::Output;
use super::search::Numbers;
use super::segment::{Pauses, Segment};
use super::walks::{Postings, Walk};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::retelling::MARKS;

/// In place of the number of what is gone.
pub const GONE: u32 = u32::MAX;
/// How many sentences are looked at in one go for others that are equal.
const AT_A_TIME: usize = 1 << 20;
/// How many units are written in one go at most.
const A_RUN: usize = 1 << 12;

/// What a merge made.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// How many documents are left.
    pub documents: u64,
    /// The latest time of these.
    pub latest: i64,
    /// How many bytes were written.
    pub size: u64,
    /// These, if they were not written to a file.
    pub content: Vec<u8>,
}

/// Write what is left of segments: what is neither removed nor told before the horizon. To a new
/// file, or to memory; nothing is written if nothing is left.
pub fn merge(
    segments: &[&Segment],
    removed: &Numbers,
    horizon: i64,
    path: Option<&Path>,
    cancel: &Cancel,
) -> Result<Merged> {
    for segment in segments {
        cancel.check()?;
        segment.check()?;
        segment.rest();
    }
    let merge = Merge::new(segments, removed, horizon, cancel)?;
    if merge.documents.is_empty() {
        return Ok(Merged::default());
    }
    let head = merge.head()?;
    let written = match path {
        None => merge.write(Output::memory(head)),
        Some(path) => Output::file(path, head).and_then(|out| merge.write(out)),
    };
    segments.iter().for_each(|segment| segment.rest());
    let (size, content) = written?;
    Ok(Merged { documents: head.documents, latest: head.latest, size, content })
}

struct Merge<'a> {
    segments: &'a [&'a Segment],
    cancel: &'a Cancel,
    /// The documents that are left: their segments, and their numbers there.
    documents: Vec<(u32, u32)>,
    /// The new number of each unit, by segment: that of an equal one before it, or the next one.
    units: Vec<Vec<u32>>,
    /// How many units are left.
    n_units: u32,
    /// The new number of each term or weight, by segment.
    numbers: Vec<Vec<u32>>,
    /// Weights and keys of these.
    weights: Vec<u64>,
    terms: Vec<u64>,
}

impl<'a> Merge<'a> {
    fn new(
        segments: &'a [&'a Segment],
        removed: &Numbers,
        horizon: i64,
        cancel: &'a Cancel,
    ) -> Result<Self> {
        let mut documents = Vec::new();
        for (n, segment) in segments.iter().enumerate() {
            for document in 0..segment.head().documents as u32 {
                let row = segment.row(document)?;
                if row.time >= horizon && !removed.contains(&row.number) {
                    documents.push((n as u32, document));
                }
            }
        }
        let (units, n_units, numbers, weights, terms) = Default::default();
        let mut merge =
            Self { segments, cancel, documents, units, n_units, numbers, weights, terms };
        merge.number_units()?;
        merge.number_terms()?;
        Ok(merge)
    }

    fn of_sentences(&self) -> bool {
        self.segments.iter().any(|segment| segment.head().has(OF_SENTENCES))
    }

    /// Say which units are left, and give equal sentences one number.
    fn number_units(&mut self) -> Result<()> {
        let sizes = self.segments.iter().map(|segment| segment.head().units as usize);
        let mut units: Vec<Vec<u32>> = sizes.map(|n| vec![GONE; n]).collect();
        self.each_document(|segment, n, document| {
            each_sentence(segment, document, |unit| units[n][unit as usize] = 0)
        })?;
        self.units = units;
        let first = self.equal_to()?;
        let starts = self.starts();
        for n in 0..self.segments.len() {
            for unit in 0..self.units[n].len() {
                if self.units[n][unit] == GONE {
                    continue;
                }
                let equal = first.get(starts[n] + unit).filter(|&&place| place != GONE);
                self.units[n][unit] = match equal {
                    Some(&place) => {
                        let (segment, unit) = at_place(&starts, place);
                        self.units[segment][unit]
                    }
                    None => {
                        self.n_units += 1;
                        self.n_units - 1
                    }
                };
            }
        }
        Ok(())
    }

    /// Which place the units of each segment begin at, of all in a row.
    fn starts(&self) -> Vec<usize> {
        let sizes = self.units.iter().map(Vec::len);
        sizes.scan(0, |end, size| Some(std::mem::replace(end, *end + size))).collect()
    }

    /// For each unit that is left the place of the one before it, in another segment, that is equal;
    /// `GONE`: there is none.
    fn equal_to(&self) -> Result<Vec<u32>> {
        if !self.of_sentences() || self.segments.len() < 2 {
            return Ok(Vec::new());
        }
        let mut keys = Vec::with_capacity(self.units.iter().map(Vec::len).sum());
        for (segment, units) in self.segments.iter().zip(&self.units) {
            self.cancel.check()?;
            let mut pauses = Pauses::new(segment, units.len(), usize::MAX);
            for (unit, &new) in units.iter().enumerate() {
                pauses.at(unit);
                keys.push(if new == GONE { 0 } else { key_of(segment, unit)? });
            }
            segment.rest();
        }
        // Not the whole of what stands for a sentence is kept: what is equal in half of it is
        // compared in full.
        let starts = self.starts();
        let mut equal = vec![GONE; keys.len()];
        let rounds = keys.len().div_ceil(AT_A_TIME).max(1) as u64;
        for round in 0..rounds {
            let mut known: HashMap<u64, u32, FxBuildHasher> = HashMap::default();
            for (n, units) in self.units.iter().enumerate() {
                let mut pauses = Pauses::new(self.segments[n], units.len(), usize::MAX);
                for (unit, _) in units.iter().enumerate().filter(|(_, new)| **new != GONE) {
                    let place = starts[n] + unit;
                    let key = keys[place];
                    if key % rounds != round {
                        continue;
                    }
                    pauses.at(unit);
                    let &mut first = known.entry(key).or_insert(place as u32);
                    let (other, before) = at_place(&starts, first);
                    if other != n && self.are_equal((other, before), (n, unit))? {
                        equal[place] = first;
                    }
                }
                // Any of those before it was looked at, too.
                self.rest()?;
            }
        }
        Ok(equal)
    }

    fn are_equal(&self, a: (usize, usize), b: (usize, usize)) -> Result<bool> {
        if let (Some(a), Some(b)) = (self.told(a)?, self.told(b)?) {
            return Ok(a == b);
        }
        let same = |(n, unit): (usize, usize)| sameness(self.segments[n], unit as u32);
        Ok(same(a)? == same(b)?)
    }

    /// What stands for a sentence that meets others and has terms: the first words of its sketch.
    fn told(&self, (n, unit): (usize, usize)) -> Result<Option<&[u8]>> {
        let segment = self.segments[n];
        let size = segment.head().sketch_width as usize * 8;
        let is_told = segment.head().has(MET) && size >= 16;
        if !is_told || segment.range(Section::UnitEnds, unit, 4, 0)?.is_empty() {
            return Ok(None);
        }
        segment.part(Section::Sketches, unit * size..unit * size + 16).map(Some)
    }

    /// Give equal terms, or weights, one number.
    fn number_terms(&mut self) -> Result<()> {
        let is_terms = self.segments.iter().any(|segment| segment.head().has(TERMS));
        let mut used: Vec<Vec<bool>> =
            self.segments.iter().map(|segment| vec![false; segment.n_weights()]).collect();
        self.each_run(|segment, n, units| {
            each_number(segment, units, |number| used[n][number as usize] = true)
        })?;
        let mut all: Vec<(Reverse<u64>, u64, u32, u32)> = Vec::new();
        for (n, used) in used.iter().enumerate() {
            let segment = self.segments[n];
            for number in (0..used.len() as u32).filter(|&number| used[number as usize]) {
                let (key, weight) =
                    if is_terms { segment.term(number)? } else { (0, segment.weight(number)?) };
                all.push((Reverse(weight), key, n as u32, number));
            }
        }
        all.sort_unstable();
        if !is_terms {
            all.reverse();
        }
        self.numbers = used.iter().map(|used| vec![GONE; used.len()]).collect();
        for run in all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            for &(.., n, number) in run {
                self.numbers[n as usize][number as usize] = self.weights.len() as u32;
            }
            self.weights.push(run[0].0.0);
            if is_terms {
                self.terms.push(run[0].1);
            }
        }
        Ok(())
    }

    fn head(&self) -> Result<Head> {
        let mut head = Head {
            documents: self.documents.len() as u64,
            units: self.n_units.into(),
            earliest: i64::MAX,
            latest: i64::MIN,
            sections: [(0, 0); SECTIONS],
            ..Head::default()
        };
        let mut postings = 0;
        for segment in self.segments {
            head.flags |= segment.head().flags;
            head.sketch_width = head.sketch_width.max(segment.head().sketch_width);
            postings += segment.n_postings();
        }
        for &(n, document) in &self.documents {
            let row = self.segments[n as usize].row(document)?;
            head.earliest = head.earliest.min(row.time);
            head.latest = head.latest.max(row.time);
            head.undated += u64::from(row.published.is_none());
        }
        // Whatever order they come in, they are written in this one.
        head.flags |= ASKING_FIRST;
        head.beginning = beginning_bits(postings);
        Ok(head)
    }

    fn write(&self, mut out: Output) -> Result<(u64, Vec<u8>)> {
        let out_ = &mut out;
        self.write_documents(out_)?;
        out_.put(Section::Weights, |out| self.weights.iter().try_for_each(|&w| out.u64(w)))?;
        out_.put(Section::Terms, |out| self.terms.iter().try_for_each(|&key| out.u64(key)))?;
        self.rest()?;
        self.write_features(out_)?;
        self.write_met(out_)?;
        if out_.head.has(OF_SENTENCES) {
            self.write_sentences(out_)?;
        }
        self.rest()?;
        let bytes = self.segments.iter().map(|segment| segment.len()).sum();
        let postings = self.segments.iter().zip(&self.units);
        let postings = postings.map(|(segment, units)| Walk::new(segment, units, bytes));
        let postings = Postings::new(postings.collect::<Result<_>>()?, self.cancel);
        write_postings(out_, postings)?;
        self.cancel.check()?;
        out.sealed()
    }

    /// Give back the memory of what was read, and stop if asked.
    fn rest(&self) -> Result<()> {
        self.segments.iter().for_each(|segment| segment.rest());
        self.cancel.check()
    }

    fn write_documents(&self, out: &mut Output) -> Result<()> {
        let id = |&(n, document): &(u32, u32)| {
            let segment = self.segments[n as usize];
            let range = segment.range(Section::Documents, document as usize, DOCUMENT, 48)?;
            segment.part(Section::Ids, range)
        };
        out.put(Section::Documents, |out| {
            let (mut ids, mut sentences) = (0, 0);
            for place in &self.documents {
                let (segment, document) = (self.segments[place.0 as usize], place.1);
                ids += id(place)?.len() as u32;
                sentences += segment.sentences_of(document)?.len() as u32;
                let start = document as usize * DOCUMENT;
                out.bytes(segment.part(Section::Documents, start..start + 48)?)?;
                out.u32(ids)?;
                out.u32(sentences)?;
            }
            Ok(())
        })?;
        out.put(Section::Ids, |out| self.documents.iter().try_for_each(|d| out.bytes(id(d)?)))?;
        let mut numbers: Vec<Vec<u32>> =
            self.segments.iter().map(|s| vec![GONE; s.head().documents as usize]).collect();
        for (number, &(n, document)) in self.documents.iter().enumerate() {
            numbers[n as usize][document as usize] = number as u32;
        }
        let mut rows = Vec::with_capacity(2 * self.documents.len());
        for (segment, numbers) in self.segments.iter().zip(&numbers) {
            for row in segment.section(Section::Identities)?.chunks_exact(IDENTITY) {
                let number = numbers[u32_at(row, 8) as usize];
                if number != GONE {
                    rows.push((u64_at(row, 0), number));
                }
            }
        }
        write_identities(out, rows)
    }

    /// Call with each document that is left: its segment, the number of that, and its own there.
    fn each_document(
        &self,
        mut call: impl FnMut(&'a Segment, usize, u32) -> Result<()>,
    ) -> Result<()> {
        for run in self.documents.chunk_by(|a, b| a.0 == b.0) {
            let n = run[0].0 as usize;
            let segment = self.segments[n];
            let mut pauses = Pauses::new(segment, segment.head().documents as usize, usize::MAX);
            for &(_, document) in run {
                pauses.at(document as usize);
                call(segment, n, document)?;
            }
            segment.rest();
        }
        self.cancel.check()
    }

    /// Call with the units that are left, as many as stand side by side at a time: their segment, the
    /// number of that, and their own there.
    fn each_run(
        &self,
        mut call: impl FnMut(&'a Segment, usize, Range<usize>) -> Result<()>,
    ) -> Result<()> {
        let mut next = 0;
        for (n, (&segment, units)) in self.segments.iter().zip(&self.units).enumerate() {
            let mut pauses = Pauses::new(segment, units.len(), usize::MAX);
            let mut start = 0;
            while start < units.len() {
                // One that is equal to one before has the number of that.
                let new = units[start..].iter().take(A_RUN).zip(next..);
                let end = start + new.take_while(|&(&unit, next)| unit == next).count();
                if start < end {
                    next += (end - start) as u32;
                    pauses.at(start);
                    call(segment, n, start..end)?;
                }
                start = end.max(start + 1);
            }
            segment.rest();
        }
        self.cancel.check()
    }

    /// Write where lists end of which each unit has one, of numbers of 4 bytes in a section.
    fn write_ends(&self, out: &mut Output, section: Section) -> Result<()> {
        let mut end: u32 = 0;
        out.put(section, |out| {
            self.each_run(|segment, _, units| {
                let mut before =
                    lists_of(segment, section, units.start..units.start + 1)?.start as u32;
                let ends = segment.part(section, units.start * 4..units.end * 4)?;
                for own in ends.chunks_exact(4).map(|bytes| u32_at(bytes, 0)) {
                    end = end.wrapping_add(own.wrapping_sub(before));
                    before = own;
                    out.u32(end)?;
                }
                Ok(())
            })
        })
    }

    fn write_features(&self, out: &mut Output) -> Result<()> {
        self.write_ends(out, Section::UnitEnds)?;
        let head = out.head;
        out.put(Section::Keys, |out| match head.has(TERMS) {
            true => Ok(()),
            false => self.each_run(|segment, _, units| {
                out.bytes(features_of(segment, units, Section::Keys, 8)?)
            }),
        })?;
        let wide = number_width(self.weights.len());
        let mut written = Vec::new();
        out.put(Section::Numbers, |out| {
            self.each_run(|segment, n, units| {
                let new = &self.numbers[n];
                written.clear();
                each_number(segment, units, |number| {
                    let bytes = new[number as usize].to_le_bytes();
                    match wide {
                        2 => written.extend_from_slice(&bytes[..2]),
                        3 => written.extend_from_slice(&bytes[..3]),
                        _ => written.extend_from_slice(&bytes),
                    }
                })?;
                out.bytes(&written)
            })
        })?;
        out.put(Section::Counts, |out| match head.has(COUNTED) {
            true => self.each_run(|segment, _, units| {
                out.bytes(features_of(segment, units, Section::Counts, 4)?)
            }),
            false => Ok(()),
        })?;
        let size = head.sketch_width as usize * 8;
        out.put(Section::Sketches, |out| {
            self.each_run(|segment, _, units| {
                out.bytes(segment.part(Section::Sketches, units.start * size..units.end * size)?)
            })
        })
    }

    fn write_met(&self, out: &mut Output) -> Result<()> {
        if !out.head.has(MET) {
            out.put(Section::MetEnds, |_| Ok(()))?;
            return out.put(Section::Met, |_| Ok(()));
        }
        self.write_ends(out, Section::MetEnds)?;
        out.put(Section::Met, |out| {
            self.each_run(|segment, _, units| {
                let range = lists_of(segment, Section::MetEnds, units)?;
                out.bytes(segment.part(Section::Met, range.start * 4..range.end * 4)?)
            })
        })
    }

    fn write_sentences(&self, out: &mut Output) -> Result<()> {
        let mut ends = Vec::with_capacity(self.documents.len());
        let mut sentences = Vec::new();
        self.each_document(|segment, n, document| {
            each_sentence(segment, document, |unit| {
                sentences.push(self.units[n][unit as usize]);
            })?;
            ends.push(sentences.len());
            Ok(())
        })?;
        out.put(Section::Sentences, |out| sentences.iter().try_for_each(|&unit| out.u32(unit)))?;
        let is_placed = out.head.has(PLACED);
        out.put(Section::Places, |out| match is_placed {
            true => self.each_document(|segment, _, document| {
                let range = segment.sentences_of(document)?;
                out.bytes(segment.part(Section::Places, range.start * PLACE..range.end * PLACE)?)
            }),
            false => Ok(()),
        })?;
        let of = |document: usize| {
            let start = if document == 0 { 0 } else { ends[document - 1] };
            sentences[start..ends[document]].iter().copied()
        };
        write_holders(out, ends.len(), self.n_units as usize, of)
    }
}

/// Where the lists of some units stand, given the section that says where they end.
fn lists_of(segment: &Segment, ends: Section, units: Range<usize>) -> Result<Range<usize>> {
    let first = segment.range(ends, units.start, 4, 0)?;
    Ok(first.start..segment.range(ends, units.end - 1, 4, 0)?.end)
}

/// What a section has of the features of some units.
fn features_of(
    segment: &Segment,
    units: Range<usize>,
    section: Section,
    width: usize,
) -> Result<&[u8]> {
    let range = lists_of(segment, Section::UnitEnds, units)?;
    segment.part(section, range.start * width..range.end * width)
}

/// Call with the number of each feature of some units.
fn each_number(segment: &Segment, units: Range<usize>, mut call: impl FnMut(u32)) -> Result<()> {
    let width = segment.number_width();
    let numbers = features_of(segment, units, Section::Numbers, width)?;
    // Widths that are known beforehand are read without a loop.
    match width {
        2 => numbers.chunks_exact(2).for_each(|bytes| call(number_at(bytes, 0, 2))),
        3 => numbers.chunks_exact(3).for_each(|bytes| call(number_at(bytes, 0, 3))),
        _ => numbers.chunks_exact(4).for_each(|bytes| call(number_at(bytes, 0, 4))),
    }
    Ok(())
}

/// Call with the unit of each sentence of a document.
fn each_sentence(segment: &Segment, document: u32, mut call: impl FnMut(u32)) -> Result<()> {
    let sentences = segment.sentences_of(document)?;
    if segment.head().has(OF_SENTENCES) {
        let units = segment.part(Section::Sentences, sentences.start * 4..sentences.end * 4)?;
        units.chunks_exact(4).for_each(|bytes| call(u32_at(bytes, 0)));
    } else {
        sentences.for_each(|unit| call(unit as u32));
    }
    Ok(())
}

/// The segment and the unit at a place of all in a row.
fn at_place(starts: &[usize], place: u32) -> (usize, usize) {
    let segment = starts.partition_point(|&start| start <= place as usize) - 1;
    (segment, place as usize - starts[segment])
}

/// What stands for a sentence.
fn sameness(segment: &Segment, unit: u32) -> Result<Same> {
    let mut loader = Loader::default();
    loader.unit(segment, unit)?;
    Ok(same(&loader.end().features, 0))
}

/// Half of what stands for a sentence; of one that meets others its sketch and its mark say it.
fn key_of(segment: &Segment, unit: usize) -> Result<u64> {
    if segment.head().has(MET) {
        let size = segment.head().sketch_width as usize * 8;
        let sketch = segment.part(Section::Sketches, unit * size..(unit + 1) * size)?;
        let mark = if size < 16 { 0 } else { u64_at(sketch, 8) & MARKS };
        return Ok(u64_at(sketch, 0) ^ mark);
    }
    Ok(sameness(segment, unit as u32)?.2 as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::{Feature, Features, Keys};
    use crate::store::build::build;
    use crate::store::bundle::{Bundle, Entry, Place};
    use crate::store::postings;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// What the documents of a test are made of.
    #[derive(Debug, Clone, Copy)]
    struct Kind {
        of_sentences: bool,
        of_terms: bool,
        is_counted: bool,
    }

    /// Documents of sentences of words; a sentence stores the hashes of its words as keys.
    fn bundle(kind: Kind, first: u64, documents: &[Vec<Vec<u64>>]) -> (Bundle, postings::Postings) {
        let mut bundle = Bundle::default();
        let features = &mut bundle.features;
        features.sketch_width = 2;
        let mut keys = Keys::default();
        for (n, sentences) in documents.iter().enumerate() {
            let number = first + n as u64;
            let published = (!number.is_multiple_of(3)).then_some(number as i64);
            let id = format!("d{number}").into();
            let entry = Entry { number, id, published, time: number as i64, text: 7 };
            bundle.entries.push(entry);
            let sentences = if kind.of_sentences { &sentences[..] } else { &sentences[..1] };
            for words in sentences {
                let word = |&word: &u64| Feature { key: word, weight: 1 + word % 3, count: 1 };
                let mut own: Vec<Feature> = words.iter().map(word).collect();
                features.push(&mut own, kind.is_counted);
                let own: BTreeSet<u64> = words.iter().copied().collect();
                let terms: Vec<u64> = own.into_iter().collect();
                features.sketches.extend([crate::hash::run(&terms), 1]);
                keys.push(words.iter().map(|word| word.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
                bundle.places.push(Place { start: 1, end: 9, text: words[0], is_quoted: true });
            }
            if kind.of_sentences {
                features.end_document();
            }
        }
        if !kind.of_sentences {
            bundle.places.clear();
        }
        if kind.of_terms {
            bundle.features = std::mem::take(features).into_ranked();
        }
        let totals = (0..documents.len() as u64).collect();
        (bundle, postings::Postings { store: keys, totals, ..Default::default() })
    }

    fn segment(made: &(Bundle, postings::Postings)) -> Segment {
        Segment::from_bytes("test", build(&made.0, &made.1).expect("built")).expect("opened")
    }

    fn loaded(segments: &[&Segment], removed: &Numbers) -> (Bundle, Features) {
        let mut loader = Loader::default();
        for segment in segments {
            for document in 0..segment.head().documents as u32 {
                if !removed.contains(&segment.row(document).expect("a row").number) {
                    loader.document(segment, document).expect("loaded");
                }
            }
        }
        let mut bundle = loader.end();
        let features = std::mem::take(&mut bundle.features).into_plain();
        (bundle, features)
    }

    /// The numbers of the documents that hold what stores a key.
    fn found(segments: &[&Segment], word: u64, removed: &Numbers) -> BTreeSet<u64> {
        let mut numbers = BTreeSet::new();
        for segment in segments {
            let mut units = Vec::new();
            let key = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let list = segment.list(key).expect("list");
            segment.meet(list, key, true, |unit| units.push(unit)).expect("met");
            for unit in units {
                let mut own = Vec::new();
                segment.holders(unit, |holder| own.push(holder)).expect("held");
                assert!(own.is_sorted_by(|a, b| a < b));
                let number = |holder: u32| segment.row(holder).expect("a row").number;
                numbers.extend(own.into_iter().map(number).filter(|n| !removed.contains(n)));
            }
        }
        numbers
    }

    fn documents() -> impl Strategy<Value = Vec<Vec<Vec<u64>>>> {
        let sentence = prop::collection::vec(0_u64..30, 1..5);
        prop::collection::vec(prop::collection::vec(sentence, 1..4), 1..5)
    }

    proptest! {
        #[test]
        fn a_merged_segment_holds_what_is_left_of_its_parts(
            parts in prop::collection::vec(documents(), 1..4),
            removed in prop::collection::hash_set(0_u64..12, 0..5),
            (of_sentences, of_terms, is_counted) in any::<(bool, bool, bool)>(),
        ) {
            let kind = Kind { of_sentences, of_terms, is_counted: is_counted && !of_terms };
            let removed: Numbers = removed.into_iter().collect();
            let mut first = 0;
            let mut segments = Vec::new();
            for part in &parts {
                segments.push(segment(&bundle(kind, first, part)));
                first += part.len() as u64;
            }
            let inputs: Vec<&Segment> = segments.iter().collect();
            let merged = merge(&inputs, &removed, i64::MIN, None, &Cancel::default());
            let merged = merged.expect("merged");
            let left = (0..first).filter(|number| !removed.contains(number)).collect::<Vec<_>>();
            prop_assert_eq!(merged.documents, left.len() as u64);
            if left.is_empty() {
                return Ok(());
            }
            prop_assert_eq!(merged.latest, left[left.len() - 1] as i64);
            let one = Segment::from_bytes("merged", merged.content).expect("opened");
            one.check().expect("sound");
            prop_assert_eq!(loaded(&[&one], &Numbers::default()), loaded(&inputs, &removed));
            for word in 0..30 {
                let now = found(&[&one], word, &Numbers::default());
                prop_assert_eq!(now, found(&inputs, word, &removed));
            }
            let mut equal = Vec::new();
            one.equals(7, &mut equal).expect("looked up");
            prop_assert_eq!(equal.len(), left.len());
            // Equal sentences are one unit.
            if of_sentences {
                let (_, features) = loaded(&[&one], &Numbers::default());
                let distinct: BTreeSet<_> =
                    (0..features.n_units()).map(|unit| same(&features, unit)).collect();
                prop_assert_eq!(one.head().units, distinct.len() as u64);
            }
        }
    }

    #[test]
    fn it_stops_when_asked_and_leaves_no_file() {
        let kind = Kind { of_sentences: true, of_terms: false, is_counted: false };
        let made = segment(&bundle(kind, 0, &[vec![vec![1, 2]]]));
        let cancel = Cancel::default();
        cancel.cancel();
        let path = std::env::temp_dir().join(format!("twicetold-merge-{}", std::process::id()));
        assert!(merge(&[&made], &Numbers::default(), 0, Some(&path), &cancel).is_err());
        assert!(!path.exists());
        let merged = merge(&[&made], &Numbers::default(), 0, Some(&path), &Cancel::default());
        let size = merged.expect("merged").size;
        assert_eq!(std::fs::metadata(&path).expect("it is there").len(), size);
        assert_eq!(Segment::open(&path).expect("opened").head().documents, 1);
        std::fs::remove_file(&path).expect("it is there");
    }
}
