//! Which stored sentences may retell new ones, told without loading them.
//!
//! Most sentences that share a key with a new one do not match it. The numbers of their terms stand
//! side by side in the segment, and those that a new sentence has, too, say what both have in common.
//! What its terms weigh at least is known from their numbers. If it were too heavy even then, it is
//! not looked at any more.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::layout::{Section, TERMS, number_at};
use super::numbering::Wanted;
use super::segment::Segment;
use crate::error::Result;
use crate::features::{Features, Ranked};
use crate::join::retold::Alike;

/// New sentences, as those of one segment are compared with them.
pub struct Glance<'a> {
    segment: &'a Segment,
    features: &'a Features,
    ranked: &'a Ranked,
    alike: Alike,
    /// What each new sentence weighs.
    weights: &'a [u64],
    /// The ranks of terms by their keys: of all that new sentences have.
    of_keys: &'a HashMap<u64, u32, FxBuildHasher>,
    /// The same by their numbers in the segment, as far as these were asked for; `NONE`: it is of
    /// no new sentence.
    of_numbers: HashMap<u32, u32, FxBuildHasher>,
    /// Whether no others have a rank.
    is_complete: bool,
    /// The numbers of the terms of the stored sentence that is looked at, what they weigh at least, and
    /// the ranks of those that new ones have.
    numbers: Vec<u32>,
    least: u64,
    shared: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// The ranks of the terms of some sentences, by their keys.
pub fn ranks_of(ranked: &Ranked) -> HashMap<u64, u32, FxBuildHasher> {
    let mut is_there = vec![false; ranked.terms.keys.len()];
    ranked.ranks.iter().for_each(|&rank| is_there[rank as usize] = true);
    let ranks = (0..).zip(is_there).filter(|row| row.1).map(|row| row.0);
    ranks.map(|rank: u32| (ranked.terms.keys[rank as usize], rank)).collect()
}

impl<'a> Glance<'a> {
    /// Look at a segment of which so many units were met; `None` if it has no numbers of terms.
    pub fn new(
        segment: &'a Segment,
        n_met: usize,
        features: &'a Features,
        (of_keys, weights): (&'a HashMap<u64, u32, FxBuildHasher>, &'a [u64]),
        alike: Alike,
    ) -> Result<Option<Self>> {
        let Some(ranked) = features.ranked.as_ref() else { return Ok(None) };
        if !segment.head().has(TERMS) || segment.n_weights() == 0 {
            return Ok(None);
        }
        let mut glance = Self {
            segment,
            features,
            ranked,
            alike,
            weights,
            of_keys,
            of_numbers: HashMap::default(),
            is_complete: false,
            numbers: Vec::new(),
            least: 0,
            shared: Vec::new(),
        };
        // To look for all terms once costs about as much as to look at so many units.
        if n_met >= of_keys.len() / 4 {
            glance.number_all()?;
        }
        Ok(Some(glance))
    }

    /// Find the number of each term of the new sentences.
    fn number_all(&mut self) -> Result<()> {
        let levels = self.segment.levels()?;
        let wanted: Vec<(Wanted, u32)> = self
            .of_keys
            .iter()
            .filter_map(|(&key, &rank)| {
                let weight = self.ranked.terms.weights[rank as usize];
                Some((Wanted::new(self.segment, levels, weight, key)?, rank))
            })
            .collect();
        for (wanted, rank) in wanted {
            if let Some(number) = wanted.find(self.segment)? {
                self.of_numbers.insert(number, rank);
            }
        }
        self.is_complete = true;
        Ok(())
    }

    /// Look at a stored sentence.
    pub fn look_at(&mut self, unit: u32) -> Result<()> {
        let range = self.segment.range(Section::UnitEnds, unit as usize, 4, 0)?;
        let width = self.segment.number_width();
        let numbers =
            self.segment.part(Section::Numbers, range.start * width..range.end * width)?;
        self.numbers.clear();
        self.numbers.extend(numbers.chunks_exact(width).map(|bytes| number_at(bytes, 0, width)));
        self.least = 0;
        for &number in &self.numbers {
            self.least = self.least.saturating_add(self.segment.least_weight(number)?);
            if !self.is_complete && !self.of_numbers.contains_key(&number) {
                self.segment.prefetch_term(number);
            }
        }
        self.shared.clear();
        for &number in &self.numbers {
            let rank = match self.of_numbers.get(&number) {
                Some(&rank) => rank,
                None if self.is_complete => NONE,
                None => {
                    let key = self.segment.key(number)?;
                    let rank = self.of_keys.get(&key).copied().unwrap_or(NONE);
                    self.of_numbers.insert(number, rank);
                    rank
                }
            };
            if rank != NONE {
                self.shared.push(rank);
            }
        }
        self.shared.sort_unstable();
        Ok(())
    }

    /// Whether a new sentence may match the stored one that was looked at last.
    pub fn may_match(&self, own: usize) -> bool {
        let range = self.features.range(own);
        let terms = [range.len(), self.numbers.len()];
        let mut ranks = self.ranked.ranks[range].iter().peekable();
        let mut shared: u64 = 0;
        for &rank in &self.shared {
            while ranks.next_if(|&&own| own < rank).is_some() {}
            if ranks.next_if_eq(&&rank).is_some() {
                shared += self.ranked.terms.weights[rank as usize];
            }
        }
        let weights = [self.weights[own], self.least.max(shared)];
        self.alike.score(shared, weights, terms).is_some()
    }
}
