//! A service on a temporary database, with a manual clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::{SignedDuration, Timestamp};
use sandbox::clock::Clock;
use sandbox::details::{Meta, TransactionDetails};
use sandbox::domain::Code;
use sandbox::domain::amount::{self, RequestedAmount};
use sandbox::domain::quote::Authorized;
use sandbox::domain::transaction::Planned;
use sandbox::render::View;
use sandbox::seed;
use sandbox::service::card_use::CardUse;
use sandbox::service::merchants::Account;
use sandbox::service::{
    Answer, Customer, Failure, RequestedOutcomes, Service, Submission, Target, payouts, purchases,
    refunds,
};
use sandbox::store::{Collection, Merchant, Store, StoreError, StoreSettings, audit};
use uuid::Uuid;

use crate::databases::Fresh;

/// A clock that only moves when a test moves it.
#[derive(Debug)]
pub(crate) struct ManualClock(AtomicI64);

impl ManualClock {
    pub(crate) fn forward(&self, by: SignedDuration) {
        self.0
            .fetch_add(i64::try_from(by.as_millis()).unwrap(), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millisecond(self.0.load(Ordering::SeqCst)).unwrap()
    }
}

/// A service on a fresh database with one merchant.
pub(crate) struct Bench {
    pub(crate) service: Arc<Service>,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) merchant: Merchant,
    /// Keeps the database alive.
    _fresh: Fresh,
}

impl Bench {
    pub(crate) async fn on(fresh: Fresh) -> Self {
        let clock = Arc::new(ManualClock(AtomicI64::new(1_800_000_000_000)));
        let policy = "loopback".parse().unwrap();
        let store = Store::open(&fresh.database(), StoreSettings::default()).unwrap();
        let service = Arc::new(Service::new(store, clock.clone(), policy).await.unwrap());
        let account = Account {
            name: seed::MERCHANT.to_owned(),
            key: "key".to_owned(),
        };
        let merchant = service.open_account(account).await.unwrap();
        // Tests of the ledger need amounts that no channel accepts.
        service.bind_catalogue(merchant, false).await.unwrap();
        Self {
            service,
            clock,
            merchant,
            _fresh: fresh,
        }
    }

    /// A second merchant.
    pub(crate) async fn other_merchant(&self) -> Merchant {
        let account = Account {
            name: "other".to_owned(),
            key: "other-key".to_owned(),
        };
        self.service.open_account(account).await.unwrap()
    }

    pub(crate) fn submission(&self, key: &str, body: &str) -> Submission {
        Submission {
            merchant: self.merchant,
            key: Some(key.to_owned()),
            fingerprint: self.service.fingerprint(body.as_bytes()).unwrap(),
        }
    }

    /// Creates a purchase of 10.00 EUR and returns its id.
    pub(crate) async fn purchase(&self, key: &str, outcome: &str) -> Uuid {
        let answer = self
            .service
            .create_purchase(self.submission(key, ""), purchase(outcome))
            .await;
        id(&answer.unwrap())
    }

    pub(crate) async fn refund(
        &self,
        key: &str,
        purchase: Uuid,
        amount: &str,
        outcome: &str,
    ) -> Result<Answer, Failure> {
        let command = refunds::Create {
            purchase,
            origin_merchant_transaction_id: None,
            amount: RequestedAmount {
                amount: Some(amount.to_owned()),
                currency: Some("EUR".to_owned()),
            },
            outcome: Some(outcome.parse().unwrap()),
            details: Box::default(),
        };
        self.service
            .create_refund(self.merchant, self.submission(key, amount), command)
            .await
    }

    pub(crate) async fn payout(
        &self,
        key: &str,
        channel: &str,
        amount: &str,
        outcome: &str,
    ) -> Uuid {
        let command = payouts::Create {
            origin_merchant_transaction_id: None,
            payment_channel: Some(channel.to_owned()),
            money: amount::read(amount, "EUR").unwrap(),
            authorized: Authorized::default(),
            planned: Planned::default(),
            requested: RequestedOutcomes::explicit(outcome.parse().unwrap()),
            customer: Customer::Unnamed,
            destination: None,
            details: paid_in("BTC"),
        };
        let answer = self
            .service
            .create_payout(self.submission(key, amount), command)
            .await;
        id(&answer.unwrap())
    }

    /// Takes a snapshot and returns its number.
    pub(crate) async fn snapshot(&self) -> i64 {
        let taken = self.service.take_snapshot(self.merchant, None).await;
        taken.unwrap().number
    }

    pub(crate) async fn view(&self, collection: Collection, id: Uuid) -> View {
        self.service
            .find(self.merchant, collection, Target::Id(id))
            .await
            .unwrap()
    }

    pub(crate) async fn status(&self, id: Uuid) -> &'static str {
        self.view(Collection::Transactions, id)
            .await
            .record
            .transaction
            .status
            .wire()
    }

    /// Checks that the audit finds nothing.
    pub(crate) async fn audit(&self) {
        let findings: Result<_, StoreError> = self.service.store().read(audit::audit).await;
        assert_eq!(findings.unwrap(), []);
    }
}

pub(crate) fn purchase(outcome: &str) -> purchases::Create {
    purchases::Create {
        origin_merchant_transaction_id: None,
        payment_channel: Some("PCL_CARD".to_owned()),
        money: amount::read("10.00", "EUR").unwrap(),
        authorized: Authorized::default(),
        two_step: false,
        planned: Planned::default(),
        requested: RequestedOutcomes::explicit(outcome.parse().unwrap()),
        card: CardUse::default(),
        skip_authentication: false,
        customer: Customer::Unnamed,
        details: Box::default(),
        subscription: None,
    }
}

/// The result of a command without a key.
pub(crate) fn done<T>(answer: Answer<T>) -> T {
    match answer {
        Answer::Made(made) => made,
        Answer::Replayed(body) => panic!("answered before: {body}"),
    }
}

/// The id of the transaction in an answer.
pub(crate) fn id(answer: &Answer) -> Uuid {
    match answer {
        Answer::Made(view) => view.record.transaction.id,
        Answer::Replayed(body) => replayed(body),
    }
}

/// The details of a payout whose recipient gets this currency.
fn paid_in(currency: &str) -> Box<TransactionDetails> {
    Box::new(TransactionDetails {
        meta: Some(Meta {
            destination_currency: Some(currency.to_owned()),
            ..Meta::default()
        }),
        ..TransactionDetails::default()
    })
}

/// The id in the body of an answer.
pub(crate) fn replayed(body: &str) -> Uuid {
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    body["id"].as_str().unwrap().parse().unwrap()
}

/// The details of a transaction with a receiver of notifications at this address.
pub(crate) fn notified_at(address: &str) -> Box<TransactionDetails> {
    Box::new(TransactionDetails {
        meta: Some(Meta {
            custom_ipn_url: Some(address.to_owned()),
            ..Meta::default()
        }),
        ..TransactionDetails::default()
    })
}

/// The code of a refusal.
pub(crate) fn code<T: std::fmt::Debug>(result: Result<T, Failure>) -> Code {
    match result {
        Err(Failure::Rejected(rejection)) => rejection.code,
        other => panic!("not refused: {other:?}"),
    }
}
