//! A private PostgreSQL server that a test can stop and start.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The user who runs the server when the tests run as root, which the server refuses.
const OWNER: &str = "postgres";

/// The server, which listens only in its folder and ends with the test.
pub(crate) struct Cluster {
    programs: PathBuf,
    folder: tempfile::TempDir,
    is_root: bool,
}

impl Cluster {
    /// Starts a server; `None` when PostgreSQL is not installed.
    pub(crate) fn start() -> Option<Self> {
        if !prerequisites::POSTGRES_PROGRAMS.is_met() {
            return None;
        }
        let programs = programs()?;
        let folder = tempfile::tempdir().unwrap();
        let is_root = std::fs::metadata(folder.path()).unwrap().uid() == 0;
        if is_root {
            let mut chown = Command::new("chown");
            succeed(chown.arg(OWNER).arg(folder.path()));
        }
        let cluster = Self {
            programs,
            folder,
            is_root,
        };
        let data = cluster.data();
        let data = data.to_str().unwrap();
        succeed(&mut cluster.program(
            "initdb",
            &["-N", "-A", "trust", "-U", "postgres", "-D", data],
        ));
        cluster.come_back();
        Some(cluster)
    }

    /// Its address, through a socket in its folder.
    pub(crate) fn url(&self) -> String {
        let folder = self.folder.path().to_str().unwrap().replace('/', "%2F");
        format!("postgres://postgres@{folder}/postgres")
    }

    /// Stops it like a crash.
    pub(crate) fn go_away(&self) {
        succeed(&mut self.control(&["-m", "immediate", "stop"]));
    }

    /// Starts it again.
    pub(crate) fn come_back(&self) {
        let folder = self.folder.path().display();
        let options = format!("-c listen_addresses= -c unix_socket_directories={folder}");
        let log = self.folder.path().join("log");
        let log = log.to_str().unwrap();
        succeed(&mut self.control(&["-l", log, "-o", &options, "start"]));
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn control(&self, arguments: &[&str]) -> Command {
        let data = self.data();
        let mut all = vec!["-s", "-w", "-D", data.to_str().unwrap()];
        all.extend(arguments);
        self.program("pg_ctl", &all)
    }

    fn program(&self, name: &str, arguments: &[&str]) -> Command {
        let path = self.programs.join(name);
        let mut command = if self.is_root {
            let mut command = Command::new("runuser");
            command.args(["-u", OWNER, "--"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        command.args(arguments).current_dir(self.folder.path());
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = self.control(&["-m", "immediate", "stop"]).output();
    }
}

/// The folder of the newest version's programs.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let versions = versions.filter_map(|version| Some(version.ok()?.path().join("bin")));
    versions
        .filter(|path| path.join("initdb").is_file())
        .max_by_key(|path| number(path))
}

fn number(programs: &Path) -> Option<u32> {
    programs.parent()?.file_name()?.to_str()?.parse().ok()
}

fn succeed(command: &mut Command) {
    // The started server would keep a pipe for its output open.
    let status = command.stdout(Stdio::null()).status().unwrap();
    assert!(status.success(), "{command:?}");
}
