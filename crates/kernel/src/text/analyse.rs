//! The analysis of a batch of texts, on all cores.
//!
//! Texts are cut into chunks of a fixed size, whatever the number of threads. Words that came in
//! an earlier batch have a number; a chunk numbers its new ones for itself, and these enter the
//! vocabulary when all chunks are done, chunk by chunk in order, so that each distinct word is
//! analysed once and numbers do not depend on which thread was faster.

use std::ops::Range;
use std::sync::{Arc, RwLock};

use rayon::prelude::*;

use super::ahead::Ahead;
use super::chunk::{Chunk, NEW, Part};
use super::language::Language;
use super::new_words::NewWords;
use super::profile::Profile;
use super::vocabulary::{SharedVocabulary, Vocabulary, snapshot};
use crate::cancel::Cancel;
use crate::documents::Raw;
use crate::error::{Error, Result};
use crate::split::pieces;

/// Text bytes in a chunk, the unit of work of a thread.
const CHUNK: usize = 512 * 1024;

/// So many words are remembered for single texts.
const REMEMBERED: usize = 1 << 18;

/// Documents as sentences of words, each word a number in the vocabulary.
#[derive(Debug)]
pub struct Analysed {
    /// What the numbers of words mean.
    pub vocabulary: SharedVocabulary,
    /// The words of all sentences.
    pub words: Vec<u32>,
    /// Where in `words` each sentence ends.
    pub sentence_ends: Vec<u32>,
    /// Whether each sentence is the first of its paragraph: of its document, or after a blank line.
    pub opens_paragraph: Vec<bool>,
    /// Where in `sentence_ends` each document ends.
    pub document_ends: Vec<u32>,
    /// The language of each document.
    pub languages: Vec<Language>,
    /// What stands for the text of each document: equal texts, equal values.
    pub text_hashes: Vec<u128>,
    /// How many code points the texts have together.
    pub characters: usize,
    /// Code points of sentences and words, where asked for.
    pub spans: Option<Spans>,
}

/// A text to be analysed.
#[derive(Debug, Clone, Copy)]
pub enum Source<'t> {
    /// A text.
    Text(&'t str),
    /// A text in its line of JSON.
    Raw(Raw<'t>),
}

impl<'t> Source<'t> {
    /// The text; `room` is used where it has to be written down.
    pub(super) fn read<'r>(self, room: &'r mut String) -> &'r str
    where
        't: 'r,
    {
        match self {
            Self::Text(text) => text,
            Self::Raw(raw) => raw.read(room),
        }
    }

    pub(super) fn len(self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Raw(raw) => raw.bytes.len(),
        }
    }
}

/// Which places in the text are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// None.
    Nothing,
    /// Those of sentences.
    Sentences,
    /// Those of sentences and of words.
    Words,
}

impl From<bool> for Keep {
    /// All or nothing.
    fn from(all: bool) -> Self {
        if all { Self::Words } else { Self::Nothing }
    }
}

/// Half-open ranges of code points, in the order of sentences and of words.
#[derive(Debug, Default)]
pub struct Spans {
    /// The range of each sentence.
    pub sentences: Vec<(u32, u32)>,
    /// The range of each word; empty if only those of sentences are kept.
    pub words: Vec<(u32, u32)>,
    /// What stands for the text of each sentence: equal texts, equal values.
    pub texts: Vec<u64>,
    /// Whether most of each sentence stands in quotation marks.
    pub quoted: Vec<bool>,
}

/// Everything but the first is where the one before ended.
fn range(ends: &[u32], n: usize) -> Range<usize> {
    let start = if n == 0 { 0 } else { ends[n - 1] };
    start as usize..ends[n] as usize
}

impl Analysed {
    /// How many documents there are.
    pub fn n_documents(&self) -> usize {
        self.document_ends.len()
    }

