//! Stored documents with sentences whose words overlap with those of new ones.
//!
//! A sentence that asks meets those that store one of the words it looks up, and each new sentence meets
//! the stored ones that ask for one of its words. Most of what is met does not match: words are counted
//! where they stand in the segment, by marks at first, and nothing is loaded. Not all sentences of a
//! document ask ([`super::asking`]), so that a match only says that two documents may be related; these
//! are compared as a whole then ([`super::side_by_side`]).

use rayon::prelude::*;

use super::asking::{least_of, needed, share_of};
use super::search::{Asked, give_back};
use super::segment::Segment;
use super::side_by_side::SideBySide;
use super::stored::{Compared, Stored};
use super::tallies::Found;
use super::twice::Twice;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::join::overlap::Measure;

/// How many documents are looked for in one go, and after how many memory is given back.
const DOCUMENTS: usize = 8;
const SOME_DOCUMENTS: usize = 512;
/// How many keys are looked up at the same time, while memory answers.
const AT_ONCE: usize = 16;
/// How many units ahead it is asked where their words are, and for these.
const ENDS: usize = 16;
const WORDS: usize = 8;

/// To count how often a unit comes takes this part of the time of comparing it.
const TWICE: u128 = 8;

/// A stored unit that a new one of the document met, and whether the new one asks.
type Met = (u32, u32, bool);

/// What is looked for, by which measure.
pub struct Overlapping<'a> {
    asked: &'a Asked<'a>,
    measure: Measure,
    threshold: f64,
}

/// A new sentence, and what it looks up.
struct Sentence<'a> {
    compared: Compared<'a>,
    /// The words of which a match has one, or two of them.
    lookups: Vec<u64>,
    is_twice: bool,
    /// The words by which others find it.
    stored: &'a [u64],
}

/// Memory that serves for one sentence after the other.
#[derive(Default)]
struct Room {
    units: Vec<u32>,
    twice: Twice,
}

/// A match: the document that holds the stored sentence, whether that asks, and the one that asks.
type Matched = (u32, bool, u32);

impl<'a> Overlapping<'a> {
    /// Sentences match from a threshold on.
    pub fn new(asked: &'a Asked<'a>, measure: Measure, threshold: f64) -> Self {
        Self { asked, measure, threshold }
    }

    /// The documents that may be related.
    pub fn find(&self, segments: &[&Segment], cancel: &Cancel) -> Result<Vec<Found>> {
        let lookups = self.asked.postings.store.keys.len();
        let documents: Vec<usize> = (0..self.asked.bundle.entries.len()).collect();
        let some = |part: &[usize]| {
            let (mut found, mut room) = (Vec::new(), Room::default());
            for &document in part {
                cancel.check()?;
                self.of_document(document, segments, &mut room, &mut found)?;
            }
            Ok(found)
        };
        let mut found = Vec::new();
        for part in documents.chunks(SOME_DOCUMENTS) {
            let some: Vec<Vec<Found>> =
                part.par_chunks(DOCUMENTS).map(some).collect::<Result<_>>()?;
            found.extend(some.into_iter().flatten());
            give_back(segments, lookups);
        }
        Ok(found)
    }

