//! The marks that may end a sentence, and runs of them.

/// Marks outside ASCII, from the first to the last of each row in Unicode: those whose property
/// `Sentence_Break` is `STerm` or `ATerm`, and two that are written in Chinese and Japanese.
#[rustfmt::skip]
const WIDE: [(char, char); 78] = [
    ('\u{589}', '\u{589}'), ('\u{61d}', '\u{61f}'), ('\u{6d4}', '\u{6d4}'), ('\u{700}', '\u{702}'),
    ('\u{7f9}', '\u{7f9}'), ('\u{837}', '\u{837}'), ('\u{839}', '\u{839}'), ('\u{83d}', '\u{83e}'),
    ('\u{964}', '\u{965}'), ('\u{104a}', '\u{104b}'), ('\u{1362}', '\u{1362}'),
    ('\u{1367}', '\u{1368}'), ('\u{166e}', '\u{166e}'), ('\u{1735}', '\u{1736}'),
    ('\u{1803}', '\u{1803}'), ('\u{1809}', '\u{1809}'), ('\u{1944}', '\u{1945}'),
    ('\u{1aa8}', '\u{1aab}'), ('\u{1b5a}', '\u{1b5b}'), ('\u{1b5e}', '\u{1b5f}'),
    ('\u{1b7d}', '\u{1b7e}'), ('\u{1c3b}', '\u{1c3c}'), ('\u{1c7e}', '\u{1c7f}'),
    ('\u{2024}', '\u{2024}'), ('\u{203c}', '\u{203d}'), ('\u{2047}', '\u{2049}'),
    ('\u{2e2e}', '\u{2e2e}'), ('\u{2e3c}', '\u{2e3c}'), ('\u{2e53}', '\u{2e54}'),
    ('\u{3002}', '\u{3002}'), ('\u{a4ff}', '\u{a4ff}'), ('\u{a60e}', '\u{a60f}'),
    ('\u{a6f3}', '\u{a6f3}'), ('\u{a6f7}', '\u{a6f7}'), ('\u{a876}', '\u{a877}'),
    ('\u{a8ce}', '\u{a8cf}'), ('\u{a92f}', '\u{a92f}'), ('\u{a9c8}', '\u{a9c9}'),
    ('\u{aa5d}', '\u{aa5f}'), ('\u{aaf0}', '\u{aaf1}'), ('\u{abeb}', '\u{abeb}'),
    ('\u{fe52}', '\u{fe52}'), ('\u{fe56}', '\u{fe57}'), ('\u{ff01}', '\u{ff01}'),
    ('\u{ff0e}', '\u{ff0e}'), ('\u{ff1f}', '\u{ff1f}'), ('\u{ff61}', '\u{ff61}'),
    ('\u{10a56}', '\u{10a57}'), ('\u{10f55}', '\u{10f59}'), ('\u{10f86}', '\u{10f89}'),
    ('\u{11047}', '\u{11048}'), ('\u{110be}', '\u{110c1}'), ('\u{11141}', '\u{11143}'),
    ('\u{111c5}', '\u{111c6}'), ('\u{111cd}', '\u{111cd}'), ('\u{111de}', '\u{111df}'),
    ('\u{11238}', '\u{11239}'), ('\u{1123b}', '\u{1123c}'), ('\u{112a9}', '\u{112a9}'),
    ('\u{1144b}', '\u{1144c}'), ('\u{115c2}', '\u{115c3}'), ('\u{115c9}', '\u{115d7}'),
    ('\u{11641}', '\u{11642}'), ('\u{1173c}', '\u{1173e}'), ('\u{11944}', '\u{11944}'),
    ('\u{11946}', '\u{11946}'), ('\u{11a42}', '\u{11a43}'), ('\u{11a9b}', '\u{11a9c}'),
    ('\u{11c41}', '\u{11c42}'), ('\u{11ef7}', '\u{11ef8}'), ('\u{11f43}', '\u{11f44}'),
    ('\u{16a6e}', '\u{16a6f}'), ('\u{16af5}', '\u{16af5}'), ('\u{16b37}', '\u{16b38}'),
    ('\u{16b44}', '\u{16b44}'), ('\u{16e98}', '\u{16e98}'), ('\u{1bc9f}', '\u{1bc9f}'),
    ('\u{1da88}', '\u{1da88}'),
];

