//! Units that may match, met and checked on the spot: the candidates are never kept.

use rayon::prelude::*;

use super::met::Met;
use super::scope::Wanted;
use super::verify::Verify;
use crate::cancel::Cancel;
use crate::error::Result;

/// Finds the stored units that may match one that asks.
pub trait Search: Sync {
    /// Meet every stored unit that may match; one may come several times.
    fn look_up(&self, probe: usize, met: &mut Met);
}

/// A unit that asked, one that was stored, and what they have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Match {
    /// The unit that asked.
    pub probe: u32,
    /// The unit it found.
    pub store: u32,
    /// What the check gave.
    pub score: f64,
}

/// Every match among so many units, in the order of those that ask, then of those found; and how
/// many checks were made. `only_earlier`: what is met from both sides is checked from one. Only pairs that
/// are `wanted` are.
pub fn matches(
    n_units: usize,
    search: &dyn Search,
    verify: &dyn Verify,
    only_earlier: bool,
    wanted: &Wanted,
    cancel: &Cancel,
) -> Result<(Vec<Match>, u64)> {
    let all: Vec<u32> = (0..n_units as u32).collect();
    let parts = all
        .par_chunks(64)
        .map_init(
            || (Met::new(n_units), verify.checker()),
            |(met, check), part| {
                let (mut found, mut checked) = (Vec::new(), 0);
                for &probe in part {
                    cancel.check()?;
                    met.start(probe);
                    search.look_up(probe as usize, met);
                    if only_earlier {
                        met.units.retain(|&store| store < probe);
                    }
                    met.units.retain(|&store| wanted.has(probe, store));
                    checked += met.units.len() as u64;
                    let before = found.len();
                    found.extend(met.units.iter().filter_map(|&store| {
                        let score = check(probe as usize, store as usize)?;
                        Some(Match { probe, store, score })
                    }));
                    found[before..].sort_unstable_by_key(|m: &Match| m.store);
                }
                Ok((found, checked))
            },
        )
        .collect::<Result<Vec<_>>>()?;
    let checked = parts.iter().map(|(_, checked)| checked).sum();
    Ok((parts.into_iter().flat_map(|(found, _)| found).collect(), checked))
}
