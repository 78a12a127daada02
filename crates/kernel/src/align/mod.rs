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
pub mod quotations;
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
use content::{gram_share, likeness_share, vocabulary_share, window_share};
use document::Document;
use pair::{Pair, Side};
use seeds::likeness;

pub use kinds::Kind;
pub use parameters::Parameters;
pub use passages::{Passage, passages};

/// Below this cosine two sentences have nothing in common.
const FLOOR: f64 = 0.2;

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
    /// The shares of left in right, and of right in left.
    pub shares: [Vec<f64>; 2],
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
            cancel.check()?;
            Ok(Document::new(analysed, spans, &vocabulary, n, text, boilerplate, parameters))
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
    let mut found = Vec::new();
    let union;
    let mut rights: Vec<&Document> = request.right.iter().map(|n| &documents[*n]).collect();
    let mut pair = None;
    for (place, right) in rights.iter().enumerate() {
        let one = Pair::new(left, right);
        let alike = likeness(left, right, &one.weights, FLOOR, cancel)?;
        let passages = passages(&one, &alike.seeds, parameters);
        found.extend(passages.into_iter().map(|passage| (place, passage)));
        pair = Some((one, alike));
    }
    let (pair, alike) = match pair {
        Some(pair) if rights.len() == 1 => pair,
        _ => {
            union = Document::union(&rights);
            rights = vec![&union];
            let pair = Pair::new(left, rights[0]);
            let alike = likeness(left, rights[0], &pair.weights, FLOOR, cancel)?;
            (pair, alike)
        }
    };
    let shares = |side: Side| -> Result<Vec<f64>> {
        Ok(vec![
            likeness_share(&pair, side, &alike.best[side as usize]),
            window_share(&pair, side, parameters.window, cancel)?,
            vocabulary_share(&pair, side),
            gram_share(&pair, side, 3),
            gram_share(&pair, side, 5),
        ])
    };
    let shares = [shares(Side::Left)?, shares(Side::Right)?];
    Ok(Alignment { passages: found, shares })
}
