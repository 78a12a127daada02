//! Many new sentences and those of a segment that they may retell, told without loading any.
//!
//! A single search looks at each stored sentence it met by what it knows of that. Here most of a segment
//! is met, by keys that follow each other as its postings do, and mostly again and again: equal sentences
//! share all of their keys. What is met is dealt out by where it stands in the segment, so that it is
//! sorted, looked at and let go of a stretch at a time. The terms of the segment are numbered once for
//! all that is looked at. Most of what is met is told apart by outlines, which have a bit for each term;
//! of the rest the terms of the stored sentence are marked by their weight, and what a new one shares
//! with it is the sum of the marks of its terms.

use std::cmp::Reverse;
use std::sync::Mutex;

use rayon::prelude::*;

use super::ahead::{Reads, ahead};
use super::layout::{
    IS_PROBE, Posting, Section, TERMS, beginning_of, number_at, rest_mask, rest_of, u32_at, u64_at,
};
use super::search::Met;
use super::segment::{Pauses, Segment};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::Features;
use crate::join::retold::{Alike, Bit, Outline, bit, outlines};
use crate::join::sort::to_starts;

/// In place of the number of a term that no new sentence has.
const NONE: u32 = u32::MAX;
/// So many lookups ahead memory is asked for.
const AHEAD: usize = 16;
/// Into how many parts lookups are divided for each thread.
const PARTS: usize = 4;
/// So many units of a segment, this power of two, are sorted and looked at together.
const TOGETHER: u32 = 15;

/// So many terms of a stored sentence, the heaviest ones, are looked for in outlines.
const HEAVIEST: usize = 12;

/// New sentences, as those of segments are compared with them.
pub struct Crossing {
    alike: Alike,
    /// The terms they have, in the order in which segments number theirs: weight, key, number here.
    terms: Vec<(Reverse<u64>, u64, u32)>,
    /// What each term weighs, by its number here.
    weights: Vec<u64>,
    /// The sentences, and their terms.
    outlines: Vec<Outline>,
    own: Vec<u32>,
    /// What is used again.
    rooms: Mutex<Vec<Room>>,
}

/// The stored sentence at hand.
#[derive(Default)]
struct Looked {
    /// How many terms it has.
    terms: usize,
    /// What these weigh at least, and what those do that new ones have.
    least: u64,
    known: u64,
    /// The bits and the weights of the heaviest of these, and what they weigh.
    heaviest: Vec<(Bit, u64)>,
    heavy: u64,
    /// The numbers of all of these.
    numbers: Vec<u32>,
}

/// What is used again from one stretch to the next.
#[derive(Default)]
struct Room {
    /// Where the new sentences end that each stored one met, and these; and which stored ones met some.
    ends: Vec<u32>,
    met: Vec<u32>,
    stored: Vec<u32>,
    /// The stored sentence at hand.
    looked: Looked,
    /// By which stored sentence each new one was met last, counted from one.
    last: Vec<u32>,
    n_looked: u32,
    /// The new ones that the stored one met, with their outlines.
    others: Vec<(u32, Outline)>,
    /// For each term of new sentences its weight, if the stored one has it.
    marks: Vec<u64>,
}

impl Room {
    /// Put what is met in the order of the stored sentences, from this one on.
    fn sort(&mut self, first: u32, parts: &[Vec<u64>]) {
        self.ends.clear();
        self.ends.resize(1 << TOGETHER, 0);
        let all = || parts.iter().flatten();
        let place = |met: u64| ((met >> 32) as u32 - first) as usize & ((1 << TOGETHER) - 1);
        all().for_each(|&met| self.ends[place(met)] += 1);
        let n = to_starts(&mut self.ends);
        self.met.resize(n as usize, 0);
        for &met in all() {
            let end = &mut self.ends[place(met)];
            self.met[*end as usize] = met as u32;
            *end += 1;
        }
        let mut start = 0;
        self.stored.clear();
        for (unit, &end) in (first..).zip(&self.ends) {
            if end > start {
                self.stored.push(unit);
            }
            start = end;
        }
    }
}

impl Looked {
    /// Whether a new sentence may match it, by its outline.
    #[inline]
    fn may_match(&self, outline: &Outline, alike: Alike) -> bool {
        let shared = outline.may_have(&self.heaviest);
        let most = (self.known - self.heavy + shared).min(outline.weight);
        let terms = [outline.n_terms(), self.terms];
        most as f64 >= alike.least([outline.weight, self.least], terms)
    }
}

