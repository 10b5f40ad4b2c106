//! What is there of what a task requires? One plain probe for each kind of thing; any of them may run on any thread.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use reqwest::Url;
use waypost_core::catalog::{Catalog, Contact, Needs};
use waypost_core::measure::Confidence;
use waypost_core::preflight::{Observed, Reach, Requires, Task, required};

use super::sample::{self, nearest_existing};
use crate::workers::{self, Found, Gathered, Patience, Worker};

/// How many bytes are free on the disk of a folder, or of the nearest above it that exists.
pub fn free_bytes(folder: &Path) -> Option<u64> {
    sample::free_bytes(folder)
}

/// Whether files can be made in a folder, or in the nearest above it that exists. One is made and taken away again, since
/// permissions alone do not tell: disks are mounted read-only and quotas run out.
pub fn writable(folder: &Path) -> Option<bool> {
    /// Tells the probes of one process apart.
    static PROBES: AtomicU64 = AtomicU64::new(0);
    let folder = nearest_existing(folder)?;
    let number = PROBES.fetch_add(1, Ordering::Relaxed);
    let probe = folder.join(format!(".waypost-probe-{}-{number}", std::process::id()));
    let made = OpenOptions::new().write(true).create_new(true).open(&probe).is_ok();
    if made {
        // A probe that cannot be taken away shows a folder that is no good to keep state in.
        return Some(fs::remove_file(&probe).is_ok());
    }
    Some(false)
}

/// Which of these files and folders a project has.
pub fn project(root: &Path, names: &[String]) -> BTreeMap<String, bool> {
    names.iter().map(|name| (name.clone(), root.join(name).exists())).collect()
}

/// Which of these programs are found on the path.
pub fn tools(names: &[String]) -> BTreeMap<String, bool> {
    names.iter().map(|name| (name.clone(), program(name).is_some())).collect()
}

/// The program of this name: where it is said to be, or the first of that name on the path.
pub fn program(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    program_in(name, &std::env::split_paths(&folders).collect::<Vec<_>>())
}

fn program_in(name: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    let at = |path: PathBuf| {
        let endings = if cfg!(windows) { &["", ".exe", ".cmd", ".bat", ".com"][..] } else { &[""] };
        endings.iter().map(|ending| ended(&path, ending)).find(|path| is_program(path))
    };
    if name.is_empty() {
        return None;
    }
    if Path::new(name).components().count() > 1 {
        return at(PathBuf::from(name));
    }
    folders.iter().find_map(|folder| at(folder.join(name)))
}

/// A path with something after it. What follows a dot in it stays: it may be a version.
fn ended(path: &Path, ending: &str) -> PathBuf {
    let mut whole = path.as_os_str().to_owned();
    whole.push(ending);
    whole.into()
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    /// May be run by its owner, its group or anybody.
    const ANY_MAY_RUN: u32 = 0o111;
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & ANY_MAY_RUN != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// Whether a server can be reached, and how soon: a program is found, one of a host's addresses takes a connection within the
/// time, which is for all of them together. Looking up the name of a host is the system's affair and may take longer.
pub fn server(contact: &Contact, timeout: Duration) -> Reach {
    let start = Instant::now();
    let reached = match contact {
        Contact::Command(command) => started_by(command),
        Contact::Url(url) => connect(url, timeout),
    };
    match reached {
        Ok(()) => Reach::After(u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)),
        Err(why) => Reach::Failed(why),
    }
}

/// Whether the first word of a command is a program.
fn started_by(command: &str) -> Result<(), String> {
    let name = command.split_whitespace().next().unwrap_or_default();
    program(name).map(drop).ok_or_else(|| format!("there is no program {name}"))
}

