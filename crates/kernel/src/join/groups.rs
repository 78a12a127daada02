//! Documents with equal features, and the order of documents in time.

use hashbrown::HashMap;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::sort::sort_by;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::Features;

/// Microseconds of a day.
const DAY: i64 = 86_400_000_000;

/// Whether a time of publication, in microseconds since 1970, is known to be earlier than another one. A
/// date without a time of day is midnight, and stands for its whole day: nobody knows when on that
/// day it was.
pub fn is_before(one: Option<i64>, other: Option<i64>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    let last = if one % DAY == 0 { one.saturating_add(DAY - 1) } else { one };
    last < other
}

/// The times of documents and what follows from them.
#[derive(Debug, Clone)]
pub struct Times {
    /// When each document was published, in any unit; `None` if that is not known.
    published: Vec<Option<i64>>,
    /// The rank of each document's id among all ids.
    id_ranks: Vec<u32>,
    /// How far apart two documents may be; `None` for no limit.
    window: Option<i64>,
    /// All documents, by time and id.
    order: Vec<u32>,
}

impl Times {
    /// Times of documents with these ids.
    pub fn new(
        ids: &[&str],
        published: Vec<Option<i64>>,
        window: Option<i64>,
        cancel: &Cancel,
    ) -> Result<Self> {
        let mut order: Vec<u32> = (0..ids.len() as u32).collect();
        sort_by(&mut order, |&a, &b| ids[a as usize].cmp(ids[b as usize]), cancel)?;
        let mut id_ranks = vec![0; ids.len()];
        for (rank, &document) in order.iter().enumerate() {
            id_ranks[document as usize] = rank as u32;
        }
        let mut times = Self { published, id_ranks, window, order: Vec::new() };
        sort_by(&mut order, |&a, &b| times.place(a).cmp(&times.place(b)), cancel)?;
        times.order = order;
        Ok(times)
    }

    /// All documents in order: dated ones by time, then id; undated ones behind them by id.
    pub fn order(&self) -> Vec<u32> {
        self.order.clone()
    }

    /// The number of each document in the order.
    pub fn ranks(&self) -> Vec<u32> {
        let mut ranks = vec![0; self.id_ranks.len()];
        for (rank, document) in self.order().into_iter().enumerate() {
            ranks[document as usize] = rank as u32;
        }
        ranks
    }

    /// Where a document stands in the order.
    pub fn place(&self, document: u32) -> (bool, i64, u32) {
        let published = self.published[document as usize];
        (published.is_none(), published.unwrap_or(0), self.id_ranks[document as usize])
    }

    /// Whether two documents are close enough in time; an unknown time is close to any.
    pub fn within(&self, a: u32, b: u32) -> bool {
        match (self.window, self.published[a as usize], self.published[b as usize]) {
            (Some(window), Some(a), Some(b)) => a.abs_diff(b) <= window.unsigned_abs(),
            _ => true,
        }
    }

    /// The earliest of `members` (which are in order) that comes before a document and is close
    /// enough to it.
    pub fn earliest_before(&self, members: &[u32], document: u32) -> Option<u32> {
        let first = match (self.window, self.published[document as usize]) {
            (Some(window), Some(time)) => {
                let oldest = time.saturating_sub(window);
                let too_old = |&m: &u32| self.published[m as usize].is_some_and(|t| t < oldest);
                members.partition_point(too_old)
            }
            _ => 0,
        };
        members.get(first).copied().filter(|&m| self.place(m) < self.place(document))
    }

    /// The earliest of `members` (which are in order) that is close enough to a document.
    pub fn earliest_near(&self, members: &[u32], document: u32) -> Option<u32> {
        let (Some(window), Some(time)) = (self.window, self.published[document as usize]) else {
            return members.first().copied();
        };
        let published = |&m: &u32| self.published[m as usize];
        let oldest = time.saturating_sub(window);
        let first = members.partition_point(|m| published(m).is_some_and(|t| t < oldest));
        let next = *members.get(first)?;
        if self.within(next, document) {
            return Some(next);
        }
        // Those without a time come last, and are close to all.
        members.get(members.partition_point(|m| published(m).is_some())).copied()
    }

    /// The two documents, first the earlier one if both times are known, else the smaller id.
    pub fn orient(&self, a: u32, b: u32) -> (u32, u32) {
        let ids = (self.id_ranks[a as usize], self.id_ranks[b as usize]);
        let swap = match (self.published[a as usize], self.published[b as usize]) {
            (Some(at), Some(bt)) => (bt, ids.1) < (at, ids.0),
            _ => ids.1 < ids.0,
        };
        if swap { (b, a) } else { (a, b) }
    }
}

/// Documents in groups of equal features; groups and their members are in the order of time.
#[derive(Debug, Clone)]
pub struct Groups {
    members: Vec<u32>,
    ends: Vec<u32>,
}

impl Groups {
    /// Group documents, which come in `order`, by their features; those without any by their text.
    /// The text alone must not decide: analysed in two languages, one text has two sets of
    /// features, and would tie together documents that have nothing in common.
    pub fn new(
        order: &[u32],
        text_hashes: &[u128],
        features: &Features,
        cancel: &Cancel,
    ) -> Result<Self> {
        Self::by(order, text_hashes, |document| features.signature(document), cancel)
    }

