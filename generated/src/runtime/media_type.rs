//! Comparing media types.

/// Whether a `Content-Type` value is of a documented media type, parameters aside.
///
/// The documented one may be a range (`*/*`, `image/*`), and `application/json` also takes the
/// types with the suffix `+json`.
pub fn matches(actual: &str, documented: &str) -> bool {
    let (actual, documented) = (essence(actual), essence(documented));
    if documented == "*/*" || actual == documented {
        return true;
    }
    if documented == "application/json" {
        return actual.starts_with("application/") && actual.ends_with("+json");
    }
    documented
        .strip_suffix('*')
        .is_some_and(|range| actual.starts_with(range))
}

fn essence(media_type: &str) -> String {
    let essence = media_type.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}
