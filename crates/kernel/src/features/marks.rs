//! What of a sentence is boilerplate of its document's source, and which matches count because of that.

use super::Features;
use super::retelling::{BOILERPLATE, MARKS, PARTLY};

/// How much of a sentence is boilerplate of its document's source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// Nothing.
    #[default]
    None,
    /// Some of its keys.
    Partly,
    /// Half of them, or all of it.
    Boilerplate,
}

impl Mark {
    /// Of a sentence of which this share is known of its source.
    pub fn of(share: f64) -> Self {
        match share {
            _ if share >= 0.5 => Self::Boilerplate,
            _ if share > 0.0 => Self::Partly,
            _ => Self::None,
        }
    }

    /// Whether it is boilerplate.
    pub fn is_boilerplate(self) -> bool {
        self == Self::Boilerplate
    }

    /// Whether a match of two sentences counts of which so many words prove something. What one source
    /// has everywhere and another one does not have at all was taken, if that is proved; what is
    /// like the boilerplate of its own source was not.
    pub fn counts(pair: [Self; 2], told: u32) -> bool {
        match pair {
            [Self::Boilerplate, Self::None] | [Self::None, Self::Boilerplate] => told > 0,
            [one, other] => !one.is_boilerplate() && !other.is_boilerplate(),
        }
    }

    fn bits(self) -> u64 {
        match self {
            Self::None => 0,
            Self::Partly => PARTLY,
            Self::Boilerplate => BOILERPLATE,
        }
    }
}

impl Features {
    /// How much of a sentence is marked as boilerplate of its document's source.
    pub fn mark(&self, unit: usize) -> Mark {
        let word = if self.is_retelling() { self.sketch(unit).get(1) } else { None };
        match word.map_or(0, |word| word & MARKS) {
            0 => Mark::None,
            PARTLY => Mark::Partly,
            _ => Mark::Boilerplate,
        }
    }

    /// Mark sentences; there is a mark for each.
    pub fn set_marks(&mut self, marks: &[Mark]) {
        let width = self.sketch_width;
        for (unit, mark) in marks.iter().enumerate().filter(|(_, mark)| **mark != Mark::None) {
            self.sketches[unit * width + 1] |= mark.bits();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Mark::{self, Boilerplate, None, Partly};

    #[test]
    fn what_only_one_side_has_everywhere_counts_if_it_proves_something() {
        assert_eq!(
            [0.0, 0.1, 0.49, 0.5, 1.0].map(Mark::of),
            [None, Partly, Partly, Boilerplate, Boilerplate]
        );
        for pair in [[None, None], [None, Partly], [Partly, None], [Partly, Partly]] {
            assert!(Mark::counts(pair, 0) && Mark::counts(pair, 9), "{pair:?}");
        }
        for pair in [[None, Boilerplate], [Boilerplate, None]] {
            assert!(!Mark::counts(pair, 0) && Mark::counts(pair, 1), "{pair:?}");
        }
        for pair in [[Boilerplate, Boilerplate], [Partly, Boilerplate], [Boilerplate, Partly]] {
            assert!(!Mark::counts(pair, 0) && !Mark::counts(pair, 9), "{pair:?}");
        }
    }
}
