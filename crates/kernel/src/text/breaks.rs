//! Where the sentences of a block end, at the speed of a scan.
//!
//! `sentencex` decides whether a sentence ends at a full stop. What it does around that with regular
//! expressions (quotations, brackets, addresses, lists) is done here from one look at the block, with
//! the same outcome: that is what the tests compare.

use sentencex::languages::Language as Splitter;

use super::block::Block;
use super::ends::{is_end, run_at};
use super::lists::{self, LIST};
use super::pairs::{Kind, Pairing, Pairs, Range, Ranges, starts_sentence};

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
        splitter: &dyn Splitter,
        mut emit: impl FnMut(usize),
    ) -> Option<()> {
        self.prepare(seen, block)?;
        let mut work = Work { block, splitter, marks: &seen.quotes, first: 0, breaks: self };
        let mut last = 0;
        if work.breaks.items.is_empty() {
            for &run in &seen.ends {
                if let Some(end) = work.end_at(run).filter(|&end| end > last) {
                    emit(end);
                    last = end;
                }
            }
        } else {
            let mut found = std::mem::take(&mut work.breaks.found);
            found.clear();
            for &run in &seen.ends {
                if let Some(end) = work.end_at(run).filter(|&end| end > last) {
                    found.push(end);
                    last = end;
                }
            }
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

    /// Tell which symmetric marks may not be pairs.
    fn doubt(&mut self, seen: &Block, block: &str) {
        let holds = |at: usize| {
            let n = seen.brackets.partition_point(|bracket| bracket.0 < at);
            seen.brackets[..n].last().filter(|bracket| at < bracket.1)
        };
        let mut counted: Option<(&str, bool)> = None;
        for range in &mut self.ranges.all {
            let Kind::Symmetric(token) = range.kind else { continue };
            if holds(range.start).is_some_and(|bracket| bracket.1 < range.end)
                || holds(range.end).is_some_and(|bracket| bracket.0 > range.start)
            {
                range.pairing = Pairing::Wrong;
                continue;
            }
            let is_odd = match counted {
                Some((last, is_odd)) if last == token => is_odd,
                _ => block.matches(token).count() % 2 == 1,
            };
            counted = Some((token, is_odd));
            range.pairing = if is_odd { Pairing::Doubtful } else { Pairing::Sure };
        }
    }
}

/// One block at work.
struct Work<'w> {
    block: &'w str,
    splitter: &'w dyn Splitter,
    marks: &'w [(usize, char)],
    /// The ranges before this one ended before the present place.
    first: usize,
    breaks: &'w mut Breaks,
}

