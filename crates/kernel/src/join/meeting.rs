//! Units that share a key, where all store and look up alike: each meets those before it.
//!
//! Most keys are of one unit only; they are neither sorted nor kept. Keys are dealt out to pieces by
//! their first bits, so that a piece is looked through and sorted where memory is quickest.

use rayon::prelude::*;

use super::met::Met;
use super::scope::Wanted;
use super::sort::to_starts;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::Keys;
use crate::features::keys::Among;

/// The units of each key that several have.
#[derive(Debug, Default)]
pub struct Meeting {
    /// How many keys each unit has, those of one unit included.
    key_counts: Vec<u16>,
    /// Which keys are left out, by their place in `keys`; empty: none is.
    left_out: Vec<bool>,
    /// The keys of several units, in increasing order.
    keys: Vec<u32>,
    /// Where the units of each key end in `units`.
    ends: Vec<u64>,
    units: Vec<u32>,
}

/// How many keys a piece has, about.
const PIECE: usize = if cfg!(test) { 4 } else { 4096 };

/// At most so many pieces, by their number's bits: more would not be dealt out any quicker.
const MOST_BITS: u32 = 11;

/// How many keys are dealt out at a time: of more, only those with the first bits of each turn.
const AT_A_TIME: usize = if cfg!(test) { 16 } else { 1 << 23 };

/// How many parts units are dealt out in.
const PARTS: usize = 8;

/// A key, and behind it a unit that has it.
type Meets = u64;

impl Meeting {
    /// Find the keys that come again.
    pub fn new(keys: &Keys<u32>, cancel: &Cancel) -> Result<Self> {
        let n_units = keys.n_units();
        let count = |unit| u16::try_from(keys.of(unit).len()).unwrap_or(u16::MAX);
        let key_counts = (0..n_units).map(count).collect();
        let mut meeting = Self { key_counts, ..Self::default() };
        let bits = (keys.keys.len() / PIECE).max(1).ilog2().min(MOST_BITS);
        // Turns are of whole pieces.
        let turns = keys.keys.len().div_ceil(AT_A_TIME).next_power_of_two().min(1 << bits);
        let pieces = (1 << bits) / turns;
        for turn in 0..turns {
            let dealt = deal(keys, bits, turn * pieces..(turn + 1) * pieces, cancel)?;
            let found = (0..pieces)
                .into_par_iter()
                .map_init(Vec::new, |seen, piece| {
                    cancel.check()?;
                    Ok(Lists::of(&again(dealt.iter().map(|part| part.of(piece)), bits, seen)))
                })
                .collect::<Result<Vec<_>>>()?;
            drop(dealt);
            meeting.add(&found);
        }
        Ok(meeting)
    }

    /// Add the keys of pieces that follow each other.
    fn add(&mut self, pieces: &[Lists]) {
        self.keys.reserve(pieces.iter().map(|piece| piece.keys.len()).sum());
        self.ends.reserve(pieces.iter().map(|piece| piece.keys.len()).sum());
        self.units.reserve(pieces.iter().map(|piece| piece.units.len()).sum());
        for piece in pieces {
            let before = self.units.len() as u64;
            self.keys.extend_from_slice(&piece.keys);
            self.ends.extend(piece.ends.iter().map(|&end| before + u64::from(end)));
            self.units.extend_from_slice(&piece.units);
        }
    }

    #[inline]
    fn of_key(&self, n: usize) -> &[u32] {
        &self.units[self.range(n)]
    }

    fn range(&self, n: usize) -> std::ops::Range<usize> {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        start as usize..self.ends[n] as usize
    }

    /// How many keys several units have.
    pub fn n_lists(&self) -> usize {
        self.keys.len()
    }

    /// One of these keys, and its units.
    pub fn list(&self, n: usize) -> (u32, &[u32]) {
        (self.keys[n], self.of_key(n))
    }

    /// The units of a key, if several have it.
    pub fn of(&self, key: u32) -> &[u32] {
        self.keys.binary_search(&key).map_or(&[], |n| self.of_key(n))
    }

    /// How many keys a unit has.
    pub fn n_keys(&self, unit: usize) -> u32 {
        self.key_counts[unit].into()
    }

    /// The keys of more than `limit` units, in increasing order.
    pub fn frequent(&self, limit: usize) -> Vec<u64> {
        self.of_more(limit).map(|n| self.keys[n].into()).collect()
    }

    fn of_more(&self, limit: usize) -> impl Iterator<Item = usize> {
        let mut start = 0;
        let lists = self.ends.iter().enumerate().filter(move |(_, end)| {
            let n = *end - start;
            start = **end;
            n > limit as u64
        });
        lists.map(|(n, _)| n)
    }

