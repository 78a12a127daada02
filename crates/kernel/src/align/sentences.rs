//! The sentences an alignment works with: tiny ones merged, long ones cut.
//!
//! A sentence of two words says nothing by itself, and a list that goes on for a page hides what is
//! in it. Only the alignment does this; everybody else takes sentences as they were split.

use std::ops::Range;

/// Merge sentences of fewer than `min` words with the next one (the last with the one before), and
/// cut those of more than `max` words into equal parts. Takes where sentences end, in words.
pub fn resize(ends: impl Iterator<Item = usize>, min: usize, max: usize) -> Vec<Range<usize>> {
    let mut merged: Vec<Range<usize>> = Vec::new();
    let (mut start, mut last) = (0, 0);
    for end in ends {
        last = end;
        if end - start >= min {
            merged.push(start..end);
            start = end;
        }
    }
    if start < last {
        match merged.last_mut() {
            Some(before) => before.end = last,
            None => merged.push(start..last),
        }
    }
    merged.into_iter().flat_map(|sentence| cut(sentence, max)).collect()
}

fn cut(sentence: Range<usize>, max: usize) -> impl Iterator<Item = Range<usize>> {
    let (start, length) = (sentence.start, sentence.len());
    let parts = length.div_ceil(max.max(1)).max(1);
    (0..parts).map(move |n| start + length * n / parts..start + length * (n + 1) / parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tiny_sentences_are_merged_and_long_ones_cut() {
        let ends = [2, 8, 9, 79, 80];
        assert_eq!(resize(ends.into_iter(), 3, 30), [0..8, 8..32, 32..56, 56..80]);
        assert_eq!(resize([1, 2].into_iter(), 3, 30).first(), Some(&(0..2)));
        assert!(resize(std::iter::empty(), 3, 30).is_empty());
    }

    proptest! {
        #[test]
        fn every_word_is_in_one_sentence(
            lengths in prop::collection::vec(1usize..70, 0..30), min in 1usize..9, more in 0usize..30,
        ) {
            let mut end = 0;
            let ends: Vec<usize> = lengths.iter().map(|n| { end += n; end }).collect();
            let found = resize(ends.into_iter(), min, min + more);
            let mut at = 0;
            for sentence in &found {
                prop_assert_eq!(sentence.start, at);
                prop_assert!(!sentence.is_empty() && sentence.len() <= min + more);
                at = sentence.end;
            }
            prop_assert_eq!(at, end);
        }
    }
}
