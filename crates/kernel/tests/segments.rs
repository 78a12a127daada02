//! Segments are read as they were written, and whatever happened to their bytes, nothing panics.

use kernel::features::{Feature, Keys};
use kernel::store::blocks::{Blocks, SMALL_BLOCKS};
use kernel::store::build::build;
use kernel::store::bundle::Place;
use kernel::store::layout::{ASKING_FIRST, HEAD, IS_PROBE, Section, checksum_of, u32_at};
use kernel::store::load::Loader;
use kernel::store::{Bundle, Entry, Postings, Segment};
use proptest::prelude::*;

/// A sentence: words. A document: sentences. What a segment is made of.
type Sentence = Vec<u64>;
type Document = Vec<Sentence>;

#[derive(Debug, Clone, Copy)]
struct Kind {
    of_sentences: bool,
    is_counted: bool,
    is_ranked: bool,
    has_places: bool,
}

fn made(kind: Kind, documents: &[Document]) -> (Bundle, Postings) {
    let mut bundle = Bundle::default();
    bundle.features.sketch_width = 1;
    let (mut store, mut probe) = (Keys::default(), Keys::default());
    for (n, document) in documents.iter().enumerate() {
        let time = n as i64 * 10 - 5;
        let id = format!("d\u{e9}{n}").into();
        let published = n.is_multiple_of(2).then_some(time);
        let text = u128::from(n as u64) << 70 | 5;
        bundle.entries.push(Entry { number: n as u64 + 3, id, published, time, text });
        let sentences = if kind.of_sentences { &document[..] } else { &document[..1] };
        for words in sentences {
            let feature = |&key: &u64| Feature { key, weight: key % 5 + 1, count: 1 };
            let mut own: Vec<Feature> = words.iter().map(feature).collect();
            bundle.features.push(&mut own, kind.is_counted);
            let mut terms = words.clone();
            terms.sort_unstable();
            terms.dedup();
            bundle.features.sketches.push(kernel::hash::run(&terms));
            store.push(terms.iter().map(|&term| key_of(term)));
            probe.push(terms.iter().take(2).map(|&term| key_of(term)));
            if kind.of_sentences && kind.has_places {
                let place = Place {
                    start: 4,
                    end: 9,
                    text: terms[0],
                    is_quoted: terms[0].is_multiple_of(2),
                };
                bundle.places.push(place);
            }
        }
        if kind.of_sentences {
            bundle.features.end_document();
        }
    }
    if kind.is_ranked && !kind.is_counted {
        bundle.features = std::mem::take(&mut bundle.features).into_ranked();
    }
    let totals = (0..documents.len() as u64).collect();
    (bundle, Postings { store, probe: Some(probe), totals, ..Postings::default() })
}

fn key_of(term: u64) -> u64 {
    term.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// All that can be asked of a segment; an error is an answer.
fn asked(segment: &Segment, documents: u32) -> (Vec<String>, Bundle) {
    let mut told = Vec::new();
    let mut loader = Loader::default();
    for document in 0..documents + 2 {
        told.push(format!("{:?}", segment.row(document)));
        if loader.document(segment, document).is_err() {
            // What was half loaded is not used.
            loader = Loader::default();
        }
    }
    for term in 0..40_u64 {
        let (mut units, mut holders) = (Vec::new(), Vec::new());
        let key = key_of(term);
        let met = segment.list(key).and_then(|list| {
            segment.meet(list, key, term.is_multiple_of(2), |unit| units.push(unit))
        });
        told.push(format!("{met:?}"));
        for &unit in &units {
            told.push(format!("{:?}", segment.holders(unit, |holder| holders.push(holder))));
            told.push(format!("{:?}", segment.shared(unit, &[(term, 1, 1), (term + 1, 2, 1)])));
        }
        told.push(format!("{units:?} {holders:?}"));
        let mut equal = Vec::new();
        told.push(format!("{:?}", segment.equals(term, &mut equal)));
        told.push(format!("{equal:?} {:?} {:?}", segment.term(term as u32), segment.weight(3)));
    }
    (told, loader.end())
}

/// The flags of a segment.
fn flags(bytes: &[u8]) -> u32 {
    u32_at(bytes, 16)
}

/// Write checksums of its content anew, as somebody would who means it.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let sums = Blocks::of(flags(&bytes)).sums(&bytes);
    let whole = checksum_of(&bytes[..HEAD], &sums);
    bytes.extend(sums);
    bytes.extend(whole.to_le_bytes());
    bytes
}

/// What stands before the checksums of what was built.
fn content(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = Blocks::of(flags(&bytes)).content_length(bytes.len());
    bytes.truncate(length.expect("a length that was written"));
    bytes
}

fn kinds() -> impl Strategy<Value = Kind> {
    any::<(bool, bool, bool, bool)>().prop_map(
        |(of_sentences, is_counted, is_ranked, has_places)| Kind {
            of_sentences,
            is_counted,
            is_ranked,
            has_places,
        },
    )
}

