//! `Cargo.toml` of a complete crate.

use super::Emitter;
use crate::names::package;
use crate::options::Side;
use crate::output::File;

impl Emitter<'_> {
    /// The manifest of a crate that is generated as a whole, for what its files use.
    pub(super) fn manifest(&self, files: &[File]) -> Vec<File> {
        let name = package(&self.options.crate_name);
        let used = Used::by(files);
        let (default, feature) = self.callbacks_feature(&used);
        let only = self.options.only;
        let sides = [Side::Client, Side::Server].into_iter();
        let sides = sides.filter(|side| only.is_none_or(|only| only == *side));
        let sides: Vec<Side> = sides.collect();
        let features: String = sides.iter().map(|side| used.features_of(*side)).collect();
        let features = format!("{features}{}", used.conversions());
        let dependencies = used.dependencies();
        let sides: Vec<String> = sides
            .iter()
            .map(|side| format!("{:?}", side.name()))
            .collect();
        let sides = sides.join(", ");
        let text = format!(
            r#"# {header}
[package]
name = "{name}"
version = "0.1.0"
edition = "2024"
publish = false

[features]
default = ["areas", {default}{sides}]
{areas}{feature}{features}
[dependencies]
{dependencies}
{tests}{LINTS}
# A workspace of its own, wherever it lies.
[workspace]
"#,
            header = super::header(self.options),
            areas = self.area_features(),
            tests = if self.options.round_trips && only.is_none() {
                TESTS
            } else {
                ""
            },
        );
        vec![File {
            path: "Cargo.toml".into(),
            text,
        }]
    }

    /// What the feature `callbacks` adds to the defaults, and the feature.
    fn callbacks_feature(&self, used: &Used) -> (&'static str, String) {
        if !self.api.sends() {
            return ("", String::new());
        }
        // What is sent may be about any area.
        let areas = self.is_divided().then(|| "\"areas\"".to_owned());
        // `base64` alone is for the credentials of a client.
        let is_signed = used.has("hmac");
        let signs = is_signed.then(|| used.optional(&["base64", "hmac", "sha2"]));
        let signs = signs.into_iter().flatten();
        let needed: Vec<String> = areas.into_iter().chain(signs).collect();
        (
            "\"callbacks\", ",
            format!("callbacks = [{}]\n", needed.join(", ")),
        )
    }
}

/// Which packages the files of a crate use.
struct Used {
    packages: Vec<&'static str>,
}

impl Used {
    fn by(files: &[File]) -> Self {
        let sources: Vec<&str> = files
            .iter()
            .filter(|file| file.path.extension().is_some_and(|end| end == "rs"))
            .map(|file| file.text.as_str())
            .collect();
        let is_used = |(name, _): &&(&'static str, &str)| {
            let path = format!("{}::", name.replace('-', "_"));
            sources.iter().any(|text| names(text, &path))
        };
        let packages = DEPENDENCIES.iter().filter(is_used);
        Self {
            packages: packages.map(|(name, _)| *name).collect(),
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
        format!("{name} = [{}]\n", self.optional(packages).join(", "))
    }

    fn features_of(&self, side: Side) -> String {
        match side {
            Side::Client => {
                let client = ["base64", "http-body", "reqwest", "tokio"];
                let rustls = if self.has("rustls") {
                    "rustls = [\"client\", \"reqwest/rustls-no-provider\", \"dep:rustls\"]\n"
                } else {
                    "rustls = []\n"
                };
                format!("{}{rustls}", self.feature("client", &client))
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
        let used = DEPENDENCIES.iter().filter(|(name, _)| self.has(name));
        let line = |(name, version): &(&str, &str)| [*name, " = ", *version, "\n"].concat();
        used.map(line).collect()
    }
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
    ("uuid", r#"{ version = "1", features = ["v4"] }"#),
];

const TESTS: &str = r#"[dev-dependencies]
axum = { version = "0.8", default-features = false, features = ["http1", "tokio"] }
tokio = { version = "1", default-features = false, features = ["macros", "net", "rt"] }

"#;

const LINTS: &str = r#"[lints.rust]
unsafe_code = "forbid"

[lints.clippy]
large_enum_variant = "allow"
"#;
