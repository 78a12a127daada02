//! The decision about many pairs, in a cascade: a pair whose probabilities cannot reach a limit any
//! more ends where that is known.

use rayon::prelude::*;

use super::document::DecisionText;
use super::frequencies::FormFrequencies;
use super::model::DecisionModel;
use super::quantities::{Direction, PairQuantities};
use super::sets::Comparison;
use super::texts::CollectionTexts;
use super::{alignment, sentences};
use crate::cancel::Cancel;
use crate::error::Result;

/// So many words are prepared at a time: about 55 bytes each.
const WORDS_AT_A_TIME: usize = 1 << 20;

/// How far the measuring of a pair went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Stage {
    /// The same words in the same order.
    Equal,
    /// Sets of keys were enough.
    Sets,
    /// Alignment was enough.
    Alignment,
    /// Everything was measured.
    Sentences,
}

/// What the decision says of a pair.
#[derive(Debug, Clone, Copy)]
pub struct Judgement {
    /// The probability that left is told in right.
    pub left: f64,
    /// The probability that right is told in left.
    pub right: f64,
    /// The probability that text was taken.
    pub taken: f64,
    /// How far the measuring went: before the last stage probabilities are upper bounds.
    pub stage: Stage,
    /// What was measured of each direction.
    pub sides: [Direction; 2],
    /// What was measured of the pair.
    pub pair: PairQuantities,
}

/// How pairs are judged.
#[derive(Debug, Clone, Copy)]
pub struct JudgeOptions<'a> {
    /// The coefficients.
    pub model: &'a DecisionModel,
    /// The frequencies of forms.
    pub forms: &'a FormFrequencies,
    /// A pair none of whose probabilities can reach this is not measured further.
    pub least: f64,
}

/// Judge one pair of prepared documents.
pub fn judge_pair(
    left: &DecisionText,
    right: &DecisionText,
    options: &JudgeOptions<'_>,
) -> Judgement {
    if left.words == right.words {
        let (sides, pair) = Default::default();
        return Judgement { left: 1.0, right: 1.0, taken: 1.0, stage: Stage::Equal, sides, pair };
    }
    let is_turned = left.len() > right.len();
    let comparison =
        if is_turned { Comparison::new(right, left) } else { Comparison::new(left, right) };
    let (mut sides, mut pair) = comparison.measure(options.forms);
    let is_whole = pair.matched as usize == comparison.x.len() && alignment::is_whole(&comparison);
    let is_over = |sides: &[Direction; 2], pair: &PairQuantities| {
        let found = options.model.probabilities(sides, pair);
        !is_whole && found.into_iter().all(|probability| probability < options.least)
    };
    let mut stage = Stage::Sets;
    if !is_over(&sides, &pair) {
        alignment::refine(&comparison, &mut sides, &mut pair);
        stage = Stage::Alignment;
        if !is_over(&sides, &pair) {
            sentences::refine(&comparison, &mut pair);
            stage = Stage::Sentences;
        }
    }
    let [mut x, y, mut taken] = options.model.probabilities(&sides, &pair);
    if is_whole {
        // Nothing of the shorter text is missing, and nothing was exchanged.
        (x, taken) = (1.0, 1.0);
    }
    if is_turned {
        sides.swap(0, 1);
        Judgement { left: y, right: x, taken, stage, sides, pair }
    } else {
        Judgement { left: x, right: y, taken, stage, sides, pair }
    }
}

/// Judge pairs of documents of a collection, in their order.
pub fn judge(
    texts: &CollectionTexts<'_>,
    pairs: &[(u32, u32)],
    options: &JudgeOptions<'_>,
    cancel: &Cancel,
) -> Result<Vec<Judgement>> {
    let order = by_component(pairs, texts.len());
    let mut found: Vec<Option<Judgement>> = vec![None; pairs.len()];
    let mut slots = vec![u32::MAX; texts.len()];
    let mut start = 0;
    while start < pairs.len() {
        let (end, documents) = batch(texts, pairs, &order[start..], &mut slots);
        let end = start + end;
        let prepared = documents
            .par_iter()
            .map(|&document| {
                cancel.check()?;
                Ok(DecisionText::new(texts.get(document as usize), options.forms))
            })
            .collect::<Result<Vec<_>>>()?;
        let of = |document: u32| &prepared[slots[document as usize] as usize];
        let judged = order[start..end]
            .par_iter()
            .map(|&pair| {
                cancel.check()?;
                let (left, right) = pairs[pair as usize];
                Ok(judge_pair(of(left), of(right), options))
            })
            .collect::<Result<Vec<_>>>()?;
        for (&pair, judged) in order[start..end].iter().zip(judged) {
            found[pair as usize] = Some(judged);
        }
        documents.iter().for_each(|&document| slots[document as usize] = u32::MAX);
        start = end;
    }
    Ok(found.into_iter().map(|judged| judged.expect("every pair is in the order")).collect())
}

/// The numbers of the pairs in an order in which documents that have to do with each other come
/// together: most are then prepared once.
fn by_component(pairs: &[(u32, u32)], documents: usize) -> Vec<u32> {
    let mut parents: Vec<u32> = (0..documents as u32).collect();
    fn root(parents: &mut [u32], mut document: u32) -> u32 {
        while parents[document as usize] != document {
            parents[document as usize] = parents[parents[document as usize] as usize];
            document = parents[document as usize];
        }
        document
    }
    for &(left, right) in pairs {
        let (a, b) = (root(&mut parents, left), root(&mut parents, right));
        parents[a.max(b) as usize] = a.min(b);
    }
    let mut order: Vec<(u32, (u32, u32), u32)> = (0..)
        .zip(pairs)
        .map(|(number, &pair)| (root(&mut parents, pair.0), pair, number))
        .collect();
    order.sort_unstable();
    order.into_iter().map(|row| row.2).collect()
}

/// The next pairs whose documents fit into memory together: where they end, and the documents,
/// whose places are written into `slots`.
fn batch(
    texts: &CollectionTexts<'_>,
    pairs: &[(u32, u32)],
    order: &[u32],
    slots: &mut [u32],
) -> (usize, Vec<u32>) {
    let (mut documents, mut words): (Vec<u32>, usize) = (Vec::new(), 0);
    for (n, &pair) in order.iter().enumerate() {
        let (left, right) = pairs[pair as usize];
        if words > WORDS_AT_A_TIME {
            return (n, documents);
        }
        for document in [left, right] {
            if slots[document as usize] == u32::MAX {
                slots[document as usize] = documents.len() as u32;
                documents.push(document);
                words += texts.words(document as usize);
            }
        }
    }
    (order.len(), documents)
}
