//! From matches of sentences to pairs of documents.
//!
//! A document whose sentences weigh W is only of interest to one with matches for `floor · W` of
//! them. So each looks up the holders of what its sentences match, those with few holders first,
//! until the sentences left weigh too little; whoever has enough has been met by then. Where single
//! sentences may prove that something was taken, all that can are looked up.

use rayon::prelude::*;

use super::candidates::Match;
use super::counting::Counting;
use super::pairs::any_wanted;
use super::retold::Pair;
use super::rows::GroupPair;
use super::sums::Sums;
use super::units::Sentences;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::from_units;

/// Which distinct sentences match which, by the one that asks.
#[derive(Debug, Default)]
pub struct Matches {
    ends: Vec<u64>,
    rows: Vec<Row>,
    /// The weight each match has in common; empty if sentences are only counted.
    shared: Vec<u64>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Row {
    store: u32,
    /// How many words stand in the same order, and may prove something.
    told: u32,
    score: f64,
}

/// From how many there are of each to where they end; returns where they begin.
fn add_up(ends: &mut [u64]) -> Vec<u64> {
    let mut sum = 0;
    let begin = |end: &mut u64| {
        let start = sum;
        sum += *end;
        *end = sum;
        start
    };
    ends.iter_mut().map(begin).collect()
}

impl Matches {
    /// Matches, which come in the order of those that ask, then of those found.
    pub fn new(n_sentences: usize, matches: &[Match]) -> Self {
        let mut ends = vec![0; n_sentences];
        matches.iter().for_each(|found| ends[found.probe as usize] += 1);
        add_up(&mut ends);
        let row = |found: &Match| Row { store: found.store, told: 0, score: found.score };
        Self { ends, rows: matches.iter().map(row).collect(), shared: Vec::new() }
    }

    /// Matches that hold both ways and come once, in the order of the later sentence.
    pub fn both_ways(n_sentences: usize, pairs: &[Pair]) -> Self {
        let mut ends = vec![0; n_sentences];
        pairs.iter().flat_map(|pair| pair.sentences).for_each(|own| ends[own as usize] += 1);
        let mut next = add_up(&mut ends);
        let mut rows = vec![Row::default(); 2 * pairs.len()];
        let mut shared = vec![0; 2 * pairs.len()];
        // Those before a sentence come while it asks, in order, and those behind it later.
        for pair in pairs {
            let [later, earlier] = pair.sentences;
            for (own, other) in [(later, earlier), (earlier, later)] {
                let place = &mut next[own as usize];
                rows[*place as usize] = Row { store: other, told: pair.told, score: pair.score };
                shared[*place as usize] = pair.shared;
                *place += 1;
            }
        }
        Self { ends, rows, shared }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    #[inline]
    fn range(&self, probe: u32) -> std::ops::Range<usize> {
        let start = if probe == 0 { 0 } else { self.ends[probe as usize - 1] };
        start as usize..self.ends[probe as usize] as usize
    }

    /// The sentences that match this one, sorted, with what is known of the match; it matches itself,
    /// which is not among them.
    #[inline]
    pub fn found(&self, probe: u32) -> impl Iterator<Item = Found> {
        self.range(probe).map(|at| {
            let Row { store: sentence, told, score } = self.rows[at];
            Found { sentence, score, shared: self.shared.get(at).copied().unwrap_or(1), told }
        })
    }

    /// The score of a sentence that asks for another; 1 for itself.
    pub fn score(&self, probe: u32, store: u32) -> Option<f64> {
        if probe == store {
            return Some(1.0);
        }
        let rows = &self.rows[self.range(probe)];
        rows.binary_search_by_key(&store, |row| row.store).ok().map(|n| rows[n].score)
    }
}

/// A sentence that matches another one.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    /// Its number.
    pub sentence: u32,
    /// The score of the match.
    pub score: f64,
    /// The weight both have in common; 1 if sentences are only counted.
    pub shared: u64,
    /// How many words may prove something.
    pub told: u32,
}

impl Found {
    /// What the match counts.
    #[inline]
    fn gain(self) -> Matched {
        Matched { weight: self.shared, words: self.told.into() }
    }
}

/// Which matches prove by themselves that something was taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proof {
    /// Matches from this score on.
    pub score: f64,
    /// Where this share of the shorter sentence's words stands in the same order in the other one, or
    /// twice `words` of them.
    pub order: f64,
    /// If so many words do together, and a third as many of each sentence tell something.
    pub words: u64,
}

