//! Carried: a cursor that a text says to be good for the filters only that it was given with is refused beside others.

use openapi_document::view::Location;
use openapi_document::{Node, Pointer};

use super::filter::Filter;
use super::filters::Stand;
use super::paging::Walk;
use crate::answered::{status, succeeded, told};
use crate::checks;
use crate::model::Call;
use crate::names;
use crate::prose;
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;

impl<'d> Stand<'_, 'd> {
    /// Asks for the first page of everything, and with its cursor for what has a value.
    pub(super) async fn carried(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        filters: &[Filter<'d>],
        whole: &Walk,
        draft: &mut Draft,
    ) -> Option<()> {
        let cursor = self.paging.cursor()?;
        said(self.list)
            .iter()
            .any(|own| says_bound(own))
            .then_some(())?;
        let records = self.records(whole);
        // What has to be given was given with the first page, too.
        let may_be_left = |own: &&Filter<'d>| !self.list.needs_one_of(own.parameter);
        let (filter, asked) = filters.iter().filter(may_be_left).find_map(|filter| {
            let mut all = records.iter().flat_map(|own| filter.asked(own));
            Some((filter, all.next()?))
        })?;
        let stand = (&self.record, &self.with);
        let other = [(filter.parameter, asked)];
        let queries: [&[(&str, Node)]; 2] = [&[], &other];
        let second = self.paging.second(scene, self.list, stand, queries).await;
        let exchange = second.ok()??;
        if succeeded(&exchange) {
            let name = filter.parameter;
            let expected = format!("a refusal: the cursor was given without `{name}`");
            let claim = Claim::new(
                &checks::CONSTRAINT_IGNORED,
                Ground::Text,
                expected,
                told(&exchange),
            )
            .at(Pointer::root().join("query").join(cursor));
            scene.differ(draft, self.list, claim, &exchange);
        } else if let Some(code) = status(&exchange) {
            scene.reach(self.list, code, draft);
        }
        Some(())
    }
}

/// What is said of a list, of its pages and of all lists.
fn said(list: &Call<'_>) -> Vec<Vec<String>> {
    let parameters = list.operation.parameters().into_iter();
    let queries = parameters.filter(|own| own.location == Location::Query);
    let own: Vec<&str> = queries
        .filter_map(|own| own.at.node.get("description").and_then(Node::as_str))
        .collect();
    let texts = list.texts().chain(list.overall).chain(own);
    texts.flat_map(prose::sentences).map(names::words).collect()
}

/// Whether a sentence says that a cursor is refused with other filters than those that it was given with.
fn says_bound(sentence: &[String]) -> bool {
    const FILTERS: [&str; 6] = [
        "filter",
        "filters",
        "query",
        "parameters",
        "conditions",
        "search",
    ];
    const OTHER: [&str; 7] = [
        "other",
        "another",
        "different",
        "same",
        "changed",
        "changing",
        "differ",
    ];
    const REFUSED: [&str; 7] = [
        "refused", "rejected", "invalid", "400", "422", "fails", "error",
    ];
    const GIVEN: [&str; 6] = ["given", "issued", "came", "made", "returned", "got"];
    const OPEN: [&str; 6] = ["may", "can", "not", "should", "unless", "ignored"];
    let has = |list: &[&str]| prose::has(sentence, list);
    let is_refused = has(&OTHER) && has(&REFUSED);
    // `Only good for the list and the filters it was issued with`.
    let places = sentence.windows(3).any(|own| {
        let own = [own[0].as_str(), own[1].as_str(), own[2].as_str()];
        matches!(own, ["only", "be", "used"] | ["be" | "is", "used", "only"])
    });
    let is_used_only = places && has(&GIVEN) && !has(&["needs", "holds", "contains", "carries"]);
    // `Belongs to the filters of the request that returned it`.
    let belongs = has(&["belongs", "bound", "tied"]) && has(&GIVEN) && !has(&["needs"]);
    let is_of_its_own = (has(&["only"]) && has(&["good", "valid"])) || is_used_only || belongs;
    // `May only be used` leaves nothing open.
    let next_is_only = |at: usize| sentence.get(at + 1).is_some_and(|own| own == "only");
    let mut words = sentence.iter().enumerate();
    let is_open = words.any(|(at, own)| OPEN.contains(&own.as_str()) && !next_is_only(at));
    has(&["cursor", "cursors"]) && has(&FILTERS) && (is_refused || is_of_its_own) && !is_open
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_that_belong_to_filters() {
        for (text, expected) in [
            (
                "A cursor belongs to the list and to the filters and the order of the request that returned it",
                true,
            ),
            ("A cursor belongs to one list, whatever the filters", false),
            (
                "A cursor that is used with other filters than it came with is refused (400 `invalid_cursor`)",
                true,
            ),
            (
                "Changing a filter while a `cursor` is sent is answered with 400",
                true,
            ),
            (
                "A cursor is only good for the list and the filters it was issued with",
                true,
            ),
            (
                "A cursor may only be used on the list, and with the filters, that it was given for",
                true,
            ),
            ("A cursor may be used only once, with any filters", false),
            (
                "The cursor holds the filters that were given, so only `cursor` needs to be used",
                false,
            ),
            ("Keep the same filters when you follow a cursor", false),
            ("A cursor may be used with other filters", false),
            ("An unknown cursor is refused with 400", false),
        ] {
            let said = prose::spoken(text);
            assert_eq!(said.iter().any(|own| says_bound(own)), expected, "{text}");
        }
    }
}
