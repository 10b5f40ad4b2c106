//! Do the two stages find what a plain search finds, and are files that are not whole refused?

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use tempfile::TempDir;

use super::query::Whole;
use super::registers::{BLOCK_ROWS, PAIR_BYTES, Plain, Registers, Work, on_each, place};
use super::*;

/// Centres that vectors are scattered around.
const CENTRES: u64 = 97;

/// Numbers that look random, around a centre, so that some rows are near to each other.
fn vector(seed: u64, dimensions: usize) -> Vec<f32> {
    let scattered = |seed: u64| {
        let mut state = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        std::iter::repeat_with(move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            f32::from((state >> 48) as u16) / 65_536.0 - 0.5
        })
    };
    let (centre, own) = (scattered(seed % CENTRES), scattered(seed + CENTRES));
    centre.zip(own).map(|(centre, own)| centre + own).take(dimensions).collect()
}

fn set(rows: usize, dimensions: usize) -> Vectors {
    let mut builder = Builder::new(dimensions).unwrap();
    for row in 0..rows {
        assert_eq!(builder.push(&vector(row as u64, dimensions)).unwrap() as usize, row);
    }
    builder.finish()
}

fn cosine(one: &[f32], other: &[f32]) -> f64 {
    let product =
        |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    product(one, other) / (product(one, one) * product(other, other)).sqrt()
}

/// The nearest rows by the similarities of all rows, sorted.
fn plainly(set: &Vectors, query: &[f32], k: usize, wanted: impl Fn(u32) -> bool) -> Vec<Near> {
    let mut similarities = Vec::new();
    set.similarities(query, &mut similarities);
    let mut all: Vec<Near> =
        (0..).zip(similarities).map(|(row, similarity)| Near { row, similarity }).collect();
    all.retain(|near| wanted(near.row));
    all.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then(a.row.cmp(&b.row)));
    all.truncate(k);
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn similarities_are_cosines(rows in 0_usize..70, blocks in 1_usize..6, seed in 1_000_u64..9_000) {
        let (dimensions, mut similarities) = (64 * blocks, Vec::new());
        let (set, query) = (set(rows, dimensions), vector(seed, dimensions));
        set.similarities(&query, &mut similarities);
        prop_assert_eq!(similarities.len(), rows);
        for (row, similarity) in similarities.into_iter().enumerate() {
            let exact = cosine(&vector(row as u64, dimensions), &query);
            prop_assert!((f64::from(similarity) - exact).abs() < 0.01, "{similarity} and {exact}");
            prop_assert!(similarity.abs() <= 1.000_001);
        }
    }

    #[test]
    fn few_rows_are_searched_exactly(rows in 0_usize..300, k in 0_usize..40, seed in 1_000_u64..9_000) {
        let (set, query) = (set(rows, 128), vector(seed, 128));
        let nearest = set.nearest(&query, k, 1);
        prop_assert_eq!(nearest.len(), k.min(rows));
        prop_assert_eq!(nearest, plainly(&set, &query, k, |_| true));
    }

    #[test]
    fn ranges_and_lists_leave_the_rest_out(
        ends in prop::collection::vec((0_u32..320, 0_u32..320), 0..5),
        among in prop::collection::vec(0_u32..320, 0..50),
        seed in 1_000_u64..9_000,
    ) {
        let (set, query) = (set(300, 64), vector(seed, 64));
        let ranges: Vec<Range<u32>> = ends.into_iter().map(|(start, end)| start..end).collect();
        let within = |row: u32| ranges.iter().any(|range| range.contains(&row));
        prop_assert_eq!(set.nearest_within(&query, &ranges, 9, 4), plainly(&set, &query, 9, within));
        prop_assert_eq!(set.nearest_among(&query, &among, 9), plainly(&set, &query, 9, |row| among.contains(&row)));
        // The first stage by itself, with room for all: every row of the ranges once, and no other.
        let worths = Whole::query(&query).unwrap().worths();
        let ranges = set.in_order(&ranges);
        let scan = Scan { vectors: &set, worths: &worths, ranges: &ranges, candidates: 1_000 };
        let mut found: Vec<u32> = on_widest(scan).into_iter().map(|(_, row)| row).collect();
        found.sort_unstable();
        prop_assert_eq!(found, (0..300).filter(|row| within(*row)).collect::<Vec<u32>>());
    }

    #[test]
    fn every_width_gives_the_plain_sums(blocks in 1_usize..40, seed in any::<u32>()) {
        struct Sums<'s>(&'s [[u8; PAIR_BYTES]], &'s [Worths], &'s [i16]);
        impl Work for Sums<'_> {
            type Output = ([u16; BLOCK_ROWS], i32);
            #[allow(clippy::inline_always)] // as the work of the library
            #[inline(always)]
            fn run<R: Registers>(self, registers: &R) -> Self::Output {
                (registers.weigh(self.0, self.1), registers.product(self.0.as_flattened(), self.2))
            }
        }
        let dimensions = 64 * blocks;
        let query = Whole::query(&vector(u64::from(seed), dimensions)).unwrap();
        let (worths, weights) = (query.worths(), query.weights());
        let bytes: Vec<u8> = vector(u64::from(seed) + 1, 32 * dimensions / 8)
            .iter().map(|value| value.to_bits().to_le_bytes()[1]).collect();
        let columns = bytes.as_chunks::<PAIR_BYTES>().0;
        let plain = Sums(columns, &worths, &query.numbers).run(&Plain);
        for sums in on_each(|| Sums(columns, &worths, &query.numbers)) {
            prop_assert_eq!(sums, plain);
        }
        for row in 0..BLOCK_ROWS {
            let bit = |at: usize| bytes[at / 8 * BLOCK_ROWS + place(row)] >> (at % 8) & 1 == 1;
            let agreeing = |at: usize| bit(at) == (query.numbers[at] >= 0);
            let worth: i32 = (0..dimensions).filter(|at| agreeing(*at)).map(|at| i32::from(weights[at])).sum();
            prop_assert_eq!(i32::from(plain.0[row]), worth);
        }
    }
}