    /// The units that are formulas: more than `limit` units have each of at least half of their keys.
    pub fn formulas(&self, limit: usize) -> impl Iterator<Item = usize> {
        let mut frequent = vec![0_u32; self.key_counts.len()];
        for n in self.of_more(limit) {
            self.of_key(n).iter().for_each(|&unit| frequent[unit as usize] += 1);
        }
        let is_formula = |&(unit, n): &(usize, u32)| n > 0 && 2 * n >= self.n_keys(unit);
        frequent.into_iter().enumerate().filter(is_formula).map(|(unit, _)| unit)
    }

    /// Forget these keys; returns how many there were, counted in each unit.
    pub fn leave_out(&mut self, keys: &Among) -> usize {
        self.left_out = self.keys.iter().map(|&key| keys.has(key.into())).collect();
        let lost = (0..self.keys.len()).filter(|&n| self.left_out[n]);
        lost.map(|n| self.of_key(n).len()).sum()
    }

    /// For each unit those before it that have a key of it; those that are not `wanted` need not meet.
    pub fn before(&self, wanted: &Wanted, cancel: &Cancel) -> Result<Before<'_>> {
        Before::new(self, wanted, cancel)
    }
}

/// The keys of a piece that several units have, in increasing order.
#[derive(Default)]
struct Lists {
    keys: Vec<u32>,
    /// Where the units of each end.
    ends: Vec<u32>,
    units: Vec<u32>,
}

impl Lists {
    /// Of keys with their units, sorted.
    fn of(entries: &[Meets]) -> Self {
        let mut lists = Self::default();
        lists.units.reserve(entries.len());
        for run in entries.chunk_by(|a, b| a >> 32 == b >> 32).filter(|run| run.len() > 1) {
            lists.keys.push((run[0] >> 32) as u32);
            lists.units.extend(run.iter().map(|&entry| entry as u32));
            lists.ends.push(lists.units.len() as u32);
        }
        lists
    }
}

/// Keys of some units, by the pieces they are dealt out to.
struct Dealt {
    ends: Vec<u32>,
    entries: Vec<Meets>,
}

impl Dealt {
    fn of(&self, piece: usize) -> &[Meets] {
        let start = if piece == 0 { 0 } else { self.ends[piece - 1] };
        &self.entries[start as usize..self.ends[piece] as usize]
    }
}

/// Deal out the keys of units to these pieces, each of which has the same first bits; in order.
fn deal(
    keys: &Keys<u32>,
    bits: u32,
    pieces: std::ops::Range<usize>,
    cancel: &Cancel,
) -> Result<Vec<Dealt>> {
    let n = keys.n_units();
    // Behind the last piece are those of other turns.
    let piece = |key: u32| {
        let piece = (u64::from(key) << bits >> 32) as usize;
        piece.wrapping_sub(pieces.start).min(pieces.len())
    };
    let deal = |part: usize| {
        cancel.check()?;
        let units = n * part / PARTS..n * (part + 1) / PARTS;
        let mut next = vec![0_u32; pieces.len() + 1];
        for unit in units.clone() {
            keys.of(unit).iter().for_each(|&key| next[piece(key)] += 1);
        }
        to_starts(&mut next);
        let mut entries = vec![0; next[pieces.len()] as usize];
        cancel.check()?;
        for unit in units {
            for &key in keys.of(unit) {
                let place = &mut next[piece(key)];
                if let Some(entry) = entries.get_mut(*place as usize) {
                    *entry = u64::from(key) << 32 | unit as u64;
                }
                *place += 1;
            }
        }
        next.truncate(pieces.len());
        Ok(Dealt { ends: next, entries })
    };
    (0..PARTS).into_par_iter().map(deal).collect()
}

/// The keys of a piece that come again, sorted, each unit once; now and then also one that does not.
/// `seen` is room to work in.
fn again<'a>(
    parts: impl Iterator<Item = &'a [Meets]> + Clone,
    bits: u32,
    seen: &mut Vec<u8>,
) -> Vec<Meets> {
    let n: usize = parts.clone().map(<[Meets]>::len).sum();
    // Four places for each, by the bits that follow those all of them have.
    let own = (4 * n).next_power_of_two().max(2).ilog2().min(32 - bits);
    let place = |entry: Meets| (entry << bits >> (64 - own)) as usize;
    seen.clear();
    seen.resize(1 << own, 0);
    for &entry in parts.clone().flatten() {
        let seen = &mut seen[place(entry)];
        *seen = *seen << 1 | 1;
    }
    let mut found = vec![0; n];
    let mut kept = 0;
    for &entry in parts.flatten() {
        found[kept] = entry;
        kept += usize::from(seen[place(entry)] > 1);
    }
    found.truncate(kept);
    found.sort_unstable();
    found.dedup();
    found
}

