//! Ordered: whether a list comes in the order that was asked for, and in its reverse.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::time::Duration;

use openapi_document::Node;

use crate::checks;
use crate::model::Call;
use crate::names;
use crate::prose;

use super::differing::make_differing;
use super::filling::make;
use super::order::{Order, compared, value_of};
use super::pages::{Stand, joined};
use super::paging::Walk;
use super::sorted;
use crate::amount::{self, Amount, names_amount};
use crate::names::is_time_of_making;
use crate::scene::Scene;
use crate::scene::draft::Draft;

/// Times that are told in seconds move in this time.
pub(super) const SECOND: Duration = Duration::from_millis(1050);

impl<'d> Stand<'_, 'd> {
    /// What is asked for in an order comes in it, and reversed in the reverse.
    pub(crate) async fn ordered(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        order: &Order<'d>,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let made = match order.property {
            Some(property) => make_differing(scene, self.list, property).await,
            None => None,
        };
        let stand = made.map(|own| self.elsewhere(own));
        let stand = stand.as_ref().unwrap_or(self);
        stand.comes_in(scene, order, draft).await
    }

    async fn comes_in(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        order: &Order<'d>,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let up = self.whole(scene, &order.up).await?;
        let down = self.whole(scene, &order.down).await?;
        let (Some(last), true) = (&down.last, up.ended == down.ended) else {
            return Ok(());
        };
        let (rising, falling) = (self.keys(&up), self.keys(&down));
        let is_same: bool =
            rising.iter().collect::<BTreeSet<_>>() == falling.iter().collect::<BTreeSet<_>>();
        // The beginning of a long list and that of its reverse may be of other records.
        let is_whole = up.ended;
        if is_whole && !is_same || rising.len() < 2 {
            return Ok(());
        }
        let by = order.property.unwrap_or("an order");
        let wrong = match order.property {
            Some(property) => {
                let values = (self.values(&up, property), self.values(&down, property));
                let is_amount = names_amount(property) && self.is_of_one_currency(&up, property);
                is_out_of_order(&values.0, &values.1, (is_whole, is_amount))
                    || is_mixed_up(
                        (&self.records(&up), &self.records(&down)),
                        property,
                        is_whole,
                    )
            }
            None => rising == falling && self.is_decided(scene, (&up, order)).await?,
        };
        if wrong {
            let name = order.down.last().map_or("", |(name, _)| *name);
            let told = (
                format!("the items by {by}, and in the reverse order where that is asked for"),
                "items in another order".to_owned(),
            );
            self.differ(scene, (&checks::ORDER_IGNORED, name), told, last, draft);
        } else if order.property.is_some() && is_whole {
            self.joins(scene, (order, &rising), draft).await?;
        }
        Ok(())
    }

    /// Whatever is alike in what an order is by, its pages join.
    async fn joins(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        (order, all): (&Order<'d>, &[String]),
        draft: &mut Draft,
    ) -> Result<(), String> {
        let size = (all.len() as u64).div_ceil(8).max(2);
        let size = self.paging.maximum.map_or(size, |most| size.min(most));
        if self.paging.size.is_none() || self.paging.by.is_none() || all.len() < 3 {
            return Ok(());
        }
        // Somebody else may have made or removed something meanwhile: it has to be so twice.
        for is_sure in [false, true] {
            let walk = self.walk(scene, Some(size), &order.up).await?;
            let divided = self.keys(&walk);
            let Some((check, last)) = joined(all, &divided, walk.ended).zip(walk.last.as_ref())
            else {
                return Ok(());
            };
            let again = self.whole(scene, &order.up).await?;
            let is_same = self.keys(&again) == all;
            if is_sure && is_same {
                let name = order.up.first().map_or("", |(name, _)| *name);
                let told = (
                    format!("each of {} items once, in pages of {size}", all.len()),
                    format!("{} items in these pages", divided.len()),
                );
                self.differ(scene, (check, name), told, last, draft);
            }
        }
        Ok(())
    }

    /// Whether all amounts that a list tells of are in one currency, as far as is known.
    pub(super) fn is_of_one_currency(&self, walk: &Walk, property: &str) -> bool {
        let all = self.values(walk, "currency").into_iter();
        let all: BTreeSet<Option<String>> = all.map(|own| own.map(Node::to_json)).collect();
        let beside = self.values(walk, property).into_iter();
        let beside: BTreeSet<_> = beside.map(|own| own.and_then(amount::currency)).collect();
        all.len() < 2 && beside.len() < 2
    }

    /// A list whose description says that the newest, or the oldest, comes first has them so.
    pub(crate) fn as_described(
        &self,
        scene: &Scene<'_, '_, '_, 'd>,
        whole: &Walk,
        draft: &mut Draft,
    ) {
        // What a fact says of it is bound to the whole sentence.
        if self.is_sorted(scene, whole, draft) || sorted::is_rejected(scene, self.list) {
            return;
        }
        let astray = astray(self.list, &self.records(whole));
        if let (Some(told), Some(last)) = (astray, &whole.last) {
            self.differ(scene, (&checks::ORDER_IGNORED, ""), told, last, draft);
        }
    }

    pub(crate) fn records<'a>(&self, walk: &'a Walk) -> Vec<&'a Node> {
        let Some(kind) = self.list.record() else {
            return Vec::new();
        };
        let items = walk.pages.iter().flatten();
        items.filter_map(|item| item.at(&kind.at)).collect()
    }

    pub(crate) fn values<'a>(&self, walk: &'a Walk, property: &str) -> Vec<Option<&'a Node>> {
        let records = self.records(walk).into_iter();
        records.map(|record| value_of(record, property)).collect()
    }

    /// Whether one order and its reverse cannot be the same.
    async fn is_decided(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        (up, order): (&Walk, &Order<'d>),
    ) -> Result<bool, String> {
        if self.has_no_ties(up) || self.has_moved(up) {
            return Ok(true);
        }
        if !self.tells_time(up) || make(scene, self.list, "order-first", 1).await.is_none() {
            return Ok(false);
        }
        // Whatever else the order is by: nothing was made at one time with everything else.
        scene.pass(SECOND).await;
        if make(scene, self.list, "order-last", 1).await.is_none() {
            return Ok(false);
        }
        let up = self.whole(scene, &order.up).await?;
        let down = self.whole(scene, &order.down).await?;
        let is_same = self.keys(&up) == self.keys(&down);
        Ok(is_same && self.has_moved(&up))
    }

    fn tells_time(&self, walk: &Walk) -> bool {
        let records = self.records(walk);
        let first = records.first().into_iter().flat_map(|own| own.entries());
        first.into_iter().any(|own| is_time_of_making(&own.key))
    }

    /// Whether the records were made at different times, as they tell.
    fn has_moved(&self, walk: &Walk) -> bool {
        let records = self.records(walk);
        let times: BTreeSet<String> = records
            .iter()
            .flat_map(|own| own.entries())
            .filter(|own| is_time_of_making(&own.key))
            .map(|own| own.value.to_json())
            .collect();
        times.len() > 1
    }

    /// Whether any two records differ in every property that differs at all, so that one order by it
    /// and its reverse cannot be the same.
    fn has_no_ties(&self, walk: &Walk) -> bool {
        let records = self.records(walk);
        let names = records.first().map(|own| own.entries());
        let mut names = names.into_iter().flatten().map(|entry| entry.key.as_str());
        names.all(|name| {
            let texts: Vec<Option<String>> = records
                .iter()
                .map(|own| own.get(name).map(Node::to_json))
                .collect();
            let different: BTreeSet<_> = texts.iter().collect();
            different.len() == 1 || different.len() == texts.len()
        })
    }
}

