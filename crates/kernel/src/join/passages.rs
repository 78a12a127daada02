//! Which sentences of two documents match each other, and the passages they make.

use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::roll_up::Matches;
use super::units::Sentences;
use crate::cancel::Cancel;
use crate::error::Result;

/// A sentence of left and one of right, by their numbers in their documents, and the score of each
/// asking for the other; 0 where that is no match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SentenceMatch {
    /// The sentence of left.
    pub left: u32,
    /// The sentence of right.
    pub right: u32,
    /// The score of left's sentence asking.
    pub left_score: f64,
    /// The score of right's sentence asking.
    pub right_score: f64,
}

/// The matches between two documents, in the order of left's sentences, then of right's.
pub fn between(
    sentences: &Sentences,
    matches: &Matches,
    left: usize,
    right: usize,
) -> Vec<SentenceMatch> {
    let there: Vec<(u32, u32)> = numbered(sentences, right);
    let mut found = Vec::new();
    for (n, own) in numbered(sentences, left) {
        for &(m, other) in &there {
            let [left_score, right_score] = [(own, other), (other, own)]
                .map(|(probe, store)| matches.score(probe, store).unwrap_or(0.0));
            if left_score > 0.0 || right_score > 0.0 {
                found.push(SentenceMatch { left: n, right: m, left_score, right_score });
            }
        }
    }
    found
}

/// The sentences of a document that are looked at: their numbers in it, and among the distinct.
fn numbered(sentences: &Sentences, document: usize) -> Vec<(u32, u32)> {
    let numbers = sentences.of_document(document).enumerate();
    numbers.filter_map(|(n, distinct)| Some((n as u32, distinct?))).collect()
}

/// For each sentence of a document what it weighs, and what of it is in another document.
pub fn weighed(
    sentences: &Sentences,
    matches: &Matches,
    weight: impl Fn(u32) -> u64,
    document: usize,
    other: usize,
) -> Vec<(u64, u64)> {
    let mut there: Vec<u32> = sentences.of_document(other).flatten().collect();
    there.sort_unstable();
    let is_there = |sentence: u32| there.binary_search(&sentence).is_ok();
    let row = |sentence: u32| {
        let own = weight(sentence);
        let found = matches.found(sentence).filter(|found| is_there(found.sentence));
        let shared = found.map(|found| found.shared).max().unwrap_or(0);
        (own, if is_there(sentence) { own } else { shared })
    };
    sentences.of_document(document).map(|sentence| sentence.map_or((0, 0), row)).collect()
}

/// What was done to a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Nothing.
    Verbatim,
    /// Words or sentences were changed.
    Edited,
    /// It stands elsewhere.
    Reordered,
}

/// A passage by its places in the texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// Code points of left.
    pub left: (u32, u32),
    /// Code points of right.
    pub right: (u32, u32),
    /// The mean score of its matches.
    pub score: f64,
    /// What was done to it.
    pub kind: Kind,
}

/// The passages of each pair of documents; `place` gives the span of a sentence of a document, and
/// what stands for its text.
pub fn told(
    sentences: &Sentences,
    matches: &Matches,
    pairs: &[(u32, u32)],
    place: impl Fn(u32, u32) -> ((u32, u32), u64) + Sync,
    cancel: &Cancel,
) -> Result<Vec<Vec<Told>>> {
    let of_pair = |&(a, b): &(u32, u32)| {
        cancel.check()?;
        let told = |passage: Passage| {
            let Passage { left, right, .. } = &passage;
            let hull = |document: u32, range: &RangeInclusive<u32>| {
                (place(document, *range.start()).0.0, place(document, *range.end()).0.1)
            };
            let mut texts = left.clone().zip(right.clone());
            let is_verbatim =
                passage.is_one_to_one && texts.all(|(n, m)| place(a, n).1 == place(b, m).1);
            let kind = match (passage.is_moved, is_verbatim) {
                (true, _) => Kind::Reordered,
                (false, true) => Kind::Verbatim,
                (false, false) => Kind::Edited,
            };
            Told { left: hull(a, left), right: hull(b, right), score: passage.score, kind }
        };
        let found = passages(sentences, matches, a as usize, b as usize);
        Ok(found.into_iter().map(told).collect())
    };
    pairs.par_iter().map(of_pair).collect()
}

