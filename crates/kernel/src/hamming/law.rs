//! How likely signatures of related sentences differ in few bits, and which radius follows.
//!
//! Kim, Candan, Tatemura: "Efficient overlap and content reuse detection in blogs and online news
//! articles", WWW 2009, section 2.1.2. A sentence has n words, a second one the same and k more; a
//! word sets l of m bits. The paper takes the bits as independent: the binomial law. But the bits of
//! a word are not, and no more than k·l can switch: the exact law follows the number of set bits
//! word by word.

/// Which distribution the number of differing bits has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    /// Bits switch independently: the paper's.
    Binomial,
    /// Each word sets l different bits.
    Exact,
}

/// The probability that a bit of a signature of `words` is set: `1 − (1 − 1/m)^(n·l)`.
pub fn bit_set(bits: u32, bits_per_word: u32, words: f64) -> f64 {
    1.0 - unset(bits, bits_per_word, words)
}

fn unset(bits: u32, bits_per_word: u32, words: f64) -> f64 {
    (1.0 - 1.0 / f64::from(bits)).powf(words * f64::from(bits_per_word))
}

/// The probability that `more` words set a bit that `words` did not:
/// `(1 − 1/m)^(n·l) · (1 − (1 − 1/m)^(k·l))`; with `approximate`, powers of e instead.
pub fn bit_switch(bits: u32, bits_per_word: u32, words: f64, more: f64, approximate: bool) -> f64 {
    let power = |n: f64| {
        if approximate {
            (-n * f64::from(bits_per_word) / f64::from(bits)).exp()
        } else {
            unset(bits, bits_per_word, n)
        }
    };
    power(words) * (1.0 - power(more))
}

/// The probability of at most `successes` in so many trials.
fn binomial(trials: u32, p: f64, successes: u32) -> f64 {
    if p <= 0.0 {
        return 1.0;
    }
    let mut sum = 0.0;
    let mut choose = 1.0;
    for t in 0..=successes.min(trials) {
        sum += choose * p.powf(f64::from(t)) * (1.0 - p).powf(f64::from(trials - t));
        choose *= f64::from(trials - t) / f64::from(t + 1);
    }
    sum.min(1.0)
}

/// The probability under the binomial law that at most `distance` bits differ.
pub fn binomial_within(
    bits: u32,
    bits_per_word: u32,
    words: f64,
    more: f64,
    distance: u32,
    approximate: bool,
) -> f64 {
    binomial(bits, bit_switch(bits, bits_per_word, words, more, approximate), distance)
}

/// `C(n, k)`
pub(super) fn choose(n: u32, k: u32) -> f64 {
    if k > n {
        return 0.0;
    }
    (0..k.min(n - k)).map(|i| f64::from(n - i) / f64::from(i + 1)).product()
}

/// The probability that a word adds exactly `new` bits to `set` ones:
/// `C(s, l − j) · C(m − s, j) / C(m, l)`.
pub(super) fn adds(bits: u32, bits_per_word: u32, set: u32, new: u32) -> f64 {
    let old = choose(set, bits_per_word - new) * choose(bits - set, new);
    old / choose(bits, bits_per_word)
}

/// The probabilities under the exact law that exactly 0, 1, … bits differ.
pub fn exact(bits: u32, bits_per_word: u32, words: u32, more: u32) -> Vec<f64> {
    let (m, l) = (bits as usize, bits_per_word as usize);
    let steps: Vec<f64> = (0..=bits)
        .flat_map(|set| (0..=bits_per_word).map(move |new| adds(bits, bits_per_word, set, new)))
        .collect();
    let next = |row: &[f64], start: usize| {
        let mut after = vec![0.0; m + 1 - start];
        for (more, &p) in row.iter().enumerate().filter(|(_, p)| **p > 0.0) {
            for new in 0..=l.min(m - start - more) {
                after[more + new] += p * steps[(start + more) * (l + 1) + new];
            }
        }
        after
    };
    let mut set = vec![0.0; m + 1];
    set[0] = 1.0;
    for _ in 0..words {
        set = next(&set, 0);
    }
    let mut differing = vec![0.0; m + 1];
    for (start, &p) in set.iter().enumerate().filter(|(_, p)| **p > 0.0) {
        let mut row = vec![0.0; m + 1 - start];
        row[0] = p;
        for _ in 0..more {
            row = next(&row, start);
        }
        row.iter().enumerate().for_each(|(n, p)| differing[n] += p);
    }
    differing
}

