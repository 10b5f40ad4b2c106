//! How do processors with AMX multiply? Sixteen tokens with sixteen rows at once, and exactly, as all others do.
//!
//! The instructions are not stable in `std::arch` yet, so they are written as assembly. Values of [`Tiles`] exist only where the processor
//! and the system allow them.
#![allow(unsafe_code)]

use std::arch::asm;
use std::sync::OnceLock;

/// Rows of a tile: tokens, rows of weights, or fours of inputs.
const SIDE: usize = 16;
/// Bytes of a tile's row: inputs of a token, or four inputs of sixteen rows of weights.
pub(super) const INPUTS: usize = 64;
/// Numbers of a tile.
const TILE: usize = SIDE * INPUTS;
/// Products of one pass: a sum for each of two tiles of weights.
const SUMS: usize = 2 * SIDE * SIDE;

/// Numbers as the tiles load them.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Tile([i8; TILE]);

/// Sums as the tiles store them.
#[repr(C, align(64))]
struct Sums([i32; SUMS]);

/// Shapes of the eight tiles, as the processor reads them.
#[repr(C, align(64))]
struct Shapes {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

/// Proof that tiles can be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiles(());

impl Tiles {
    /// The tiles, where processor and system allow them.
    pub(super) fn try_new() -> Option<Tiles> {
        static ALLOWED: OnceLock<bool> = OnceLock::new();
        ALLOWED.get_or_init(|| exist() && allowed()).then_some(Tiles(()))
    }

    /// Packs a matrix, given row by row, for two tiles of rows after the other.
    pub(super) fn pack(weights: &[u8], rows: usize, inputs: usize) -> Vec<Tile> {
        let mut tiles = Vec::with_capacity(weights.len() / TILE);
        for first_row in (0..rows).step_by(SIDE) {
            for first_input in (0..inputs).step_by(INPUTS) {
                let mut tile = Tile([0; TILE]);
                for (row, start) in
                    (first_row..first_row + SIDE).map(|row| row * inputs + first_input).enumerate()
                {
                    let weights = weights.get(start..start + INPUTS).unwrap_or_default();
                    for (four, weights) in weights.as_chunks::<4>().0.iter().enumerate() {
                        let at = four * INPUTS + 4 * row;
                        if let Some(place) = tile.0.get_mut(at..at + 4) {
                            place.copy_from_slice(&weights.map(u8::cast_signed));
                        }
                    }
                }
                tiles.push(tile);
            }
        }
        tiles
    }

