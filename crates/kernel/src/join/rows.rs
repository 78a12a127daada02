//! From groups to the pairs of documents that are handed out.
//!
//! A document that repeats an earlier one is told once, with the earliest; each other document is
//! told with the earliest of every group it shares enough with.

use rayon::prelude::*;

use super::groups::{Groups, Times};
use super::scope::Scope;
use super::sort::sort;
use crate::cancel::Cancel;
use crate::error::Result;

/// Two groups, the earlier first, and what they share.
#[derive(Debug, Clone, Copy)]
pub struct GroupPair {
    /// The earlier group.
    pub a: u32,
    /// The later one.
    pub b: u32,
    /// How much of each is in the other. The same twice, unless units are sentences: then it is
    /// the number of sentences of `a`, and of `b`, with a match in the other.
    pub shared: [f64; 2],
    /// Whether what they share proves that something was taken, however small a part it is.
    pub is_proved: bool,
}

/// Pairs of documents, and how much weight they share.
#[derive(Debug, Default)]
pub struct Joined {
    /// The earlier document, or the one with the smaller id.
    pub left: Vec<u32>,
    /// The other one.
    pub right: Vec<u32>,
    /// The weight both share; of sentences, how many of left have a match in right.
    pub shared: Vec<f64>,
    /// The same seen from right, which only with sentences is another number.
    pub right_shared: Vec<f64>,
    /// The weight of left with itself.
    pub left_total: Vec<f64>,
    /// The weight of right with itself.
    pub right_total: Vec<f64>,
    /// Whether both have the same text.
    pub same_text: Vec<bool>,
    /// Whether what they share proves that something was taken, however small a part it is.
    pub is_proved: Vec<bool>,
    /// How many similarity values were computed; with a floor of 0, twice the number of pairs of
    /// groups that share anything.
    pub touched: u64,
}

impl Joined {
    /// Some of the pairs, by their numbers.
    pub fn select(&self, rows: &[usize]) -> Self {
        fn some<T: Copy>(column: &[T], rows: &[usize]) -> Vec<T> {
            rows.iter().map(|&row| column[row]).collect()
        }
        Self {
            left: some(&self.left, rows),
            right: some(&self.right, rows),
            shared: some(&self.shared, rows),
            right_shared: some(&self.right_shared, rows),
            left_total: some(&self.left_total, rows),
            right_total: some(&self.right_total, rows),
            same_text: some(&self.same_text, rows),
            is_proved: some(&self.is_proved, rows),
            touched: self.touched,
        }
    }
}

/// Collects rows of documents from groups.
pub struct Rows<'a> {
    times: &'a Times,
    text_hashes: &'a [u128],
    /// Which rows are kept.
    scope: &'a Scope,
    joined: Joined,
}

impl<'a> Rows<'a> {
    /// No rows yet.
    pub fn new(times: &'a Times, text_hashes: &'a [u128], touched: u64, scope: &'a Scope) -> Self {
        Self { times, text_hashes, scope, joined: Joined { touched, ..Joined::default() } }
    }

