//! Which sentences of two documents match each other, and the passages they make.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::aligned::Aligned;
use super::matches::Matches;
use super::units::Sentences;
use crate::cancel::Cancel;
use crate::effort::BETWEEN_CHECKS;
use crate::error::Result;
use crate::features::Mark;

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

/// So many matches between the places of two sentences are told all; of more, those that are nearest
/// to each other in proportion: of a sentence that both documents have a thousand times a million
/// help nobody.
const MOST_TOLD: usize = 1024;

/// Then a place is told with so many others on either side.
const BESIDE: usize = 16;

/// The matches between two documents, in the order of left's sentences, then of right's.
pub fn between(
    sentences: &Sentences,
    matches: &Matches,
    left: usize,
    right: usize,
    cancel: &Cancel,
) -> Result<Vec<SentenceMatch>> {
    let sides = [left, right].map(|document| places(sentences, document));
    // Equal sentences are one here, and spread out at the end.
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for (side, other) in [(0, 1), (1, 0)] {
        for (n, &own) in sides[side].keys().enumerate() {
            if n % BETWEEN_CHECKS == 0 {
                cancel.check()?;
            }
            let found = std::iter::once(own).chain(matches.found(own).map(|found| found.sentence));
            let there = found.filter(|found| sides[other].contains_key(found));
            pairs.extend(there.map(|found| if side == 0 { (own, found) } else { (found, own) }));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut found = Vec::new();
    for (n, (own, other)) in pairs.into_iter().enumerate() {
        if n % BETWEEN_CHECKS == 0 {
            cancel.check()?;
        }
        let [left_score, right_score] = [(own, other), (other, own)]
            .map(|(probe, store)| matches.score(probe, store).unwrap_or(0.0));
        if left_score > 0.0 || right_score > 0.0 {
            spread(&sides[0][&own], &sides[1][&other], |left, right| {
                found.push(SentenceMatch { left, right, left_score, right_score });
            });
        }
    }
    found.sort_unstable_by_key(|found| (found.left, found.right));
    Ok(found)
}

/// The places of each distinct sentence of a document.
fn places(sentences: &Sentences, document: usize) -> HashMap<u32, Vec<u32>, FxBuildHasher> {
    let mut places: HashMap<u32, Vec<u32>, FxBuildHasher> = HashMap::default();
    for (n, distinct) in numbered(sentences, document) {
        places.entry(distinct).or_default().push(n);
    }
    places
}

/// Tell the places of two sentences that match.
fn spread(lefts: &[u32], rights: &[u32], mut tell: impl FnMut(u32, u32)) {
    if lefts.len().saturating_mul(rights.len()) <= MOST_TOLD {
        for &left in lefts {
            rights.iter().for_each(|&right| tell(left, right));
        }
        return;
    }
    // Each place of the side that has more, so that none of either side is left out.
    let is_left = lefts.len() >= rights.len();
    let (more, fewer) = if is_left { (lefts, rights) } else { (rights, lefts) };
    for (n, &place) in more.iter().enumerate() {
        let at = n * fewer.len() / more.len();
        for &other in &fewer[at.saturating_sub(BESIDE)..fewer.len().min(at + BESIDE)] {
            if is_left { tell(place, other) } else { tell(other, place) }
        }
    }
}

/// The sentences of a document that are looked at.
fn numbered(sentences: &Sentences, document: usize) -> Numbered {
    let numbers = sentences.of_document(document).enumerate();
    numbers.filter_map(|(n, distinct)| Some((n as u32, distinct?))).collect()
}

/// For each sentence of a document whether it is looked at, and whether it has a match in another
/// one.
pub fn counted(
    sentences: &Sentences,
    matches: &Matches,
    document: usize,
    other: usize,
    cancel: &Cancel,
) -> Result<Vec<(bool, bool)>> {
    let mut there: Vec<u32> = sentences.of_document(other).flatten().collect();
    there.sort_unstable();
    there.dedup();
    let mut known: HashMap<u32, bool, FxBuildHasher> = HashMap::default();
    let mut rows = Vec::new();
    for (n, sentence) in sentences.of_document(document).enumerate() {
        if n % BETWEEN_CHECKS == 0 {
            cancel.check()?;
        }
        let mut has_match = |s: u32| *known.entry(s).or_insert_with(|| matches.has_any(s, &there));
        rows.push(sentence.map_or((false, false), |sentence| (true, has_match(sentence))));
    }
    Ok(rows)
}

/// The sentences of a document that are looked at: their numbers in it, and among the distinct.
pub type Numbered = Vec<(u32, u32)>;

/// Sentences in a row that match sentences in a row, by their places among those that are looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// The first and the last sentence of left.
    pub left: (usize, usize),
    /// The first and the last sentence of right.
    pub right: (usize, usize),
    /// The mean score of its matches.
    pub score: f64,
    /// Whether each sentence has another one in its place.
    pub is_one_to_one: bool,
    /// Whether it stands before an earlier passage in right.
    pub is_moved: bool,
    /// Whether it is boilerplate.
    pub is_boilerplate: bool,
}

/// Finds passages, where sentences match both ways.
pub struct Passages<'a> {
    sentences: &'a Sentences,
    matches: &'a Matches,
    aligned: &'a Aligned,
    places: Places,
    /// The documents that were looked at last, and their sentences.
    sides: [Numbered; 2],
    left: Option<usize>,
    /// How many matches were looked at.
    pub looked: u64,
}

