//! Where sentences begin and end.
//!
//! `sentencex` decides inside a block; blocks end at blank lines and at the Unicode line
//! characters U+0085, U+2028 and U+2029, near which it would panic. Thai and Lao write no full
//! stop: there a space after a clause of some length ends a sentence.

use sentencex::languages::{English, Language as Splitter};

use super::block::Block;
use super::breaks::Breaks;
use super::language::Language;
use super::others;
use super::stops::{Stops, is_space};
use super::words::is_space_ended_script;
use crate::cancel::Cancel;
use crate::error::Result;

/// A longer block is cut at white space before it is split: some texts come as one endless line.
const MAX_BLOCK: usize = 32 * 1024;

/// A clause with fewer characters does not end at a space in Thai and Lao.
const MIN_CLAUSE: usize = 24;

/// Call `emit` with the byte range of each sentence of `text`, without surrounding white space.
pub fn sentences(
    text: &str,
    language: Language,
    cancel: &Cancel,
    emit: impl FnMut(usize, usize),
) -> Result<()> {
    Sentences::default().split(text, language, cancel, emit)
}

/// What splits texts into sentences; kept to be used again.
#[derive(Default)]
pub struct Sentences {
    /// The rules of a language.
    rules: Option<(Language, Box<dyn Splitter>)>,
    seen: Block,
    breaks: Breaks,
}

impl Sentences {
    /// Call `emit` with the byte range of each sentence of `text`, without surrounding white space.
    pub fn split(
        &mut self,
        text: &str,
        language: Language,
        cancel: &Cancel,
        mut emit: impl FnMut(usize, usize),
    ) -> Result<()> {
        let Self { rules, seen, breaks } = self;
        if rules.as_ref().is_none_or(|rules| rules.0 != language) {
            let code = if language == Language::UNKNOWN { "en" } else { language.code() };
            *rules = Some((language, sentencex::language_factory(code)));
        }
        let splitter = &*rules.as_ref().expect("just made").1;
        let has_usual_ends = has_usual_ends(splitter);
        let stops = Stops::new(language, splitter);
        let mut start = 0;
        while start < text.len() {
            cancel.check()?;
            let (end, next) = block(text, start, seen);
            // A block holds no paragraph break, so its sentences follow each other without a gap.
            let mut at = start;
            let mut sentence = |end: usize| {
                let (from, to) = trim(text, at, end);
                if seen.has_clauses {
                    clauses(text, from, to, &mut emit);
                } else if from < to {
                    emit(from, to);
                }
                at = end;
            };
            let done = has_usual_ends.then(|| {
                breaks.split(seen, &text[start..end], &stops, |end| sentence(start + end))
            });
            if done.flatten().is_none() {
                others::split(text, start, end, splitter, sentence);
            }
            start = next;
        }
        Ok(())
    }
}

/// Whether sentences end where they do in most languages.
fn has_usual_ends(splitter: &dyn Splitter) -> bool {
    std::ptr::eq(splitter.get_sentence_break_regex(), English {}.get_sentence_break_regex())
}

/// Look at the block that starts at `start`: where it, or as much as is taken at once, ends, and
/// where the next one starts.
fn block(text: &str, start: usize, seen: &mut Block) -> (usize, usize) {
    let limit = text.ceil_char_boundary(start + MAX_BLOCK + 1);
    let (end, next) = seen.look(text, start, limit);
    if end - start <= MAX_BLOCK {
        return (end, next);
    }
    let end = cut(text, start, start + MAX_BLOCK);
    seen.look(text, start, end)
}

/// The last place at or before `limit` where a piece can be cut: after white space if there is
/// some in its second half, else between two characters.
pub(super) fn cut(text: &str, start: usize, limit: usize) -> usize {
    let limit = text.floor_char_boundary(limit);
    let half = text.floor_char_boundary(start + (limit - start) / 2);
    match text[half..limit].rfind(char::is_whitespace) {
        Some(at) => {
            let space = half + at;
            space + text[space..].chars().next().map_or(1, char::len_utf8)
        }
        None => limit,
    }
}

/// The range without white space at its ends.
fn trim(text: &str, start: usize, end: usize) -> (usize, usize) {
    let bytes = text.as_bytes();
    let (mut from, mut to) = (start, end);
    while from < to && is_space(bytes[from]) {
        from += 1;
    }
    while from < to && is_space(bytes[to - 1]) {
        to -= 1;
    }
    if from == to || (bytes[from] < 128 && bytes[to - 1] < 128) {
        return (from, to);
    }
    let kept = text[from..to].trim_start();
    (to - kept.len(), to - kept.len() + kept.trim_end().len())
}

