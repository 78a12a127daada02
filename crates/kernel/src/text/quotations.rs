//! Which parts of a text stand in quotation marks.

use memchr::{memchr2, memchr3_iter};

/// The half-open ranges of bytes between quotation marks, in order. A mark that is not closed in its
/// paragraph is no quotation; within one, others do not count.
pub fn quotations(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    let mut visit = |at: usize| {
        let Some(c) = text[at..].chars().next() else { return };
        if c == '\n' {
            let line = bytes[..at].strip_suffix(b"\r").unwrap_or(&bytes[..at]);
            if line.last() == Some(&b'\n') {
                open = None;
            }
            return;
        }
        match open {
            Some((start, closing)) if c == closing => {
                found.push((start, at));
                open = None;
            }
            None => open = closing_of(c).map(|closing| (at + c.len_utf8(), closing)),
            Some(_) => {}
        }
    };
    // Marks other than these begin with other bytes.
    if memchr2(0xC2, 0xE3, bytes).is_none() {
        memchr3_iter(b'"', b'\n', 0xE2, bytes).for_each(visit);
    } else {
        let may_matter = |c: char| c == '"' || c == '\n' || !c.is_ascii();
        text.char_indices().filter(|place| may_matter(place.1)).for_each(|(at, _)| visit(at));
    }
    found
}

/// The same as ranges of code points.
pub fn quotations_by_code_points(text: &str) -> Vec<(u32, u32)> {
    let (mut byte, mut point) = (0, 0);
    let mut code_points = |to: usize| {
        point += text[byte..to].chars().count() as u32;
        byte = to;
        point
    };
    let ranges = quotations(text).into_iter();
    ranges.map(|(start, end)| (code_points(start), code_points(end))).collect()
}

/// Whether at least half of a range of bytes lies in quotations.
pub fn is_quoted(quotations: &[(usize, usize)], start: usize, end: usize) -> bool {
    let first = quotations.partition_point(|quotation| quotation.1 <= start);
    let inside = quotations[first..].iter().take_while(|quotation| quotation.0 < end);
    let length = |quotation: &(usize, usize)| quotation.1.min(end) - quotation.0.max(start);
    2 * inside.map(length).sum::<usize>() >= end - start && start < end
}

fn closing_of(opening: char) -> Option<char> {
    Some(match opening {
        '"' => '"',
        '“' | '”' => '”',
        '„' => '“',
        '«' => '»',
        '»' => '«',
        '「' => '」',
        '『' => '』',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_end_where_they_are_closed() {
        let found = quotations_by_code_points;
        assert_eq!(found("He said \"so it is\" and \"no\"."), [(9, 17), (24, 26)]);
        assert_eq!(found("„so“ «ainsi» “so” 「是」"), [(1, 3), (6, 11), (14, 16), (19, 20)]);
        assert_eq!(found("„so“ and “so”"), [(1, 3), (10, 12)]);
        assert_eq!(found("5\" wide.\r\n\r\nThen \"this\"."), [(18, 22)]);
        assert_eq!(found(""), []);
    }

    #[test]
    fn half_of_it_is_enough() {
        let text = "\"So it is now,\" he said.";
        let found = quotations(text);
        assert!(is_quoted(&found, 0, text.len()));
        assert!(!is_quoted(&found, 6, text.len()));
        assert!(!is_quoted(&found, 3, 3));
        assert!(!is_quoted(&[], 0, 3));
    }
}
