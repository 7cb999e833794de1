//! Calculates prices and stores the quotes that transactions can refer to.

use jiff::SignedDuration;
use uuid::Uuid;

use super::{Failure, Service, Work};
use crate::domain::Rejection;
use crate::domain::calculation::{self, MethodCost, Request};
use crate::domain::catalogue::Catalogue;
use crate::domain::quote::Quote;
use crate::domain::rate::Rates;
use crate::seed;
use crate::store::{Merchant, cards, quotes};

/// How long an expired quote is kept, so that its use is refused as expired instead of unknown.
const MEMORY: SignedDuration = SignedDuration::from_hours(24);

impl Service {
    /// Calculates prices and stores every quote of the answer.
    pub async fn calculate(
        &self,
        merchant: Merchant,
        request: Request,
    ) -> Result<Vec<MethodCost>, Failure> {
        // A random root makes the ids impossible to guess, and equal when the command runs again.
        let root = Uuid::new_v4();
        self.command(merchant, move |work| {
            let request = with_cards(work, request.clone())?;
            let mut count = 0_u32;
            let ids = || {
                count += 1;
                Uuid::new_v5(&root, &count.to_be_bytes())
            };
            let data = (Catalogue::seeded(), Rates::seeded());
            let costs = calculation::calculate(&request, data, ids, work.now)?;
            for quote in costs.iter().flat_map(MethodCost::quotes) {
                quotes::insert(work.connection, work.tenant, quote)?;
            }
            let past = work.now.checked_sub(MEMORY).unwrap_or(work.now);
            quotes::remove_expired(work.connection, work.tenant, past, seed::EXPIRED_SESSION)?;
            Ok(costs)
        })
        .await
    }

    /// The quote with the id of a session; `None` when there is none.
    pub async fn quote(
        &self,
        merchant: Merchant,
        session: Option<&str>,
    ) -> Result<Option<Quote>, Failure> {
        let Some(id) = session.and_then(|session| session.parse().ok()) else {
            return Ok(None);
        };
        self.read(merchant, move |work| {
            Ok(quotes::find(work.connection, work.tenant, id)?)
        })
        .await
    }
}

/// Adds the schemes of the saved cards that the request names.
fn with_cards(work: &Work<'_>, mut request: Request) -> Result<Request, Failure> {
    for (index, target) in request.targets.iter_mut().enumerate() {
        let Some((id, organization)) = &mut target.card else {
            continue;
        };
        let found = cards::organization_of(work.connection, work.tenant, *id)?;
        let unknown = || Rejection {
            pointer: Some(format!("/data/{index}/cardId")),
            ..Rejection::unknown("saved card")
        };
        *organization = Some(found.ok_or_else(unknown)?);
    }
    Ok(request)
}
