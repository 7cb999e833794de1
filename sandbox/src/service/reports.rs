//! Reports: requested by a merchant, created by a timer, then downloaded.

use uuid::Uuid;

use super::timer_kind::Kind;
use super::{Failure, Service, Work};
use crate::domain::Rejection;
use crate::domain::currency::Currency;
use crate::domain::page::Page;
use crate::domain::report::{self, Period, Report};
use crate::store::{Merchant, StoreError, reports};

/// A request for a report.
#[derive(Clone, Debug)]
pub struct Create {
    /// The days that it covers.
    pub period: Period,
    /// The type of its transactions; all types when absent.
    pub transaction_type: Option<String>,
    /// The currency of its transactions; all currencies when absent.
    pub currency: Option<Currency>,
}

impl Service {
    /// Requests a report.
    pub async fn create_report(
        &self,
        merchant: Merchant,
        command: Create,
    ) -> Result<Report, Failure> {
        let id = Uuid::now_v7();
        self.command(merchant, move |work| {
            let report = Report {
                transaction_type: command.transaction_type.clone(),
                currency: command.currency,
                ..Report::new(id, command.period, work.now)
            };
            reports::insert(work.connection, work.tenant, &report)?;
            let subject = id.hyphenated().to_string();
            work.schedule(Kind::Report, &subject, Some(report.due_at()))?;
            Ok(report)
        })
        .await
    }

    /// A report.
    pub async fn report(&self, merchant: Merchant, id: Uuid) -> Result<Report, Failure> {
        self.read(merchant, move |work| load(work, id)).await
    }

    /// A page of the reports.
    pub async fn reports(&self, merchant: Merchant, page: Page) -> Result<Vec<Report>, Failure> {
        self.read(merchant, move |work| {
            Ok(reports::list(work.connection, work.tenant, &page)?)
        })
        .await
    }

    /// A report with its file.
    pub async fn report_file(
        &self,
        merchant: Merchant,
        id: Uuid,
    ) -> Result<(Report, String), Failure> {
        self.read(merchant, move |work| {
            let report = load(work, id)?;
            report.downloadable()?;
            let file = reports::file(work.connection, work.tenant, id)?;
            Ok((report, file))
        })
        .await
    }
}

/// Handles the timer of a report: creates its file.
pub(super) fn fire(work: &Work<'_>, subject: &str) -> Result<(), Failure> {
    let id = subject.parse().map_err(|_| StoreError::Corrupt("timer"))?;
    let report = load(work, id)?;
    let lines = reports::lines(work.connection, work.tenant, &report)?;
    let count = i64::try_from(lines.len()).map_err(|_| StoreError::Corrupt("report"))?;
    let report = report.finish(count, work.now)?;
    let content = report::file(&lines);
    Ok(reports::finish(
        work.connection,
        work.tenant,
        &report,
        &content,
    )?)
}

fn load(work: &Work<'_>, id: Uuid) -> Result<Report, Failure> {
    let found = reports::find(work.connection, work.tenant, id)?;
    found.ok_or_else(|| Rejection::unknown("report").into())
}
