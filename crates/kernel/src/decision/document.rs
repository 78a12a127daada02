//! A document prepared for comparison: its words, content pairs, runs, facts and sentences.

use std::sync::OnceLock;

use super::frequencies::FormFrequencies;
use super::sentences::SentenceStems;
use super::sets::{forgiving_weight, pair_weight};
use super::texts::TextView;
use crate::text::vocabulary::{Vocabulary, Word, shape};

/// A stem in more than this share of the documents is no content.
const COMMON_SHARE: f64 = 0.2;
/// A stem in at most this share of the documents is a fact.
const FACT_SHARE: f64 = 0.02;
/// What few documents have is content, and a fact, however small the collection is.
const FEW_DOCUMENTS: f64 = 10.0;
/// In smaller collections frequencies do not say which words are common: stop words are.
const STOP_LIST_BELOW: u64 = 100;
/// Rarity is measured as in a collection of at least so many documents.
const SMALLEST: u64 = 50;
/// A content pair has words at most this far apart.
const PAIR_REACH: u32 = 6;
/// How many words make a run; in scripts without spaces words are shorter, and so are runs.
const RUN: usize = 4;
const SOLID_RUN: usize = 3;
/// How many words in a row start a match.
pub const SEED: usize = 3;
/// Longer sentences are cut into equal parts.
const LONGEST_SENTENCE: usize = 40;
/// Words added to a text's length where its density of numbers is measured.
const DENSITY_PRIOR: f64 = 10.0;

/// What counts as content in a collection.
#[derive(Debug, Clone, Copy)]
pub struct ContentRule {
    documents: u64,
    common: f64,
    fact: f64,
    stop_list: bool,
    /// Whether rare words are facts: in few documents every word is rare.
    rare_facts: bool,
}

impl ContentRule {
    /// The rule in a collection of so many documents.
    pub fn new(documents: u64) -> Self {
        let n = documents.max(SMALLEST);
        Self {
            documents: n,
            common: (COMMON_SHARE * n as f64).max(FEW_DOCUMENTS),
            fact: (FACT_SHARE * n as f64).max(FEW_DOCUMENTS),
            stop_list: documents < STOP_LIST_BELOW,
            rare_facts: documents >= SMALLEST,
        }
    }

    fn is_common(&self, frequency: u32, is_stop: bool) -> bool {
        f64::from(frequency) > self.common || (self.stop_list && is_stop)
    }

    fn is_rare(&self, frequency: u32) -> bool {
        f64::from(frequency) <= self.fact
    }

    /// `log((N + 1) / df)`, never below a tenth.
    fn idf(&self, frequency: u32) -> f64 {
        let n = (self.documents + 1) as f64;
        (n / f64::from(frequency.max(1))).ln().max(0.1)
    }
}

/// Properties of a word, and of a word at its place.
pub mod flag {
    /// It begins with a digit.
    pub const NUMBER: u8 = 1;
    /// It is capitalised; at its place: and not the first of its sentence.
    pub const NAME: u8 = 2;
    /// It stands in quotation marks.
    pub const QUOTED: u8 = 4;
    /// It is content.
    pub const CONTENT: u8 = 8;
    /// It is a fact: a number, a name, or rare.
    pub const FACT: u8 = 16;
    /// Its stem is rare.
    pub const RARE: u8 = 32;
    /// It is of a script without spaces.
    pub const SOLID: u8 = 64;
}

/// What is known of a word wherever it stands.
#[derive(Debug, Clone, Copy)]
pub struct WordInfo {
    /// What stands for the word, whatever its case.
    pub folded: u32,
    /// What stands for its stem.
    pub stem: u32,
    /// The rarity of its stem.
    pub idf: f32,
    /// What it is: see [`flag`].
    pub flags: u8,
}