/// What is expected, and what came, where items do not stand as the document says of their list.
pub(crate) fn astray(list: &Call<'_>, records: &[&Node]) -> Option<(String, String)> {
    let is_down = newest_of(list)?;
    let first = records.first()?;
    let own = |tells: fn(&str) -> bool| {
        let mut names = first.entries().map(|own| own.key.as_str());
        names.find(|own| tells(own))
    };
    let named = first.entries().map(|own| own.key.as_str());
    let named = named_by(&descriptions(list), named);
    let done = first.entries().map(|own| own.key.as_str());
    let said = descriptions(list);
    let named = named.or_else(|| of_done(&said, done));
    // What is done to it again and again has another time than that of its making.
    if named.is_none() && prose::has(&names::words(&said), &["recently"]) {
        return None;
    }
    let name = named.or_else(|| own(is_time_of_making));
    let name = name.or_else(|| own(is_time_of_itself))?;
    let values: Vec<Option<&Node>> = records.iter().map(|own| own.get(name)).collect();
    let mut pairs = values
        .windows(2)
        .filter_map(|pair| compared(pair[0]?, pair[1]?));
    let wrong = if is_down {
        Ordering::Less
    } else {
        Ordering::Greater
    };
    let first = if is_down { "newest" } else { "oldest" };
    pairs.any(|own| own == wrong).then(|| {
        let expected = format!("the {first} first by `{name}`, as is documented");
        (expected, "items in another order".to_owned())
    })
}

/// What the name of a time ends with.
const TIMES: [&str; 5] = ["at", "on", "date", "time", "timestamp"];

