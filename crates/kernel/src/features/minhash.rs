//! MinHash: slots that are equal as often as two sets resemble each other.
//!
//! Broder: "On the resemblance and containment of documents", SEQUENCES 1997; bands: Gionis, Indyk,
//! Motwani, "Similarity search in high dimensions via hashing", VLDB 1999; containment by sizes:
//! Zhu, Nargesian, Pu, Miller, "LSH Ensemble: Internet-scale domain search", VLDB 2016.

use crate::hash;

/// So many permutations of 64-bit hashes.
#[derive(Debug, Clone)]
pub struct Permutations {
    /// Each is `hash * factor + shift`: with an odd factor, no two hashes become one.
    lines: Vec<(u64, u64)>,
}

impl Permutations {
    /// Another seed, other permutations.
    pub fn new(n: usize, seed: u64) -> Self {
        let line = |n: u64| {
            let factor = hash::extend(seed, 2 * n) | 1;
            (factor, hash::extend(seed, 2 * n + 1))
        };
        Self { lines: (0..n as u64).map(line).collect() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// For each permutation the smallest value that a hash of the set is moved to.
    pub fn slots(&self, hashes: &[u64]) -> Vec<u64> {
        let mut slots = vec![u64::MAX; self.lines.len()];
        for &hash in hashes {
            for (slot, &(factor, shift)) in slots.iter_mut().zip(&self.lines) {
                *slot = (*slot).min(hash.wrapping_mul(factor).wrapping_add(shift));
            }
        }
        slots
    }
}

/// How many elements two sets of these sizes share, if they resemble each other so much; never
/// more than the smaller one has.
pub fn shared_of(resemblance: f64, one: f64, other: f64) -> f64 {
    (resemblance / (1.0 + resemblance) * (one + other)).min(one).min(other)
}

/// How much a miss weighs against a vain meeting when bands are chosen: those who met in vain are
/// only compared, those who missed each other are lost.
pub const MISSES: f64 = 0.9;

/// How slots are cut into keys: so many bands of so many rows. Two documents meet if all rows of
/// one band are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bands {
    /// How many keys a document has.
    pub bands: usize,
    /// How many slots make a key.
    pub rows: usize,
}

impl Bands {
    /// The keys of a document's slots; `kind` keeps apart what must not meet.
    pub fn keys(self, slots: &[u64], kind: u64) -> impl Iterator<Item = u64> {
        let start = hash::extend(kind, self.rows as u64);
        slots.chunks_exact(self.rows).take(self.bands).enumerate().map(move |(band, rows)| {
            rows.iter().copied().fold(hash::extend(start, band as u64), hash::extend)
        })
    }

    /// The chance that two documents of this resemblance meet.
    pub fn chance(self, resemblance: f64) -> f64 {
        let band = resemblance.powi(self.rows as i32);
        1.0 - (1.0 - band).powi(self.bands as i32)
    }

    /// What the bands cost at a threshold: the area under the chance of a vain meeting below it,
    /// and, weighed by `misses`, over the chance of a meeting above it.
    fn cost(self, threshold: f64, misses: f64) -> f64 {
        let mean = |from: f64, to: f64, of: &dyn Fn(f64) -> f64| {
            let at = |n: usize| from + (to - from) * (n as f64 + 0.5) / STEPS as f64;
            (0..STEPS).map(|n| of(at(n))).sum::<f64>() / STEPS as f64 * (to - from)
        };
        let vain = mean(0.0, threshold, &|s| self.chance(s));
        let missed = mean(threshold, 1.0, &|s| 1.0 - self.chance(s));
        (1.0 - misses) * vain + misses * missed
    }

