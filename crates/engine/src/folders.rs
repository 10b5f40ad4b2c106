//! Where does this user keep things?

use std::ffi::OsString;
use std::path::PathBuf;

/// The folder of what can be made or fetched again: `WAYPOST_HOME`, else `waypost` in the user's folder for caches (XDG).
pub(crate) fn cache() -> Option<PathBuf> {
    cache_by(|name| std::env::var_os(name), std::env::home_dir())
}

/// The same, by variables and a home of somebody's choice.
pub(crate) fn cache_by(
    variable: impl Fn(&str) -> Option<OsString>,
    home: Option<PathBuf>,
) -> Option<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    // The standard has relative folders ignored here.
    let caches = || set("XDG_CACHE_HOME").filter(|folder| folder.is_absolute());
    let at_home = || home.filter(|home| home.is_absolute()).map(|home| home.join(".cache"));
    set("WAYPOST_HOME").or_else(|| Some(caches().or_else(at_home)?.join("waypost")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_the_first_that_is_set() {
        let check = |set: &[(&str, &str)], home: Option<&str>, expected: Option<&str>| {
            let variable =
                |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value));
            assert_eq!(
                cache_by(variable, home.map(PathBuf::from)),
                expected.map(PathBuf::from),
                "{set:?} {home:?}"
            );
        };
        check(&[("WAYPOST_HOME", "/w"), ("XDG_CACHE_HOME", "/c")], Some("/u"), Some("/w"));
        check(&[("WAYPOST_HOME", ""), ("XDG_CACHE_HOME", "/c")], Some("/u"), Some("/c/waypost"));
        check(&[("XDG_CACHE_HOME", "c")], Some("/u"), Some("/u/.cache/waypost"));
        check(&[], Some("/u"), Some("/u/.cache/waypost"));
        check(&[], None, None);
    }
}