/// A sentence, its match, and the score.
type Link = (usize, usize, f64);

impl<'a> Passages<'a> {
    /// Over these sentences.
    pub fn new(sentences: &'a Sentences, matches: &'a Matches, aligned: &'a Aligned) -> Self {
        let places = Places { first: vec![NOWHERE; sentences.n_distinct()] };
        let (sides, left) = Default::default();
        Self { sentences, matches, aligned, places, sides, left, looked: 0 }
    }

    /// The sentences of two documents, and their passages, in the order of left. Each sentence of
    /// left comes with its best match, and each one of right that is no such match with its own; in
    /// documents that are aligned, those without one come with what has most of them. Those that
    /// follow each other on both sides are one passage.
    pub fn between(
        &mut self,
        left: usize,
        right: usize,
        cancel: &Cancel,
    ) -> Result<(&[Numbered; 2], Vec<Passage>)> {
        if self.left != Some(left) {
            self.sides[0] = numbered(self.sentences, left);
            self.left = Some(left);
        }
        self.sides[1] = numbered(self.sentences, right);
        let mut found = self.best_of(0, |_| true, cancel)?;
        let mut taken = vec![false; self.sides[1].len()];
        found.iter().for_each(|&(_, r, _)| taken[r] = true);
        let others = self.best_of(1, |n| !taken[n], cancel)?;
        others.iter().for_each(|&(r, ..)| taken[r] = true);
        found.extend(others.into_iter().map(|(r, l, s)| (l, r, s)));
        let links = self.links([left, right], &self.sides, &found, &taken);
        found.extend(links);
        found.sort_unstable_by_key(|&(l, r, _)| (l, r));
        cancel.check()?;
        let made = self.runs([left, right], &self.sides, found);
        Ok((&self.sides, made))
    }

    /// What an alignment adds to matches.
    fn links(
        &self,
        [left, right]: [usize; 2],
        sides: &[Numbered; 2],
        found: &[Link],
        taken: &[bool],
    ) -> Vec<Link> {
        let aligned = self.aligned.links(left, right);
        if aligned.is_empty() {
            return Vec::new();
        }
        let mut known = vec![false; sides[0].len()];
        found.iter().for_each(|&(l, ..)| known[l] = true);
        let place = |side: usize, number: u32| {
            sides[side].binary_search_by_key(&number, |sentence| sentence.0).ok()
        };
        let mut links = Vec::new();
        for link in aligned {
            let numbers = if link.is_left {
                [link.sentence, link.other]
            } else {
                [link.other, link.sentence]
            };
            let [Some(l), Some(r)] = [place(0, numbers[0]), place(1, numbers[1])] else { continue };
            if !(if link.is_left { known[l] } else { taken[r] }) {
                links.push((l, r, link.share));
            }
        }
        links.sort_by_key(|&(l, r, _)| (l, r));
        links.dedup_by_key(|link| (link.0, link.1));
        links
    }

    fn runs(&self, documents: [usize; 2], sides: &[Numbered; 2], found: Vec<Link>) -> Vec<Passage> {
        let mark =
            |side: usize, n: usize| self.sentences.mark(documents[side], sides[side][n].0 as usize);
        let mut open: Vec<Run> = Vec::new();
        for (l, r, score) in found {
            let marks = [mark(0, l), mark(1, r)];
            let is_boilerplate = marks.contains(&Mark::Boilerplate)
                && !Mark::counts(marks, self.matches.told(sides[0][l].1, sides[1][r].1));
            // The last few: what does not follow one of these follows none.
            let follows =
                |run: &&mut Run| run.is_boilerplate == is_boilerplate && run.is_followed_by(l, r);
            match open.iter_mut().rev().take(4).find(follows) {
                Some(run) => run.add(l, r, score),
                None => open.push(Run {
                    left: (l, l),
                    right: (r, r),
                    score,
                    matches: 1,
                    is_boilerplate,
                }),
            }
        }
        let mut behind = 0;
        let mut made = Vec::with_capacity(open.len());
        for run in open {
            let (l, r) = (run.left, run.right);
            made.push(Passage {
                left: l,
                right: r,
                score: run.score / run.matches as f64,
                is_one_to_one: run.matches == l.1 - l.0 + 1 && run.matches == r.1 - r.0 + 1,
                is_moved: r.1 < behind,
                is_boilerplate: run.is_boilerplate,
            });
            behind = behind.max(r.0);
        }
        made
    }