/// Divide a sentence at the spaces of scripts without a full stop.
fn clauses(text: &str, start: usize, end: usize, emit: &mut impl FnMut(usize, usize)) {
    if start >= end {
        return;
    }
    let mut from = start;
    let mut length = 0;
    let mut previous = ' ';
    let mut chars = text[start..end].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        length += 1;
        let next = chars.peek().map(|&(_, next)| next);
        if c.is_whitespace()
            && length > MIN_CLAUSE
            && is_space_ended_script(previous)
            && next.is_some_and(is_space_ended_script)
        {
            emit(from, start + at);
            from = start + at + c.len_utf8();
            length = 0;
        }
        previous = c;
    }
    emit(from, end);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split<'a>(text: &'a str, code: &str) -> Vec<&'a str> {
        let mut found = Vec::new();
        let cancel = Cancel::default();
        let emit = |start, end| found.push(&text[start..end]);
        sentences(text, Language::from_code(code), &cancel, emit).expect("nothing cancels");
        found
    }

    #[test]
    fn english_abbreviations_do_not_end_a_sentence() {
        assert_eq!(
            split("Dr. Smith paid $3.50 on Jan. 5. He left.", "en"),
            ["Dr. Smith paid $3.50 on Jan. 5.", "He left."]
        );
    }

    #[test]
    fn a_blank_line_ends_a_sentence_and_a_line_break_does_not() {
        assert_eq!(
            split("A title\n\nThe text goes\non here.", "en"),
            ["A title", "The text goes\non here."]
        );
        assert_eq!(split("A title\r\n \r\nThe text.", "en"), ["A title", "The text."]);
    }

    #[test]
    fn unicode_line_characters_end_a_sentence() {
        assert_eq!(
            split("one\u{2028}two\u{2029}three\u{85}four", "en"),
            ["one", "two", "three", "four"]
        );
    }

    #[test]
    fn chinese_and_japanese_stops_end_a_sentence() {
        assert_eq!(split("今天下雨。明天晴天！", "zh"), ["今天下雨。", "明天晴天！"]);
        assert_eq!(split("雨です。晴れです。", "ja"), ["雨です。", "晴れです。"]);
    }

    #[test]
    fn thai_clauses_end_at_spaces() {
        let text = "กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย เป็นศูนย์กลางการปกครองของประเทศ";
        assert_eq!(split(text, "th").len(), 2);
    }

    #[test]
    fn one_endless_line_is_cut_into_pieces() {
        let text = "word ".repeat(100_000);
        let pieces = split(&text, "en");
        assert!(pieces.len() > 10);
        assert_eq!(pieces.iter().map(|p| p.split(' ').count()).sum::<usize>(), 100_000);
        let solid = "x".repeat(200_000);
        assert_eq!(split(&solid, "en").concat(), solid);
    }

    #[test]
    fn a_block_of_quotation_marks_is_cut_into_pieces() {
        let text = "“(\"'a. ".repeat(3_000);
        let began = std::time::Instant::now();
        let found = split(&text, "en").concat();
        assert_eq!(found.matches('a').count(), 3_000);
        assert!(began.elapsed().as_secs_f64() < 5.0, "{:?}", began.elapsed());
        // Each of these took seconds for 32 kB when every mark looked at all others.
        for part in ["!,", "\"a\" 'b' ", "''a'' \"b\" ", "``a`` ", "(x. ) "] {
            let text = format!("(\" a) {}\"", part.repeat((1 << 19) / part.len()));
            let visible = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
            assert_eq!(visible(&split(&text, "en").concat()), visible(&text), "{part}");
        }
        assert!(began.elapsed().as_secs_f64() < 10.0, "{:?}", began.elapsed());
        let contractions = "don't can’t ".repeat(2_000);
        assert_eq!(split(&contractions, "en").len(), 1);
    }

    #[test]
    fn cancelling_stops_within_a_text() {
        let cancel = Cancel::default();
        let mut found = 0;
        let text = "One line.\n\n".repeat(100);
        let result = sentences(&text, Language::UNKNOWN, &cancel, |_, _| {
            found += 1;
            cancel.cancel();
        });
        assert!(result.is_err() && found == 1);
    }

    proptest! {
        #[test]
        fn sentences_are_ordered_trimmed_and_hold_every_visible_character(
            text in "[a-zA-Z0-9 .,!?\"'()\n\r\t\u{85}\u{2028}\u{2029}。ก ข“”éß]{0,200}",
            code in prop::sample::select(vec!["en", "tr", "zh", "th", "ja", "de", "und", "am"]),
        ) {
            let mut last = 0;
            let mut visible = String::new();
            let cancel = Cancel::default();
            sentences(&text, Language::from_code(code), &cancel, |start, end| {
                assert!(last <= start && start < end && end <= text.len());
                assert_eq!(text[start..end].trim(), &text[start..end]);
                visible.push_str(&text[start..end]);
                last = end;
            })
            .expect("nothing cancels");
            let squeeze = |s: &str| s.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(squeeze(&visible), squeeze(&text));
        }
    }
}
