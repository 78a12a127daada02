//! First stage: what sets of keys say, and the best that alignment could still add.

use super::document::{DecisionText, KeySequence, SEED};
use super::frequencies::FormFrequencies;
use super::quantities::{Direction, PairQuantities};

/// Documents up to which a shared pair counts fully where nothing was exchanged.
const FORGIVING: f64 = 10.0;
/// The most that edits and deletions count.
pub const MOST_EDITS: f64 = 4.0;
/// The same for deletions.
pub const MOST_DELETIONS: f64 = 0.3;
/// What stands for the likeness of titles that are not known.
const UNKNOWN_TITLE: f64 = 0.25;
/// The least share of rare repetition that a collection is taken to have.
const LEAST_FEW_SHARE: f64 = 0.6;
/// Runs in a row that only two texts have: a quotation.
const LONG_RUN: f64 = 8.0;
/// Up to how many documents a repeated run counts as rare.
const FEW: u8 = 10;
/// The density of numbers of a table.
const TABLE_DENSITY: f64 = 0.08;

/// What a content pair weighs that so many documents have.
pub fn pair_weight(count: u8) -> f64 {
    let others = f64::from(count.saturating_sub(1).max(1));
    1.0 / (others * others)
}

/// The same where nothing was exchanged: ten documents may have it.
pub fn forgiving_weight(count: u8) -> f64 {
    let share = (f64::from(count) / FORGIVING).max(1.0);
    1.0 / (share * share)
}

/// Which keys of two documents are shared.
#[derive(Debug, Default)]
pub struct SharedKeys {
    /// The numbers of each shared key in the first and in the second document.
    pub numbers: Vec<(u32, u32)>,
    /// For each key of the first document, whether it is shared.
    pub of_first: Vec<bool>,
    /// For each key of the second document, its number in the first one, or [`NOT_SHARED`].
    pub in_first: Vec<u32>,
}

/// In place of the number of a key that is not shared.
pub const NOT_SHARED: u32 = u32::MAX;

impl SharedKeys {
    /// The shared keys of two documents.
    pub fn new(first: &KeySequence, second: &KeySequence) -> Self {
        let mut made = Self {
            numbers: Vec::new(),
            of_first: vec![false; first.len()],
            in_first: vec![NOT_SHARED; second.len()],
        };
        let (mut a, mut b) = (0, 0);
        while a < first.len() && b < second.len() {
            let (x, y) = (first.keys[a], second.keys[b]);
            if x == y {
                made.numbers.push((a as u32, b as u32));
                made.of_first[a] = true;
                made.in_first[b] = a as u32;
            }
            a += usize::from(x <= y);
            b += usize::from(y <= x);
        }
        made
    }
}

/// How many items two sorted lists have in common.
fn common(a: &[u32], b: &[u32]) -> usize {
    let (mut i, mut j, mut n) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        n += usize::from(a[i] == b[j]);
        let (x, y) = (a[i], b[j]);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    n
}

/// The pair of documents under comparison, the shorter one first, with what both share.
pub struct Comparison<'a> {
    /// The shorter document.
    pub x: &'a DecisionText,
    /// The longer one.
    pub y: &'a DecisionText,
    /// Shared content pairs.
    pub pairs: SharedKeys,
    /// Shared runs.
    pub runs: SharedKeys,
    /// Shared runs of [`SEED`] words.
    pub seeds: SharedKeys,
    /// How alike the titles are.
    pub title: f64,
}

impl<'a> Comparison<'a> {
    /// Compare the sets of two documents, the shorter one first.
    pub fn new(x: &'a DecisionText, y: &'a DecisionText) -> Self {
        Self {
            pairs: SharedKeys::new(&x.pairs, &y.pairs),
            runs: SharedKeys::new(&x.runs, &y.runs),
            seeds: SharedKeys::new(&x.seeds, &y.seeds),
            title: title_likeness(x, y),
            x,
            y,
        }
    }

    /// In how many documents a shared run occurs: at least in these two.
    pub fn run_count(&self, shared: (u32, u32)) -> u8 {
        self.x.runs.counts[shared.0 as usize].max(2)
    }

