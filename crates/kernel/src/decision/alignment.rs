//! Second stage: matched stretches in order, and what stands between them.
//!
//! A gap between two neighbouring stretches is a *slot* if facts were exchanged there (each side
//! has one that the other lacks), else an *edit*: forms have slots, copies have edits.

use super::document::{DecisionText, SEED, flag};
use super::quantities::{Direction, PairQuantities};
use super::sets::{Comparison, MOST_DELETIONS, MOST_EDITS, NOT_SHARED};

/// How far a stretch may reach back into the one before it where only one side has words between.
const OVERLAP: usize = 3;

/// Of the places where the beginning of a text stands in another, so many are tried.
const MOST_STARTS: usize = 64;

/// Matched words: where they begin in both documents, and how many they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// The place in the shorter document.
    pub x: usize,
    /// The place in the longer one.
    pub y: usize,
    /// How many words.
    pub length: usize,
}

/// The places of each seed of the longer document, by the seed's number.
struct SeedPlaces {
    starts: Vec<u32>,
    places: Vec<u32>,
}

impl SeedPlaces {
    fn new(y: &DecisionText) -> Self {
        let mut starts = vec![0_u32; y.seeds.len() + 1];
        y.seeds.numbers.iter().for_each(|&number| starts[number as usize + 1] += 1);
        for n in 1..starts.len() {
            starts[n] += starts[n - 1];
        }
        let mut next = starts.clone();
        let mut places = vec![0; y.seeds.numbers.len()];
        for (place, &number) in y.seeds.numbers.iter().enumerate() {
            let at = &mut next[number as usize];
            places[*at as usize] = place as u32;
            *at += 1;
        }
        Self { starts, places }
    }

