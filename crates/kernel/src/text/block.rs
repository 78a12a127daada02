//! Blocks, seen in one pass: where one ends, and which marks it has that matter for its sentences.
//!
//! A block ends at a blank line or at one of the Unicode line characters U+0085, U+2028 and U+2029.

use memchr::memchr;

use super::ends::{continues, is_blank, is_end_char, run_at};
use super::lists::{self, is_bullet};
use super::stops::is_space;
use super::window::Marks;

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
    /// `` ` ``
    Backtick,
    Open,
    Close,
    Line,
    /// `@`
    At,
    /// The first byte of a character outside ASCII that may matter.
    Wide,
}

const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Nothing; 256];
    let mut n = 128;
    while n < 256 {
        kinds[n] = match n {
            0xC2 | 0xD6 | 0xD8 | 0xDB | 0xDC | 0xDF | 0xE0..=0xE3 | 0xEA | 0xEF | 0xF0 => {
                Kind::Wide
            }
            _ => Kind::Nothing,
        };
        n += 1;
    }
    kinds[b'.' as usize] = Kind::End;
    kinds[b'!' as usize] = Kind::End;
    kinds[b'?' as usize] = Kind::End;
    kinds[b'"' as usize] = Kind::Quote;
    kinds[b'\'' as usize] = Kind::Apostrophe;
    kinds[b'`' as usize] = Kind::Backtick;
    kinds[b'@' as usize] = Kind::At;
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

/// What was seen in a block; kept to be used again. Places count from the start of the block.
#[derive(Default)]
pub struct Block {
    /// Runs of marks that may end a sentence.
    pub ends: Vec<(usize, usize)>,
    /// Quotation marks that may begin or end a quotation.
    pub quotes: Vec<(usize, char)>,
    /// From an opening bracket to behind the first closing one.
    pub brackets: Vec<(usize, usize)>,
    /// Addresses of e-mail.
    pub addresses: Vec<(usize, usize)>,
    /// How many marks of list items there are, at most.
    pub items: usize,
    /// Whether there may be scripts without a full stop.
    pub has_clauses: bool,
    bracket: Option<usize>,
    /// Whether there is a `‘`.
    has_single: bool,
    /// How many apostrophes there are between two letters.
    apostrophes: usize,
}