/// Sentences in a row that match sentences in a row, by their numbers in their documents.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// The sentences of left.
    pub left: RangeInclusive<u32>,
    /// The sentences of right.
    pub right: RangeInclusive<u32>,
    /// The mean score of its matches.
    pub score: f64,
    /// Whether each sentence has another one in its place.
    pub is_one_to_one: bool,
    /// Whether it stands before an earlier passage in right.
    pub is_moved: bool,
}

/// The passages of two documents, in the order of left. Each sentence of left comes with its best
/// match, and each one of right that is no such match with its own; those that follow each other on
/// both sides are one passage.
pub fn passages(
    sentences: &Sentences,
    matches: &Matches,
    left: usize,
    right: usize,
) -> Vec<Passage> {
    let sides = [left, right].map(|document| numbered(sentences, document));
    let mut found = best(&sides[0], &sides[1], matches, &[]);
    let mut taken = vec![false; sides[1].len()];
    found.iter().for_each(|&(_, r, _)| taken[r] = true);
    let others = best(&sides[1], &sides[0], matches, &taken);
    found.extend(others.into_iter().map(|(r, l, s)| (l, r, s)));
    found.sort_unstable_by_key(|&(l, r, _)| (l, r));
    let mut open: Vec<Run> = Vec::new();
    for (l, r, score) in found {
        // The last few: what does not follow one of these follows none.
        let last = open.iter_mut().rev().take(4).find(|run| run.is_followed_by(l, r));
        match last {
            Some(run) => run.add(l, r, score),
            None => open.push(Run { left: (l, l), right: (r, r), score, matches: 1 }),
        }
    }
    let mut behind = 0;
    let mut made = Vec::with_capacity(open.len());
    for run in open {
        let (l, r) = (run.left, run.right);
        made.push(Passage {
            left: sides[0][l.0].0..=sides[0][l.1].0,
            right: sides[1][r.0].0..=sides[1][r.1].0,
            score: run.score / run.matches as f64,
            is_one_to_one: run.matches == l.1 - l.0 + 1 && run.matches == r.1 - r.0 + 1,
            is_moved: r.1 < behind,
        });
        behind = behind.max(r.0);
    }
    made
}

/// Matches in a row, by their places among the sentences that are looked at.
struct Run {
    left: (usize, usize),
    right: (usize, usize),
    score: f64,
    matches: usize,
}

impl Run {
    fn is_followed_by(&self, l: usize, r: usize) -> bool {
        let follows = |(_, end): (usize, usize), at: usize| at == end || at == end + 1;
        follows(self.left, l) && follows(self.right, r)
    }

    fn add(&mut self, l: usize, r: usize, score: f64) {
        (self.left.1, self.right.1) = (l, r);
        self.score += score;
        self.matches += 1;
    }
}

/// The best match of each sentence that is not taken, by place: of equally good ones that behind the match of the
/// sentence before, else the first.
fn best(
    own: &[(u32, u32)],
    others: &[(u32, u32)],
    matches: &Matches,
    taken: &[bool],
) -> Vec<(usize, usize, f64)> {
    let mut places: Vec<(u32, usize)> =
        others.iter().enumerate().map(|(place, &(_, distinct))| (distinct, place)).collect();
    places.sort_unstable();
    let of = |distinct: u32| {
        let start = places.partition_point(|&(other, _)| other < distinct);
        places[start..].iter().take_while(move |&&(other, _)| other == distinct)
    };
    let mut found: Vec<(usize, usize, f64)> = Vec::new();
    for (n, &(_, sentence)) in own.iter().enumerate() {
        if taken.get(n) == Some(&true) {
            continue;
        }
        let wanted = found.last().filter(|last| last.0 + 1 == n).map(|last| last.1 + 1);
        let mut best: Option<(f64, bool, usize)> = None;
        let found_here = matches.found(sentence).map(|found| (found.sentence, found.score));
        for (other, score) in std::iter::once((sentence, 1.0)).chain(found_here) {
            for &(_, place) in of(other) {
                let follows = wanted == Some(place);
                let is_better = best.is_none_or(|(s, f, p)| (score, follows, p) > (s, f, place));
                if is_better {
                    best = Some((score, follows, place));
                }
            }
        }
        found.extend(best.map(|(score, _, place)| (n, place, score)));
    }
    found
}
