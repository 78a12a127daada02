//! The radius with which a sentence searches.

use super::law::{Law, radius};
use crate::features::sentences::Signatures;

/// How the radius of a sentence is chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Radius {
    /// The same for all.
    Fixed(u32),
    /// k·l: no sentence with at most k words added or removed is missed.
    Guarantee(Changed),
    /// The largest that more than k words come within with a probability of at most `false_hits`.
    Bound {
        /// The distribution of the differing bits.
        law: Law,
        /// How many words may change.
        changed: Changed,
        /// The bound.
        false_hits: f64,
        /// Whether a sentence for which there is no such radius searches with 0, or not at all.
        zero_if_none: bool,
    },
}

/// How many words of a sentence may change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Changed {
    /// So many.
    Words(u32),
    /// As many as leave this share of it: `⌊(1 − θ)·n⌋`.
    Leaving(f64),
}

impl Changed {
    /// How many of so many words.
    pub fn of(self, words: u32) -> u32 {
        match self {
            Self::Words(n) => n,
            // A hair more, so that rounding does not take one away.
            Self::Leaving(share) => ((1.0 - share) * f64::from(words) + 1e-9).floor() as u32,
        }
    }
}

impl Radius {
    /// The radius of a sentence of so many different words; `None`: it does not search.
    pub fn of(self, words: u32, signatures: Signatures) -> Option<u32> {
        let Signatures { bits, bits_per_word } = signatures;
        match self {
            Self::Fixed(radius) => Some(radius.min(bits)),
            Self::Guarantee(changed) => Some((changed.of(words) * bits_per_word).min(bits)),
            Self::Bound { law, changed, false_hits, zero_if_none } => {
                let found = radius(law, bits, bits_per_word, words, changed.of(words), false_hits);
                found.or(zero_if_none.then_some(0))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_may_change() {
        assert_eq!([9, 10, 11].map(|n| Changed::Leaving(0.7).of(n)), [2, 3, 3]);
        assert_eq!(Changed::Words(4).of(10), 4);
        let signatures = Signatures { bits: 32, bits_per_word: 2 };
        assert_eq!(Radius::Guarantee(Changed::Leaving(0.7)).of(10, signatures), Some(6));
        assert_eq!(Radius::Guarantee(Changed::Leaving(0.0)).of(100, signatures), Some(32));
        let bound = |zero_if_none| Radius::Bound {
            law: Law::Binomial,
            changed: Changed::Words(1),
            false_hits: 0.1,
            zero_if_none,
        };
        assert_eq!(bound(false).of(9, signatures), None);
        assert_eq!(bound(true).of(9, signatures), Some(0));
    }
}
