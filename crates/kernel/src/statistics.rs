//! In how many documents each term occurs, and what weight follows from it.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use rayon::prelude::*;

use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::features::{Terms, to_units};
use crate::hash;
use crate::text::Analysed;
use crate::text::vocabulary::{Strings, Vocabulary, Word, snapshot};

/// The weight of a term, from the number of documents `N` and of those with the term `df`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Idf {
    /// `log(N / df) + 1`: CoDet.
    PlusOne,
    /// `log(N / df)`: qSign, RECAP.
    Plain,
    /// `log((N + 1) / (df + 0.5))`: never negative, never undefined.
    Smooth,
}

impl Idf {
    /// The weight, with a logarithm of this base. A term nobody has seen counts as seen once.
    pub fn weight(self, documents: u64, df: u32, base: f64) -> f64 {
        let (n, df) = (documents.max(1) as f64, f64::from(df.max(1)));
        let log = |x: f64| {
            if base == std::f64::consts::E { x.ln() } else { x.log(base) }
        };
        let weight = match self {
            Self::PlusOne => log(n / df) + 1.0,
            Self::Plain => log(n / df),
            Self::Smooth => log((n + 1.0) / (df + 0.5)),
        };
        weight.max(0.0)
    }
}

/// Document frequencies of a collection.
#[derive(Debug, Default)]
pub struct Statistics {
    documents: u64,
    terms: Strings,
    frequencies: Vec<u32>,
    /// The frequencies by the numbers of the vocabulary last asked for.
    resolved: Mutex<Resolved>,
}

#[derive(Debug, Default)]
struct Resolved {
    vocabulary: Option<u64>,
    frequencies: Arc<Vec<u32>>,
    order: Arc<Order>,
}

/// The terms of a vocabulary from the rarest to the most frequent one; equally rare ones by their
/// text. A term nobody has seen counts as seen once.
#[derive(Debug, Default)]
pub struct Order {
    /// The terms by rank.
    pub terms: Vec<u32>,
    /// The frequencies by rank.
    pub frequencies: Vec<u32>,
    /// The hashes of the terms by rank.
    pub hashes: Vec<u64>,
    /// The ranks by term.
    pub ranks: Vec<u32>,
    /// The ranks by word; [`DROPPED`] for words that the profile leaves out.
    pub word_ranks: Vec<u32>,
    /// The terms by rank with their weights, once somebody asked for these.
    weighed: OnceLock<Arc<Terms>>,
    /// The ranks of terms that say who said something, once somebody asked for these.
    attributions: OnceLock<Vec<u32>>,
}

/// In place of the rank of a word that is left out.
pub const DROPPED: u32 = u32::MAX;

impl Order {
    /// That of all terms, where `before` is that of the first of them.
    fn new(vocabulary: &Vocabulary, frequencies: &[u32], before: &Self) -> Self {
        // Most ties are broken by the first letters, which fit into a number.
        let first = |term: &str| {
            let mut bytes = [0; 8];
            let n = term.len().min(8);
            bytes[..n].copy_from_slice(&term.as_bytes()[..n]);
            u64::from_be_bytes(bytes)
        };
        let key =
            |term: u32| (frequencies[term as usize].max(1), first(vocabulary.term(term)), term);
        let new = before.terms.len() as u32..frequencies.len() as u32;
        // Those of before are in order already: a sort that keeps runs has the new ones to do.
        // On this thread: one that waits for its pool takes up other work, and that may want the
        // lock held here.
        let mut keys: Vec<_> = before.terms.iter().copied().chain(new).map(key).collect();
        keys.sort_by(|a, b| {
            let by_text = || vocabulary.term(a.2).cmp(vocabulary.term(b.2));
            (a.0, a.1).cmp(&(b.0, b.1)).then_with(by_text)
        });
        let mut ranks = vec![0; keys.len()];
        for (rank, key) in keys.iter().enumerate() {
            ranks[key.2 as usize] = rank as u32;
        }
        let rank = |word: &Word| if word.is_dropped { DROPPED } else { ranks[word.term as usize] };
        let word_ranks = vocabulary.words().iter().map(rank).collect();
        let terms: Vec<u32> = keys.iter().map(|key| key.2).collect();
        let hashes = terms.iter().map(|&term| vocabulary.term_hashes()[term as usize]).collect();
        let frequencies = keys.iter().map(|key| key.0).collect();
        Self { terms, frequencies, hashes, ranks, word_ranks, ..Self::default() }
    }

    /// The ranks of these terms, always the same, as far as they are known; sorted.
    pub fn attributions(&self, terms: &[&str]) -> &[u32] {
        self.attributions.get_or_init(|| {
            let wanted: Vec<u64> = terms.iter().map(|term| hash::term(term)).collect();
            let is_wanted = |&rank: &u32| wanted.contains(&self.hashes[rank as usize]);
            (0..self.hashes.len() as u32).filter(is_wanted).collect()
        })
    }