fn connect(url: &str, timeout: Duration) -> Result<(), String> {
    let start = Instant::now();
    let address = Url::parse(url).map_err(|error| format!("{url} is no address: {error}"))?;
    let places = address.socket_addrs(|| None).map_err(|error| error.to_string())?;
    let mut failed = "the host has no address".to_owned();
    for place in places {
        let left = timeout.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Err(format!("no connection within {} ms", timeout.as_millis()));
        }
        match TcpStream::connect_timeout(&place, left) {
            Ok(_) => return Ok(()),
            Err(error) => failed = error.to_string(),
        }
    }
    Err(failed)
}

/// Everything that any task of a catalog may require: of all tasks, of its routes and of its commands. The tools a route is
/// made for are its agent's and no programs, so they are not among it.
pub fn everything(catalog: &Catalog) -> Requires {
    let needs = &catalog.precautions().needs;
    let mut requires = required(needs, &Task::default());
    for requirement in needs.personas.values().chain(needs.commands.values()) {
        requires.tools.extend_from_slice(&requirement.tools);
        requires.project.extend_from_slice(&requirement.project);
        requires.servers.extend_from_slice(&requirement.servers);
    }
    requires.servers.extend(catalog.routes().flat_map(|(_, route)| route.expertise.servers.clone()));
    for names in [&mut requires.tools, &mut requires.project, &mut requires.servers] {
        names.sort();
        names.dedup();
    }
    requires
}

/// Looks for all that is required; `state` is the folder that state is kept in, `root` the project's. Servers at addresses
/// are tried together, for as long as there is patience: those that have not answered by then stay unknown.
pub fn observe(
    needs: &Needs,
    requires: &Requires,
    state: &Path,
    root: &Path,
    patience: Duration,
) -> Observed {
    Observed {
        writable: writable(state),
        free_bytes: free_bytes(state),
        tools: tools(&requires.tools),
        project: project(root, &requires.project),
        servers: servers(needs, &requires.servers, patience),
    }
}

