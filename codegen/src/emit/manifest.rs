//! `Cargo.toml` of a complete crate.

use super::Emitter;
use crate::names::package;
use crate::options::{Runtime, Side};
use crate::output::File;

impl Emitter<'_> {
    /// The manifest of a crate that is generated as a whole, for what its files use.
    pub(super) fn manifest(&self, files: &[File]) -> Vec<File> {
        let name = package(&self.options.crate_name);
        let used = Used::by(files, &self.options.runtime);
        let only = self.options.only;
        let sides = [Side::Client, Side::Server].into_iter();
        let sides = sides.filter(|side| only.is_none_or(|only| only == *side));
        let features: String = sides.map(|side| used.features_of(side)).collect();
        let default = match only {
            Some(Side::Server) => "\"server\"",
            _ => "\"client\", \"rustls\"",
        };
        let text = format!(
            r#"# {header}
[package]
name = "{name}"
version = "0.1.0"
edition = "2024"
rust-version = "{rust}"
description = {description:?}
{license}documentation = "https://docs.rs/{name}"
readme = "README.md"
categories = ["api-bindings"]

[package.metadata.docs.rs]
all-features = true

[features]
default = [{default}]
{areas}{callbacks}{features}{conversions}
[dependencies]
{dependencies}
{tests}{LINTS}
# A workspace of its own, wherever it lies.
[workspace]
"#,
            header = super::header(self.options),
            rust = env!("CARGO_PKG_RUST_VERSION"),
            description = self.description(),
            license = self.license(),
            areas = self.area_features(),
            callbacks = self.callbacks_feature(&used),
            conversions = used.conversions(),
            dependencies = used.dependencies(),
            tests = self.test_dependencies(),
        );
        vec![File {
            path: "Cargo.toml".into(),
            text,
        }]
    }

    /// What the crate has, in one line.
    fn description(&self) -> String {
        let what = match self.options.only {
            None => "models, client and server stubs",
            Some(Side::Client) => "models and client",
            Some(Side::Server) => "models and server stubs",
        };
        format!("{}: {what}", self.title())
    }

    fn license(&self) -> String {
        let license = self.api.license.as_ref();
        license.map_or_else(String::new, |license| format!("license = {license:?}\n"))
    }

    fn test_dependencies(&self) -> &'static str {
        match self.options.only {
            None if self.options.round_trips => ROUND_TRIPS,
            Some(Side::Server) => "",
            _ => DOC_TESTS,
        }
    }

    /// The feature of what the service sends by itself.
    fn callbacks_feature(&self, used: &Used) -> String {
        if !self.api.sends() {
            return String::new();
        }
        // What is sent may be about any area.
        let areas = self.is_divided().then(|| "\"areas\"".to_owned());
        // `base64` alone is for the credentials of a client.
        let signs = if used.runtime.is_some() {
            vec![of_runtime("callbacks")]
        } else if used.has("hmac") {
            used.optional(&["base64", "hmac", "sha2"])
        } else {
            Vec::new()
        };
        let needed: Vec<String> = areas.into_iter().chain(signs).collect();
        format!("callbacks = [{}]\n", needed.join(", "))
    }
}

/// The feature of the runtime, where it is a package.
fn of_runtime(feature: &str) -> String {
    format!("\"{RUNTIME}/{feature}\"")
}

/// The package of the runtime.
const RUNTIME: &str = "openapi-generate-runtime";

/// Which packages the files of a crate use.
struct Used {
    packages: Vec<&'static str>,
    /// The dependency on the runtime, where it is a package.
    runtime: Option<String>,
}

impl Used {
    fn by(files: &[File], runtime: &Runtime) -> Self {
        let sources: Vec<&str> = files
            .iter()
            .filter(|file| file.path.extension().is_some_and(|end| end == "rs"))
            .map(|file| file.text.as_str())
            .collect();
        // The macros of the runtime name these.
        let called: &[&str] = match runtime {
            Runtime::Copied => &[],
            Runtime::Package(_) => &["serde", "serde_json"],
        };
        let is_used = |(name, _): &&(&'static str, &str)| {
            let path = format!("{}::", name.replace('-', "_"));
            called.contains(name) || sources.iter().any(|text| names(text, &path))
        };
        let packages = DEPENDENCIES.iter().filter(is_used);
        Self {
            packages: packages.map(|(name, _)| *name).collect(),
            runtime: match runtime {
                Runtime::Copied => None,
                Runtime::Package(folder) => Some(dependency(folder.as_deref())),
            },
        }
    }

    fn has(&self, package: &str) -> bool {
        self.packages.contains(&package)
    }

    /// The words for optional packages in a feature, for those that are used.
    fn optional(&self, packages: &[&str]) -> Vec<String> {
        let used = packages.iter().filter(|package| self.has(package));
        used.map(|package| format!("\"dep:{package}\"")).collect()
    }