impl Crossing {
    /// Of sentences that match as `alike` says; `None` if their terms have no ranks.
    pub fn new(features: &Features, alike: Alike) -> Option<Self> {
        let ranked = features.ranked.as_ref()?;
        let mut numbers = vec![NONE; ranked.terms.keys.len()];
        let (mut terms, mut weights) = (Vec::new(), Vec::new());
        let number = |&rank: &u32| {
            let rank = rank as usize;
            if numbers[rank] == NONE {
                numbers[rank] = weights.len() as u32;
                let (weight, key) = (ranked.terms.weights[rank], ranked.terms.keys[rank]);
                terms.push((Reverse(weight), key, numbers[rank]));
                weights.push(weight);
            }
            numbers[rank]
        };
        let own: Vec<u32> = ranked.ranks.iter().map(number).collect();
        terms.par_sort_unstable();
        let outlines = outlines(features, &own);
        Some(Self { alike, terms, weights, outlines, own, rooms: Mutex::default() })
    }

    /// The units of a segment that share a key with a new one that is `near`, and may match it. New
    /// ones look up what they store: the first half of a key, then the unit, sorted.
    pub fn meet(
        &self,
        (number, segment): (u32, &Segment),
        lookups: &[u64],
        near: impl Fn(u32) -> bool + Sync,
        cancel: &Cancel,
    ) -> Result<Vec<Met>> {
        let few = segment.sieve(lookups.len())?.map(|sieve| sieve.left(lookups));
        let lookups = few.as_deref().unwrap_or(lookups);
        let numbers = self.numbers(segment)?;
        let n_buckets = (segment.head().units as usize >> TOGETHER) + 1;
        let mut buckets: Vec<Vec<Vec<u64>>> = (0..n_buckets).map(|_| Vec::new()).collect();
        let threads = rayon::current_num_threads();
        let stretch = lookups.len().div_ceil(segment.stretches(lookups.len())).max(1);
        for part in lookups.chunks(stretch) {
            let postings = Stretch::new(segment, part)?;
            let size = part.len().div_ceil(PARTS * threads).max(1);
            let found: Vec<Vec<Vec<u64>>> = part
                .par_chunks(size)
                .map(|part| dealt(&postings, part, n_buckets, &near, cancel))
                .collect::<Result<_>>()?;
            for dealt in found {
                buckets.iter_mut().zip(dealt).for_each(|(bucket, met)| bucket.push(met));
            }
            segment.rest();
        }
        let mut left = Vec::new();
        let mut pauses = Pauses::new(segment, n_buckets, usize::MAX);
        for (at, some) in buckets.chunks_mut(2 * threads).enumerate() {
            pauses.at(at * 2 * threads);
            let look = |(n, bucket): (usize, &mut Vec<Vec<u64>>)| {
                cancel.check()?;
                let first = ((at * 2 * threads + n) as u32) << TOGETHER;
                let met = std::mem::take(bucket);
                let mut room = self.room();
                let left =
                    self.left(segment, (number, first), numbers.as_deref(), &met, &mut room)?;
                self.rooms.lock().expect("no panic while the lock is held").push(room);
                Ok(left)
            };
            let found: Vec<Vec<Met>> =
                some.par_iter_mut().enumerate().map(look).collect::<Result<_>>()?;
            left.extend(found.into_iter().flatten());
        }
        segment.rest();
        Ok(left)
    }

    /// The number here of each term of a segment.
    fn numbers(&self, segment: &Segment) -> Result<Option<Vec<u32>>> {
        if !segment.head().has(TERMS) {
            return Ok(None);
        }
        let (weights, keys) =
            (segment.section(Section::Weights)?, segment.section(Section::Terms)?);
        let n = segment.n_weights();
        let mut numbers = vec![NONE; n];
        let mut start = 0;
        for &(weight, key, number) in &self.terms {
            let is_before = |at: usize| {
                let own = Reverse(u64_at(weights, 8 * at));
                own < weight || own == weight && u64_at(keys, 8 * at) < key
            };
            // From where the one before was, in steps that double, then by halves.
            let (mut low, mut high, mut step) = (start, start, 1);
            while high < n && is_before(high) {
                low = high + 1;
                high = low + step;
                step *= 2;
            }
            high = high.min(n);
            while low < high {
                let middle = usize::midpoint(low, high);
                if is_before(middle) { low = middle + 1 } else { high = middle }
            }
            start = low;
            if low < n && u64_at(keys, 8 * low) == key {
                numbers[low] = number;
            }
        }
        Ok(Some(numbers))
    }

