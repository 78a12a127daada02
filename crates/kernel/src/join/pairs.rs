//! What documents share, added up for every pair that can share enough.
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

use super::groups::{Groups, Times};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::{Features, from_units};

/// What is wanted of a join.
#[derive(Debug, Clone)]
pub struct JoinOptions {
    /// Pairs that share a smaller part of both documents are not handed out.
    pub floor: f64,
    /// All pairs of equal documents, instead of each with the earliest of its group.
    pub all_pairs: bool,
}

/// Pairs of documents, and how much weight they share.
#[derive(Debug, Default)]
pub struct Joined {
    /// The earlier document, or the one with the smaller id.
    pub left: Vec<u32>,
    /// The other one.
    pub right: Vec<u32>,
    /// The weight both share.
    pub shared: Vec<f64>,
    /// The weight of left with itself.
    pub left_total: Vec<f64>,
    /// The weight of right with itself.
    pub right_total: Vec<f64>,
    /// Whether both have the same text.
    pub same_text: Vec<bool>,
    /// How many similarity values were computed; with a floor of 0, twice the number of pairs of
    /// groups that share anything.
    pub touched: u64,
}

#[derive(Debug, Clone, Copy)]
struct GroupPair {
    a: u32,
    b: u32,
    shared: u128,
}

/// Join documents on their keys; `features` come without those that are too frequent.
pub fn join(
    features: &Features,
    groups: &Groups,
    times: &Times,
    text_hashes: &[u128],
    options: &JoinOptions,
    cancel: &Cancel,
) -> Result<Joined> {
    let totals: Vec<u128> =
        (0..groups.len()).map(|g| features.total(groups.features_of(g))).collect();
    let lists = Lists::new(features, groups, cancel)?;
    let (pairs, touched) = lists.accumulate(features, groups, &totals, options.floor, cancel)?;
    let mut rows = Rows { times, text_hashes, joined: Joined { touched, ..Joined::default() } };
    for group in 0..groups.len() {
        cancel.check()?;
        let total = from_units(totals[group]);
        rows.equals(groups.members(group), total, options.all_pairs);
    }
    for pair in pairs {
        cancel.check()?;
        rows.cross(&pair, groups, &totals, options.all_pairs);
    }
    for texts in same_texts(times, text_hashes) {
        cancel.check()?;
        rows.same_text(&texts, features, options.all_pairs);
    }
    Ok(rows.sorted())
}

/// The groups that hold each key, for keys of at least two groups.
struct Lists {
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
    fn new(features: &Features, groups: &Groups, cancel: &Cancel) -> Result<Self> {
        let mut entries: Vec<(u64, u32)> = Vec::new();
        for group in 0..groups.len() {
            let range = features.range(groups.features_of(group));
            entries.extend(features.keys[range].iter().map(|&key| (key, group as u32)));
        }
        cancel.check()?;
        entries.par_sort_unstable();
        cancel.check()?;
        let mut lists = Self {
            ends: Vec::new(),
            groups: Vec::new(),
            counts: Vec::new(),
            weights: Vec::new(),
            key_ends: vec![0; groups.len()],
            keys_of: Vec::new(),
        };
        for run in entries.chunk_by(|x, y| x.0 == y.0).filter(|run| run.len() > 1) {
            lists.push(run, features, groups);
        }
        drop(entries);
        lists.turn(groups.len());
        Ok(lists)
    }

    fn push(&mut self, run: &[(u64, u32)], features: &Features, groups: &Groups) {
        let place = |group: u32, key: u64| {
            let range = features.range(groups.features_of(group as usize));
            let found = features.keys[range.clone()].binary_search(&key);
            range.start + found.expect("the key came from this group")
        };
        self.weights.push(features.weights[place(run[0].1, run[0].0)]);
        for &(key, group) in run {
            self.groups.push(group);
            self.key_ends[group as usize] += 1;
            if !features.counts.is_empty() {
                self.counts.push(features.counts[place(group, key)]);
            }
        }
        self.ends.push(self.groups.len() as u64);
    }

