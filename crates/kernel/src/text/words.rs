//! Where words begin and end.
//!
//! A word is a run of letters, digits and their marks; an apostrophe or a hyphen inside it does
//! what the [`Joiner`] says; a point or comma between digits belongs to the number. Scripts
//! without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) are cut by the dictionaries of
//! `icu_segmenter`.

use std::sync::{LazyLock, OnceLock};

use icu_segmenter::options::WordBreakInvariantOptions;
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};
use unicode_normalization::char::is_combining_mark;

use super::profile::Joiner;
use super::window::Window;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Other,
    Word,
    /// An accent or the like: part of a word, but no word by itself.
    Mark,
    /// Invisible: part of a word if it stands inside one.
    Invisible,
    /// Of a script written without spaces.
    Solid,
}

/// The classes of the characters of the basic plane, 256 at a time, each part made when a text first
/// has one of its characters: all at once take longer than a short text.
static CLASSES: [OnceLock<[Class; 256]>; 256] = [const { OnceLock::new() }; 256];

static SEGMENTER: LazyLock<WordSegmenterBorrowed<'static>> =
    LazyLock::new(|| WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()));

/// A longer run without spaces is cut, so that the segmenter's tables stay small.
const MAX_RUN: usize = 3 * 1024;

/// Whether a space, not a full stop, ends a sentence in the script of this character.
pub fn is_space_ended_script(c: char) -> bool {
    matches!(c, '\u{0E01}'..='\u{0E4E}' | '\u{0E81}'..='\u{0ECE}')
}

/// Whether the character shows nothing and only sits inside words; variation selectors, which
/// choose the shape of the letter or emoji before them, are among these.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}'
        | '\u{180B}'..='\u{180F}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// Whether the character is one of the apostrophes in use.
pub fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2018}' | '\u{02BC}' | '\u{FF07}')
}

/// Whether the character is one of the hyphens in use.
pub fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}')
}

/// Whether words of this character's script follow each other without a space.
pub fn is_solid_script(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}'
        | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{A9E0}'..='\u{A9FF}' | '\u{AA60}'..='\u{AA7F}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FF66}'..='\u{FF9F}' | '\u{20000}'..='\u{323AF}')
}

fn compute_class(c: char) -> Class {
    if is_invisible(c) {
        Class::Invisible
    } else if !c.is_alphanumeric() && !is_combining_mark(c) {
        Class::Other
    } else if is_solid_script(c) {
        Class::Solid
    } else if c.is_alphanumeric() {
        Class::Word
    } else {
        Class::Mark
    }
}

fn class(c: char) -> Class {
    let (part, place) = (c as usize >> 8, c as usize & 0xff);
    CLASSES.get(part).map_or_else(
        || compute_class(c),
        |classes| classes.get_or_init(|| classes_of(part as u32))[place],
    )
}

/// The classes of one part of the characters; halves of surrogates are none.
fn classes_of(part: u32) -> [Class; 256] {
    std::array::from_fn(|place| {
        char::from_u32((part << 8) | place as u32).map_or(Class::Other, compute_class)
    })
}

/// For each ASCII byte: 1 letter, 2 digit, 0 other.
const ASCII: [u8; 128] = {
    let mut table = [0; 128];
    let mut n = 0;
    while n < 128 {
        let byte = n as u8;
        table[n] = if byte.is_ascii_alphabetic() {
            1
        } else if byte.is_ascii_digit() {
            2
        } else {
            0
        };
        n += 1;
    }
    table
};

/// When a word may go on behind this byte, which is no letter: 0 never, 1 after a digit, 2 always.
const MAY_JOIN: [u8; 256] = {
    let mut table = [0; 256];
    table[b'.' as usize] = 1;
    table[b',' as usize] = 1;
    table[b'\'' as usize] = 2;
    table[b'-' as usize] = 2;
    let mut n = 128;
    while n < 256 {
        table[n] = 2;
        n += 1;
    }
    table
};

/// Whether the word that ends with these bytes, as far as ASCII tells, may go on.
#[inline]
fn may_go_on(last: u8, next: u8) -> bool {
    MAY_JOIN[usize::from(next)] > u8::from(!last.is_ascii_digit())
}