    /// The best match on the other side of each sentence of one that is to ask, by place. A sentence that
    /// stands in many places there is looked at once: one of them is the best.
    fn best_of(
        &mut self,
        side: usize,
        asks: impl Fn(usize) -> bool,
        cancel: &Cancel,
    ) -> Result<Vec<Link>> {
        let Self { places, matches, sides, looked, .. } = self;
        let (own, others) = (&sides[side], &sides[1 - side]);
        places.set(others);
        let mut found: Vec<Link> = Vec::new();
        let mut is_cancelled = Ok(());
        for (n, &(_, sentence)) in own.iter().enumerate().filter(|(n, _)| asks(*n)) {
            if n % BETWEEN_CHECKS == 0 {
                is_cancelled = cancel.check();
                if is_cancelled.is_err() {
                    break;
                }
            }
            let mut best = Best::behind(&found, n, others);
            let there = matches.found(sentence).map(|found| (found.sentence, found.score));
            for (other, score) in std::iter::once((sentence, 1.0)).chain(there) {
                *looked += 1;
                if let Some(first) = places.first_of(other) {
                    best.add(other, first, score);
                }
            }
            found.extend(best.found.map(|(score, _, place)| (n, place, score)));
        }
        places.clear(others);
        is_cancelled.map(|()| found)
    }
}

/// The best match of a sentence: of equally good ones that behind the match of the sentence before, else
/// the first.
struct Best {
    /// The place behind that match, and the sentence there.
    wanted: Option<(usize, u32)>,
    /// The score, whether it is where it is wanted, and where it is.
    found: Option<(f64, bool, usize)>,
}

impl Best {
    /// Nothing yet for a sentence; those before it have these, of the others.
    fn behind(found: &[Link], n: usize, others: &Numbered) -> Self {
        let last = found.last().filter(|last| last.0 + 1 == n);
        let behind = |last: &Link| Some((last.1 + 1, others.get(last.1 + 1)?.1));
        Self { wanted: last.and_then(behind), found: None }
    }

    /// Add a sentence, which stands first at a place.
    fn add(&mut self, sentence: u32, first: usize, score: f64) {
        let wanted = self.wanted.filter(|wanted| wanted.1 == sentence);
        let (follows, place) = (wanted.is_some(), wanted.map_or(first, |wanted| wanted.0));
        if self.found.is_none_or(|(s, f, p)| (score, follows, p) > (s, f, place)) {
            self.found = Some((score, follows, place));
        }
    }
}

/// What stands for no place.
const NOWHERE: u32 = u32::MAX;

/// Where each distinct sentence stands first in a document.
struct Places {
    first: Vec<u32>,
}

impl Places {
    fn set(&mut self, sentences: &[(u32, u32)]) {
        for (place, &(_, distinct)) in sentences.iter().enumerate().rev() {
            self.first[distinct as usize] = place as u32;
        }
    }

    fn clear(&mut self, sentences: &[(u32, u32)]) {
        sentences.iter().for_each(|&(_, distinct)| self.first[distinct as usize] = NOWHERE);
    }

    fn first_of(&self, distinct: u32) -> Option<usize> {
        let first = self.first[distinct as usize];
        (first != NOWHERE).then_some(first as usize)
    }
}

/// Matches in a row, by their places among the sentences that are looked at.
struct Run {
    left: (usize, usize),
    right: (usize, usize),
    score: f64,
    matches: usize,
    is_boilerplate: bool,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::{Feature, Features};
    use crate::join::groups::Times;
    use crate::join::retold::Pair;
    use crate::join::units::Units;
    use proptest::prelude::*;

    /// Documents of sentences that are known by a number each.
    fn sentences(documents: &[Vec<u64>]) -> Sentences {
        let mut features = Features::default();
        for document in documents {
            for &key in document {
                features.push(&mut [Feature { key, weight: 1, count: 1 }], false);
            }
            features.end_document();
        }
        let cancel = Cancel::default();
        let ids: Vec<String> = (0..documents.len()).map(|n| n.to_string()).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let texts: Vec<u128> = (0..ids.len() as u128).collect();
        let times = Times::new(&ids, vec![None; ids.len()], None, &cancel).expect("times");
        let (units, _) = Units::new(features, &times, &texts, &cancel).expect("units");
        units.sentences.expect("of sentences")
    }

