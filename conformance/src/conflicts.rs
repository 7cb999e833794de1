//! Conflicts: reads when an operation refuses a value because another record has it.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use openapi_document::Node;
use openapi_document::view::{MediaType, Operation, Status};

use super::correction::Corrections;
use super::{names, prose};

/// What the document says about the conflicts of an operation.
#[derive(Debug, Default)]
pub struct Conflicts {
    /// Whether the operation may refuse a repeated value: the document says so, or the server
    /// answered 409.
    refuses_repeats: AtomicBool,
    /// The words of each clause that says something is in use.
    taken: Vec<Vec<String>>,
    /// The words of each sentence of the operation and its refusals.
    pub spoken: Vec<Vec<String>>,
    /// Names of properties that a fact states to be unique.
    unique: Vec<String>,
    /// Quoted values in sentences about accepted values.
    marked: Vec<String>,
    /// Names of properties that a refusal said to be unique.
    learned: Mutex<BTreeSet<String>>,
    /// What refusals said about invented bodies.
    pub(crate) corrections: Corrections,
}

impl Conflicts {
    /// Reads the description of an operation, of its refusals and their examples.
    pub fn of(operation: &Operation<'_>) -> Self {
        const RIGHT: [&str; 5] = ["test", "right", "accepted", "valid", "correct"];
        const OF_REPEATS: [&str; 5] = ["unique", "already", "duplicate", "twice", "once"];
        let description = operation.at.node.get("description").and_then(Node::as_str);
        let of_description = description
            .map_or_else(Vec::new, prose::sentences)
            .into_iter();
        let is_meant = |words: &[String]| {
            prose::has(words, &OF_REPEATS) || says_no_two(words) || says_only_once(words)
        };
        let of_description = of_description.filter(|text| is_meant(&names::words(text)));
        let mut texts: Vec<&str> = of_description.collect();
        let responses = operation.responses();
        let refuses_repeats = responses.iter().any(refuses_repeats);
        for response in responses {
            if response.status != Status::Code(409) {
                continue;
            }
            let text = response.at.node.get("description");
            texts.extend(text.and_then(Node::as_str));
            let content = response.content();
            let shown = content.iter().flat_map(MediaType::examples);
            shown.for_each(|item| prose::texts_in(item.value.node, &mut texts));
        }
        let taken = texts.iter().flat_map(|text| {
            let is_code = !text.trim().contains(' ');
            let parts = parts(text).into_iter();
            parts.filter(move |part| says_in_use(part) || (is_code && ends_in_use(part)))
        });
        let all = texts.iter().copied().chain(description);
        let sentences = description
            .map_or_else(Vec::new, prose::sentences)
            .into_iter();
        let right = sentences
            .filter(|sentence| prose::has(&names::words(&sentence.to_lowercase()), &RIGHT));
        let marked = right.flat_map(|text| text.split('`').skip(1).step_by(2));
        Self {
            unique: Vec::new(),
            learned: Mutex::default(),
            corrections: Corrections::default(),
            marked: marked.map(str::to_owned).collect(),
            refuses_repeats: AtomicBool::new(refuses_repeats),
            taken: taken.collect(),
            spoken: all.flat_map(prose::spoken).collect(),
        }
    }

    /// Adds the names of properties that facts state to be unique.
    #[must_use]
    pub fn with_unique(mut self, names: impl Iterator<Item = String>) -> Self {
        self.unique.extend(names);
        *self.refuses_repeats.get_mut() |= !self.unique.is_empty();
        self
    }

    /// Whether the operation may refuse a repeated value.
    pub fn refuses_repeats(&self) -> bool {
        self.refuses_repeats.load(Ordering::Relaxed)
    }

    /// Notes that the server answered 409, documented or not. From now on each request gets new
    /// values where another record may have the old ones.
    pub fn note_repeat(&self) {
        self.refuses_repeats.store(true, Ordering::Relaxed);
    }

    /// Notes that a refusal said that another record has the value of a property. Returns whether
    /// that is new.
    pub(crate) fn note_unique(&self, name: &str) -> bool {
        self.note_repeat();
        let mut learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        learned.insert(name.to_owned())
    }

