//! Calls: operations with their documented success.

use openapi_document::view::{Located, MediaType, Method, Operation, Response, Status};
use openapi_document::{Node, Pointer};

use crate::names;
use crate::prose;

/// One operation with its success, role and parameters.
#[derive(Debug, Clone)]
pub struct Call<'d> {
    /// The operation.
    pub operation: Operation<'d>,
    /// The lowest documented 2xx, but not one that only answers repeated requests. `None` without one.
    pub success: Option<Success<'d>>,
    /// Whether it creates, reads, lists, changes or deletes records.
    pub role: Role,
    /// The subject of its path, in singular words: `line item` for `/a/{id}/line-items`. For a step such as
    /// `/a/{id}/cancel` it is the verb.
    pub about: String,
    /// The schema of its request body, if that is JSON or a form.
    pub body: Option<Located<'d>>,
    /// The path parameter whose value the client chooses as the key of the record that the call creates.
    pub chosen: Option<&'d str>,
    /// The description of the whole document, which can describe all operations.
    pub overall: Option<&'d str>,
    /// Path parameters in document order.
    pub(super) path_parameters: Vec<&'d str>,
    /// Documented links that give the value of a path parameter.
    pub(super) links: Vec<Link>,
}

/// A documented success.
#[derive(Debug, Clone)]
pub struct Success<'d> {
    /// The response.
    pub response: Response<'d>,
    /// Its JSON media type, if it documents one.
    pub media: Option<MediaType<'d>>,
    /// The record in the body and its kind; for a list, that of one item.
    pub record: Option<Record<'d>>,
    /// For a list: the pointer to its items.
    pub items: Option<Pointer>,
}

/// A kind of record.
#[derive(Debug, Clone)]
pub struct Record<'d> {
    /// The pointer to it in the body, or in an item of the list.
    pub at: Pointer,
    /// Its schema, with references resolved.
    pub schema: Located<'d>,
    /// Its name in lower-case words, from its component schema, else from the path.
    pub name: String,
    /// The property with its key.
    pub key: Option<&'d str>,
    /// The full record's schema, if this kind is a partial one.
    pub of: Option<Located<'d>>,
}

/// A documented link that gives the value of a path parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) parameter: String,
    /// The label of the operation whose answer has the value.
    pub(crate) from: String,
    /// The property of the answered record with the value.
    pub(crate) property: String,
}

/// How an operation acts on records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Creates a record.
    Create,
    /// Reads one record.
    Read,
    /// Lists records.
    List,
    /// Changes a record that its path or body names, and answers that record.
    Change,
    /// Deletes a record.
    Delete,
    /// None of these.
    Other,
}

impl Record<'_> {
    /// Whether two kinds of record are the same: same schema, or schemas with equal content.
    pub fn is(&self, other: &Record<'_>) -> bool {
        self.schema.pointer == other.schema.pointer
            || (self.schema.node.same_value(other.schema.node)
                && are_named_alike(&self.schema.pointer, &other.schema.pointer))
    }

    /// Whether this kind is the other one, or shows part of it.
    pub fn describes(&self, other: &Record<'_>) -> bool {
        let part_of = self.of.as_ref();
        self.is(other) || part_of.is_some_and(|schema| schema.pointer == other.schema.pointer)
    }
}

/// Whether two schemas with the same content may describe one kind of record: `Project` and
/// `ProjectResponse`, but not `Tag` and `Category`. An inline schema has no name.
fn are_named_alike(one: &Pointer, other: &Pointer) -> bool {
    let words = |pointer: &Pointer| {
        let mut segments = pointer.segments();
        let is_component = pointer.depth() == 3 && segments.next()? == "components";
        let name = pointer.last().filter(|_| is_component)?;
        Some(names::words(&name))
    };
    let (Some(one), Some(other)) = (words(one), words(other)) else {
        return true;
    };
    let has_all = |all: &[String], some: &[String]| some.iter().all(|word| all.contains(word));
    has_all(&one, &other) || has_all(&other, &one)
}