fn servers(needs: &Needs, names: &[String], patience: Duration) -> BTreeMap<String, Reach> {
    let slow = Duration::from_millis(needs.slow_ms.into());
    let known = names.iter().filter_map(|name| Some((name, needs.servers.get(name)?)));
    let (remote, here): (Vec<_>, Vec<_>) = known.partition(|(_, contact)| matches!(contact, Contact::Url(_)));
    let mut reached: BTreeMap<String, Reach> =
        here.into_iter().map(|(name, contact)| (name.clone(), server(contact, slow))).collect();
    // Without patience nobody is asked: who answers at once would be known by luck.
    if remote.is_empty() || patience.is_zero() {
        return reached;
    }
    let worker = |(name, contact): (&String, &Contact)| {
        let contact = contact.clone();
        Worker::new(name, move || {
            let contact = contact.clone();
            // Looking up a host's name blocks, so it is done where nobody has to wait for it.
            let trying = tokio::task::spawn_blocking(move || server(&contact, slow));
            async move {
                let value = trying.await.map_err(|error| error.to_string())?;
                Ok(Found { value, confidence: Confidence::NONE })
            }
        })
    };
    let patience = Patience { together: patience, in_all: patience };
    // Where no thread can be started nothing was looked at.
    let tried = workers::run_blocking(remote.into_iter().map(worker).collect(), patience).ok();
    for (name, found) in tried.iter().flat_map(Gathered::found) {
        reached.insert(name.to_owned(), found.value.clone());
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loopback::{Answer, Loopback};
    use waypost_core::catalog::Source;

    /// Long enough for the loopback on a busy machine.
    const PATIENCE: Duration = Duration::from_secs(10);

    #[test]
    fn folders_are_writable_or_not() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(writable(folder.path()), Some(true));
        assert_eq!(writable(&folder.path().join("not/yet")), Some(true));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
        // A file is no folder, whoever asks.
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert_eq!(writable(&file), Some(false));
    }

    #[test]
    fn projects_have_what_they_have() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("README.md"), "").unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        let names = ["README.md", "src", "Cargo.toml"].map(str::to_owned);
        let found: Vec<(String, bool)> = project(folder.path(), &names).into_iter().collect();
        let expected = [("Cargo.toml", false), ("README.md", true), ("src", true)];
        assert_eq!(found, expected.map(|(name, there)| (name.to_owned(), there)));
    }

    #[cfg(unix)]
    #[test]
    fn programs_are_files_that_may_run() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (name, mode) in [("runs", 0o755), ("text", 0o644)] {
            fs::write(path(name), "").unwrap();
            fs::set_permissions(path(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        fs::create_dir(path("folder")).unwrap();
        let folders = [path("nowhere"), folder.path().to_owned()];
        let check = |name: &str, expected: bool| {
            assert_eq!(program_in(name, &folders).is_some(), expected, "{name}");
        };
        check("runs", true);
        check(path("runs").to_str().unwrap(), true);
        check("text", false);
        check("folder", false);
        check("other", false);
        check("", false);
    }

    #[test]
    fn an_ending_is_put_after_a_version() {
        assert_eq!(ended(Path::new("/bin/python3.11"), ".exe"), Path::new("/bin/python3.11.exe"));
        assert_eq!(ended(Path::new("/bin/python3.11"), ""), Path::new("/bin/python3.11"));
    }

    #[test]
    fn servers_are_reached_or_a_reason_is_given() {
        let listening = Loopback::scripted(vec![Answer::Silence]);
        let reach = |url: &str| server(&Contact::Url(url.to_owned()), PATIENCE);
        assert!(matches!(reach(&listening.url()), Reach::After(_)));
        assert!(matches!(reach(&Loopback::nobody()), Reach::Failed(_)));
        let at_once = server(&Contact::Url(listening.url()), Duration::ZERO);
        assert_eq!(at_once, Reach::Failed("no connection within 0 ms".to_owned()));
        assert!(matches!(reach("no address"), Reach::Failed(why) if why.contains("is no address")));
        let command = server(&Contact::Command("no-such-program --stdio".to_owned()), PATIENCE);
        assert_eq!(command, Reach::Failed("there is no program no-such-program".to_owned()));
    }

    #[test]
    fn all_that_is_required_is_looked_for() {
        let folder = tempfile::tempdir().unwrap();
        let listening = Loopback::scripted(vec![Answer::Silence]);
        let servers = [("docs".to_owned(), Contact::Url(listening.url()))].into_iter().collect();
        let needs = Needs { servers, ..Needs::default() };
        let requires = Requires {
            tools: vec!["no-such-program".to_owned()],
            project: vec!["README.md".to_owned()],
            servers: vec!["docs".to_owned(), "undefined".to_owned()],
        };
        let observed = observe(&needs, &requires, folder.path(), folder.path(), PATIENCE);
        assert_eq!(observed.writable, Some(true));
        assert_eq!(observed.tools.get("no-such-program"), Some(&false));
        assert_eq!(observed.project.get("README.md"), Some(&false));
        assert!(matches!(observed.servers.get("docs"), Some(Reach::After(_))));
        assert_eq!(observed.servers.len(), 1, "what is not defined stays unknown");
        let impatient = observe(&needs, &requires, folder.path(), folder.path(), Duration::ZERO);
        assert_eq!(impatient.servers.len(), 0, "what was not waited for stays unknown");
    }

    #[test]
    fn what_any_task_may_require_is_looked_for() {
        let yaml = "
name: needy
preflight:
  tools: [git]
  servers:
    - {name: docs, command: docs-server}
    - {name: draw, command: draw-server}
  requires:
    personas:
      painter: {project: [canvas], tools: [brush]}
    commands:
      test: {tools: [git, runner], servers: [draw]}
routes:
  - {name: painter, keywords: [paint], tools: [Write], servers: [docs]}
";
        let catalog = Catalog::read(&[Source::new("needy.yaml", yaml)], "needy").catalog.unwrap();
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let expected = Requires {
            tools: owned(&["brush", "git", "runner"]),
            project: owned(&["canvas"]),
            servers: owned(&["docs", "draw"]),
        };
        assert_eq!(everything(&catalog), expected);
    }
}
