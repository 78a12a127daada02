//! Two logistic regressions: from quantities to probabilities.

use super::quantities::{Direction, PairQuantities, RELATED_NAMES, TAKEN_NAMES};
use crate::error::{Error, Result};

/// The number of quantities of each.
pub const N_RELATED: usize = RELATED_NAMES.len();
/// The same for *taken*.
pub const N_TAKEN: usize = TAKEN_NAMES.len();

/// Coefficients of a logistic regression.
#[derive(Debug, Clone, PartialEq)]
pub struct Regression<const N: usize> {
    /// What is added to the sum.
    pub bias: f64,
    /// What each quantity is multiplied by.
    pub weights: [f64; N],
    /// What stands for a quantity that is not known.
    pub unknown: [f64; N],
}

impl<const N: usize> Regression<N> {
    /// A regression with these coefficients; an error if there are too few, or not numbers.
    pub fn new(bias: f64, weights: &[f64], unknown: &[f64]) -> Result<Self> {
        let numbers = |values: &[f64]| -> Result<[f64; N]> {
            let all: [f64; N] = values.try_into().map_err(|_| {
                Error::Parameter(format!("a decision has {N} coefficients, got {}", values.len()))
            })?;
            if all.iter().all(|value| value.is_finite()) {
                return Ok(all);
            }
            Err(Error::Parameter("coefficients of a decision must be finite".into()))
        };
        if !bias.is_finite() {
            return Err(Error::Parameter("coefficients of a decision must be finite".into()));
        }
        Ok(Self { bias, weights: numbers(weights)?, unknown: numbers(unknown)? })
    }

    /// The probability of these quantities; NaN stands for what is not known.
    pub fn probability(&self, quantities: &[f64; N]) -> f64 {
        let mut sum = self.bias;
        for ((&quantity, weight), unknown) in
            quantities.iter().zip(&self.weights).zip(&self.unknown)
        {
            sum += weight * if quantity.is_nan() { *unknown } else { quantity };
        }
        1.0 / (1.0 + (-sum.clamp(-50.0, 50.0)).exp())
    }
}

/// What turns the quantities of a pair into probabilities.
#[derive(Debug, Clone, PartialEq)]
pub struct DecisionModel {
    /// Whether one document is told in the other.
    pub related: Regression<N_RELATED>,
    /// Whether text was taken.
    pub taken: Regression<N_TAKEN>,
}

impl DecisionModel {
    /// The probabilities of a pair: left is told in right, right in left, text was taken. The last
    /// is never below the others.
    pub fn probabilities(&self, sides: &[Direction; 2], pair: &PairQuantities) -> [f64; 3] {
        let [left, right] =
            [&sides[0], &sides[1]].map(|side| self.related.probability(&side.values()));
        let taken = self.taken.probability(&pair.values());
        [left, right, taken.max(left).max(right)]
    }
}