    /// Room in which nothing is marked.
    fn room(&self) -> Room {
        let room = self.rooms.lock().expect("no panic while the lock is held").pop();
        room.unwrap_or_else(|| Room {
            last: vec![0; self.outlines.len()],
            marks: vec![0; self.weights.len()],
            ..Room::default()
        })
    }

    /// Those that may match, of stored sentences of a segment from this one on, and new ones that they
    /// met.
    fn left(
        &self,
        segment: &Segment,
        (number, first): (u32, u32),
        numbers: Option<&[u32]>,
        met: &[Vec<u64>],
        room: &mut Room,
    ) -> Result<Vec<Met>> {
        let mut left = Vec::new();
        room.sort(first, met);
        for at in 0..room.stored.len() {
            ahead(segment, &room.stored, at, Reads::Numbers)?;
            let other = room.stored[at];
            let end = room.ends[(other - first) as usize] as usize;
            let start = if other == first { 0 } else { room.ends[(other - first) as usize - 1] };
            let met = &room.met[start as usize..end];
            // First what is known of them, one behind the other: they are far from each other, and so
            // nobody waits for one before asking for the next. Then which may match, without branches.
            let others = &mut room.others;
            others.clear();
            room.n_looked += 1;
            for &own in met {
                // Equal ones share all of their keys.
                let last = &mut room.last[own as usize];
                if std::mem::replace(last, room.n_looked) != room.n_looked {
                    others.push((own, self.outlines[own as usize]));
                }
            }
            let mut tell = |own: u32| left.push(Met { own, segment: number, other, asks: true });
            let Some(numbers) = numbers else {
                others.iter().for_each(|&(own, _)| tell(own));
                continue;
            };
            let (looked, marks) = (&mut room.looked, &mut room.marks);
            self.look(segment, other as usize, numbers, looked)?;
            let mut n = 0;
            for at in 0..others.len() {
                let one = others[at];
                others[n] = one;
                n += usize::from(looked.may_match(&one.1, self.alike));
            }
            if n > 0 {
                let mark = |&number: &u32| marks[number as usize] = self.weights[number as usize];
                looked.numbers.iter().for_each(mark);
                for (own, outline) in &others[..n] {
                    if self.may_match(outline, looked, marks) {
                        tell(*own);
                    }
                }
                looked.numbers.iter().for_each(|&number| marks[number as usize] = 0);
            }
        }
        Ok(left)
    }

    /// Look at a stored sentence, by its terms that new ones have.
    fn look(
        &self,
        segment: &Segment,
        unit: usize,
        numbers: &[u32],
        looked: &mut Looked,
    ) -> Result<()> {
        let width = segment.number_width();
        let range = segment.range(Section::UnitEnds, unit, 4, 0)?;
        let terms = segment.part(Section::Numbers, range.start * width..range.end * width)?;
        (looked.terms, looked.least, looked.known, looked.heavy) = (range.len(), 0, 0, 0);
        looked.heaviest.clear();
        looked.numbers.clear();
        for bytes in terms.chunks_exact(width) {
            let term = number_at(bytes, 0, width);
            let weight = match numbers.get(term as usize) {
                Some(&number) if number != NONE => {
                    let weight = self.weights[number as usize];
                    looked.known = looked.known.saturating_add(weight);
                    if looked.heaviest.len() < HEAVIEST {
                        looked.heaviest.push((bit(number), weight));
                        looked.heavy = looked.known;
                    }
                    looked.numbers.push(number);
                    weight
                }
                _ => segment.least_weight(term)?,
            };
            looked.least = looked.least.saturating_add(weight);
        }
        Ok(())
    }

