//! Which sentences of two documents match each other.

use super::roll_up::Matches;
use super::units::Sentences;

/// A sentence of left and one of right, by their numbers in their documents, and the score of each
/// asking for the other; 0 where that is no match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SentenceMatch {
    /// The sentence of left.
    pub left: u32,
    /// The sentence of right.
    pub right: u32,
    /// The score of left's sentence asking.
    pub left_score: f64,
    /// The score of right's sentence asking.
    pub right_score: f64,
}

/// The matches between two documents, in the order of left's sentences, then of right's.
pub fn between(
    sentences: &Sentences,
    matches: &Matches,
    left: usize,
    right: usize,
) -> Vec<SentenceMatch> {
    let there: Vec<(u32, u32)> = numbered(sentences, right);
    let mut found = Vec::new();
    for (n, own) in numbered(sentences, left) {
        for &(m, other) in &there {
            let [left_score, right_score] = [(own, other), (other, own)]
                .map(|(probe, store)| matches.score(probe, store).unwrap_or(0.0));
            if left_score > 0.0 || right_score > 0.0 {
                found.push(SentenceMatch { left: n, right: m, left_score, right_score });
            }
        }
    }
    found
}

/// The sentences of a document that are looked at: their numbers in it, and among the distinct.
fn numbered(sentences: &Sentences, document: usize) -> Vec<(u32, u32)> {
    let numbers = sentences.of_document(document).enumerate();
    numbers.filter_map(|(n, distinct)| Some((n as u32, distinct?))).collect()
}
