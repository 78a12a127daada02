//! What a join with verification sees: every distinct document, or every distinct sentence, once.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rayon::prelude::*;

use super::frequent::LeftOut;
use super::groups::{Groups, Times};
use super::held::Held;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::keys::Among;
use crate::features::{Features, Mark};
use crate::hash;

/// What stands for the distinct sentence of one that is not looked at.
const NONE: u32 = u32::MAX;

/// The sentences of how many documents are looked at in one go.
const AT_A_TIME: usize = 1024;

/// What the key of a sentence is extended from to say that it is common.
const COMMON: u64 = 1;

/// What says that the sentence with this key is common.
pub fn common_key(key: u64) -> u64 {
    hash::extend(COMMON, key)
}

/// The distinct units of a collection. Their numbers follow the order of time, so that they do not
/// depend on the order in which documents came.
#[derive(Debug)]
pub struct Units {
    /// Groups of documents with equal units; where documents are the units, group n is unit n.
    pub groups: Groups,
    /// Who holds which sentence, if sentences are the units.
    pub sentences: Option<Sentences>,
}

/// Who holds which distinct sentence.
#[derive(Debug)]
pub struct Sentences {
    /// Where the sentences of each document end in `of`.
    document_ends: Vec<u64>,
    /// The distinct sentence of each sentence, `NONE` if it is not looked at.
    of: Vec<u32>,
    /// What stands for each distinct sentence.
    keys: Vec<u64>,
    /// The distinct sentences of each group, without its boilerplate.
    pub own: Held,
    /// Of these, those of which a part is.
    pub partly: Held,
    /// Those that are boilerplate of its source.
    pub marked: Held,
    /// How much of each sentence is boilerplate of its document's source; empty: nothing is.
    marks: Vec<Mark>,
}

impl Units {
    /// Put equals together; gives also the features of each distinct unit.
    pub fn new(
        features: Features,
        times: &Times,
        text_hashes: &[u128],
        cancel: &Cancel,
    ) -> Result<(Self, Features)> {
        let order = times.order();
        if features.document_ends.is_empty() {
            let groups = Groups::new(&order, text_hashes, &features, cancel)?;
            let first: Vec<u32> = (0..groups.len()).map(|g| groups.features_of(g) as u32).collect();
            return Ok((Self { groups, sentences: None }, features.into_selected(&first)));
        }
        let mut sentences = Sentences {
            document_ends: Vec::new(),
            of: vec![NONE; features.n_units()],
            keys: Vec::new(),
            own: Held::default(),
            partly: Held::default(),
            marked: Held::default(),
            marks: Vec::new(),
        };
        let first = sentences.number(&features, &order, cancel)?;
        sentences.document_ends.clone_from(&features.document_ends);
        if (0..features.n_units()).any(|unit| features.mark(unit) != Mark::None) {
            sentences.marks = (0..features.n_units()).map(|unit| features.mark(unit)).collect();
        }
        let groups = sentences.group(&order, text_hashes, cancel)?;
        Ok((Self { groups, sentences: Some(sentences) }, features.into_selected(&first)))
    }

    /// Say what is boilerplate, a mark for each sentence of the documents. Documents that differ in
    /// that are no longer equal.
    pub fn set_marks(
        &mut self,
        marks: Vec<Mark>,
        times: &Times,
        text_hashes: &[u128],
        cancel: &Cancel,
    ) -> Result<()> {
        let Some(sentences) = &mut self.sentences else { return Ok(()) };
        let is_marked = marks.iter().any(|&mark| mark != Mark::None);
        sentences.marks = if is_marked { marks } else { Vec::new() };
        self.groups = sentences.group(&times.order(), text_hashes, cancel)?;
        Ok(())
    }

    /// Take frequent sentences out of all documents.
    pub fn leave_out(&mut self, keys: &Among) -> LeftOut {
        let Some(sentences) = &mut self.sentences else { return LeftOut::default() };
        let is_frequent: Vec<bool> = sentences.keys.iter().map(|&key| keys.has(key)).collect();
        if !is_frequent.contains(&true) {
            return LeftOut::default();
        }
        let mut left_out = LeftOut::default();
        sentences.own.leave_out(&is_frequent, |group, kept, lost| {
            let members = self.groups.members(group).len();
            left_out.features += lost * members;
            left_out.documents += if lost > kept { members } else { 0 };
        });
        for marked in [&mut sentences.partly, &mut sentences.marked] {
            marked.leave_out(&is_frequent, |_, _, _| ());
        }
        for distinct in &mut sentences.of {
            if *distinct != NONE && is_frequent[*distinct as usize] {
                *distinct = NONE;
            }
        }
        left_out
    }
}