    /// Group documents, which come in `order`, by what stands for them; those for which nothing
    /// does by their text.
    pub fn by(
        order: &[u32],
        text_hashes: &[u128],
        signature: impl Fn(usize) -> Option<u128> + Sync,
        cancel: &Cancel,
    ) -> Result<Self> {
        let signed = |&document: &u32| {
            cancel.check()?;
            Ok(signature(document as usize))
        };
        let signatures = order.par_iter().map(signed).collect::<Result<Vec<_>>>()?;
        let mut known: HashMap<(bool, u128), u32, FxBuildHasher> = HashMap::default();
        let mut of = vec![0_u32; order.len()];
        let mut sizes: Vec<u32> = Vec::new();
        for (&document, signature) in order.iter().zip(signatures) {
            cancel.check()?;
            let d = document as usize;
            let key = (signature.is_some(), signature.unwrap_or(text_hashes[d]));
            let group = *known.entry(key).or_insert(sizes.len() as u32);
            if group as usize == sizes.len() {
                sizes.push(0);
            }
            sizes[group as usize] += 1;
            of[d] = group;
        }
        Ok(Self::from_assignment(order, &of, &sizes))
    }

    fn from_assignment(order: &[u32], of: &[u32], sizes: &[u32]) -> Self {
        let mut ends: Vec<u32> = Vec::with_capacity(sizes.len());
        let mut next: Vec<u32> = Vec::with_capacity(sizes.len());
        let mut sum = 0;
        for size in sizes {
            next.push(sum);
            sum += size;
            ends.push(sum);
        }
        let mut members = vec![0; order.len()];
        for &document in order {
            let place = &mut next[of[document as usize] as usize];
            members[*place as usize] = document;
            *place += 1;
        }
        Self { members, ends }
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The documents of a group, the earliest first.
    pub fn members(&self, group: usize) -> &[u32] {
        let start = if group == 0 { 0 } else { self.ends[group - 1] };
        &self.members[start as usize..self.ends[group] as usize]
    }

    /// The group of each document.
    pub fn of_documents(&self) -> Vec<u32> {
        let mut of = vec![0; self.members.len()];
        for group in 0..self.len() {
            self.members(group).iter().for_each(|&d| of[d as usize] = group as u32);
        }
        of
    }

    /// The document whose features stand for the group.
    pub fn features_of(&self, group: usize) -> usize {
        self.members(group)[0] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::features::Feature;

    fn times(ids: &[&str], published: Vec<Option<i64>>, window: Option<i64>) -> Times {
        Times::new(ids, published, window, &Cancel::default()).expect("nothing cancels")
    }

    #[test]
    fn a_day_is_not_before_an_hour_of_it() {
        let hour = DAY / 24;
        for (one, other, expected) in [
            (0, 1, false),
            (0, DAY - 1, false),
            (0, DAY, true),
            (hour, hour, false),
            (hour, hour + 1, true),
            (hour, DAY, true),
            (hour, 0, false),
            (-DAY, -hour, false),
            (-DAY, 0, true),
            (-hour, 0, true),
            (i64::MAX - i64::MAX % DAY, i64::MAX, false),
        ] {
            assert_eq!(is_before(Some(one), Some(other)), expected, "{one} {other}");
        }
        assert!(!is_before(None, Some(1)) && !is_before(Some(1), None));
    }

    #[test]
    fn cancelling_stops() {
        let cancel = Cancel::default();
        cancel.cancel();
        let times = Times::new(&["a"], vec![None], None, &cancel);
        assert_eq!(times.err(), Some(Error::Cancelled));
        let features = Features { ends: vec![0], ..Features::default() };
        let groups = Groups::new(&[0], &[0], &features, &cancel);
        assert_eq!(groups.err(), Some(Error::Cancelled));
    }

    #[test]
    fn dated_documents_come_first_and_ids_decide_ties() {
        let times = times(&["d", "c", "b", "a"], vec![Some(5), None, Some(5), Some(9)], None);
        assert_eq!(times.order(), [2, 0, 3, 1]);
        assert_eq!(times.orient(0, 2), (2, 0));
        assert_eq!(times.orient(3, 0), (0, 3));
        assert_eq!(times.orient(1, 0), (1, 0));
    }

    #[test]
    fn the_window_is_inclusive_and_unknown_times_are_inside() {
        let ids = ["a", "b", "c", "d"];
        let close = times(&ids, vec![Some(0), Some(7), Some(8), None], Some(7));
        assert!(close.within(0, 1) && close.within(1, 0));
        assert!(!close.within(0, 2));
        assert!(close.within(3, 0) && close.within(2, 3));
        let extremes = times(&ids[..2], vec![Some(i64::MIN), Some(i64::MAX)], Some(1));
        assert!(!extremes.within(0, 1));
    }

    #[test]
    fn equal_features_or_equal_texts_without_any_are_one_group() {
        let mut features = Features::default();
        for keys in [vec![1], vec![2], vec![1], vec![], vec![]] {
            let feature = |key| Feature { key, weight: 1, count: 1 };
            features.push(&mut keys.into_iter().map(feature).collect::<Vec<_>>(), false);
        }
        let groups =
            Groups::new(&[4, 3, 2, 1, 0], &[10, 11, 12, 13, 13], &features, &Cancel::default())
                .expect("nothing cancels");
        assert_eq!(groups.len(), 3);
        assert_eq!(groups.members(0), [4, 3]);
        assert_eq!(groups.members(1), [2, 0]);
        assert_eq!(groups.members(2), [1]);
        assert_eq!(groups.features_of(1), 2);
    }
}
