//! Plans: create, list, read, activate, deactivate and remove.

use uuid::Uuid;

use super::{Failure, Owned, Service, Work, subscriptions};
use crate::domain::page::Page;
use crate::domain::plan::{self, Plan};
use crate::domain::{Code, Rejection};
use crate::store::{self, Hold, Merchant, plans, products};

impl Service {
    /// Adds a plan to a product.
    pub async fn create_plan(
        &self,
        merchant: Merchant,
        product: Uuid,
        command: plan::Create,
    ) -> Result<Owned<Plan>, Failure> {
        let id = Uuid::now_v7();
        self.command(merchant, move |work| {
            let plan = plan::create(id, product, &command, work.now)?;
            let product = products::find(work.connection, work.tenant, product, Hold::AsItIs)?;
            if product.is_none() {
                let code = Code::UnknownRecord;
                return Err(Rejection::at(code, "/productId", "no such product").into());
            }
            plans::insert(work.connection, work.tenant, &plan)?;
            Owned::new(work, plan)
        })
        .await
    }

    /// A page of all plans or of one product's plans.
    pub async fn plans(
        &self,
        merchant: Merchant,
        product: Option<Uuid>,
        page: Page,
    ) -> Result<Owned<Vec<Plan>>, Failure> {
        self.read(merchant, move |work| {
            let plans = plans::page(work.connection, work.tenant, product, &page)?;
            Owned::new(work, plans)
        })
        .await
    }

    /// One plan.
    pub async fn plan(&self, merchant: Merchant, id: Uuid) -> Result<Owned<Plan>, Failure> {
        self.read(merchant, move |work| {
            Owned::new(work, load(work, id, Hold::Nothing)?)
        })
        .await
    }

    /// Activates a plan: customers can subscribe to it again.
    pub async fn activate_plan(
        &self,
        merchant: Merchant,
        id: Uuid,
    ) -> Result<Owned<Plan>, Failure> {
        self.command(merchant, move |work| {
            let plan = set_active(work, id, true)?;
            Owned::new(work, plan)
        })
        .await
    }

    /// Deactivates a plan: customers cannot subscribe to it any more, and its subscriptions end
    /// with their periods.
    pub async fn deactivate_plan(
        &self,
        merchant: Merchant,
        id: Uuid,
    ) -> Result<Owned<Plan>, Failure> {
        self.command(merchant, move |work| {
            let plan = set_active(work, id, false)?;
            for before in store::subscriptions::live_of(work.connection, work.tenant, id)? {
                subscriptions::cancel(work, &before, &plan, None)?;
            }
            Owned::new(work, plan)
        })
        .await
    }

    /// Removes a plan; refused while it has subscriptions that have not ended.
    pub async fn remove_plan(&self, merchant: Merchant, id: Uuid) -> Result<(), Failure> {
        self.command(merchant, move |work| {
            load(work, id, Hold::ToChange)?;
            let live = store::subscriptions::live_of(work.connection, work.tenant, id)?;
            if !live.is_empty() {
                let detail = "the plan has subscriptions that have not ended";
                return Err(Rejection::new(Code::IllegalState, detail).into());
            }
            Ok(plans::remove(work.connection, work.tenant, id, work.now)?)
        })
        .await
    }
}

fn set_active(work: &Work<'_>, id: Uuid, active: bool) -> Result<Plan, Failure> {
    let before = load(work, id, Hold::ToChange)?;
    let after = plan::set_active(before, active, work.now);
    plans::update(work.connection, work.tenant, &after)?;
    Ok(after)
}

fn load(work: &Work<'_>, id: Uuid, hold: Hold) -> Result<Plan, Failure> {
    let found = plans::find(work.connection, work.tenant, id, hold)?;
    found.ok_or_else(|| Rejection::unknown("plan").into())
}
