//! Reports and their files.

use merchant_payments::models;
use merchant_payments::operations::reports::{
    GetReportFileOkHeaders, GetReportFileParameters, GetReportParameters, ListReportsParameters,
};
use merchant_payments::runtime::Answer;
use merchant_payments::server::reports::{
    CreateReportResponse, GetReportFileResponse, GetReportResponse, ListReportsResponse,
};
use merchant_payments::server::{Context, Reports};

use super::Operations;
use super::page::{meta, page_of};
use crate::domain::amount;
use crate::domain::report::{Period, Report};
use crate::service::{Failure, reports};
use crate::store;

/// The media type of a file.
const CSV: &str = "text/csv; charset=utf-8; header=present";

impl Reports for Operations {
    async fn list_reports(
        &self,
        context: Context,
        parameters: ListReportsParameters,
    ) -> ListReportsResponse {
        match self.reports(&context, &parameters).await {
            Ok(page) => ListReportsResponse::Ok(page),
            Err(failure) => failure.into(),
        }
    }

    async fn create_report(
        &self,
        context: Context,
        body: models::ReportRequest,
    ) -> CreateReportResponse {
        match self.ask_for_report(&context, &body).await {
            Ok(report) => CreateReportResponse::Created(report),
            Err(failure) => failure.into(),
        }
    }

    async fn get_report(
        &self,
        context: Context,
        parameters: GetReportParameters,
    ) -> GetReportResponse {
        match self.report(&context, parameters.id.into()).await {
            Ok(report) => GetReportResponse::Ok(report),
            Err(failure) => failure.into(),
        }
    }

    async fn get_report_file(
        &self,
        context: Context,
        parameters: GetReportFileParameters,
    ) -> GetReportFileResponse {
        match self.report_file(&context, parameters.id.into()).await {
            Ok(answer) => GetReportFileResponse::Other(answer),
            Err(failure) => failure.into(),
        }
    }
}

impl Operations {
    async fn reports(
        &self,
        context: &Context,
        parameters: &ListReportsParameters,
    ) -> Result<models::ReportPage, Failure> {
        let merchant = Self::merchant(context)?;
        let page = page_of!(parameters, store::reports::SORTED)?;
        let found = self.service.reports(merchant, page).await?;
        let data = found.iter().map(model).collect();
        Ok(models::ReportPage {
            data: Some(data),
            meta: Some(meta(&page)),
        })
    }

    async fn ask_for_report(
        &self,
        context: &Context,
        body: &models::ReportRequest,
    ) -> Result<models::Report, Failure> {
        let merchant = Self::merchant(context)?;
        let currency = body.currency.as_deref();
        let command = reports::Create {
            period: Period::new(body.date_from.into(), body.date_to.into())?,
            transaction_type: body
                .transaction_type
                .as_ref()
                .map(|kind| kind.as_str().to_owned()),
            currency: currency
                .map(|code| amount::currency(code, "/currency"))
                .transpose()?,
        };
        let report = self.service.create_report(merchant, command).await?;
        Ok(model(&report))
    }

    async fn report(&self, context: &Context, id: uuid::Uuid) -> Result<models::Report, Failure> {
        let merchant = Self::merchant(context)?;
        Ok(model(&self.service.report(merchant, id).await?))
    }

    async fn report_file(&self, context: &Context, id: uuid::Uuid) -> Result<Answer, Failure> {
        let merchant = Self::merchant(context)?;
        let (report, file) = self.service.report_file(merchant, id).await?;
        let name = report.file_name();
        let headers = GetReportFileOkHeaders {
            content_disposition: format!("attachment; filename=\"{name}\""),
        };
        Ok(Answer::bytes(200, CSV, file).with_headers(&headers))
    }
}

fn model(report: &Report) -> models::Report {
    let ready = report.ready;
    models::Report {
        date_from: Some(report.period.from.into()),
        date_to: Some(report.period.to.into()),
        transaction_type: report.transaction_type.as_deref().map(Into::into),
        currency: report.currency.map(|currency| currency.code().to_owned()),
        created_at: Some(report.created_at.into()),
        ready_at: ready.map(|(at, _)| at.into()),
        file_name: Some(report.file_name()),
        transaction_count: ready.map(|(_, count)| count),
        ..models::Report::builder()
            .id(report.id)
            .status(report.status.wire())
            .build()
    }
}