impl WordInfo {
    /// All words of a vocabulary, whose terms have these frequencies.
    pub fn all(vocabulary: &Vocabulary, frequencies: &[u32], rule: &ContentRule) -> Vec<Self> {
        let hashes = vocabulary.term_hashes();
        let info = |word: &Word| {
            let frequency = frequencies[word.term as usize];
            let is_number = word.shape == shape::NUMBER;
            let is_content = is_number || !rule.is_common(frequency, word.is_stop);
            let is_rare = rule.is_rare(frequency) && (is_content || !word.is_stop);
            let flags = [
                (is_number, flag::NUMBER),
                (word.shape == shape::CAPITALISED, flag::NAME),
                (word.shape == shape::SOLID, flag::SOLID),
                (is_content, flag::CONTENT),
                (is_rare, flag::RARE),
                (is_number || (is_rare && rule.rare_facts), flag::FACT),
            ];
            Self {
                folded: word.folded,
                stem: stem_of(hashes[word.term as usize]),
                idf: rule.idf(frequency) as f32,
                flags: flags.into_iter().filter(|flag| flag.0).map(|flag| flag.1).sum(),
            }
        };
        vocabulary.words().iter().map(info).collect()
    }
}

/// Whether most words of a document are of a script without spaces.
fn is_solid(view: TextView<'_>) -> bool {
    let words = view.words();
    let solid = |&&word: &&u32| view.word(word).flags & flag::SOLID != 0;
    2 * words.iter().filter(solid).count() > words.len()
}

/// The key of a run of words, or of a pair of stems; `kind` keeps them apart.
fn key_of(kind: u64, words: impl Iterator<Item = u32>) -> u64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let sum = words.fold(kind.wrapping_mul(STEP), |sum, word| {
        (sum.rotate_left(23) ^ u64::from(word)).wrapping_mul(STEP)
    });
    let mixed = (sum ^ sum >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ mixed >> 32
}

/// What tells the kinds of keys apart.
const PAIR_KEY: u64 = 1;
const SOLID_KEY: u64 = 2;
const RUN_KEY: u64 = 3;
const SEED_KEY: u64 = 4;

/// Call `emit` with the key of each content pair and the place of its first word.
pub fn pair_keys(view: TextView<'_>, mut emit: impl FnMut(u64, u32)) {
    let words = view.words();
    if is_solid(view) {
        let folded = |&word: &u32| view.word(word).folded;
        for (place, run) in (0..).zip(words.windows(SOLID_RUN)) {
            emit(key_of(SOLID_KEY, run.iter().map(folded)), place);
        }
        return;
    }
    // The last two content words, the later one first, and the pair of the older one with the later.
    let mut before: [Option<(u32, u32)>; 2] = [None; 2];
    let mut waiting: Option<(u64, u32)> = None;
    for (place, &word) in (0_u32..).zip(words) {
        let word = view.word(word);
        if word.flags & flag::CONTENT == 0 {
            continue;
        }
        let pair = |(first, stem): (u32, u32)| {
            let key = || key_of(PAIR_KEY, [stem.min(word.stem), stem.max(word.stem)].into_iter());
            (place - first <= PAIR_REACH).then(|| (key(), first))
        };
        // Pairs come in the order of their first words.
        let [later, older] = before.map(|word| word.and_then(pair));
        for (key, first) in waiting.into_iter().chain(older) {
            emit(key, first);
        }
        waiting = later;
        before = [Some((place, word.stem)), before[0]];
    }
    waiting.into_iter().for_each(|(key, first)| emit(key, first));
}

/// Call `emit` with the key of each run of words; a shorter text is one run.
pub fn run_keys(view: TextView<'_>, mut emit: impl FnMut(u64)) {
    let size = if is_solid(view) { SOLID_RUN } else { RUN };
    let words = view.words();
    let folded = |&word: &u32| view.word(word).folded;
    let key = |run: &[u32]| key_of(RUN_KEY, run.iter().map(folded));
    if words.len() < size {
        words.chunks(size).for_each(|run| emit(key(run)));
    } else {
        words.windows(size).for_each(|run| emit(key(run)));
    }
}

