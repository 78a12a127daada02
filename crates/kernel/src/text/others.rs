//! Blocks that `sentencex` splits itself: those of languages whose sentences end at other marks, and
//! the few where an apostrophe stands beside a character of which it is not known whether it belongs
//! to words.

use sentencex::languages::Language as Splitter;

use super::sentences::cut;

/// A block with more quotation marks and brackets is cut at white space before it is split: the time
/// grows with the square of their number, to seconds for a block of nothing else.
const MAX_MARKS: usize = 512;

/// A block that is not longer than this is short enough, whatever it holds.
const SHORT_BLOCK: usize = 2 * 1024;

/// Call `emit` with the end of each sentence of the block from `start` to `end`.
pub fn split(
    text: &str,
    start: usize,
    end: usize,
    splitter: &dyn Splitter,
    mut emit: impl FnMut(usize),
) {
    let mut at = start;
    while at < end {
        let piece = piece_end(text, at, end);
        for sentence in splitter.segment(&text[at..piece]) {
            at += sentence.len();
            emit(at);
        }
    }
}

/// Where the part of a block ends that is split at once.
fn piece_end(text: &str, start: usize, end: usize) -> usize {
    if end - start <= SHORT_BLOCK {
        return end;
    }
    let marks = (start..end).filter(|&at| is_mark(text.as_bytes(), at));
    let limit = marks.take(MAX_MARKS + 1).nth(MAX_MARKS);
    limit.map_or(end, |limit| cut(text, start, limit))
}

/// Whether a quotation mark or bracket starts here; an apostrophe inside a word is none.
fn is_mark(bytes: &[u8], at: usize) -> bool {
    let length = match bytes[at] {
        b'"' | b'(' | b'`' => return true,
        b'\'' => 1,
        0xC2 => return matches!(bytes.get(at + 1), Some(0xAB | 0xBB)),
        0xE2 if bytes.get(at + 1) == Some(&0x80) => match bytes.get(at + 2) {
            Some(0x99) => 3,
            Some(0x98..=0x9F | 0xB9 | 0xBA) => return true,
            _ => return false,
        },
        0xE3 if bytes.get(at + 1) == Some(&0x80) => {
            return matches!(bytes.get(at + 2), Some(0x88..=0x91 | 0x9D..=0x9F));
        }
        _ => return false,
    };
    let is_letter =
        |at: usize| bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b >= 128);
    at == 0 || !is_letter(at - 1) || !is_letter(at + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_marks_are_split_piece_by_piece() {
        let splitter = sentencex::language_factory("el");
        let text = "(α. Β) «γ». Δ; ".repeat(600);
        let mut ends = Vec::new();
        split(&text, 0, text.len(), &*splitter, |end| ends.push(end));
        assert!(ends.is_sorted() && ends.last() == Some(&text.len()));
        assert!(piece_end(&text, 0, text.len()) < text.len());
        assert_eq!(piece_end(&text, 0, SHORT_BLOCK), SHORT_BLOCK);
        assert!(is_mark(b"a 'b", 2) && !is_mark(b"a'b", 1));
    }
}
