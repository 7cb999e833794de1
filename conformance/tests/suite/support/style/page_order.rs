//! Reverses the items of lists.

use serde_json::Value;

/// Reverses the items of an answer that is a list of objects, or contains one.
pub(super) fn reverse(body: &mut Value) {
    match body {
        Value::Array(items) => reverse_items(items),
        Value::Object(members) => {
            let mut lists = members.values_mut().filter_map(Value::as_array_mut);
            if let (Some(items), None) = (lists.next(), lists.next()) {
                reverse_items(items);
            }
        }
        _ => {}
    }
}

fn reverse_items(items: &mut [Value]) {
    if items.iter().all(Value::is_object) {
        items.reverse();
    }
}
