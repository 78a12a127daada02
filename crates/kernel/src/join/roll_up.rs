//! From matches of sentences to pairs of documents.
//!
//! A document whose sentences weigh W is only of interest to one with matches for `floor · W` of
//! them. So each looks up the holders of what its sentences match, those with few holders first,
//! until the sentences left weigh too little; whoever has enough has been met by then. Where single
//! sentences may prove that something was taken, all that can are looked up.
//!
//! A sentence that is boilerplate of its document's source weighs nothing there. What is boilerplate
//! in one of two documents, and nothing of it in the other, was taken: such a match counts if it proves that.

use rayon::prelude::*;

use super::counting::Counting;
use super::held::Holders;
use super::matches::{Found, Matches};
use super::rows::GroupPair;
use super::scope::Wanted;
use super::sums::Sums;
use super::units::Sentences;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::from_units;

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

fn weight_of(sentence: u32, weighing: Option<&Weighing>) -> u64 {
    weighing.map_or(1, |weighing| weighing.weights[sentence as usize])
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
    holders: Holders,
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
        let weight = |&sentence: &u32| weight_of(sentence, weighing);
        let total = |group| sentences.own.of(group).iter().map(weight).sum();
        let (holders, (totals, prove)) = rayon::join(
            || Holders::new(sentences, n_groups),
            || {
                let totals = (0..n_groups).map(total).collect();
                (totals, proving(sentences.n_distinct(), matches, weighing))
            },
        );
        Self { sentences, matches, counting, weighing, totals, holders, prove }
    }

    fn weight(&self, sentence: u32) -> u64 {
        weight_of(sentence, self.weighing)
    }

    /// The sentences that tell the same as this one: itself, and those that match it.
    fn same_as(&self, sentence: u32) -> impl Iterator<Item = Found> {
        let (shared, told) = (self.weight(sentence), self.matches.alone(sentence));
        let itself = Found { sentence, score: 1.0, shared, told };
        std::iter::once(itself).chain(self.matches.found(sentence))
    }

    /// For each sentence of one group, the places of those it matches in another.
    fn links(&self, group: usize, other: usize) -> Vec<Vec<usize>> {
        let there = self.sentences.own.of(other);
        let of = |&sentence: &u32| {
            let same = self.same_as(sentence);
            same.filter_map(|found| there.binary_search(&found.sentence).ok()).collect()
        };
        self.sentences.own.of(group).iter().map(of).collect()
    }

    /// What sentences of one group have a match in another.
    pub fn matched(&self, group: usize, other: usize) -> Matched {
        if self.counting != Counting::Exists {
            let count = self.counting.of(&self.links(group, other));
            return Matched { weight: count as u64, words: 0 };
        }
        let Sentences { own, marked, .. } = self.sentences;
        let best = own.of(group).iter().map(|&sentence| self.best(group, sentence, other));
        let taken = marked.of(group).iter().map(|&sentence| self.taken(sentence, other));
        best.chain(taken).fold(Matched::default(), Matched::plus)
    }

    /// The pairs of groups one of which has matches for at least `floor` of its sentences, or for
    /// enough of them to prove that something was taken; only those that are `wanted`.
    pub fn pairs(&self, floor: f64, wanted: &Wanted, cancel: &Cancel) -> Result<Vec<GroupPair>> {
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
                            if may_be && wanted.has(group, other) {
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
            let mut left: u64 = rest.iter().map(|&sentence| self.weight(sentence)).sum();
            let mut weight = sum.weight;
            for &sentence in rest {
                // Mostly a few of the rest tell that it is not enough.
                if weight.saturating_add(left) < needed && !self.is_proof(sum) {
                    return None;
                }
                left -= self.weight(sentence);
                weight += self.best(group as usize, sentence, other as usize).weight;
            }
            Matched { weight, ..sum }
        } else {
            self.matched(group as usize, other as usize)
        };
        let is_enough = matched.weight >= needed || self.is_proof(matched);
        is_enough.then_some(Half { group, other, matched })
    }

    /// The most that a sentence of a group has in common with one of another.
    fn best(&self, group: usize, sentence: u32, other: usize) -> Matched {
        let Sentences { own, partly, marked, .. } = self.sentences;
        if self.weighing.is_none() {
            let is_there = self.matches.has_any(sentence, own.of(other));
            return Matched { weight: is_there.into(), words: 0 };
        }
        let is_taken = |found: &Found| {
            found.is_told() && marked.has(other, found.sentence) && !partly.has(group, sentence)
        };
        let is_there = |found: &Found| own.has(other, found.sentence) || is_taken(found);
        let found = self.same_as(sentence).filter(is_there);
        found.map(Found::gain).fold(Matched::default(), Matched::most)
    }

    /// What a sentence that is boilerplate where it stands has in common with one of a group.
    fn taken(&self, sentence: u32, other: usize) -> Matched {
        let Sentences { own, partly, .. } = self.sentences;
        let is_there = |found: &Found| {
            found.is_told() && own.has(other, found.sentence) && !partly.has(other, found.sentence)
        };
        let found = self.same_as(sentence).filter(is_there);
        found.map(Found::proof).fold(Matched::default(), Matched::most)
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
        let Sentences { own, marked, .. } = self.sentences;
        marked.of(group as usize).iter().for_each(|&sentence| self.add_taken(sentence, sums));
        let own = own.of(group as usize);
        if own.iter().all(|&sentence| self.prove[sentence as usize]) {
            own.iter().for_each(|&sentence| self.add(group, sentence, sums));
            return;
        }
        let cost =
            |&s: &u32| self.same_as(s).map(|t| self.holders.of(t.sentence).len()).sum::<usize>();
        let mut order: Vec<(usize, u32)> = own.iter().map(|s| (cost(s), *s)).collect();
        order.sort_unstable();
        // Where a sentence counts for several, a single one may be enough.
        let floor = if self.counting == Counting::Double { 0.0 } else { floor };
        let needed = self.needed(floor, group);
        let mut left = self.totals[group as usize];
        for &(_, sentence) in &order {
            if left >= needed {
                self.add(group, sentence, sums);
                left -= self.weight(sentence);
            } else {
                self.add_proof(group, sentence, sums);
                rest.push(sentence);
            }
        }
    }

    /// Add what a sentence of a group has in common with others.
    #[inline]
    fn add(&self, group: u32, sentence: u32, sums: &mut Sums) {
        // Most sentences are nobody else's.
        if self.holders.of(sentence).len() == 1 && self.matches.is_alone(sentence) {
            return;
        }
        for found in self.same_as(sentence) {
            self.add_found(group, sentence, found, found.gain(), sums);
        }
    }

    /// Add only what a sentence of a group proves.
    fn add_proof(&self, group: u32, sentence: u32, sums: &mut Sums) {
        for found in self.same_as(sentence).filter(|found| found.is_told()) {
            self.add_found(group, sentence, found, found.proof(), sums);
        }
    }

    /// Add what a sentence of a group gains from a match, to all that hold that.
    #[inline]
    fn add_found(&self, group: u32, sentence: u32, found: Found, gain: Matched, sums: &mut Sums) {
        let holders = self.holders.of(found.sentence);
        let mut own = holders.iter().take_while(|holder| !holder.is_marked());
        own.by_ref().for_each(|holder| sums.add(holder.group(), sentence, gain));
        let is_marked = holders.last().is_some_and(|holder| holder.is_marked());
        if is_marked && found.is_told() && !self.sentences.partly.has(group as usize, sentence) {
            let marked = holders.iter().rev().take_while(|holder| holder.is_marked());
            marked.for_each(|holder| sums.add(holder.group(), sentence, gain));
        }
    }

    /// Add what a sentence proves that is boilerplate where it stands.
    fn add_taken(&self, sentence: u32, sums: &mut Sums) {
        for found in self.same_as(sentence).filter(|found| found.is_told()) {
            let holders = self.holders.plain(found.sentence);
            holders.for_each(|holder| sums.add(holder, sentence, found.proof()));
        }
    }

    /// A weight as it is handed out: a number of sentences, or units of weight.
    pub fn amount(&self, weight: u64) -> f64 {
        if self.weighing.is_some() { from_units(u128::from(weight)) } else { weight as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::{Feature, Features, Mark};
    use crate::join::aligner::Aligner;
    use crate::join::groups::Times;
    use crate::join::retold::Pair;
    use crate::join::units::Units;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// How many different sentences there are.
    const SENTENCES: usize = 8;

    /// A sentence, by its number, weighs that, and one.
    fn weight(sentence: usize) -> u64 {
        1 + sentence as u64
    }

    /// Documents of sentences, each of a source, to which sentences have marks.
    fn made(documents: &[(usize, Vec<usize>)], marks: &[[Mark; SENTENCES]]) -> (Units, Features) {
        let mut features = Features { sketch_width: 2, ..Features::default() };
        let mut all = Vec::new();
        for (source, document) in documents {
            for &sentence in document {
                let word = Feature { key: sentence as u64, weight: weight(sentence), count: 1 };
                features.push(&mut [word], false);
                features.sketches.extend([crate::hash::run(&[sentence as u64]), 0]);
                features.met_by.push([sentence as u32]);
                all.push(marks[*source][sentence]);
            }
            features.end_document();
        }
        features.set_marks(&all);
        let ids: Vec<String> = (0..documents.len()).map(|n| format!("{n:02}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let texts: Vec<u128> = (0..ids.len() as u128).collect();
        let cancel = Cancel::default();
        let times = Times::new(&ids, vec![None; ids.len()], None, &cancel).expect("times");
        Units::new(features, &times, &texts, &cancel).expect("units")
    }

    /// What matches: of two sentences, in any order, the weight shared and the words that prove.
    type Table = BTreeMap<(usize, usize), (u64, u32)>;

    /// What of one document another one has, every sentence with every other.
    fn double_loop(own: &[(usize, Mark)], other: &[(usize, Mark)], table: &Table) -> Matched {
        let distinct: BTreeSet<_> = own.iter().collect();
        let best = distinct.into_iter().map(|&(sentence, mark)| {
            let found = other.iter().filter_map(|&(there, its)| {
                let pair = (sentence.min(there), sentence.max(there));
                let &(shared, told) = table.get(&pair)?;
                let weight = if mark.is_boilerplate() { 0 } else { shared };
                Mark::counts([mark, its], told).then_some(Matched { weight, words: told.into() })
            });
            found.fold(Matched::default(), Matched::most)
        });
        best.fold(Matched::default(), Matched::plus)
    }

    fn mark() -> impl Strategy<Value = Mark> {
        prop_oneof![Just(Mark::None), Just(Mark::Partly), Just(Mark::Boilerplate)]
    }

    proptest! {
        #[test]
        fn what_is_rolled_up_is_what_the_double_loop_counts(
            documents in prop::collection::vec(
                (0..3_usize, prop::collection::vec(0..SENTENCES, 0..5)), 1..9),
            marks in prop::collection::vec(prop::array::uniform8(mark()), 3),
            found in prop::collection::btree_map((0..SENTENCES, 0..SENTENCES), (1..9_u64, 0..8_u32), 0..12),
            alone in prop::array::uniform8(0..8_u32),
            floor in 0.05_f64..1.0,
            common in prop::array::uniform8(prop::bool::weighted(0.2)),
        ) {
            let mut table: Table = found.into_iter().filter(|((a, b), _)| a < b).collect();
            for ((a, b), match_of_them) in &mut table {
                match_of_them.0 = match_of_them.0.min(weight(*a)).min(weight(*b));
                if common[*a] || common[*b] {
                    match_of_them.1 = 0;
                }
            }
            for sentence in 0..SENTENCES {
                let told = if common[sentence] { 0 } else { alone[sentence] };
                table.insert((sentence, sentence), (weight(sentence), told));
            }
            let (units, features) = made(&documents, &marks);
            let sentences = units.sentences.as_ref().expect("of sentences");
            // Sentences are numbered as they come first.
            let mut number: BTreeMap<usize, u32> = BTreeMap::new();
            for (n, (_, document)) in documents.iter().enumerate() {
                number.extend(document.iter().copied().zip(sentences.of_document(n).flatten()));
            }
            let known: BTreeMap<u32, usize> = number.iter().map(|(&s, &n)| (n, s)).collect();
            let mut pairs: Vec<Pair> = table.iter().filter_map(|(&(a, b), &(shared, told))| {
                let [one, other] = [*number.get(&a)?, *number.get(&b)?];
                let sentences = [one.max(other), one.min(other)];
                (a != b).then_some(Pair { sentences, shared, score: 0.8, told })
            }).collect();
            pairs.sort_unstable_by_key(|pair| pair.sentences);
            let each = |of: &dyn Fn(usize) -> u32| known.values().map(|&s| of(s)).collect::<Vec<u32>>();
            let alone = each(&|sentence| table[&(sentence, sentence)].1);
            let matches = Matches::both_ways(known.len(), &pairs, alone);
            let weighing = Weighing {
                weights: known.values().map(|&sentence| weight(sentence)).collect(),
                common: known.values().map(|&sentence| common[sentence]).collect(),
                proof: Proof { score: 0.0, order: 0.0, words: 6 },
            };
            let n_groups = units.groups.len();
            let roll_up = RollUp::new(sentences, &matches, n_groups, Counting::Exists, Some(&weighing));
            let mut expected = Vec::new();
            let told = |group: usize| {
                let (source, document) = &documents[units.groups.features_of(group)];
                document.iter().map(|&s| (s, marks[*source][s])).collect::<Vec<_>>()
            };
            let mut aligner = Aligner::new(&features, sentences, &matches, &weighing.weights, 2.0);
            for a in 0..n_groups {
                for b in a + 1..n_groups {
                    let both = [(a, b), (b, a)].map(|(x, y)| double_loop(&told(x), &told(y), &table));
                    prop_assert_eq!(both, [roll_up.matched(a, b), roll_up.matched(b, a)]);
                    let [left, right] = [a, b].map(|group| units.groups.features_of(group));
                    let sides = aligner.between(left, right, &Cancel::default()).expect("not cancelled");
                    let sums = aligner.sums(&sides).map(|(shared, _)| shared);
                    prop_assert_eq!(sums, both.map(|matched| matched.weight));
                    let is_enough = |n: usize, group: usize| {
                        both[n].weight >= roll_up.needed(floor, group as u32) || both[n].words >= 6
                    };
                    if is_enough(0, a) || is_enough(1, b) {
                        let is_proved = both.iter().all(|matched| matched.words >= 6);
                        let shared = both.map(|matched| roll_up.amount(matched.weight));
                        expected.push((a as u32, b as u32, shared, is_proved));
                    }
                }
            }
            let found = roll_up.pairs(floor, &Wanted::default(), &Cancel::default()).expect("not cancelled");
            let found: Vec<_> =
                found.into_iter().map(|pair| (pair.a, pair.b, pair.shared, pair.is_proved)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
