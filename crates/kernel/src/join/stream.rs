//! Sentences that come one document after the other, each matched against all before it.
//!
//! Statistics are fixed, so that what was found before never changes, and adding documents one by
//! one finds what a join of all of them finds: of two sentences that match, the later one asks.
//!
//! Some sentences come again and again, and have most of the matches. What such a one found is kept,
//! and when it comes again, only what came since is searched.

use std::hint::black_box;
use std::ops::Range;
use std::time::{Duration, Instant};

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::met::Met;
use super::overlap::Measure;
use super::verify::Verification;
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::features::Features;
use crate::hamming::opened::Opened;
use crate::hamming::search::Signed;

/// A sentence, by its document and its number in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The number of the document.
    pub document: u32,
    /// The number of the sentence.
    pub sentence: u32,
}

/// A sentence that asked, and one of those it found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// Where the sentence that asked stands.
    pub asking: Place,
    /// Where the one it found stands.
    pub stored: Place,
    /// How often that came before.
    pub times: u32,
    /// The score of the match.
    pub score: f64,
}

/// How long the parts of the work took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    /// Finding candidates.
    pub selecting: Duration,
    /// Comparing them word by word.
    pub comparing: Duration,
    /// Adding sentences to what is searched.
    pub keeping: Duration,
}

/// What sentences are met by.
enum Finder {
    /// The stored sentences of each word.
    Words(HashMap<u64, Vec<u32>, FxBuildHasher>),
    /// Signatures.
    Signatures(Box<Signed>),
}

/// How many sentences of a document ask at once, so that what they ask for is fetched together.
const TOGETHER: usize = if cfg!(test) { 2 } else { 32 };

/// Room for so many matches is kept from one time to the next.
const KEPT: usize = 1 << 20;

/// A sentence that asks.
#[derive(Debug)]
struct Question {
    unit: usize,
    /// An equal one that came before.
    equal: Option<u32>,
    /// The number from which on it asks.
    from: u32,
    /// How many candidates it met.
    met: usize,
}

/// Where a sentence stands.
#[derive(Debug, Clone, Copy)]
struct Standing {
    first: Place,
    times: u32,
}

/// What a sentence found when it last asked.
#[derive(Debug, Default)]
struct Answer {
    /// How many sentences there were then.
    among: u32,
    /// Those that match, with their scores, in their order.
    matching: Vec<(u32, f64)>,
}

/// The different sentences that came so far.
pub struct Stream {
    measure: Measure,
    threshold: f64,
    finder: Finder,
    /// The document at hand.
    opened: Opened,
    /// The sorted words of all different sentences, and where those of each end.
    words: Vec<u64>,
    ends: Vec<u64>,
    /// Of those that asked when they were known already.
    answers: HashMap<u32, Answer, FxBuildHasher>,
    known: HashMap<u128, u32, FxBuildHasher>,
    /// Where each different sentence stands.
    places: Vec<Standing>,
    /// Where those that came again did so, in that order.
    again: HashMap<u32, Vec<Place>, FxBuildHasher>,
    met: Met,
    /// How many sentences have asked; what stamps who was met.
    asked: u32,
    n_documents: u32,
    /// How many candidates were checked.
    checked: u64,
    spent: Spent,
    /// Sentences to leave out, sorted.
    frequent: Vec<u64>,
    /// What was found last.
    found: Vec<Found>,
}

impl Stream {
    /// Nothing came yet. `frequent` are sentences to leave out, sorted.
    pub fn new(verification: &Verification, frequent: Vec<u64>) -> Result<Self> {
        let Verification::Overlap { measure, threshold, near } = *verification else {
            return Err(Error::Parameter(
                "sentences are matched as they come by word overlap only".into(),
            ));
        };
        let finder = match near {
            None => Finder::Words(HashMap::default()),
            Some(near) => Finder::Signatures(Box::new(Signed::new(near))),
        };
        Ok(Self {
            measure,
            threshold,
            finder,
            opened: Opened::default(),
            words: Vec::new(),
            ends: Vec::new(),
            answers: HashMap::default(),
            known: HashMap::default(),
            places: Vec::new(),
            again: HashMap::default(),
            met: Met::new(0),
            asked: 0,
            n_documents: 0,
            checked: 0,
            spent: Spent::default(),
            frequent,
            found: Vec::new(),
        })
    }

