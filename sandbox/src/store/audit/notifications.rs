//! Audit rules for notifications.

use super::Rule;

/// The rules for notifications.
pub(super) const RULES: [Rule; 2] = [
    (
        "the-last-notification-tells-of-the-present-state",
        "SELECT n.id FROM notifications n
             JOIN transactions t ON t.tenant_id = n.tenant_id AND t.id = n.transaction_id
         WHERE n.event <> lower(substr(t.type, 5)) || '.' || lower(t.status)
             AND n.event NOT LIKE 'subscription.%'
             AND NOT EXISTS (SELECT 1 FROM notifications l WHERE l.tenant_id = n.tenant_id
                 AND l.transaction_id = n.transaction_id AND l.sequence > n.sequence
                 AND l.event NOT LIKE 'subscription.%')",
    ),
    (
        "a-notification-that-waits-comes-about",
        "SELECT n.id FROM notifications n
         WHERE n.status = 'waiting' AND n.ready = 0 AND n.lease IS NULL
             AND NOT EXISTS (SELECT 1 FROM timers WHERE timers.tenant_id = n.tenant_id
                 AND timers.kind = 'notification' AND timers.subject = n.id)",
    ),
];
