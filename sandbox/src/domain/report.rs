//! Reports: CSV files of the transactions of some days.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
pub use merchant_payments::behaviour::report::{Event, Status, next};
use uuid::Uuid;

use super::csv::{Cell, Csv};
use super::currency::Currency;
use super::money::Money;
use super::rejection::{Code, Rejection};

/// How long the creation of a file takes.
pub const DURATION: SignedDuration = SignedDuration::from_millis(500);

/// A report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Its id.
    pub id: Uuid,
    /// The days that it covers.
    pub period: Period,
    /// The type of its transactions; all types when absent.
    pub transaction_type: Option<String>,
    /// The currency of its transactions; all currencies when absent.
    pub currency: Option<Currency>,
    /// Whether its file is ready.
    pub status: Status,
    /// When it was requested.
    pub created_at: Timestamp,
    /// When its file was created, and its number of transactions.
    pub ready: Option<(Timestamp, i64)>,
}

/// A range of days in UTC that includes the first and the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first day.
    pub from: Date,
    /// The last day.
    pub to: Date,
}

/// A transaction in a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The service's id.
    pub id: Uuid,
    /// The purchase that a refund belongs to.
    pub parent: Option<Uuid>,
    /// The merchant's id.
    pub merchant_transaction_id: String,
    /// The merchant's id of an earlier transaction.
    pub origin_merchant_transaction_id: Option<String>,
    /// Its type, as spelled in `type`.
    pub transaction_type: String,
    /// Its status.
    pub status: String,
    /// Its channel.
    pub payment_channel: Option<String>,
    /// Its amount.
    pub money: Money,
    /// The change of the merchant's balance; negative when money left it.
    pub balance_change: Money,
    /// The provider's code of a refusal.
    pub reject_code: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub modified_at: Timestamp,
}

/// The columns of a file, in their order.
pub const COLUMNS: [&str; 13] = [
    "id",
    "parentTransactionId",
    "merchantTransactionId",
    "originMerchantTransactionId",
    "type",
    "status",
    "paymentChannel",
    "amount",
    "currency",
    "balanceChange",
    "rejectCode",
    "createdAt",
    "modifiedAt",
];

/// The text of a report's file.
pub fn file(lines: &[Line]) -> String {
    let mut csv = Csv::default();
    csv.line(COLUMNS.map(Cell::Trusted));
    for line in lines {
        line.write(&mut csv);
    }
    csv.into_text()
}

impl Line {
    fn write(&self, csv: &mut Csv) {
        let id = |id: Uuid| id.hyphenated().to_string();
        let optional = |text: &'_ Option<String>| text.clone().unwrap_or_default();
        let origin = optional(&self.origin_merchant_transaction_id);
        let channel = optional(&self.payment_channel);
        csv.line([
            Cell::Trusted(&id(self.id)),
            Cell::Trusted(&self.parent.map(id).unwrap_or_default()),
            Cell::Untrusted(&self.merchant_transaction_id),
            Cell::Untrusted(&origin),
            Cell::Trusted(&self.transaction_type),
            Cell::Trusted(&self.status),
            Cell::Untrusted(&channel),
            Cell::Trusted(&self.money.to_string()),
            Cell::Trusted(self.money.currency().code()),
            Cell::Trusted(&self.balance_change.to_string()),
            Cell::Trusted(&optional(&self.reject_code)),
            Cell::Trusted(&format!("{:.3}", self.created_at)),
            Cell::Trusted(&format!("{:.3}", self.modified_at)),
        ]);
    }
}

impl Period {
    /// Refuses a period whose end is before its start.
    pub fn new(from: Date, to: Date) -> Result<Self, Rejection> {
        if from <= to {
            return Ok(Self { from, to });
        }
        let detail = "the period ends before it begins";
        Err(Rejection::at(Code::ContractViolation, "/dateTo", detail))
    }

    /// The first moment of the period.
    pub fn begin(self) -> Timestamp {
        midnight(self.from)
    }

    /// The first moment after the period.
    pub fn end(self) -> Timestamp {
        self.to.tomorrow().map_or(Timestamp::MAX, midnight)
    }
}

impl Report {
    /// Creates a requested report without a file.
    pub fn new(id: Uuid, period: Period, now: Timestamp) -> Self {
        Self {
            id,
            period,
            transaction_type: None,
            currency: None,
            status: Status::Generating,
            created_at: now,
            ready: None,
        }
    }

    /// When its file is created: never before the period is over.
    pub fn due_at(&self) -> Timestamp {
        let at = self.created_at.max(self.period.end());
        at.checked_add(DURATION).unwrap_or(Timestamp::MAX)
    }

