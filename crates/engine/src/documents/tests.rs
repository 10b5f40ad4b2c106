//! Are passages what the document says, where it says it?

use proptest::prelude::*;

use super::split::words;
use super::*;

fn passages(format: Format, text: &str) -> Vec<Passage> {
    read(format, text.as_bytes()).unwrap()
}

/// Holds passages against their headings, lines and texts.
fn check(format: Format, text: &str, expected: &[(&[&str], (usize, usize), &str)]) {
    let found = passages(format, text);
    let found: Vec<(Vec<&str>, (usize, usize), &str)> = found
        .iter()
        .map(|passage| {
            (passage.heading.iter().map(String::as_str).collect(), passage.lines, passage.text.as_str())
        })
        .collect();
    let expected: Vec<(Vec<&str>, (usize, usize), &str)> =
        expected.iter().map(|(heading, lines, text)| (heading.to_vec(), *lines, *text)).collect();
    assert_eq!(found, expected);
}

/// So many sentences of ten words, each on a line of its own.
fn prose(sentences: usize) -> String {
    (1..=sentences).map(|number| format!("Sentence {number} has in all ten words of this kind.\n")).collect()
}

#[test]
fn markdown_gives_headings_text_and_lines() {
    let text = format!(
        "---\ntitle: \"Guide\"\n---\n\n# Guide\n\n## Install\n\nRun `make` and see [the site](https://x.y).\n{}\n\
         ```sh\nmake all\n\nmake install\n```\n\n## Use\n\n- first\n- second\n\n{}",
        prose(4),
        prose(4)
    );
    let install = format!("Run make and see the site.\n{}\nmake all\n\nmake install", prose(4));
    let used = format!("- first\n- second\n\n{}", prose(4).trim_end());
    check(
        Format::Markdown,
        &text,
        &[(&["Guide", "Install"], (9, 18), &install), (&["Guide", "Use"], (23, 29), &used)],
    );
}

#[test]
fn markdown_tables_markup_and_footnotes_are_text() {
    let text = "| a | b |\n|---|---|\n| 1 | 2 |\n\n<p align=\"center\">\n<!-- not\nthis -->Logo <b>here</b>\n</p>\n\n\
                Text[^1] with <i>tags</i>.\n\n[^1]: The note.\n";
    check(
        Format::Markdown,
        text,
        &[(&[], (1, 12), "a | b | \n1 | 2 |\n\nLogo here\n\nText with tags.\n\nThe note.")],
    );
}

#[test]
fn a_table_that_lacks_cells_ends_where_it_ends() {
    check(Format::Markdown, "| a | b |\n|--|--|\n| c\n", &[(&[], (1, 3), "a | b | \nc |  |")]);
}

#[test]
fn restructured_text_is_read_by_its_underlines() {
    let text = format!(
        "=====\nGuide\n=====\n\n.. _target:\n\n.. toctree::\n   :maxdepth: 2\n\n   install\n\n\
         Install\n=======\n\nSee :ref:`the list <x>` and ``make``::\n\n    make all\n\n    make install\n\n\
         .. note::\n   Keep calm.\n\n.. comment\n   gone\n\n.. code-block:: sh\n   :linenos:\n\n   ls\n\n\
         {}\nUse\n---\n\n- one\n- two\n\n{}",
        prose(3),
        prose(3)
    );
    let install = format!(
        "See the list and make:\n\nmake all\n\nmake install\n\nKeep calm.\n\nls\n\n{}",
        prose(3).trim_end()
    );
    let used = format!("- one\n- two\n\n{}", prose(3).trim_end());
    check(
        Format::Restructured,
        &text,
        &[(&["Guide", "Install"], (15, 34), &install), (&["Guide", "Install", "Use"], (39, 44), &used)],
    );
}

#[test]
fn lines_of_a_web_page_never_go_back() {
    for text in
        ["<\n!\n", "<\n\n<a\n!", "a <\n<b>c\n\n</b><\nd\n", "<pre><\n!\n</pre>", "<pre>a\n<\n\nb</pre>"]
    {
        for passage in passages(Format::Html, text) {
            let (from, to) = passage.lines;
            assert!(1 <= from && from <= to && to <= text.lines().count(), "{text:?}: {passage:?}");
        }
    }
}

#[test]
fn web_pages_are_read_without_what_surrounds_them() {
    let text = format!(
        "<!doctype html>\n<html><head><title>Site</title>\n<style>p {{ color: red }}</style></head>\n<body>\n\
         <nav><a href=\"/\">Home</a></nav>\n<script>if (a < b) alert('<p>no</p>')</script>\n<h1>Guide</h1>\n\
         <p>Fish &amp; <b>chips</b>\n are   good.</p>\n<pre>a  b\n  c</pre>\n<ul><li>one<li><p>two</p></ul>\n\
         <table><tr><th>k</th><td>v</td></tr></table>\n<h2>Use</h2><p>{}</p>\n<footer>Imprint</footer></body></html>\n",
        prose(4).replace('\n', " ")
    );
    let guide = "Fish & chips are good.\n\na  b\n  c\n- one\n- two\n\nk | v |";
    check(
        Format::Html,
        &text,
        &[
            (&["Guide"], (8, 13), guide),
            (&["Guide", "Use"], (14, 14), prose(4).replace('\n', " ").trim_end()),
        ],
    );
}

