//! Serializes arguments by the parameter styles of OpenAPI.

use openapi_document::{Node, Value};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::value;

const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// `style` and `explode` of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// The name of the style; `json` for a parameter with a media type instead of a style.
    pub name: String,
    /// Whether each item and property is serialized separately.
    pub explode: bool,
}

/// A text with reserved characters as `%XX`.
pub fn encode(text: &str) -> String {
    utf8_percent_encode(text, UNRESERVED).to_string()
}

/// The items of an array, or the names and values of an object.
enum Parts {
    One(String),
    Items(Vec<String>),
    Pairs(Vec<(String, String)>),
}

impl Style {
    fn parts(&self, value: &Node) -> Parts {
        if self.name == "json" {
            return Parts::One(value.to_json());
        }
        match &value.value {
            Value::Sequence(items) => Parts::Items(items.iter().map(value::plain).collect()),
            Value::Mapping(mapping) => {
                let pair = |(name, value): (&str, &Node)| (name.to_owned(), value::plain(value));
                Parts::Pairs(mapping.iter().map(pair).collect())
            }
            _ => Parts::One(value::plain(value)),
        }
    }

    /// The query arguments: names with their values, not yet escaped.
    pub fn query(&self, name: &str, value: &Node) -> Vec<(String, Vec<String>)> {
        let one = |text: String| (name.to_owned(), vec![text]);
        match self.parts(value) {
            Parts::One(text) => vec![one(text)],
            Parts::Items(items) if self.explode => items.into_iter().map(one).collect(),
            Parts::Items(items) => vec![(name.to_owned(), items)],
            Parts::Pairs(pairs) if self.name == "deepObject" => pairs
                .into_iter()
                .map(|(key, text)| (format!("{name}[{key}]"), vec![text]))
                .collect(),
            Parts::Pairs(pairs) if self.explode => pairs
                .into_iter()
                .map(|(key, text)| (key, vec![text]))
                .collect(),
            Parts::Pairs(pairs) => vec![(name.to_owned(), flat(pairs))],
        }
    }

    /// The separator between the values of one query argument, escaped.
    pub fn delimiter(&self) -> &'static str {
        match self.name.as_str() {
            "spaceDelimited" => "%20",
            "pipeDelimited" => "%7C",
            _ => ",",
        }
    }

    /// A path segment; `write` escapes each value.
    pub fn path(&self, name: &str, value: &Node, write: impl Fn(&str) -> String) -> String {
        let written = |texts: Vec<String>| texts.iter().map(|text| write(text)).collect::<Vec<_>>();
        let (start, between) = match self.name.as_str() {
            "label" => (".".to_owned(), if self.explode { "." } else { "," }),
            "matrix" => (format!(";{name}="), ","),
            _ => (String::new(), ","),
        };
        let is_matrix = self.name == "matrix";
        match self.parts(value) {
            Parts::One(text) => start + &write(&text),
            Parts::Items(items) if is_matrix && self.explode => {
                let item = |text: String| format!("{start}{text}");
                written(items).into_iter().map(item).collect()
            }
            Parts::Items(items) => start + &written(items).join(between),
            Parts::Pairs(pairs) if self.explode => {
                let pair =
                    |(key, text): &(String, String)| format!("{}={}", write(key), write(text));
                let pairs: Vec<String> = pairs.iter().map(pair).collect();
                match self.name.as_str() {
                    "matrix" => format!(";{}", pairs.join(";")),
                    "label" => format!(".{}", pairs.join(".")),
                    _ => pairs.join(","),
                }
            }
            Parts::Pairs(pairs) => start + &written(flat(pairs)).join(between),
        }
    }

    /// The value of a header or a cookie.
    pub fn header(&self, value: &Node) -> String {
        let simple = Self {
            name: match self.name.as_str() {
                "json" => "json".to_owned(),
                _ => "simple".to_owned(),
            },
            explode: self.explode,
        };
        simple.path("", value, str::to_owned)
    }
}

fn flat(pairs: Vec<(String, String)>) -> Vec<String> {
    pairs
        .into_iter()
        .flat_map(|(name, text)| [name, text])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = r#""a b""#;
    const LIST: &str = r#"["a b","c,d",3]"#;
    const MAP: &str = r#"{"R":100,"G":"x y"}"#;

    fn style(name: &str, explode: bool) -> Style {
        Style {
            name: name.to_owned(),
            explode,
        }
    }

    #[test]
    fn paths_and_headers() {
        for (name, explode, value, expected) in [
            ("simple", false, ONE, "a%20b"),
            ("simple", false, LIST, "a%20b,c%2Cd,3"),
            ("simple", false, MAP, "R,100,G,x%20y"),
            ("simple", true, MAP, "R=100,G=x%20y"),
            ("label", false, LIST, ".a%20b,c%2Cd,3"),
            ("label", true, LIST, ".a%20b.c%2Cd.3"),
            ("label", true, MAP, ".R=100.G=x%20y"),
            ("matrix", false, ONE, ";n=a%20b"),
            ("matrix", false, LIST, ";n=a%20b,c%2Cd,3"),
            ("matrix", true, LIST, ";n=a%20b;n=c%2Cd;n=3"),
            ("matrix", true, MAP, ";R=100;G=x%20y"),
            (
                "json",
                false,
                MAP,
                "%7B%22R%22%3A100%2C%22G%22%3A%22x%20y%22%7D",
            ),
        ] {
            let node = openapi_document::json::read_text(value).unwrap();
            let written = style(name, explode).path("n", &node, encode);
            assert_eq!(written, expected, "{name} {explode} {value}");
        }
        let node = openapi_document::json::read_text(LIST).unwrap();
        assert_eq!(style("form", true).header(&node), "a b,c,d,3");
    }

    #[test]
    fn queries() {
        for (name, explode, value, expected) in [
            ("form", true, ONE, "n=a%20b"),
            ("form", true, LIST, "n=a%20b&n=c%2Cd&n=3"),
            ("form", false, LIST, "n=a%20b,c%2Cd,3"),
            ("form", true, MAP, "R=100&G=x%20y"),
            ("form", false, MAP, "n=R,100,G,x%20y"),
            ("spaceDelimited", false, LIST, "n=a%20b%20c%2Cd%203"),
            ("pipeDelimited", false, LIST, "n=a%20b%7Cc%2Cd%7C3"),
            ("deepObject", true, MAP, "n%5BR%5D=100&n%5BG%5D=x%20y"),
            ("json", false, "[1]", "n=%5B1%5D"),
        ] {
            let node = openapi_document::json::read_text(value).unwrap();
            let style = style(name, explode);
            let written: Vec<String> = style
                .query("n", &node)
                .iter()
                .map(|(name, values)| {
                    let values: Vec<String> = values.iter().map(|value| encode(value)).collect();
                    format!("{}={}", encode(name), values.join(style.delimiter()))
                })
                .collect();
            assert_eq!(written.join("&"), expected, "{name} {explode} {value}");
        }
    }
}
