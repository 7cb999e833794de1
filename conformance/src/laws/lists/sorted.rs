//! Default order: the items of a list must be in the order that a fact says if no other is requested.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use openapi_document::Node;
use openapi_facts::rule::{Direction, Order};
use openapi_facts::{Evidence, Fact, Rule};

use crate::checks;
use crate::model::Call;

use super::addressed_list::{AddressedList, SECOND};
use super::differing::create_differing;
use super::filling::create_items;
use super::order::compared;
use super::paging::Walk;
use crate::names::is_time_of_making;
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft};

/// The word of facts for the order of creation.
const CREATION: &str = "creation";

/// The fact about the default order of a list.
pub(super) fn fact<'w>(scene: &Scene<'w, '_>, list: &Call<'_>) -> Option<Sorted<'w>> {
    let label = list.operation.label();
    let mut facts = scene.facts.list.iter();
    facts.find_map(|fact| match &fact.rule {
        Rule::Order(rule) if rule.subject.owner == label && rule.subject.name.is_none() => {
            let by = rule.by.as_deref()?;
            Some(Sorted { fact, rule, by })
        }
        _ => None,
    })
}

/// The default order of a list, with its fact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sorted<'w> {
    fact: &'w Fact,
    rule: &'w Order,
    by: &'w str,
}

impl Sorted<'_> {
    /// The property of a record that the order is by.
    fn property<'n>(&self, record: &'n Node) -> Option<&'n str> {
        let mut names = record.entries().map(|entry| entry.key.as_str());
        let is_it = |word: &&str| *word == self.by;
        let is_time = |word: &&str| self.by == CREATION && is_time_of_making(word);
        names.find(|item| is_it(item) || is_time(item))
    }

    /// The expected and actual text if records are out of order. `None` if they are in order or cannot be compared.
    fn astray(&self, records: &[&Node]) -> Option<(String, String)> {
        let name = self.property(records.first()?)?;
        let values: Vec<Option<&Node>> = records.iter().map(|node| node.get(name)).collect();
        let pairs = values.windows(2);
        let pairs = pairs.filter_map(|pair| compared(pair[0]?, pair[1]?));
        let pairs: Vec<Ordering> = pairs.collect();
        let (rises, falls) = (
            pairs.contains(&Ordering::Less),
            pairs.contains(&Ordering::Greater),
        );
        let (is_astray, direction) = match self.rule.direction {
            Some(Direction::Ascending) => (falls, ", ascending"),
            Some(Direction::Descending) => (rises, ", descending"),
            None => (falls && rises, ""),
        };
        is_astray.then(|| {
            let expected = format!("the items by `{name}`{direction}");
            (expected, "items in another order".to_owned())
        })
    }
}

impl<'d> AddressedList<'_, 'd> {
    /// Tests the order of a walk. Returns `false` if no fact gives an order by a property of the records.
    pub(super) fn is_sorted(&self, scene: &Scene<'_, 'd>, whole: &Walk, draft: &mut Draft) -> bool {
        let records = self.records(whole);
        let sorted = fact(scene, self.list);
        let bound = sorted.filter(|order| {
            records
                .first()
                .and_then(|one| order.property(one))
                .is_some()
        });
        let Some(sorted) = bound else {
            return false;
        };
        if let (Some((expected, actual)), Some(last)) = (sorted.astray(&records), &whole.last) {
            let basis = scene.basis(sorted.fact);
            let claim = Claim::new(&checks::ORDER_IGNORED, basis, expected, actual);
            scene.differ(draft, self.list, claim, last);
        }
        true
    }

    /// Creates records that differ in the property of the order, then tests it again.
    pub(super) async fn sorted(
        &self,
        scene: &mut Scene<'_, 'd>,
        whole: &Walk,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let records = self.records(whole);
        let sorted = fact(scene, self.list).filter(|_| draft.is_clean());
        let name = sorted.and_then(|order| order.property(records.first()?));
        let Some(name) = name.map(str::to_owned) else {
            return Ok(());
        };
        let created = create_differing(scene, self.list, &name).await;
        let all: BTreeSet<Option<String>> = { self.values(whole, &name).into_iter() }
            .map(|node| node.map(Node::to_json))
            .collect();
        let is_stated = sorted.is_some_and(|item| item.fact.evidence() == Evidence::Stated);
        if created.is_none() && all.len() < 2 && is_stated {
            // Times in whole seconds have to differ.
            scene.pass(SECOND).await;
            create_items(scene, self.list, "sorted", 1).await;
        }
        let listed = created.map(|item| self.elsewhere(item));
        let listed = listed.as_ref().unwrap_or(self);
        let again = listed.whole(scene, &[]).await?;
        listed.is_sorted(scene, &again, draft);
        Ok(())
    }
}