/// The property that a text says the newest to come first by: `newest first, by issuedAt`, `by starts_at, earliest first`.
fn named_by<'n>(text: &str, mut names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    // What is picked out by a time is not in its order.
    const PICKS: [&str; 8] = [
        "filter",
        "filters",
        "filtered",
        "grouped",
        "narrowed",
        "restricted",
        "limited",
        "searched",
    ];
    let said: Vec<Vec<String>> = prose::spoken(text)
        .into_iter()
        .filter(|own| prose::has(own, &["first"]))
        .collect();
    names.find(|name| {
        let own = names::words(name);
        let is_it = |words: &[String], at: usize| {
            let part = words.get(at..at + own.len() + 1);
            let is_by = part.is_some_and(|part| part[0] == "by" && part[1..] == own);
            let before = at.checked_sub(1).map(|at| words[at].as_str());
            is_by && !before.is_some_and(|own| PICKS.contains(&own))
        };
        let is_time = own.last().is_some_and(|own| TIMES.contains(&own.as_str()));
        let mut said = said.iter();
        is_time && said.any(|words| (0..words.len()).any(|at| is_it(words, at)))
    })
}

/// The time of what a text says to have been done most recently, or longest ago, to what comes first: `the most recently closed first`.
fn of_done<'n>(text: &str, mut names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let said = prose::spoken(text);
    let mut pairs = said.iter().flat_map(|own| own.windows(3));
    let done = pairs.find(|own| own[0] == "recently" && own[2] == "first")?;
    names.find(|own| {
        let words = names::words(own);
        let is_time = words
            .last()
            .is_some_and(|own| TIMES.contains(&own.as_str()));
        is_time && words.len() == 2 && words[0] == done[1]
    })
}

/// Whether the document says which items of a list come first.
pub(crate) fn says_order(list: &Call<'_>) -> bool {
    newest_of(list).is_some()
}

/// Which items of a list come first, by what is said of it, else of all lists.
fn newest_of(list: &Call<'_>) -> Option<bool> {
    let of_lists = |own: &&str| prose::has(&names::words(own), &["list", "lists", "collections"]);
    let overall = || {
        let all = prose::sentences(list.overall?).into_iter();
        let said: Vec<&str> = all.filter(of_lists).collect();
        newest_first(&said.join(". "))
    };
    newest_first(&descriptions(list)).or_else(overall)
}

/// Whether a name is that of the time of what does not change, such as an event.
fn is_time_of_itself(name: &str) -> bool {
    const NAMES: [&str; 6] = [
        "at",
        "time",
        "timestamp",
        "occurred at",
        "happened at",
        "recorded at",
    ];
    NAMES.contains(&names::words(name).join(" ").as_str())
}

/// What the document says of a list.
pub(crate) fn descriptions(list: &Call<'_>) -> String {
    let operation = list.operation.at.node;
    let success = list.success.as_ref().map(|own| own.response.at.node);
    let nodes = [Some(operation), success].into_iter().flatten();
    let texts = nodes.flat_map(|own| ["summary", "description"].map(|key| own.get(key)));
    let texts: Vec<&str> = texts.filter_map(|own| own?.as_str()).collect();
    texts.join(" ")
}

/// Whether a text says that the newest comes first, or that the oldest does; not of those that are alike in something.
fn newest_first(text: &str) -> Option<bool> {
    const NEWEST: [&str; 4] = ["newest", "latest", "recent", "recently"];
    const OLDEST: [&str; 2] = ["oldest", "earliest"];
    const ALIKE: [&str; 5] = ["same", "equal", "equally", "ties", "tie"];
    // So many words may stand between: `newest customers come first`.
    const BETWEEN: usize = 4;
    let mut found = BTreeSet::new();
    for words in prose::spoken(text) {
        // What stands behind is said of those that are alike.
        let end = words.iter().position(|own| ALIKE.contains(&own.as_str()));
        let words = &words[..end.unwrap_or(words.len())];
        for (at, word) in words.iter().enumerate() {
            let is_newest = NEWEST.contains(&word.as_str());
            if !is_newest && !OLDEST.contains(&word.as_str()) {
                continue;
            }
            let rest = &words[at + 1..words.len().min(at + 2 + BETWEEN)];
            let end = rest.iter().position(|own| own == "first" || own == "to");
            let other =
                |own: &String| NEWEST.contains(&own.as_str()) || OLDEST.contains(&own.as_str());
            match end {
                Some(end) if rest[..end].iter().any(other) => {}
                Some(end) if rest[end] == "first" => {
                    found.insert(is_newest);
                }
                Some(end) if rest.get(end + 1).is_some_and(other) => {
                    found.insert(is_newest);
                    break;
                }
                _ => {}
            }
        }
    }
    let mut found = found.into_iter();
    found.next().filter(|_| found.next().is_none())
}

