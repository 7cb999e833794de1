//! Checks that the generated tables and the model agree for every state and event.

use merchant_payments::behaviour::{
    notification, offer, payment_link, plan, product, report, subscription, transaction,
};

use super::model::{self, Sort, Stage};

#[test]
fn transactions() {
    use transaction::{Event, Kind, Status, TRANSITIONS, next};
    let mut rows = 0;
    for (kind, sort) in [
        (Kind::Purchase, Sort::Purchase),
        (Kind::Refund, Sort::Refund),
        (Kind::Payout, Sort::Payout),
    ] {
        for stage in Stage::ALL {
            let status = Status::from_wire(stage.shown()).unwrap();
            for event in Event::ALL {
                // Unreachable for a refund or a payout.
                let never = sort != Sort::Purchase && stage == Stage::Held
                    || sort == Sort::Refund && stage == Stage::Late;
                let told = model::transaction(sort, stage, &format!("{event:?}"));
                let told = told.filter(|_| !never).map(Stage::shown);
                let read = next(kind, status, event).map(Status::wire);
                assert_eq!(read, told, "{kind:?} {status:?} {event:?}");
                rows += usize::from(read.is_some());
            }
        }
    }
    assert_eq!((Kind::ALL.len(), Status::ALL.len()), (3, Stage::ALL.len()));
    assert_eq!(rows, TRANSITIONS.len());
}

/// A test that compares a table with a function of the model; `$name` is the method that names a
/// state.
macro_rules! tables {
    ($($module:ident by $name:ident),* $(,)?) => {$(
        #[test]
        fn $module() {
            use $module::{Event, Status, TRANSITIONS, next};
            let mut rows = 0;
            for status in Status::ALL {
                for event in Event::ALL {
                    let told = model::$module(status.$name(), &format!("{event:?}"));
                    let read = next(status, event).map(Status::$name);
                    assert_eq!(read, told, "{status:?} {event:?}");
                    rows += usize::from(read.is_some());
                }
            }
            assert_eq!(rows, TRANSITIONS.len());
        }
    )*};
}

tables! {
    notification by wire,
    offer by name,
    payment_link by wire,
    plan by name,
    product by name,
    report by wire,
    subscription by name,
}

#[test]
fn words_read_back() {
    use transaction::{Kind, Status};
    for kind in Kind::ALL {
        assert_eq!(Kind::from_wire(kind.wire()), Some(kind));
    }
    for status in Status::ALL {
        assert_eq!(Status::from_wire(status.wire()), Some(status));
    }
    assert_eq!(Status::from_wire("accepted"), None);
    for status in subscription::Status::ALL {
        assert_eq!(subscription::Status::from_name(status.name()), Some(status));
        let shown = status.wire().map(subscription::Status::from_wire);
        assert!(shown.is_none_or(|shown| shown == Some(status)));
    }
}