    /// The terms by rank with their weights, `log(N / df) + 1`, where `documents` is N.
    pub fn weighed(&self, documents: u64) -> Arc<Terms> {
        let make = || {
            let weight = |df| to_units(Idf::PlusOne.weight(documents, df, std::f64::consts::E));
            let mut weights: Vec<u64> = Vec::with_capacity(self.frequencies.len());
            // From the rarest to the most frequent: equals follow each other.
            for run in self.frequencies.chunk_by(|a, b| a == b) {
                weights.resize(weights.len() + run.len(), weight(run[0]));
            }
            Arc::new(Terms { keys: self.hashes.clone(), weights })
        };
        Arc::clone(self.weighed.get_or_init(make))
    }
}

impl Statistics {
    /// Statistics from a list of different terms and their frequencies.
    pub fn from_terms<'a>(
        documents: u64,
        terms: impl IntoIterator<Item = (&'a str, u32)>,
    ) -> Result<Self> {
        let mut statistics = Self { documents, ..Self::default() };
        for (term, frequency) in terms {
            if !statistics.push(term, frequency) {
                return Err(Error::Parameter(format!("the term {term:?} is given twice")));
            }
        }
        Ok(statistics)
    }

    fn push(&mut self, term: &str, frequency: u32) -> bool {
        let hash = hash::term(term);
        let is_new = self.terms.find(hash, term).is_none();
        if is_new {
            self.terms.push(hash, term);
            self.frequencies.push(frequency);
        }
        is_new
    }

    /// Count the documents of some batches. Counts add up, so batches may come in any order.
    pub fn add(&mut self, batches: &[&Analysed], cancel: &Cancel) -> Result<()> {
        let same = |a: &&Analysed, b: &&Analysed| Arc::ptr_eq(&a.vocabulary, &b.vocabulary);
        for batches in batches.chunk_by(same) {
            let vocabulary = snapshot(&batches[0].vocabulary);
            let counts = count(batches, &vocabulary, cancel)?;
            self.add_counts(&counts, &vocabulary);
            self.documents += batches.iter().map(|batch| batch.n_documents() as u64).sum::<u64>();
        }
        *self.resolved.get_mut().expect("no panic while the lock is held") = Resolved::default();
        Ok(())
    }

    fn add_counts(&mut self, counts: &[u32], vocabulary: &Vocabulary) {
        for (number, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let (hash, term) = (vocabulary.term_hashes()[number], vocabulary.term(number as u32));
            match self.terms.find(hash, term) {
                Some(n) => {
                    let frequency = &mut self.frequencies[n as usize];
                    *frequency = frequency.saturating_add(count);
                }
                None => {
                    self.terms.push(hash, term);
                    self.frequencies.push(count);
                }
            }
        }
    }

    /// How many documents were counted.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// How many different terms there are.
    pub fn n_terms(&self) -> usize {
        self.frequencies.len()
    }

    /// In how many documents a term occurs.
    pub fn frequency(&self, term: &str) -> u32 {
        self.terms.find(hash::term(term), term).map_or(0, |n| self.frequencies[n as usize])
    }

    /// All terms with their frequencies, in the order of the terms.
    pub fn terms(&self) -> Vec<(&str, u32)> {
        let mut terms: Vec<_> =
            (0..self.n_terms()).map(|n| (self.terms.get(n as u32), self.frequencies[n])).collect();
        terms.sort_unstable();
        terms
    }

    /// Call `use_them` with the frequencies of all terms of the vocabulary, by their numbers. The
    /// lock is let go before: see [`crate::text::vocabulary::SharedVocabulary`].
    pub fn resolve<T>(&self, vocabulary: &Vocabulary, use_them: impl FnOnce(&[u32]) -> T) -> T {
        let frequencies = Arc::clone(&self.resolved(vocabulary).frequencies);
        use_them(&frequencies)
    }

    /// The terms of the vocabulary in the order of how rare they are, kept until it has grown.
    pub fn order(&self, vocabulary: &Vocabulary) -> Arc<Order> {
        let mut resolved = self.resolved(vocabulary);
        let order = &resolved.order;
        if order.ranks.len() < resolved.frequencies.len()
            || order.word_ranks.len() < vocabulary.words().len()
        {
            resolved.order = Arc::new(Order::new(vocabulary, &resolved.frequencies, order));
        }
        Arc::clone(&resolved.order)
    }

    /// The frequencies of the vocabulary's terms, looked up once and kept, as batches of one
    /// vocabulary come one after another.
    fn resolved(&self, vocabulary: &Vocabulary) -> MutexGuard<'_, Resolved> {
        let mut resolved = self.resolved.lock().expect("no panic while the lock is held");
        if resolved.vocabulary != Some(vocabulary.id()) {
            *resolved = Resolved { vocabulary: Some(vocabulary.id()), ..Resolved::default() };
        }
        let known = resolved.frequencies.len();
        if known < vocabulary.n_terms() {
            let frequencies = Arc::make_mut(&mut resolved.frequencies);
            for number in known..vocabulary.n_terms() {
                let (hash, term) =
                    (vocabulary.term_hashes()[number], vocabulary.term(number as u32));
                let found = self.terms.find(hash, term);
                frequencies.push(found.map_or(0, |n| self.frequencies[n as usize]));
            }
        }
        resolved
    }
}

