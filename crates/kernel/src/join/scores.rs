//! From what pairs share to scores and relations.

use std::sync::Arc;

use super::rows::Joined;

/// What stands for certainty: p / (1 - p) has no upper end.
pub const MAX_ODDS: f64 = 100.0;

/// Shares closer than this are equal: sums are exact, their quotients are not.
pub const EPSILON: f64 = 1e-12;

/// How left stands to right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Relation {
    /// The same text.
    Identical,
    /// Each is contained in the other.
    NearDuplicate,
    /// Left is in right.
    Contained,
    /// Right is in left.
    Contains,
    /// Neither, but they share something.
    Overlap,
    /// Two states of one text, each with something of its own.
    Version,
    /// The same form with other facts.
    SameForm,
}

impl Relation {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 7] = [
        Self::Identical,
        Self::NearDuplicate,
        Self::Contained,
        Self::Contains,
        Self::Overlap,
        Self::Version,
        Self::SameForm,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 7] = [
            "identical",
            "near-duplicate",
            "contained",
            "contains",
            "overlap",
            "version",
            "same-form",
        ];
        NAMES[self as usize]
    }
}

/// The odds of `p`, the product of both shares: `p / (1 - p)`, at most [`MAX_ODDS`].
pub fn odds(left_in_right: f64, right_in_left: f64) -> f64 {
    let p = left_in_right.min(1.0) * right_in_left.min(1.0);
    if p >= MAX_ODDS / (MAX_ODDS + 1.0) { MAX_ODDS } else { p / (1.0 - p) }
}

/// The scores of joined pairs.
#[derive(Debug, Clone)]
pub struct Scores {
    /// What they come from.
    pub joined: Arc<Joined>,
    /// How much of left is in right.
    pub left_in_right: Vec<f64>,
    /// How much of right is in left.
    pub right_in_left: Vec<f64>,
    /// How alike both are.
    pub resemblance: Vec<f64>,
}

impl Scores {
    /// The share of a document is the weight it shares over its own; resemblance is the weight
    /// shared over that of both together. Documents with the same text hold each other, whatever
    /// they weigh.
    /// Where features are counted a share can be above 1; `most` keeps it below.
    pub fn containment(joined: Arc<Joined>, most: f64) -> Self {
        let mut scores = Self::by(joined, |shared, _, left, right, same| {
            let both = left + right - shared;
            // The literal formula can share more than both have: the part is never more than the
            // whole.
            if both <= shared {
                f64::from(u8::from(same || shared > 0.0))
            } else {
                ratio(shared, both, same)
            }
        });
        for column in [&mut scores.left_in_right, &mut scores.right_in_left] {
            column.iter_mut().for_each(|share| *share = share.min(most));
        }
        scores
    }

    /// The share of a document is that of its sentences with a match in the other one;
    /// resemblance is the share among the sentences of both.
    pub fn matched_share(joined: Arc<Joined>) -> Self {
        Self::by(joined, |left_shared, right_shared, left, right, same| {
            ratio(left_shared + right_shared, left + right, same)
        })
    }

    /// The larger share is all that is known: it is the resemblance, too.
    pub fn likeness(joined: Arc<Joined>) -> Self {
        let mut scores = Self::containment(joined, f64::INFINITY);
        scores.resemblance = (0..scores.len()).map(|n| scores.score(n)).collect();
        scores
    }

    fn by(joined: Arc<Joined>, resemblance: impl Fn(f64, f64, f64, f64, bool) -> f64) -> Self {
        let n = joined.left.len();
        let mut columns = [(); 3].map(|()| Vec::with_capacity(n));
        for at in 0..n {
            let (shared, back) = (joined.shared[at], joined.right_shared[at]);
            let (left, right) = (joined.left_total[at], joined.right_total[at]);
            let same = joined.same_text[at];
            columns[0].push(ratio(shared, left, same));
            columns[1].push(ratio(back, right, same));
            columns[2].push(resemblance(shared, back, left, right, same));
        }
        let [left_in_right, right_in_left, resemblance] = columns;
        Self { joined, left_in_right, right_in_left, resemblance }
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.left_in_right.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.left_in_right.is_empty()
    }

    /// The larger of the two directions.
    pub fn score(&self, at: usize) -> f64 {
        self.left_in_right[at].max(self.right_in_left[at])
    }

    /// The odds of a pair.
    pub fn odds(&self, at: usize) -> f64 {
        odds(self.left_in_right[at], self.right_in_left[at])
    }

    /// The relations, where a direction holds from a threshold on, or if `strict` above it.
    pub fn relate(&self, threshold: f64, strict: bool) -> Vec<Relation> {
        let holds = |share: f64| {
            if strict { share > threshold + EPSILON } else { share >= threshold - EPSILON }
        };
        let relation = |at: usize| {
            if self.joined.same_text[at] {
                return Relation::Identical;
            }
            match (holds(self.left_in_right[at]), holds(self.right_in_left[at])) {
                (true, true) => Relation::NearDuplicate,
                (true, false) => Relation::Contained,
                (false, true) => Relation::Contains,
                (false, false) => Relation::Overlap,
            }
        };
        (0..self.len()).map(relation).collect()
    }

