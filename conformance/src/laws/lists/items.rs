//! Items: items of a list must show the same values as a reading of their record, in every state.

use std::collections::BTreeSet;

use openapi_document::{Node, Value};

use super::addressed_list::AddressedList;
use super::listing::differ;
use super::paging::Walk;
use crate::answered::record_of;
use crate::scene::Scene;
use crate::scene::draft::Draft;

/// At most this many items are read.
const MOST: usize = 4;

impl<'d> AddressedList<'_, 'd> {
    /// Reads one item per state found in the list.
    pub(crate) async fn as_read(
        &self,
        scene: &mut Scene<'_, 'd>,
        whole: &Walk,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let (Some(kind), Some(last)) = (self.list.record(), &whole.last) else {
            return Ok(());
        };
        let mut seen = BTreeSet::new();
        let items = whole.pages.iter().flatten();
        let records = items.filter_map(|item| item.at(&kind.at));
        let new =
            records.filter(|node| !scene.model.is_moving(node) && seen.insert(state_text(node)));
        let some: Vec<&Node> = new.take(MOST).collect();
        for item in some {
            let readers = scene.readers_for(self.list, item, &last.sent);
            let Some(reader) = readers.first().copied() else {
                return Ok(());
            };
            let read = scene.read(reader, item, &last.sent).await?;
            if let Some(record) = record_of(reader, &read) {
                differ(scene, (reader, self.list), (record, item, last), draft);
            }
        }
        Ok(())
    }
}

/// A text that differs between states of a record: flags, enumerated words, and null or zero values.
fn state_text(record: &Node) -> String {
    let text_of = |node: &Node| match &node.value {
        Value::Bool(flag) => flag.to_string(),
        Value::Null => "null".to_owned(),
        Value::Number(text) if text == "0" => "0".to_owned(),
        Value::String(text) if text.len() < 24 && text.bytes().all(is_of_word) => text.clone(),
        _ => String::new(),
    };
    let entries = record
        .entries()
        .map(|entry| format!("{}={}", entry.key, text_of(&entry.value)));
    entries.collect::<Vec<_>>().join("&")
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_differs_between_states_but_not_between_keys() {
        let read = |text: &str| state_text(&openapi_document::json::read_text(text).unwrap());
        let first = read(r#"{"id":"ch_1","status":"open","at":"2026-01-01"}"#);
        assert_eq!(
            first,
            read(r#"{"id":"ch_2","status":"open","at":"2027-01-01"}"#)
        );
        assert_ne!(
            first,
            read(r#"{"id":"ch_1","status":"closed","at":"2026-01-01"}"#)
        );
    }
}
