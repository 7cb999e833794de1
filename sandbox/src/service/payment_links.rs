//! Payment links: create, change, pay and expire.

use uuid::Uuid;

use super::apply::{change, insert};
use super::outcome::Call;
use super::payment_methods;
use super::timer_kind::Kind;
use super::{Answer, Failure, Service, Submission, Target, Work};
use crate::details::{LinkItem, PaymentLinkDetails};
use crate::domain::acceptance::Pointers;
use crate::domain::outcome::Outcome;
use crate::domain::page::Page;
use crate::domain::payment_link::{self, Change, Payment, PaymentLink};
use crate::domain::purchase::ChallengeSetup;
use crate::domain::quote::Candidate;
use crate::domain::transaction::{Planned, Transaction};
use crate::domain::{Rejection, link_items, purchase, state};
use crate::render::{self, View};
use crate::store::payment_links::{self, Filter, LinkRecord};
use crate::store::{Collection, Merchant, StoreError};

/// A request to create a link.
#[derive(Clone, Debug)]
pub struct Create {
    /// The link.
    pub link: payment_link::Create,
    /// The channel of its payment.
    pub payment_channel: String,
    /// The customer's e-mail address.
    pub customer_email: Option<String>,
    /// Descriptive fields.
    pub details: PaymentLinkDetails,
}

/// A customer's payment of a link.
#[derive(Clone, Debug)]
pub struct Pay {
    /// The channel.
    pub payment_channel: String,
    /// The requested outcome; `None` leaves it to the script.
    pub outcome: Option<Outcome>,
}

impl Service {
    /// Creates a link, or returns the first answer to a repeated request.
    ///
    /// The link's merchant id becomes that of its purchase, so no other purchase can use it.
    pub async fn create_payment_link(
        &self,
        submission: Submission,
        command: Create,
    ) -> Result<Answer<Box<LinkRecord>>, Failure> {
        let drawn = Uuid::new_v4().hyphenated().to_string();
        self.command(submission.merchant, move |work| {
            let collection = Collection::Transactions;
            if let Some(body) = submission.answered(work, collection)? {
                return Ok(Answer::Replayed(body));
            }
            let candidate = Candidate {
                kind: state::Kind::Purchase,
                merchant_transaction_id: None,
                channel: &command.payment_channel,
                order: command.link.money,
            };
            payment_methods::check(work, &candidate, Pointers::LINK)?;
            let key = submission.key.clone().unwrap_or_else(|| drawn.clone());
            let link = payment_link::create(command.link, key.clone(), work.now)?;
            let record = LinkRecord {
                version: 1,
                link,
                details: command.details.clone(),
            };
            let email = command.customer_email.as_deref();
            payment_links::insert(work.connection, work.tenant, &record, email)?;
            schedule(work, &record.link)?;
            let rendered = render::payment_link::text(&record, work.address)?;
            submission.keep(work, collection, &key, rendered)?;
            Ok(Answer::Made(Box::new(record)))
        })
        .await
    }

    /// A link.
    pub async fn payment_link(&self, merchant: Merchant, id: Uuid) -> Result<LinkRecord, Failure> {
        self.read(merchant, move |work| load(work, id)).await
    }

    /// A page of the links that match the filter.
    pub async fn payment_links(
        &self,
        merchant: Merchant,
        filter: Filter,
        page: Page,
    ) -> Result<Vec<LinkRecord>, Failure> {
        self.read(merchant, move |work| {
            let (connection, tenant) = (work.connection, work.tenant);
            Ok(payment_links::list(connection, tenant, &filter, &page)?)
        })
        .await
    }

    /// Changes a link and, if given, its items.
    pub async fn update_payment_link(
        &self,
        merchant: Merchant,
        id: Uuid,
        wanted: Change,
        items: Option<Vec<LinkItem>>,
    ) -> Result<LinkRecord, Failure> {
        self.command(merchant, move |work| {
            let before = load(work, id)?;
            let after = before.link.clone().change(&wanted, work.now)?;
            let mut details = before.details.clone();
            if let Some(items) = &items {
                link_items::check(Some(items), before.link.money.currency())?;
                details.items = Some(items.clone());
            }
            write(work, &before, &after, &details)?;
            load(work, id)
        })
        .await
    }

    /// The link that a customer opened, with its merchant. Anyone who knows the id has access.
    pub async fn open_payment_link(&self, id: Uuid) -> Result<(Merchant, LinkRecord), Failure> {
        let merchant: Option<Merchant> = self
            .store()
            .read(move |connection| payment_links::merchant_of(connection, id))
            .await?;
        let merchant = merchant.ok_or_else(|| Rejection::unknown("payment link"))?;
        Ok((merchant, self.payment_link(merchant, id).await?))
    }

