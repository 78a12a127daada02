//! Strings of JSON, left where they stand until somebody reads them.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

/// Where the string ends whose first byte is at `start`, and whether it has escapes. `None` if it
/// has no end, or an escape that stands for a number.
pub fn end_of(line: &[u8], start: usize) -> Option<(usize, bool)> {
    let (mut at, mut has_escapes) = (start, false);
    loop {
        at += memchr2(b'"', b'\\', &line[at..])?;
        if line[at] == b'"' {
            return Some((at, has_escapes));
        }
        meaning(*line.get(at + 1)?)?;
        has_escapes = true;
        at += 2;
    }
}

/// What the letter behind a backslash stands for.
fn meaning(letter: u8) -> Option<char> {
    Some(match letter {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'"' | b'\\' | b'/' => char::from(letter),
        _ => return None,
    })
}

/// A string as it stands in a line that was read.
#[derive(Debug, Clone, Copy)]
pub struct Raw<'t> {
    /// What is between the quotation marks.
    pub bytes: &'t [u8],
    /// Whether there are escapes in it.
    pub has_escapes: bool,
}

impl<'t> Raw<'t> {
    /// What it says; `room` is used where that has to be written down.
    pub fn read<'r>(self, room: &'r mut String) -> &'r str
    where
        't: 'r,
    {
        let text = self.text();
        if !self.has_escapes {
            return text;
        }
        room.clear();
        let mut rest = text;
        while let Some(at) = memchr(b'\\', rest.as_bytes()) {
            room.push_str(&rest[..at]);
            room.extend(meaning(rest.as_bytes()[at + 1]));
            rest = &rest[at + 2..];
        }
        room.push_str(rest);
        room
    }

    /// What it says.
    pub fn to_text(self) -> Cow<'t, str> {
        if !self.has_escapes {
            return Cow::Borrowed(self.text());
        }
        let mut room = String::new();
        self.read(&mut room);
        Cow::Owned(room)
    }

    fn text(self) -> &'t str {
        std::str::from_utf8(self.bytes).expect("looked at when the line was read")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn strings_say_what_a_parser_says(
            parts in prop::collection::vec(prop::sample::select(vec![
                "a", "é", "长", "\\n", "\\\"", "\\\\", "\\/", "\\t", "\\r", "\\b", "\\f", " ", "\\u0041", "\\x",
            ]), 0..12),
        ) {
            let line = format!("\"{}\" and \"more\"", parts.concat());
            let parsed = serde_json::Deserializer::from_str(&line).into_iter::<String>().next();
            let expected = parsed.and_then(|parsed| parsed.ok());
            let found = end_of(line.as_bytes(), 1).map(|(end, has_escapes)| {
                Raw { bytes: &line.as_bytes()[1..end], has_escapes }.to_text().into_owned()
            });
            if found.is_some() || !line.contains("\\u") {
                prop_assert_eq!(found, expected);
            }
        }
    }
}
