//! Sentences end where `sentencex` ends them: both on the same blocks.

use proptest::prelude::*;

use super::block::Block;
use super::breaks::Breaks;
use super::language::Language;
use super::stops::Stops;

/// The ends of sentences found here, and those `sentencex` finds.
fn both(block: &str, code: &str) -> (Option<Vec<usize>>, Vec<usize>) {
    let splitter = sentencex::language_factory(code);
    let mut expected = Vec::new();
    for sentence in splitter.segment(block) {
        expected.push(expected.last().copied().unwrap_or(0) + sentence.len());
    }
    let (mut seen, mut found) = (Block::default(), Vec::new());
    assert_eq!(seen.look(block, 0, block.len()).0, block.len(), "one block");
    let stops = Stops::new(Language::from_code(code), &*splitter);
    let done = Breaks::default().split(&seen, block, &stops, |end| found.push(end));
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
    "etc", "Inc", "p.m", "don't", "players'", "it’s", "I", "Wow", "x", " ", " ", " ", " ", "  ",
    "\t", "\n", "\n", "\r\n", "\r", "\u{a0}", ". ", ". ", "! ", "? ", ".", "!", "?", "...", "?!",
    " . . .", " !", ", ", "\"", "\"", "(", ")", "[1]", "[", "]", "<", ">", "{", "}", "(a) ",
    "(12) ", "2) ", "'", "' ", " '", ".'", "’", "‘", "–", "—", "-", "…", "«", "»", "“", "“", "”",
    "”", "„", "‚", "/", ":", ";", "* ", "a)", "\n1. ", "\niv. ", "\n- ", "@", "x@y.org", "`", "''",
    "``", "\\", "。", "• ", "（", "_",
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
            block
                .match_indices('\n')
                .map(|(at, _)| at)
                .find(|&at| block[at + 1..].trim_start_matches([' ', '\t', '\r']).starts_with('\n'))
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
