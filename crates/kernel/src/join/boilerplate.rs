//! Boilerplate: what a source has in many of its documents, as it is or with other names and dates in
//! it. It is learned from a collection and pinned with its statistics.
//!
//! A sentence is boilerplate if enough documents of its source have it, or if at least half of the
//! keys it meets others by are of that kind: templates share most of them.

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

use super::meeting::Meeting;
use super::units::Sentences;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::hash;

/// What stands for the source of documents that have none.
pub const NO_SOURCE: u64 = 0;

/// Of a hundred documents of a source so many must have what is boilerplate.
const PERCENT: usize = 2;

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
        let mut entries: Vec<u64> = Vec::new();
        for document in 0..sources.len() {
            let own = sentences.of_document(document).flatten();
            entries.extend(own.map(|sentence| u64::from(sentence) << 32 | document as u64));
        }
        entries.sort_unstable();
        entries.dedup();
        let mut ends = vec![0; sentences.n_distinct()];
        entries.iter().for_each(|entry| ends[(entry >> 32) as usize] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        let documents = entries.into_iter().map(|entry| entry as u32).collect();
        Self { sentences, sources, ends, documents }
    }

    fn of(&self, sentence: u32) -> &[u32] {
        let start = if sentence == 0 { 0 } else { self.ends[sentence as usize - 1] };
        &self.documents[start as usize..self.ends[sentence as usize] as usize]
    }

    /// What stands for boilerplate that at least `least` documents of a source have; sorted.
    ///
    /// Documents that have hardly anything else do not count: they are versions of one text.
    pub fn learn(&self, meeting: &Meeting, least: usize, cancel: &Cancel) -> Result<Vec<u64>> {
        let all = self.repeated(meeting, least, &vec![true; self.sources.len()], cancel)?;
        if all.is_empty() {
            return Ok(all);
        }
        let parts = self.parts(meeting, &all);
        let has_more = |document: usize| {
            let (mut own, mut repeated) = (0.0, 0.0);
            for sentence in self.sentences.of_document(document).flatten() {
                let keys = f64::from(meeting.n_keys(sentence as usize));
                own += keys;
                repeated += keys * parts[sentence as usize];
            }
            2.0 * repeated < own
        };
        let counts: Vec<bool> = (0..self.sources.len()).map(has_more).collect();
        self.repeated(meeting, least, &counts, cancel)
    }

    /// What at least `least` documents of a source have, of those that count.
    fn repeated(
        &self,
        meeting: &Meeting,
        least: usize,
        counts: &[bool],
        cancel: &Cancel,
    ) -> Result<Vec<u64>> {
        let mut sizes: Vec<u64> = self.sources.to_vec();
        sizes.sort_unstable();
        let of_source =
            |of_one: &[u64]| (of_one[0], least.max((of_one.len() * PERCENT).div_ceil(100)));
        let needed: HashMap<u64, usize, FxBuildHasher> =
            sizes.chunk_by(|a, b| a == b).map(of_source).collect();
        let (mut found, mut documents) = (Vec::new(), Vec::new());
        let mut look = |sentences: &[u32], found: &mut Vec<u64>, key: &dyn Fn(u64) -> u64| {
            if sentences.iter().map(|&sentence| self.of(sentence).len()).sum::<usize>() < least {
                return;
            }
            documents.clear();
            let own = sentences.iter().flat_map(|&sentence| self.of(sentence));
            let own = own.filter(|document| counts[**document as usize]);
            documents.extend(own.map(|&document| (self.sources[document as usize], document)));
            documents.sort_unstable();
            documents.dedup();
            for of_one in documents.chunk_by(|a, b| a.0 == b.0) {
                if of_one.len() >= needed[&of_one[0].0] {
                    found.push(key(of_one[0].0));
                }
            }
        };
        for sentence in 0..self.ends.len() as u32 {
            cancel.check()?;
            let own = self.sentences.key(sentence);
            look(&[sentence], &mut found, &|source| exact(source, own));
        }
        for (key, sentences) in meeting.lists() {
            cancel.check()?;
            look(sentences, &mut found, &|source| of_template(source, key));
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// Which sentences are boilerplate, according to what was learned.
    pub fn flags(&self, meeting: &Meeting, learned: &[u64]) -> Vec<bool> {
        self.parts(meeting, learned).into_iter().map(|part| part >= 0.5).collect()
    }

    /// Which part of each sentence was learned: all of it, or so many of its keys.
    fn parts(&self, meeting: &Meeting, learned: &[u64]) -> Vec<f64> {
        let n = self.ends.len();
        let mut parts = vec![0.0; n];
        if learned.is_empty() {
            return parts;
        }
        let mut hits = vec![0_u32; n];
        for &entry in learned {
            for &sentence in meeting.of((entry >> 32) as u32) {
                let mut sources = self.of(sentence).iter().map(|&d| self.sources[d as usize]);
                hits[sentence as usize] += u32::from(sources.any(|s| s as u32 == entry as u32));
            }
        }
        let known: HashSet<u64, FxBuildHasher> = learned.iter().copied().collect();
        for (sentence, part) in parts.iter_mut().enumerate() {
            let own = self.sentences.key(sentence as u32);
            let mut sources = self.of(sentence as u32).iter().map(|&d| self.sources[d as usize]);
            let is_known = sources.any(|source| known.contains(&exact(source, own)));
            let share = f64::from(hits[sentence]) / f64::from(meeting.n_keys(sentence).max(1));
            *part = if is_known { 1.0 } else { share.min(1.0) };
        }
        parts
    }
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
    use crate::features::{Feature, Features, Keys};
    use crate::join::groups::Times;
    use crate::join::units::Units;

    /// Documents of sentences of two words, which are their keys.
    fn made(documents: impl Iterator<Item = Vec<[u64; 2]>>) -> (Units, Meeting) {
        let mut features = Features::default();
        for document in documents {
            for words in document {
                let word = |key| Feature { key, weight: 1, count: 1 };
                features.push(&mut words.map(word), false);
            }
            features.end_document();
        }
        let ids: Vec<String> = (0..features.n_documents()).map(|n| n.to_string()).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let cancel = Cancel::default();
        let times = Times::new(&ids, vec![None; ids.len()], None, &cancel).expect("times");
        let texts: Vec<u128> = (0..ids.len() as u128).collect();
        let (units, distinct) = Units::new(features, &times, &texts, &cancel).expect("units");
        let keys = Keys::short(&Keys::from(&distinct));
        (units, Meeting::new(&keys, &cancel).expect("not cancelled"))
    }

    #[test]
    fn what_a_source_has_in_many_documents_is_boilerplate() {
        // One sentence as it is, one with a date in it, two of its own.
        let own = |n: u64| vec![[1, 2], [3, 100 + n], [200 + n, 300 + n], [400 + n, 500 + n]];
        let (units, meeting) = made((0..7).map(own));
        let sources = [7, 7, 7, 7, NO_SOURCE, NO_SOURCE, NO_SOURCE];
        let sentences = units.sentences.as_ref().expect("of sentences");
        let holders = Holders::new(sentences, &sources);
        let cancel = Cancel::default();
        let learned = holders.learn(&meeting, 4, &cancel).expect("not cancelled");
        let flags = holders.flags(&meeting, &learned);
        let of = |document| -> Vec<bool> {
            sentences.of_document(document).map(|s| flags[s.expect("looked at") as usize]).collect()
        };
        assert_eq!(of(0), [true, true, false, false]);
        // Three are too few to learn from; what was learned elsewhere holds for the same sentence.
        assert_eq!(of(5), [true, false, false, false]);
        assert_eq!(holders.learn(&meeting, 5, &cancel), Ok(Vec::new()));
        cancel.cancel();
        assert!(holders.learn(&meeting, 4, &cancel).is_err());
    }

    #[test]
    fn versions_of_one_text_are_no_boilerplate() {
        let versions = (0..6).map(|n: u64| vec![[1, 2], [3, 4], [5, 6], [100 + n, 200 + n]]);
        let (units, meeting) = made(versions);
        let sentences = units.sentences.as_ref().expect("of sentences");
        let learned = Holders::new(sentences, &[7; 6]).learn(&meeting, 4, &Cancel::default());
        assert_eq!(learned, Ok(Vec::new()));
    }
}
