//! Boilerplate: what a source has in many of its documents, as it is or with other names and dates in
//! it. It is learned from a collection and pinned with its statistics.
//!
//! A sentence of a document is boilerplate if enough documents of its source have it, or if at least
//! half of the keys it meets others by are of that kind: templates share most of them. Of a sentence
//! with fewer such keys a part is. That follows from the sentence, the source and what was learned alone,
//! whichever other documents are at hand.

use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::meeting::Meeting;
use super::sort::to_starts;
use super::units::Sentences;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::{Features, Mark};
use crate::hash;

/// What stands for the source of documents that have none.
pub const NO_SOURCE: u64 = 0;

/// Of a hundred documents of a source so many must have what is boilerplate.
const PERCENT: usize = 2;

/// What was learned, to be looked up.
pub struct Learned {
    entries: HashSet<u64, FxBuildHasher>,
    /// The first bits of the keys among it: most keys are told apart by these.
    seen: Vec<bool>,
}

impl Learned {
    /// What `Holders::learn` gave.
    pub fn new(learned: &[u64]) -> Self {
        let mut seen = vec![false; 1 << 16];
        learned.iter().for_each(|entry| seen[(entry >> 48) as usize] = true);
        Self { entries: learned.iter().copied().collect(), seen }
    }

    /// Which part of a sentence is boilerplate of a source: all of it, or so many of its keys.
    fn part(&self, source: u64, sentence: u64, keys: &[u32]) -> f64 {
        if self.entries.contains(&exact(source, sentence)) {
            return 1.0;
        }
        let is_known = |key: u32| {
            self.seen[(key >> 16) as usize] && self.entries.contains(&of_template(source, key))
        };
        let first = |n: usize| !keys[..n].contains(&keys[n]);
        let hits = (0..keys.len()).filter(|&n| is_known(keys[n]) && first(n)).count();
        share(hits, keys.len())
    }

    /// For each sentence how much of it is boilerplate of its document's source.
    pub fn marks(
        &self,
        features: &Features,
        sources: &[u64],
        cancel: &Cancel,
    ) -> Result<Vec<Mark>> {
        let of_document = |(document, &source): (usize, &u64)| {
            cancel.check()?;
            let mark = |unit: usize| {
                let sentence = features.signature(unit);
                let keys = features.met_by.of(unit);
                sentence.map_or(Mark::None, |own| Mark::of(self.part(source, own as u64, keys)))
            };
            Ok(features.units_of(document).map(mark).collect())
        };
        let parts = sources.par_iter().enumerate().map(of_document);
        Ok(parts.collect::<Result<Vec<Vec<Mark>>>>()?.concat())
    }
}

/// The documents of each distinct sentence.
pub struct Holders<'a> {
    sentences: &'a Sentences,
    sources: &'a [u64],
    ends: Vec<u32>,
    documents: Vec<u32>,
}

impl<'a> Holders<'a> {
    /// Turn around who has which; `sources` stand for those of the documents.
    pub fn new(sentences: &'a Sentences, sources: &'a [u64]) -> Self {
        let mut ends = vec![0; sentences.n_distinct()];
        // By documents, so that one that has a sentence again has just been noted.
        let all = |note: &mut dyn FnMut(u32, u32)| {
            let mut last = vec![u32::MAX; sentences.n_distinct()];
            for document in 0..sources.len() as u32 {
                for sentence in sentences.of_document(document as usize).flatten() {
                    if std::mem::replace(&mut last[sentence as usize], document) != document {
                        note(sentence, document);
                    }
                }
            }
        };
        all(&mut |sentence, _| ends[sentence as usize] += 1);
        let mut documents = vec![0; to_starts(&mut ends) as usize];
        all(&mut |sentence, document| {
            // Where those of a sentence begin moves to where they end.
            let place = &mut ends[sentence as usize];
            documents[*place as usize] = document;
            *place += 1;
        });
        Self { sentences, sources, ends, documents }
    }

    #[inline]
    fn of(&self, sentence: u32) -> &[u32] {
        let start = if sentence == 0 { 0 } else { self.ends[sentence as usize - 1] };
        &self.documents[start as usize..self.ends[sentence as usize] as usize]
    }

