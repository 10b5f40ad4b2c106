//! Is it the same catalog? A hash of what it says, not of how it is laid out.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::tree::{Node, Value};

/// SHA-256 over the content of a tree, as hexadecimal digits: comments, layout, quoting and the order of
/// keys change nothing; the order of lists does.
pub fn hash(node: &Node) -> String {
    let mut digest = Sha256::new();
    feed(node, &mut digest);
    digits(digest)
}

/// The same over texts alone, in their order.
pub fn hash_texts<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut digest = Sha256::new();
    for text in texts {
        feed_length(b't', text.len(), &mut digest);
        digest.update(text.as_bytes());
    }
    digits(digest)
}

fn digits(digest: Sha256) -> String {
    digest.finalize().iter().fold(String::new(), |mut digits, byte| {
        // Writing to a String cannot fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// Feeds a value with its kind and length before it, so that no two contents feed the same bytes.
fn feed(node: &Node, digest: &mut Sha256) {
    match &node.value {
        Value::Null => digest.update([b'z']),
        Value::Flag(flag) => digest.update([b'f', u8::from(*flag)]),
        Value::Number(number) => {
            digest.update([b'n']);
            digest.update(number.to_bits().to_le_bytes());
        }
        Value::Text(text) => {
            feed_length(b't', text.len(), digest);
            digest.update(text.as_bytes());
        }
        Value::List(items) => {
            feed_length(b'l', items.len(), digest);
            for item in items {
                feed(item, digest);
            }
        }
        Value::Table(entries) => {
            let mut sorted: Vec<&(Node, Node)> = entries.iter().collect();
            sorted.sort_by(|(a, _), (b, _)| a.text().cmp(&b.text()));
            feed_length(b'm', sorted.len(), digest);
            for (key, value) in sorted {
                feed(key, digest);
                feed(value, digest);
            }
        }
    }
}

fn feed_length(kind: u8, length: usize, digest: &mut Sha256) {
    digest.update([kind]);
    digest.update((length as u64).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use crate::catalog::{Catalog, Source};

    fn hash(yaml: &str) -> String {
        Catalog::read(&[Source::new("test.yaml", yaml)], "test").catalog.unwrap().hash().to_owned()
    }

    #[test]
    fn layout_changes_nothing_and_content_does() {
        let one = hash("routes: [{name: a, description: A, patterns: [x]}]");
        assert_eq!(
            one,
            hash("# a comment\nroutes:\n  - description: \"A\"\n    name: a\n    patterns:\n      - x\n")
        );
        assert_ne!(one, hash("routes: [{name: a, description: A, patterns: [y]}]"));
        assert_ne!(
            hash("routes: [{name: a, keywords: [b, c]}]"),
            hash("routes: [{name: a, keywords: [[b, c]]}]")
        );
    }
}
