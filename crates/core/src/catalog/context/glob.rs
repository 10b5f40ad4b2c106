//! Which files does a pattern such as `*.tsx` or `docs/*` mean?

/// A pattern for files: `*` stands for any run of characters. One with a slash is held against every end of a path that
/// begins with a folder, one without against the last name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob(String);

impl Glob {
    /// The pattern, in any case.
    pub fn new(pattern: &str) -> Glob {
        Glob(pattern.to_lowercase())
    }

    /// Whether it says nothing: every file matches.
    pub fn is_everything(&self) -> bool {
        matches!(self.0.as_str(), "*" | "*.*" | "**")
    }

    /// Whether a path is meant.
    pub fn matches(&self, path: &str) -> bool {
        let path = path.to_lowercase();
        if !self.0.contains('/') {
            return fits(self.0.as_bytes(), path.rsplit('/').next().unwrap_or_default().as_bytes());
        }
        let starts = std::iter::once(0).chain(path.match_indices('/').map(|(at, _)| at + 1));
        starts.filter_map(|start| path.get(start..)).any(|end| fits(self.0.as_bytes(), end.as_bytes()))
    }
}

/// Greedy with one step back: linear but for the last star.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut from, mut star) = (0, 0, None);
    while from < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, from));
                at += 1;
            }
            Some(byte) if text.get(from) == Some(byte) => {
                at += 1;
                from += 1;
            }
            _ => match &mut star {
                Some((after, matched)) => {
                    *matched += 1;
                    (at, from) = (*after + 1, *matched);
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).is_some_and(|rest| rest.iter().all(|byte| *byte == b'*'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, matching: &[&str], other: &[&str]) {
        let glob = Glob::new(pattern);
        for path in matching {
            assert!(glob.matches(path), "{pattern} means {path}");
        }
        for path in other {
            assert!(!glob.matches(path), "{pattern} does not mean {path}");
        }
    }

    #[test]
    fn a_pattern_means_a_name_or_the_end_of_a_path() {
        check("*.tsx", &["App.tsx", "src/ui/App.TSX"], &["App.ts", "tsx"]);
        check("docs/*", &["docs/a.md", "site/docs/a/b.md"], &["mydocs/a.md", "docs"]);
        check("README*", &["README.md", "readme", "a/README.rst"], &["my_readme"]);
        check("Dockerfile", &["Dockerfile", "a/dockerfile"], &["Dockerfile.md"]);
    }
}