/// The marks that, with spaces between them, are one end: `! !`, `… ?`.
const LOUD: [&str; 3] = ["!", "?", "…"];

/// Whether a byte is a mark of ASCII that may end a sentence.
pub fn is_end(byte: u8) -> bool {
    matches!(byte, b'.' | b'!' | b'?')
}

/// Whether a character may end a sentence.
pub fn is_end_char(c: char) -> bool {
    match u8::try_from(c) {
        Ok(byte) => is_end(byte),
        Err(_) => {
            let after = WIDE.partition_point(|row| row.0 <= c);
            after > 0 && c <= WIDE[after - 1].1
        }
    }
}

pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// How many spaces and tabs stand in front.
pub fn blanks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| is_blank(**b)).count()
}

/// Where the run of marks ends whose first is at `at`: three or more full stops with spaces between
/// them, loud marks with spaces between them, or any marks side by side. `None` if there is none,
/// as for a lone `…`.
pub fn run_at(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let first = *bytes.get(at)?;
    if first == b'.' {
        let (end, n) = spaced(bytes, at + 1, |rest| usize::from(rest.first() == Some(&b'.')));
        if n > 1 {
            return Some(end);
        }
    } else if let Some(mark) = loud(&bytes[at..]) {
        let (end, n) = spaced(bytes, at + mark, |rest| loud(rest).unwrap_or(0));
        if n > 0 {
            return Some(end);
        }
    }
    let mut end = at;
    while let Some(&byte) = bytes.get(end) {
        if is_end(byte) {
            end += 1;
        } else if byte < 128 {
            break;
        } else {
            let c = text[end..].chars().next().filter(|&c| is_end_char(c));
            let Some(c) = c else { break };
            end += c.len_utf8();
        }
    }
    (end > at).then_some(end)
}

/// Where marks end that each follow spaces, from `end` on, and how many there are; `mark` says how
/// many bytes the mark in front has.
fn spaced(bytes: &[u8], mut end: usize, mark: impl Fn(&[u8]) -> usize) -> (usize, usize) {
    let mut n = 0;
    loop {
        let spaces = blanks(&bytes[end..]);
        let length = mark(&bytes[end + spaces..]);
        if spaces == 0 || length == 0 {
            return (end, n);
        }
        (end, n) = (end + spaces + length, n + 1);
    }
}

/// How many bytes the loud mark in front has.
fn loud(bytes: &[u8]) -> Option<usize> {
    LOUD.iter().find(|mark| bytes.starts_with(mark.as_bytes())).map(|mark| mark.len())
}

/// Whether a run belongs to the one before it: full stops some spaces behind a loud mark.
pub fn continues(bytes: &[u8], before: (usize, usize), (start, end): (usize, usize)) -> bool {
    bytes[start] == b'.'
        && before.1 < start
        && bytes[before.1..start].iter().all(|&b| is_blank(b))
        && LOUD.iter().any(|mark| bytes[before.0..before.1].ends_with(mark.as_bytes()))
        && bytes[start..end].iter().all(|&b| b == b'.' || is_blank(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentencex::languages::{English, Language};

    #[test]
    fn the_marks_are_those_of_sentencex() {
        let expression = English {}.get_sentence_break_regex();
        let all: String = ('\0'..=char::MAX).collect();
        let expected: String = expression.find_iter(&all).map(|found| found.as_str()).collect();
        assert_eq!(all.chars().filter(|&c| is_end_char(c)).collect::<String>(), expected);
    }

    #[test]
    fn runs_end_where_they_do() {
        for (text, end) in [
            ("", None),
            ("a", None),
            (". . a", Some(1)),
            (". . . a", Some(5)),
            ("... a", Some(3)),
            ("?! ?", Some(2)),
            ("! ?\t! a", Some(5)),
            ("…", None),
            ("… …", Some(7)),
            ("?！。", Some(7)),
        ] {
            assert_eq!(run_at(text, 0), end, "{text}");
        }
        assert!(continues(b"Oh! . .", (2, 3), (4, 7)));
        assert!(!continues(b"Oh!. .", (2, 3), (3, 6)));
        assert!(!continues(b"Oh. .", (2, 3), (4, 5)));
    }
}
