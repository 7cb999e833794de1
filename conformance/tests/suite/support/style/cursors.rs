//! Makes cursors opaque.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use super::texts;

const PREFIX: &str = "cur.";

/// Encodes the cursors of an answer, where it still fits the document.
pub(super) fn close(body: &mut Value, fits: &dyn Fn(&Value) -> bool) {
    let mut changed = body.clone();
    let is_changed = texts::map(&mut changed, &mut |name, text| {
        let name = name.to_lowercase();
        let is_cursor = name.contains("cursor") || name.contains("page_token");
        (is_cursor && !text.is_empty() && !text.contains('/'))
            .then(|| format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(text)))
    });
    if is_changed && fits(&changed) {
        *body = changed;
    }
}

/// The original cursor of an encoded one. `None` for another text.
pub(super) fn opened(text: &str) -> Option<String> {
    let decoded = URL_SAFE_NO_PAD.decode(text.strip_prefix(PREFIX)?).ok()?;
    String::from_utf8(decoded).ok()
}