    /// What stands for boilerplate that at least `least` documents of a source have, sorted; and for
    /// each sentence of the documents how much of it is.
    ///
    /// Documents that have hardly anything else do not count: they are versions of one text.
    pub fn learn(
        &self,
        meeting: &Meeting,
        least: usize,
        cancel: &Cancel,
    ) -> Result<(Vec<u64>, Vec<Mark>)> {
        let needed = self.needed(least);
        let shared = self.shared(meeting, least, &needed, cancel)?;
        let all = learned(&shared);
        if all.is_empty() {
            return Ok((all, Vec::new()));
        }
        let parts = Parts::new(self, meeting, &all, least);
        let has_more = |document: usize| {
            let (mut own, mut repeated) = (0.0, 0.0);
            for sentence in self.sentences.of_document(document).flatten() {
                let keys = f64::from(meeting.n_keys(sentence as usize));
                own += keys;
                repeated += keys * parts.of(sentence, self.sources[document]);
            }
            2.0 * repeated < own
        };
        let counts: Vec<bool> = (0..self.sources.len()).into_par_iter().map(has_more).collect();
        // What fewer documents have than all is among what all have.
        let of_one = |a: &Shared, b: &Shared| (a.sentence, a.list) == (b.sentence, b.list);
        let all: Vec<&[Shared]> = shared.chunk_by(of_one).collect();
        let counted = |shared: &&[Shared]| {
            cancel.check()?;
            let alone = [shared[0].sentence];
            let sentences = shared[0].list.map_or(&alone[..], |n| meeting.list(n).1);
            let own = self.documents(sentences, |document| counts[document as usize]);
            let sources: Vec<u64> = self.of_sources(own, &needed).collect();
            let is_still = |shared: &&Shared| sources.binary_search(&shared.source).is_ok();
            Ok(shared.iter().filter(is_still).copied().collect::<Vec<Shared>>())
        };
        let kept = all.par_iter().map(counted).collect::<Result<Vec<_>>>()?.concat();
        let learned = learned(&kept);
        let marks = self.marks(meeting, &learned, least);
        Ok((learned, marks))
    }

    /// For each sentence of the documents how much of it is boilerplate of its document's source.
    fn marks(&self, meeting: &Meeting, learned: &[u64], least: usize) -> Vec<Mark> {
        let parts = Parts::new(self, meeting, learned, least);
        let of_document = |document: usize| {
            let source = self.sources[document];
            let mark = |sentence| Mark::of(parts.of(sentence, source));
            let known = self.sentences.of_document(document);
            known.map(|sentence| sentence.map_or(Mark::None, mark)).collect::<Vec<Mark>>()
        };
        let marks: Vec<Vec<Mark>> =
            (0..self.sources.len()).into_par_iter().map(of_document).collect();
        marks.concat()
    }

    /// How many documents of each source have to have what is boilerplate.
    fn needed(&self, least: usize) -> HashMap<u64, usize, FxBuildHasher> {
        let mut sizes: Vec<u64> = self.sources.to_vec();
        sizes.sort_unstable();
        let of_source =
            |of_one: &[u64]| (of_one[0], least.max((of_one.len() * PERCENT).div_ceil(100)));
        sizes.chunk_by(|a, b| a == b).map(of_source).collect()
    }

    /// The documents of some sentences, with their sources, of those that count; sorted.
    fn documents(&self, sentences: &[u32], counts: impl Fn(u32) -> bool) -> Vec<(u64, u32)> {
        let own = sentences.iter().flat_map(|&sentence| self.of(sentence)).copied();
        let own = own.filter(|&document| counts(document));
        let mut own: Vec<(u64, u32)> =
            own.map(|document| (self.sources[document as usize], document)).collect();
        own.sort_unstable();
        own.dedup();
        own
    }