    /// What a shared content pair weighs, by its number in the first document.
    pub fn weight(&self, number: u32) -> f64 {
        pair_weight(self.x.pairs.counts[number as usize])
    }

    /// The quantities that sets decide, and bounds of the others.
    pub fn measure(&self, forms: &FormFrequencies) -> ([Direction; 2], PairQuantities) {
        let (x, y) = (self.x, self.y);
        let mut sides = [self.direction(x, y), self.direction(y, x)];
        let marks = self.marks();
        sides[0].deletions =
            (f64::from(marks.gaps) / (f64::from(marks.stretches) + 1.0)).min(MOST_DELETIONS);
        sides[1].deletions = if marks.matched > 0 { MOST_DELETIONS } else { 0.0 };
        let mut pair = PairQuantities { matched: marks.matched, ..PairQuantities::default() };
        for side in &mut sides {
            side.edits =
                (100.0 * f64::from(marks.gaps) / (f64::from(marks.matched) + 30.0)).min(MOST_EDITS);
            side.figures = self.figures(0);
            side.set_slots(0.0, self.title);
        }
        self.common_quantities(forms, &marks, &mut pair);
        (sides, pair)
    }

    fn common_quantities(&self, forms: &FormFrequencies, marks: &Marks, pair: &mut PairQuantities) {
        let (x, y) = (self.x, self.y);
        pair.mass = self.pairs.numbers.iter().map(|shared| self.weight(shared.0)).sum();
        let repetitions = [self.repetition(true), self.repetition(false)];
        pair.repeated = repetitions[0].0.max(repetitions[1].0);
        pair.prior = repetitions[0].1.max(repetitions[1].1) * forms.few_share.max(LEAST_FEW_SHARE);
        pair.rare_run = self.longest_rare_run();
        pair.form = (1.0 - pair.prior) * (1.0 - pair.rare_run);
        let is_rare = |&&shared: &&(u32, u32)| self.run_count(shared) <= 2;
        let rare = self.runs.numbers.iter().filter(is_rare).count() as f64;
        pair.own = (rare + 1.0) / (rare + 3.0);
        pair.sentence = pair.mass.ln_1p();
        pair.body = (pair.mass + 1.0) / (pair.mass + 2.0);
        pair.slot_share = 0.5 / (f64::from(marks.gaps) + 1.5);
        pair.dense = (x.number_density.min(y.number_density) / 0.1).min(1.0);
        let both = common(&x.numbers, &y.numbers) as f64;
        let either = (x.numbers.len() + y.numbers.len()) as f64 - both;
        pair.same_numbers = (both + 0.5) / (either + 1.0);
        let is_quoted = |d: &DecisionText| {
            d.flags.iter().any(|flags| flags & super::document::flag::QUOTED != 0)
        };
        pair.quoted = f64::from(u8::from(marks.matched > 0 && (is_quoted(x) || is_quoted(y))));
    }

    fn direction(&self, of: &DecisionText, other: &DecisionText) -> Direction {
        let is_first = std::ptr::eq(of, self.x);
        let number = |shared: &(u32, u32)| if is_first { shared.0 } else { shared.1 } as usize;
        let counts = &of.pairs.counts;
        let sum = |weight: fn(u8) -> f64| -> f64 {
            self.pairs.numbers.iter().map(|shared| weight(counts[number(shared)])).sum()
        };
        let (rare, forgiving) = (sum(pair_weight), sum(forgiving_weight));
        let (mut found, mut at) = (0.0, 0);
        for content in of.content.iter().filter(|content| content.is_rare) {
            while at < other.content.len() && other.content[at].stem < content.stem {
                at += 1;
            }
            if other.content.get(at).is_some_and(|there| there.stem == content.stem) {
                found += content.idf;
            }
        }
        let new_numbers = other.numbers.len() - common(&other.numbers, &of.numbers);
        Direction {
            rare: rare / (of.pair_mass + 2.0),
            forgiving: (forgiving + 1.0) / (of.forgiving_mass + 4.0),
            terms: (found + 3.0) / (of.rarity + 6.0),
            new_numbers: (new_numbers as f64).ln_1p(),
            new_names: self.new_names(of, other),
            longer: ((other.len() as f64 + 5.0) / (of.len() as f64 + 5.0)).ln(),
            ..Direction::default()
        }
    }

