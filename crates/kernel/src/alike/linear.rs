//! Learning what each measure is worth: ridge regression, and logistic regression by Newton's steps.
//!
//! Measures are brought to mean 0 and variance 1 first, so that the penalty is fair to all.

use rayon::prelude::*;

use crate::cancel::Cancel;
use crate::error::{Error, Result};

/// A weighted sum of measures.
#[derive(Debug, Clone, PartialEq)]
pub struct Linear {
    /// What each measure is worth.
    pub weights: Vec<f64>,
    /// What is added to the sum.
    pub bias: f64,
}

/// Steps after which logistic regression has long settled.
const MOST_STEPS: usize = 50;

impl Linear {
    /// The value of a row of measures.
    pub fn value(&self, row: &[f64]) -> f64 {
        self.bias + self.weights.iter().zip(row).map(|(weight, x)| weight * x).sum::<f64>()
    }
}

/// Learn to tell grades: the least squares, and `penalty` times the squared weights.
pub fn ridge(rows: &[f64], grades: &[f64], penalty: f64, cancel: &Cancel) -> Result<Linear> {
    let scaled = Scaled::new(rows, grades.len())?;
    let solved = scaled.solve(grades, &vec![1.0; grades.len()], penalty)?;
    cancel.check()?;
    Ok(scaled.unscaled(&solved))
}

/// Learn to tell yes (1) from no (0): the value is the logarithm of the odds.
pub fn logistic(rows: &[f64], labels: &[f64], penalty: f64, cancel: &Cancel) -> Result<Linear> {
    if labels.iter().any(|&label| label != 0.0 && label != 1.0) {
        return Err(Error::Parameter("labels must be 0 or 1".into()));
    }
    let scaled = Scaled::new(rows, labels.len())?;
    let mut solved = vec![0.0; scaled.width + 1];
    for _ in 0..MOST_STEPS {
        cancel.check()?;
        let values: Vec<f64> = (0..labels.len()).map(|n| scaled.value(n, &solved)).collect();
        // The least squares that one Newton step is.
        let chance: Vec<f64> = values.iter().map(|v| 1.0 / (1.0 + (-v).exp())).collect();
        let weights: Vec<f64> = chance.iter().map(|p| (p * (1.0 - p)).max(1e-6)).collect();
        let targets: Vec<f64> =
            (0..labels.len()).map(|n| values[n] + (labels[n] - chance[n]) / weights[n]).collect();
        let next = scaled.solve(&targets, &weights, penalty)?;
        let moved = next.iter().zip(&solved).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        solved = next;
        if moved < 1e-9 {
            break;
        }
    }
    Ok(scaled.unscaled(&solved))
}

/// Rows of measures with mean 0 and variance 1; one that never changes stays 0.
struct Scaled {
    width: usize,
    rows: Vec<f64>,
    means: Vec<f64>,
    spreads: Vec<f64>,
}

impl Scaled {
    fn new(rows: &[f64], n: usize) -> Result<Self> {
        if n == 0 || rows.is_empty() || !rows.len().is_multiple_of(n) {
            let message = format!("{n} labels do not fit {} measures", rows.len());
            return Err(Error::Parameter(message));
        }
        if !rows.iter().all(|x| x.is_finite()) {
            return Err(Error::Parameter("measures must be finite numbers".into()));
        }
        let width = rows.len() / n;
        let column = |k: usize| rows.iter().skip(k).step_by(width);
        let means: Vec<f64> = (0..width).map(|k| column(k).sum::<f64>() / n as f64).collect();
        let spread = |k: usize| {
            let sum: f64 = column(k).map(|x| (x - means[k]).powi(2)).sum();
            (sum / n as f64).sqrt()
        };
        let spreads: Vec<f64> = (0..width).map(spread).collect();
        let scale = |(at, x): (usize, &f64)| {
            let k = at % width;
            if spreads[k] > 1e-12 { (x - means[k]) / spreads[k] } else { 0.0 }
        };
        let rows = rows.iter().enumerate().map(scale).collect();
        Ok(Self { width, rows, means, spreads })
    }

    /// The measure `k` of row `n`; the one behind the last is always 1.
    fn at(&self, n: usize, k: usize) -> f64 {
        if k == self.width { 1.0 } else { self.rows[n * self.width + k] }
    }

    fn value(&self, n: usize, solved: &[f64]) -> f64 {
        (0..=self.width).map(|k| solved[k] * self.at(n, k)).sum()
    }