    /// The sources of which enough of these documents are.
    fn of_sources(
        &self,
        documents: Vec<(u64, u32)>,
        needed: &HashMap<u64, usize, FxBuildHasher>,
    ) -> impl Iterator<Item = u64> {
        let runs = documents.chunk_by(|a, b| a.0 == b.0);
        let enough = runs.filter(|of_one| of_one.len() >= needed[&of_one[0].0]);
        enough.map(|of_one| of_one[0].0).collect::<Vec<u64>>().into_iter()
    }

    /// What at least `least` documents of a source have.
    fn shared(
        &self,
        meeting: &Meeting,
        least: usize,
        needed: &HashMap<u64, usize, FxBuildHasher>,
        cancel: &Cancel,
    ) -> Result<Vec<Shared>> {
        let (n_sentences, n_lists) = (self.ends.len(), meeting.n_lists());
        let is_held = |sentences: &[u32]| {
            sentences.iter().map(|&sentence| self.of(sentence).len()).sum::<usize>() >= least
        };
        let look = |start: usize| {
            cancel.check()?;
            let mut found = Vec::new();
            for sentence in start as u32..(start + STEP).min(n_sentences) as u32 {
                if is_held(&[sentence]) {
                    let key = self.sentences.key(sentence);
                    let sources = self.of_sources(self.documents(&[sentence], |_| true), needed);
                    found.extend(sources.map(|source| Shared {
                        source,
                        sentence,
                        list: None,
                        learned: exact(source, key),
                    }));
                }
            }
            // Lists stand behind sentences.
            let lists = start.max(n_sentences)..(start + STEP).min(n_sentences + n_lists);
            for n in lists.map(|n| n - n_sentences) {
                let (key, sentences) = meeting.list(n);
                if is_held(sentences) {
                    let sources = self.of_sources(self.documents(sentences, |_| true), needed);
                    found.extend(sources.map(|source| Shared {
                        source,
                        sentence: 0,
                        list: Some(n),
                        learned: of_template(source, key),
                    }));
                }
            }
            Ok(found)
        };
        let steps: Vec<usize> = (0..n_sentences + n_lists).step_by(STEP).collect();
        let parts = steps.into_par_iter().map(look).collect::<Result<Vec<_>>>()?;
        Ok(parts.concat())
    }
}

/// How many sentences, or keys of several, are looked at in one go.
const STEP: usize = 4096;

/// What enough documents of a source have.
#[derive(Clone, Copy)]
struct Shared {
    source: u64,
    /// A sentence, unless it is a list of those that have a key.
    sentence: u32,
    list: Option<usize>,
    /// What stands for it.
    learned: u64,
}

/// What stands for all of these, sorted.
fn learned(shared: &[Shared]) -> Vec<u64> {
    let mut learned: Vec<u64> = shared.iter().map(|shared| shared.learned).collect();
    learned.sort_unstable();
    learned.dedup();
    learned
}

/// Which part of each distinct sentence was learned, in a collection that it was learned from: every
/// key in it is of several sentences.
struct Parts<'a> {
    meeting: &'a Meeting,
    sentences: &'a Sentences,
    known: HashSet<u64, FxBuildHasher>,
    /// How many keys of a sentence are known of a source; both in one number.
    hits: HashMap<u64, u32, FxBuildHasher>,
    /// Whether a sentence may be known at all.
    may: Vec<bool>,
}

impl<'a> Parts<'a> {
    fn new(holders: &Holders<'a>, meeting: &'a Meeting, learned: &[u64], least: usize) -> Self {
        let is_held = |sentence: usize| holders.of(sentence as u32).len() >= least;
        let mut may: Vec<bool> = (0..holders.ends.len()).map(is_held).collect();
        let mut hits: HashMap<u64, u32, FxBuildHasher> = HashMap::default();
        for &entry in learned {
            for &sentence in meeting.of((entry >> 32) as u32) {
                may[sentence as usize] = true;
                *hits.entry(of_template(entry, sentence)).or_default() += 1;
            }
        }
        let known = learned.iter().copied().collect();
        Self { meeting, sentences: holders.sentences, known, hits, may }
    }

