//! Reads single fields of a scenario document, or reports them with their place.

use std::time::Duration;

use openapi_document::{Diagnostic, Node};

use super::{Reader, STEP};
use crate::duration;
use crate::expression::Template;

impl Reader {
    pub(super) fn list<T>(
        &mut self,
        list: Option<&Node>,
        read: fn(&mut Self, &Node) -> Option<T>,
    ) -> Vec<T> {
        let items = list.iter().flat_map(|list| list.items());
        items.filter_map(|item| read(self, item)).collect()
    }

    pub(super) fn known_keys(&mut self, node: &Node, known: &[&str], what: &str) {
        for entry in node.entries() {
            let ours = STEP
                .iter()
                .any(|key| key.starts_with("x-") && *key == entry.key);
            let foreign = entry.key.starts_with("x-") && !ours;
            if !known.contains(&entry.key.as_str()) && !foreign {
                let title = format!("`{}` of a {what} is not supported", entry.key);
                let diagnostic = Diagnostic::error("unsupported-key", title);
                self.diagnostics
                    .push(diagnostic.at(entry.key_span, "not known here"));
            }
        }
    }

    pub(super) fn required<'n>(&mut self, node: &'n Node, key: &str) -> Option<&'n Node> {
        let value = node.get(key);
        if value.is_none() {
            self.error(node, format!("`{key}` is missing"), "in this object");
        }
        value
    }

    pub(super) fn text_of(&mut self, node: &Node, key: &str) -> Option<String> {
        let value = self.required(node, key)?;
        self.text(value)
    }

    pub(super) fn text(&mut self, node: &Node) -> Option<String> {
        let text = node.as_str().map(str::to_owned);
        if text.is_none() {
            self.error(
                node,
                "a text is expected",
                format!("this is a {}", node.type_name()),
            );
        }
        text
    }

    pub(super) fn flag(&mut self, node: Option<&Node>) -> bool {
        let Some(node) = node else { return false };
        let flag = node.as_bool();
        if flag.is_none() {
            self.error(
                node,
                "true or false is expected",
                format!("this is a {}", node.type_name()),
            );
        }
        flag.unwrap_or(false)
    }

    pub(super) fn count(&mut self, node: &Node, key: &str) -> Option<u64> {
        let value = self.required(node, key)?;
        let count = value.as_u64();
        if count.is_none() {
            self.error(value, "a whole number is expected", "this is not one");
        }
        count
    }

    pub(super) fn duration(&mut self, node: &Node, key: &str) -> Option<Duration> {
        let value = self.required(node, key)?;
        let duration = value.as_str().and_then(duration::parse_iso);
        if duration.is_none() {
            self.error(
                value,
                "a duration such as `PT5S` is expected",
                "this is not one",
            );
        }
        duration
    }

    pub(super) fn template(&mut self, node: &Node) -> Option<Template> {
        match Template::parse(node) {
            Ok(template) => Some(template),
            Err(error) => {
                self.error(node, error.to_string(), "in this value");
                None
            }
        }
    }

    pub(super) fn value(&mut self, node: &Node) -> Option<Template> {
        let value = self.required(node, "value")?;
        self.template(value)
    }
}
