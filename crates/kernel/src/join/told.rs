//! Passages by their places in the texts, and what was done to them.

use rayon::prelude::*;

use super::aligned::Aligned;
use super::matches::Matches;
use super::passages::{Numbered, Passage, Passages};
use super::units::Sentences;
use crate::align::Kind;
use crate::cancel::Cancel;
use crate::error::Result;

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

/// A sentence in its text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// Its code points.
    pub span: (u32, u32),
    /// What stands for its text.
    pub text: u64,
    /// Whether it stands in quotation marks.
    pub is_quoted: bool,
}

/// What is known of distinct sentences.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// Who holds which.
    pub sentences: &'a Sentences,
    /// Which match.
    pub matches: &'a Matches,
    /// What aligning pairs added to that.
    pub aligned: &'a Aligned,
    /// Which say that they are somebody's words.
    pub attributed: &'a [bool],
}

/// Passages of pairs of documents.
#[derive(Debug, Default)]
pub struct Passed {
    /// Where those of each pair end.
    pub ends: Vec<u32>,
    /// The passages.
    pub told: Vec<Told>,
}

/// The passages of each pair of documents; `place` tells of a sentence of a document where it stands.
pub fn told(
    known: &Known<'_>,
    pairs: &[(u32, u32)],
    place: impl Fn(u32, u32) -> Place + Sync,
    cancel: &Cancel,
) -> Result<Passed> {
    let parts = pairs
        .par_chunks(256)
        .map_init(
            || Passages::new(known.sentences, known.matches, known.aligned),
            |passages, part| {
                let mut passed = Passed::default();
                for &(left, right) in part {
                    cancel.check()?;
                    let (sides, found) = passages.between(left as usize, right as usize, cancel)?;
                    let documents = [left, right];
                    let tell = |passage: &Passage| tell(known, &documents, sides, passage, &place);
                    passed.told.extend(found.iter().map(tell));
                    passed.ends.push(passed.told.len() as u32);
                }
                Ok(passed)
            },
        )
        .collect::<Result<Vec<Passed>>>()?;
    let mut all = Passed::default();
    for part in parts {
        let before = all.told.len() as u32;
        all.ends.extend(part.ends.into_iter().map(|end| before + end));
        all.told.extend(part.told);
    }
    Ok(all)
}

fn tell(
    known: &Known<'_>,
    documents: &[u32; 2],
    sides: &[Numbered; 2],
    passage: &Passage,
    place: impl Fn(u32, u32) -> Place,
) -> Told {
    let ranges = [passage.left, passage.right];
    let at = |side: usize, n: usize| place(documents[side], sides[side][n].0);
    let hull = |side: usize| (at(side, ranges[side].0).span.0, at(side, ranges[side].1).span.1);
    let is_verbatim = || {
        let mut texts = (ranges[0].0..=ranges[0].1).zip(ranges[1].0..=ranges[1].1);
        passage.is_one_to_one && texts.all(|(n, m)| at(0, n).text == at(1, m).text)
    };
    let is_quoted = || {
        let [left, right] = [0, 1].map(|side| {
            let (first, last) = ranges[side];
            let quoted = (first..=last).filter(|&n| at(side, n).is_quoted).count();
            let is_said = |n: usize| known.attributed[sides[side][n].1 as usize];
            (2 * quoted > last - first, (first..=last).all(is_said))
        });
        // What only one of them says to be somebody's words it took from there.
        left.0 || right.0 || (passage.is_one_to_one && left.1 != right.1)
    };
    let kind = if passage.is_boilerplate {
        Kind::Boilerplate
    } else if is_quoted() {
        Kind::Quoted
    } else if passage.is_moved {
        Kind::Reordered
    } else if is_verbatim() {
        Kind::Verbatim
    } else {
        Kind::Edited
    };
    Told { left: hull(0), right: hull(1), score: passage.score, kind }
}
