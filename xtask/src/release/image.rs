//! Builds the images of the Containerfile with Buildah, unpacks them, and runs them in a chroot.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, bail, ensure};
use programs::process;
use serde_json::Value;

use super::guides::unpack_all;
use super::{PROGRAMS, VERSION};

/// Builds the image of each program, and runs each program in it.
pub(super) fn run(root: &Path, archives: &Path) -> anyhow::Result<()> {
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
            serve(&folder, &entry_point)?;
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

/// Requires that the sandbox answers a request without any other file, on a port of this machine.
fn serve(folder: &Path, entry_point: &[String]) -> anyhow::Result<()> {
    let words = entry_point.iter().map(|word| match word.as_str() {
        "0.0.0.0:8080" => "127.0.0.1:0",
        word => word,
    });
    let mut command = chroot(folder, &["--userspec=65534:65534"]);
    command.args(words);
    let child = command.stdout(Stdio::piped()).spawn()?;
    let mut server = Stopped(child);
    let stdout = server.0.stdout.take().context("no output")?;
    let mut address = String::new();
    BufReader::new(stdout).read_line(&mut address)?;
    let Some(address) = address.trim().strip_prefix("http://") else {
        bail!("the sandbox printed {address:?} instead of an address");
    };
    let mut stream = TcpStream::connect(address)?;
    write!(
        stream,
        "GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    ensure!(
        answer.starts_with("HTTP/1.1 200"),
        "/readyz answered {answer}"
    );
    Ok(())
}

/// A process that is killed when it is dropped.
struct Stopped(Child);

impl Drop for Stopped {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
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
