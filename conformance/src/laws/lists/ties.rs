//! Ties: how those items of a list stand that are alike in what it is ordered by, where the document says so.

use std::cmp::Ordering;

use openapi_document::{Node, Value};

use crate::checks;
use crate::model::{Call, names, prose};

use super::order::Order;
use super::ordered::descriptions;
use super::pages::Stand;
use crate::laws::records::freshness::{is_time_of_making, times};
use crate::laws::trial::answered::own_key;
use crate::laws::trial::draft::Draft;
use crate::laws::trial::world::World;

/// Words of those that are alike.
const ALIKE: [&str; 6] = ["same", "equal", "equally", "tie", "ties", "tied"];

/// Words of an order in which the least comes first, and of its reverse.
const UP: [&str; 5] = ["ascending", "asc", "smallest", "lowest", "rising"];
const DOWN: [&str; 5] = ["descending", "desc", "greatest", "highest", "falling"];

impl<'d> Stand<'_, 'd> {
    /// Items that are alike stand by their keys, up or down as is said, whichever order was asked for.
    pub(crate) async fn in_ties(
        &self,
        world: &mut World<'_, '_, '_, 'd>,
        order: &Order<'d>,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let said = order.property.and_then(|own| said(self.list, own));
        let (Some(property), Some(said)) = (order.property, said) else {
            return Ok(());
        };
        let (by, is_down) = said;
        for asked in [&order.up, &order.down] {
            let walk = self.whole(world, asked).await?;
            let by = match by {
                By::Key => own_key(self.list).map(str::to_owned),
                By::Making => self.records(&walk).first().and_then(|own| making(own)),
            };
            let Some(by) = by else {
                continue;
            };
            let (values, keys) = (self.values(&walk, property), self.values(&walk, &by));
            let Some(last) = walk
                .last
                .as_ref()
                .filter(|_| breaks(&values, &keys, is_down))
            else {
                continue;
            };
            let name = asked.first().map_or("", |(name, _)| *name);
            let way = if is_down { "down" } else { "up" };
            let told = (
                format!("items with the same {property} by `{by}`, {way}wards"),
                "such items in another order".to_owned(),
            );
            self.differ(world, (&checks::ORDER_IGNORED, name), told, last, draft);
            return Ok(());
        }
        Ok(())
    }
}

/// What items that are alike stand by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Key,
    /// When they were made.
    Making,
}

/// The property of the items of a list that tells when they were made.
fn making(item: &Node) -> Option<String> {
    let mut times = times(item, is_time_of_making).into_iter();
    times.next().filter(|_| times.next().is_none())
}

/// What items that are alike in a property come by, and whether downwards, where a list's text says how they come.
fn said(list: &Call<'_>, property: &str) -> Option<(By, bool)> {
    let key = own_key(list)?;
    prose::spoken(&descriptions(list))
        .iter()
        .find_map(|words| of_ties(words, key, property))
}

/// What a sentence says of it.
fn of_ties(words: &[String], key: &str, property: &str) -> Option<(By, bool)> {
    let at = words.iter().position(|own| ALIKE.contains(&own.as_str()))?;
    // `with the same name` speaks of no other property.
    let noun = words.get(at + 1).filter(|_| words[at] == "same");
    let own = names::words(property);
    let speaks = |word: &str| {
        matches!(word, "sort" | "value" | "values") || own.iter().any(|own| own == word)
    };
    let is_it = noun.is_none_or(|own| speaks(own));
    let is_first = |word: &str| {
        let mut pairs = words.windows(2);
        pairs.any(|own| own[0] == word && own[1] == "first")
    };
    match (is_first("oldest"), is_first("newest")) {
        (true, false) if is_it => return Some((By::Making, false)),
        (false, true) if is_it => return Some((By::Making, true)),
        _ => {}
    }
    let last = names::words(key).pop()?;
    let by_key = words.iter().any(|own| names::singular(own) == last);
    match (prose::has(words, &UP), prose::has(words, &DOWN)) {
        (true, false) if is_it && by_key => Some((By::Key, false)),
        (false, true) if is_it && by_key => Some((By::Key, true)),
        _ => None,
    }
}

/// Whether two neighbours that are alike stand the other way round.
fn breaks(values: &[Option<&Node>], keys: &[Option<&Node>], is_down: bool) -> bool {
    let wrong = if is_down {
        Ordering::Less
    } else {
        Ordering::Greater
    };
    let pairs = values.windows(2).zip(keys.windows(2));
    let mut pairs = pairs.filter_map(|(values, keys)| {
        let alike = values[0]?.same_value(values[1]?) && !values[0]?.is_null();
        alike.then(|| compared(keys[0]?, keys[1]?)).flatten()
    });
    pairs.any(|own| own == wrong)
}

/// How two keys stand to each other: numbers, or texts of one length and letter case.
fn compared(one: &Node, other: &Node) -> Option<Ordering> {
    match (&one.value, &other.value) {
        (Value::Number(one), Value::Number(other)) => {
            let (one, other): (i128, i128) = (one.parse().ok()?, other.parse().ok()?);
            Some(one.cmp(&other))
        }
        (Value::String(one), Value::String(other)) => {
            let both = || one.bytes().chain(other.bytes());
            let is_one_case = !both().any(|own| own.is_ascii_uppercase())
                || !both().any(|own| own.is_ascii_lowercase());
            (one.len() == other.len() && is_one_case).then(|| one.cmp(other))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_ties() {
        for (text, expected) in [
            (
                "Items with the same sort value stand in the order of their ids (ascending)",
                Some((By::Key, false)),
            ),
            ("Ties are broken by id, descending.", Some((By::Key, true))),
            (
                "Items with the same total come by id, ascending.",
                Some((By::Key, false)),
            ),
            (
                "Invoices that are equal in the property sorted by are listed in the order they were created, oldest first.",
                Some((By::Making, false)),
            ),
            (
                "Items with the same total stand newest first.",
                Some((By::Making, true)),
            ),
            ("Items with the same name stand oldest first.", None),
            ("Items with the same name come by id, ascending.", None),
            ("Items with the same total keep a stable order.", None),
            ("By id, ascending.", None),
        ] {
            let words = prose::spoken(text).remove(0);
            assert_eq!(of_ties(&words, "id", "total"), expected, "{text}");
        }
    }

    #[test]
    fn neighbours_that_are_alike() {
        let read = |text: &str| openapi_document::json::read_text(text).unwrap();
        let values = read("[1, 2, 2, 3]");
        let values: Vec<Option<&Node>> = values.items().map(Some).collect();
        for (keys, is_down, expected) in [
            ("[9, 2, 10, 1]", false, false),
            ("[9, 10, 2, 1]", false, true),
            ("[9, 10, 2, 1]", true, false),
            (r#"["a", "b", "B", "a"]"#, true, false),
        ] {
            let keys = read(keys);
            let keys: Vec<Option<&Node>> = keys.items().map(Some).collect();
            assert_eq!(breaks(&values, &keys, is_down), expected);
        }
    }
}
