//! What was done to a passage on its way.

use std::ops::Range;

use super::document::Document;
use super::pair::Pair;
use super::refine::Words;
use super::seeds::Seed;
use super::summary::best_partners;

/// The types of passages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// The same words.
    Verbatim,
    /// Words were changed, added or left out.
    Edited,
    /// Sentences stand in another order.
    Reordered,
    /// It is told as somebody's words.
    Quoted,
    /// The source has it in many documents.
    Boilerplate,
}

impl Kind {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 5] =
        [Self::Verbatim, Self::Edited, Self::Reordered, Self::Quoted, Self::Boilerplate];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Verbatim => "verbatim",
            Self::Edited => "edited",
            Self::Reordered => "reordered",
            Self::Quoted => "quoted",
            Self::Boilerplate => "boilerplate",
        }
    }
}

/// Words in a row that show a copy.
const COPIED: usize = 4;

/// Whether a passage is a copy, was edited, or has its sentences in another order.
pub fn kind_of(pair: &Pair<'_>, words: &Words, seeds: &[Seed]) -> Kind {
    let partners: Vec<u32> = best_partners(seeds).iter().map(|seed| seed.right).collect();
    // A few swapped neighbours are an edit.
    if partners.len() >= 3 && 4 * ordered(&partners) < 3 * partners.len() {
        return Kind::Reordered;
    }
    let grams = |document: &Document, range: &Range<usize>| {
        let mut grams: Vec<[u32; COPIED]> = document.folded[range.clone()]
            .windows(COPIED)
            .map(|gram| gram.try_into().expect("of that size"))
            .collect();
        grams.sort_unstable();
        grams.dedup();
        grams
    };
    let (left, right) = (grams(pair.left, &words[0]), grams(pair.right, &words[1]));
    let common = left.iter().filter(|gram| right.binary_search(gram).is_ok()).count();
    let is_copy = 10 * common >= 9 * left.len().max(right.len());
    if is_copy { Kind::Verbatim } else { Kind::Edited }
}

/// The length of the longest part that never goes back.
fn ordered(places: &[u32]) -> usize {
    let mut ends: Vec<u32> = Vec::new();
    for place in places {
        let at = ends.partition_point(|end| end <= place);
        if at == ends.len() { ends.push(*place) } else { ends[at] = *place }
    }
    ends.len()
}

/// Whether more than half of the words on both sides are boilerplate: what one source has everywhere and
/// another one does not was taken.
pub fn is_boilerplate(pair: &Pair<'_>, words: &Words) -> bool {
    [pair.left, pair.right].iter().zip(words).all(|(document, words)| {
        let mut known = 0;
        for sentence in &document.sentences[document.sentence_at(words.start)..] {
            if sentence.words.start >= words.end {
                break;
            }
            if sentence.is_boilerplate {
                known += sentence.words.end.min(words.end) - sentence.words.start.max(words.start);
            }
        }
        2 * known > words.len()
    })
}

/// Whether most of a span lies in quotation marks.
pub fn is_quoted(quotations: &[(u32, u32)], span: (u32, u32)) -> bool {
    let first = quotations.partition_point(|quotation| quotation.1 <= span.0);
    let inside: u32 = quotations[first..]
        .iter()
        .take_while(|quotation| quotation.0 < span.1)
        .map(|quotation| quotation.1.min(span.1) - quotation.0.max(span.0))
        .sum();
    u64::from(inside) * 5 >= u64::from(span.1 - span.0) * 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_part_in_order() {
        assert_eq!(ordered(&[3, 1, 2, 2, 5]), 4);
        assert_eq!(ordered(&[3, 2, 1]), 1);
        assert_eq!(ordered(&[]), 0);
    }

    #[test]
    fn most_of_a_quoted_passage_is_in_quotation_marks() {
        assert!(is_quoted(&[(0, 3), (10, 18), (30, 40)], (10, 20)));
        assert!(!is_quoted(&[(10, 17)], (10, 20)));
        assert!(!is_quoted(&[], (10, 20)));
    }
}