    /// Ask by another measure from now on. What came must be searched in the same way.
    pub fn ask_by(&mut self, verification: &Verification) -> Result<()> {
        let is_alike = match (verification, &mut self.finder) {
            (Verification::Overlap { near: None, .. }, Finder::Words(_)) => true,
            (Verification::Overlap { near: Some(near), .. }, Finder::Signatures(signed)) => {
                signed.ask_by(*near)
            }
            _ => false,
        };
        let Verification::Overlap { measure, threshold, .. } = *verification else {
            return Err(other_search());
        };
        if !is_alike {
            return Err(other_search());
        }
        (self.measure, self.threshold) = (measure, threshold);
        self.answers.clear();
        Ok(())
    }

    /// How many documents came.
    pub fn n_documents(&self) -> u32 {
        self.n_documents
    }

    /// How many different sentences came.
    pub fn n_sentences(&self) -> usize {
        self.ends.len()
    }

    /// How many candidates were checked.
    pub fn checked(&self) -> u64 {
        self.checked
    }

    /// How long the parts of the work took so far.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// Match each document against all before it, then add it. `all`: every place of a sentence
    /// that is found, instead of the first.
    pub fn add(&mut self, features: &Features, all: bool, cancel: &Cancel) -> Result<&[Found]> {
        // The same memory serves again: what is found takes more than what is stored.
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        found.shrink_to(KEPT);
        for document in 0..features.n_documents() {
            cancel.check()?;
            self.open(features, document);
            self.ask_each(features, document, all, true, &mut found);
            self.keep(features, document);
        }
        self.found = found;
        Ok(&self.found)
    }

    /// Add documents without matching them.
    pub fn keep_all(&mut self, features: &Features, cancel: &Cancel) -> Result<()> {
        for document in 0..features.n_documents() {
            cancel.check()?;
            self.open(features, document);
            self.keep(features, document);
        }
        Ok(())
    }

    /// Match one document against all that came, without adding it.
    pub fn search(&mut self, features: &Features, document: usize, all: bool) -> Vec<Found> {
        let mut found = Vec::new();
        self.open(features, document);
        self.ask_each(features, document, all, false, &mut found);
        found
    }

    /// The same by comparing every sentence that came: the naive scan, which finds all.
    pub fn compare(&mut self, features: &Features, document: usize, all: bool) -> Vec<Found> {
        let (start, mut found) = (Instant::now(), Vec::new());
        let (units, came) = (features.units_of(document), self.places.len() as u32);
        let every: Vec<u32> = (0..came).collect();
        for question in self.questions(features, units.clone(), false) {
            let mut answer = Answer::default();
            self.match_met(features, question.unit, &every, &mut answer);
            self.tell((question.unit - units.start) as u32, &answer, all, &mut found);
        }
        self.spent.comparing += start.elapsed();
        found
    }

    /// Have a document at hand.
    fn open(&mut self, features: &Features, document: usize) {
        let start = Instant::now();
        if let Finder::Signatures(signed) = &self.finder {
            signed.open(features, features.units_of(document), &mut self.opened);
        }
        self.spent.selecting += start.elapsed();
    }

    /// Match the sentences of the document at hand against all that came. `remember`: what those find
    /// that were known already, to ask for what is new when they come again.
    fn ask_each(
        &mut self,
        features: &Features,
        document: usize,
        all: bool,
        remember: bool,
        found: &mut Vec<Found>,
    ) {
        let units = features.units_of(document);
        for first in units.clone().step_by(TOGETHER) {
            let some = first..units.end.min(first + TOGETHER);
            let start = Instant::now();
            let mut questions = self.questions(features, some, remember);
            let candidates = self.candidates(features, &mut questions);
            self.spent.selecting += start.elapsed();
            let start = Instant::now();
            self.fetch(&candidates);
            let mut rest = &candidates[..];
            for Question { unit, equal, from, met } in questions {
                let (met, behind) = rest.split_at(met);
                rest = behind;
                let known = equal.filter(|_| remember);
                let answer = known.and_then(|number| self.answers.remove(&number));
                let mut answer = answer.unwrap_or_default();
                // It is more where an equal sentence beside this one has asked for the same.
                if answer.among == from {
                    self.match_met(features, unit, met, &mut answer);
                }
                self.tell((unit - units.start) as u32, &answer, all, found);
                if let Some(number) = known {
                    self.answers.insert(number, answer);
                }
            }
            self.spent.comparing += start.elapsed();
        }
    }

    /// What some sentences ask. What is known of them is far away, and looked for at once.
    fn questions(&self, features: &Features, units: Range<usize>, remember: bool) -> Vec<Question> {
        let looked_at = |unit| Some((unit, self.is_looked_at(features, unit)?));
        let asking: Vec<(usize, u128)> = units.filter_map(looked_at).collect();
        let equal: Vec<Option<u32>> =
            asking.iter().map(|(_, signature)| self.known.get(signature).copied()).collect();
        let question = |(&(unit, _), equal): (&(usize, u128), Option<u32>)| {
            let known = equal.filter(|_| remember).and_then(|number| self.answers.get(&number));
            Question { unit, equal, from: known.map_or(0, |answer| answer.among), met: 0 }
        };
        asking.iter().zip(equal).map(question).collect()
    }