fn documents() -> impl Strategy<Value = Vec<Document>> {
    let sentence = prop::collection::vec(0_u64..40, 1..6);
    prop::collection::vec(prop::collection::vec(sentence, 1..5), 1..7)
}

/// What was built, with other flags.
fn with_flags(bytes: Vec<u8>, flags: u32) -> Vec<u8> {
    let mut bytes = content(bytes);
    bytes[16..20].copy_from_slice(&flags.to_le_bytes());
    sealed(bytes)
}

/// As builds wrote it whose units stand in their order, whether they look a key up or not.
fn by_unit(segment: &Segment, mut bytes: Vec<u8>) -> Vec<u8> {
    let (head, form) = (segment.head(), segment.head().posting());
    let start = head.sections[Section::Postings as usize].0 as usize;
    let end = start + head.length(Section::Postings);
    let mut rows: Vec<Vec<u8>> =
        bytes[start..end].chunks_exact(form.size).map(<[u8]>::to_vec).collect();
    // One beginning for all: what is left of a key comes first, in the order it is written in.
    assert_eq!(head.beginning, 0);
    rows.sort_by_key(|row| (u32_at(row, 0), form.unit(row) & !IS_PROBE));
    bytes.splice(start..end, rows.concat());
    with_flags(bytes, head.flags & !ASKING_FIRST)
}

#[test]
fn who_looks_a_key_up_is_met_in_segments_of_either_order() {
    let kind = Kind { of_sentences: false, is_counted: false, is_ranked: false, has_places: false };
    // Only the two smallest words are looked up: the first unit stores 9 and does not look it up.
    let documents = [vec![vec![1, 2, 9]], vec![vec![8, 9]]];
    let (bundle, postings) = made(kind, &documents);
    let bytes = build(&bundle, &postings).expect("built");
    let segment = Segment::from_bytes("new", bytes.clone()).expect("opened");
    let old = Segment::from_bytes("old", by_unit(&segment, bytes)).expect("opened");
    for (segment, all) in [(segment, [1, 0]), (old, [0, 1])] {
        let met = |looked_up: bool| {
            let (key, mut units) = (key_of(9), Vec::new());
            let list = segment.list(key).expect("a list");
            segment.meet(list, key, looked_up, |unit| units.push(unit)).expect("met");
            units
        };
        assert_eq!(met(true), [1]);
        assert_eq!(met(false), all);
    }
}

#[test]
fn segments_of_different_kinds_are_no_index() {
    let segments = [true, false].map(|is_ranked| {
        let kind = Kind { of_sentences: true, is_counted: false, is_ranked, has_places: false };
        let (bundle, postings) = made(kind, &[vec![vec![1, 2, 9]]]);
        Segment::from_bytes("test", build(&bundle, &postings).expect("built")).expect("opened")
    });
    let items: Vec<&Segment> = (0..600).map(|n| &segments[n / 300]).collect();
    let load = |loader: &mut Loader, items: &[&Segment]| {
        items.iter().try_for_each(|segment| loader.document(segment, 0))
    };
    let pool = kernel::pool::pool(2).expect("threads");
    let loaded = pool.install(|| Loader::load(Loader::default, &items, load));
    assert!(matches!(loaded, Err(kernel::Error::Damaged(_))));
}

#[test]
fn blocks_of_either_size_are_read_and_checked() {
    let kind = Kind { of_sentences: true, is_counted: false, is_ranked: true, has_places: true };
    let documents: Vec<Document> = (0..90).map(|n| vec![vec![n, n + 1], vec![n + 2]]).collect();
    let (bundle, postings) = made(kind, &documents);
    let new = build(&bundle, &postings).expect("built");
    assert_ne!(flags(&new) & SMALL_BLOCKS, 0);
    let old = with_flags(new.clone(), flags(&new) & !SMALL_BLOCKS);
    let [new_told, old_told] = [&new, &old].map(|bytes| {
        let segment = Segment::from_bytes("test", bytes.clone()).expect("opened");
        segment.check().expect("whole");
        asked(&segment, documents.len() as u32)
    });
    assert_eq!(new_told, old_told);
    for mut bytes in [new, old] {
        let at = content(bytes.clone()).len() - 1;
        bytes[at] ^= 1;
        let segment = Segment::from_bytes("test", bytes).expect("opened");
        let told = segment.check().expect_err("damaged").to_string();
        let size = Blocks::of(segment.head().flags).size();
        assert!(told.contains(&format!("at byte {};", at / size * size)), "{told}");
    }
}

