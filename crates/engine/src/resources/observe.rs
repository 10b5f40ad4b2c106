//! What is there of what a task requires? One plain probe for each kind of thing; any of them may run on any thread.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use waypost_core::catalog::{Catalog, Contact, Needs};
use waypost_core::measure::Confidence;
use waypost_core::preflight::{Observed, Reach, Requires, Task, required};

use super::sample::{self, nearest_existing};
use crate::import::{self, McpServer};
use crate::workers::{self, Found, Gathered, Patience, Worker};

/// What would be seen where nothing is missing: how well a catalog decides is judged by it, whatever the machine.
pub fn everything_there(catalog: &Catalog) -> Observed {
    let requires = everything(catalog);
    let there = |names: Vec<String>| names.into_iter().map(|name| (name, true)).collect();
    Observed {
        tools: there(requires.tools),
        project: there(requires.project),
        servers: requires.servers.into_iter().map(|name| (name, Reach::After(0))).collect(),
        ..Observed::default()
    }
}

/// How long a server that was started may take to end after its handshake.
const PARTING_WAIT: Duration = Duration::from_secs(2);

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

/// Which of these tools are there: programs on the path, or files of the project. A bare word is a program alone, since a folder of that name proves nothing.
pub fn tools(root: &Path, names: &[String]) -> BTreeMap<String, bool> {
    let is_file = |name: &str| name.contains(['.', '/']) && root.join(name).exists();
    names.iter().map(|name| (name.clone(), program(name).is_some() || is_file(name))).collect()
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

/// Whether a server completes a handshake of MCP, and how soon. Looking up the name of a host is the system's affair and may take longer.
pub fn server(contact: &Contact, timeout: Duration) -> Reach {
    let server = match contact {
        Contact::Command(command) => {
            let mut words = command.split_whitespace().map(str::to_owned);
            McpServer::Program { command: words.next().unwrap_or_default(), args: words.collect() }
        }
        Contact::Url(url) => McpServer::Url { url: url.clone(), headers: Vec::new(), bearer: None },
    };
    match import::handshake(&server, timeout) {
        Ok(took) => Reach::After(u64::try_from(took.as_millis()).unwrap_or(u64::MAX)),
        Err(error) => Reach::Failed(error.to_string()),
    }
}

/// What a server is without a handshake: offline if its program is missing, else unknown.
fn server_unstarted(contact: &Contact) -> Option<Reach> {
    let Contact::Command(command) = contact else { return None };
    let name = command.split_whitespace().next().unwrap_or_default();
    program(name).is_none().then(|| Reach::Failed(format!("there is no program {name}")))
}

/// How servers are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handshakes {
    /// With servers at addresses, for so long; programs are not started.
    Addresses(Duration),
    /// With all of them: programs are started for it, and ended afterwards. Each may take as long as the catalog allows (`preflight.slow_ms`).
    All,
}

/// Everything that any task of a catalog may require: of all tasks, of its routes and of its commands.
pub fn everything(catalog: &Catalog) -> Requires {
    let needs = &catalog.precautions().needs;
    let mut requires = required(needs, &Task::default());
    for requirement in needs.personas.values().chain(needs.commands.values()) {
        requires.tools.extend_from_slice(&requirement.tools);
        requires.project.extend_from_slice(&requirement.project);
        requires.servers.extend_from_slice(&requirement.servers);
    }
    for (_, route) in catalog.routes() {
        requires.tools.extend_from_slice(&route.expertise.tools);
        requires.servers.extend_from_slice(&route.expertise.servers);
    }
    for names in [&mut requires.tools, &mut requires.project, &mut requires.servers] {
        names.sort();
        names.dedup();
    }
    requires
}

/// Checks all that is required; `state` is the folder that state is kept in, `root` the project's. Handshakes happen at the same time; servers that have not answered in time stay unknown.
pub fn observe(
    needs: &Needs,
    requires: &Requires,
    state: &Path,
    root: &Path,
    handshakes: Handshakes,
) -> Observed {
    Observed {
        writable: writable(state),
        free_bytes: free_bytes(state),
        tools: tools(root, &requires.tools),
        project: project(root, &requires.project),
        servers: servers(needs, &requires.servers, handshakes),
    }
}

