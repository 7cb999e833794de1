//! Finds the server of an operation that declares `servers`.

/// The address for a request of such an operation; `None` to use the address of the connection.
/// It replaces only an address of a server in the document. A relative one is on the same host.
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

/// Whether an address matches a server's, in which `{name}` matches any text. A server that is only
/// a variable matches nothing.
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