/// Call `emit` with the byte range of each word of `text` between `start` and `end`.
pub fn words(
    text: &str,
    start: usize,
    end: usize,
    joiner: Joiner,
    mut emit: impl FnMut(usize, usize),
) {
    let bytes = &text.as_bytes()[..end];
    let mut at = start;
    while at < end {
        let window = Window::new(text.as_bytes(), at, end);
        if window.has_wide {
            at = wide_words(text, bytes, at, window.end, joiner, &mut emit);
            continue;
        }
        let mut letters = window.letters;
        let mut next = window.end;
        while letters != 0 {
            let first = letters.trailing_zeros() as usize;
            let length = (!(letters >> first)).trailing_zeros() as usize;
            let (from, mut to) = (at + first, at + first + length);
            if to >= window.end && first > 0 && to < end {
                // It may go on behind the window: look at it again from its beginning.
                next = from;
                break;
            }
            if to >= window.end || may_go_on(bytes[to - 1], bytes[to]) {
                to = word_end(text, bytes, to, joiner);
            }
            emit(from, to);
            if to >= window.end {
                next = to;
                break;
            }
            letters &= u64::MAX << (to - at);
        }
        at = next;
    }
}

/// The words that begin before `limit`, characters outside ASCII among them; returns where the
/// last one ends, or `limit`.
fn wide_words(
    text: &str,
    bytes: &[u8],
    mut at: usize,
    limit: usize,
    joiner: Joiner,
    emit: &mut impl FnMut(usize, usize),
) -> usize {
    while at < limit {
        let byte = bytes[at];
        if byte < 128 {
            if ASCII[usize::from(byte)] == 0 {
                at += 1;
            } else {
                let stop = word_end(text, bytes, at, joiner);
                emit(at, stop);
                at = stop;
            }
            continue;
        }
        let c = char_at(text, at);
        match class(c) {
            Class::Word => {
                let stop = word_end(text, bytes, at, joiner);
                emit(at, stop);
                at = stop;
            }
            Class::Solid => at = solid_run(text, at, bytes.len(), emit),
            Class::Other | Class::Mark | Class::Invisible => at += c.len_utf8(),
        }
    }
    at
}

fn char_at(text: &str, at: usize) -> char {
    text[at..].chars().next().expect("a character starts at every position the scanner stops at")
}

/// Where the word that starts at `at` ends.
fn word_end(text: &str, bytes: &[u8], mut at: usize, joiner: Joiner) -> usize {
    loop {
        while at < bytes.len() && bytes[at] < 128 && ASCII[usize::from(bytes[at])] != 0 {
            at += 1;
        }
        if at >= bytes.len() {
            return at;
        }
        let c = if bytes[at] < 128 { char::from(bytes[at]) } else { char_at(text, at) };
        let next = at + c.len_utf8();
        let goes_on = match c {
            ' ' => false,
            '.' | ',' => {
                bytes[at - 1].is_ascii_digit() && bytes.get(next).is_some_and(u8::is_ascii_digit)
            }
            _ if c.is_ascii() || class(c) == Class::Other => {
                let joins = (is_apostrophe(c) && joiner != Joiner::Split)
                    || (is_hyphen(c) && joiner == Joiner::Delete);
                joins && next < bytes.len() && class(char_at(text, next)) == Class::Word
            }
            _ => class(c) != Class::Solid,
        };
        if !goes_on {
            return at;
        }
        at = next;
    }
}

