//! A document made ready for alignments: done once, whatever number of pairs it is in.
//!
//! Stems are known by the hash of their text and sorted by it, so that sums are added in the same
//! order whichever other documents were analysed before.

use std::ops::Range;

use super::grams::{GRAM, SHORT, grams};
use super::parameters::Parameters;
use super::postings::Stems;
use super::sentences::resize;
use crate::cancel::Cancel;
use crate::effort::BETWEEN_CHECKS;
use crate::error::Result;
use crate::text::analyse::{Analysed, Spans};
use crate::text::quotations::quotations_by_code_points;
use crate::text::vocabulary::Vocabulary;

/// A stem of a sentence.
#[derive(Debug, Clone, Copy)]
pub struct Term {
    /// Its number in the document.
    pub stem: u32,
    /// ln(1 + how often it is in the sentence).
    pub damped: f64,
}

/// A sentence of an alignment.
#[derive(Debug, Clone)]
pub struct Sentence {
    /// Its words.
    pub words: Range<usize>,
    /// Its code points.
    pub span: (u32, u32),
    /// Its distinct stems.
    pub terms: Range<usize>,
    /// Whether it is known to be boilerplate of its source.
    pub is_boilerplate: bool,
}

/// A document as an alignment sees it.
#[derive(Debug, Clone, Default)]
pub struct Document {
    /// The stem of each word, as a number in `stems`.
    pub words: Vec<u32>,
    /// What stands for each word itself.
    pub folded: Vec<u32>,
    /// The code points of each word.
    pub spans: Vec<(u32, u32)>,
    /// The sentences.
    pub sentences: Vec<Sentence>,
    /// The stems of all sentences.
    pub terms: Vec<Term>,
    /// The hashes of the distinct stems, sorted.
    pub stems: Vec<u64>,
    /// Eight words in a row with their hash, sorted.
    pub grams: Vec<(u64, u32)>,
    /// Five stems in a row with their hash, sorted.
    pub stem_grams: Vec<(u64, u32)>,
    /// Code points in quotation marks.
    pub quotations: Vec<(u32, u32)>,
    /// The sentences by their stems.
    pub by_stem: Stems,
}

impl Document {
    /// Make a document of a batch ready. `text` is what it was analysed from, to know quotations;
    /// `boilerplate` tells it for each sentence of the batch.
    pub fn new(
        (analysed, spans): (&Analysed, &Spans),
        vocabulary: &Vocabulary,
        number: usize,
        text: &str,
        boilerplate: Option<&[bool]>,
        parameters: &Parameters,
        cancel: &Cancel,
    ) -> Result<Self> {
        cancel.check()?;
        let range = analysed.words_of_document(number);
        let first = range.start;
        let hashes = vocabulary.term_hashes();
        let word = |&w: &u32| vocabulary.word(w);
        let keys: Vec<u64> =
            analysed.words[range.clone()].iter().map(|w| hashes[word(w).term as usize]).collect();
        let mut stems = keys.clone();
        stems.sort_unstable();
        stems.dedup();
        let own = analysed.sentences_of(number);
        let ends = own.clone().map(|s| analysed.words_of(s).end - first);
        let ranges = resize(ends, parameters.min_sentence, parameters.max_sentence);
        cancel.check()?;
        let mut document = Self {
            words: keys.iter().map(|key| local(&stems, *key)).collect(),
            folded: analysed.words[range.clone()].iter().map(|w| word(w).folded).collect(),
            spans: spans.words[range].to_vec(),
            stems,
            quotations: quotations_by_code_points(text),
            ..Self::default()
        };
        cancel.check()?;
        document.grams = grams(&document.folded, GRAM);
        cancel.check()?;
        document.stem_grams = grams(&keys, SHORT);
        let mut at = own.start;
        for (n, words) in ranges.into_iter().enumerate() {
            if n % BETWEEN_CHECKS == 0 {
                cancel.check()?;
            }
            while analysed.words_of(at).end - first <= words.start {
                at += 1;
            }
            let mut end = at;
            while analysed.words_of(end).end - first < words.end {
                end += 1;
            }
            let starts_here = analysed.words_of(at).start - first == words.start;
            let ends_here = analysed.words_of(end).end - first == words.end;
            let start_at = document.spans[words.start].0;
            let end_at = document.spans[words.end - 1].1;
            let span = (
                if starts_here { spans.sentences[at].0 } else { start_at },
                if ends_here { spans.sentences[end].1 } else { end_at },
            );
            let is_boilerplate =
                boilerplate.is_some_and(|known| known[at..=end].iter().all(|b| *b));
            document.push(words, span, is_boilerplate);
        }
        document.index(parameters.window);
        cancel.check()?;
        Ok(document)
    }

