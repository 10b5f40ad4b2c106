//! Which category does a tool have that lists none? What its name is about, else its server.

use waypost_core::catalog::tools::Tool;

/// What tools do to things, as the first or the last word of their names.
const VERBS: &[&str] = &[
    "add", "archive", "book", "cancel", "check", "close", "copy", "count", "create", "delete", "describe",
    "download", "edit", "export", "fetch", "find", "get", "import", "insert", "list", "lookup", "make",
    "merge", "move", "open", "patch", "post", "put", "query", "read", "remove", "rename", "replace", "reset",
    "restore", "retrieve", "save", "search", "send", "set", "show", "start", "stop", "update", "upload",
    "upsert", "view", "write",
];
/// Words after which a name says how, and no longer what: `get_pets_by_id`.
const ENDS: &[&str] = &["by", "for", "from", "in", "into", "of", "on", "to", "with"];

/// `create_issue`, `listIssues` and `issue.close` are about `issue`. A name without a known verb says nothing for sure, so the server
/// stands in.
pub fn of(tool: &Tool) -> Option<String> {
    object(&tool.name).or_else(|| tool.server.clone())
}

fn object(name: &str) -> Option<String> {
    let words = words(name);
    let is_verb = |word: &String| VERBS.contains(&word.as_str());
    let about = match words.as_slice() {
        [verb, about @ ..] if is_verb(verb) => about,
        [about @ .., verb] if is_verb(verb) => about,
        _ => return None,
    };
    let about: Vec<&str> = about.iter().map(String::as_str).take_while(|word| !ENDS.contains(word)).collect();
    let (last, before) = about.split_last()?;
    let last = singular(last);
    Some(before.iter().copied().chain([last.as_str()]).collect::<Vec<_>>().join("_"))
}

/// The words of a name, in lower case: parts between other characters, and those that a capital begins.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for letter in name.chars() {
        if letter.is_alphanumeric() {
            let begins = !before.is_alphanumeric() || (letter.is_uppercase() && before.is_lowercase());
            match words.last_mut().filter(|_| !begins) {
                Some(word) => word.extend(letter.to_lowercase()),
                None => words.push(letter.to_lowercase().collect()),
            }
        }
        before = letter;
    }
    words
}

/// `issues` is `issue` and `entries` is `entry`; `address` and `status` stay.
fn singular(word: &str) -> String {
    let ends = |ending: &str| word.strip_suffix(ending).filter(|stem| stem.len() > 1);
    match (ends("ies"), ends("s")) {
        (Some(stem), _) => format!("{stem}y"),
        (None, Some(stem)) if !stem.ends_with(['s', 'u', 'i']) => stem.to_owned(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_category_is_what_the_name_is_about() {
        let check = |name: &str, category: &str| {
            let tool = Tool { name: name.to_owned(), server: Some("desk".to_owned()), ..Tool::default() };
            assert_eq!(of(&tool).as_deref(), Some(category), "{name}");
        };
        check("create_issue", "issue");
        check("listIssues", "issue");
        check("issues.close", "issue");
        check("get_pets_by_id", "pet");
        check("list_issue_comments", "issue_comment");
        check("add-directory-entries", "directory_entry");
        check("getStatus", "status");
        check("search", "desk");
        check("weather_today", "desk");
        assert_eq!(of(&Tool { name: "search".to_owned(), ..Tool::default() }), None);
    }
}