    /// The numbers of a document's sentences.
    pub fn sentences_of(&self, document: usize) -> Range<usize> {
        range(&self.document_ends, document)
    }

    /// Where the words of a document stand in `words`.
    pub fn words_of_document(&self, document: usize) -> Range<usize> {
        let sentences = self.sentences_of(document);
        let end = |n: usize| if n == 0 { 0 } else { self.sentence_ends[n - 1] as usize };
        end(sentences.start)..end(sentences.end)
    }

    /// Where the words of a sentence stand in `words`.
    pub fn words_of(&self, sentence: usize) -> Range<usize> {
        range(&self.sentence_ends, sentence)
    }
}

/// Analyses texts under one profile, with one vocabulary.
#[derive(Debug)]
pub struct Analyser {
    profile: Profile,
    vocabulary: SharedVocabulary,
    /// Where the terms of words are remembered that this vocabulary has not got.
    memory: Option<SharedVocabulary>,
}

impl Analyser {
    /// An analyser with an empty vocabulary.
    pub fn new(profile: Profile) -> Self {
        let vocabulary = Arc::new(RwLock::new(Arc::new(Vocabulary::new(profile.clone()))));
        Self { profile, vocabulary, memory: None }
    }

    /// An analyser with an empty vocabulary that has the terms of words from this one, and leaves new
    /// ones here: for single texts, whose few words are put in order in no time.
    pub fn beside(&self) -> Self {
        Self { memory: Some(Arc::clone(&self.vocabulary)), ..Self::new(self.profile.clone()) }
    }

    /// An analyser that knows the words of these documents, which one of the same profile analysed,
    /// and no others: of all words that ever came most do not come again.
    pub fn renewed(&self, analysed: &Analysed) -> Self {
        let known = snapshot(&analysed.vocabulary).part(&analysed.words);
        let vocabulary = Arc::new(RwLock::new(Arc::new(known)));
        Self { profile: self.profile.clone(), vocabulary, memory: self.memory.clone() }
    }

    /// The profile.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The vocabulary that all results of this analyser share.
    pub fn vocabulary(&self) -> &SharedVocabulary {
        &self.vocabulary
    }

    /// Analyse texts. A language that is `None` is detected. Spans cost memory: ask for them only
    /// where they are shown.
    pub fn analyse(
        &self,
        texts: &[&str],
        languages: &[Option<Language>],
        spans: impl Into<Keep>,
        cancel: &Cancel,
    ) -> Result<Analysed> {
        let sources: Vec<Source<'_>> = texts.iter().map(|&text| Source::Text(text)).collect();
        self.analyse_sources(&sources, languages, spans, None, cancel)
    }