    /// Pays a link: creates its purchase, or retries it after a failure.
    pub async fn pay_payment_link(
        &self,
        merchant: Merchant,
        id: Uuid,
        pay: Pay,
    ) -> Result<View, Failure> {
        let purchase = Uuid::now_v7();
        let setup = ChallengeSetup {
            page: Uuid::new_v4(),
            skip: false,
        };
        self.command(merchant, move |work| {
            let before = load(work, id)?;
            match before.link.pay(work.now)? {
                Payment::First => first(work, &before, purchase, &pay, setup),
                Payment::Again(purchase) => again(work, &before, purchase, &pay, setup),
            }
        })
        .await
    }
}

impl Pay {
    fn outcome(&self, work: &Work<'_>, operation: &'static str) -> Result<Outcome, Failure> {
        let call = Call {
            operation,
            channel: Some(&self.payment_channel),
        };
        call.decide(work, self.outcome.clone(), None)
    }
}

/// Creates the purchase of a link.
fn first(
    work: &Work<'_>,
    before: &LinkRecord,
    id: Uuid,
    pay: &Pay,
    setup: ChallengeSetup,
) -> Result<View, Failure> {
    let create = purchase::Create {
        id,
        merchant_transaction_id: before.link.merchant_transaction_id.clone(),
        origin_merchant_transaction_id: None,
        payment_channel: Some(pay.payment_channel.clone()),
        money: before.link.money,
        two_step: false,
        planned: Planned::default(),
    };
    let outcome = pay.outcome(work, "createPurchase")?;
    let created = purchase::create(create, outcome, setup, work.now)?;
    let view = insert(
        work,
        created,
        Box::new(link_items::purchase(&before.details)),
    )?;
    bind(work, before, &view.record.transaction)?;
    Ok(view)
}

/// Retries the purchase of a link.
fn again(
    work: &Work<'_>,
    link: &LinkRecord,
    id: Uuid,
    pay: &Pay,
    setup: ChallengeSetup,
) -> Result<View, Failure> {
    let before = Target::Id(id).load(work, Collection::Transactions)?;
    let outcome = pay.outcome(work, "renewAuthorization")?;
    let after = purchase::renew(before.transaction.clone(), outcome, setup, work.now)?;
    let record = change(work, &before, after)?;
    bind(work, link, &record.transaction)?;
    View::load(work, record)
}

/// Stores the purchase of a link; of several concurrent payments, one succeeds.
fn bind(work: &Work<'_>, before: &LinkRecord, purchase: &Transaction) -> Result<(), Failure> {
    let after = PaymentLink {
        purchase: Some((purchase.id, purchase.status)),
        ..before.link.clone()
    };
    let (connection, tenant) = (work.connection, work.tenant);
    Ok(payment_links::update(
        connection,
        tenant,
        before,
        &after,
        &before.details,
    )?)
}

/// Handles the timer of a link: expires it unless it was paid.
pub(super) fn fire(work: &Work<'_>, subject: &str) -> Result<(), Failure> {
    let id = subject.parse().map_err(|_| StoreError::Corrupt("timer"))?;
    let before = load(work, id)?;
    if before.link.status() == payment_link::Status::Paid {
        // A paid link does not expire.
        return Ok(());
    }
    let after = before.link.clone().expire()?;
    let (connection, tenant) = (work.connection, work.tenant);
    Ok(payment_links::update(
        connection,
        tenant,
        &before,
        &after,
        &before.details,
    )?)
}

fn write(
    work: &Work<'_>,
    before: &LinkRecord,
    after: &PaymentLink,
    details: &PaymentLinkDetails,
) -> Result<(), Failure> {
    payment_links::update(work.connection, work.tenant, before, after, details)?;
    schedule(work, after)
}

/// Sets the expiry timer of an active link, and clears it for other links.
fn schedule(work: &Work<'_>, link: &PaymentLink) -> Result<(), Failure> {
    let open = link.unpaid == payment_link::Status::Active;
    let due_at = open.then_some(link.expires_at);
    work.schedule(Kind::PaymentLink, &link.id.hyphenated().to_string(), due_at)
}

fn load(work: &Work<'_>, id: Uuid) -> Result<LinkRecord, Failure> {
    let found = payment_links::find(work.connection, work.tenant, id)?;
    found.ok_or_else(|| Rejection::unknown("payment link").into())
}
