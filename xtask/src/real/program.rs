//! A program that calls a published server with a client generated from the server's document.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, ensure};
use programs::build::{build, built};
use programs::{process, workspace};
use serde::Deserialize;

/// The manifest of the program. The dependencies have the versions of this workspace.
const MANIFEST: &str = "[package]\nname = \"program\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
[dependencies]\nservice = { path = \"service\", features = [\"areas\"] }\n\
tokio = { version = \"1\", default-features = false, features = [\"macros\", \"rt\"] }\n\n\
[workspace]\nexclude = [\"service\"]\n";

/// A program in `conformance/real/programs`, named like the server.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Program {
    /// The expected output.
    says: String,
}

impl Program {
    /// Generates the client beside the document, and runs the program against the server.
    pub(super) fn run(
        &self,
        server: &str,
        folder: &Path,
        address: &str,
    ) -> anyhow::Result<ExitCode> {
        build(&["contract"])?;
        let package = folder.join("program");
        fs::create_dir_all(package.join("src"))?;
        let mut generate = Command::new(built("contract"));
        generate.arg("generate").arg(folder.join("document"));
        generate.args(["--only", "client", "--unformatted", "--out"]);
        // The warnings are known: the document is not ours.
        generate.arg(package.join("service")).stderr(Stdio::null());
        let status = generate.status()?;
        ensure!(status.success(), "no client can be generated");
        let root = workspace::root();
        let source = root.join("conformance/real/programs").join(server);
        fs::copy(source.with_extension("rs"), package.join("src/main.rs"))
            .with_context(|| format!("the program of {server} cannot be read"))?;
        fs::write(package.join("Cargo.toml"), MANIFEST)?;
        fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock"))?;
        let mut cargo = process::cargo();
        cargo
            .args(["run", "--quiet", "--offline", "--"])
            .arg(address);
        cargo.env("CARGO_TARGET_DIR", root.join("target/real/build"));
        let output = cargo
            .current_dir(&package)
            .stderr(Stdio::inherit())
            .output()?;
        let said = String::from_utf8_lossy(&output.stdout);
        print!("{said}");
        let is_good = output.status.success() && said.trim() == self.says.trim();
        if !is_good {
            println!("expected:\n{}", self.says.trim());
        }
        Ok(ExitCode::from(u8::from(!is_good)))
    }
}
