//! Where a passage begins and ends, by word.
//!
//! On each side a word counts s·w − penalty·(1 − s)·w and the stretch with the greatest sum is kept
//! (Kadane). s is how often its stem is on the other side of the passage over how often it is on
//! this one, at most 1: a word that comes here ten times and there once is shared once.

use std::ops::Range;

use super::document::Document;
use super::pair::{Pair, Side};
use super::parameters::Parameters;
use super::weights::NONE;

/// How often both sides are looked at, each after the other moved.
const ROUNDS: usize = 2;

/// The words of a passage on both sides.
pub type Words = [Range<usize>; 2];

/// Move the ends of a passage to where the evidence begins and ends, or return None if there is
/// none. In left it may grow by a few sentences either way, in right it can only shrink.
pub fn refine(pair: &Pair<'_>, words: &Words, parameters: &Parameters) -> Option<Words> {
    let wide = widened(pair.left, &words[0], parameters.around);
    let mut words = words.clone();
    let right = words[1].clone();
    for _ in 0..ROUNDS {
        words[0] = best(pair, Side::Left, &wide, &words[1], parameters.penalty)?;
        words[1] = best(pair, Side::Right, &right, &words[0], parameters.penalty)?;
    }
    Some([
        snapped(pair.left, &words[0], parameters.snap),
        snapped(pair.right, &words[1], parameters.snap),
    ])
}

/// With some sentences more on either side.
fn widened(document: &Document, words: &Range<usize>, by: usize) -> Range<usize> {
    let (first, last) = (document.sentence_at(words.start), document.sentence_at(words.end - 1));
    let end = (last + by).min(document.sentences.len() - 1);
    document.sentences[first.saturating_sub(by)].words.start..document.sentences[end].words.end
}

/// The stretch of `within` that speaks most for the other side.
fn best(
    pair: &Pair<'_>,
    side: Side,
    within: &Range<usize>,
    other: &Range<usize>,
    penalty: f64,
) -> Option<Range<usize>> {
    let (own, there) = (pair.document(side), pair.document(side.other()));
    let weights = pair.weights_of(side);
    let partners = pair.partners_of(side);
    let here = counts(own, within);
    let across = counts(there, other);
    let gain = |stem: u32| {
        let share = match partners[stem as usize] {
            NONE => 0.0,
            partner => (count(&across, partner) / count(&here, stem)).min(1.0),
        };
        weights[stem as usize] * (share - penalty * (1.0 - share))
    };
    greatest(own.words[within.clone()].iter().map(|stem| gain(*stem)))
        .map(|found| within.start + found.start..within.start + found.end)
}

/// How often each stem is in a stretch, sorted by stems. What a stretch costs must not depend on how
/// many stems its document has.
fn counts(document: &Document, words: &Range<usize>) -> Vec<(u32, f64)> {
    let mut stems = document.words[words.clone()].to_vec();
    stems.sort_unstable();
    stems.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as f64)).collect()
}

fn count(counts: &[(u32, f64)], stem: u32) -> f64 {
    counts.binary_search_by_key(&stem, |count| count.0).map_or(0.0, |at| counts[at].1)
}

/// The stretch with the greatest sum above 0, the first and shortest of several.
fn greatest(gains: impl Iterator<Item = f64>) -> Option<Range<usize>> {
    let (mut best, mut found) = (0.0, None);
    let (mut sum, mut start) = (0.0, 0);
    for (at, gain) in gains.enumerate() {
        if sum <= 0.0 {
            (sum, start) = (0.0, at);
        }
        sum += gain;
        if sum > best {
            (best, found) = (sum, Some(start..at + 1));
        }
    }
    found
}

/// Each end at the nearest border of a sentence, if that is near.
fn snapped(document: &Document, words: &Range<usize>, near: usize) -> Range<usize> {
    let nearest = |at: usize, sentence: usize| {
        let words = &document.sentences[sentence].words;
        let border = if at - words.start <= words.end - at { words.start } else { words.end };
        if border.abs_diff(at) <= near { border } else { at }
    };
    let start = nearest(words.start, document.sentence_at(words.start));
    let end = nearest(words.end, document.sentence_at(words.end - 1));
    if start < end { start..end } else { words.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_stretch_is_kept() {
        let gains = [-1.0, 2.0, -1.0, 3.0, -5.0, 3.0, 0.0];
        assert_eq!(greatest(gains.into_iter()), Some(1..4));
        assert_eq!(greatest([-1.0, 0.0].into_iter()), None);
        assert_eq!(greatest([].into_iter()), None);
    }
}
