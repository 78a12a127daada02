//! Plain blocks, split at the speed of a scan.
//!
//! `sentencex` spends its time on what most blocks do not have: quotations of many kinds, lists,
//! addresses, spaced dots. One look at the bytes tells whether a block is free of these. Then its
//! own answer to "does a sentence end at this full stop?" is all that is needed, and the outcome
//! is the same; that is what the tests compare. What is not plain goes to `sentencex` whole.

use sentencex::languages::Language as Splitter;

use super::window::Window;

/// So many marks of items make a list.
const LIST: usize = 2;

/// A curly quotation mark has so many bytes.
const CURLY: usize = "”".len();

/// What a byte can mean for the end of a sentence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nothing,
    /// `.`, `!` or `?`
    End,
    /// `"`
    Quote,
    /// `'`
    Apostrophe,
    Open,
    Close,
    Line,
    /// The first byte of a punctuation mark or an accented letter: the next bytes tell.
    Latin,
    Punctuation,
    /// Not for us.
    Strange,
}

const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Nothing; 256];
    let mut n = 128;
    while n < 256 {
        // The bytes behind the first, and letters with accents or of Cyrillic, mean nothing.
        kinds[n] = match n {
            0x80..=0xBF | 0xC3..=0xC5 | 0xD0..=0xD1 => Kind::Nothing,
            0xC2 => Kind::Latin,
            0xE2 => Kind::Punctuation,
            _ => Kind::Strange,
        };
        n += 1;
    }
    kinds[b'.' as usize] = Kind::End;
    kinds[b'!' as usize] = Kind::End;
    kinds[b'?' as usize] = Kind::End;
    kinds[b'"' as usize] = Kind::Quote;
    kinds[b'\'' as usize] = Kind::Apostrophe;
    kinds[b'`' as usize] = Kind::Strange;
    kinds[b'@' as usize] = Kind::Strange;
    kinds[b'\\' as usize] = Kind::Strange;
    kinds[b'(' as usize] = Kind::Open;
    kinds[b'<' as usize] = Kind::Open;
    kinds[b'{' as usize] = Kind::Open;
    kinds[b'[' as usize] = Kind::Open;
    kinds[b')' as usize] = Kind::Close;
    kinds[b']' as usize] = Kind::Close;
    kinds[b'}' as usize] = Kind::Close;
    kinds[b'>' as usize] = Kind::Close;
    kinds[b'\n' as usize] = Kind::Line;
    kinds
};

/// What was seen in a block; kept to be used again.
#[derive(Default)]
pub struct Plain {
    /// Runs of `.`, `!` and `?`.
    ends: Vec<(usize, usize)>,
    /// From an opening mark to behind the closing one, in order.
    quotes: Vec<(usize, usize)>,
    brackets: Vec<(usize, usize)>,
    /// How many bytes a closing quotation mark has.
    mark: usize,
}

impl Plain {
    /// Look at a block; whether it is plain.
    pub fn look(&mut self, block: &str) -> bool {
        let bytes = block.as_bytes();
        self.ends.clear();
        self.quotes.clear();
        self.brackets.clear();
        self.mark = 0;
        let (mut quote, mut bracket) = (None, None);
        // One mark of an item is no list, unless it is a bracketed one at the start of a line.
        let mut items = line_items(bytes);
        let (mut at, mut marks) = (0, Marks::default());
        while let Some(found) = marks.next(bytes, at) {
            at = found;
            match KINDS[usize::from(bytes[at])] {
                Kind::Nothing => {}
                Kind::End => {
                    let run = bytes[at..].iter().take_while(|b| is_end(**b)).count();
                    let spaces = bytes[at + run..].iter().take_while(|b| is_blank(**b)).count();
                    if spaces > 0 && bytes.get(at + run + spaces).is_some_and(|&b| is_end(b)) {
                        return false;
                    }
                    self.ends.push((at, at + run));
                    at += run;
                    continue;
                }
                Kind::Quote if self.mark != CURLY => {
                    self.mark = 1;
                    match quote.take() {
                        None => quote = Some(at),
                        Some(start) => self.quotes.push((start, at + 1)),
                    }
                }
                Kind::Open => bracket = bracket.or(Some(at)),
                Kind::Close => {
                    items += usize::from(is_item_mark(bytes, at));
                    if let Some(start) = bracket.take() {
                        self.brackets.push((start, at + 1));
                    }
                }
                Kind::Apostrophe if follows_word(bytes, at) => {}
                Kind::Line => items += line_items(&bytes[at + 1..]),
                // Guillemets are quotation marks.
                Kind::Latin if !matches!(bytes[at + 1], 0xAB | 0xBB) => {}
                Kind::Punctuation if bytes[at + 1] == 0x80 => match bytes[at + 2] {
                    // Dashes.
                    0x93 | 0x94 => {}
                    0x99 if follows_word(bytes, at) => {}
                    // Curly quotation marks, if there are no straight ones.
                    0x9C if self.mark != 1 && quote.is_none() => {
                        self.mark = CURLY;
                        quote = Some(at);
                    }
                    0x9D if self.mark == CURLY && quote.is_some() => {
                        self.quotes.extend(quote.take().map(|start| (start, at + CURLY)));
                    }
                    _ => return false,
                },
                _ => return false,
            }
            at += 1;
        }
        // A quotation mark without its partner, or marks that cross each other: somebody erred.
        quote.is_none() && items < LIST && !self.cross()
    }