    /// All of so many sentences match, with scores of a few sizes.
    fn matches(n: usize) -> Matches {
        let pairs: Vec<Pair> = (0..n as u32)
            .flat_map(|later| (0..later).map(move |earlier| [later, earlier]))
            .filter(|[a, b]| (a + b) % 3 > 0)
            .map(|[a, b]| Pair {
                sentences: [a, b],
                shared: 1,
                score: 0.5 + f64::from((a * b) % 3) / 10.0,
                told: 0,
            })
            .collect();
        Matches::both_ways(n, &pairs, Vec::new())
    }

    /// The best match of each sentence of the first document, every place with every other.
    fn best(matches: &Matches, own: &[(u32, u32)], others: &[(u32, u32)]) -> Vec<Link> {
        let mut found: Vec<Link> = Vec::new();
        for (n, &(_, sentence)) in own.iter().enumerate() {
            let behind = found.last().filter(|last| last.0 + 1 == n).map(|last| last.1 + 1);
            let mut best: Option<(f64, bool, usize)> = None;
            for (place, &(_, other)) in others.iter().enumerate() {
                let Some(score) = matches.score(sentence, other) else { continue };
                let follows = behind == Some(place);
                if best.is_none_or(|(s, f, p)| (score, follows, p) > (s, f, place)) {
                    best = Some((score, follows, place));
                }
            }
            found.extend(best.map(|(score, _, place)| (n, place, score)));
        }
        found
    }

    proptest! {
        #[test]
        fn of_equal_sentences_the_best_place_is_found(
            left in prop::collection::vec(0_u64..7, 1..14),
            right in prop::collection::vec(0_u64..7, 1..14),
        ) {
            let sentences = sentences(&[left, right]);
            let matches = matches(sentences.n_distinct());
            let aligned = Aligned::default();
            let mut passages = Passages::new(&sentences, &matches, &aligned);
            passages.sides = [numbered(&sentences, 0), numbered(&sentences, 1)];
            let sides = passages.sides.clone();
            for side in [0, 1] {
                let found = passages.best_of(side, |_| true, &Cancel::default());
                let expected = best(&matches, &sides[side], &sides[1 - side]);
                prop_assert_eq!(found.expect("not cancelled"), expected);
            }
            let all = between(&sentences, &matches, 0, 1, &Cancel::default());
            let mut expected = Vec::new();
            for &(left, own) in &sides[0] {
                for &(right, other) in &sides[1] {
                    let scores = [(own, other), (other, own)].map(|(a, b)| matches.score(a, b));
                    if let [Some(left_score), Some(right_score)] = scores {
                        expected.push(SentenceMatch { left, right, left_score, right_score });
                    }
                }
            }
            prop_assert_eq!(all.expect("not cancelled"), expected);
        }
    }

    #[test]
    fn a_sentence_that_comes_again_is_looked_at_once_for_each_place() {
        let looked = |n: usize| {
            let sentences = sentences(&[vec![1; n], vec![1; n - 1]]);
            let (matches, aligned) = (matches(1), Aligned::default());
            let mut passages = Passages::new(&sentences, &matches, &aligned);
            let cancel = Cancel::after(u64::MAX);
            let (_, found) = passages.between(0, 1, &cancel).expect("not cancelled");
            assert_eq!((found[0].left, found[0].right), ((0, n - 2), (0, n - 2)));
            assert!(cancel.checks() >= (n / BETWEEN_CHECKS) as u64);
            let all =
                between(&sentences, &matches, 0, 1, &Cancel::default()).expect("not cancelled");
            let mut sides = [vec![false; n], vec![false; n - 1]];
            for found in &all {
                sides[0][found.left as usize] = true;
                sides[1][found.right as usize] = true;
            }
            // None is left out.
            assert!(sides.iter().flatten().all(|is_told| *is_told));
            passages.looked + all.len() as u64
        };
        let [few, many] = [500, 4000].map(looked);
        assert!(many <= 9 * few, "{few} {many}");
        let sentences = sentences(&[vec![1; 900], vec![1; 900]]);
        let (matches, aligned) = (matches(1), Aligned::default());
        let mut passages = Passages::new(&sentences, &matches, &aligned);
        assert!(passages.between(0, 1, &Cancel::after(3)).is_err());
        assert!(between(&sentences, &matches, 0, 1, &Cancel::after(1)).is_err());
        assert!(counted(&sentences, &matches, 0, 1, &Cancel::after(3)).is_err());
    }
}
