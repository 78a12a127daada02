//! Stretches of equal words.
//!
//! Grams that both documents have are extended as far as the words stay equal. Of several places in
//! right the one with the longest run is taken, and the search goes on behind it.

use std::ops::Range;

use super::document::Document;
use super::grams::GRAM;

/// A gram is looked for in no more than so many places.
const MAX_PLACES: usize = 32;

/// The same words in both documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The words of left.
    pub left: Range<usize>,
    /// The words of right.
    pub right: Range<usize>,
}

/// The longest runs, in the order of left, each of at least `min` words. If one document is shorter
/// than that, what it has in common counts if it is at least half of it.
pub fn runs(left: &Document, right: &Document, min: usize) -> Vec<Run> {
    let shorter = left.folded.len().min(right.folded.len());
    if shorter == 0 {
        return Vec::new();
    }
    let min = min.min(shorter.div_ceil(2).max(GRAM.min(shorter)));
    let mut found = Vec::new();
    let mut next = 0;
    for (at, places) in common(left, right) {
        if at < next {
            continue;
        }
        let longest = places
            .iter()
            .map(|place| (equal(&left.folded[at..], &right.folded[*place..]), *place))
            .max_by_key(|(length, place)| (*length, std::cmp::Reverse(*place)));
        let Some((length, place)) = longest else { continue };
        if length >= min {
            found.push(Run { left: at..at + length, right: place..place + length });
        }
        // What begins within a run may go on behind it.
        next = (at + 1).max((at + length).saturating_sub(GRAM - 1));
    }
    found
}

fn equal(left: &[u32], right: &[u32]) -> usize {
    left.iter().zip(right).take_while(|(a, b)| a == b).count()
}

/// The places of left whose gram right has, and where.
fn common(left: &Document, right: &Document) -> Vec<(usize, Vec<usize>)> {
    if left.folded.len().min(right.folded.len()) < GRAM {
        return whole(&left.folded, &right.folded);
    }
    let mut found = Vec::new();
    let (mut l, mut r) = (0, 0);
    while l < left.grams.len() && r < right.grams.len() {
        let (hash, at) = left.grams[l];
        if hash < right.grams[r].0 {
            l += 1;
        } else if hash > right.grams[r].0 {
            r += 1;
        } else {
            let same = right.grams[r..].iter().take(MAX_PLACES).take_while(|gram| gram.0 == hash);
            found.push((at as usize, same.map(|gram| gram.1 as usize).collect()));
            l += 1;
        }
    }
    found.sort_unstable();
    found
}

/// Where one document as a whole is in the other: of fewer words than a gram.
fn whole(left: &[u32], right: &[u32]) -> Vec<(usize, Vec<usize>)> {
    if left.len() <= right.len() {
        let places = right.windows(left.len()).enumerate().filter(|(_, part)| *part == left);
        let places: Vec<usize> = places.map(|(at, _)| at).take(MAX_PLACES).collect();
        return if places.is_empty() { Vec::new() } else { vec![(0, places)] };
    }
    let places = left.windows(right.len()).enumerate().filter(|(_, part)| *part == right);
    places.map(|(at, _)| (at, vec![0])).take(MAX_PLACES).collect()
}
