//! Scenario: the input of rules on scenarios.

use openapi_document::node::Node;
use openapi_document::scenarios::ScenarioFile;
use openapi_document::view::Document;

/// A scenario file and its document.
#[derive(Debug)]
pub(crate) struct Scenario<'d> {
    pub(crate) document: &'d Document,
    pub(crate) file: &'d ScenarioFile,
}

impl<'d> Scenario<'d> {
    pub(crate) fn root(&self) -> &'d Node {
        &self.file.root
    }

    pub(crate) fn workflows(&self) -> impl Iterator<Item = &'d Node> + use<'d> {
        self.root()
            .get("workflows")
            .into_iter()
            .flat_map(Node::items)
    }

    pub(crate) fn steps_of(workflow: &'d Node) -> impl Iterator<Item = &'d Node> + use<'d> {
        workflow.get("steps").into_iter().flat_map(Node::items)
    }

    /// The steps of all workflows.
    pub(crate) fn steps(&self) -> impl Iterator<Item = &'d Node> + '_ {
        self.workflows().flat_map(Self::steps_of)
    }
}
