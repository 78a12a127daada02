//! In which units words come together, and the correlations that follow from it.
//!
//! `c(i, j) = n(i, j) / (n(i) + n(j) − n(i, j))`: of the units with either word, the share with
//! both. Words are numbered from the rarest on and each word counts those after it, row by row: what
//! a row needs is one counter for each word, however many pairs there are. A word that is in
//! more than `1 / floor` times as many units as another cannot reach the floor with it, and is
//! never looked at.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hashbrown::HashMap;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::correlations::Correlations;
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::text::Analysed;
use crate::text::vocabulary::{Vocabulary, snapshot};

/// Within what words come together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A document, as in the thesis.
    Document,
    /// A paragraph: what stands between blank lines.
    Paragraph,
    /// A sentence.
    Sentence,
}

/// Which correlations are kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kept {
    /// The smallest one, above 0.
    pub floor: f64,
    /// Words in fewer units have none.
    pub min_count: u32,
    /// Words in more than this share of all units have none.
    pub max_share: f64,
    /// More pairs than this are a mistake, and would not fit into memory.
    pub max_pairs: usize,
}

/// Marks the last word of a unit.
const LAST: u32 = 1 << 31;

/// The different words of the units of a collection.
#[derive(Debug)]
pub struct Counts {
    unit: Unit,
    n_units: usize,
    numbers: HashMap<u64, u32, FxBuildHasher>,
    keys: Vec<u64>,
    /// In how many units each word is.
    frequencies: Vec<u32>,
    /// The words of all units; the last one of each is marked.
    words: Vec<u32>,
}

impl Counts {
    /// No unit was counted yet.
    pub fn new(unit: Unit) -> Self {
        Self {
            unit,
            n_units: 0,
            numbers: HashMap::default(),
            keys: Vec::new(),
            frequencies: Vec::new(),
            words: Vec::new(),
        }
    }

    /// How many units were counted.
    pub fn n_units(&self) -> usize {
        self.n_units
    }

    /// Count the units of a batch.
    pub fn add(&mut self, analysed: &Analysed, cancel: &Cancel) -> Result<()> {
        let vocabulary = snapshot(&analysed.vocabulary);
        let documents: Vec<usize> = (0..analysed.n_documents()).collect();
        let parts = documents
            .par_chunks(256)
            .map(|part| {
                let (mut words, mut unit) = (Vec::new(), Vec::new());
                for &document in part {
                    cancel.check()?;
                    for sentence in analysed.sentences_of(document) {
                        if self.unit == Unit::Sentence
                            || self.unit == Unit::Paragraph && analysed.opens_paragraph[sentence]
                        {
                            end_unit(&mut unit, &mut words);
                        }
                        let found = &analysed.words[analysed.words_of(sentence)];
                        unit.extend(terms(found, &vocabulary));
                    }
                    end_unit(&mut unit, &mut words);
                }
                Ok(words)
            })
            .collect::<Result<Vec<_>>>()?;
        let mut own = vec![LAST; vocabulary.n_terms()];
        for word in parts.into_iter().flatten() {
            let number = &mut own[(word & !LAST) as usize];
            if *number == LAST {
                *number = self.number(vocabulary.term_hashes()[(word & !LAST) as usize]);
            }
            self.frequencies[*number as usize] += 1;
            self.words.push(*number | word & LAST);
            self.n_units += usize::from(word & LAST != 0);
        }
        Ok(())
    }

    fn number(&mut self, key: u64) -> u32 {
        let next = self.keys.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.keys.push(key);
            self.frequencies.push(0);
        }
        number
    }

    /// The correlations of what was counted.
    pub fn correlations(&self, kept: &Kept, cancel: &Cancel) -> Result<Correlations> {
        let ranked = Ranked::new(self, kept, cancel)?;
        let found = AtomicUsize::new(0);
        let ranks: Vec<u32> = (0..ranked.keys.len() as u32).collect();
        let rows = ranks
            .par_chunks(64)
            .map_init(
                || (vec![0_u32; ranks.len()], Vec::new()),
                |(counters, met), part| {
                    let mut rows = Vec::new();
                    for &rank in part {
                        cancel.check()?;
                        ranked.row(rank, kept.floor, counters, met, &mut rows);
                    }
                    rows.shrink_to_fit();
                    let before = found.fetch_add(rows.len(), Ordering::Relaxed);
                    if before + rows.len() > kept.max_pairs {
                        return Err(too_many(kept));
                    }
                    Ok(rows)
                },
            )
            .collect::<Result<Vec<_>>>()?;
        ranked.matrix(rows)
    }
}

fn too_many(kept: &Kept) -> Error {
    Error::Parameter(format!(
        "more than {} pairs of words correlate by {} or more; raise the floor or the least count of a word",
        kept.max_pairs, kept.floor
    ))
}

/// The terms of words that are not dropped.
fn terms<'a>(words: &'a [u32], vocabulary: &'a Arc<Vocabulary>) -> impl Iterator<Item = u32> + 'a {
    words.iter().map(|&word| vocabulary.word(word)).filter(|word| !word.is_dropped).map(|w| w.term)
}

