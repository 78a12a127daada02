//! A new document and stored ones, each compared as a whole: whether enough sentences of one have a match
//! in the other.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::segment::Segment;
use super::stored::{Compared, Stored};
use crate::error::Result;
use crate::join::overlap::Measure;

/// A new document.
pub struct SideBySide<'a> {
    own: Vec<Compared<'a>>,
    /// The sentences of each word, as a part of all of them in a row.
    of_words: HashMap<u64, (u32, u32), FxBuildHasher>,
    sentences: Vec<u32>,
    measure: Measure,
    threshold: f64,
}

impl<'a> SideBySide<'a> {
    /// The one with these sentences.
    pub fn new(own: Vec<Compared<'a>>, measure: Measure, threshold: f64) -> Self {
        let mut all: Vec<(u64, u32)> = Vec::new();
        for (sentence, n) in own.iter().zip(0..) {
            all.extend(sentence.words.iter().map(|&word| (word, n)));
        }
        all.sort_unstable();
        let mut of_words = HashMap::default();
        let mut end = 0;
        for run in all.chunk_by(|a, b| a.0 == b.0) {
            let start = end;
            end += run.len() as u32;
            of_words.insert(run[0].0, (start, end));
        }
        let sentences = all.into_iter().map(|(_, n)| n).collect();
        Self { own, of_words, sentences, measure, threshold }
    }

    /// Whether so many of the new sentences match one of a stored document, or so many of these one of
    /// the new ones; or a few less, where some of them are equal.
    pub fn match_enough(&self, segment: &Segment, document: u32, enough: [u64; 2]) -> Result<bool> {
        let sentences = segment.sentences_of(document)?;
        let mut units: Vec<u32> =
            sentences.map(|sentence| segment.unit_of(sentence)).collect::<Result<_>>()?;
        units.sort_unstable();
        units.dedup();
        let mut stored = Stored::new(segment, self.measure, self.threshold);
        let mut shared = vec![0_usize; self.own.len()];
        let mut is_matched = vec![false; self.own.len()];
        let (mut touched, mut matched): (Vec<u32>, [u64; 2]) = (Vec::new(), [0; 2]);
        for unit in units {
            let words = stored.open(unit)?;
            for word in words {
                let Some(&(start, end)) = self.of_words.get(word) else { continue };
                for &n in &self.sentences[start as usize..end as usize] {
                    if shared[n as usize] == 0 {
                        touched.push(n);
                    }
                    shared[n as usize] += 1;
                }
            }
            let fewest = self.measure.fewest_of(words.len(), self.threshold);
            let mut is_found = false;
            for n in touched.drain(..).map(|n| n as usize) {
                let many = std::mem::take(&mut shared[n]);
                let own = &self.own[n];
                if !is_matched[n] && many >= own.needed && stored.is_match(own, true)? {
                    is_matched[n] = true;
                    matched[0] += 1;
                }
                is_found |= !is_found && many >= fewest && stored.is_match(own, false)?;
            }
            matched[1] += u64::from(is_found);
            if matched[0] >= enough[0] || matched[1] >= enough[1] {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
