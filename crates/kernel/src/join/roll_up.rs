//! From matches of sentences to pairs of documents.
//!
//! A document of n sentences is only of interest to one with matches for `floor · n` of them. So,
//! as with weights, each looks up the holders of what its sentences match, those with few holders
//! first, until the sentences left are too few; whoever has enough has been met by then.

use rayon::prelude::*;

use super::candidates::Match;
use super::met::Met;
use super::rows::GroupPair;
use super::units::Sentences;
use crate::cancel::Cancel;
use crate::error::Result;

/// Which distinct sentences match which, by the one that asks.
#[derive(Debug, Default)]
pub struct Matches {
    ends: Vec<u64>,
    stores: Vec<u32>,
    scores: Vec<f64>,
}

impl Matches {
    /// Matches, which come in the order of those that ask, then of those found.
    pub fn new(n_sentences: usize, matches: &[Match]) -> Self {
        let mut ends = vec![0; n_sentences];
        matches.iter().for_each(|found| ends[found.probe as usize] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        Self {
            ends,
            stores: matches.iter().map(|found| found.store).collect(),
            scores: matches.iter().map(|found| found.score).collect(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.stores.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.stores.is_empty()
    }

    fn range(&self, probe: u32) -> std::ops::Range<usize> {
        let start = if probe == 0 { 0 } else { self.ends[probe as usize - 1] };
        start as usize..self.ends[probe as usize] as usize
    }

    /// The sentences that match this one, sorted; it matches itself, which is not among them.
    pub fn of(&self, probe: u32) -> &[u32] {
        &self.stores[self.range(probe)]
    }

    /// The score of a sentence that asks for another; 1 for itself.
    pub fn score(&self, probe: u32, store: u32) -> Option<f64> {
        if probe == store {
            return Some(1.0);
        }
        let range = self.range(probe);
        self.stores[range.clone()].binary_search(&store).ok().map(|n| self.scores[range.start + n])
    }
}

/// How matches between two documents are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Counting {
    /// The sentences of each that have a match in the other.
    #[default]
    Exists,
    /// As many matches as there can be with each sentence in at most one.
    Matching,
    /// All matches, but never more than there are sentences.
    Double,
}

/// Rolls matches up.
pub struct RollUp<'a> {
    sentences: &'a Sentences,
    matches: &'a Matches,
    counting: Counting,
    n_groups: usize,
    /// Where the groups that hold each sentence end in `holders`.
    ends: Vec<u64>,
    holders: Vec<u32>,
}

impl<'a> RollUp<'a> {
    /// Turn "which sentences a group holds" around.
    pub fn new(
        sentences: &'a Sentences,
        matches: &'a Matches,
        n_groups: usize,
        counting: Counting,
    ) -> Self {
        let mut ends = vec![0_u64; sentences.n_distinct()];
        for group in 0..n_groups {
            sentences.of_group(group).iter().for_each(|&s| ends[s as usize] += 1);
        }
        let mut sum = 0;
        let mut next = Vec::with_capacity(ends.len());
        for end in &mut ends {
            next.push(sum as usize);
            sum += *end;
            *end = sum;
        }
        let mut holders = vec![0; sum as usize];
        for group in 0..n_groups {
            for &sentence in sentences.of_group(group) {
                holders[next[sentence as usize]] = group as u32;
                next[sentence as usize] += 1;
            }
        }
        Self { sentences, matches, counting, n_groups, ends, holders }
    }

    fn holders(&self, sentence: u32) -> &[u32] {
        let start = if sentence == 0 { 0 } else { self.ends[sentence as usize - 1] };
        &self.holders[start as usize..self.ends[sentence as usize] as usize]
    }

    /// The sentences that tell the same as this one: itself, and those that match it.
    fn same_as(&self, sentence: u32) -> impl Iterator<Item = u32> {
        std::iter::once(sentence).chain(self.matches.of(sentence).iter().copied())
    }

    /// How many sentences of one group count as matched in another.
    pub fn counted(&self, group: usize, other: usize) -> usize {
        match self.counting {
            Counting::Exists => self.matched(group, other),
            Counting::Matching => most_matched(&self.links(group, other)),
            Counting::Double => {
                let links = self.links(group, other);
                links.iter().map(Vec::len).sum::<usize>().min(links.len())
            }
        }
    }

    /// For each sentence of one group, the places of those it matches in another.
    fn links(&self, group: usize, other: usize) -> Vec<Vec<usize>> {
        let there = self.sentences.of_group(other);
        let of = |&sentence: &u32| {
            self.same_as(sentence).filter_map(|same| there.binary_search(&same).ok()).collect()
        };
        self.sentences.of_group(group).iter().map(of).collect()
    }

