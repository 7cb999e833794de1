//! Calls: operations with what their success answers.

use openapi_document::view::{Located, MediaType, Method, Operation, Response, Status};
use openapi_document::{Node, Pointer};

use crate::names;
use crate::prose;

/// One operation and what its success answers.
#[derive(Debug, Clone)]
pub struct Call<'d> {
    /// The operation.
    pub operation: Operation<'d>,
    /// Its success: the lowest 2xx that is documented, but not that of a repeat.
    pub success: Option<Success<'d>>,
    /// What it does.
    pub role: Role,
    /// What its path is about, in singular words: `/a/{id}/line-items` is about a `line item`, and a step such
    /// as `/a/{id}/cancel` about itself.
    pub about: String,
    /// The schema of its body, where that is JSON or a form.
    pub body: Option<Located<'d>>,
    /// Where it makes a record under a key that its caller chooses, the path parameter which that is.
    pub chosen: Option<&'d str>,
    /// What is said of all operations: the description of the document.
    pub overall: Option<&'d str>,
    /// Its path parameters in the order of the document.
    pub(super) path_parameters: Vec<&'d str>,
    /// What documented links say of its path parameters.
    pub(super) links: Vec<Link>,
}

/// A documented success.
#[derive(Debug, Clone)]
pub struct Success<'d> {
    /// The response.
    pub response: Response<'d>,
    /// Its JSON media type.
    pub media: Option<MediaType<'d>>,
    /// Where the record stands in the body, and what it is; of a list, one item.
    pub record: Option<Record<'d>>,
    /// Of a list, where the items stand.
    pub items: Option<Pointer>,
}

/// A kind of record.
#[derive(Debug, Clone)]
pub struct Record<'d> {
    /// Where it stands in the body, or in an item of the list.
    pub at: Pointer,
    /// Its schema, references followed.
    pub schema: Located<'d>,
    /// Its name in lower case words: that of its component, else that of the path.
    pub name: String,
    /// The property that is its own key.
    pub key: Option<&'d str>,
    /// The schema of the record that it is a short account of, where it is one.
    pub of: Option<Located<'d>>,
}

/// What a documented link says of a path parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    /// The parameter.
    pub(crate) parameter: String,
    /// The operation whose answer has the value.
    pub(crate) from: String,
    /// The property of the record in that answer.
    pub(crate) property: String,
}

/// What an operation does to records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Makes a record.
    Create,
    /// Reads one record.
    Read,
    /// Lists records.
    List,
    /// Changes a record that its path or body names, and answers it.
    Change,
    /// Takes a record away.
    Delete,
    /// Something else.
    Other,
}

impl Record<'_> {
    /// Whether two kinds of record are one: the same schema, or schemas of the same text.
    pub fn is(&self, other: &Record<'_>) -> bool {
        self.schema.pointer == other.schema.pointer
            || self.schema.node.same_value(other.schema.node)
    }

    /// Whether one kind of record tells of another one: it is the same, or a short account of it.
    pub fn tells_of(&self, other: &Record<'_>) -> bool {
        let of = self.of.as_ref();
        self.is(other) || of.is_some_and(|own| own.pointer == other.schema.pointer)
    }
}

