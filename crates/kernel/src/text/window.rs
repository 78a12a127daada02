//! Bytes seen many at a time.

/// So many bytes are seen at a glance, one for each bit of a number.
pub const WIDTH: usize = 64;

/// Up to 64 bytes at a glance.
pub struct Window {
    /// A bit for each byte that is an ASCII letter or digit.
    pub letters: u64,
    /// A bit for each byte that may be a mark: neither a letter or digit of ASCII, nor a space, a
    /// comma or a hyphen, nor inside a character.
    pub marks: u64,
    /// Whether there are characters outside ASCII.
    pub has_wide: bool,
    /// Where they end.
    pub end: usize,
}

impl Window {
    /// Look at the bytes from `start` on, not beyond `end`.
    #[inline(always)]
    pub fn new(bytes: &[u8], start: usize, end: usize) -> Self {
        let n = (end - start).min(WIDTH);
        let seen = match bytes[start..].first_chunk::<WIDTH>() {
            Some(chunk) => seen(chunk),
            None => {
                let mut chunk = [0; WIDTH];
                chunk[..n].copy_from_slice(&bytes[start..start + n]);
                seen(&chunk)
            }
        };
        let inside = u64::MAX >> (WIDTH - n);
        Self {
            letters: seen.letters & inside,
            marks: !(seen.letters | seen.others) & inside,
            has_wide: seen.wide & inside != 0,
            end: start + n,
        }
    }
}

/// The marks of a text, seen a window at a time.
#[derive(Default)]
pub struct Marks {
    /// A bit for each that is left of the window.
    bits: u64,
    /// Where the window starts and ends.
    start: usize,
    end: usize,
}

impl Marks {
    /// The first place from `at` on whose byte may be a mark. Places asked for only grow.
    #[inline]
    pub fn next(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        if at < self.end {
            self.bits &= u64::MAX << (at - self.start);
        } else {
            (self.start, self.end, self.bits) = (at, at, 0);
        }
        while self.bits == 0 {
            if self.end == bytes.len() {
                return None;
            }
            let window = Window::new(bytes, self.end, bytes.len());
            (self.start, self.end, self.bits) = (self.end, window.end, window.marks);
        }
        Some(self.start + self.bits.trailing_zeros() as usize)
    }
}

/// A bit for each byte.
#[derive(Debug, PartialEq)]
struct Seen {
    /// A letter or digit of ASCII.
    letters: u64,
    /// Not of ASCII.
    wide: u64,
    /// A space, a comma, a hyphen, or not the first byte of its character.
    others: u64,
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn seen(chunk: &[u8; WIDTH]) -> Seen {
    #[expect(unsafe_code, reason = "a compiler cannot know which processor it is")]
    // SAFETY: the processor has AVX2 where it was asked; SSE2, all that the other function asks for,
    // is part of x86-64.
    unsafe {
        if std::arch::is_x86_feature_detected!("avx2") {
            seen_by_thirty_two(chunk)
        } else {
            seen_by_sixteen(chunk)
        }
    }
}

/// Thirty-two bytes are compared at once.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn seen_by_thirty_two(chunk: &[u8; WIDTH]) -> Seen {
    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_min_epu8,
        _mm256_movemask_epi8, _mm256_or_si256, _mm256_set_epi64x, _mm256_set1_epi8,
        _mm256_sub_epi8,
    };
    let all = |byte: u8| _mm256_set1_epi8(byte as i8);
    let up_to = |bytes: __m256i, n: u8| _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, all(n)), bytes);
    let bits = |bytes: __m256i| u64::from(_mm256_movemask_epi8(bytes) as u32);
    let mut found = Seen { letters: 0, wide: 0, others: 0 };
    for n in 0..WIDTH / 32 {
        let eight = |at: usize| {
            i64::from_le_bytes(chunk[32 * n + at..32 * n + at + 8].try_into().expect("eight bytes"))
        };
        let bytes = _mm256_set_epi64x(eight(24), eight(16), eight(8), eight(0));
        let lower = _mm256_or_si256(bytes, all(0x20));
        let letter = up_to(_mm256_sub_epi8(lower, all(b'a')), 25);
        let digit = up_to(_mm256_sub_epi8(bytes, all(b'0')), 9);
        let blank = _mm256_cmpeq_epi8(bytes, all(b' '));
        // A comma and a hyphen differ in one bit.
        let comma = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, all(!1)), all(b','));
        let inside = _mm256_cmpgt_epi8(all(0xC0), bytes);
        let other = _mm256_or_si256(_mm256_or_si256(blank, comma), inside);
        found.letters |= bits(_mm256_or_si256(letter, digit)) << (32 * n);
        found.wide |= bits(bytes) << (32 * n);
        found.others |= bits(other) << (32 * n);
    }
    found
}