/// Whether amounts of one currency stand out of order among each other, however those of several do.
fn is_mixed_up<'a>((up, down): (&[&'a Node], &[&'a Node]), property: &str, is_whole: bool) -> bool {
    let of = |all: &[&'a Node], one: &str| -> Vec<Option<&'a Node>> {
        let is_of = |own: &&&'a Node| amount::currency_of(own).is_some_and(|own| own.1 == one);
        let own = all.iter().filter(is_of);
        own.map(|own| value_of(own, property)).collect()
    };
    let all = up
        .iter()
        .filter_map(|own| Some(amount::currency_of(own)?.1));
    let all: BTreeSet<&str> = all.filter(|_| names_amount(property)).collect();
    let mut all = all.into_iter();
    all.any(|one| is_out_of_order(&of(up, one), &of(down, one), (is_whole, true)))
}

/// Whether values stand in another order than upwards in one account and
/// downwards in the other; the accounts are of the same records where they are whole.
fn is_out_of_order(
    up: &[Option<&Node>],
    down: &[Option<&Node>],
    (is_whole, is_amount): (bool, bool),
) -> bool {
    let amounts = |one: &Node, other: &Node| {
        let pair = Amount::read_signed(one).zip(Amount::read_signed(other));
        let (one, other) = pair.filter(|_| is_amount)?;
        one.compared(other)
    };
    let pairs = |own: &[Option<&Node>]| {
        let pairs = own.windows(2).map(|pair| match pair {
            [Some(one), Some(other)] => amounts(one, other).or_else(|| compared(one, other)),
            _ => None,
        });
        pairs.collect::<Vec<Option<Ordering>>>()
    };
    let (rising, falling) = (pairs(up), pairs(down));
    if rising.contains(&Some(Ordering::Greater)) || falling.contains(&Some(Ordering::Less)) {
        return true;
    }
    if !is_whole || !rising.contains(&None) && !falling.contains(&None) {
        return false;
    }
    let texts = |own: &[Option<&Node>]| -> Vec<Option<String>> {
        own.iter().map(|own| own.map(Node::to_json)).collect()
    };
    let (up, mut down) = (texts(up), texts(down));
    let different: BTreeSet<_> = up.iter().collect();
    down.reverse();
    // Of equal values, and of absent ones, any may come first.
    different.len() == up.len() && !up.contains(&None) && up != down
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_ordered_within_their_currency() {
        let read = |text: &str| openapi_document::json::read_text(text).unwrap();
        let of = |all: &[(&str, &str)]| -> Vec<Node> {
            let own = all.iter().map(|(amount, currency)| {
                read(&format!(
                    r#"{{"amount":"{amount}","currency":"{currency}"}}"#
                ))
            });
            own.collect()
        };
        for (all, expected) in [
            ([("9.00", "EUR"), ("2.00", "USD"), ("10.00", "EUR")], false),
            ([("10.00", "EUR"), ("2.00", "USD"), ("9.00", "EUR")], true),
        ] {
            let own = of(&all);
            let up: Vec<&Node> = own.iter().collect();
            let down: Vec<&Node> = own.iter().rev().collect();
            assert_eq!(is_mixed_up((&up, &down), "amount", true), expected);
        }
    }

    #[test]
    fn times_that_an_order_is_by() {
        let names = ["id", "starts_at", "created_at"];
        for (text, expected) in [
            ("Events by `starts_at`, earliest first", Some("starts_at")),
            ("Newest first, by created_at", Some("created_at")),
            ("The newest first. Filtered by created_at", None),
            ("By id, the first one first", None),
            ("Filtered by starts_at, the newest first", None),
        ] {
            assert_eq!(named_by(text, names.into_iter()), expected, "{text}");
        }
    }

    #[test]
    fn what_is_said_of_an_order() {
        for (text, expected) in [
            ("Charges, the newest first.", Some(true)),
            ("All of them, most-recent first", Some(true)),
            ("Oldest first", Some(false)),
            (
                "Newest first, or oldest first where that is asked for",
                None,
            ),
            ("A page of charges.", None),
            (
                "Newest customers come first. Customers with the same name: oldest first.",
                Some(true),
            ),
            ("From newest to oldest", Some(true)),
            (
                "The newest first, where the time is equal by `id`",
                Some(true),
            ),
            ("Of the same time, the newest first", None),
        ] {
            assert_eq!(newest_first(text), expected, "{text}");
        }
    }
}
