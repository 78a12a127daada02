//! Which pairs of documents are wanted, and what of their groups and sentences need not meet.

use super::groups::Groups;
use super::units::Sentences;

/// Which pairs of documents are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Scope {
    /// All.
    #[default]
    All,
    /// Those with a document from this number on.
    Since(u32),
    /// Those of a document of one collection and one of the other; for each document, whether it
    /// belongs to the second one.
    Across(Vec<bool>),
}

impl Scope {
    /// Pairs with a document from this number on; 0: all pairs.
    pub fn since(first: u32) -> Self {
        if first == 0 { Self::All } else { Self::Since(first) }
    }

    /// Whether a pair is wanted.
    pub fn wants(&self, a: u32, b: u32) -> bool {
        self.bits(a) | self.bits(b) == self.all()
    }

    /// To which of two collections a document belongs, 0 or 1, where only pairs across them are wanted.
    pub fn side(&self, document: u32) -> Option<usize> {
        match self {
            Self::Across(sides) => Some(usize::from(sides[document as usize])),
            _ => None,
        }
    }

    /// What a document brings to a pair, which is wanted if both together bring `all`.
    fn bits(&self, document: u32) -> u8 {
        match self {
            Self::All => 0,
            Self::Since(first) => u8::from(document >= *first),
            Self::Across(sides) => 1 << u8::from(sides[document as usize]),
        }
    }

    fn all(&self) -> u8 {
        match self {
            Self::All => 0,
            Self::Since(_) => 1,
            Self::Across(_) => 3,
        }
    }

    /// Which pairs of groups have a pair of documents that is wanted.
    pub fn of_groups(&self, groups: &Groups) -> Wanted {
        if *self == Self::All {
            return Wanted::default();
        }
        let members = |group| groups.members(group).iter();
        let bits = (0..groups.len()).map(|group| members(group).fold(0, |b, &d| b | self.bits(d)));
        Wanted::new(bits.collect(), self.all())
    }

    /// Which pairs of distinct sentences stand in documents whose pair is wanted.
    pub fn of_sentences(&self, sentences: &Sentences) -> Wanted {
        if *self == Self::All {
            return Wanted::default();
        }
        let mut bits = vec![0; sentences.n_distinct()];
        for document in 0..sentences.n_documents() {
            let own = self.bits(document as u32);
            sentences.of_document(document).flatten().for_each(|n| bits[n as usize] |= own);
        }
        Wanted::new(bits, self.all())
    }
}

/// Which pairs of units are wanted: those that together have all bits.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The bits of each unit; empty: all pairs are wanted.
    bits: Vec<u8>,
    all: u8,
}

impl Wanted {
    /// Those of units with these bits that together have `all`.
    pub fn new(bits: Vec<u8>, all: u8) -> Self {
        Self { bits, all }
    }

    /// Whether every pair is wanted.
    pub fn is_all(&self) -> bool {
        self.bits.is_empty()
    }

    /// Whether a pair of units is wanted.
    #[inline]
    pub fn has(&self, a: u32, b: u32) -> bool {
        self.is_enough(self.of(a) | self.of(b))
    }

    /// The bits of a unit.
    #[inline]
    pub fn of(&self, unit: u32) -> u8 {
        self.bits.get(unit as usize).copied().unwrap_or_default()
    }

    /// Whether these bits of two units, or of one and several others, are all there are.
    #[inline]
    pub fn is_enough(&self, bits: u8) -> bool {
        bits == self.all
    }

    /// Units of which every wanted pair has at least one, as few as there are of one bit; empty: every
    /// pair is wanted.
    pub fn fewest(&self) -> Vec<bool> {
        let having = |bit: u8| self.bits.iter().filter(|&&bits| bits & bit > 0).count();
        let bits = [1, 2].into_iter().filter(|bit| self.all & bit > 0);
        let fewest = bits.min_by_key(|&bit| having(bit)).unwrap_or_default();
        self.bits.iter().map(|bits| bits & fewest > 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_wanted_if_both_together_bring_all() {
        let all = |scope: &Scope| {
            let pairs = (0..3).flat_map(|a| (a + 1..3).map(move |b| (a, b)));
            pairs.filter(|&(a, b)| scope.wants(a, b)).collect::<Vec<_>>()
        };
        assert_eq!(all(&Scope::since(0)), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(all(&Scope::since(2)), [(0, 2), (1, 2)]);
        assert_eq!(all(&Scope::Across(vec![false, true, false])), [(0, 1), (1, 2)]);
        assert_eq!(all(&Scope::Across(vec![false; 3])), []);
    }

    #[test]
    fn the_fewest_units_have_one_of_every_wanted_pair() {
        let across = Wanted::new(vec![1, 3, 1, 2, 0], 3);
        assert_eq!(across.fewest(), [false, true, false, true, false]);
        let since = Wanted::new(vec![0, 1, 0], 1);
        assert_eq!(since.fewest(), [false, true, false]);
        assert!(Wanted::default().fewest().is_empty());
        assert!(Wanted::default().has(5, 7));
    }
}
