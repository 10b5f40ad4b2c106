//! What does a text mean, to a sentence transformer? A BERT model from a folder, run in process.
//!
//! The folder is laid out as on the Hugging Face hub: `config.json`, `vocab.txt` and `model.safetensors`, for instance those of
//! all-MiniLM-L6-v2. Nothing is downloaded. A vector is the mean of a text's token states, brought to length one.

mod files;
mod layers;

use std::fmt;
use std::path::Path;

use self::files::{Settings, Tensors, digest_of, read_vocabulary, special};
use self::layers::{Batch, Bert};
use waypost_core::signals::Tier;

use super::answers::bring_to_length_one;

use super::tokens::{TokenId, Vocabulary};
use super::weights::ModelError;
use super::{EncodeError, Encoder};

/// Most tokens of a text, its two marks among them: what sentence models of this kind were trained to read.
const TOKENS_MAX: usize = 256;
/// Most tokens that are computed together, filling included: enough for products at full speed, while their states
/// stay in the cache. Twice or half as many took as long or longer.
const BATCH_TOKENS_MAX: usize = 512;

/// A sentence transformer.
pub struct Transformer {
    id: String,
    vocabulary: Vocabulary,
    /// The tokens before and behind every text.
    marks: [TokenId; 2],
    bert: Bert,
}

impl fmt::Debug for Transformer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transformer").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Transformer {
    /// Reads a model from its folder.
    pub fn read(folder: &Path) -> Result<Transformer, ModelError> {
        let settings = Settings::read(folder)?;
        let vocabulary = read_vocabulary(folder, settings.vocab_size)?;
        let marks = [special(folder, &vocabulary, "[CLS]")?, special(folder, &vocabulary, "[SEP]")?];
        let mut tensors = Tensors::read(folder)?;
        let bert = Bert::read(&settings, &mut tensors)?;
        // Another vocabulary or another setting gives other vectors, though the weights be the same.
        let id =
            format!("transformer {} {}", tensors.sha256, digest_of(folder, &["config.json", "vocab.txt"])?);
        Ok(Transformer { id, vocabulary, marks, bert })
    }

    fn tokens(&self, text: &str) -> Vec<TokenId> {
        let [before, behind] = self.marks;
        let mut tokens = vec![before];
        self.vocabulary.tokenize(text, &mut tokens);
        tokens.truncate(TOKENS_MAX.min(self.bert.places_max).saturating_sub(1));
        tokens.push(behind);
        tokens
    }

    /// The vectors of texts of like length.
    fn vectors(&self, texts: &[&[TokenId]], length: usize) -> Result<Vec<Vec<f32>>, EncodeError> {
        let states = self.bert.states(&Batch { texts, length });
        let states = states.map_err(|error| EncodeError::Failed(error.to_string()))?;
        let mut vectors = vec![Vec::with_capacity(self.bert.hidden); texts.len()];
        for row in states.chunks_exact(texts.len() * length) {
            for ((vector, tokens), states) in vectors.iter_mut().zip(texts).zip(row.chunks_exact(length)) {
                // The sum serves as well as the mean: the vector is brought to length one.
                vector.push(states.iter().take(tokens.len()).sum());
            }
        }
        vectors.iter_mut().try_for_each(|vector| bring_to_length_one(vector)).map_err(EncodeError::Failed)?;
        Ok(vectors)
    }
}

impl Encoder for Transformer {
    fn id(&self) -> &str {
        &self.id
    }

    fn dimensions(&self) -> usize {
        self.bert.hidden
    }

    fn tier(&self) -> Tier {
        Tier::Transformer
    }

    fn is_costly(&self) -> bool {
        true
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        let mut texts: Vec<(usize, Vec<TokenId>)> =
            texts.iter().map(|text| self.tokens(text)).enumerate().collect();
        texts.sort_by_key(|(_, tokens)| tokens.len());
        let mut vectors = vec![Vec::new(); texts.len()];
        let mut rest = texts.as_slice();
        while !rest.is_empty() {
            let (batch, later) = rest.split_at(batch_size(rest));
            let tokens: Vec<&[TokenId]> = batch.iter().map(|(_, tokens)| tokens.as_slice()).collect();
            let length = tokens.last().map_or(0, |longest| longest.len());
            for ((at, _), found) in batch.iter().zip(self.vectors(&tokens, length)?) {
                if let Some(vector) = vectors.get_mut(*at) {
                    *vector = found;
                }
            }
            rest = later;
        }
        Ok(vectors)
    }
}

