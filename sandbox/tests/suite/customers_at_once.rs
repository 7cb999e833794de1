//! Customers and their cards on every database, with concurrent commands.

use sandbox::details::{CardDetails, CustomerDetails};
use sandbox::domain::Code;
use sandbox::domain::card::Entered;
use sandbox::domain::page::{Page, PageParameters};
use sandbox::domain::pan::Pan;
use sandbox::service::Failure;
use sandbox::service::cards::{CardName, Save};
use sandbox::store::cards::{Purpose, SORTED, SavedCard};
use sandbox::store::{StoreError, sortable};

use crate::bench::{Bench, code};

on_both! {
    the_same_card_at_once_is_saved_once,
    concurrent_requests_with_one_id_create_one_customer,
    lists_sort_alike,
    removal_of_a_customer_removes_all_its_cards,
    snapshots_include_the_cards,
}

const TEST_CARDS: [&str; 4] = [
    "4111111111111111",
    "5555555555554444",
    "378282246310005",
    "6011111111111117",
];

fn save(number: &str, name: &str) -> Save {
    Save {
        customer: "shopper-1".to_owned(),
        purpose: Purpose::PayoutProfile,
        entered: Entered {
            number: Pan::parse(number),
            number_at: "/card/number",
            expiry: None,
            cvv: None,
        },
        name: Some(name.to_owned()),
        details: CardDetails::default(),
    }
}

async fn shopper(bench: &Bench) {
    let (id, details) = ("shopper-1".to_owned(), CustomerDetails::default());
    bench
        .service
        .add_customer(bench.merchant, id, details)
        .await
        .unwrap();
}

async fn cards(bench: &Bench, sort_by: &str, direction: &str) -> Result<Vec<SavedCard>, Failure> {
    let parameters = PageParameters {
        sort_by: Some(sort_by),
        direction: Some(direction),
        ..PageParameters::default()
    };
    let page = Page::read(&parameters, &sortable(SORTED)).unwrap();
    let customer = "shopper-1".to_owned();
    bench
        .service
        .cards(
            bench.merchant,
            customer,
            Purpose::PayoutProfile,
            (page, SORTED),
        )
        .await
}

async fn the_same_card_at_once_is_saved_once(bench: Bench) {
    shopper(&bench).await;
    let saving = (0..16).map(|_| {
        bench
            .service
            .save_card(bench.merchant, save(TEST_CARDS[0], "a"))
    });
    let saved = futures_util::future::join_all(saving).await;
    let ids: std::collections::BTreeSet<_> =
        saved.into_iter().map(|card| card.unwrap().id).collect();
    assert_eq!(ids.len(), 1);
    assert_eq!(cards(&bench, "createdAt", "asc").await.unwrap().len(), 1);
}

async fn concurrent_requests_with_one_id_create_one_customer(bench: Bench) {
    let adding = (0..16).map(|_| {
        let (id, details) = ("shopper-1".to_owned(), CustomerDetails::default());
        bench.service.add_customer(bench.merchant, id, details)
    });
    let added = futures_util::future::join_all(adding).await;
    let (made, refused): (Vec<_>, Vec<_>) = added.into_iter().partition(Result::is_ok);
    assert_eq!((made.len(), refused.len()), (1, 15));
    for refused in refused {
        assert_eq!(code(refused), Code::AlreadyThere);
    }
}

async fn lists_sort_alike(bench: Bench) {
    shopper(&bench).await;
    // Letters that a locale sorts differently from their bytes.
    for (number, name) in TEST_CARDS.into_iter().zip(["b", "B", "ä", "a"]) {
        bench
            .service
            .save_card(bench.merchant, save(number, name))
            .await
            .unwrap();
    }
    let names = |cards: Vec<SavedCard>| -> Vec<String> {
        cards.into_iter().map(|card| card.name).collect()
    };
    let sorted = cards(&bench, "cardName", "asc").await.unwrap();
    assert_eq!(names(sorted), ["B", "a", "b", "ä"]);
    let sorted = cards(&bench, "cardName", "desc").await.unwrap();
    assert_eq!(names(sorted), ["ä", "b", "a", "B"]);
    // All cards have the same creation time, so they are sorted by id.
    let sorted = cards(&bench, "createdAt", "asc").await.unwrap();
    assert_eq!(names(sorted), ["b", "B", "ä", "a"]);
}

async fn removal_of_a_customer_removes_all_its_cards(bench: Bench) {
    shopper(&bench).await;
    let saved = bench
        .service
        .save_card(bench.merchant, save(TEST_CARDS[0], "a"))
        .await
        .unwrap();
    let customer = "shopper-1".to_owned();
    bench
        .service
        .remove_customer(bench.merchant, customer.clone())
        .await
        .unwrap();
    let name = CardName {
        customer,
        purpose: Purpose::PayoutProfile,
        id: saved.id,
    };
    let found = bench.service.card(bench.merchant, name.clone()).await;
    assert_eq!(code(found), Code::UnknownRecord);
    shopper(&bench).await;
    assert_eq!(
        code(bench.service.card(bench.merchant, name).await),
        Code::UnknownRecord
    );
    let left: Result<i64, StoreError> = bench
        .service
        .store()
        .read(|connection| connection.value("SELECT count(*) FROM cards", &[]))
        .await;
    assert_eq!(left.unwrap(), 0);
}

async fn snapshots_include_the_cards(bench: Bench) {
    shopper(&bench).await;
    bench
        .service
        .save_card(bench.merchant, save(TEST_CARDS[0], "a"))
        .await
        .unwrap();
    let snapshot = bench.snapshot().await;
    bench
        .service
        .save_card(bench.merchant, save(TEST_CARDS[1], "b"))
        .await
        .unwrap();
    bench
        .service
        .restore(bench.merchant, snapshot)
        .await
        .unwrap();
    assert_eq!(cards(&bench, "createdAt", "asc").await.unwrap().len(), 1);
    // The copy recognizes the same number.
    bench
        .service
        .save_card(bench.merchant, save(TEST_CARDS[0], "c"))
        .await
        .unwrap();
    assert_eq!(cards(&bench, "createdAt", "asc").await.unwrap().len(), 1);
    bench.service.reset(bench.merchant).await.unwrap();
    assert_eq!(
        code(cards(&bench, "createdAt", "asc").await),
        Code::UnknownRecord
    );
}
