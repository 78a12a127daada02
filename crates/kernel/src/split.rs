//! One slice for several threads.

/// A slice in pieces of these lengths, one behind the other.
pub fn pieces<T>(mut rest: &mut [T], lengths: impl IntoIterator<Item = usize>) -> Vec<&mut [T]> {
    let mut piece = |length| {
        let (own, behind) = std::mem::take(&mut rest).split_at_mut(length);
        rest = behind;
        own
    };
    lengths.into_iter().map(&mut piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_follow_each_other() {
        let mut all = [1, 2, 3, 4, 5];
        pieces(&mut all, [2, 0, 1]).into_iter().zip(7..).for_each(|(piece, n)| piece.fill(n));
        assert_eq!(all, [7, 7, 9, 4, 5]);
    }
}
