//! Reads `conformance.toml`: the values that a server needs, and defaults for the command line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use openapi_document::Node;
use serde::Deserialize;

use crate::values::{Given, ValuesPart, node};

/// The content of the file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The document. When absent, the contract within the program.
    pub spec: Option<PathBuf>,
    /// The server's base address.
    pub url: Option<String>,
    /// The name of the server under test.
    pub name: Option<String>,
    /// Areas in scope.
    #[serde(default)]
    pub areas: Vec<String>,
    /// Patterns of the operations in scope.
    #[serde(default)]
    pub operations: Vec<String>,
    /// Patterns of operations that are never called.
    #[serde(default)]
    pub skip_operations: Vec<String>,
    /// Patterns of paths whose operations are never called.
    #[serde(default)]
    pub skip_paths: Vec<String>,
    /// Patterns of operations that can harm the server.
    #[serde(default)]
    pub destructive: Vec<String>,
    /// Whether operations that can harm the server are called, after all others.
    #[serde(default)]
    pub allow_destructive: bool,
    /// The number of parallel requests outside races.
    pub parallel: Option<u32>,
    /// Whether the run keeps the records that it created.
    #[serde(default)]
    pub keep_records: bool,
    /// `documented`, `complete` or the name of an area.
    pub profile: Option<String>,
    /// `normative` or `illustrative`.
    pub examples: Option<String>,
    /// The time limit of one request, such as `10s`.
    pub timeout: Option<String>,
    /// The file of known deviations.
    pub deviations: Option<PathBuf>,
    /// The frozen list of requirements, by its name or its file.
    pub requirements: Option<PathBuf>,
    /// Headers of every request.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Headers of another tenant.
    #[serde(default)]
    pub neighbour: BTreeMap<String, String>,
    /// Headers of a client that may only read.
    #[serde(default)]
    pub reader: BTreeMap<String, String>,
    /// The connection to the server.
    #[serde(default)]
    pub transport: TransportPart,
    /// The command that prints the credential.
    #[serde(default)]
    pub token: TokenPart,
    /// The request that yields the credential.
    pub login: Option<LoginPart>,
    /// The token endpoint that yields the credential.
    pub oauth2: Option<OAuth2Part>,
    /// Values that the run cannot guess, by parameter, property or operation.
    #[serde(default)]
    values: ValuesPart,
    /// The values of `[values]` with their places.
    #[serde(skip)]
    pub given: Vec<Given>,
    /// The receiver of notifications.
    #[serde(default)]
    pub notifications: NotificationsPart,
    /// Commands before and after the run and its cases.
    #[serde(default)]
    pub hooks: HooksPart,
    /// Values for inputs of every scenario, by name.
    #[serde(default)]
    inputs: BTreeMap<String, toml::Value>,
    /// Values for inputs of single scenarios, by scenario and name.
    #[serde(default)]
    scenarios: BTreeMap<String, BTreeMap<String, toml::Value>>,
}

/// The table `[transport]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TransportPart {
    /// The highest request rate, such as `20/s`.
    pub rate: Option<String>,
    /// The longest wait that a server can request, or `none`.
    pub retry_after: Option<String>,
    /// A file of certificates that are trusted besides those of the system.
    pub cacert: Option<PathBuf>,
    /// A file with the runner's certificate and its key.
    pub client_cert: Option<PathBuf>,
    /// The address of the proxy.
    pub proxy: Option<String>,
}

/// The table `[token]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TokenPart {
    /// The command that prints the token.
    pub command: Option<String>,
    /// The header that carries the token.
    pub header: Option<String>,
}

/// The table `[login]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LoginPart {
    /// The address, or a path below that of the server.
    pub url: String,
    /// The body as JSON.
    json: Option<toml::Value>,
    /// The fields of a form.
    pub form: Option<BTreeMap<String, String>>,
    /// The place of the token in the answer. Without it, the cookies are the session.
    pub token: Option<String>,
    /// The header that carries the token.
    pub header: Option<String>,
    /// The cookie to send back as a header, and that header: `csrftoken: X-CSRFToken`.
    pub csrf: Option<String>,
}

/// The table `[oauth2]`: client credentials.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OAuth2Part {
    /// The address of the token endpoint, or a path below that of the server.
    pub token_url: String,
    /// The name of the client.
    pub client_id: String,
    /// Its secret.
    pub client_secret: String,
    /// The scopes to request.
    pub scope: Option<String>,
}