/// Cut a run of a script without spaces; returns where it ends.
fn solid_run(text: &str, start: usize, end: usize, emit: &mut impl FnMut(usize, usize)) -> usize {
    let mut stop = start;
    for c in text[start..end].chars() {
        if !matches!(class(c), Class::Solid | Class::Invisible) || stop - start >= MAX_RUN {
            break;
        }
        stop += c.len_utf8();
    }
    let mut from = start;
    for at in SEGMENTER.segment_str(&text[start..stop]) {
        let to = start + at;
        if text[from..to].chars().any(|c| class(c) == Class::Solid) {
            emit(from, to);
        }
        from = to;
    }
    stop
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(text: &str, joiner: Joiner) -> Vec<&str> {
        let mut found = Vec::new();
        words(text, 0, text.len(), joiner, |start, end| found.push(&text[start..end]));
        found
    }

    #[test]
    fn apostrophes_and_hyphens_do_what_the_joiner_says() {
        let text = "Don't call al-Sistani 'today' Iraq’s";
        assert_eq!(
            split(text, Joiner::Keep),
            ["Don't", "call", "al", "Sistani", "today", "Iraq’s"]
        );
        assert_eq!(
            split(text, Joiner::Split),
            ["Don", "t", "call", "al", "Sistani", "today", "Iraq", "s"]
        );
        assert_eq!(split(text, Joiner::Delete), ["Don't", "call", "al-Sistani", "today", "Iraq’s"]);
    }

    #[test]
    fn numbers_keep_their_points_and_commas() {
        assert_eq!(
            split("It cost 1,234.50, or 2% (3.", Joiner::Keep),
            ["It", "cost", "1,234.50", "or", "2", "3"]
        );
    }

    #[test]
    fn scripts_with_marks_stay_whole() {
        assert_eq!(
            split("हिन्दी में, e\u{301}te\u{301}", Joiner::Keep),
            ["हिन्दी", "में", "e\u{301}te\u{301}"]
        );
        assert_eq!(
            split("wo\u{AD}rd zero\u{200B}width", Joiner::Keep),
            ["wo\u{AD}rd", "zero\u{200B}width"]
        );
    }

    #[test]
    fn marks_alone_are_no_words() {
        assert_eq!(split("I ❤\u{FE0F} you \u{301} \u{20DD}", Joiner::Keep), ["I", "you"]);
        assert_eq!(split("葛\u{E0100}飾区", Joiner::Keep).concat(), "葛飾区");
    }

    #[test]
    fn scripts_without_spaces_are_cut_by_dictionary() {
        assert_eq!(
            split("长江是母亲河，iPhone手机", Joiner::Keep),
            ["长江", "是", "母亲", "河", "iPhone", "手机"]
        );
        assert!(split("กรุงเทพมหานครเป็นเมืองหลวง", Joiner::Keep).len() >= 3);
        assert!(split("東京都は日本の首都である", Joiner::Keep).len() >= 5);
    }

    #[test]
    fn a_long_run_without_spaces_is_cut_and_loses_nothing() {
        let text = "长江是母亲河".repeat(2_000);
        assert_eq!(split(&text, Joiner::Keep).concat(), text);
    }

    proptest! {
        #[test]
        fn words_are_ordered_and_hold_every_letter(
            text in "\\PC{0,80}|[a-z0-9'’.,ก长 -]{0,80}",
            joiner in prop::sample::select(vec![Joiner::Keep, Joiner::Split, Joiner::Delete]),
        ) {
            let mut last = 0;
            let mut letters = 0;
            words(&text, 0, text.len(), joiner, |start, end| {
                assert!(last <= start && start < end && end <= text.len());
                letters += text[start..end].chars().filter(|c| c.is_alphanumeric()).count();
                last = end;
            });
            prop_assert_eq!(letters, text.chars().filter(|c| c.is_alphanumeric()).count());
        }

        #[test]
        fn a_glance_sees_what_one_look_at_a_time_does(
            text in "([a-zA-Z0-9]{0,70}[ .,'’é-]{0,3}){0,20}|[a-zA-Z0-9 @`_{\\[/:.',é’-]{0,300}",
            joiner in prop::sample::select(vec![Joiner::Keep, Joiner::Split, Joiner::Delete]),
            (from, to) in (0_usize..40, 0_usize..40),
        ) {
            let start = text.floor_char_boundary(from.min(text.len()));
            let end = text.floor_char_boundary(text.len() - to.min(text.len())).max(start);
            let (mut found, mut expected) = (Vec::new(), Vec::new());
            words(&text, start, end, joiner, |start, end| found.push((start, end)));
            let bytes = &text.as_bytes()[..end];
            wide_words(&text, bytes, start, end, joiner, &mut |start, end| expected.push((start, end)));
            prop_assert_eq!(found, expected);
        }
    }
}