    /// The weights, the bias last, with the least weighted squares.
    fn solve(&self, targets: &[f64], weights: &[f64], penalty: f64) -> Result<Vec<f64>> {
        let size = self.width + 1;
        let row = |i: usize| {
            let mut sums = vec![0.0; size + 1];
            for (n, (&target, &weight)) in targets.iter().zip(weights).enumerate() {
                let own = weight * self.at(n, i);
                (i..size).for_each(|k| sums[k] += own * self.at(n, k));
                sums[size] += own * target;
            }
            // The bias is not punished; a hair keeps measures that never change solvable.
            sums[i] += if i < self.width { penalty.max(1e-9) } else { 1e-9 };
            sums
        };
        // Each row is summed in one order, whatever the number of threads.
        let rows: Vec<Vec<f64>> = (0..size).into_par_iter().map(row).collect();
        cholesky(&rows).ok_or_else(|| {
            Error::Parameter("the measures cannot be told apart; raise the penalty".into())
        })
    }

    fn unscaled(&self, solved: &[f64]) -> Linear {
        let weight =
            |k: usize| if self.spreads[k] > 1e-12 { solved[k] / self.spreads[k] } else { 0.0 };
        let weights: Vec<f64> = (0..self.width).map(weight).collect();
        let shift: f64 = weights.iter().zip(&self.means).map(|(w, mean)| w * mean).sum();
        Linear { weights, bias: solved[self.width] - shift }
    }
}

/// Solve equations given by the upper half of a symmetric matrix, the right side behind it.
fn cholesky(rows: &[Vec<f64>]) -> Option<Vec<f64>> {
    let size = rows.len();
    let mut lower = vec![vec![0.0; size]; size];
    for i in 0..size {
        for k in 0..=i {
            let sum: f64 = (0..k).map(|j| lower[i][j] * lower[k][j]).sum();
            let rest = rows[k][i] - sum;
            if i == k && rest <= 0.0 {
                return None;
            }
            lower[i][k] = if i == k { rest.sqrt() } else { rest / lower[k][k] };
        }
    }
    let mut half = vec![0.0; size];
    for i in 0..size {
        let sum: f64 = (0..i).map(|j| lower[i][j] * half[j]).sum();
        half[i] = (rows[i][size] - sum) / lower[i][i];
    }
    let mut solved = vec![0.0; size];
    for i in (0..size).rev() {
        let sum: f64 = (i + 1..size).map(|j| lower[j][i] * solved[j]).sum();
        solved[i] = (half[i] - sum) / lower[i][i];
    }
    Some(solved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_found_again() {
        let rows: Vec<f64> =
            (0..60).flat_map(|n| [f64::from(n % 7), f64::from(n % 11), 4.0]).collect();
        let grades: Vec<f64> =
            rows.chunks(3).map(|row| 2.0 * row[0] - 0.5 * row[1] + 3.0).collect();
        let found = ridge(&rows, &grades, 0.0, &Cancel::default()).expect("solvable");
        assert!((found.weights[0] - 2.0).abs() < 1e-6 && (found.weights[1] + 0.5).abs() < 1e-6);
        assert_eq!(found.weights[2], 0.0);
        assert!((found.value(&[1.0, 2.0, 4.0]) - 4.0).abs() < 1e-6);
        let punished = ridge(&rows, &grades, 1e6, &Cancel::default()).expect("solvable");
        assert!(punished.weights[0].abs() < 0.01);
    }

    #[test]
    fn the_odds_of_yes_are_found_again() {
        // Of the rows with 1, three of four are yes; of those with 0, one of four.
        let rows: Vec<f64> = (0..80).map(|n| f64::from(n / 40)).collect();
        let labels: Vec<f64> =
            (0..80).map(|n| f64::from(u8::from((n % 4 == 0) != (n >= 40)))).collect();
        let found = logistic(&rows, &labels, 0.0, &Cancel::default()).expect("solvable");
        assert!((found.value(&[1.0]) - 3.0_f64.ln()).abs() < 1e-6);
        assert!((found.value(&[0.0]) + 3.0_f64.ln()).abs() < 1e-6);
    }

    #[test]
    fn what_cannot_be_learned_from_is_refused() {
        let cancel = Cancel::default();
        assert!(ridge(&[1.0, 2.0, 3.0], &[1.0, 2.0], 1.0, &cancel).is_err());
        assert!(ridge(&[f64::NAN], &[1.0], 1.0, &cancel).is_err());
        assert!(logistic(&[1.0, 2.0], &[0.5, 1.0], 1.0, &cancel).is_err());
    }
}
