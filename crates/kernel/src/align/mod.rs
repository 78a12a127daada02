//! From two documents to passages, and to how much of each is in the other.
//!
//! [`document`] makes a document ready, once; [`pair`] weighs the words of two. Passages are exact
//! [`runs`], blocks ([`cluster`]) of sentences that are alike ([`seeds`]) with their ends moved to
//! where the evidence is ([`refine`], [`evidence`]), and [`summary`] blocks; [`kinds`] says what was
//! done to them. [`content`] measures shares, which do not depend on passages.

pub mod cluster;
pub mod content;
pub mod document;
pub mod evidence;
pub mod grams;
pub mod kinds;
pub mod pair;
pub mod parameters;
pub mod passages;
pub mod postings;
pub mod refine;
pub mod runs;
pub mod seeds;
pub mod sentences;
pub mod summary;
pub mod weights;

use rayon::prelude::*;

use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::text::Analysed;
use crate::text::vocabulary::snapshot;
use content::{Share, share};
use document::Document;
use pair::{Pair, Side};
use seeds::seeds;

pub use kinds::Kind;
pub use parameters::Parameters;
pub use passages::{Passage, passages};

/// Who is compared with whom: a document, and one or several that are taken together.
#[derive(Debug, Clone)]
pub struct Request {
    /// The number of the document.
    pub left: usize,
    /// The numbers of those it is compared with.
    pub right: Vec<usize>,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Alignment {
    /// The passages, each with the place of its document in `Request::right`.
    pub passages: Vec<(usize, Passage)>,
    /// How much of left is in right, and of right in left.
    pub shares: [Share; 2],
    /// The share of both that is retold in the other.
    pub resemblance: f64,
}

/// Make all documents of a batch ready.
pub fn prepare(
    analysed: &Analysed,
    texts: &[&str],
    boilerplate: Option<&[bool]>,
    parameters: &Parameters,
    cancel: &Cancel,
) -> Result<Vec<Document>> {
    let Some(spans) = &analysed.spans else {
        return Err(Error::Parameter("to align documents, analyse them with spans".into()));
    };
    if texts.len() != analysed.n_documents() {
        let message = format!("{} texts but {} documents", texts.len(), analysed.n_documents());
        return Err(Error::Parameter(message));
    }
    if boilerplate.is_some_and(|known| known.len() != analysed.sentence_ends.len()) {
        let n = analysed.sentence_ends.len();
        return Err(Error::Parameter(format!(
            "boilerplate wants a flag for each of {n} sentences"
        )));
    }
    let vocabulary = snapshot(&analysed.vocabulary);
    texts
        .par_iter()
        .enumerate()
        .map(|(n, text)| {
            let own = (analysed, spans);
            Document::new(own, &vocabulary, n, text, boilerplate, parameters, cancel)
        })
        .collect()
}

/// Align documents, on all cores.
pub fn align(
    documents: &[Document],
    requests: &[Request],
    parameters: &Parameters,
    cancel: &Cancel,
) -> Result<Vec<Alignment>> {
    requests.par_iter().map(|request| align_one(documents, request, parameters, cancel)).collect()
}

fn align_one(
    documents: &[Document],
    request: &Request,
    parameters: &Parameters,
    cancel: &Cancel,
) -> Result<Alignment> {
    let left = &documents[request.left];
    let rights: Vec<&Document> = request.right.iter().map(|n| &documents[*n]).collect();
    let floor = parameters.seed.min(parameters.summary_seed);
    let mut found = Vec::new();
    for (place, right) in rights.iter().enumerate() {
        let pair = Pair::new(left, right);
        let seeds = seeds(&pair, floor, cancel)?;
        let passages = passages(&pair, &seeds, parameters, cancel)?;
        found.extend(passages.into_iter().map(|passage| (place, passage)));
    }
    let union = (rights.len() != 1).then(|| Document::union(&rights, parameters.window));
    let pair = Pair::new(left, union.as_ref().unwrap_or_else(|| rights[0]));
    let left = share(&pair, Side::Left, parameters.window, cancel)?;
    let right = share(&pair, Side::Right, parameters.window, cancel)?;
    let weight = left.weight + right.weight;
    let retold = left.retold * left.weight + right.retold * right.weight;
    let resemblance = if weight > 0.0 { retold / weight } else { 0.0 };
    Ok(Alignment { passages: found, shares: [left, right], resemblance })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::text::{Analyser, Language, Profile};

    /// Texts made ready to be aligned.
    pub fn documents(texts: &[&str], parameters: &Parameters) -> Vec<Document> {
        let cancel = Cancel::default();
        let languages = vec![Some(Language::from_code("en")); texts.len()];
        let profile = Profile { drop_stop_words: false, ..Profile::default() };
        let analysed = Analyser::new(profile)
            .analyse(texts, &languages, true, &cancel)
            .expect("nothing cancels");
        prepare(&analysed, texts, None, parameters, &cancel).expect("it has spans")
    }

    /// Sentences of words as a text.
    pub fn text(sentences: &[Vec<String>]) -> String {
        sentences.iter().map(|words| words.join(" ")).collect::<Vec<_>>().join(".\n\n")
    }

    fn aligned(left: &str, right: &[&str]) -> Alignment {
        let parameters = Parameters::default();
        let texts: Vec<&str> = [left].into_iter().chain(right.iter().copied()).collect();
        let documents = documents(&texts, &parameters);
        let request = Request { left: 0, right: (1..texts.len()).collect() };
        align(&documents, &[request], &parameters, &Cancel::default()).expect("known").remove(0)
    }

    #[test]
    fn what_is_the_same_is_one_passage() {
        let text = "The dam broke. Ten people of the town are missing, and it rains.";
        let found = aligned(text, &[text]);
        let (_, passage) = &found.passages[0];
        assert_eq!((found.passages.len(), passage.kind), (1, Kind::Verbatim));
        assert_eq!((passage.left, passage.right), ((0, text.len() as u32), passage.left));
        assert_eq!((found.shares[0].retold, found.shares[1].content), (1.0, 1.0));
    }

    #[test]
    fn without_words_there_is_nothing() {
        for (left, right) in [("", "A dam broke."), ("A dam broke.", "***"), ("", "")] {
            let found = aligned(left, &[right]);
            assert!(found.passages.is_empty());
            assert_eq!(found.shares.map(|share| (share.retold, share.content)), [(0.0, 0.0); 2]);
        }
    }

    #[test]
    fn cancelling_stops() {
        let parameters = Parameters::default();
        let documents = documents(&["A dam broke.", "A dam broke."], &parameters);
        let cancel = Cancel::default();
        cancel.cancel();
        let request = Request { left: 0, right: vec![1] };
        assert_eq!(
            align(&documents, &[request], &parameters, &cancel).err(),
            Some(Error::Cancelled)
        );
    }

    #[test]
    fn every_long_loop_asks_whether_to_stop() {
        let parameters = Parameters::default();
        let sentence =
            |d: usize, k: usize| format!("The dam {} broke {} again {}.", k % 9, k + d, k * 7);
        let text = |d: usize| (0..900).map(|k| sentence(d, k)).collect::<Vec<_>>().join("\n\n");
        let documents = documents(&[&text(0), &text(3)], &parameters);
        let request = || [Request { left: 0, right: vec![1] }];
        let cancel = Cancel::after(u64::MAX);
        align(&documents, &request(), &parameters, &cancel).expect("not cancelled");
        // Seeds, and what of either is in the other: each 64 sentences.
        assert!(cancel.checks() >= 3 * 900 / 64, "{}", cancel.checks());
        for most in (0..cancel.checks()).step_by(cancel.checks() as usize / 6) {
            let stopped = align(&documents, &request(), &parameters, &Cancel::after(most));
            assert_eq!(stopped.err(), Some(Error::Cancelled));
        }
    }
}
