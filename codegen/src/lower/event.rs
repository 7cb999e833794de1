//! Server-sent events.

use spec::Node;
use spec::document::{Located, MediaType};

use super::Lowering;
use crate::ir::{Type, Usage};

/// The fields of an event.
const FIELDS: [&str; 4] = ["data", "event", "id", "retry"];

impl<'d> Lowering<'d> {
    /// The data of one event. The schema of a stream may describe the data, the whole event, or a
    /// list of either; `itemSchema`, which later versions have, describes one event at once.
    pub(super) fn event_data(&mut self, media_type: &MediaType<'d>) -> Usage {
        let schema = media_type.at.get("itemSchema").or_else(|| {
            let schema = media_type.schema()?;
            let resolved = self.document.resolve(&schema).ok()?;
            resolved.get("items").or(Some(schema))
        });
        let Some(schema) = schema else {
            return Usage::plain(Type::Text);
        };
        match self.described_data(&schema) {
            None => self.usage(&schema),
            Some(data) => match data.get("contentSchema") {
                Some(content) => self.usage(&content),
                None if is_json_text(&data) => Usage::any(),
                None => self.usage(&data),
            },
        }
    }

    /// The schema of `data` where a schema describes the fields of an event.
    fn described_data(&self, schema: &Located<'d>) -> Option<Located<'d>> {
        let schema = self.document.resolve(schema).ok()?;
        let properties = schema.get("properties")?;
        let known = |key: &str| FIELDS.contains(&key);
        if !properties.entries().all(|(entry, _)| known(&entry.key)) {
            return None;
        }
        self.document.resolve(&properties.get("data")?).ok()
    }
}

/// Whether the text of the data is JSON of any kind.
fn is_json_text(data: &Located<'_>) -> bool {
    let media_type = data.node.get("contentMediaType").and_then(Node::as_str);
    media_type.is_some_and(spec::document::is_json)
}
