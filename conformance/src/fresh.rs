//! Fresh natural keys: replaces values that must be unique by new ones in each run. Within a
//! scenario, equal old values get equal new ones.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::node::Entry;
use openapi_document::view::{Document, Located};
use openapi_document::{Mapping, Node, Value};

use crate::change::Why;
use crate::check_digit;
use crate::conflicts::Conflicts;
use crate::names;
use crate::prose;
use crate::sample::{invention, pattern};
use crate::seed::Seed;
use crate::shape::Shape;

/// The length of a new key that is unique by chance, in characters.
const KEY: usize = 12;

/// Creates fresh values from a seed.
#[derive(Debug, Clone)]
pub struct Fresh {
    random: fastrand::Rng,
    /// The random numbers for keys.
    keys: fastrand::Rng,
    replaced: BTreeMap<String, String>,
    /// Whether examples keep their values, except for the keys that the document marks.
    as_shown: bool,
    /// The status with which the server refused the unchanged example.
    conflict: Option<u16>,
    /// The properties that were replaced although the document does not mark them.
    renamed: BTreeSet<String>,
}

/// From this length on, a text of digits and letters up to `f` counts as hexadecimal.
const HEXADECIMAL: usize = 16;

impl Fresh {
    /// Creates the values of one script. The same seed and name give the same values.
    pub fn new(seed: Seed, name: &str) -> Self {
        Self {
            random: fastrand::Rng::with_seed(seed.choices ^ hash(name)),
            keys: fastrand::Rng::with_seed(seed.choices ^ seed.keys.rotate_left(32) ^ hash(name)),
            replaced: BTreeMap::new(),
            as_shown: false,
            conflict: None,
            renamed: BTreeSet::new(),
        }
    }

    /// Keeps the values of examples, except for the keys that the document marks.
    pub fn keep_as_shown(&mut self) {
        self.as_shown = true;
    }

    /// From now on also replaces values that may be in use, because the server refused the
    /// unchanged example with this status.
    pub fn renew(&mut self, conflict: u16) {
        self.as_shown = false;
        self.conflict = Some(conflict);
    }

    /// Why a value that may be in use is replaced.
    pub fn reason_of_renaming(&self) -> Why {
        let taken = |status| Why::Taken { status };
        self.conflict.map_or(Why::Unique, taken)
    }

    /// The properties that were replaced although the document does not mark them.
    pub fn renamed(&self) -> impl Iterator<Item = &str> {
        self.renamed.iter().map(String::as_str)
    }

    /// A copy that knows the same replacements, and creates other new values for another name.
    #[must_use]
    pub fn fork(&self, name: &str) -> Self {
        let (mut random, mut keys) = (self.random.clone(), self.keys.clone());
        Self {
            random: fastrand::Rng::with_seed(random.u64(..) ^ hash(name)),
            keys: fastrand::Rng::with_seed(keys.u64(..) ^ hash(name)),
            replaced: self.replaced.clone(),
            ..self.clone()
        }
    }

    /// A copy without replacements, which creates other new values for another name.
    #[must_use]
    pub fn apart(&self, name: &str) -> Self {
        let mut apart = self.fork(name);
        apart.replaced.clear();
        apart
    }

    /// The random numbers, for other decisions.
    pub fn random(self) -> fastrand::Rng {
        self.random
    }

    /// A random UUID in lower case.
    pub fn uuid(&mut self) -> String {
        let bytes = self.keys.u128(..).to_be_bytes();
        uuid::Builder::from_random_bytes(bytes)
            .into_uuid()
            .to_string()
    }

    /// The replacement for a natural key in this script; created when it is first needed.
    pub fn key(&mut self, old: &str, max_length: Option<u64>) -> String {
        if let Some(known) = self.replaced.get(old) {
            return known.clone();
        }
        let new = self.like(old, max_length);
        self.replaced.insert(old.to_owned(), new.clone());
        new
    }