/// In how many shares sentences are numbered, each on a thread of its own.
const SHARES: usize = 4;

/// What stands for the sentences of some documents.
struct Signed {
    /// Which share each sentence is in; none if it is not looked at.
    shares: Vec<Option<u8>>,
    /// What stands for those of each share.
    signatures: [Vec<u128>; SHARES],
}

impl Signed {
    fn new(features: &Features, documents: &[u32]) -> Self {
        let mut made = Self { shares: Vec::new(), signatures: Default::default() };
        for unit in documents.iter().flat_map(|&document| features.units_of(document as usize)) {
            let signature = features.signature(unit);
            // Bits that a table looks at neither first nor last.
            let share = signature.map(|own| (own >> 40) as usize % SHARES);
            made.shares.push(share.map(|share| share as u8));
            if let (Some(share), Some(signature)) = (share, signature) {
                made.signatures[share].push(signature);
            }
        }
        made
    }
}

/// The number of each sentence among the distinct, in the order in which these come first.
fn numbered<'s>(parts: impl Iterator<Item = &'s [u128]> + Clone) -> Vec<u32> {
    let n = parts.clone().map(<[u128]>::len).sum();
    // Numbers alone, found by what stands for their sentences: that is there already.
    let mut known: HashTable<u32> = HashTable::with_capacity(n);
    let mut found: Vec<u128> = Vec::with_capacity(n);
    let mut numbers = Vec::with_capacity(n);
    for &signature in parts.flatten() {
        let is_same = |&n: &u32| found[n as usize] == signature;
        let hash = |&n: &u32| found[n as usize] as u64;
        numbers.push(match known.entry(signature as u64, is_same, hash) {
            Entry::Occupied(same) => *same.get(),
            Entry::Vacant(place) => {
                let number = found.len() as u32;
                place.insert(number);
                found.push(signature);
                number
            }
        });
    }
    numbers
}

impl Sentences {
    /// Number the distinct sentences; returns the first of each.
    fn number(&mut self, features: &Features, order: &[u32], cancel: &Cancel) -> Result<Vec<u32>> {
        let sign = |documents: &[u32]| {
            cancel.check()?;
            Ok(Signed::new(features, documents))
        };
        let parts = order.par_chunks(AT_A_TIME).map(sign).collect::<Result<Vec<Signed>>>()?;
        // Each share is numbered by itself, and its numbers are put in the order of all.
        let number = |share: usize| numbered(parts.iter().map(|part| &part.signatures[share][..]));
        let numbers: Vec<Vec<u32>> = (0..SHARES).into_par_iter().map(number).collect();
        let mut next = [0; SHARES];
        let mut known: [Vec<u32>; SHARES] = Default::default();
        let mut first = Vec::with_capacity(features.n_units());
        for (documents, part) in order.chunks(AT_A_TIME).zip(&parts) {
            cancel.check()?;
            let units = documents.iter().flat_map(|&document| features.units_of(document as usize));
            for (unit, share) in units.zip(&part.shares).filter_map(|(unit, s)| Some((unit, (*s)?)))
            {
                let share = usize::from(share);
                let number = numbers[share][next[share]] as usize;
                next[share] += 1;
                if number == known[share].len() {
                    known[share].push(first.len() as u32);
                    first.push(unit as u32);
                }
                self.of[unit] = known[share][number];
            }
        }
        let key = |&unit: &u32| features.signature(unit as usize).map_or(0, |own| own as u64);
        self.keys = first.par_iter().map(key).collect();
        Ok(first)
    }

    /// Put equal documents together, and note what they hold.
    fn group(&mut self, order: &[u32], text_hashes: &[u128], cancel: &Cancel) -> Result<Groups> {
        let groups = Groups::by(order, text_hashes, |document| self.signature(document), cancel)?;
        let held = |is_held: fn(Mark) -> bool| {
            Held::new(groups.len(), |n| self.distinct(groups.features_of(n), is_held))
        };
        let own = held(|mark| !mark.is_boilerplate());
        let (partly, marked) = if self.marks.is_empty() {
            Default::default()
        } else {
            (held(|mark| mark == Mark::Partly), held(Mark::is_boilerplate))
        };
        (self.own, self.partly, self.marked) = (own, partly, marked);
        Ok(groups)
    }

