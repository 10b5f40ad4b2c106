//! Is a tool read once, a message beside it, and a file refused that is no reader? By a small reader with numbers that only look random.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use waypost_core::arguments::SlotOutput;

use super::*;

/// Layers of the small reader.
const LAYERS: usize = 2;

/// Numbers that look random, the same each time.
struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| (self.next() >> 24) as u8).collect()
    }
}

/// A model file in the making.
struct File {
    header: Map<String, Value>,
    data: Vec<u8>,
    numbers: Numbers,
}

impl File {
    fn put(&mut self, name: &str, dtype: &str, shape: &[usize], bytes: &[u8]) {
        let start = self.data.len();
        self.data.extend(bytes);
        let tensor = json!({"dtype": dtype, "shape": shape, "data_offsets": [start, self.data.len()]});
        self.header.insert(name.to_owned(), tensor);
    }

    fn floats(&mut self, name: &str, shape: &[usize], value: f32) {
        let bytes: Vec<u8> = (0..shape.iter().product()).flat_map(|_| value.to_le_bytes()).collect();
        self.put(name, "F32", shape, &bytes);
    }

    /// Small numbers of either sign.
    fn small(&mut self, name: &str, shape: &[usize]) {
        let numbers: Vec<u8> = self.numbers.bytes(shape.iter().product());
        let bytes: Vec<u8> =
            numbers.iter().flat_map(|byte| (f32::from(byte.cast_signed()) / 500.0).to_le_bytes()).collect();
        self.put(name, "F32", shape, &bytes);
    }

    fn rows(&mut self, name: &str, rows: usize, inputs: usize) {
        let bytes = self.numbers.bytes(rows * inputs);
        self.put(name, "I8", &[rows, inputs], &bytes);
        self.floats(&format!("{name}.scale"), &[rows], 0.001);
    }

    fn matrix(&mut self, name: &str, rows: usize, inputs: usize) {
        self.rows(name, rows, inputs);
        self.floats(&format!("{name}.bias"), &[rows], 0.0);
    }

    fn norm(&mut self, name: &str) {
        self.floats(&format!("{name}.weight"), &[WIDTH], 1.0);
        self.floats(&format!("{name}.bias"), &[WIDTH], 0.0);
    }

    fn finish(mut self, source: &str) -> Vec<u8> {
        let sum: String = Sha256::digest(&self.data).iter().map(|byte| format!("{byte:02x}")).collect();
        let note = json!({"format": "waypost-encoder-1", "sha256": sum, "source": source});
        self.header.insert("__metadata__".to_owned(), note);
        let header = serde_json::to_vec(&self.header).unwrap();
        let length = (header.len() as u64).to_le_bytes();
        [&length[..], &header, &self.data].concat()
    }
}

fn model(source: &str) -> Vec<u8> {
    let mut file = File { header: Map::new(), data: Vec::new(), numbers: Numbers(0x2545_f491) };
    file.floats("live", &[1], 1.0);
    file.rows("places", PLACES, WIDTH);
    file.small("types", &[TYPES, WIDTH]);
    file.norm("norm");
    for at in 0..LAYERS {
        file.matrix(&format!("{at}.qkv"), 3 * WIDTH, WIDTH);
        file.matrix(&format!("{at}.out"), WIDTH, WIDTH);
        file.matrix(&format!("{at}.up"), 4 * WIDTH, WIDTH);
        file.matrix(&format!("{at}.down"), WIDTH, 4 * WIDTH);
        file.norm(&format!("{at}.norm_a"));
        file.norm(&format!("{at}.norm_b"));
    }
    for (name, rows) in [("ask", 384), ("tell", 384), ("seek", 96), ("show", 96)] {
        file.matrix(name, rows, WIDTH);
    }
    let judged = 3 * WIDTH;
    for (name, rows, inputs) in [
        ("none", 1, WIDTH),
        ("bias", 2, WIDTH),
        ("flag", 1, judged),
        ("noon", 1, judged),
        ("doubt", 1, judged),
        ("pick", 1, judged),
        ("stance", 4, judged),
        ("act", 8, WIDTH),
        ("several", 1, WIDTH),
        ("unmet", 1, WIDTH),
    ] {
        file.small(&format!("head.{name}.weight"), &[rows, inputs]);
        file.floats(&format!("head.{name}.bias"), &[rows], 0.0);
    }
    file.finish(source)
}

