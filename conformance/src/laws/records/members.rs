//! Members: a deleted record must not be in a list within its parent either.

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::Call;
use crate::value;

use crate::answered::record_of;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft};
use crate::scene::{Ready, Scene};

/// Reads the parent of the deleted record.
pub(super) async fn check<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (ready, done): (&Ready<'_, 'd>, &Exchange),
    draft: &mut Draft,
) -> Option<()> {
    let parameters = call.path_parameters();
    let [.., parent, child] = parameters[..] else {
        return None;
    };
    let mut arguments = done.sent.path_arguments.iter();
    let key = arguments.find(|(name, _)| name == child)?.1.clone();
    let creator = scene.model.creator_for(&call.operation, parent)?.clone();
    let label = creator.operation.label();
    let mut kept = ready.state.kept.iter().flatten();
    let created = kept.find(|exchange| exchange.sent.operation == label)?;
    let record = record_of(&creator, created)?.clone();
    let readers = scene.readers_for(&creator, &record, &created.sent);
    let reader = readers.first().copied()?;
    let read = scene.read(reader, &record, &created.sent).await.ok()?;
    let at = member(record_of(reader, &read)?, &key)?;
    let claim = Claim::new(
        &checks::DELETED_LISTED,
        Basis::Names,
        format!(
            "no item for the deleted record in `{}`",
            reader.operation.label()
        ),
        "an item for it",
    );
    scene.differ(draft, reader, claim.at(at), &read);
    Some(())
}

/// The pointer to an item with this key in a list within a record.
fn member(record: &Node, key: &str) -> Option<Pointer> {
    record.entries().find_map(|entry| {
        let mut items = entry.value.items();
        let is_it = |item: &Node| item.get("id").is_some_and(|node| value::plain(node) == key);
        let at = items.position(is_it)?;
        Some(
            Pointer::root()
                .join(entry.key.as_str())
                .join(at.to_string()),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_nested_lists() {
        let record = r#"{"id":"a","cards":[{"id":"b"},{"id":7}],"names":["c"]}"#;
        let record = openapi_document::json::read_text(record).unwrap();
        for (key, expected) in [
            ("b", Some("/cards/0")),
            ("7", Some("/cards/1")),
            ("a", None),
            ("c", None),
        ] {
            let found = member(&record, key).map(|item| item.to_string());
            assert_eq!(found.as_deref(), expected, "{key}");
        }
    }
}