    /// Several documents as one that holds what any of them holds, to measure shares; it has no
    /// spans. Windows of it have so many sentences.
    pub fn union(documents: &[&Self], window: usize) -> Self {
        let mut stems: Vec<u64> = documents.iter().flat_map(|d| d.stems.iter().copied()).collect();
        stems.sort_unstable();
        stems.dedup();
        let mut union = Self { stems, ..Self::default() };
        for document in documents {
            let numbers: Vec<u32> =
                document.stems.iter().map(|key| local(&union.stems, *key)).collect();
            let moved = union.terms.len();
            let term = |t: &Term| Term { stem: numbers[t.stem as usize], damped: t.damped };
            union.terms.extend(document.terms.iter().map(term));
            let first = union.words.len();
            let gram = |&(hash, at): &(u64, u32)| (hash, at + first as u32);
            union.stem_grams.extend(document.stem_grams.iter().map(gram));
            union.words.extend(document.words.iter().map(|w| numbers[*w as usize]));
            let moving = |s: &Sentence| Sentence {
                words: s.words.start + first..s.words.end + first,
                terms: s.terms.start + moved..s.terms.end + moved,
                ..s.clone()
            };
            union.sentences.extend(document.sentences.iter().map(moving));
        }
        union.stem_grams.sort_unstable();
        union.index(window);
        union
    }

    fn push(&mut self, words: Range<usize>, span: (u32, u32), is_boilerplate: bool) {
        let mut stems: Vec<u32> = self.words[words.clone()].to_vec();
        stems.sort_unstable();
        let start = self.terms.len();
        for same in stems.chunk_by(|a, b| a == b) {
            self.terms.push(Term { stem: same[0], damped: (1.0 + same.len() as f64).ln() });
        }
        let terms = start..self.terms.len();
        self.sentences.push(Sentence { words, span, terms, is_boilerplate });
    }

    /// Note in which sentences each stem is.
    fn index(&mut self, window: usize) {
        self.by_stem = Stems::new(self.stems.len(), &self.sentences, &self.terms, window);
    }

    /// The sentences that hold a stem, in order.
    pub fn holders(&self, stem: u32) -> &[u32] {
        self.by_stem.all.of(stem)
    }

    /// The stems of a sentence.
    pub fn terms_of(&self, sentence: usize) -> &[Term] {
        &self.terms[self.sentences[sentence].terms.clone()]
    }

    /// The number of the sentence that holds a word.
    pub fn sentence_at(&self, word: usize) -> usize {
        self.sentences.partition_point(|sentence| sentence.words.end <= word)
    }

    /// The code points of a range of words, with the punctuation where sentences begin and end.
    pub fn span_of(&self, words: &Range<usize>) -> (u32, u32) {
        let (first, last) = (
            &self.sentences[self.sentence_at(words.start)],
            &self.sentences[self.sentence_at(words.end - 1)],
        );
        let start =
            if first.words.start == words.start { first.span.0 } else { self.spans[words.start].0 };
        let end =
            if last.words.end == words.end { last.span.1 } else { self.spans[words.end - 1].1 };
        (start, end)
    }
}

fn local(stems: &[u64], key: u64) -> u32 {
    stems.binary_search(&key).expect("every stem is among them") as u32
}