/// Put the different words of a unit, if it has any, behind those of the others.
fn end_unit(unit: &mut Vec<u32>, words: &mut Vec<u32>) {
    unit.sort_unstable();
    unit.dedup();
    words.append(unit);
    if let Some(last) = words.last_mut() {
        *last |= LAST;
    }
}

/// Words from the rarest on, and where each of them comes.
struct Ranked {
    keys: Vec<u64>,
    frequencies: Vec<u32>,
    /// The words of all units, the rarest first; the last one of each unit is marked.
    words: Vec<u32>,
    /// Where the places of each word end.
    ends: Vec<u64>,
    /// The places of each word in `words`.
    places: Vec<u32>,
}

impl Ranked {
    fn new(counts: &Counts, kept: &Kept, cancel: &Cancel) -> Result<Self> {
        let most = kept.max_share * counts.n_units as f64;
        let is_kept = |n: &u32| {
            let frequency = counts.frequencies[*n as usize];
            frequency >= kept.min_count && f64::from(frequency) <= most + 1e-9
        };
        let mut order: Vec<u32> = (0..counts.keys.len() as u32).filter(is_kept).collect();
        order.par_sort_unstable_by_key(|&n| {
            (counts.frequencies[n as usize], counts.keys[n as usize])
        });
        let mut ranks = vec![LAST; counts.keys.len()];
        for (rank, &number) in order.iter().enumerate() {
            ranks[number as usize] = rank as u32;
        }
        let (mut words, mut unit) = (Vec::new(), Vec::new());
        for (n, &word) in counts.words.iter().enumerate() {
            if n % (1 << 20) == 0 {
                cancel.check()?;
            }
            let rank = ranks[(word & !LAST) as usize];
            if rank != LAST {
                unit.push(rank);
            }
            if word & LAST != 0 {
                end_unit(&mut unit, &mut words);
            }
        }
        if words.len() > u32::MAX as usize {
            let message = "correlations need a collection of fewer than 2^32 words; take a sample";
            return Err(Error::Parameter(message.into()));
        }
        let frequencies: Vec<u32> = order.iter().map(|&n| counts.frequencies[n as usize]).collect();
        let keys = order.iter().map(|&n| counts.keys[n as usize]).collect();
        let (ends, places) = places(&words, &frequencies);
        Ok(Self { keys, frequencies, words, ends, places })
    }

    /// The correlations of a word with those that are not rarer.
    fn row(
        &self,
        rank: u32,
        floor: f64,
        counters: &mut [u32],
        met: &mut Vec<u32>,
        rows: &mut Vec<(u32, u32, f32)>,
    ) {
        let own = f64::from(self.frequencies[rank as usize]);
        let start = if rank == 0 { 0 } else { self.ends[rank as usize - 1] } as usize;
        for &place in &self.places[start..self.ends[rank as usize] as usize] {
            let mut at = place as usize;
            while self.words[at] & LAST == 0 {
                at += 1;
                let other = self.words[at] & !LAST;
                // At best all units with this word have the other one.
                if own < floor * f64::from(self.frequencies[other as usize]) * (1.0 - 1e-12) {
                    break;
                }
                if counters[other as usize] == 0 {
                    met.push(other);
                }
                counters[other as usize] += 1;
            }
        }
        met.sort_unstable();
        for other in met.drain(..) {
            let both = f64::from(std::mem::take(&mut counters[other as usize]));
            let c = both / (own + f64::from(self.frequencies[other as usize]) - both);
            if c >= floor * (1.0 - 1e-12) {
                rows.push((rank, other, c as f32));
            }
        }
    }

    /// The matrix of these entries, each of which is there once.
    fn matrix(&self, rows: Vec<Vec<(u32, u32, f32)>>) -> Result<Correlations> {
        // Only words with an entry get a row, in the order of their keys.
        let mut lengths = vec![0_u64; self.keys.len()];
        for &(a, b, _) in rows.iter().flatten() {
            lengths[a as usize] += 1;
            lengths[b as usize] += 1;
        }
        let mut order: Vec<u32> =
            (0..self.keys.len() as u32).filter(|&n| lengths[n as usize] > 0).collect();
        order.par_sort_unstable_by_key(|&n| self.keys[n as usize]);
        let (mut numbers, mut next, mut ends) = (lengths.clone(), lengths.clone(), Vec::new());
        let mut sum = 0;
        for (number, &rank) in order.iter().enumerate() {
            numbers[rank as usize] = number as u64;
            next[rank as usize] = sum;
            sum += lengths[rank as usize];
            ends.push(sum);
        }
        let mut entries = vec![(0_u32, 0_f32); sum as usize];
        for (a, b, c) in rows.into_iter().flatten() {
            for (own, other) in [(a, b), (b, a)] {
                let place = &mut next[own as usize];
                entries[*place as usize] = (numbers[other as usize] as u32, c);
                *place += 1;
            }
        }
        let mut rest = &mut entries[..];
        for &rank in &order {
            let (row, behind) = rest.split_at_mut(lengths[rank as usize] as usize);
            row.sort_unstable_by_key(|entry| entry.0);
            rest = behind;
        }
        let keys = order.iter().map(|&n| self.keys[n as usize]).collect();
        let (columns, values) = entries.into_iter().unzip();
        Correlations::from_rows(keys, ends, columns, values)
    }
}

