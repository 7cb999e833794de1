//! Name: what names have in common however they are written.

/// A name without what writing styles differ in: `created_at`, `createdAt` and `created-at` are one.
pub(crate) fn normalized(name: &str) -> String {
    let plain = name.chars().filter(|c| c.is_alphanumeric());
    plain.flat_map(char::to_lowercase).collect()
}
