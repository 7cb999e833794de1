//! Card numbers and security codes that tests plant everywhere are found nowhere.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::time::Instant;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::control::ADMIN_KEY;
use crate::customers::{ask, shopper};
use crate::databases::{self, Fresh};
use crate::process::{DEADLINE, KEY, Process, plain_client, reply};

/// Numbers of test cards that occur nowhere else in the program, in all notations.
const NUMBERS: [&str; 3] = [
    "5200828282828210",
    "6205500000000000004",
    "4000056655665556",
];
/// The number of another test card, which the program contains.
const OTHER: &str = "4242424242424242";
/// More requests at once than the program has threads for them.
const AT_ONCE: usize = 16;
/// The size of a memory page in bytes.
const PAGE: u64 = 4096;
/// Digits that are not a card number.
const STORED: &str = "918273645546372819";
/// A security code that is too long to occur by chance.
const CODE: i64 = 918_273_645_546;

/// An accepted security code. It is short enough to occur by chance, so the test searches for it
/// together with its name.
const GOOD_CODE: i64 = 739;

async fn a_planted_card_is_found_nowhere(fresh: &Fresh) {
    let sandbox = Process::start_on(&fresh.url());
    shopper(&sandbox).await;
    for number in NUMBERS {
        plant_in_profiles(&sandbox, number).await;
        plant_in_verifications(&sandbox, number).await;
        plant_in_a_widget(&sandbox, number).await;
        plant_elsewhere(&sandbox, number).await;
        plant_in_free_texts(&sandbox, number).await;
    }
    plant_codes(&sandbox).await;
    for (path, key) in [("/metrics", KEY), ("/_sandbox/requests", ADMIN_KEY)] {
        let request = sandbox.client.get(format!("{}{path}", sandbox.url));
        let shown = request.header("authorization", key).send().await.unwrap();
        assert_eq!(shown.status(), 200, "{path}");
        assert_clean(&shown.bytes().await.unwrap(), path);
    }

    // Killed, so that the write-ahead log still exists.
    let directory = sandbox.kill();
    let mut files = scan(directory.path());
    let mut expected = vec!["log"];
    if let Fresh::File(directory) = fresh {
        files.extend(scan(directory.path()));
        expected.extend(["sandbox.db", "sandbox.db-wal"]);
    } else {
        let stored = databases::content(&fresh.url());
        let has = |text: &[u8]| stored.windows(text.len()).any(|window| window == text);
        assert!(
            has(b"[card number], kept"),
            "the search found no stored text"
        );
        assert_clean(&stored, "the database");
    }
    for name in expected {
        assert!(
            files.iter().any(|(file, size)| file == name && *size > 0),
            "{files:?}"
        );
    }
}

on_both_databases! { a_planted_card_is_found_nowhere }

#[tokio::test]
async fn a_saved_number_is_erased_from_memory() {
    let mut sandbox = Process::start();
    shopper(&sandbox).await;
    for number in NUMBERS {
        plant_in_profiles(&sandbox, number).await;
        plant_in_free_texts(&sandbox, number).await;
    }
    // Stored values stay in the database's memory, so this text has to be found.
    sandbox.purchase(STORED, "accept").await;
    // The buffers of a connection are freed with it.
    sandbox.client = plain_client();
    let begun = Instant::now();
    loop {
        let memory = memory(sandbox.process_id());
        let digits = memory.split(|byte| !byte.is_ascii_digit());
        let long: Vec<&[u8]> = digits.filter(|run| run.len() > 15).collect();
        let has = |number: &str| {
            let is_it = |digits: &[u8]| digits == number.as_bytes();
            long.iter().any(|run| run.windows(number.len()).any(is_it))
        };
        assert!(has(STORED), "the search of the memory found no stored text");
        if !NUMBERS.into_iter().any(has) {
            break;
        }
        assert!(begun.elapsed() < DEADLINE, "a card number is still there");
        // Requests of the same form overwrite what earlier ones left on the stacks of all threads.
        join_all((0..AT_ONCE).map(|_| plant_in_profiles(&sandbox, OTHER))).await;
        sandbox.client = plain_client();
    }
}

/// All memory pages that a process has written.
fn memory(process: u32) -> Vec<u8> {
    let folder = format!("/proc/{process}");
    let maps = std::fs::read_to_string(format!("{folder}/maps")).unwrap();
    let open = |name: &str| std::fs::File::open(format!("{folder}/{name}")).unwrap();
    let (mut pages, mut bytes) = (open("pagemap"), open("mem"));
    let mut memory = Vec::new();
    for line in maps.lines().filter(|line| line.contains(" rw")) {
        let (range, _) = line.split_once(' ').unwrap();
        let (start, end) = range.split_once('-').unwrap();
        let [start, end] = [start, end].map(|text| u64::from_str_radix(text, 16).unwrap());
        let mut states = vec![0; usize::try_from((end - start) / PAGE).unwrap() * 8];
        pages.seek(SeekFrom::Start(start / PAGE * 8)).unwrap();
        pages.read_exact(&mut states).unwrap();
        // The highest bit of an entry marks a present page.
        let there = (0..)
            .zip(states.chunks(8))
            .filter(|(_, state)| state[7] & 0x80 != 0);
        for (number, _) in there {
            let mut page = vec![0; usize::try_from(PAGE).unwrap()];
            bytes.seek(SeekFrom::Start(start + number * PAGE)).unwrap();
            if bytes.read_exact(&mut page).is_ok() {
                memory.extend_from_slice(&page);
            }
        }
    }
    memory
}

