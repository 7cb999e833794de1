//! Which operation a request means, for what surrounds a router: metrics, logs, faults.

use std::cmp::Reverse;
use std::fmt;

use super::super::operation::Operation;
use super::template::Template;

/// Operations by method and path, matched as the router matches them.
pub struct Index {
    /// Of two that match, the router takes the first.
    entries: Vec<(&'static Operation, Template)>,
}

impl Index {
    /// An index of these operations, at the paths that the document gives them.
    pub fn new(operations: &[&'static Operation]) -> Self {
        let entry = |operation: &&'static Operation| {
            let template = Template::new(operation.path, operation.parameters);
            (*operation, template)
        };
        let mut entries: Vec<_> = operations.iter().map(entry).collect();
        entries.sort_by_key(|(_, template)| (template.rank(), Reverse(template.literals())));
        Self { entries }
    }

    /// The operation that answers a request with this method, in capitals, and this path. `HEAD` means `GET`
    /// where nothing else takes it.
    pub fn find(&self, method: &str, path: &str) -> Option<&'static Operation> {
        let of = |method: &str| self.at(path).find(|operation| operation.method == method);
        match method {
            "HEAD" => of("HEAD").or_else(|| of("GET")),
            method => of(method),
        }
    }

    /// The operations at a path, whatever their methods are.
    pub fn at(&self, path: &str) -> impl Iterator<Item = &'static Operation> {
        // Most templates have another number of segments.
        let count = Template::count(path);
        let matches = move |template: &Template| {
            template.len() == count && template.capture(path, |_, _| {}).is_some()
        };
        let found = self.entries.iter().filter(move |(_, own)| matches(own));
        found.map(|(operation, _)| *operation)
    }

    /// The operation of this id.
    pub fn by_id(&self, id: &str) -> Option<&'static Operation> {
        let mut operations = self.entries.iter().map(|(operation, _)| *operation);
        operations.find(|operation| operation.id == id)
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = self.entries.iter().map(|(operation, _)| operation.id);
        f.debug_list().entries(ids).finish()
    }
}
