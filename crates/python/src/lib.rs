//! The binding: the kernel as the Python module `twicetold._kernel`.
//!
//! Nothing is computed here. Arguments are turned into the kernel's types, every call that does
//! work goes through the one door [`enter::enter`], results go back as opaque objects or as the
//! raw bytes of columns, which Python wraps as Arrow without a copy.

mod alignment;
mod alike;
mod analysis;
mod collection;
mod columns;
mod decision;
mod documents;
mod enter;
mod features;
mod fingerprints;
mod fuzzy;
mod heap;
mod html;
mod json_lines;
mod memory;
mod scores;
mod sentence_features;
mod signatures;
mod sketches;
mod statistics;
mod store;
mod stream;
mod verified;

use pyo3::prelude::*;

/// The hot loops of Twicetold.
#[pymodule]
mod _kernel {
    use super::*;

    #[pymodule_export]
    use super::alignment::Aligner;
    #[pymodule_export]
    use super::alike::{learn_linear, measure_pairs, pair_measures};
    #[pymodule_export]
    use super::analysis::{Analysed, Analyser, detect_language, languages};
    #[pymodule_export]
    use super::collection::{Collection, DocumentIds, IdSet, Join, KeySet};
    #[pymodule_export]
    use super::decision::{
        DecisionModel, DecisionTexts, FormFrequencies, Judgements, select_pairs,
    };
    #[pymodule_export]
    use super::documents::{Documents, count_lines};
    #[pymodule_export]
    use super::enter::{Within, available_threads, check_deadline, panic_for_test, sleep_for_test};
    #[pymodule_export]
    use super::features::{
        Features, Keys, all_pairs, path_features, path_trace, retelling_features, retelling_trace,
        sentence_features, sentence_trace,
    };
    #[pymodule_export]
    use super::fingerprints::{gram_features, gram_trace, lexicon_features, lexicon_trace};
    #[pymodule_export]
    use super::fuzzy::{CorrelationCounts, Correlations, fuzzy_probes, fuzzy_similarities};
    #[pymodule_export]
    use super::html::{Page, read_pages};
    #[pymodule_export]
    use super::json_lines::JsonLines;
    #[pymodule_export]
    use super::memory::{give_back_memory, keep_memory};
    #[pymodule_export]
    use super::scores::{Joined, ScoredPairs, Scores, odds};
    #[pymodule_export]
    use super::sentence_features::{
        GramFrequencies, rare_gram_features, rare_gram_trace, rarest_grams, spot_features,
        spot_trace, top_term_features, top_term_trace,
    };
    #[pymodule_export]
    use super::signatures::{
        binomial_within, bit_set, bit_switch, bits_per_word, bounded_radius, exact_law, pair_law,
        sentence_variants, signed,
    };
    #[pymodule_export]
    use super::sketches::{
        minhash_bands, minhash_ensemble, minhash_ensemble_keys, minhash_features, minhash_keys,
        simhash_blocks, simhash_features, simhash_keys, simhash_trace,
    };
    #[pymodule_export]
    use super::statistics::Statistics;
    #[pymodule_export]
    use super::store::{
        Bundle, Numbers, Postings, Segment, Stop, build_segment, find_related, load_documents,
        merge_segments,
    };
    #[pymodule_export]
    use super::stream::SentenceStream;
    #[pymodule_export]
    use super::verified::{Verification, VerifiedJoin, overlap_prefixes};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
        module.add("HASH_VERSION", kernel::hash::HASH_VERSION)
    }
}
