//! Two documents and what their words weigh.

use std::ops::Range;

use super::document::Document;
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
        let across = |stem: usize| match self.weights.partners[0][stem] {
            NONE => 0.0,
            partner => b[partner as usize],
        };
        let dot: f64 =
            a.iter().enumerate().filter(|(_, x)| **x > 0.0).map(|(s, x)| x * across(s)).sum();
        let length = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>();
        let product = (length(&a) * length(&b)).sqrt();
        if product > 0.0 { (dot / product).min(1.0) } else { 0.0 }
    }

    fn summed(&self, side: Side, sentences: &Range<usize>) -> Vec<f64> {
        let document = self.document(side);
        let mut sums = vec![0.0; document.stems.len()];
        for n in sentences.clone() {
            for term in document.terms_of(n) {
                sums[term.stem as usize] += term.damped * self.weights_of(side)[term.stem as usize];
            }
        }
        sums
    }
}