    /// Whether the text of the operation quotes a value as an accepted one: "the right code (`1234`
    /// in test)".
    pub fn quotes_value(&self, value: &str) -> bool {
        self.marked.iter().any(|quoted| quoted == value)
    }

    /// Whether another record may already have the value of a property: `a voucher with this code
    /// already exists`, `address_taken`.
    pub fn mentions(&self, name: &str) -> bool {
        let learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        if self.unique.iter().any(|item| item == name) || learned.contains(name) {
            return true;
        }
        drop(learned);
        let wanted = names::words(name);
        // `Codes are unique` is about `code`.
        let is_it = |part: &[String]| {
            let mut pairs = part.iter().zip(&wanted);
            pairs.all(|(found, wanted)| found == wanted || names::singular(found) == *wanted)
        };
        let is_named = |words: &Vec<String>| {
            let mut places = words.windows(wanted.len().max(1)).enumerate();
            places.any(|(at, part)| is_it(part) && !is_owner(&words[..at]))
        };
        self.taken.iter().any(is_named)
            || self.taken.iter().any(|code| is_duplicate_of(code, &wanted))
    }
}

/// Whether a code reports a duplicate of a name's first words: `duplicateTracking` for
/// `trackingNumber`, but not for `tracking_id`, which identifies another record.
fn is_duplicate_of(code: &[String], name: &[String]) -> bool {
    const WRITTEN: [&str; 2] = ["number", "code"];
    let [first, rest @ ..] = code else {
        return false;
    };
    let split = name.split_last();
    let is_written = split.is_some_and(|(last, before)| {
        WRITTEN.contains(&last.as_str()) && !rest.is_empty() && before == rest
    });
    first == "duplicate" && is_written
}

/// Whether the words before a name make it the scope of uniqueness: `unique among the readers of
/// the store`, `once per shop`.
fn is_owner(before: &[String]) -> bool {
    let among = before
        .iter()
        .position(|item| matches!(item.as_str(), "among" | "within" | "amongst" | "per"));
    among.is_some_and(|at| before.len() - at <= 6)
}

/// The words of each clause of a text.
fn parts(text: &str) -> Vec<Vec<String>> {
    let parts = prose::sentences(text).into_iter();
    parts
        .flat_map(|part| part.split(','))
        .map(names::words)
        .collect()
}

/// Whether words say that another record has a value.
fn says_in_use(words: &[String]) -> bool {
    const TAKEN: [&str; 5] = ["exists", "taken", "unique", "duplicate", "registered"];
    prose::has(words, &TAKEN) || says_no_two(words) || says_only_once(words)
}

/// Whether words say that a value can be used once, such as `a serial number can be paired only
/// once` or `the name must not be in use by another store`. Things that are used up do not count.
fn says_only_once(words: &[String]) -> bool {
    let has = |text: &[&str]| words.windows(text.len()).any(|part| part == text);
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

/// Whether words say that a value is unique: `no two accounts have the same number`.
fn says_no_two(words: &[String]) -> bool {
    let mut pairs = words.windows(2);
    let no_two = pairs.any(|pair| pair[0].eq_ignore_ascii_case("no") && pair[1] == "two");
    no_two && prose::has(words, &["same"])
}

/// Whether a code says that a value is in use: `voucher_code_used`, `label_in_use`.
fn ends_in_use(words: &[String]) -> bool {
    let ends =
        |text: &[&str]| words.len() > text.len() && words[words.len() - text.len()..] == *text;
    ends(&["used"]) || ends(&["in", "use"])
}

/// Whether a documented refusal may refuse a repeated value.
fn refuses_repeats(response: &openapi_document::view::Response<'_>) -> bool {
    const WORDS: [&str; 4] = ["already", "taken", "duplicate", "unique"];
    let Status::Code(code @ 400..=499) = response.status else {
        return false;
    };
    let text = response.at.node.get("description").and_then(Node::as_str);
    code == 409 || prose::has(&names::words(text.unwrap_or_default()), &WORDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_about_values_in_use() {
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
            assert_eq!(conflicts.mentions(name), expected, "{name}");
        }
    }
}