fn small_reader() -> Reader {
    let source = format!("routes {}", FewShot::shipped().unwrap().id());
    Reader::read(model(&source).into()).unwrap()
}

fn form() -> Form {
    let schema = json!({"properties": {
        "city": {"type": "string", "description": "where to"},
        "size": {"enum": ["small", "large"]},
        "tags": {"type": "array", "items": {"type": "string"}},
    }});
    Form::read("bookRoom", "Books a room", Some(&schema)).unwrap()
}

#[test]
fn what_is_read_is_likely_and_stands_in_the_text() {
    let (reader, form) = (small_reader(), form());
    let tool = reader.keep(&form);
    let (text, earlier) = ("a large room in São Paulo, quiet and cheap", ["hello there", "my city is Lyon"]);
    let reading = reader.read_message(&tool, text, &earlier);
    assert_eq!(reading.slots.len(), form.slots.len());
    assert!((reading.acts.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{:?}", reading.acts);
    for (slot, seen) in form.slots.iter().zip(&reading.slots) {
        let likely = seen.none + seen.pieces.iter().map(|(_, likely)| likely).sum::<f32>();
        assert!((0.0..=1.0 + 1e-5).contains(&likely), "{}: {likely}", slot.name);
        assert!(seen.pieces.is_sorted_by(|(_, one), (_, next)| one >= next));
        assert!((seen.choices.iter().sum::<f32>() + seen.none_wanted - 1.0).abs() < 1e-5);
        assert_eq!(seen.choices.len(), if slot.closed { 2 } else { 0 });
        for (piece, _) in seen.pieces.iter().chain(&seen.parts) {
            let source = piece.turn.map_or(text, |turn| earlier[turn]);
            assert!(!piece.span.of(source).is_empty(), "{piece:?}");
        }
    }
    // The same numbers on every machine, whatever its registers.
    let bits = |seen: &SlotOutput| u64::from(seen.none.to_bits()) + u64::from(seen.yes.to_bits());
    assert_eq!(reading.slots.iter().map(bits).sum::<u64>(), GOLDEN_BITS);
}

const GOLDEN_BITS: u64 = 5_910_476_959;

#[test]
fn only_the_beginning_of_a_long_message_is_read() {
    let reader = small_reader();
    let tokens =
        reader.message(&"word ".repeat(1000), &["one two three".repeat(100).as_str()], &Spelling::default());
    assert_eq!(tokens.ids.len(), 1 + HISTORY_TOKENS + MESSAGE_TOKENS + 1);
    assert_eq!(tokens.types.iter().filter(|kind| **kind == OF_HISTORY).count(), HISTORY_TOKENS);
    let many: Vec<String> = (0..=32).map(|at| format!("value {at}")).collect();
    let wide = json!({"properties": {"kind": {"enum": many}}});
    let wide = reader.keep(&Form::read("wide", "", Some(&wide)).unwrap());
    assert!(wide.values.is_empty() && !wide.is_cut, "too many values are looked for in the message instead");
    let none = reader.read_message(&reader.keep(&Form::read("ping", "", None).unwrap()), "", &[]);
    assert!(none.slots.is_empty());
}

#[test]
fn a_file_that_is_no_reader_is_refused() {
    let other = Reader::read(model("routes 00").into());
    assert!(matches!(other, Err(ModelError::Unsupported(_))), "{other:?}");
    let routes = include_bytes!("../../../models/routes.safetensors");
    assert!(Reader::read(routes.as_slice().into()).is_err());
    let missing = Reader::open(Path::new("/no/such/reader"));
    assert!(missing.unwrap_err().to_string().contains("/no/such/reader"));
}