/// The table `[notifications]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct NotificationsPart {
    /// The address at which the runner listens.
    pub listen: Option<String>,
    /// The address at which the server reaches the runner.
    pub address: Option<String>,
    /// How long to wait for a notification, such as `5s`.
    pub window: Option<String>,
    /// The secret that signs notifications.
    pub signing_secret: Option<String>,
}

/// The table `[hooks]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HooksPart {
    /// The command before the first request.
    pub before: Option<String>,
    /// The command at the end.
    pub after: Option<String>,
    /// The command before each group of cases.
    pub before_each: Option<String>,
    /// The command after each group of cases.
    pub after_each: Option<String>,
}

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("failed to read {path}: {reason}; `conformance init {path}` writes one")]
    Read {
        /// The file.
        path: String,
        /// The error of the operating system.
        reason: std::io::Error,
    },
    /// A file of values cannot be read.
    #[error("failed to read {path}: {reason}")]
    Fixtures {
        /// The file.
        path: String,
        /// The error of the operating system.
        reason: std::io::Error,
    },
    /// The content of the file is not valid.
    #[error("{path} is not a usable configuration: {message}")]
    Content {
        /// The file.
        path: String,
        /// The mistake with its line.
        message: String,
    },
}

impl Config {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|reason| ConfigError::Read {
            path: shown.clone(),
            reason,
        })?;
        let read: Result<Self, _> = toml::from_str(&text);
        let mut config = read.map_err(|error| ConfigError::Content {
            message: place(&text, &error),
            path: shown.clone(),
        })?;
        config.given = config.values.given(&shown, &text);
        Ok(config)
    }

    /// Reads a file of values.
    ///
    /// # Errors
    /// The file cannot be read, or has other content.
    pub fn fixtures(file: &Path) -> Result<Vec<Given>, ConfigError> {
        let path = file.display().to_string();
        let text = std::fs::read_to_string(file).map_err(|reason| ConfigError::Fixtures {
            path: path.clone(),
            reason,
        })?;
        let read: Result<ValuesPart, _> = toml::from_str(&text);
        let part = read.map_err(|error| ConfigError::Content {
            message: place(&text, &error),
            path: path.clone(),
        })?;
        Ok(part.given(&path, &text))
    }

    /// Values for inputs of every scenario.
    pub fn inputs(&self) -> BTreeMap<String, Node> {
        nodes(&self.inputs)
    }

    /// Values for inputs of single scenarios.
    pub fn scenario_inputs(&self) -> BTreeMap<String, BTreeMap<String, Node>> {
        let convert = |(name, inputs): (&String, &BTreeMap<_, _>)| (name.clone(), nodes(inputs));
        self.scenarios.iter().map(convert).collect()
    }
}

impl LoginPart {
    /// The body as the text of a JSON value, if it is one.
    pub fn json(&self) -> Option<String> {
        Some(node(self.json.as_ref()?)?.to_json())
    }

    /// The texts of the body, which are secret.
    pub fn secrets(&self) -> Vec<String> {
        let mut texts = Vec::new();
        if let Some(json) = self.json.as_ref().and_then(node) {
            json.each_string(&mut |text, _| texts.push(text.to_owned()));
        }
        texts.extend(self.form.iter().flat_map(BTreeMap::values).cloned());
        texts
    }
}

/// The message and the line of an error. Leaves out the text of the line, which may contain
/// credentials.
fn place(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = before.map_or(1, |before| before.matches('\n').count() + 1);
    format!("{} (line {line})", error.message())
}

fn nodes(values: &BTreeMap<String, toml::Value>) -> BTreeMap<String, Node> {
    let convert = |(name, value): (&String, &toml::Value)| Some((name.clone(), node(value)?));
    values.iter().filter_map(convert).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_are_refused() {
        let config: Config =
            toml::from_str("areas = [\"payouts\"]\n[inputs]\nplan = \"a\"\n[scenarios.s]\nn = 3\n")
                .unwrap();
        assert_eq!(config.inputs()["plan"].to_json(), r#""a""#);
        assert_eq!(config.scenario_inputs()["s"]["n"].to_json(), "3");
        assert!(toml::from_str::<Config>("area = []").is_err());
    }

    #[test]
    fn errors_contain_no_secret() {
        let text = "[headers]\nAuthorization = \"top-secret\n";
        let error = toml::from_str::<Config>(text).unwrap_err();
        let message = place(text, &error);
        assert!(
            message.ends_with("(line 2)") && !message.contains("top-secret"),
            "{message}"
        );
    }
}