/// For each unit those before it that have a key of it, which is not left out. Some that nobody wants
/// to meet may be among them.
pub struct Before<'a> {
    units: &'a [u32],
    /// Where the lists of each unit end.
    ends: Vec<u32>,
    /// How many of a list come before the unit, and behind that where it begins; of one, which one.
    lists: Vec<u64>,
}

/// Where the number of units in a list stands.
const COUNT: u32 = 40;

impl<'a> Before<'a> {
    fn new(meeting: &'a Meeting, wanted: &Wanted, cancel: &Cancel) -> Result<Self> {
        let n_units = meeting.key_counts.len();
        let mut ends = vec![0_u32; n_units];
        // Where a list begins, and its units.
        let kept = || {
            let is_kept = |n: &usize| meeting.left_out.get(*n) != Some(&true);
            (0..meeting.keys.len()).filter(is_kept).map(|n| {
                let range = meeting.range(n);
                (range.start as u64, &meeting.units[range])
            })
        };
        // Each unit but the first that has one before it with which it is wanted, and how many come
        // before it.
        let met = |units: &'a [u32]| {
            let mut before = wanted.of(units[0]);
            units[1..].iter().copied().zip(1_u64..).filter(move |&(unit, _)| {
                let own = wanted.of(unit);
                let is_met = wanted.is_enough(before | own);
                before |= own;
                is_met
            })
        };
        cancel.check()?;
        for (_, units) in kept() {
            met(units).for_each(|(unit, _)| ends[unit as usize] += 1);
        }
        cancel.check()?;
        let mut lists = vec![0; to_starts(&mut ends) as usize];
        for (start, units) in kept() {
            for (unit, n) in met(units) {
                let place = &mut ends[unit as usize];
                let list = if n == 1 { u64::from(units[0]) } else { start };
                lists[*place as usize] = n << COUNT | list;
                *place += 1;
            }
        }
        // Each list has moved its place to where it ends.
        Ok(Self { units: &meeting.units, ends, lists })
    }

    /// Meet the units before this one that share a key with it.
    #[inline]
    pub fn meet(&self, unit: usize, met: &mut Met) {
        let start = if unit == 0 { 0 } else { self.ends[unit - 1] };
        for &list in &self.lists[start as usize..self.ends[unit] as usize] {
            let (n, from) = ((list >> COUNT) as usize, (list & ((1 << COUNT) - 1)) as usize);
            if n == 1 {
                met.meet(from as u32);
            } else {
                self.units[from..from + n].iter().for_each(|&other| met.meet(other));
            }
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
            wanted in prop_oneof![
                Just((Vec::new(), 0)),
                (prop::collection::vec(0_u8..2, 15), Just(1)),
                (prop::collection::vec(1_u8..4, 15), Just(3)),
            ],
        ) {
            let (bits, all) = wanted;
            let wanted = Wanted::new(bits.into_iter().take(units.len()).collect(), all);
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
            let lost = meeting.leave_out(&Among::new(wide));
            prop_assert_eq!(lost, frequent.iter().map(|&key| holders(key)).sum::<usize>());
            let mut met = Met::new(units.len());
            let before = meeting.before(&wanted, &Cancel::default()).expect("not cancelled");
            for probe in 0..units.len() {
                met.start(probe as u32);
                before.meet(probe, &mut met);
                let shares = |&n: &usize| {
                    units[n].iter().any(|key| units[probe].contains(key) && !frequent.contains(key))
                };
                let sharing: BTreeSet<u32> = (0..probe).filter(shares).map(|n| n as u32).collect();
                let found: BTreeSet<u32> = met.units.iter().copied().collect();
                prop_assert_eq!(found.len(), met.units.len());
                prop_assert!(found.is_subset(&sharing));
                let asked = |&n: &u32| wanted.has(probe as u32, n);
                let both = [&found, &sharing].map(|all| all.iter().copied().filter(asked));
                let [found, expected] = both.map(Iterator::collect::<BTreeSet<u32>>);
                prop_assert_eq!(found, expected);
                // Who meets nobody that is wanted does not look.
                let is_alone = !sharing.iter().any(asked);
                prop_assert!(!is_alone || met.units.is_empty());
            }
        }
    }
}