#[cfg(not(target_arch = "x86_64"))]
use seen_by_eight as seen;

/// Sixteen bytes are compared at once.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "sse2")]
#[inline]
fn seen_by_sixteen(chunk: &[u8; WIDTH]) -> Seen {
    use std::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_cmplt_epi8, _mm_movemask_epi8, _mm_or_si128,
        _mm_set_epi64x, _mm_set1_epi8, _mm_sub_epi8,
    };
    let all = |byte: u8| _mm_set1_epi8(byte as i8);
    // Comparisons know only numbers with a sign: what is to be below `n` is moved to the lowest.
    let below = |bytes: __m128i, n: u8| _mm_cmplt_epi8(_mm_sub_epi8(bytes, all(128)), all(n ^ 128));
    let bits = |bytes: __m128i| u64::from(_mm_movemask_epi8(bytes) as u16);
    let mut found = Seen { letters: 0, wide: 0, others: 0 };
    for n in 0..WIDTH / 16 {
        let eight =
            |at: usize| i64::from_le_bytes(chunk[at..at + 8].try_into().expect("eight bytes"));
        let bytes = _mm_set_epi64x(eight(16 * n + 8), eight(16 * n));
        let lower = _mm_or_si128(bytes, all(0x20));
        let letter = below(_mm_sub_epi8(lower, all(b'a')), 26);
        let digit = below(_mm_sub_epi8(bytes, all(b'0')), 10);
        let blank = _mm_cmpeq_epi8(bytes, all(b' '));
        // A comma and a hyphen differ in one bit.
        let comma = _mm_cmpeq_epi8(_mm_and_si128(bytes, all(!1)), all(b','));
        let inside = _mm_cmplt_epi8(bytes, all(0xC0));
        found.letters |= bits(_mm_or_si128(letter, digit)) << (16 * n);
        found.wide |= bits(bytes) << (16 * n);
        found.others |= bits(_mm_or_si128(_mm_or_si128(blank, comma), inside)) << (16 * n);
    }
    found
}

/// Eight bytes are compared at once by additions that carry into their highest bits.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline]
fn seen_by_eight(chunk: &[u8; WIDTH]) -> Seen {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;
    let from = |byte: u8| (0x80 - u64::from(byte)) * ONES;
    let gather = |high: u64| (high >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let mut found = Seen { letters: 0, wide: 0, others: 0 };
    for n in 0..WIDTH / 8 {
        let eight = u64::from_le_bytes(chunk[8 * n..8 * n + 8].try_into().expect("eight bytes"));
        let ascii = eight & !HIGH;
        let lower = ascii | (0x20 * ONES);
        let between = |bytes: u64, first: u8, last: u8| {
            (bytes + from(first)) & !(bytes + from(last + 1)) & HIGH & !eight
        };
        let letter = between(lower, b'a', b'z') | between(ascii, b'0', b'9');
        let other = between(ascii, b' ', b' ') | between(ascii, b',', b'-');
        let inside = eight & HIGH & !(eight << 1);
        found.letters |= gather(letter) << (8 * n);
        found.wide |= gather(eight & HIGH) << (8 * n);
        found.others |= gather(other | inside) << (8 * n);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_byte_is_seen_for_what_it_is() {
        for byte in 0..=u8::MAX {
            let mut bytes = [b' '; 70];
            bytes[5] = byte;
            let window = Window::new(&bytes, 2, 60);
            assert_eq!(window.letters, u64::from(byte.is_ascii_alphanumeric()) << 3, "{byte}");
            assert_eq!((window.has_wide, window.end), (byte >= 128, 60));
            let is_inside = (128..0xC0).contains(&byte);
            let is_mark = !byte.is_ascii_alphanumeric() && !b" ,-".contains(&byte) && !is_inside;
            assert_eq!(window.marks, u64::from(is_mark) << 3, "{byte}");
            assert_eq!(Window::new(&bytes[..6], 4, 6).letters, window.letters >> 2);
        }
    }

    proptest! {
        #[test]
        fn all_ways_to_look_see_the_same(bytes in prop::array::uniform32(any::<u8>())) {
            let chunk: [u8; WIDTH] = std::array::from_fn(|n| bytes[n / 2].wrapping_add(n as u8));
            prop_assert_eq!(seen(&chunk), seen_by_eight(&chunk));
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "only one of the two ways is taken on a processor")]
            // SAFETY: SSE2 is part of x86-64.
            unsafe {
                prop_assert_eq!(seen_by_sixteen(&chunk), seen_by_eight(&chunk));
            }
        }
    }
}
