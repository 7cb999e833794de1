//! Conflicts: what is said of the requests that an operation refuses since somebody else has what they name.

use std::sync::atomic::{AtomicBool, Ordering};

use openapi_document::Node;
use openapi_document::view::{MediaType, Operation, Status};

use super::{names, prose};

/// What is said of the conflicts of an operation, sentence by sentence.
#[derive(Debug, Default)]
pub struct Conflicts {
    /// Whether one of its refusals may be that of a repeat: a documented one, or one that was answered.
    refuses_repeats: AtomicBool,
    /// The words between two commas of what tells of something that is taken.
    taken: Vec<Vec<String>>,
    /// The words of each sentence, those of the operation itself among them.
    pub spoken: Vec<Vec<String>>,
    /// The properties that facts state to be unique.
    unique: Vec<String>,
    /// What sentences of the operation that tell of what is right have in marks.
    marked: Vec<String>,
}

impl Conflicts {
    /// What is said of those of an operation: by its own sentences, by those of the refusal and by its examples.
    pub fn of(operation: &Operation<'_>) -> Self {
        const RIGHT: [&str; 5] = ["test", "right", "accepted", "valid", "correct"];
        const OF_REPEATS: [&str; 5] = ["unique", "already", "duplicate", "twice", "once"];
        let own = operation.at.node.get("description").and_then(Node::as_str);
        let of_own = own.map_or_else(Vec::new, prose::sentences).into_iter();
        let is_meant = |words: &[String]| {
            prose::has(words, &OF_REPEATS) || says_no_two(words) || says_only_once(words)
        };
        let of_own = of_own.filter(|text| is_meant(&names::words(text)));
        let mut told: Vec<&str> = of_own.collect();
        let responses = operation.responses();
        let refuses_repeats = responses.iter().any(refuses_repeats);
        for response in responses {
            if response.status != Status::Code(409) {
                continue;
            }
            let text = response.at.node.get("description");
            told.extend(text.and_then(Node::as_str));
            let content = response.content();
            let shown = content.iter().flat_map(MediaType::examples);
            shown.for_each(|own| prose::texts_in(own.value.node, &mut told));
        }
        let taken = told.iter().flat_map(|text| {
            let is_code = !text.trim().contains(' ');
            let parts = parts(text).into_iter();
            parts.filter(move |own| says_taken(own) || (is_code && ends_in_use(own)))
        });
        let all = told.iter().copied().chain(own);
        let said = own.map_or_else(Vec::new, prose::sentences).into_iter();
        let right = said.filter(|own| prose::has(&names::words(&own.to_lowercase()), &RIGHT));
        let marked = right.flat_map(|own| own.split('`').skip(1).step_by(2));
        Self {
            unique: Vec::new(),
            marked: marked.map(str::to_owned).collect(),
            refuses_repeats: AtomicBool::new(refuses_repeats),
            taken: taken.collect(),
            spoken: all.flat_map(prose::spoken).collect(),
        }
    }

    /// The same, and what facts state to be unique.
    #[must_use]
    pub fn with_unique(mut self, names: impl Iterator<Item = String>) -> Self {
        self.unique.extend(names);
        *self.refuses_repeats.get_mut() |= !self.unique.is_empty();
        self
    }

    /// Whether one of its refusals may be that of a repeat.
    pub fn refuses_repeats(&self) -> bool {
        self.refuses_repeats.load(Ordering::Relaxed)
    }

    /// Notes that a request was refused with 409, which need not be documented: from now on what may be taken is another in each.
    pub fn note_repeat(&self) {
        self.refuses_repeats.store(true, Ordering::Relaxed);
    }

    /// Whether the text of the operation tells of a value itself: "the right code (`1234` in test)".
    pub fn tells_of_value(&self, value: &str) -> bool {
        self.marked.iter().any(|own| own == value)
    }

    /// Whether another record may have a property: `a voucher with this code already exists`, `address_taken`.
    pub fn tells_of(&self, name: &str) -> bool {
        if self.unique.iter().any(|own| own == name) {
            return true;
        }
        let own = names::words(name);
        // `Codes are unique` is said of `code`.
        let is_it = |part: &[String]| {
            let mut pairs = part.iter().zip(&own);
            pairs.all(|(told, own)| told == own || names::singular(told) == *own)
        };
        let is_named = |words: &Vec<String>| {
            let mut places = words.windows(own.len().max(1)).enumerate();
            places.any(|(at, part)| is_it(part) && !is_owner(&words[..at]))
        };
        self.taken.iter().any(is_named) || self.taken.iter().any(|code| is_duplicate_of(code, &own))
    }
}