/// The largest radius within which a sentence with more than `changed` words more comes with a
/// probability of at most `false_hits`; `None` if not even 0 is.
pub fn radius(
    law: Law,
    bits: u32,
    bits_per_word: u32,
    words: u32,
    changed: u32,
    false_hits: f64,
) -> Option<u32> {
    let more = changed + 1;
    let (n, k) = (f64::from(words), f64::from(more));
    let within: Box<dyn Fn(u32) -> f64> = match law {
        Law::Binomial => Box::new(move |d| binomial_within(bits, bits_per_word, n, k, d, false)),
        Law::Exact => {
            let differing = exact(bits, bits_per_word, words, more);
            Box::new(move |d| differing[..=d as usize].iter().sum())
        }
    };
    (0..=bits).take_while(|&d| within(d) <= false_hits).last()
}

/// The smallest number of bits per word that gives each of so many words bits of its own:
/// `C(m, l) ≥ w`. Where there are too many words, the one with the most combinations.
pub fn bits_per_word(bits: u32, vocabulary: usize) -> u32 {
    let most = (bits / 2).max(1);
    (1..=most).find(|&l| choose(bits, l) >= vocabulary as f64).unwrap_or(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64, digits: i32) {
        assert!((found - expected).abs() <= 0.500_001 * 10_f64.powi(-digits), "{found} {expected}");
    }

    #[test]
    fn bits_that_are_set() {
        near(bit_set(32, 2, 10.0), 0.470_051, 6);
        near(bit_set(16, 1, 10.0), 0.475_540, 6);
        near(1.0 - (-20.0_f64 / 32.0).exp(), 0.464_739, 6);
    }

    /// m, l, n, k; the probability of a switch, its approximation, P_max for d = 0..5.
    type Row = (u32, u32, u32, u32, f64, f64, [f64; 6]);

    const BINOMIAL: [Row; 15] = [
        (32, 2, 9, 1, 0.034742, 0.034521, [0.3225, 0.6940, 0.9013, 0.9759, 0.9953, 0.9993]),
        (32, 2, 9, 2, 0.067346, 0.066951, [0.1074, 0.3556, 0.6334, 0.8340, 0.9390, 0.9815]),
        (32, 2, 9, 3, 0.097944, 0.097416, [0.0369, 0.1653, 0.3813, 0.6158, 0.8004, 0.9127]),
        (32, 2, 9, 4, 0.126660, 0.126036, [0.0131, 0.0740, 0.2109, 0.4093, 0.6180, 0.7875]),
        (32, 2, 9, 5, 0.153609, 0.152921, [0.0048, 0.0328, 0.1114, 0.2540, 0.4417, 0.6325]),
        (32, 2, 10, 1, 0.032604, 0.032430, [0.3462, 0.7196, 0.9146, 0.9804, 0.9964, 0.9995]),
        (32, 2, 10, 2, 0.063203, 0.062895, [0.1238, 0.3910, 0.6705, 0.8590, 0.9513, 0.9861]),
        (32, 2, 10, 3, 0.091919, 0.091514, [0.0457, 0.1938, 0.4261, 0.6612, 0.8337, 0.9316]),
        (32, 2, 10, 4, 0.118868, 0.118399, [0.0174, 0.0927, 0.2500, 0.4623, 0.6699, 0.8267]),
        (32, 2, 10, 5, 0.144159, 0.143656, [0.0069, 0.0439, 0.1405, 0.3032, 0.5019, 0.6893]),
        (16, 1, 10, 1, 0.032779, 0.032430, [0.5867, 0.9048, 0.9857, 0.9985, 0.9999, 1.0000]),
        (16, 1, 10, 2, 0.063509, 0.062895, [0.3500, 0.7298, 0.9229, 0.9840, 0.9975, 0.9997]),
        (16, 1, 10, 3, 0.092318, 0.091514, [0.2123, 0.5578, 0.8213, 0.9464, 0.9877, 0.9978]),
        (16, 1, 10, 4, 0.119327, 0.118399, [0.1309, 0.4148, 0.7032, 0.8856, 0.9659, 0.9920]),
        (16, 1, 10, 5, 0.144648, 0.143656, [0.0821, 0.3042, 0.5860, 0.8083, 0.9305, 0.9801]),
    ];

    #[test]
    fn the_binomial_law_of_the_paper() {
        for (m, l, n, k, switch, approximate, within) in BINOMIAL {
            let (n, k) = (f64::from(n), f64::from(k));
            near(bit_switch(m, l, n, k, false), switch, 6);
            near(bit_switch(m, l, n, k, true), approximate, 6);
            for (d, expected) in within.into_iter().enumerate() {
                near(binomial_within(m, l, n, k, d as u32, false), expected, 4);
            }
        }
    }

    /// m, l, n, k; the mean; P(at most d) for d = 0..5.
    const EXACT: [(u32, u32, u32, u32, f64, [f64; 6]); 8] = [
        (32, 2, 10, 1, 1.0489, [0.2203, 0.7308, 1.0, 1.0, 1.0, 1.0]),
        (32, 2, 10, 2, 2.0323, [0.0504, 0.2914, 0.6838, 0.9420, 1.0, 1.0]),
        (32, 2, 10, 3, 2.9542, [0.0120, 0.1005, 0.3478, 0.6822, 0.9131, 0.9902]),
        (32, 2, 10, 4, 3.8185, [0.0029, 0.0328, 0.1534, 0.4048, 0.7014, 0.9044]),
        (32, 2, 10, 5, 4.6287, [0.0007, 0.0105, 0.0628, 0.2123, 0.4660, 0.7326]),
        (16, 1, 10, 1, 0.5245, [0.4755, 1.0, 1.0, 1.0, 1.0, 1.0]),
        (16, 1, 10, 2, 1.0161, [0.2305, 0.7534, 1.0, 1.0, 1.0, 1.0]),
        (16, 1, 10, 3, 1.4771, [0.1137, 0.5120, 0.8971, 1.0, 1.0, 1.0]),
    ];

    #[test]
    fn the_exact_law() {
        for (m, l, n, k, mean, within) in EXACT {
            let found = exact(m, l, n, k);
            near(found.iter().enumerate().map(|(t, p)| t as f64 * p).sum(), mean, 4);
            for (d, expected) in within.into_iter().enumerate() {
                near(found[..=d].iter().sum(), expected, 4);
            }
        }
        let found = exact(32, 2, 7, 3);
        for (d, expected) in [0.002, 0.031, 0.165, 0.461, 0.790, 0.965].into_iter().enumerate() {
            near(found[..=d].iter().sum(), expected, 3);
        }
        assert!(exact(64, 3, 9, 4)[13..].iter().all(|&p| p == 0.0), "no more than k·l");
    }

    /// The law, m, l, n; radii for k = 1..5 under each bound, −1: not even 0.
    type Radii = (Law, u32, u32, u32, [[i32; 5]; 5]);

    #[test]
    fn the_radius_for_a_bound_on_false_hits() {
        const BOUNDS: [f64; 5] = [0.01, 0.05, 0.1, 0.2, 0.3];
        let known: [Radii; 7] = [
            (
                Law::Binomial,
                32,
                2,
                9,
                [
                    [-1, -1, -1, 0, 0],
                    [-1, 0, 0, 1, 1],
                    [-1, 0, 1, 1, 2],
                    [0, 1, 1, 2, 3],
                    [0, 1, 2, 3, 4],
                ],
            ),
            (
                Law::Binomial,
                32,
                2,
                10,
                [
                    [-1, -1, -1, 0, 0],
                    [-1, 0, 0, 1, 1],
                    [-1, 0, 1, 1, 2],
                    [0, 1, 1, 2, 3],
                    [0, 1, 2, 2, 3],
                ],
            ),
            (
                Law::Binomial,
                16,
                1,
                9,
                [
                    [-1; 5],
                    [-1, -1, -1, -1, 0],
                    [-1, -1, -1, 0, 0],
                    [-1, 0, 0, 0, 1],
                    [-1, 0, 0, 1, 1],
                ],
            ),
            (
                Law::Binomial,
                16,
                1,
                10,
                [[-1; 5], [-1; 5], [-1, -1, -1, 0, 0], [-1, -1, 0, 0, 0], [-1, 0, 0, 0, 1]],
            ),
            (
                Law::Binomial,
                64,
                2,
                10,
                [
                    [-1, -1, 0, 1, 2],
                    [-1, 0, 1, 2, 3],
                    [0, 1, 2, 3, 4],
                    [0, 2, 3, 4, 5],
                    [1, 2, 3, 4, 6],
                ],
            ),
            (
                Law::Binomial,
                64,
                3,
                10,
                [
                    [-1, 0, 1, 2, 3],
                    [0, 1, 2, 3, 4],
                    [0, 2, 3, 4, 5],
                    [1, 2, 4, 5, 6],
                    [2, 3, 4, 6, 7],
                ],
            ),
            (
                Law::Exact,
                32,
                2,
                10,
                [
                    [-1, -1, 0, 0, 1],
                    [-1, 0, 1, 1, 2],
                    [0, 0, 1, 2, 2],
                    [0, 1, 2, 2, 3],
                    [1, 1, 2, 3, 4],
                ],
            ),
        ];
        for (law, m, l, n, rows) in known {
            for (bound, expected) in BOUNDS.into_iter().zip(rows) {
                let found = [1, 2, 3, 4, 5].map(|k| radius(law, m, l, n, k, bound));
                let found = found.map(|d| d.map_or(-1, |d| d as i32));
                assert_eq!(found, expected, "{law:?} {m} {l} {n} {bound}");
            }
        }
    }

    #[test]
    fn enough_bits_for_every_word() {
        for (bits, largest) in [
            (32, &[32, 496, 4_960, 35_960, 201_376, 906_192][..]),
            (64, &[64, 2_016, 41_664, 635_376][..]),
        ] {
            for (n, &words) in largest.iter().enumerate() {
                assert_eq!(bits_per_word(bits, words), n as u32 + 1);
                assert_eq!(bits_per_word(bits, words + 1), n as u32 + 2);
            }
        }
        assert_eq!((bits_per_word(16, 12_870), bits_per_word(16, 12_871)), (8, 8));
        assert_eq!((bits_per_word(1, 5), bits_per_word(64, 0)), (1, 1));
    }

    #[test]
    fn recall_as_the_paper_predicts_it() {
        // Of a sentence of 9.98 words the stored one has a share of theta: it has k fewer.
        for (m, l, theta, expected) in [
            (32, 2, 0.7, [0.118, 0.299, 0.524, 0.726, 0.866]),
            (32, 2, 0.8, [0.325, 0.599, 0.809, 0.926, 0.976]),
            (32, 2, 0.9, [0.697, 0.903, 0.976, 0.995, 0.999]),
            (16, 1, 0.7, [0.460, 0.744, 0.909, 0.975, 0.995]),
            (16, 1, 0.8, [0.683, 0.899, 0.977, 0.996, 0.999]),
            (16, 1, 0.9, [0.896, 0.984, 0.998, 1.0, 1.0]),
        ] {
            for (d, expected) in (1..).zip(expected) {
                let (kept, lost) = (theta * 9.98, (1.0 - theta) * 9.98);
                near(binomial_within(m, l, kept, lost, d, true), expected, 3);
            }
        }
    }
}
