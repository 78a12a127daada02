//! Meeting each other unit once.

/// Who one unit has met: each of many, however often it comes, is met once.
#[derive(Debug)]
pub struct Met {
    /// For each unit, who met it last.
    by: Vec<u32>,
    current: u32,
    /// The units met by the current one, in the order of meeting.
    pub units: Vec<u32>,
}

impl Met {
    /// Nobody has met any of so many units.
    pub fn new(n_units: usize) -> Self {
        Self { by: vec![u32::MAX; n_units], current: 0, units: Vec::new() }
    }

    /// There are more units now.
    pub fn grow(&mut self, n_units: usize) {
        self.by.resize(n_units.max(self.by.len()), u32::MAX);
    }

    /// Begin anew, with a number that no other begins with.
    pub fn begin(&mut self, number: u32) {
        self.current = number;
        self.units.clear();
    }

    /// Begin with a unit, which does not meet itself.
    pub fn start(&mut self, unit: u32) {
        self.begin(unit);
        self.by[unit as usize] = unit;
    }

    /// Meet a unit.
    #[inline]
    pub fn meet(&mut self, other: u32) {
        let by = &mut self.by[other as usize];
        if *by != self.current {
            *by = self.current;
            self.units.push(other);
        }
    }
}
