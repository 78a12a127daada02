//! Which groups can share enough, and how much they share.
//!
//! Keys are sorted; those of a single group are forgotten, since nobody can share them. A group of
//! weight T is only of interest to one that shares `floor · T` with it. So each group looks up its
//! keys, those with short lists and large weights first, only until what is left could no longer
//! reach that much: whoever shares enough has been met by then. What was met is added up exactly.
//! Most documents have too little to share to look up anything, which keeps the join linear where
//! adding up over all lists grows with the square of a list's length.
//!
//! Sums are integers, so threads may come in any order.

use rayon::prelude::*;

use super::groups::Groups;
use super::met::Met;
use super::pairs::JoinOptions;
use super::rows::GroupPair;
use super::shared::{Held, SharedKeys};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::{Features, from_units};

/// The groups that hold each key, for keys of at least two groups.
pub struct Lists {
    /// Where the list of each key ends in `groups`.
    ends: Vec<u64>,
    groups: Vec<u32>,
    counts: Vec<u32>,
    /// The weight of each key.
    weights: Vec<u64>,
    /// Where the keys of each group end in `keys_of`.
    key_ends: Vec<u64>,
    /// The places of each group's keys in `ends`.
    keys_of: Vec<u32>,
}

impl Lists {
    /// Turn the keys that several groups hold into lists.
    pub fn new(
        features: &Features,
        groups: &Groups,
        shared: &SharedKeys,
        cancel: &Cancel,
    ) -> Result<Self> {
        let mut lists = Self {
            ends: Vec::new(),
            groups: Vec::new(),
            counts: Vec::new(),
            weights: Vec::new(),
            key_ends: vec![0; groups.len()],
            keys_of: Vec::new(),
        };
        let place = |held: &Held| held.place(features, groups);
        let runs: Vec<&[Held]> = shared.runs().collect();
        // Every one is looked up somewhere else in memory.
        lists.weights = runs
            .par_iter()
            .map(|run| {
                cancel.check()?;
                Ok(features.weights[place(&run[0])])
            })
            .collect::<Result<_>>()?;
        for run in runs {
            cancel.check()?;
            for entry in run {
                lists.groups.push(entry.group);
                lists.key_ends[entry.group as usize] += 1;
                if !features.counts.is_empty() {
                    lists.counts.push(features.counts[place(entry)]);
                }
            }
            lists.ends.push(lists.groups.len() as u64);
        }
        lists.turn(groups.len(), cancel)?;
        Ok(lists)
    }

    /// From the groups of each key to the keys of each group.
    fn turn(&mut self, n_groups: usize, cancel: &Cancel) -> Result<()> {
        let mut sum = 0;
        let mut next = Vec::with_capacity(n_groups);
        for end in &mut self.key_ends {
            next.push(sum as usize);
            sum += *end;
            *end = sum;
        }
        self.keys_of = vec![0; sum as usize];
        for key in 0..self.ends.len() {
            cancel.check()?;
            for at in self.list(key) {
                let place = &mut next[self.groups[at] as usize];
                self.keys_of[*place] = key as u32;
                *place += 1;
            }
        }
        Ok(())
    }

    fn list(&self, key: usize) -> std::ops::Range<usize> {
        let start = if key == 0 { 0 } else { self.ends[key - 1] };
        start as usize..self.ends[key] as usize
    }

    fn keys(&self, group: usize) -> &[u32] {
        let start = if group == 0 { 0 } else { self.key_ends[group - 1] };
        &self.keys_of[start as usize..self.key_ends[group] as usize]
    }

