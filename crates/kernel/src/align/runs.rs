//! Stretches of equal words.
//!
//! Grams that both documents have are extended as far as the words stay equal. Of several places in
//! right the one with the longest run is taken, and the search goes on behind it.

use std::ops::Range;

use super::document::Document;
use super::grams::GRAM;
use crate::cancel::Cancel;
use crate::error::Result;

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
pub fn runs(left: &Document, right: &Document, min: usize, cancel: &Cancel) -> Result<Vec<Run>> {
    let shorter = left.folded.len().min(right.folded.len());
    if shorter == 0 {
        return Ok(Vec::new());
    }
    let min = min.min(shorter.div_ceil(2).max(GRAM.min(shorter)));
    let mut found = Vec::new();
    let mut next = 0;
    cancel.check()?;
    for (n, (at, places)) in common(left, right).into_iter().enumerate() {
        if n % 1024 == 0 {
            cancel.check()?;
        }
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
    Ok(found)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::parameters::Parameters;
    use crate::align::tests::documents;
    use proptest::prelude::*;

    fn found(left: &str, right: &str, min: usize) -> Vec<Run> {
        let documents = documents(&[left, right], &Parameters::default());
        runs(&documents[0], &documents[1], min, &Cancel::default()).expect("not cancelled")
    }

    #[test]
    fn a_run_is_as_long_as_words_are_equal() {
        let common = "one two three four five six seven eight nine ten";
        let left = format!("aa bb {common} cc dd ee ff gg hh ii jj kk ll mm nn oo pp");
        let right = format!("qq {common} rr ss tt uu vv ww xx yy zz ab ac ad ae af ag ah ai");
        assert_eq!(found(&left, &right, 10), [Run { left: 2..12, right: 1..11 }]);
        assert_eq!(found(&left, &right, 11), []);
    }

    #[test]
    fn a_document_of_few_words_is_found_as_a_whole() {
        assert_eq!(found("Ten died", "Then ten died again", 42), [Run { left: 0..2, right: 1..3 }]);
        assert_eq!(found("Then ten died again", "ten died", 42), [Run { left: 1..3, right: 0..2 }]);
        assert_eq!(found("Ten left", "Then ten died again", 42), []);
    }

    proptest! {
        #[test]
        fn both_sides_have_the_same_words(left in "([ab] ){0,60}", right in "([ab] ){0,60}") {
            let documents = documents(&[&left, &right], &Parameters::default());
            let found = runs(&documents[0], &documents[1], 8, &Cancel::default());
            for run in found.expect("not cancelled") {
                prop_assert_eq!(
                    &documents[0].folded[run.left.clone()], &documents[1].folded[run.right.clone()]
                );
            }
        }
    }
}
