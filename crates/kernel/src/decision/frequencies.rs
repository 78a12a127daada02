//! In how many documents each run of words and each pair of content words occurs.
//!
//! Only what several documents have is kept: what a table does not have counts as one. Counts end
//! at 255, as nothing that many documents have is evidence. Equal texts count once.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

use super::document;
use super::texts::CollectionTexts;
use crate::cancel::Cancel;
use crate::error::{Error, Result};

/// Up to how many documents a run of words counts as rare among the repeated ones.
const FEW: u8 = 10;

/// How many keys a bucket has, about.
const BUCKET: usize = 8;

/// Cells of the filter for each word of the collection, and their number at the most.
const CELLS: usize = 4;
const MOST_CELLS: usize = 1 << 28;

/// Keys with the number of documents that have them, 255 standing for that many and more.
///
/// A key is known by its bucket and 32 further bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyCounts {
    /// How many of the highest bits say which bucket a key is in.
    bits: u32,
    /// Where each bucket ends.
    ends: Vec<u32>,
    rests: Vec<u32>,
    counts: Vec<u8>,
    /// A Bloom filter (k = 1): most keys that are looked up are not there.
    filter: Vec<u64>,
}

/// Bits of the filter for each key.
const FILTER_BITS: usize = 12;

impl Default for KeyCounts {
    fn default() -> Self {
        Self { bits: 0, ends: vec![0], rests: Vec::new(), counts: Vec::new(), filter: vec![0] }
    }
}

impl KeyCounts {
    /// A table of sorted keys, each once.
    fn new(sorted: &[(u64, u8)]) -> Self {
        let bits = (sorted.len() / BUCKET).max(1).ilog2();
        let mut made = Self {
            bits,
            ends: vec![0; 1 << bits],
            rests: Vec::with_capacity(sorted.len()),
            counts: Vec::with_capacity(sorted.len()),
            filter: Vec::new(),
        };
        let mut at = 0;
        for bucket in 0..1_usize << bits {
            let start = made.rests.len();
            while at < sorted.len() && made.bucket(sorted[at].0) == bucket {
                let (key, count) = sorted[at];
                let rest = made.rest(key);
                // Two keys that agree in all these bits count as one.
                if made.rests.len() > start && made.rests[made.rests.len() - 1] == rest {
                    let last = made.counts.len() - 1;
                    made.counts[last] = made.counts[last].saturating_add(count);
                } else {
                    made.rests.push(rest);
                    made.counts.push(count);
                }
                at += 1;
            }
            made.ends[bucket] = made.rests.len() as u32;
        }
        made.set_filter();
        made
    }

    fn set_filter(&mut self) {
        let words = (self.rests.len() * FILTER_BITS / 64 + 1).next_power_of_two();
        self.filter = vec![0; words];
        let mut start = 0;
        for (bucket, &end) in self.ends.iter().enumerate() {
            for &rest in &self.rests[start..end as usize] {
                let (word, bit) = filter_place(bucket, rest, words);
                self.filter[word] |= bit;
            }
            start = end as usize;
        }
    }

    fn bucket(&self, key: u64) -> usize {
        if self.bits == 0 { 0 } else { (key >> (64 - self.bits)) as usize }
    }

    fn rest(&self, key: u64) -> u32 {
        (key << self.bits >> 32) as u32
    }

    /// In how many documents a key occurs; 0 if that was not counted.
    #[inline]
    pub fn get(&self, key: u64) -> u8 {
        let (bucket, rest) = (self.bucket(key), self.rest(key));
        let (word, bit) = filter_place(bucket, rest, self.filter.len());
        if self.filter[word] & bit == 0 {
            return 0;
        }
        let start = if bucket == 0 { 0 } else { self.ends[bucket - 1] } as usize;
        let end = self.ends[bucket] as usize;
        let found = self.rests[start..end].iter().position(|&other| other == rest);
        found.map_or(0, |n| self.counts[start + n])
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.rests.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rests.is_empty()
    }

    /// The table as columns: ends of buckets, rests, counts.
    pub fn columns(&self) -> (&[u32], &[u32], &[u8]) {
        (&self.ends, &self.rests, &self.counts)
    }

    /// The table of such columns; an error if they are no table.
    pub fn from_columns(ends: Vec<u32>, rests: Vec<u32>, counts: Vec<u8>) -> Result<Self> {
        let is_table = ends.len().is_power_of_two()
            && ends.is_sorted()
            && ends.last().is_some_and(|&end| end as usize == rests.len())
            && rests.len() == counts.len();
        if !is_table {
            return Err(Error::Parameter("the columns are no table of frequencies".into()));
        }
        let mut made = Self { bits: ends.len().ilog2(), ends, rests, counts, filter: Vec::new() };
        made.set_filter();
        Ok(made)
    }
}

/// Where the filter of so many words says whether a key is there.
#[inline]
fn filter_place(bucket: usize, rest: u32, words: usize) -> (usize, u64) {
    let mixed = (bucket as u64 ^ u64::from(rest) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 24;
    ((mixed >> 6) as usize & (words - 1), 1 << (mixed & 63))
}

/// How often forms are repeated in a collection.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FormFrequencies {
    /// Pairs of content words that at least three documents have.
    pub pairs: KeyCounts,
    /// Runs of words that at least two documents have.
    pub runs: KeyCounts,
    /// Of the occurrences of repeated runs, the share of those that few documents have.
    pub few_share: f64,
}