    /// The name of its file.
    pub fn file_name(&self) -> String {
        format!("transactions-{}-{}.csv", self.period.from, self.period.to)
    }

    /// Marks the file as created, with its number of transactions.
    pub fn finish(mut self, transactions: i64, now: Timestamp) -> Result<Self, Rejection> {
        let after = next(self.status, Event::Finish);
        self.status = after.ok_or_else(|| self.illegal())?;
        self.ready = Some((now, transactions));
        Ok(self)
    }

    /// Refuses a download before the file is ready.
    pub fn downloadable(&self) -> Result<(), Rejection> {
        if self.status == Status::Ready {
            return Ok(());
        }
        let detail = "the file is still being made";
        Err(Rejection::new(Code::IllegalState, detail))
    }

    fn illegal(&self) -> Rejection {
        let detail = format!("a report that is {} is finished", self.status.wire());
        Rejection::new(Code::IllegalState, detail)
    }
}

/// The first moment of a day.
fn midnight(date: Date) -> Timestamp {
    let zoned = date.to_zoned(TimeZone::UTC);
    zoned.map_or(Timestamp::MAX, |zoned| zoned.timestamp())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn report(from: Date, to: Date, now: &str) -> Report {
        let period = Period::new(from, to).unwrap();
        Report::new(Uuid::nil(), period, now.parse().unwrap())
    }

    #[test]
    fn a_period_has_both_its_days() {
        let day = Period::new(date(2026, 10, 31), date(2026, 10, 31)).unwrap();
        assert_eq!(day.begin().to_string(), "2026-10-31T00:00:00Z");
        assert_eq!(day.end().to_string(), "2026-11-01T00:00:00Z");
        let refused = Period::new(date(2026, 11, 1), date(2026, 10, 31)).unwrap_err();
        assert_eq!(refused.pointer.as_deref(), Some("/dateTo"));
        let last = Period::new(Date::MIN, Date::MAX).unwrap();
        assert_eq!(last.end(), Timestamp::MAX);
    }

    #[test]
    fn a_file_is_created_when_the_period_is_over() {
        let past = report(
            date(2026, 10, 1),
            date(2026, 10, 31),
            "2026-11-04T10:00:00Z",
        );
        assert_eq!(past.due_at().to_string(), "2026-11-04T10:00:00.5Z");
        let present = report(
            date(2026, 11, 1),
            date(2026, 11, 30),
            "2026-11-04T10:00:00Z",
        );
        assert_eq!(present.due_at().to_string(), "2026-12-01T00:00:00.5Z");
    }

    #[test]
    fn a_file_has_a_header_and_escapes_formulas() {
        let currency = Currency::parse("EUR").unwrap();
        let line = Line {
            id: Uuid::nil(),
            parent: Some(Uuid::max()),
            merchant_transaction_id: "=1,2".to_owned(),
            origin_merchant_transaction_id: None,
            transaction_type: "TRT_REFUND".to_owned(),
            status: "ACCEPTED".to_owned(),
            payment_channel: Some("PCL_CARD".to_owned()),
            money: Money::new(1000, currency),
            balance_change: Money::new(-1000, currency),
            reject_code: None,
            created_at: Timestamp::UNIX_EPOCH,
            modified_at: Timestamp::UNIX_EPOCH,
        };
        let text = file(&[line]);
        let mut lines = text.split_terminator("\r\n");
        assert_eq!(lines.next(), Some(COLUMNS.join(",").as_str()));
        let expected = "00000000-0000-0000-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff,\
            \"'=1,2\",,TRT_REFUND,ACCEPTED,PCL_CARD,10.00,EUR,-10.00,,\
            1970-01-01T00:00:00.000Z,1970-01-01T00:00:00.000Z";
        assert_eq!((lines.next(), lines.next()), (Some(expected), None));
    }

    #[test]
    fn a_file_is_created_once_and_downloadable_afterwards() {
        let report = report(
            date(2026, 10, 1),
            date(2026, 10, 31),
            "2026-11-04T10:00:00Z",
        );
        assert_eq!(report.downloadable().unwrap_err().code, Code::IllegalState);
        let ready = report.clone().finish(3, report.due_at()).unwrap();
        assert_eq!(ready.downloadable(), Ok(()));
        assert_eq!(ready.ready, Some((report.due_at(), 3)));
        assert_eq!(
            ready.finish(3, report.due_at()).unwrap_err().code,
            Code::IllegalState
        );
    }
}
