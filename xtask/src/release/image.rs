//! Builds the images of the Containerfile with Buildah, unpacks them, and runs them in a chroot.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use programs::process::{self, Server};
use serde_json::Value;

use super::guides::{self, unpack_all};
use super::{PROGRAMS, VERSION};

/// How this machine's database is reached from the chroot.
const ADDRESS: &str = "127.0.0.1";
const NAME: &str = "database.example";

/// Builds the image of each program, and runs each program in it.
pub(super) fn run(root: &Path, archives: &Path, postgres: Option<&str>) -> anyhow::Result<()> {
    let work = tempfile::tempdir()?;
    let context = work.path().join("context");
    unpack_all(archives, &context)?;
    for program in PROGRAMS {
        let image = work.path().join(program);
        build(root, program, &context, &image)?;
        let entry_point = unpack(&image, &work.path().join(format!("{program}-root")))?;
        let folder = work.path().join(format!("{program}-root"));
        try_version(program, &folder)?;
        if program == "sandbox" {
            certify(&folder, &entry_point, &context, None)?;
            if let Some(url) = postgres {
                certify_on_postgres(&folder, &entry_point, &context, url)?;
            }
        }
        println!("image: {program} runs in a chroot");
    }
    Ok(())
}

/// Builds the image of a program as a folder of layers (`dir:`).
fn build(root: &Path, program: &str, context: &Path, image: &Path) -> anyhow::Result<()> {
    let store = image.with_extension("store");
    let buildah = || {
        let mut command = Command::new("buildah");
        command
            .args(["--storage-driver", "vfs", "--root"])
            .arg(&store);
        command.arg("--runroot").arg(store.join("run"));
        command
    };
    let mut command = buildah();
    command.args(["build", "--quiet", "--isolation", "chroot"]);
    command.args(["--target", program, "--tag", program, "--file"]);
    command.arg(root.join("Containerfile")).arg(context);
    process::run(&mut command).context("the images are built with Buildah")?;
    let mut command = buildah();
    command.args(["push", "--quiet", program]);
    command.arg(format!("dir:{}", image.display()));
    process::run(&mut command)
}

/// Unpacks the layers of an image. Returns its entry point.
fn unpack(image: &Path, folder: &Path) -> anyhow::Result<Vec<String>> {
    let manifest = json(&image.join("manifest.json"))?;
    let blob = |descriptor: &Value| -> anyhow::Result<PathBuf> {
        let digest = descriptor["digest"].as_str().context("no digest")?;
        Ok(image.join(digest.trim_start_matches("sha256:")))
    };
    fs::create_dir(folder)?;
    for layer in manifest["layers"].as_array().into_iter().flatten() {
        let mut tar = Command::new("tar");
        tar.arg("-xf").arg(blob(layer)?).arg("-C").arg(folder);
        process::run(&mut tar)?;
    }
    let config = json(&blob(&manifest["config"])?)?;
    let words = config["config"]["Entrypoint"].as_array();
    let words = words.into_iter().flatten().filter_map(Value::as_str);
    Ok(words.map(str::to_owned).collect())
}

/// Requires that the program prints its version without any other file.
fn try_version(program: &str, folder: &Path) -> anyhow::Result<()> {
    let mut command = chroot(folder, &[]);
    let output = command.arg(format!("/{program}")).arg("--version").output();
    let output = output.context("failed to start chroot")?;
    let text = String::from_utf8_lossy(&output.stdout);
    ensure!(
        text.trim() == format!("{program} {VERSION}"),
        "{program} printed {text:?} in a chroot: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

/// Certifies the sandbox in a folder without any other file, on a port of this machine.
fn certify(
    folder: &Path,
    entry_point: &[String],
    programs: &Path,
    database: Option<&str>,
) -> anyhow::Result<()> {
    let words = entry_point.iter().map(|word| match word.as_str() {
        "0.0.0.0:8080" => "127.0.0.1:0",
        word => word,
    });
    let mut command = chroot(folder, &["--userspec=65534:65534"]);
    command.env("SANDBOX_LOG", "warn").args(words);
    if let Some(url) = database {
        command.args(["--database", url]);
    }
    let server = Server::start(&mut command)?;
    guides::certify(&server.url, programs, &guides::search_path(programs)?)
}

/// Certifies the sandbox on PostgreSQL, reached by its address and by a name in `/etc/hosts`.
fn certify_on_postgres(
    folder: &Path,
    entry_point: &[String],
    programs: &Path,
    url: &str,
) -> anyhow::Result<()> {
    ensure!(
        url.contains(ADDRESS),
        "write the database's host as {ADDRESS}"
    );
    let etc = folder.join("etc");
    fs::create_dir_all(&etc)?;
    fs::write(etc.join("hosts"), format!("{ADDRESS} {NAME}\n"))?;
    for host in [ADDRESS, NAME] {
        let url = url.replace(ADDRESS, host);
        certify(folder, entry_point, programs, Some(&url))
            .with_context(|| format!("failed to certify on the database at {host}"))?;
        println!("image: sandbox reaches PostgreSQL at {host}");
    }
    Ok(())
}

/// `chroot` with options and without the variables of this machine; the command follows.
fn chroot(folder: &Path, options: &[&str]) -> Command {
    let mut command = Command::new("/usr/sbin/chroot");
    command.env_clear().args(options).arg(folder);
    command
}

fn json(path: &Path) -> anyhow::Result<Value> {
    let bytes = fs::read(path).with_context(|| format!("failed to read {}", path.display()))?;
    Ok(serde_json::from_slice(&bytes)?)
}
