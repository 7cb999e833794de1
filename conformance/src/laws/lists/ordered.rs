//! Ordered lists: a list must come in the requested order, and reversed in the reverse order.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use openapi_document::Node;

use crate::checks;

use super::addressed_list::{AddressedList, SECOND};
use super::differing::create_differing;
use super::filling::create_items;
use super::order::{Order, compared, value_of};
use super::pages::joined;
use super::paging::Walk;
use crate::amount::{self, Amount, names_amount};
use crate::names::is_time_of_making;
use crate::scene::Scene;
use crate::scene::draft::Draft;

impl<'d> AddressedList<'_, 'd> {
    /// Tests an order and its reverse on records that differ in the property.
    pub(crate) async fn ordered(
        &self,
        scene: &mut Scene<'_, 'd>,
        order: &Order<'d>,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let created = match order.property {
            Some(property) => create_differing(scene, self.list, property).await,
            None => None,
        };
        let listed = created.map(|item| self.elsewhere(item));
        let listed = listed.as_ref().unwrap_or(self);
        listed.comes_in(scene, order, draft).await
    }

    async fn comes_in(
        &self,
        scene: &mut Scene<'_, 'd>,
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
        // The first pages of a long list and of its reverse have different records.
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
            let observed = (
                format!("the items sorted by {by}, and reversed in the reverse order"),
                "items in another order".to_owned(),
            );
            self.differ(scene, (&checks::ORDER_IGNORED, name), observed, last, draft);
        } else if order.property.is_some() && is_whole {
            self.joins(scene, (order, &rising), draft).await?;
        }
        Ok(())
    }

    /// The pages of an ordered list must join, also with equal values.
    async fn joins(
        &self,
        scene: &mut Scene<'_, 'd>,
        (order, all): (&Order<'d>, &[String]),
        draft: &mut Draft,
    ) -> Result<(), String> {
        let size = (all.len() as u64).div_ceil(8).max(2);
        let size = self.paging.maximum.map_or(size, |most| size.min(most));
        if self.paging.size.is_none() || self.paging.by.is_none() || all.len() < 3 {
            return Ok(());
        }
        // Another client may change the list meanwhile, so the difference must occur twice.
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
                let observed = (
                    format!("each of {} items once, in pages of {size}", all.len()),
                    format!("{} items in these pages", divided.len()),
                );
                self.differ(scene, (check, name), observed, last, draft);
            }
        }
        Ok(())
    }

    /// Whether all amounts of a list have the same currency, as far as shown.
    fn is_of_one_currency(&self, walk: &Walk, property: &str) -> bool {
        let all = self.values(walk, "currency").into_iter();
        let all: BTreeSet<Option<String>> = all.map(|node| node.map(Node::to_json)).collect();
        let beside = self.values(walk, property).into_iter();
        let beside: BTreeSet<_> = beside.map(|item| item.and_then(amount::currency)).collect();
        all.len() < 2 && beside.len() < 2
    }

    /// Whether an order and its reverse must differ.
    async fn is_decided(
        &self,
        scene: &mut Scene<'_, 'd>,
        (up, order): (&Walk, &Order<'d>),
    ) -> Result<bool, String> {
        if self.has_no_ties(up) || self.has_moved(up) {
            return Ok(true);
        }
        if !self.shows_creation_time(up)
            || create_items(scene, self.list, "order-first", 1)
                .await
                .is_none()
        {
            return Ok(false);
        }
        // Two records created at different times differ in that property, whatever the order is by.
        scene.pass(SECOND).await;
        if create_items(scene, self.list, "order-last", 1)
            .await
            .is_none()
        {
            return Ok(false);
        }
        let up = self.whole(scene, &order.up).await?;
        let down = self.whole(scene, &order.down).await?;
        let is_same = self.keys(&up) == self.keys(&down);
        Ok(is_same && self.has_moved(&up))
    }

    fn shows_creation_time(&self, walk: &Walk) -> bool {
        let records = self.records(walk);
        let first = records.first().into_iter().flat_map(|node| node.entries());
        first.into_iter().any(|entry| is_time_of_making(&entry.key))
    }

    /// Whether the creation times of the records differ.
    fn has_moved(&self, walk: &Walk) -> bool {
        let records = self.records(walk);
        let times: BTreeSet<String> = records
            .iter()
            .flat_map(|node| node.entries())
            .filter(|entry| is_time_of_making(&entry.key))
            .map(|entry| entry.value.to_json())
            .collect();
        times.len() > 1
    }

    /// Whether each property is either equal in all records or different in all. Then no order equals its reverse.
    fn has_no_ties(&self, walk: &Walk) -> bool {
        let records = self.records(walk);
        let names = records.first().map(|node| node.entries());
        let mut names = names.into_iter().flatten().map(|entry| entry.key.as_str());
        names.all(|name| {
            let texts: Vec<Option<String>> = records
                .iter()
                .map(|node| node.get(name).map(Node::to_json))
                .collect();
            let different: BTreeSet<_> = texts.iter().collect();
            different.len() == 1 || different.len() == texts.len()
        })
    }
}

/// Whether the amounts of one currency are out of order among each other.
fn is_mixed_up<'a>((up, down): (&[&'a Node], &[&'a Node]), property: &str, is_whole: bool) -> bool {
    let values_in = |all: &[&'a Node], one: &str| -> Vec<Option<&'a Node>> {
        let is_of = |node: &&&'a Node| amount::currency_of(node).is_some_and(|pair| pair.1 == one);
        let matching = all.iter().filter(is_of);
        matching.map(|item| value_of(item, property)).collect()
    };
    let all = up
        .iter()
        .filter_map(|record| Some(amount::currency_of(record)?.1));
    let all: BTreeSet<&str> = all.filter(|_| names_amount(property)).collect();
    let mut all = all.into_iter();
    all.any(|one| is_out_of_order(&values_in(up, one), &values_in(down, one), (is_whole, true)))
}

/// Whether `up` is not ascending or `down` not descending. If both are whole lists, they must also be reverses.
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
    let pairs = |node: &[Option<&Node>]| {
        let pairs = node.windows(2).map(|pair| match pair {
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
    let texts = |node: &[Option<&Node>]| -> Vec<Option<String>> {
        node.iter().map(|node| node.map(Node::to_json)).collect()
    };
    let (up, mut down) = (texts(up), texts(down));
    let different: BTreeSet<_> = up.iter().collect();
    down.reverse();
    // Equal and absent values may come in any order.
    different.len() == up.len() && !up.contains(&None) && up != down
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_ordered_within_their_currency() {
        let read = |text: &str| openapi_document::json::read_text(text).unwrap();
        let amounts = |all: &[(&str, &str)]| -> Vec<Node> {
            let records = all.iter().map(|(amount, currency)| {
                read(&format!(
                    r#"{{"amount":"{amount}","currency":"{currency}"}}"#
                ))
            });
            records.collect()
        };
        for (all, expected) in [
            ([("9.00", "EUR"), ("2.00", "USD"), ("10.00", "EUR")], false),
            ([("10.00", "EUR"), ("2.00", "USD"), ("9.00", "EUR")], true),
        ] {
            let records = amounts(&all);
            let up: Vec<&Node> = records.iter().collect();
            let down: Vec<&Node> = records.iter().rev().collect();
            assert_eq!(is_mixed_up((&up, &down), "amount", true), expected);
        }
    }
}
