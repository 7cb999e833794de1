//! Lifted: a record with the amounts and states of the objects within it beside its own, under names with a point:
//! `payment.captured`. Pure.

use openapi_document::view::Document;
use openapi_document::{Node, Pointer};

use crate::amount::{Amount, place};
use crate::names;
use crate::shape::Shape;
use crate::value;

/// The record with what its objects count. One in which an amount stands beside its currency is an amount itself.
pub(crate) fn lifted(record: &Node) -> Node {
    let mut whole = record.clone();
    for outer in record.entries() {
        if outer.value.as_mapping().is_none() || place(&outer.value).is_some() {
            continue;
        }
        for inner in outer.value.entries() {
            let is_state = names::tells_state(&inner.key) && inner.value.as_str().is_some();
            if is_state || Amount::read(&inner.value).is_some() {
                let name = Pointer::root().join(format!("{}.{}", outer.key, inner.key));
                // A property is put into an object.
                let _ = value::put(&mut whole, &name, inner.value.clone());
            }
        }
    }
    whole
}

/// Where an amount stands that has such a name.
pub(crate) fn at(name: &str) -> Pointer {
    let parts = name.split('.');
    parts.fold(Pointer::root(), |at, part| at.join(part))
}

/// The name that an amount has in its own object.
pub(crate) fn own_name(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// The schema of an amount with such a name.
pub(crate) fn property<'d>(document: &'d Document, shape: &Shape<'d>, name: &str) -> Shape<'d> {
    let parts = name.split('.');
    parts.fold(shape.clone(), |own, part| own.property(document, part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_within_are_beside_the_others() {
        let record = r#"{"id":"o","payment":{"status":"open","captured":5,"method":null,"by":"card"},
            "price":{"amount":3,"currency":"EUR"}}"#;
        let record = openapi_document::json::read_text(record).unwrap();
        let whole = lifted(&record);
        let names: Vec<&str> = whole.entries().map(|own| own.key.as_str()).collect();
        let expected = [
            "id",
            "payment",
            "price",
            "payment.status",
            "payment.captured",
        ];
        assert_eq!(names, expected);
        assert_eq!(at("payment.captured").to_string(), "/payment/captured");
        assert_eq!(own_name("payment.captured"), "captured");
        assert_eq!(own_name("captured"), "captured");
    }
}
