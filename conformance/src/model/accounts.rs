//! Accounts: items of lists that tell of a record less than its reading does, under a schema of their own.

use spec::document::{Document, Located};

use super::paths::is_item_of;
use super::{Call, Record, Role, names};
use crate::shape::Shape;

/// Of each call, the schema of the records that its items are short accounts of.
pub(super) fn accounts<'d>(document: &'d Document, calls: &[Call<'d>]) -> Vec<Option<Located<'d>>> {
    let readers: Vec<&Call<'d>> = calls.iter().filter(|own| own.role == Role::Read).collect();
    let of = |list: &Call<'d>| {
        let kind = list.record().filter(|_| list.role == Role::List)?;
        // What is read as it is listed is a record of its own.
        let is_read = |own: &&&Call<'d>| own.record().is_some_and(|own| own.is(kind));
        if readers.iter().any(|own| is_read(&own)) {
            return None;
        }
        let mut readers = readers.iter();
        let reader = readers.find(|own| is_item_of(own.operation.path, list.operation.path))?;
        let whole = reader.record()?;
        is_account(document, kind, whole).then(|| whole.schema.clone())
    };
    calls.iter().map(of).collect()
}

/// Whether one kind of record tells a part of what another one does: whatever both have is of one form, which is most
/// of what the account has.
fn is_account<'d>(document: &'d Document, own: &Record<'d>, whole: &Record<'d>) -> bool {
    let of = |record: &Record<'d>| Shape::of(document, Some(&record.schema));
    let (account, record) = (of(own), of(whole));
    let all = account.property_names();
    let known = record.property_names();
    let shared: Vec<&str> = all
        .iter()
        .copied()
        .filter(|own| known.contains(own))
        .collect();
    let is_alike = |name: &&str| {
        let form = |shape: &Shape<'d>| {
            let own = shape.property(document, name);
            (own.type_name(), own.format())
        };
        form(&account) == form(&record)
    };
    let keys = own.key.zip(whole.key);
    let is_most = shared.len() > 2 && shared.len() * 3 >= all.len() * 2;
    keys.is_some_and(|(one, other)| names::same(one, other))
        && is_most
        && shared.iter().all(is_alike)
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use spec::Behaviour;

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
        let document = spec::loader::load_text("books.yaml", text).unwrap();
        let model = Model::new(&document, Behaviour::default());
        let kind = model.call("getBook").unwrap().record().unwrap();
        model.lists(kind).len()
    }

    #[test]
    fn short_accounts_are_of_the_record_that_is_read() {
        assert_eq!(lists(BOOKS), 1);
        let other = BOOKS.replacen("format: date", "format: date-time", 1);
        assert_eq!(lists(&other), 0);
    }
}