/// What sentences weigh, where they do not all weigh the same, and what proves something.
#[derive(Debug)]
pub struct Weighing {
    /// The weight of each sentence.
    pub weights: Vec<u64>,
    /// How many words of each may prove something.
    pub told: Vec<u32>,
    /// Which are too common to prove anything.
    pub common: Vec<bool>,
    /// What does.
    pub proof: Proof,
}

/// Which of so many sentences may prove something, and so may all that match them, where that holds
/// both ways.
fn proving(n: usize, matches: &Matches, weighing: Option<&Weighing>) -> Vec<bool> {
    let Some(weighing) = weighing else { return vec![false; n] };
    let mut prove = vec![true; n];
    for sentence in (0..n as u32).filter(|&sentence| weighing.common[sentence as usize]) {
        prove[sentence as usize] = false;
        matches.found(sentence).for_each(|found| prove[found.sentence as usize] = false);
    }
    prove
}

/// What sentences of one group have a match in another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Matched {
    /// Their weight.
    pub weight: u64,
    /// How many words prove that something was taken.
    pub words: u64,
}

impl Matched {
    /// Of both amounts the larger.
    pub fn most(self, other: Self) -> Self {
        Self { weight: self.weight.max(other.weight), words: self.words.max(other.words) }
    }

    /// Both together.
    pub fn plus(self, other: Self) -> Self {
        Self { weight: self.weight + other.weight, words: self.words + other.words }
    }
}

/// What a group has in another one.
#[derive(Debug, Clone, Copy)]
struct Half {
    group: u32,
    other: u32,
    matched: Matched,
}

impl Half {
    /// Both groups, the earlier first.
    fn groups(&self) -> (u32, u32) {
        (self.group.min(self.other), self.group.max(self.other))
    }

    /// Where it stands among all.
    fn place(&self) -> (u32, u32, u32) {
        let (a, b) = self.groups();
        (a, b, self.group)
    }
}

/// Rolls matches up.
pub struct RollUp<'a> {
    sentences: &'a Sentences,
    matches: &'a Matches,
    counting: Counting,
    weighing: Option<&'a Weighing>,
    /// The weight of the sentences of each group.
    pub totals: Vec<u64>,
    /// Where the groups that hold each sentence end in `holders`.
    ends: Vec<u64>,
    holders: Vec<u32>,
    /// Which sentences may prove something, and so may all that match them.
    prove: Vec<bool>,
}

impl<'a> RollUp<'a> {
    /// Turn "which sentences a group holds" around.
    pub fn new(
        sentences: &'a Sentences,
        matches: &'a Matches,
        n_groups: usize,
        counting: Counting,
        weighing: Option<&'a Weighing>,
    ) -> Self {
        let mut ends = vec![0_u64; sentences.n_distinct()];
        for group in 0..n_groups {
            sentences.of_group(group).iter().for_each(|&s| ends[s as usize] += 1);
        }
        let mut next = add_up(&mut ends);
        let mut holders = vec![0; ends.last().map_or(0, |&end| end as usize)];
        for group in 0..n_groups {
            for &sentence in sentences.of_group(group) {
                let place = &mut next[sentence as usize];
                holders[*place as usize] = group as u32;
                *place += 1;
            }
        }
        let (totals, prove) = (Vec::new(), proving(sentences.n_distinct(), matches, weighing));
        let mut made =
            Self { sentences, matches, counting, weighing, totals, ends, holders, prove };
        let total = |group| sentences.of_group(group).iter().map(|&s| made.weight(s)).sum();
        made.totals = (0..n_groups).map(total).collect();
        made
    }