/// A set of keys with their frequencies, and which of them stands at each place.
#[derive(Debug, Default)]
pub struct KeySequence {
    /// The different keys, sorted: their highest bits, which are enough for two documents.
    pub keys: Vec<u32>,
    /// In how many documents each occurs, at least 1.
    pub counts: Vec<u8>,
    /// For each occurrence in the order of the text, the key's number.
    pub numbers: Vec<u32>,
}

impl KeySequence {
    fn new(occurrences: &[u64], count: impl Fn(u64) -> u8) -> Self {
        let highest = |key: u64| key >> 32 << 32;
        let mut order: Vec<u64> =
            (0..).zip(occurrences).map(|(place, &key): (u64, _)| highest(key) | place).collect();
        order.sort_unstable();
        let mut made = Self {
            keys: Vec::with_capacity(order.len()),
            counts: Vec::with_capacity(order.len()),
            numbers: vec![0; occurrences.len()],
        };
        for &one in &order {
            let (key, place) = ((one >> 32) as u32, one as u32 as usize);
            if made.keys.last() != Some(&key) {
                made.keys.push(key);
                made.counts.push(count(occurrences[place]).max(1));
            }
            made.numbers[place] = made.keys.len() as u32 - 1;
        }
        made
    }

    /// How many different keys there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

/// A stem of a document's content with what it weighs.
#[derive(Debug, Clone, Copy)]
pub struct ContentStem {
    /// The stem.
    pub stem: u32,
    /// Its rarity.
    pub idf: f64,
    /// Whether it is rare.
    pub is_rare: bool,
}

/// A document prepared for comparison.
#[derive(Debug, Default)]
pub struct DecisionText {
    /// What stands for each word, whatever its case.
    pub words: Vec<u32>,
    /// What stands for the stem of each word.
    pub stems: Vec<u32>,
    /// The rarity of each word's stem.
    pub idf: Vec<f32>,
    /// What each word is: see [`flag`].
    pub flags: Vec<u8>,
    /// Where each sentence ends, long ones cut.
    pub sentence_ends: Vec<u32>,
    /// Content pairs.
    pub pairs: KeySequence,
    /// The place of each pair's first word.
    pub pair_places: Vec<u32>,
    /// Runs of words.
    pub runs: KeySequence,
    /// Runs of [`SEED`] words.
    pub seeds: KeySequence,
    /// The different content stems, sorted.
    pub content: Vec<ContentStem>,
    /// The different words, numbers and names, each sorted.
    pub word_set: Vec<u32>,
    /// The different numbers.
    pub numbers: Vec<u32>,
    /// The different names.
    pub names: Vec<u32>,
    /// The stems of the title, sorted.
    pub title: Vec<u32>,
    /// How many words make a run.
    pub run_size: usize,
    /// Whether it is of a script without spaces.
    pub is_solid: bool,
    /// Whether any word is capitalised.
    pub has_capitals: bool,
    /// How many of its words are numbers.
    pub number_density: f64,
    /// What all its content pairs weigh.
    pub pair_mass: f64,
    /// The same where ten documents may have a pair.
    pub forgiving_mass: f64,
    /// The sum of the rarity of its rare stems.
    pub rarity: f64,
    /// Which stems its sentences have, once somebody asked.
    pub sentence_stems: OnceLock<SentenceStems>,
}

fn sorted<T: Ord + Copy>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort_unstable();
    items.dedup();
    items
}

/// What stands for a term here.
pub fn stem_of(term_hash: u64) -> u32 {
    term_hash as u32
}

