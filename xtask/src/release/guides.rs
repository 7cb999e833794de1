//! Follows the guides in an empty folder with only the programs of the archives.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use programs::guide;
use programs::process::Server;

use super::{PROGRAMS, archive};

/// A guide with fenced files and commands, and the port in it.
struct Guide {
    page: &'static str,
    port: Option<&'static str>,
    /// Lines that its commands must print.
    prints: &'static [&'static str],
}

const GUIDES: [Guide; 2] = [
    Guide {
        page: "docs/tutorials/certify.md",
        port: Some("8765"),
        prints: &["MUST json-type at /done", "verdict: pass"],
    },
    Guide {
        page: "docs/gate.md",
        port: None,
        prints: &["request-parameter-max-decreased", "2.0.0"],
    },
];

/// The guide of the sandbox, with the address and the heading of its commands.
const FIRST_VISIT: &str = "docs/guides/first-visit.md";
const ADDRESS: &str = "http://127.0.0.1:8080";
const COMMANDS: &str = "The same without a browser";

/// Unpacks the archives of a folder and follows the guides of the three programs.
pub(super) fn follow(root: &Path, archives: &Path) -> anyhow::Result<()> {
    let work = tempfile::tempdir()?;
    let programs = work.path().join("programs");
    unpack_all(archives, &programs)?;
    let path = search_path(&programs)?;
    for guide in &GUIDES {
        let folder = work.path().join(guide.page.replace('/', "-"));
        fs::create_dir(&folder)?;
        let mut text = read(root, guide.page)?;
        if let Some(port) = guide.port {
            text = text.replace(port, &free_port()?);
        }
        let printed = guide::follow(guide::blocks(&text), &folder, &path)
            .with_context(|| format!("failed to follow {}", guide.page))?;
        check(guide.page, &printed, guide.prints)?;
    }
    let sandbox = programs.join("sandbox");
    let mut command = Command::new(sandbox);
    command.args(["--listen", "127.0.0.1:0"]);
    let server = Server::start(command.env("SANDBOX_LOG", "warn"))?;
    let script = guide::commands_below(&read(root, FIRST_VISIT)?, COMMANDS);
    let script = script.replace(ADDRESS, &server.url);
    let printed = guide::shell(&script, 0, work.path(), &path)
        .with_context(|| format!("failed to follow {FIRST_VISIT}"))?;
    check(FIRST_VISIT, &printed, &[r#""status":"expired""#])?;
    certify(&server.url, work.path(), &path)
}

/// Certifies the released sandbox with the released runner, which contains the contract.
pub(super) fn certify(url: &str, folder: &Path, path: &str) -> anyhow::Result<()> {
    let script = format!(
        "conformance run --server {url} --header 'Authorization: development-key' \
         --area payment-methods --quiet"
    );
    let printed = guide::shell(&script, 0, folder, path)?;
    check("conformance run", &printed, &["verdict: pass"])
}

fn check(what: &str, printed: &str, expected: &[&str]) -> anyhow::Result<()> {
    for words in expected {
        ensure!(
            printed.contains(words),
            "{what}: the commands did not print {words:?}:\n{printed}"
        );
    }
    println!("followed: {what}");
    Ok(())
}

/// Unpacks the archives of all programs into one folder.
pub(super) fn unpack_all(archives: &Path, folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder)?;
    for program in PROGRAMS {
        let mut entries = fs::read_dir(archives)?.filter_map(Result::ok);
        let found = entries.find(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with(&format!("{program}-")) && name.ends_with(".tar.gz")
        });
        let found = found.with_context(|| format!("no archive of {program}"))?;
        archive::unpack(&found.path(), folder)?;
    }
    Ok(())
}

/// A `PATH` with the folder of the programs, and those folders of the machine that contain neither
/// cargo nor a program with one of these names.
pub(super) fn search_path(programs: &Path) -> anyhow::Result<String> {
    let mut folders = vec![programs.to_owned()];
    let path = std::env::var_os("PATH").unwrap_or_default();
    folders.extend(std::env::split_paths(&path).filter(|folder| {
        let mut names = PROGRAMS.iter().chain(&["cargo"]);
        !names.any(|name| folder.join(name).exists())
    }));
    let path = std::env::join_paths(folders)?;
    path.into_string().ok().context("PATH is not text")
}

fn read(root: &Path, page: &str) -> anyhow::Result<String> {
    fs::read_to_string(root.join(page)).with_context(|| format!("failed to read {page}"))
}

fn free_port() -> anyhow::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    Ok(listener.local_addr()?.port().to_string())
}