impl Work<'_> {
    /// Where the sentence ends that this run of marks may end.
    fn end_at(&mut self, (start, end): (usize, usize)) -> Option<usize> {
        // In no language does a sentence end just before a small letter or a digit.
        let next = self.block.as_bytes().get(end);
        let is_near = |c: char| !c.is_whitespace();
        if next.is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            && (end - start == 1 || self.block[..start].chars().next_back().is_some_and(is_near))
        {
            return None;
        }
        let at = self.splitter.find_boundary(self.block, start, end)?;
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
            Pairing::Doubtful => self.splitter.has_strong_sentence_break(self.block, start, end),
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
        let next = self.splitter.get_next_word_approx(self.block, range.end);
        Some(range.end + space_before_sentence(next, self.splitter)?)
    }

    /// A closing mark without an opening one belongs to the sentence before it, with what follows it.
    fn behind_orphan(&mut self, at: usize) -> usize {
        let rest = &self.block[at..];
        let may_close = |b: &u8| matches!(b, b'\'' | b'`' | b'"' | 0xC2 | 0xE2 | 0xE3);
        if !rest.as_bytes().first().is_some_and(may_close)
            || self.breaks.ranges.all.iter().any(|range| range.start == at)
        {
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
            let all = self.block.match_indices(closing).map(|(at, _)| at);
            let all = all.filter(|&at| pairs.is_candidate(at, closing.len(), ranges));
            places.push((closing, all.collect()));
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

/// If another sentence starts behind a quotation, how far from there: `get_boundary_extend`
/// without its regular expression where the text is ASCII.
fn space_before_sentence(next: &str, splitter: &dyn Splitter) -> Option<usize> {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 128;
    match next.bytes().find(|b| is_word(b)) {
        Some(b'a'..=b'z' | b'0'..=b'9') => None,
        Some(128..) => splitter.get_boundary_extend(next),
        _ if splitter.continue_in_next_word(next.trim()) => None,
        _ => Some(next.bytes().take_while(|&b| is_end(b) || is_space(b)).count()),
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The ends of sentences found here, and those `sentencex` finds.
    fn both(block: &str, code: &str) -> (Option<Vec<usize>>, Vec<usize>) {
        let splitter = sentencex::language_factory(code);
        let mut expected = Vec::new();
        for sentence in splitter.segment(block) {
            expected.push(expected.last().copied().unwrap_or(0) + sentence.len());
        }
        let (mut seen, mut found) = (Block::default(), Vec::new());
        assert_eq!(seen.look(block, 0, block.len()).0, block.len(), "one block");
        let done = Breaks::default().split(&seen, block, &*splitter, |end| found.push(end));
        (done.map(|()| found), expected)
    }

    #[test]
    fn blocks_are_split_as_sentencex_does() {
        for block in [
            "",
            "No end",
            "The mine closed. It had been open since 1921 (the year of the strike. Or so).",
            "\"We won't go.\" He left, and \"all is said,\" she added. \"Not yet.\" So be it.",
            "Mr. Smith of the U.S. paid $3.50 on Jan. 5. The players' union didn’t.",
            "Ich gehe am 3. Mai nach Köln – oder Zürich. Später!",
            "“We won’t go.” He left, and “all is said,” she added. “Not yet. Or so.” So be it.",
            "He said (a) this. And (b) that. Born (1921) In (1950) He, with (D) and (R), won.",
            "1. One thing. And one more.\n2. Another.",
            "First\n- one. Or so.\n- two",
            "He said (a) This. And (b) That.",
            "Say 1) Yes. Or 2) No.",
            "Write to a@b.org. Now a.b@c.D. Or @x.",
            "Wait . . . What? ! . Yes! . . no.",
            "An \"open end. It stays.\" No.\" Then (\"so. It is) said\". And more.",
            "‘One. Or so.’ Two.",
            "“One. Two.",
            "“One.” \"Two.\" Three",
            "She ('no. Never') left. 'Tis so. The dogs' tails. 'It's so. Is it?' He's not.",
            "' Hello. World. ' Yes. ' No ' . More.\n'A line. Of it. '",
            "``One. Two.'' Three. `four. Five.' Six. ``Seven. Eight.`` Nine.",
            "一。二！“三。”四（五。六）七。《八。》",
            "Odd \"(one. two\" three). Four.",
            "• One. Two.\n• Three.\nA word.\u{2009}” The end.’ So.",
        ] {
            let (found, expected) = both(block, "en");
            assert_eq!(found.as_ref(), Some(&expected), "{block}");
        }
    }

    /// What blocks are made of: words, ends, and all that makes a difference around them.
    const PARTS: [&str; 96] = [
        "The", "dam", "broke", "Dr", "U.S", "J", "Smith", "May", "é", "Ünlü", "а", "Я", "3", "12",
        "etc", "Inc", "p.m", "don't", "players'", "it’s", "I", "Wow", "x", " ", " ", " ", " ",
        "  ", "\t", "\n", "\n", "\r\n", "\r", "\u{a0}", ". ", ". ", "! ", "? ", ".", "!", "?",
        "...", "?!", " . . .", " !", ", ", "\"", "\"", "(", ")", "[1]", "[", "]", "<", ">", "{",
        "}", "(a) ", "(12) ", "2) ", "'", "' ", " '", ".'", "’", "‘", "–", "—", "-", "…", "«", "»",
        "“", "“", "”", "”", "„", "‚", "/", ":", ";", "* ", "a)", "\n1. ", "\niv. ", "\n- ", "@",
        "x@y.org", "`", "''", "``", "\\", "。", "• ", "（", "_",
    ];

    fn block() -> impl Strategy<Value = String> {
        // Few kinds of parts in a block, so that what belongs together meets.
        let kinds = prop::collection::vec(prop::sample::select(&PARTS[..]), 1..9);
        let all = prop::sample::select(&PARTS[..]);
        let usual = prop::sample::select(vec!["The", "dam", " ", " ", ". ", "A"]);
        let parts = kinds.prop_flat_map(move |kinds| {
            let part = prop_oneof![
                4 => prop::sample::select(kinds),
                3 => usual.clone(),
                1 => all.clone(),
            ];
            prop::collection::vec(part, 0..40)
        });
        parts.prop_map(|parts| {
            // Blank lines are between blocks, not in them.
            let mut block = parts.concat();
            let blank = |block: &str| {
                block.match_indices('\n').map(|(at, _)| at).find(|&at| {
                    block[at + 1..].trim_start_matches([' ', '\t', '\r']).starts_with('\n')
                })
            };
            while let Some(at) = blank(&block) {
                block.remove(at);
            }
            block
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: ProptestConfig::default().cases.max(6_000),
            ..ProptestConfig::default()
        })]
        #[test]
        fn any_block_is_split_as_sentencex_does(
            block in block(),
            code in prop::sample::select(vec![
                "en", "en", "en", "de", "fr", "tr", "ru", "es", "it", "pl", "nl", "fi", "ca", "kk",
                "da", "zh", "ar", "hi",
            ]),
        ) {
            let (found, expected) = both(&block, code);
            if let Some(found) = found {
                prop_assert_eq!(found, expected);
            }
        }
    }
}