/// Whether a code tells of a second one of what a name begins with: `duplicateTracking` of a `trackingNumber`. A key of another
/// record, `tracking_id`, is none.
fn is_duplicate_of(code: &[String], name: &[String]) -> bool {
    const WRITTEN: [&str; 2] = ["number", "code"];
    let [first, rest @ ..] = code else {
        return false;
    };
    let own = name.split_last();
    let is_written = own.is_some_and(|(last, before)| {
        WRITTEN.contains(&last.as_str()) && !rest.is_empty() && before == rest
    });
    first == "duplicate" && is_written
}

/// Whether what stands before a name makes it the owner of what is taken: `unique among the readers of the store`, `once per shop`.
fn is_owner(before: &[String]) -> bool {
    let among = before
        .iter()
        .position(|own| matches!(own.as_str(), "among" | "within" | "amongst" | "per"));
    among.is_some_and(|at| before.len() - at <= 6)
}

/// The words of the parts of a text between points and commas.
fn parts(text: &str) -> Vec<Vec<String>> {
    let parts = prose::sentences(text).into_iter();
    parts
        .flat_map(|own| own.split(','))
        .map(names::words)
        .collect()
}

/// Whether words tell of what somebody has.
fn says_taken(words: &[String]) -> bool {
    const TAKEN: [&str; 5] = ["exists", "taken", "unique", "duplicate", "registered"];
    prose::has(words, &TAKEN) || says_no_two(words) || says_only_once(words)
}

/// Whether words say that there is one of what they name, but not of what is used up: `a serial number can be paired only once`, `the
/// name must not be in use by another store`.
fn says_only_once(words: &[String]) -> bool {
    let has = |own: &[&str]| words.windows(own.len()).any(|part| part == own);
    let is_taken_up = prose::has(
        words,
        &[
            "paired",
            "registered",
            "enrolled",
            "linked",
            "added",
            "imported",
        ],
    );
    (has(&["only", "once"]) && is_taken_up) || has(&["in", "use", "by", "another"])
}

/// Whether words say that something is unique: `no two accounts have the same number`.
fn says_no_two(words: &[String]) -> bool {
    let mut pairs = words.windows(2);
    let no_two = pairs.any(|own| own[0].eq_ignore_ascii_case("no") && own[1] == "two");
    no_two && prose::has(words, &["same"])
}

/// Whether the words of a code tell of what somebody uses: `voucher_code_used`, `label_in_use`.
fn ends_in_use(words: &[String]) -> bool {
    let ends = |own: &[&str]| words.len() > own.len() && words[words.len() - own.len()..] == *own;
    ends(&["used"]) || ends(&["in", "use"])
}

/// Whether a documented refusal may be that of a repeat.
fn refuses_repeats(response: &openapi_document::view::Response<'_>) -> bool {
    const TOLD: [&str; 4] = ["already", "taken", "duplicate", "unique"];
    let Status::Code(code @ 400..=499) = response.status else {
        return false;
    };
    let text = response.at.node.get("description").and_then(Node::as_str);
    code == 409 || prose::has(&names::words(text.unwrap_or_default()), &TOLD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_to_be_taken() {
        let text = r#"
openapi: 3.0.3
info: {title: Shop, version: "1"}
paths:
  /hooks:
    post:
      operationId: addHook
      description: Adds a hook. The `customer` has to exist. A serial number can be registered once per shop. A wall plug can be paired only once, over all shops. The nickname must not be in use by another hook. A voucher can be used only once. No two active hooks have the same wire number; a second one is refused. Tokens are unique; a token in use gives 409.
      responses:
        "409":
          description: A hook of this label already exists, or the key was used. Labels are unique among the hooks of the shop. (`duplicateTracking`, `other`)
          content: {application/json: {examples: {a: {value: {code: url_taken, message: No.}}, b: {value: {code: pin_code_used}}}}}
"#;
        let document = openapi_document::loader::load_text("shop.yaml", text).unwrap();
        let conflicts = Conflicts::of(&document.operations()[0]);
        assert!(conflicts.refuses_repeats());
        for (name, expected) in [
            ("label", true),
            ("url", true),
            ("pin_code", true),
            ("serialNumber", true),
            ("wallPlug", true),
            ("nickname", true),
            ("voucher", false),
            ("token", true),
            ("wireNumber", true),
            ("trackingNumber", true),
            ("tracking_id", false),
            ("customer", false),
            ("shop", false),
            ("key", false),
        ] {
            assert_eq!(conflicts.tells_of(name), expected, "{name}");
        }
    }
}