    #[inline]
    fn holders(&self, sentence: u32) -> &[u32] {
        let start = if sentence == 0 { 0 } else { self.ends[sentence as usize - 1] };
        &self.holders[start as usize..self.ends[sentence as usize] as usize]
    }

    fn weight(&self, sentence: u32) -> u64 {
        self.weighing.map_or(1, |weighing| weighing.weights[sentence as usize])
    }

    /// Whether a sentence may prove something by itself.
    fn may_prove(&self, sentence: u32) -> bool {
        self.weighing.is_some_and(|weighing| !weighing.common[sentence as usize])
    }

    /// The sentences that tell the same as this one: itself, and those that match it.
    fn same_as(&self, sentence: u32) -> impl Iterator<Item = Found> {
        let shared = self.weight(sentence);
        let told = self.weighing.map_or(0, |weighing| weighing.told[sentence as usize]);
        let itself = Found { sentence, score: 1.0, shared, told };
        std::iter::once(itself).chain(self.matches.found(sentence))
    }

    /// For each sentence of one group, the places of those it matches in another.
    fn links(&self, group: usize, other: usize) -> Vec<Vec<usize>> {
        let there = self.sentences.of_group(other);
        let of = |&sentence: &u32| {
            let same = self.same_as(sentence);
            same.filter_map(|found| there.binary_search(&found.sentence).ok()).collect()
        };
        self.sentences.of_group(group).iter().map(of).collect()
    }

    /// What sentences of one group have a match in another.
    pub fn matched(&self, group: usize, other: usize) -> Matched {
        if self.counting != Counting::Exists {
            let count = self.counting.of(&self.links(group, other));
            return Matched { weight: count as u64, words: 0 };
        }
        let there = self.sentences.of_group(other);
        let best = self.sentences.of_group(group).iter().map(|&s| self.best(s, there));
        best.fold(Matched::default(), Matched::plus)
    }

    /// The pairs of groups one of which has matches for at least `floor` of its sentences, or for
    /// enough of them to prove that something was taken. Of both at least one is `wanted`; empty: all
    /// are.
    pub fn pairs(&self, floor: f64, wanted: &[bool], cancel: &Cancel) -> Result<Vec<GroupPair>> {
        let all: Vec<u32> = (0..self.totals.len() as u32).collect();
        let parts = all
            .par_chunks(64)
            .map_init(
                || (Sums::new(self.totals.len()), Vec::new()),
                |(sums, rest), part| {
                    let mut found = Vec::new();
                    for &group in part {
                        cancel.check()?;
                        self.look_up(group, floor, sums, rest);
                        let needed = self.needed(floor, group);
                        let left = rest.iter().map(|&sentence| self.weight(sentence)).sum();
                        for (other, sum) in sums.found() {
                            // Where a sentence counts for several, what was added up is no bound.
                            let may_be = self.counting == Counting::Double
                                || sum.weight.saturating_add(left) >= needed
                                || self.is_proof(sum);
                            if may_be && any_wanted(wanted, group, other) {
                                found.extend(self.half(group, other, sum, rest, needed));
                            }
                        }
                    }
                    Ok(found)
                },
            )
            .collect::<Result<Vec<_>>>()?;
        let mut halves: Vec<Half> = parts.into_iter().flatten().collect();
        halves.par_sort_unstable_by_key(|half| half.place());
        let pairs: Vec<&[Half]> = halves.chunk_by(|x, y| x.groups() == y.groups()).collect();
        pairs.par_iter().map(|halves| Ok(self.pair(halves))).collect()
    }

    /// What a group has in another one, if it is enough. `sum` is what was looked up, and `rest` are
    /// the sentences that were not.
    fn half(
        &self,
        group: u32,
        other: u32,
        sum: Matched,
        rest: &[u32],
        needed: u64,
    ) -> Option<Half> {
        let matched = if self.counting == Counting::Exists {
            let there = self.sentences.of_group(other as usize);
            let more: u64 = rest.iter().map(|&s| self.best(s, there).weight).sum();
            Matched { weight: sum.weight + more, ..sum }
        } else {
            self.matched(group as usize, other as usize)
        };
        let is_enough = matched.weight >= needed || self.is_proof(matched);
        is_enough.then_some(Half { group, other, matched })
    }

