//! Where the sentences of a block end, at the speed of a scan.
//!
//! `sentencex` decides whether a sentence ends at a full stop. What it does around that with regular
//! expressions (quotations, brackets, addresses, lists) is done here from one look at the block, with
//! the same outcome: that is what the tests compare.

use super::block::Block;
use super::ends::run_at;
use super::lists::{self, LIST};
use super::pairs::{Pairs, starts_sentence};
use super::ranges::{Kind, Pairing, Range, Ranges};
use super::stops::Stops;

/// What may close a quotation; the longer first.
const CLOSINGS: [&str; 16] =
    ["''", "``", "'", "`", "\"", "»", "’", "‚", "”", "‛", "“", "«", "‟", "›", "》", "」"];

/// Closing marks that also open quotations.
const SYMMETRIC: [&str; 8] = ["''", "``", "'", "`", "\"", "‚", "‛", "‟"];

/// Finds the ends of sentences; kept to be used again.
#[derive(Default)]
pub struct Breaks {
    /// Where sentences do not end as they do elsewhere: quotations, brackets and addresses in the
    /// order of their starts, then the items of a list.
    ranges: Ranges,
    /// Where the items of a list begin.
    items: Vec<usize>,
    /// Where each symmetric mark stands that was asked for, but for those within quotations or words.
    places: Vec<(&'static str, Vec<usize>)>,
    found: Vec<usize>,
}

impl Breaks {
    /// Call `emit` with the end of each sentence of the block that was looked at. `None`, and no
    /// call, if `sentencex` has to do it.
    pub fn split(
        &mut self,
        seen: &Block,
        block: &str,
        stops: &Stops<'_>,
        mut emit: impl FnMut(usize),
    ) -> Option<()> {
        self.prepare(seen, block)?;
        let mut work = Work { block, stops, marks: &seen.quotes, first: 0, breaks: self };
        let last;
        // The block ends at its last byte, whether a sentence does or not.
        let ends = match seen.ends.split_last() {
            Some((last, others)) if last.1 == block.len() => others,
            _ => &seen.ends[..],
        };
        if work.breaks.items.is_empty() {
            last = work.each_end(ends, &mut emit);
        } else {
            let mut found = std::mem::take(&mut work.breaks.found);
            found.clear();
            work.each_end(ends, |end| found.push(end));
            found.extend(self.items.iter().filter(|&&start| start > 0));
            found.sort_unstable();
            found.dedup();
            last = found.last().copied().unwrap_or(0);
            found.iter().copied().for_each(&mut emit);
            self.found = found;
        }
        if last != block.len() {
            emit(block.len());
        }
        Some(())
    }

    /// Find the ranges of a block.
    fn prepare(&mut self, seen: &Block, block: &str) -> Option<()> {
        self.ranges.clear();
        self.items.clear();
        self.places.clear();
        if !seen.quotes.is_empty() {
            let pairs = Pairs { block, marks: &seen.quotes };
            pairs.append(&mut self.ranges)?;
            pairs.append_spaced(&mut self.ranges);
        }
        let has_quotations = !self.ranges.all.is_empty();
        for &(start, end) in &seen.brackets {
            self.ranges.push(Range::new(start, end, Kind::Bracket));
        }
        for &(start, end) in &seen.addresses {
            self.ranges.push(Range::new(start, end, Kind::Address));
        }
        self.ranges.sort();
        if has_quotations {
            self.doubt(seen, block);
        }
        if seen.items >= LIST {
            lists::items(block, &mut self.items);
            for (n, &start) in self.items.iter().enumerate() {
                let end = self.items.get(n + 1).copied().unwrap_or(block.len());
                self.ranges.push(Range::new(start, end, Kind::Item));
            }
        }
        Some(())
    }

    /// Whether a range starts at this place.
    fn starts_at(&self, at: usize) -> bool {
        let others = &self.ranges.all[..self.ranges.all.len() - self.items.len()];
        others.binary_search_by_key(&at, |range| range.start).is_ok()
            || self.items.binary_search(&at).is_ok()
    }

    /// Tell which symmetric marks may not be pairs.
    fn doubt(&mut self, seen: &Block, block: &str) {
        let holds = |at: usize| {
            let n = seen.brackets.partition_point(|bracket| bracket.0 < at);
            seen.brackets[..n].last().filter(|bracket| at < bracket.1)
        };
        // Of a handful of marks whether there is an odd number.
        let mut counted: Vec<(&str, bool)> = Vec::new();
        for range in &mut self.ranges.all {
            let Kind::Symmetric(token) = range.kind else { continue };
            if holds(range.start).is_some_and(|bracket| bracket.1 < range.end)
                || holds(range.end).is_some_and(|bracket| bracket.0 > range.start)
            {
                range.pairing = Pairing::Wrong;
                continue;
            }
            let known = counted.iter().find(|known| known.0 == token).map(|known| known.1);
            let is_odd = known.unwrap_or_else(|| {
                let is_odd = seen.count(token, block) % 2 == 1;
                counted.push((token, is_odd));
                is_odd
            });
            range.pairing = if is_odd { Pairing::Doubtful } else { Pairing::Sure };
        }
    }
}

/// One block at work.
struct Work<'w> {
    block: &'w str,
    stops: &'w Stops<'w>,
    marks: &'w [(usize, char)],
    /// The ranges before this one ended before the present place.
    first: usize,
    breaks: &'w mut Breaks,
}

