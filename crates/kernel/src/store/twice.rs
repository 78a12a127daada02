//! Units that come at least twice among many.

/// Room to count them, which serves again and again.
#[derive(Debug, Default)]
pub struct Twice {
    slots: Vec<u8>,
}

/// Units are counted in so many slots for each of them, and in no more than these: as many as are near.
const EACH: usize = 8;
const MOST: usize = 1 << 16;

impl Twice {
    /// Leave only those that come at least twice, each once, sorted.
    pub fn keep(&mut self, units: &mut Vec<u32>) {
        let many = (units.len() * EACH).next_power_of_two().min(MOST);
        self.slots.clear();
        self.slots.resize(many, 0);
        let slot = |unit: u32| unit as usize & (many - 1);
        for &unit in units.iter() {
            let count = &mut self.slots[slot(unit)];
            *count = count.saturating_add(1);
        }
        // Few are left to be sorted.
        units.retain(|&unit| self.slots[slot(unit)] > 1);
        units.sort_unstable();
        let mut kept = 0;
        for at in 1..units.len() {
            let is_again = units[at] == units[at - 1];
            if is_again && (kept == 0 || units[kept - 1] != units[at]) {
                units[kept] = units[at];
                kept += 1;
            }
        }
        units.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_comes_twice_is_left(units in prop::collection::vec(0_u32..40, 0..50)) {
            let many = |unit| units.iter().filter(|&&other| other == unit).count();
            let expected: Vec<u32> = (0..40).filter(|&unit| many(unit) > 1).collect();
            let mut kept = units.clone();
            Twice::default().keep(&mut kept);
            prop_assert_eq!(kept, expected);
        }
    }
}
