//! In how many bits the signatures of two sentences differ, given what they share.
//!
//! The paper's law takes one sentence for the other with words added. Real ones both have words of
//! their own. Words are followed one by one, as in the exact law ([`super::law`]): those that both
//! have set s bits, those that one has set i of the others, those of the other j of them. Which i
//! and j is a matter of chance, so that h bits are set by both with the hypergeometric probability
//! `C(i, h) · C(m − s − i, j − h) / C(m − s, j)`, and i + j − 2h differ.

use super::law::{adds, choose};

/// What is less likely than this is left out.
const NEVER: f64 = 1e-12;

/// The law for signatures of m bits, l for each word.
pub struct PairLaw {
    bits: usize,
    per_word: usize,
    /// For so many set bits the probabilities that a word sets 0, 1, … l others.
    steps: Vec<Vec<f64>>,
    /// For so many set bits and so many words the probabilities that they set 0, 1, … others.
    growth: Vec<Vec<Vec<f64>>>,
    /// `C(n, k)`
    choices: Vec<Vec<f64>>,
}

impl PairLaw {
    /// For signatures like these.
    pub fn new(bits: u32, bits_per_word: u32) -> Self {
        let steps = |set| (0..=bits_per_word).map(move |new| adds(bits, bits_per_word, set, new));
        let nothing = |set| vec![[vec![1.0], vec![0.0; (bits - set) as usize]].concat()];
        Self {
            bits: bits as usize,
            per_word: bits_per_word as usize,
            steps: (0..=bits).map(|set| steps(set).collect()).collect(),
            growth: (0..=bits).map(nothing).collect(),
            choices: (0..=bits).map(|n| (0..=bits).map(|k| choose(n, k)).collect()).collect(),
        }
    }

    /// Make sure that growth is known for so many words, from so many set bits on.
    fn grow(&mut self, set: usize, words: usize) {
        while self.growth[set].len() <= words {
            let before = &self.growth[set][self.growth[set].len() - 1];
            let mut after = vec![0.0; before.len()];
            for (more, &p) in before.iter().enumerate().filter(|(_, p)| **p > NEVER) {
                for new in 0..=self.per_word.min(self.bits - set - more) {
                    after[more + new] += p * self.steps[set + more][new];
                }
            }
            self.growth[set].push(after);
        }
    }

    /// The probabilities that 0, 1, … bits differ, if two sentences share `both` words and have
    /// `left` and `right` others.
    pub fn apart(&mut self, both: usize, left: usize, right: usize) -> Vec<f64> {
        self.grow(0, both);
        let mut differing = vec![0.0; self.bits + 1];
        for set in 0..=self.bits {
            let p_set = self.growth[0][both][set];
            if p_set < NEVER {
                continue;
            }
            self.grow(set, left.max(right));
            let free = self.bits - set;
            let likely = |words: usize| {
                let row = self.growth[set][words].iter().enumerate();
                row.filter(|(_, p)| **p > NEVER).collect::<Vec<_>>()
            };
            for &(i, p_i) in &likely(left) {
                for &(j, p_j) in &likely(right) {
                    let all = p_set * p_i * p_j / self.choices[free][j];
                    for h in (i + j).saturating_sub(free)..=i.min(j) {
                        differing[i + j - 2 * h] +=
                            all * self.choices[i][h] * self.choices[free - i][j - h];
                    }
                }
            }
        }
        differing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::sentences::Signatures;
    use crate::hamming::law::exact;
    use crate::hash;

    #[test]
    fn words_on_one_side_follow_the_exact_law() {
        let mut law = PairLaw::new(32, 2);
        for (both, more) in [(10, 3), (7, 0), (0, 5), (40, 60)] {
            let one_sided = exact(32, 2, both, more);
            for found in [
                law.apart(both as usize, more as usize, 0),
                law.apart(both as usize, 0, more as usize),
            ] {
                assert!(found.iter().zip(&one_sided).all(|(a, b)| (a - b).abs() < 1e-9));
            }
        }
    }

    #[test]
    fn real_signatures_differ_as_the_law_says() {
        for (bits, bits_per_word, both, left, right) in
            [(32, 2, 6, 3, 5), (16, 1, 5, 5, 20), (64, 3, 8, 2, 2)]
        {
            let signatures = Signatures { bits, bits_per_word };
            let (mut counts, n) = (vec![0.0; bits as usize + 1], 20_000);
            for trial in 0..n {
                let word = |place: usize| hash::extend(trial + 1, place as u64);
                let sign = |own: std::ops::Range<usize>| {
                    let mut signature = [0_u64];
                    (0..both).chain(own).for_each(|at| signatures.add(word(at), &mut signature));
                    signature[0]
                };
                let apart = sign(both..both + left) ^ sign(1_000..1_000 + right);
                counts[apart.count_ones() as usize] += 1.0 / n as f64;
            }
            let expected = PairLaw::new(bits, bits_per_word).apart(both, left, right);
            assert!((expected.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(counts.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 0.015));
        }
    }
}