    /// The candidates of some sentences, one after the other.
    fn candidates(&mut self, features: &Features, questions: &mut [Question]) -> Vec<u32> {
        if let Finder::Signatures(signed) = &self.finder {
            for question in &*questions {
                signed.fetch(question.unit, question.from, &mut self.opened);
            }
        }
        let mut candidates = Vec::new();
        for question in questions {
            self.meet(features, question);
            question.met = self.met.units.len();
            candidates.extend_from_slice(&self.met.units);
        }
        candidates
    }

    /// Have near what candidates are compared by. They are far away: all are fetched before any is
    /// waited for.
    fn fetch(&self, candidates: &[u32]) {
        black_box(candidates.iter().fold(0, |all, &other| {
            all ^ self.ends[other as usize] ^ u64::from(self.places[other as usize].times)
        }));
        black_box(candidates.iter().fold(0, |all, &other| {
            let words = self.stored(other);
            words.first().zip(words.last()).map_or(all, |(first, last)| all ^ first ^ last)
        }));
    }

    /// What stands for a sentence, unless it is to be left out.
    fn is_looked_at(&self, features: &Features, unit: usize) -> Option<u128> {
        let signature = features.signature(unit)?;
        self.frequent.binary_search(&(signature as u64)).is_err().then_some(signature)
    }

    /// Meet the candidates of a sentence from a number on.
    fn meet(&mut self, features: &Features, question: &Question) {
        let &Question { unit, equal, from, .. } = question;
        let range = features.range(unit);
        let (words, weights) = (&features.keys[range.clone()], &features.weights[range]);
        let met = &mut self.met;
        met.begin(self.asked);
        self.asked = self.asked.wrapping_add(1);
        match &mut self.finder {
            Finder::Words(lists) => {
                for word in self.measure.prefix(words, weights, self.threshold) {
                    let Some(list) = lists.get(&word) else { continue };
                    let first = list.partition_point(|&other| other < from);
                    list[first..].iter().for_each(|&other| met.meet(other));
                }
            }
            Finder::Signatures(signed) => {
                signed.prepare(words.len());
                signed.look_up(features, unit, &self.opened, from, met);
            }
        }
        // A sentence always matches itself, whatever the search makes of it.
        if let Some(equal) = equal
            && equal >= from
            && !met.units.contains(&equal)
        {
            met.units.push(equal);
        }
    }

    /// Compare a sentence with those it met, and add those that match to its answer.
    fn match_met(&mut self, features: &Features, unit: usize, met: &[u32], answer: &mut Answer) {
        let range = features.range(unit);
        let (words, weights) = (&features.keys[range.clone()], &features.weights[range]);
        self.checked += met.len() as u64;
        let before = answer.matching.len();
        for &other in met {
            let score = self.measure.between(words, weights, self.stored(other), self.threshold);
            answer.matching.extend(score.map(|score| (other, score)));
        }
        // Those met now came after all that were known.
        answer.matching[before..].sort_unstable_by_key(|&(other, _)| other);
        answer.among = self.places.len() as u32;
    }

    /// The words of a sentence that came.
    fn stored(&self, number: u32) -> &[u64] {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.words[start as usize..self.ends[number] as usize]
    }

    fn tell(&self, sentence: u32, answer: &Answer, all: bool, found: &mut Vec<Found>) {
        let asking = Place { document: self.n_documents, sentence };
        for &(other, score) in &answer.matching {
            let Standing { first, times } = self.places[other as usize];
            found.push(Found { asking, stored: first, times, score });
            if all && times > 1 {
                let again = self.again.get(&other).into_iter().flatten();
                found.extend(again.map(|&stored| Found { asking, stored, times, score }));
            }
        }
    }

    fn keep(&mut self, features: &Features, document: usize) {
        let start = Instant::now();
        let units = features.units_of(document);
        for unit in units.clone() {
            let Some(signature) = self.is_looked_at(features, unit) else { continue };
            let next = self.places.len() as u32;
            let number = *self.known.entry(signature).or_insert(next);
            let sentence = (unit - units.start) as u32;
            let place = Place { document: self.n_documents, sentence };
            if number == next {
                self.places.push(Standing { first: place, times: 1 });
                self.index(features, unit, number);
            } else {
                self.places[number as usize].times += 1;
                self.again.entry(number).or_default().push(place);
            }
        }
        self.met.grow(self.places.len());
        self.n_documents += 1;
        self.spent.keeping += start.elapsed();
    }