    /// How many sentences of one group have a match in another.
    fn matched(&self, group: usize, other: usize) -> usize {
        let there = self.sentences.of_group(other);
        let has = |sentence: &u32| there.binary_search(sentence).is_ok();
        let is_matched = |&sentence: &u32| {
            let found = self.matches.of(sentence);
            has(&sentence)
                || if found.len() < there.len() {
                    found.iter().any(has)
                } else {
                    there.iter().any(|s| found.binary_search(s).is_ok())
                }
        };
        self.sentences.of_group(group).iter().filter(|s| is_matched(s)).count()
    }

    /// The pairs of groups one of which has matches for at least `floor` of its sentences.
    pub fn pairs(&self, floor: f64, cancel: &Cancel) -> Result<Vec<GroupPair>> {
        let all: Vec<u32> = (0..self.n_groups as u32).collect();
        let parts = all
            .par_chunks(64)
            .map_init(
                || Met::new(self.n_groups),
                |met, part| {
                    let mut found = Vec::new();
                    for &group in part {
                        cancel.check()?;
                        self.look_up(group, floor, met);
                        for &other in &met.units {
                            found.extend(self.pair(group, other, floor));
                        }
                    }
                    Ok(found)
                },
            )
            .collect::<Result<Vec<_>>>()?;
        Ok(parts.into_iter().flatten().collect())
    }

    /// How many of so many sentences are enough.
    fn needed(floor: f64, sentences: usize) -> usize {
        ((floor * sentences as f64).ceil() as usize).max(1)
    }

    /// Meet every group that can have enough matches for this one.
    fn look_up(&self, group: u32, floor: f64, met: &mut Met) {
        met.start(group);
        let own = self.sentences.of_group(group as usize);
        let cost = |&s: &u32| self.same_as(s).map(|t| self.holders(t).len()).sum::<usize>();
        let mut order: Vec<(usize, u32)> = own.iter().map(|s| (cost(s), *s)).collect();
        order.sort_unstable();
        // Where a sentence counts for several, a single one may be enough.
        let floor = if self.counting == Counting::Double { 0.0 } else { floor };
        let asking = (own.len() + 1).saturating_sub(Self::needed(floor, own.len()));
        for &(_, sentence) in order.iter().take(asking) {
            for other in self.same_as(sentence) {
                self.holders(other).iter().for_each(|&holder| met.meet(holder));
            }
        }
    }

    /// The pair, if this group is the one to tell it: what is enough for both is found by both,
    /// and told by the later one.
    fn pair(&self, group: u32, other: u32, floor: f64) -> Option<GroupPair> {
        let is_enough = |matched: usize, group: u32| {
            matched >= Self::needed(floor, self.sentences.of_group(group as usize).len())
        };
        let own = self.counted(group as usize, other as usize);
        if !is_enough(own, group) {
            return None;
        }
        let theirs = self.counted(other as usize, group as usize);
        if other > group && is_enough(theirs, other) {
            return None;
        }
        let (a, b) = (group.min(other), group.max(other));
        let shared = if a == group { [own, theirs] } else { [theirs, own] };
        Some(GroupPair { a, b, shared: shared.map(|n| n as f64) })
    }
}

/// How many can be linked at most, each with one other that nobody else is linked with.
fn most_matched(links: &[Vec<usize>]) -> usize {
    let n_others = links.iter().flatten().max().map_or(0, |&most| most + 1);
    let mut partner = vec![usize::MAX; n_others];
    (0..links.len()).filter(|&own| match_one(own, links, &mut partner)).count()
}

/// Link one more, where need be by linking others anew along the shortest path to a free place.
fn match_one(own: usize, links: &[Vec<usize>], partner: &mut [usize]) -> bool {
    // Through whom each place was reached.
    let mut through = vec![usize::MAX; partner.len()];
    let mut queue = std::collections::VecDeque::from([own]);
    while let Some(asking) = queue.pop_front() {
        for &place in &links[asking] {
            if through[place] != usize::MAX {
                continue;
            }
            through[place] = asking;
            if partner[place] != usize::MAX {
                queue.push_back(partner[place]);
                continue;
            }
            let mut free = place;
            loop {
                let asking = through[free];
                let before = partner.iter().position(|&own| own == asking);
                partner[free] = asking;
                match before {
                    Some(before) => free = before,
                    None => return true,
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The most that can be linked, by trying everything.
    fn tried(links: &[Vec<usize>], taken: u32) -> usize {
        let Some((first, rest)) = links.split_first() else { return 0 };
        let linked = first.iter().filter(|&&place| taken & 1 << place == 0);
        let with = linked.map(|&place| 1 + tried(rest, taken | 1 << place)).max();
        with.unwrap_or(0).max(tried(rest, taken))
    }

    proptest! {
        #[test]
        fn no_other_way_to_link_gives_more(
            links in prop::collection::vec(prop::collection::btree_set(0..6_usize, 0..5), 0..7),
        ) {
            let links: Vec<Vec<usize>> =
                links.into_iter().map(|places| places.into_iter().collect()).collect();
            prop_assert_eq!(most_matched(&links), tried(&links, 0));
            let exists = links.iter().filter(|places| !places.is_empty()).count();
            prop_assert!(most_matched(&links) <= exists);
        }
    }
}