#[test]
fn code_stands_under_its_definition() {
    let body = "    let words = \"one two three four five six seven eight nine ten\";\n".repeat(4);
    let text = format!(
        "use std::fs;\n\n/// Reads.\npub(crate) fn read(path: &Path) -> String {{\n{body}}}\n\nimpl Thing {{\n    \
         /// Writes.\n    fn write(&self) {{\n{body}    }}\n}}\n"
    );
    check(
        Format::Code,
        &text,
        &[
            (&[], (1, 1), "use std::fs;"),
            (
                &["pub(crate) fn read(path: &Path) -> String"],
                (3, 9),
                &format!("/// Reads.\npub(crate) fn read(path: &Path) -> String {{\n{body}}}"),
            ),
            (&["impl Thing"], (11, 11), "impl Thing {"),
            (
                &["impl Thing", "fn write(&self)"],
                (12, 19),
                &format!("    /// Writes.\n    fn write(&self) {{\n{body}    }}\n}}"),
            ),
        ],
    );
}

#[test]
fn definitions_are_known_in_many_languages() {
    let check = |line: &str, title: Option<&str>| {
        let found = passages(Format::Code, &format!("{line}\n    body\n"));
        assert_eq!(found[0].heading.first().map(String::as_str), title, "{line}");
    };
    check("def read(path):", Some("def read(path)"));
    check("async def read(path):", Some("async def read(path)"));
    check("class Reader(Base):", Some("class Reader(Base)"));
    check(
        "func (r *Reader) Read(p []byte) (int, error) {",
        Some("func (r *Reader) Read(p []byte) (int, error)"),
    );
    check("export default function App() {", Some("export default function App()"));
    check("static int read(const char *path) {", Some("static int read(const char *path)"));
    check("CREATE TABLE users (", Some("CREATE TABLE users"));
    check("    public void run() {", Some("public void run()"));
    check("if (ready) {", None);
    check("let x = call(y) {", None);
    check("key: value", None);
}

#[test]
fn tiny_sections_are_joined_with_the_next_of_the_same_parent() {
    let text = "# A\n\n## One\n\nShort.\n\n## Two\n\nAlso short.\n\n# B\n\nAlone.\n\n## Empty\n";
    check(
        Format::Markdown,
        text,
        &[
            (&["A", "One; Two"], (3, 9), "One\n\nShort.\n\nTwo\n\nAlso short."),
            (&["B"], (13, 13), "Alone."),
            (&["B", "Empty"], (15, 15), "Empty"),
        ],
    );
}

#[test]
fn long_sections_are_cut_at_paragraphs_and_overlap_by_sentences() {
    let text = format!("# T\n\n{}\n{}\n{}", prose(10), prose(10), prose(10));
    let found = passages(Format::Markdown, &text);
    assert_eq!(found.iter().map(|passage| passage.lines).collect::<Vec<_>>(), [(3, 12), (11, 23), (22, 34)]);
    assert!(found[1].text.starts_with("Sentence 9 has"), "{}", found[1].text);
    assert!(found.iter().all(|passage| passage.heading == ["T"]));
}

#[test]
fn code_blocks_stay_whole_where_they_fit() {
    let block = |lines: usize| {
        format!("```\n{}```\n", "one two three four five six seven eight nine ten\n".repeat(lines))
    };
    let whole = passages(Format::Markdown, &format!("{}\n{}", prose(5), block(25)));
    assert_eq!(whole.iter().map(|passage| passage.lines).collect::<Vec<_>>(), [(1, 32)]);
    let apart = passages(Format::Markdown, &format!("{}\n{}", prose(12), block(25)));
    assert_eq!(apart.iter().map(|passage| passage.lines).collect::<Vec<_>>(), [(1, 12), (11, 39)]);
    let cut = passages(Format::Markdown, &block(60));
    assert!(cut.len() >= 3 && cut.iter().all(|passage| words(&passage.text) <= WORDS_MAX), "{}", cut.len());
}

#[test]
fn what_is_no_text_is_told() {
    assert_eq!(read(Format::Plain, b"a\0b"), Err(Unread::Binary { at: 1 }));
    assert_eq!(read(Format::Markdown, b"caf\xe9"), Err(Unread::NotUtf8 { at: 3 }));
    assert_eq!(read(Format::Plain, b"\xef\xbb\xbf \n\n"), Ok(Vec::new()));
    assert!(matches!(read(Format::Pdf, b"%PDF-1.4 nothing"), Err(Unread::Damaged { .. })));
    assert_eq!(Format::of(Path::new("a/B.MD")), Format::Markdown);
    assert_eq!(Format::of(Path::new("LICENSE")), Format::Plain);
    assert_eq!(Format::Plain.cite("a.txt", (3, 9)), "a.txt:3-9");
    assert_eq!(Format::Pdf.cite("a.pdf", (3, 3)), "a.pdf, page 3");
}

