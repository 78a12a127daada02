//! Analysis: texts in, sentences of terms out.

use kernel::text::{self, Joiner, Keep, Language, Profile, Stem, detect};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyString;

use crate::documents::{Documents, Text};
use crate::enter::{ParameterError, enter};
use crate::memory::ahead;

/// Turns texts into sentences of terms, each distinct word once.
#[pyclass(frozen, module = "twicetold._kernel")]
pub struct Analyser(text::Analyser);

impl Analyser {
    /// How it turns words into terms.
    pub fn profile_of(&self) -> &Profile {
        self.0.profile()
    }
}

#[pymethods]
impl Analyser {
    #[new]
    #[pyo3(signature = (*, drop_stop_words, drop_numbers, stem, joiner, min_length, longest = None))]
    fn new(
        drop_stop_words: bool,
        drop_numbers: bool,
        stem: &str,
        joiner: &str,
        min_length: usize,
        longest: Option<usize>,
    ) -> PyResult<Self> {
        let stem = match stem {
            "none" => Stem::None,
            "first5" => Stem::First5,
            "snowball" => Stem::Snowball,
            _ => return Err(unknown("stem", stem, "none, first5 or snowball")),
        };
        let joiner = match joiner {
            "keep" => Joiner::Keep,
            "split" => Joiner::Split,
            "delete" => Joiner::Delete,
            _ => return Err(unknown("joiner", joiner, "keep, split or delete")),
        };
        let profile = Profile { drop_stop_words, drop_numbers, stem, joiner, min_length, longest };
        Ok(Self(text::Analyser::new(profile)))
    }

    /// An analyser of single texts that has the terms of words from this one.
    fn beside(&self) -> Self {
        Self(self.0.beside())
    }

    /// An analyser that knows the words of these documents and no others.
    fn renewed(&self, py: Python<'_>, analysed: &Analysed) -> PyResult<Self> {
        enter(py, 1, |_| Ok(self.0.renewed(&analysed.0))).map(Self)
    }

    /// The canonical form of the profile.
    #[getter]
    fn profile(&self) -> String {
        self.0.profile().to_string()
    }

    #[pyo3(signature = (texts, languages, *, spans = false, threads = 0))]
    fn analyse(
        &self,
        py: Python<'_>,
        texts: Vec<Bound<'_, PyString>>,
        languages: Vec<Option<PyBackedStr>>,
        spans: bool,
        threads: usize,
    ) -> PyResult<Analysed> {
        let texts = texts.iter().map(Text::new).collect::<PyResult<Vec<_>>>()?;
        let languages: Vec<Option<Language>> =
            languages.iter().map(|l| l.as_ref().map(|code| Language::from_code(code))).collect();
        enter(py, threads, |cancel| {
            let texts: Vec<&str> = texts.iter().map(Text::as_str).collect();
            self.0.analyse(&texts, &languages, spans, cancel)
        })
        .map(Analysed)
    }

    /// Analyse a batch of documents; `language` is that of all of them if it is given. `spans` are
    /// those of sentences only.
    #[pyo3(signature = (documents, *, language = None, spans = false, threads = 0))]
    fn analyse_documents(
        &self,
        py: Python<'_>,
        documents: &Documents,
        language: Option<&str>,
        spans: bool,
        threads: usize,
    ) -> PyResult<Analysed> {
        let (mut texts, mut languages) = (Vec::new(), Vec::new());
        for document in documents.iter() {
            texts.push(documents.source(document));
            let code = language.or(document.language.as_deref());
            languages.push(code.filter(|code| !code.is_empty()).map(Language::from_code));
        }
        let keep = if spans { Keep::Sentences } else { Keep::Nothing };
        let analyser = &self.0;
        enter(py, threads, |cancel| {
            analyser.analyse_sources(&texts, &languages, keep, ahead(), cancel)
        })
        .map(Analysed)
    }
}

fn unknown(name: &str, given: &str, wanted: &str) -> PyErr {
    ParameterError::new_err(format!("{name} must be {wanted}, got {given:?}"))
}

/// Documents as sentences of terms.
#[pyclass(frozen, module = "twicetold._kernel")]
pub struct Analysed(pub text::Analysed);

type Span = (u32, u32);
type WordRow = (Span, String, bool, bool);

impl Analysed {
    fn spans_of(&self, document: usize) -> PyResult<&text::analyse::Spans> {
        let n = self.0.n_documents();
        let spans = self.0.spans.as_ref().filter(|_| self.has_spans() && document < n);
        spans.ok_or_else(|| {
            let message = format!("needs spans and a document below {n}, got {document}");
            ParameterError::new_err(message)
        })
    }
}

#[pymethods]
impl Analysed {
    #[getter]
    fn n_documents(&self) -> usize {
        self.0.n_documents()
    }

    #[getter]
    fn n_sentences(&self) -> usize {
        self.0.sentence_ends.len()
    }

    #[getter]
    fn n_words(&self) -> usize {
        self.0.words.len()
    }

    /// How many code points the texts have together.
    #[getter]
    fn characters(&self) -> usize {
        self.0.characters
    }

    #[getter]
    fn has_spans(&self) -> bool {
        self.0.spans.as_ref().is_some_and(|spans| spans.words.len() == self.0.words.len())
    }

    /// The code of each document's language.
    #[getter]
    fn languages(&self) -> Vec<&'static str> {
        self.0.languages.iter().map(|l| l.code()).collect()
    }

    /// What stands for each text: equal texts, equal numbers.
    #[getter]
    fn text_hashes(&self) -> Vec<u128> {
        self.0.text_hashes.clone()
    }

    /// Where the sentences of a document are.
    fn sentence_spans(&self, document: usize) -> PyResult<Vec<Span>> {
        let spans = self.spans_of(document)?;
        Ok(self.0.sentences_of(document).map(|s| spans.sentences[s]).collect())
    }

    /// A document's sentences: span, and for each word span, term, stop word or not, dropped or not.
    fn sentences(&self, document: usize) -> PyResult<Vec<(Span, Vec<WordRow>)>> {
        let (analysed, spans) = (&self.0, self.spans_of(document)?);
        let vocabulary = analysed.vocabulary.read().expect("no panic while the lock is held");
        let row = |at: usize| {
            let word = vocabulary.word(analysed.words[at]);
            let term = vocabulary.term(word.term).to_owned();
            (spans.words[at], term, word.is_stop, word.is_dropped)
        };
        let sentence = |s: usize| (spans.sentences[s], analysed.words_of(s).map(row).collect());
        Ok(analysed.sentences_of(document).map(sentence).collect())
    }
}

/// The code of the language a text is in, `und` if it cannot be told.
#[pyfunction]
pub fn detect_language(text: &Bound<'_, PyString>) -> PyResult<&'static str> {
    Ok(detect::detect(Text::new(text)?.as_str()).code())
}

/// The codes of all known languages, with whether they have stop words and a stemmer.
#[pyfunction]
pub fn languages() -> Vec<(&'static str, bool, bool)> {
    Language::all().map(|l| (l.code(), !l.stop_words().is_empty(), l.stemmer().is_some())).collect()
}