    /// Whether a new sentence may match the stored one whose terms are marked.
    #[inline]
    fn may_match(&self, outline: &Outline, looked: &Looked, marks: &[u64]) -> bool {
        let own = outline.of(&self.own);
        let shared = own.iter().map(|&number| marks[number as usize]).sum();
        let weights = [outline.weight, looked.least.max(shared)];
        self.alike.score(shared, weights, [own.len(), looked.terms]).is_some()
    }
}

/// The postings of a segment for lookups that follow each other.
struct Stretch<'a> {
    segment: &'a Segment,
    form: Posting,
    bits: u32,
    /// Where the postings of each beginning of a key start, from this beginning on.
    directory: &'a [u8],
    first: usize,
    /// The postings themselves, from this one on.
    postings: &'a [u8],
    offset: usize,
}

impl<'a> Stretch<'a> {
    fn new(segment: &'a Segment, lookups: &[u64]) -> Result<Self> {
        let (bits, form) = (segment.head().beginning, segment.head().posting());
        let beginning = |lookup: Option<&u64>| {
            lookup.map_or(0, |lookup| beginning_of((lookup >> 32) as u32, bits) as usize)
        };
        let (first, last) = (beginning(lookups.first()), beginning(lookups.last()));
        let directory = segment.part(Section::Directory, first * 4..(last + 2) * 4)?;
        let offset = u32_at(directory, 0) as usize;
        let end = u32_at(directory, directory.len() - 4) as usize;
        let postings = segment.part(Section::Postings, offset * form.size..end * form.size)?;
        Ok(Self { segment, form, bits, directory, first, postings, offset })
    }

    /// What the key of a lookup begins with.
    #[inline]
    fn beginning(&self, lookup: u64) -> usize {
        beginning_of((lookup >> 32) as u32, self.bits) as usize
    }

    /// Where the postings of keys start and end that begin like this.
    #[inline]
    fn ends(&self, beginning: usize) -> [usize; 2] {
        let at = (beginning - self.first) * 4;
        let ends = &self.directory[at..at + 8];
        [u32_at(ends, 0), u32_at(ends, 4)].map(|at| at as usize)
    }

    /// The bytes of these postings.
    #[inline]
    fn list(&self, beginning: usize) -> Result<&'a [u8]> {
        let ([start, end], size) = (self.ends(beginning), self.form.size);
        let within = start.checked_sub(self.offset).map(|at| at * size);
        let list =
            within.and_then(|at| self.postings.get(at..at + end.saturating_sub(start) * size));
        // Of a damaged directory the segment says so.
        list.map_or_else(|| self.segment.part(Section::Postings, start * size..end * size), Ok)
    }

    /// Call with each of some lookups, whose keys begin alike, and the unit of each posting of its key.
    #[inline]
    fn cross(&self, list: &[u8], lookups: &[u64], mut call: impl FnMut(u64, u32)) {
        let (size, mask) = (self.form.size, rest_mask(self.form.rest));
        let rest_at = |at: usize| u32_at(list, at) & mask;
        let (mut n, mut at) = (0, 0);
        while n < lookups.len() && at < list.len() {
            let (rest, other) = (rest_of((lookups[n] >> 32) as u32, self.bits), rest_at(at));
            if rest == other {
                let mut same = at;
                while same < list.len() && rest_at(same) == rest {
                    call(lookups[n], self.form.unit(&list[same..same + size]));
                    same += size;
                }
                n += 1;
                continue;
            }
            // Which of them is smaller nobody can guess: both go on, one of them by nothing.
            n += usize::from(rest < other);
            at += if rest < other { 0 } else { size };
        }
    }
}

