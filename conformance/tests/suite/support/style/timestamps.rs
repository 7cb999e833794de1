//! Writes timestamps in another form of RFC 3339.

use std::collections::HashMap;

use serde_json::Value;

use super::texts;

/// The original forms by the replaced ones.
#[derive(Default)]
pub(super) struct Timestamps {
    original: HashMap<String, String>,
}

impl Timestamps {
    pub(super) fn original(&self, text: &str) -> Option<String> {
        self.original.get(text).cloned()
    }

    /// Replaces the timestamps of an answer, where the answer still fits the document.
    pub(super) fn change(&mut self, body: &mut Value, fits: &dyn Fn(&Value) -> bool) {
        let mut changed = body.clone();
        let mut forms = Vec::new();
        texts::map(&mut changed, &mut |_, text| {
            let form = other_form(text)?;
            forms.push((form.clone(), text.to_owned()));
            Some(form)
        });
        if !forms.is_empty() && fits(&changed) {
            self.original.extend(forms);
            *body = changed;
        }
    }
}

/// `2026-03-01T12:00:00Z` as `2026-03-01T12:00:00.000+00:00`.
fn other_form(text: &str) -> Option<String> {
    let instant = text.strip_suffix('Z')?;
    instant.parse::<jiff::civil::DateTime>().ok()?;
    let (_, time) = instant.split_once('T')?;
    let fraction = if time.contains('.') { "000" } else { ".000" };
    Some(format!("{instant}{fraction}+00:00"))
}
