//! What an alignment can be told, and what was measured to be good.

/// The numbers of an alignment. Lengths are in words, so that they hold in scripts whose words have
/// two characters as well as in those whose words have six.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameters {
    /// A shorter sentence is merged with its neighbour.
    pub min_sentence: usize,
    /// A longer sentence is cut into equal parts.
    pub max_sentence: usize,
    /// A common run of so many equal words is a passage by itself.
    pub run: usize,
    /// Outside of all passages, so many equal words in a row are one, too; 0: never.
    pub quote: usize,
    /// Sentences with more than this cosine are seeds.
    pub seed: f64,
    /// So many sentences of left without a seed do not end a passage.
    pub gap: usize,
    /// So many sentences of right without a seed do not end a passage.
    pub gap_right: usize,
    /// The ends of a passage are looked for within so many sentences around it, in left.
    pub around: usize,
    /// What a word that the other side does not have costs, as a share of its weight.
    pub penalty: f64,
    /// An end moves to the border of a sentence that is at most so many words away.
    pub snap: usize,
    /// A passage needs this much shared weight for each unit of the logarithm of sentences.
    pub mass: f64,
    /// A passage needs so many words on both sides.
    pub min_words: usize,
    /// Seeds of summaries: more than this cosine.
    pub summary_seed: f64,
    /// A summary has at least so many words; 0: there is none.
    pub summary_words: usize,
    /// At least this share of a summary's sentences is seeded.
    pub summary_density: f64,
    /// What is summarised is at least so many times as long.
    pub summary_ratio: f64,
    /// Cosine of a summary and what it summarises, at least.
    pub summary_cosine: f64,
    /// A summary shares so many times the weight of a passage that would cover most of it.
    pub summary_gain: f64,
    /// Sentences in the window that a sentence is looked for in.
    pub window: usize,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            min_sentence: 1,
            max_sentence: 30,
            run: 42,
            quote: 0,
            seed: 0.25,
            gap: 4,
            gap_right: 3,
            around: 1,
            penalty: 0.35,
            snap: 4,
            mass: 13.0,
            min_words: 17,
            summary_seed: 0.27,
            summary_words: 50,
            summary_density: 0.6,
            summary_ratio: 3.0,
            summary_cosine: 0.3,
            summary_gain: 1.2,
            window: 3,
        }
    }
}