#[test]
fn many_rows_are_searched_nearly_exactly() {
    let rows = 2 * ROWS_COMPARED_MAX + 5;
    let set = set(rows, 256);
    let (mut found, mut wanted) = (0, 0);
    for seed in 0..40 {
        let query = vector(100_000 + seed, 256);
        let exact = plainly(&set, &query, 10, |_| true);
        let nearest = set.nearest(&query, 10, OVERSAMPLE);
        found += nearest.iter().filter(|near| exact.contains(near)).count();
        wanted += exact.len();
        assert!(nearest.is_sorted_by(|a, b| a.similarity >= b.similarity));
        assert_eq!(set.nearest(&query, 10, rows), exact, "with room for all, nothing is missed");
        // The last block is not full, and ranges need not end where blocks do.
        let part = u32::try_from(rows).unwrap() - 5_001..u32::MAX;
        let near = set.nearest_within(&query, std::slice::from_ref(&part), 10, OVERSAMPLE);
        assert!(near.len() == 10 && near.iter().all(|near| part.contains(&near.row)));
    }
    assert!(found * 100 >= wanted * 95, "{found} of {wanted}");
}

#[test]
fn a_vector_finds_itself() {
    let set = set(ROWS_COMPARED_MAX + 100, 64);
    for row in [0, 31, 32, 4_000, 4_195] {
        let near = set.nearest(&vector(row, 64), 1, OVERSAMPLE);
        assert_eq!(u64::from(near[0].row), row);
        assert!(near[0].similarity > 0.999);
    }
}

#[test]
fn equal_rows_are_ordered_by_row() {
    let mut builder = Builder::new(64).unwrap();
    for row in 0..6_000 {
        builder.push(&vector(row % 3, 64)).unwrap();
    }
    let set = builder.finish();
    let rows = |near: Vec<Near>| near.into_iter().map(|near| near.row).collect::<Vec<_>>();
    assert_eq!(rows(set.nearest(&vector(1, 64), 4, 3)), [1, 4, 7, 10]);
    assert_eq!(rows(set.nearest_within(&vector(1, 64), &[5_000..5_100, 20..30], 4, 3)), [22, 25, 28, 5_002]);
    assert_eq!(rows(set.nearest_among(&vector(1, 64), &[10, 7, 7, 9_999, 1], 4)), [1, 7, 10]);
    assert_eq!(rows(set.nearest(&[0.0; 64], 3, 3)), [0, 1, 2], "without a direction all are alike");
}

#[test]
fn what_is_no_query_is_near_to_nothing() {
    let (set, mut similarities) = (set(40, 64), vec![1.0]);
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
        let mut query = vector(1, 64);
        query[3..].fill(value);
        assert!(set.nearest(&query, 5, 5).is_empty() && set.nearest_among(&query, &[1], 5).is_empty());
        set.similarities(&query, &mut similarities);
        assert!(similarities.is_empty());
    }
    assert!(set.nearest(&[1.0; 63], 5, 5).is_empty(), "another length");
    assert_eq!(set.nearest(&[f32::MIN_POSITIVE / 1e6; 64], 2, 5).len(), 2, "too small for a direction");
    assert_eq!(set.nearest(&vector(1, 64), 100, usize::MAX).len(), 40, "more than there are");
    assert!(set.nearest(&vector(1, 64), 0, 5).is_empty());
}