    fn new_names(&self, of: &DecisionText, other: &DecisionText) -> f64 {
        if !of.has_capitals || !other.has_capitals || self.x.is_solid {
            return f64::NAN;
        }
        let is_there = |name: &u32| other.word_set.binary_search(name).is_ok();
        (of.names.iter().filter(|name| !is_there(name)).count() as f64).ln_1p()
    }

    /// Numbers that disagree, as a share, in text dense in numbers; `exchanged` are those that
    /// stand in each other's place.
    pub fn figures(&self, exchanged: u32) -> f64 {
        let (x, y) = (self.x, self.y);
        let both = common(&x.numbers, &y.numbers);
        let new = (x.numbers.len() - both).min(y.numbers.len() - both) as f64;
        let exchanged = f64::from(exchanged).max(new);
        let density = x.number_density.min(y.number_density);
        exchanged / (both as f64 + exchanged + 2.0) * (density / TABLE_DENSITY).min(1.0)
    }

    /// Of a document: the share of its runs that others have, and of these the share that few have.
    fn repetition(&self, of_first: bool) -> (f64, f64) {
        let runs = if of_first { &self.x.runs } else { &self.y.runs };
        let (mut repeated, mut few) = (0_u32, 0_u32);
        let mut add = |count: u8| {
            repeated += u32::from(count > 1);
            few += u32::from(count > 1 && count <= FEW);
        };
        for (number, &count) in runs.counts.iter().enumerate() {
            let is_shared = if of_first {
                self.runs.of_first[number]
            } else {
                self.runs.in_first[number] != NOT_SHARED
            };
            add(if is_shared { count.max(2) } else { count });
        }
        let (n, repeated, few) = (runs.len() as f64, f64::from(repeated), f64::from(few));
        (repeated / (n + 20.0), (few + 5.0) / (repeated + 10.0))
    }

    /// Runs in a row of the shorter text that the other has and nobody else, as a share of a long
    /// quotation.
    fn longest_rare_run(&self) -> f64 {
        let (mut longest, mut run) = (0_u32, 0_u32);
        for &number in &self.x.runs.numbers {
            let is_rare = self.runs.of_first[number as usize]
                && self.x.runs.counts[number as usize].max(2) <= 2;
            run = if is_rare { run + 1 } else { 0 };
            longest = longest.max(run);
        }
        (f64::from(longest) / LONG_RUN).min(1.0)
    }

    /// The widest gap between matched words that counts.
    pub fn widest_gap(&self) -> usize {
        12
    }

    /// What of the shorter text matched stretches can cover, without an alignment.
    fn marks(&self) -> Marks {
        let mut marks = Marks::default();
        let mut end = 0;
        for (place, &number) in self.x.seeds.numbers.iter().enumerate() {
            if !self.seeds.of_first[number as usize] {
                continue;
            }
            if place > end || marks.stretches == 0 {
                let is_near = marks.stretches > 0 && place - end <= self.widest_gap();
                marks.gaps += u32::from(is_near);
                marks.stretches += 1;
                end = place;
            }
            marks.matched += (place + SEED - end) as u32;
            end = place + SEED;
        }
        marks
    }
}

/// What matched stretches can cover.
#[derive(Debug, Clone, Copy, Default)]
struct Marks {
    matched: u32,
    gaps: u32,
    stretches: u32,
}

fn title_likeness(x: &DecisionText, y: &DecisionText) -> f64 {
    if x.title.is_empty() || y.title.is_empty() {
        return UNKNOWN_TITLE;
    }
    let both = common(&x.title, &y.title) as f64;
    let either = (x.title.len() + y.title.len()) as f64 - both;
    ((both + 0.5) / (either + 1.0)).max(UNKNOWN_TITLE)
}