fn servers(needs: &Needs, names: &[String], handshakes: Handshakes) -> BTreeMap<String, Reach> {
    let slow = Duration::from_millis(needs.slow_ms.into());
    let known = names.iter().filter_map(|name| Some((name, needs.servers.get(name)?)));
    let is_greeted = |contact: &Contact| match (handshakes, contact) {
        (Handshakes::All, _) => true,
        // Without time no server is asked: which of them answers at once would be luck.
        (Handshakes::Addresses(time), Contact::Url(_)) => !time.is_zero(),
        (Handshakes::Addresses(_), Contact::Command(_)) => false,
    };
    let (greeted, unstarted): (Vec<_>, Vec<_>) = known.partition(|(_, contact)| is_greeted(contact));
    let offline = |(name, contact): (&String, &Contact)| Some((name.clone(), server_unstarted(contact)?));
    let mut reached: BTreeMap<String, Reach> = unstarted.into_iter().filter_map(offline).collect();
    if greeted.is_empty() {
        return reached;
    }
    let worker = |(name, contact): (&String, &Contact)| {
        let contact = contact.clone();
        Worker::new(name, move || {
            let contact = contact.clone();
            // A handshake blocks, so it happens on a thread of its own.
            let trying = tokio::task::spawn_blocking(move || server(&contact, slow));
            async move {
                let value = trying.await.map_err(|error| error.to_string())?;
                Ok(Found { value, confidence: Confidence::NONE })
            }
        })
    };
    let time = match handshakes {
        Handshakes::Addresses(time) => time,
        Handshakes::All => slow + PARTING_WAIT,
    };
    let patience = Patience { together: time, in_all: time };
    // Without a thread, no handshake takes place.
    let tried = workers::run_blocking(greeted.into_iter().map(worker).collect(), patience).ok();
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

    /// What an MCP server answers to a greeting.
    const HELLO: &str = r#"{"jsonrpc": "2.0", "id": 1, "result": {"serverInfo": {"name": "docs"}}}"#;

    #[test]
    fn a_server_is_online_after_a_handshake_alone() {
        let reach = |url: &str| server(&Contact::Url(url.to_owned()), PATIENCE);
        let greeting = Loopback::scripted(vec![Answer::good(HELLO)]);
        assert!(matches!(reach(&greeting.url()), Reach::After(_)));
        // A port that takes connections is not a server yet, and neither is a web page.
        let page = Loopback::scripted(vec![Answer::good("<html>")]);
        assert!(matches!(reach(&page.url()), Reach::Failed(why) if why.contains("MCP")), "a page");
        let silent = Loopback::scripted(vec![Answer::Silence]);
        let short = Duration::from_millis(50);
        assert!(matches!(server(&Contact::Url(silent.url()), short), Reach::Failed(_)));
        assert!(matches!(reach(&Loopback::nobody()), Reach::Failed(_)));
        let command = |command: &str| server(&Contact::Command(command.to_owned()), PATIENCE);
        assert!(matches!(command("no-such-program --stdio"), Reach::Failed(_)));
        assert!(matches!(command("true"), Reach::Failed(_)), "a program that is no server");
    }

    #[test]
    fn all_that_is_required_is_looked_for() {
        let folder = tempfile::tempdir().unwrap();
        let greeting = Loopback::scripted(vec![Answer::good(HELLO)]);
        let command = |command: &str| Contact::Command(command.to_owned());
        let servers = [
            ("docs", Contact::Url(greeting.url())),
            ("found", command("cargo mcp")),
            ("gone", command("no-such-program --stdio")),
        ];
        let servers = servers.map(|(name, contact)| (name.to_owned(), contact)).into_iter().collect();
        let needs = Needs { servers, slow_ms: 10_000, ..Needs::default() };
        let requires = Requires {
            tools: vec!["no-such-program".to_owned()],
            project: vec!["README.md".to_owned()],
            servers: ["docs", "found", "gone", "undefined"].map(str::to_owned).to_vec(),
        };
        let observe = |handshakes| observe(&needs, &requires, folder.path(), folder.path(), handshakes);
        let observed = observe(Handshakes::Addresses(PATIENCE));
        assert_eq!(observed.writable, Some(true));
        assert_eq!(observed.tools.get("no-such-program"), Some(&false));
        assert_eq!(observed.project.get("README.md"), Some(&false));
        assert!(matches!(observed.servers.get("docs"), Some(Reach::After(_))));
        let gone = Some(Reach::Failed("there is no program no-such-program".to_owned()));
        assert_eq!(observed.servers.get("gone"), gone.as_ref());
        assert_eq!(observed.servers.len(), 2, "what is not defined or not started stays unknown");
        let impatient = observe(Handshakes::Addresses(Duration::ZERO));
        assert_eq!(impatient.servers.len(), 1, "what was not waited for stays unknown");
        let all = observe(Handshakes::All);
        assert!(matches!(all.servers.get("found"), Some(Reach::Failed(_))), "{:?}", all.servers);
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
            tools: owned(&["Write", "brush", "git", "runner"]),
            project: owned(&["canvas"]),
            servers: owned(&["docs", "draw"]),
        };
        assert_eq!(everything(&catalog), expected);
    }
}