/// What some lookups meet, dealt out by where it stands in the segment: one number each, the unit, then
/// the new one. Keys and postings are both sorted, and those that begin alike are
/// gone through side by side.
fn dealt(
    stretch: &Stretch<'_>,
    lookups: &[u64],
    n_buckets: usize,
    near: &(impl Fn(u32) -> bool + Sync),
    cancel: &Cancel,
) -> Result<Vec<Vec<u64>>> {
    cancel.check()?;
    let mut dealt: Vec<Vec<u64>> = vec![Vec::new(); n_buckets];
    let mut last = 0;
    let mut meet = |lookup: u64, unit: u32| {
        let (own, other) = (lookup as u32, unit & !IS_PROBE);
        last = last.max(other);
        if near(own) {
            let met = u64::from(other) << 32 | u64::from(own);
            dealt[((other >> TOGETHER) as usize).min(n_buckets - 1)].push(met);
        }
    };
    let mut rest = lookups;
    while let Some(&lookup) = rest.first() {
        if let Some(&later) = rest.get(AHEAD) {
            let [start, _] = stretch.ends(stretch.beginning(later));
            stretch.segment.prefetch(Section::Postings, start * stretch.form.size);
        }
        let beginning = stretch.beginning(lookup);
        let is_alike = |lookup: &&u64| stretch.beginning(**lookup) == beginning;
        let (some, later) = rest.split_at(rest.iter().take_while(is_alike).count());
        stretch.cross(stretch.list(beginning)?, some, &mut meet);
        rest = later;
    }
    if u64::from(last) >= stretch.segment.head().units {
        // Of a unit that is not there the segment says so.
        stretch.segment.range(Section::UnitEnds, last as usize, 4, 0)?;
    }
    Ok(dealt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::{Feature, Keys};
    use crate::hash;
    use crate::store::build::build;
    use crate::store::bundle::{Bundle, Entry};
    use crate::store::postings::Postings;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const ALIKE: Alike = Alike { dice: 0.6, overlap: 0.7, min_terms: 4 };

    fn key(word: u64) -> u64 {
        word.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn weight(words: &BTreeSet<u64>) -> u64 {
        words.iter().map(|word| 5 + word % 4).sum()
    }

    /// One document of sentences of words, which are their keys, too.
    fn bundle(sentences: &[BTreeSet<u64>]) -> (Bundle, Postings) {
        let mut bundle = Bundle::default();
        let entry = Entry { number: 1, id: "d".into(), published: None, time: 0, text: 7 };
        bundle.entries.push(entry);
        let mut store = Keys::default();
        bundle.features.sketch_width = 1;
        for words in sentences {
            let word = |&word: &u64| Feature { key: word, weight: 5 + word % 4, count: 1 };
            bundle.features.push(&mut words.iter().map(word).collect::<Vec<_>>(), false);
            let mut keys: Vec<u64> = words.iter().map(|&word| key(word)).collect();
            keys.sort_unstable();
            // Sentences of terms are told apart by their sketches.
            bundle.features.sketches.push(hash::run(&keys));
            store.push(keys);
        }
        bundle.features.end_document();
        bundle.features = bundle.features.into_ranked();
        (bundle, Postings { store, totals: vec![0], ..Postings::default() })
    }

    fn sentences() -> impl Strategy<Value = Vec<BTreeSet<u64>>> {
        prop::collection::vec(prop::collection::btree_set(0_u64..25, 1..9), 1..12)
    }

    proptest! {
        #[test]
        fn all_that_match_are_left_of_those_that_share_a_key(
            stored in sentences(),
            new in sentences(),
        ) {
            // Equal ones are stored once.
            let stored: Vec<_> = BTreeSet::from_iter(stored).into_iter().collect();
            let (bundle_of_stored, postings) = bundle(&stored);
            let bytes = build(&bundle_of_stored, &postings).expect("built");
            let segment = Segment::from_bytes("test", bytes).expect("opened");
            let (asking, postings_of_new) = bundle(&new);
            let lookups = postings_of_new.entries();
            let crossing = Crossing::new(&asking.features, ALIKE).expect("it is ranked");
            let cancel = Cancel::default();
            let met = crossing.meet((3, &segment), &lookups, |unit| unit != 1, &cancel);
            let met = met.expect("met");
            prop_assert!(met.iter().all(|met| met.segment == 3 && met.asks && met.own != 1));
            let met: BTreeSet<_> = met.iter().map(|met| (met.own, met.other)).collect();
            for (own, words) in new.iter().enumerate().filter(|(own, _)| *own != 1) {
                for (other, theirs) in stored.iter().enumerate() {
                    let common: BTreeSet<u64> = words.intersection(theirs).copied().collect();
                    let weights = [weight(words), weight(theirs)];
                    let terms = [words.len(), theirs.len()];
                    let is_match = ALIKE.score(weight(&common), weights, terms).is_some();
                    let is_met = met.contains(&(own as u32, other as u32));
                    prop_assert!(is_met || !is_match);
                    prop_assert!(!is_met || !common.is_empty());
                }
            }
        }
    }
}