impl FormFrequencies {
    /// Count the documents of a collection.
    pub fn count(texts: &CollectionTexts<'_>, cancel: &Cancel) -> Result<Self> {
        let distinct = distinct_texts(texts);
        let pairs = repeated(texts, &distinct, cancel, |view, keys| {
            document::pair_keys(view, |key, _| keys.push(key));
        })?;
        let runs = repeated(texts, &distinct, cancel, |view, keys| {
            document::run_keys(view, |key| keys.push(key));
        })?;
        let occurrences = |most: u8| -> u64 {
            runs.iter().filter(|run| run.1 <= most).map(|run| u64::from(run.1)).sum()
        };
        let (few, all) = (occurrences(FEW), occurrences(u8::MAX));
        let pairs: Vec<(u64, u8)> = pairs.into_iter().filter(|pair| pair.1 > 2).collect();
        Ok(Self {
            pairs: KeyCounts::new(&pairs),
            runs: KeyCounts::new(&runs),
            few_share: if all == 0 { 1.0 } else { few as f64 / all as f64 },
        })
    }
}

/// The first document of each different text.
fn distinct_texts(texts: &CollectionTexts<'_>) -> Vec<u32> {
    let mut seen = HashSet::new();
    let text = |&document: &u32| {
        let view = texts.get(document as usize);
        seen.insert(view.batch.text_hashes[view.number])
    };
    (0..texts.len() as u32).filter(text).collect()
}

/// The keys that at least two documents have, sorted, with the number of these.
fn repeated(
    texts: &CollectionTexts<'_>,
    documents: &[u32],
    cancel: &Cancel,
    keys_of: impl Fn(super::texts::TextView<'_>, &mut Vec<u64>) + Sync,
) -> Result<Vec<(u64, u8)>> {
    let words: usize = documents.iter().map(|&document| texts.words(document as usize)).sum();
    let cells = (words * CELLS).clamp(1 << 10, MOST_CELLS).next_power_of_two();
    // A counting filter: most keys are in one document only, and are never gathered.
    let filter: Vec<AtomicU8> = (0..cells).map(|_| AtomicU8::new(0)).collect();
    let cell = |key: u64| &filter[key as usize & (cells - 1)];
    documents.par_chunks(64).try_for_each(|part| {
        let mut keys = Vec::new();
        for &document in part {
            cancel.check()?;
            keys.clear();
            keys_of(texts.get(document as usize), &mut keys);
            for &key in &keys {
                let cell = cell(key);
                if cell.load(Ordering::Relaxed) < 2 {
                    cell.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        Ok(())
    })?;
    let gathered = documents
        .par_chunks(64)
        .map(|part| {
            let (mut found, mut keys) = (Vec::new(), Vec::new());
            for &document in part {
                cancel.check()?;
                keys.clear();
                keys_of(texts.get(document as usize), &mut keys);
                keys.retain(|&key| cell(key).load(Ordering::Relaxed) >= 2);
                keys.sort_unstable();
                keys.dedup();
                found.extend_from_slice(&keys);
            }
            Ok(found)
        })
        .collect::<Result<Vec<Vec<u64>>>>()?;
    drop(filter);
    let mut all = gathered.concat();
    drop(gathered);
    all.par_sort_unstable();
    let count = |run: &[u64]| (run.len() > 1).then(|| (run[0], run.len().min(255) as u8));
    Ok(all.chunk_by(|a, b| a == b).filter_map(count).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Statistics;
    use crate::text::{Analyser, Profile};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_table_gives_back_what_was_put_in(
            mut rows in prop::collection::vec((any::<u64>(), 1_u8..), 0..200),
        ) {
            rows.sort_unstable();
            rows.dedup_by_key(|row| row.0);
            let table = KeyCounts::new(&rows);
            for &(key, count) in &rows {
                prop_assert_eq!(table.get(key), count);
            }
            prop_assert_eq!(table.get(0x0123_4567_89ab_cdef), 0);
            let (ends, rests, counts) = table.columns();
            let again = KeyCounts::from_columns(ends.to_vec(), rests.to_vec(), counts.to_vec());
            prop_assert_eq!(again.expect("a table"), table);
        }
    }

    #[test]
    fn runs_are_counted_by_document_and_equal_texts_once() {
        let analyser = Analyser::new(Profile::default());
        let texts = [
            "one two three four five. one two three four",
            "zero one two three four",
            "one two three four five. one two three four",
            "six seven eight nine",
        ];
        let analysed =
            analyser.analyse(&texts, &[None; 4], false, &Cancel::default()).expect("analysed");
        let mut statistics = Statistics::default();
        statistics.add(&[&analysed], &Cancel::default()).expect("counted");
        let collection = CollectionTexts::new(vec![&analysed], &[], &statistics);
        let found = FormFrequencies::count(&collection, &Cancel::default()).expect("counted");
        let mut counts = Vec::new();
        document::run_keys(collection.get(0), |key| counts.push(found.runs.get(key)));
        // A sentence's end does not end a run; 0: nobody else has it.
        assert_eq!(counts, [2, 0, 0, 0, 0, 2]);
        assert_eq!(found.few_share, 1.0);
        assert!(found.pairs.is_empty());
    }
}