    /// From the groups of each key to the keys of each group.
    fn turn(&mut self, n_groups: usize) {
        let mut sum = 0;
        let mut next = Vec::with_capacity(n_groups);
        for end in &mut self.key_ends {
            next.push(sum as usize);
            sum += *end;
            *end = sum;
        }
        self.keys_of = vec![0; sum as usize];
        for key in 0..self.ends.len() {
            for at in self.list(key) {
                let place = &mut next[self.groups[at] as usize];
                self.keys_of[*place] = key as u32;
                *place += 1;
            }
        }
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
    fn accumulate(
        &self,
        features: &Features,
        groups: &Groups,
        totals: &[u128],
        floor: f64,
        cancel: &Cancel,
    ) -> Result<(Vec<GroupPair>, u64)> {
        let all: Vec<u32> = (0..totals.len() as u32).collect();
        let parts = all
            .par_chunks(64)
            .map_init(
                || Met::new(totals.len()),
                |met, part| {
                    let (mut found, mut count) = (Vec::new(), 0);
                    for &group in part {
                        cancel.check()?;
                        let needed = floor * totals[group as usize] as f64;
                        self.look_up(group, needed, met);
                        count += met.groups.len() as u64;
                        for &other in &met.groups {
                            let [x, y] = [group, other].map(|g| groups.features_of(g as usize));
                            let shared = shared_weight(features, x, y);
                            if shared as f64 >= needed && shared > 0 {
                                let (a, b) = (group.min(other), group.max(other));
                                found.push(GroupPair { a, b, shared });
                            }
                        }
                    }
                    Ok((found, count))
                },
            )
            .collect::<Result<Vec<_>>>()?;
        let count = parts.iter().map(|(_, count)| count).sum();
        let mut pairs: Vec<GroupPair> = parts.into_iter().flat_map(|(found, _)| found).collect();
        // A pair that each of its groups found is there twice.
        pairs.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
        pairs.dedup_by_key(|pair| (pair.a, pair.b));
        Ok((pairs, count))
    }

    /// Meet every group that can share `needed` with this one.
    fn look_up(&self, group: u32, needed: f64, met: &mut Met) {
        met.start(group);
        let mut left = 0;
        for &key in self.keys(group as usize) {
            let most = self.most(group, key as usize);
            // Plain idf of a term in every document weighs nothing and says nothing.
            if most > 0 {
                left += most;
                let list = self.list(key as usize).len();
                met.keys.push((list as f64 / most as f64, key, most));
            }
        }
        met.keys.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        for n in 0..met.keys.len() {
            // A hair less than needed: rounding must not lose what lies on the border.
            if (left as f64) < needed * (1.0 - 1e-12) {
                break;
            }
            let (_, key, most) = met.keys[n];
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
fn shared_weight(features: &Features, x: usize, y: usize) -> u128 {
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

/// The groups one group has met.
struct Met {
    /// For each group, who met it last.
    by: Vec<u32>,
    current: u32,
    groups: Vec<u32>,
    keys: Vec<(f64, u32, u128)>,
}

impl Met {
    fn new(n_groups: usize) -> Self {
        Self { by: vec![u32::MAX; n_groups], current: 0, groups: Vec::new(), keys: Vec::new() }
    }

    fn start(&mut self, group: u32) {
        self.current = group;
        self.by[group as usize] = group;
        self.groups.clear();
        self.keys.clear();
    }

    fn meet(&mut self, other: u32) {
        let by = &mut self.by[other as usize];
        if *by != self.current {
            *by = self.current;
            self.groups.push(other);
        }
    }
}

/// The documents, in order, of each text that several have.
fn same_texts(times: &Times, text_hashes: &[u128]) -> Vec<Vec<u32>> {
    let mut order = times.order();
    order.sort_by_key(|&d| text_hashes[d as usize]);
    order
        .chunk_by(|&a, &b| text_hashes[a as usize] == text_hashes[b as usize])
        .filter(|run| run.len() > 1)
        .map(<[u32]>::to_vec)
        .collect()
}

/// Collects rows of documents from groups.
struct Rows<'a> {
    times: &'a Times,
    text_hashes: &'a [u128],
    joined: Joined,
}

impl Rows<'_> {
    /// Rows within a group: each member with the earliest inside its window, or all with all.
    fn equals(&mut self, members: &[u32], total: f64, all_pairs: bool) {
        for (n, &document) in members.iter().enumerate() {
            if all_pairs {
                for &earlier in members[..n].iter().filter(|&&e| self.times.within(e, document)) {
                    self.push(earlier, document, total, total, total);
                }
            } else if let Some(earliest) = self.times.earliest_before(&members[..n], document) {
                self.push(earliest, document, total, total, total);
            }
        }
    }

    /// Rows between two groups. A document that repeats an earlier one inside its window is told
    /// by that row; each other one comes with the earliest document of the other group that is
    /// before it and inside its window.
    fn cross(&mut self, pair: &GroupPair, groups: &Groups, totals: &[u128], all_pairs: bool) {
        let shared = from_units(pair.shared);
        let [a, b] =
            [pair.a, pair.b].map(|g| (groups.members(g as usize), from_units(totals[g as usize])));
        if all_pairs {
            for &x in a.0 {
                for &y in b.0.iter().filter(|&&y| self.times.within(x, y)) {
                    self.push(x, y, shared, a.1, b.1);
                }
            }
            return;
        }
        for ((own, own_total), (others, other_total)) in [(a, b), (b, a)] {
            for (n, &document) in own.iter().enumerate() {
                if self.times.earliest_before(&own[..n], document).is_some() {
                    continue;
                }
                if let Some(earliest) = self.times.earliest_before(others, document) {
                    self.push(earliest, document, shared, other_total, own_total);
                }
            }
        }
    }

    /// Rows between documents with the same text but, in different languages, other features.
    fn same_text(&mut self, documents: &[u32], features: &Features, all_pairs: bool) {
        for (n, &document) in documents.iter().enumerate() {
            let before = &documents[..n];
            let partners: Vec<u32> = if all_pairs {
                before.iter().copied().filter(|&e| self.times.within(e, document)).collect()
            } else {
                self.times.earliest_before(before, document).into_iter().collect()
            };
            for partner in partners {
                let [a, b] = [partner, document].map(|d| d as usize);
                if features.signature(a) != features.signature(b) {
                    let shared = from_units(shared_weight(features, a, b));
                    let [a, b] = [a, b].map(|d| from_units(features.total(d)));
                    self.push(partner, document, shared, a, b);
                }
            }
        }
    }

    fn push(&mut self, a: u32, b: u32, shared: f64, a_total: f64, b_total: f64) {
        let (left, right) = self.times.orient(a, b);
        let totals = if left == a { (a_total, b_total) } else { (b_total, a_total) };
        self.joined.left.push(left);
        self.joined.right.push(right);
        self.joined.shared.push(shared);
        self.joined.left_total.push(totals.0);
        self.joined.right_total.push(totals.1);
        let same = self.text_hashes[left as usize] == self.text_hashes[right as usize];
        self.joined.same_text.push(same);
    }

    /// The rows in the order of their left, then right documents.
    fn sorted(self) -> Joined {
        let joined = self.joined;
        let mut order: Vec<usize> = (0..joined.left.len()).collect();
        order.par_sort_unstable_by_key(|&n| {
            (self.times.place(joined.left[n]), self.times.place(joined.right[n]))
        });
        order.dedup_by_key(|n| (joined.left[*n], joined.right[*n]));
        Joined {
            left: order.iter().map(|&n| joined.left[n]).collect(),
            right: order.iter().map(|&n| joined.right[n]).collect(),
            shared: order.iter().map(|&n| joined.shared[n]).collect(),
            left_total: order.iter().map(|&n| joined.left_total[n]).collect(),
            right_total: order.iter().map(|&n| joined.right_total[n]).collect(),
            same_text: order.iter().map(|&n| joined.same_text[n]).collect(),
            touched: joined.touched,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::{Feature, to_units};
    use proptest::prelude::*;

    type Row = (u32, u32, u64);

    fn features(documents: &[Vec<(u64, u32)>]) -> Features {
        let counted = documents.iter().flatten().any(|f| f.1 > 1);
        let mut features = Features::default();
        for document in documents {
            let feature = |&(key, count)| Feature { key, weight: to_units(key as f64), count };
            features.push(&mut document.iter().map(feature).collect(), counted);
        }
        features
    }

    fn rows(
        documents: &[Vec<(u64, u32)>],
        published: &[Option<i64>],
        window: Option<i64>,
        all: bool,
    ) -> Vec<Row> {
        let features = features(documents);
        let ids: Vec<String> = (0..documents.len()).map(|n| format!("{n:04}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let times = Times::new(&ids, published.to_vec(), window);
        let texts: Vec<u128> = (0..documents.len() as u128).collect();
        let groups = Groups::new(&times.order(), &texts, &features);
        let options = JoinOptions { floor: 0.0, all_pairs: all };
        let joined =
            join(&features, &groups, &times, &texts, &options, &Cancel::default()).expect("joined");
        let row = |n: usize| (joined.left[n], joined.right[n], joined.shared[n].round() as u64);
        (0..joined.left.len()).map(row).collect()
    }

    #[test]
    fn shared_weights_are_added_up() {
        let documents = [vec![(1, 1), (2, 1), (5, 1)], vec![(2, 1), (5, 1)], vec![(9, 1)]];
        assert_eq!(rows(&documents, &[None; 3], None, false), [(0, 1, 7)]);
    }

    #[test]
    fn counts_multiply() {
        let documents = [vec![(5, 2), (7, 1)], vec![(5, 3)]];
        assert_eq!(rows(&documents, &[None; 2], None, false), [(0, 1, 30)]);
    }

    #[test]
    fn copies_come_once_each_and_stand_for_their_group() {
        let documents = [vec![(1, 1)], vec![(1, 1)], vec![(1, 1)], vec![(1, 1), (2, 1)]];
        assert_eq!(rows(&documents, &[None; 4], None, false), [(0, 1, 1), (0, 2, 1), (0, 3, 1)]);
        assert_eq!(rows(&documents, &[None; 4], None, true).len(), 6);
    }

    #[test]
    fn one_text_with_two_sets_of_features_ties_nothing_else_together() {
        let features = features(&[vec![(1, 1)], vec![(2, 1)], vec![(2, 1)]]);
        let times = Times::new(&["a", "b", "c"], vec![None; 3], None);
        let texts = [7, 7, 8];
        let groups = Groups::new(&times.order(), &texts, &features);
        let options = JoinOptions { floor: 0.0, all_pairs: true };
        let joined = join(&features, &groups, &times, &texts, &options, &Cancel::default());
        let joined = joined.expect("joined");
        assert_eq!((joined.left, joined.right), (vec![0, 1], vec![1, 2]));
        assert_eq!(joined.same_text, [true, false]);
        assert_eq!(joined.shared, [0.0, 2.0]);
    }

    #[test]
    fn a_copy_outside_the_window_speaks_for_itself() {
        // Copies at 0 and 10, a document that holds them at 12: only the second is near enough.
        let documents = [vec![(1, 1)], vec![(1, 1)], vec![(1, 1), (2, 1)]];
        let published = [Some(0), Some(10), Some(12)];
        assert_eq!(rows(&documents, &published, Some(5), false), [(1, 2, 1)]);
        assert_eq!(rows(&documents, &published, Some(10), false), [(0, 1, 1), (1, 2, 1)]);
        assert_eq!(rows(&documents, &published, None, false), [(0, 1, 1), (0, 2, 1)]);
    }

    proptest! {
        #[test]
        fn all_pairs_equal_the_double_loop(
            documents in prop::collection::vec(prop::collection::btree_map(1_u64..8, 1_u32..3, 0..5), 0..12),
            published in prop::collection::vec(prop::option::of(0_i64..20), 12),
            window in prop::option::of(0_i64..12),
        ) {
            let documents: Vec<Vec<(u64, u32)>> = documents.into_iter().map(|d| d.into_iter().collect()).collect();
            let published = &published[..documents.len()];
            let mut expected = Vec::new();
            for a in 0..documents.len() {
                for b in a + 1..documents.len() {
                    let shared: u64 = documents[a].iter()
                        .flat_map(|x| documents[b].iter().filter(|y| y.0 == x.0).map(|y| x.0 * u64::from(x.1 * y.1)))
                        .sum();
                    let near = match (window, published[a], published[b]) {
                        (Some(w), Some(x), Some(y)) => (x - y).abs() <= w,
                        _ => true,
                    };
                    if shared > 0 && near {
                        let swap = matches!((published[a], published[b]), (Some(x), Some(y)) if y < x);
                        let (left, right) = if swap { (b, a) } else { (a, b) };
                        expected.push((left as u32, right as u32, shared));
                    }
                }
            }
            let mut found = rows(&documents, published, window, true);
            expected.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn every_document_with_an_earlier_partner_is_the_later_one_of_some_row(
            documents in prop::collection::vec(prop::collection::btree_set(1_u64..6, 1..4), 1..12),
            published in prop::collection::vec(prop::option::of(0_i64..20), 12),
            window in prop::option::of(0_i64..12),
        ) {
            let documents: Vec<Vec<(u64, u32)>> =
                documents.into_iter().map(|d| d.into_iter().map(|k| (k, 1)).collect()).collect();
            let published = &published[..documents.len()];
            let all = rows(&documents, published, window, true);
            let some = rows(&documents, published, window, false);
            prop_assert!(some.iter().all(|row| all.contains(row)));
            let place = |d: u32| (published[d as usize].is_none(), published[d as usize], d);
            let later = |row: &Row| if place(row.0) < place(row.1) { row.1 } else { row.0 };
            let told = |rows: &[Row]| rows.iter().map(later).collect::<std::collections::BTreeSet<_>>();
            prop_assert_eq!(told(&some), told(&all));
        }
    }
}