impl Work<'_> {
    /// Call `emit` with the ends of sentences at these runs of marks; returns the last one, or 0.
    fn each_end(&mut self, runs: &[(usize, usize)], mut emit: impl FnMut(usize)) -> usize {
        let mut last = 0;
        for &run in runs {
            if let Some(end) = self.end_at(run).filter(|&end| end > last) {
                emit(end);
                last = end;
            }
        }
        last
    }

    /// Where the sentence ends that this run of marks may end.
    fn end_at(&mut self, (start, end): (usize, usize)) -> Option<usize> {
        let at = self.stops.end(self.block, start, end)?;
        match self.holding(at, start, end) {
            Some(range) => self.behind_quotation(range, at),
            None => Some(self.behind_orphan(at)),
        }
    }

    /// The first range that holds the place behind some marks.
    fn holding(&mut self, at: usize, start: usize, end: usize) -> Option<Range> {
        let all = &self.breaks.ranges.all;
        while all.get(self.first).is_some_and(|range| range.end <= at) {
            self.first += 1;
        }
        let is_wrong = |range: &Range| match range.pairing {
            Pairing::Sure => false,
            Pairing::Wrong => true,
            Pairing::Doubtful => {
                self.stops.splitter.has_strong_sentence_break(self.block, start, end)
            }
        };
        let n_items = self.breaks.items.len();
        let (others, items) = all.split_at(all.len() - n_items);
        let others = others.get(self.first..).unwrap_or(&[]);
        let holds = |range: &&Range| at > range.start && at < range.end;
        let mut before = others.iter().take_while(|range| range.start < at);
        let found = before.find(|range| holds(range) && !is_wrong(range));
        let item = || items[..items.partition_point(|item| item.start < at)].last().filter(holds);
        found.or_else(item).copied()
    }

    /// A full stop just before the closing mark of a quotation ends the sentence behind the mark.
    fn behind_quotation(&self, range: Range, at: usize) -> Option<usize> {
        if !range.is_quotation() || !CLOSINGS.contains(&&self.block[at..range.end]) {
            return None;
        }
        self.stops.behind_quotation(self.block, range.end)
    }

    /// A closing mark without an opening one belongs to the sentence before it, with what follows it.
    fn behind_orphan(&mut self, at: usize) -> usize {
        let rest = &self.block[at..];
        let may_close = |b: &u8| matches!(b, b'\'' | b'`' | b'"' | 0xC2 | 0xE2 | 0xE3);
        if !rest.as_bytes().first().is_some_and(may_close) || self.breaks.starts_at(at) {
            return at;
        }
        let mut closings = CLOSINGS.into_iter().filter(|closing| rest.starts_with(closing));
        let Some(closing) = closings.find(|closing| self.is_orphan(closing, at)) else {
            return at;
        };
        if self.opens_next(closing, at) {
            return at;
        }
        let skip = |at: usize| self.block.len() - self.block[at..].trim_start().len();
        let mut end = skip(at + closing.len());
        while let Some(behind) = run_at(self.block, end) {
            end = skip(behind);
        }
        end
    }

    /// Whether a closing mark has no opening one: those before it are odd, or it is the only one.
    fn is_orphan(&mut self, closing: &'static str, at: usize) -> bool {
        if !SYMMETRIC.contains(&closing) {
            return true;
        }
        let Breaks { ranges, places, .. } = &mut *self.breaks;
        let known = places.iter().position(|(token, _)| *token == closing);
        let n = known.unwrap_or_else(|| {
            let pairs = Pairs { block: self.block, marks: self.marks };
            let is_candidate = |at: &usize| pairs.is_candidate(*at, closing.len(), ranges);
            let single = closing.parse::<char>();
            let all = match single {
                Ok(mark) => pairs.places(mark).filter(is_candidate).collect(),
                Err(_) => {
                    let all = self.block.match_indices(closing).map(|(at, _)| at);
                    all.filter(is_candidate).collect()
                }
            };
            places.push((closing, all));
            places.len() - 1
        });
        let all = &places[n].1;
        let before = all.partition_point(|&place| place < at);
        before % 2 == 1 || (before == 0 && all.len() == 1)
    }

    /// Whether a mark opens what follows: it stands between spaces, a large letter follows, and there
    /// was a pair of such marks before.
    fn opens_next(&self, closing: &str, at: usize) -> bool {
        let is_pair = |range: &Range| {
            range.end <= at
                && matches!(range.kind, Kind::Symmetric(_))
                && self.block[range.start..].starts_with(closing)
        };
        SYMMETRIC.contains(&closing)
            && self.block[..at].chars().next_back().is_none_or(char::is_whitespace)
            && starts_sentence(&self.block[at + closing.len()..])
            && self.breaks.ranges.all.iter().any(is_pair)
    }
}
