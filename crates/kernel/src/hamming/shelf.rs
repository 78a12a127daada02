//! Sentences with marks of some of their words, which tell which of them seem to have words.
//!
//! A word has two marks, one in each part of the bits. The marks of 256 sentences are stored by
//! columns: a row has one bit of each of them, so that a few rows tell of all at once who lacks too
//! much (bit-sliced signature files: Faloutsos, Chan, "Fast text access methods for optical and large
//! magnetic disks", VLDB 1988). Those that came last stand beside each other until there are 64.

use super::lacking::{self, who_has};

/// How many sentences enter a block at once, and how often that is done.
const LANE: usize = 64;
const LANES: usize = 4;

/// How many numbers of 32 bits have the marks, and how many of these the first mark of a word.
const NUMBERS: usize = 3;
const FIRST: usize = 2;

/// One bit of each sentence of a block.
type Row = lacking::Row<LANES>;

/// The marks of words.
#[derive(Debug, Clone, Copy, Default)]
pub struct Marks([u32; NUMBERS]);

/// Which two bits are the marks of a word.
#[derive(Debug, Clone, Copy)]
pub struct Rows(u16, u16);

impl Rows {
    /// The marks of a word. Words are hashes, but whatever they are, their bits are spread.
    pub fn of(word: u64) -> Self {
        let spread = word.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let (first, second) = (FIRST as u64 * 32, (NUMBERS - FIRST) as u64 * 32);
        let scaled = |bits: u64, n: u64| (((bits & 0xFFFF) * n) >> 16) as u16;
        Self(scaled(spread >> 48, first), first as u16 + scaled(spread >> 32, second))
    }

    /// The first marks of words from each one on, as bits, and of none.
    pub fn first_marks(words: &[Self]) -> Vec<u64> {
        let mut marks = vec![0; words.len() + 1];
        for (n, word) in words.iter().enumerate().rev() {
            marks[n] = marks[n + 1] | 1 << word.0;
        }
        marks
    }
}

impl Marks {
    /// Add a word.
    pub fn add(&mut self, word: u64) {
        let Rows(one, other) = Rows::of(word);
        for row in [one, other] {
            self.0[usize::from(row / 32)] |= 1 << (row % 32);
        }
    }

    fn has(&self, row: u16) -> bool {
        self.0[usize::from(row / 32)] >> (row % 32) & 1 == 1
    }

    fn has_both(&self, rows: Rows) -> bool {
        self.has(rows.0) & self.has(rows.1)
    }

    /// The bits of first marks.
    fn first(&self) -> u64 {
        u64::from(self.0[1]) << 32 | u64::from(self.0[0])
    }

    /// Whether at most so many of these words seem to be lacking.
    fn lacks_at_most(&self, words: &[Rows], most: u32) -> bool {
        let mut left = most;
        for &rows in words {
            if !self.has_both(rows) {
                if left == 0 {
                    return false;
                }
                left -= 1;
            }
        }
        true
    }
}

/// Sentences of a list, in their order.
#[derive(Debug, Default)]
pub struct Shelf {
    blocks: Vec<Block>,
    /// Those that came last, fewer than a lane.
    last: Vec<Entry>,
}

/// A sentence.
#[derive(Debug, Clone, Copy)]
struct Entry {
    at: u32,
    marks: Marks,
}

/// Up to 256 sentences. No row lies in two lines of the cache.
#[derive(Debug)]
#[repr(C, align(64))]
struct Block {
    /// The bits of all marks, row by row; no sentence, no bits.
    rows: [[Row; 32]; NUMBERS],
    /// Where they are.
    at: [[u32; LANE]; LANES],
    /// How many lanes are taken.
    taken: usize,
}

impl Block {
    fn new() -> Self {
        Self { at: [[0; LANE]; LANES], taken: 0, rows: [[[0; LANES]; 32]; NUMBERS] }
    }

    /// Add the sentences of a lane.
    fn add(&mut self, sentences: &[Entry]) {
        let lane = self.taken;
        self.taken += 1;
        for (n, Entry { at, marks }) in sentences.iter().enumerate() {
            self.at[lane][n] = *at;
            for (rows, &marks) in self.rows.iter_mut().zip(&marks.0) {
                let mut left = marks;
                while left != 0 {
                    rows[left.trailing_zeros() as usize][lane] |= 1 << n;
                    left &= left - 1;
                }
            }
        }
    }

    fn last(&self) -> u32 {
        self.at[self.taken - 1][LANE - 1]
    }

    fn row(&self, row: u16) -> &Row {
        &self.rows[usize::from(row / 32)][usize::from(row % 32)]
    }

    /// 1 if a sentence seems to have a word, else 0.
    fn has(&self, Rows(one, other): Rows, lane: usize, n: u32) -> u64 {
        (self.row(one)[lane] & self.row(other)[lane]) >> n & 1
    }

    /// Who seems to lack at most so many of these words; if that may be all of them, also lanes that are
    /// not taken. Every row is a line of the cache: the second marks are only asked for where somebody
    /// is left by the first ones.
    fn who_lacks_at_most(&self, words: &[Rows], most: u32) -> Row {
        let left = who_has(words, most, [u64::MAX; LANES], |rows| *self.row(rows.0));
        if left == [0; LANES] {
            return left;
        }
        who_has(words, most, left, |Rows(one, other)| {
            let (one, other) = (self.row(one), self.row(other));
            std::array::from_fn(|lane| one[lane] & other[lane])
        })
    }
}