    fn feature(&self, name: &str, packages: &[&str]) -> String {
        let runtime = self.runtime.as_ref().map(|_| of_runtime(name));
        let needed: Vec<String> = runtime.into_iter().chain(self.optional(packages)).collect();
        format!("{name} = [{}]\n", needed.join(", "))
    }

    fn features_of(&self, side: Side) -> String {
        match side {
            Side::Client => {
                let client = ["base64", "http-body", "reqwest", "tokio"];
                let rustls = if self.runtime.is_some() {
                    format!("rustls = [\"client\", {}]\n", of_runtime("rustls"))
                } else if self.has("rustls") {
                    "rustls = [\"client\", \"reqwest/rustls-no-provider\", \"dep:rustls\"]\n"
                        .to_owned()
                } else {
                    "rustls = []\n".to_owned()
                };
                let tracing = self.feature("tracing", &["tracing"]);
                format!("{}{rustls}{tracing}", self.feature("client", &client))
            }
            Side::Server => self.feature("server", &["axum", "http-body", "tokio"]),
        }
    }

    /// The features of conversions; they are there even if the document has no dates.
    fn conversions(&self) -> String {
        let chrono = self.feature("chrono", &["chrono"]);
        format!("{chrono}{}", self.feature("time", &["time"]))
    }

    fn dependencies(&self) -> String {
        let runtime = self.runtime.iter().map(|line| (RUNTIME, line.as_str()));
        let used = DEPENDENCIES.iter().filter(|(name, _)| self.has(name));
        let mut all: Vec<(&str, &str)> = used.copied().chain(runtime).collect();
        all.sort_unstable();
        let line = |(name, version): (&str, &str)| [name, " = ", version, "\n"].concat();
        all.into_iter().map(line).collect()
    }
}

/// The version of the runtime that fits, or the folder where it is.
fn dependency(folder: Option<&str>) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let path = folder.map(|folder| format!("path = {folder:?}, "));
    format!(
        "{{ {}version = \"{version}\", default-features = false, features = [\"documents\"] }}",
        path.unwrap_or_default()
    )
}

/// Whether a text has a path of a package; one within another path is none of it.
fn names(text: &str, path: &str) -> bool {
    let mut places = text.match_indices(path);
    places.any(|(at, _)| {
        let before = text[..at].trim_end_matches("::").chars().next_back();
        before.is_none_or(|before| !before.is_alphanumeric() && before != '_')
    })
}

/// Each package that a crate may need, and how its manifest names it.
const DEPENDENCIES: &[(&str, &str)] = &[
    (
        "axum",
        r#"{ version = "0.8", default-features = false, optional = true }"#,
    ),
    ("base64", r#"{ version = "0.23", optional = true }"#),
    ("bytes", r#""1""#),
    (
        "chrono",
        r#"{ version = "0.4", default-features = false, features = ["alloc"], optional = true }"#,
    ),
    (
        "futures-core",
        r#"{ version = "0.3", default-features = false, features = ["std"] }"#,
    ),
    ("hmac", r#"{ version = "0.13", optional = true }"#),
    ("http", r#""1""#),
    ("http-body", r#"{ version = "1", optional = true }"#),
    (
        "jiff",
        r#"{ version = "0.2", default-features = false, features = ["std"] }"#,
    ),
    ("percent-encoding", r#""2""#),
    ("regex", r#""1""#),
    (
        "reqwest",
        r#"{ version = "0.13", default-features = false, optional = true }"#,
    ),
    (
        "rust_decimal",
        r#"{ version = "1", default-features = false, features = ["std"] }"#,
    ),
    (
        "rustls",
        r#"{ version = "0.23", default-features = false, features = ["ring", "std", "tls12"], optional = true }"#,
    ),
    ("serde", r#"{ version = "1", features = ["derive"] }"#),
    (
        "serde_json",
        r#"{ version = "1", features = ["raw_value"] }"#,
    ),
    ("serde_path_to_error", r#""0.1""#),
    (
        "sha2",
        r#"{ version = "0.11", default-features = false, optional = true }"#,
    ),
    (
        "time",
        r#"{ version = "0.3", default-features = false, features = ["std"], optional = true }"#,
    ),
    (
        "tokio",
        r#"{ version = "1", default-features = false, features = ["sync", "time"], optional = true }"#,
    ),
    (
        "tracing",
        r#"{ version = "0.1", default-features = false, optional = true }"#,
    ),
    ("uuid", r#"{ version = "1", features = ["v4"] }"#),
];

/// What the examples in the README use.
const DOC_TESTS: &str = r#"[dev-dependencies]
tokio = { version = "1", default-features = false, features = ["macros", "rt"] }

"#;

const ROUND_TRIPS: &str = r#"[dev-dependencies]
axum = { version = "0.8", default-features = false, features = ["http1", "tokio"] }
tokio = { version = "1", default-features = false, features = ["macros", "net", "rt"] }

"#;

const LINTS: &str = r#"[lints.rust]
unsafe_code = "forbid"

[lints.clippy]
large_enum_variant = "allow"
"#;