    /// The bands of least cost, among those with one of these numbers of rows.
    pub fn best(slots: usize, threshold: f64, misses: f64, rows: &[usize]) -> Self {
        let possible = rows
            .iter()
            .filter(|&&rows| rows <= slots)
            .flat_map(|&rows| (1..=slots / rows).map(move |bands| Self { bands, rows }));
        let costed = possible.map(|bands| (bands.cost(threshold, misses), bands));
        let best = costed.min_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        best.expect("one row is always possible").1
    }
}

const STEPS: usize = 64;

/// The keys by which documents find those that contain them, whatever their size.
///
/// Documents are parted by size, each part reaching twice as far as the one before. For a share t
/// of a document of size q in one of size x the resemblance is at least `t / (1 + x / q - t)`, so a
/// document that asks uses other bands for each part: those that suit the smallest resemblance a
/// container in it can have. Parts do not depend on what else is there.
#[derive(Debug, Clone)]
pub struct Ensemble {
    /// How many parts behind its own a document begins to look.
    first: i32,
    /// The bands for the parts from there on.
    asked: Vec<Bands>,
    /// What a document that is asked for must have: for each number of rows, enough bands.
    stored: Vec<Bands>,
}

/// Containers are looked for up to this many parts, of doubling size, above: with a share of one
/// half and 128 slots, one slot is expected to agree then.
const PARTS_ABOVE: i32 = 5;

impl Ensemble {
    /// Bands for a threshold of containment.
    pub fn new(slots: usize, threshold: f64, misses: f64) -> Self {
        let rows: Vec<usize> = (0..).map(|n| 1 << n).take_while(|&rows| rows <= slots).collect();
        // What holds a share t of a document is no smaller than that share.
        let first = threshold.max(1.0 / 64.0).log2().floor() as i32;
        let asked: Vec<Bands> = (first..=PARTS_ABOVE)
            .map(|part| {
                let ratio = 2_f64.powi(part + 1);
                let resemblance = (threshold / (1.0 + ratio - threshold)).min(1.0);
                Bands::best(slots, resemblance, misses, &rows)
            })
            .collect();
        let most = |rows| asked.iter().filter(|b| b.rows == rows).map(|b| b.bands).max();
        let stored =
            rows.iter().filter_map(|&rows| Some(Bands { bands: most(rows)?, rows })).collect();
        Self { first, asked, stored }
    }

    /// The bands by which documents of the parts from the first on are asked for.
    pub fn bands(&self) -> impl Iterator<Item = (i32, Bands)> {
        (self.first..).zip(self.asked.iter().copied())
    }

    /// The keys under which a document is found.
    pub fn stored(&self, slots: &[u64], size: u64) -> impl Iterator<Item = u64> {
        let part = part(size);
        self.stored.iter().flat_map(move |bands| bands.keys(slots, part as u64))
    }

