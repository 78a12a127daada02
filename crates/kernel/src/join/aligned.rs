//! The pairs of documents of which enough is matched, aligned: what is found counts as shared.

use rayon::prelude::*;

use super::aligner::{Aligner, Found, is_aligned};
use super::matches::Matches;
use super::rows::Joined;
use super::units::Sentences;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::{Features, from_units};

/// How many pairs are aligned in one go.
const AT_A_TIME: usize = 64;

/// A sentence of which only a few sentences of the other document together have much.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// Whether it is one of left.
    pub is_left: bool,
    /// Its number.
    pub sentence: u32,
    /// The sentence there that has most of it, by its number.
    pub other: u32,
    /// How much of it is there.
    pub share: f64,
}

/// The pairs that were aligned, and what that added to their matches.
#[derive(Debug, Default)]
pub struct Aligned {
    /// The pairs, sorted.
    pairs: Vec<(u32, u32)>,
    /// Where the links of each end.
    ends: Vec<usize>,
    links: Vec<Link>,
}

impl Aligned {
    fn push(&mut self, pair: (u32, u32), sides: &[Vec<Found>; 2]) {
        self.pairs.push(pair);
        for (side, is_left) in sides.iter().zip([true, false]) {
            self.links.extend(side.iter().zip(0..).filter_map(|(found, sentence)| {
                let (other, share) = (found.link?, found.shared as f64 / found.weight as f64);
                Some(Link { is_left, sentence, other, share })
            }));
        }
        self.ends.push(self.links.len());
    }

    fn extend(&mut self, behind: Self) {
        let before = self.links.len();
        self.pairs.extend(behind.pairs);
        self.ends.extend(behind.ends.into_iter().map(|end| before + end));
        self.links.extend(behind.links);
    }

    /// The links of a pair, those of left first.
    pub fn links(&self, left: usize, right: usize) -> &[Link] {
        let Ok(n) = self.pairs.binary_search(&(left as u32, right as u32)) else { return &[] };
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        &self.links[start..self.ends[n]]
    }
}

/// Align the pairs of which enough is matched, and count what is found as shared; `weights` are those of
/// the sentences.
pub fn align(
    joined: &mut Joined,
    features: &Features,
    sentences: &Sentences,
    (matches, weights): (&Matches, &[u64]),
    floor: f64,
    cancel: &Cancel,
) -> Result<Aligned> {
    let is_between = |&n: &usize| {
        let sides = [
            (joined.shared[n], joined.left_total[n]),
            (joined.right_shared[n], joined.right_total[n]),
        ];
        !joined.same_text[n] && is_aligned(sides, floor)
    };
    let mut rows: Vec<usize> = (0..joined.left.len()).filter(is_between).collect();
    rows.sort_unstable_by_key(|&n| (joined.left[n], joined.right[n]));
    let found = rows
        .par_chunks(AT_A_TIME)
        .map_init(
            || Aligner::new(features, sentences, matches, weights, floor),
            |aligner, part| {
                let mut sums = Vec::with_capacity(part.len());
                let mut aligned = Aligned::default();
                for &n in part {
                    cancel.check()?;
                    let pair = (joined.left[n], joined.right[n]);
                    let sides = aligner.between(pair.0 as usize, pair.1 as usize, cancel)?;
                    aligned.push(pair, &sides);
                    sums.push(aligner.sums(&sides).map(|(shared, _)| shared));
                }
                Ok((sums, aligned))
            },
        )
        .collect::<Result<Vec<_>>>()?;
    let mut aligned = Aligned::default();
    for (rows, (sums, part)) in rows.chunks(AT_A_TIME).zip(found) {
        for (&n, [left, right]) in rows.iter().zip(sums) {
            joined.shared[n] = from_units(u128::from(left));
            joined.right_shared[n] = from_units(u128::from(right));
        }
        aligned.extend(part);
    }
    Ok(aligned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Feature;
    use crate::join::groups::Times;
    use crate::join::units::Units;

    /// More pairs than are aligned in one go.
    const SIDE: u32 = 9;

    #[test]
    fn each_pair_gets_what_was_found_between_its_documents() {
        // Every document begins alike. Those on the left have another sentence whole, those on the
        // right in two pieces.
        let mut features = Features::default();
        for document in 0..u64::from(2 * SIDE) {
            let own = 100 + 10 * document;
            let whole: &[&[u64]] = &[&[1, 2, 3, 4], &[5, 6, 7, 8]];
            let cut: &[&[u64]] = &[&[1, 2, 3, 4], &[5, 6, own], &[7, 8, own + 1]];
            for sentence in if document < SIDE.into() { whole } else { cut } {
                let word = |&key: &u64| Feature { key, weight: 10, count: 1 };
                features.push(&mut sentence.iter().map(word).collect::<Vec<_>>(), false);
            }
            features.end_document();
        }
        let (cancel, n) = (Cancel::default(), 2 * SIDE as usize);
        let ids: Vec<String> = (0..n).map(|id| format!("{id:02}")).collect();
        let texts: Vec<u128> = (0..n as u128).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let times = Times::new(&ids, vec![None; n], None, &cancel).expect("times");
        let (units, distinct) = Units::new(features, &times, &texts, &cancel).expect("units");
        let (distinct, sentences) =
            (distinct.into_ranked(), units.sentences.expect("of sentences"));
        let matches = Matches::new(sentences.n_distinct(), &[]);
        let pairs: Vec<(u32, u32)> =
            (0..SIDE).flat_map(|l| (SIDE..2 * SIDE).map(move |r| (l, r))).collect();
        let all = |units: u128| vec![from_units(units); pairs.len()];
        let mut joined = Joined {
            left: pairs.iter().map(|pair| pair.0).collect(),
            right: pairs.iter().map(|pair| pair.1).collect(),
            shared: all(40),
            right_shared: all(40),
            left_total: all(80),
            right_total: all(100),
            same_text: vec![false; pairs.len()],
            is_proved: vec![false; pairs.len()],
            touched: 0,
        };
        let aligned = align(&mut joined, &distinct, &sentences, (&matches, &[]), 0.3, &cancel)
            .expect("aligned");
        assert_eq!((joined.shared, joined.right_shared), (all(80), all(40)));
        for (left, right) in pairs {
            let link = Link { is_left: true, sentence: 1, other: 1, share: 1.0 };
            assert_eq!(aligned.links(left as usize, right as usize), [link], "{left} {right}");
        }
        assert_eq!(aligned.links(0, 1), []);
    }
}
