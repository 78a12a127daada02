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
    stores: Vec<u32>,
    scores: Vec<f64>,
    /// The weight each match has in common; empty if sentences are only counted.
    shared: Vec<u64>,
    /// How many words of each match stand in the same order, and may prove something; empty if
    /// sentences are only counted.
    told: Vec<u32>,
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
            shared: Vec::new(),
            told: Vec::new(),
        }
    }

    /// Matches that hold both ways and come once, with the later sentence asking, and with what they
    /// have in common instead of a score, which `judge` gives, and how many words may prove something.
    pub fn both_ways(
        n_sentences: usize,
        matches: &[Match],
        judge: impl Fn(&Match) -> (f64, u32) + Sync + Send,
    ) -> Self {
        let judged: Vec<(f64, u32)> = matches.par_iter().map(judge).collect();
        let mut ends = vec![0; n_sentences];
        let sides = |found: &Match| [(found.probe, found.store), (found.store, found.probe)];
        matches.iter().flat_map(sides).for_each(|(own, _)| ends[own as usize] += 1);
        let mut next = Vec::with_capacity(n_sentences);
        let mut sum = 0;
        for end in &mut ends {
            next.push(sum as usize);
            sum += *end;
            *end = sum;
        }
        let (mut stores, mut scores) = (vec![0; sum as usize], vec![0.0; sum as usize]);
        let (mut shared, mut told) = (vec![0; sum as usize], vec![0; sum as usize]);
        // Those before a sentence come while it asks, in order, and those behind it later.
        for (found, (score, words)) in matches.iter().zip(judged) {
            for (own, other) in sides(found) {
                let place = &mut next[own as usize];
                (stores[*place], scores[*place]) = (other, score);
                (shared[*place], told[*place]) = (found.score as u64, words);
                *place += 1;
            }
        }
        Self { ends, stores, scores, shared, told }
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

    /// The sentences that match this one, with what is known of the match.
    pub fn found(&self, probe: u32) -> impl Iterator<Item = Found> {
        self.range(probe).map(|at| Found {
            sentence: self.stores[at],
            score: self.scores[at],
            shared: self.shared.get(at).copied().unwrap_or(1),
            told: self.told.get(at).copied().unwrap_or(0),
        })
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
    /// How many words each has, and how many of them tell something.
    pub words: Vec<(u32, u32)>,
    /// Which are too common to prove anything.
    pub common: Vec<bool>,
    /// What does.
    pub proof: Proof,
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
        let mut made =
            Self { sentences, matches, counting, weighing, totals: Vec::new(), ends, holders };
        let total = |group| sentences.of_group(group).iter().map(|&s| made.weight(s)).sum();
        made.totals = (0..n_groups).map(total).collect();
        made
    }

    fn holders(&self, sentence: u32) -> &[u32] {
        let start = if sentence == 0 { 0 } else { self.ends[sentence as usize - 1] };
        &self.holders[start as usize..self.ends[sentence as usize] as usize]
    }

    fn weight(&self, sentence: u32) -> u64 {
        self.weighing.map_or(1, |weighing| weighing.weights[sentence as usize])
    }

    /// What a match of a sentence counts: what it has in common with the other one, and how many of
    /// its words prove something.
    fn gain(&self, sentence: u32, found: &Found) -> Matched {
        let Some(weighing) = self.weighing else { return Matched { weight: 1, words: 0 } };
        let proves = self.may_prove(sentence) && self.may_prove(found.sentence);
        let [own, theirs] = [sentence, found.sentence].map(|s| weighing.words[s as usize].1);
        // Many formulas prove nothing.
        let is_much = 3 * u64::from(own.min(theirs)) >= weighing.proof.words;
        let words = if proves && is_much { found.told.into() } else { 0 };
        Matched { weight: found.shared, words }
    }

    /// Whether a sentence may prove something by itself.
    fn may_prove(&self, sentence: u32) -> bool {
        self.weighing.is_some_and(|weighing| !weighing.common[sentence as usize])
    }

    /// The sentences that tell the same as this one: itself, and those that match it.
    fn same_as(&self, sentence: u32) -> impl Iterator<Item = Found> {
        let shared = self.weight(sentence);
        let told = self.weighing.map_or(0, |weighing| weighing.words[sentence as usize].0);
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
                        for (other, sum) in sums.found() {
                            if any_wanted(wanted, group, other) {
                                found.extend(self.half(group, other, sum, rest, floor));
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
    fn half(&self, group: u32, other: u32, sum: Matched, rest: &[u32], floor: f64) -> Option<Half> {
        let left: u64 = rest.iter().map(|&sentence| self.weight(sentence)).sum();
        let most = Matched { weight: sum.weight.saturating_add(left), ..sum };
        // Where a sentence counts for several, what was added up is no bound.
        if self.counting != Counting::Double && !self.is_enough(most, group, floor) {
            return None;
        }
        let matched = if self.counting == Counting::Exists {
            let there = self.sentences.of_group(other as usize);
            let more: u64 = rest.iter().map(|&s| self.best(s, there).weight).sum();
            Matched { weight: sum.weight + more, ..sum }
        } else {
            self.matched(group as usize, other as usize)
        };
        self.is_enough(matched, group, floor).then_some(Half { group, other, matched })
    }

    /// The most that a sentence has in common with one of these, which are sorted.
    fn best(&self, sentence: u32, there: &[u32]) -> Matched {
        let same = self.same_as(sentence);
        let there = same.filter(|found| there.binary_search(&found.sentence).is_ok());
        there.map(|found| self.gain(sentence, &found)).fold(Matched::default(), Matched::most)
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

    fn is_enough(&self, matched: Matched, group: u32, floor: f64) -> bool {
        matched.weight >= self.needed(floor, group) || self.is_proof(matched)
    }

    /// Add up what every group that can have enough matches for this one has; `rest` are then the
    /// sentences that were not looked up, or only for what they prove.
    fn look_up(&self, group: u32, floor: f64, sums: &mut Sums, rest: &mut Vec<u32>) {
        sums.start(group);
        rest.clear();
        let own = self.sentences.of_group(group as usize);
        let proves = |&s: &u32| self.may_prove(s);
        if own.iter().all(|s| proves(s) && self.matches.of(*s).iter().all(proves)) {
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
    fn add(&self, sentence: u32, sums: &mut Sums) {
        for found in self.same_as(sentence) {
            let gain = self.gain(sentence, &found);
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
            let gain = Matched { weight: 0, ..self.gain(sentence, &found) };
            let holders = self.holders(found.sentence);
            holders.iter().for_each(|&holder| sums.add(holder, sentence, gain));
        }
    }

    /// A weight as it is handed out: a number of sentences, or units of weight.
    pub fn amount(&self, weight: u64) -> f64 {
        if self.weighing.is_some() { from_units(u128::from(weight)) } else { weight as f64 }
    }
}
