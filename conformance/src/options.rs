//! Options of a run.

use std::path::PathBuf;
use std::time::Duration;

use openapi_document::Document;

use crate::client::Transport;
use crate::collect::Selection;
use crate::hooks::Hooks;
use crate::level::{Examples, Profile};
use crate::notifications::Settings;
use crate::run_error::RunError;
use crate::source::Spec;
use crate::values::Given;

/// The default time limit of one request.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// The default name of the server.
pub const DEFAULT_NAME: &str = "server";

/// Options of a run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The document.
    pub spec: Spec,
    /// Overlays that change the document, in their order.
    pub overlays: Vec<PathBuf>,
    /// Values for parameters, properties and bodies.
    pub values: Vec<Given>,
    /// The server's base address.
    pub url: String,
    /// The folder of scenarios. When `None`, `scenarios` beside the document, if it exists.
    pub scenarios: Option<PathBuf>,
    /// The behaviour file. When `None`, `behaviour.yaml` beside the document, if it exists.
    pub behaviour: Option<PathBuf>,
    /// The file of known deviations.
    pub deviations: Option<PathBuf>,
    /// The frozen list of requirements, by its name or its file. When `None`, the newest one of the
    /// contract's version beside the document.
    pub requirements: Option<PathBuf>,
    /// Whether the laws run.
    pub laws: bool,
    /// The scope.
    pub selection: Selection,
    /// Which parts of the contract bind.
    pub profile: Profile,
    /// Whether examples bind. When `None`, the document decides.
    pub examples: Option<Examples>,
    /// Headers of every request.
    pub headers: Vec<(String, String)>,
    /// The headers of another tenant, such as another API key.
    pub neighbour: Vec<(String, String)>,
    /// The headers of a client that may only read.
    pub reader: Vec<(String, String)>,
    /// The seed of choices.
    pub seed: u64,
    /// A further seed for keys, so that runs with the same seed send different keys.
    pub salt: u64,
    /// The time limit of one request.
    pub timeout: Duration,
    /// How long to wait for the first answer of the server.
    pub wait: Duration,
    /// The server's name.
    pub name: String,
    /// Whether unsafe requests may be sent to servers that are not on this machine.
    pub allow_writes: bool,
    /// The number of parallel requests outside races. When `None`, 8 for a server on this machine,
    /// else 1.
    pub parallel: Option<u32>,
    /// Whether the run keeps the records that it created.
    pub keep_records: bool,
    /// Further texts that outputs must not contain.
    pub secrets: Vec<String>,
    /// The connection to the server.
    pub transport: Transport,
    /// The receiver of notifications.
    pub notifications: Settings,
    /// Commands before and after the run and its cases.
    pub hooks: Hooks,
}

impl Options {
    /// The document with its overlays applied.
    ///
    /// # Errors
    /// As [`Spec::document`].
    pub fn document(&self) -> Result<Document, RunError> {
        self.spec.document(&self.overlays)
    }

    /// The default options: everything that is documented.
    pub fn new(spec: impl Into<Spec>, url: impl Into<String>) -> Self {
        Self {
            spec: spec.into(),
            overlays: Vec::new(),
            values: Vec::new(),
            url: url.into(),
            scenarios: None,
            behaviour: None,
            deviations: None,
            requirements: None,
            laws: true,
            selection: Selection::default(),
            profile: Profile::default(),
            examples: None,
            headers: Vec::new(),
            neighbour: Vec::new(),
            reader: Vec::new(),
            seed: 0,
            salt: 0,
            timeout: DEFAULT_TIMEOUT,
            wait: Duration::ZERO,
            name: DEFAULT_NAME.to_owned(),
            allow_writes: false,
            parallel: None,
            keep_records: false,
            secrets: Vec::new(),
            transport: Transport::default(),
            notifications: Settings::default(),
            hooks: Hooks::default(),
        }
    }
}
