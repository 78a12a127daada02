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

/// Call `visit` with the words of each piece of `n` words; `place` tells where in the text one stands.
/// No piece has more than `longest` words; what has to be cut at any word has from a third of that to
/// two thirds, the last one perhaps fewer.
pub fn pieces(
    text: &str,
    n: usize,
    place: impl Fn(usize) -> Range<usize>,
    longest: usize,
    mut visit: impl FnMut(Range<usize>),
) {
    let mut start = 0;
    let last = n.saturating_sub(FEWEST);
    for end in 1..=n {
        let is_end = end == n
            || (end - start >= FEWEST
                && end <= last
                && ends(&text[place(end - 1).end..place(end).start]));
        if is_end {
            short(text, start..end, &place, longest, &mut visit);
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
    mut words: Range<usize>,
    place: impl Fn(usize) -> Range<usize>,
    longest: usize,
    mut visit: impl FnMut(Range<usize>),
) {
    while words.len() > longest {
        let (least, most) = ((longest / 3).max(1), (2 * longest / 3).max(1));
        let value = |&word: &usize| hash::term(&text[place(word)]);
        let first = words.start + least - 1;
        let last = (first..words.start + most).min_by_key(value).unwrap_or(words.start);
        visit(words.start..last + 1);
        words.start = last + 1;
    }
    visit(words);
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
            at - 1 - word.len()..at - 1
        };
        let places: Vec<Range<usize>> = words.iter().map(place).collect();
        let mut found = Vec::new();
        let place = |word: usize| places[word].clone();
        let visit = |range: Range<usize>| found.push(words[range].to_vec());
        pieces(&text, words.len(), place, longest, visit);
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
            words.push(from..to);
        });
        let mut found = Vec::new();
        pieces(text, words.len(), |word| words[word].clone(), 60, |range| found.push(range));
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
