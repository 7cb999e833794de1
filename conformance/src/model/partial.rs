//! Partial records: list items and answers that show only some properties of a record, under another schema.

use openapi_document::view::{Document, Located, Method};

use super::paths::{is_item_of, names_one, same_path, starts_with};
use super::{Call, Record, Role};
use crate::names;
use crate::shape::Shape;

/// For each call: the full record's schema if the items of its list are partial records, else `None`.
pub(super) fn partial_items<'d>(
    document: &'d Document,
    calls: &[Call<'d>],
) -> Vec<Option<Located<'d>>> {
    let readers: Vec<&Call<'d>> = calls
        .iter()
        .filter(|call| call.role == Role::Read)
        .collect();
    let full_record_of = |list: &Call<'d>| {
        let kind = list.record().filter(|_| list.role == Role::List)?;
        // A kind that a reader answers is a full record.
        let is_read = |call: &&&Call<'d>| call.record().is_some_and(|record| record.is(kind));
        if readers.iter().any(|item| is_read(&item)) {
            return None;
        }
        let mut readers = readers.iter();
        let reader = readers.find(|call| is_item_of(call.operation.path, list.operation.path))?;
        let whole = reader.record()?;
        is_partial(document, kind, whole).then(|| whole.schema.clone())
    };
    calls.iter().map(full_record_of).collect()
}

/// For each writing call: the kind of record that a reader answers, if the call answers more or fewer of its
/// properties under another schema. A creation may add secrets; a step may answer the state alone. Else `None`.
pub(super) fn full_kinds<'d>(
    document: &'d Document,
    calls: &[Call<'d>],
) -> Vec<Option<Record<'d>>> {
    let is_reader = |call: &&Call<'d>| {
        let is_list = call
            .success
            .as_ref()
            .is_some_and(|success| success.items.is_some());
        call.operation.method == Method::Get && !is_list && call.record().is_some()
    };
    let readers: Vec<&Call<'d>> = calls.iter().filter(is_reader).collect();
    let full_record_of_write = |call: &Call<'d>| {
        let kind = call.record()?;
        let is_read = |call: &&Call<'d>| call.record().is_some_and(|record| record.is(kind));
        let writes = matches!(
            call.operation.method,
            Method::Post | Method::Put | Method::Patch
        );
        if !writes || readers.iter().any(is_read) {
            return None;
        }
        let path = call.operation.path;
        let is_of = |call: &&&Call<'d>| {
            let item = call.operation.path;
            let is_step = names_one(item) && (same_path(item, path) || starts_with(path, item));
            is_item_of(item, path) || is_step
        };
        let mut read = readers
            .iter()
            .filter(is_of)
            .filter_map(|call| call.record());
        let is_full_kind = |record: &&Record<'d>| {
            is_part(document, record, kind) || is_part(document, kind, record)
        };
        read.find(is_full_kind).map(|item| Record {
            at: kind.at.clone(),
            ..item.clone()
        })
    };
    calls.iter().map(full_record_of_write).collect()
}

/// Whether each property of `part` is also a property of `whole`, with the same type and format.
fn is_part<'d>(document: &'d Document, part: &Record<'d>, whole: &Record<'d>) -> bool {
    let known = Shape::of(document, Some(&whole.schema)).property_names();
    let names = Shape::of(document, Some(&part.schema)).property_names();
    is_partial(document, part, whole) && names.iter().all(|name| known.contains(name))
}

/// Whether a schema shows part of a record: both have the same key, at least two thirds of the schema's properties
/// exist in the record, and these have the same type and format.
fn is_partial<'d>(document: &'d Document, kind: &Record<'d>, whole: &Record<'d>) -> bool {
    let shape_of = |record: &Record<'d>| Shape::of(document, Some(&record.schema));
    let (account, record) = (shape_of(kind), shape_of(whole));
    let all = account.property_names();
    let known = record.property_names();
    let shared: Vec<&str> = all
        .iter()
        .copied()
        .filter(|name| known.contains(name))
        .collect();
    let is_alike = |name: &&str| {
        let (one, other) = (
            account.property(document, name),
            record.property(document, name),
        );
        let form = |shape: &Shape<'d>| (shape.type_name(), shape.format());
        // Nested objects must share most properties, or they are different kinds.
        let (inner, known) = (one.property_names(), other.property_names());
        let shared = inner.iter().filter(|name| known.contains(name)).count();
        form(&one) == form(&other) && shared * 3 >= inner.len() * 2
    };
    let keys = kind.key.zip(whole.key);
    let is_most = shared.len() > 2 && shared.len() * 3 >= all.len() * 2;
    keys.is_some_and(|(one, other)| names::same(one, other))
        && is_most
        && shared.iter().all(is_alike)
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use openapi_document::Behaviour;

    const BOOKS: &str = r#"
openapi: 3.0.3
info: {title: Books, version: "1"}
paths:
  /books:
    get:
      operationId: listBooks
      responses:
        "200": {description: all, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/BookLine'}}}}}
  /books/{bookId}:
    get:
      operationId: getBook
      responses:
        "200": {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}}
components:
  schemas:
    BookLine: {type: object, properties: {id: {type: string}, title: {type: string}, due: {type: string, format: date}}}
    Book: {type: object, properties: {id: {type: string}, title: {type: string}, due: {type: string, format: date}, notes: {type: string}}}
"#;

    fn lists(text: &str) -> usize {
        let document = openapi_document::loader::load_text("books.yaml", text).unwrap();
        let model = Model::new(&document, Behaviour::default());
        let kind = model.call("getBook").unwrap().record().unwrap();
        model.lists(kind).len()
    }

    #[test]
    fn a_created_record_has_the_kind_of_its_reader() {
        const MAKER: &str = r#"
    post:
      operationId: addBook
      responses:
        "201": {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/NewBook'}}}}
"#;
        let created = "    NewBook: {type: object, properties: {id: {type: string}, title: {type: string}, \
                    due: {type: string, format: date}, notes: {type: string}, pin: {type: string}}}\n";
        let text = BOOKS.replacen("  /books:\n", &format!("  /books:{MAKER}"), 1) + created;
        let other = "title: {type: object, properties: {a: {}}}";
        for (from, to, expected) in [
            ("pin", "pin", true),
            ("notes", "remarks", false),
            ("title: {type: string}", other, false),
        ] {
            let (before, after) = text.split_at(text.len() - created.len());
            let text = format!("{before}{}", after.replacen(from, to, 1));
            let document = openapi_document::loader::load_text("books.yaml", &text).unwrap();
            let model = Model::new(&document, Behaviour::default());
            let record = |id: &str| model.call(id).unwrap().record().unwrap().clone();
            assert_eq!(record("addBook").is(&record("getBook")), expected, "{to}");
        }
    }

    #[test]
    fn partial_list_items_belong_to_the_record_that_is_read() {
        assert_eq!(lists(BOOKS), 1);
        let other = BOOKS.replacen("format: date", "format: date-time", 1);
        assert_eq!(lists(&other), 0);
    }
}
