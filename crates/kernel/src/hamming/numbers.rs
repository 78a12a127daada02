//! Which number a word has: a table that is asked for many words at once.
//!
//! The table is far away. Each word and its number lie in one line of the cache, mostly the first one
//! looked at, so that many words are looked for at once, before any of them is waited for.

/// No number: nobody has the word.
pub const NONE: u32 = u32::MAX;

/// Numbers of words, in the order in which they came.
#[derive(Debug, Default)]
pub struct Numbers {
    /// A power of two, of which at most half are taken.
    places: Vec<Place>,
    taken: u32,
}

/// A word with its number, or none.
#[derive(Debug, Clone, Copy)]
struct Place {
    word: u64,
    number: u32,
}

const FREE: Place = Place { word: 0, number: NONE };

impl Numbers {
    /// The number of a word, or none.
    #[inline]
    pub fn get(&self, word: u64) -> u32 {
        if self.places.is_empty() { NONE } else { self.places[self.place(word)].number }
    }

    /// The number of a word; if it has none, it gets the next one.
    pub fn number(&mut self, word: u64) -> u32 {
        if self.places.len() <= 2 * self.taken as usize {
            self.grow();
        }
        let at = self.place(word);
        if self.places[at].number == NONE {
            self.places[at] = Place { word, number: self.taken };
            self.taken += 1;
        }
        self.places[at].number
    }

    /// Where a word is, or would be.
    #[inline]
    fn place(&self, word: u64) -> usize {
        let mask = self.places.len() - 1;
        // Words are hashes, but whatever they are, their bits are spread.
        let spread = word.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut at = (spread >> 32) as usize & mask;
        loop {
            let Place { word: there, number } = self.places[at];
            if there == word || number == NONE {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let room = (2 * self.places.len()).max(16);
        let before = std::mem::replace(&mut self.places, vec![FREE; room]);
        for place in before.into_iter().filter(|place| place.number != NONE) {
            let at = self.place(place.word);
            self.places[at] = place;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_have_the_numbers_they_were_given(
            words in prop::collection::vec(prop::sample::select(vec![0_u64, 1, 2, 3, 1 << 32, u64::MAX]), 0..9),
            more in prop::collection::vec(any::<u64>(), 0..200),
        ) {
            let mut numbers = Numbers::default();
            let mut order: Vec<u64> = Vec::new();
            for &word in words.iter().chain(&more).chain(&words) {
                let known = order.iter().position(|&other| other == word);
                prop_assert_eq!(numbers.get(word), known.map_or(NONE, |n| n as u32));
                if known.is_none() {
                    order.push(word);
                }
                prop_assert_eq!(numbers.number(word), known.unwrap_or(order.len() - 1) as u32);
            }
        }
    }
}
