//! Bodies of the media type `application/x-www-form-urlencoded`.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde::ser::Error as _;
use serde_json::value::RawValue;

use super::json::Unreadable;
use super::parameter::nesting::{split_pairs, tree};
use super::parameter::{self, Parameter, Place, Shape, Style, Tree};
use super::percent;

/// The media type of these bodies.
pub const MEDIA_TYPE: &str = "application/x-www-form-urlencoded";

/// Writes a form. `table` has the fields with a style of their own; of the others, lists repeat their
/// name, and an object is JSON: its media type, where the document says none, is that of JSON.
///
/// # Errors
/// The value is no object, or a field is nested deeper than its style can say.
pub fn write<T: Serialize + ?Sized>(
    value: &T,
    table: &[Parameter],
) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string(value)?;
    let fields: Option<BTreeMap<String, &RawValue>> = serde_json::from_str(&json)?;
    let mut pairs = Vec::new();
    for (name, value) in fields.unwrap_or_default() {
        match table.iter().find(|parameter| parameter.field == name) {
            Some(parameter) if parameter.style == Style::Json => {
                let mut json = |value: &RawValue| {
                    if value.get() == "null" {
                        return;
                    }
                    let text = percent::encode(value.get());
                    pairs.push(format!("{}={text}", percent::encode(&name)));
                };
                match parameter.shape {
                    Shape::List => items(value)?.into_iter().for_each(json),
                    Shape::Text | Shape::Map | Shape::Any => json(value),
                }
            }
            Some(parameter) => {
                if let Some(tree) = Tree::read(value.get())? {
                    if !parameter.carries(&tree) {
                        let message = format!("field `{name}` is nested deeper than its style");
                        return Err(serde_json::Error::custom(message));
                    }
                    pairs.extend(parameter::pairs(parameter, &tree));
                }
            }
            None => plain(&percent::encode(&name), value, &mut pairs)?,
        }
    }
    Ok(pairs.join("&").replace("%20", "+"))
}

fn plain(name: &str, value: &RawValue, pairs: &mut Vec<String>) -> Result<(), serde_json::Error> {
    if value.get().starts_with('[') {
        pairs.extend(
            items(value)?
                .into_iter()
                .filter_map(|item| pair(name, item)),
        );
    } else {
        pairs.extend(pair(name, value));
    }
    Ok(())
}

/// The items of an array; `null` has none.
fn items(value: &RawValue) -> Result<Vec<&RawValue>, serde_json::Error> {
    let items: Option<Vec<&RawValue>> = serde_json::from_str(value.get())?;
    Ok(items.unwrap_or_default())
}

/// `name=value` with the text of a scalar or the JSON of anything else; `null` is nothing.
fn pair(name: &str, value: &RawValue) -> Option<String> {
    let text = match value.get() {
        "null" => return None,
        json if json.starts_with('"') => serde_json::from_str(json).unwrap_or_default(),
        json => json.to_owned(),
    };
    Some(format!("{name}={}", percent::encode(&text)))
}

/// Reads a form written as [`write()`] does, or as others commonly do.
pub fn read<T: DeserializeOwned>(text: &[u8], table: &[Parameter]) -> Result<T, Unreadable> {
    let text =
        std::str::from_utf8(text).map_err(|_| Unreadable::malformed("the form is not UTF-8"))?;
    let raw = split_pairs(text, '&');
    let mut fields = Vec::new();
    for parameter in table
        .iter()
        .filter(|parameter| parameter.place == Place::Query)
    {
        let broken =
            |_| Unreadable::malformed(format_args!("field `{}` is broken", parameter.name));
        let tree = match parameter.style {
            Style::Json => json(parameter, &raw)?,
            _ => parameter::parse_pairs(parameter, &raw, table).map_err(broken)?,
        };
        fields.extend(tree.map(|tree| (parameter.field.to_owned(), tree)));
    }
    let Tree::Map(others) =
        tree(&raw).ok_or_else(|| Unreadable::malformed("an escape is broken"))?
    else {
        return parameter::read_tree(Tree::Map(fields));
    };
    let declared = |name: &str| table.iter().any(|parameter| parameter.name == name);
    fields.extend(others.into_iter().filter(|(name, _)| !declared(name)));
    parameter::read_tree(Tree::Map(fields))
}

/// A field that is JSON, or a list of such items.
fn json(parameter: &Parameter, raw: &[(&str, &str)]) -> Result<Option<Tree>, Unreadable> {
    let broken = || Unreadable::malformed(format_args!("field `{}` is no JSON", parameter.name));
    let mut trees = Vec::new();
    for (name, value) in raw {
        if percent::decode_form(name).as_deref() == Some(parameter.name) {
            let text = percent::decode_form(value).ok_or_else(broken)?;
            trees.extend(Tree::read(&text).map_err(|_| broken())?);
        }
    }
    Ok(match parameter.shape {
        Shape::List if !trees.is_empty() => Some(Tree::List(trees)),
        _ => trees.pop(),
    })
}