    fn of(&self, number: u32) -> &[u32] {
        let number = number as usize;
        &self.places[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}

/// Matched stretches along the shorter text. One stays on its diagonal; a new one takes the next
/// place in the longer text, or the nearest where there is none.
pub fn stretches(of: &Comparison<'_>) -> Vec<Stretch> {
    let (x, y) = (of.x, of.y);
    let places = SeedPlaces::new(y);
    // The number in y of each shared seed of x.
    let mut in_second = vec![NOT_SHARED; x.seeds.len()];
    of.seeds.numbers.iter().for_each(|&(a, b)| in_second[a as usize] = b);
    let mut found: Vec<Stretch> = Vec::new();
    let mut is_open = false;
    for (i, &number) in x.seeds.numbers.iter().enumerate() {
        let there = in_second[number as usize];
        if there == NOT_SHARED {
            is_open = false;
            continue;
        }
        if is_open && let Some(last) = found.last_mut() {
            let diagonal = last.y + i - last.x;
            if y.seeds.numbers.get(diagonal) == Some(&there) {
                last.length = i - last.x + SEED;
                continue;
            }
        }
        let end = found.last().map_or(0, |last| last.y + last.length);
        let at = places.of(there);
        let least = end.saturating_sub(SEED - 1) as u32;
        let next = at.partition_point(|&place| place < least);
        let place = at.get(next).copied().unwrap_or_else(|| nearest(at, i));
        found.push(Stretch { x: i, y: place as usize, length: SEED });
        is_open = true;
    }
    found
}

/// The place nearest to `i`; of two equally near ones the first.
fn nearest(places: &[u32], i: usize) -> u32 {
    let next = places.partition_point(|&place| (place as usize) < i);
    let around = &places[next.saturating_sub(1)..(next + 1).min(places.len())];
    let distance = |place: &&u32| (**place as usize).abs_diff(i);
    around.iter().min_by_key(distance).copied().unwrap_or_default()
}

/// Whether the shorter text stands in the longer one word for word, as a whole.
pub fn is_whole(of: &Comparison<'_>) -> bool {
    let (x, y) = (&of.x.words, &of.y.words);
    let Some(&first) = of.x.seeds.numbers.first() else { return false };
    let Some(&(_, there)) = of.seeds.numbers.iter().find(|shared| shared.0 == first) else {
        return false;
    };
    let places = SeedPlaces::new(of.y);
    let starts = places.of(there).iter().take(MOST_STARTS).map(|&place| place as usize);
    starts.into_iter().any(|start| y.get(start..start + x.len()) == Some(&x[..]))
}

/// What stands between matched stretches.
#[derive(Debug, Clone, Copy, Default)]
struct Gaps {
    slots: u32,
    edits: u32,
    only_x: u32,
    only_y: u32,
    exchanged: u32,
}

fn read_gaps(of: &Comparison<'_>, stretches: &[Stretch]) -> Gaps {
    let (widest, mut gaps) = (of.widest_gap(), Gaps::default());
    for (one, next) in stretches.iter().zip(stretches.iter().skip(1)) {
        let (a, b) = (one.x + one.length, next.x);
        let (c, e) = (one.y + one.length, next.y);
        if a < b && b <= a + widest && c <= e + OVERLAP && e <= c {
            gaps.only_x += 1;
        }
        if c < e && e <= c + widest && a <= b + OVERLAP && b <= a {
            gaps.only_y += 1;
        }
        if b <= a || e <= c || b - a > widest || e - c > widest {
            continue;
        }
        let (x, y) = (of.x, of.y);
        let new_in = |mine: &DecisionText, own: std::ops::Range<usize>, theirs: &[u32]| {
            let (mut facts, mut numbers) = (0_u32, 0_u32);
            for place in own.filter(|&place| !theirs.contains(&mine.stems[place])) {
                facts += u32::from(mine.has(place, flag::FACT));
                numbers += u32::from(mine.has(place, flag::NUMBER));
            }
            (facts, numbers)
        };
        let (facts_x, numbers_x) = new_in(x, a..b, &y.stems[c..e]);
        let (facts_y, numbers_y) = new_in(y, c..e, &x.stems[a..b]);
        if facts_x > 0 && facts_y > 0 {
            gaps.slots += 1;
        } else {
            gaps.edits += 1;
        }
        gaps.exchanged += numbers_x.min(numbers_y);
    }
    gaps
}

/// Where the longest suffix begins, at most half of the text, that is matched for three quarters.
fn common_ending(covered: &[bool]) -> usize {
    let (n, mut best, mut matched) = (covered.len(), covered.len(), 0);
    for length in 1..=n / 2 {
        matched += usize::from(covered[n - length]);
        if covered[n - length] && 4 * matched >= 3 * length {
            best = n - length;
        }
    }
    best
}

/// The share of what is shared that does not stand in the ending of both.
fn body(of: &Comparison<'_>, covered: [&[bool]; 2]) -> f64 {
    let ends = covered.map(common_ending);
    let mut first = vec![u32::MAX; of.x.pairs.len()];
    for (&place, &number) in of.y.pair_places.iter().zip(&of.y.pairs.numbers) {
        let shared = of.pairs.in_first[number as usize];
        if shared != NOT_SHARED {
            let first = &mut first[shared as usize];
            *first = (*first).min(place);
        }
    }
    let (mut outside, mut all) = (0.0, 0.0);
    let mut seen = vec![false; first.len()];
    for (&place, &number) in of.x.pair_places.iter().zip(&of.x.pairs.numbers) {
        let at = number as usize;
        if of.pairs.of_first[at] && !std::mem::replace(&mut seen[at], true) {
            let weight = of.weight(number);
            all += weight;
            if (place as usize) < ends[0] || (first[at] as usize) < ends[1] {
                outside += weight;
            }
        }
    }
    (outside + 1.0) / (all + 2.0)
}

/// Words of both documents, half-open.
#[derive(Debug, Clone, Copy, Default)]
struct Passage {
    x: (usize, usize),
    y: (usize, usize),
}

/// Neighbouring stretches are a passage: the one whose shared pairs weigh most.
fn best_passage(of: &Comparison<'_>, stretches: &[Stretch]) -> Passage {
    let widest = of.widest_gap();
    let mut passages: Vec<Passage> = Vec::new();
    for one in stretches {
        let (x, y) = ((one.x, one.x + one.length), (one.y, one.y + one.length));
        match passages.last_mut() {
            Some(last)
                if one.x >= last.x.1
                    && one.x - last.x.1 <= widest
                    && one.y + OVERLAP >= last.y.1
                    && one.y <= last.y.1 + widest =>
            {
                last.x.1 = last.x.1.max(x.1);
                last.y.1 = last.y.1.max(y.1);
            }
            _ => passages.push(Passage { x, y }),
        }
    }
    let (mut best, mut most) = (Passage::default(), -1.0);
    let mut seen = vec![u32::MAX; of.x.pairs.len()];
    for (n, passage) in (0_u32..).zip(&passages) {
        let start = of.x.pair_places.partition_point(|&place| (place as usize) < passage.x.0);
        let places = of.x.pair_places[start..].iter().zip(&of.x.pairs.numbers[start..]);
        let mut mass = 0.0;
        for (_, &number) in places.take_while(|place| (*place.0 as usize) < passage.x.1) {
            let at = number as usize;
            if of.pairs.of_first[at] && std::mem::replace(&mut seen[at], n) != n {
                mass += of.weight(number);
            }
        }
        if mass > most {
            (best, most) = (*passage, mass);
        }
    }
    best
}

fn quoted_share(document: &DecisionText, (start, end): (usize, usize)) -> f64 {
    let quoted = document.flags[start..end].iter().filter(|flags| **flags & flag::QUOTED != 0);
    quoted.count() as f64 / (end - start).max(1) as f64
}

/// Marks of the keys of x that stand outside of a passage in both documents.
fn outside_both(
    n: usize,
    of_x: impl Iterator<Item = (bool, u32)>,
    of_y: impl Iterator<Item = (bool, u32)>,
) -> Vec<bool> {
    let [mut x, mut y] = [vec![false; n], vec![false; n]];
    of_x.filter(|row| row.0).for_each(|(_, number)| x[number as usize] = true);
    of_y.filter(|row| row.0 && row.1 != NOT_SHARED)
        .for_each(|(_, number)| y[number as usize] = true);
    x.iter().zip(y).map(|(&x, y)| x && y).collect()
}

fn passage_quantities(of: &Comparison<'_>, stretches: &[Stretch], pair: &mut PairQuantities) {
    let Passage { x: (a, b), y: (c, e) } = best_passage(of, stretches);
    pair.quoted = quoted_share(of.x, (a, b)).max(quoted_share(of.y, (c, e)));
    let size = of.x.run_size;
    let places = |numbers: &[u32]| numbers.iter().copied().enumerate().collect::<Vec<_>>();
    let outside = outside_both(
        of.x.runs.len(),
        places(&of.x.runs.numbers).into_iter().map(|(i, n)| (i + size <= a || i >= b, n)),
        places(&of.y.runs.numbers)
            .into_iter()
            .map(|(j, n)| (j + size <= c || j >= e, of.runs.in_first[n as usize])),
    );
    let inside = || of.runs.numbers.iter().filter(|shared| !outside[shared.0 as usize]);
    let rare = inside().filter(|&&shared| of.run_count(shared) <= 2).count() as f64;
    pair.own = (rare + 1.0) / (inside().count() as f64 + 3.0);
    let of_x = of.x.pair_places.iter().zip(&of.x.pairs.numbers);
    let of_y = of.y.pair_places.iter().zip(&of.y.pairs.numbers);
    let elsewhere = outside_both(
        of.x.pairs.len(),
        of_x.map(|(&i, &n)| {
            let i = i as usize;
            (!(a <= i && i < b) && of.pairs.of_first[n as usize], n)
        }),
        of_y.map(|(&j, &n)| {
            let j = j as usize;
            (!(c <= j && j < e), of.pairs.in_first[n as usize])
        }),
    );
    let mass: f64 =
        (0_u32..).zip(&elsewhere).filter(|row| *row.1).map(|(number, _)| of.weight(number)).sum();
    pair.form = (1.0 - pair.prior) * (1.0 - pair.rare_run / (1.0 + mass));
}

/// All quantities of *related* become exact, and of *taken* all but `sentence`.
pub fn refine(of: &Comparison<'_>, sides: &mut [Direction; 2], pair: &mut PairQuantities) {
    let found = stretches(of);
    let mut covered = [vec![false; of.x.len()], vec![false; of.y.len()]];
    for one in &found {
        covered[0][one.x..one.x + one.length].fill(true);
        covered[1][one.y..one.y + one.length].fill(true);
    }
    let gaps = read_gaps(of, &found);
    pair.matched = covered[0].iter().filter(|is_covered| **is_covered).count() as u32;
    let (slots, edits) = (f64::from(gaps.slots), f64::from(gaps.edits));
    let matched = f64::from(pair.matched) + 30.0;
    let rate = |count: u32| f64::from(count) / (found.len() as f64 + 1.0);
    sides[0].deletions = rate(gaps.only_x).min(MOST_DELETIONS);
    sides[1].deletions = rate(gaps.only_y).min(MOST_DELETIONS);
    pair.slot_rate = 100.0 * slots / matched;
    pair.slot_share = (slots + 0.5) / (slots + edits + 1.5);
    (pair.slots, pair.edited) = (gaps.slots, gaps.edits);
    for side in sides.iter_mut() {
        side.edits = (100.0 * edits / matched).min(MOST_EDITS);
        side.figures = of.figures(gaps.exchanged);
        side.set_slots(pair.slot_rate, of.title);
    }
    pair.body = body(of, [&covered[0], &covered[1]]);
    passage_quantities(of, &found, pair);
}