    /// A new value with the form of an old one.
    pub fn like(&mut self, old: &str, max_length: Option<u64>) -> String {
        if is_uuid(old) {
            return self.uuid();
        }
        if let Some(other) = check_digit::another(old, &mut self.keys) {
            return other;
        }
        if let Some((user, host)) = old.split_once('@') {
            let room = max_length.map(|max| max.saturating_sub(host.chars().count() as u64 + 1));
            return format!("{}@{host}", self.like(user, room));
        }
        let fits = max_length.is_none_or(|max| old.chars().count() as u64 + 9 <= max);
        if fits && !old.is_empty() && !old.bytes().all(|byte| byte.is_ascii_digit()) {
            return format!("{old}-{:08x}", self.keys.u32(..));
        }
        // A short word has too few alternatives, so the new one may be longer.
        let is_short = old.len() < KEY && old.bytes().all(|byte| byte.is_ascii_alphabetic());
        let room = max_length.map_or(old.len(), |max| {
            usize::try_from(max).unwrap_or(KEY).min(KEY)
        });
        let more = room.saturating_sub(old.len()) * usize::from(is_short && !old.is_empty());
        let word = old.chars().chain(std::iter::repeat_n('a', more));
        let is_hexadecimal =
            old.len() >= HEXADECIMAL && old.bytes().all(|byte| byte.is_ascii_hexdigit());
        word.map(|char| self.character_like(char, is_hexadecimal))
            .collect()
    }

    fn character_like(&mut self, old: char, is_hexadecimal: bool) -> char {
        match old {
            '0'..='9' => self.keys.digit(10),
            'a'..='f' if is_hexadecimal => self.keys.char('a'..='f'),
            'A'..='F' if is_hexadecimal => self.keys.char('A'..='F'),
            'a'..='z' => self.keys.lowercase(),
            'A'..='Z' => self.keys.uppercase(),
            other => other,
        }
    }

