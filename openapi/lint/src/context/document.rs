//! Context: the input of rules on documents, with data that several rules need.

use std::cell::OnceCell;
use std::collections::HashMap;

use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::Node;
use openapi_document::object::{Object, objects};
use openapi_document::pointer::Pointer;
use openapi_document::references;
use openapi_document::schema::Schemas;
use openapi_document::view::{Callback, Document, Located, Operation};

use crate::second_reader::{Refusal, refusals};

/// A document with cached data for the rules.
#[derive(Debug)]
pub(crate) struct Context<'d> {
    pub(crate) document: &'d Document,
    /// Whether the document uses `x-provenance`; rules about it apply only then.
    pub(crate) has_provenance: bool,
    objects: Vec<Object<'d>>,
    by_kind: HashMap<Kind, Vec<usize>>,
    schemas: OnceCell<Schemas>,
    operations: OnceCell<Vec<Operation<'d>>>,
    sent: OnceCell<Vec<Callback<'d>>>,
    broken_references: OnceCell<Diagnostics>,
    refusals: OnceCell<Vec<(usize, Refusal)>>,
}

impl<'d> Context<'d> {
    pub(crate) fn new(document: &'d Document) -> Self {
        let objects = objects(&document.root);
        let mut by_kind: HashMap<Kind, Vec<usize>> = HashMap::new();
        for (place, object) in objects.iter().enumerate() {
            by_kind.entry(object.kind).or_default().push(place);
        }
        let mut nodes = objects.iter().map(|object| object.node);
        Self {
            document,
            has_provenance: nodes.any(|node| node.get("x-provenance").is_some()),
            objects,
            by_kind,
            schemas: OnceCell::new(),
            operations: OnceCell::new(),
            sent: OnceCell::new(),
            broken_references: OnceCell::new(),
            refusals: OnceCell::new(),
        }
    }

    /// All objects of the document, parents first; references are not followed.
    pub(crate) fn objects(&self) -> &[Object<'d>] {
        &self.objects
    }

    /// The objects of a kind, without references.
    pub(crate) fn of(&self, kind: Kind) -> impl Iterator<Item = &Object<'d>> {
        let places = self.by_kind.get(&kind).map_or(&[][..], Vec::as_slice);
        let objects = places.iter().map(|&place| &self.objects[place]);
        objects.filter(|object| !object.is_reference())
    }

    /// The parent of an object.
    pub(crate) fn parent(&self, object: &Object<'d>) -> Option<&Object<'d>> {
        object.parent.map(|place| &self.objects[place])
    }

    /// The pointer of an object.
    pub(crate) fn pointer(&self, object: &Object<'d>) -> Pointer {
        let mut above = vec![object];
        let mut here = object;
        while let Some(parent) = self.parent(here) {
            above.push(parent);
            here = parent;
        }
        let mut pointer = Pointer::root();
        for object in above.into_iter().rev() {
            object.step(&mut pointer);
        }
        pointer
    }

    /// An object with its pointer.
    pub(crate) fn located(&self, object: &Object<'d>) -> Located<'d> {
        Located {
            node: object.node,
            pointer: self.pointer(object),
        }
    }

    /// The node with references followed; `None` if they lead nowhere, which another rule reports.
    pub(crate) fn resolve(&self, node: &'d Node) -> Option<&'d Node> {
        if node.reference().is_none() {
            return Some(node);
        }
        let pointer = Pointer::root();
        let end = self.document.resolve(&Located { node, pointer }).ok()?;
        Some(end.node)
    }

    /// Whether this is an `OpenAPI` 3.0 document.
    pub(crate) fn is_30(&self) -> bool {
        let version = self.document.version();
        version.is_some_and(|version| version.starts_with("3.0"))
    }

    /// The document's schemas, prepared on first use.
    pub(crate) fn schemas(&self) -> &Schemas {
        self.schemas.get_or_init(|| Schemas::new(self.document))
    }

    /// The broken references of the document.
    pub(crate) fn broken_references(&self) -> &Diagnostics {
        let find = || references::broken(self.document, &self.objects);
        self.broken_references.get_or_init(find)
    }

    /// The objects that the crate `openapiv3` refuses; empty for a 3.1 document, which it does not
    /// support.
    pub(crate) fn refusals(&self) -> &[(usize, Refusal)] {
        let find = || {
            if self.is_30() {
                refusals(&self.objects)
            } else {
                Vec::new()
            }
        };
        self.refusals.get_or_init(find)
    }

    /// The operations under `paths`.
    pub(crate) fn operations(&self) -> &[Operation<'d>] {
        self.operations.get_or_init(|| self.document.operations())
    }

    /// The operations under `webhooks` and `callbacks`, which the service sends.
    pub(crate) fn sent(&self) -> &[Callback<'d>] {
        self.sent.get_or_init(|| {
            let mut all = self.document.webhooks();
            all.extend(self.operations().iter().flat_map(Operation::callbacks));
            all
        })
    }
}