    /// The pairs of groups that share at least `floor` of one of them, and how many were added up.
    pub fn accumulate(
        &self,
        features: &Features,
        groups: &Groups,
        totals: &[u128],
        options: &JoinOptions,
        cancel: &Cancel,
    ) -> Result<(Vec<GroupPair>, u64)> {
        let (floor, wanted) = (options.floor, options.scope.of_groups(groups));
        let all: Vec<u32> = (0..totals.len() as u32).collect();
        let parts = all
            .par_chunks(64)
            .map_init(
                || (Met::new(totals.len()), Vec::new()),
                |(met, keys), part| {
                    let (mut found, mut count) = (Vec::new(), 0);
                    for &group in part {
                        cancel.check()?;
                        let needed = floor * totals[group as usize] as f64;
                        self.look_up(group, needed, met, keys);
                        met.units.retain(|&other| wanted.has(group, other));
                        count += met.units.len() as u64;
                        for &other in &met.units {
                            let [x, y] = [group, other].map(|g| groups.features_of(g as usize));
                            let shared = shared_weight(features, x, y);
                            let is_enough =
                                |group: u32| shared as f64 >= floor * totals[group as usize] as f64;
                            // What is enough for both is found by both: the later one tells it.
                            if shared > 0
                                && is_enough(group)
                                && (other < group || !is_enough(other))
                            {
                                let (a, b) = (group.min(other), group.max(other));
                                let shared = [from_units(shared); 2];
                                found.push(GroupPair { a, b, shared, is_proved: false });
                            }
                        }
                    }
                    Ok((found, count))
                },
            )
            .collect::<Result<Vec<_>>>()?;
        let count = parts.iter().map(|(_, count)| count).sum();
        Ok((parts.into_iter().flat_map(|(found, _)| found).collect(), count))
    }

    /// Meet every group that can share `needed` with this one.
    fn look_up(&self, group: u32, needed: f64, met: &mut Met, keys: &mut Vec<(f64, u32, u128)>) {
        met.start(group);
        keys.clear();
        let mut left = 0;
        for &key in self.keys(group as usize) {
            let most = self.most(group, key as usize);
            // Plain idf of a term in every document weighs nothing and says nothing.
            if most > 0 {
                left += most;
                let list = self.list(key as usize).len();
                keys.push((list as f64 / most as f64, key, most));
            }
        }
        keys.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        for &(_, key, most) in &*keys {
            // A hair less than needed: rounding must not lose what lies on the border.
            if (left as f64) < needed * (1.0 - 1e-12) {
                break;
            }
            self.groups[self.list(key as usize)].iter().for_each(|&other| met.meet(other));
            left -= most;
        }
    }

    /// The most that a group can share with another through a key.
    fn most(&self, group: u32, key: usize) -> u128 {
        let weight = u128::from(self.weights[key]);
        if self.counts.is_empty() {
            return weight;
        }
        let list = self.list(key);
        let own =
            self.groups[list.clone()].binary_search(&group).expect("the key is of this group");
        let highest = self.counts[list.clone()].iter().copied().max().unwrap_or(1);
        weight * u128::from(self.counts[list.start + own]) * u128::from(highest)
    }
}

/// The weight of the keys two documents both have.
pub fn shared_weight(features: &Features, x: usize, y: usize) -> u128 {
    let (mut x, mut y) = (features.range(x), features.range(y));
    if x.len() > y.len() {
        std::mem::swap(&mut x, &mut y);
    }
    let mut sum = 0;
    let mut rest = y;
    for at in x {
        let key = features.keys[at];
        rest.start += step_to(&features.keys[rest.clone()], key);
        if rest.is_empty() {
            break;
        }
        if features.keys[rest.start] == key {
            let counts = u128::from(features.count(at)) * u128::from(features.count(rest.start));
            sum += counts * u128::from(features.weights[at]);
        }
    }
    sum
}

/// How many of the sorted keys are smaller, found in steps that double.
fn step_to(keys: &[u64], key: u64) -> usize {
    let mut step = 1;
    while step < keys.len() && keys[step] < key {
        step *= 2;
    }
    let from = step / 2;
    from + keys[from..keys.len().min(step + 1)].partition_point(|&k| k < key)
}
