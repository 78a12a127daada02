//! Bytes seen many at a time.

/// Up to 64 bytes at a glance.
pub struct Window {
    /// A bit for each byte that is an ASCII letter or digit.
    pub letters: u64,
    /// Whether there are characters outside ASCII.
    pub has_wide: bool,
    /// Where they end.
    pub end: usize,
}

impl Window {
    /// Look at the bytes from `start` on, not beyond `end`.
    #[inline]
    pub fn new(bytes: &[u8], start: usize, end: usize) -> Self {
        let n = (end - start).min(64);
        let (letters, wide) = match bytes[start..].first_chunk::<64>() {
            Some(chunk) => letters_of(chunk),
            None => {
                let mut chunk = [0; 64];
                chunk[..n].copy_from_slice(&bytes[start..start + n]);
                letters_of(&chunk)
            }
        };
        let inside = u64::MAX >> (64 - n);
        Self { letters: letters & inside, has_wide: wide & inside != 0, end: start + n }
    }
}

/// For each byte a bit: is it a letter or digit of ASCII, is it none of ASCII. Eight bytes are
/// compared at once by additions that carry into their highest bits.
#[inline]
fn letters_of(chunk: &[u8; 64]) -> (u64, u64) {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;
    let from = |byte: u8| (0x80 - u64::from(byte)) * ONES;
    let gather = |high: u64| (high >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let (mut letters, mut wide) = (0, 0);
    for n in 0..8 {
        let eight = u64::from_le_bytes(chunk[8 * n..8 * n + 8].try_into().expect("eight bytes"));
        let ascii = eight & !HIGH;
        let lower = ascii | (0x20 * ONES);
        let letter = (lower + from(b'a')) & !(lower + from(b'z' + 1));
        let digit = (ascii + from(b'0')) & !(ascii + from(b'9' + 1));
        letters |= gather((letter | digit) & HIGH & !eight) << (8 * n);
        wide |= gather(eight & HIGH) << (8 * n);
    }
    (letters, wide)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_seen_for_what_it_is() {
        for byte in 0..=u8::MAX {
            let mut bytes = [b' '; 70];
            bytes[5] = byte;
            let window = Window::new(&bytes, 2, 60);
            assert_eq!(window.letters, u64::from(byte.is_ascii_alphanumeric()) << 3, "{byte}");
            assert_eq!((window.has_wide, window.end), (byte >= 128, 60));
            assert_eq!(Window::new(&bytes[..6], 4, 6).letters, window.letters >> 2);
        }
    }
}
