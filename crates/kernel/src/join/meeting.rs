//! Units that share a key, where all store and look up alike: each meets those before it.
//!
//! Most keys are of one unit only; they are neither sorted nor kept. Of the others, each unit knows
//! its lists, so that nothing is looked up in a table.

use super::candidates::Search;
use super::met::Met;
use super::shared::{Entry, again};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::Keys;

/// The units of each key that several have, and the keys of each unit.
#[derive(Debug, Default)]
pub struct Meeting {
    n_units: usize,
    /// How many keys each unit has, those of one unit included.
    key_counts: Vec<u16>,
    /// Which keys are left out, by their place in `keys`; empty: none is.
    left_out: Vec<bool>,
    /// The keys of several units, in increasing order.
    keys: Vec<u32>,
    /// Where the units of each key end in `units`.
    ends: Vec<u64>,
    units: Vec<u32>,
    /// Where the keys of each unit end in `lists`, and these, by their place in `keys`.
    list_ends: Vec<u64>,
    lists: Vec<u32>,
}

/// A key, and behind it a unit that has it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Meets(u64);

impl Entry for Meets {
    fn key(&self) -> u64 {
        self.0
    }
}

impl Meeting {
    /// Find the keys that come again.
    pub fn new(keys: &Keys<u32>, cancel: &Cancel) -> Result<Self> {
        let spread = |&key: &u32| u64::from(key) << 32;
        let keys_of = |unit: u32| keys.of(unit as usize).iter().map(spread);
        let entry = |key: u64, unit: u32, _| Meets(key | u64::from(unit));
        let mut entries = again(keys.n_units(), keys.keys.len(), keys_of, entry, cancel)?;
        // A unit that has a key twice is in its list once.
        entries.dedup();
        let count = |unit| u16::try_from(keys.of(unit).len()).unwrap_or(u16::MAX);
        let key_counts = (0..keys.n_units()).map(count).collect();
        let mut meeting = Self { n_units: keys.n_units(), key_counts, ..Self::default() };
        let same_key = |a: &Meets, b: &Meets| a.0 >> 32 == b.0 >> 32;
        for run in entries.chunk_by(same_key).filter(|run| run.len() > 1) {
            meeting.keys.push((run[0].0 >> 32) as u32);
            meeting.units.extend(run.iter().map(|entry| entry.0 as u32));
            meeting.ends.push(meeting.units.len() as u64);
        }
        meeting.turn_around();
        Ok(meeting)
    }

    fn of_key(&self, n: usize) -> &[u32] {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        &self.units[start as usize..self.ends[n] as usize]
    }

    /// The keys that several units have, with these.
    pub fn lists(&self) -> impl Iterator<Item = (u32, &[u32])> {
        (0..self.keys.len()).map(|n| (self.keys[n], self.of_key(n)))
    }

    /// The units of a key, if several have it.
    pub fn of(&self, key: u32) -> &[u32] {
        self.keys.binary_search(&key).map_or(&[], |n| self.of_key(n))
    }

    fn lists_of(&self, unit: usize) -> &[u32] {
        let start = if unit == 0 { 0 } else { self.list_ends[unit - 1] };
        &self.lists[start as usize..self.list_ends[unit] as usize]
    }

    /// How many keys a unit has.
    pub fn n_keys(&self, unit: usize) -> u32 {
        self.key_counts[unit].into()
    }

    /// Note the keys of each unit.
    fn turn_around(&mut self) {
        let mut ends = vec![0_u64; self.n_units];
        self.units.iter().for_each(|&unit| ends[unit as usize] += 1);
        let mut next = Vec::with_capacity(ends.len());
        let mut sum = 0;
        for end in &mut ends {
            next.push(sum);
            sum += *end;
            *end = sum;
        }
        let mut lists = vec![0; self.units.len()];
        for n in 0..self.keys.len() {
            for &unit in self.of_key(n) {
                let place = &mut next[unit as usize];
                lists[*place as usize] = n as u32;
                *place += 1;
            }
        }
        (self.list_ends, self.lists) = (ends, lists);
    }