impl Block {
    /// Look at the block that starts at `start` and, if there is no end of one before, ends at
    /// `limit`. Where it ends, and where the next one starts.
    pub fn look(&mut self, text: &str, start: usize, limit: usize) -> (usize, usize) {
        self.ends.clear();
        self.quotes.clear();
        self.brackets.clear();
        self.addresses.clear();
        (self.bracket, self.apostrophes) = (None, 0);
        (self.has_clauses, self.has_single) = (false, false);
        let view = &text[start..limit];
        let bytes = view.as_bytes();
        self.items = lists::opening(bytes);
        let (mut at, mut marks) = (0, Marks::default());
        while let Some(found) = marks.next(bytes, at) {
            at = found;
            match KINDS[usize::from(bytes[at])] {
                Kind::Nothing => {}
                Kind::End => {
                    at = self.end(view, at);
                    continue;
                }
                Kind::Quote => self.quotes.push((at, '"')),
                Kind::Backtick => self.quotes.push((at, '`')),
                Kind::Apostrophe => {
                    let is_letter =
                        |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
                    // Between two letters it is no quotation mark.
                    if at > 0 && is_letter(at - 1) && is_letter(at + 1) {
                        self.apostrophes += 1;
                    } else {
                        self.quotes.push((at, '\''));
                    }
                }
                Kind::Open => self.bracket = self.bracket.or(Some(at)),
                Kind::Close => {
                    self.close(at, 1);
                    self.items += usize::from(lists::may_end_mark(bytes, at));
                }
                Kind::Line => {
                    let next = skip_blank(text.as_bytes(), start + at + 1);
                    if memchr(b'\n', &text.as_bytes()[start + at + 1..next]).is_some() {
                        return (start + at, next);
                    }
                    self.items += lists::opening(&bytes[at + 1..]);
                }
                Kind::At => self.address(bytes, at),
                Kind::Wide => {
                    let c = view[at..].chars().next().expect("a character starts here");
                    if matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}') {
                        return (start + at, start + at + c.len_utf8());
                    }
                    at = self.wide(view, at, c);
                    continue;
                }
            }
            at += 1;
        }
        (limit, limit)
    }

    /// How often a quotation mark occurs in the block that was looked at.
    pub fn count(&self, token: &str, block: &str) -> usize {
        let count = |mark: char| self.quotes.iter().filter(|quote| quote.1 == mark).count();
        match token {
            "\"" => count('"'),
            "'" => count('\'') + self.apostrophes,
            _ => block.matches(token).count(),
        }
    }

    /// A mark that may end a sentence, and those that go with it: where they end.
    #[inline]
    fn end(&mut self, view: &str, at: usize) -> usize {
        // Nearly all stand alone: a letter follows, or a space and a letter.
        let bytes = view.as_bytes();
        let is_letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
        let is_alone = is_letter(at + 1) || (bytes.get(at + 1) == Some(&b' ') && is_letter(at + 2));
        if is_alone && at > 0 && !is_blank(bytes[at - 1]) && bytes[at] < 128 {
            self.ends.push((at, at + 1));
            return at + 1;
        }
        self.run(view, at)
    }

    /// A run of marks: where it ends.
    fn run(&mut self, view: &str, at: usize) -> usize {
        let Some(end) = run_at(view, at) else {
            return at + view[at..].chars().next().map_or(1, char::len_utf8);
        };
        match self.ends.last_mut() {
            Some(last) if continues(view.as_bytes(), *last, (at, end)) => last.1 = end,
            _ => self.ends.push((at, end)),
        }
        end
    }

    /// A character outside ASCII: where it, or what goes with it, ends.
    #[inline]
    fn wide(&mut self, view: &str, at: usize, c: char) -> usize {
        match c {
            '–' | '—' => {}
            // Nothing but a single opening mark makes it more than an apostrophe.
            '’' => {
                if self.has_single {
                    self.quotes.push((at, c));
                }
            }
            '‘' => {
                self.has_single = true;
                self.quotes.push((at, c));
            }
            '«' | '»' | '‚' | '‛' | '“' | '”' | '„' | '‟' | '‹' | '›' | '《' | '》' | '「'
            | '」' => self.quotes.push((at, c)),
            '（' => self.bracket = self.bracket.or(Some(at)),
            '）' => self.close(at, c.len_utf8()),
            '…' => return self.run(view, at),
            _ if is_end_char(c) => return self.run(view, at),
            _ => {
                self.has_clauses |= view.as_bytes()[at] == 0xE0;
                let behind = view.as_bytes().get(at + c.len_utf8());
                self.items += usize::from(is_bullet(c) && behind.is_some_and(|&b| is_blank(b)));
            }
        }
        at + c.len_utf8()
    }

    fn close(&mut self, at: usize, length: usize) {
        if let Some(start) = self.bracket.take() {
            self.brackets.push((start, at + length));
        }
    }

    /// The address around an `@`, if it is one: `[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Z|a-z]{2,7}`.
    fn address(&mut self, bytes: &[u8], at: usize) {
        let last = self.addresses.last().map_or(0, |address| address.1);
        let is_local = |b: &&u8| b.is_ascii_alphanumeric() || b"._%+-".contains(b);
        let local = bytes[last.min(at)..at].iter().rev().take_while(is_local).count();
        let host = &bytes[at + 1..];
        let is_host = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-');
        let length = host.iter().take_while(is_host).count();
        let is_top = |b: &&u8| b.is_ascii_alphabetic() || **b == b'|';
        let top = |dot: usize| host[dot + 1..].iter().take(7).take_while(is_top).count();
        let dot = (1..length).rev().find(|&dot| host[dot] == b'.' && top(dot) >= 2);
        if local > 0
            && let Some(dot) = dot
        {
            self.addresses.push((at - local, at + 2 + dot + top(dot)));
        }
    }
}

fn skip_blank(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && is_space(bytes[at]) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_ends_at_a_blank_line() {
        let mut seen = Block::default();
        let mut look = |text: &str| seen.look(text, 0, text.len());
        assert_eq!(look("a\nb\n \r\nc"), (3, 7));
        assert_eq!(look("a\u{2028}b"), (1, 4));
        assert_eq!(look("a\u{85}b"), (1, 3));
        assert_eq!(look("a\nb"), (3, 3));
        assert_eq!(look(""), (0, 0));
    }

    #[test]
    fn marks_are_seen() {
        let mut seen = Block::default();
        let text = "So (a [b). It's x.y@c-d.org! \"‘No’... he’d.\" สวัสดี";
        seen.look(text, 0, text.len());
        assert_eq!(seen.ends, [(9, 10), (17, 18), (23, 24), (27, 28), (38, 41), (48, 49)]);
        assert_eq!(seen.brackets, [(3, 9)]);
        assert_eq!(seen.addresses, [(16, 27)]);
        let marks: String = seen.quotes.iter().map(|quote| quote.1).collect();
        assert_eq!(marks, "\"‘’’\"");
        assert_eq!((seen.count("'", text), seen.count("\"", text)), (1, 2));
        assert!(seen.has_clauses);
    }
}