async fn plant_in_profiles(sandbox: &Process, number: &str) {
    let profiles = "/v2/payout-profiles/card";
    let card = json!({"number": number, "expiryDate": "1230"});
    let mut good = json!({"card": card, "cardAlias": "planted"});
    for code in [None, Some(GOOD_CODE)] {
        good["card"]["cvv"] = json!(code.unwrap_or(123));
        let saved = ask(sandbox, Method::POST, profiles, Some(&good)).await;
        assert_eq!(saved.status, 200, "{saved:?}");
    }
    let mut wrong = good.clone();
    wrong["card"]["cvv"] = json!(CODE);
    let mut expired = good.clone();
    expired["card"]["expiryDate"] = json!("0120");
    let mut spaced = good.clone();
    spaced["card"]["number"] = json!(format!(" {number}"));
    let mut typed = good.clone();
    typed["card"]["number"] = json!(number.parse::<u64>().unwrap());
    for body in [wrong, expired, spaced, typed] {
        let refused = ask(sandbox, Method::POST, profiles, Some(&body)).await;
        assert_eq!(refused.status, 422, "{refused:?}");
        assert_clean(refused.body.to_string().as_bytes(), "an answer");
    }
}

async fn plant_in_verifications(sandbox: &Process, number: &str) {
    let verify = "/v3/customers/shopper-1/payouts/recipients/pme_card/verify";
    for body in [
        format!("{{\"cardNumber\": {number}}}"),
        format!("{{\"cardNumber\": \"{number}\"}}"),
        format!("{{\"cardNumber\": {number}, \"alias\": 1}}"),
        format!("{{\"cardNumber\": {number}, "),
    ] {
        let request = sandbox.request(Method::POST, verify);
        let request = request.header("content-type", "application/json");
        let answer = reply(request.body(body)).await;
        assert_clean(answer.body.to_string().as_bytes(), "an answer");
    }
}

async fn plant_in_a_widget(sandbox: &Process, number: &str) {
    let widget = json!({"returnUrl": "https://merchant.example"});
    let path = "/v2/payout-profiles/card/widget";
    let widget = ask(sandbox, Method::POST, path, Some(&widget)).await;
    let url = widget.body["widgetUrl"].as_str().unwrap();
    let page = sandbox.client.post(url);
    let page = page.body(format!("number={number}&expiry=1230&code={CODE}"));
    let page = page.send().await.unwrap().bytes().await.unwrap();
    assert_clean(&page, "a page");
}

async fn plant_elsewhere(sandbox: &Process, number: &str) {
    let named = sandbox.request(Method::GET, "/v1/payment-links");
    let named = named.header("request-id", number);
    assert_eq!(named.send().await.unwrap().status(), 200);
    let payout = json!({
        "merchantTransactionId": "payout-1", "paymentChannel": "PCL_CARD", "amount": "1.00",
        "currency": "EUR", "customer": {"firstName": "Sample"},
        "paymentSpecificData": {"destinationAddress": number}
    });
    let refused = sandbox.post("/v1/payouts", &payout).await;
    assert_eq!(refused.status, 422);
    assert_clean(refused.body.to_string().as_bytes(), "an answer");
}

async fn plant_in_free_texts(sandbox: &Process, number: &str) {
    let (start, end) = number.split_at(4);
    let grouped = format!("{start} {end}");
    let mut order = json!({
        "merchantTransactionId": format!("order-{end}"), "amount": "1.00", "currency": "EUR",
        "customer": {"firstName": "Sample", "information": format!("pays with {number}")},
        "fraudFields": {"note": format!("card {number}, kept"), "plain": "3f9a1c"},
        "comment": number
    });
    order["fraudFields"][number] = json!(grouped);
    let made = sandbox.post("/v1/transactions", &order).await;
    assert_eq!(made.status, 201, "{made:?}");
    let fields = &made.body["fraudFields"];
    assert_eq!(fields["note"], "card [card number], kept");
    assert_eq!(fields["plain"], "3f9a1c");
    assert_clean(made.body.to_string().as_bytes(), "an answer");
    plant_in_names(sandbox, number).await;
    plant_in_changes(sandbox, number, &made.body["id"]).await;
    let person = json!({"address": number, "vaspName": number});
    order["paymentSpecificData"] =
        json!({"travelRuleData": person, "destinationAddressMemo": number});
    let made = sandbox.post("/v1/payouts", &order).await;
    assert_clean(made.body.to_string().as_bytes(), "an answer");
}