    /// Where the sentences of a document stand.
    fn range(&self, document: usize) -> std::ops::Range<usize> {
        let start = if document == 0 { 0 } else { self.document_ends[document - 1] };
        start as usize..self.document_ends[document] as usize
    }

    /// The distinct sentences of a document, in the order of its sentences; `None` for those not
    /// looked at.
    pub fn of_document(&self, document: usize) -> impl Iterator<Item = Option<u32>> {
        let known = self.of[self.range(document)].iter();
        known.map(|&number| (number != NONE).then_some(number))
    }

    /// How much of a sentence, known by its number in a document, is boilerplate there.
    pub fn mark(&self, document: usize, number: usize) -> Mark {
        self.marks.get(self.range(document).start + number).copied().unwrap_or_default()
    }

    /// Whether it is boilerplate there.
    pub fn is_boilerplate(&self, document: usize, number: usize) -> bool {
        self.mark(document, number).is_boilerplate()
    }

    /// How many sentences are boilerplate.
    pub fn n_boilerplate(&self) -> usize {
        self.marks.iter().filter(|mark| mark.is_boilerplate()).count()
    }

    /// The distinct sentences of a document with such marks; sorted.
    fn distinct(&self, document: usize, is_held: impl Fn(Mark) -> bool) -> Vec<u32> {
        let range = self.range(document);
        let mut distinct: Vec<u32> = if self.marks.is_empty() {
            if is_held(Mark::None) { self.of[range].to_vec() } else { Vec::new() }
        } else {
            let known = self.of[range.clone()].iter().zip(&self.marks[range]);
            known.filter(|known| is_held(*known.1)).map(|known| *known.0).collect()
        };
        distinct.retain(|&number| number != NONE);
        distinct.sort_unstable();
        distinct.dedup();
        distinct
    }

    /// What stands for the sentences of a document, in any order; `None` if it has none.
    fn signature(&self, document: usize) -> Option<u128> {
        let mut bytes: Vec<u8> = Vec::new();
        let mut add =
            |numbers: Vec<u32>| bytes.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
        add(self.distinct(document, |mark| mark == Mark::None));
        for (n, marked) in [Mark::Partly, Mark::Boilerplate].into_iter().enumerate() {
            let marked = self.distinct(document, |mark| mark == marked);
            if !marked.is_empty() {
                add(vec![NONE - n as u32]);
                add(marked);
            }
        }
        (!bytes.is_empty()).then(|| hash::whole(&bytes))
    }

    /// How many documents there are.
    pub fn n_documents(&self) -> usize {
        self.document_ends.len()
    }

    /// What stands for a distinct sentence.
    pub fn key(&self, sentence: u32) -> u64 {
        self.keys[sentence as usize]
    }

    /// How many distinct sentences there are.
    pub fn n_distinct(&self) -> usize {
        self.keys.len()
    }

    /// What stands for the sentences of more than `limit` groups, sorted.
    pub fn frequent(&self, limit: usize) -> Vec<u64> {
        let mut keys: Vec<u64> = self.held_by_more(limit).map(|n| self.keys[n]).collect();
        keys.sort_unstable();
        keys
    }

    /// What says that the sentences of more than `limit` groups are common, and these formulas, too:
    /// they count, but prove nothing by themselves.
    pub fn common_keys(&self, limit: usize, formulas: impl Iterator<Item = usize>) -> Vec<u64> {
        let common = self.held_by_more(limit).chain(formulas);
        common.map(|n| common_key(self.keys[n])).collect()
    }

    /// Which sentences are common according to these keys, which are sorted.
    pub fn common(&self, keys: &Among) -> Vec<bool> {
        self.keys.par_iter().map(|&key| keys.has(common_key(key))).collect()
    }

    fn held_by_more(&self, limit: usize) -> impl Iterator<Item = usize> {
        let mut holders = vec![0_usize; self.n_distinct()];
        self.own.all().iter().for_each(|&sentence| holders[sentence as usize] += 1);
        holders.into_iter().enumerate().filter(move |(_, n)| *n > limit).map(|(at, _)| at)
    }
}
