//! Long sentences cut into pieces: quotations of several sentences, texts without punctuation,
//! tables, lists.
//!
//! A piece ends where a sentence inside a quotation ends. What is still too long ends at the word
//! with the smallest hash among those that may end it: so two texts that begin differently and go
//! on alike soon have the same pieces.

use std::ops::Range;

use crate::hash;

/// A piece that ends where a sentence does has so many words, and leaves as many.
const FEWEST: usize = 8;

/// Call `visit` with the words of each piece; words are where they start and end in the text. None
/// has more than `longest` words; what has to be cut at any word has from a third of that to two
/// thirds, the last one perhaps fewer.
pub fn pieces(
    text: &str,
    words: &[(usize, usize)],
    longest: usize,
    mut visit: impl FnMut(Range<usize>),
) {
    let mut start = 0;
    let last = words.len().saturating_sub(FEWEST);
    for end in 1..=words.len() {
        let is_end = end == words.len()
            || (end - start >= FEWEST
                && end <= last
                && ends(&text[words[end - 1].1..words[end].0]));
        if is_end {
            short(text, &words[start..end], longest, |range| {
                visit(start + range.start..start + range.end);
            });
            start = end;
        }
    }
}

/// Whether what stands between two words ends a sentence.
fn ends(between: &str) -> bool {
    let mut found = between.char_indices();
    found.any(|(at, c)| {
        matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？') && between.len() > at + c.len_utf8()
    })
}

/// Cut what is too long at any word.
fn short(
    text: &str,
    words: &[(usize, usize)],
    longest: usize,
    mut visit: impl FnMut(Range<usize>),
) {
    let mut start = 0;
    while words.len() - start > longest {
        let (least, most) = ((longest / 3).max(1), (2 * longest / 3).max(1));
        let value = |&at: &usize| hash::term(&text[words[at].0..words[at].1]);
        let last = (start + least - 1..start + most).min_by_key(value).unwrap_or(start);
        visit(start..last + 1);
        start = last + 1;
    }
    visit(start..words.len());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(words: &[String], longest: usize) -> Vec<Vec<String>> {
        let text = words.join(" ");
        let mut at = 0;
        let place = |word: &String| {
            at += word.len() + 1;
            (at - 1 - word.len(), at - 1)
        };
        let places: Vec<(usize, usize)> = words.iter().map(place).collect();
        let mut found = Vec::new();
        pieces(&text, &places, longest, |range| found.push(words[range].to_vec()));
        found
    }

    #[test]
    fn what_begins_differently_soon_has_the_same_pieces() {
        let words: Vec<String> = (0..400).map(|n| format!("w{n}")).collect();
        let [whole, later] = [0, 11].map(|from| cut(&words[from..], 60));
        let same = later.iter().filter(|piece| whole.contains(piece)).count();
        assert!(same + 3 >= later.len(), "{same} of {}", later.len());
    }

    #[test]
    fn a_sentence_inside_a_quotation_is_a_piece() {
        let text = "Said he one two three four five six. Seven a b c d e f g h i.";
        let mut words = Vec::new();
        crate::text::words::words(text, 0, text.len(), crate::text::Joiner::Keep, |from, to| {
            words.push((from, to));
        });
        let mut found = Vec::new();
        pieces(text, &words, 60, |range| found.push(range));
        assert_eq!(found, [0..8, 8..18]);
    }

    proptest! {
        #[test]
        fn pieces_have_all_words_and_are_not_too_long(
            words in prop::collection::vec("[a-c]{1,2}", 0..200),
            longest in 1_usize..70,
        ) {
            let found = cut(&words, longest);
            prop_assert_eq!(found.concat(), words);
            prop_assert!(found.iter().all(|piece| piece.len() <= longest));
        }
    }
}