proptest! {
    #[test]
    fn what_was_written_is_read(kind in kinds(), documents in documents()) {
        let (bundle, postings) = made(kind, &documents);
        let bytes = build(&bundle, &postings).expect("built");
        let again = build(&bundle, &postings).expect("built");
        prop_assert_eq!(&bytes, &again);
        let segment = Segment::from_bytes("test", bytes).expect("opened");
        segment.check().expect("whole");
        let mut loader = Loader::default();
        for document in 0..documents.len() as u32 {
            loader.document(&segment, document).expect("loaded");
        }
        let loaded = loader.end();
        prop_assert_eq!(&loaded.entries, &bundle.entries);
        prop_assert_eq!(&loaded.places, &bundle.places);
        prop_assert_eq!(loaded.features.into_plain(), bundle.features.clone().into_plain());
        for term in 0..40_u64 {
            let mut met = Vec::new();
            let list = segment.list(key_of(term)).expect("list");
            segment.meet(list, key_of(term), false, |unit| met.push(unit)).expect("met");
            let mut holders = Vec::new();
            for unit in met {
                segment.holders(unit, |holder| holders.push(holder as usize)).expect("held");
            }
            for (n, document) in documents.iter().enumerate() {
                let sentences = if kind.of_sentences { &document[..] } else { &document[..1] };
                let stores = sentences.iter().any(|words| words.contains(&term));
                prop_assert!(!stores || holders.contains(&n), "{} in {}", term, n);
            }
        }
    }

    #[test]
    fn several_threads_load_what_one_does(
        kind in kinds(), some in documents(), others in documents(), turn in 1_usize..700,
    ) {
        let [some, others] = [some, others].map(|documents| {
            let (bundle, postings) = made(kind, &documents);
            let bytes = build(&bundle, &postings).expect("built");
            (Segment::from_bytes("test", bytes).expect("opened"), documents.len())
        });
        let item = |n: usize| {
            let (segment, documents) = if n < turn { &some } else { &others };
            (segment, (n % documents) as u32)
        };
        let items: Vec<(&Segment, u32)> = (0..700).map(item).collect();
        let load = |loader: &mut Loader, items: &[(&Segment, u32)]| {
            items.iter().try_for_each(|&(segment, document)| loader.document(segment, document))
        };
        let loaded = |threads| {
            let behind = || Loader::behind(made(kind, &[vec![vec![1, 50]]]).0.features);
            let pool = kernel::pool::pool(threads).expect("threads");
            let loaded = pool.install(|| Loader::load(behind, &items, load));
            let mut loaded = loaded.expect("loaded").end();
            let features = std::mem::take(&mut loaded.features);
            let are_sorted = features.ranked.as_ref().is_none_or(|ranked| {
                (0..features.n_units()).all(|unit| ranked.ranks[features.range(unit)].is_sorted())
            });
            (loaded, are_sorted, features.into_plain())
        };
        let (one, several) = (loaded(1), loaded(3));
        prop_assert!(one.1 && several.1);
        prop_assert_eq!(one, several);
    }

    #[test]
    fn a_changed_byte_is_always_found(
        kind in kinds(), documents in documents(), at in any::<prop::sample::Index>(), bit in 0_u8..8,
    ) {
        let (bundle, postings) = made(kind, &documents);
        let bytes = build(&bundle, &postings).expect("built");
        let mut other = bytes.clone();
        other[at.index(bytes.len())] ^= 1_u8 << bit;
        let found = Segment::from_bytes("test", other).and_then(|segment| {
            asked(&segment, documents.len() as u32);
            segment.check()
        });
        prop_assert!(found.is_err());
    }

    #[test]
    fn another_length_is_always_found(
        kind in kinds(), documents in documents(), cut in any::<prop::sample::Index>(),
        more in prop::collection::vec(any::<u8>(), 1..40),
    ) {
        let (bundle, postings) = made(kind, &documents);
        let bytes = build(&bundle, &postings).expect("built");
        let cut = bytes[..cut.index(bytes.len())].to_vec();
        let longer = [bytes, more].concat();
        for other in [cut, longer] {
            prop_assert!(Segment::from_bytes("test", other).is_err());
        }
    }

    #[test]
    fn nothing_panics_even_if_checksums_were_made_again(
        kind in kinds(), documents in documents(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..30),
        has_head in any::<bool>(),
    ) {
        let (bundle, postings) = made(kind, &documents);
        let mut bytes = content(build(&bundle, &postings).expect("built"));
        for (at, byte) in changes {
            // Numbers of documents and places of sections, or what these lead to.
            let at = if has_head { 16 + at.index(HEAD - 16) } else { HEAD + at.index(bytes.len() - HEAD) };
            bytes[at] = byte;
        }
        if let Ok(segment) = Segment::from_bytes("test", sealed(bytes)) {
            segment.check().expect("checksums were made again");
            asked(&segment, documents.len() as u32);
        }
    }

    #[test]
    fn any_bytes_are_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        prop_assert!(Segment::from_bytes("test", bytes.clone()).is_err());
        let mut with_magic = b"2toldseg\x01\0\0\0\x01\0\0\0".to_vec();
        with_magic.extend(bytes);
        if with_magic.len() >= HEAD
            && let Ok(segment) = Segment::from_bytes("test", sealed(with_magic))
        {
            asked(&segment, 3);
        }
    }
}
