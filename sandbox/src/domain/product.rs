//! Products that customers subscribe to.

use http::Uri;
use jiff::Timestamp;
use uuid::Uuid;

use super::rejection::{Code, Rejection};
use super::text::bounded;

/// The default kind of a product.
const DEFAULT_KIND: &str = "product";
/// The length limit of a name and of a kind, in characters.
const LONGEST_NAME: usize = 255;
/// The length limit of a description and of an address, in characters.
const LONGEST_TEXT: usize = 2048;

/// A product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// The service's id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
    /// The address of its page.
    pub url: Option<String>,
    /// Its kind.
    pub kind: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A request to create a product.
#[derive(Clone, Debug, Default)]
pub struct Create {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
    /// The address of its page.
    pub url: Option<String>,
    /// Its kind; `product` when absent.
    pub kind: Option<String>,
}

/// Creates a product; the rejection lists every mistake.
pub fn create(id: Uuid, request: Create, now: Timestamp) -> Result<Product, Rejection> {
    let text = |text: &Option<String>, pointer, longest| {
        let text = text.as_deref()?;
        bounded(text, 0..=longest, pointer).err()
    };
    let wrong = [
        named(&request.name).err(),
        text(&request.description, "/description", LONGEST_TEXT),
        request.url.as_deref().and_then(|url| address(url).err()),
        text(&request.kind, "/type", LONGEST_NAME),
    ];
    Rejection::collected(wrong.into_iter().flatten().collect())?;
    Ok(Product {
        id,
        name: request.name,
        description: request.description,
        url: request.url,
        kind: request.kind.unwrap_or_else(|| DEFAULT_KIND.to_owned()),
        created_at: now,
        updated_at: now,
    })
}

/// Changes the address of a product's page; an absent address changes nothing.
pub fn update(
    mut product: Product,
    url: Option<String>,
    now: Timestamp,
) -> Result<Product, Rejection> {
    if let Some(url) = url {
        address(&url)?;
        product.url = Some(url);
        product.updated_at = now;
    }
    Ok(product)
}

fn named(name: &str) -> Result<(), Rejection> {
    if name.trim().is_empty() {
        let detail = "the name has nothing but blanks";
        return Err(Rejection::at(Code::ContractViolation, "/name", detail));
    }
    bounded(name, 1..=LONGEST_NAME, "/name")
}

/// Checks that the text is an absolute `http` or `https` address.
fn address(url: &str) -> Result<(), Rejection> {
    let uri = url.parse::<Uri>().ok();
    let is_absolute = uri.is_some_and(|uri| {
        let scheme = uri.scheme_str();
        matches!(scheme, Some("http" | "https")) && uri.host().is_some_and(|host| !host.is_empty())
    });
    if !is_absolute || url.len() > LONGEST_TEXT {
        let detail = "the url has to be an absolute http or https address";
        return Err(Rejection::at(Code::ContractViolation, "/url", detail));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn created(request: Create) -> Result<Product, Rejection> {
        create(Uuid::nil(), request, NOW)
    }

    fn tea() -> Create {
        Create {
            name: "Tea club".to_owned(),
            ..Create::default()
        }
    }

    fn places(refused: &Rejection) -> Vec<&str> {
        let all = std::iter::once(refused).chain(&refused.also);
        all.filter_map(|one| one.pointer.as_deref()).collect()
    }

    #[test]
    fn a_product_needs_a_name_and_nothing_else() {
        let product = created(tea()).unwrap();
        assert_eq!((product.kind.as_str(), product.url), ("product", None));
    }

    #[test]
    fn every_mistake_is_reported() {
        let refused = created(Create {
            name: " \t".to_owned(),
            description: Some("x".repeat(LONGEST_TEXT + 1)),
            url: Some("somewhere".to_owned()),
            kind: Some("x".repeat(LONGEST_NAME + 1)),
        });
        let refused = refused.unwrap_err();
        let pointers = places(&refused);
        assert_eq!(pointers, ["/name", "/description", "/url", "/type"]);
    }

    #[test]
    fn addresses_are_absolute() {
        let table = [
            ("https://merchant.example/tea", true),
            ("http://127.0.0.1:8080", true),
            ("/tea", false),
            ("merchant.example", false),
            ("ftp://merchant.example/tea", false),
            ("https://", false),
            ("https:///tea", false),
            ("", false),
        ];
        for (url, fine) in table {
            let changed = update(created(tea()).unwrap(), Some(url.to_owned()), NOW);
            assert_eq!(changed.is_ok(), fine, "{url}");
        }
    }
}
