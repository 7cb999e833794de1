//! Adds members that the document does not declare.

use serde_json::Value;

/// Adds a member to each record of an answer, where the answer still fits the document.
pub(super) fn add(body: &mut Value, fits: &dyn Fn(&Value) -> bool) {
    for is_requested in [is_root_or_record, is_root] {
        let mut changed = body.clone();
        add_where(&mut changed, is_requested, true);
        if fits(&changed) {
            *body = changed;
            return;
        }
    }
}

type Choice = fn(&Value, bool) -> bool;

fn is_root(_: &Value, is_root: bool) -> bool {
    is_root
}

fn is_root_or_record(value: &Value, is_root: bool) -> bool {
    is_root || value.get("id").is_some()
}

fn add_where(value: &mut Value, is_requested: Choice, is_root: bool) {
    let is_wanted_here = is_requested(value, is_root);
    match value {
        Value::Object(members) => {
            for member in members.values_mut() {
                add_where(member, is_requested, false);
            }
            if is_wanted_here {
                members.insert("servedBy".to_owned(), Value::from("node-3"));
            }
        }
        Value::Array(items) => {
            for item in items {
                add_where(item, is_requested, false);
            }
        }
        _ => {}
    }
}