impl<'d> Call<'d> {
    /// The kind of record it answers.
    pub fn record(&self) -> Option<&Record<'d>> {
        self.success.as_ref()?.record.as_ref()
    }

    /// Where the record stands in the answer; of a list, the first one.
    pub fn first_record(&self) -> Option<Pointer> {
        let success = self.success.as_ref()?;
        let record = success.record.as_ref()?;
        let items = success.items.as_ref();
        let first = items.map_or_else(Pointer::root, |own| own.join("0"));
        let segments = record.at.segments();
        Some(segments.fold(first, |at, own| at.join(own)))
    }

    /// Its path parameters in the order of the document.
    pub fn path_parameters(&self) -> Vec<&'d str> {
        self.path_parameters.clone()
    }

    /// What a documented link says of one of its path parameters.
    pub(crate) fn link(&self, parameter: &str) -> Option<&Link> {
        self.links.iter().find(|link| link.parameter == parameter)
    }

    /// The documented response of a status, exactly.
    pub fn response(&self, code: u16) -> Option<Response<'d>> {
        let exact = |own: &Response<'_>| own.status == Status::Code(code);
        self.operation.response(code).filter(exact)
    }

    /// The documented answer to a key that names no record: 404, unless its text speaks of a record above it alone ("There is
    /// no such project" of `/projects/{id}/variables/{name}`).
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

    /// Whether a text says that one of several parameters has to be given, of which this is the first: "at least one of `party_id`
    /// and `agreement_id` has to be given".
    pub fn needs_one_of(&self, name: &str) -> bool {
        const DUE: [&str; 5] = ["given", "required", "needed", "present", "set"];
        let mut said = self.texts().flat_map(prose::sentences);
        said.any(|own| {
            let words = names::words(&own.to_lowercase());
            let is_choice = words
                .windows(2)
                .any(|own| own[0] == "one" && own[1] == "of");
            let is_due =
                prose::has(&words, &["must", "has", "have", "is"]) && prose::has(&words, &DUE);
            let first = own.split('`').nth(1);
            is_choice && is_due && first == Some(name)
        })
    }

    /// Whether it answers, without saying that it has made one, the kind of record whose key its path names before the
    /// step: `POST /milestones/{milestone_id}/release`. Where such a record is read within another one only, no reader
    /// tells that this is a step on it.
    pub fn is_step(&self) -> bool {
        let (Some(success), Some(record)) = (&self.success, self.record()) else {
            return false;
        };
        let mut segments = self.operation.path.rsplit('/');
        let step = segments.next().filter(|own| !own.starts_with('{'));
        let key = segments
            .next()
            .and_then(|own| own.strip_prefix('{')?.strip_suffix('}'));
        let about = key.and_then(names::subject);
        self.operation.method == Method::Post
            && step.is_some()
            && about.is_some_and(|about| about == record.name)
            && success.response.status != Status::Code(201)
    }

    /// The first of some statuses that is documented.
    pub fn first_of(&self, codes: &[u16]) -> Option<Response<'d>> {
        codes.iter().find_map(|code| self.response(*code))
    }

    /// Whether a refusal of a request for its content is documented.
    pub fn refuses_content(&self) -> bool {
        let is_refusal = |own: &Response<'_>| {
            matches!(
                own.status,
                Status::Code(400 | 422) | Status::Range(4) | Status::Default
            )
        };
        self.operation.responses().iter().any(is_refusal)
    }

    /// Whether it needs credentials.
    pub fn is_secured(&self) -> bool {
        let security = self.operation.security();
        !security.is_empty() && !security.iter().any(Vec::is_empty)
    }

    /// What is said of the operation: its summary and its description.
    pub fn texts(&self) -> impl Iterator<Item = &'d str> + use<'d> {
        let node = self.operation.at.node;
        let texts = ["summary", "description"].map(|key| node.get(key));
        texts.into_iter().flatten().filter_map(Node::as_str)
    }

    /// The words of each sentence of it.
    pub fn spoken(&self) -> Vec<Vec<String>> {
        self.texts().flat_map(prose::spoken).collect()
    }

    /// Whether it is said of the operation what it does to records of a kind: "every capture makes one balance entry".
    pub fn speaks_of_kind(&self, kind: &[String]) -> bool {
        let mut said = self.spoken().into_iter();
        !kind.is_empty()
            && said.any(|own| {
                let own: Vec<String> = own.iter().map(|own| names::singular(own)).collect();
                own.windows(kind.len()).any(|part| part == kind)
            })
    }

    /// What is said of a documented response.
    pub fn text_of(&self, code: u16) -> Option<&'d str> {
        self.response(code)?.at.node.get("description")?.as_str()
    }
}