    /// The product of every row with every token, token by token.
    #[allow(clippy::unused_self)] // it proves that there are tiles
    pub(super) fn multiply(self, weights: &[Tile], rows: usize, inputs: usize, tokens: &[i8]) -> Vec<i32> {
        // SAFETY: `Tiles` exist only where the processor has what the function is compiled for.
        unsafe { multiply_wide(weights, rows, inputs, tokens) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn multiply_wide(weights: &[Tile], rows: usize, inputs: usize, tokens: &[i8]) -> Vec<i32> {
    let (depth, count) = (inputs / INPUTS, tokens.len() / inputs);
    let mut products = vec![0; rows * count];
    if count == 0 {
        return products;
    }
    // Blocks of the same height, so that the tiles keep their shapes.
    let height = count.div_ceil(count.div_ceil(SIDE));
    let mut blocks = Vec::with_capacity(count.div_ceil(height));
    for tokens in tokens.chunks(height * inputs) {
        blocks.push(in_tiles(tokens, inputs));
    }
    let shapes = Shapes::of(height);
    let mut sums = Sums([0; SUMS]);
    // SAFETY: `Tiles` exist only where the instructions do; the shapes are valid and live through the call.
    unsafe {
        asm!(
            "ldtilecfg [{shapes}]",
            shapes = in(reg) &raw const shapes,
            out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
            out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
            options(nostack, readonly),
        );
    }
    for (double, weights) in weights.chunks_exact(2 * depth).enumerate() {
        let (one, two) = weights.split_at(depth);
        for (block, tokens) in blocks.iter().enumerate() {
            // SAFETY: the tiles are configured for blocks of this height.
            unsafe { pass(tokens, one, two, &mut sums) };
            for token in 0..height.min(count - block * height) {
                let start = (block * height + token) * rows + 2 * SIDE * double;
                let Some(products) = products.get_mut(start..start + 2 * SIDE) else { continue };
                for (half, products) in products.chunks_exact_mut(SIDE).enumerate() {
                    let start = half * SIDE * SIDE + token * SIDE;
                    products.copy_from_slice(sums.0.get(start..start + SIDE).unwrap_or(&[0; SIDE]));
                }
            }
        }
    }
    // SAFETY: gives the tiles back; nothing uses them after this.
    unsafe {
        asm!(
            "tilerelease",
            out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
            out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
            options(nostack, nomem),
        );
    }
    products
}

impl Shapes {
    /// Two tiles of sums, one of tokens, two of weights.
    fn of(tokens: usize) -> Shapes {
        let height = u8::try_from(tokens).unwrap_or_default();
        let side = 16;
        let rows = [height, height, height, side, side];
        Shapes {
            palette: 1,
            start_row: 0,
            reserved: [0; 14],
            row_bytes: std::array::from_fn(|tile| if tile < rows.len() { 64 } else { 0 }),
            rows: std::array::from_fn(|tile| rows.get(tile).copied().unwrap_or_default()),
        }
    }
}

/// A few tokens as tiles.
fn in_tiles(tokens: &[i8], inputs: usize) -> Vec<Tile> {
    let mut tiles = vec![Tile([0; TILE]); inputs / INPUTS];
    for (at, token) in tokens.chunks_exact(inputs).enumerate() {
        for (numbers, tile) in token.chunks_exact(INPUTS).zip(&mut tiles) {
            if let Some(place) = tile.0.get_mut(at * INPUTS..(at + 1) * INPUTS) {
                place.copy_from_slice(numbers);
            }
        }
    }
    tiles
}

/// Sums over the whole depth: the tokens with the first rows, then with the second.
///
/// # Safety
///
/// The tiles must be configured as [`Shapes::of`] says, on this thread.
unsafe fn pass(tokens: &[Tile], one: &[Tile], two: &[Tile], sums: &mut Sums) {
    let depth = tokens.len().min(one.len()).min(two.len());
    if depth == 0 {
        return;
    }
    // SAFETY: every slice has at least `depth` tiles of the 1024 bytes that a load of the configured shapes reads at most; `sums` has
    // the two times 1024 bytes that are stored. The caller has configured the tiles.
    unsafe {
        asm!(
            "tilezero tmm0",
            "tilezero tmm1",
            "2:",
            "tileloadd tmm2, [{tokens} + {row}*1]",
            "tileloadd tmm3, [{one} + {row}*1]",
            "tileloadd tmm4, [{two} + {row}*1]",
            "tdpbssd tmm0, tmm2, tmm3",
            "tdpbssd tmm1, tmm2, tmm4",
            "add {tokens}, 1024",
            "add {one}, 1024",
            "add {two}, 1024",
            "dec {depth}",
            "jnz 2b",
            "tilestored [{sums} + {row}*1], tmm0",
            "tilestored [{sums} + {row}*1 + 1024], tmm1",
            tokens = inout(reg) tokens.as_ptr() => _,
            one = inout(reg) one.as_ptr() => _,
            two = inout(reg) two.as_ptr() => _,
            depth = inout(reg) depth => _,
            sums = in(reg) sums.0.as_mut_ptr(),
            row = in(reg) INPUTS,
            out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
            out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
            options(nostack),
        );
    }
}

/// Whether the processor has tiles and multiplies eight-bit numbers in them.
fn exist() -> bool {
    const FEATURES: u32 = 7;
    const TILES_AND_BYTES: u32 = 1 << 24 | 1 << 25;
    let found = std::arch::x86_64::__cpuid_count(FEATURES, 0);
    let registers = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl");
    registers && found.edx & TILES_AND_BYTES == TILES_AND_BYTES
}

/// Asks the system for the tiles; Linux keeps their 8 KiB for no process that does not ask.
#[cfg(target_os = "linux")]
fn allowed() -> bool {
    const ARCH_PRCTL: i64 = 158;
    const REQUEST_PERMISSION: u64 = 0x1023;
    const TILE_DATA: u64 = 18;
    let result: i64;
    // SAFETY: a system call that takes two numbers and touches no memory of ours.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") ARCH_PRCTL => result,
            in("rdi") REQUEST_PERMISSION,
            in("rsi") TILE_DATA,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    result == 0
}

/// Elsewhere there is no way to ask that is known here.
#[cfg(not(target_os = "linux"))]
fn allowed() -> bool {
    false
}
