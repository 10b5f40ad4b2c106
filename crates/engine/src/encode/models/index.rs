//! Where does an index of Python packages keep a file? Its page of a project says so, as JSON or as HTML.

use reqwest::Url;
use serde::Deserialize;

/// What kinds of page are understood, the better one first.
pub(super) const ACCEPT: &str = "application/vnd.pypi.simple.v1+json, text/html;q=0.5";

#[derive(Deserialize)]
struct Page {
    files: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    url: String,
}

/// The address of a file in the page of its project, which came from `base`. The page need not be trusted: what comes
/// from the address is held against its checksum.
pub(super) fn find_link(page: &str, base: &Url, file: &str) -> Option<Url> {
    let links = match serde_json::from_str::<Page>(page) {
        Ok(page) => page.files.into_iter().map(|listed| listed.url).collect(),
        Err(_) => links_of(page),
    };
    let addresses = links.iter().filter_map(|link| base.join(link).ok());
    addresses.into_iter().find(|url| url.path().rsplit('/').next() == Some(file))
}

/// What the anchors of an HTML page point to.
fn links_of(page: &str) -> Vec<String> {
    let quoted = |rest: &str| {
        let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        rest.split(quote).nth(1).map(|link| link.replace("&amp;", "&"))
    };
    page.split("href=").skip(1).filter_map(|rest| quoted(rest.trim_start())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(page: &str, expected: Option<&str>) {
        let base = Url::parse("https://me:pass@host/simple/pack/").unwrap();
        let found = find_link(page, &base, "pack-1-any.whl");
        assert_eq!(found.as_ref().map(Url::as_str), expected, "{page}");
    }

    #[test]
    fn links_are_found_in_json_and_in_html() {
        let elsewhere = Some("https://files/a/pack-1-any.whl");
        let json = |url: &str| format!(r#"{{"meta": {{}}, "files": [{{"url": "x"}}, {{"url": "{url}"}}]}}"#);
        check(&json("https://files/a/pack-1-any.whl"), elsewhere);
        check(&json("../../f/pack-1-any.whl"), Some("https://me:pass@host/f/pack-1-any.whl"));
        check(&json("https://files/a/pack-2-any.whl"), None);
        check(
            r#"<a href="pack-1.tar.gz">a</a><a data-x="1" href="https://files/a/pack-1-any.whl">b</a>"#,
            elsewhere,
        );
        check(
            "<a href='../../f/pack-1-any.whl?a=1&amp;b=2#sha256=0'>",
            Some("https://me:pass@host/f/pack-1-any.whl?a=1&b=2#sha256=0"),
        );
        check("<a href=>href=", None);
        check("", None);
    }
}
