//! Servers that operations have of their own.

/// Where a request of such an operation goes, if not where the connection leads: only one that leads to
/// a server of the document is left. A relative address is one of the same host.
pub(super) fn address(base_url: &str, document: &[&str], own: &str) -> Option<String> {
    if !document.iter().any(|server| is_of(server, base_url)) {
        return None;
    }
    if own.contains("://") {
        return Some(own.to_owned());
    }
    let host = base_url.find("://")? + 3;
    let path = base_url[host..].find('/');
    let origin = path.map_or(base_url, |path| &base_url[..host + path]);
    let separator = if own.starts_with('/') { "" } else { "/" };
    Some(format!("{origin}{separator}{own}"))
}

/// Whether an address is one of a server, in which `{name}` stands for any text. One that is nothing
/// but a variable says nothing.
fn is_of(server: &str, address: &str) -> bool {
    let mut literals = server
        .split('{')
        .map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    let first = literals.next().unwrap_or_default();
    let Some(mut rest) = address.strip_prefix(first).filter(|_| !first.is_empty()) else {
        return false;
    };
    let mut last = first;
    for literal in literals {
        let Some(place) = rest.find(literal) else {
            return false;
        };
        rest = &rest[place + literal.len()..];
        last = literal;
    }
    // A variable at the end takes what is left.
    rest.is_empty() || (last.is_empty() && server.ends_with('}'))
}