impl Shelf {
    /// Add a sentence with the marks of its words, behind all others.
    pub fn push(&mut self, at: u32, marks: Marks) {
        if self.last.is_empty() && self.blocks.is_empty() {
            // Most words come once.
            self.last.reserve_exact(1);
        }
        self.last.push(Entry { at, marks });
        if self.last.len() == LANE {
            if self.blocks.last().is_none_or(|block| block.taken == LANES) {
                self.blocks.push(Block::new());
            }
            let block = self.blocks.last_mut().expect("just added");
            block.add(&self.last);
            self.last.clear();
        }
    }

    /// What touches the sentence that came last, so that its place is near when another one comes.
    pub fn touch(&self) -> u32 {
        self.last.last().map_or(0, |entry| entry.at)
    }

    /// Blocks with sentences from a place on, the last first. What is asked for is mostly all, or
    /// little at the end.
    fn since(&self, first: u32) -> impl Iterator<Item = &Block> {
        self.blocks.iter().rev().take_while(move |block| first == 0 || block.last() >= first)
    }

    /// What touches the rows of some words, from a place on, and those that came last.
    pub fn fetch(&self, words: impl Iterator<Item = Rows> + Clone, first: u32) -> u32 {
        let rows = |block: &Block| words.clone().fold(0, |all, rows| all ^ block.row(rows.0)[0]);
        let all = self.since(first).fold(0, |all, block| all ^ rows(block));
        self.last.iter().step_by(4).fold(all as u32, |all, entry| all ^ entry.at)
    }

    /// Call `found` with sentences from a place on, among them all that lack at most so many of the
    /// words, which come with all of their first marks, and with what tells whether one seems to have a
    /// word, 1 or 0.
    pub fn pick(
        &self,
        (words, first_marks): (&[Rows], u64),
        most: u32,
        first: u32,
        mut found: impl FnMut(u32, &dyn Fn(usize) -> u64),
    ) {
        let most = most.min(words.len() as u32);
        for block in self.since(first) {
            let who = block.who_lacks_at_most(words, most);
            if who == [0; LANES] {
                continue;
            }
            for (lane, mut who) in who.into_iter().enumerate().take(block.taken) {
                while who != 0 {
                    let n = who.trailing_zeros();
                    who &= who - 1;
                    let at = block.at[lane][n as usize];
                    if at >= first {
                        found(at, &|word| block.has(words[word], lane, n));
                    }
                }
            }
        }
        self.pick_last((words, first_marks), most, first, found);
    }

    /// The same among those that came last. Hardly any is picked, which the first bits tell mostly.
    fn pick_last(
        &self,
        (words, first_marks): (&[Rows], u64),
        most: u32,
        first: u32,
        mut found: impl FnMut(u32, &dyn Fn(usize) -> u64),
    ) {
        let less = |rest: u64| rest & rest.wrapping_sub(1);
        for Entry { at, marks } in &self.last {
            let lacking = first_marks & !marks.first();
            let is_near = match most {
                0 => lacking == 0,
                1 => less(lacking) == 0,
                2 => less(less(lacking)) == 0,
                3 => less(less(less(lacking))) == 0,
                _ => lacking.count_ones() <= most,
            };
            if is_near && *at >= first && marks.lacks_at_most(words, most) {
                found(*at, &|word| u64::from(marks.has_both(words[word])));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hamming::assert_picked;
    use proptest::prelude::*;

    fn marks(words: &[u64]) -> Marks {
        let mut marks = Marks::default();
        words.iter().for_each(|&word| marks.add(word));
        marks
    }

    /// Pick among sentences, put on a shelf, from one on; what lacks too much may be picked as well.
    fn check(stored: &[Vec<u64>], asked: &[u64], most: u32, first: u32) {
        let mut shelf = Shelf::default();
        for (n, words) in stored.iter().enumerate() {
            shelf.push(n as u32, marks(words));
        }
        let rows: Vec<Rows> = asked.iter().map(|&word| Rows::of(word)).collect();
        let mut found = Vec::new();
        let first_marks = Rows::first_marks(&rows)[0];
        shelf.pick((&rows, first_marks), most, first, |at, seems_there| {
            for (n, word) in asked.iter().enumerate() {
                assert!(seems_there(n) == 1 || !stored[at as usize].contains(word));
            }
            found.push(at);
        });
        found.sort_unstable();
        assert!(found.is_sorted_by(|a, b| a < b), "each once");
        assert!(found.iter().all(|&at| at >= first));
        assert_picked(stored, first, asked, most, &found);
    }

    proptest! {
        #[test]
        fn whoever_lacks_few_enough_is_picked(
            // More than a block, and more than a lane of the next one.
            stored in prop::collection::vec(prop::collection::vec(0_u64..30, 0..12), 0..400),
            asked in prop::collection::vec(0_u64..30, 0..12),
            most in 0_u32..9,
            first in 0_u32..400,
        ) {
            for first in [0, first] {
                check(&stored, &asked, most, first);
            }
        }
    }
}
