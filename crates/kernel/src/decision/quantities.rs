//! What is measured of a pair: nine quantities for each direction, ten of the pair.

/// The names of the quantities of a direction, in the order of [`Direction::values`].
pub const RELATED_NAMES: [&str; 9] = [
    "kept",
    "titled",
    "terms",
    "edits",
    "deletions",
    "figures",
    "new_numbers",
    "new_names",
    "longer",
];

/// The names of the quantities of a pair, in the order of [`PairQuantities::values`].
pub const TAKEN_NAMES: [&str; 10] = [
    "sentence",
    "body",
    "slot_rate",
    "slot_share",
    "same_numbers",
    "dense",
    "quoted",
    "repeated",
    "own",
    "form",
];

/// How one document is told in the other.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Direction {
    /// The share of its content pairs that the other has, the rare ones above all.
    pub rare: f64,
    /// The same where ten documents may have a pair: for texts in which nothing was exchanged.
    pub forgiving: f64,
    /// `max(rare, forgiving * terms² / (1 + slot rate))`.
    pub kept: f64,
    /// How alike the titles are, where the texts are.
    pub titled: f64,
    /// The share of its rare stems that the other has.
    pub terms: f64,
    /// Words exchanged inside matched text.
    pub edits: f64,
    /// Words that only it has inside matched text.
    pub deletions: f64,
    /// Numbers that disagree, in text dense in numbers.
    pub figures: f64,
    /// Numbers that only the other has.
    pub new_numbers: f64,
    /// Names that only it has; NaN where no names are known.
    pub new_names: f64,
    /// How much longer the other is.
    pub longer: f64,
}

impl Direction {
    /// The quantities that decide.
    pub fn values(&self) -> [f64; 9] {
        [
            self.kept,
            self.titled,
            self.terms,
            self.edits,
            self.deletions,
            self.figures,
            self.new_numbers,
            self.new_names,
            self.longer,
        ]
    }

    /// Set what depends on the rate of slots and on the titles.
    pub fn set_slots(&mut self, slot_rate: f64, title: f64) {
        let exchanged = self.forgiving / (1.0 + slot_rate);
        self.kept = self.rare.max(exchanged * self.terms * self.terms);
        self.titled = title * title * exchanged;
    }
}

/// What two documents have in common.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PairQuantities {
    /// How rare the wording of the best shared sentence is.
    pub sentence: f64,
    /// The share of what is shared that stands outside of a common ending.
    pub body: f64,
    /// Slots (facts exchanged on both sides) for each hundred matched words.
    pub slot_rate: f64,
    /// The share of slots among all places that differ.
    pub slot_share: f64,
    /// The share of numbers that both have.
    pub same_numbers: f64,
    /// Whether both are dense in numbers.
    pub dense: f64,
    /// The share of the best passage that stands in quotation marks.
    pub quoted: f64,
    /// How much of a text other documents have.
    pub repeated: f64,
    /// How much of the best passage nobody else has.
    pub own: f64,
    /// How much both texts repeat forms.
    pub form: f64,
    /// The part of `form` that the texts alone decide.
    pub prior: f64,
    /// The longest run that nobody else has, as a share of a long one.
    pub rare_run: f64,
    /// How many places of matched text have facts exchanged.
    pub slots: u32,
    /// How many places of matched text have words exchanged.
    pub edited: u32,
    /// How many words of the shorter text are matched.
    pub matched: u32,
    /// What the shared content pairs weigh.
    pub mass: f64,
}

impl PairQuantities {
    /// The quantities that decide.
    pub fn values(&self) -> [f64; 10] {
        [
            self.sentence,
            self.body,
            self.slot_rate,
            self.slot_share,
            self.same_numbers,
            self.dense,
            self.quoted,
            self.repeated,
            self.own,
            self.form,
        ]
    }
}
