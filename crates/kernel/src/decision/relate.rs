//! From probabilities and shares to relations.

use super::judge::Judgement;
use crate::join::scores::{EPSILON, Relation};

/// Two documents one of which has this share of its wording in the other are one form, or two states
/// of one text.
const HALF: f64 = 0.5;
/// Two states of a text: so much of the other one, too, is in common.
const VERSION_LEAST: f64 = 0.3;
/// How sure it must be that the text was taken.
const VERSION_TAKEN: f64 = 0.9;
/// And so few facts were exchanged, for each hundred matched words.
const VERSION_SLOTS: f64 = 1.0;

/// What decides besides the probabilities.
#[derive(Debug, Clone, Copy)]
pub struct RelationRule {
    /// From which probability on something holds.
    pub threshold: f64,
    /// Pairs from this probability on are reported, too, as overlap.
    pub floor: Option<f64>,
    /// Whether the forms of the collection are known: where they are not, only facts that were
    /// exchanged tell a form.
    pub knows_forms: bool,
}

impl RelationRule {
    /// How left stands to right; `None`: what they share is not specific to them, and not reported.
    /// `shares` say how much of the wording of each is in the other.
    pub fn relation(
        &self,
        judged: &Judgement,
        shares: [f64; 2],
        same_text: bool,
    ) -> Option<Relation> {
        if same_text {
            return Some(Relation::Identical);
        }
        let holds = |probability: f64| probability >= self.threshold - EPSILON;
        match (holds(judged.left), holds(judged.right)) {
            (true, true) => return Some(Relation::NearDuplicate),
            (true, false) => return Some(Relation::Contained),
            (false, true) => return Some(Relation::Contains),
            (false, false) => {}
        }
        let (more, less) = (shares[0].max(shares[1]), shares[0].min(shares[1]));
        let is_taken = holds(judged.taken);
        if is_taken
            && judged.taken >= VERSION_TAKEN
            && more >= HALF
            && less >= VERSION_LEAST
            && judged.pair.slot_rate < VERSION_SLOTS
        {
            return Some(Relation::Version);
        }
        if is_taken {
            return Some(Relation::Overlap);
        }
        if more >= HALF {
            let is_form = self.knows_forms || judged.pair.slots > 0;
            return Some(if is_form { Relation::SameForm } else { Relation::Overlap });
        }
        let is_wanted = self.floor.is_some_and(|floor| judged.taken >= floor);
        is_wanted.then_some(Relation::Overlap)
    }
}