impl DecisionText {
    /// Prepare a document.
    pub fn new(view: TextView<'_>, forms: &FormFrequencies) -> Self {
        let batch = view.batch;
        let is_solid = is_solid(view);
        let n = view.words().len();
        let mut made = Self {
            words: Vec::with_capacity(n),
            stems: Vec::with_capacity(n),
            idf: Vec::with_capacity(n),
            flags: Vec::with_capacity(n),
            title: view.title.to_vec(),
            run_size: if is_solid { SOLID_RUN } else { RUN },
            is_solid,
            ..Self::default()
        };
        for sentence in batch.sentences_of(view.number) {
            let words = &batch.words[batch.words_of(sentence)];
            let (start, length) = (made.words.len(), words.len());
            let parts = length.div_ceil(LONGEST_SENTENCE).max(1);
            let ends = (1..=parts).map(|part| (start + length * part / parts) as u32);
            made.sentence_ends.extend(ends);
            let is_quoted =
                batch.spans.as_ref().is_some_and(|spans| spans.quoted.get(sentence) == Some(&true));
            let everywhere =
                if is_quoted { flag::QUOTED } else { 0 } | if is_solid { flag::CONTENT } else { 0 };
            for (place, &number) in words.iter().enumerate() {
                let word = view.word(number);
                made.has_capitals |= word.flags & flag::NAME != 0;
                let mut flags = word.flags | everywhere;
                if place == 0 {
                    flags &= !flag::NAME;
                } else if flags & flag::NAME != 0 {
                    flags |= flag::FACT;
                }
                made.flags.push(flags);
                made.words.push(word.folded);
                made.stems.push(word.stem);
                made.idf.push(word.idf);
            }
        }
        made.index(view, forms);
        made
    }

    fn index(&mut self, view: TextView<'_>, forms: &FormFrequencies) {
        let mut keys = Vec::with_capacity(2 * self.words.len());
        pair_keys(view, |key, place| {
            keys.push(key);
            self.pair_places.push(place);
        });
        self.pairs = KeySequence::new(&keys, |key| forms.pairs.get(key));
        keys.clear();
        run_keys(view, |key| keys.push(key));
        self.runs = KeySequence::new(&keys, |key| forms.runs.get(key));
        keys.clear();
        let seed = |words: &[u32]| key_of(SEED_KEY, words.iter().copied());
        keys.extend(self.words.windows(SEED).map(seed));
        self.seeds = KeySequence::new(&keys, |_| 1);
        let with = |flag: u8| {
            let words = self.words.iter().zip(&self.flags);
            sorted(words.filter(|word| word.1 & flag != 0).map(|word| *word.0))
        };
        self.numbers = with(flag::NUMBER);
        self.names = with(flag::NAME);
        self.word_set = sorted(self.words.iter().copied());
        let content = (0..self.words.len()).filter(|&at| self.has(at, flag::CONTENT));
        self.content = content
            .map(|at| ContentStem {
                stem: self.stems[at],
                idf: f64::from(self.idf[at]),
                is_rare: self.has(at, flag::RARE),
            })
            .collect();
        self.content.sort_unstable_by_key(|content| content.stem);
        self.content.dedup_by_key(|content| content.stem);
        self.pair_mass = self.pairs.counts.iter().map(|&count| pair_weight(count)).sum();
        self.forgiving_mass = self.pairs.counts.iter().map(|&count| forgiving_weight(count)).sum();
        self.rarity =
            self.content.iter().filter(|content| content.is_rare).map(|content| content.idf).sum();
        let numbers = self.flags.iter().filter(|&&flags| flags & flag::NUMBER != 0).count();
        self.number_density = numbers as f64 / (self.words.len() as f64 + DENSITY_PRIOR);
    }

    /// Whether a word has a property.
    pub fn has(&self, place: usize, flag: u8) -> bool {
        self.flags[place] & flag != 0
    }

    /// How many words it has.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words of each sentence.
    pub fn sentences(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let starts = std::iter::once(&0).chain(&self.sentence_ends);
        starts.zip(&self.sentence_ends).map(|(&start, &end)| start as usize..end as usize)
    }
}