impl<'d> Call<'d> {
    /// The kind of record in its success.
    pub fn record(&self) -> Option<&Record<'d>> {
        self.success.as_ref()?.record.as_ref()
    }

    /// The pointer to the record in the answer; for a list, to the first one.
    pub fn first_record(&self) -> Option<Pointer> {
        let success = self.success.as_ref()?;
        let record = success.record.as_ref()?;
        let items = success.items.as_ref();
        let first = items.map_or_else(Pointer::root, |item| item.join("0"));
        let segments = record.at.segments();
        Some(segments.fold(first, |at, segment| at.join(segment)))
    }

    /// Its path parameters in the order of the path.
    pub fn path_parameters(&self) -> Vec<&'d str> {
        self.path_parameters.clone()
    }

    /// The documented link that gives the value of a path parameter.
    pub(crate) fn link(&self, parameter: &str) -> Option<&Link> {
        self.links.iter().find(|link| link.parameter == parameter)
    }

    /// The response documented for exactly this status, not for a range or `default`.
    pub fn response(&self, code: u16) -> Option<Response<'d>> {
        let exact = |response: &Response<'_>| response.status == Status::Code(code);
        self.operation.response(code).filter(exact)
    }

    /// The documented 404 for a key of no record. `None` if its text names only a parent record, such as "There is no
    /// such project" of `/projects/{id}/variables/{name}`.
    pub fn not_found(&self) -> Option<Response<'d>> {
        let response = self.response(404)?;
        let text = response.at.node.get("description").and_then(Node::as_str);
        let words = names::words(&text.unwrap_or_default().to_lowercase());
        let segments = self.operation.path.split('/');
        let nouns = segments.filter(|segment| !segment.is_empty() && !segment.starts_with('{'));
        let mut nouns: Vec<String> = nouns
            .map(|segment| names::singular(segment).to_lowercase())
            .collect();
        let item = nouns.pop()?;
        let is_of_parent = nouns.iter().any(|noun| words.contains(noun));
        (!is_of_parent || words.contains(&item)).then_some(response)
    }

    /// Whether the text requires one of several parameters, of which `name` is the first: "at least one of `party_id`
    /// and `agreement_id` has to be given".
    pub fn needs_one_of(&self, name: &str) -> bool {
        const DUE: [&str; 5] = ["given", "required", "needed", "present", "set"];
        let mut said = self.texts().flat_map(prose::sentences);
        said.any(|text| {
            let words = names::words(&text.to_lowercase());
            let is_choice = words
                .windows(2)
                .any(|part| part[0] == "one" && part[1] == "of");
            let is_due =
                prose::has(&words, &["must", "has", "have", "is"]) && prose::has(&words, &DUE);
            let first = text.split('`').nth(1);
            is_choice && is_due && first == Some(name)
        })
    }

    /// Whether it is a step on the record that its path names, such as `POST /milestones/{milestone_id}/release`: it
    /// answers that kind of record, but not with 201. This also finds steps on records without a reader.
    pub fn is_step(&self) -> bool {
        let (Some(success), Some(record)) = (&self.success, self.record()) else {
            return false;
        };
        let mut segments = self.operation.stem().rsplit('/');
        let step = segments.next().filter(|word| !word.starts_with('{'));
        let key = segments
            .next()
            .and_then(|word| word.strip_prefix('{')?.strip_suffix('}'));
        let about = key.and_then(names::subject);
        self.operation.method == Method::Post
            && step.is_some()
            && about.is_some_and(|about| about == record.name)
            && success.response.status != Status::Code(201)
    }

    /// The first documented response of the given statuses.
    pub fn first_of(&self, codes: &[u16]) -> Option<Response<'d>> {
        codes.iter().find_map(|code| self.response(*code))
    }

    /// Whether it documents a refusal for an invalid body: 400, 422, `4XX` or `default`.
    pub fn refuses_content(&self) -> bool {
        let is_refusal = |response: &Response<'_>| {
            matches!(
                response.status,
                Status::Code(400 | 422) | Status::Range(4) | Status::Default
            )
        };
        self.operation.responses().iter().any(is_refusal)
    }

    /// Its summary and its description.
    pub fn texts(&self) -> impl Iterator<Item = &'d str> + use<'d> {
        let node = self.operation.at.node;
        let texts = ["summary", "description"].map(|key| node.get(key));
        texts.into_iter().flatten().filter_map(Node::as_str)
    }

    /// The words of each sentence of its texts.
    pub fn spoken(&self) -> Vec<Vec<String>> {
        self.texts().flat_map(prose::spoken).collect()
    }

    /// Whether a sentence mentions a kind of record: "every capture makes one balance entry".
    pub fn speaks_of_kind(&self, kind: &[String]) -> bool {
        let mut said = self.spoken().into_iter();
        !kind.is_empty()
            && said.any(|word| {
                let words: Vec<String> = word.iter().map(|word| names::singular(word)).collect();
                words.windows(kind.len()).any(|part| part == kind)
            })
    }

    /// The description of the response of a status.
    pub fn text_of(&self, code: u16) -> Option<&'d str> {
        self.response(code)?.at.node.get("description")?.as_str()
    }
}