    /// The keys by which a document looks for those that contain it.
    pub fn asked(&self, slots: &[u64], size: u64) -> impl Iterator<Item = u64> {
        let parts = self.bands().map(move |(away, bands)| (part(size) + away, bands));
        parts
            .filter(|(part, _)| *part >= 0)
            .flat_map(|(part, bands)| bands.keys(slots, part as u64))
    }
}

/// The part of a size: sizes from 2^n to below 2^(n+1) are part n.
fn part(size: u64) -> i32 {
    size.max(1).ilog2() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agreement(one: &[u64], other: &[u64]) -> f64 {
        let equal = one.iter().zip(other).filter(|(a, b)| a == b).count();
        equal as f64 / one.len() as f64
    }

    /// Two sets of these sizes with so many common elements.
    fn sets(one: u64, other: u64, common: u64, seed: u64) -> [Vec<u64>; 2] {
        let element = |n| hash::extend(seed, n);
        [
            (0..one).map(element).collect(),
            (one - common..one - common + other).map(element).collect(),
        ]
    }

    #[test]
    fn equal_slots_are_as_many_as_the_sets_resemble_each_other() {
        let permutations = Permutations::new(128, 0);
        for (one, other, common) in [(100, 100, 100), (100, 100, 67), (300, 60, 60), (50, 80, 0)] {
            let expected = common as f64 / (one + other - common) as f64;
            let found: Vec<f64> = (0..200)
                .map(|seed| sets(one, other, common, seed).map(|set| permutations.slots(&set)))
                .map(|[one, other]| agreement(&one, &other))
                .collect();
            let mean = found.iter().sum::<f64>() / 200.0;
            assert!((mean - expected).abs() < 0.01, "{mean} for {expected}");
            let variance = found.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 200.0;
            let of_binomial = expected * (1.0 - expected) / 128.0;
            assert!(variance < 1.5 * of_binomial + 1e-9, "{variance} for {of_binomial}");
        }
    }

    #[test]
    fn the_order_of_elements_is_irrelevant_and_another_seed_gives_other_slots() {
        let [set, _] = sets(20, 1, 0, 1);
        let mut turned = set.clone();
        turned.reverse();
        let permutations = Permutations::new(16, 0);
        assert_eq!(permutations.slots(&set), permutations.slots(&turned));
        assert_ne!(permutations.slots(&set), Permutations::new(16, 1).slots(&set));
        assert_eq!(permutations.slots(&[]), [u64::MAX; 16]);
    }

    #[test]
    fn what_is_shared_follows_from_resemblance_and_sizes() {
        assert_eq!(shared_of(1.0, 10.0, 10.0), 10.0);
        assert!((shared_of(0.25, 10.0, 40.0) - 10.0).abs() < 1e-12);
        assert_eq!(shared_of(0.5, 10.0, 40.0), 10.0);
        assert_eq!(shared_of(0.0, 10.0, 40.0), 0.0);
    }

    #[test]
    fn more_weight_on_misses_gives_more_meetings() {
        let all: Vec<usize> = (1..=128).collect();
        // With equal weights, what users of other libraries know.
        let usual = Bands::best(128, 0.5, 0.5, &all);
        assert_eq!(usual, Bands { bands: 25, rows: 5 });
        let careful = Bands::best(128, 0.5, 0.9, &all);
        assert!(careful.chance(0.5) > 0.85 && usual.chance(0.5) < 0.6);
        assert!(careful.chance(0.1) < 0.3);
        for threshold in [0.0, 0.2, 0.8, 1.0] {
            let best = Bands::best(128, threshold, 0.9, &all);
            assert!(best.bands * best.rows <= 128, "{best:?}");
        }
    }

    #[test]
    fn documents_meet_as_often_as_the_bands_say() {
        let (permutations, bands) = (Permutations::new(128, 0), Bands { bands: 25, rows: 5 });
        for common in [100, 120, 150] {
            let met = (0..400).filter(|&seed| {
                let [one, other] = sets(200, 200, common, seed)
                    .map(|set| bands.keys(&permutations.slots(&set), 0).collect::<Vec<_>>());
                one.iter().any(|key| other.contains(key))
            });
            let expected = bands.chance(common as f64 / (400 - common) as f64);
            let found = met.count() as f64 / 400.0;
            assert!((found - expected).abs() < 0.08, "{found} for {expected}");
        }
    }

    #[test]
    fn a_small_document_finds_what_contains_it_at_any_size() {
        let (permutations, ensemble) = (Permutations::new(128, 0), Ensemble::new(128, 0.5, 0.9));
        for size in [60, 100, 200, 400, 1000, 1900] {
            let met = (0..100).filter(|&seed| {
                let [small, large] = sets(60, size, 54, seed).map(|set| permutations.slots(&set));
                let stored: Vec<u64> = ensemble.stored(&large, size).collect();
                ensemble.asked(&small, 60).any(|key| stored.contains(&key))
            });
            let met = met.count();
            assert!(met >= 90, "{met} of 100 at size {size}");
        }
        // Bands for resemblance lose those that are much larger.
        let all: Vec<usize> = (1..=128).collect();
        let plain = Bands::best(128, 0.5, 0.9, &all);
        assert!(plain.chance(54.0 / (60.0 + 1000.0 - 54.0)) < 0.1);
    }
}
