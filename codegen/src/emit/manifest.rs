//! `Cargo.toml` of a complete crate.

use super::Emitter;
use crate::names::package;
use crate::output::File;

impl Emitter<'_> {
    /// The manifest of a crate that is generated as a whole.
    pub(super) fn manifest(&self) -> Vec<File> {
        let name = package(&self.options.crate_name);
        let (default, feature, dependencies) = self.callbacks_feature();
        let text = format!(
            r#"# {header}
[package]
name = "{name}"
version = "0.1.0"
edition = "2024"
publish = false

[features]
default = ["areas", {default}"client", "server"]
{areas}{feature}client = ["dep:base64", "dep:http-body", "dep:reqwest", "dep:tokio"]
rustls = ["client", "reqwest/rustls-no-provider", "dep:rustls"]
server = ["dep:axum", "dep:http-body", "dep:tokio"]
chrono = ["dep:chrono"]
time = ["dep:time"]

[dependencies]
{DEPENDENCIES}{dependencies}
{tests}{LINTS}
# A workspace of its own, wherever it lies.
[workspace]
"#,
            header = super::header(self.options),
            areas = self.area_features(),
            tests = if self.options.round_trips { TESTS } else { "" },
        );
        vec![File {
            path: "Cargo.toml".into(),
            text,
        }]
    }

    /// What the feature `callbacks` adds to the defaults, the features and the dependencies.
    fn callbacks_feature(&self) -> (&'static str, &'static str, &'static str) {
        // What is sent may be about any area.
        let feature = match (self.is_divided(), self.signs()) {
            (false, false) => "callbacks = []\n",
            (false, true) => "callbacks = [\"dep:base64\", \"dep:hmac\", \"dep:sha2\"]\n",
            (true, false) => "callbacks = [\"areas\"]\n",
            (true, true) => "callbacks = [\"areas\", \"dep:base64\", \"dep:hmac\", \"dep:sha2\"]\n",
        };
        match (self.api.sends(), self.signs()) {
            (false, _) => ("", "", ""),
            (true, false) => (CALLBACKS, feature, ""),
            (true, true) => (CALLBACKS, feature, SIGNATURES),
        }
    }
}

const CALLBACKS: &str = "\"callbacks\", ";

const SIGNATURES: &str = r#"hmac = { version = "0.13", optional = true }
sha2 = { version = "0.11", default-features = false, optional = true }
"#;

const DEPENDENCIES: &str = r#"axum = { version = "0.8", default-features = false, optional = true }
base64 = { version = "0.23", optional = true }
bytes = "1"
chrono = { version = "0.4", default-features = false, features = ["alloc"], optional = true }
futures-core = { version = "0.3", default-features = false, features = ["std"] }
http = "1"
http-body = { version = "1", optional = true }
jiff = { version = "0.2", default-features = false, features = ["std"] }
percent-encoding = "2"
regex = "1"
reqwest = { version = "0.13", default-features = false, optional = true }
rust_decimal = { version = "1", default-features = false, features = ["std"] }
rustls = { version = "0.23", default-features = false, features = ["ring", "std", "tls12"], optional = true }
serde = { version = "1", features = ["derive"] }
serde_json = { version = "1", features = ["raw_value"] }
serde_path_to_error = "0.1"
time = { version = "0.3", default-features = false, features = ["std"], optional = true }
tokio = { version = "1", default-features = false, features = ["sync", "time"], optional = true }
uuid = { version = "1", features = ["v4"] }
"#;

const TESTS: &str = r#"[dev-dependencies]
axum = { version = "0.8", default-features = false, features = ["http1", "tokio"] }
tokio = { version = "1", default-features = false, features = ["macros", "net", "rt"] }

"#;

const LINTS: &str = r#"[lints.rust]
unsafe_code = "forbid"

[lints.clippy]
large_enum_variant = "allow"
"#;
