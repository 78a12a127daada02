//! Dates in ISO 8601, the form nearly all come in.

/// Microseconds since 1970 of `2026-01-02`, `2026-01-02T03:04`, `2026-01-02 03:04:05.678Z`,
/// `2026-01-02T03:04:05+01:00`; without a zone it is UTC. `None` for any other form and for what
/// is no date.
pub fn microseconds(text: &str) -> Option<i64> {
    let mut rest = text.as_bytes();
    let year = number(&mut rest, 4)?;
    let month = after(&mut rest, b'-').then(|| number(&mut rest, 2))??;
    let day = after(&mut rest, b'-').then(|| number(&mut rest, 2))??;
    // Years at the ends of the calendar may leave it in another zone.
    if !(2..=9998).contains(&year) || !(1..=12).contains(&month) {
        return None;
    }
    if !(1..=days_of(year, month)).contains(&day) {
        return None;
    }
    let days = days_before(year, month) + day - 1;
    let mut seconds = days * 86_400;
    let mut micros = 0;
    if !rest.is_empty() {
        if !after(&mut rest, b'T') && !after(&mut rest, b' ') {
            return None;
        }
        seconds += clock(&mut rest)?;
        if after(&mut rest, b':') {
            seconds += number(&mut rest, 2).filter(|second| *second < 60)?;
            if after(&mut rest, b'.') {
                micros = fraction(&mut rest)?;
            }
        }
        seconds -= zone(&mut rest)?;
    }
    rest.is_empty().then_some(seconds * 1_000_000 + micros)
}

/// Hours and minutes, in seconds.
fn clock(rest: &mut &[u8]) -> Option<i64> {
    let hours = number(rest, 2).filter(|hour| *hour < 24)?;
    let minutes = after(rest, b':').then(|| number(rest, 2))??;
    (minutes < 60).then_some(hours * 3_600 + minutes * 60)
}

/// How many seconds local time is ahead of UTC.
fn zone(rest: &mut &[u8]) -> Option<i64> {
    if rest.is_empty() || after(rest, b'Z') {
        return Some(0);
    }
    let sign = if after(rest, b'+') {
        1
    } else if after(rest, b'-') {
        -1
    } else {
        return None;
    };
    clock(rest).map(|ahead| sign * ahead)
}

/// Up to six digits behind the point, in microseconds.
fn fraction(rest: &mut &[u8]) -> Option<i64> {
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    if !(1..=6).contains(&digits) {
        return None;
    }
    number(rest, digits).map(|n| n * 10_i64.pow(6 - digits as u32))
}

/// A number of so many digits.
fn number(rest: &mut &[u8], digits: usize) -> Option<i64> {
    let (taken, left) = rest.split_at_checked(digits)?;
    if !taken.iter().all(u8::is_ascii_digit) {
        return None;
    }
    *rest = left;
    Some(taken.iter().fold(0, |n, digit| 10 * n + i64::from(digit - b'0')))
}

/// Whether this byte comes next; then it is passed over.
fn after(rest: &mut &[u8], byte: u8) -> bool {
    let found = rest.first() == Some(&byte);
    if found {
        *rest = &rest[1..];
    }
    found
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from the first of January 1970 to the first of the month.
fn days_before(year: i64, month: i64) -> i64 {
    let before = year - 1;
    let leap_days = before / 4 - before / 100 + before / 400;
    let months: i64 = (1..month).map(|m| days_of(year, m)).sum();
    before * 365 + leap_days + months - 719_162
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_dates() {
        for (text, expected) in [
            ("1970-01-01", 0),
            ("1970-01-01T00:00:01Z", 1_000_000),
            ("2000-03-01", 951_868_800_000_000),
            ("2026-01-02T03:04:05.678Z", 1_767_323_045_678_000),
            ("2026-01-02 03:04:05+01:00", 1_767_319_445_000_000),
            ("2026-01-02T03:04", 1_767_323_040_000_000),
            ("1969-12-31T23:59:59-00:30", 1_799_000_000),
            ("0002-01-01", -62_104_060_800_000_000),
        ] {
            assert_eq!(microseconds(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn anything_else_is_left_to_others() {
        for text in [
            "",
            "2026",
            "2026-1-2",
            "20260102",
            "2026-13-01",
            "2026-02-29",
            "2026-01-02T",
            "x",
            "2026-01-02T24:00",
            "2026-01-02T03:60",
            "2026-01-02T03:04:05.1234567",
            "0001-01-01",
            "9999-01-01",
            "2026-01-02T03:04:05 +01:00",
            "2026-01-02T03:04:05+0100",
            "２026-01-02",
            "2026-01-02T03:04:61",
            "2026-01-02Z",
            " 2026-01-02",
            "2026-01-02T03:04:05+01:00x",
        ] {
            assert_eq!(microseconds(text), None, "{text}");
        }
    }
}