/// How many of the texts, shortest first, are computed together.
fn batch_size(texts: &[(usize, Vec<TokenId>)]) -> usize {
    let fits = |(before, (_, tokens)): &(usize, &(usize, Vec<TokenId>))| {
        (before + 1) * tokens.len() <= BATCH_TOKENS_MAX
    };
    texts.iter().enumerate().take_while(fits).count().max(1)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::{Value, json};

    use super::*;

    /// The vectors of four texts, in millionths, by another implementation: row by row, in double precision, with the
    /// real error function.
    const EXPECTED: [(&str, [i32; 16]); 4] = [
        (
            "",
            [
                477_303, -156_194, 53_751, -187_033, -425_542, -195_117, -189_854, 358_626, -133_728,
                204_661, 428_861, 214_288, 99_969, -106_698, 100_253, -71_147,
            ],
        ),
        (
            "w7",
            [
                382_394, -157_301, 136_230, -172_465, -423_877, -240_034, -170_144, 321_570, -113_108,
                183_864, 481_479, 191_159, 192_359, -164_597, 161_712, -76_653,
            ],
        ),
        (
            "W7 w8a, unheard",
            [
                338_158, -233_224, 356_291, -78_770, -421_294, -347_134, -192_072, 354_360, -23_806, 172_151,
                290_240, 225_174, 111_749, -180_248, 165_830, -5_661,
            ],
        ),
        // Longer than the model has places: what is behind the last is not read.
        (
            "w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19 w20 w21 w22 w23 w24 w25 w26 w27 w28 w29",
            [
                381_357, -233_491, 235_412, -123_452, -446_684, -325_638, -141_846, 366_639, -62_625,
                197_827, 369_895, 232_169, 102_219, -133_909, 82_904, -15_621,
            ],
        ),
    ];

    /// Writes a BERT of two small layers; its weights look random and are always the same.
    fn write(folder: &Path, prefix: &str) {
        let settings = json!({
            "model_type": "bert", "hidden_act": "gelu", "hidden_size": 16, "intermediate_size": 32,
            "num_hidden_layers": 2, "num_attention_heads": 2, "max_position_embeddings": 24,
            "type_vocab_size": 2, "vocab_size": 100, "layer_norm_eps": 1e-12,
        });
        fs::write(folder.join("config.json"), settings.to_string()).unwrap();
        let marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"].map(str::to_owned).into_iter();
        let words = (5..95).map(|n| format!("w{n}")).chain(('a'..='e').map(|c| format!("##{c}")));
        fs::write(folder.join("vocab.txt"), marks.chain(words).collect::<Vec<_>>().join("\n")).unwrap();
        let (mut header, mut data, mut state) = (serde_json::Map::new(), Vec::new(), 1_u64);
        for (name, shape) in tensors() {
            let start = data.len();
            for _ in 0..shape.iter().product() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                #[allow(clippy::cast_precision_loss)] // 24 bits
                let value = (state >> 40) as f32 / 16_777_216.0 - 0.5;
                let value = if name.ends_with("LayerNorm.weight") { value + 1.0 } else { value };
                data.extend(value.to_le_bytes());
            }
            let place = json!({ "dtype": "F32", "shape": shape, "data_offsets": [start, data.len()] });
            header.insert(format!("{prefix}{name}"), place);
        }
        header.insert("__metadata__".to_owned(), json!({ "format": "pt" }));
        let header = Value::Object(header).to_string();
        let whole = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &data].concat();
        fs::write(folder.join("model.safetensors"), whole).unwrap();
    }

    fn tensors() -> Vec<(String, Vec<usize>)> {
        let tables = [("word", 100), ("position", 24), ("token_type", 2)];
        let mut all: Vec<(String, Vec<usize>)> = tables
            .map(|(name, rows)| (format!("embeddings.{name}_embeddings.weight"), vec![rows, 16]))
            .to_vec();
        let mut add = |name: String, shape: Vec<usize>| {
            let rows = shape[0];
            all.extend([(format!("{name}.weight"), shape), (format!("{name}.bias"), vec![rows])]);
        };
        add("embeddings.LayerNorm".to_owned(), vec![16]);
        for layer in 0..2 {
            for (part, rows, inputs) in [
                ("attention.self.query", 16, 16),
                ("attention.self.key", 16, 16),
                ("attention.self.value", 16, 16),
                ("attention.output.dense", 16, 16),
                ("intermediate.dense", 32, 16),
                ("output.dense", 16, 32),
            ] {
                add(format!("encoder.layer.{layer}.{part}"), vec![rows, inputs]);
            }
            for part in ["attention.output", "output"] {
                add(format!("encoder.layer.{layer}.{part}.LayerNorm"), vec![16]);
            }
        }
        all
    }

    fn close(one: &[f32], two: &[f32]) -> bool {
        one.len() == two.len() && one.iter().zip(two).all(|(one, two)| (one - two).abs() < 1e-5)
    }

    #[test]
    fn vectors_are_those_of_another_implementation() {
        for prefix in ["", "bert."] {
            let folder = tempfile::tempdir().unwrap();
            write(folder.path(), prefix);
            let model = Transformer::read(folder.path()).unwrap();
            for (text, expected) in EXPECTED {
                let vectors = model.encode(&[text]).unwrap();
                #[allow(clippy::cast_precision_loss)] // below 2^24
                let expected = expected.map(|millionths| millionths as f32 / 1e6);
                assert!(close(&vectors[0], &expected), "{text}: {vectors:?}");
            }
            assert_eq!((model.dimensions(), model.id().len()), (16, "transformer ".len() + 64 + 1 + 16));
        }
    }

    #[test]
    fn a_text_has_its_vector_in_whatever_company() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "");
        let model = Transformer::read(folder.path()).unwrap();
        // More than one batch, and all lengths in each.
        let texts: Vec<String> =
            (0..200).map(|n: usize| format!("w{} ", 5 + n % 90).repeat(n * 7 % 31)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let together = model.encode(&texts).unwrap();
        for (text, vector) in texts.iter().zip(&together) {
            assert!(close(&model.encode(&[text]).unwrap()[0], vector), "{text}");
            assert!((vector.iter().map(|value| value * value).sum::<f32>() - 1.0).abs() < 1e-5);
        }
        assert_eq!(model.encode(&[]).unwrap(), Vec::<Vec<f32>>::new());
    }

    /// Alters a file of a model, or takes it away, and expects the error to name it and say this.
    #[track_caller]
    fn check(file: &str, alter: impl FnOnce(Vec<u8>) -> Option<Vec<u8>>, expected: &str) {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "");
        let path = folder.path().join(file);
        match alter(fs::read(&path).unwrap()) {
            Some(altered) => fs::write(&path, altered).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        let error = Transformer::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert!(error.starts_with(&folder.path().display().to_string()), "{error}");
    }

    fn replace(from: &str, to: &str) -> impl FnOnce(Vec<u8>) -> Option<Vec<u8>> {
        let (from, to) = (from.to_owned(), to.to_owned());
        move |data| Some(String::from_utf8(data).unwrap().replacen(&from, &to, 1).into_bytes())
    }

    #[test]
    fn settings_and_vocabularies_that_do_not_fit_are_refused() {
        check("config.json", |_| None, "config.json: cannot be read");
        check("config.json", replace("{", "["), "config.json: not a model file");
        check("config.json", replace("hidden_size", "size"), "missing field `hidden_size`");
        check(
            "config.json",
            replace("\"bert\"", "\"mpnet\""),
            "its model_type is `mpnet`, and only `bert` is run",
        );
        check("config.json", replace("gelu", "relu"), "its hidden_act is `relu`");
        check("config.json", replace("heads\":2", "heads\":3"), "16 numbers do not divide among 3 heads");
        check("config.json", replace("1e-12", "0.0"), "its layer_norm_eps is not above nought");
        check("vocab.txt", |_| None, "vocab.txt: cannot be read");
        check(
            "vocab.txt",
            replace("[UNK]", "unk"),
            "vocab.txt: not a model file that this version reads: it has no `[UNK]`",
        );
        check("vocab.txt", replace("[SEP]", "sep"), "it has no `[SEP]`");
        check("vocab.txt", replace("w9", "Word"), "tells upper from lower case, as in `Word`");
        check("vocab.txt", replace("w9", "w9\nw9"), "it has 101 pieces, and config.json speaks of 100");
    }

    #[test]
    fn weights_that_are_missing_cut_or_altered_are_refused() {
        let file = "model.safetensors";
        check(file, |_| None, "model.safetensors: cannot be read");
        for cut in [0, 4, 20] {
            check(file, |data| Some(data[..cut].to_vec()), "model.safetensors: the model file is cut short");
        }
        check(file, |data| Some(data[..data.len() - 1].to_vec()), "cut short: data is missing");
        check(file, |data| Some([data, vec![0]].concat()), "there is more behind its last tensor");
        check(file, |_| Some(vec![0xff; 64]), "its header is too long");
        let alter = |at: usize, byte: u8| {
            move |mut data: Vec<u8>| {
                data[at] = byte;
                Some(data)
            }
        };
        check(file, alter(8, b'['), "model.safetensors: not a model file");
        let nan = |mut data: Vec<u8>| {
            data.truncate(data.len() - 4);
            Some([data, f32::NAN.to_le_bytes().to_vec()].concat())
        };
        check(file, nan, "holds what is no number");
        // Where the settings ask for what the weights have not, the weights are named.
        let folder = tempfile::tempdir().unwrap();
        for (from, to, expected) in [
            (
                "hidden_layers\":2",
                "hidden_layers\":3",
                "no fitting tensor `encoder.layer.2.attention.self.query.weight`",
            ),
            ("intermediate_size\":32", "intermediate_size\":48", "is [32, 16], and should be [48, 16]"),
        ] {
            write(folder.path(), "");
            let settings = fs::read(folder.path().join("config.json")).unwrap();
            fs::write(folder.path().join("config.json"), replace(from, to)(settings).unwrap()).unwrap();
            let error = Transformer::read(folder.path()).unwrap_err().to_string();
            assert!(error.contains(file) && error.contains(expected), "{error}");
        }
    }

    #[test]
    fn other_weights_are_another_encoder() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "");
        let id = Transformer::read(folder.path()).unwrap().id().to_owned();
        let path = folder.path().join("model.safetensors");
        let mut data = fs::read(&path).unwrap();
        *data.last_mut().unwrap() ^= 1;
        fs::write(&path, data).unwrap();
        assert_ne!(Transformer::read(folder.path()).unwrap().id(), id);
    }
}