#[test]
fn the_text_of_a_pdf_is_cited_by_page() {
    let found = passages_of_pdf(&["Hello from the first page", "And the second"]);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].lines, found[0].text.contains("first page")), ((1, 2), true), "{found:?}");
    assert_eq!(read(Format::Pdf, &pdf_of(&[""])), Err(Unread::NoText));
}

fn passages_of_pdf(pages: &[&str]) -> Vec<Passage> {
    read(Format::Pdf, &pdf_of(pages)).unwrap()
}

fn pdf_of(pages: &[&str]) -> Vec<u8> {
    use lopdf::{Document, Object, Stream, dictionary};
    let mut document = Document::with_version("1.5");
    let root = document.new_object_id();
    let font =
        document.add_object(dictionary! {"Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Courier"});
    let resources = document.add_object(dictionary! {"Font" => dictionary! {"F1" => font}});
    let kids: Vec<Object> = pages
        .iter()
        .map(|text| {
            let content = format!("BT /F1 12 Tf 50 600 Td ({text}) Tj ET");
            let content = document.add_object(Stream::new(dictionary! {}, content.into_bytes()));
            document
                .add_object(dictionary! {"Type" => "Page", "Parent" => root, "Contents" => content})
                .into()
        })
        .collect();
    let count = i64::try_from(kids.len()).unwrap();
    let media = vec![0.into(), 0.into(), 595.into(), 842.into()];
    let tree = dictionary! {
        "Type" => "Pages", "Kids" => kids, "Count" => count, "Resources" => resources, "MediaBox" => media,
    };
    document.objects.insert(root, Object::Dictionary(tree));
    let catalog = document.add_object(dictionary! {"Type" => "Catalog", "Pages" => root});
    document.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    bytes
}

/// Text that has what the readers look for in it, in any order.
fn marked() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ -~]{0,40}",
        "\\PC{0,12}",
        prop::sample::select(vec![
            "\n",
            "\n\n",
            "\r\n",
            "\t",
            "    ",
            "# ",
            "## ",
            "====\n",
            "----\n",
            "```\n",
            "~~~",
            "| a | b |\n|--|--|\n",
            "- ",
            "1. ",
            "::\n\n",
            ".. note::\n",
            ".. code::\n\n  ",
            "`",
            "``",
            "<p>",
            "</p>",
            "<pre>",
            "</pre>",
            "<nav>",
            "</nav>",
            "<table><tr><td>",
            "</table>",
            "<script>",
            "</script>",
            "<!--",
            "-->",
            "&amp;",
            "fn f() {\n",
            "class A:\n",
            "def b():\n",
            "}\n",
            "---\n",
            "title: x\n",
            "[^1]: ",
            "[a](b)",
            "\u{2028}",
            "日本。",
            "a\u{301}",
            "+--+\n",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn lines_lie_within_the_file_and_passages_within_their_bounds(text in marked()) {
        prop_assume!(!text.contains('\0'));
        let last = text.lines().count().max(1);
        for format in [Format::Markdown, Format::Restructured, Format::Html, Format::Code, Format::Plain] {
            let found = passages(format, &text);
            for passage in &found {
                let (from, to) = passage.lines;
                prop_assert!(1 <= from && from <= to && to <= last, "{:?}: {:?} of {}", format, passage, last);
                prop_assert!(!passage.text.trim().is_empty());
                prop_assert!(words(&passage.text) <= WORDS_MAX);
            }
            let same_section = |pair: &[Passage]| pair[0].heading == pair[1].heading;
            for pair in found.windows(2).filter(|pair| same_section(pair)) {
                prop_assert!(pair[0].lines.0 <= pair[1].lines.0, "{:?}: {:?}", format, pair);
            }
            prop_assert_eq!(&found, &passages(format, &text), "the same again");
        }
    }

    #[test]
    fn passages_have_all_words_of_a_plain_text_in_order(text in "([a-zA-Z]{1,9}[.!?]?[ \n]{1,3}){0,900}") {
        let found = passages(Format::Plain, &text);
        let said: Vec<Vec<&str>> = found.iter().map(|passage| passage.text.split_whitespace().collect()).collect();
        let mut at = 0;
        let all: Vec<&str> = text.split_whitespace().collect();
        for passage in &said {
            // It goes on where the last one ended, or a little before that.
            let back = (0..=OVERLAP_WORDS_MAX.min(at)).find(|back| {
                all.get(at - back..at - back + passage.len()) == Some(passage.as_slice())
            });
            prop_assert!(back.is_some(), "out of order at word {}", at);
            at = at - back.unwrap_or_default() + passage.len();
        }
        prop_assert_eq!(at, all.len());
    }

    #[test]
    fn no_bytes_make_a_reader_fall(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let pdf = [b"%PDF-1.5\n".as_slice(), &bytes].concat();
        let _ = read(Format::Pdf, &pdf);
        let _ = read(Format::Html, &bytes);
    }
}