    /// Replaces every natural key that the schema of a value marks.
    pub fn replace<'d>(
        &mut self,
        document: &'d Document,
        value: &mut Node,
        schema: Option<&Located<'d>>,
    ) {
        self.walk(document, value, &Shape::of(document, schema));
    }

    /// Replaces keys that only their names, descriptions or documented conflicts show, in a body
    /// whose schema marks none. When there are none, replaces names and codes of things.
    pub fn replace_named<'d>(
        &mut self,
        document: &'d Document,
        value: &mut Node,
        (schema, conflicts): (Option<&Located<'d>>, &Conflicts),
    ) {
        if self.as_shown {
            return;
        }
        let shape = Shape::of(document, schema);
        self.replace_unmarked(document, value, (&shape, conflicts), false);
    }

    fn replace_unmarked<'d>(
        &mut self,
        document: &'d Document,
        value: &mut Node,
        (shape, conflicts): (&Shape<'d>, &Conflicts),
        is_inner: bool,
    ) {
        let Value::Mapping(mapping) = &mut value.value else {
            return;
        };
        let property_of = |name: &String| shape.property(document, name);
        if let Some(inner) = envelope(mapping) {
            let shape = property_of(&inner.key);
            return self.replace_unmarked(document, &mut inner.value, (&shape, conflicts), true);
        }
        let mut entries = mapping.entries.iter();
        if entries.any(|entry| property_of(&entry.key).flag("x-natural-key")) {
            return;
        }
        let is_stated = |name: &String| {
            is_natural_name(name) || is_said_unique(&property_of(name)) || conflicts.mentions(name)
        };
        // The name or code of a nested object need not be unique, such as the number of a card.
        let any_stated = is_inner || mapping.entries.iter().any(|entry| is_stated(&entry.key));
        for entry in &mut mapping.entries {
            let property = property_of(&entry.key);
            let is_listed = ["enum", "const"]
                .iter()
                .any(|key| property.keyword(key).is_some());
            let is_stated = is_stated(&entry.key);
            let is_called = !any_stated && names_the_thing(&entry.key);
            if let Value::Sequence(items) = &mut entry.value.value {
                if is_natural_name(&names::singular(&entry.key)) {
                    self.replace_items(&entry.key, items, &property.items(document));
                }
                continue;
            }
            let Value::String(text) = &mut entry.value.value else {
                continue;
            };
            // A documented accepted code stays: "the right code is `1234`".
            let is_key = is_stated || (is_called && !conflicts.quotes_value(text));
            if is_key && !is_listed {
                *text = self.key_of_form(text, &property);
                self.renamed.insert(entry.key.clone());
            }
        }
    }

    /// Replaces each text of a list of keys, such as `usernames`.
    fn replace_items(&mut self, name: &str, items: &mut [Node], shape: &Shape<'_>) {
        for item in items {
            if let Value::String(text) = &mut item.value {
                *text = self.key_of_form(text, shape);
                self.renamed.insert(name.to_owned());
            }
        }
    }

    /// Replaces invented e-mail addresses, because a service registers each address once.
    pub fn replace_addresses(&mut self, value: &mut Node) {
        match &mut value.value {
            Value::String(text) if invention::ADDRESSES.contains(&text.as_str()) => {
                *text = self.key(text, None);
            }
            Value::Sequence(items) => items
                .iter_mut()
                .for_each(|item| self.replace_addresses(item)),
            Value::Mapping(mapping) => {
                let entries = mapping.entries.iter_mut();
                entries.for_each(|entry| self.replace_addresses(&mut entry.value));
            }
            _ => {}
        }
    }

    /// The replacement for an old key, in the form of its schema; created when it is first needed.
    /// The old key when no other fits.
    pub(crate) fn key_of_form(&mut self, old: &str, shape: &Shape<'_>) -> String {
        if let Some(known) = self.replaced.get(old) {
            return known.clone();
        }
        let new = self.like_of_form(old, shape);
        self.replaced.insert(old.to_owned(), new.clone());
        new
    }

    /// Like [`Self::key_of_form`], but creates a new value each time.
    pub(crate) fn like_of_form(&mut self, old: &str, shape: &Shape<'_>) -> String {
        let most = shape.keyword("maxLength").and_then(Node::as_u64);
        let Some(pattern) = shape.keyword("pattern").and_then(Node::as_str) else {
            return self.like(old, most);
        };
        let form = regex::Regex::new(pattern).ok();
        let fits = |text: &String| form.as_ref().is_some_and(|form| form.is_match(text));
        if let Some(checked) = check_digit::another(old, &mut self.keys).filter(fits) {
            return checked;
        }
        // A pattern may limit the length, so the text only grows within it.
        let longer = (old.len()..=KEY).rev().find_map(|length| {
            let text = pattern::text(pattern, length, false)?;
            let fits = most.is_none_or(|most| text.chars().count() as u64 <= most);
            (fits && old.len() < KEY && text.is_ascii()).then_some(text)
        });
        // A text that only follows the pattern has no check digit, so all of it may change.
        let as_long = match &longer {
            Some(text) => text
                .chars()
                .map(|char| self.character_like(char, false))
                .collect(),
            None => self.like(old, Some(old.chars().count() as u64)),
        };
        let base = longer.unwrap_or_else(|| old.to_owned());
        // The start of an address cannot change, but it may get a suffix.
        let new = Some(as_long).filter(fits);
        let new = new.or_else(|| Some(self.like(old, most)).filter(fits));
        new.unwrap_or_else(|| self.changed_where_allowed(&base, fits))
    }

    /// A text in which each character changes if the result still fits: the start of `ORD-7H2K`
    /// stays.
    fn changed_where_allowed(&mut self, old: &str, fits: impl Fn(&String) -> bool) -> String {
        let mut new: Vec<char> = old.chars().collect();
        for at in 0..new.len() {
            let before = new[at];
            new[at] = self.character_like(before, false);
            if !fits(&new.iter().collect()) {
                new[at] = before;
            }
        }
        new.into_iter().collect()
    }

    fn walk<'d>(&mut self, document: &'d Document, node: &mut Node, shape: &Shape<'d>) {
        match &mut node.value {
            Value::String(text) if shape.flag("x-natural-key") => {
                let max_length = shape.keyword("maxLength").and_then(Node::as_u64);
                *text = self.key(text, max_length);
            }
            Value::Sequence(items) => {
                let shape = shape.items(document);
                for item in items {
                    self.walk(document, item, &shape);
                }
            }
            Value::Mapping(mapping) => {
                for entry in &mut mapping.entries {
                    let shape = shape.property(document, &entry.key);
                    self.walk(document, &mut entry.value, &shape);
                }
            }
            _ => {}
        }
    }
}