    /// When the documents were published.
    pub fn times(&self) -> &'a Times {
        self.times
    }

    /// What stands for the texts of the documents.
    pub fn text_hashes(&self) -> &'a [u128] {
        self.text_hashes
    }

    /// Rows within a group: each member with the earliest inside its window, or all with all.
    pub fn equals(&mut self, members: &[u32], total: f64, all_pairs: bool) {
        if self.is_across() && !all_pairs {
            self.across(members, members, ([total; 2], [total; 2], false));
            return;
        }
        for (n, &document) in members.iter().enumerate() {
            if all_pairs {
                for &earlier in members[..n].iter().filter(|&&e| self.times.within(e, document)) {
                    self.push(earlier, document, [total; 2], [total; 2], false);
                }
            } else if let Some(earliest) = self.times.earliest_before(&members[..n], document) {
                self.push(earliest, document, [total; 2], [total; 2], false);
            }
        }
    }

    /// Rows between two groups. A document that repeats an earlier one inside its window is told
    /// by that row; each other one comes with the earliest document of the other group that is
    /// before it and inside its window.
    pub fn cross(&mut self, pair: &GroupPair, groups: &Groups, totals: &[f64], all_pairs: bool) {
        let [a, b] = [pair.a, pair.b].map(|group| groups.members(group as usize));
        let totals = [pair.a, pair.b].map(|group| totals[group as usize]);
        if all_pairs {
            for &x in a {
                for &y in b.iter().filter(|&&y| self.times.within(x, y)) {
                    self.push(x, y, pair.shared, totals, pair.is_proved);
                }
            }
            return;
        }
        if self.is_across() {
            let turned = [pair.shared[1], pair.shared[0]];
            self.across(a, b, (pair.shared, totals, pair.is_proved));
            self.across(b, a, (turned, [totals[1], totals[0]], pair.is_proved));
            return;
        }
        let turned = [[pair.shared[1], pair.shared[0]], [totals[1], totals[0]]];
        for (own, others, [shared, totals]) in [(a, b, turned), (b, a, [pair.shared, totals])] {
            for (n, &document) in own.iter().enumerate() {
                if self.times.earliest_before(&own[..n], document).is_some() {
                    continue;
                }
                if let Some(earliest) = self.times.earliest_before(others, document) {
                    self.push(earliest, document, shared, totals, pair.is_proved);
                }
            }
        }
    }

    /// Rows between documents with the same text but, in different languages, other features.
    /// `shared` says what two documents share and weigh; `None` if they are of one group.
    pub fn same_text(
        &mut self,
        documents: &[u32],
        shared: impl Fn(u32, u32) -> Option<[[f64; 2]; 2]>,
        all_pairs: bool,
    ) {
        let there = if self.is_across() { self.by_side(documents) } else { Default::default() };
        for (n, &document) in documents.iter().enumerate() {
            let before = &documents[..n];
            let partners: Vec<u32> = if self.is_across() && !all_pairs {
                self.partner(document, &there).into_iter().collect()
            } else if all_pairs {
                before.iter().copied().filter(|&e| self.times.within(e, document)).collect()
            } else {
                self.times.earliest_before(before, document).into_iter().collect()
            };
            for partner in partners {
                if let Some([shared, totals]) = shared(partner, document) {
                    self.push(partner, document, shared, totals, false);
                }
            }
        }
    }

    /// Whether only pairs across two collections are wanted.
    fn is_across(&self) -> bool {
        matches!(self.scope, Scope::Across(_))
    }

    /// Each document with the earliest that is near among `others` in the other collection: no document
    /// that has any is left out, and none is told with all of many copies.
    fn across(
        &mut self,
        documents: &[u32],
        others: &[u32],
        (shared, totals, is_proved): ([f64; 2], [f64; 2], bool),
    ) {
        let there = self.by_side(others);
        for &document in documents {
            if let Some(partner) = self.partner(document, &there) {
                self.push(document, partner, shared, totals, is_proved);
            }
        }
    }

    /// Documents by the collections they belong to.
    fn by_side(&self, documents: &[u32]) -> [Vec<u32>; 2] {
        let of = |side| move |&&d: &&u32| self.scope.side(d) == Some(side);
        [0, 1].map(|side| documents.iter().filter(of(side)).copied().collect())
    }

    fn partner(&self, document: u32, there: &[Vec<u32>; 2]) -> Option<u32> {
        let side = self.scope.side(document)?;
        self.times.earliest_near(&there[1 - side], document)
    }

    fn push(&mut self, a: u32, b: u32, shared: [f64; 2], totals: [f64; 2], is_proved: bool) {
        if !self.scope.wants(a, b) {
            return;
        }
        let (left, right) = self.times.orient(a, b);
        let (x, y) = if left == a { (0, 1) } else { (1, 0) };
        self.joined.left.push(left);
        self.joined.right.push(right);
        self.joined.shared.push(shared[x]);
        self.joined.right_shared.push(shared[y]);
        self.joined.left_total.push(totals[x]);
        self.joined.right_total.push(totals[y]);
        let same = self.text_hashes[left as usize] == self.text_hashes[right as usize];
        self.joined.same_text.push(same);
        self.joined.is_proved.push(is_proved);
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
            right_shared: take(&joined.right_shared, &order, cancel)?,
            left_total: take(&joined.left_total, &order, cancel)?,
            right_total: take(&joined.right_total, &order, cancel)?,
            same_text: take(&joined.same_text, &order, cancel)?,
            is_proved: take(&joined.is_proved, &order, cancel)?,
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