    /// Whether a quotation and a bracket overlap without one being in the other.
    fn cross(&self) -> bool {
        let mut quotes = self.quotes.iter().peekable();
        self.brackets.iter().any(|&(start, end)| {
            while quotes.next_if(|quote| quote.1 <= start).is_some() {}
            let inside = |at: usize, (from, to): (usize, usize)| from < at && at < to;
            quotes.clone().take_while(|quote| quote.0 < end).any(|&quote| {
                inside(quote.0, (start, end)) != inside(quote.1, (start, end))
                    && inside(start, quote) != inside(end, quote)
            })
        })
    }

    /// Call `emit` with the end of each sentence of the block that was looked at.
    pub fn split(&self, block: &str, splitter: &dyn Splitter, mut emit: impl FnMut(usize)) {
        let mut last = 0;
        let (mut quotes, mut brackets) = (&self.quotes[..], &self.brackets[..]);
        for &(start, end) in &self.ends {
            let Some(boundary) = splitter.find_boundary(block, start, end) else {
                continue;
            };
            let quote = containing(&mut quotes, boundary);
            let bracket = containing(&mut brackets, boundary);
            let place = match (quote, bracket) {
                (None, None) => boundary,
                // A full stop just before the closing mark ends the sentence behind the mark.
                (Some((from, to)), bracket)
                    if bracket.is_none_or(|b| from < b.0) && boundary + self.mark == to =>
                {
                    let next = splitter.get_next_word_approx(block, to);
                    let Some(more) = space_before_sentence(next, splitter) else {
                        continue;
                    };
                    to + more
                }
                _ => continue,
            };
            if place > last {
                emit(place);
                last = place;
            }
        }
        if last != block.len() {
            emit(block.len());
        }
    }
}

/// The marks of a block, seen a window at a time.
#[derive(Default)]
struct Marks {
    /// A bit for each that is left of the window.
    bits: u64,
    /// Where the window starts and ends.
    start: usize,
    end: usize,
}