/// The object in an envelope: the only entry, or `attributes` of a resource.
fn envelope(mapping: &mut Mapping) -> Option<&mut Entry> {
    let is_only = mapping.entries.len() == 1;
    let mut entries = mapping.entries.iter_mut();
    entries
        .find(|entry| entry.value.as_mapping().is_some() && (is_only || entry.key == "attributes"))
}

/// Whether the description of a property says that it is unique.
pub(crate) fn is_said_unique(shape: &Shape<'_>) -> bool {
    let text = shape.keyword("description").and_then(Node::as_str);
    let mut sentences = prose::spoken(text.unwrap_or_default()).into_iter();
    sentences.any(|words| {
        let before = words.iter().position(|word| word == "unique");
        before.is_some_and(|at| !prose::has(&words[..at], &["not", "never", "needn"]))
    })
}

/// Whether a name is the name or code of a thing, which may have to be unique.
fn names_the_thing(name: &str) -> bool {
    let words = names::words(name);
    let [word] = &words[..] else { return false };
    matches!(word.as_str(), "name" | "code" | "number" | "label" | "key")
}

/// Whether a name is usual for a text that its sender makes unique.
pub(crate) fn is_natural_name(name: &str) -> bool {
    const ALONE: [&str; 13] = [
        "reference",
        "ref",
        "email",
        "username",
        "login",
        "slug",
        "sku",
        "handle",
        "nonce",
        "isbn",
        "ean",
        "vin",
        "barcode",
    ];
    const OF: [&str; 4] = ["external", "order", "invoice", "request"];
    let words = names::words(name);
    let last = words.last().map_or("", String::as_str);
    let of_other = matches!(last, "id" | "number" | "code");
    ALONE.contains(&last)
        || words.iter().any(|word| word == "idempotency")
        || (of_other && words.iter().any(|word| OF.contains(&word.as_str())))
}

/// FNV-1a. `Hash` is not stable across versions of the compiler.
fn hash(name: &str) -> u64 {
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    name.bytes().fold(0xcbf2_9ce4_8422_2325, fold)
}