    /// The keys of more than `limit` units, in increasing order.
    pub fn frequent(&self, limit: usize) -> Vec<u64> {
        let is_frequent = |&n: &usize| self.of_key(n).len() > limit;
        (0..self.keys.len()).filter(is_frequent).map(|n| self.keys[n].into()).collect()
    }

    /// The units that are formulas: more than `limit` units have each of at least half of their keys.
    pub fn formulas(&self, limit: usize) -> impl Iterator<Item = usize> {
        let n_keys = self.keys.len();
        let is_frequent: Vec<bool> = (0..n_keys).map(|n| self.of_key(n).len() > limit).collect();
        (0..self.n_units).filter(move |&unit| {
            let own = self.lists_of(unit).iter();
            let frequent = own.filter(|list| is_frequent[**list as usize]).count();
            frequent > 0 && 2 * frequent >= self.n_keys(unit) as usize
        })
    }

    /// Forget these keys, which are sorted; returns how many there were, counted in each unit.
    pub fn leave_out(&mut self, keys: &[u64]) -> usize {
        self.left_out = vec![false; self.keys.len()];
        let mut lost = 0;
        for &key in keys {
            let place = u32::try_from(key).ok().and_then(|key| self.keys.binary_search(&key).ok());
            if let Some(n) = place {
                self.left_out[n] = true;
                lost += self.of_key(n).len();
            }
        }
        lost
    }
}

impl Search for Meeting {
    fn look_up(&self, probe: usize, met: &mut Met) {
        for &list in self.lists_of(probe) {
            if self.left_out.get(list as usize) == Some(&true) {
                continue;
            }
            let units = self.of_key(list as usize).iter();
            units.take_while(|&&unit| (unit as usize) < probe).for_each(|&unit| met.meet(unit));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn it_stops_when_asked() {
        let cancel = Cancel::default();
        cancel.cancel();
        let mut keys = Keys::default();
        keys.push([1]);
        assert!(Meeting::new(&keys, &cancel).is_err());
    }

    proptest! {
        #[test]
        fn each_meets_those_before_it_that_share_a_key(
            units in prop::collection::vec(prop::collection::vec(
                prop_oneof![0_u32..12, (0_u32..12).prop_map(|key| key << 27)], 0..5), 0..15),
            limit in 1_usize..5,
        ) {
            let mut keys = Keys::default();
            units.iter().for_each(|own| keys.push(own.iter().copied()));
            let mut meeting = Meeting::new(&keys, &Cancel::default()).expect("not cancelled");
            let holders = |key: u32| units.iter().filter(|own| own.contains(&key)).count();
            let all: BTreeSet<u32> = units.iter().flatten().copied().collect();
            let frequent: Vec<u32> = all.into_iter().filter(|&key| holders(key) > limit).collect();
            let wide: Vec<u64> = frequent.iter().map(|&key| key.into()).collect();
            prop_assert_eq!(meeting.frequent(limit), wide.clone());
            let of_frequent = |own: &Vec<u32>| -> BTreeSet<u32> {
                own.iter().copied().filter(|key| frequent.contains(key)).collect()
            };
            let is_formula = |own: &Vec<u32>| {
                let n = of_frequent(own).len();
                n > 0 && 2 * n >= own.len()
            };
            let formulas: Vec<usize> = (0..units.len()).filter(|&n| is_formula(&units[n])).collect();
            prop_assert_eq!(meeting.formulas(limit).collect::<Vec<_>>(), formulas);
            let lost = meeting.leave_out(&wide);
            prop_assert_eq!(lost, frequent.iter().map(|&key| holders(key)).sum::<usize>());
            let mut met = Met::new(units.len());
            for probe in 0..units.len() {
                met.start(probe as u32);
                meeting.look_up(probe, &mut met);
                let shares = |&n: &usize| {
                    units[n].iter().any(|key| units[probe].contains(key) && !frequent.contains(key))
                };
                let expected: BTreeSet<u32> = (0..probe).filter(shares).map(|n| n as u32).collect();
                prop_assert_eq!(met.units.iter().copied().collect::<BTreeSet<u32>>(), expected);
                prop_assert_eq!(met.units.iter().collect::<BTreeSet<_>>().len(), met.units.len());
            }
        }
    }
}