/// How many documents of the batches hold each term, by the numbers of their vocabulary.
fn count(batches: &[&Analysed], vocabulary: &Vocabulary, cancel: &Cancel) -> Result<Vec<u32>> {
    // Side by side, the terms of most words stay near; so does what is known of most terms.
    let terms: Vec<u32> = vocabulary.words().iter().map(|word| word.term).collect();
    let n_terms = vocabulary.n_terms();
    let documents: Vec<&[u32]> = batches
        .iter()
        .flat_map(|batch| {
            (0..batch.n_documents()).map(|document| &batch.words[batch.words_of_document(document)])
        })
        .collect();
    let part = documents.len().div_ceil(rayon::current_num_threads()).max(1);
    let counts = documents
        .par_chunks(part)
        .map(|part| {
            // How many documents have each term, and which had it last. Nothing branches: whether a
            // word comes again cannot be foretold.
            let mut seen = vec![(0_u32, u32::MAX); n_terms];
            for (document, &own) in (0_u32..).zip(part) {
                cancel.check()?;
                for &word in own {
                    let (count, last) = &mut seen[terms[word as usize] as usize];
                    *count += u32::from(*last != document);
                    *last = document;
                }
            }
            Ok(seen.into_iter().map(|(count, _)| count).collect::<Vec<_>>())
        })
        .collect::<Result<Vec<_>>>()?;
    let add = |mut sum: Vec<u32>, counts: Vec<u32>| {
        sum.iter_mut().zip(counts).for_each(|(s, c)| *s += c);
        sum
    };
    Ok(counts.into_iter().reduce(add).unwrap_or_else(|| vec![0; n_terms]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Analyser, Profile};

    fn statistics(batches: &[&[&str]]) -> Statistics {
        let analyser = Analyser::new(Profile::default());
        let mut statistics = Statistics::default();
        for texts in batches {
            let languages = vec![None; texts.len()];
            let analysed = analyser.analyse(texts, &languages, false, &Cancel::default());
            let analysed = analysed.expect("analysed");
            statistics.add(&[&analysed], &Cancel::default()).expect("counted");
        }
        statistics
    }

    #[test]
    fn a_term_counts_once_in_a_document() {
        let found = statistics(&[&["a cat and a cat", "a dog"]]);
        assert_eq!(found.documents(), 2);
        assert_eq!(
            (found.frequency("cat"), found.frequency("a"), found.frequency("cow")),
            (1, 2, 0)
        );
    }

    #[test]
    fn batches_do_not_matter() {
        let one = statistics(&[&["a cat", "a dog", "the cat"]]);
        let many = statistics(&[&["the cat"], &[], &["a dog", "a cat"]]);
        assert_eq!(one.terms(), many.terms());
        assert_eq!(one.documents(), many.documents());
        let again = Statistics::from_terms(one.documents(), one.terms()).expect("different terms");
        assert_eq!(again.terms(), one.terms());
        assert!(Statistics::from_terms(1, [("a", 1), ("a", 1)]).is_err());
    }

    #[test]
    fn terms_that_come_later_are_put_in_order_among_those_of_before() {
        let found = statistics(&[&["a cat met a dog", "a dog met a cow", "the internationals"]]);
        let analyser = Analyser::new(Profile::default());
        let texts = ["dog zebra", "a internationally cat", "internationals cow", "the ant met"];
        for n in 0..texts.len() {
            let some = &texts[n..=n];
            let analysed = analyser.analyse(some, &[None], false, &Cancel::default());
            let analysed = analysed.expect("analysed");
            let vocabulary = snapshot(&analysed.vocabulary);
            let grown = found.order(&vocabulary);
            let anew = Statistics::from_terms(found.documents(), found.terms());
            let anew = anew.expect("different terms").order(&vocabulary);
            assert_eq!(grown.terms.len(), vocabulary.n_terms());
            assert_eq!((&grown.terms, &grown.ranks), (&anew.terms, &anew.ranks));
            assert_eq!(grown.frequencies, anew.frequencies);
            assert_eq!((&grown.hashes, &grown.word_ranks), (&anew.hashes, &anew.word_ranks));
        }
    }

    #[test]
    fn idf_is_the_papers() {
        let e = std::f64::consts::E;
        assert!((2.0 * Idf::PlusOne.weight(3, 2, e) - 2.810_930).abs() < 1e-6);
        assert!((2.0 * Idf::PlusOne.weight(3, 2, 10.0) - 2.352_183).abs() < 1e-6);
        assert!((2.0 * Idf::PlusOne.weight(3, 2, 2.0) - 3.169_925).abs() < 1e-6);
        assert_eq!(Idf::Plain.weight(3, 3, e), 0.0);
        assert_eq!(Idf::PlusOne.weight(3, 0, e), Idf::PlusOne.weight(3, 1, e));
        assert!(Idf::Smooth.weight(1, 5, e) >= 0.0);
    }
}