/// Whether a text is a hyphenated UUID in either letter case.
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36 && uuid::Uuid::try_parse(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seed(choices: u64) -> Seed {
        Seed { choices, keys: 0 }
    }

    #[test]
    fn another_run_with_the_same_choices_has_other_keys() {
        let fresh = |keys| Fresh::new(Seed { choices: 7, keys }, "a");
        assert_eq!(fresh(1).random().u64(..), fresh(2).random().u64(..));
        assert_eq!(fresh(1).key("order-1", None), fresh(1).key("order-1", None));
        assert_ne!(fresh(1).key("order-1", None), fresh(2).key("order-1", None));
        assert_ne!(fresh(1).uuid(), fresh(2).uuid());
    }

    #[test]
    fn an_example_is_unchanged_until_it_is_refused() {
        let document = r#"{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{}}"#;
        let document = openapi_document::loader::load_text("t.json", document).unwrap();
        let body = r#"{"email":"jo@shop.example","rooms":["A1"]}"#;
        let mut value = openapi_document::json::read_text(body).unwrap();
        let mut fresh = Fresh::new(seed(7), "a");
        fresh.keep_as_shown();
        let conflicts = Conflicts::default();
        fresh.replace_named(&document, &mut value, (None, &conflicts));
        assert_eq!(value.to_json(), body);
        fresh.renew(409);
        fresh.replace_named(&document, &mut value, (None, &conflicts));
        assert_ne!(value.to_json(), body);
        assert_eq!(fresh.renamed().collect::<Vec<_>>(), ["email"]);
        assert!(value.to_json().contains(r#""rooms":["A1"]"#));
    }

    #[test]
    fn keys_of_a_pattern_differ_in_all_their_digits() {
        let text = "openapi: 3.0.4\ninfo: {title: t, version: '1'}\npaths: {}\ncomponents: {schemas: {K: {type: string, pattern: '^[0-9A-Z-]{1,20}$'}}}\n";
        let document = openapi_document::loader::load_text("a.yaml", text).unwrap();
        let schema = document.components("schemas").remove(0).1;
        let shape = Shape::of(&document, Some(&schema));
        let mut fresh = Fresh::new(seed(7), "a");
        let all: BTreeSet<String> = (0..2000)
            .map(|_| fresh.like_of_form("C-20931", &shape))
            .collect();
        assert_eq!(all.len(), 2000);
        let zeros = all.iter().filter(|key| key.starts_with("0000")).count();
        assert!(zeros < 10, "{zeros}");
    }

    #[test]
    fn fresh_values_look_like_the_old_ones() {
        let mut fresh = Fresh::new(seed(7), "a");
        let uuid = fresh.key("6a112e4a-83d0-4dd8-8111-be242b8dc188", None);
        assert!(is_uuid(&uuid) && uuid == uuid.to_lowercase());
        assert!(fresh.key("order-1", None).starts_with("order-1-"));
        assert_eq!(fresh.key("123456", None).len(), 6);
        let hexadecimal = fresh.like("6a112e4a83d04dd88111be242b8dc188", Some(32));
        assert!(hexadecimal.bytes().all(|byte| byte.is_ascii_hexdigit()));
        assert_eq!(fresh.key("AB-12", Some(8)).len(), 5);
        assert_eq!(fresh.key("order-1", None), fresh.key("order-1", None));
        let address = fresh.key("jo@shop.example", None);
        assert!(address.starts_with("jo-") && address.ends_with("@shop.example"));
    }

    #[test]
    fn keys_use_the_length_that_their_pattern_allows() {
        let schema = r#"{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{},"components":{
            "schemas":{"S":{"properties":{"sku":{"type":"string","pattern":"^[A-Z0-9-]{4,20}$"},
            "isbn":{"type":"string","pattern":"^[0-9]{4}$"},
            "order":{"type":"string","pattern":"^ORD-[A-Z0-9]{6,12}$"},
            "url":{"type":"string","pattern":"^https://"}}}}}}"#;
        let document = openapi_document::loader::load_text("t.json", schema).unwrap();
        let (_, located) = document.components("schemas").remove(0);
        let shape = Shape::of(&document, Some(&located));
        for (name, length) in [("sku", KEY), ("isbn", 4)] {
            let property = shape.property(&document, name);
            let mut fresh = Fresh::new(seed(7), "a");
            let key = fresh.key_of_form("0000", &property);
            assert_eq!(key.len(), length, "{key}");
            assert_eq!(fresh.key_of_form("0000", &property), key);
        }
        let order = shape.property(&document, "order");
        let key = Fresh::new(seed(7), "a").key_of_form("ORD-7H2K90QX", &order);
        assert!(key.starts_with("ORD-") && key.len() == 12, "{key}");
        assert_ne!(
            key,
            Fresh::new(seed(7), "b").key_of_form("ORD-7H2K90QX", &order)
        );
        let url = shape.property(&document, "url");
        let shown = "https://shop.example/hooks";
        let key = Fresh::new(seed(7), "a").key_of_form(shown, &url);
        assert!(key != shown && key.starts_with("https://"), "{key}");
    }

    #[test]
    fn keys_in_envelopes() {
        let schema = r#"{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{}}"#;
        let document = openapi_document::loader::load_text("t.json", schema).unwrap();
        for (body, expected) in [
            (r#"{"data":{"type":"a","attributes":{"sku":"AB-1"}}}"#, true),
            (r#"{"tool":{"sku":"AB-1"}}"#, true),
            (r#"{"size":1,"part":{"sku":"AB-1"}}"#, false),
        ] {
            let mut value = openapi_document::json::read_text(body).unwrap();
            let before = value.to_json();
            Fresh::new(seed(7), "a").replace_named(
                &document,
                &mut value,
                (None, &Conflicts::default()),
            );
            assert_eq!(value.to_json() != before, expected, "{body}");
        }
    }

    #[test]
    fn keys_that_names_show() {
        for (name, expected) in [
            ("reference", true),
            ("merchantReference", true),
            ("email", true),
            ("external_id", true),
            ("order_number", true),
            ("customer_id", false),
            ("description", false),
        ] {
            assert_eq!(is_natural_name(name), expected, "{name}");
        }
    }

    #[test]
    fn a_seed_determines_the_values() {
        let key = |choices, name| Fresh::new(seed(choices), name).key("order-1", None);
        assert_eq!(key(1, "a"), key(1, "a"));
        assert_ne!(key(1, "a"), key(2, "a"));
        assert_ne!(key(1, "a"), key(1, "b"));
    }
}
