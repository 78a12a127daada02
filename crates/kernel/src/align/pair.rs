//! Two documents and what their words weigh.

use std::ops::Range;

use super::document::{Document, Term};
use super::weights::{NONE, Weights};

/// One of the two documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The first.
    Left = 0,
    /// The second.
    Right = 1,
}

impl Side {
    /// The side across.
    pub fn other(self) -> Self {
        if self == Self::Left { Self::Right } else { Self::Left }
    }
}

/// Two documents.
#[derive(Debug)]
pub struct Pair<'d> {
    /// The first.
    pub left: &'d Document,
    /// The second.
    pub right: &'d Document,
    /// What their stems weigh.
    pub weights: Weights,
}

impl<'d> Pair<'d> {
    /// Weigh two documents.
    pub fn new(left: &'d Document, right: &'d Document) -> Self {
        Self { left, right, weights: Weights::new(left, right) }
    }

    /// The document on a side.
    pub fn document(&self, side: Side) -> &'d Document {
        if side == Side::Left { self.left } else { self.right }
    }

    /// The weights of a side's stems.
    pub fn weights_of(&self, side: Side) -> &[f64] {
        &self.weights.sides[side as usize]
    }

    /// The numbers a side's stems have across.
    pub fn partners_of(&self, side: Side) -> &[u32] {
        &self.weights.partners[side as usize]
    }

    /// The cosine of sentences taken together on both sides.
    pub fn block_cosine(&self, left: &Range<usize>, right: &Range<usize>) -> f64 {
        let a = self.summed(Side::Left, left);
        let b = self.summed(Side::Right, right);
        let across = |stem: u32| match self.weights.partners[0][stem as usize] {
            NONE => 0.0,
            partner => b.binary_search_by_key(&partner, |sum| sum.0).map_or(0.0, |at| b[at].1),
        };
        let dot: f64 = a.iter().filter(|sum| sum.1 > 0.0).map(|&(s, x)| x * across(s)).sum();
        let length = |v: &[(u32, f64)]| v.iter().map(|(_, x)| x * x).sum::<f64>();
        let product = (length(&a) * length(&b)).sqrt();
        if product > 0.0 { (dot / product).min(1.0) } else { 0.0 }
    }

    /// The stems of some sentences, sorted, with their weights added up in the order of sentences.
    fn summed(&self, side: Side, sentences: &Range<usize>) -> Vec<(u32, f64)> {
        let document = self.document(side);
        let weights = self.weights_of(side);
        let weigh = |term: &Term| (term.stem, term.damped * weights[term.stem as usize]);
        let terms = sentences.clone().flat_map(|n| document.terms_of(n));
        let mut all: Vec<(u32, f64)> = terms.map(weigh).collect();
        all.sort_by_key(|term| term.0);
        let mut sums: Vec<(u32, f64)> = Vec::new();
        for (stem, weight) in all {
            match sums.last_mut() {
                Some(last) if last.0 == stem => last.1 += weight,
                _ => sums.push((stem, weight)),
            }
        }
        sums
    }
}
