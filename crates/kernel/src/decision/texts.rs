//! The texts of a collection, as they were analysed.

use std::sync::Arc;

use super::document::{ContentRule, WordInfo};
use crate::statistics::Statistics;
use crate::text::Analysed;
use crate::text::vocabulary::snapshot;

/// The batches of a collection, with what is known of their words.
pub struct CollectionTexts<'a> {
    batches: Vec<&'a Analysed>,
    /// What is known of each word of a batch's vocabulary.
    words: Vec<Arc<Vec<WordInfo>>>,
    /// The number of the first document of each batch.
    starts: Vec<usize>,
    /// The terms of the titles, sorted, by document.
    titles: &'a [Vec<u32>],
}

/// A document of a collection, with the table its words are looked up in.
#[derive(Clone, Copy)]
pub struct TextView<'a> {
    /// Its batch.
    pub batch: &'a Analysed,
    /// Its number there.
    pub number: usize,
    /// What is known of each word.
    pub table: &'a [WordInfo],
    /// The terms of its title, sorted.
    pub title: &'a [u32],
}

impl TextView<'_> {
    /// The numbers of its words.
    pub fn words(&self) -> &[u32] {
        &self.batch.words[self.batch.words_of_document(self.number)]
    }

    /// What is known of a word.
    #[inline]
    pub fn word(&self, number: u32) -> &WordInfo {
        &self.table[number as usize]
    }
}

impl<'a> CollectionTexts<'a> {
    /// The texts of these batches; `titles` has an entry for each document, or none.
    pub fn new(batches: Vec<&'a Analysed>, titles: &'a [Vec<u32>], of: &Statistics) -> Self {
        let rule = ContentRule::new(of.documents());
        let mut words: Vec<Arc<Vec<WordInfo>>> = Vec::new();
        let (mut starts, mut documents) = (Vec::new(), 0);
        for (n, batch) in batches.iter().enumerate() {
            starts.push(documents);
            documents += batch.n_documents();
            let is_same = n > 0 && Arc::ptr_eq(&batches[n - 1].vocabulary, &batch.vocabulary);
            words.push(if is_same {
                Arc::clone(&words[n - 1])
            } else {
                let vocabulary = snapshot(&batch.vocabulary);
                Arc::new(of.resolve(&vocabulary, |frequencies| {
                    WordInfo::all(&vocabulary, frequencies, &rule)
                }))
            });
        }
        Self { batches, words, starts, titles }
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        let last = self.batches.last().zip(self.starts.last());
        last.map_or(0, |(batch, start)| start + batch.n_documents())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A document by its number.
    pub fn get(&self, document: usize) -> TextView<'_> {
        let n = self.starts.partition_point(|&start| start <= document) - 1;
        TextView {
            batch: self.batches[n],
            number: document - self.starts[n],
            table: &self.words[n],
            title: self.titles.get(document).map_or(&[], Vec::as_slice),
        }
    }

    /// How many words a document has.
    pub fn words(&self, document: usize) -> usize {
        self.get(document).words().len()
    }
}
