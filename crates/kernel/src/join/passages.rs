//! Which sentences of two documents match each other, and the passages they make.

use super::aligned::Aligned;
use super::matches::Matches;
use super::units::Sentences;
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
) -> Vec<(bool, bool)> {
    let mut there: Vec<u32> = sentences.of_document(other).flatten().collect();
    there.sort_unstable();
    let is_there = |sentence: u32| there.binary_search(&sentence).is_ok();
    let has_match = |s: u32| is_there(s) || matches.found(s).any(|found| is_there(found.sentence));
    let row = |sentence: u32| (true, has_match(sentence));
    let all = sentences.of_document(document);
    all.map(|sentence| sentence.map_or((false, false), row)).collect()
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
    /// What matches: sentences of right, of left, and the score, unless there is too much.
    all: Vec<(usize, usize, f64)>,
}

/// So many matches of two documents are noted: sentences that both have a thousand times match a million
/// times.
const MOST_NOTED: usize = if cfg!(test) { 8 } else { 1 << 20 };

/// A sentence, its match, and the score.
type Link = (usize, usize, f64);

impl<'a> Passages<'a> {
    /// Over these sentences.
    pub fn new(sentences: &'a Sentences, matches: &'a Matches, aligned: &'a Aligned) -> Self {
        let places = Places { first: vec![NOWHERE; sentences.n_distinct()], next: Vec::new() };
        let (sides, left, all) = Default::default();
        Self { sentences, matches, aligned, places, sides, left, all }
    }

    /// The sentences of two documents, and their passages, in the order of left. Each sentence of
    /// left comes with its best match, and each one of right that is no such match with its own; in
    /// documents that are aligned, those without one come with what has most of them. Those that
    /// follow each other on both sides are one passage.
    pub fn between(&mut self, left: usize, right: usize) -> (&[Numbered; 2], Vec<Passage>) {
        if self.left != Some(left) {
            self.sides[0] = numbered(self.sentences, left);
            self.left = Some(left);
        }
        self.sides[1] = numbered(self.sentences, right);
        let mut found = self.best();
        let mut taken = vec![false; self.sides[1].len()];
        found.iter().for_each(|&(_, r, _)| taken[r] = true);
        let others = self.best_of_right(&taken);
        others.iter().for_each(|&(r, ..)| taken[r] = true);
        found.extend(others.into_iter().map(|(r, l, s)| (l, r, s)));
        let links = self.links([left, right], &self.sides, &found, &taken);
        found.extend(links);
        found.sort_unstable_by_key(|&(l, r, _)| (l, r));
        let made = self.runs([left, right], &self.sides, found);
        (&self.sides, made)
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

    /// The best match of each sentence of left, by place; notes all that match.
    fn best(&mut self) -> Vec<Link> {
        let Self { places, matches, all, sides: [own, others], .. } = self;
        all.clear();
        best_of(
            places,
            matches,
            own,
            others,
            |_| true,
            |n, place, score| {
                if all.len() <= MOST_NOTED {
                    all.push((place, n, score));
                }
            },
        )
    }

    /// The best match of each sentence of right that is not taken, by place, of what was noted.
    fn best_of_right(&mut self, taken: &[bool]) -> Vec<Link> {
        if self.all.len() > MOST_NOTED {
            // Too much to be noted: right asks, too.
            let Self { places, matches, sides: [others, own], .. } = self;
            return best_of(places, matches, own, others, |n| !taken[n], |_, _, _| ());
        }
        self.all.retain(|&(n, ..)| !taken[n]);
        self.all.sort_unstable_by_key(|&(n, place, _)| (n, place));
        let mut found: Vec<Link> = Vec::new();
        for own in self.all.chunk_by(|a, b| a.0 == b.0) {
            let n = own[0].0;
            let mut best = Best::behind(&found, n);
            own.iter().for_each(|&(_, place, score)| best.add(place, score));
            found.extend(best.found.map(|(score, _, place)| (n, place, score)));
        }
        found
    }
}

/// The best match among others of each sentence of a document that is to ask, by place; notes each match
/// of the places of two sentences.
fn best_of(
    places: &mut Places,
    matches: &Matches,
    own: &Numbered,
    others: &Numbered,
    asks: impl Fn(usize) -> bool,
    mut note: impl FnMut(usize, usize, f64),
) -> Vec<Link> {
    places.set(others);
    let mut found: Vec<Link> = Vec::new();
    for (n, &(_, sentence)) in own.iter().enumerate().filter(|(n, _)| asks(*n)) {
        let mut best = Best::behind(&found, n);
        let there = matches.found(sentence).map(|found| (found.sentence, found.score));
        for (other, score) in std::iter::once((sentence, 1.0)).chain(there) {
            for place in places.of(other) {
                note(n, place, score);
                best.add(place, score);
            }
        }
        found.extend(best.found.map(|(score, _, place)| (n, place, score)));
    }
    places.clear(others);
    found
}

/// The best match of a sentence: of equally good ones that behind the match of the sentence before, else
/// the first.
struct Best {
    wanted: Option<usize>,
    /// The score, whether it is where it is wanted, and where it is.
    found: Option<(f64, bool, usize)>,
}

impl Best {
    /// Nothing yet for a sentence; those before it have these.
    fn behind(found: &[Link], n: usize) -> Self {
        let wanted = found.last().filter(|last| last.0 + 1 == n).map(|last| last.1 + 1);
        Self { wanted, found: None }
    }

    fn add(&mut self, place: usize, score: f64) {
        let follows = self.wanted == Some(place);
        if self.found.is_none_or(|(s, f, p)| (score, follows, p) > (s, f, place)) {
            self.found = Some((score, follows, place));
        }
    }
}

/// What stands for no place.
const NOWHERE: u32 = u32::MAX;

/// Where each distinct sentence stands in a document: the first place, and from each the next one.
struct Places {
    first: Vec<u32>,
    next: Vec<u32>,
}

impl Places {
    fn set(&mut self, sentences: &[(u32, u32)]) {
        self.next.resize(sentences.len().max(self.next.len()), NOWHERE);
        for (place, &(_, distinct)) in sentences.iter().enumerate().rev() {
            let first = &mut self.first[distinct as usize];
            self.next[place] = *first;
            *first = place as u32;
        }
    }

    fn clear(&mut self, sentences: &[(u32, u32)]) {
        sentences.iter().for_each(|&(_, distinct)| self.first[distinct as usize] = NOWHERE);
    }

    fn of(&self, distinct: u32) -> impl Iterator<Item = usize> {
        let first = self.first[distinct as usize];
        let known = |place: u32| (place != NOWHERE).then_some(place);
        let next = move |&place: &u32| known(self.next[place as usize]);
        std::iter::successors(known(first), next).map(|place| place as usize)
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