    /// The part of a sentence that is known of a source.
    fn of(&self, sentence: u32, source: u64) -> f64 {
        if !self.may[sentence as usize] {
            return 0.0;
        }
        if self.known.contains(&exact(source, self.sentences.key(sentence))) {
            return 1.0;
        }
        let hits = self.hits.get(&of_template(source, sentence)).copied().unwrap_or(0);
        share(hits as usize, self.meeting.n_keys(sentence as usize) as usize)
    }
}

/// So many of the keys of a sentence.
fn share(hits: usize, keys: usize) -> f64 {
    (hits as f64 / keys.clamp(1, usize::from(u16::MAX)) as f64).min(1.0)
}

/// What stands for a sentence of a source.
fn exact(source: u64, sentence: u64) -> u64 {
    hash::extend(source, sentence)
}

/// What stands for a key of a source: the key, then half of what stands for the source.
fn of_template(source: u64, key: u32) -> u64 {
    u64::from(key) << 32 | source & 0xFFFF_FFFF
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Feature;
    use crate::join::groups::Times;
    use crate::join::units::Units;

    /// Documents of sentences of two words, which are their keys.
    fn made(documents: impl Iterator<Item = Vec<[u64; 2]>>) -> (Units, Meeting, Features) {
        let mut features = Features { sketch_width: 2, ..Features::default() };
        for document in documents {
            for words in document {
                let word = |key| Feature { key, weight: 1, count: 1 };
                features.push(&mut words.map(word), false);
                features.sketches.extend([hash::run(&words), 0]);
                features.met_by.push(words.map(|key| key as u32));
            }
            features.end_document();
        }
        let ids: Vec<String> = (0..features.n_documents()).map(|n| n.to_string()).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let cancel = Cancel::default();
        let times = Times::new(&ids, vec![None; ids.len()], None, &cancel).expect("times");
        let texts: Vec<u128> = (0..ids.len() as u128).collect();
        let all = features.clone();
        let (units, distinct) = Units::new(features, &times, &texts, &cancel).expect("units");
        (units, Meeting::new(&distinct.met_by, &cancel).expect("not cancelled"), all)
    }

    #[test]
    fn what_a_source_has_in_many_documents_is_boilerplate() {
        // One sentence as it is, one with a date in it, two of its own.
        let own = |n: u64| vec![[1, 2], [3, 100 + n], [200 + n, 300 + n], [400 + n, 500 + n]];
        let (units, meeting, features) = made((0..7).map(own));
        let sources = [7, 7, 7, 7, NO_SOURCE, NO_SOURCE, NO_SOURCE];
        let sentences = units.sentences.as_ref().expect("of sentences");
        let holders = Holders::new(sentences, &sources);
        let cancel = Cancel::default();
        let (learned, marks) = holders.learn(&meeting, 4, &cancel).expect("not cancelled");
        assert_eq!(marks[..4], [Mark::Boilerplate, Mark::Boilerplate, Mark::None, Mark::None]);
        // Three are too few to learn from, and what another source repeats is not theirs.
        assert_eq!(marks[5 * 4..6 * 4], [Mark::None; 4]);
        assert_eq!(marks.iter().filter(|mark| **mark != Mark::None).count(), 2 * 4);
        assert_eq!(holders.learn(&meeting, 5, &cancel), Ok((Vec::new(), Vec::new())));
        // What was learned says the same of the same documents, and of others.
        let looked_up = Learned::new(&learned);
        assert_eq!(looked_up.marks(&features, &sources, &cancel), Ok(marks));
        assert_eq!(looked_up.part(7, features.signature(1).expect("it has") as u64, &[]), 0.0);
        cancel.cancel();
        assert!(holders.learn(&meeting, 4, &cancel).is_err());
    }

    #[test]
    fn versions_of_one_text_are_no_boilerplate() {
        let versions = (0..6).map(|n: u64| vec![[1, 2], [3, 4], [5, 6], [100 + n, 200 + n]]);
        let (units, meeting, _) = made(versions);
        let sentences = units.sentences.as_ref().expect("of sentences");
        let learned = Holders::new(sentences, &[7; 6]).learn(&meeting, 4, &Cancel::default());
        assert_eq!(learned.map(|(learned, _)| learned), Ok(Vec::new()));
    }
}
