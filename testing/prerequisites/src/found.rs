//! Looks for each prerequisite on this machine.

use std::net::{TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How long a server may take to accept a connection.
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn is_program(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

pub(crate) fn is_folder_beside_checkout(name: &str) -> bool {
    checkout().join("..").join(name).is_dir()
}

/// Whether a program runs successfully.
pub(crate) fn runs(program: &Path, arguments: &[&str]) -> bool {
    let status = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

pub(crate) fn postgres_answers() -> bool {
    let url = std::env::var("DATABASE_URL").unwrap_or_default();
    // postgres://USER:PASSWORD@HOST:PORT/DATABASE
    let address = url.split_once("://").map(|(_, rest)| rest);
    let address = address.and_then(|rest| rest.split(['/', '?']).next());
    let address = address.map(|rest| rest.rsplit('@').next().unwrap_or(rest));
    let address = address.unwrap_or("127.0.0.1").to_owned();
    let address = if address.contains(':') {
        address
    } else {
        format!("{address}:5432")
    };
    let mut found = address.to_socket_addrs().into_iter().flatten();
    found.any(|address| TcpStream::connect_timeout(&address, PATIENCE).is_ok())
}

pub(crate) fn postgres_is_installed() -> bool {
    let versions = std::fs::read_dir("/usr/lib/postgresql");
    let mut versions = versions.into_iter().flatten().flatten();
    versions.any(|version| version.path().join("bin/initdb").is_file())
}

pub(crate) fn has_history() -> bool {
    let output = Command::new("git")
        .args([
            "log",
            "--format=%H",
            "-n",
            "2",
            "--",
            "spec/openapi.yaml",
            "spec/paths",
            "spec/schemas",
        ])
        .current_dir(checkout())
        .stderr(Stdio::null())
        .output();
    output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).lines().count() == 2)
}
