//! What is to be run, and how.

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

/// The time limit of one request, where none is given.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// The server's name, where none is given.
pub const DEFAULT_NAME: &str = "server";

/// What is to be run, and how.
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
    /// The folder of scenarios; where absent, `scenarios` beside the document, if it is there.
    pub scenarios: Option<PathBuf>,
    /// The behaviour file; where absent, `behaviour.yaml` beside the document, if it is there.
    pub behaviour: Option<PathBuf>,
    /// The file of known deviations.
    pub deviations: Option<PathBuf>,
    /// The frozen list of requirements, by its name or its file; where absent, the newest one of the contract's
    /// version beside the document.
    pub requirements: Option<PathBuf>,
    /// Whether the laws are tried.
    pub laws: bool,
    /// What is in scope.
    pub selection: Selection,
    /// Which parts of the contract bind.
    pub profile: Profile,
    /// Whether examples bind; where absent, as the document says.
    pub examples: Option<Examples>,
    /// Headers of every request.
    pub headers: Vec<(String, String)>,
    /// The headers of somebody whose records are others, such as another tenant's key.
    pub neighbour: Vec<(String, String)>,
    /// The headers of somebody who may only read.
    pub reader: Vec<(String, String)>,
    /// Seed of the choices.
    pub seed: u64,
    /// What keys are made from besides, so that a run with the same seed sends others.
    pub salt: u64,
    /// The time limit of one request.
    pub timeout: Duration,
    /// How long the server may take until it answers for the first time.
    pub wait: Duration,
    /// The server's name.
    pub name: String,
    /// Whether to send what changes something to servers elsewhere.
    pub allow_writes: bool,
    /// How many requests are under way at once, but for races; by default as many as suit the place of the server.
    pub parallel: Option<u32>,
    /// Whether the records that the run created stay at its end.
    pub keep_records: bool,
    /// Further texts that must not be shown.
    pub secrets: Vec<String>,
    /// How requests travel.
    pub transport: Transport,
    /// How notifications are taken.
    pub notifications: Settings,
    /// What is done before and after.
    pub hooks: Hooks,
}

impl Options {
    /// The document, changed by its overlays.
    ///
    /// # Errors
    /// As [`Spec::document`].
    pub fn document(&self) -> Result<Document, RunError> {
        self.spec.document(&self.overlays)
    }

    /// What is run where nothing else is said: everything that is documented.
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