    /// The most that a sentence has in common with one of these, which are sorted.
    fn best(&self, sentence: u32, there: &[u32]) -> Matched {
        let same = self.same_as(sentence);
        let there = same.filter(|found| there.binary_search(&found.sentence).is_ok());
        there.map(Found::gain).fold(Matched::default(), Matched::most)
    }

    /// The pair that one of its groups has found, or both.
    fn pair(&self, halves: &[Half]) -> GroupPair {
        let (a, b) = halves[0].groups();
        let side = |group: u32, other: u32| {
            let found = halves.iter().find(|half| half.group == group);
            found.map_or_else(|| self.matched(group as usize, other as usize), |half| half.matched)
        };
        let shared = [side(a, b), side(b, a)];
        GroupPair {
            a,
            b,
            shared: shared.map(|matched| self.amount(matched.weight)),
            is_proved: shared.into_iter().all(|matched| self.is_proof(matched)),
        }
    }

    /// What has to be matched of a group.
    fn needed(&self, floor: f64, group: u32) -> u64 {
        ((floor * self.totals[group as usize] as f64).ceil() as u64).max(1)
    }

    fn is_proof(&self, matched: Matched) -> bool {
        self.weighing.is_some_and(|weighing| matched.words >= weighing.proof.words.max(1))
    }

    /// Add up what every group that can have enough matches for this one has; `rest` are then the
    /// sentences that were not looked up, or only for what they prove.
    fn look_up(&self, group: u32, floor: f64, sums: &mut Sums, rest: &mut Vec<u32>) {
        sums.start(group);
        rest.clear();
        let own = self.sentences.of_group(group as usize);
        if own.iter().all(|&sentence| self.prove[sentence as usize]) {
            own.iter().for_each(|&sentence| self.add(sentence, sums));
            return;
        }
        let cost =
            |&s: &u32| self.same_as(s).map(|t| self.holders(t.sentence).len()).sum::<usize>();
        let mut order: Vec<(usize, u32)> = own.iter().map(|s| (cost(s), *s)).collect();
        order.sort_unstable();
        // Where a sentence counts for several, a single one may be enough.
        let floor = if self.counting == Counting::Double { 0.0 } else { floor };
        let needed = self.needed(floor, group);
        let mut left = self.totals[group as usize];
        for &(_, sentence) in &order {
            if left >= needed {
                self.add(sentence, sums);
                left -= self.weight(sentence);
            } else {
                self.add_proof(sentence, sums);
                rest.push(sentence);
            }
        }
    }

    /// Add what a sentence has in common with others.
    #[inline]
    fn add(&self, sentence: u32, sums: &mut Sums) {
        // Most sentences are nobody else's.
        if self.holders(sentence).len() == 1 && self.matches.range(sentence).is_empty() {
            return;
        }
        for found in self.same_as(sentence) {
            let gain = found.gain();
            let holders = self.holders(found.sentence);
            holders.iter().for_each(|&holder| sums.add(holder, sentence, gain));
        }
    }

    /// Add only what a sentence proves.
    fn add_proof(&self, sentence: u32, sums: &mut Sums) {
        if !self.may_prove(sentence) {
            return;
        }
        for found in self.same_as(sentence).filter(|found| self.may_prove(found.sentence)) {
            let gain = Matched { weight: 0, ..found.gain() };
            let holders = self.holders(found.sentence);
            holders.iter().for_each(|&holder| sums.add(holder, sentence, gain));
        }
    }

    /// A weight as it is handed out: a number of sentences, or units of weight.
    pub fn amount(&self, weight: u64) -> f64 {
        if self.weighing.is_some() { from_units(u128::from(weight)) } else { weight as f64 }
    }
}
