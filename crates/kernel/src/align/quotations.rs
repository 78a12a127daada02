//! Which characters of a text stand in quotation marks.

/// The half-open ranges of code points between quotation marks, in order. A mark that is not closed
/// in its paragraph is no quotation; within one, others do not count.
pub fn quotations(text: &str) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let mut open: Option<(u32, char)> = None;
    let mut previous = '\n';
    for (at, c) in text.chars().enumerate() {
        if c == '\n' && previous == '\n' {
            open = None;
        }
        match open {
            Some((start, closing)) if c == closing => {
                found.push((start, at as u32));
                open = None;
            }
            None => open = closing_of(c).map(|closing| (at as u32 + 1, closing)),
            Some(_) => {}
        }
        if c != '\r' {
            previous = c;
        }
    }
    found
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
        assert_eq!(quotations("He said \"so it is\" and \"no\"."), [(9, 17), (24, 26)]);
        assert_eq!(quotations("„so“ «ainsi» “so” 「是」"), [(1, 3), (6, 11), (14, 16), (19, 20)]);
        assert_eq!(quotations("5\" wide.\n\nThen \"this\"."), [(16, 20)]);
        assert_eq!(quotations(""), []);
    }
}