/// Plants the number in the texts of later requests: refunds, cancellations, aliases, snapshots.
async fn plant_in_changes(sandbox: &Process, number: &str, purchase: &Value) {
    let refund =
        json!({"transactionId": purchase, "amount": "0.50", "currency": "EUR", "comment": number});
    let made = sandbox.post("/v1/transactions/refund", &refund).await;
    assert_eq!(made.status, 201, "{made:?}");
    assert_clean(made.body.to_string().as_bytes(), "an answer");
    let customer = "/v3/customers/shopper-1";
    let alias = json!({"cardNumber": OTHER.parse::<u64>().unwrap(), "alias": number});
    let verify = format!("{customer}/payouts/recipients/pme_card/verify");
    let verified = sandbox.post(&verify, &alias).await;
    assert_clean(verified.body.to_string().as_bytes(), "an answer");
    let event = json!({"event": "subscription.charged"});
    let run = sandbox.post_control("/triggers", &event).await;
    assert_eq!(run.status, 201, "{run:?}");
    let listed = sandbox.get("/v1/subscriptions?status=active").await.body;
    let cancel = format!(
        "/v1/subscriptions/{}/cancel",
        listed["data"][0]["id"].as_str().unwrap()
    );
    let reason = json!({"cancelReason": format!("their card {number} was lost")});
    let cancelled = sandbox.post(&cancel, &reason).await;
    assert_eq!(cancelled.status, 200, "{cancelled:?}");
    assert_clean(cancelled.body.to_string().as_bytes(), "an answer");
    let name = json!({"name": format!("of {number}")});
    let taken = sandbox.post_control("/snapshots", &name).await;
    assert_eq!(
        (taken.status, &taken.body["name"]),
        (201, &json!("of [card number]"))
    );
}

/// Plants the number in every name and description.
async fn plant_in_names(sandbox: &Process, number: &str) {
    let address = json!({"street": number, "city": number, "countryCode": "DE"});
    let customer = json!({"firstName": number, "lastName": number});
    let items = json!([{"name": number, "description": format!("for {number}"), "price": 1.00, "quantity": 1}]);
    let named =
        json!({"customerName": number, "name": number, "alias": number, "description": number});
    let texts = json!({"amount": "1.00", "currency": "EUR", "customer": customer, "billingAddress": address,
        "shippingAddress": address, "descriptor": number,
        "source": {"platformName": number, "processName": number}});
    let link =
        json!({"amount": {"currency": "EUR", "value": 1.00}, "customer": customer, "items": items});
    let known = json!({"merchantCustomerId": format!("planted-{}", &number[..6]), "firstName": number,
        "lastName": number});
    for (path, body) in [
        ("/v1/transactions", texts),
        ("/v1/payment-links", link),
        ("/v3/customers", known),
        ("/v1/subscriptions/products", named),
    ] {
        let made = sandbox.post(path, &body).await;
        assert_eq!(made.status, 201, "{path}: {made:?}");
        let text = made.body.to_string();
        assert!(text.contains("[card number]"), "{path}: {text}");
        assert_clean(text.as_bytes(), path);
    }
}

async fn plant_codes(sandbox: &Process) {
    for (code, status) in [(CODE, 422), (GOOD_CODE, 201)] {
        let purchase = json!({
            "amount": "1.00", "currency": "EUR", "customer": {"firstName": "Sample"},
            "paymentSpecificData": {
                "cardToken": "00000000-0000-4000-8000-000000000000",
                "card": {"expiryDate": "1230", "cvv": code}
            }
        });
        let answer = sandbox.post("/v1/transactions", &purchase).await;
        assert_eq!(answer.status, status, "{answer:?}");
        assert_clean(answer.body.to_string().as_bytes(), "an answer");
    }
}

/// Searches every file; returns the names and sizes.
fn scan(directory: &Path) -> Vec<(String, usize)> {
    let files = std::fs::read_dir(directory).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        assert_clean(&bytes, &path.display().to_string());
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, bytes.len())
    });
    files.collect()
}

fn assert_clean(bytes: &[u8], place: &str) {
    let code = CODE.to_string();
    for planted in NUMBERS.into_iter().chain([code.as_str()]) {
        let number = planted.parse::<i64>().unwrap();
        // As text, and as the databases encode integers.
        for form in [
            planted.as_bytes(),
            &number.to_be_bytes(),
            &number.to_le_bytes(),
        ] {
            let found = bytes.windows(form.len()).any(|window| window == form);
            assert!(!found, "{planted} is in {place}");
        }
    }
    let text = String::from_utf8_lossy(bytes).replace(['"', '\\', ' '], "");
    for named in [format!("cvv:{GOOD_CODE}"), format!("code={GOOD_CODE}")] {
        assert!(!text.contains(&named), "{named} is in {place}");
    }
}