#[test]
fn what_is_no_vector_is_refused() {
    let code = |result: Result<u32, VectorsError>| result.unwrap_err().code();
    for dimensions in [0, 63, 100, 8_256] {
        assert_eq!(Builder::new(dimensions).unwrap_err().code(), "vectors_bad_dimensions");
    }
    let mut builder = Builder::new(64).unwrap();
    assert_eq!(code(builder.push(&[1.0; 65])), "vectors_wrong_dimensions");
    assert_eq!(code(builder.push(&[f32::NAN; 64])), "vectors_not_finite");
    assert_eq!(builder.push(&[0.0; 64]), Ok(0), "what is refused takes no row");
    assert_eq!(builder.finish().nearest(&[1.0; 64], 1, 1), [Near { row: 0, similarity: 0.0 }]);
}

#[test]
fn an_empty_set_has_nothing_near() {
    let (set, folder) = (set(0, 64), TempDir::new().unwrap());
    assert!(set.len() == 0 && set.nearest(&vector(1, 64), 5, 5).is_empty());
    let path = written(&set, &folder);
    let opened = Vectors::open(&path).unwrap();
    assert!(opened.len() == 0 && opened.nearest(&vector(1, 64), 5, 5).is_empty());
}

fn written(set: &Vectors, folder: &TempDir) -> PathBuf {
    let path = folder.path().join("vectors");
    let mut writer = Writer::create(&path, set.dimensions()).unwrap();
    for row in 0..set.len() {
        writer.copy(set, row).unwrap();
    }
    writer.finish().unwrap();
    path
}

#[test]
fn a_file_gives_what_was_written() {
    let folder = TempDir::new().unwrap();
    for (rows, dimensions) in [(1, 64), (33, 192), (ROWS_COMPARED_MAX + 77, 256)] {
        let set = set(rows, dimensions);
        let path = written(&set, &folder);
        let opened = Vectors::open(&path).unwrap();
        opened.verify(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), set.image.bytes(), "the same bytes in memory and in a file");
        assert_eq!((opened.len(), opened.dimensions()), (rows, dimensions));
        let query = vector(77_777, dimensions);
        assert_eq!(opened.nearest(&query, 10, 5), set.nearest(&query, 10, 5));
        assert_eq!(fs::metadata(&path).unwrap().len() % 64, 0);
    }
}

#[test]
fn vectors_go_into_a_file_as_into_memory() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("vectors");
    let mut writer = Writer::create(&path, 128).unwrap();
    for row in 0..70 {
        writer.push(&vector(row, 128)).unwrap();
    }
    assert!(writer.push(&[1.0]).is_err() && writer.push(&[f32::NAN; 128]).is_err());
    assert!(writer.copy(&set(1, 128), 1).is_err());
    writer.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), set(70, 128).image.bytes());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    assert!(Writer::create(&path, 100).is_err());
}

#[test]
fn a_file_that_is_not_whole_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = written(&set(40, 64), &folder);
    let whole = fs::read(&path).unwrap();
    let code = |bytes: &[u8]| {
        // Written beside and put in place, as what is mapped must not change.
        let beside = folder.path().join("beside");
        fs::write(&beside, bytes).unwrap();
        fs::rename(&beside, &path).unwrap();
        let opened = Vectors::open(&path).and_then(|set| set.verify(&path));
        opened.err().map(|error| {
            assert!(error.to_string().contains("vectors"), "{error}");
            error.code()
        })
    };
    assert_eq!(code(&whole), None);
    for cut in [0, 4, 8, 60, 127, 128, 1_000, whole.len() - 1] {
        assert_eq!(code(&whole[..cut]), Some("vectors_short"), "cut at {cut}");
    }
    assert_eq!(code(&[&whole[..], &[0]].concat()), Some("vectors_damaged"), "longer");
    assert_eq!(code(b"something else altogether"), Some("vectors_foreign"));
    let altered = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x81;
        bytes
    };
    for at in 0..whole.len() {
        let expected = match at {
            0..8 => "vectors_foreign",
            8..12 => "vectors_newer",
            96..128 => continue, // nothing stands there
            _ => "vectors_damaged",
        };
        assert_eq!(code(&altered(at)), Some(expected), "altered at {at}");
    }
    assert_eq!(Vectors::open(&folder.path().join("absent")).unwrap_err().code(), "vectors_io");
}

#[test]
fn similarities_are_the_same_to_the_bit_everywhere() {
    let set = set(ROWS_COMPARED_MAX + 500, 256);
    let near = set.nearest(&vector(77_777, 256), 20, 5);
    let bits = near.iter().map(|near| u64::from(near.similarity.to_bits()) ^ u64::from(near.row) << 32);
    assert_eq!(bits.fold(0_u64, |all, bits| all.rotate_left(5) ^ bits), 15_638_237_634_354_067_424);
}
