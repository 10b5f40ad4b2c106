//! Where does this user keep things?

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of what can be made or fetched again: `WAYPOST_HOME`, else `waypost` in the user's folder for caches (XDG).
pub(crate) fn cache() -> Option<PathBuf> {
    cache_by(|name| std::env::var_os(name), std::env::home_dir())
}

/// The folder of what cannot: `WAYPOST_HOME`, else `waypost` in the user's folder for data (XDG).
pub(crate) fn data() -> Option<PathBuf> {
    data_by(|name| std::env::var_os(name), std::env::home_dir())
}

/// Makes a file that only its user may read, with the folders above it; one that is there stays as it is.
pub(crate) fn make_private(file: &Path) -> io::Result<()> {
    file.parent().map_or(Ok(()), fs::create_dir_all)?;
    let mut options = fs::File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.append(true).create(true).open(file).map(drop)
}

/// The first, by variables and a home of somebody's choice.
pub(crate) fn cache_by(
    variable: impl Fn(&str) -> Option<OsString>,
    home: Option<PathBuf>,
) -> Option<PathBuf> {
    folder_by(variable, "XDG_CACHE_HOME", home, ".cache")
}

/// The second, by variables and a home of somebody's choice.
fn data_by(variable: impl Fn(&str) -> Option<OsString>, home: Option<PathBuf>) -> Option<PathBuf> {
    folder_by(variable, "XDG_DATA_HOME", home, ".local/share")
}

fn folder_by(
    variable: impl Fn(&str) -> Option<OsString>,
    standard: &str,
    home: Option<PathBuf>,
    under_home: &str,
) -> Option<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    // The standard has relative folders ignored here.
    let named = || set(standard).filter(|folder| folder.is_absolute());
    let at_home = || home.filter(|home| home.is_absolute()).map(|home| home.join(under_home));
    set("WAYPOST_HOME").or_else(|| Some(named().or_else(at_home)?.join("waypost")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_the_first_that_is_set() {
        let check = |set: &[(&str, &str)], home: Option<&str>, cache: Option<&str>, data: Option<&str>| {
            let variable =
                |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value));
            let home = || home.map(PathBuf::from);
            assert_eq!(cache_by(variable, home()), cache.map(PathBuf::from), "{set:?}");
            assert_eq!(data_by(variable, home()), data.map(PathBuf::from), "{set:?}");
        };
        let standard = ("XDG_CACHE_HOME", "/c");
        let (cache, data) = (Some("/u/.cache/waypost"), Some("/u/.local/share/waypost"));
        check(&[("WAYPOST_HOME", "/w"), standard], Some("/u"), Some("/w"), Some("/w"));
        check(&[("WAYPOST_HOME", ""), standard], Some("/u"), Some("/c/waypost"), data);
        check(&[("XDG_DATA_HOME", "/d"), standard], Some("/u"), Some("/c/waypost"), Some("/d/waypost"));
        check(&[("XDG_CACHE_HOME", "c"), ("XDG_DATA_HOME", "d")], Some("/u"), cache, data);
        check(&[], Some("/u"), cache, data);
        check(&[], None, None, None);
    }
}
