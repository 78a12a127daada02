//! Endless sentences cut into pieces: texts without punctuation, tables, lists.
//!
//! A piece ends at the word with the smallest hash among those that may end it. So two texts that
//! begin differently and go on alike soon have the same pieces.

use std::ops::Range;

use crate::hash;

/// Call `visit` with the words of each piece; words are where they start and end in the text. What
/// has no more than `longest` words is one piece; others have from a third of that to two thirds,
/// the last one perhaps fewer.
pub fn pieces(
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
