//! From groups to the pairs of documents that are handed out.
//!
//! A document that repeats an earlier one is told once, with the earliest; each other document is
//! told with the earliest of every group it shares enough with.

use rayon::prelude::*;

use super::groups::{Groups, Times};
use super::lists::{GroupPair, shared_weight};
use super::sort::sort;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::{Features, from_units};

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

/// Collects rows of documents from groups.
pub struct Rows<'a> {
    times: &'a Times,
    text_hashes: &'a [u128],
    joined: Joined,
}

impl<'a> Rows<'a> {
    /// No rows yet.
    pub fn new(times: &'a Times, text_hashes: &'a [u128], touched: u64) -> Self {
        Self { times, text_hashes, joined: Joined { touched, ..Joined::default() } }
    }

    /// Rows within a group: each member with the earliest inside its window, or all with all.
    pub fn equals(&mut self, members: &[u32], total: f64, all_pairs: bool) {
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
    pub fn cross(&mut self, pair: &GroupPair, groups: &Groups, totals: &[u128], all_pairs: bool) {
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
    pub fn same_text(&mut self, documents: &[u32], features: &Features, all_pairs: bool) {
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
    pub fn sorted(self, cancel: &Cancel) -> Result<Joined> {
        let joined = self.joined;
        let ranks = self.times.ranks();
        let rank = |document: u32| u64::from(ranks[document as usize]);
        let place = |n: usize| rank(joined.left[n]) << 32 | rank(joined.right[n]);
        let mut order: Vec<(u64, usize)> =
            (0..joined.left.len()).into_par_iter().map(|n| (place(n), n)).collect();
        sort(&mut order, ranks.len() as u64, |row| row.0 >> 32, cancel)?;
        order.dedup_by_key(|row| row.0);
        Ok(Joined {
            left: take(&joined.left, &order, cancel)?,
            right: take(&joined.right, &order, cancel)?,
            shared: take(&joined.shared, &order, cancel)?,
            left_total: take(&joined.left_total, &order, cancel)?,
            right_total: take(&joined.right_total, &order, cancel)?,
            same_text: take(&joined.same_text, &order, cancel)?,
            touched: joined.touched,
        })
    }
}

/// A column in another order.
fn take<T: Copy + Send + Sync>(
    column: &[T],
    order: &[(u64, usize)],
    cancel: &Cancel,
) -> Result<Vec<T>> {
    cancel.check()?;
    Ok(order.par_iter().map(|&(_, n)| column[n]).collect())
}