    /// A new sentence, with what it looks up: the rarest words of which a match has one, or some more of
    /// which it has two, where that is less to look at.
    fn sentence(&self, unit: usize) -> Sentence<'a> {
        let Asked { bundle, postings, .. } = *self.asked;
        let compared = Compared::new(&bundle.features, unit, self.measure, self.threshold);
        let Compared { words, weights, .. } = compared;
        let (one, stored) = (postings.probe(unit), postings.store.of(unit));
        let share = |n: usize| u128::from(share_of(weights[n]));
        let once = || one.iter().filter_map(|word| words.binary_search(word).ok());
        let two = if one.is_empty() {
            None
        } else {
            let two = self.measure.prefix_of_two(words, weights, self.threshold);
            two.filter(|two| {
                two.iter().map(|&n| share(n)).sum::<u128>()
                    < TWICE * once().map(share).sum::<u128>()
            })
        };
        match two {
            Some(two) => {
                let lookups = two.into_iter().map(|n| words[n]).collect();
                Sentence { compared, lookups, is_twice: true, stored }
            }
            None => Sentence { compared, lookups: one.to_vec(), is_twice: false, stored },
        }
    }

    /// Those that may be related to one new document.
    fn of_document(
        &self,
        document: usize,
        segments: &[&Segment],
        room: &mut Room,
        found: &mut Vec<Found>,
    ) -> Result<()> {
        let Asked { bundle, postings, floor, .. } = *self.asked;
        let units = bundle.features.units_of(document);
        let own: Vec<Sentence<'_>> = units.map(|unit| self.sentence(unit)).collect();
        let total = postings.totals[document];
        let mut whole = None;
        for (n, &segment) in segments.iter().enumerate() {
            if !self.asked.may_hold(document, segment) {
                continue;
            }
            let met = self.meet(segment, &own, room)?;
            let matched = self.matched(segment, &own, &met)?;
            for of_holder in matched.chunk_by(|a, b| a.0 == b.0) {
                let holder = of_holder[0].0;
                let row = segment.row(holder)?;
                let own_asking = of_holder.partition_point(|matched| !matched.1);
                let asking = [own_asking, of_holder.len() - own_asking].map(|n| n as u64);
                let judged = Judged::new([total, row.total], asking, floor);
                if judged == Judged::Unrelated || !self.asked.sees(document, &row) {
                    continue;
                }
                let is_related = match judged {
                    Judged::Open(enough) => whole
                        .get_or_insert_with(|| {
                            let joined = own.iter().filter(|own| !own.stored.is_empty());
                            let joined = joined.map(|own| own.compared).collect();
                            SideBySide::new(joined, self.measure, self.threshold)
                        })
                        .match_enough(segment, holder, enough)?,
                    _ => true,
                };
                if is_related {
                    found.push((n as u32, holder));
                }
            }
        }
        Ok(())
    }

    /// The units of a segment that some new ones meet; some more than once.
    fn meet(&self, segment: &Segment, own: &[Sentence<'_>], room: &mut Room) -> Result<Vec<Met>> {
        let mut met = Vec::new();
        for (n, sentence) in (0..).zip(own) {
            room.units.clear();
            let units = &mut room.units;
            each_unit(segment, &sentence.lookups, false, |other| units.push(other))?;
            if sentence.is_twice {
                room.twice.keep(units);
            }
            met.extend(units.iter().map(|&other| (other, n, true)));
            each_unit(segment, sentence.stored, true, |other| met.push((other, n, false)))?;
        }
        Ok(met)
    }

    /// What matches, of what was met: each once, sorted.
    fn matched(
        &self,
        segment: &Segment,
        own: &[Sentence<'_>],
        met: &[Met],
    ) -> Result<Vec<Matched>> {
        let mut matched = Vec::new();
        let mut stored = Stored::new(segment, self.measure, self.threshold);
        for (at, &(other, unit, asks)) in met.iter().enumerate() {
            if let Some(&(later, ..)) = met.get(at + ENDS) {
                stored.fetch_ends(later);
            }
            if let Some(&(later, ..)) = met.get(at + WORDS) {
                stored.fetch_words(later)?;
            }
            if stored.matches(&own[unit as usize].compared, other, asks)? {
                let asking = if asks { unit } else { other };
                segment.holders(other, |holder| matched.push((holder, !asks, asking)))?;
            }
        }
        matched.sort_unstable();
        matched.dedup();
        Ok(matched)
    }
}

/// Call with the units that store some keys; `looked_up`: that look them up.
fn each_unit(
    segment: &Segment,
    keys: &[u64],
    looked_up: bool,
    mut call: impl FnMut(u32),
) -> Result<()> {
    for some in keys.chunks(AT_ONCE) {
        some.iter().for_each(|&key| segment.prefetch_list(key));
        let mut lists = [(0, 0); AT_ONCE];
        for (list, &key) in lists.iter_mut().zip(some) {
            *list = segment.list(key)?;
        }
        for (&list, &key) in lists.iter().zip(some) {
            segment.meet(list, key, looked_up, &mut call)?;
        }
    }
    Ok(())
}

/// What the sentences that ask say of two documents: a new one, and a stored one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Judged {
    /// Neither can have enough matches.
    Unrelated,
    /// One has enough already.
    Related,
    /// One may have enough: as many, for each of both.
    Open([u64; 2]),
}

impl Judged {
    /// Of documents of so many sentences, so many of which ask and match, and a share of which has to.
    fn new(totals: [u64; 2], asking: [u64; 2], share: f64) -> Self {
        let enough = totals.map(|total| needed(total, share));
        let may = |side: usize| asking[side] >= least_of(totals[side], share);
        if asking[0] >= enough[0] || asking[1] >= enough[1] {
            return Self::Related;
        }
        match [may(0), may(1)] {
            [false, false] => Self::Unrelated,
            may => Self::Open([0, 1].map(|side| if may[side] { enough[side] } else { u64::MAX })),
        }
    }
}