    /// The relations of a method that tells likeness, not containment: near-duplicates from a
    /// threshold on.
    pub fn relate_alike(&self, threshold: f64, likeness: impl Fn(usize) -> f64) -> Vec<Relation> {
        let relation = |at: usize| {
            if self.joined.same_text[at] {
                Relation::Identical
            } else if likeness(at) >= threshold - EPSILON {
                Relation::NearDuplicate
            } else {
                Relation::Overlap
            }
        };
        (0..self.len()).map(relation).collect()
    }

    /// How alike the features of both are as vectors: with a·b the weight both share, a·a and b·b
    /// their totals. Of the same text 1.
    pub fn similarity(&self, similarity: Similarity, at: usize) -> f64 {
        let both = self.joined.shared[at];
        let (left, right) = (self.joined.left_total[at], self.joined.right_total[at]);
        let whole = match similarity {
            Similarity::Jaccard => left + right - both,
            Similarity::Cosine => (left * right).sqrt(),
            Similarity::Dice => (left + right) / 2.0,
        };
        ratio(both, whole, self.joined.same_text[at])
    }
}

/// A similarity of two vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Similarity {
    /// `a·b / (a·a + b·b - a·b)`: Jaccard's index where features are there or not, the extended one
    /// where they are counted.
    Jaccard,
    /// `a·b / (|a| |b|)`
    Cosine,
    /// `2 a·b / (a·a + b·b)`, which is also `1 - |a - b|² / (a·a + b·b)`.
    Dice,
}

fn ratio(part: f64, whole: f64, same: bool) -> f64 {
    if same {
        1.0
    } else if whole > 0.0 {
        part / whole
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(shared: [f64; 2], totals: [f64; 2], same: bool) -> Arc<Joined> {
        Arc::new(Joined {
            left: vec![0],
            right: vec![1],
            shared: vec![shared[0]],
            right_shared: vec![shared[1]],
            left_total: vec![totals[0]],
            right_total: vec![totals[1]],
            same_text: vec![same],
            is_proved: vec![false],
            touched: 0,
        })
    }

    #[test]
    fn shares_are_of_each_document_and_of_both() {
        let scores = Scores::containment(joined([2.0; 2], [4.0, 8.0], false), 1.0);
        assert_eq!((scores.left_in_right[0], scores.right_in_left[0]), (0.5, 0.25));
        assert_eq!((scores.resemblance[0], scores.score(0)), (0.2, 0.5));
        let scores = Scores::matched_share(joined([3.0, 2.0], [4.0, 8.0], false));
        assert_eq!((scores.left_in_right[0], scores.right_in_left[0]), (0.75, 0.25));
        assert_eq!(scores.resemblance[0], 5.0 / 12.0);
        let scores = Scores::likeness(joined([2.0; 2], [4.0, 8.0], false));
        assert_eq!(scores.resemblance, [0.5]);
    }

    #[test]
    fn what_weighs_nothing_shares_nothing_unless_it_is_the_same() {
        for (same, share) in [(false, 0.0), (true, 1.0)] {
            let scores = Scores::containment(joined([0.0; 2], [0.0; 2], same), 1.0);
            assert_eq!((scores.left_in_right[0], scores.resemblance[0]), (share, share));
        }
    }

    #[test]
    fn relations_follow_from_the_threshold() {
        let scores = Scores::containment(joined([2.0; 2], [4.0, 8.0], false), 1.0);
        assert_eq!(scores.relate(0.5, false), [Relation::Contained]);
        assert_eq!(scores.relate(0.5, true), [Relation::Overlap]);
        assert_eq!(scores.relate(0.25, false), [Relation::NearDuplicate]);
        assert_eq!(scores.relate_alike(0.5, |at| scores.score(at)), [Relation::NearDuplicate]);
        assert_eq!(scores.relate_alike(0.5, |at| scores.resemblance[at]), [Relation::Overlap]);
        let same = Scores::containment(joined([2.0; 2], [4.0, 8.0], true), 1.0);
        assert_eq!(same.relate(0.5, true), [Relation::Identical]);
        assert_eq!(same.relate_alike(0.5, |_| 0.0), [Relation::Identical]);
    }

    #[test]
    fn similarities_are_those_of_vectors() {
        let scores = Scores::containment(joined([6.0; 2], [4.0, 9.0], false), 1.0);
        let found = [Similarity::Jaccard, Similarity::Cosine, Similarity::Dice]
            .map(|similarity| scores.similarity(similarity, 0));
        assert_eq!(found, [6.0 / 7.0, 1.0, 12.0 / 13.0]);
        assert_eq!((scores.left_in_right[0], scores.right_in_left[0]), (1.0, 6.0 / 9.0));
    }

    #[test]
    fn relations_have_their_numbers() {
        assert!(Relation::ALL.iter().enumerate().all(|(n, &relation)| relation as usize == n));
    }
}
