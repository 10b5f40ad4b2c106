//! Does our tokeniser give what the reference gives? Ten thousand texts of many scripts, token for token.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use tokenizers::models::wordpiece::WordPiece;
use tokenizers::normalizers::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;
use tokenizers::{AddedToken, Tokenizer};
use waypost::encode::Vocabulary;

const SPECIAL: &[&str] = &["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];

/// Stretches of Unicode that texts are drawn from: Latin with and without accents, Greek, Cyrillic, Hebrew, Arabic,
/// Devanagari, Thai, Hangul, punctuation, symbols, kana, ideographs, compatibility forms, emoji, marks, controls.
const SCRIPTS: &[(u32, u32)] = &[
    (0x20, 0x7e),
    (0xa0, 0x24f),
    (0x300, 0x36f),
    (0x370, 0x3ff),
    (0x400, 0x4ff),
    (0x5d0, 0x5ea),
    (0x600, 0x6ff),
    (0x900, 0x97f),
    (0xe00, 0xe7f),
    (0x1100, 0x11ff),
    (0x1e00, 0x1eff),
    (0x2000, 0x206f),
    (0x2070, 0x218f),
    (0x2190, 0x27bf),
    (0x3000, 0x30ff),
    (0x3400, 0x4dbf),
    (0x4e00, 0x9fff),
    (0xac00, 0xd7a3),
    (0xf900, 0xfaff),
    (0xfb00, 0xfb4f),
    (0xfe00, 0xfe0f),
    (0xff00, 0xffef),
    (0x10000, 0x10fff),
    (0x1d400, 0x1d7ff),
    (0x1f300, 0x1faff),
    (0x20000, 0x2a6df),
    (0x0, 0x1f),
    (0xe000, 0xe0ff),
];

/// Words that are taken apart, held together, or special.
const WORDS: &[&str] = &[
    "fix",
    "prefixes",
    "Fixing",
    "unfixable",
    "café",
    "naïve",
    "don't",
    "İstanbul",
    "ẞ",
    "ﬁx",
    "[CLS]",
    "[UNK]x",
    "[MASK",
    "hello,world",
    "a-b_c",
    "100%",
    "e\u{301}",
    "\u{200d}",
    "\u{feff}",
    "fi\u{ad}x",
    "ΣΊΣΥΦΟΣ",
    "Привет",
    "数据",
];

/// A vocabulary of our own: specials, letters and digits of several scripts alone and as further pieces, some words.
fn vocabulary() -> Vec<String> {
    let letters: Vec<char> =
        ('a'..='z').chain('0'..='9').chain('α'..='ω').chain('а'..='я').chain('א'..='ת').collect();
    let signs = "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~、。「」数据一人大".chars();
    let words =
        ["fix", "##fix", "##ing", "##es", "pre", "un", "##able", "cafe", "naive", "hello", "world", "don"];
    let mut pieces: Vec<String> = SPECIAL.iter().map(|special| (*special).to_owned()).collect();
    pieces.extend(signs.map(String::from));
    pieces.extend(letters.iter().map(ToString::to_string));
    pieces.extend(letters.iter().map(|letter| format!("##{letter}")));
    pieces.extend(words.map(str::to_owned));
    pieces
}

fn reference(pieces: &[String]) -> Tokenizer {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), pieces.join("\n")).unwrap();
    let model =
        WordPiece::from_file(file.path().to_str().unwrap()).unk_token("[UNK]".to_owned()).build().unwrap();
    let mut tokenizer = Tokenizer::new(model);
    tokenizer.with_normalizer(Some(BertNormalizer::default())).with_pre_tokenizer(Some(BertPreTokenizer));
    let special: Vec<AddedToken> = SPECIAL.iter().map(|special| AddedToken::from(*special, true)).collect();
    tokenizer.add_special_tokens(&special);
    tokenizer
}

/// Numbers that look random and are the same each time.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn text(&mut self) -> String {
        let between = [" ", "", "\t", "\n", "  "][usize::try_from(self.below(5)).unwrap()];
        let count = self.below(12);
        (0..count).map(|_| self.part()).collect::<Vec<_>>().join(between)
    }

    fn part(&mut self) -> String {
        if self.below(3) == 0 {
            return WORDS[usize::try_from(self.below(WORDS.len() as u64)).unwrap()].to_owned();
        }
        let (first, last) = SCRIPTS[usize::try_from(self.below(SCRIPTS.len() as u64)).unwrap()];
        let length = 1 + self.below(6);
        let char = |draw: &mut Draw| {
            char::from_u32(first + u32::try_from(draw.below(u64::from(last - first + 1))).unwrap())
        };
        (0..length).filter_map(|_| char(self)).collect()
    }
}

#[test]
fn ten_thousand_texts_of_many_scripts_are_taken_apart_alike() {
    let pieces = vocabulary();
    let (ours, reference) = (Vocabulary::read(&pieces.join("\n")).unwrap(), reference(&pieces));
    let mut draw = Draw(0x5eed_0fab);
    for number in 0..10_000 {
        let text = if number == 0 { "a".repeat(101) } else { draw.text() };
        let expected = reference.encode(text.as_str(), false).unwrap();
        let mut tokens = Vec::new();
        ours.tokenize(&text, &mut tokens);
        let placed: Vec<u32> = ours.tokenize_with_places(&text).into_iter().map(|(id, _)| id).collect();
        assert_eq!(placed, tokens, "{text:?}");
        assert_eq!(tokens, expected.get_ids(), "{text:?}");
    }
}