    /// The same, of texts wherever they are, some of which may have been split `ahead`.
    pub fn analyse_sources(
        &self,
        texts: &[Source<'_>],
        languages: &[Option<Language>],
        spans: impl Into<Keep>,
        ahead: Option<&Ahead>,
        cancel: &Cancel,
    ) -> Result<Analysed> {
        let keep = spans.into();
        if texts.len() != languages.len() {
            let message = format!("{} texts but {} languages", texts.len(), languages.len());
            return Err(Error::Parameter(message));
        }
        if texts.iter().map(|text| text.len()).sum::<usize>() > u32::MAX as usize {
            let message = "texts must have less than 4 GiB together; analyse them in batches";
            return Err(Error::Parameter(message.into()));
        }
        let vocabulary = snapshot(&self.vocabulary);
        let memory = self.memory.as_ref().map(snapshot);
        let chunks = chunk_ranges(texts)
            .into_par_iter()
            .map_init(String::new, |room, range| {
                let mut chunk = Chunk::new(&vocabulary, memory.as_deref(), ahead, keep);
                chunk.analyse(&texts[range.clone()], &languages[range], room, cancel)?;
                chunk.finish(cancel)
            })
            .collect::<Result<Vec<_>>>()?;
        let (parts, new): (Vec<Part>, Vec<NewWords>) = chunks.into_iter().unzip();
        drop((vocabulary, memory));
        let numbers = self.intern(&new);
        self.remember(&new);
        Ok(self.assemble(parts, &numbers, keep))
    }

    /// For each chunk, the numbers its new words get in the vocabulary.
    fn intern(&self, new: &[NewWords]) -> Vec<Vec<u32>> {
        if new.iter().all(|new| new.len() == 0) {
            return vec![Vec::new(); new.len()];
        }
        let mut shared = self.vocabulary.write().expect("no panic while the lock is held");
        // Copied only while somebody else is at work with a snapshot of it.
        let vocabulary = Arc::make_mut(&mut shared);
        new.iter().map(|new| vocabulary.intern_all(new)).collect()
    }

    /// Leave new words where others look for their terms.
    fn remember(&self, new: &[NewWords]) {
        let Some(memory) = &self.memory else { return };
        let mut shared = memory.write().expect("no panic while the lock is held");
        if shared.words().len() < REMEMBERED {
            let vocabulary = Arc::make_mut(&mut shared);
            for new in new {
                vocabulary.intern_all(new);
            }
        }
    }

    fn assemble(&self, parts: Vec<Part>, numbers: &[Vec<u32>], keep: Keep) -> Analysed {
        let mut analysed = Analysed {
            vocabulary: Arc::clone(&self.vocabulary),
            words: renumbered(&parts, numbers),
            sentence_ends: Vec::with_capacity(parts.iter().map(|p| p.sentence_ends.len()).sum()),
            opens_paragraph: Vec::new(),
            document_ends: Vec::new(),
            languages: Vec::new(),
            text_hashes: Vec::new(),
            characters: 0,
            spans: (keep != Keep::Nothing).then(Spans::default),
        };
        let mut words = 0;
        for part in parts {
            let sentences = analysed.sentence_ends.len() as u32;
            analysed.sentence_ends.extend(part.sentence_ends.iter().map(|end| words + end));
            words += part.words.len() as u32;
            analysed.opens_paragraph.extend(part.opens_paragraph);
            analysed.document_ends.extend(part.document_ends.iter().map(|end| sentences + end));
            analysed.languages.extend(part.languages);
            analysed.text_hashes.extend(part.text_hashes);
            analysed.characters += part.characters;
            if let Some(spans) = &mut analysed.spans {
                spans.sentences.extend(part.spans.sentences);
                spans.words.extend(part.spans.words);
                spans.texts.extend(part.spans.texts);
                spans.quoted.extend(part.spans.quoted);
            }
        }
        analysed
    }
}

/// The words of all parts, by their numbers in the vocabulary.
fn renumbered(parts: &[Part], numbers: &[Vec<u32>]) -> Vec<u32> {
    let mut words = vec![0; parts.iter().map(|part| part.words.len()).sum()];
    let places = pieces(&mut words, parts.iter().map(|part| part.words.len()));
    places.into_par_iter().zip(parts).zip(numbers).for_each(|((place, part), numbers)| {
        for (number, &word) in place.iter_mut().zip(&part.words) {
            *number = if word < NEW { word } else { numbers[(word - NEW) as usize] };
        }
    });
    words
}

/// Consecutive texts with about `CHUNK` bytes together.
fn chunk_ranges(texts: &[Source<'_>]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (n, text) in texts.iter().enumerate() {
        bytes += text.len();
        if bytes >= CHUNK {
            ranges.push(start..n + 1);
            (start, bytes) = (n + 1, 0);
        }
    }
    if start < texts.len() {
        ranges.push(start..texts.len());
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn analyse(texts: &[&str], spans: bool) -> Analysed {
        let languages = vec![Some(Language::from_code("en")); texts.len()];
        Analyser::new(Profile::default())
            .analyse(texts, &languages, spans, &Cancel::default())
            .expect("nothing cancels")
    }

    fn terms(analysed: &Analysed, document: usize) -> Vec<Vec<String>> {
        let vocabulary = snapshot(&analysed.vocabulary);
        let term = |&w: &u32| vocabulary.term(vocabulary.word(w).term).to_owned();
        analysed
            .sentences_of(document)
            .map(|s| analysed.words[analysed.words_of(s)].iter().map(term).collect())
            .collect()
    }

    #[test]
    fn a_text_becomes_sentences_of_terms() {
        let analysed = analyse(&["Cats ran. Dogs are running!", "", "*** \n\n Cats."], false);
        assert_eq!(terms(&analysed, 0), [vec!["cat", "ran"], vec!["dog", "are", "run"]]);
        assert_eq!(terms(&analysed, 1), Vec::<Vec<String>>::new());
        assert_eq!(terms(&analysed, 2), [vec!["cat"]]);
        assert_eq!(analysed.words[0], analysed.words[analysed.words.len() - 1]);
    }

    #[test]
    fn a_blank_line_ends_a_paragraph() {
        let analysed =
            analyse(&["One. Two.\nThree.\n\nFour. Five.\n \n***\nSix.", "Seven."], false);
        assert_eq!(analysed.opens_paragraph, [true, false, false, true, false, true, true]);
    }

    #[test]
    fn results_do_not_depend_on_chunks() {
        let long = "Some words that repeat, and some that do not. ".repeat(20_000);
        let texts: Vec<&str> = vec![&long, "Some words.", &long, "Other things."];
        let together = analyse(&texts, false);
        for (n, text) in texts.iter().enumerate() {
            assert_eq!(terms(&together, n), terms(&analyse(&[text], false), 0));
        }
    }

    #[test]
    fn what_is_remembered_makes_no_difference() {
        let known = Analyser::new(Profile::default());
        let languages = [Some(Language::from_code("en"))];
        for text in ["Cats were running.", "Cats run, dogs ran.", "The DOGS!"] {
            let found = known.beside().analyse(&[text], &languages, false, &Cancel::default());
            let (found, alone) = (found.expect("nothing cancels"), analyse(&[text], false));
            assert_eq!((terms(&found, 0), &found.words), (terms(&alone, 0), &alone.words));
        }
        assert_eq!(snapshot(known.vocabulary()).find_term("dog"), Some(3));
    }

    #[test]
    fn cancelling_stops() {
        let cancel = Cancel::default();
        cancel.cancel();
        let result = Analyser::new(Profile::default()).analyse(&["a"], &[None], false, &cancel);
        assert_eq!(result.err(), Some(Error::Cancelled));
    }

    proptest! {
        #[test]
        fn spans_point_at_the_words(text in "\\PC{0,120}|[a-zéğ长ก .!?\n'’-]{0,120}") {
            let analysed = analyse(&[&text], true);
            let chars: Vec<char> = text.chars().collect();
            let spans = analysed.spans.as_ref().expect("asked for");
            prop_assert_eq!(spans.words.len(), analysed.words.len());
            prop_assert_eq!(spans.sentences.len(), analysed.sentence_ends.len());
            let mut rebuilt = Analyser::new(Profile::default());
            rebuilt.vocabulary = Arc::clone(&analysed.vocabulary);
            for (n, &(start, end)) in spans.words.iter().enumerate() {
                let surface: String = chars[start as usize..end as usize].iter().collect();
                let mut shared = rebuilt.vocabulary.write().expect("a lock");
                let number = Arc::make_mut(&mut shared).intern(Language::from_code("en"), &surface);
                prop_assert_eq!(number, analysed.words[n]);
            }
            for s in 0..spans.sentences.len() {
                let (start, end) = spans.sentences[s];
                for w in analysed.words_of(s) {
                    prop_assert!(start <= spans.words[w].0 && spans.words[w].1 <= end);
                }
            }
        }
    }
}