impl Marks {
    /// The first place from `at` on whose byte may be a mark. Places asked for only grow.
    #[inline]
    fn next(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        if at < self.end {
            self.bits &= u64::MAX << (at - self.start);
        } else {
            (self.start, self.end, self.bits) = (at, at, 0);
        }
        while self.bits == 0 {
            if self.end == bytes.len() {
                return None;
            }
            let window = Window::new(bytes, self.end, bytes.len());
            (self.start, self.end, self.bits) = (self.end, window.end, window.marks);
        }
        Some(self.start + self.bits.trailing_zeros() as usize)
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

/// The range that holds a place, of ranges that follow each other; those before it are dropped.
/// Places come in order, but for a few bytes.
fn containing(ranges: &mut &[(usize, usize)], at: usize) -> Option<(usize, usize)> {
    while ranges.first().is_some_and(|range| range.1 + 64 <= at) {
        *ranges = &ranges[1..];
    }
    ranges.iter().take_while(|range| range.0 < at).find(|range| at < range.1).copied()
}

fn is_end(byte: u8) -> bool {
    matches!(byte, b'.' | b'!' | b'?')
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

fn is_roman(byte: u8) -> bool {
    matches!(byte.to_ascii_lowercase(), b'i' | b'v' | b'x' | b'l' | b'c' | b'd' | b'm')
}

fn follows_word(bytes: &[u8], at: usize) -> bool {
    at > 0 && bytes[at - 1].is_ascii_alphanumeric()
}

/// How many marks of list items a line may start with: `1.`, `b)`, `iv.`, `-`; a bracketed one,
/// such as `(2)`, is a list by itself.
fn line_items(line: &[u8]) -> usize {
    let line = &line[line.iter().take_while(|b| is_blank(**b)).count()..];
    match line.first() {
        Some(b'(') => {
            let inner = line[1..].iter().take_while(|b| b.is_ascii_alphanumeric()).count();
            let is_closed = line.get(1 + inner) == Some(&b')');
            if is_closed && is_item(&line[1..=inner]) { LIST } else { 0 }
        }
        Some(b'*' | b'+' | b'-') => usize::from(line.get(1).is_some_and(|&b| is_blank(b))),
        Some(first) if first.is_ascii_alphanumeric() => {
            let word = line.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
            let is_marked = match line.get(word) {
                Some(b')') => line.get(word + 1).is_some_and(|&b| is_blank(b)),
                Some(b'.') => line.get(word + 1).is_some_and(|&b| is_blank(b) || b == b')'),
                _ => false,
            };
            usize::from(is_marked && is_item(&line[..word]))
        }
        _ => 0,
    }
}

/// Whether the closing bracket at this place may end the mark of a list item within a line: a word
/// that begins behind a space, `2)` or `(2)`, and what follows is neither near nor a small letter.
fn is_item_mark(bytes: &[u8], at: usize) -> bool {
    let behind = &bytes[at + 1..];
    let spaces = behind.iter().take_while(|b| is_blank(**b)).count();
    if spaces == 0 || behind.get(spaces).is_none_or(u8::is_ascii_lowercase) {
        return false;
    }
    let end = if at > 0 && bytes[at - 1] == b'.' { at - 1 } else { at };
    let start = end - bytes[..end].iter().rev().take_while(|b| b.is_ascii_alphanumeric()).count();
    let is_first = |start: usize| start == 0 || matches!(bytes[start - 1], b' ' | b'\t' | b'\n');
    let word = &bytes[start..end];
    if start > 0 && bytes[start - 1] == b'(' {
        // A year in brackets is none.
        let is_long = word.len() > 2 && word.iter().all(u8::is_ascii_digit);
        return is_first(start - 1) && !is_long && is_item(word);
    }
    is_first(start) && is_item(word)
}

fn is_item(word: &[u8]) -> bool {
    word.len() == 1
        || (!word.is_empty() && word.iter().all(u8::is_ascii_digit))
        || (!word.is_empty() && word.iter().all(|&b| is_roman(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The ends of sentences if the block is plain, and those `sentencex` finds.
    fn both(block: &str, code: &str) -> (Option<Vec<usize>>, Vec<usize>) {
        let splitter = sentencex::language_factory(code);
        let mut expected = Vec::new();
        for sentence in splitter.segment(block) {
            expected.push(expected.last().copied().unwrap_or(0) + sentence.len());
        }
        let mut plain = Plain::default();
        let found = plain.look(block).then(|| {
            let mut found = Vec::new();
            plain.split(block, &*splitter, |end| found.push(end));
            found
        });
        (found, expected)
    }

    #[test]
    fn usual_prose_is_plain_and_split_as_sentencex_does() {
        for block in [
            "The mine closed. It had been open since 1921 (the year of the strike. Or so).",
            "\"We won't go.\" He left, and \"all is said,\" she added. \"Not yet.\" So be it.",
            "Mr. Smith of the U.S. paid $3.50 on Jan. 5. The players' union didn’t.",
            "Ich gehe am 3. Mai nach Köln – oder Zürich. Später!",
            "“We won’t go.” He left, and “all is said,” she added. “Not yet. Or so.” So be it.",
            "He said (a) this. And (b) that. Born (1921) In (1950) He, with (D) and (R), won.",
            "",
            "No end",
        ] {
            let (found, expected) = both(block, "en");
            assert_eq!(found.as_ref(), Some(&expected), "{block}");
        }
    }

    #[test]
    fn what_needs_more_than_a_look_is_not_plain() {
        for block in [
            "1. One thing.\n2. Another.",
            "First\n- one\n- two",
            "He said (a) This. And (b) That.",
            "Say 1) Yes. Or 2) No.",
            "Write to a@b.org. Now.",
            "Wait . . . What?",
            "An \"open end. It stays.",
            "‘One.’ Two.",
            "“One. Two.",
            "“One.” \"Two.\" Three",
            "She ('no. Never') left.",
            "一。二。",
            "Odd \"(one. two\" three). Four.",
        ] {
            assert!(!Plain::default().look(block), "{block}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn a_plain_block_is_split_as_sentencex_does(
            parts in prop::collection::vec(prop::sample::select(vec![
                "The", "dam", "broke", "Dr", "U.S", "J", "Smith", "May", "é", "Ünlü", "а", "Я",
                "3", "12", "etc", "Inc", "p.m", "don't", "players'", "it’s", "I", "Wow", "x",
                " ", " ", " ", " ", "  ", "\t", "\n", "\r\n", "\u{a0}", ". ", ". ", "! ", "? ",
                ".", "!", "?", "...", "?!", ", ", "\"", "\"", "(", ")", "[1]", "[", "]", "<", ">",
                "{", "}", "(a) ", "(12) ", "2) ", "'", "’", "–", "—", "-", "…", "«", "»", "“", "“", "”", "”", "/", ":", ";", "*", "a)",
                "1.", "iv.", "@", "`", "\\", "。", "•",
            ]), 0..40),
            code in prop::sample::select(vec![
                "en", "de", "fr", "tr", "ru", "es", "it", "pl", "nl", "fi", "ca", "kk", "da",
            ]),
        ) {
            // Blank lines are between blocks, not in them.
            let mut block = parts.concat();
            while let Some(at) = block.find("\n\n").or(block.find("\n\r\n")) {
                block.remove(at);
            }
            let (found, expected) = both(&block, code);
            if let Some(found) = found {
                prop_assert_eq!(found, expected);
            }
        }
    }
}