/// Where each word stands in the units.
fn places(words: &[u32], frequencies: &[u32]) -> (Vec<u64>, Vec<u32>) {
    let (mut ends, mut next) = (Vec::new(), Vec::new());
    let mut sum = 0;
    for &frequency in frequencies {
        next.push(sum);
        sum += u64::from(frequency);
        ends.push(sum);
    }
    let mut places = vec![0; sum as usize];
    for (at, &word) in words.iter().enumerate() {
        let place = &mut next[(word & !LAST) as usize];
        places[*place as usize] = at as u32;
        *place += 1;
    }
    (ends, places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash;
    use crate::text::{Analyser, Profile};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const ALL: Kept = Kept { floor: 1e-9, min_count: 1, max_share: 1.0, max_pairs: 1 << 20 };

    fn counted(texts: &[&str], unit: Unit, batch: usize) -> Counts {
        let profile = Profile { drop_stop_words: false, ..Profile::default() };
        let analyser = Analyser::new(profile);
        let mut counts = Counts::new(unit);
        for texts in texts.chunks(batch) {
            let languages = vec![None; texts.len()];
            let analysed = analyser.analyse(texts, &languages, false, &Cancel::default());
            counts.add(&analysed.expect("analysed"), &Cancel::default()).expect("counted");
        }
        counts
    }

    fn of(counts: &Counts, kept: &Kept, a: &str, b: &str) -> f32 {
        let found = counts.correlations(kept, &Cancel::default()).expect("correlations");
        found.of(hash::term(a), hash::term(b))
    }

    #[test]
    fn the_share_of_units_with_both() {
        // n_i = 10, n_j = 20, n_ij = 5.
        let mut texts = vec!["x y"; 5];
        texts.extend(["x"; 5]);
        texts.extend(["y"; 15]);
        let counts = counted(&texts, Unit::Document, 7);
        assert!((of(&counts, &ALL, "x", "y") - 0.2).abs() < 1e-7);
        assert_eq!(of(&counts, &Kept { floor: 0.21, ..ALL }, "x", "y"), 0.0);
        assert_eq!(of(&counts, &Kept { min_count: 11, ..ALL }, "x", "y"), 0.0);
        assert_eq!(of(&counts, &Kept { max_share: 0.7, ..ALL }, "x", "y"), 0.0);
        assert!(of(&counts, &Kept { max_share: 0.8, ..ALL }, "x", "y") > 0.0);
    }

    #[test]
    fn units_are_documents_paragraphs_or_sentences() {
        let texts = ["Kax lox. Lox mix.\n\nMix nux."];
        let known = |unit| {
            let counts = counted(&texts, unit, 1);
            let c = |a, b| of(&counts, &ALL, a, b) > 0.0;
            (counts.n_units(), c("kax", "lox"), c("kax", "mix"), c("kax", "nux"))
        };
        assert_eq!(known(Unit::Document), (1, true, true, true));
        assert_eq!(known(Unit::Paragraph), (2, true, true, false));
        assert_eq!(known(Unit::Sentence), (3, true, false, false));
    }

    #[test]
    fn too_many_pairs_are_refused() {
        let counts = counted(&["a b c d e"], Unit::Document, 1);
        let found = counts.correlations(&Kept { max_pairs: 9, ..ALL }, &Cancel::default());
        assert!(found.expect_err("10 pairs").to_string().contains("raise the floor"));
    }

    proptest! {
        #[test]
        fn every_pair_is_that_of_the_double_loop(
            units in prop::collection::vec(prop::collection::btree_set(0..9_usize, 0..6), 0..12),
            floor in prop::sample::select(vec![1e-6, 0.1, 0.25, 0.5, 1.0]),
            min_count in 1..4_u32,
            batch in 1..5_usize,
        ) {
            let words = ["ka", "lo", "mi", "nu", "pe", "ra", "so", "ti", "vu"];
            let text = |unit: &BTreeSet<usize>| {
                unit.iter().map(|&n| words[n]).collect::<Vec<_>>().join(" ")
            };
            let texts: Vec<String> = units.iter().map(text).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let counts = counted(&texts, Unit::Document, batch);
            let kept = Kept { floor, min_count, ..ALL };
            let found = counts.correlations(&kept, &Cancel::default()).expect("correlations");
            let n = |a: usize, b: usize| {
                units.iter().filter(|u| u.contains(&a) && u.contains(&b)).count() as f64
            };
            for a in 0..9 {
                for b in (0..9).filter(|&b| b != a) {
                    let c = n(a, b) / (n(a, a) + n(b, b) - n(a, b)).max(1.0);
                    let is_kept = c >= floor && n(a, a).min(n(b, b)) >= f64::from(min_count);
                    let expected = if is_kept { c as f32 } else { 0.0 };
                    prop_assert_eq!(found.of(hash::term(words[a]), hash::term(words[b])), expected);
                }
            }
        }
    }
}