    fn index(&mut self, features: &Features, unit: usize, number: u32) {
        let words = &features.keys[features.range(unit)];
        match &mut self.finder {
            Finder::Words(lists) => {
                for &word in words {
                    lists.entry(word).or_default().push(number);
                }
            }
            Finder::Signatures(signed) => signed.add(features, unit, &self.opened),
        }
        self.words.extend_from_slice(words);
        self.ends.push(self.words.len() as u64);
    }
}

fn other_search() -> Error {
    Error::Parameter("sentences came for another search; begin a new stream for this one".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Feature;
    use crate::features::sentences::Signatures;
    use crate::hamming::radius::{Changed, Radius};
    use crate::hamming::search::{Index, Lacking, Near};
    use proptest::prelude::*;

    const SIGNATURES: Signatures = Signatures { bits: 16, bits_per_word: 2 };

    const WORDS: Index = Index::Words { block: 2, lacking: Lacking::Words(0) };

    fn features(documents: &[Vec<std::collections::BTreeSet<u64>>]) -> Features {
        let mut features = Features { sketch_width: 1, ..Features::default() };
        for document in documents {
            for sentence in document {
                let word = |&key: &u64| Feature { key, weight: key, count: 1 };
                let mut signature = [0];
                sentence.iter().for_each(|&word| SIGNATURES.add(word, &mut signature));
                features.sketches.extend(signature);
                features.push(&mut sentence.iter().map(word).collect::<Vec<_>>(), false);
            }
            features.end_document();
        }
        features
    }

    proptest! {
        #[test]
        fn what_comes_later_finds_what_the_double_loop_finds(
            documents in prop::collection::vec(
                prop::collection::vec(prop::collection::btree_set(1_u64..9, 0..5), 0..4), 0..8),
            threshold in 0.05_f64..1.0,
            near in prop::option::of(prop::sample::select(vec![
                Index::MultiIndex, Index::Scan, Index::Table, Index::Missing, WORDS])),
            fixed in 0_u32..6,
            batch in 1..4_usize,
        ) {
            let measure = Measure::SelfNorm;
            let words = Index::Words { block: 2, lacking: Lacking::Matching(measure, threshold) };
            let near = near.map(|index| if index == WORDS { words } else { index });
            let is_whole = matches!(near, None | Some(Index::Missing | Index::Words { .. }));
            let radius = if near == Some(Index::Missing) {
                Radius::Guarantee(Changed::Leaving(threshold))
            } else {
                Radius::Fixed(fixed)
            };
            let chosen = near.map(|index| Near { index, radius, signatures: SIGNATURES });
            let verification = Verification::Overlap { measure, threshold, near: chosen };
            let mut stream = Stream::new(&verification, Vec::new()).expect("of sentences");
            let mut found = Vec::new();
            for part in documents.chunks(batch) {
                let part = stream.add(&features(part), true, &Cancel::default());
                found.extend_from_slice(part.expect("nothing cancels"));
            }
            let all = features(&documents);
            for document in 0..documents.len() {
                let naive = stream.compare(&all, document, true);
                let found = stream.search(&all, document, true);
                prop_assert!(found.iter().all(|found| naive.contains(found)));
                prop_assert!(!is_whole || found == naive);
            }
            let mut expected = Vec::new();
            for a in 0..documents.len() {
                for (i, q) in all.units_of(a).enumerate() {
                    for b in 0..a {
                        for (j, r) in all.units_of(b).enumerate() {
                            let [x, y] = [q, r].map(|unit| all.range(unit));
                            let apart = (all.sketches[q] ^ all.sketches[r]).count_ones();
                            // What lacks few bits misses nothing, and so do words.
                            let is_met = is_whole || apart <= fixed;
                            if x.is_empty() || !is_met {
                                continue;
                            }
                            let (words, weights) = (&all.keys[x.clone()], &all.weights[x]);
                            let score = measure.between(words, weights, &all.keys[y], threshold);
                            expected.extend(score.map(|score| ((a, i), (b, j), score)));
                        }
                    }
                }
            }
            let place = |p: Place| (p.document as usize, p.sentence as usize);
            let mut found: Vec<_> =
                found.iter().map(|f| (place(f.asking), place(f.stored), f.score)).collect();
            found.sort_by(|a, b| a.partial_cmp(b).expect("no NaN"));
            prop_assert_eq!(found, expected);
        }
    }
}
